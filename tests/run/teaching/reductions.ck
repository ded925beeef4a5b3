"""Sums, minima and other reductions."""
import math

import numpy as np
import numba
from numba import cuda, types
from numba.cuda import atomic

BLOCK = 128


#: x = rng.integers(-1000, 1000, 1000)
#: total = np.zeros(1, np.int64)
#: launch sum_atomic[4, 256](x, total)
#: expect total == x.sum()
@cuda.jit
def sum_atomic(x, total):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(total, 0, x[i])


#: data = rng.integers(0, 1000, 128)
#: launch sum_in_shared[1, 128](data)
#: expect data[0] == data_in.sum()
@cuda.jit
def sum_in_shared(data):
    tid = cuda.threadIdx.x
    size = len(data)
    if tid < size:
        i = cuda.grid(1)
        shr = cuda.shared.array(BLOCK, types.int64)
        shr[tid] = data[i]
        cuda.syncthreads()
        s = 1
        while s < cuda.blockDim.x:
            if tid % (2 * s) == 0:
                shr[tid] += shr[tid + s]
            s *= 2
            cuda.syncthreads()
        if tid == 0:
            data[tid] = shr[tid]


#: v = rng.normal(size=3001).astype(np.float32)
#: partial = poison(7, np.float32)
#: launch block_sums[7, 128](v, partial)
#: expect close(partial.sum(dtype=np.float64), v.sum(dtype=np.float64), 1e-4, 1e-3)
@cuda.jit
def block_sums(v, partial):
    s_block = cuda.shared.array((BLOCK,), numba.float32)
    i_start = cuda.grid(1)
    threads_per_grid = cuda.blockDim.x * cuda.gridDim.x
    s_thread = 0.0
    for i_arr in range(i_start, v.size, threads_per_grid):
        s_thread += v[i_arr]
    tid = cuda.threadIdx.x
    s_block[tid] = s_thread
    cuda.syncthreads()
    i = cuda.blockDim.x // 2
    while (i > 0):
        if (tid < i):
            s_block[tid] += s_block[tid + i]
        cuda.syncthreads()
        i //= 2
    if tid == 0:
        partial[cuda.blockIdx.x] = s_block[0]


#: z = rng.normal(size=900)
#: lo = np.full(1, np.inf)
#: hi = np.full(1, -np.inf)
#: launch min_max[3, 100](z, lo, hi)
#: expect lo == z.min()
#: expect hi == z.max()
@cuda.jit
def min_max(z, lo, hi):
    tid = cuda.threadIdx.x
    smin = cuda.shared.array(shape=0, dtype=numba.float64)
    local_min = math.inf
    local_max = -math.inf
    for i in range(cuda.grid(1), z.size, cuda.gridsize(1)):
        local_min = min(local_min, z[i])
        local_max = max(local_max, z[i])
    cuda.atomic.min(lo, 0, local_min)
    cuda.atomic.max(hi, 0, local_max)


#: w = rng.normal(size=256).astype(np.float32)
#: where = poison(1, np.int32)
#: launch argmax_block[1, 256](w, where)
#: expect where == np.argmax(w)
@cuda.jit
def argmax_block(w, where):
    val = cuda.shared.array(256, dtype=np.float32)
    idx = cuda.shared.array(256, dtype=np.int32)
    t = cuda.threadIdx.x
    val[t] = w[t]
    idx[t] = t
    cuda.syncthreads()
    half = 128
    while half:
        if t < half:
            if val[t + half] > val[t] or (val[t + half] == val[t] and idx[t + half] < idx[t]):
                val[t] = val[t + half]
                idx[t] = idx[t + half]
        cuda.syncthreads()
        half >>= 1
    if t == 0:
        where[0] = idx[0]


@cuda.jit(device=True)
def warp_sum(value):
    offset = 16
    while offset > 0:
        value += cuda.shfl_down_sync(0xffffffff, value, offset)
        offset //= 2
    return value


#: r = rng.normal(size=1111)
#: s = np.zeros(1)
#: launch sum_by_warps[4, 128](r, s)
#: expect close(s, r.sum(), 1e-9, 1e-9)
@cuda.jit
def sum_by_warps(r, s):
    warps = cuda.shared.array(32, numba.float64)
    lane = cuda.threadIdx.x % cuda.warpsize
    wid = cuda.threadIdx.x // cuda.warpsize
    acc = 0.0
    for i in range(cuda.grid(1), r.shape[0], cuda.gridsize(1)):
        acc += r[i]
    acc = warp_sum(acc)
    if lane == 0:
        warps[wid] = acc
    cuda.syncthreads()
    if wid == 0:
        acc = warps[lane] if lane < cuda.blockDim.x // cuda.warpsize else 0.0
        acc = warp_sum(acc)
        if lane == 0:
            atomic.add(s, 0, acc)


#: p = rng.normal(size=777)
#: q = rng.normal(size=777)
#: dots = np.zeros(1)
#: launch dot[2, 128](p, q, dots)
#: expect close(dots, p @ q, 1e-10, 1e-10)
@cuda.jit
def dot(p, q, dots):
    cache = cuda.shared.array(shape=BLOCK, dtype=np.float64)
    tid = cuda.grid(1)
    cacheIndex = cuda.threadIdx.x
    temp = 0.
    while tid < p.size:
        temp += p[tid] * q[tid]
        tid += cuda.blockDim.x * cuda.gridDim.x
    cache[cacheIndex] = temp
    cuda.syncthreads()
    i = cuda.blockDim.x // 2
    while i != 0:
        if cacheIndex < i:
            cache[cacheIndex] += cache[cacheIndex + i]
        cuda.syncthreads()
        i = i // 2
    if cacheIndex == 0:
        cuda.atomic.add(dots, 0, cache[0])


#: flags = rng.integers(0, 2, 500).astype(np.bool_)
#: n_true = np.zeros(1, np.uint32)
#: launch count_true[4, 128](flags, n_true)
#: expect n_true == flags.sum()
@cuda.jit
def count_true(flags, n_true):
    i = cuda.grid(1)
    mine = i < flags.size and flags[i]
    here = cuda.syncthreads_count(mine)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(n_true, 0, here)


#: logs = rng.normal(size=60) * 10
#: lse = poison(1, np.float64)
#: launch log_sum_exp[1, 64](logs, lse)
#: expect close(lse, np.logaddexp.reduce(logs), 1e-12)
@cuda.jit
def log_sum_exp(logs, lse):
    t = cuda.threadIdx.x
    buf = cuda.shared.array(64, numba.float64)
    buf[t] = logs[t] if t < logs.size else -np.inf
    cuda.syncthreads()
    for k in range(5, -1, -1):
        half = 1 << k
        if t < half:
            buf[t] = max(buf[t], buf[t + half])
        cuda.syncthreads()
    top = buf[0]
    cuda.syncthreads()
    buf[t] = math.exp(logs[t] - top) if t < logs.size else 0.0
    cuda.syncthreads()
    for k in range(5, -1, -1):
        half = 1 << k
        if t < half:
            buf[t] += buf[t + half]
        cuda.syncthreads()
    if t == 0:
        lse[0] = top + math.log(buf[0])


@cuda.reduce
def sum_reduce(a, b):
    return a + b


def main():
    A = np.arange(1234, dtype=np.float64) + 1
    expect = A.sum()
    got = sum_reduce(A)
    assert expect == got
    assert got == sum_reduce(A, init=0)
