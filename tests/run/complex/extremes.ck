# Quotients and magnitudes of very large and very small numbers: nothing overflows or vanishes on
# the way to a result that does not. By zero, and by infinities, as NumPy.

@kernel
def divide(z, w, o, a):
    for i in range(grid(1), z.size, gridsize(1)):
        o[i] = z[i] / w[i]
        a[i] = abs(w[i])

#: repeat grids [1, 32], [3, 37]
#: n = 500
#: def number(dtype, low, high):
#:     part = lambda: np.ldexp(rng.choice([-1, 1], n) * rng.uniform(1, 2, n), rng.integers(low, high, n))
#:     return (part() + 1j * part()).astype(dtype)
#: def error(z, w, o):
#:     """Relative to the result, or to the smallest normal number."""
#:     a, b, c, d = (x.astype(np.longdouble) for x in (z.real, z.imag, w.real, w.imag))
#:     s = c * c + d * d
#:     re, im = (a * c + b * d) / s, (b * c - a * d) / s
#:     size, info = np.hypot(re, im), np.finfo(o.real.dtype)
#:     fits = size < np.longdouble(info.max) * 0.99
#:     off = np.hypot(o.real.astype(np.longdouble) - re, o.imag.astype(np.longdouble) - im)
#:     return np.where(fits, off / np.maximum(size, np.longdouble(info.tiny)) / info.eps, 0)
#: z, w, o, a = number("c8", -126, 127), number("c8", -126, 127), poison(n, "c8"), poison(n, "f4")
#: launch divide[GRID, BLOCK](z, w, o, a)
#: expect error(z, w, o) < 4
#: expect ulps(a, np.hypot(w.real.astype("f8"), w.imag.astype("f8"))) <= 4
#: z, w, o, a = number("c8", 120, 127), number("c8", 120, 127), poison(n, "c8"), poison(n, "f4")
#: launch divide[GRID, BLOCK](z, w, o, a)
#: expect error(z, w, o) < 4
#: z, w, o, a = number("c8", -149, -120), number("c8", -149, -120), poison(n, "c8"), poison(n, "f4")
#: w = np.where(np.abs(w) == 0, np.complex64(1), w)
#: launch divide[GRID, BLOCK](z, w, o, a)
#: expect error(z, w, o) < 4
#: z, w, o, a = number("c16", -1022, 1023), number("c16", -1022, 1023), poison(n, "c16"), poison(n, "f8")
#: launch divide[GRID, BLOCK](z, w, o, a)
#: expect error(z, w, o) < 4
#: z, w, o, a = number("c16", 1015, 1023), number("c16", 1015, 1023), poison(n, "c16"), poison(n, "f8")
#: launch divide[GRID, BLOCK](z, w, o, a)
#: expect error(z, w, o) < 4
#: expect ulps(a, np.hypot(w.real.astype(np.longdouble), w.imag.astype(np.longdouble))) <= 4
#: z, w, o, a = number("c16", -1074, -1000), number("c16", -1074, -1000), poison(n, "c16"), poison(n, "f8")
#: w = np.where(np.abs(w) == 0, 1, w)
#: launch divide[GRID, BLOCK](z, w, o, a)
#: expect error(z, w, o) < 4
#: z = np.array([1 + 2j, -1 + 2j, 1 - 2j, 3 + 1j, complex(1, -2), complex(np.inf, 1)], "c8")
#: w = np.array([0, 0, 0, complex(np.inf, 0), complex(0, -np.inf), 1 + 1j], "c8")
#: o, a = poison(6, "c8"), poison(6, "f4")
#: launch divide[1, 32](z, w, o, a)
#: want = z / w
#: expect same(o.real, want.real) & same(o.imag, want.imag)
#: expect a == [0, 0, 0, np.inf, np.inf, np.float32(2 ** 0.5)]
