"""Stores to views of arrays whose extents differ fail as an assertion does."""
import numpy as np
from numba import cuda

FIVE = np.arange(5.0)
#: only cpu


#: c, a, b = poison(5, np.float64), rng.normal(size=4), rng.normal(size=5)
#: launch sums[1, 1](c, a, b)
#: error refused_stores.ck:18:12: error: assertion failed: this does not fit axis 0 of the view it is stored in: `a` with its extent = 4, the view's = 5, in block (0, 0, 0) thread (0, 0, 0) [failed-assertion]
#: launch sums[1, 1](c, b, a)
#: error refused_stores.ck:18:20: error: assertion failed: this does not fit axis 0 of the view it is stored in: `b` with its extent = 4, the view's = 5
#: launch sums[1, 1](a, b, b)
#: error `a` with its extent = 5, the view's = 4
@cuda.jit
def sums(c, a, b):
    c[:] = a + 2 * b


#: m, n = poison((3, 4), np.float64), rng.normal(size=(3, 3))
#: launch copies[1, 1](m, n)
#: error refused_stores.ck:29:12: error: assertion failed: this does not fit axis 1 of the view it is stored in: `n` with its extent = 3, the view's = 4
#: p, q = poison((1, 4), np.float64), poison((1, 5), np.float64)
#: launch copies[1, 1](p, q)
#: error its extent = 5, the view's = 4
@cuda.jit
def copies(m, n):
    m[:] = n


#: launch updated[1, 1](c, a, 4)
#: error `a[:n]` with its extent = 4, the view's = 5
#: launch updated[1, 1](c, a, 0)
#: error `a[:n]` with its extent = 0, the view's = 5
@cuda.jit
def updated(c, a, n):
    c[:] -= a[:n]


#: launch of_constant[1, 1](a)
#: error `FIVE` with its extent = 5, the view's = 4
@cuda.jit
def of_constant(a):
    a[:] = FIVE


#: launch to_known[1, 1](a)
#: error `a[1:]` with its extent = 3, the view's = 5
@cuda.jit
def to_known(a):
    t = cuda.local.array(5, np.float64)
    t[:] = a[1:]


#: launch to_one[1, 1](b)
#: error `b` with its extent = 5, the view's = 1
@cuda.jit
def to_one(b):
    t = cuda.local.array(1, np.float64)
    t[:] = b


#: d = poison((2, 6), np.float64)
#: launch one_row[1, 1](d, 0, 1)
#: launch one_row[1, 1](d, 1, 1)
#: error refused_stores.ck:70:30: error: assertion failed: the store changes elements of this before they are read: `d[j, 2:]`, in block (0, 0, 0) thread (0, 0, 0) [failed-assertion]
@cuda.jit
def one_row(d, i, j):
    d[i, 1:-1] = d[j, :-2] + d[j, 2:]


def moved(target, source):
    target[:] = source


#: e = poison(6, np.float64)
#: launch of_parameters[1, 1](e, 1, 0)
#: launch of_parameters[1, 1](e, 0, 1)
#: error refused_stores.ck:74:17: error: assertion failed: the store changes elements of this before they are read: `source`
#: options --check=none
#: launch of_parameters[1, 1](e, 0, 1)
#: expect e[1:] == e_in[0]
@cuda.jit
def of_parameters(e, i, j):
    moved(e[j:j+5], e[i:i+5])


#: f = poison((2, 3), np.int32)
#: launch of_tuple[1, 1](f)
#: error `(1, 2)` with its extent = 2, the view's = 3
@cuda.jit
def of_tuple(f):
    f[0] = (1, 2)
