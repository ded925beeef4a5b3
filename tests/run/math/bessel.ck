# The Bessel functions against the C library: the absolute error, in units of the last place of 1
# or of the result.

@kernel
def low_orders(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = j0(x[i])
        o[1, i] = j1(x[i])
        o[2, i] = y0(x[i])
        o[3, i] = y1(x[i])

@kernel
def orders(n, x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = jn(n[i], x[i])
        o[1, i] = yn(n[i], x[i])

#: import ctypes
#: libm = ctypes.CDLL("libm.so.6")
#: def from_c(name, *args):
#:     function = libm[name]
#:     kinds = [ctypes.c_double] if len(args) == 1 else [ctypes.c_int, ctypes.c_double]
#:     function.restype, function.argtypes = ctypes.c_double, kinds
#:     return np.array([function(*[k(v) for k, v in zip(kinds, row)]) for row in zip(*args)])
#: def errors(o, want):
#:     unit = np.maximum(np.abs(want), 1) * np.finfo(o.dtype).eps
#:     with np.errstate(all="ignore"):
#:         error = np.abs(o - want.astype(o.dtype)) / unit
#:     return np.where((o == want.astype(o.dtype)) | np.isnan(o) & np.isnan(want), 0, np.where(np.isnan(error), np.inf, error))
#: m = 300
#: special = np.array([0.0, -0.0, np.nan, np.inf, 1e-40, 1e-300, 24.99, 25.01, 1e5])
#: x8 = np.concatenate([special, [-1, -30.5, -np.inf], rng.uniform(0, 30, m), rng.uniform(0, 500, m), 10.0 ** rng.uniform(-30, 3, m)])
#: x4 = x8.astype("f4")
#: o8, o4 = poison((4, x8.size), "f8"), poison((4, x8.size), "f4")
#: # ck's own: CUDA's have larger errors, docs/math.md.
#: options --math=libclc
#: launch low_orders[7, 33](x8, o8)
#: launch low_orders[4, 64](x4, o4)
#: def low(x):
#:     positive = np.where(x < 0, np.nan, x)
#:     return np.array([from_c("j0", x), from_c("j1", x), np.where(x == 0, -np.inf, from_c("y0", positive)), np.where(x == 0, -np.inf, from_c("y1", positive))])
#: expect errors(o8, low(x8)) <= 8
#: expect errors(o4, low(x4.astype("f8"))) <= 8
#: n = np.concatenate([np.arange(-1, 9), rng.integers(0, 40, 2 * m), rng.integers(0, 5, m)]).astype("i4")
#: u8 = np.concatenate([np.full(10, 2.5), rng.uniform(0.01, 60, m), rng.uniform(5, 60, m), -rng.uniform(0, 30, m)])
#: u4 = u8.astype("f4")
#: p8, p4 = poison((2, u8.size), "f8"), poison((2, u8.size), "f4")
#: launch orders[7, 33](n, u8, p8)
#: launch orders[4, 64](n, u4, p4)
#: def high(x):
#:     order = np.maximum(n, 0)
#:     y = np.where((x < 0) | (n < 0), np.nan, from_c("yn", order, np.abs(x)))
#:     return np.array([np.where(n < 0, np.nan, from_c("jn", order, x)), y])
#: # The recurrence for y multiplies the errors of y0 and y1.
#: for o, x in ((p8, u8), (p4, u4.astype("f8"))):
#:     want = high(x)
#:     assert (errors(o[0], want[0]) <= 40).all(), (errors(o[0], want[0]).max(), x[errors(o[0], want[0]).argmax()], n[errors(o[0], want[0]).argmax()])
#:     assert (errors(o[1], want[1]) <= 200).all(), (errors(o[1], want[1]).max(), x[errors(o[1], want[1]).argmax()], n[errors(o[1], want[1]).argmax()])
