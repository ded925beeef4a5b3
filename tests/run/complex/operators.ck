# Every operator on complex64 and complex128, with each other and with real numbers, as NumPy.

@kernel
def arithmetic(z, w, o):
    for i in range(grid(1), z.size, gridsize(1)):
        o[0, i] = z[i] + w[i]
        o[1, i] = z[i] - w[i]
        o[2, i] = z[i] * w[i]
        o[3, i] = z[i] / w[i]
        o[4, i] = -z[i]
        o[5, i] = +w[i]
        v = z[i]
        v += w[i]
        v *= z[i]
        v -= w[i]
        v /= w[i]
        o[6, i] = v

@kernel
def literals(z, o):
    for i in range(grid(1), z.size, gridsize(1)):
        o[0, i] = z[i] * 1j + 2
        o[1, i] = (1 + 2j) / z[i] - 0.5
        o[2, i] = 3 * z[i]
        o[3, i] = z[i] / 1.5e0j
        o[4, i] = 2 - z[i]
        o[5, i] = z[i] * True

#: repeat grids [1, 32], [3, 37]
#: n = 203
#: def number(dtype):
#:     x = rng.normal(size=n) * 10.0 ** rng.integers(-3, 4, n)
#:     if np.dtype(dtype).kind == "c":
#:         x = x + 1j * rng.normal(size=n) * 10.0 ** rng.integers(-3, 4, n)
#:     return np.where(np.abs(x.real) < 1e-6, 1, x).astype(dtype)
#: def check(z, w, o, tol):
#:     x, y = z.astype("c16"), w.astype("c16")
#:     rows = [x + y, x - y, x * y, x / y, -x, y]
#:     good = all(np.all(np.abs(o[k] - r) <= tol * (np.abs(x) + np.abs(y) if k < 2 else np.abs(r))) for k, r in enumerate(rows))
#:     return good and np.all(np.abs(o[6] - ((x + y) * x - y) / y) <= 8 * tol * (np.abs((x + y) * x / y) + 1))
#: z, w, o = number("c8"), number("c8"), poison((7, n), "c8")
#: launch arithmetic[GRID, BLOCK](z, w, o)
#: expect check(z, w, o, 5e-7)
#: z, w, o = number("c16"), number("c16"), poison((7, n), "c16")
#: launch arithmetic[GRID, BLOCK](z, w, o)
#: expect check(z, w, o, 1e-15)
#: z, w, o = number("c8"), number("c16"), poison((7, n), "c16")
#: launch arithmetic[GRID, BLOCK](z, w, o)
#: expect check(z, w, o, 1e-15)
#: z, w, o = number("c16"), number("c8"), poison((7, n), "c16")
#: launch arithmetic[GRID, BLOCK](z, w, o)
#: expect check(z, w, o, 1e-15)
#: z, w, o = number("c8"), number("f4"), poison((7, n), "c8")
#: launch arithmetic[GRID, BLOCK](z, w, o)
#: expect check(z, w, o, 5e-7)
#: z, w, o = number("c8"), number("f8"), poison((7, n), "c16")
#: launch arithmetic[GRID, BLOCK](z, w, o)
#: expect check(z, w, o, 1e-15)
#: z, w, o = number("c16"), number("f4"), poison((7, n), "c16")
#: launch arithmetic[GRID, BLOCK](z, w, o)
#: expect check(z, w, o, 1e-15)
#: z, w, o = number("c8"), rng.integers(1, 99, n, dtype="i4"), poison((7, n), "c8")
#: launch arithmetic[GRID, BLOCK](z, w, o)
#: expect check(z, w, o, 5e-7)
#: z, w, o = number("c16"), -rng.integers(1, 99, n), poison((7, n), "c16")
#: launch arithmetic[GRID, BLOCK](z, w, o)
#: expect check(z, w, o, 1e-15)
#: z, w, o = number("c8"), number("f2"), poison((7, n), "c8")
#: launch arithmetic[GRID, BLOCK](z, w, o)
#: expect check(z, w, o, 5e-7)
#: z, o = number("c8"), poison((6, n), "c8")
#: launch literals[GRID, BLOCK](z, o)
#: want = np.array([z * 1j + 2, (1 + 2j) / z - 0.5, 3 * z, z / 1.5j, 2 - z, z])
#: expect np.abs(o - want) <= 5e-7 * (np.abs(want) + 3)
#: z, o = number("c16"), poison((6, n), "c16")
#: launch literals[GRID, BLOCK](z, o)
#: want = np.array([z * 1j + 2, (1 + 2j) / z - 0.5, 3 * z, z / 1.5j, 2 - z, z])
#: expect np.abs(o - want) <= 1e-15 * (np.abs(want) + 3)
