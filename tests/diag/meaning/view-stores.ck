# Stores to views of arrays that do not fit, or that no order of the elements suits.
from numba import cuda, float32


@cuda.jit
def stores(x: float32[:], m: float32[:, :], n: int64):
    t = cuda.local.array(4, float32)
    u = cuda.local.array(3, float32)
    t[:] = 0
    u[:] = t
    t[1:] = t + 1
    x[:] = x[::-1]
    x[1:-1] = x[:-2] + x[2:]
    x[::n] = x[::2]
    m[:] = m.T
    m[:, 0] = m[0]
    m[1:] += m[:-1]
    m[n] = m[n - 1]
    t[:] = t[::-1]
