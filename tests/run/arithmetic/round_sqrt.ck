# round returns an int64, ties to even; sqrt is correctly rounded; abs, int, float and bool.

@kernel
def floats(x, o, r):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = round(x[i])
        o[1, i] = int(x[i])
        o[2, i] = bool(x[i])
        r[0, i] = sqrt(x[i])
        r[1, i] = math.sqrt(abs(x[i]))
        r[2, i] = float(x[i])
        r[3, i] = np.sqrt(x[i] * 2)

@kernel
def ints(x, o, r):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = round(x[i])
        o[1, i] = int(x[i])
        o[2, i] = int(x[i] + 1)
        r[0, i] = sqrt(x[i])
        r[1, i] = float(x[i])
        r[2, i] = sqrt(2)
        r[3, i] = round(2.5) + round(-3.5) + round(0.5) + round(1.5)

#: ties = np.arange(-20, 20) / 2
#: f8 = np.concatenate([ties, rng.uniform(-1e6, 1e6, 200), [2 ** 52 + 0.5, 0.49999999999999994, 1e18, -1e18]])
#: f8 = np.concatenate([f8, [-0.0, 1e300, -1e300, np.inf, -np.inf, np.nan, 5e-324, 2.0 ** 63]])
#: with np.errstate(over="ignore"):
#:     f4, f2 = f8.astype("f4"), f8.astype("f2")
#: i4, u8 = rng.integers(-2 ** 31, 2 ** 31, 99, "i4"), rng.integers(0, 2 ** 63, 99, "u8")
#: i4[0] = 2 ** 31 - 1
#: for n in ("f8", "f4", "f2", "i4", "u8"):
#:     size = globals()[n].size
#:     globals().update({"o_" + n: poison((3, size), "i8"), "r_" + n: poison((4, size), "f8")})
#: launch floats[3, 33](f8, o_f8, r_f8)
#: launch floats[3, 33](f4, o_f4, r_f4)
#: launch floats[3, 33](f2, o_f2, r_f2)
#: launch ints[3, 33](i4, o_i4, r_i4)
#: launch ints[3, 33](u8, o_u8, r_u8)
#: def clip(v):
#:     return 0 if v != v else int(min(max(v, -2.0 ** 63), 2.0 ** 63 - 1024)) if abs(v) < 2.0 ** 63 else (
#:         2 ** 63 - 1 if v > 0 else -2 ** 63)
#: def results(x):
#:     x8 = x.astype("f8")
#:     return np.array([[clip(v) for v in np.rint(x8).tolist()], [clip(v) for v in x8.tolist()], (x != 0).tolist()])
#: def roots(x):
#:     with np.errstate(all="ignore"):
#:         return np.array([np.sqrt(x), np.sqrt(np.abs(x)), x, np.sqrt(x * x.dtype.type(2))]).astype("f8")
#: expect o_f8 == results(f8)
#: expect o_f4 == results(f4)
#: expect o_f2 == results(f2)
#: expect same(r_f8, roots(f8))
#: expect same(r_f4, roots(f4))
#: expect same(r_f2, roots(f2))
#: def of_ints(x):
#:     with np.errstate(invalid="ignore"):
#:         root = np.sqrt(x.astype("f8"))
#:     return np.array([root, x.astype("f8"), np.full(x.size, np.sqrt(2)), np.full(x.size, 2 - 4 + 0 + 2.0)])
#: expect o_i4 == np.array([i4, i4, i4 + np.int32(1)]).astype("i8")
#: expect same(r_i4, of_ints(i4))
#: expect o_u8 == np.array([u8, u8, u8 + np.uint64(1)]).astype("i8")
#: expect r_u8 == of_ints(u8)
