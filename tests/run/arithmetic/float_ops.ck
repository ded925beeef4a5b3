# Floats of one type keep it and round once an operation: + - * / // % and unary - + abs.

@kernel
def ops(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] + b[i]
        o[1, i] = a[i] - b[i]
        o[2, i] = a[i] * b[i]
        o[3, i] = a[i] / b[i]
        o[4, i] = -a[i]
        o[5, i] = +a[i]
        o[6, i] = abs(a[i])

@kernel
def floors(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] // b[i]
        o[1, i] = a[i] % b[i]

#: repeat grids [3, 33], [1, 7]
#: def pairs(t, n=301):
#:     f = np.finfo(t)
#:     e = [0, 1, 1.5, 7, f.max, f.tiny, f.smallest_subnormal, f.eps, np.inf]
#:     with np.errstate(invalid="ignore"):
#:         e = np.array(e + [-x for x in e] + [np.nan], t)
#:     r = (rng.standard_normal((2, n)) * 10.0 ** rng.integers(-4, 4, (2, n))).astype(t)
#:     return np.concatenate([np.repeat(e, e.size), r[0]]), np.concatenate([np.tile(e, e.size), r[1]])
#: a_f2, b_f2 = pairs("f2")
#: a_f4, b_f4 = pairs("f4")
#: a_f8, b_f8 = pairs("f8")
#: o_f2, o_f4, o_f8 = (poison((7, a_f2.size), t) for t in ("f2", "f4", "f8"))
#: def smooth(t):
#:     a = np.concatenate([rng.uniform(-1000, 1000, 500), rng.integers(-50, 50, 500)]).astype(t)
#:     b = np.concatenate([rng.uniform(-10, 10, 500), rng.integers(-9, 9, 500)]).astype(t)
#:     return a, np.where(b == 0, 3, b).astype(t)
#: x_f4, y_f4 = smooth("f4")
#: x_f8, y_f8 = smooth("f8")
#: z_f4, z_f8 = poison((2, 1000), "f4"), poison((2, 1000), "f8")
#: launch ops[GRID, BLOCK](a_f2, b_f2, o_f2)
#: launch ops[GRID, BLOCK](a_f4, b_f4, o_f4)
#: launch ops[GRID, BLOCK](a_f8, b_f8, o_f8)
#: launch floors[GRID, BLOCK](x_f4, y_f4, z_f4)
#: launch floors[GRID, BLOCK](x_f8, y_f8, z_f8)
#: def expected(a, b):
#:     with np.errstate(all="ignore"):
#:         return np.array([a + b, a - b, a * b, a / b, -a, a, np.abs(a)])
#: def equal(x, y):
#:     return same(x, y) & ((np.signbit(x) == np.signbit(y)) | np.isnan(x))
#: expect equal(o_f2, expected(a_f2, b_f2))
#: expect equal(o_f4, expected(a_f4, b_f4))
#: expect equal(o_f8, expected(a_f8, b_f8))
#: expect equal(z_f4, np.array([x_f4 // y_f4, x_f4 % y_f4]))
#: expect equal(z_f8, np.array([x_f8 // y_f8, x_f8 % y_f8]))
