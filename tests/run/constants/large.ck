# Constants of 2**63 and more are as large as they say.
#: x = np.array([3, 5, 7], np.uint64)
#: f = rng.normal(size=2)
#: o = poison(3, np.uint64)
#: g = poison(4, np.float64)
#: t = poison(4, np.int64)
#: launch k[1, 1](x, f, o, g, t, 18446744073709551615)
#: expect o == np.array([pow(int(v), 2**64 - 1, 2**64) for v in x], np.uint64)
#: expect g == np.array([f[0], f[1], f[0], f[1]])
#: expect t == np.array([3, 0, 6, 2])
@kernel
def k(x: uint64[:], f: float64[:], o: uint64[:], g: float64[:], t: int64[:], many: uint64):
    for i in range(3):
        o[i] = x[i] ** 18446744073709551615
    g[0] = round(f[0], 18446744073709551615)
    g[1] = round(f[1], 9223372036854775808)
    g[2] = round(f[0], many)
    g[3] = round(f[1], many - uint64(1))
    row = (1, 2, 3)
    t[0] = len(row[:18446744073709551615])
    t[1] = len(row[9223372036854775808:])
    t[2] = row[0] + row[1] + row[:9223372036854775809][2]
    n = 0
    for i in range(18446744073709551614, 18446744073709551615):
        n += 2
    t[3] = n

# arange is exact beyond 2^53 and 2^63.
BEYOND = np.arange(9223372036854775807, 9223372036854775811)
LAST = np.arange(18446744073709551615, 18446744073709551610, -2)
TYPED = np.arange(9223372036854775808, 9223372036854775811, dtype=uint64)
ODD = np.arange(9007199254740993, 9007199254740996)

@kernel
def ranges(u, i):
    for k in range(len(BEYOND)):
        u[0, k] = BEYOND[k]
    for k in range(len(LAST)):
        u[1, k] = LAST[k]
    for k in range(len(TYPED)):
        u[2, k] = TYPED[k]
    for k in range(len(ODD)):
        i[k] = ODD[k]

#: u, i = np.full((3, 4), 7, np.uint64), np.full(4, 7)
#: launch ranges[1, 1](u, i)
#: expect u[0] == np.array([2**63 - 1, 2**63, 2**63 + 1, 2**63 + 2], np.uint64)
#: expect u[1] == np.array([2**64 - 1, 2**64 - 3, 2**64 - 5, 7], np.uint64)
#: expect u[2] == np.array([2**63, 2**63 + 1, 2**63 + 2, 7], np.uint64)
#: expect i == np.array([2**53 + 1, 2**53 + 2, 2**53 + 3, 7])
