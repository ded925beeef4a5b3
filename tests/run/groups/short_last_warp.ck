# Blocks whose last warp has fewer lanes than there are warps before it: the first warp combines the
# warps' values for it. An operation is called with values of threads alone, never with those of
# lanes that do not exist.

def larger(a, b):
    assert 0 <= a < 1000 and 0 <= b < 1000
    return max(a, b)

def later(a, b):
    assert 0 <= a < 1000 and 0 <= b < 1000
    return b

def combine(g, v, o, i, at):
    o[i, at] = g.reduce(v)
    o[i, at + 1] = g.reduce(v, larger)
    o[i, at + 2] = g.reduce(v, later)
    o[i, at + 3] = g.inclusive_scan(v, larger)
    o[i, at + 4] = g.exclusive_scan(v)
    o[i, at + 5] = g.inclusive_scan(v, later)

# Again and again: a call's values are not lost to the next one.
@cuda.jit(launch_bounds=1024)
def short(x, o, trips):
    b = this_thread_block()
    i = this_grid().thread_rank()
    v = x[i]
    for trip in range(trips):
        combine(b, v, o, i, 0)
        combine(tiled_partition(b, 128), v, o, i, 6)
        combine(tiled_partition(b, 512), v, o, i, 12)
        v = o[i, 0] % 1000 if trip + 1 < trips else v

@cuda.jit(launch_bounds=1024)
def of_grid(x, o):
    g = this_grid()
    i = g.thread_rank()
    combine(g, x[i], o, i, 0)

#: repeat grids [1, 33], [2, 65], [1, 97], [2, 98], [1, 99], [2, 100], [1, 227], [2, 513], [1, 993], [2, 1000], [1, 1023], [40, 33]
#: threads, blocks = BLOCK, GRID
#: total = threads * blocks
#: x = rng.integers(0, 1000, total)
#: o, p, q = poison((total, 18), "i8"), poison((total, 18), "i8"), poison((total, 6), "i8")
#: launch short[GRID, BLOCK](x, o, 1)
#: launch short[GRID, BLOCK](x, p, 3)
#: launch of_grid[GRID, BLOCK](x, q)
#: def of(v): return np.stack([0*v + v.sum(), 0*v + v.max(), 0*v + v[-1], np.maximum.accumulate(v), v.cumsum() - v, v], 1)
#: def groups(v, n): return np.concatenate([of(v[at:min(at + n, first + threads)]) for first in range(0, total, threads) for at in range(first, first + threads, n)])
#: def all_of(v): return np.concatenate([groups(v, n) for n in (1024, 128, 512)], 1)
#: expect o == all_of(x)
#: y = all_of(x)[:, 0] % 1000
#: expect p == all_of(all_of(y)[:, 0] % 1000)
#: expect q == of(x)
