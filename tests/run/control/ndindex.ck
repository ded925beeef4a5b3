"""NumPy's iterators over indices: np.ndindex and np.ndenumerate."""
import numpy as np
from numba import cuda, int64
from numpy import ndindex

SHAPE = (2, 3)


#: o = poison(9, np.int64)
#: launch counted[1, 1](o, -4)
#: from itertools import product
#: walk = lambda s: sum((k + 1) * (100 * a + 10 * b + c) for k, (a, b, c) in enumerate(product(*map(range, s))))
#: expect o == [walk((2, 3, 4)), 6, 0 + 1 + 2, walk((2, 3, 1)), 0, 0, 1, 8, 12]
@cuda.jit
def counted(o, negative):
    total = k = 0
    for a, b, c in np.ndindex(2, 3, 4):
        k += 1
        total += k * (100 * a + 10 * b + c)
    o[0] = total
    n = 0
    for index in np.ndindex(SHAPE):
        n += len(index) // 2
    o[1] = n
    total = 0
    for (i,) in ndindex(3):
        total += i
    o[2] = total
    tile = cuda.local.array((2, 3, 1), int64)
    total = k = 0
    for i in np.ndindex(tile.shape):
        k += 1
        tile[i] = k
        total += k * (100 * i[0] + 10 * i[1] + i[2])
    o[3] = total
    n = 0
    for i, j in np.ndindex(3, negative):
        n += 1
    o[4] = n
    for i, j in np.ndindex((0, 5)):
        n += 1
    o[5] = n
    for i in np.ndindex(()):
        n += 1
    o[6] = n
    for i, j in np.ndindex(*SHAPE):
        if i == 1 and j == 0:
            continue
        if i == 1 and j == 2:
            break
        n += i + j
    else:
        n = -1
    o[7] = n + 2
    n = 0
    for p in np.ndindex(2, 2):
        for q in np.ndindex(p[0] + 1, 2):
            n += 1
    o[8] = n


#: x = rng.normal(size=(4, 3, 5))
#: sums = poison((2, 4), np.float64)
#: launch enumerated[1, 32](x, sums)
#: i, j = np.indices((3, 5))
#: expect close(sums, [(x * (10 * i + j)).sum((1, 2)), (x * (10 * i + j))[:, ::-2].sum((1, 2))], 1e-10, 1e-10)
@cuda.jit
def enumerated(x, sums):
    t = cuda.grid(1)
    if t < x.shape[0]:
        acc = 0.0
        for (i, j), v in np.ndenumerate(x[t]):
            acc += v * (10 * i + j)
        sums[0, t] = acc
        acc = 0.0
        for at, v in np.ndenumerate(x[t, ::-2]):
            acc += v * (10 * (2 - 2 * at[0]) + at[1])
        sums[1, t] = acc


#: y = rng.integers(0, 100, (2, 4, 8))
#: r = poison((2, 32), np.int64)
#: launch around_barriers[2, 32](y, r)
#: expect r == [[y[b, a, c] * 8 + (a * 8 + c) for a in range(4) for c in range(8)] for b in range(2)]
@cuda.jit
def around_barriers(y, r):
    tile = cuda.shared.array((4, 8), int64)
    b, t = cuda.blockIdx.x, cuda.threadIdx.x
    tile[t // 8, t % 8] = 0
    cuda.syncthreads()
    for p, q, s in np.ndindex(2, 2, 2):
        tile[t // 8, t % 8] += y[b, t // 8, t % 8]
        cuda.syncthreads()
    for (i, j), v in np.ndenumerate(tile):
        if i * 8 + j == t:
            r[b, t] = v + t
