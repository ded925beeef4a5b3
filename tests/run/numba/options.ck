# Every option of Numba's decorators, on kernels and on device functions.
#: n = 100
#: x = rng.integers(-1000, 1000, n).astype(np.float32)
#: repeat grids [1, 64], [3, 33]
#: a, b, c, d, e = (poison(n, np.float32) for _ in range(5))
#: launch bounded[GRID, BLOCK](x, a)
#: launch bounded_blocks[GRID, BLOCK](x, b)
#: launch bounded_clusters[GRID, BLOCK](x, c)
#: launch debugged[GRID, BLOCK](x, d)
#: launch approximate[GRID, BLOCK](x, e)
#: expect a == x + 4
#: expect b == x + 4
#: expect c == x + 4
#: expect d == x + 4
#: expect close(e, x / 3, 1e-6)
from numba import cuda, float32, void


@cuda.jit(device=True)
def one(x):
    return x + 1


@cuda.jit(device=True, inline=True)
def two(x):
    return one(x) + 1


@cuda.jit(float32(float32), device=True, inline="never", opt=True)
def three(x):
    return two(x) + 1


@cuda.jit("float32(float32)", device=True, forceinline=True, fastmath=False)
def four(x):
    return three(x) + 1


@cuda.jit(launch_bounds=64, max_registers=64, lineinfo=True)
def bounded(x, out):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[i] = four(x[i])


@cuda.jit(void(float32[::1], float32[:]), launch_bounds=(64, 2), cache=True, lto=True, opt=True)
def bounded_blocks(x, out):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[i] = four(x[i])


@cuda.jit(launch_bounds=(64, 2, 1), shared_memory_carveout=50, extensions=[])
def bounded_clusters(x, out):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[i] = four(x[i])


@cuda.jit(debug=True, opt=False, inline="always")
def debugged(x, out):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[i] = four(x[i])


@cuda.jit("(float32[:], float32[:])", fastmath=True)
def approximate(x, out):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[i] = x[i] / 3
