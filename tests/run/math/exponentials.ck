# Each function against the C library in long double, within the bounds of docs/math.md.

@kernel
def functions(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = math.exp(x[i])
        o[1, i] = math.exp2(x[i])
        o[2, i] = math.expm1(x[i])
        o[3, i] = math.log(x[i])
        o[4, i] = math.log2(x[i])
        o[5, i] = math.log10(x[i])
        o[6, i] = math.log1p(x[i])
        o[7, i] = math.cbrt(x[i])

#: import ctypes
#: libm = ctypes.CDLL("libm.so.6")
#: def reference(name, x):
#:     function = libm[name + "l"]
#:     function.restype, function.argtypes = ctypes.c_longdouble, [ctypes.c_longdouble]
#:     return np.array([function(float(v)) for v in x])
#: special = [0, -0.0, 1, -1, 0.5, -0.5, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 3e-39, 1e-45, 2, 10]
#: x8 = np.concatenate([special, rng.uniform(-1, 2, 300), rng.uniform(-120, 120, 300), rng.standard_normal(300) * 10.0 ** rng.integers(-30, 30, 300)])
#: x4 = x8.astype("f4")
#: x2 = x8.astype("f2")
#: o8, o4 = poison((8, x8.size), "f8"), poison((8, x8.size), "f4")
#: o2 = poison((8, x8.size), "f2")
#: launch functions[7, 33](x8, o8)
#: launch functions[4, 64](x4, o4)
#: launch functions[3, 31](x2, o2)
#: names = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "cbrt"]
#: bounds = np.array([3, 3, 3, 3, 3, 3, 2, 4])[:, None]
#: expect ulps(o8, np.array([reference(n, x8) for n in names])) <= bounds
#: expect ulps(o4, np.array([reference(n, x4) for n in names])) <= bounds
#: expect ulps(o2, np.array([reference(n, x2) for n in names])) <= 1
# The sign of a zero too.
#: expect np.signbit(o8[[2, 6, 7], 1]) & np.signbit(o4[[2, 6, 7], 1]) & ~np.signbit(o4[[2, 6, 7], 0])
