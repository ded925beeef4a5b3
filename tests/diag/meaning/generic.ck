# Kernels without types: what does not depend on types is checked.
from numba import cuda

def wait_for_all(v):
    cuda.syncthreads()
    return v + misspelt

def twice(v, k):
    return v * k

@cuda.jit
def names(x, y, n):
    i = cuda.gird(1)
    if i < n and x.flags.colour:
        cuda.syncthread()
    for k in range(n):
        y[k] = twice(x[k]) + cuda.threadIdx.w
        cuda.grid(1, 2)
    y[i] = wait_for_all(x[i])
    while x[i] > 0:
        x[i] = mth.sqrt(x[i])
    y[0] = never_set
    never_set = 1

@cuda.jit
def depends_on_types(x, y, n):
    i = cuda.grid(1)
    if x.ndim == 1:
        size, flag = x.shape[0], 1
    elif x.ndim == 2:
        size, flag = x.shape[0] * x.shape[1], (1, 2)
    if i < size:
        y[i] = x[i].real + flag[0] + flag
    for row in x:
        y[0] += row
