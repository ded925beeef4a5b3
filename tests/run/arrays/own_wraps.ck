# Sums like those that wrap an index below zero, written by hand: of values that are no index, also
# below minus the extent, where an index would be outside the array.
#: n, m, w = 1000, 37, 5
#: at = rng.integers(-2 * m, 2 * m, n, dtype=np.int32)
#: at[:5] = [-2 * m, -m - 1, -m, -1, 0]
#: x = rng.integers(-1000, 1000, m, dtype=np.int32)
#: A = rng.integers(-1000, 1000, (w, m), dtype=np.int32)
#: far = rng.integers(-1000, 1000, 4 * m, dtype=np.int32)
#: y = poison((6, n), np.int32)
#: repeat grids [3, 64], [7, 32]
#: launch wraps[GRID, BLOCK](at, x, A, far, y)
#: sums = at + np.where(at < 0, m, 0)
#: expect y[0] == sums
#: expect y[1] == sums
#: expect y[2] == at + np.where(at < 0, w, 0)
#: expect y[3] == far[np.maximum(sums, -m) + m]
#: expect y[4] == [x[v] if -m <= v < m else 0 for v in at]
#: expect y[5] == at + np.where(at < 0, 37, 0)

def own(x, i):
    return i + (int32(len(x)) if i < 0 else 0)

@kernel
def wraps(at: int32[::1], x: int32[::1], A: int32[:, ::1], far: int32[::1], y: int32[:, ::1]):
    m = int32(x.shape[0])
    for i in range(grid(1), at.size, gridsize(1)):
        v = at[i]
        y[0, i] = v + (m if v < 0 else 0)
        y[1, i] = own(x, v)
        y[2, i] = v + (int32(A.shape[0]) if v < 0 else 0)
        low = max(v + (m if v < 0 else 0), -m)
        y[3, i] = far[low + m]
        y[4, i] = 0
        if -m <= v < m:
            y[4, i] = x[v]
        y[5, i] = v + (int32(37) if v < 0 else 0)
