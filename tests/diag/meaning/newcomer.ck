# What one writes at first.
from numba import cuda
import numpy as np


@cuda.jit
def dtypes(a: float32[:]):
    s = cuda.shared.array(16, dtype="float32")
    t = cuda.local.array(16, float)


@cuda.jit
def whole(a: float32[:], b: float32[:, :]):
    a[0] = a
    a[1] = b.shape
    a[2] = cuda.grid(2)
    a[3] = b[0]
    b[0] = cuda.threadIdx


@cuda.jit
def unfinished(a: float32[:]):
    a[0] = cuda.threadIdx
    i = cuda.blockIdx + cuda.threadIdx.x
    a[1] = float32
    a[2] = "text"
    a[3] = cuda.syncthreads
    a[4] = cuda.syncthreads()
    cuda.syncthreads


@cuda.jit
def called(a: float32[:]):
    a[0] = whole(a, a)
    a[1] = cuda.grid()
    a[2] = cuda.atomic.add(a, 1)
    a[3] = cuda.sychthreads()
    a[4] = b
    return a
