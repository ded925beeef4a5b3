# A name's type follows its assignments; where paths join, scalars take their common type.

@kernel
def retype(x, f, o, p):
    for i in range(grid(1), x.size, gridsize(1)):
        # int8, then float64, then a tuple, then a bool: no join sees two of them.
        v = x[i]
        o[0, i] = v + v
        v = v / 2
        p[0, i] = v
        v = (v, x[i])
        p[1, i] = v[0] + v[1]
        v = v[1] > 0
        o[1, i] = v
        # int8 joined with int32 is int32, with float32 is float32.
        if x[i] > 0:
            w = x[i]
        else:
            w = int32(1000)
        o[2, i] = w * 100
        if x[i] % 2 == 0:
            z = f[i]
        elif x[i] > 0:
            z = x[i]
        else:
            z = 2
        p[2, i] = z / 3
        # Conflicting types are no error if the name is not read afterwards.
        if x[i] > 5:
            t = (1, 2)
            o[3, i] = t[0] + t[1]
        else:
            t = 7
            o[3, i] = t
        t = 1.5
        p[3, i] = t
        # A loop makes it wider.
        a = x[i]
        for k in range(3):
            a = a + int16(100)
        o[4, i] = a
        # Tuples join item by item.
        if x[i] > 0:
            pair = (x[i], 1)
        else:
            pair = (0, f[i])
        p[4, i] = pair[0] * pair[1]

#: repeat grids [3, 32], [1, 7]
#: n = 90
#: x, f = rng.integers(-128, 128, n, dtype="i1"), rng.standard_normal(n, "f4")
#: o, p = poison((5, n), "i8"), poison((5, n), "f8")
#: launch retype[GRID, BLOCK](x, f, o, p)
#: w = np.where(x > 0, x.astype("i4"), 1000)
#: z = np.where(x % 2 == 0, f, np.where(x > 0, x, 2).astype("f4"))
#: expect o == np.array([2 * x.astype("i8"), x > 0, w * 100, np.where(x > 5, 3, 7), x.astype("i8") + 300])
#: expect p[0] == x / 2
#: expect p[1] == x / 2 + x
#: expect p[2] == z / np.float32(3)
#: expect p[3] == 1.5
#: expect p[4] == np.where(x > 0, x, 0) * np.where(x > 0, np.float32(1), f)
