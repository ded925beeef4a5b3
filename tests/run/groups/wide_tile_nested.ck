# Tiles of several warps, of several sizes in one kernel: sizes in turn, and tiles in branches of
# their own.

#: racecheck no: where some warps of a tile wait at another barrier too, it misses arrivals, of CUDA C++'s bar.sync as well, by chance

@cuda.jit
def nested(x, o):
    g = cuda.cg.this_thread_block()
    i = cuda.cg.this_grid().thread_rank()
    a = tiled_partition(g, 256)
    b = tiled_partition(a, 128)
    c = tiled_partition(b, 64)
    if a.meta_group_rank() % 2 == 1:
        v = c.reduce(x[i]) + c.meta_group_rank() * 1000 + c.meta_group_size()
        v = b.reduce(v)
    elif b.meta_group_rank() == 0:
        v = b.reduce(x[i])
    else:
        v = c.reduce(c.reduce(x[i], greater), less)
        c.sync()
    o[i] = a.reduce(v % 1000)

#: repeat grids [1, 1], [1, 8], [1, 31], [1, 32], [1, 33], [2, 64], [1, 96], [2, 256], [1, 1000], [2, 1024], [(2, 1, 2), (5, 4, 13)]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: total = threads * blocks
#: x = rng.integers(0, 2**30, total)
#: o = poison(total, "i8")
#: launch nested[GRID, BLOCK](x, o)
#: O = np.zeros(total, "i8")
#: parts = lambda at, n: [at[j:j + n] for j in range(0, len(at), n)]
#: V = np.zeros(total, "i8")
#: for block in parts(np.arange(total), threads):
#:     for q, a in enumerate(parts(block, 256)):
#:         for p, b in enumerate(parts(a, 128)):
#:             for h, c in enumerate(parts(b, 64)):
#:                 V[c] = x[c].sum() + h * 1000 + 2 if q % 2 else x[c].max()
#:             if q % 2: V[b] = V[b].sum()
#:             elif p == 0: V[b] = x[b].sum()
#:         O[a] = (V[a] % 1000).sum()
#: expect o == O
