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

# -0.0 is less than 0.0, of constants and of values from memory, one by one and of a whole array.
def zeros_of(a, b, o, i):
    o[0, i] = min(a, b)
    o[1, i] = max(a, b)
    o[2, i] = minimum(a, b)
    o[3, i] = maximum(a, b)

@kernel
def constant_zeros(o):
    t = o.dtype
    zeros_of(t(0.0), t(0.0), o, 0)
    zeros_of(t(0.0), t(-0.0), o, 1)
    zeros_of(t(-0.0), t(0.0), o, 2)
    zeros_of(t(-0.0), t(-0.0), o, 3)

@kernel
def loaded_zeros(a, b, o):
    i = grid(1)
    if i < 4:
        zeros_of(a[i], b[i], o, i)

@kernel
def whole(a, o):
    least = a[0]
    greatest = a[0]
    for x in a:
        least = min(least, x)
        greatest = max(greatest, x)
    o[grid(1), 0] = least
    o[grid(1), 1] = greatest

#: left, right = np.array([0, 0, -0.0, -0.0]), np.array([0, -0.0, 0, -0.0])
#: for t in ("f2", "f4", "f8"):
#:     globals().update({f"l_{t}": left.astype(t), f"r_{t}": right.astype(t), f"c_{t}": poison((4, 4), t),
#:                       f"o_{t}": poison((4, 4), t), f"w_{t}": poison((64, 2), t),
#:                       f"a_{t}": np.where(rng.random(1003) < 0.1, -0.0, 0).astype(t)})
#:     globals()[f"a_{t}"][[0, -1]] = 0, -0.0
#: types = "f2", "f4", "f8"
#: launches [f"constant_zeros[1, 1](c_{t})" for t in types]
#: launches [f"loaded_zeros[1, 32](l_{t}, r_{t}, o_{t})" for t in types]
#: launches [f"whole[1, 64](a_{t}, w_{t})" for t in types]
#: least, greatest = [0, 1, 1, 1], [0, 0, 0, 1]
#: expect np.array([c_f2, c_f4, c_f8, o_f2, o_f4, o_f8]) == 0
#: expect np.signbit([c_f2, c_f4, c_f8, o_f2, o_f4, o_f8]) == np.array([least, greatest] * 2, bool)
#: expect np.array([w_f2, w_f4, w_f8]) == 0
#: expect np.signbit([w_f2, w_f4, w_f8]) == np.array([True, False])
