# Scans over thread blocks and tiles of several warps: values combined in order of rank.

def compose(a, b):
    """Affine maps modulo 2**16 as (factor, offset) in 32 bits: associative, not commutative."""
    m = uint32(0xffff)
    fa, oa, fb, ob = a >> 16, a & m, b >> 16, b & m
    return ((fa * fb & m) << 16) | (oa * fb + ob & m)

def scans(g, v, h, o, f, i):
    o[i, 0] = g.inclusive_scan(v)
    o[i, 1] = g.exclusive_scan(v)
    o[i, 2] = cuda.cg.inclusive_scan(g, uint32(v), compose)
    o[i, 3] = cuda.cg.exclusive_scan(g, uint32(v), compose)
    o[i, 4] = g.inclusive_scan(int32(v), cuda.cg.greater())
    o[i, 5] = exclusive_scan(g, v % 4 == 0)
    f[i] = inclusive_scan(g, h, plus)

@cuda.jit
def of_block(x, h, o, f):
    i = cuda.cg.this_grid().thread_rank()
    scans(cuda.cg.this_thread_block(), x[i], h[i], o, f, i)

@cuda.jit
def of_64(x, h, o, f):
    i = cuda.cg.this_grid().thread_rank()
    scans(tiled_partition(cuda.cg.this_thread_block(), 64), x[i], h[i], o, f, i)

@cuda.jit
def of_256(x, h, o, f):
    i = cuda.cg.this_grid().thread_rank()
    scans(tiled_partition(cuda.cg.this_thread_block(), 256), x[i], h[i], o, f, i)

# Places for what is kept, as in a compaction; again and again.
@cuda.jit
def compact(x, o, trips):
    g = cuda.cg.this_thread_block()
    first = cuda.cg.this_grid().thread_rank() - g.thread_rank()
    v = x[first + g.thread_rank()]
    kept = cuda.shared.array(1024, int64)
    for trip in range(trips):
        keep = v & (trip + 1) == 0
        place = g.exclusive_scan(keep)
        n = g.reduce(keep)
        if keep:
            kept[place] = v
        else:
            kept[n + g.thread_rank() - place] = v
        g.sync()
        v = kept[g.thread_rank()]
        g.sync()
    o[first + g.thread_rank()] = v

#: repeat grids [1, 1], [2, 2], [1, 3], [1, 4], [1, 8], [1, 16], [1, 31], [2, 32], [1, 33], [2, 64], [1, 96], [1, 97], [2, 99], [2, 227], [2, 256], [1, 264], [1, 993], [1, 1000], [2, 1024], [(2, 2), (5, 4, 13)]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: total = threads * blocks
#: x = rng.integers(0, 2**31, total)
#: h = rng.random(total)
#: names = {64: "of_64", 256: "of_256", 1024: "of_block"}
#: for n in names: globals().update({f"o{n}": poison((total, 6), "i8"), f"f{n}": poison(total, "f8")})
#: launches [f"{names[n]}[GRID, BLOCK](x, h, o{n}, f{n})" for n in names]
#: O, F = {n: np.zeros((total, 6), "i8") for n in names}, {n: np.zeros(total) for n in names}
#: shift = lambda q: np.concatenate([[0], q[:-1]])
#: for n, first in [(n, first) for n in names for first in range(0, total, threads)]:
#:     for begin in range(first, first + threads, n):
#:         at = np.arange(begin, min(begin + n, first + threads))
#:         v, c, a = x[at], [], (1, 0)
#:         for q in v.tolist():
#:             a = (a[0] * (q >> 16) & 0xffff, a[1] * (q >> 16) + (q & 0xffff) & 0xffff) if c else (q >> 16, q & 0xffff)
#:             c.append(a[0] << 16 | a[1])
#:         s, k = v.cumsum(), np.cumsum(v % 4 == 0)
#:         O[n][at] = np.stack([s, shift(s), c, shift(c), np.maximum.accumulate(v), shift(k)], 1)
#:         F[n][at] = h[at].cumsum()
#: expect all((globals()[f"o{n}"] == O[n]).all() for n in names)
#: expect all(close(globals()[f"f{n}"], F[n], 1e-12, 1e-12).all() for n in names)
#: o = poison(total, "i8")
#: launch compact[GRID, BLOCK](x, o, 6)
#: O = []
#: for row in x.reshape(blocks, threads):
#:     for trip in range(6):
#:         keep = row & (trip + 1) == 0
#:         row = np.concatenate([row[keep], row[~keep]])
#:     O.append(row)
#: expect o == np.concatenate(O)
