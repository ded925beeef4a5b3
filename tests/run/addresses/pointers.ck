# Memory at addresses: CPointer and voidptr in signatures, elements of pointers, carray and farray,
# addresses that a kernel takes, in tuples and device functions; of scalars, complex numbers,
# vectors and records. Arrays that overlap with such memory are read again.
#: n = 53
#: x = rng.integers(-99, 99, n).astype(np.float32)
#: m = rng.integers(-99, 99, (3, n)).astype(np.int32)
#: z = rng.integers(-9, 9, n) + 1j * rng.integers(-9, 9, n)
#: launch typed[2, 32](x.ctypes.data, m.ctypes.data, z.ctypes.data, n)
#: expect (x == (x_in + 1) * 2 + np.arange(n)).all()
#: expect (m[0] == m_in[0]).all() and (m[1] == m_in[1] + m_in[2]).all()
#: expect (m[2].reshape(-1)[::-1] == m_in[2][::-1] - 1).all()
#: expect (z == z_in * 2j).all()
#:
#: pair = np.dtype({"names": ["key", "at"], "formats": ["i4", ("f4", 2)], "offsets": [0, 8], "itemsize": 16})
#: r = np.zeros(n, pair)
#: r["key"], r["at"] = rng.integers(0, 99, n), rng.integers(0, 99, (n, 2))
#: launch records[2, 32](r.ctypes.data, n)
#: expect (r["key"] == r_in["key"][::-1] + 1).all()
#: expect (r["at"] == r_in["at"][::-1] * 2 + np.float32([0, 1])).all()
#:
#: a, b = rng.integers(0, 99, (2, n)).astype(np.int16)
#: t = np.zeros(3, np.uint64)
#: launch by_table[2, 32](a, b[1:], (b.ctypes.data, a.ctypes.data), n - 1, t)
#: expect t[0] != 0 and t[1] == t[0] + 2 and t[2] == 1
#: expect (b[1:] == a_in[:-1] + b_in[1:] * 3).all() and b[0] == b_in[0]
#:
#: y = rng.integers(0, 99, 64).astype(np.float64)
#: s = poison(64, np.float64)
#: launch overlapping[1, 64](y, y.ctypes.data, s)
#: expect (s == 2 * y_in + 1).all() and (y == y_in + 1).all()
#:
#: c = np.zeros(8, np.uint64)
#: launch counts[2, 32](c.ctypes.data)
#: expect (c == [64, 0, 31, 63, 0, 0, 8 * 7, 0]).all()
#:
#: f = poison((4, 6), np.int64)
#: launch orders[1, 1](f.ctypes.data, f.ctypes.data, (4, 6))
#: expect (f.reshape(-1)[:3] == [1, 2, 3]).all() and f[0, 5] == 4 and f[1, 1] == 5 and f[3, 5] == 24
from numba.types import CPointer
from numba import carray, cuda, complex128, farray, float32, int32, int64, types, uint64, void

Pair = record(key=int32, at=float2)
Words = CPointer(uint64)

@cuda.jit(device=True)
def element(p, i):
    return p[i]

@cuda.jit(void(types.CPointer(float32), types.voidptr, types.CPointer(complex128), int64))
def typed(p, q, z, n):
    i = cuda.grid(1)
    x = carray(p, n)
    m = carray(q, (3, n), int32)
    if i < n:
        x[i] += 1
        p[i] *= 2
        p[i] = element(p, i) + i
        m[1, i] += m[2, i]
        m[2][i] -= 1
        z[i] *= 2j

@cuda.jit(device=True)
def moved(p: types.CPointer(Pair), i):
    p[i].key += 1
    p[i].at *= 2
    p[i].at.y += 1
    return p

@cuda.jit(void(types.CPointer(Pair), int64))
def records(p, n):
    i = cuda.grid(1)
    if i < n // 2:
        q, j = (p, n - 1 - i)
        other = p[j].copy()
        q[j] = p[i]
        carray(ptr=p, shape=n)[i] = other
        q = moved(moved(p, i), j)
    elif i == n // 2:
        moved(p, i)

@cuda.jit
def by_table(a, b, table, n, t):
    y = carray(b.data_ptr(), n, dtype=np.int16)
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        y[i] = carray(address=table[1], shape=(n,), dtype="i2")[i] + y[i] * 3
    if cuda.grid(1) == 0:
        t[0] = table[0]
        t[1] = b.ctypes.data
        t[2] = a.ctypes.data == table[1]

@cuda.jit
def overlapping(y: float64[::1], p: types.CPointer(float64), s: float64[::1]):
    i = cuda.grid(1)
    before = y[i]
    p[i] += 1
    s[i] = before + y[i]

@cuda.jit(void(Words))
def counts(p):
    i = cuda.grid(1)
    c = carray(p, 8)
    cuda.atomic.add(c, 0, 1)
    cuda.atomic.max(c, 3, i)
    if i == 31:
        c[2] = i
        c[-2] = p[6] + 8 * 7
        for v in carray(p, i - 31):
            c[5] = 1

@cuda.jit
def orders(p: types.CPointer(int64), q: types.voidptr, shape: (int64, int64)):
    c = carray(p, shape)
    f = farray(q, shape, int64)
    assert c.shape == f.shape == (4, 6) and c.strides == (48, 8) and f.strides == (8, 32)
    for i in range(3):
        c[0, i] = i + 1
    f[1, 1] = 4
    c[1, 1] = 5
    f[3, 5] = 24
