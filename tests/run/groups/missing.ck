# The last tile of a block whose size is no multiple of the tile's: shuffles from threads that are not there
# return the own value, votes and matches are those of the threads that are.

def ask(t, v, far, s, b, i):
    s[i, 0] = t.shfl(v, far)
    s[i, 1] = t.shfl_up(v, far)
    s[i, 2] = t.shfl_down(v, far)
    s[i, 3] = t.shfl_xor(v, far)
    b[i, 0] = t.any(v % 7 == 0)
    b[i, 1] = t.all(v % 7 < 6)
    b[i, 2] = t.ballot(v % 3 == 0)
    b[i, 3] = t.match_any(v % 4)
    b[i, 4], b[i, 5] = t.match_all(v < 55)
    b[i, 6] = t.num_threads()
    b[i, 7] = t.meta_group_size()
    t.sync()

@cuda.jit
def of_1(x, far, s, b):
    i = this_grid().thread_rank()
    ask(tiled_partition(this_thread_block(), 1), x[i], far, s, b, i)

@cuda.jit
def of_2(x, far, s, b):
    i = this_grid().thread_rank()
    ask(tiled_partition(this_thread_block(), 2), x[i], far, s, b, i)

@cuda.jit
def of_4(x, far, s, b):
    i = this_grid().thread_rank()
    ask(tiled_partition(this_thread_block(), 4), x[i], far, s, b, i)

@cuda.jit
def of_8(x, far, s, b):
    i = this_grid().thread_rank()
    ask(tiled_partition(this_thread_block(), 8), x[i], far, s, b, i)

@cuda.jit
def of_16(x, far, s, b):
    i = this_grid().thread_rank()
    ask(tiled_partition(this_thread_block(), 16), x[i], far, s, b, i)

@cuda.jit
def of_32(x, far, s, b):
    i = this_grid().thread_rank()
    ask(tiled_partition(tiled_partition(this_thread_block(), 128), 32), x[i], far, s, b, i)

#: repeat grids [2, 1], [1, 2], [3, 3], [1, 4], [1, 8], [1, 16], [2, 31], [1, 33], [(2, 2, 1), 100], [1, (5, 4, 3)], [1, (3, 11, 7)], [1, 1000], [1, 1024]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: total = threads * blocks
#: x = rng.integers(0, 60, total)
#: sizes = [1, 2, 4, 8, 16, 32]
#: # Each schedule has a fifth of them, another for each shape.
#: sizes = share(sizes[total % 5:] + sizes[:total % 5])
#: far = int(rng.integers(-40, 40))
#: for n in sizes: globals().update({f"s{n}": poison((total, 4), "i8"), f"b{n}": poison((total, 8), "i8")})
#: launches [f"of_{n}[GRID, BLOCK](x, far, s{n}, b{n})" for n in sizes]
#: S, B = {n: np.zeros((total, 4), "i8") for n in sizes}, {n: np.zeros((total, 8), "i8") for n in sizes}
#: for n, at in [(n, c * threads + np.arange(a, min(a + n, threads))) for n in sizes for c in range(blocks) for a in range(0, threads, n)]:
#:     v, k = x[at], len(at)
#:     r = np.arange(k)
#:     bits = 1 << r
#:     take = lambda q, good: np.where(good & (q >= 0) & (q < k), v[np.clip(q, 0, k - 1)], v)
#:     S[n][at] = np.stack([take(0*r + far % n, True), take(r - far, far >= 0), take(r + far, far >= 0), take(r ^ (far % n), True)], 1)
#:     one = (v < 55).all() or (v >= 55).all()
#:     parts = 4 if n == 32 else -(-threads // n)
#:     same = [(v % 7 == 0).any(), (v % 7 < 6).all(), ((v % 3 == 0) * bits).sum()]
#:     B[n][at] = np.stack([0*r + a for a in same] + [((v[:, None] % 4 == v[None] % 4) * bits).sum(1)] + [0*r + a for a in (one * bits.sum(), one, n, parts)], 1)
#: expect all((globals()[f"s{n}"] == S[n]).all() for n in sizes)
#: expect all((globals()[f"b{n}"] == B[n]).all() for n in sizes)
