@cuda.jit(fastmat=True)
def a(x):
    pass


@kernel(nonsense=3)
def b(x):
    pass
