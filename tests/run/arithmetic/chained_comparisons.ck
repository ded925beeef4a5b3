# a < b < c evaluates b once, and c only if the first link holds.

def seen(log, i, k, v):
    log[i] = log[i] * 10 + k
    return v

@kernel
def chains(a, b, c, log, o):
    for i in range(grid(1), a.size, gridsize(1)):
        log[i] = 0
        o[0, i] = seen(log, i, 1, a[i]) < seen(log, i, 2, b[i]) <= seen(log, i, 3, c[i])
        o[1, i] = a[i] < b[i] > c[i] != a[i]
        o[2, i] = -1 < a[i] <= 2
        o[3, i] = not a[i] == b[i] == c[i]
        if a[i] <= b[i] <= c[i] <= 3:
            o[4, i] = True
        else:
            o[4, i] = False
        o[5, i] = a[i] < b[i] and b[i] < c[i] or a[i] == c[i]

# The links take their own common types: int8 with uint8, uint8 with float64.
@kernel
def mixed(s, u, f, o):
    for i in range(grid(1), s.size, gridsize(1)):
        o[i] = s[i] < u[i] < f[i]

#: repeat grids [3, 32], [1, 5]
#: n = 200
#: a, b, c = (rng.integers(-2, 5, n) for _ in range(3))
#: s, u = rng.integers(-128, 128, n, dtype="i1"), rng.integers(0, 256, n, dtype="u1")
#: f = rng.uniform(0, 300, n)
#: log, o, m = poison(n, "i8"), poison((6, n), bool), poison(n, bool)
#: launch chains[GRID, BLOCK](a, b, c, log, o)
#: launch mixed[GRID, BLOCK](s, u, f, m)
#: rows = [(x < y <= z, x < y > z != x, -1 < x <= 2, not x == y == z, x <= y <= z <= 3, x < y and y < z or x == z)
#:         for x, y, z in zip(a.tolist(), b.tolist(), c.tolist())]
#: expect o == np.array(rows).T
#: expect log == np.where(a < b, 123, 12)
#: expect m == ((s.astype("i2") < u) & (u < f))
