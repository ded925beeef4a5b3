from numba import cuda, float32

TPB = 16


@cuda.jit(TPB)
def a(x):
    pass


@cuda.jit(3)
def b(x):
    pass


@cuda.jit("void(float32[:]")
def c(x):
    pass
