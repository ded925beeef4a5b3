# A breakpoint does nothing on the CPU, in a loop and beside barriers. (On a GPU without a debugger
# the launch would fail: ptx/fp16 checks the instruction.)
#: only cpu
#: n = 70
#: x = rng.integers(-5, 5, n, dtype=np.int32)
#: y = poison(n, np.int32)
#: repeat grids [1, 32], [3, 33]
#: launch stops[GRID, BLOCK](x, y)
#: expect y == np.abs(x) + 3
from numba import cuda


@cuda.jit
def stops(x, y):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        y[i] = x[i]
        if x[i] < 0:
            cuda.breakpoint()
            y[i] = -x[i]
        for _ in range(3):
            y[i] += 1
            cuda.breakpoint()
