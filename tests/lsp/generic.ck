# Kernels without signatures: each launch determines the types of what is passed.
from ck import cuda


@cuda.jit(device=True)
def helper(v):
    return v + 1


@cuda.jit
def scan(x, n):
    i = cuda.grid(1)
    group = cuda.cg.this_grid()
    last = x[i] + n
    x[i] = helper(last)
    group.sync()
    x.shape


@kernel
def by_annotation(x: float32[:], n: int64 = 3):
    for i in range(grid(1), n, gridsize(1)):
        x[i] = n


def unused(a):
    b = cuda.syncthreads()
    return b
