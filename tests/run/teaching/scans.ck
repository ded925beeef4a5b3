"""Prefix sums and what is made of them."""
import numpy as np
from numba import cuda, int32, int64

N = 64


#: a = rng.integers(0, 100, 64, dtype=np.int32)
#: out = poison(64, np.int32)
#: launch inclusive_hillis_steele[1, 64](a, out)
#: expect out == np.cumsum(a)
@cuda.jit
def inclusive_hillis_steele(a, out):
    temp = cuda.shared.array((2, N), int32)
    t = cuda.threadIdx.x
    pout, pin = 0, 1
    temp[pout, t] = a[t]
    cuda.syncthreads()
    offset = 1
    while offset < N:
        pout = 1 - pout
        pin = 1 - pout
        if t >= offset:
            temp[pout, t] = temp[pin, t] + temp[pin, t - offset]
        else:
            temp[pout, t] = temp[pin, t]
        cuda.syncthreads()
        offset *= 2
    out[t] = temp[pout, t]


#: b = rng.integers(0, 100, 128, dtype=np.int32)
#: ex = poison(128, np.int32)
#: launch exclusive_blelloch[1, 64, 0, 512](ex, b, 128)
#: expect ex == np.cumsum(b) - b
@cuda.jit
def exclusive_blelloch(g_odata, g_idata, n):
    temp = cuda.shared.array(0, dtype=int32)
    thid = cuda.threadIdx.x
    offset = 1
    temp[2 * thid] = g_idata[2 * thid]
    temp[2 * thid + 1] = g_idata[2 * thid + 1]
    d = n >> 1
    while d > 0:
        cuda.syncthreads()
        if thid < d:
            ai = offset * (2 * thid + 1) - 1
            bi = offset * (2 * thid + 2) - 1
            temp[bi] += temp[ai]
        offset *= 2
        d >>= 1
    if thid == 0:
        temp[n - 1] = 0
    d = 1
    while d < n:
        offset >>= 1
        cuda.syncthreads()
        if thid < d:
            ai = offset * (2 * thid + 1) - 1
            bi = offset * (2 * thid + 2) - 1
            t = temp[ai]
            temp[ai] = temp[bi]
            temp[bi] += t
        d *= 2
    cuda.syncthreads()
    g_odata[2 * thid] = temp[2 * thid]
    g_odata[2 * thid + 1] = temp[2 * thid + 1]


#: c = rng.integers(-9, 9, 96)
#: cs = poison(96, np.int64)
#: launch warp_inclusive_scan[1, 96](c, cs)
#: expect cs == np.cumsum(c.reshape(3, 32), axis=1).ravel()
@cuda.jit
def warp_inclusive_scan(c, cs):
    i = cuda.threadIdx.x
    lane = i & 31
    value = c[i]
    for shift in (1, 2, 4, 8, 16):
        other = cuda.shfl_up_sync(0xFFFFFFFF, value, shift)
        if lane >= shift:
            value += other
    cs[i] = value


#: src = rng.integers(-100, 100, 300, dtype=np.int32)
#: packed = poison(300, np.int32)
#: count = np.zeros(1, np.int32)
#: launch compact_positive[3, 128](src, packed, count)
#: want = src[src > 0]
#: expect count == len(want)
#: expect np.sort(packed[:len(want)]) == np.sort(want)
#: expect packed[len(want):] == packed_in[len(want):]
@cuda.jit
def compact_positive(src, packed, count):
    i = cuda.grid(1)
    if i < len(src) and src[i] > 0:
        pos = cuda.atomic.add(count, 0, 1)
        packed[pos] = src[i]


#: keep = rng.integers(0, 2, 64, dtype=np.uint8)
#: items = rng.normal(size=64)
#: kept = poison(64, np.float64)
#: launch stable_compact[1, 64](items, keep, kept)
#: expect kept[:keep.sum()] == items[keep == 1]
#: expect kept[keep.sum():] == kept_in[keep.sum():]
@cuda.jit
def stable_compact(items, keep, kept):
    s = cuda.shared.array(N, dtype=np.int32)
    t = cuda.threadIdx.x
    s[t] = keep[t]
    cuda.syncthreads()
    d = 1
    while d < N:
        v = 0
        if t >= d:
            v = s[t - d]
        cuda.syncthreads()
        s[t] += v
        cuda.syncthreads()
        d <<= 1
    if keep[t]:
        kept[s[t] - 1] = items[t]


#: img = rng.integers(0, 9, (13, 21), dtype=np.int32)
#: integral = poison((13, 21), np.int64)
#: launch row_prefix[1, 32](img, integral)
#: launch column_prefix[1, 32](integral)
#: expect integral == img.cumsum(0).cumsum(1)
@cuda.jit
def row_prefix(img, integral):
    r = cuda.grid(1)
    if r < img.shape[0]:
        running = 0
        for c in range(img.shape[1]):
            running += img[r, c]
            integral[r, c] = running


@cuda.jit
def column_prefix(integral):
    c = cuda.grid(1)
    if c < integral.shape[1]:
        for r in range(1, integral.shape[0]):
            integral[r, c] += integral[r - 1, c]


#: vals = rng.normal(size=40)
#: heads = (rng.random(40) < 0.2).astype(np.int8)
#: heads[0] = 1
#: seg = poison(40, np.float64)
#: launch segmented_sum[2, 32](vals, heads, seg)
#: want = np.concatenate([np.cumsum(p) for p in np.split(vals, np.flatnonzero(heads)[1:])])
#: expect close(seg, want, 1e-12, 1e-12)
@cuda.jit
def segmented_sum(vals, heads, seg):
    i = cuda.grid(1)
    if i < vals.shape[0] and heads[i]:
        acc = 0.0
        j = i
        while True:
            acc += vals[j]
            seg[j] = acc
            j += 1
            if j == vals.shape[0] or heads[j]:
                break


#: rl = np.repeat(rng.integers(0, 5, 30), rng.integers(1, 6, 30)).astype(np.int32)
#: starts = poison(len(rl), np.int8)
#: launch mark_run_starts[4, 32](rl, starts)
#: expect starts == np.concatenate([[1], (np.diff(rl) != 0)])
@cuda.jit
def mark_run_starts(rl, starts):
    i = cuda.grid(1)
    if i < rl.size:
        starts[i] = i == 0 or rl[i] != rl[i - 1]
