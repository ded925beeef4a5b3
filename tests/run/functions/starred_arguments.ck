"""Starred arguments, `f(*t)`, and starred items of tuples."""
import math

import numpy as np
from numba import cuda, float32, int32, int64

SHAPE = (2, 3)
LARGEST = max(*SHAPE, 1)
BOTH = (*SHAPE, 4)
TILE = (8, float32)


@cuda.jit(device=True)
def digits(a, b, c):
    return a * 100 + b * 10 + c


def pair(x, i):
    return cuda.atomic.add(x, i, 1), cuda.atomic.add(x, i, 1)


def bump(x, i):
    return cuda.atomic.add(x, i, 1)


def apply(f, t, *, extra=0):
    return f(*t) + extra


#: x = np.zeros(4, np.int64)
#: o = poison(24, np.int64)
#: launch calls[1, 1](x, o)
#: expect o == [123, 12, 456, 12, 12, 9, 3, 123, 712, 0, 0, 129, 230, 11, 22, 1, 3, 6, 234, 129, 5, 312, 333, 40]
#: expect x == [3, 3, 0, 3]
@cuda.jit
def calls(x, o):
    t = (1, 2)
    o[0] = digits(*t, 3)
    o[1] = digits(0, *t)
    o[2] = digits(*(4, 5, 6))
    o[3] = digits(*pair(x, 0), bump(x, 0))
    o[4] = digits(bump(x, 1), *pair(x, 1))
    o[5] = max(*t, 9)
    o[6] = LARGEST
    o[7] = digits(*(*t, 3))
    v = 7, *t
    o[8] = digits(*v)
    o[9] = x[0] > 100 and digits(*pair(x, 2), 1) > 0
    o[10] = x[2]
    o[11] = apply(digits, (1, *t), extra=17)
    shared = cuda.shared.array(SHAPE, int32)
    o[12] = digits(*shared.shape, 0)
    total = 0
    for a, b in zip(*((1, 2), (3, 4))):
        total += a * b
    o[13] = total
    for k in range(*(1, 5, 2)):
        total += k
    o[14] = total + 7
    o[15] = math.pow(*t)
    o[16] = np.int32(*(3,))
    tile = cuda.local.array(*TILE)
    tile[7] = 6
    o[17] = tile[7]
    o[18] = digits(*BOTH)
    o[19] = digits(*t, c=9)
    g = lambda p, q: p + q
    o[20] = g(*(2, 3))
    o[21] = digits(*(3, *t))
    o[22] = digits(*bump(x, 3) * (1,), *pair(x, 3)) if False else digits(3, *(3, 3))
    o[23] = min(*(t if False else (50, 40)))
    x[3] = 3


#: n = 50
#: a, b = rng.normal(size=n), rng.normal(size=n)
#: h = poison((2, n), np.float64)
#: launch each_thread[2, 32]((a, b), h)
#: expect close(h, np.stack([np.hypot(a, b), np.where(a > 0, b - a, a)]), 1e-12)
@cuda.jit
def each_thread(columns, h):
    def difference(p, q):
        return q - p

    i = cuda.grid(1)
    x, y = columns
    if i < x.size:
        point = (x[i], y[i])
        h[0, i] = math.hypot(*point)
        h[1, i] = difference(*point) if point[0] > 0 else point[0]


#: launch printed[1, 1]()
#: print 1 2 and 3.500000
#: print 1 2
#: print 7
@cuda.jit
def printed():
    t = (1, 2)
    print(*t, "and", *(3.5,))
    print(*t)
    printf("%d\n", *(7,))
