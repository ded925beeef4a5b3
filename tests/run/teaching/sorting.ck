"""Sorting, searching and merging."""
import numpy as np
from numba import cuda, int32, float32

SIZE = 128


#: a = rng.integers(-500, 500, 256, dtype=np.int32)
#: launches ["bitonic_step[2, 128](a, %d, %d)" % (j, k) for k in (2,4,8,16,32,64,128,256) for j in [k >> s for s in range(1, k.bit_length())]]
#: expect a == np.sort(a_in)
@cuda.jit
def bitonic_step(a, j, k):
    i = cuda.grid(1)
    ixj = i ^ j
    if ixj > i:
        if (i & k) == 0:
            if a[i] > a[ixj]:
                temp = a[i]
                a[i] = a[ixj]
                a[ixj] = temp
        else:
            if a[i] < a[ixj]:
                temp = a[i]
                a[i] = a[ixj]
                a[ixj] = temp


#: b = rng.normal(size=128).astype(np.float32)
#: launch bitonic_shared[1, 128](b)
#: expect b == np.sort(b_in)
@cuda.jit
def bitonic_shared(b):
    s = cuda.shared.array(SIZE, float32)
    t = cuda.threadIdx.x
    s[t] = b[t]
    cuda.syncthreads()
    k = 2
    while k <= SIZE:
        j = k >> 1
        while j > 0:
            partner = t ^ j
            if partner > t:
                up = (t & k) == 0
                if (s[t] > s[partner]) == up:
                    s[t], s[partner] = s[partner], s[t]
            cuda.syncthreads()
            j >>= 1
        k <<= 1
    b[t] = s[t]


#: c = rng.integers(0, 1000, 61)
#: launch odd_even_sort[1, 32](c)
#: expect c == np.sort(c_in)
@cuda.jit
def odd_even_sort(c):
    t = cuda.threadIdx.x
    n = c.size
    for phase in range(n):
        i = 2 * t + phase % 2
        if i + 1 < n and c[i] > c[i + 1]:
            c[i], c[i + 1] = c[i + 1], c[i]
        cuda.syncthreads()


#: r = rng.integers(0, 50, 150)
#: ranked = poison(150, np.int64)
#: launch rank_sort[2, 96](r, ranked)
#: expect ranked == np.sort(r)
@cuda.jit
def rank_sort(r, ranked):
    i = cuda.grid(1)
    if i < r.size:
        mine = r[i]
        rank = 0
        for j in range(r.size):
            if r[j] < mine or (r[j] == mine and j < i):
                rank += 1
        ranked[rank] = mine


#: hay = np.sort(rng.normal(size=333))
#: needles = rng.normal(size=100)
#: found = poison(100, np.int32)
#: launch lower_bound[4, 32](hay, needles, found)
#: expect found == np.searchsorted(hay, needles)
@cuda.jit
def lower_bound(hay, needles, found):
    i = cuda.grid(1)
    if i >= needles.size:
        return
    lo = 0
    hi = hay.size
    while lo < hi:
        mid = (lo + hi) // 2
        if hay[mid] < needles[i]:
            lo = mid + 1
        else:
            hi = mid
    found[i] = lo


#: u = np.sort(rng.integers(0, 99, 70, dtype=np.int16))
#: v = np.sort(rng.integers(0, 99, 55, dtype=np.int16))
#: merged = poison(125, np.int16)
#: launch merge_by_rank[4, 32](u, v, merged)
#: expect merged == np.sort(np.concatenate([u, v]))
@cuda.jit(device=True)
def count_below(arr, key, inclusive=False):
    lo, hi = 0, len(arr)
    while lo < hi:
        mid = (lo + hi) >> 1
        if arr[mid] < key or (inclusive and arr[mid] == key):
            lo = mid + 1
        else:
            hi = mid
    return lo


@cuda.jit
def merge_by_rank(u, v, merged):
    i = cuda.grid(1)
    if i < u.size:
        merged[i + count_below(v, u[i])] = u[i]
    elif i < u.size + v.size:
        k = i - u.size
        merged[k + count_below(u, v[k], inclusive=True)] = v[k]


#: keys = rng.integers(0, 2**32, 64, dtype=np.uint32)
#: launch radix_sort_block[1, 64](keys)
#: expect keys == np.sort(keys_in)
@cuda.jit
def radix_sort_block(keys):
    data = cuda.shared.array(64, np.uint32)
    scan = cuda.shared.array(64, np.int32)
    t = cuda.threadIdx.x
    data[t] = keys[t]
    cuda.syncthreads()
    for bit in range(32):
        x = data[t]
        zero = 1 - ((x >> bit) & 1)
        scan[t] = zero
        cuda.syncthreads()
        d = 1
        while d < 64:
            y = scan[t - d] if t >= d else 0
            cuda.syncthreads()
            scan[t] += y
            cuda.syncthreads()
            d *= 2
        zeros = scan[63]
        before = scan[t] - zero
        if zero:
            dest = before
        else:
            dest = zeros + t - before
        data[dest] = x
        cuda.syncthreads()
    keys[t] = data[t]


#: many = rng.integers(0, 100, (20, 15), dtype=np.int32)
#: launch insertion_sort_rows[1, 32](many)
#: expect many == np.sort(many_in, axis=1)
@cuda.jit
def insertion_sort_rows(many):
    r = cuda.grid(1)
    if r < many.shape[0]:
        row = many[r]
        for i in range(1, len(row)):
            key = row[i]
            j = i - 1
            while j >= 0 and row[j] > key:
                row[j + 1] = row[j]
                j -= 1
            row[j + 1] = key


#: m = rng.normal(size=(6, 50))
#: best = poison((6, 3), np.float64)
#: launch top_three[1, 6](m, best)
#: expect best == -np.sort(-m, axis=1)[:, :3]
@cuda.jit
def top_three(m, best):
    r = cuda.grid(1)
    if r < m.shape[0]:
        first = second = third = -np.inf
        for x in m[r]:
            if x > first:
                first, second, third = x, first, second
            elif x > second:
                second, third = x, second
            elif x > third:
                third = x
        best[r, 0] = first
        best[r, 1] = second
        best[r, 2] = third
