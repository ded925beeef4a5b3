"""Loops over tuples whose items have no common type are unrolled."""
import numpy as np
from numba import cuda, literal_unroll


@cuda.jit(device=True)
def width(a):
    return a.itemsize


#: i, f, d = rng.integers(-9, 9, 40, dtype=np.int32), rng.normal(size=40).astype(np.float32), rng.normal(size=(40, 2))
#: o = poison((4, 40), np.float64)
#: launch columns[2, 32]((i, f, d), o)
#: total = i + f.astype(np.float64) + d[:, 1]
#: expect close(o, np.stack([total, np.full(40, 4 + 4 + 8), total, np.full(40, 221)]), 1e-6, 1e-6)
@cuda.jit
def columns(t, o):
    k = cuda.grid(1)
    if k >= t[0].size:
        return
    total = 0.0
    bytes_of_all = 0
    for a in literal_unroll(t):
        if a.ndim == 2:
            total += a[k, 1]
        else:
            total += a[k]
        bytes_of_all += width(a)
    o[0, k], o[1, k] = total, bytes_of_all
    total = 0.0
    for a in t:
        row = a[k]
        if isinstance(row, (int, float)):
            total += row
        else:
            for v in row[1:]:
                total += v
    else:
        o[2, k] = total
    digits = 0
    for item in ((1, 2), 1):
        digits *= 10
        digits += len(item) * 10 + item[0] * 1 + item[1] * 0 + 1 if isinstance(item, tuple) else item
    o[3, k] = digits


#: s = rng.normal(size=64)
#: n = rng.integers(0, 9, 64)
#: r = poison((2, 2), np.float64)
#: launch around_barriers[2, 32]((s, n), r)
#: expect close(r, [[s[32 * b:32 * b + 32].sum(), n[32 * b:32 * b + 32].sum()] for b in range(2)], 1e-12)
@cuda.jit
def around_barriers(t, r):
    tile = cuda.shared.array(32, np.float64)
    b, k = cuda.blockIdx.x, cuda.threadIdx.x
    j = 0
    for a in t:
        tile[k] = a[cuda.grid(1)]
        cuda.syncthreads()
        if k == 0:
            total = 0.0
            for v in tile:
                total += v
            r[b, j] = total
        cuda.syncthreads()
        j += 1
