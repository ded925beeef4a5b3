# What has one right answer: rounding to whole numbers, classes, parts, signs, fma.

@kernel
def whole(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = math.floor(x[i])
        o[1, i] = math.ceil(x[i])
        o[2, i] = math.trunc(x[i])
        o[3, i] = math.fabs(x[i])
        m, e = math.frexp(x[i])
        o[4, i] = m
        o[5, i] = e
        f, w = math.modf(x[i])
        o[6, i] = f
        o[7, i] = w
        o[8, i] = np.rint(x[i])

@kernel
def classes(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = math.isnan(x[i])
        o[1, i] = math.isinf(x[i])
        o[2, i] = math.isfinite(x[i])
        o[3, i] = math.isnan(i) or math.isinf(i) or not math.isfinite(i)
        o[4, i] = math.isnan(math.nan) and math.isinf(-math.inf) and not math.isfinite(math.inf)

@kernel
def scaled(x, n, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[i] = math.ldexp(x[i], n[i])

@kernel
def fused(x, y, z, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = fma(x[i], y[i], z[i])
        o[1, i] = cuda.fma(x[i], 2, 0.5)
        o[2, i] = math.degrees(x[i])
        o[3, i] = math.radians(x[i])

TAU = math.tau / 2

@kernel
def constants(o: float64[:]):
    o[0] = math.pi
    o[1] = math.e
    o[2] = math.tau
    o[3] = math.inf
    o[4] = math.nan
    o[5] = TAU

#: x8 = np.concatenate([[0, -0.0, 0.5, -0.5, 1, -1, 1.5, np.inf, -np.inf, np.nan, 2.0**52 + 0.5,
#:                       5e-324, -1e-310, 1e-40, 1e300, -1e300],
#:                      rng.standard_normal(300) * 10.0 ** rng.integers(-40, 37, 300)])
#: x4 = x8.astype("f4")
#: o8, o4 = poison((9, x8.size), "f8"), poison((9, x8.size), "f4")
#: c8, c4 = poison((5, x8.size), bool), poison((5, x8.size), bool)
#: launch whole[5, 32](x8, o8)
#: launch whole[3, 37](x4, o4)
#: launch classes[5, 32](x8, c8)
#: launch classes[3, 37](x4, c4)
#: def wholes(x):
#:     m, e = np.frexp(x)
#:     f, w = np.modf(x)
#:     return np.array([np.floor(x), np.ceil(x), np.trunc(x), np.abs(x), m, np.where(np.isfinite(x), e, 0), f, w, np.rint(x)])
#: expect same(o8, wholes(x8)) & same(o4, wholes(x4))
#: signs = [0, 1, 2, 3, 4, 6, 7, 8]
#: n8, n4 = ~np.isnan(x8), ~np.isnan(x4)
#: expect np.signbit(o8[signs][:, n8]) == np.signbit(wholes(x8)[signs][:, n8])
#: expect np.signbit(o4[signs][:, n4]) == np.signbit(wholes(x4)[signs][:, n4])
#: no, yes = np.zeros(x8.size, bool), np.ones(x8.size, bool)
#: expect c8 == np.array([np.isnan(x8), np.isinf(x8), np.isfinite(x8), no, yes])
#: expect c4 == np.array([np.isnan(x4), np.isinf(x4), np.isfinite(x4), no, yes])
#: n = rng.integers(-400, 400, x8.size)
#: n[:4] = 2**40, -2**40, 2100, -2100
#: n4i = n.astype("i4")
#: s8, s4, s1 = poison(x8.size, "f8"), poison(x8.size, "f4"), poison(x8.size, "f4")
#: n1, u8 = rng.integers(-128, 128, x8.size, dtype="i1"), rng.integers(0, 2**64, x8.size, dtype="u8")
#: su = poison(x8.size, "f8")
#: launch scaled[5, 32](x8, n, s8)
#: launch scaled[3, 37](x4, n4i, s4)
#: launch scaled[3, 37](x4, n1, s1)
#: launch scaled[3, 37](x8, u8, su)
#: expect same(s8, np.ldexp(x8, n.clip(-3000, 3000))) & same(s4, np.ldexp(x4, n.astype("i4")))
#: expect same(s1, np.ldexp(x4, n1.astype("i4"))) & same(su, np.ldexp(x8, u8.clip(0, 3000).astype("i4")))
#: a, b, c = (rng.standard_normal(300) for _ in range(3))
#: c[:100] = -(a * b)[:100]
#: a4, b4, c4 = (v.astype("f4") for v in (a, b, c))
#: f8, f4 = poison((4, 300), "f8"), poison((4, 300), "f4")
#: launch fused[5, 32](a, b, c, f8)
#: launch fused[3, 37](a4, b4, c4, f4)
#: from fractions import Fraction
#: def exact(x, y, z):
#:     return np.array([float(Fraction(p) * Fraction(q) + Fraction(r)) for p, q, r in zip(x.tolist(), y.tolist(), z.tolist())])
#: expect f8[0] == exact(a, b, c)
#: expect ulps(f4[0], a4.astype("f8") * b4 + c4) <= 0.5000001
#: expect (f8[1] == a * 2 + 0.5) & (f4[1] == a4 * 2 + np.float32(0.5))
#: expect close(f8[2:], np.array([np.degrees(a), np.radians(a)]), 1e-15)
#: expect close(f4[2:], np.array([np.degrees(a), np.radians(a)]), 3e-7)
#: k = poison(6, "f8")
#: launch constants[1, 1](k)
#: expect same(k, np.array([np.pi, np.e, 2 * np.pi, np.inf, np.nan, np.pi]))
