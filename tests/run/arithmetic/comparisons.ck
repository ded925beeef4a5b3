# Comparisons of integers are exact whatever their signs; those with a NaN are false but !=.

@kernel
def compare(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] < b[i]
        o[1, i] = a[i] <= b[i]
        o[2, i] = a[i] == b[i]
        o[3, i] = a[i] != b[i]
        o[4, i] = a[i] > b[i]
        o[5, i] = a[i] >= b[i]
        o[6, i] = not a[i] < b[i]

@kernel
def with_literals(a, u, f, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] < 0
        o[1, i] = -1 <= a[i]
        o[2, i] = u[i] >= 9223372036854775808
        o[3, i] = f[i] > 0.1
        o[4, i] = u[i] == 0xFFFF_FFFF_FFFF_FFFF
        o[5, i] = 1 < 2 < 3

#: def values(t):
#:     i = np.iinfo(t)
#:     near = [i.min, i.min + 1, 0, 1, i.max - 1, i.max, i.max // 2 + 1, i.max // 2]
#:     return np.array(near + ([-1] if i.min else []), t)
#: def pairs(s, t):
#:     a, b = values(s), values(t)
#:     common = [v for v in a.tolist() if np.iinfo(t).min <= v <= np.iinfo(t).max]
#:     return (np.concatenate([np.repeat(a, b.size), np.array(common, s)]),
#:             np.concatenate([np.tile(b, a.size), np.array(common, t)]))
#: PAIRS = "i8u8 u8i8 i1u8 u8i4 i4u4 u4i4 i8u4 i1u1 u2i2 i8i1 u8u1 i4i4 u8u8".split()
#: for p in PAIRS:
#:     a, b = pairs(p[:2], p[2:])
#:     globals().update({"a" + p: a, "b" + p: b, "o" + p: poison((7, a.size), bool)})
#: specials = np.array([0, -0.0, 1, np.nan, np.inf, -np.inf, 1e-300, 5e-324, 0.1])
#: af, bf = np.repeat(specials, 9), np.tile(specials, 9)
#: ag, bg = af.astype("f4"), bf.astype("f4")
#: of, og, oh = (poison((7, 81), bool) for _ in range(3))
#: l_i4, l_u8, l_f4 = rng.permutation(np.tile(values("i4"), 8)), np.tile(values("u8"), 9), ag[:72]
#: ol = poison((6, 72), bool)
#: launch compare[3, 33](ai8u8, bi8u8, oi8u8)
#: launch compare[3, 33](au8i8, bu8i8, ou8i8)
#: launch compare[3, 33](ai1u8, bi1u8, oi1u8)
#: launch compare[3, 33](au8i4, bu8i4, ou8i4)
#: launch compare[3, 33](ai4u4, bi4u4, oi4u4)
#: launch compare[3, 33](au4i4, bu4i4, ou4i4)
#: launch compare[3, 33](ai8u4, bi8u4, oi8u4)
#: launch compare[3, 33](ai1u1, bi1u1, oi1u1)
#: launch compare[3, 33](au2i2, bu2i2, ou2i2)
#: launch compare[3, 33](ai8i1, bi8i1, oi8i1)
#: launch compare[3, 33](au8u1, bu8u1, ou8u1)
#: launch compare[3, 33](ai4i4, bi4i4, oi4i4)
#: launch compare[3, 33](au8u8, bu8u8, ou8u8)
#: launch compare[3, 33](af, bf, of)
#: launch compare[3, 33](ag, bg, og)
#: launch compare[3, 33](ag, bf, oh)
#: launch with_literals[3, 33](l_i4, l_u8, l_f4, ol)
#: def expected(a, b):
#:     a, b = a.astype(object), b.astype(object)
#:     return np.array([a < b, a <= b, a == b, a != b, a > b, a >= b, [not v for v in a < b]])
#: expect [(globals()["o" + p] == expected(globals()["a" + p], globals()["b" + p])).all() for p in PAIRS]
#: expect of == expected(af, bf)
#: expect og == expected(ag, bg)
#: expect oh == expected(ag.astype("f8"), bf)
#: rows = [l_i4 < 0, l_i4 >= -1, l_u8 >= np.uint64(2 ** 63), l_f4 > np.float32(0.1)]
#: expect ol == np.array(rows + [l_u8 == np.uint64(2 ** 64 - 1), np.full(72, True)])
