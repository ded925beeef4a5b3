# min and max: of the common type, any number of arguments, passing over a NaN.

@kernel
def ints(a, b, c, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = min(a[i], b[i])
        o[1, i] = max(a[i], b[i])
        o[2, i] = min(a[i], b[i], c[i], 5)
        o[3, i] = max(1, c[i], b[i], a[i])
        o[4, i] = max(min(a[i], 100), 0)

@kernel
def floats(a, b, k, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = min(a[i], b[i])
        o[1, i] = max(a[i], b[i])
        o[2, i] = min(a[i], b[i], 0.5)
        o[3, i] = max(k[i], a[i])
        o[4, i] = min(1.5, k[i])

#: n = 150
#: def ints(t):
#:     i = np.iinfo(t)
#:     x = rng.integers(i.min, i.max, n, dtype=t, endpoint=True)
#:     x[:3] = i.min, i.max, 0
#:     return rng.permutation(x)
#: i1, i2, i4, i8, u1, u4, u8, v8 = (ints(t) for t in ("i1", "i2", "i4", "i8", "u1", "u4", "u8", "u8"))
#: b8, b4 = rng.standard_normal(n), rng.standard_normal(n, "f4")
#: a8, a4 = rng.standard_normal(n), rng.standard_normal(n, "f4")
#: a8[:40:2], a4[:40:2], b8[:40], b4[:40] = np.nan, np.nan, np.inf, -np.inf
#: b8[:20], b4[:20] = np.nan, np.nan
#: o, m, q = poison((5, n), "i8"), poison((5, n), "i8"), poison((5, n), "u8")
#: x8, x4 = poison((5, n), "f8"), poison((5, n), "f8")
#: launch ints[2, 33](i4, i1, i2, o)
#: launch ints[2, 33](i8, u4, u1, m)
#: launch ints[2, 33](u8, v8, u4, q)
#: launch floats[2, 33](a8, b8, i4, x8)
#: launch floats[2, 33](a4, b4, i1, x4)
#: def expected(a, b, c):
#:     rows = [(min(x, y), max(x, y), min(x, y, z, 5), max(1, z, y, x), max(min(x, 100), 0))
#:             for x, y, z in zip(a.tolist(), b.tolist(), c.tolist())]
#:     return np.array(rows, object).T
#: def expected_floats(a, b, k):
#:     rows = [np.fmin(a, b), np.fmax(a, b), np.fmin(np.fmin(a, b), a.dtype.type(0.5)), np.fmax(k.astype(a.dtype), a)]
#:     return np.array([row.astype("f8") for row in rows + [np.minimum(1.5, k)]])
#: expect o == expected(i4, i1, i2)
#: expect m == expected(i8, u4, u1)
#: expect q == expected(u8, v8, u4)
#: expect same(x8, expected_floats(a8, b8, i4))
#: expect same(x4, expected_floats(a4, b4, i1))
