# Masked integers converted to floats, beside sums of them and constants.
#: n = 4096
#: x = rng.integers(-2**31, 2**31, n).astype(np.int32)
#: u = x.view(np.uint32)
#: y = poison((6, n), np.float32)
#: launch sums[4, 128](x, u, y)
#: low = u & 0x7fffff
#: expect (y[0] == low).all() and (y[1] == low + np.float32(8388607)).all()
#: expect (y[2] == (x & 1)).all() and (y[3] == (x & 1) + 1).all()
#: expect (y[4] == (x & 1020)).all() and (y[5] == (x & 1020) + 3).all()
@kernel
def sums(x: int32[::1], u: uint32[::1], y: float32[:, ::1]):
    for i in range(grid(1), len(x), gridsize(1)):
        low = float32(u[i] & uint32(0x7fffff))
        y[0, i] = low
        y[1, i] = low + 8388607
        bit = float32(x[i] & 1)
        y[2, i] = bit
        y[3, i] = 1 + bit
        middle = float32(x[i] & 1020)
        y[4, i] = middle
        y[5, i] = middle + 3
