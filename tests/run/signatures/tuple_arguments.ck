# Tuples as arguments of kernels: by annotations, by signatures of every spelling, generic, nested,
# with arrays.
#: n = 1003
#: x = rng.normal(size=n).astype(np.float32)
#: y = poison(n, np.float64)
#: w = rng.integers(-50, 50, 7, dtype=np.int32)
#: repeat grids [1, 32], [7, 33]
#: launch scale[GRID, BLOCK](y, x, (2, 0.5))
#: expect y == 2.0 * x.astype(np.float64) + 0.5
#: launch weights[GRID, BLOCK](y, x, (1, 2, 4))
#: expect close(y[1:-1], x[:-2] * 1.0 + x[1:-1] * 2.0 + x[2:] * 4.0, 1e-6, 1e-5)
#: z = poison(n, np.float64)
#: launch nested[GRID, BLOCK](z, (3, (0.25, w)), ())
#: expect z == 3 + 0.25 + w[np.arange(n) % 7]
#: launch by_name[GRID, BLOCK](z, (-5, 1.5))
#: expect z == -3.5
#: launch generic[GRID, BLOCK](z, (x, 3))
#: expect z == x * np.float32(3)
#: launch generic[GRID, BLOCK](z, (w, 2.5))
#: expect z[:7] == w * 2.5
#: expect z[7:] == x[7:] * np.float32(3)
#: p = (4, (True, 1.25))
#: launch parts[GRID, BLOCK](z, p, 2)
#: expect z == 4 + 1.25 + 2
#: launch parts[GRID, BLOCK](z, (int8(-4), (False, 1.25)), float32(2))
#: expect z == -4 + 2
#: h = poison(n, np.float64)
#: launch overload[GRID, BLOCK](h, (1, 2))
#: expect h == 3
#: launch overload[GRID, BLOCK](h, (1, 2, 3))
#: expect h == 106
#: launch overload[GRID, BLOCK](h, (1.5, 2))
#: expect h == 203.5
#: c = poison(n, np.complex128)
#: launch of_complex[GRID, BLOCK](c, ((1 + 2j, True), 2.0))
#: expect c == 3 + 2j
#: launch swap[GRID, BLOCK]((x, y), 3)
#: expect y == x_in * np.float32(3)
#: launch swap[GRID, BLOCK]((x, y, z), 3)
#: error in `swap` for ((float32[::1], float64[::1], float64[::1]), int64)
#: launch scale[GRID, BLOCK](y, x, (2, 0.5, 1))
#: error argument 3 `t`: (int64, float64, int64) was given for (int32, float64)
#: launch scale[GRID, BLOCK](y, x, 2, 0.5)
#: error takes 3 arguments: 4 were given
#: launch scale[GRID, BLOCK](y, x, (2.5, 0.5))
#: error argument `t[0]` of `scale` is 2.5, which int32 cannot hold
from numba import cuda, types, boolean, complex128, float32, float64, int32, int64, void
from numba.types import Tuple, UniTuple

PAIR = Tuple((int64, float64))
TRIPLE = UniTuple(float32, 3)
PLAIN = (int32, float64)

@kernel
def scale(y: float64[:], x: float32[:], t: PLAIN):
    for i in range(grid(1), len(y), gridsize(1)):
        y[i] = t[0] * x[i] + t[1]

@cuda.jit(void(float64[::1], float32[::1], TRIPLE))
def weights(y, x, t):
    left, here, right = t
    for i in range(cuda.grid(1), len(y), cuda.gridsize(1)):
        if 0 < i < len(y) - 1:
            y[i] = x[i - 1] * left + x[i] * here + x[i + 1] * right

@cuda.jit("void(float64[:], Tuple((int32, Tuple([float64, int32[::1]]))), ())")
def nested(z, t, empty):
    k, (f, w) = t
    for i in range(cuda.grid(1), len(z), cuda.gridsize(1)):
        z[i] = k + f + w[i % len(w)] + len(empty)

@kernel
def by_name(z: float64[:], t: PAIR):
    for i in range(grid(1), len(z), gridsize(1)):
        z[i] = t[0] + t[1]

@cuda.jit
def generic(z, t):
    x, by = t
    for i in range(cuda.grid(1), len(x), cuda.gridsize(1)):
        z[i] = x[i] * by

def total(t):
    n, (flag, f) = t
    return n + (f if flag else 0)

@cuda.jit
def parts(z, t, more):
    t = (t[0] + more, t[1])
    for i in range(cuda.grid(1), len(z), cuda.gridsize(1)):
        z[i] = total(t)

@cuda.jit([void(float64[:], UniTuple(int64, 2)), void(float64[:], types.UniTuple(int64, 3)),
           void(float64[:], types.Tuple((float64, int64)))])
def overload(h, t):
    base = 100.0 if len(t) == 3 else 200.0 if t[0] == 1.5 else 0.0
    s = 0.0
    for v in t:
        s += v
    for i in range(cuda.grid(1), len(h), cuda.gridsize(1)):
        h[i] = base + s

@cuda.jit(void(complex128[:], Tuple((Tuple((complex128, boolean)), float64))))
def of_complex(c, t):
    for i in range(cuda.grid(1), len(c), cuda.gridsize(1)):
        c[i] = t[0][0] + t[1] if t[0][1] else 0j

@cuda.jit
def swap(arrays, by):
    x, y = arrays
    for i in range(cuda.grid(1), len(x), cuda.gridsize(1)):
        y[i] = x[i] * by
