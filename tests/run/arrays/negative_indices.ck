# A signed index below zero counts from the end, in each dimension, once; of any integer type.

@kernel
def read(a, b, k1, k8, u1, o):
    n = a.size
    for i in range(grid(1), n, gridsize(1)):
        o[0, i] = a[-1]
        o[1, i] = a[-i - 1]
        o[2, i] = a[i - n]
        o[3, i] = b[-1, i % 3]
        o[4, i] = b[-(i % 4) - 1, -(i % 3) - 1]
        o[5, i] = b[-2][-3]
        o[6, i] = a[k1[i]]
        o[7, i] = a[k8[i]]
        o[8, i] = a[u1[i]]
        o[9, i] = a[i > 5]
        o[10, i] = b[(-1, -2)]
        t = (k8[i] % 4 - 4, -1)
        o[11, i] = b[t]

@kernel
def write(o):
    i = grid(1)
    if i < o.shape[1]:
        o[-1, -i - 1] = i
        o[0, i - o.shape[1]] = -i
        o[-2, i] = 1
        o[-2, -o.shape[1] + i] += 5

# Unsigned bits taken as a signed type can be below zero.
@kernel
def reinterpreted(a, u4, u8, o):
    for i in range(grid(1), u4.size, gridsize(1)):
        o[0, i] = a[int64(u8[i])]
        o[1, i] = a[int32(u4[i])]
        o[2, i] = a[int8(u8[i])]
        k = int64(u8[i]) + 1
        o[3, i] = a[k - 1]
        o[4, i] = a[int(uint8(u8[i])) - 256]
        o[5, i] = a[i - 40]
        o[6, i] = a[min(i, -1)]
        o[7, i] = a[~i]
        o[8, i] = a[-i if i else -1]

@kernel(wraparound=False)
def no_wraparound(a, o):
    n = a.size
    for i in range(grid(1), n, gridsize(1)):
        o[n - 1 - i] = a[i]

#: repeat grids [3, 33], [1, 100]
#: n = 90
#: a, b = rng.integers(-99, 99, n), rng.integers(-99, 99, (4, 3))
#: k1, k8, u1 = rng.integers(-n, n, n, dtype="i1"), rng.integers(-n, n, n), rng.integers(0, n, n, dtype="u1")
#: o, w, r = poison((12, n), "i8"), poison((3, n), "i8"), poison(n, "i8")
#: launch read[GRID, BLOCK](a, b, k1, k8, u1, o)
#: launch write[GRID, BLOCK](w)
#: m = 20
#: u4, u8 = -np.arange(1, m + 1, dtype="i4"), -np.arange(1, m + 1)
#: u4, u8, q = u4.view("u4"), u8.view("u8"), poison((9, m), "i8")
#: launch reinterpreted[GRID, BLOCK](a, u4, u8, q)
#: launch no_wraparound[GRID, BLOCK](a, r)
#: i = np.arange(n)
#: rows = [np.full(n, a[-1]), a[::-1], a, b[-1, i % 3], b[-(i % 4) - 1, -(i % 3) - 1], np.full(n, b[-2, -3])]
#: rows += [a[k1], a[k8], a[u1], a[(i > 5).astype(int)], np.full(n, b[-1, -2]), b[k8 % 4 - 4, -1]]
#: expect o == np.array(rows)
#: expect w == np.array([-i, np.full(n, 6), i[::-1]])
#: expect r == a[::-1]
#: j, back = np.arange(m), a[::-1][:m]
#: expect q == np.array([back] * 5 + [a[j - 40], np.full(m, a[-1]), a[~j], a[-np.maximum(j, 1)]])
