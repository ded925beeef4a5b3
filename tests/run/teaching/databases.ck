"""Operators of databases: filters, joins, groups, runs, sketches."""
import numpy as np
from numba import cuda, int32, int64, uint32, uint8

EMPTY = -1
SLOTS = 64
BITS = 1024
WARP = 32


@cuda.jit(device=True)
def mix(x):
    x = uint32(x)
    x ^= x >> uint32(16)
    x *= uint32(0x7feb352d)
    x ^= x >> uint32(15)
    x *= uint32(0x846ca68b)
    x ^= x >> uint32(16)
    return x


#: price = rng.integers(0, 100, 300).astype(np.int32)
#: kept = np.full(300, -1, np.int32)
#: nkept = np.zeros(1, np.int32)
#: launch where_price[3, 128](price, 30, 60, kept, nkept)
#: expect nkept == ((price >= 30) & (price < 60)).sum()
#: expect np.sort(kept[:nkept[0]]) == np.flatnonzero((price >= 30) & (price < 60))
#: expect kept[nkept[0]:] == -1
@cuda.jit
def where_price(price, low, high, rows, count):
    i = cuda.grid(1)
    keep = i < price.size and low <= price[i] < high
    mask = cuda.ballot_sync(0xffffffff, keep)
    lane = cuda.laneid
    base = 0
    if lane == 0 and mask:
        base = cuda.atomic.add(count, 0, cuda.popc(mask))
    base = cuda.shfl_sync(0xffffffff, base, 0)
    if keep:
        rows[base + cuda.popc(mask & ((1 << lane) - 1))] = i


#: left = rng.permutation(200)[:40].astype(np.int32)
#: lval = rng.integers(0, 1000, 40).astype(np.int32)
#: right = rng.integers(0, 200, 90).astype(np.int32)
#: slots = np.full((64, 2), -1, np.int32)
#: joined = poison(90, np.int32)
#: launch build[1, 64](left, lval, slots)
#: launch probe[1, 96](right, slots, joined)
#: table = dict(zip(left.tolist(), lval.tolist()))
#: expect joined == [table.get(int(r), -1) for r in right]
@cuda.jit
def build(keys, values, slots):
    i = cuda.grid(1)
    if i >= keys.size:
        return
    h = mix(keys[i]) % SLOTS
    while True:
        old = cuda.atomic.cas(slots, (h, 0), EMPTY, keys[i])
        if old == EMPTY or old == keys[i]:
            slots[h, 1] = values[i]
            break
        h = (h + 1) % SLOTS


@cuda.jit
def probe(keys, slots, out):
    i = cuda.grid(1)
    if i >= keys.size:
        return
    h = mix(keys[i]) % SLOTS
    out[i] = EMPTY
    while slots[h, 0] != EMPTY:
        if slots[h, 0] == keys[i]:
            out[i] = slots[h, 1]
            break
        h += 1
        h %= SLOTS


#: dept = rng.integers(0, 7, 400).astype(np.uint8)
#: salary = rng.integers(-50, 1000, 400).astype(np.int64)
#: agg = np.array([[0, 0, 10**9, -10**9]] * 7, np.int64)
#: launch group_by[2, 128](dept, salary, agg)
#: expect agg == np.array([[(dept == d).sum(), salary[dept == d].sum(), salary[dept == d].min(), salary[dept == d].max()] for d in range(7)])
@cuda.jit
def group_by(key, value, agg):
    for i in range(cuda.grid(1), key.size, cuda.gridsize(1)):
        k, v = key[i], value[i]
        cuda.atomic.add(agg, (k, 0), 1)
        cuda.atomic.add(agg, (k, 1), v)
        cuda.atomic.min(agg, (k, 2), v)
        cuda.atomic.max(agg, (k, 3), v)


#: words = rng.integers(0, 10**6, 60).astype(np.uint32)
#: bloom = np.zeros(1024 // 32, np.uint32)
#: member = poison(60, np.bool_)
#: stranger = poison(200, np.bool_)
#: others = rng.integers(10**6, 10**7, 200).astype(np.uint32)
#: launch bloom_add[1, 64](words, bloom)
#: launch bloom_has[1, 64](words, bloom, member)
#: launch bloom_has[4, 64](others, bloom, stranger)
#: expect member
#: expect stranger.sum() < 40
@cuda.jit
def bloom_add(keys, bloom):
    i = cuda.grid(1)
    if i < keys.shape[0]:
        h1 = mix(keys[i])
        h2 = mix(h1 ^ 0x9e3779b9) | 1
        for k in range(3):
            bit = (h1 + k * h2) % BITS
            cuda.atomic.or_(bloom, bit >> 5, uint32(1) << (bit & 31))


@cuda.jit
def bloom_has(keys, bloom, out):
    i = cuda.grid(1)
    if i < keys.shape[0]:
        h1 = mix(keys[i])
        h2 = mix(h1 ^ 0x9e3779b9) | 1
        found = True
        for k in range(3):
            bit = (h1 + k * h2) % BITS
            if not (bloom[bit // 32] >> (bit % 32)) & 1:
                found = False
                break
        out[i] = found


#: col = np.repeat(rng.integers(0, 5, 40), rng.integers(1, 5, 40))[:64].astype(np.int32)
#: runs, lens, nruns = poison(64, np.int32), poison(64, np.int32), poison(1, np.int32)
#: launch run_lengths[1, 64](col, runs, lens, nruns)
#: head = np.flatnonzero(np.r_[True, col[1:] != col[:-1]])
#: expect nruns == len(head)
#: expect runs[:len(head)] == col[head]
#: expect lens[:len(head)] == np.diff(np.r_[head, len(col)])
@cuda.jit
def run_lengths(col, values, lengths, count):
    pos = cuda.shared.array(64, int32)
    start = cuda.shared.array(65, int32)
    t = cuda.threadIdx.x
    n = col.size
    is_head = 1 if t < n and (t == 0 or col[t] != col[t - 1]) else 0
    pos[t] = is_head
    cuda.syncthreads()
    step = 1
    while step < 64:
        add = pos[t - step] if t >= step else 0
        cuda.syncthreads()
        pos[t] += add
        cuda.syncthreads()
        step *= 2
    total = pos[63]
    if is_head:
        start[pos[t] - 1] = t
    if t == 0:
        start[total] = n
        count[0] = total
    cuda.syncthreads()
    if t < total:
        values[t] = col[start[t]]
        lengths[t] = start[t + 1] - start[t]
