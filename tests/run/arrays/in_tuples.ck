# Arrays as items of tuples, sides of conditional expressions and results of functions.

def ordered(a, b):
    if a[0] <= b[0]:
        return a, b
    return b, a

def second(pair):
    return pair[1]

@kernel
def use(x, y, m, o):
    n = x.size
    for i in range(grid(1), n, gridsize(1)):
        pair = (x, y)
        o[0, i] = pair[0][i] * 1000 + pair[-1][i]
        low, high = ordered(x, y)
        o[1, i] = high[0] - low[0] + high[i]
        o[2, i] = ordered(x, y)[1][i]
        o[3, i] = (x if i % 2 else y)[i]
        o[4, i] = second((x, (y if i % 3 else x)))[-i - 1]
        total = 0
        for a in (x, y, x):
            total = total * 10 + a[i]
        o[5, i] = total
        nested = ((m, 2), x)
        o[6, i] = nested[0][0][i % 3, -1] + nested[0][1] + nested[0][0][i % 3][0] + nested[1].size
        pair[1][i] += 7
        nested[0][0][-1, i % 4] = 5
        ordered(x, x)[0][i] *= 2
        (o if i >= 0 else o)[7, i] = len(pair[0]) + len(pair)

#: n = 60
#: x, y, o = rng.integers(-99, 99, n), rng.integers(-99, 99, n), poison((8, n), "i8")
#: m = rng.integers(-99, 99, (4, 4), dtype="i4")
#: x[0], y[0] = 0, 1000
#: launch use[1, 1](x, y, m, o)
#: i = np.arange(n)
#: rows = [x_in * 1000 + y_in]
#: expect o[0] == rows[0]
#: expect o[3] == np.where(i % 2, x_in, y_in)
#: expect o[5] == x_in * 101 + y_in * 10
#: expect o[6] == m_in[i % 3, -1] + 2 + m_in[i % 3, 0] + n
#: expect o[7] == n + 2
#: expect (x == 2 * x_in) & (y == y_in + 7)
#: expect m == np.vstack([m_in[:3], np.full((1, 4), 5)])
# Thread by thread, in order: what was written before is seen.
#: a, b, seen = x_in.copy(), y_in.copy(), []
#: for k in range(n):
#:     c = a if k % 3 == 0 else b
#:     seen.append((b[0] - a[0] + b[k], b[k], c[-k - 1]))
#:     b[k] += 7
#:     a[k] *= 2
#: expect o[[1, 2, 4]] == np.array(seen).T
