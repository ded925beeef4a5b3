"""Python's sum, any and all: of tuples, and of arrays of one dimension."""
import numpy as np
from numba import cuda, float32, int32

WEIGHTS = (1, 2, 4)
TOTAL = sum(WEIGHTS)
MEAN = sum((0.5, 1.5)) / 2
TABLE = np.arange(4)
BOUND = sum(TABLE) if any(TABLE) and not all(TABLE) else -1


@cuda.jit(device=True)
def spread(t):
    return sum(t) - 3 * min(t)


#: x = rng.normal(size=40).astype(np.float32)
#: k = rng.integers(0, 3, 40, dtype=np.int32)
#: y, z = poison(40, np.float64), poison((40, 8), np.int64)
#: launch items[2, 32](x, k, y, z)
#: expect close(y, 3 * x.astype(np.float64) + 0.75, atol=1e-6)
#: K = k.astype(np.int64)
#: wide = np.pad(K, (0, 2))
#: expect z[:, 0] == 3 * K + 9 + sum((1, 2, 4))
#: expect z[:, 1] == ((K > 0) | (K * 2 > 2))
#: expect z[:, 2] == ((K > 0) & (K != 2))
#: expect z[:, 3] == 7 + 6
#: expect z[:, 4] == [int(sum(wide[i:i + 3])) + 5 for i in range(40)]
#: expect z[:, 5] == [any(wide[i:i + 2]) + 2 * all(K[i:i + 2]) for i in range(40)]
#: expect z[:, 6] == np.where(K > 0, 1, 0)
#: expect z[:, 7] == 1 + 0 + 2 * 2
@cuda.jit
def items(x, k, y, z):
    i = cuda.grid(1)
    if i >= x.size:
        return
    y[i] = sum((x[i], 2 * x[i], 0.75)) + 0.0 * MEAN
    n = k[i]
    mine = cuda.local.array(3, int32)
    for j in range(3):
        mine[j] = k[i + j] if i + j < k.size else 0
    z[i, 0] = sum((n, n * 2, 9)) + sum(WEIGHTS)
    z[i, 1] = any((n > 0, n * 2 > 2))
    z[i, 2] = all((n, n != 2))
    z[i, 3] = TOTAL + BOUND
    z[i, 4] = sum(mine, 5)
    z[i, 5] = any(mine[:2]) + 2 * all(k[i:i + 2])
    z[i, 6] = any((n != 0 and 6 // n > 0, False))
    z[i, 7] = all(()) + any(()) + spread((1, 2, 4)) * sum((), 0) + 2 * (spread((1, 1, 3)))


@cuda.jit(device=True)
def counted(x, i):
    x[i] += 1
    return x[i]


#: c = np.zeros(3, np.int64)
#: launch once[1, 1](c)
#: expect c == [1, 2, 3]
@cuda.jit
def once(c):
    c[2] = sum((counted(c, 0), counted(c, 1), counted(c, 1)))
    assert any((c[2] == 4, c[2] == 5))
    c[2] -= 1
