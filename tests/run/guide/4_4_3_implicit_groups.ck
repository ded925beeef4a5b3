# 4.4.3, the table: groups that there are without being made. 4.4.3.1 and 4.4.3.2: handles made
# first, before any branch, and passed to a function.

from numba import cuda

def write(out, i, at, group):
    out[i, at] = group.thread_rank()
    out[i, at + 1] = group.size()

@cuda.jit
def implicit(out):
    block = cg.this_thread_block()
    grid_group = cg.this_grid()
    cluster = cg.this_cluster()
    i = grid_group.thread_rank()
    write(out, i, 0, block)
    write(out, i, 2, grid_group)
    write(out, i, 4, cluster)
    if block.thread_rank() % 2 == 1:
        active = cg.coalesced_threads()
        # Which threads run together is the device's choice: at least this one.
        count = cg.reduce(active, 1, cg.plus())
        out[i, 6] = 1 if active.thread_rank() < count and count == active.size() and count <= 16 else 0
    else:
        out[i, 6] = 1

#: cases = [(1, 1, 1), (3, 33, 1), (4, 33, 2), ((2, 3), (5, 4), (2, 1)), ((1, 2, 4), (3, 4, 5), (1, 2, 2))]
#: for k, (g, b, c) in enumerate(cases): globals()[f"out{k}"] = poison((int(np.prod(g)) * int(np.prod(b)), 7), np.int64)
#: launches [f"implicit[{g}, {b}, 0, 0, {c}](out{k})" for k, (g, b, c) in enumerate(cases)]
#: def three(d): return (list(np.atleast_1d(d)) + [1, 1])[:3]
#: def want(g, b, c):
#:     g, n, c = three(g), int(np.prod(b)), three(c)
#:     blocks = [(x, y, z) for z in range(g[2]) for y in range(g[1]) for x in range(g[0])]
#:     rows, total, m = [], len(blocks) * n, int(np.prod(c))
#:     for k, (x, y, z) in enumerate(blocks):
#:         in_cluster = x % c[0] + c[0] * (y % c[1] + c[1] * (z % c[2]))
#:         rows += [(t, n, k * n + t, total, in_cluster * n + t, m * n, 1) for t in range(n)]
#:     return np.array(rows)
#: expect all((globals()[f"out{k}"] == want(*case)).all() for k, case in enumerate(cases))
