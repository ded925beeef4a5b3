# Functions with Numba's decorators that kernels call: `@cuda.jit` without `device=True`,
# `@register_jitable`, `@njit`.
#: n = 70
#: x = rng.integers(-50, 50, n, dtype=np.int32)
#: o = poison((n, 5), np.int64)
#: repeat grids [3, 32], [1, 96]
#: launch calls[GRID, BLOCK](x, o)
#: v = x.astype(np.int64)
#: expect o[:, 0] == 2 * v
#: expect o[:, 1] == v + 7
#: expect o[:, 2] == v * v
#: expect o[:, 3] == np.abs(v)
#: expect o[:, 4] == 11
#: launch store[GRID, BLOCK](o, 4, 12)
#: expect o[:, 4] == 12
#: expect o[:, :4] == o_in[:, :4]
import numba
from numba import cuda, njit, int64, void
from numba.extending import register_jitable
import numba.extending


@cuda.jit
def doubled(value):
    return 2 * value


@cuda.jit(inline=True)
def moved(value, by=7):
    if by > 3:
        return value + by
    return value


@register_jitable
def square(value):
    return value * value


@numba.extending.register_jitable(inline="always")
@njit
def unused(value):
    return square(value)


@njit(error_model="numpy", boundscheck=False)
def magnitude(value):
    return -value if value < 0 else value


@cuda.jit(void(int64[:, :], int64, int64))
def store(o, column, value):
    """A kernel, and called by one."""
    i = cuda.grid(1)
    if i >= o.shape[0]:
        return
    o[i, column] = value


@cuda.jit
def calls(x, o):
    i = cuda.grid(1)
    if i < len(x):
        v = int(x[i])
        o[i, 0] = doubled(v)
        o[i, 1] = moved(v)
        o[i, 2] = square(v)
        o[i, 3] = magnitude(v)
    store(o, 4, value=11)
