# Sums and their kin: by atomics, in shared memory, dot products, norms, extremes, a prefix sum.
#: n = 2000
#: x = rng.integers(-50, 50, n, dtype=np.int64)
#: f = rng.integers(-8, 8, n).astype(np.float64)
#: g = rng.integers(-8, 8, n).astype(np.float64)
#: total = np.zeros(1, np.int64)
#: part = poison(8, np.float64)
#: result = np.zeros(1, np.float64)
#: launch sum_atomic[8, 256](x, total)
#: expect total == x.sum()
#: launch block_sum[8, 256](f, part)
#: expect part == np.pad(f, (0, 48)).reshape(8, 256).sum(1)
#: launch dot[4, 128](f, g, result)
#: expect result == f @ g
#: norm = np.zeros(2, np.float64)
#: launch norms[1, 128](f, norm)
#: expect close(norm, [np.abs(f).sum(), np.sqrt((f * f).sum())], 1e-12)
#: small = rng.integers(-10**9, 10**9, 100, dtype=np.int32)
#: ends = poison(2, np.int32)
#: launch extremes[1, 64](small, ends)
#: expect ends == [small.min(), small.max()]
#: scan = poison(256, np.int64)
#: launch prefix_sum[1, 256](x, scan)
#: expect scan == np.cumsum(x[:256])
import numpy as np
from numba import cuda, float64, int32, int64

BLOCK = 256


@cuda.jit
def sum_atomic(x, total):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(total, 0, x[i])


@cuda.jit
def block_sum(a, out):
    buf = cuda.shared.array(BLOCK, float64)
    tid = cuda.threadIdx.x
    i = cuda.grid(1)
    buf[tid] = a[i] if i < a.size else 0.0
    cuda.syncthreads()
    s = cuda.blockDim.x // 2
    while s > 0:
        if tid < s:
            buf[tid] += buf[tid + s]
        cuda.syncthreads()
        s //= 2
    if tid == 0:
        out[cuda.blockIdx.x] = buf[0]


@cuda.jit
def dot(a, b, result):
    sums = cuda.shared.array(shape=128, dtype=np.float64)
    me = cuda.threadIdx.x
    sums[me] = 0.0
    for i in range(cuda.grid(1), len(a), cuda.gridsize(1)):
        sums[me] += a[i] * b[i]
    for half in (64, 32, 16, 8, 4, 2, 1):
        cuda.syncthreads()
        if me < half:
            sums[me] += sums[me + half]
    if me == 0:
        cuda.atomic.add(result, 0, sums[0])


@cuda.jit
def norms(a, out):
    partial = cuda.shared.array((2, 128), float64)
    t = cuda.threadIdx.x
    partial[0, t] = 0
    partial[1, t] = 0
    for i in range(t, a.size, cuda.blockDim.x):
        partial[0, t] += abs(a[i])
        partial[1, t] += a[i] ** 2
    cuda.syncthreads()
    if t == 0:
        l1 = 0.0
        l2 = 0.0
        for k in range(cuda.blockDim.x):
            l1 += partial[0, k]
            l2 += partial[1, k]
        out[0] = l1
        out[1] = l2 ** 0.5


@cuda.jit
def extremes(a, out):
    low = cuda.shared.array(64, int32)
    high = cuda.shared.array(64, int32)
    t = cuda.threadIdx.x
    low[t] = high[t] = a[t]
    for i in range(t + 64, len(a), 64):
        low[t] = min(low[t], a[i])
        high[t] = max(high[t], a[i])
    cuda.syncthreads()
    if t == 0:
        lowest, highest = low[0], high[0]
        for k in range(1, 64):
            lowest = min(lowest, low[k])
            highest = max(highest, high[k])
        out[0], out[1] = lowest, highest


@cuda.jit
def prefix_sum(a, out):
    temp = cuda.shared.array(BLOCK, int64)
    t = cuda.threadIdx.x
    temp[t] = a[t]
    cuda.syncthreads()
    offset = 1
    while offset < BLOCK:
        left = int64(0)
        if t >= offset:
            left = temp[t - offset]
        cuda.syncthreads()
        temp[t] += left
        cuda.syncthreads()
        offset *= 2
    out[t] = temp[t]
