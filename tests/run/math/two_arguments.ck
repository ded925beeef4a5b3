# Functions of two floats: promotion, and the C library in long double.

@kernel
def functions(x, y, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = math.atan2(x[i], y[i])
        o[1, i] = math.hypot(x[i], y[i])
        o[2, i] = math.pow(math.fabs(x[i]), y[i])
        o[3, i] = math.fmod(x[i], y[i])
        o[4, i] = math.remainder(x[i], y[i])
        o[5, i] = math.copysign(x[i], y[i])
        o[6, i] = math.nextafter(x[i], y[i])

@kernel
def mixed(n: int32[:], x: float32[:], o: float64[:, :]):
    for i in range(grid(1), n.size, gridsize(1)):
        o[0, i] = math.atan2(n[i], x[i])
        o[1, i] = math.hypot(n[i], n[i])
        o[2, i] = math.atan2(x[i], 1)
        o[3, i] = math.sin(n[i])
        o[4, i] = x[i] * math.sqrt(2.0) * math.atan2(1.0, 2)

#: import ctypes
#: libm = ctypes.CDLL("libm.so.6")
#: def reference(name, x, y):
#:     function = libm[name + "l"]
#:     function.restype, function.argtypes = ctypes.c_longdouble, [ctypes.c_longdouble] * 2
#:     return np.array([function(float(v), float(w)) for v, w in zip(x, y)])
#: special = [0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 2.5, -1e-3]
#: a, b = [v.ravel() for v in np.meshgrid(special, special)]
#: x8 = np.concatenate([a, rng.uniform(-5, 5, 400)])
#: y8 = np.concatenate([b, rng.uniform(-4, 4, 400)])
#: x4, y4 = x8.astype("f4"), y8.astype("f4")
#: o8, o4 = poison((7, x8.size), "f8"), poison((7, x8.size), "f4")
#: launch functions[7, 33](x8, y8, o8)
#: launch functions[4, 64](x4, y4, o4)
#: def rounded(name, x, y, bound, got):
#:     return ulps(got, reference(name, x, y)) <= bound
#: expect rounded("atan2", x8, y8, 6, o8[0]) & rounded("atan2", x4, y4, 6, o4[0])
#: expect rounded("hypot", x8, y8, 4, o8[1]) & rounded("hypot", x4, y4, 4, o4[1])
#: expect rounded("pow", abs(x8), y8, 16, o8[2]) & rounded("pow", abs(x4), y4, 16, o4[2])
#: expect rounded("fmod", x8, y8, 0, o8[3]) & rounded("fmod", x4, y4, 0, o4[3])
#: expect rounded("remainder", x8, y8, 0, o8[4]) & rounded("remainder", x4, y4, 0, o4[4])
#: expect same(o8[5], np.copysign(x8, y8)) & same(o4[5], np.copysign(x4, y4))
#: expect same(o8[6], np.nextafter(x8, y8)) & same(o4[6], np.nextafter(x4, y4))
#: x2, y2 = (rng.permutation(np.append(v, [6e-8, -6e-8, 65504, -65504])).astype("f2") for v in (x8, y8))
#: o2 = poison((7, x2.size), "f2")
#: launch functions[5, 32](x2, y2, o2)
#: expect same(o2[6], np.nextafter(x2, y2))
#: n = rng.integers(-100, 100, 97, dtype=np.int32)
#: x = rng.uniform(-5, 5, 97).astype("f4")
#: m = poison((5, 97), "f8")
#: launch mixed[3, 32](n, x, m)
#: expect close(m[0], np.arctan2(n.astype("f4"), x), 1e-6) & same(m[0], m[0].astype("f4"))
#: expect close(m[1], np.hypot(n.astype("f8"), n), 1e-15)
#: expect close(m[2], np.arctan(x), 1e-6) & same(m[2], m[2].astype("f4"))
#: expect close(m[3], np.sin(n.astype("f8")), 1e-14)
# Functions of literals are literals: x stays float32.
#: expect close(m[4], x * np.sqrt(2) * np.arctan2(1, 2), 1e-6) & same(m[4], m[4].astype("f4"))
# Denormal second arguments, and the signs of zero.
#: tiny = np.array([1e-45, -1e-45, 1e-39, 3e-41, -5e-42, 1.1e-38], "f4")
#: x4 = rng.integers(0, 0x7f800000, 600).astype("i4").view("f4") * rng.choice(np.array([-1, 1], "f4"), 600)
#: y4 = np.resize(tiny, 600)
#: o4 = poison((7, 600), "f4")
#: launch functions[5, 32](x4, y4, o4)
#: expect rounded("fmod", x4, y4, 0, o4[3]) & rounded("remainder", x4, y4, 0, o4[4])
#: expect np.signbit(o4[3]) == np.signbit(x4)
