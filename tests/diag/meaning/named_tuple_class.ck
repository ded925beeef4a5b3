# Classes of typing.NamedTuple with errors, and classes that are host code.
from typing import NamedTuple

from numba import cuda


class Twice(NamedTuple):
    x: int
    x: float


class Gap(NamedTuple):
    x: int = 1
    y: float


class Empty(NamedTuple):
    pass


class Method(NamedTuple):
    x: int

    def double(self):
        return 2 * self.x


class Comprehension(NamedTuple):
    x: int = [i for i in range(unknown)]


class Plain(object):
    x: int


class Mixed(NamedTuple, Plain):
    x: int


class Line(NamedTuple): x: int


@cuda.jit
def k(y):
    y[0] = Twice(1).x
    y[1] = Gap(1, 2).x
    y[2] = Empty()
    y[3] = Method(1).double()
    y[4] = Comprehension().x
    y[5] = Plain().x + Mixed(1).x + Line(1).x
    y[6] = Method(1, 2).x + Method(z=1).x
