from collections import deque, namedtuple

from numba import cuda, float32, int64

Point = namedtuple("Point", "x y")
Other = namedtuple("Other", "x y")
TWICE = namedtuple("TWICE", "x x")
HIDDEN = namedtuple("HIDDEN", ["_x"])
EMPTY = namedtuple("EMPTY", "")
NUMBERS = namedtuple("NUMBERS", [1, 2])
RENAMED = namedtuple("RENAMED", "a b", rename=True)
MANY = namedtuple("MANY", "a", defaults=(1, 2))
UNSET = namedtuple("UNSET", "a b", defaults=(1,))
QUEUE = deque()


@cuda.jit(device=True)
def norm(p: Point):
    return p.x * p.x + p.y * p.y


@cuda.jit("void(int64[:])")
def definitions(y):
    y[0] = TWICE(1, 2).x + HIDDEN(1)[0] + EMPTY() + NUMBERS(1, 2)[0] + RENAMED(1, 2).a
    y[1] = MANY(1).a + QUEUE


@cuda.jit("void(int64[:])")
def values(y):
    p = Point(1, 2)
    y[0] = p.z
    y[1] = Point(1).x
    y[2] = Point(1, 2, 3).x
    y[3] = Point(1, x=2).x
    y[4] = Point(1, z=2).x
    y[5] = UNSET(b=1).a
    y[6] = Point
    y[7] = norm(Other(1, 2))
    y[8] = norm((1, 2, 3))
    y[9] = Point(None, 1).y
    p.x = 3


@cuda.jit("void((int64, int64), int64[:])")
def plain(p, y):
    y[0] = p.x


@cuda.jit("void(Point, int64[:])")
def untyped(p, y):
    y[0] = p.x


@cuda.jit("void(Point(int64), int64[:])")
def partly(p, y):
    y[0] = p.x
