# Tuples compare, are searched, joined, indexed at run time, nested, mixed, chosen between, and go
# through functions.

POINTS = ((1, 2), (3, 4), (5, 6))

def ordered(a, b):
    return (a < b, a <= b, a > b, a >= b, a == b, a != b)

def bits(t):
    s = 0
    for b in t:
        s = s * 2 + (1 if b else 0)
    return s

def swap(pair):
    a, (b, c) = pair
    return (c, b), a

def extend(t, x):
    return t + (x,)

#: n = int(rng.integers(1, 300))
#: v = rng.integers(-2, 3, (n, 6))
#: f = rng.choice([-1.0, 0.5, 2.0, np.nan], (n, 2))
#: o = poison((n, 14), np.int64)
#: g = poison((n, 3), np.float64)
#: repeat grids [1, 32], [3, 7]
#: launch k[GRID, BLOCK](v, f, o, g)
#: def order(a, b):
#:     s = 0
#:     for r in (a < b, a <= b, a > b, a >= b, a == b, a != b): s = s * 2 + r
#:     return s
#: def want(t):
#:     a, b, c, d, e, h = [int(x) for x in v[t]]
#:     p, q = [float(x) for x in f[t]]
#:     out = [order((a, b, c), (d, e, h)), order((a, b), (d, e, h)), order((a, (p, b)), (d, (q, e))),
#:            (a in (1, 2, b)) * 2 + (a not in (c, d)), ((a, b) in ((0, 1), (c, d))) * 1,
#:            (a, b, c)[d % 3], (a, b, c)[d % 3 - 3], ((1, 2), (3, 4), (5, 6))[t % 3][e % 2]]
#:     j = (a, b) + (c,) + ()
#:     out += [len(j) * 100 + j[0] * 9 + j[-1], c * 100 + b * 10 + a, (a, b)[0] if a < b else (d, e)[1]]
#:     out += [100 * max(a, d) + b, sum((a, b, c) + (1,)), order((), ()) + order((a,), ())]
#:     return out
#: expect o == [want(t) for t in range(n)]
#: expect same(g[:, 0], np.where(v[:, 0] > 0, f[:, 0], v[:, 1]))
#: expect same(g[:, 1], np.where(v[:, 0] > 0, v[:, 2], f[:, 1]))
#: expect same(g[:, 2], f[np.arange(n), v[:, 3] % 2])
@kernel
def k(v: int64[:, :], f: float64[:, :], o: int64[:, :], g: float64[:, :]):
    for t in range(grid(1), len(v), gridsize(1)):
        r = v[t]
        a, b, c, d, e, h = r[0], r[1], r[2], r[3], r[4], r[5]
        o[t, 0] = bits(ordered((a, b, c), (d, e, h)))
        o[t, 1] = bits(ordered((a, b), (d, e, h)))
        o[t, 2] = bits(ordered((a, (f[t, 0], b)), (d, (f[t, 1], e))))
        o[t, 3] = (2 if v[t, 0] in (1, 2, b) else 0) + (a not in (c, v[t, 3]))
        o[t, 4] = (v[t, 0], b) in ((0, 1), (c, d))
        abc = (a, b, c)
        o[t, 5] = abc[d % 3]
        o[t, 6] = abc[d % 3 - 3]
        o[t, 7] = POINTS[t % 3][e % 2]
        j = (v[t, 0], b) + extend((), c) + ()
        o[t, 8] = len(j) * 100 + j[0] * 9 + j[-1]
        (x, y), z = swap((a, (b, c)))
        o[t, 9] = x * 100 + y * 10 + z
        pair = (a, b)
        i = 0
        if not a < b:
            pair = (d, e)
            i = 1
        o[t, 10] = pair[i]
        best = (d, b) if d > a else (a, b)
        o[t, 11] = 100 * best[0] + best[1]
        s = 0
        for x in abc + (1,):
            s += x
        o[t, 12] = s
        o[t, 13] = bits(ordered((), ())) + bits(ordered((a,), ()))
        mixed = (f[t, 0], c) if a > 0 else (b, f[t, 1])
        g[t, 0], g[t, 1] = mixed
        rows = (f[:, 0], f[:, 1])
        g[t, 2] = rows[d % 2][t]
