# // and % of floats follow Python where a quotient is near an integer, at zero, and with
# infinities.

@kernel
def floors(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] // b[i]
        o[1, i] = a[i] % b[i]

@kernel
def by_literals(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] // 0.1
        o[1, i] = a[i] % 0.1
        o[2, i] = a[i] % -3
        o[3, i] = a[i] // 2
        o[4, i] = 7 % a[i]
        o[5, i] = a[i] % 1

#: e = np.array([1, 0.1, 0.3, 0.7, 1e300, 5e-324, 3, 7.5, 1e16, np.inf, 0.0])
#: e = np.concatenate([e, -e, [np.nan]])
#: a8, b8 = np.repeat(e, e.size), np.tile(e, e.size)
#: small = np.where(np.abs(e) > 1e38, 1e38, np.where(np.abs(e) < 1e-45, 1e-45, e)).astype("f4")
#: a4, b4 = np.repeat(small, e.size), np.tile(small, e.size)
#: o8, o4 = poison((2, a8.size), "f8"), poison((2, a8.size), "f4")
#: l8 = poison((6, e.size), "f8")
#: launch floors[3, 64](a8, b8, o8)
#: launch floors[3, 64](a4, b4, o4)
#: launch by_literals[3, 64](e, l8)
#: def floored(a, b):
#:     with np.errstate(all="ignore"):
#:         return np.array([np.floor_divide(a, b), np.mod(a, b)])
#: expect same(o8, floored(a8, b8))
#: expect same(o4, floored(a4, b4))
#: rows = [*floored(e, 0.1), floored(e, -3.0)[1], floored(e, 2.0)[0], floored(7.0, e)[1], floored(e, 1.0)[1]]
#: expect same(l8, np.array(rows))
