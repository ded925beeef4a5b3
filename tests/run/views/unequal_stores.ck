"""Stores to views whose extents are known when the kernel runs only: one element is stored all along
an axis, as in NumPy."""
from numba import cuda


#: a, b, one, two = (rng.normal(size=n) for n in (5, 5, 1, 1))
#: c1, c2, c3, c4, c5, c6 = (poison(n, np.float64) for n in (5, 5, 5, 5, 1, 0))
#: launch sums[1, 1](c1, a, b)
#: launch sums[1, 1](c2, one, b)
#: launch sums[1, 1](c3, a, one)
#: launch sums[1, 1](c4, two, one)
#: launch sums[1, 1](c5, two, one)
#: launch sums[1, 1](c6, two, one)
#: expect c1 == a + 2 * b
#: expect c2 == one + 2 * b
#: expect c3 == a + 2 * one
#: expect c4 == two + 2 * one
#: expect c5 == two + 2 * one
#: launch copies[1, 1](c1, b)
#: launch copies[1, 1](c2, one)
#: expect c1 == b
#: expect c2 == one
@cuda.jit
def sums(c, a, b):
    c[:] = a + 2 * b


@cuda.jit
def copies(c, a):
    c[:] = a


#: x, scale, shift = rng.normal(size=(4, 6)), rng.normal(size=(4, 1)), rng.normal(size=(1, 6))
#: y, z = poison((4, 6), np.float64), poison((4, 6), np.float64)
#: launch scaled[1, 1](y, z, x, scale, shift)
#: expect y == x * scale
#: expect z == (x * scale + shift) * shift[0, 0]
#: yf, zf = (np.asfortranarray(poison((4, 6), np.float64)) for _ in range(2))
#: xf = np.asfortranarray(x)
#: launch scaled[1, 1](yf, zf, xf, scale, shift)
#: expect yf == x * scale
#: expect zf == (x * scale + shift) * shift[0, 0]
@cuda.jit
def scaled(y, z, x, scale, shift):
    y[:, :] = x * scale
    z[:] = y
    z[:] += shift
    z[:, ::-1] *= shift[:, :1]


#: rows = rng.normal(size=(7, 3))
#: out = poison((7, 3), np.float64)
#: norms = np.linalg.norm(rows, axis=1, keepdims=True)
#: launch unit_rows[1, 32](out, rows, norms)
#: expect close(out, rows / norms)
@cuda.jit
def unit_rows(out, rows, norms):
    i = cuda.grid(1)
    if i < rows.shape[0]:
        out[i] = rows[i] / norms[i]


#: t, u = poison((40, 3), np.float32), poison((40, 2, 3), np.int64)
#: launch of_tuples[2, 32](t, u)
#: i = np.arange(40)
#: expect t == np.stack([i, i * 0.5 + 3, np.full(40, 7)], axis=1)
#: expect u == [[[n + 1, 2, 3], [-4, -5, -n]] for n in i]
@cuda.jit
def of_tuples(t, u):
    i = cuda.grid(1)
    if i < t.shape[0]:
        t[i] = i, i * 0.5, 4
        t[i, 1:] += 3
        u[i, :, :] = (1, 2, 3)
        u[i, 0, :1] += i
        pair = -4, -5, -i
        u[i, 1] = pair
