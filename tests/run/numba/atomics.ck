# Each atomic operation by Numba's name and in each of its types: the old value, the new one, one thread after
# another; indices of several types, below zero and in tuples, on global and shared arrays.
#: n = 60
#: FLOATS = ["float32", "float64"]
#: WHOLE = ["int32", "uint32", "int64", "uint64"]
#: def some(t):
#:     if t in FLOATS:
#:         return rng.choice([-2.5, 0, 1.25, 7, np.nan, np.inf, -np.inf], n).astype(t)
#:     info = np.iinfo(t)
#:     return rng.choice([info.min, info.max, 0, 1, 5, 6, info.max - 1], n).astype(t)
#: for t in FLOATS + WHOLE:
#:     globals().update({"x_" + t: some(t), "v_" + t: some(t), "old_" + t: poison((6, n), t), "new_" + t: poison((6, n), t)})
#: for t in WHOLE:
#:     globals().update({"bx_" + t: some(t), "bv_" + t: some(t), "bold_" + t: poison((6, n), t), "bnew_" + t: poison((6, n), t)})
#: for t in ["uint32", "uint64"]:
#:     globals().update({"cx_" + t: some(t), "cv_" + t: some(t), "cold_" + t: poison((2, n), t), "cnew_" + t: poison((2, n), t)})
#: launches [f"numbers[2, 33](x_{t}, v_{t}, old_{t}, new_{t})" for t in FLOATS + WHOLE]
#: launches [f"whole[2, 33](bx_{t}, bv_{t}, bold_{t}, bnew_{t})" for t in WHOLE]
#: launches [f"counts[2, 33](cx_{t}, cv_{t}, cold_{t}, cnew_{t})" for t in ["uint32", "uint64"]]
#: g = globals()
#: def pick(f, x, v):
#:     return np.where(np.isnan(x) | np.isnan(v), x, f(x, v)) if x.dtype.kind == "f" else f(x, v)
#: def want(t):
#:     x, v = g["x_" + t], g["v_" + t]
#:     return [x + v, x - v, pick(np.maximum, x, v), pick(np.minimum, x, v), np.fmax(x, v), np.fmin(x, v)]
#: expect [same(g["old_" + t], g["x_" + t]) for t in FLOATS + WHOLE]
#: expect [same(g["new_" + t], want(t)).all() for t in FLOATS + WHOLE]
#: def bits(t):
#:     x, v = g["bx_" + t], g["bv_" + t]
#:     return [x & v, x | v, x ^ v, v, np.where(x == t5(t), v, x), np.where(x == t5(t), v, x)]
#: def t5(t): return np.array(5, t)
#: expect [same(g["bold_" + t], g["bx_" + t]) for t in WHOLE]
#: expect [same(g["bnew_" + t], bits(t)).all() for t in WHOLE]
#: def count(t):
#:     x, v = g["cx_" + t], g["cv_" + t]
#:     return [np.where(x >= v, 0, x + 1).astype(t), np.where((x == 0) | (x > v), v, x - 1)]
#: expect [same(g["cold_" + t], g["cx_" + t]) for t in ["uint32", "uint64"]]
#: expect [same(g["cnew_" + t], count(t)).all() for t in ["uint32", "uint64"]]
#: m, s = np.zeros((3, 4, 5), np.int32), poison((2, 4), np.float32)
#: launch places[2, 33](m, s)
#: place = np.arange(66)
#: hits = np.zeros((3, 4, 5), np.int32)
#: np.add.at(hits, (place % 3, place % 4, place % 5), 1)
#: np.add.at(hits, (place % 3, -1 - place % 4, 0), 10)
#: np.maximum.at(hits, (2, 3, place % 5), 0)
#: hits[0, 1, 2] += 100 * 66
#: expect m == hits
#: expect s == [[33, 66, -33, 16], [33, 66, -33, 16]]
import numpy as np
from numba import cuda, float32, uint8


@cuda.jit
def numbers(x, v, old, new):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        for k in range(6):
            new[k, i] = x[i]
        old[0, i] = cuda.atomic.add(new, (0, i), v[i])
        old[1, i] = cuda.atomic.sub(new, (1, i), v[i])
        old[2, i] = cuda.atomic.max(new, (2, i), v[i])
        old[3, i] = cuda.atomic.min(new, (3, i), v[i])
        old[4, i] = cuda.atomic.nanmax(new, (4, i), v[i])
        old[5, i] = cuda.atomic.nanmin(new, (5, i), v[i])


@cuda.jit
def whole(x, v, old, new):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        for k in range(6):
            new[k, i] = x[i]
        old[0, i] = cuda.atomic.and_(new, (0, i), v[i])
        old[1, i] = cuda.atomic.or_(new, (1, i), v[i])
        old[2, i] = cuda.atomic.xor(new, (2, i), v[i])
        old[3, i] = cuda.atomic.exch(new, (3, i), v[i])
        old[4, i] = cuda.atomic.cas(new, (4, i), 5, v[i])
        old[5, i] = cuda.atomic.compare_and_swap(new[5, i:], 5, v[i])


@cuda.jit
def counts(x, v, old, new):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        new[0, i] = x[i]
        new[1, i] = x[i]
        old[0, i] = cuda.atomic.inc(new, (0, i), v[i])
        old[1, i] = cuda.atomic.dec(new, (1, i), v[i])


@cuda.jit
def places(m, s):
    i = cuda.grid(1)
    cuda.atomic.add(m, (i % 3, i % 4, i % 5), 1)
    cuda.atomic.add(m, (i % 3, -1 - i % 4, uint8(0)), 10)
    cuda.atomic.max(m, (-1, 3, i % 5), -5)
    cuda.atomic.add(m[0, 1], np.uint32(2), 100)
    t = cuda.threadIdx.x
    sums = cuda.shared.array(4, dtype=float32)
    if t < 4:
        sums[t] = 0
    cuda.syncthreads()
    cuda.atomic.add(sums, 0, 1)
    cuda.atomic.add(sums, -3, 2)
    cuda.atomic.sub(sums, 2, 1)
    cuda.atomic.max(sums, 3, t / 2)
    cuda.syncthreads()
    if t < 4:
        s[cuda.blockIdx.x, t] = sums[t]
