# Coalesced groups: the lanes of a warp that run together, by any mask; divided into tiles.

@cuda.jit
def gathered(x, o, s, b):
    i = cuda.cg.this_grid().thread_rank()
    v = x[i]
    if v % 3 != 0:
        g = cuda.cg.coalesced_threads()
        o[i, 0] = g.thread_rank()
        o[i, 1] = g.size()
        o[i, 2] = g.meta_group_rank()
        o[i, 3] = g.meta_group_size()
        s[i, 0] = g.shfl(v, 2)
        s[i, 1] = g.shfl_up(v, 2)
        s[i, 2] = g.shfl_down(v, 3)
        b[i, 0] = g.any(v > 50)
        b[i, 1] = g.all(v > 3)
        b[i, 2] = g.ballot(v % 2 == 1)
        b[i, 3] = g.match_any(v % 5)
        b[i, 4], b[i, 5] = g.match_all(v > 3)
        t = tiled_partition(g, 4)
        t.sync()
        o[i, 4] = t.thread_rank() * 100 + t.num_threads()
        o[i, 5] = t.meta_group_rank() * 100 + t.meta_group_size()
        s[i, 3] = t.shfl(v, 1)

#: repeat grids [1, 1], [2, 31], [3, 32], [2, 33], [1, 100], [2, (5, 4, 3)], [32, 32], [32, (4, 4, 2)]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: n = threads * blocks
#: x = rng.integers(0, 60, n)
#: for b in range(32 if blocks == 32 else 0): # any number of lanes
#:     lane = b * 32 + rng.permutation(32)
#:     x[lane[b + 1:]] -= x[lane[b + 1:]] % 3
#:     x[lane[:b + 1]] += x[lane[:b + 1]] % 3 == 0
#: o, s, b = np.zeros((n, 6), "i8"), np.zeros((n, 4), "i8"), np.zeros((n, 6), "i8")
#: launch gathered[GRID, BLOCK](x, o, s, b)
#: O, S, B = np.zeros((n, 6), "i8"), np.zeros((n, 4), "i8"), np.zeros((n, 6), "i8")
#: warp = np.arange(n) // threads * 100 + np.arange(n) % threads // 32
#: for w in np.unique(warp):
#:     at = np.flatnonzero((warp == w) & (x % 3 != 0))
#:     v, k, r = x[at], len(at), np.arange(len(at))
#:     if k == 0: continue
#:     bits = 1 << r
#:     O[at] = np.stack([r, 0*r + k, 0*r, 0*r + 1, r % 4 * 100 + np.minimum(4, k - r // 4 * 4), r // 4 * 100 + (k + 3) // 4], 1)
#:     S[at] = np.stack([v[2 % k] + 0*r, np.where(r >= 2, v[(r - 2) % k], v), np.where(r + 3 < k, v[(r + 3) % k], v), v[r // 4 * 4 + 1 % np.minimum(4, k - r // 4 * 4)]], 1)
#:     one = (v > 3).all() or (v <= 3).all()
#:     B[at] = np.stack([0*r + (v > 50).any(), 0*r + (v > 3).all(), 0*r + ((v % 2 == 1) * bits).sum(), ((v[:, None] % 5 == v[None] % 5) * bits).sum(1), 0*r + one * bits.sum(), 0*r + one], 1)
#: expect o == O
#: expect s == S
#: expect b == B
