# Comprehensions that constants cannot have, those in functions, and lists that host code changes.
import numpy as np
from numba import cuda

N = cuda.gridsize(1)
UNKNOWN = [i for i in range(N)]
ENDLESS = np.array([i for i in range(10 ** 9)])
LONG = [i for i in range(2000)]
STEPS = [i for i in range(60000) for j in range(60000) if i < 0]
NUMBER = [x for x in 5]
UNPACKED = [a for a, b in ((1, 2), (3, 4, 5))]
TESTED = [x for x in range(3) if x < N]
SUBSCRIPT = [x for x[0] in range(3)]
OUTSIDE = [k for k in range(3)][k]
ZERO = [k for k in range(1, 5, 0)]
APPENDED = []
for i in range(4):
    APPENDED.append(i)
SUM = sum(APPENDED)
STORED = [1] * 4
STORED[1] = 2
SHORTENED = [1, 2]
del SHORTENED[0]


@cuda.jit("void(float64[:], int64[:])")
def constants(x, y):
    x[0] = UNKNOWN[0] + ENDLESS[0] + LONG[0] + STEPS[0] + NUMBER[0]
    x[1] = UNPACKED[0] + TESTED[0] + SUBSCRIPT[0] + OUTSIDE[0] + ZERO[0]
    x[2] = SUM + STORED[1] + SHORTENED[0]


@cuda.jit("void(float64[:], int64[:])")
def functions(x, y):
    x[0] = sum(x[0])
    x[1] = any(5)
    x[2] = sum((1, (2, 3)))
    x[3] = all((1, x))
    x[4] = sum(y, 1, 2)


@cuda.jit("void(float64[:, :])")
def rows(x):
    x[0, 0] = sum(x)


@cuda.jit("void(float64[:])")
def local(x):
    x[0] = [i for i in range(3)][0]


@cuda.jit("void(float64[:])")
def generator(x):
    x[0] = sum(i for i in range(3))
