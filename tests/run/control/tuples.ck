# Tuples: made, nested, indexed by constants, unpacked, passed, returned, joined.

N, M = 4, 3
SHAPE = (N, M * 2)
DEEP = ((1, 2), (3.5, True))

def divide(a, b):
    return a // b, a % b

def swap(t):
    return t[1], t[0]

def nested(a):
    return (a, a + 1), (a * 2, 0.5)

@kernel
def use(x, o, p):
    for i in range(grid(1), x.size, gridsize(1)):
        q, r = divide(x[i], 7)
        o[0, i] = q * 100 + r
        t = divide(x[i], 5)
        o[1, i] = t[0] * 100 + t[1]
        u = swap(t)
        o[2, i] = u[0] * 100 + u[-1]
        o[3, i] = SHAPE[0] * 10 + SHAPE[1]
        o[4, i] = len(SHAPE) + DEEP[0][1] + DEEP[1][1]
        p[0, i] = DEEP[1][0]
        (a, b), (c, d) = nested(x[i])
        o[5, i] = a + b * 10 + c * 100
        p[1, i] = d + nested(x[i])[1][0]
        if x[i] > 0:
            t = (x[i], 0)
        o[6, i] = t[0] - t[1]
        for k in range(3):
            t = (t[1], t[0] + 1)
        o[7, i] = t[0] * 10 + t[1]
        one = (x[i],)
        o[8, i] = one[0] + len(one)
        o[9, i] = min(t[0], t[1]) if x[i] > 3 else swap(swap(t))[0]

#: repeat grids [3, 32], [1, 5]
#: n = 80
#: x = rng.integers(-99, 100, n)
#: o, p = poison((10, n), "i8"), poison((2, n), "f8")
#: launch use[GRID, BLOCK](x, o, p)
#: rows = []
#: for v in x.tolist():
#:     q, t = divmod(v, 7), divmod(v, 5)
#:     row = [q[0] * 100 + q[1], t[0] * 100 + t[1], t[1] * 100 + t[0], 46, 2 + 2 + 1, v + (v + 1) * 10 + v * 200]
#:     t = (v, 0) if v > 0 else t
#:     row.append(t[0] - t[1])
#:     for k in range(3):
#:         t = (t[1], t[0] + 1)
#:     rows.append(row + [t[0] * 10 + t[1], v + 1, min(t) if v > 3 else t[0]])
#: expect o == np.array(rows).T
#: expect p == np.array([np.full(n, 3.5), 0.5 + x * 2])
