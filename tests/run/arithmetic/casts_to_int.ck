# A float becomes an integer toward zero and saturating, NaN is 0; an integer wraps. By name, by
# int(), by a store to an element.

@kernel
def by_name(x, o, u, stored):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = int8(x[i])
        o[1, i] = int16(x[i])
        o[2, i] = int32(x[i])
        o[3, i] = int64(x[i])
        o[4, i] = int(x[i])
        u[0, i] = uint8(x[i])
        u[1, i] = uint16(x[i])
        u[2, i] = np.uint32(x[i])
        u[3, i] = uint64(x[i])
        stored[i] = x[i]

#: SIGNED, UNSIGNED = ["i1", "i2", "i4", "i8", "i8"], ["u1", "u2", "u4", "u8"]
#: edges = [2.0 ** k + d for k in (7, 8, 15, 16, 31, 32, 52) for d in (-1, -0.5, 0, 0.5, 1)]
#: edges += [2.0 ** 63, 2.0 ** 64, 2.0 ** 63 - 1024, 2.0 ** 64 - 2048, 1e300, np.inf, 0.999, 1.5, 2.5, 5e-324]
#: f8 = np.array([0.0, np.nan] + edges + [-v for v in edges])
#: with np.errstate(all="ignore"):
#:     f4, f2 = f8.astype("f4"), f8.astype("f2")
#: i8 = np.concatenate([rng.integers(-2 ** 63, 2 ** 63, 50), [2 ** 63 - 1, -2 ** 63, -1, 0, 128, 255]])
#: u8 = np.concatenate([rng.integers(0, 2 ** 64, 50, "u8"), np.array([2 ** 64 - 1, 2 ** 63, 0], "u8")])
#: p = poison(40, bool)
#: for n in ("f8", "f4", "f2", "i8", "u8", "p"):
#:     size = globals()[n].size
#:     globals().update({"o_" + n: poison((5, size), "i8"), "u_" + n: poison((4, size), "u8")})
#: s_f8, s_f4, s_f2 = poison(f8.size, "i4"), poison(f8.size, "u1"), poison(f8.size, "u8")
#: s_i8, s_u8, s_p = poison(i8.size, "i1"), poison(u8.size, "i2"), poison(40, "u4")
#: launch by_name[3, 33](f8, o_f8, u_f8, s_f8)
#: launch by_name[3, 33](f4, o_f4, u_f4, s_f4)
#: launch by_name[3, 33](f2, o_f2, u_f2, s_f2)
#: launch by_name[3, 33](i8, o_i8, u_i8, s_i8)
#: launch by_name[3, 33](u8, o_u8, u_u8, s_u8)
#: launch by_name[3, 33](p, o_p, u_p, s_p)
#: def cast(x, t):
#:     i = np.iinfo(t)
#:     if x != x:
#:         return 0
#:     if isinstance(x, float):
#:         return i.min if x <= i.min else i.max if x >= i.max else int(x)
#:     v = int(x) % 2 ** i.bits
#:     return v - 2 ** i.bits if i.min and v >= 2 ** (i.bits - 1) else v
#: def casts(x, types):
#:     return np.array([[cast(v, t) for v in x.tolist()] for t in types], object)
#: expect o_f8 == casts(f8, SIGNED)
#: expect u_f8 == casts(f8, UNSIGNED)
#: expect o_f4 == casts(f4, SIGNED)
#: expect u_f4 == casts(f4, UNSIGNED)
#: expect o_f2 == casts(f2, SIGNED)
#: expect u_f2 == casts(f2, UNSIGNED)
#: expect o_i8 == casts(i8, SIGNED)
#: expect u_i8 == casts(i8, UNSIGNED)
#: expect o_u8 == casts(u8, SIGNED)
#: expect u_u8 == casts(u8, UNSIGNED)
#: expect o_p == casts(p, SIGNED)
#: expect u_p == casts(p, UNSIGNED)
#: stored = [(s_f8, f8, "i4"), (s_f4, f4, "u1"), (s_f2, f2, "u8"), (s_i8, i8, "i1"), (s_u8, u8, "i2"), (s_p, p, "u4")]
#: expect [(s == casts(x, [t])[0]).all() for s, x, t in stored]
