"""Warp-level programming."""
import numpy as np
from numba import cuda, int32, uint32

FULL = 0xFFFFFFFF


#: a = rng.integers(-99, 99, 64, dtype=np.int32)
#: b = poison(64, np.int32)
#: launch broadcast_lane[2, 32](a, b, 5)
#: expect b == np.repeat(a.reshape(2, 32)[:, 5], 32)
@cuda.jit
def broadcast_lane(a, b, src):
    i = cuda.grid(1)
    b[i] = cuda.shfl_sync(FULL, a[i], src)


#: r = poison(64, np.int32)
#: launch reverse_in_warp[1, 64](a, r)
#: expect r == a.reshape(2, 32)[:, ::-1].ravel()
@cuda.jit
def reverse_in_warp(a, r):
    i = cuda.grid(1)
    lane = cuda.laneid
    r[i] = cuda.shfl_sync(FULL, a[i], 31 - lane)


#: flags = rng.integers(0, 2, 96, dtype=np.int32)
#: votes = poison((3, 4), np.int64)
#: flags[:32] = 1
#: launch votes_of_warps[1, 96](flags, votes)
#: w = flags.reshape(3, 32)
#: expect votes == np.stack([w.all(1), w.any(1), (w == w[:, :1]).all(1), (w.astype(np.int64) << np.arange(32)).sum(1)], 1)
@cuda.jit
def votes_of_warps(flags, votes):
    t = cuda.threadIdx.x
    wid = t // 32
    p = flags[t] != 0
    every = cuda.all_sync(FULL, p)
    some = cuda.any_sync(FULL, p)
    alike = cuda.eq_sync(FULL, p)
    mask = cuda.ballot_sync(FULL, p)
    if cuda.laneid == 0:
        votes[wid, 0] = every
        votes[wid, 1] = some
        votes[wid, 2] = alike
        votes[wid, 3] = mask


#: src = rng.integers(-50, 50, 128, dtype=np.int32)
#: dst = poison(128, np.int32)
#: n = np.zeros(1, np.int32)
#: launch warp_aggregated_filter[4, 32](src, dst, n)
#: want = src[src > 0]
#: expect n == len(want)
#: expect np.sort(dst[:len(want)]) == np.sort(want)
@cuda.jit
def warp_aggregated_filter(src, dst, n):
    i = cuda.grid(1)
    keep = src[i] > 0
    mask = cuda.ballot_sync(FULL, keep)
    lane = cuda.laneid
    base = 0
    leader = cuda.ffs(mask) - 1
    if keep and lane == leader:
        base = cuda.atomic.add(n, 0, cuda.popc(mask))
    base = cuda.shfl_sync(FULL, base, leader)
    if keep:
        rank = cuda.popc(mask & cuda.lanemask_lt())
        dst[base + rank] = src[i]


#: f = rng.normal(size=32).astype(np.float32)
#: top = poison(32, np.float32)
#: launch butterfly_max[1, 32](f, top)
#: expect top == f.max()
@cuda.jit
def butterfly_max(f, top):
    v = f[cuda.laneid]
    i = 16
    while i >= 1:
        v = max(v, cuda.shfl_xor_sync(FULL, v, i))
        i //= 2
    top[cuda.laneid] = v


#: vals = rng.integers(0, 4, 32, dtype=np.int32)
#: peers = poison(32, np.uint32)
#: launch matching_lanes[1, 32](vals, peers)
#: expect peers == np.array([sum(1 << j for j in range(32) if vals[j] == v) for v in vals])
@cuda.jit
def matching_lanes(vals, peers):
    lane = cuda.laneid
    peers[lane] = cuda.match_any_sync(FULL, vals[lane])


#: q = rng.integers(0, 1000, 32, dtype=np.int32)
#: qs = poison(32, np.int32)
#: launch warp_bitonic[1, 32](q, qs)
#: expect qs == np.sort(q)
@cuda.jit
def warp_bitonic(q, qs):
    lane = cuda.laneid
    v = q[lane]
    size = 2
    while size <= 32:
        stride = size >> 1
        while stride > 0:
            other = cuda.shfl_xor_sync(FULL, v, stride)
            ascending = (lane & size) == 0
            lower = (lane & stride) == 0
            if lower == ascending:
                v = min(v, other)
            else:
                v = max(v, other)
            stride >>= 1
        size <<= 1
    qs[lane] = v


#: d = rng.normal(size=(9, 40))
#: rowmax = poison(9, np.float64)
#: launch warp_per_row_max[3, (32, 3)](d, rowmax)
#: expect rowmax == d.max(1)
@cuda.jit
def warp_per_row_max(d, rowmax):
    row = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
    best = -np.inf
    for j in range(cuda.threadIdx.x, d.shape[1], 32):
        best = max(best, d[row, j])
    for delta in range(5):
        best = max(best, cuda.shfl_down_sync(FULL, best, 1 << delta))
    if cuda.threadIdx.x == 0:
        rowmax[row] = best


#: neigh = poison(32, np.int32)
#: launch pass_along[1, 32](q, neigh)
#: expect neigh == q - np.concatenate([[0], q[:-1]])
@cuda.jit
def pass_along(q, neigh):
    s = cuda.shared.array(32, dtype=int32)
    lane = cuda.threadIdx.x
    s[lane] = q[lane]
    cuda.syncwarp()
    prev = s[lane - 1] if lane > 0 else 0
    neigh[lane] = s[lane] - prev
