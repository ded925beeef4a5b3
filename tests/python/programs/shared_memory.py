"""Shared memory whose size is of the launch, and parts of it with different types."""
import numpy as np
from numba import cuda, float32, int32


@cuda.jit
def reverse_blocks(x):
    s = cuda.shared.array(0, dtype=int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = x[i]
    cuda.syncthreads()
    x[i] = s[cuda.blockDim.x - 1 - t]


@cuda.jit
def two_arrays(x, y):
    both = cuda.shared.array(0, dtype=int32)
    n = cuda.blockDim.x
    ints = both[:n]
    floats = both.view(float32)[n:2 * n]
    t = cuda.threadIdx.x
    ints[t] = x[t]
    floats[t] = y[t]
    cuda.syncthreads()
    x[t] = ints[n - 1 - t] + int32(floats[t])


for block in (32, 96, 128):
    x = np.arange(4 * block, dtype=np.int32)
    reverse_blocks[4, block, 0, 4 * block](x)
    assert (x == np.arange(4 * block).reshape(4, block)[:, ::-1].ravel()).all()
x, y = np.arange(64, dtype=np.int32), np.full(64, 2.5, np.float32)
two_arrays[1, 64, cuda.stream(), 8 * 64](x, y)
assert (x == np.arange(64)[::-1] + 2).all()
