#!/usr/bin/env python3
"""A program as it is run with Numba: kernels between imports, classes and host code."""
#: x = rng.integers(0, 50, 100, dtype=np.int32)
#: y = rng.integers(1, 50, 100, dtype=np.int32)
#: o = poison(100, np.float64)
#: w = poison((100, 7), np.int64)
#: repeat grids [4, 32]
#: launch scale[GRID, BLOCK](x, o)
#: expect o == 3 * x + np.float64(np.float32(1.5)) + 7
#: launch operators[GRID, BLOCK](x, y, w)
#: expect w[:, 0] == x + y
#: expect w[:, 1] == x // y
#: expect w[:, 2] == x % y
#: expect w[:, 3] == (x < y)
#: expect w[:, 4] == -x.astype(np.int64)
#: expect w[:, 5] == (x == 0) + 2 * (x >= y)
#: expect w[:, 6] == y + (x ^ y)
from __future__ import annotations

import argparse, sys
import operator
import os.path as osp
import time
from dataclasses import dataclass
from operator import floordiv, mod as remainder
from typing import *

import matplotlib.pyplot as plt
import numba as nb
import numpy as np
import numpy.testing
from numba import cuda, njit, typed, types, vectorize
from numba.core import config
from numba.cuda.testing import unittest
from numba.cuda.types import float32 as single, int32

from . import helpers
from ..package import (a,
                       b)

try:
    import cupy as cp
    from math import sqrt
except ImportError:
    cp = None

TPB = 32
OFFSET = np.array([3, 7], np.int64)
data = np.random.rand(100).astype(np.float32)
settings = {
"name": "x",
"sizes": [n * 2 for n in range(10) if n % 2],
}
first, *rest = [1, 2, 3]
settings["name"] = 'it''s'
square = lambda v, *args, key=None, **kw: v ** 2
text = f"{TPB!r:>{10}} {{}}" r''
data @= data
log: List[str] = []
osp.sep = "/"


@dataclass(frozen=True)
class Case:
    """A case."""
    size: int = 3
    names = {"def f(:": """
def not_a_function(:
"""}

    @property
    def twice(self) -> int:
        return self.size * 2 if self.size else \
            0

    async def wait(self):
        async with self as s, open(s) as t:
            yield [await x async for x in s]


class Test(unittest.TestCase):
    def test_kernel(self):
        @cuda.jit
        def inner(x):
            x[0] = self
        inner[1, 1](np.zeros(1))


@vectorize(["float32(float32)"], target="cuda")
def elementwise(v):
    return v + len([v])


@cuda.reduce
def total(a, b):
    return a + b


@njit(parallel=True, cache=True)
def reference(values, *, flag=False):
    for i in nb.prange(len(values)):
        values[i] = sum([v for v in values])


def shifted(v, by):
    return v + by


@cuda.jit
def scale(x, o):
    i = nb.cuda.grid(1)
    if i < x.shape[0]:
        o[i] = shifted(OFFSET[0] * x[i] + single(1.5), OFFSET[1])


def apply(f, u, v):
    return f(u, v)


@cuda.jit
def operators(x, y, w):
    i = cuda.blockIdx.x * TPB + cuda.threadIdx.x
    if operator.lt(i, x.size):
        u, v = int32(x[i]), int32(y[i])
        w[i, 0] = operator.add(u, v)
        w[i, 1] = floordiv(u, v)
        w[i, 2] = apply(remainder, u, v)
        w[i, 3] = apply(operator.lt, u, v)
        w[i, 4] = operator.neg(u)
        w[i, 5] = operator.not_(u) + operator.mul(2, operator.ge(u, v))
        w[i, 6] = operator.getitem(y, i) + operator.xor(u, v)


def main(argv: Optional[list[str]] = None, *rest, verbose=True, **options) -> int:
    global settings
    parser = argparse.ArgumentParser()
    with cuda.pinned(data), open("log", "w") as log:
        try:
            scale[4, 32](data, data)
        except (ValueError, TypeError) as error:
            raise RuntimeError("no") from error
        finally:
            del settings["name"]
    if (n := len(data)) > 2:
        print(f"{n:>{10}}", *rest, end="", file=sys.stderr)
    match argv:
        case [1, 2, *_]:
            return {**options, "a": {1, 2}}
        case {"x": 1} | None:
            pass
    assert isinstance(data @ data, float), "not" " a float"
    return not 1


for trial in range(3):
    start = time.time()
    scale[4, 32](data, data)
    print(time.time() - start, TPB)
else:
    cuda.synchronize()
while False: pass
print("a", *rest, file=sys.stdout); plt.show()
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
elif __doc__:
    unittest.main()
