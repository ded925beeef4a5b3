import math
import numpy as np
from numba import cuda, njit, prange, vectorize
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32


@cuda.jit("void(float32[:], int32, float32)")
def k(x, n, f):
    i = cuda.grid(1)
    if x is None:
        return undefined
    if n is None or 0 < n != None:
        return
    y = None
    z = f if n else None
    x[0] = None
    q = x.sum() + np.sum(x)
    q = sorted(x)
    q = np.linspace(0, 1, 4)
    q = bitwise_or(n, n) + logical_xor(n, n)
    q = x.astype(np.int32)
    q = f.astype(np.int32)
    q = len(n)
    q = i in x
    q = x is x
    for j in prange(4):
        pass
    q = xoroshiro128p_uniform_float32(x, i)
    q = var + event
