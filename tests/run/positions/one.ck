# Positions in one dimension, and that they are int64.

@kernel
def use(o):
    i = grid(1)
    o[i, 0] = i
    o[i, 1] = gridsize(1)
    o[i, 2] = threadIdx.x
    o[i, 3] = blockIdx.x
    o[i, 4] = blockDim.x
    o[i, 5] = gridDim.x
    o[i, 6] = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    o[i, 7] = threadIdx.y + blockIdx.y * 10 + threadIdx.z * 100 + blockIdx.z * 1000
    o[i, 8] = blockDim.y + blockDim.z * 10 + gridDim.y * 100 + gridDim.z * 1000
    o[i, 9] = (threadIdx.x + 1) * 5000000000 - (blockIdx.x - 10)

#: repeat grids [1, 1], [3, 33], [7, 128], [100, 1], [2, 1024]
#: n = GRID * BLOCK
#: o = poison((n, 10), "i8")
#: launch use[GRID, BLOCK](o)
#: i = np.arange(n)
#: t, b, c = i % BLOCK, i // BLOCK, i * 0
#: expect o == np.array([i, c + n, t, b, c + BLOCK, c + GRID, i, c, c + 1111, (t + 1) * 5000000000 - (b - 10)]).T
