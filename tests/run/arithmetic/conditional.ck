# `x if test else y`: one side is evaluated; the type is the common one, literals stay weak.

@kernel
def ops(a, f, o, x):
    n = a.size
    for i in range(grid(1), n, gridsize(1)):
        o[0, i] = a[i] if a[i] > 0 else -a[i]
        o[1, i] = a[i + 1] if i + 1 < n else 0
        o[2, i] = 1 if a[i] < 0 else 2 if a[i] == 0 else 3
        o[3, i] = (100 if a[i] > 0 else 50) + a[i]
        o[4, i] = 10 // a[i] if a[i] else -1
        x[0, i] = a[i] if a[i] > 0 else f[i]
        x[1, i] = (0.1 if a[i] > 0 else 0.2) * f[i]
        s, t = (a[i], f[i]) if a[i] > 0 else (0, 1.0)
        x[2, i] = s + t

#: repeat grids [3, 32], [1, 5]
#: n = 130
#: a, f = rng.integers(-128, 128, n, dtype="i1"), rng.standard_normal(n, "f4")
#: a[::5] = 0
#: a[0] = -128
#: o, x = poison((5, n), "i8"), poison((3, n), "f8")
#: launch ops[GRID, BLOCK](a, f, o, x)
#: after = np.append(a[1:], 0)
#: tens = [10 // v if v else -1 for v in a.tolist()]
#: plus = a.astype("i4") + np.where(a > 0, 100, 50)
#: expect o == np.array([np.abs(a.astype("i4")), after, np.sign(a) + 2, plus, tens])
#: expect x[0] == np.where(a > 0, a, f)
#: expect x[1] == np.where(a > 0, np.float32(0.1), np.float32(0.2)) * f
#: expect x[2] == np.where(a > 0, a, 0) + np.where(a > 0, f, np.float32(1))
