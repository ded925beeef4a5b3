# Kernels with signatures: all names have types.
from numba import cuda, float32, int32, void
from collections import namedtuple
import math
import numpy as np

WIDTH = 32
TABLE = np.array([1.0, 2.0, 3.0], dtype=np.float32)
Pair = namedtuple("Pair", ["low", "high"])


@cuda.jit(device=True)
def scaled(value, by=2):
    """The value, scaled."""
    return value * by


def square(x):
    return x * x


@cuda.jit(void(float32[:, ::1], int32[::1], float32))
def work(A, counts, factor):
    tile = cuda.shared.array(WIDTH, float32)
    i, j = cuda.grid(2)
    block = cuda.cg.this_thread_block()
    warp = block.tiled_partition(32)
    pair = Pair(i, A.shape[1])
    total = 0.0
    for k in range(pair.low, pair.high, WIDTH):
        value = math.sqrt(A[i, k]) + TABLE[k % 3]
        total += square(scaled(value, by=3)) * factor
    tile[cuda.threadIdx.x] = scaled(counts[j])
    block.sync()
    add = lambda a, b: a + b
    best = warp.reduce(add(total, tile[0]), greater)
    wide = complex(best, total)
    if (i < WIDTH) and np.less(j, 3):
        cuda.atomic.add(counts, j, int32(wide.real))
