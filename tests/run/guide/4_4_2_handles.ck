# CUDA's Programming Guide, section 4.4, as ck: a file for each of its examples and tables, named by its place.
#
# 4.4.2, the table: what a handle knows.

from numba import cuda

@cuda.jit
def accessors(out):
    my_group = cg.this_thread_block()
    i = cg.this_grid().thread_rank()
    out[i, 0] = my_group.thread_rank()
    out[i, 1] = my_group.num_threads()
    out[i, 2], out[i, 3], out[i, 4] = my_group.thread_index()
    out[i, 5] = my_group.dim_threads().x
    out[i, 6] = my_group.dim_threads().y
    out[i, 7] = my_group.dim_threads().z

#: repeat grids [1, 1], [3, 33], [(2, 3), (5, 4)], [(1, 2, 3), (3, 4, 5)]
#: x, y, z = (list(np.atleast_1d(BLOCK)) + [1, 1])[:3]
#: blocks = int(np.prod(GRID))
#: n = x * y * z
#: out = poison((blocks * n, 8), np.int64)
#: launch accessors[GRID, BLOCK](out)
#: r = np.arange(n)
#: want = np.stack([r, r * 0 + n, r % x, r // x % y, r // x // y, r * 0 + x, r * 0 + y, r * 0 + z], 1)
#: expect out == np.tile(want, (blocks, 1))
