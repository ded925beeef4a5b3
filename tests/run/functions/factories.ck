"""Kernels and device functions that functions of the module make."""
import numpy as np
from numba import cuda, float32, float64

BASE = 3
TABLE = np.array([1.0, 2.0, 4.0])


def make_kernel(size, table, op=None):
    """A kernel for blocks of this size."""
    @cuda.jit
    def kernel(x, out):
        buf = cuda.shared.array(size, float64)
        t = cuda.threadIdx.x
        buf[t] = x[t]
        cuda.syncthreads()
        v = buf[size - 1 - t] * table[t % 3]
        out[t] = v if op is None else op(v)
    return kernel


def make_adder(n):
    def add(x):
        return x + n
    return add


def make_typed(n):
    @cuda.jit(float32(float32), device=True)
    def scaled(x):
        return x * n
    return scaled


add_base = make_adder(n=BASE)
rev8 = make_kernel(8, TABLE)
rev16 = make_kernel(16, op=add_base, table=TABLE)
thrice = make_typed(3)

#: x = rng.normal(size=8)
#: a = poison(8, np.float64)
#: y = rng.normal(size=16)
#: b = poison(16, np.float64)
#: launch rev8[1, 8](x, a)
#: launch rev16[1, 16](y, b)
#: expect a == x[::-1] * np.array([1.0, 2.0, 4.0])[np.arange(8) % 3]
#: expect b == y[::-1] * np.array([1.0, 2.0, 4.0])[np.arange(16) % 3] + 3

#: f = rng.integers(-99, 99, 5).astype(np.float32)
#: launch scale[1, 8](f)
#: expect f == f_in * 3 + 4


@cuda.jit
def scale(f):
    n = 1  # the name of this function, not that of `make_adder`
    i = cuda.threadIdx.x
    if i < f.size:
        f[i] = add_base(thrice(f[i])) + n
