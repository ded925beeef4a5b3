# Tiles of 1 to 32 threads: ranks, shuffles, votes and matches. Threads of a block's last, partial
# tile take part as far as they are there.

def ranks(t, o, i):
    o[i, 0] = t.thread_rank()
    o[i, 1] = t.num_threads()
    o[i, 2] = t.meta_group_rank()
    o[i, 3] = t.meta_group_size()
    o[i, 4] = cuda.cg.thread_rank(t) * 100 + group_size(t)

def exchange(t, v, s, i, far):
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
    exchange(t, v, s, i, 3)
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

#: repeat grids [1, 1], [2, 31], [3, 32], [2, 33], [1, 100], [2, (5, 4, 3)], [1, (32, 3, 2)]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: total = threads * blocks
#: n = int(rng.choice([d for d in (1, 2, 4, 8, 16, 32) if threads % d == 0]))
#: x = rng.integers(0, 60, total)
#: o, s, b = poison((total, 5), "i8"), poison((total, 5), "i8"), poison((total, 6), "i8")
#: launch of_block[GRID, BLOCK](x, o, s, b, n)
#: rank = np.arange(total) % threads
#: within = rank % n
#: first = np.arange(total) - within
#: expect o == np.stack([within, 0*rank + n, rank // n, 0*rank + threads // n, within * 100 + n], 1)
#: expect s[:, 0] == x[first + 1 % n]
#: expect s[:, 1] == np.where(within >= 3, x[np.maximum(np.arange(total) - 3, 0)], x)
#: expect s[:, 2] == np.where(within + 3 < n, x[np.minimum(np.arange(total) + 3, total - 1)], x)
#: expect s[:, 3] == x[first + (within ^ (3 & (n - 1)))]
#: expect s[:, 4] == x[first]
#: rows = x.reshape(-1, n)
#: bits = 1 << np.arange(n)
#: expect b[:, 0] == np.repeat((rows % 7 == 0).any(1), n)
#: expect b[:, 1] == np.repeat((rows % 7 < 5).all(1), n)
#: expect b[:, 2] == np.repeat(((rows % 3 == 0) * bits).sum(1), n)
#: expect b[:, 3] == ((rows[:, :, None] % 4 == rows[:, None, :] % 4) * bits).sum(2).ravel()
#: one = (rows < 40).all(1) | (rows >= 40).all(1)
#: expect b[:, 4] == np.repeat(one * bits.sum(), n)
#: expect b[:, 5] == np.repeat(one, n)
#: o = poison((total, 5), "i8")
#: launch of_tile[GRID, BLOCK](o, True)
#: r = rank % 8
#: expect o == np.stack([r, 0*r + 8, rank % 32 // 8, 0*r + 4, r * 100 + 8], 1)
#: o = poison((total, 5), "i8")
#: launch of_tile[GRID, BLOCK](o, False)
#: expect o == np.stack([r, 0*r + 8, rank % 32 // 8, 0*r + 4, r * 100 + 8], 1)
