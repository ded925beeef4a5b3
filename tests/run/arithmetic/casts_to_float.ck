# Integers and wider floats are rounded once to a float, ties to even; too large is infinite.

@kernel
def by_name(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = float16(x[i])
        o[1, i] = float32(x[i])
        o[2, i] = float64(x[i])
        o[3, i] = float(x[i])

@kernel
def stored(x, f2, f4, f8):
    for i in range(grid(1), x.size, gridsize(1)):
        f2[i] = x[i]
        f4[i] = x[i]
        f8[i] = x[i]

#: ties = [1 + k / 2 ** 11 for k in range(-3, 8)] + [2049, 2051, 65504, 65519.9, 65520, 2 ** 24 + 1, 2 ** 24 + 3]
#: ties += [1 + 2.0 ** -11 + 2.0 ** -30, 1 + 2.0 ** -24, 1 + 2.0 ** -24 + 2.0 ** -52, 1 + 3 * 2.0 ** -24, 1e40]
#: ties += [2.0 ** -24, 2.0 ** -25, 3 * 2.0 ** -25, 2.0 ** -14, 2.0 ** -149, 2.0 ** -150, 1e-310, 0.0, np.inf]
#: f8 = np.array(ties + [-v for v in ties] + [np.nan])
#: f8 = np.concatenate([f8, rng.standard_normal(300) * 10.0 ** rng.integers(-9, 9, 300)])
#: with np.errstate(all="ignore"):
#:     f4, f2 = f8.astype("f4"), f8.astype("f2")
#: i8 = rng.integers(-2 ** 63, 2 ** 63, 100) >> rng.integers(0, 64, 100)
#: i8[:6] = 2 ** 63 - 1, -2 ** 63, 2 ** 53 + 1, 2 ** 24 + 1, 2 ** 62 + 2 ** 38 + 1, 2 ** 24 + 3
#: u8 = rng.integers(0, 2 ** 64, 100, "u8") >> rng.integers(0, 64, 100).astype("u8")
#: u8[:4] = 2 ** 64 - 1, 2 ** 63, 2 ** 63 + 2 ** 39 + 1, 2 ** 64 - 2 ** 39
#: i4 = rng.integers(-2 ** 31, 2 ** 31, 100, "i4")
#: u1, p = rng.integers(0, 256, 100, "u1"), poison(100, bool)
#: for n in ("f8", "f4", "f2", "i8", "u8", "i4", "u1", "p"):
#:     globals()["o_" + n] = poison((4, globals()[n].size), "f8")
#: s_f2, s_f4, s_f8 = (poison(f8.size, t) for t in ("f2", "f4", "f8"))
#: launch by_name[3, 33](f8, o_f8)
#: launch by_name[3, 33](f4, o_f4)
#: launch by_name[3, 33](f2, o_f2)
#: launch by_name[3, 33](i8, o_i8)
#: launch by_name[3, 33](u8, o_u8)
#: launch by_name[3, 33](i4, o_i4)
#: launch by_name[3, 33](u1, o_u1)
#: launch by_name[3, 33](p, o_p)
#: launch stored[3, 33](f8, s_f2, s_f4, s_f8)
#: def casts(x):
#:     with np.errstate(all="ignore"):
#:         return np.array([x.astype(t).astype("f8") for t in ("f2", "f4", "f8", "f8")])
#: expect same(o_f8, casts(f8))
#: expect same(o_f4, casts(f4))
#: expect same(o_f2, casts(f2))
#: expect o_i8 == casts(i8)
#: expect o_u8 == casts(u8)
#: expect o_i4 == casts(i4)
#: expect o_u1 == casts(u1)
#: expect o_p == casts(p)
#: expect same(np.array([s_f2, s_f4, s_f8, s_f8], "f8"), casts(f8))
