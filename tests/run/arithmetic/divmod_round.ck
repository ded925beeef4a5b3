# divmod by Python's rules; round to decimal digits, from Python's own, over all magnitudes and ties.

def ties(a, b):
    q, r = divmod(a * 3, b)
    return q, r

#: n = int(rng.integers(50, 400))
#: a = rng.integers(-1000, 1000, n)
#: b = rng.integers(1, 40, n) * rng.choice([-1, 1], n)
#: x = rng.normal(0, 50, n)
#: y = rng.choice([-1.0, 1.0], n) * rng.uniform(0.1, 9, n)
#: ib = poison((n, 5), np.int64)
#: fb = poison((n, 2), np.float64)
#: v = rng.normal(0, 1, n) * 10.0 ** rng.integers(-12, 17, n)
#: v[::3] = rng.integers(-99999, 99999, len(v[::3])) / 1000 + 0.0005
#: v[1::7] = rng.integers(-999, 999, len(v[1::7])) / 8
#: v[:12] = [2.675, -2.675, 0.5, 1.5, -0.04, 0.0, -0.0, 2.0**53 + 2, 1e300, 5e-324, 0.125, 1000000000000000.125]
#: d = rng.integers(-6, 16, n)
#: d[:12] = [2, 2, 0, 0, 1, 3, -1, 1, 5, 10, 2, 1]
#: f = np.array(v[(abs(v) < 1e9)], np.float32)
#: e = rng.integers(-3, 7, len(f))
#: o = poison((n, 3), np.float64)
#: g = poison(len(f), np.float32)
#: s = np.array([np.nan, np.inf, -np.inf, 1.25, -0.0, 1e22, 3.0, 7.5, -7.5], np.float64)
#: sd = np.array([2, -2, 0, 500, -500, -22, -1000, -1, -1])
#: so = poison(len(s), np.float64)
#: repeat grids [1, 32], [3, 33]
#: launch ints[GRID, BLOCK](a, b, ib)
#: launch floats[GRID, BLOCK](x, y, fb)
#: launch digits[GRID, BLOCK](v, d, o)
#: launch single[GRID, BLOCK](f, e, g)
#: launch digits_at_ends[GRID, BLOCK](s, sd, so)
#: expect ib[:, 0] == a // b
#: expect ib[:, 1] == a % b
#: expect ib[:, 2] == (3 * a) // b
#: expect ib[:, 3] == (3 * a) % b
#: expect ib[:, 4] == -17 // 5 * 100 + -17 % 5 + 12
#: expect same(fb[:, 0], np.array([p // q for p, q in zip(x.tolist(), y.tolist())]))
#: expect same(fb[:, 1], np.array([p % q for p, q in zip(x.tolist(), y.tolist())]))
#: expect same(o[:, 0], np.array([round(p, q) for p, q in zip(v.tolist(), d.tolist())]))
#: expect same(o[:, 1], np.array([round(p, 3) for p in v.tolist()]))
#: expect same(o[:, 2], np.array([round(p, -1) for p in v.tolist()]))
#: expect same(g, np.array([round(p, q) for p, q in zip(f.tolist(), e.tolist())], np.float32))
#: expect same(so, np.array([np.nan, np.inf, -np.inf, 1.25, -0.0, 1e22, 0.0, 10.0, -10.0]))
@kernel
def ints(a: int64[:], b: int64[:], o: int64[:, :]):
    for i in range(grid(1), len(a), gridsize(1)):
        o[i, 0], o[i, 1] = divmod(a[i], b[i])
        o[i, 2], o[i, 3] = ties(a[i], b[i])
        t = divmod(-17, 5)
        o[i, 4] = t[0] * 100 + t[1] + int64(divmod(uint8(37), uint8(10))[0]) * 4

@kernel
def floats(x: float64[:], y: float64[:], o: float64[:, :]):
    for i in range(grid(1), len(x), gridsize(1)):
        q, r = divmod(x[i], y[i])
        o[i, 0] = q
        o[i, 1] = r

@kernel
def digits(v: float64[:], d: int64[:], o: float64[:, :]):
    for i in range(grid(1), len(v), gridsize(1)):
        o[i, 0] = round(v[i], d[i])
        o[i, 1] = round(v[i], 3)
        o[i, 2] = round(v[i], -1)

@kernel
def single(v: float32[:], d: int64[:], o: float32[:]):
    for i in range(grid(1), len(v), gridsize(1)):
        o[i] = round(v[i], int32(d[i]))

@kernel
def digits_at_ends(v: float64[:], d: int64[:], o: float64[:]):
    for i in range(grid(1), len(v), gridsize(1)):
        o[i] = round(v[i], d[i])
