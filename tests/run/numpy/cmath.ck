# Python's cmath, against Python: in both complex types, near branch points and cuts, of very large
# and very small numbers; special values as documented; real and integer arguments.
import cmath
from cmath import phase as angle_of

@kernel
def functions(z, o):
    for i in range(grid(1), z.size, gridsize(1)):
        o[0, i] = cmath.acos(z[i])
        o[1, i] = cmath.acosh(z[i])
        o[2, i] = cmath.asin(z[i])
        o[3, i] = cmath.asinh(z[i])
        o[4, i] = cmath.atan(z[i])
        o[5, i] = cmath.atanh(z[i])
        o[6, i] = cmath.cos(z[i])
        o[7, i] = cmath.cosh(z[i])
        o[8, i] = cmath.exp(z[i])
        o[9, i] = cmath.log(z[i])
        o[10, i] = cmath.log10(z[i])
        o[11, i] = cmath.sin(z[i])
        o[12, i] = cmath.sinh(z[i])
        o[13, i] = cmath.sqrt(z[i])
        o[14, i] = cmath.tan(z[i])
        o[15, i] = cmath.tanh(z[i])

@kernel
def others(z, w, o, b, c):
    for i in range(grid(1), z.size, gridsize(1)):
        r, phi = cmath.polar(z[i])
        o[0, i] = r
        o[1, i] = phi
        o[2, i] = cmath.phase(z[i]) if i % 2 else angle_of(z[i])
        b[0, i] = cmath.isnan(z[i])
        b[1, i] = cmath.isinf(z[i])
        b[2, i] = cmath.isfinite(z[i])
        b[3, i] = cmath.isclose(z[i], w[i])
        b[4, i] = cmath.isclose(z[i], w[i], rel_tol=0.1)
        b[5, i] = cmath.isclose(z[i], w[i], abs_tol=1, rel_tol=0)
        c[0, i] = cmath.rect(z[i].real, z[i].imag)
        c[1, i] = cmath.log(z[i], w[i])
        c[2, i] = cmath.log(z[i], 2)

@kernel
def of_reals(x, n, o, c):
    i = grid(1)
    o[i, 0] = isinstance(cmath.sqrt(x[i]), complex64)
    o[i, 1] = isinstance(cmath.exp(n[i]), complex128)
    o[i, 2] = isinstance(cmath.sqrt(-1), complex128)
    o[i, 3] = isinstance(cmath.rect(x[i], 1), complex64)
    o[i, 4] = isinstance(cmath.phase(x[i]), float32)
    o[i, 5] = isinstance(cmath.log(x[i], 2.5), complex64)
    c[i, 0] = cmath.sqrt(x[i])
    c[i, 1] = cmath.log(n[i])
    c[i, 2] = cmath.infj + cmath.pi
    c[i, 3] = cmath.nanj * 0 + cmath.e + cmath.tau
    c[i, 4] = cmath.sqrt(-4)

@kernel
def of_large(z, o):
    i = grid(1)
    o[0, i] = cmath.exp(z[i])
    o[1, i] = cmath.sinh(z[i])
    o[2, i] = cmath.cosh(z[i])

#: import cmath
#: names = "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan tanh".split()
#: def reference(name, values):
#:     result = []
#:     for v in values:
#:         try:
#:             result.append(getattr(cmath, name)(complex(v)))
#:         except (ValueError, OverflowError): # a pole, or beyond the largest number
#:             result.append(None)
#:     return result
#: parts = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1, -1, 0.5, -2.5, 3, 2.0 ** 100, -2.0 ** 100, 2.0 ** -130, 85, -85.5, 2.0 ** 120]
#: special = np.array([complex(a, b) for a in parts for b in parts])
#: m = 60
#: circle = np.exp(1j * rng.uniform(-np.pi, np.pi, m))
#: def samples(limit):
#:     def spread():
#:         return 2.0 ** rng.uniform(-limit, limit, m) * rng.choice([-1, 1], m)
#:     return np.concatenate([rng.normal(size=m) + 1j * rng.normal(size=m), 30 * rng.normal(size=m) + 1j * 30 * rng.normal(size=m),
#:                            (1 + 2.0 ** rng.uniform(-20, -2, m) * rng.choice([-1, 1], m)) * circle,
#:                            rng.choice(np.array([1, -1, 1j, -1j]), m) + 2.0 ** rng.uniform(-20, -2, m) * circle,
#:                            spread() + 1j * spread(), spread() * 1j + rng.normal(size=m)])
#: f8 = np.concatenate([samples(900), special])
#: f4 = np.concatenate([samples(110), special]).astype(np.complex64)
#: o8, o4 = poison((16, f8.size), np.complex128), poison((16, f4.size), np.complex64)
#: # Zeros, infinities and signs as documented; what no standard says is either: signs beside a NaN,
#: # and acosh of 0 + nan j.
#: def equal_part(got, want, other):
#:     if np.isnan(want) or np.isnan(got):
#:         return np.isnan(want) and np.isnan(got)
#:     if np.isnan(other):
#:         return abs(got) == abs(want)
#:     return got == want and (want != 0 or np.signbit(got) == np.signbit(want)) if want == 0 or np.isinf(want) else None
#: def faults(z, o):
#:     t = o.real.dtype
#:     found = []
#:     for row, name in zip(o, names):
#:         for v, got, want in zip(z, row, reference(name, z)):
#:             with np.errstate(over="ignore"):
#:                 exact, want = want, None if want is None else complex(o.dtype.type(want))
#:             if want is None or name == "acosh" and v.real == 0 and np.isnan(v.imag):
#:                 continue
#:             limit = np.finfo(t)
#:             near = abs(complex(got) - exact) <= 24 * limit.eps * abs(exact) + 4 * limit.tiny * limit.eps
#:             if np.isinf(want.real) or np.isinf(want.imag):
#:                 near = (np.isinf(got.real) or np.isinf(got.imag)) and np.isfinite(exact.real + exact.imag)
#:             special = [equal_part(g, w, u) for g, w, u in ((got.real, want.real, want.imag), (got.imag, want.imag, want.real))]
#:             tiny = 0 < min(abs(exact.real), abs(exact.imag)) < limit.tiny
#:             if not all(s or (s is None or tiny) and (near or not np.isfinite(abs(exact))) for s in special):
#:                 found.append(f"{name}({v}) is {got}, not {want}")
#:     return "; ".join(found[:5])
#: k = 50
#: z = np.concatenate([rng.normal(size=k) + 1j * rng.normal(size=k), [complex(a, b) for a in parts for b in parts]])
#: w = np.where(rng.random(z.size) < 0.7, z * (1 + rng.choice([0, 1e-10, 1e-5, 0.05, 1], z.size)), z + 0.5)
#: o, b, c = poison((3, z.size), np.float64), poison((6, z.size), np.bool_), poison((3, z.size), np.complex128)
#: x, n = np.array([-4, 9], np.float32), np.array([5, -1], np.int32)
#: p, q = poison((2, 6), np.bool_), poison((2, 5), np.complex128)
#: # The square root of exp overflows, but the imaginary part of the result does not.
#: l4 = np.array([complex(180, 1e-41), complex(185, -3e-43)], np.complex64)
#: l8 = np.array([complex(1430, 5e-318), complex(1440, -2e-322)])
#: g4, g8 = poison((3, 2), np.complex64), poison((3, 2), np.complex128)
#: def large(z):
#:     z = z.astype(np.clongdouble)
#:     return np.array([np.exp(z).imag, np.sinh(z).imag, np.cosh(z).imag])
#: repeat grids [1, 32], [3, 7]
#: launch functions[GRID, BLOCK](f8, o8)
#: launch functions[GRID, BLOCK](f4, o4)
#: launch others[GRID, BLOCK](z, w, o, b, c)
#: launch of_reals[1, 2](x, n, p, q)
#: launch of_large[1, 2](l4, g4)
#: launch of_large[1, 2](l8, g8)
#: expect close(g4.imag, large(l4).astype(np.float32), 2e-6, 0) & np.isinf(g4.real)
#: expect close(g8.imag, large(l8).astype(np.float64), 1e-14, 0) & np.isinf(g8.real)
#: expect np.array(faults(f8, o8)) == ""
#: expect np.array(faults(f4, o4)) == ""
#: def polar(v):
#:     return [abs(v), cmath.phase(v), cmath.phase(v)]
#: expect close(o, np.array([polar(complex(v)) for v in z]).T, 1e-14, 0)
#: def tests(u, v):
#:     return [cmath.isnan(u), cmath.isinf(u), cmath.isfinite(u), cmath.isclose(u, v), cmath.isclose(u, v, rel_tol=0.1), cmath.isclose(u, v, abs_tol=1, rel_tol=0)]
#: expect b == np.array([tests(complex(u), complex(v)) for u, v in zip(z, w)]).T
#: def same_parts(got, want):
#:     return all(np.isnan(g) if np.isnan(h) else g == h or abs(g - h) <= 1e-13 * abs(want) for g, h in ((got.real, want.real), (got.imag, want.imag)))
#: def rectangle(v):
#:     try:
#:         return cmath.rect(v.real, v.imag)
#:     except ValueError: # of an infinite angle
#:         return None
#: rects = [rectangle(complex(v)) for v in z]
#: expect all(r is None or same_parts(g, r) for g, r in zip(c[0], rects))
#: expect all(same_parts(c[1, i], cmath.log(z[i], w[i])) and same_parts(c[2, i], cmath.log(z[i], 2)) for i in range(k))
#: expect p
#: expect close(q[:, 0], [2j, 3]) & close(q[:, 1], [cmath.log(5), cmath.log(-1)]) & (q[:, 4] == 2j)
#: expect (q[:, 2].real == np.pi) & (q[:, 2].imag == np.inf)
#: expect np.isnan(q[:, 3].imag)
