# An index of a constant array that has two values: from a condition, or from one bit.

#: n = 300
#: x = rng.integers(-8, 9, n)
#: y = poison((9, n), np.int64)
#: f = poison((2, n), np.float32)
#: repeat grids [1, 32], [3, 100]
#: launch k[GRID, BLOCK](x, y, f)
#: b, w = np.array([75, 10, 200, 54, 25]), np.array([-(2**40), 7, 2**63 - 1])
#: i = np.arange(n)
#: expect y[0] == b[(x > 3) * 1]
#: expect y[1] == b[1 + 3 * (x != 0)]
#: expect y[2] == b[-1 - (x < 3)]
#: expect y[3] == b[x & 4]
#: expect y[4] == b[x % 2]
#: expect y[5] == b[np.where(x > 7, 3, 1)]
#: expect y[6] == b[(x > 3) * 1 + (i > 5)]
#: expect y[7] == w[(x < 0) * 2]
#: expect y[8] == w[-(x >> 63)]
#: g = np.array([[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]], np.float32)
#: expect f[0] == g[x & 1, 2]
#: expect f[1] == g[(x > i) * 1, 2 * (x > i)]
BYTES = array([75, 10, 200, 54, 25], uint8)
WIDE = array([-(2**40), 7, 0x7fffffffffffffff], int64)
FLOATS = array([[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]], float32)

@kernel
def k(x: int64[:], y: int64[:, ::1], f: float32[:, ::1]):
    for i in range(grid(1), len(x), gridsize(1)):
        v = x[i]
        y[0, i] = BYTES[int64(v > 3)]
        y[1, i] = BYTES[1 + 3 * int64(v != 0)]
        y[2, i] = BYTES[-1 - int64(v < 3)]
        y[3, i] = BYTES[v & 4]
        y[4, i] = BYTES[v % 2]
        y[5, i] = BYTES[3 if v > 7 else 1]
        y[6, i] = BYTES[int64(v > 3) + int64(i > 5)]
        y[7, i] = WIDE[2 * int64(v < 0)]
        y[8, i] = WIDE[-(v >> 63)]
        f[0, i] = FLOATS[v & 1, 2]
        f[1, i] = FLOATS[int64(v > i), 2 * int64(v > i)]
