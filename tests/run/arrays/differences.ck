# Indices that are differences: some cannot be negative, others are, and count from the end.
#: n = 64
#: x = rng.integers(-1000, 1000, 2 * n + 8, dtype=np.int32)
#: y = poison((6, n), np.int32)
#: t = np.arange(n)
#: launch k[2, 32](x, y, 13)
#: expect (y[0] == x[2 * t - (t & 13)]).all()
#: expect (y[1] == x[t - t // 3]).all()
#: expect (y[2] == x[(t & 13) - t]).all()
#: expect (y[3] == x[t - 2 * t]).all()
#: expect (y[4] == x[2 * t + 7 - t % 5]).all()
#: expect (y[5] == x[t - (t | 13)]).all()
@kernel
def k(x: int32[::1], y: int32[:, ::1], m: int64):
    t = grid(1)
    y[0, t] = x[2 * t - (t & m)]
    y[1, t] = x[t - t // 3]
    y[2, t] = x[(t & m) - t]
    y[3, t] = x[t - 2 * t]
    y[4, t] = x[2 * t + 7 - t % 5]
    y[5, t] = x[t - (t | m)]
