# 4.4.4, the example: the block divided into tiles of 8 threads. The table: the four ways to divide
# a group.

#: racecheck no: the warps of a part wait for each other by words in shared memory, which it does not follow, of CUDA C++ either

from numba import cuda

@cuda.jit
def tiled(x, out):
    # Obtain the current thread's cooperative group
    my_group = cg.this_thread_block()
    # Partition the cooperative group into tiles of size 8
    my_subgroup = cg.tiled_partition(my_group, 8)
    # do work as my_subgroup
    i = cg.this_grid().thread_rank()
    out[i, 0] = cg.reduce(my_subgroup, x[i], cg.plus())
    out[i, 1] = my_subgroup.thread_rank()
    out[i, 2] = my_subgroup.meta_group_rank()

#: repeat grids [1, 8], [3, 33], [(2, 3), (5, 4)], [(1, 2, 3), (3, 4, 5)], [2, 100]
#: blocks, n = int(np.prod(GRID)), int(np.prod(BLOCK))
#: x = rng.integers(-2**30, 2**30, blocks * n)
#: out = poison((blocks * n, 3), np.int64)
#: launch tiled[GRID, BLOCK](x, out)
#: def by(key, v):
#:     keys = [key(t) for t in range(n)]
#:     return np.array([[row[[k == own for k in keys]].sum() for own in keys] for row in v.reshape(blocks, n)]).ravel()
#: t = np.tile(np.arange(n), blocks)
#: expect out == np.stack([by(lambda t: t // 8, x), t % 8, t // 8], 1)

# Of tiles; the last tile of a block may lack threads.
@cuda.jit
def table(x, out):
    my_group = cg.tiled_partition(cg.this_thread_block(), 32)
    i = cg.this_grid().thread_rank()
    out[i, 0] = cg.reduce(cg.tiled_partition(my_group, 4), x[i])
    out[i, 1] = cg.reduce(cg.stride_partition(my_group, 4), x[i])
    out[i, 2] = cg.reduce(cg.labeled_partition(my_group, x[i] % 3), x[i])
    out[i, 3] = cg.reduce(cg.binary_partition(my_group, x[i] > 0), x[i])

#: out = poison((blocks * n, 4), np.int64)
#: launch table[GRID, BLOCK](x, out)
#: def among(key):
#:     sums = []
#:     for row in x.reshape(blocks, n):
#:         keys = [(t // 32, key(t, int(row[t]))) for t in range(n)]
#:         sums += [sum(int(v) for v, k in zip(row, keys) if k == own) for own in keys]
#:     return np.array(sums)
#: expect out[:, 0] == by(lambda t: t // 4, x)
#: expect out[:, 1] == among(lambda t, v: t % (32 // 4))
#: expect out[:, 2] == among(lambda t, v: v % 3)
#: expect out[:, 3] == among(lambda t, v: v > 0)

# Of the block, of which CUDA 13's headers make tiles only.
@cuda.jit
def table_of_block(x, out):
    my_group = cg.this_thread_block()
    i = cg.this_grid().thread_rank()
    out[i, 0] = cg.reduce(cg.tiled_partition(my_group, 4), x[i])
    out[i, 1] = cg.reduce(cg.stride_partition(my_group, 4), x[i])
    out[i, 2] = cg.reduce(cg.labeled_partition(my_group, x[i] % 3), x[i])
    out[i, 3] = cg.reduce(cg.binary_partition(my_group, x[i] > 0), x[i])

#: out = poison((blocks * n, 4), np.int64)
#: launch table_of_block[GRID, BLOCK](x, out)
#: def in_block(key):
#:     sums = []
#:     for row in x.reshape(blocks, n):
#:         keys = [key(t, int(row[t])) for t in range(n)]
#:         sums += [sum(int(v) for v, k in zip(row, keys) if k == own) for own in keys]
#:     return np.array(sums)
#: expect out[:, 0] == in_block(lambda t, v: t // 4)
#: expect out[:, 1] == in_block(lambda t, v: t % -(-n // 4))
#: expect out[:, 2] == in_block(lambda t, v: v % 3)
#: expect out[:, 3] == in_block(lambda t, v: v > 0)
