# bfloat16: a float32 rounded to 8 significant bits, ties to even, after every operation.

@kernel
def ops(x, y, o, c, k):
    for i in range(grid(1), x.size, gridsize(1)):
        a = bfloat16(x[i])
        b = bfloat16(y[i])
        o[0, i] = a
        o[1, i] = a + b
        o[2, i] = a - b
        o[3, i] = a * b
        o[4, i] = a / b
        o[5, i] = -a
        o[6, i] = abs(a)
        o[7, i] = a * 0.1
        o[8, i] = a + 1
        o[9, i] = min(a, b)
        o[10, i] = float64(a)
        c[0, i] = a < b
        c[1, i] = a == b
        c[2, i] = bool(a)
        k[i] = int32(a)

@kernel
def rounded_once(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[i] = bfloat16(x[i])

#: repeat grids [4, 32], [3, 7]
#: x = (rng.standard_normal(400) * 10.0 ** rng.integers(-3, 3, 400)).astype("f4")
#: y = (rng.standard_normal(400) * 10.0 ** rng.integers(-3, 3, 400)).astype("f4")
#: x[:9] = 0, -0.0, np.inf, 3.4e38, 1 + 2 ** -8, 1 + 3 * 2 ** -8, np.nan, 1e-40, 1
#: y[:9] = 1, -0.0, 1, 3.4e38, 2, 2, 1, 2, 1
#: o, c, k = poison((11, 400), "f4"), poison((3, 400), bool), poison(400, "i4")
#: z = np.array([1 + 2.0 ** -8 + 2.0 ** -40, 1 + 2.0 ** -8, 1 + 3 * 2.0 ** -8 - 2.0 ** -40, 1e300, -np.inf, 3e-5])
#: once = poison(6, "f4")
#: launch ops[GRID, BLOCK](x, y, o, c, k)
#: launch rounded_once[GRID, BLOCK](z, once)
#: a, b = to_bfloat16(x), to_bfloat16(y)
#: with np.errstate(all="ignore"):
#:     want = np.array([a, to_bfloat16(a + b), to_bfloat16(a - b), to_bfloat16(a * b), to_bfloat16(a / b), -a, np.abs(a),
#:                      to_bfloat16(a * to_bfloat16(0.1)), to_bfloat16(a + 1), np.fmin(a, b), a])
#: expect same(o, want)
#: expect c == np.array([a < b, a == b, a != 0])
#: expect k == [0 if v != v else int(min(max(v, -2.0 ** 31), 2.0 ** 31 - 1)) for v in a.tolist()]
#: expect once == np.array([1 + 2.0 ** -7, 1, 1 + 2.0 ** -7, np.inf, -np.inf, to_bfloat16(3e-5)], "f4")
