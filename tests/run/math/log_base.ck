"""Logarithms to any base."""
import math

from numba import cuda

BITS = math.log(1024, 2)


#: x, b = rng.uniform(0.1, 99, 50), rng.uniform(2, 9, 50)
#: f = x.astype(np.float32)
#: n = rng.integers(1, 10**6, 50)
#: o = poison((5, 50), np.float64)
#: launch to_base[2, 32](x, f, b, n, o)
#: expect close(o[0], np.log(x) / np.log(b), 1e-12)
#: expect close(o[1], np.log2(f), 1e-5, 1e-5)
#: expect close(o[2], np.log(n) / np.log(3), 1e-12)
#: expect close(o[3], np.log(f.astype(np.float64)) / np.log(b), 1e-12)
#: expect close(o[4], 10, 1e-12)
@cuda.jit
def to_base(x, f, b, n, o):
    i = cuda.grid(1)
    if i < x.size:
        o[0, i] = math.log(x[i], b[i])
        narrow = math.log(f[i], 2)
        o[1, i] = narrow
        o[2, i] = math.log(n[i], 3)
        o[3, i] = math.log(f[i], b[i])
        o[4, i] = BITS
