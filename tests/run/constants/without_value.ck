# Constants that have no value at compile time, names of host code, and constants that host code
# changes: an error of the kernels that use them, and of what these call, not of the others.
#: n = 64
#: x = poison(n, np.float32)
#: launch fine[2, 32](x)
#: expect (x == np.arange(n) + 2).all()
#: launch weighted[2, 32](x)
#: error `WEIGHTS` has no value at compile time
#: launch derived[2, 32](x)
#: error `SMALLER` has no value at compile time
#: launch called[2, 32](x)
#: error `SORTED` has no value at compile time
#: launch counted[2, 32](x)
#: error `COUNT` is already defined
#: launch stored[2, 32](x)
#: error host code may change `TABLE` here
#: launch configured[2, 32](x)
#: error `first` has no value at compile time
#: launch imported[2, 32](x)
#: error module `scipy.special` cannot be imported
#: launch listed[2, 32](x)
#: error `SQUARES` has no value at compile time
#: launch maybe[2, 32](x, True)
#: expect (x == 1).all()
import numpy as np
from numba import cuda
from scipy.special import roots_legendre

WEIGHTS = roots_legendre(5)[1]
SMALLER = WEIGHTS / 2
SORTED = np.sort(np.array([3.0, 1.0, 2.0]))
SQUARES = {i: i * i for i in range(4)}
first, second = input().split()
COUNT = 3
COUNT += 1
TABLE = np.array([1.0, 2.0])
TABLE[0] = second
OFFSET = 2


@cuda.jit
def fine(x):
    i = cuda.grid(1)
    x[i] = i + OFFSET


@cuda.jit
def weighted(x):
    x[cuda.grid(1)] = WEIGHTS[0]


@cuda.jit
def derived(x):
    x[cuda.grid(1)] = SMALLER[0]


@cuda.jit(device=True)
def smallest():
    return SORTED[0]


@cuda.jit
def called(x):
    x[cuda.grid(1)] = smallest()


@cuda.jit
def counted(x):
    x[cuda.grid(1)] = COUNT


@cuda.jit
def stored(x):
    x[cuda.grid(1)] = TABLE[1]


@cuda.jit
def configured(x):
    x[cuda.grid(1)] = first


@cuda.jit
def imported(x):
    x[cuda.grid(1)] = roots_legendre(3)


@cuda.jit
def listed(x):
    x[cuda.grid(1)] = SQUARES[2]


# What is not compiled for these arguments is no use: `None` decides at compile time.
@cuda.jit
def maybe(x, flag, other=None):
    if other is None:
        x[cuda.grid(1)] = 1
    else:
        x[cuda.grid(1)] = WEIGHTS[0]
