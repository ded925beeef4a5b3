# Namedtuples: made by position, by keyword and with defaults; their fields, their items, and as
# arguments, results and constants.
#: n = 100
#: x = rng.standard_normal(n)
#: y = poison((n, 9), np.float64)
#: launch fields[4, 32](x, y)
#: i = np.arange(n)
#: expect close(y[:, 0], x + i)
#: expect close(y[:, 1], x * 2)
#: expect (y[:, 2] == i + 1).all()
#: expect close(y[:, 3], x - 3)
#: expect (y[:, 4] == 7).all()
#: expect close(y[:, 5], np.where(i % 2 == 0, x, -x))
#: expect (y[:, 6] == 3).all()
#: expect close(y[:, 7], x + 5)
#: expect (y[:, 8] == 1).all()
#:
#: a = poison(4, np.float64)
#: launch typed[1, 1]((1.5, 4), a)
#: expect (a == [1.5, 4, 5.5, 2]).all()
#: b = poison(4, np.float64)
#: launch generic[1, 1]((1.5, 4), b)
#: expect (b == [1.5, 4, 5.5, 2]).all()
#: launch generic[1, 1]((1.5, 4, 2), b)
#: error (float64, int64, int64) cannot be used as Point
#: launch generic[1, 1](1.5, b)
#: error cannot be used as Point
#: launch plain[1, 1]((1.5, 4), b)
#: error a tuple that is passed has no fields: annotate the parameter, `p: Point`
#: c = poison(4, np.float64)
#: launch signed[1, 1]((1.5, 4), c)
#: expect (c == [1.5, 4, 5.5, 2]).all()
#:
#: d = poison(6, np.int64)
#: t = np.zeros(1, np.int64)
#: launch order[1, 1](t, d)
#: expect (d == [2, 0, 1, 6, 3, 5]).all()
#:
#: z = rng.standard_normal(50).astype(np.float32)
#: e = poison(2, np.float32)
#: launch arrays[1, 1]((z, 2.0), e)
#: expect abs(e[0] - 2 * z.sum(dtype=np.float64)) < 1e-4 and e[1] == np.float32(50)
import collections
from collections import namedtuple

import numpy as np
from numba import cuda, float64, int64

Point = namedtuple("Point", "x y")
Named = namedtuple("Named", ["value", "count"], defaults=(7,))
Pair = collections.namedtuple("Pair", ("first", "second"))
ORIGIN = Point(1, 2)
Data = namedtuple("Data", "values, scale")


@cuda.jit(device=True)
def swap(p):
    return Point(p.y, p.x)


@cuda.jit(device=True)
def moved(p: Point, dx):
    return Point(y=p.y, x=p.x + dx)


@cuda.jit(device=True)
def length(p):
    return len(p)


@cuda.jit
def fields(x, y):
    i = cuda.grid(1)
    if i >= len(x):
        return
    p = Point(x[i], i)
    y[i, 0] = p.x + p.y
    q = moved(p, x[i])
    y[i, 1] = q.x
    a, b = swap(Point(1, i))
    y[i, 2] = a + b
    last = Point(x=-3, y=0)
    for k in range(i):
        last = Point(-3, k)
    y[i, 3] = last.x + p[0]
    y[i, 4] = Named(p).count
    if i % 2 == 0:
        s = Pair(x[i], second=1)
    else:
        s = Pair(-x[i], second=2)
    y[i, 5] = s.first
    y[i, 6] = ORIGIN.x + ORIGIN.y
    y[i, 7] = Named(count=5, value=p).value.x + Named(p, 5).count
    same = isinstance(p, Point) and isinstance(p, tuple) and not isinstance(s, Point)
    y[i, 8] = same and p == (x[i], i) and length(p) == 2


@cuda.jit
def typed(p: Point(float64, int64), out: float64[::1]):
    out[0], out[1] = p
    out[2] = p.x + p.y
    out[3] = len(p)


@cuda.jit
def generic(p: Point, out):
    out[0], out[1] = p
    out[2] = p.x + p.y
    out[3] = length(p)


@cuda.jit
def plain(p, out):
    out[0] = p.x


@cuda.jit("void(Point(float64, int64), float64[::1])")
def signed(p, out):
    out[0] = p.x
    out[1] = p.y
    out[2] = p.x + p.y
    out[3] = len(p)


# The order of evaluation is that of the call's text.
@cuda.jit(device=True)
def ticket(t):
    return cuda.atomic.add(t, 0, 1)


@cuda.jit
def order(t, d):
    p = Pair(second=ticket(t), first=ticket(t) + ticket(t) - 1)
    d[0] = p.first
    d[1] = p.second
    d[2] = Pair(second=p.first, first=1).first
    q = Pair(ticket(t), ticket(t)).second + Pair(second=ticket(t), first=1).first + 1
    d[3] = t[0]
    d[4] = Point(t[0] - 3, 1).x
    d[5] = q - 1


@cuda.jit
def arrays(data: Data, out):
    s = 0.0
    for v in data.values:
        s += v * data.scale
    out[0] = s
    out[1] = len(data.values)
