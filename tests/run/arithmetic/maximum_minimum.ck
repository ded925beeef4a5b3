# maximum and minimum: as NumPy's, where the result is NaN if either argument is; fmax and fmin ignore it.
import numpy as np

@kernel
def ints(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.maximum(a[i], b[i])
        o[1, i] = np.minimum(a[i], b[i])
        o[2, i] = np.maximum(np.minimum(a[i], 100), 0)

@kernel
def floats(a, b, k, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.maximum(a[i], b[i])
        o[1, i] = np.minimum(a[i], b[i])
        o[2, i] = np.maximum(a[i], 0.5)
        o[3, i] = np.minimum(k[i], a[i])
        o[4, i] = np.fmax(a[i], b[i])
        o[5, i] = np.fmin(a[i], b[i])

#: n = 151
#: def whole(t):
#:     i = np.iinfo(t)
#:     x = rng.integers(i.min, i.max, n, dtype=t, endpoint=True)
#:     x[:3] = i.min, i.max, 0
#:     return rng.permutation(x)
#: repeat grids [2, 33], [1, 32]
#: i1, i4, u1, u8, v8 = (whole(t) for t in ("i1", "i4", "u1", "u8", "u8"))
#: o, q = poison((3, n), "i8"), poison((3, n), "u8")
#: launch ints[GRID, BLOCK](i4, u1, o)
#: launch ints[GRID, BLOCK](u8, v8, q)
#: def wanted(a, b):
#:     return np.array([np.maximum(a, b), np.minimum(a, b), np.maximum(np.minimum(a, 100), 0)])
#: expect (o == wanted(i4.astype("i8"), u1.astype("i8"))) & (q == wanted(u8, v8))
#: a8, b8 = rng.standard_normal(n), rng.standard_normal(n)
#: a8[:40:2], b8[:40], b8[:20] = np.nan, np.inf, np.nan
#: a8[40], b8[40] = -np.inf, np.nan
#: a4, b4, a2, b2 = a8.astype("f4"), b8.astype("f4"), a8.astype("f2"), b8.astype("f2")
#: x8, x4, x2 = poison((6, n), "f8"), poison((6, n), "f4"), poison((6, n), "f2")
#: launch floats[GRID, BLOCK](a8, b8, i4, x8)
#: launch floats[GRID, BLOCK](a4, b4, i1, x4)
#: launch floats[GRID, BLOCK](a2, b2, i1, x2)
#: def expected(a, b, k):
#:     return np.array([np.maximum(a, b), np.minimum(a, b), np.maximum(a, a.dtype.type(0.5)),
#:                      np.minimum(k.astype(a.dtype), a), np.fmax(a, b), np.fmin(a, b)])
#: expect same(x8, expected(a8, b8, i4)) & same(x4, expected(a4, b4, i1)) & same(x2, expected(a2, b2, i1))
