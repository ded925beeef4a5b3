# Bits of integers of every width, and selp.

@kernel
def bits(x, o, p):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = cuda.popc(x[i])
        o[1, i] = cuda.clz(x[i])
        o[2, i] = cuda.brev(x[i])
        p[i] = cuda.ffs(x[i])

@kernel
def select(c, x, y, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = cuda.selp(c[i], x[i], y[i])
        o[1, i] = cuda.selp(c[i] == 0, x[i], 7)
        o[2, i] = x[cuda.selp(i > 2, i - 1, 0)]

#: repeat grids [4, 32], [3, 7]
#: types = [np.dtype(t) for t in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")]
#: def numbers(t):
#:     info = np.iinfo(t)
#:     x = rng.integers(info.min, info.max, 101, dtype=t, endpoint=True)
#:     x >>= rng.integers(0, info.bits, 101).astype(t)
#:     x[:5] = 0, 1, info.min, info.max, 2
#:     return x
#: def want(x):
#:     w = x.dtype.itemsize * 8
#:     texts = [format(int(v) % 2**w, f"0{w}b") for v in x]
#:     wide = np.array([[t.count("1") for t in texts], [len(t) - len(t.lstrip("0")) for t in texts],
#:                      [int(t[::-1], 2) for t in texts]], dtype="u8")
#:     return wide.astype(x.dtype)
#: def lowest(x):
#:     return np.array([(int(v) & -int(v)).bit_length() for v in x], dtype="u4")
#: x0, x1, x2, x3, x4, x5, x6, x7 = (numbers(t) for t in types)
#: o0, o1, o2, o3, o4, o5, o6, o7 = (poison((3, 101), t) for t in types)
#: p0, p1, p2, p3, p4, p5, p6, p7 = (poison(101, "u4") for t in types)
#: launch bits[GRID, BLOCK](x0, o0, p0)
#: launch bits[GRID, BLOCK](x1, o1, p1)
#: launch bits[GRID, BLOCK](x2, o2, p2)
#: launch bits[GRID, BLOCK](x3, o3, p3)
#: launch bits[GRID, BLOCK](x4, o4, p4)
#: launch bits[GRID, BLOCK](x5, o5, p5)
#: launch bits[GRID, BLOCK](x6, o6, p6)
#: launch bits[GRID, BLOCK](x7, o7, p7)
#: expect (o0 == want(x0)).all() & (o1 == want(x1)).all() & (o2 == want(x2)).all() & (o3 == want(x3)).all()
#: expect (o4 == want(x4)).all() & (o5 == want(x5)).all() & (o6 == want(x6)).all() & (o7 == want(x7)).all()
#: expect (p0 == lowest(x0)) & (p1 == lowest(x1)) & (p2 == lowest(x2)) & (p3 == lowest(x3))
#: expect (p4 == lowest(x4)) & (p5 == lowest(x5)) & (p6 == lowest(x6)) & (p7 == lowest(x7))
#: c = rng.integers(0, 2, 101).astype(bool)
#: s = poison((3, 101), "i4")
#: launch select[GRID, BLOCK](c, x4, x2, s)
#: back = x4[np.maximum(np.arange(101) - 1, 0)]
#: back[:3] = x4[0]
#: expect s == np.array([np.where(c, x4, x2), np.where(c, 7, x4), back])
#: f = poison((3, 101), "f4")
#: xf, yf = rng.standard_normal(101).astype("f4"), rng.standard_normal(101).astype("f2")
#: launch select[GRID, BLOCK](c, xf, yf, f)
#: expect f[0] == np.where(c, xf, yf)
