# The usual uses: a sum and a scan by shuffles, a block's sum by warps and shared memory, and a
# compaction by ballots that keeps the order in each block.

WARPS = 32

def warp_sum(v):
    offset = 16
    while offset > 0:
        v += cuda.shfl_down_sync(0xffffffff, v, offset)
        offset //= 2
    return v

def warp_scan(v):
    for k in range(5):
        below = cuda.shfl_up_sync(0xffffffff, v, 1 << k)
        if cuda.laneid >= 1 << k:
            v += below
    return v

def popcount(m):
    n = 0
    while m != 0:
        m &= m - 1
        n += 1
    return n

@kernel
def sums(x, total, scan):
    parts = shared.array(WARPS, float64)
    t = threadIdx.x
    i = grid(1)
    v = x[i] if i < len(x) else 0.0
    s = warp_scan(v)
    if i < len(x):
        scan[i] = s
    v = warp_sum(v)
    if cuda.laneid == 0:
        parts[t // cuda.warpsize] = v
    syncthreads()
    if t < 32:
        v = parts[t] if t < blockDim.x // 32 else 0.0
        v = warp_sum(v)
        if t == 0:
            total[blockIdx.x] = v

@kernel
def compact(x: int32[::1], kept: int32[:, ::1], count: int64[::1]):
    starts = shared.array(WARPS + 1, int64)
    t = threadIdx.x
    i = grid(1)
    keep = i < len(x) and x[min(i, len(x) - 1)] > 0
    votes = cuda.ballot_sync(0xffffffff, keep)
    if cuda.laneid == 0:
        starts[t // 32 + 1] = popcount(votes)
    if t == 0:
        starts[0] = 0
    total = cuda.syncthreads_count(keep)
    if t == 0:
        for w in range(blockDim.x // 32):
            starts[w + 1] += starts[w]
        count[blockIdx.x] = total
    syncthreads()
    if keep:
        kept[blockIdx.x, starts[t // 32] + popcount(votes & cuda.lanemask_lt())] = x[i]

#: repeat grids [1, 32], [2, 64], [3, 96], [2, 1024]
#: n = GRID * BLOCK - 7
#: f = rng.integers(-100, 100, n).astype("f8")
#: x = rng.integers(-5, 5, n).astype("i4")
#: total, scan = poison(GRID, "f8"), poison(n, "f8")
#: kept, count = np.zeros((GRID, BLOCK), "i4"), poison(GRID, "i8")
#: launch sums[GRID, BLOCK](f, total, scan)
#: launch compact[GRID, BLOCK](x, kept, count)
#: pad = np.append(f, np.zeros(7))
#: expect total == pad.reshape(GRID, BLOCK).sum(1)
#: expect scan == pad.reshape(-1, 32).cumsum(1).ravel()[:n]
#: rows = [r[r > 0] for r in np.append(x, np.zeros(7, "i4")).reshape(GRID, BLOCK)]
#: expect count == [len(r) for r in rows]
#: expect [np.array_equal(kept[b], np.append(r, np.zeros(BLOCK - len(r)))) for b, r in enumerate(rows)]
