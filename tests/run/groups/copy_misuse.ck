# Threads of a group that give different arrays to a copy: the CPU device says who and where; a GPU
# copies a part of each.

def begin(t, s, x, w):
    t.memcpy_async(s[:w], x)

@kernel
def of_block(x, at, o):
    b = this_thread_block()
    s = shared.array(64, int32)
    k = at[b.thread_rank()]
    b.memcpy_async(s, x[3:])
    b.wait()
    b.memcpy_async(s[:32], x[k:])
    b.wait()
    o[this_grid().thread_rank()] = s[b.thread_rank() % 32]

@kernel
def of_tiles(x, at, o, n):
    b = this_thread_block()
    t = tiled_partition(b, 16)
    u = tiled_partition(b, 64)
    s = shared.array((64, 32), int32)
    w = at[b.thread_rank()]
    k = t.meta_group_rank()
    r = u.meta_group_rank()
    v = 0
    for j in range(n):
        t.memcpy_async(s[k], x[j:])
        if j == n - 1:
            begin(t, s[k], x[k:], w)
        t.wait()
        u.sync()
        v += s[4 * r, 0]
        u.sync()
        u.memcpy_async(s[4 * r], x[r:])
        u.wait()
        v += s[4 * r, 7]
        u.sync()
    o[this_grid().thread_rank()] = v

@kernel
def of_lanes(x, at, o):
    i = this_thread_block().thread_rank()
    s = shared.array((64, 16), int32)
    if i % 3 > 0:
        g = coalesced_threads()
        k = at[i]
        for j in range(3):
            g.memcpy_async(s[i // 32], x[j:])
            g.wait()
        g.memcpy_async(s[i // 32], x[k:k + 16])
        g.wait()
        o[this_grid().thread_rank()] = s[i // 32, g.thread_rank() % 16]

# Each thread of its own, and parts, which are not looked at.
@kernel
def own(x, at, o):
    i = this_thread_block().thread_rank()
    t = this_thread()
    a = local.array(4, int32)
    s = shared.array((1024, 4), int32)
    k = at[i]
    t.memcpy_async(s[i], x[k:])
    t.memcpy_async(a, x[k + 1:])
    t.wait()
    b = local.array(4, int32)
    g = tiled_partition(this_thread_block(), 4)
    g.memcpy_async(b, a)
    g.wait()
    o[this_grid().thread_rank()] = s[i, 3]

#: check no: it copies to memory of unfinished copies on purpose
#: only cpu
#: repeat grids [1, 64], [2, (8, 6, 2)], [3, 97]
#: threads = int(np.prod(BLOCK))
#: n = threads * GRID
#: x = rng.integers(-100, 100, 2000, dtype="i4")
#: odd = int(rng.integers(34, min(threads, 96)))
#: at, o = np.full(threads, 5), poison(n, "i4")
#: launch of_block[GRID, BLOCK](x, at, o)
#: expect o == np.tile(x[5 + np.arange(threads) % 32], GRID)
#: launch of_lanes[GRID, BLOCK](x, at, o)
#: launch of_tiles[GRID, BLOCK](x, at, o, 9)
#: at = rng.integers(0, 900, threads)
#: launch own[GRID, BLOCK](x, at, o)
#: expect o == np.tile(x[at + 3], GRID)
#: at = np.full(threads, 5)
#: at[odd] = 6
#: launch of_block[GRID, BLOCK](x, at, o)
#: error copy_misuse.ck:14:5: error: `b.memcpy_async(s[:32], x[k:])` passes other arrays than thread (
#: launch of_block[GRID, BLOCK](x, at, o)
#: error passes other arrays than thread (
#: launch of_tiles[GRID, BLOCK](x, at, o, 9)
#: error copy_misuse.ck:5:5: error: `t.memcpy_async(s[:w], x)` passes other arrays than thread (
#: odd -= odd % 3 == 0
#: at[:] = 5
#: at[odd] = 6
#: launch of_lanes[GRID, BLOCK](x, at, o)
#: error copy_misuse.ck:52:9: error: `g.memcpy_async(s[i // 32], x[k:k + 16])` passes other arrays than thread (
