# Tiles of 1 to 32 threads: ranks, shuffles, votes and matches. Threads of a block's last, partial
# tile take part as far as they are there.

def ranks(t, o, i):
    o[i, 0] = t.thread_rank()
    o[i, 1] = t.num_threads()
    o[i, 2] = t.meta_group_rank()
    o[i, 3] = t.meta_group_size()
    o[i, 4] = cuda.cg.thread_rank(t) * 100 + group_size(t)

def shuffles(t, v, s, i, far):
    s[i, 0] = t.shfl(v, 1)
    s[i, 1] = t.shfl_up(v, far)
    s[i, 2] = t.shfl_down(v, far)
    s[i, 3] = t.shfl_xor(v, far)
    s[i, 4] = shfl(t, v, 0)
    t.sync()

def vote(t, v, b, i):
    b[i, 0] = t.any(v % 7 == 0)
    b[i, 1] = t.all(v % 7 < 5)
    b[i, 2] = t.ballot(v % 3 == 0)
    b[i, 3] = t.match_any(v % 4)
    mask, same = t.match_all(v < 40)
    b[i, 4] = mask
    b[i, 5] = same

def whole(t, v, o, s, b, i):
    ranks(t, o, i)
    shuffles(t, v, s, i, 3)
    vote(t, v, b, i)

@cuda.jit
def of_block(x, o, s, b, n):
    g = cuda.cg.this_thread_block()
    i = cuda.cg.this_grid().thread_rank()
    if n == 1:
        whole(cuda.cg.tiled_partition(g, 1), x[i], o, s, b, i)
    elif n == 2:
        whole(cuda.cg.tiled_partition(g, 2), x[i], o, s, b, i)
    elif n == 4:
        whole(cuda.cg.tiled_partition(g, 4), x[i], o, s, b, i)
    elif n == 8:
        whole(g.tiled_partition(8), x[i], o, s, b, i)
    elif n == 16:
        whole(tiled_partition(g, 16), x[i], o, s, b, i)
    elif n == 32:
        whole(tiled_partition(g, 32), x[i], o, s, b, i)

# A tile of a tile, bound on two paths.
@cuda.jit
def of_tile(o, wide):
    big = tiled_partition(this_thread_block(), 32)
    if wide:
        t = tiled_partition(big, 8)
    else:
        t = tiled_partition(tiled_partition(big, 16), 8)
        t = tiled_partition(big, 8)
    ranks(t, o, this_grid().thread_rank())

#: repeat grids [1, 1], [1, 2], [2, 31], [3, 32], [2, 33], [1, 96], [1, 100], [1, 256], [1, 1000], [2, 1024], [2, (5, 4, 3)], [1, (32, 3, 2)]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: total = threads * blocks
#: x = rng.integers(0, 60, total)
#: sizes = [d for d in (1, 2, 4, 8, 16, 32) if threads % d == 0]
#: for n in sizes: globals().update({f"o{n}": poison((total, 5), "i8"), f"s{n}": poison((total, 5), "i8"), f"b{n}": poison((total, 6), "i8")})
#: launches [f"of_block[GRID, BLOCK](x, o{n}, s{n}, b{n}, {n})" for n in sizes]
#: rank = np.arange(total) % threads
#: def where(n): return np.stack([rank % n, 0*rank + n, rank // n, 0*rank + threads // n, rank % n * 100 + n], 1)
#: def shuffled(n):
#:     within = rank % n
#:     first = np.arange(total) - within
#:     up = np.where(within >= 3, x[np.maximum(np.arange(total) - 3, 0)], x)
#:     down = np.where(within + 3 < n, x[np.minimum(np.arange(total) + 3, total - 1)], x)
#:     return np.stack([x[first + 1 % n], up, down, x[first + (within ^ (3 & (n - 1)))], x[first]], 1)
#: def votes(n):
#:     rows, bits = x.reshape(-1, n), 1 << np.arange(n)
#:     one = (rows < 40).all(1) | (rows >= 40).all(1)
#:     every = [(rows % 7 == 0).any(1), (rows % 7 < 5).all(1), ((rows % 3 == 0) * bits).sum(1)]
#:     match = ((rows[:, :, None] % 4 == rows[:, None, :] % 4) * bits).sum(2).ravel()
#:     return np.stack([np.repeat(a, n) for a in every] + [match] + [np.repeat(one * bits.sum(), n), np.repeat(one, n)], 1)
#: expect all((globals()[f"o{n}"] == where(n)).all() for n in sizes)
#: expect all((globals()[f"s{n}"] == shuffled(n)).all() for n in sizes)
#: expect all((globals()[f"b{n}"] == votes(n)).all() for n in sizes)
#: o = poison((total, 5), "i8")
#: launch of_tile[GRID, BLOCK](o, True)
#: r = rank % 8
#: expect o == np.stack([r, 0*r + 8, rank % 32 // 8, 0*r + 4, r * 100 + 8], 1)
#: o = poison((total, 5), "i8")
#: launch of_tile[GRID, BLOCK](o, False)
#: expect o == np.stack([r, 0*r + 8, rank % 32 // 8, 0*r + 4, r * 100 + 8], 1)
