# Kernels without types: barriers under conditions that depend on the thread.
from numba import cuda

def wait_for_all(v):
    cuda.syncthreads()
    return v

@cuda.jit
def branches(x, n):
    i = cuda.grid(1)
    if i < n:
        cuda.syncthreads()
    if n < 3 or x[i] > n + cuda.threadIdx.x:
        cuda.syncthreads()

@cuda.jit
def loops(x, n):
    i = cuda.grid(1)
    while i < n:
        x[i] = wait_for_all(x[i])
        i += cuda.gridsize(1)
    for k in range(cuda.threadIdx.x, n, cuda.blockDim.x):
        cuda.syncthreads()

@cuda.jit
def right(x, n):
    t = cuda.shared.array(32, x.dtype)
    i = cuda.threadIdx.x
    if x[i] > n:
        cuda.syncthreads()
    for k in range(n):
        t[i] = wait_for_all(x[k])
        if x[k] == n:
            break
        cuda.syncthreads()
    if cuda.blockIdx.x < n:
        cuda.syncthreads()
    cuda.syncthreads()
    if i < n:
        x[i] = t[i]
