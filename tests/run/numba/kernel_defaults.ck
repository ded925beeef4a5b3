# Default values of kernels' parameters: a launch may leave out their arguments.
#: n = 70
#: x = rng.integers(-50, 50, n, dtype=np.int32)
#: f = rng.standard_normal(n).astype(np.float32)
#: w = rng.integers(1, 9, n, dtype=np.int64)
#: o = poison(n, np.int64)
#: g = poison(n, np.float32)
#: v = x.astype(np.int64)
#: repeat grids [3, 32], [1, 96]
#: launch generic[GRID, BLOCK](x, o)
#: expect o == 3 * v + 7
#: launch generic[GRID, BLOCK](x, o, 5)
#: expect o == 5 * v + 7
#: launch generic[GRID, BLOCK](x, o, 5, w)
#: expect o == 5 * v * w + 7
#: launch generic[GRID, BLOCK](x, o, 5, w, (1, 2))
#: expect o == 5 * v * w + 3
#: launch generic[GRID, BLOCK](x, o, 4)
#: launch generic[GRID, BLOCK](x, o)
#: expect o == 3 * v + 7
#: launch typed[GRID, BLOCK](f, g)
#: expect g == f * np.float32(0.1)
#: launch typed[GRID, BLOCK](f, g, 2)
#: expect g == f * 2
#: launch signed[GRID, BLOCK](x, o)
#: expect o == v + 44
#: launch signed[GRID, BLOCK](x, o, 300)
#: expect o == v + 300
#: launch signed[GRID, BLOCK](f, g)
#: expect g == f + 44
#: launch signed[GRID, BLOCK](x)
#: error `signed` takes
#: launch generic[GRID, BLOCK](x)
#: error `generic` takes 2 to 5 arguments: 1 was given
from numba import cuda, float32, int32, int64, void

THREE = 3


@cuda.jit
def generic(x, o, factor=THREE, weights=None, offsets=(3, 4)):
    i = cuda.grid(1)
    if i < len(x):
        value = factor * int64(x[i])
        if weights is not None:
            value = value * weights[i]
        o[i] = value + offsets[0] + offsets[1]


@cuda.jit
def typed(f: float32[:], g: float32[:], factor: float32 = 0.1):
    i = cuda.grid(1)
    if i < len(f):
        g[i] = f[i] * factor


@cuda.jit([void(int32[:], int64[:], int64), void(float32[:], float32[:], float32)])
def signed(x, o, offset=44):
    i = cuda.grid(1)
    if i < len(x):
        o[i] = x[i] + offset
