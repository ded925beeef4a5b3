# 4.4.5.1, the example: the block's barrier as a function. Around it, what it promises: what was written
# before is read after.

from numba import cuda

@cuda.jit
def rotate(x, out):
    my_group = cg.this_thread_block()
    s = cuda.shared.array(1024, x.dtype)
    i = cg.this_grid().thread_rank()
    s[my_group.thread_rank()] = x[i]
    # Synchronize threads in the block
    cg.sync(my_group)
    out[i] = s[(my_group.thread_rank() + 1) % my_group.num_threads()]

#: repeat grids [1, 1], [3, 33], [(2, 3), (5, 4)], [(1, 2, 3), (3, 4, 5)], [2, 1000]
#: blocks, n = int(np.prod(GRID)), int(np.prod(BLOCK))
#: x, out = rng.integers(-2**30, 2**30, blocks * n), poison(blocks * n, np.int64)
#: launch rotate[GRID, BLOCK](x, out)
#: expect out == np.roll(x.reshape(blocks, n), -1, 1).ravel()
