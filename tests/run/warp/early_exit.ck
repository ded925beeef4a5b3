# Threads that have returned are not waited for: a mask names those that are left.

@kernel
def some(n: int64, out: uint32[::1]):
    i = grid(1)
    if i >= n:
        return
    out[i] = cuda.ballot_sync(0xffffffff, i % 3 == 0)
    cuda.syncwarp()
    out[i] += cuda.shfl_up_sync(0xffffffff, uint32(0), 1)

#: n = 40
#: out = poison(64, "u4")
#: launch some[1, 64](n, out)
#: bits = [sum(1 << j for j in range(32) if b + j < 40 and (b + j) % 3 == 0) for b in (0, 32)]
#: expect out[:40] == np.repeat(bits, 32)[:40]
#: expect out[40:] == out_in[40:]

# Any of them, by every operation whose result in a lane depends on all, and shuffles from lanes
# that are left.
@kernel
def any_of_them(x: int64[::1], out: int64[:, ::1], mask: uint32):
    i = grid(1)
    if x[i] < 0:
        return
    if mask >> uint32(laneid) & 1:
        left = cuda.ballot_sync(mask, True)
        out[i, 0] = left
        out[i, 1] = cuda.any_sync(mask, x[i] > 80)
        out[i, 2] = cuda.all_sync(mask, x[i] > 2)
        out[i, 3] = cuda.eq_sync(mask, x[i] > 4)
        out[i, 4] = cuda.match_any_sync(mask, x[i] % 3)
        same, all = cuda.match_all_sync(mask, x[i] > 4)
        out[i, 5] = same
        out[i, 6] = all
        out[i, 7] = cuda.shfl_sync(mask, x[i], 31 - clz(left))

#: repeat grids [1, 1], [2, 32], [2, 45], [20, 32]
#: total = GRID * BLOCK
#: x = rng.integers(0, 100, total) - 1000 * (rng.random(total) < rng.choice([.1, .5, .9], total // 32 + 1).repeat(32)[:total])
#: out, mask = poison((total, 8), "i8"), int(rng.choice([0xffffffff, rng.integers(1, 2**32)]))
#: launch any_of_them[GRID, BLOCK](x, out, mask)
#: want, lane = out_in.copy(), np.arange(total) % BLOCK % 32
#: warp = np.arange(total) // BLOCK * 100 + np.arange(total) % BLOCK // 32
#: for w in np.unique(warp):
#:     at = np.flatnonzero((warp == w) & (x >= 0) & (mask >> lane & 1 == 1))
#:     if len(at) == 0: continue
#:     v, bits = x[at], 1 << lane[at]
#:     one = (v > 4).all() or (v <= 4).all()
#:     want[at] = np.stack([0 * v + c for c in (bits.sum(), (v > 80).any(), (v > 2).all(), one, ((v[:, None] % 3 == v[None] % 3) * bits).sum(1), one * bits.sum(), one, v[-1])], 1)
#: expect out == want
