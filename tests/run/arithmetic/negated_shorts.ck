# The negation and the magnitude of the least int8 and int16 are themselves once they are narrow
# again.

@kernel
def negate(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        v = np.negative(a[i])
        w = np.abs(a[i])
        o[0, i] = v
        o[1, i] = w
        o[2, i] = v > 0
        o[3, i] = w > v
        o[4, i] = v * 3 - w
        o[5, i] = -a[i]
        o[6, i] = abs(a[i])

@kernel
def narrow(a: int16[::1], b: int8[::1], o: int64[:, ::1]):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = int16(-a[i])
        o[1, i] = int16(abs(a[i]))
        o[2, i] = int8(-b[i])
        o[3, i] = int8(abs(b[i]))
        o[4, i] = int16(-a[i]) < int16(abs(a[i])) - 1

#: repeat grids [3, 33], [1, 7]
#: n = 300
#: def some(t):
#:     v = rng.integers(np.iinfo(t).min, np.iinfo(t).max, n, dtype=t, endpoint=True)
#:     v[::7], v[3] = np.iinfo(t).min, 0
#:     return v
#: i1, i2, i4 = some("i1"), some("i2"), some("i4")
#: o_i1, o_i2, o_i4 = poison((7, n), "i8"), poison((7, n), "i8"), poison((7, n), "i8")
#: p = poison((5, n), "i8")
#: launch negate[GRID, BLOCK](i1, o_i1)
#: launch negate[GRID, BLOCK](i2, o_i2)
#: launch negate[GRID, BLOCK](i4, o_i4)
#: launch narrow[GRID, BLOCK](i2, i1, p)
#: def want(a):
#:     v, w, x = np.negative(a).astype("i8"), np.abs(a).astype("i8"), a.astype("i8")
#:     mixed = (v * 3).astype("i4").astype("i8") - w
#:     wide = [-x, np.abs(x)] if a.itemsize < 4 else [v, w]
#:     return np.array([v, w, v > 0, w > v, mixed.astype("i4"), *wide])
#: expect o_i1 == want(i1)
#: expect o_i2 == want(i2)
#: expect o_i4 == want(i4)
#: v, w = np.negative(i2).astype("i8"), np.abs(i2).astype("i8")
#: expect p == np.array([v, w, np.negative(i1), np.abs(i1), v < w - 1])
