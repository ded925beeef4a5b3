@cuda.jot
def a(x):
    pass


@jit.cuda
def b(x):
    pass


@cuda.jit
def good(x):
    pass
