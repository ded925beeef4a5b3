"""Atomics, locks and memory fences."""
#: check no: the last block of `last_block_sums` reads without a fence of its own
import numpy as np
from numba import cuda, int32, uint32, uint64


@cuda.jit(device=True)
def lock(mutex):
    while cuda.atomic.compare_and_swap(mutex, 0, 1) != 0:
        pass
    cuda.threadfence()


@cuda.jit(device=True)
def unlock(mutex):
    cuda.threadfence()
    cuda.atomic.exch(mutex, 0, 0)


#: mutex = np.zeros(1, np.int32)
#: result = np.zeros(1, np.float64)
#: addends = rng.integers(0, 100, 6).astype(np.float64)
#: launch critical_section[6, 32](mutex, addends, result)
#: expect result == addends.sum()
#: expect mutex == 0
@cuda.jit
def critical_section(mutex, addends, result):
    if cuda.threadIdx.x == 0:
        lock(mutex)
        result[0] += addends[cuda.blockIdx.x]
        unlock(mutex)


#: x = rng.normal(size=500)
#: partial = poison(5, np.float64)
#: ticket = np.zeros(1, np.int32)
#: total = poison(1, np.float64)
#: launch last_block_sums[5, 64](x, partial, ticket, total)
#: expect close(total, x.sum(), 1e-9, 1e-9)
@cuda.jit
def last_block_sums(x, partial, ticket, total):
    buf = cuda.shared.array(64, np.float64)
    is_last = cuda.shared.array(1, np.bool_)
    t = cuda.threadIdx.x
    s = 0.0
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        s += x[i]
    buf[t] = s
    cuda.syncthreads()
    if t == 0:
        acc = 0.0
        for k in range(cuda.blockDim.x):
            acc += buf[k]
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        done = cuda.atomic.add(ticket, 0, 1)
        is_last[0] = done == cuda.gridDim.x - 1
    cuda.syncthreads()
    if is_last[0] and t == 0:
        acc = 0.0
        for b in range(cuda.gridDim.x):
            acc += partial[b]
        total[0] = acc


#: keys = rng.permutation(200)[:40].astype(np.int32)
#: slots = np.full(64, -1, np.int32)
#: launch hash_insert[2, 32](keys, slots)
#: expect np.sort(slots[slots >= 0]) == np.sort(keys)
@cuda.jit
def hash_insert(keys, slots):
    i = cuda.grid(1)
    if i < keys.size:
        k = keys[i]
        h = (k * 31) % slots.size
        while True:
            old = cuda.atomic.cas(slots, h, -1, k)
            if old == -1 or old == k:
                break
            h = (h + 1) % slots.size


#: f = rng.normal(size=300).astype(np.float32)
#: mx = np.full(1, -1e30, np.float32)
#: mn = np.full(1, 1e30, np.float32)
#: launch float_extremes[3, 128](f, mx, mn)
#: expect mx == f.max()
#: expect mn == f.min()
@cuda.jit
def float_extremes(f, mx, mn):
    i = cuda.grid(1)
    if i < f.size:
        cuda.atomic.max(mx, 0, f[i])
        cuda.atomic.min(mn, 0, f[i])


#: bits = rng.integers(0, 2**32, 50, dtype=np.uint32)
#: acc3 = np.array([0xFFFFFFFF, 0, 0], np.uint32)
#: launch bitwise_all[1, 64](bits, acc3)
#: expect acc3 == np.array([np.bitwise_and.reduce(bits), np.bitwise_or.reduce(bits), np.bitwise_xor.reduce(bits)])
@cuda.jit
def bitwise_all(bits, acc):
    i = cuda.threadIdx.x
    if i < len(bits):
        cuda.atomic.and_(acc, 0, bits[i])
        cuda.atomic.or_(acc, 1, bits[i])
        cuda.atomic.xor(acc, 2, bits[i])


#: head = np.full(10, -1, np.int32)
#: nxt = poison(80, np.int32)
#: bucket = rng.integers(0, 10, 80, dtype=np.int32)
#: launch linked_lists[1, 96](bucket, head, nxt)
#: def chain(b):
#:   out, k = [], head[b]
#:   while k != -1: out.append(k); k = nxt[k]
#:   return sorted(out)
#: expect [chain(b) == list(np.flatnonzero(bucket == b)) for b in range(10)]
@cuda.jit
def linked_lists(bucket, head, nxt):
    i = cuda.grid(1)
    if i < bucket.size:
        nxt[i] = cuda.atomic.exch(head, bucket[i], i)


#: wrapc = np.zeros(1, np.uint32)
#: down = np.full(1, 5, np.uint32)
#: launch wrapping_counters[2, 50](wrapc, down)
#: expect wrapc == 100 % 8
#: expect down == (5 - 100) % 10
@cuda.jit
def wrapping_counters(up, down):
    cuda.atomic.inc(up, 0, 7)
    cuda.atomic.dec(down, 0, 9)


#: m64 = rng.integers(-2**60, 2**60, (8, 9))
#: colmax = np.full(9, -2**63, np.int64)
#: launch column_maxima[(1, 1), (8, 9)](m64, colmax)
#: expect colmax == m64.max(0)
@cuda.jit
def column_maxima(m, colmax):
    i, j = cuda.grid(2)
    cuda.atomic.max(colmax, j, m[i, j])


#: prod = np.ones(1, np.int64)
#: fac = rng.integers(1, 5, 20)
#: launch atomic_multiply[1, 20](prod, fac)
#: expect prod == np.prod(fac)
@cuda.jit
def atomic_multiply(prod, fac):
    i = cuda.threadIdx.x
    seen = cuda.atomic.add(prod, 0, 0)
    done = False
    while not done:
        old = cuda.atomic.cas(prod, 0, seen, seen * fac[i])
        done = old == seen
        seen = old
