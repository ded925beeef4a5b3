# Loops whose bounds are loaded: counters that begin below zero count from the end.
#: n = 37
#: x = rng.integers(-1000, 1000, n, dtype=np.int32)
#: rows = 41
#: first = rng.integers(-n + 1, 9, rows, dtype=np.int32)
#: starts = np.stack([first, np.minimum(first + rng.integers(0, 25, rows), n - 2).astype(np.int32)])
#: at = rng.integers(-n, n, n, dtype=np.int32)
#: A = rng.integers(-1000, 1000, (n, 5), dtype=np.int32)
#: y = poison(rows, np.int32)
#: repeat grids [1, 64], [7, 32]
#: launch sums[GRID, BLOCK](x, starts, y)
#: expect y == [sum(x[np.arange(a, b)], start=np.int32(0)) for a, b in starts.T]
#: y = poison(rows, np.int32)
#: launch neighbours[GRID, BLOCK](x, starts, y)
#: expect y == [sum(int(x[k]) * int(x[k + 1]) for k in range(a, b, 3)) for a, b in starts.T]
#: y = poison(rows, np.int32)
#: launch gathered[GRID, BLOCK](x, at, A, starts, y)
#: expect y == [sum(int(x[at[k]]) - int(A[at[k], 3]) for k in range(a, b)) for a, b in starts.T]
#: y = poison(rows, np.int32)
#: last = poison(rows, np.int64)
#: launch largest[GRID, BLOCK](x, starts, y, last)
#: expect y == [max([int(x[k]) for k in range(a, b)], default=-5000) for a, b in starts.T]
#: expect last == [max([(int(x[k]), -k) for k in range(a, b)], default=(0, 99))[1] * -1 for a, b in starts.T]

@kernel
def sums(x: int32[::1], starts: int32[:, ::1], y: int32[::1]):
    i = grid(1)
    if i < y.size:
        s = int32(0)
        for k in range(starts[0, i], starts[1, i]):
            s += x[k]
        y[i] = s

@kernel
def neighbours(x: int32[::1], starts: int32[:, ::1], y: int32[::1]):
    i = grid(1)
    if i < y.size:
        s = int32(0)
        for k in range(starts[0, i], starts[1, i], 3):
            s += x[k] * x[k + 1]
        y[i] = s

@kernel
def gathered(x: int32[::1], at: int32[::1], A: int32[:, ::1], starts: int32[:, ::1], y: int32[::1]):
    i = grid(1)
    if i < y.size:
        s = int32(0)
        for k in range(starts[0, i], starts[1, i]):
            s += x[at[k]] - A[at[k], 3]
        y[i] = s

@kernel
def largest(x: int32[::1], starts: int32[:, ::1], y: int32[::1], last: int64[::1]):
    i = grid(1)
    if i < y.size:
        most = int32(-5000)
        found = int64(-99)
        for k in range(starts[0, i], starts[1, i]):
            if x[k] > most:
                most = x[k]
                found = k
        y[i] = most
        last[i] = found
