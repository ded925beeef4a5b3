# Sorting, merging, scans and searches. Blocks have 256 threads unless a kernel says otherwise.
from numba import cuda, float32, int32


# A step of a bitonic sort: pairs at distance j in runs of k, in alternating directions.
@cuda.jit("void(int32[::1], int64, int64)")
def bitonic_step(x, j, k):
    i = cuda.grid(1)
    other = i ^ j
    if other > i and other < x.size:
        a = x[i]
        b = x[other]
        if (i & k) == 0:
            if a > b:
                x[i] = b
                x[other] = a
        else:
            if a < b:
                x[i] = b
                x[other] = a


# Sorts 512 keys in shared memory.
@cuda.jit("void(float32[::1])")
def bitonic_block(x):
    s = cuda.shared.array(512, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * 512
    s[t] = x[first + t]
    s[t + 256] = x[first + t + 256]
    k = 2
    while k <= 512:
        j = k // 2
        while j > 0:
            cuda.syncthreads()
            i = 2 * t - (t & (j - 1))
            a = s[i]
            b = s[i + j]
            if (a > b) == ((i & k) == 0):
                s[i] = b
                s[i + j] = a
            j //= 2
        k *= 2
    cuda.syncthreads()
    x[first + t] = s[t]
    x[first + t + 256] = s[t + 256]


# A step of Batcher's odd-even merge sort: pairs at distance k where runs of p are merged.
@cuda.jit("void(int32[::1], int64, int64)")
def odd_even_merge_step(x, p, k):
    i = cuda.grid(1)
    first = k % p
    if i >= first and i + k < x.size and (i - first) // k % 2 == 0:
        if i // (2 * p) == (i + k) // (2 * p):
            a = x[i]
            b = x[i + k]
            if a > b:
                x[i] = b
                x[i + k] = a


# Hillis and Steele's inclusive scan of each block's elements, and the blocks' sums.
@cuda.jit
def block_scan(x, out, sums):
    s = cuda.shared.array((2, 256), float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[0, t] = x[i] if i < x.size else float32(0)
    cuda.syncthreads()
    now = 0
    distance = 1
    while distance < 256:
        s[1 - now, t] = s[now, t] + s[now, t - distance] if t >= distance else s[now, t]
        now = 1 - now
        cuda.syncthreads()
        distance *= 2
    if i < x.size:
        out[i] = s[now, t]
    if t == 255:
        sums[cuda.blockIdx.x] = s[now, t]


# Blelloch's exclusive scan of 512 elements.
@cuda.jit("void(int32[::1], int32[::1])")
def scan_blelloch(x, out):
    s = cuda.shared.array(512, int32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * 512
    s[2 * t] = x[first + 2 * t]
    s[2 * t + 1] = x[first + 2 * t + 1]
    offset = 1
    d = 256
    while d > 0:
        cuda.syncthreads()
        if t < d:
            a = offset * (2 * t + 1) - 1
            b = offset * (2 * t + 2) - 1
            s[b] += s[a]
        offset *= 2
        d >>= 1
    if t == 0:
        s[511] = 0
    d = 1
    while d < 512:
        offset >>= 1
        cuda.syncthreads()
        if t < d:
            a = offset * (2 * t + 1) - 1
            b = offset * (2 * t + 2) - 1
            c = s[a]
            s[a] = s[b]
            s[b] += c
        d *= 2
    cuda.syncthreads()
    out[first + 2 * t] = s[2 * t]
    out[first + 2 * t + 1] = s[2 * t + 1]


# An inclusive scan of each block by shuffles of its warps, then of their sums.
@cuda.jit("void(int32[::1], int32[::1])")
def scan_warps(x, out):
    sums = cuda.shared.array(8, int32)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    i = cuda.grid(1)
    value = x[i] if i < x.size else int32(0)
    for d in (1, 2, 4, 8, 16):
        other = cuda.shfl_up_sync(0xffffffff, value, d)
        if lane >= d:
            value += other
    if lane == 31:
        sums[warp] = value
    cuda.syncthreads()
    for w in range(warp):
        value += sums[w]
    if i < x.size:
        out[i] = value


# How often each of 16 digits is in the keys of a block: digit by digit for a scan.
@cuda.jit("void(uint32[::1], int32[:, ::1], int64)")
def radix_histogram(keys, counts, shift):
    local = cuda.shared.array(16, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if t < 16:
        local[t] = 0
    cuda.syncthreads()
    if i < keys.size:
        cuda.atomic.add(local, (keys[i] >> shift) & 15, 1)
    cuda.syncthreads()
    if t < 16:
        counts[t, cuda.blockIdx.x] = local[t]


# Keys to where their digit begins for the block, in their order.
@cuda.jit("void(uint32[::1], int32[:, ::1], uint32[::1], int64)")
def radix_scatter(keys, starts, out, shift):
    digits = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    digit = int32((keys[i] >> shift) & 15)
    digits[t] = digit
    cuda.syncthreads()
    rank = 0
    for k in range(t):
        if digits[k] == digit:
            rank += 1
    out[starts[cuda.blockIdx.x, digit] + rank] = keys[i]


# The positive elements of each block to the block's part of the output, and their number.
@cuda.jit("void(float32[::1], float32[::1], int32[::1])")
def compact(x, out, counts):
    sums = cuda.shared.array(8, int32)
    t = cuda.threadIdx.x
    lane = t & 31
    warp = t >> 5
    i = cuda.grid(1)
    keep = i < x.size and x[i] > 0
    votes = cuda.ballot_sync(0xffffffff, keep)
    before = cuda.popc(votes & cuda.lanemask_lt())
    if lane == 0:
        sums[warp] = cuda.popc(votes)
    cuda.syncthreads()
    first = 0
    total = 0
    for w in range(8):
        if w < warp:
            first += sums[w]
        total += sums[w]
    if keep:
        out[cuda.blockIdx.x * 256 + first + before] = x[i]
    if t == 0:
        counts[cuda.blockIdx.x] = total


# Merges two sorted arrays: each element of the first looks up how many of the second are less,
# and each of the second how many of the first are not greater.
@cuda.jit
def merge_by_rank(a, b, out):
    i = cuda.grid(1)
    n = a.size
    if i < n:
        low = 0
        high = b.size
        while low < high:
            middle = (low + high) // 2
            if b[middle] < a[i]:
                low = middle + 1
            else:
                high = middle
        out[i + low] = a[i]
    elif i < n + b.size:
        j = i - n
        low = 0
        high = n
        while low < high:
            middle = (low + high) // 2
            if a[middle] <= b[j]:
                low = middle + 1
            else:
                high = middle
        out[j + low] = b[j]


# Where each query belongs in sorted keys.
@cuda.jit("void(int32[::1], int32[::1], int32[::1])")
def binary_search(keys, queries, places):
    i = cuda.grid(1)
    if i < queries.size:
        low = 0
        high = keys.size
        while low < high:
            middle = (low + high) >> 1
            if keys[middle] < queries[i]:
                low = middle + 1
            else:
                high = middle
        places[i] = low


# Each key's place among all, by comparing it with every other one, tile after tile.
@cuda.jit("void(int32[::1], int32[::1])")
def rank_sort(keys, out):
    tile = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    n = keys.size
    key = keys[i] if i < n else int32(0)
    rank = 0
    for first in range(0, n, 256):
        if first + t < n:
            tile[t] = keys[first + t]
        cuda.syncthreads()
        for k in range(min(256, n - first)):
            if tile[k] < key or (tile[k] == key and first + k < i):
                rank += 1
        cuda.syncthreads()
    if i < n:
        out[rank] = key
