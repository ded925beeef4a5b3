# Constant arrays of complex numbers: lists, tuples, dtypes, makers; elements at constant and
# variable indices, views, loops, the parts as floats.
#: n = 53
#: k = rng.integers(-4, 4, n, dtype=np.int32)
#: o = poison((12, n), np.complex128)
#: f = poison((3, n), np.float32)
#: repeat grids [1, 32], [3, 7]
#: launch tables[GRID, BLOCK](k, o, f)
import numpy as np
from numba import cuda

ROOTS = np.array([1, 1j, -1, -1j])
SINGLE = np.array([1 + 2j, 2.5, -0.5j, 3 - 1e30j], dtype=np.complex64)
GRID2 = np.array(((1j, 2), (3 + 0.5j, -4), (True, 6j)), np.complex128)
COUNTED = np.arange(1, 9, 2, dtype=complex)
FULL = np.full((2, 2), 0.1 + 0.7j, dtype=np.complex64)
ONES = np.ones(3, complex64)
ZEROS = np.zeros(2, dtype=complex128)
AGAIN = np.array(SINGLE, np.complex128)
ONE = SINGLE[1]


@cuda.jit
def tables(k, o, f):
    roots = cuda.const.array_like(ROOTS)
    for i in range(cuda.grid(1), k.size, cuda.gridsize(1)):
        j = k[i]
        o[0, i] = roots[j]
        o[1, i] = SINGLE[j] * 2
        o[2, i] = GRID2[j % 3, j % 2] + GRID2[2][1]
        o[3, i] = SINGLE[3] / SINGLE[0]
        total = 0j
        for z in SINGLE[1:3]:
            total += z * z
        for row in GRID2.T:
            total += row[j % 3]
        o[4, i] = total
        o[5, i] = COUNTED[j] + AGAIN[j].conjugate()
        o[6, i] = FULL[j % 2, 1] - ONES[j % 3] + ZEROS[j % 2]
        o[7, i] = abs(ROOTS[j] + 1)
        o[8, i] = SINGLE[::-1][j]
        o[9, i] = len(COUNTED) + GRID2.size + SINGLE.itemsize + ONE
        o[10, i] = ROOTS[1] ** 3
        o[11, i] = SINGLE[2].imag
        f[0, i] = SINGLE.view(float32)[2 * (j % 4) + 1]
        f[1, i] = SINGLE[j].real
        f[2, i] = FULL.view(float32)[j % 2, 3]
#: j = k.astype(int)
#: roots = np.array([1, 1j, -1, -1j])
#: single = np.array([1 + 2j, 2.5, -0.5j, 3 - 1e30j], np.complex64)
#: grid2 = np.array([[1j, 2], [3 + 0.5j, -4], [1, 6j]])
#: full = np.complex64(0.1 + 0.7j)
#: expect o[0] == roots[j]
#: expect o[1] == single[j] * 2
#: expect o[2] == grid2[j % 3, j % 2] + 6j
#: expect close(o[3], np.full(n, single[3] / single[0]), 1e-6)
#: expect o[4] == 6.25 - 0.25 + grid2[j % 3].sum(axis=1)
#: expect o[5] == np.arange(1, 9, 2)[j] + single.astype(np.complex128)[j].conj()
#: expect o[6] == np.broadcast_to(np.complex128(full - np.complex64(1)), n)
#: expect close(o[7], abs(roots[j] + 1) + 0j, 1e-15)
#: expect o[8] == single[::-1][j]
#: expect o[9] == np.full(n, 4 + 6 + 8 + 2.5 + 0j)
#: expect o[10] == np.full(n, -1j)
#: expect o[11] == np.full(n, -0.5 + 0j)
#: expect f[0] == single.imag[j % 4]
#: expect f[1] == single.real[j]
#: expect f[2] == np.full(n, full.imag)
