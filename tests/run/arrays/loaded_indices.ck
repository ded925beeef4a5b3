# Loaded indices of 32 bits, which may be negative: in one and two dimensions, in loops and not, of
# extents that are known and that are not.
#: h, w = 9, 23
#: A = rng.integers(-1000, 1000, (h, w), dtype=np.int32)
#: x = rng.integers(-1000, 1000, 77, dtype=np.int32)
#: n = 130
#: at = rng.integers(-77, 77, n, dtype=np.int32)
#: rows = rng.integers(-h, h, (n, 5), dtype=np.int32)
#: cols = rng.integers(-w, w, n, dtype=np.int32)
#: rows[:4, 0] = [-h, h - 1, 0, -1]
#: cols[:4] = [-w, w - 1, 0, -1]
#: at[:4] = [-77, 76, 0, -1]
#: y = poison((5, n), np.int64)
#: repeat grids [3, 64], [7, 32]
#: launch gather[GRID, BLOCK](A, x, at, rows, cols, y)
#: expect y[0] == x[at]
#: expect y[1] == A[rows[:, 0], cols]
#: expect y[2] == A[rows, cols[:, None]].sum(1)
#: expect y[3] == [int(x[np.clip(c - 1, -77, 76)]) for c in cols]
#: expect y[4] == [A[r, np.clip(c + 1, 0, w - 1)] + A[np.minimum(r + 1, h - 1), c] for r, c in zip(rows[:, 1], cols)]
#: z = np.zeros((h, w), np.int32)
#: launch scatter[GRID, BLOCK](z, rows, cols)
#: expect z - z_in == [[np.sum((rows % h == r) & (cols[:, None] % w == c)) for c in range(w)] for r in range(h)]

@kernel
def gather(A: int32[:, ::1], x: int32[::1], at: int32[::1], rows: int32[:, ::1], cols: int32[::1], y: int64[:, ::1]):
    h, w = A.shape
    for i in range(grid(1), cols.size, gridsize(1)):
        y[0, i] = x[at[i]]
        y[1, i] = A[rows[i, 0], cols[i]]
        total = 0
        for k in range(5):
            total += A[rows[i, k], cols[i]]
        y[2, i] = total
        y[3, i] = x[cols[i] - 1]
        r = rows[i, 1]
        c = cols[i]
        y[4, i] = A[r, max(0, min(c + 1, w - 1))] + A[min(r + 1, h - 1), c]

@kernel
def scatter(z: int32[:, ::1], rows: int32[:, ::1], cols: int32[::1]):
    i = grid(1)
    if i < cols.size:
        for k in range(rows.shape[1]):
            atomic.add(z, (rows[i, k], cols[i]), 1)
