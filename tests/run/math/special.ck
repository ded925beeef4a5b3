# Each function against the C library in long double, within the bounds of docs/math.md.
# gamma's poles are left out: libraries differ in whether they are infinite or NaN.

@kernel
def functions(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = math.erf(x[i])
        o[1, i] = math.erfc(x[i])
        o[2, i] = math.gamma(x[i])

#: import ctypes
#: libm = ctypes.CDLL("libm.so.6")
#: def reference(name, x):
#:     function = libm[name + "l"]
#:     function.restype, function.argtypes = ctypes.c_longdouble, [ctypes.c_longdouble]
#:     return np.array([function(float(v)) for v in x])
#: special = [0, -0.0, 1, -1, 0.5, -0.5, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 3e-39, 1e-45, 2, 10]
#: x8 = np.concatenate([special, rng.uniform(-6, 6, 300), rng.uniform(0, 30, 300), rng.uniform(-4, 4, 300) * 10.0 ** rng.integers(-20, 0, 300)])
#: x8 = x8[(x8 > 0) | (x8 != np.floor(x8)) | (x8 == 0)]
#: x4 = x8.astype("f4")
#: x2 = x8.astype("f2")
#: o8, o4 = poison((3, x8.size), "f8"), poison((3, x8.size), "f4")
#: o2 = poison((3, x8.size), "f2")
#: launch functions[7, 33](x8, o8)
#: launch functions[4, 64](x4, o4)
#: launch functions[3, 31](x2, o2)
#: names = ["erf", "erfc", "tgamma"]
#: bounds = np.array([16, 16, 16])[:, None]
#: expect ulps(o8, np.array([reference(n, x8) for n in names])) <= bounds
#: expect ulps(o4, np.array([reference(n, x4) for n in names])) <= bounds
#: expect ulps(o2, np.array([reference(n, x2) for n in names])) <= 1
# Denormal results; gamma at zeros, at infinities, overflowing and beyond.

@kernel
def ends(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = math.exp(x[i])
        o[1, i] = math.exp2(x[i])
        o[2, i] = math.erfc(x[i])
        o[3, i] = math.gamma(x[i])
        o[4, i] = math.lgamma(x[i])

#: e8 = np.concatenate([[0.0, -0.0, np.inf, 9.5, 10.0, -1e-30, -1e-38, 35.5, 40, -40.5, -41.5, -1000.5, 1e30],
#:                      rng.uniform(-105, -85, 300), rng.uniform(-150, -125, 300), rng.uniform(8.9, 10.2, 99)]).astype("f4")
#: e4 = poison((5, e8.size), "f4")
#: launch ends[3, 65](e8, e4)
#: for row, name, bound in [(0, "exp", 3), (1, "exp2", 3), (2, "erfc", 16), (3, "tgamma", 16)]:
#:     want = reference(name, e8)
#:     assert (ulps(e4[row], want) <= bound).all(), name
#: zeros = (e8 == 0)
#: expect np.isinf(e4[3][zeros]) & (np.signbit(e4[3]) == np.signbit(e8))[zeros]
#: expect close(e4[4][:8], np.array([float(v) for v in reference("lgamma", e8[:8])]), 4e-6, 4e-6)
#: m8 = np.array([-np.inf], "f4")
#: m4 = poison((5, 1), "f4")
#: launch ends[1, 32](m8, m4)
#: expect (m4[0] == 0) & (m4[1] == 0) & (m4[2] == 2) & (m4[4] == np.inf)
