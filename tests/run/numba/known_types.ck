# What is known of types and functions when compiling: isinstance, functions and types that
# constants choose, and methods of scalars.
#: n = 70
#: x = rng.integers(-2**31, 2**31, n, dtype=np.int32)
#: x[:3] = [-2**31, -1, 0]
#: u = rng.integers(0, 256, n, dtype=np.uint8)
#: s = rng.integers(-128, 128, n, dtype=np.int8)
#: f = rng.standard_normal(n).astype(np.float32)
#: o = poison((n, 10), np.int64)
#: repeat grids [3, 32], [1, 96]
#: launch kinds[GRID, BLOCK](x, u, f, o)
#: expect o == [1, 2, 3, 4, 5, 6, 0, 0, 8, 16]
#: launch chosen[GRID, BLOCK](x, u, o)
#: v = x.astype(np.int64)
#: expect o[:, 0] == v + u
#: expect o[:, 1] == v - u
#: expect o[:, 2] == np.where(v > 7, v, 7)
#: expect o[:, 3] == u.astype(np.int8)
#: expect o[:, 4] == 9
#: expect o[:, 5] == v + 2
#: launch methods[GRID, BLOCK](x, u, s, o)
#: expect o[:, 0] == [bin(abs(int(k))).count("1") for k in x]
#: expect o[:, 1] == [bin(int(k)).count("1") for k in u]
#: expect o[:, 2] == [bin(abs(int(k))).count("1") for k in s]
#: expect o[:, 3] == v
#: expect o[:, 4] == v + 1
#: expect o[:, 5] == 3
#: expect o[:, 6] == u
import numpy as np
from numba import cuda, int8, int16, int32, float32, uint8

FLAG = True
LEVEL = 2


def kind_of(value):
    if isinstance(value, tuple):
        return 5 + value[0] * 0
    if isinstance(value, np.ndarray):
        return len(value.shape) + 3
    if isinstance(value, (int8, uint8)):
        return 2
    if isinstance(value, int):
        return 1
    if isinstance(value, float):
        return 3
    if isinstance(value, complex):
        return 6
    return 0


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


combine = add if FLAG else sub
other = sub if LEVEL > 1 else add
alias = other
greatest = max if not (LEVEL == 3) else min
narrow = int8 if FLAG else int16
nothing = None


@cuda.jit
def kinds(x, u, f, o):
    i = cuda.grid(1)
    if i < len(x):
        o[i, 0] = kind_of(x[i])
        o[i, 1] = kind_of(u[i])
        o[i, 2] = kind_of(f[i])
        o[i, 3] = kind_of(x)
        o[i, 4] = kind_of((1, 2.0))
        o[i, 5] = kind_of(1j * f[i])
        o[i, 6] = kind_of(x[i] > 0)
        o[i, 7] = kind_of(None)
        o[i, 8] = 8 if isinstance(3, int) and isinstance(x[i], int32) else missing(x)
        o[i, 9] = 16 if not isinstance(2.5, float32) and isinstance(True, bool) else "text"


@cuda.jit
def chosen(x, u, o):
    i = cuda.grid(1)
    if i < len(x):
        v = int(x[i])
        o[i, 0] = combine(v, u[i])
        o[i, 1] = alias(v, u[i])
        o[i, 2] = greatest(v, 7)
        o[i, 3] = narrow(u[i])
        o[i, 4] = 9 if nothing is None else 0
        local = sub if x is None else add
        o[i, 5] = local(v, 2)


@cuda.jit
def methods(x, u, s, o):
    i = cuda.grid(1)
    if i < len(x):
        o[i, 0] = x[i].bit_count()
        o[i, 1] = (u[i]).bit_count()
        o[i, 2] = s[i].bit_count()
        o[i, 3] = x[i].item()
        r = int(x[i])
        o[i, 4] = r[()] + 1
        o[i, 5] = (7).bit_count()
        o[i, 6] = u[i][()]
