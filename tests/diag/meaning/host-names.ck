# What kernels may not use: names that host code binds, and constants that it changes.
import os
import numpy as np
from numba import cuda, vectorize

try:
    import cupy as cp
    BLOCK = 128
except ImportError:
    cp = None
    BLOCK = 64


class Point:
    def __init__(self, x):
        self.x = x


@vectorize(["float32(float32)"])
def elementwise(x):
    return x


settings = {"size": 3}
first, second = os.path.split("a/b")
count: int
COUNT = 3
COUNT += 1
SIZE = 4
TABLE = np.array([1.0, 2.0], np.float32)
TABLE[0] = 3.0
OTHER = np.array([1, 2], np.int32)
OTHER.sort()
KEPT = np.array([1, 2], np.int32)
with open("sizes") as file:
    SIZE = int(file.read())


LIMIT = 5


def configures(limit):
    global LIMIT
    LIMIT = limit


def reads(path):
    with open(path) as f:
        return [line for line in f]


@cuda.jit
def k(x: float32[:]):
    x[0] = BLOCK + cp.sum(x) + Point(1).x + elementwise(x[0]) + settings["size"]
    x[1] = first + second + count + COUNT + TABLE[0] + OTHER[0] + KEPT[0] + SIZE
    x[2] = reads("numbers")
    x[3] = file + LIMIT


print(KEPT, BLOCK)
if __name__ == "__main__":
    k[1, BLOCK](np.zeros(4, np.float32))
