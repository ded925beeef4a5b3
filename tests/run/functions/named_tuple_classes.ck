# Classes of typing.NamedTuple are namedtuples: fields with and without default values.
#: n = 50
#: x = rng.standard_normal(n)
#: y = poison((n, 6), np.float64)
#: launch fields[2, 32](x, y)
#: i = np.arange(n)
#: expect close(y[:, 0], x + i)
#: expect close(y[:, 1], x * 2 + 1)
#: expect (y[:, 2] == 7).all()
#: expect close(y[:, 3], 0.5 * x)
#: expect (y[:, 4] == 3).all()
#: expect (y[:, 5] == 1).all()
#: a = poison(4, np.float64)
#: launch passed[1, 1]((1.5, 4), a)
#: expect (a == [1.5, 4, 5.5, 2]).all()
#: launch passed[1, 1](Point(1.5, 4), a)
#: expect (a == [1.5, 4, 5.5, 2]).all()
#: launch passed[1, 1](Point(y=4, x=1.5), a)
#: error a tuple's items are given in order, without names
#: launch nested[1, 1](Pair(Point(1, 2.5), x), a)
#: expect a[:3] == [1, 2.5, 50]
import typing
from typing import NamedTuple, Optional

import numpy as np
from numba import cuda


class Point(NamedTuple):
    """A point of the plane."""

    x: float
    y: "np.float64"

    def norm(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5


class Config(typing.NamedTuple):
    scale: float = 0.5
    count: Optional[int] = 3 + 4
    shape: typing.Tuple[int, int] = (1, 2)


class Pair(NamedTuple):
    first: Point; second: np.ndarray


class Other:
    x: int = 3


ORIGIN = Point(1, y=2)
DEFAULT = Config()
LARGE = Config(count=9, scale=2.0)


@cuda.jit(device=True)
def doubled(p):
    return Point(2 * p.x, p.y)


@cuda.jit
def fields(x, y):
    i = cuda.grid(1)
    if i >= len(x):
        return
    p = Point(x[i], i)
    y[i, 0] = p.x + p.y
    y[i, 1] = doubled(p).x + ORIGIN.x
    y[i, 2] = DEFAULT.count
    y[i, 3] = Config().scale * x[i]
    y[i, 4] = DEFAULT.shape[1] + ORIGIN[0]
    y[i, 5] = LARGE.count - 8 if isinstance(p, Point) else 0


@cuda.jit
def passed(p: Point, out):
    out[0], out[1] = p
    out[2] = p.x + p.y
    out[3] = len(p)


@cuda.jit
def nested(p: Pair, out):
    out[0] = p.first[0]
    out[1] = p[0][1]
    out[2] = len(p.second)
