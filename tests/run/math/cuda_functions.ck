# CUDA's functions of floats that C lacks, within the bounds of docs/math.md: against long double,
# and the inverses by what the function itself makes of the result. float16 is float32's, rounded.

@kernel
def of_one(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = rsqrt(x[i])
        o[1, i] = rcbrt(x[i])
        o[2, i] = exp10(x[i])
        o[3, i] = sinpi(x[i])
        o[4, i] = cospi(x[i])
        o[5, i], o[6, i] = sincos(x[i])
        o[7, i], o[8, i] = sincospi(x[i])
        o[9, i] = erfcx(x[i])
        o[10, i] = normcdf(x[i])
        o[11, i] = cyl_bessel_i0(x[i])
        o[12, i] = cyl_bessel_i1(x[i])
        o[13, i] = saturate(x[i])

@kernel
def inverses(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = erfinv(x[i])
        o[1, i] = erfcinv(x[i])
        o[2, i] = normcdfinv(x[i])

@kernel
def lengths(x, y, z, w, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = rhypot(x[i], y[i])
        o[1, i] = norm3d(x[i], y[i], z[i])
        o[2, i] = rnorm3d(x[i], y[i], z[i])
        o[3, i] = norm4d(x[i], y[i], z[i], w[i])
        o[4, i] = rnorm4d(x[i], y[i], z[i], w[i])
        o[5, i] = fdim(x[i], y[i])

@kernel
def arrays(x: float32[:, :], o: float32[:, :], n: int32[:], f: float64[:]):
    i = grid(1)
    if i < x.shape[0]:
        o[i] = exp10(x[i]) + rsqrt(4) * saturate(x[i])
        f[i] = exp10(n[i])

#: import ctypes
#: L = np.longdouble
#: libm = ctypes.CDLL("libm.so.6")
#: def from_c(name, *args):
#:     function = libm[name + "l"]
#:     function.restype, function.argtypes = ctypes.c_longdouble, [ctypes.c_longdouble] * len(args)
#:     with np.errstate(all="ignore"):
#:         return np.array([function(*[float(v) for v in row]) for row in zip(*args)], L)
#: pi = L("3.14159265358979323846264338327950288")
#: old = np.seterr(all="ignore")
#: def of_pi(x, shift):
#:     x = x.astype(L)
#:     r = x - 2 * np.rint(x / 2)
#:     n = np.rint(2 * r)
#:     t, quarter = (r - n / 2) * pi, (n.astype(int) + shift) % 4
#:     result = np.choose(quarter, [np.sin(t), np.cos(t), -np.sin(t), -np.cos(t)])
#:     zero = np.copysign(L(0), x) if shift == 0 else L(0)
#:     return np.where(np.isfinite(x), np.where(result == 0, zero, result), np.nan)
#: def scaled_erfc(x):
#:     x = np.asarray(x, np.float64)
#:     high = (x * 134217729.0) - (x * 134217729.0 - x)
#:     low = x - high
#:     near = np.exp(L(1) * high * high) * np.exp(L(2) * high * low + L(1) * low * low) * from_c("erfc", x)
#:     far = np.zeros(x.shape, L)
#:     for k in range(300, 0, -1):
#:         far = k / L(2) / (x + far)
#:     return np.where(x > 3, 1 / (x + far) / np.sqrt(pi), near)
#: def normal(x):
#:     t = -x.astype(L) / np.sqrt(L(2))
#:     t0 = t.astype(np.float64)
#:     rest = t - t0
#:     e = np.exp(-L(1) * t0.astype(L) ** 2)
#:     return (from_c("erfc", t0) - 2 / np.sqrt(pi) * e * rest) / 2
#: def bessel(x, order):
#:     x = x.astype(L)
#:     q, term = x * x / 4, np.ones(x.shape, L)
#:     total = term
#:     for k in range(1, 300):
#:         term = term * q / (k * (k + order))
#:         total = total + term
#:     return total * (x / 2 if order else 1)
#: def spread(low, high, n=200):
#:     return 10.0 ** rng.uniform(low, high, n) * rng.choice([-1, 1], n)
#: special = np.array([0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2, 3, -3, np.inf, -np.inf, np.nan, 1e-40, 1e-45, 8, 7.9, 20, -20])
#: x8 = np.concatenate([special, rng.uniform(-9, 9, 400), spread(-30, 1), np.round(rng.uniform(-30, 30, 50))])
#: x4, x2 = x8.astype("f4"), x8.astype("f2")
#: def reference(x):
#:     x = x.astype("f8")
#:     s, c = from_c("sin", x), from_c("cos", x)
#:     i0 = np.where(np.isinf(x), np.inf, bessel(np.where(np.isinf(x), 0, x), 0))
#:     i1 = np.where(np.isinf(x), x, bessel(np.where(np.isinf(x), 0, x), 1))
#:     ex = np.where(np.isinf(x), np.where(x > 0, 0, np.inf), scaled_erfc(np.where(np.isinf(x), 0, x)))
#:     cdf = np.where(np.isinf(x), (x > 0) * 1.0, normal(np.where(np.isinf(x), 0, x)))
#:     return [1 / np.sqrt(x.astype(L)), 1 / from_c("cbrt", x), from_c("exp10", x), of_pi(x, 0), of_pi(x, 1), s, c,
#:             of_pi(x, 0), of_pi(x, 1), ex, cdf, i0, i1, np.where(x > 0, np.minimum(x, 1), 0)]
#: bounds = np.array([3, 6, 4, 2, 2, 4, 4, 2, 2, 16, 16, 16, 16, 0])[:, None]
#: outputs = o8, o4, o2 = [poison((14, x8.size), t) for t in ("f8", "f4", "f2")]
#: launch of_one[7, 33](x8, o8)
#: launch of_one[4, 64](x4, o4)
#: launch of_one[3, 31](x2, o2)
#: expect ulps(o8, np.array(reference(x8))) <= bounds
#: expect ulps(o4, np.array(reference(x4))) <= bounds
#: expect ulps(o2, np.array(reference(x2))) <= 1
#: expect np.all(np.signbit(o8[3:5]) == np.signbit(np.array([of_pi(x8, 0), of_pi(x8, 1)])), where=np.isfinite(x8))
# The difference that remains, over the slope, is the error of the inverse.
#: y8 = np.concatenate([[0.0, -0.0, 1, -1, 2, -2, 1.5, np.nan, np.inf, 5e-324, 1e-310], rng.uniform(0, 2, 300), spread(-30, 0), 1 - 10 ** rng.uniform(-15, -1, 100), 2 - 10 ** rng.uniform(-15, -1, 100), np.abs(spread(-300, -1))])
#: y4 = y8.astype("f4")
#: v8, v4 = poison((3, y8.size), "f8"), poison((3, y4.size), "f4")
#: launch inverses[7, 33](y8, v8)
#: launch inverses[4, 64](y4, v4)
#: def slope(x):
#:     return 2 / np.sqrt(pi) * np.exp(-x.astype(L) ** 2)
#: def inverse_error(v, y):
#:     limit = np.finfo(v.dtype)
#:     unit = np.maximum(np.spacing(np.abs(v)).astype(L), L(limit.tiny) * limit.eps)
#:     y = y.astype(L)
#:     a, b, c = v
#:     at = a.astype("f8")
#:     first = np.where(np.abs(y) < 0.5, from_c("erf", at) - y, np.where(y < 0, -1, 1) * ((1 - np.abs(y)) - from_c("erfc", np.abs(at)))) / slope(a)
#:     log_of = lambda t: np.where(t > 2, np.log(scaled_erfc(np.maximum(t, 2))) - t.astype(L) ** 2, np.log(from_c("erfc", np.minimum(t, 2))))
#:     bt = b.astype("f8")
#:     ratio = np.where(y < 0.1, log_of(bt) - np.log(y), np.where(y > 1, (from_c("erfc", bt) - y), np.log1p((from_c("erfc", bt) - y) / y)))
#:     second = np.where(y > 1, (2 - y - from_c("erfc", -bt)) / slope(b), ratio * np.where(bt > 2, scaled_erfc(np.maximum(bt, 2)), from_c("erfc", np.minimum(bt, 2)) / np.exp(-np.minimum(bt, 2).astype(L) ** 2)) * np.sqrt(pi) / 2)
#:     return first / unit[0], second / unit[1]
#: def inverses_right(v, y):
#:     first, second = inverse_error(v, y)
#:     tiny = np.finfo(v.dtype).tiny
#:     one = (np.abs(y) < 1) & (y != 0)
#:     two = (y > 4 * tiny) & (y < 2)
#:     small = np.abs(first) <= 16
#:     good = np.all(small | ~one) and np.all((np.abs(second) <= 16) | ~two)
#:     ends = [(v[0][k], w) for k, w in enumerate([0, 0, np.inf, -np.inf, np.nan, np.nan, np.nan, np.nan, np.nan])]
#:     ends += [(v[1][k], w) for k, w in enumerate([np.inf, np.inf, 0, np.nan, -np.inf, np.nan])]
#:     ends += [(v[2][k], w) for k, w in enumerate([-np.inf, -np.inf, np.inf, np.nan, np.nan])]
#:     return good and all(g == w or np.isnan(g) and np.isnan(w) for g, w in ends)
#: expect inverses_right(v8, y8)
#: expect inverses_right(v4, y4)
#: half = 2 * y8
#: inside = (half > 1e-300) & (half < 2)
#: h8, u8 = poison((3, y8.size), "f8"), half.copy()
#: launch inverses[7, 33](u8, h8)
#: expect np.all(np.abs(v8[2] + np.sqrt(2) * h8[1]) <= 4e-16 * np.abs(v8[2]), where=inside)
#: m = 300
#: groups = [[rng.uniform(-3, 3, m) for _ in range(4)], [spread(-37, 37, m) for _ in range(4)], [spread(-44, -36, m) for _ in range(4)]]
#: ends = np.array([[0, 0, 0, 0], [np.inf, np.nan, 0, 1], [np.nan, 1, 2, 3], [-0.0, 3, 4, 0], [1, -np.inf, np.nan, np.nan]]).T
#: a8 = [np.concatenate([g[k] for g in groups] + [ends[k]]) for k in range(4)]
#: a, b, c, d = a8
#: e, f, g, h = [v.astype("f4") for v in a8]
#: p8, p4 = poison((6, a.size), "f8"), poison((6, a.size), "f4")
#: def length(*v):
#:     infinite = np.any([np.isinf(w) for w in v], axis=0)
#:     return np.where(infinite, np.inf, np.sqrt(sum(w.astype(L) ** 2 for w in v)))
#: def lengths_of(x, y, z, w):
#:     return [1 / length(x, y), length(x, y, z), 1 / length(x, y, z), length(x, y, z, w), 1 / length(x, y, z, w),
#:             np.where(np.isnan(x) | np.isnan(y), np.nan, np.maximum(x.astype(L) - y.astype(L), 0))]
#: launch lengths[7, 33](a, b, c, d, p8)
#: launch lengths[4, 64](e, f, g, h, p4)
#: expect ulps(p8, np.array(lengths_of(a, b, c, d))) <= 4
#: expect ulps(p4, np.array(lengths_of(e, f, g, h))) <= 4
#: q, r = rng.uniform(-2, 2, (5, 7)).astype("f4"), poison((5, 7), "f4")
#: n, s = np.arange(5, dtype="i4") - 2, poison(5, "f8")
#: launch arrays[1, 8](q, r, n, s)
#: expect close(r, 10.0 ** q + 0.5 * np.clip(q, 0, 1), 1e-6)
#: expect close(s, 10.0 ** n, 1e-15)

# Denormal arguments and results, and arguments far beyond the overflow.
@kernel
def ends(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = erfcinv(x[i])
        o[1, i] = normcdfinv(x[i])
        o[2, i] = cyl_bessel_i0(1 / x[i])
        o[3, i] = cyl_bessel_i1(-1 / x[i])

@kernel
def tails(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[i] = normcdf(x[i])

#: e8, e4 = np.array([5e-324, 1e-310, 1e-300]), np.array([2.0**-149, 2.0**-130], "f4")
#: i8, i4 = poison((4, 3), "f8"), poison((4, 2), "f4")
#: launch ends[1, 32](e8, i8)
#: launch ends[1, 32](e4, i4)
#: expect ulps(i8[:2], np.array([["27.213293210812948815", "26.644806559364764782", "26.209469960516123885"], ["-38.467405617144346249", "-37.66306033194952373", "-37.047096299361199235"]]).astype(L)) <= 16
#: expect ulps(i4[:2], np.array([["10.019834265884623368", "9.3432577679778521769"], ["-14.121426613350498539", "-13.161097029574297472"]]).astype(L)) <= 16
#: expect (i8[2] == np.inf) & (i8[3] == -np.inf)
#: expect (i4[2] == np.inf) & (i4[3] == -np.inf)
#: t8, t4 = rng.uniform(-39, -37, 2000), rng.uniform(-15, -13, 2000).astype("f4")
#: p8, p4 = poison(2000, "f8"), poison(2000, "f4")
#: launch tails[4, 64](t8, p8)
#: launch tails[4, 64](t4, p4)
#: expect (p8 >= 0) & ~np.signbit(p8)
#: expect (p4 >= 0) & ~np.signbit(p4)
