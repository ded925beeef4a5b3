# Shuffles, votes, matches and operations of tiles and coalesced groups after the last barrier that
# follows a `return`: they are of the threads that are left.
from numba import cuda

FULL = 0xffffffff
SIZE = 256

@kernel
def sums(x: int32[::1], o: int32[::1]):
    s = shared.array(SIZE, int32)
    i = grid(1)
    if i >= x.size or x[i] % 5 == 3:
        return
    s[threadIdx.x] = x[i]
    syncthreads()
    t = tiled_partition(this_thread_block(), 16)
    o[i] = t.reduce(s[threadIdx.x])
    o[i] += 1000 * popc(t.ballot(s[threadIdx.x] % 2 == 0))

@kernel
def warps(x: int32[::1], o: int32[:, ::1]):
    s = shared.array(SIZE, int32)
    i = grid(1)
    if threadIdx.x % 4 == 1:
        return
    s[threadIdx.x] = x[i]
    syncthreads()
    v = s[threadIdx.x]
    o[0, i] = ballot_sync(FULL, v % 2 == 0)
    o[1, i] = shfl_sync(FULL, v, laneid // 4 * 4)
    o[2, i] = any_sync(FULL, v > 90)
    if blockIdx.x % 2 == 0:
        o[2, i] += 10 * all_sync(FULL, v < 90)
        o[2, i] += match_any_sync(FULL, v % 3)
    syncwarp()
    g = coalesced_threads()
    o[3, i] = g.reduce(v, greater)

# The threads of a branch around the barrier are none that combine.
@kernel
def branch_at_the_end(x: int32[::1], o: int32[::1]):
    s = shared.array(SIZE, int32)
    i = grid(1)
    if blockIdx.x % 2 == 0:
        if i >= x.size:
            return
        s[threadIdx.x] = x[i]
        syncthreads()
        o[i] = tiled_partition(this_thread_block(), 8).reduce(s[threadIdx.x], greater)
        if threadIdx.x % 3 == 0:
            return
    else:
        if i < x.size:
            o[i] = x[i]
        if i >= x.size - 1:
            return
    if i < x.size:
        o[i] += tiled_partition(this_thread_block(), 1).reduce(100)

#: repeat grids [1, 32], [3, 64], [4, 100]
#: n = GRID * BLOCK
#: t, b = np.arange(n) % BLOCK, np.arange(n) // BLOCK
#: warp, tile = b * 100 + t // 32, b * 100 + t // 16
#: x = rng.integers(0, 100, n - 7).astype("i4")
#: o = np.zeros(n, "i4")
#: launch sums[GRID, BLOCK](x, o)
#: padded = np.append(x, np.full(7, 3))
#: here = padded % 5 != 3
#: expect o == [(padded[here & (tile == tile[k])].sum() + 1000 * (padded[here & (tile == tile[k])] % 2 == 0).sum()) if here[k] else 0 for k in range(n)]
#: x = rng.integers(0, 100, n).astype("i4")
#: o = np.zeros((4, n), "i4")
#: launch warps[GRID, BLOCK](x, o)
#: here = t % 4 != 1
#: def bits(mask):
#:     return np.int64(sum(1 << (int(t[k]) % 32) for k in np.flatnonzero(mask))).astype("i4")
#: def wanted(k):
#:     mine = here & (warp == warp[k])
#:     v = x[mine]
#:     third = (v > 90).any() + (10 * (v < 90).all() + np.int64(bits(mine & (x % 3 == x[k] % 3))) if b[k] % 2 == 0 else 0)
#:     return [bits(mine & (x % 2 == 0)), x[k // BLOCK * BLOCK + t[k] // 4 * 4], np.int64(third).astype("i4"), v.max()]
#: expect o == np.array([wanted(k) if here[k] else [0] * 4 for k in range(n)]).T
#: x = rng.integers(0, 100, n - 3).astype("i4")
#: o = np.zeros(n, "i4")
#: launch branch_at_the_end[GRID, BLOCK](x, o)
#: def last(k):
#:     if k >= x.size:
#:         return 0
#:     if b[k] % 2 == 0:
#:         tile = [j for j in range(x.size) if b[j] == b[k] and t[j] // 8 == t[k] // 8]
#:         return x[tile].max() + (100 if t[k] % 3 else 0)
#:     return x[k] + (100 if k < x.size - 1 else 0)
#: expect o == [last(k) for k in range(n)]
