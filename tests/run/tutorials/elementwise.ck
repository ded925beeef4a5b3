# First kernels: vector addition, increment, saxpy with a grid-stride loop, clipping, a polynomial.
#: n = 1003
#: a, b = (rng.standard_normal(n).astype(np.float32) for _ in "ab")
#: c = poison(n, np.float32)
#: d = rng.standard_normal((37, 29)).astype(np.float32)
#: e = poison(n, np.float64)
#: launch vector_add[(n + 127) // 128, 128](a, b, c)
#: expect c == a + b
#: launch increment_by_one[8, 128](a)
#: expect a == a_in + np.float32(1)
#: launch increment_2d[(3, 2), (16, 16)](d)
#: expect d == d_in + np.float32(1)
#: launch saxpy[3, 64](float32(2.5), a, b)
#: expect close(b, np.float32(2.5) * a + b_in, 1e-5, 1e-6)
#: launch clip[4, 256](b, float32(-0.5), float32(0.5), c)
#: expect c == np.clip(b, np.float32(-0.5), np.float32(0.5))
#: launch polynomial[8, 128](a, e)
#: expect close(e, ((2.0 * a + -3.0) * a + 0.5) * a + 7.0, 1e-5, 1e-5)
from numba import cuda


@cuda.jit
def vector_add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


@cuda.jit
def increment_by_one(values):
    me = cuda.blockDim.x * cuda.blockIdx.x + cuda.threadIdx.x
    if me < values.size:
        values[me] += 1


@cuda.jit
def increment_2d(grid):
    i, j = cuda.grid(2)
    rows, cols = grid.shape
    if i < rows and j < cols:
        grid[i, j] += 1


@cuda.jit('void(float32, float32[:], float32[:])', fastmath=False)
def saxpy(a, x, y):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, x.shape[0], stride):
        y[i] = a * x[i] + y[i]


@cuda.jit
def clip(x, low, high, out):
    i = cuda.grid(1)
    if i >= x.size:
        return
    out[i] = min(max(x[i], low), high)


@cuda.jit(device=True)
def horner(x):
    return ((2.0 * x - 3.0) * x + 0.5) * x + 7.0


@cuda.jit
def polynomial(x, out):
    i = cuda.grid(1)
    if i < len(x):
        out[i] = horner(x[i])
