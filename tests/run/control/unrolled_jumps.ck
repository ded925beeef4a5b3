"""break and continue in loops over tuples that are unrolled."""
import numpy as np
from numba import cuda, float64


#: a, b, c = rng.integers(-30, 60, 64).astype(np.int32), rng.uniform(-30, 60, 64).astype(np.float32), rng.uniform(-30, 60, 64)
#: def first_large(*items):
#:     total = 0.0
#:     for k, x in enumerate(items):
#:         if x < 0:
#:             continue
#:         if x > 40:
#:             total += 1000 * k
#:             break
#:         total += x
#:     else:
#:         total += 0.5
#:     return total
#: def until_large(*items):
#:     for k, x in enumerate(items):
#:         if x > 40:
#:             break
#:     return 10 * k + (x > 40)
#: o = poison((3, 64), np.float64)
#: launch jumps[2, 32]((a, b, c), o)
#: expect close(o[0], [first_large(*x) for x in zip(a, b, c)], 1e-6, 1e-6)
#: expect o[1] == [until_large(*x) for x in zip(a, b, c)]
#: expect close(o[2], [sum(float(v) for v in x if v >= 0) for x in zip(a, b, c)], 1e-6, 1e-6)
@cuda.jit
def jumps(t, o):
    i = cuda.grid(1)
    total, k = 0.0, 0
    for a in t:
        if a[i] < 0:
            k += 1
            continue
        if a[i] > 40:
            total += 1000 * k
            break
        total += a[i]
        k += 1
    else:
        total += 0.5
    o[0, i] = total
    k = 0
    for a in t:
        last = float64(a[i])
        if last > 40:
            break
        k += 1
    else:
        k = 2
    o[1, i] = 10 * k + (last > 40)
    total = 0.0
    for a in t:
        if not a[i] >= 0:
            continue
        total += a[i]
    o[2, i] = total


#: chosen = poison(5, np.int64)
#: launch constants[1, 1](chosen)
#: expect chosen == [13, 1, 3, 120312, 12]
@cuda.jit
def constants(o):
    s = 0
    for name in ("a", "b", "c"):
        if name == "b":
            continue
        s = s * 10 + (1 if name == "a" else 3)
    o[0] = s
    s = 0
    for name in ("a", "b", "c"):
        if name == "b":
            break
        s = s * 10 + 1
    else:
        s = -1
    o[1] = s
    for value in (1, (2, 3)):
        if isinstance(value, tuple):
            break
    o[2] = value[1]
    s = 0
    for f in (abs, lambda v: v + 5):
        for n in range(5):
            if n == 0:
                continue
            if n == 3:
                break
            s = s * 10 + n
        else:
            s = -1
        if s > 9999:
            break
        s = s * 100 + f(-3)
    o[3] = s
    s = 0
    for k in range(4):
        for step in (1, (2, 3)):
            if k == 0:
                continue
            if k == 3:
                break
            s += step if isinstance(step, int) else step[0] + step[1]
        else:
            continue
        break
    o[4] = s


#: x, y = rng.integers(0, 9, 64), rng.normal(size=64)
#: r = poison((2, 4), np.float64)
#: launch around_barriers[2, 32]((x, y, x, y), r, 1, 3)
#: sums = [[v[32 * k:32 * k + 32].sum() for v in (x, y)] for k in range(2)]
#: expect close(r, [[s[0], -1, s[0], -1] for s in sums], 1e-12)
@cuda.jit
def around_barriers(t, r, skip, stop):
    tile = cuda.shared.array(32, np.float64)
    b, k = cuda.blockIdx.x, cuda.threadIdx.x
    j = -1
    if k < 4:
        r[b, k] = -1
    for a in t:
        j += 1
        if j == skip:
            continue
        if j == stop:
            break
        tile[k] = a[cuda.grid(1)]
        cuda.syncthreads()
        if k == j:
            r[b, j] = tile.sum()
        cuda.syncthreads()
