# A GPU's approximations: near the functions, in float32; of float64 the functions themselves.

@kernel
def approximations(x, y, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = fast.sin(x[i])
        o[1, i] = fast.cos(x[i])
        o[2, i] = fast.tan(x[i])
        o[3, i] = fast.exp(x[i])
        o[4, i] = fast.exp2(x[i])
        o[5, i] = fast.exp10(x[i])
        o[6, i] = fast.log(y[i])
        o[7, i] = fast.log2(y[i])
        o[8, i] = fast.log10(y[i])
        o[9, i] = fast.pow(y[i], x[i])
        o[10, i] = fast.divide(x[i], y[i])
        o[11, i], o[12, i] = fast.sincos(x[i])

#: n = 500
#: x, y = rng.uniform(-3, 3, n), 2.0 ** rng.uniform(-6, 6, n)
#: f, g = x.astype("f4"), y.astype("f4")
#: o, p, h = poison((13, n), "f8"), poison((13, n), "f4"), poison((13, n), "f4")
#: s, t = x.astype("f2"), y.astype("f2")
#: repeat grids [1, 32], [3, 7]
#: launch approximations[GRID, BLOCK](x, y, o)
#: launch approximations[GRID, BLOCK](f, g, p)
#: launch approximations[GRID, BLOCK](s, t, h)
#: def wanted(x, y):
#:     x, y = x.astype("f8"), y.astype("f8")
#:     return np.array([np.sin(x), np.cos(x), np.tan(x), np.exp(x), 2.0 ** x, 10.0 ** x, np.log(y), np.log2(y), np.log10(y), y ** x, x / y, np.sin(x), np.cos(x)])
#: def near(o, want, size):
#:     slope = np.where(np.arange(13)[:, None] == 2, 1 + want ** 2, 1) # the tangent near poles
#:     return np.abs(o - want) <= size * np.maximum(np.abs(want), 1) * slope
#: expect near(o, wanted(x, y), 1e-14)
#: expect near(p, wanted(f, g), 4e-6)
#: expect near(h, wanted(s, t), 2e-3) | (np.abs(wanted(s, t)) > 6e4)
