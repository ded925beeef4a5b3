from numba import cuda

@cuda.jit("void(float32[:,:])", link=["x.cu"])
def linked(a):
    pass


@cuda.jit(void(float32[:]))
def single(a):
    pass


@kernel
def k(a: float32[:, :], v: float32[:]):
    pass
    pass
    g = cuda.cg.this_grid()
    pass
    pass
    pass
    pass
    pass
    pass
