# Shared, dynamic, local and constant arrays as Numba writes them, and functions of the cuda module.
#: n = 96
#: a = rng.integers(-1000, 1000, n).astype(np.float32)
#: b, c, d, e = poison(n, np.float32), poison(n, np.int32), poison((4, n), np.float32), poison((2, n), np.float64)
#: launch static[3, 32](a, b, c)
#: expect b == a.reshape(3, 8, 4).transpose(0, 2, 1).reshape(n)
#: expect c == np.arange(n) // 32 * 32 + 31 - np.arange(n) % 32
#: f = poison((3, 32), np.float32)
#: launch dynamic[3, 32, 0, 256](a, f)
#: expect f == a.reshape(3, 32)[:, ::-1] + np.arange(31, -1, -1)
#: launch others[2, 33](a, d)
#: expect d == [a * 2, a + 3, np.array([3, 1, 4, 1, 5], np.float32)[np.arange(n) % 5], a * a + 1]
#: launch roots[2, 33](a, e)
#: expect close(e, [np.cbrt(a.astype("f8")), a.astype("f8") * 2 + 1], 1e-12)
import numpy as np
from numba import cuda, float32, int32

TILE = 32
SHAPE = (4, 8)
TABLE = np.array([3, 1, 4, 1, 5], dtype=np.float32)


@cuda.jit
def static(a, b, c):
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    square = cuda.shared.array((4, TILE // 4 + 1), float32)
    line = cuda.shared.array(shape=TILE, dtype=int32)
    other = cuda.shared.array(SHAPE, dtype=np.float32, alignment=16)
    square[t % 4, t // 4] = a[i]
    line[t] = i
    other[t // 8, t % 8] = 0
    cuda.syncthreads()
    b[i] = square[t // 8, t % 8] + other[t // 8, t % 8]
    c[i] = line[TILE - 1 - t]


@cuda.jit
def dynamic(a, out):
    t = cuda.threadIdx.x
    bytes_ = cuda.shared.array(0, dtype=int32)
    places = bytes_[:32]
    values = bytes_[32:].view(float32)
    places[t] = t
    values[t] = a[cuda.grid(1)]
    cuda.syncthreads()
    out[cuda.blockIdx.x, t] = values[31 - t] + places[31 - t]


@cuda.jit
def others(a, out):
    table = cuda.const.array_like(TABLE)
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        row = cuda.local.array(3, float32)
        pairs = cuda.local.array(shape=(2, 2), dtype=int32, alignment=8)
        for k in range(3):
            row[k] = a[i]
        for k in range(2):
            pairs[0, k] = 1
            pairs[1, k] = k
        out[0, i] = row[0] + row[2]
        out[1, i] = a[i] + pairs[0, 0] + pairs[0, 1] + pairs[1, 1]
        out[2, i] = table[i % len(table)]
        out[3, i] = cuda.fma(a[i], a[i], 1)


@cuda.jit
def roots(a, out):
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        out[0, i] = cuda.cbrt(np.float64(a[i]))
        out[1, i] = cuda.fma(np.float64(a[i]), 2, cuda.selp(True, 1, 5))
