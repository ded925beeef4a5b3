# What is not 0 is true, a NaN too, -0.0 is not; in if, not, while, bool() and a store to a bool.

@kernel
def truth(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = bool(x[i])
        o[1, i] = not x[i]
        o[2, i] = x[i]
        o[3, i] = 1 if x[i] else 0
        o[4, i] = False
        if x[i]:
            o[4, i] = True
        o[5, i] = False
        while x[i]:
            o[5, i] = True
            break
        o[6, i] = not not x[i]
        o[7, i] = not (x[i] and True)

#: f8 = np.array([0, -0.0, 1, -1, np.nan, np.inf, -np.inf, 5e-324, 1e-45, 0.1])
#: f4, f2 = f8.astype("f4"), f8.astype("f2")
#: i1 = np.array([0, 1, -1, -128, 127], "i1")
#: i8 = np.array([0, 1, -1, 2 ** 32, -2 ** 63, 2 ** 63 - 1])
#: u8 = np.array([0, 1, 2 ** 63, 2 ** 64 - 1], "u8")
#: u4 = np.array([0, 1, 2 ** 31, 2 ** 32 - 1, 256], "u4")
#: p = np.array([False, True])
#: for n in ("f8", "f4", "f2", "i1", "i8", "u8", "u4", "p"):
#:     globals()["o_" + n] = poison((8, globals()[n].size), bool)
#: launch truth[1, 32](f8, o_f8)
#: launch truth[1, 32](f4, o_f4)
#: launch truth[1, 3](f2, o_f2)
#: launch truth[2, 3](i1, o_i1)
#: launch truth[2, 2](i8, o_i8)
#: launch truth[1, 32](u8, o_u8)
#: launch truth[1, 32](u4, o_u4)
#: launch truth[1, 2](p, o_p)
#: def expected(x):
#:     t = x != 0
#:     return np.array([t, ~t, t, t, t, t, t, ~t])
#: expect o_f8 == expected(f8)
#: expect o_f4 == expected(f4)
#: expect o_f2 == expected(f2)
#: expect o_i1 == expected(i1)
#: expect o_i8 == expected(i8)
#: expect o_u8 == expected(u8)
#: expect o_u4 == expected(u4)
#: expect o_p == expected(p)
