# Neighbours of positions in loops: in range by the loop's limit, or beyond the end, where an index
# below zero counts from it.
#: n = 1000
#: x = rng.integers(-1000, 1000, n, dtype=np.int32)
#: y = np.zeros((4, n), np.int32)
#: at = np.arange(n)
#: repeat grids [1, 32], [3, 64]
#: launch k[GRID, BLOCK](x, y, -5, 3)
#: expect (y[0] == np.where(at < n - 1, x[(at + 1) % n], 0)).all()
#: expect (y[1] == np.where(at < n - 3, x[(at + 3) % n], 0)).all()
#: expect (y[2] == np.where((at >= 1) & (at < n - 1), x[(at + 1) % n] - x[at - 1], 0)).all()
#: expect (y[3, :9] == x[np.arange(-5, 4) + 1]).all()
@kernel
def k(x: int32[::1], y: int32[:, ::1], first: int64, step: int64):
    n = len(x)
    for i in range(grid(1), n - 1, gridsize(1)):
        y[0, i] = x[i + 1]
    for i in range(grid(1), n - 3, gridsize(1)):
        y[1, i] = x[i + 3]
    for i in range(grid(1) + 1, n - 1, gridsize(1)):
        y[2, i] = x[i + 1] - x[i - 1]
    if grid(1) < step:
        for i in range(first + grid(1), n - 1, step):
            if i < 4:
                y[3, i - first] = x[i + 1]
