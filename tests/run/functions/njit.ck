# Functions that numba.njit decorates are device functions; options of Numba's that change no result.
import numba
from numba import cuda, float32, jit, njit

@njit
def twice(x):
    return x + x

@numba.njit(inline="always", fastmath=False)
def less_one(x):
    return x - 1

@jit(nopython=True)
def half(x):
    return x * 0.5

@numba.jit(float32(float32), nopython=True)
def rounded(x):
    return x

@cuda.jit(launch_bounds=(128, 2, 1), lto=True, shared_memory_carveout=50, extensions=[], opt=True)
def k(a, o):
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        o[0, i] = less_one(twice(a[i]))
        o[1, i] = half(a[i])
        o[2, i] = rounded(a[i])

#: n = 77
#: a, o = rng.standard_normal(n), poison((3, n), "f8")
#: repeat grids [2, 33], [1, 128]
#: launch k[GRID, BLOCK](a, o)
#: expect o == np.array([a + a - 1, a * 0.5, a.astype("f4").astype("f8")])
