# The paths on which threads return before an operation of their tile: from loops, from either path
# of an `if`, at several places, all of a block's alike; and a function that is called where they
# may have and where they cannot.

def total(t, v):
    return t.reduce(v)

# By functions, which get the values in order of rank.
def last(a, b):
    return b

@cuda.jit
def in_loops(x, when, o):
    i = this_grid().thread_rank()
    t = tiled_partition(this_thread_block(), 8)
    for k in range(6):
        o[i, k] = total(t, x[i] + k)
        if when[i] == k:
            return

@cuda.jit
def in_inner_loops(x, when, o):
    i = this_grid().thread_rank()
    t = tiled_partition(this_thread_block(), 8)
    for k in range(3):
        for m in range(2):
            o[i, 2 * k + m] = t.reduce(x[i] + 2 * k + m, last)
        j = int32(0)
        while j < 2:
            if when[i] == 2 * k + j:
                return
            j += 1

@cuda.jit
def on_paths(x, when, o):
    i = this_grid().thread_rank()
    t = tiled_partition(this_thread_block(), 32)
    o[i, 0] = total(t, x[i])
    if when[i] == 0:
        o[i, 1] = 7
        return
    elif when[i] > 2:
        o[i, 1] = total(t, x[i])
    elif when[i] == 1:
        return
    else:
        return

@cuda.jit
def one_by_one(x, when, o):
    i = this_grid().thread_rank()
    t = tiled_partition(this_thread_block(), 4)
    if when[i] == 0:
        return
    o[i, 0] = t.shfl_xor(x[i], 1)
    if when[i] == 1:
        return
    o[i, 1] = t.shfl_down(x[i], 1)
    if when[i] == 2:
        return
    o[i, 2] = t.exclusive_scan(x[i], plus)
    if when[i] == 3:
        return
    o[i, 3] = t.ballot(True)

# No thread of a block without the others: there the code is as without a return.
@cuda.jit
def all_alike(x, when, o, n):
    i = this_grid().thread_rank()
    if blockIdx.x >= n or x.shape[0] < n:
        return
    o[i, 0] = total(tiled_partition(this_thread_block(), 16), x[i])

@cuda.jit
def nobody(x, when, o):
    i = this_grid().thread_rank()
    o[i, 0] = total(tiled_partition(this_thread_block(), 8), x[i])
    if when[i] == 0:
        return
    o[i, 1] = total(tiled_partition(this_thread_block(), 8), x[i])

#: repeat grids [2, 1], [2, 32], [3, 47], [1, 200], [2, (4, 4, 2)]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: total = threads * blocks
#: x, when = rng.integers(-1000, 1000, total), rng.integers(0, 7, total)
#: names = ["in_loops", "in_inner_loops", "on_paths", "one_by_one", "nobody"]
#: for name in names + ["all_alike"]: globals()["o_" + name] = poison((total, 6), "i8")
#: launches [f"{name}[GRID, BLOCK](x, when, o_{name})" for name in names]
#: n = int(rng.integers(0, 4))
#: launch all_alike[GRID, BLOCK](x, when, o_all_alike, n)
#: tile = lambda size: np.arange(total) // threads * 1000 + np.arange(total) % threads // size
#: def sums(size, there, v=None):
#:     g, v = tile(size), x if v is None else v
#:     return (np.where(there, v, 0)[None] * (g[:, None] == g[None])).sum(1)
#: def before(size, there):
#:     g, at = tile(size), np.arange(total)
#:     return (np.where(there, x, 0)[None] * ((g[:, None] == g[None]) & (at[None] < at[:, None]))).sum(1)
#: def highest(size, there):
#:     g, at = tile(size), np.arange(total)
#:     return np.where(there[None] & (g[:, None] == g[None]), at[None], -1).max(1)
#: def ask(size, there, other):
#:     at, g = np.arange(total), tile(size)
#:     rank = at % threads % size
#:     to = at - rank + other(rank)
#:     good = (other(rank) < size) & (to < total) & (at // threads == np.minimum(to, total - 1) // threads)
#:     to = np.where(good, to, at)
#:     return np.where(there[to], x[to], x)
#: def check(name, columns):
#:     got = globals()["o_" + name]
#:     want = globals()["o_" + name + "_in"].copy()
#:     for k, (there, values) in enumerate(columns): want[there, k] = (values + np.zeros(total, int))[there]
#:     return np.array_equal(got, want)
#: all_ = np.ones(total, bool)
#: expect check("in_loops", [(when >= k, sums(8, when >= k, x + k)) for k in range(6)])
#: expect check("in_inner_loops", [(when >= k // 2 * 2, x[highest(8, when >= k // 2 * 2)] + k) for k in range(6)])
#: expect check("on_paths", [(all_, sums(32, all_)), ((when == 0) | (when > 2), np.where(when == 0, 7, sums(32, when > 2)))])
#: expect check("one_by_one", [(when > 0, ask(4, when > 0, lambda r: r ^ 1)), (when > 1, ask(4, when > 1, lambda r: r + 1)), (when > 2, before(4, when > 2)), (when > 3, sums(4, when > 3, 1 << np.arange(total) % threads % 4))])
#: expect check("all_alike", [((np.arange(total) // threads < n) & (total >= n), sums(16, all_))])
#: expect check("nobody", [(all_, sums(8, all_)), (when > 0, sums(8, when > 0))])
