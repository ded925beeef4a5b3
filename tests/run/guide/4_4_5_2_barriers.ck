# 4.4.5.2, the example: arrival, work of one's own, waiting, before other blocks' shared memory is used.
# The same with the barriers of a block and of the grid.

from numba import cuda

def local_processing(block, x, i):
    v = x[i]
    for trip in range(5):
        v = v * 3 + block.thread_rank()
    return v

@cuda.jit
def of_cluster(x, out):
    block = cg.this_block()
    cluster = cg.this_cluster()
    data = cuda.shared.array(1024, x.dtype)
    i = cg.this_grid().thread_rank()
    data[block.thread_rank()] = x[i]
    token = cluster.barrier_arrive()
    # Optional: Do some local processing to hide the synchronization latency
    own = local_processing(block, x, i)
    # Make sure all other blocks in the cluster are running and initialized shared data before
    # accessing dsmem
    cluster.barrier_wait(token)
    next_rank = (cluster.block_rank() + 1) % cluster.num_blocks()
    out[i] = own + cluster.map_shared_rank(data, next_rank)[block.thread_rank()]
    # No block may end while another reads its shared memory
    cluster.sync()

@cuda.jit
def of_block(x, out):
    my_group = cg.this_block()
    data = cuda.shared.array(1024, x.dtype)
    i = cg.this_grid().thread_rank()
    data[my_group.thread_rank()] = x[i]
    token = my_group.barrier_arrive()
    own = local_processing(my_group, x, i)
    my_group.barrier_wait(token)
    out[i] = own + data[my_group.num_threads() - 1 - my_group.thread_rank()]

@cuda.jit
def of_grid(x, y, out):
    my_group = cg.this_grid()
    i = my_group.thread_rank()
    y[i] = 2 * x[i]
    token = my_group.barrier_arrive()
    own = local_processing(cg.this_block(), x, i)
    my_group.barrier_wait(token)
    out[i] = own + y[my_group.num_threads() - 1 - i]

#: def processed(x, n):
#:     v, t = x.copy(), np.arange(x.size) % n
#:     for trip in range(5): v = v * 3 + t
#:     return v

#: cases = [(1, 1, 1), (6, 33, 3), (4, 256, 2), ((2, 3), (5, 4), (2, 1)), ((1, 2, 4), (3, 4, 5), (1, 1, 4)), (8, 1000, 8)]
#: for k, (g, b, c) in enumerate(cases):
#:     n = int(np.prod(g)) * int(np.prod(b))
#:     globals().update({f"x{k}": rng.integers(-1000, 1000, n), f"out{k}": poison(n, np.int64)})
#: launches [f"of_cluster[{g}, {b}, 0, 0, {c}](x{k}, out{k})" for k, (g, b, c) in enumerate(cases)]
#: def want(x, g, b, c):
#:     g, n, c = (list(np.atleast_1d(g)) + [1, 1])[:3], int(np.prod(b)), (list(np.atleast_1d(c)) + [1, 1])[:3]
#:     rows, d = x.reshape(-1, n), int(np.argmax(c))
#:     of = []
#:     for k in range(len(rows)):
#:         at = [k % g[0], k // g[0] % g[1], k // g[0] // g[1]]
#:         at[d] = at[d] // c[d] * c[d] + (at[d] + 1) % c[d]
#:         of.append(at[0] + g[0] * (at[1] + g[1] * at[2]))
#:     return processed(x, n) + rows[of].ravel()
#: expect all((globals()[f"out{k}"] == want(globals()[f"x{k}"], *case)).all() for k, case in enumerate(cases))

#: repeat grids [1, 1], [3, 33], [(2, 3), (5, 4)], [(1, 2, 3), (3, 4, 5)], [2, 1000]
#: blocks, n = int(np.prod(GRID)), int(np.prod(BLOCK))
#: x, out = rng.integers(-1000, 1000, blocks * n), poison(blocks * n, np.int64)
#: launch of_block[GRID, BLOCK](x, out)
#: expect out == processed(x, n) + x.reshape(blocks, n)[:, ::-1].ravel()
#: y, out = poison(blocks * n, np.int64), poison(blocks * n, np.int64)
#: launch of_grid[GRID, BLOCK](x, y, out)
#: expect out == processed(x, n) + 2 * x[::-1]
