# Parts, magnitudes, conjugates and constructors; of real numbers too.

@kernel
def parts(z, f, c, m):
    for i in range(grid(1), z.size, gridsize(1)):
        f[0, i] = z[i].real
        f[1, i] = z[i].imag
        f[2, i] = abs(z[i])
        f[3, i] = (z[i] * 2).real + z[i].real.imag
        c[0, i] = z[i].conjugate()
        c[1, i] = complex64(f[0, i], f[1, i])
        c[2, i] = complex128(z[i])
        c[3, i] = complex(f[1, i])
        c[4, i] = (-z[i]).conjugate().conjugate()
        c[5, i] = complex(z[i]) + complex(1, 2) + complex(0.5)
        c[6, i] = complex(f[0, i], 1)
        m[i] = complex(f[0, i], f[1, i]).imag == f[1, i]

@kernel
def of_reals(n: int16[:], f: float32[:], b: bool[:], o: int64[:, :], g: float64[:, :]):
    for i in range(grid(1), len(n), gridsize(1)):
        o[0, i] = n[i].real + n[i].imag
        o[1, i] = n[i].conjugate()
        o[2, i] = b[i].real
        o[3, i] = cuda.atomic.add(o, (4, i), 1).imag
        g[0, i] = f[i].real + f[i].imag
        g[1, i] = f[i].conjugate() + (2).imag + (2.5).real + (3j).imag

#: repeat grids [1, 32], [3, 17]
#: n = 101
#: z = (rng.normal(size=n) * 10.0 ** rng.integers(-30, 30, n) + 1j * rng.normal(size=n)).astype("c8")
#: f, c, m = poison((4, n), "f4"), poison((7, n), "c16"), poison(n, "bool")
#: launch parts[GRID, BLOCK](z, f, c, m)
#: expect f[0] == z.real
#: expect f[1] == z.imag
#: expect close(f[2], np.hypot(z.real.astype("f8"), z.imag.astype("f8")), 3e-7)
#: expect f[3] == 2 * z.real
#: expect c[0] == z.conj()
#: expect (c[1] == z) & (c[2] == z)
#: expect c[3] == z.imag
#: expect c[4] == -z
#: expect close(c[5], z.astype("c16") + 1.5 + 2j, 1e-6)
#: expect c[6] == z.real + 1j
#: expect m
#: z = rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n) + 1j * rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n)
#: f, c, m = poison((4, n), "f8"), poison((7, n), "c16"), poison(n, "bool")
#: with np.errstate(over="ignore"):
#:     narrow = z.astype("c8")
#: launch parts[GRID, BLOCK](z, f, c, m)
#: expect (f[0] == z.real) & (f[1] == z.imag)
#: expect close(f[2], np.abs(z), 5e-16)
#: expect c[0] == z.conj()
#: expect same(c[1].real, narrow.real) & same(c[1].imag, narrow.imag)
#: expect (c[2] == z) & (c[3] == z.imag) & (c[4] == -z) & (c[6] == z.real + 1j)
#: expect m
#: k, f, b = rng.integers(-99, 99, n, dtype="i2"), rng.normal(size=n).astype("f4"), rng.integers(0, 2, n).astype(bool)
#: o, g = np.zeros((5, n), "i8"), poison((2, n), "f8")
#: launch of_reals[GRID, BLOCK](k, f, b, o, g)
#: expect (o[0] == k) & (o[1] == k) & (o[2] == b) & (o[3] == 0) & (o[4] == 1)
#: expect g[0] == f
#: expect close(g[1], f.astype("f8") + 5.5, 1e-6)
