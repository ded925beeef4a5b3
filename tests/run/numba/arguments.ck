# Arguments of device functions: by position, by keyword and by default.
#: n = 70
#: x = rng.integers(-50, 50, n, dtype=np.int32)
#: o = poison((n, 10), np.int64)
#: c = np.zeros(2 * n, np.int32)
#: repeat grids [3, 32], [1, 96]
#: launch positions[GRID, BLOCK](x, o)
#: v = x.astype(np.int64)
#: expect o[:, 0] == v * 2
#: expect o[:, 1] == v * 3 + 1
#: expect o[:, 2] == v * 2 + 5
#: expect o[:, 3] == 7 * v + 9
#: expect o[:, 4] == v * 2 + 7
#: expect o[:, 5] == v + 10 + 20
#: expect o[:, 6] == np.where(v > 3, v, 3)
#: expect o[:, 7] == v * 3
#: expect o[:, 8] == 7
#: expect o[:, 9] == v * 256 + 44
#: launch in_order[GRID, BLOCK](c, o)
#: expect o[:, 0] == 10
#: expect o[:, 1] == 1000
#: expect o[:, 2] == 23
#: expect o[:, 3] == 102
#: expect c == np.where(np.arange(2 * n) % 2 == 0, 4, 0)
import numpy as np
from numba import cuda, int32, int8

FACTOR = 2
WEIGHTS = (10, 20)
TABLE = np.array([3, 1, 2])


def scaled(value, factor=FACTOR, offset=0):
    return value * factor + offset


@cuda.jit(device=True)
def shifted(value, by: int32 = FACTOR * 3 + 1):
    return value * 2 + by


def weighted(value, weights=WEIGHTS):
    return value + weights[0] + weights[1]


def combined(a, b, f=max):
    return f(a, b)


def applied(a, f=scaled, kind=int32):
    return f(kind(a), factor=3)


def entry(i, table=TABLE):
    return table[i]


def fixed(value, n: int8 = 44):
    return value * 256 + n


@cuda.jit
def positions(x, o):
    i = cuda.grid(1)
    if i < len(x):
        v = x[i]
        o[i, 0] = scaled(v)
        o[i, 1] = scaled(v, 3, 1)
        o[i, 2] = scaled(v, offset=5)
        o[i, 3] = scaled(offset=9, factor=7, value=v)
        o[i, 4] = shifted(v)
        o[i, 5] = weighted(v)
        o[i, 6] = combined(b=v, a=3)
        o[i, 7] = applied(v)
        o[i, 8] = entry(0) + entry(1) + entry(i=2) + 1
        o[i, 9] = fixed(value=v)


def pair(low, high):
    return low + 10 * high


def stored(o, i, low, high):
    o[i, 1] = 1000
    o[i, 2] = low + high


def half(a, i):
    return a[i]


@cuda.jit
def in_order(c, o):
    """Arguments are evaluated in the order of the call, not of the parameters."""
    i = cuda.grid(1)
    if i < o.shape[0]:
        o[i, 0] = pair(high=cuda.atomic.add(c, 2 * i, 1), low=10 * cuda.atomic.add(c, 2 * i, 1))
        stored(high=cuda.atomic.add(c, 2 * i, 1), o=o, low=7 * cuda.atomic.add(c, 2 * i, 1), i=i)
        picked = half(i=2 * i, a=c[0:]) if i >= 0 else 0
        o[i, 3] = 98 + picked
