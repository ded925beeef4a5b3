# Loops whose first value, loaded and of either sign, is the same in all iterations of the loops
# around them: indices below zero count from the end.
#: repeat grids [1, 32], [3, 96]
#: n = np.random.choice([7, 64, 101])
#: threads = range(GRID * BLOCK)
#: x = np.random.randint(-3, 4, n, np.int32)
#: begins = np.random.randint(-5, 2, GRID * BLOCK, np.int32)
#: begins[0] = -5
#: ends = begins + np.random.randint(0, 6, GRID * BLOCK, np.int32)
#: def row(t): return range(begins[t], ends[t])
#: y = poison((4, GRID * BLOCK), np.int64)
#: launch nests[GRID, BLOCK](x, begins, ends, y)
#: expect y[0] == [sum(int(x[j] == x[k]) for i in row(t) for j in range(x[i], 4) for k in row(t)) for t in threads]
#: expect y[1] == [sum(i * int(x[k]) for i in range(t % 5) for k in row(t)) for t in threads]
#: expect y[2] == [sum(int(x[k]) + 2 * int(x[k + 1]) for i in range(t % 3) for k in row(t)) for t in threads]
#: expect y[3] == [sum(int(x[k]) for i in row(t) if i % 2 for k in row(t)) for t in threads]
@kernel
def nests(x: int32[::1], begins: int32[::1], ends: int32[::1], y: int64[:, ::1]):
    t = grid(1)
    begin = begins[t]
    end = ends[t]
    count = 0
    for i in range(begin, end):
        for j in range(x[i], 4):
            for k in range(begin, end):
                if x[k] == x[j]:
                    count += 1
    y[0, t] = count
    s = int64(0)
    for i in range(t % 5):
        for k in range(begin, end):
            s += i * x[k]
    y[1, t] = s
    s = 0
    for i in range(t % 3):
        for k in range(begin, end):
            s += x[k]
        for k in range(begin, end):
            s += int64(2) * x[k + 1]
    y[2, t] = s
    s = 0
    for i in range(begin, end):
        if i % 2 != 0:
            for k in range(begin, end):
                s += x[k]
    y[3, t] = s
