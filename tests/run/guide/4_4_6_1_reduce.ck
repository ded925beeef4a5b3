# 4.4.6.1, the example: a sum over the block, which CUDA 13's headers refuse. The table: all operators.

from numba import cuda

@cuda.jit
def block_sum(data, result):
    my_group = cg.this_thread_block()
    val = data[cuda.threadIdx.x]
    sum = cg.reduce(my_group, val, cg.plus())
    # Store the result from the reduction
    if my_group.thread_rank() == 0:
        result[cuda.blockIdx.x] = sum

# An example's block is in a row of blocks: of others each row's blocks write the same.
#: check no: the guide has one result for all blocks
#: repeat grids [1, 1], [3, 33], [4, 256], [(2, 3), (5, 4)], [(1, 2, 3), (3, 4, 5)], [2, 1000]
#: blocks, n = int(np.prod(GRID)), int(np.prod(BLOCK))
#: width, columns = np.atleast_1d(BLOCK)[0], np.atleast_1d(GRID)[0]
#: data = rng.integers(-2**31, 2**31, width, dtype=np.int32)
#: result = poison(columns, np.int32)
#: launch block_sum[GRID, BLOCK](data, result)
#: expect result == np.tile(data, n // width).sum(dtype=np.int32)

def operators(my_group, val, out, i):
    out[i, 0] = cg.reduce(my_group, val, cg.plus())
    out[i, 1] = cg.reduce(my_group, val, cg.less())
    out[i, 2] = cg.reduce(my_group, val, cg.greater())
    out[i, 3] = cg.reduce(my_group, val, cg.bit_and())
    out[i, 4] = cg.reduce(my_group, val, cg.bit_or())
    out[i, 5] = cg.reduce(my_group, val, cg.bit_xor())

@cuda.jit
def of_block(data, out):
    i = cg.this_grid().thread_rank()
    operators(cg.this_thread_block(), data[i], out, i)

@cuda.jit
def of_tile(data, out):
    i = cg.this_grid().thread_rank()
    operators(cg.tiled_partition(cg.this_thread_block(), 16), data[i], out, i)

#: data = rng.integers(-2**31, 2**31, blocks * n, dtype=np.int32)
#: of = poison((blocks * n, 6), np.int32)
#: tile = poison((blocks * n, 6), np.int32)
#: launch of_block[GRID, BLOCK](data, of)
#: launch of_tile[GRID, BLOCK](data, tile)
#: def reduced(v): return [np.full(v.size, f.reduce(v, dtype=v.dtype)) for f in (np.add, np.minimum, np.maximum, np.bitwise_and, np.bitwise_or, np.bitwise_xor)]
#: rows = data.reshape(blocks, n)
#: expect of == np.concatenate([np.array(reduced(row)).T for row in rows])
#: expect tile == np.concatenate([np.array(reduced(row[k:k + 16])).T for row in rows for k in range(0, n, 16)])
