# NumPy's names of functions, on single numbers.
#: n = 77
#: x = rng.uniform(-1, 1, n).astype(np.float32)
#: y = poison((13, n), np.float32)
#: repeat grids [1, 32], [3, 27]
#: launch names[GRID, BLOCK](x, y)
#: expect np.allclose(y[0], np.arcsin(x), rtol=1e-5)
#: expect np.allclose(y[1], np.arccos(x), rtol=1e-5)
#: expect np.allclose(y[2], np.arctan(x), rtol=1e-5)
#: expect np.allclose(y[3], np.arctan2(x, -x), rtol=1e-5)
#: expect np.allclose(y[4], np.arcsinh(x), rtol=1e-5)
#: expect np.allclose(y[5], np.arccosh(x + 3), rtol=1e-5)
#: expect np.allclose(y[6], np.arctanh(x * 0.5), rtol=1e-5)
#: expect np.allclose(y[7], np.deg2rad(x), rtol=1e-5)
#: expect np.allclose(y[8], np.rad2deg(x), rtol=1e-5)
#: expect y[9] == np.absolute(x)
#: expect np.allclose(y[10], np.power(x + 2, x), rtol=1e-5)
#: expect y[11] == np.fmax(x, np.float32(0.25))
#: expect y[12] == np.fmin(x, np.float32(0.25))
import numpy as np
from numba import cuda, njit, prange
from numpy import arctan2


@cuda.jit("void(float32[:], float32[:, :])")
def names(x, y):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        v = x[i]
        y[0, i] = np.arcsin(v)
        y[1, i] = np.arccos(v)
        y[2, i] = np.arctan(v)
        y[3, i] = arctan2(v, -v)
        y[4, i] = np.arcsinh(v)
        y[5, i] = np.arccosh(v + 3)
        y[6, i] = np.arctanh(v * 0.5)
        y[7, i] = np.deg2rad(v)
        y[8, i] = np.rad2deg(v)
        y[9, i] = np.absolute(v)
        y[10, i] = np.power(v + 2, v)
        y[11, i] = np.fmax(v, 0.25)
        y[12, i] = np.fmin(v, 0.25)
