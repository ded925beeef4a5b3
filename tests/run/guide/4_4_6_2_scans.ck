# 4.4.6.2, the example: an exclusive sum over the block, which CUDA 13's headers refuse; the inclusive
# one, and other operators.

from numba import cuda

@cuda.jit
def block_scan(data, result):
    my_group = cg.this_thread_block()
    val = data[my_group.thread_rank()]
    exclusive_sum = cg.exclusive_scan(my_group, val, cg.plus())
    result[my_group.thread_rank()] = exclusive_sum

#: check no: the guide has one result for all blocks
#: repeat grids [1, 1], [3, 33], [4, 256], [(2, 3), (5, 4)], [(1, 2, 3), (3, 4, 5)], [2, 1000]
#: blocks, n = int(np.prod(GRID)), int(np.prod(BLOCK))
#: data, result = rng.integers(-2**31, 2**31, n, dtype=np.int32), poison(n, np.int32)
#: launch block_scan[GRID, BLOCK](data, result)
#: expect result == data.cumsum(dtype=np.int32) - data

def scans(my_group, val, out, i):
    out[i, 0] = cg.inclusive_scan(my_group, val)
    out[i, 1] = cg.inclusive_scan(my_group, val, cg.greater())
    out[i, 2] = cg.exclusive_scan(my_group, val)
    out[i, 3] = cg.exclusive_scan(my_group, val, cg.bit_xor())

@cuda.jit
def of_block(data, out):
    i = cg.this_grid().thread_rank()
    scans(cg.this_thread_block(), data[i], out, i)

@cuda.jit
def of_tile(data, out):
    i = cg.this_grid().thread_rank()
    scans(cg.tiled_partition(cg.this_thread_block(), 16), data[i], out, i)

@cuda.jit
def of_grid(data, out):
    i = cg.this_grid().thread_rank()
    scans(cg.this_grid(), data[i], out, i)

#: data = rng.integers(-2**31, 2**31, blocks * n, dtype=np.int32)
#: of, tile, grid = (poison((blocks * n, 4), np.int32) for k in range(3))
#: launch of_block[GRID, BLOCK](data, of)
#: launch of_tile[GRID, BLOCK](data, tile)
#: launch of_grid[GRID, BLOCK](data, grid)
#: def scanned(v):
#:     sums, xors = v.cumsum(dtype=v.dtype), np.bitwise_xor.accumulate(v)
#:     return np.stack([sums, np.maximum.accumulate(v), sums - v, xors ^ v], 1)
#: rows = data.reshape(blocks, n)
#: expect of == np.concatenate([scanned(row) for row in rows])
#: expect tile == np.concatenate([scanned(row[k:k + 16]) for row in rows for k in range(0, n, 16)])
#: expect grid == scanned(data)
