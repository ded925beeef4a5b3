# Comparison, truth, `and`, `or`, conditional expressions, tuples, loops and device functions.

HALF = 0.5 + 0.5j
UNIT = (1j, -1)

def swap(p):
    a, b = p
    return b, a

def square(z):
    return z * z

def first_or(z, w):
    if z:
        return z
    return w

@kernel
def compare(z, w, f, o):
    for i in range(grid(1), z.size, gridsize(1)):
        o[0, i] = z[i] == w[i]
        o[1, i] = z[i] != w[i]
        o[2, i] = z[i] == f[i]
        o[3, i] = f[i] != z[i]
        o[4, i] = bool(z[i])
        o[5, i] = not z[i]
        o[6, i] = z[i] == w[i] == f[i]
        o[7, i] = 1 if z[i] and w[i] else 0
        o[8, i] = z[i] == 1 + 1j
        o[9, i] = 1j == 1j and 2j != 1j and (1 == 1 + 0j)

@kernel
def flow(z, w, f, o):
    for i in range(grid(1), z.size, gridsize(1)):
        o[0, i] = z[i] or w[i]
        o[1, i] = z[i] and f[i]
        o[2, i] = z[i] if f[i] > 0 else f[i]
        a, b = swap((z[i], w[i]))
        o[3, i] = a - 2 * b
        o[4, i] = square(square(z[i])) * HALF
        o[5, i] = first_or(z[i], w[i])
        total = 0
        for item in (z[i], w[i], f[i]):
            total += item
        o[6, i] = total
        v = 0j
        n = 0
        while abs(v) < 2 and n < 6:
            v = v * v + z[i]
            n += 1
        o[7, i] = v + n
        if f[i] > 0:
            u = f[i]
        else:
            u = UNIT[0]
        u *= UNIT[1]
        o[8, i] = u
        pinned: complex64 = 1
        pinned = pinned + f[i]
        o[9, i] = pinned

#: repeat grids [1, 32], [2, 21]
#: n = 120
#: values = np.array([0, 1, 1j, 1 + 1j, -1, np.nan, complex(0, np.nan)])
#: z, w = rng.choice(values, n).astype("c8"), rng.choice(values, n)
#: f, o = rng.choice(np.array([0, 1, -1, np.nan], "f4"), n), poison((10, n), "bool")
#: launch compare[GRID, BLOCK](z, w, f, o)
#: both = (z != 0) & (w != 0)
#: want = [z == w, z != w, z == f, z != f, z != 0, z == 0, (z == w) & (w == f), both, z == 1 + 1j, z == z]
#: expect o[:9] == np.array(want)[:9]
#: expect o[9]
#: z, w = rng.choice(values[:5], n).astype("c8"), rng.choice(values[:5], n)
#: f, o = rng.choice(np.array([0, 1, -1], "f4"), n), poison((10, n), "c16")
#: launch flow[GRID, BLOCK](z, w, f, o)
#: want = [[p or q, p and r, p if r > 0 else r, q - 2 * p, p ** 4 * (0.5 + 0.5j), p or q, p + q + r] for p, q, r in zip(z.tolist(), w.tolist(), f.tolist())]
#: expect close(o[:7], np.array(want).T, 1e-6)
#: def orbit(c):
#:     v, n = 0j, 0
#:     while abs(v) < 2 and n < 6:
#:         v, n = v * v + c, n + 1
#:     return v + n
#: expect close(o[7], np.array([orbit(c) for c in z.tolist()]), 1e-5)
#: expect o[8] == np.where(f > 0, -f, -1j)
#: expect o[9] == 1 + f
