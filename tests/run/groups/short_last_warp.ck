# Blocks whose last warp has fewer lanes than there are warps before it: the first warp combines the
# warps' values for it. An operation is called with values of threads alone, never with those of
# lanes that do not exist.

def larger(a, b):
    assert 0 <= a < 1000 and 0 <= b < 1000
    return max(a, b)

def later(a, b):
    assert 0 <= a < 1000 and 0 <= b < 1000
    return b

def combine(g, v, o):
    o[0] = g.reduce(v)
    o[1] = g.reduce(v, larger)
    o[2] = g.reduce(v, later)
    o[3] = g.inclusive_scan(v, larger)
    o[4] = g.exclusive_scan(v)
    o[5] = g.inclusive_scan(v, later)

# Again and again: a call's values are not lost to the next one. Each kind of group has its own
# kernel, because racecheck may miss arrivals where warps wait at barriers of two numbers.
def combine_again(g, x, o):
    i = this_grid().thread_rank()
    v = x[i]
    for trip in range(len(o)):
        combine(g, v, o[trip, i])
        v = o[trip, i, 0] % 1000

@cuda.jit(launch_bounds=1024)
def of_block(x, o):
    combine_again(this_thread_block(), x, o)

@cuda.jit(launch_bounds=1024)
def of_tile_128(x, o):
    combine_again(tiled_partition(this_thread_block(), 128), x, o)

@cuda.jit(launch_bounds=1024)
def of_tile_512(x, o):
    combine_again(tiled_partition(this_thread_block(), 512), x, o)

@cuda.jit(launch_bounds=1024)
def of_grid(x, o):
    i = this_grid().thread_rank()
    combine(this_grid(), x[i], o[i])

#: repeat grids [1, 33], [2, 65], [1, 97], [2, 98], [1, 99], [2, 100], [1, 227], [2, 513], [1, 993], [2, 1000], [1, 1023], [40, 33]
#: threads, blocks = BLOCK, GRID
#: total = threads * blocks
#: x = rng.integers(0, 1000, total)
#: o, p, q = (poison((3, total, 6), "i8") for group in range(3))
#: r = poison((total, 6), "i8")
#: launch of_block[GRID, BLOCK](x, o)
#: launch of_tile_128[GRID, BLOCK](x, p)
#: launch of_tile_512[GRID, BLOCK](x, q)
#: launch of_grid[GRID, BLOCK](x, r)
#: def of(v): return np.stack([0*v + v.sum(), 0*v + v.max(), 0*v + v[-1], np.maximum.accumulate(v), v.cumsum() - v, v], 1)
#: def groups(v, n): return np.concatenate([of(v[at:min(at + n, first + threads)]) for first in range(0, total, threads) for at in range(first, first + threads, n)])
#: def following(v, n): return groups(v, n)[:, 0] % 1000
#: def trips(n): return np.stack([groups(x, n), groups(following(x, n), n), groups(following(following(x, n), n), n)])
#: expect o == trips(1024)
#: expect p == trips(128)
#: expect q == trips(512)
#: expect r == of(x)
