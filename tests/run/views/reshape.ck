# reshape and ravel in kernels: views of the same memory. Copies into local arrays.
#: m = rng.integers(-99, 99, (6, 4), dtype=np.int32)
#: y = poison((24,), np.int32)
#: z = poison((3, 8), np.int32)
#: r = poison(24, np.int32)
#: w = poison((2, 3, 4), np.int32)
#: repeat grids [1, 32], [2, 7]
#: launch shapes[GRID, BLOCK](m, y, z, r, w)
#: expect y == m.ravel()
#: expect z == m.reshape(3, 8)
#: expect r == m.T.ravel(order="F") + 1
#: expect w == m.reshape(2, 3, 4)
#:
#: a = rng.normal(size=24)
#: b = poison((4, 6), np.float64)
#: launch stores[GRID, BLOCK](a, b, 4, 6)
#: expect b == a_in.reshape(4, 6)
#: c = poison((6, 4), np.float64)
#: launch stores[GRID, BLOCK](a, c, 6, -1)
#: expect c == a_in.reshape(6, 4)
#: d = poison((8, 3), np.float64)
#: launch stores[GRID, BLOCK](a, d, -1, 3)
#: expect d == a_in.reshape(8, 3)
#: e = poison((24, 1), np.float64)
#: launch stores[GRID, BLOCK](a, e, 24, 1)
#: expect e == a_in.reshape(24, 1)
#: launch stores[1, 1](a, e, 5, 5)
#: error the array does not have as many elements as the new shape
#: launch stores[1, 1](a, e, 5, -1)
#: error the array's elements cannot fill the new shape
#: launch stores[1, 1](a, e, -1, -1)
#: error only one extent of the new shape can be -1
#: launch stores[1, 1](a, e, -3, -8)
#: error an extent of the new shape is below zero
#: launch stores[1, 1](a, e, 0, -1)
#: error the array's elements cannot fill the new shape
#:
#: p = poison((GRID * BLOCK, 9), np.float32)
#: q = rng.normal(size=(GRID * BLOCK, 9)).astype(np.float32)
#: launch local_arrays[GRID, BLOCK](p, q)
#: expect p == (q.reshape(-1, 3, 3) @ q.reshape(-1, 3, 3)).reshape(-1, 9).round(3) * 0 + p
#: expect close(p.reshape(-1, 3, 3), q.reshape(-1, 3, 3) @ q.reshape(-1, 3, 3), 1e-4, 1e-5)
#:
#: s = poison((GRID, 64), np.int32)
#: launch shared_rows[GRID, 64](s)
#: expect s == np.arange(64).reshape(8, 8).T.ravel() * 2
#:
#: t = poison((GRID * BLOCK, 12), np.int64)
#: launch copies[GRID, BLOCK](t)
#: T = np.arange(12).reshape(3, 4)
#: i = np.arange(GRID * BLOCK)
#: want = np.tile(T, (GRID * BLOCK, 1, 1))
#: want[:, 1, :] += i[:, None]
#: want[:, :, 2] = 7
#: expect t == want.reshape(-1, 12)
#:
#: u = poison((GRID * BLOCK, 6), np.float64)
#: v = rng.normal(size=(GRID * BLOCK, 3))
#: launch asserted[GRID, BLOCK](v, u)
#: expect u == np.concatenate([v_in[:, ::-1], v_in], axis=1)
#: expect v == v_in
#:
#: none = np.zeros((0, 4), np.float32)
#: k = poison(3, np.int64)
#: launch empty[1, 1](none, k)
#: expect k == [0, 0, 5]
import numpy as np
from numba import cuda, float32, int32, int64

TABLE = np.arange(12).reshape(3, 4)


@cuda.jit
def shapes(m, y, z, r, w):
    flat = m.ravel()
    other = m.reshape(3, 8)
    third = m.reshape((2, 3, -1))
    again = flat.reshape(-1)
    for i in range(cuda.grid(1), m.size, cuda.gridsize(1)):
        y[i] = np.ravel(m)[i]
        z[i // 8, i % 8] = other[i // 8, i % 8]
        w[i // 12, i // 4 % 3, i % 4] = third[i // 12, i // 4 % 3, i % 4]
        r[i] = again[i] + 1
    assert other.shape == (3, 8) and third.shape == (2, 3, 4) and again.shape == (24,)
    assert other.strides == (32, 4)


@cuda.jit
def stores(a, b, rows, columns):
    view = np.reshape(a, (rows, columns))
    if cuda.grid(1) == 0:
        b[:, :] = view
        a.reshape(2, 12)[1, 3] += 1


@cuda.jit
def local_arrays(p, q):
    i = cuda.grid(1)
    a = cuda.local.array(9, float32)
    m = a.reshape(3, 3)
    for k in range(9):
        a[k] = q[i, k]
    product = cuda.local.array((3, 3), float32)
    for j in range(3):
        for k in range(3):
            product[j, k] = 0
            for n in range(3):
                product[j, k] += m[j, n] * m[n, k]
    p[i, :] = product.ravel()


@cuda.jit
def shared_rows(s):
    tile = cuda.shared.array(64, int32)
    rows = tile.reshape((8, 8))
    t = cuda.threadIdx.x
    tile[t] = t
    cuda.syncthreads()
    value = rows[t % 8, t // 8]
    cuda.syncthreads()
    rows[t // 8, t % 8] = 2 * value
    cuda.syncthreads()
    s[cuda.blockIdx.x, t] = rows.ravel()[t]


@cuda.jit
def copies(t):
    i = cuda.grid(1)
    mine = TABLE.copy()
    row = TABLE[1].copy()
    for k in range(4):
        row[k] += i
    mine[1] = row
    other = np.copy(mine[:, 2:3])
    other[:, :] = 7
    mine[:, 2] = other[:, 0]
    t[i, :] = mine.flatten()
    assert TABLE[1, 2] == 6 and mine.shape == (3, 4) and TABLE.ravel()[5] == 5


@cuda.jit
def asserted(v, u):
    i = cuda.grid(1)
    mine = v[i]
    assert mine.shape == (3,)
    other = mine.copy()
    other[0], other[2] = other[2], other[0]
    u[i, :3] = other
    u[i, 3:] = mine


@cuda.jit
def empty(none, k):
    a = none.reshape(-1, 4)
    b = none.reshape(0, 5)
    k[0] = a.shape[0]
    k[1] = b.shape[0]
    k[2] = b.shape[1]
