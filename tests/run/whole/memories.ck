# Whole arrays in shared, local and constant memory, in device functions, in conditions, and of a
# view of the dynamic shared memory.
import numpy as np

TABLE = np.array([[3, -1, 4], [1, -5, 9]], np.int16)

def spread(v):
    return v.max() - v.min()

@kernel
def everywhere(x, o):
    tile = shared.array((8, 16), float32)
    mine = local.array((2, 3), int64)
    bytes = shared.array(0, uint8)
    t = threadIdx.x
    for j in range(t, 128, blockDim.x):
        tile[j // 16, j % 16] = x[blockIdx.x, j]
    for j in range(6):
        mine[j // 3, j % 3] = t * j - 3
    for j in range(t, 64, blockDim.x):
        bytes[j] = j
    syncthreads()
    o[0, grid(1)] = tile.sum()
    o[1, grid(1)] = spread(tile[:, t % 16])
    o[2, grid(1)] = mine.sum() + mine.T[2].argmax()
    o[3, grid(1)] = TABLE.sum() + TABLE[t % 2].min() + np.argmax(TABLE)
    o[4, grid(1)] = bytes[:64].view(uint16).mean()
    o[5, grid(1)] = 1 if t > 3 and mine.all() or tile[t % 8].min() > 1 else 0
    n = 0
    while mine.sum() > 0:
        mine[0] -= 7
        n += 1
    o[6, grid(1)] = n

#: blocks, threads = 3, 37
#: x = rng.integers(-50, 60, (blocks, 128)).astype(np.float32)
#: o = poison((7, blocks * threads), np.float64)
#: table = np.array([[3, -1, 4], [1, -5, 9]])
#: def expected(block, t):
#:     tile = x[block].reshape(8, 16)
#:     mine = (t * np.arange(6) - 3).reshape(2, 3)
#:     column = tile[:, t % 16]
#:     n = max(0, -(-int(mine.sum()) // 21))
#:     return [tile.sum(), column.max() - column.min(), mine.sum() + mine.T[2].argmax(), table.sum() + table[t % 2].min() + 5, np.arange(64, dtype=np.uint8).view(np.uint16).mean(), t > 3 and mine.all() or tile[t % 8].min() > 1, n]
#: launch everywhere[3, 37, 0, 64](x, o)
#: expect o == np.array([expected(b, t) for b in range(blocks) for t in range(threads)]).T
