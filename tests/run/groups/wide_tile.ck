# Tiles of 64 to 1024 threads: ranks, barriers, shuffles, votes, reductions. Blocks of any size: the
# last tile may lack threads.

def ranks(t, o, i):
    o[i, 0] = t.thread_rank()
    o[i, 1] = t.num_threads()
    o[i, 2] = t.meta_group_rank()
    o[i, 3] = t.meta_group_size()

def give(i):
    return i + 7

def leave(s, i):
    s[i, 7] = i + 43

# Maps of 0 to 3 to themselves, eight bits each: composing them is associative, not commutative.
def compose(a, b):
    c = uint32(0)
    for k in range(4):
        c |= uint32(((b >> (((a >> (2 * k)) & 3) * 2)) & 3) << (2 * k))
    return c

def shuffles(t, v, s, i):
    s[i, 0] = t.shfl(v, 37)
    s[i, 1] = t.shfl_up(v, 35)
    s[i, 2] = t.shfl_down(v, 35)
    s[i, 3] = t.shfl_xor(v, 33)
    s[i, 4] = t.any(v % 70 == 0)
    s[i, 5] = t.all(v % 70 > 0)
    s[i, 6] = t.invoke_one_broadcast(give, i)
    first = i - t.thread_rank()
    t.invoke_one(leave, s, first)
    t.sync()
    if i != first:
        s[i, 7] = s[first, 7]

def combine(t, v, f, r, i):
    r[i, 0] = t.reduce(v)
    r[i, 1] = t.reduce(int32(v), greater)
    r[i, 2] = t.reduce(uint32(v) & 255, compose)
    r[i, 3] = t.reduce(f)

# Tiles wait for themselves alone, each another number of times; neighbours are read across warps.
def in_loop(t, x, w, i, total):
    v = x[i]
    n = t.num_threads()
    for trip in range(t.meta_group_rank() % 3 + 2):
        w[i] = v
        t.sync()
        first = i - t.thread_rank()
        there = min(n, total - (this_thread_block().thread_rank() - t.thread_rank()))
        v += w[first + (t.thread_rank() + 33) % there] + trip
        t.sync()
    w[i] = v

def whole(t, x, f, o, s, r, w, i):
    ranks(t, o, i)
    shuffles(t, x[i], s, i)
    combine(t, x[i], f[i], r, i)
    in_loop(t, x, w, i, this_thread_block().num_threads())

@cuda.jit
def of_64(x, f, o, s, r, w):
    whole(tiled_partition(this_thread_block(), 64), x, f, o, s, r, w, this_grid().thread_rank())

@cuda.jit
def of_128(x, f, o, s, r, w):
    whole(this_thread_block().tiled_partition(128), x, f, o, s, r, w, this_grid().thread_rank())

@cuda.jit
def of_256(x, f, o, s, r, w):
    whole(cuda.cg.tiled_partition(this_thread_block(), 256), x, f, o, s, r, w, this_grid().thread_rank())

@cuda.jit
def of_512(x, f, o, s, r, w):
    whole(tiled_partition(tiled_partition(this_block(), 1024), 512), x, f, o, s, r, w, this_grid().thread_rank())

@cuda.jit
def of_1024(x, f, o, s, r, w):
    whole(tiled_partition(this_thread_block(), 1024), x, f, o, s, r, w, this_grid().thread_rank())

#: repeat grids [1, 1], [1, 8], [1, 31], [1, 32], [1, 33], [2, 64], [1, 96], [2, 256], [1, 1000], [2, 1024], [(2, 1, 2), (5, 4, 13)]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: total = threads * blocks
#: sizes = [64, 128, 256, 512, 1024]
#: x = rng.integers(0, 2**30, total)
#: f = rng.standard_normal(total)
#: for n in sizes: globals().update({f"o{n}": poison((total, 4), "i8"), f"s{n}": poison((total, 8), "i8"), f"r{n}": poison((total, 4), "f8"), f"w{n}": poison(total, "i8")})
#: launches [f"of_{n}[GRID, BLOCK](x, f, o{n}, s{n}, r{n}, w{n})" for n in sizes]
#: rank = np.arange(total) % threads
#: def many(n): return 2 if n == 512 else (threads + n - 1) // n
#: expect all((globals()[f"o{n}"] == np.stack([rank % n, 0*rank + n, rank // n, 0*rank + many(n)], 1)).all() for n in sizes)
#: S, R, W = {n: np.zeros((total, 8), "i8") for n in sizes}, {n: np.zeros((total, 4)) for n in sizes}, {n: np.zeros(total, "i8") for n in sizes}
#: for n, first in [(n, first) for n in sizes for first in np.flatnonzero(rank % n == 0)]:
#:     m = min(n, threads - rank[first])
#:     at = first + np.arange(m)
#:     v, k = x[at], np.arange(m)
#:     take = lambda q: np.where((q >= 0) & (q < m), v[np.clip(q, 0, m - 1)], v)
#:     S[n][at] = np.stack([take(0*k + 37), take(k - 35), take(k + 35), take(k ^ 33), 0*k + (v % 70 == 0).any(), 0*k + (v % 70 > 0).all(), 0*k + first + 7, 0*k + first + 43], 1)
#:     c = 0b11100100
#:     for q in v.tolist(): c = sum(((q >> (c >> 2*j & 3) * 2) & 3) << 2*j for j in range(4))
#:     R[n][at] = np.array([v.sum(), v.max(), c, f[at].sum()])
#:     for trip in range(rank[first] // n % 3 + 2): v = v + np.roll(v, -33) + trip
#:     W[n][at] = v
#: expect all((globals()[f"s{n}"] == S[n]).all() for n in sizes)
#: expect all(close(globals()[f"r{n}"], R[n], 1e-11, 1e-11).all() for n in sizes)
#: expect all((globals()[f"w{n}"] == W[n]).all() for n in sizes)
