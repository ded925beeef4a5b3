"""Device functions that a call of a decorator makes of a lambda, and characters' code points."""
import numba
from numba import cuda

typed = cuda.jit("float32(float32)", device=True)(lambda v: v / 2)
default = cuda.jit(device=True, inline=True)(lambda a, b=ord("é"): a + b)
plain = numba.njit(lambda v: v - 1)
both = cuda.jit(lambda u, v: u * v, device=True)

#: x = rng.integers(-99, 99, 5).astype(np.float32)
#: y = poison(5, np.float64)
#: launch k[1, 1](x, y)
#: want = [x[0] / 2, x[1] + ord("é"), x[2] - 1, x[3] * x[4], ord("€") + ord("A") * 2**21]
#: expect y == np.array(want, np.float64)


@cuda.jit
def k(x, y):
    y[0] = typed(x[0])
    y[1] = default(x[1])
    y[2] = plain(x[2])
    y[3] = both(x[3], x[4])
    y[4] = ord("€") + ord('A') * 2**21
