# Votes, ballots and matches over whole and partial warps, and over half warps with masks of
# their own; lanes, masks of lanes and the active lanes of a branch.

@kernel
def votes(x, flags, out):
    i = this_grid().thread_rank()
    full = 0xffffffff
    p = flags[i]
    out[0, i] = cuda.all_sync(full, p)
    out[1, i] = cuda.any_sync(full, p)
    out[2, i] = cuda.eq_sync(full, p)
    out[3, i] = cuda.ballot_sync(full, p)
    out[4, i] = cuda.match_any_sync(full, x[i])
    m, same = cuda.match_all_sync(full, x[i])
    out[5, i] = m
    out[6, i] = same
    out[7, i] = cuda.lanemask_lt()
    out[8, i] = cuda.laneid
    out[9, i] = cuda.warpsize
    cuda.syncwarp()
    half = 0x0000ffff if cuda.laneid < 16 else 0xffff0000
    if cuda.laneid < 16:
        out[10, i] = cuda.ballot_sync(half, p > 0)
        out[11, i] = cuda.match_any_sync(0xffff, x[i])
    else:
        out[10, i] = cuda.ballot_sync(half, p > 0)
        out[11, i] = cuda.match_any_sync(half, float64(x[i]))
    cuda.syncwarp(half)

#: repeat grids [1, 1], [2, 31], [3, 32], [2, 33], [1, 96], [2, (5, 4, 3)], [1, (3, 33)]
#: threads = int(np.prod(BLOCK))
#: blocks = int(np.prod(GRID))
#: n = threads * blocks
#: rank = np.arange(n) % threads
#: lane, warp = rank % 32, rank // 32 + np.arange(n) // threads * 100
#: x = rng.integers(0, 3, n).astype("f4")
#: x[::7] = x[0]
#: flags = rng.integers(-1, 2, n, dtype="i4")
#: flags[warp % 3 == 0] = 1
#: z = rng.integers(0, 2, n).astype("i8")
#: z[warp % 2 == 0] = 5 << 40
#: out, oz = np.full((12, n), -1, "i8"), np.full((12, n), -1, "i8")
#: launch votes[GRID, BLOCK](x, flags, out)
#: launch votes[GRID, BLOCK](z, flags, oz)
#: def bits(chosen): return int((1 << lane[chosen]).sum())
#: def result(x, i):
#:     mine = warp == warp[i]
#:     half = mine & (lane // 16 == lane[i] // 16)
#:     p = flags[mine] != 0
#:     one = (x[mine] == x[i]).all()
#:     return [p.all(), p.any(), p.all() or not p.any(), bits(mine & (flags != 0)),
#:             bits(mine & (x == x[i])), bits(mine) if one else 0, one, (1 << lane[i]) - 1, lane[i], 32,
#:             bits(half & (flags > 0)), bits(half & (x == x[i]))]
#: expect out == np.array([result(x, i) for i in range(n)]).T
#: expect oz == np.array([result(z, i) for i in range(n)]).T
