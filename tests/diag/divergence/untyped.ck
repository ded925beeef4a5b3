# Kernels without types, and the names of a thread's position: the barrier is an error in all forms.
from numba import cuda
from numba.cuda import threadIdx as tix


def wait():
    syncthreads()


@cuda.jit
def prefixed(x):
    t = cuda.threadIdx.x
    if t < 16:
        cuda.syncthreads()
    cuda.syncthreads()


@cuda.jit
def bare(x):
    t = threadIdx.x
    if t < 16:
        syncthreads()
    syncthreads()


@cuda.jit
def imported(x, n):
    t = tix.x
    if t < n and n > 0:
        cuda.syncthreads()
    cuda.syncthreads()


@cuda.jit
def pair(x, n):
    i, j = cuda.grid(2)
    if j < n:
        cuda.syncthreads()
    cuda.syncthreads()


@cuda.jit
def below(x):
    if cuda.threadIdx.x < 16:
        wait()
    wait()


@cuda.jit
def trips(x, n):
    for k in range(cuda.grid(1), n, cuda.gridsize(1)):
        cuda.syncthreads()


@cuda.jit
def left(x):
    i = cuda.threadIdx.x
    while True:
        if i > x.size:
            break
        cuda.syncthreads()
        i += 1


@cuda.jit
def blocks(x):
    if cuda.blockIdx.x < 16:
        cuda.cg.this_grid().sync()
    cuda.cg.this_grid().sync()


# Right: no barrier follows, so the other threads have returned.
@cuda.jit
def last(x):
    t = cuda.threadIdx.x
    if t < 16:
        cuda.syncthreads()


@kernel
def last_with_types(x: int32[:]):
    t = threadIdx.x
    if t < 16:
        syncthreads()
