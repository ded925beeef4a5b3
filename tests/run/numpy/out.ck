# Functions of NumPy with the array for the results, as Numba's page on calling NumPy's ufuncs has.
import numpy as np
from numba import cuda


@cuda.jit
def sines(r, x):
    np.sin(x, r)


@cuda.jit
def rows(a, b, small, large, parts):
    i = cuda.grid(1)
    if i < a.shape[0]:
        np.add(a[i], b, a[i])
        np.multiply(a[i], 2, out=a[i])
        np.less(a[i], b, small[i])
        np.sqrt(b, large[i])
        np.exp(1.0, parts[i, ::2])
        np.maximum(parts[i, 1::2], i, out=parts[i, 1::2])


@cuda.jit
def shifted(x):
    np.add(x[1:], x[:-1], x[:-1])


@cuda.jit
def kinds(flags, ints, floats, complexes):
    np.isfinite(floats, flags)
    np.abs(ints, ints)
    np.add(flags, ints, floats)
    np.multiply(floats, 1j, complexes)


#: x = np.arange(10, dtype=np.float32) - 5
#: r = poison(10, np.float32)
#: launch sines[1, 1](r, x)
#: expect ulps(r, np.sin(x)) <= 4

#: n, m = 37, 11
#: a = rng.integers(-9, 9, (n, m)).astype(np.float32)
#: b = rng.integers(0, 9, m).astype(np.float32)
#: small = poison((n, m), np.bool_)
#: large = poison((n, m), np.float64)
#: parts = rng.integers(-50, 50, (n, m)).astype(np.float64)
#: repeat grids [1, 64], [5, 8]
#: launch rows[GRID, BLOCK](a, b, small, large, parts)
#: expect a == 2 * (a_in + b)
#: expect small == (a < b)
#: expect large == np.sqrt(b)[None]
#: expect close(parts[:, ::2], np.e)
#: expect parts[:, 1::2] == np.maximum(parts_in[:, 1::2], np.arange(n)[:, None])

#: x = rng.integers(-100, 100, 33, dtype=np.int32)
#: launch shifted[1, 1](x)
#: expect x == np.append(x_in[1:] + x_in[:-1], x_in[-1:])

#: flags = poison(9, np.bool_)
#: ints = rng.integers(-100, 100, 9, dtype=np.int64)
#: floats = np.array([np.inf, 1, np.nan, 2, -np.inf, 0, 5, 6, 7])
#: complexes = poison(9, np.complex128)
#: launch kinds[1, 1](flags, ints, floats, complexes)
#: expect flags == np.isfinite(floats_in)
#: expect ints == abs(ints_in)
#: expect floats == flags + ints
#: expect complexes == floats * 1j
