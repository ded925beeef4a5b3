# float16 rounds after every operation, as NumPy does.

@kernel
def ops(a, b, o, c):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] + b[i]
        o[1, i] = a[i] - b[i]
        o[2, i] = a[i] * b[i]
        o[3, i] = a[i] / b[i]
        o[4, i] = sqrt(abs(a[i]))
        o[5, i] = -a[i]
        o[6, i] = a[i] + 1
        o[7, i] = a[i] * 0.1
        o[8, i] = min(a[i], b[i])
        o[9, i] = max(a[i], b[i])
        o[10, i] = a[i] ** 2
        c[0, i] = a[i] < b[i]
        c[1, i] = a[i] == b[i]
        c[2, i] = bool(a[i])

#: repeat grids [4, 32], [3, 7]
#: a = (rng.standard_normal(400) * 10.0 ** rng.integers(-3, 3, 400)).astype("f2")
#: b = (rng.standard_normal(400) * 10.0 ** rng.integers(-3, 3, 400)).astype("f2")
#: a[:6] = 0, -0.0, np.inf, 65504, 6e-8, 1
#: b[:6] = 1, -0.0, 1, 65504, 2, 1
#: o, c = poison((11, 400), "f2"), poison((3, 400), bool)
#: launch ops[GRID, BLOCK](a, b, o, c)
#: with np.errstate(all="ignore"):
#:     want = np.array([a + b, a - b, a * b, a / b, np.sqrt(np.abs(a)), -a, a + np.float16(1),
#:                      a * np.float16(0.1), np.minimum(a, b), np.maximum(a, b), a * a])
#: expect same(o, want)
#: expect c == np.array([a < b, a == b, a != 0])
