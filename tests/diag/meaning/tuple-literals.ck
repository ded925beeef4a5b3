# A literal in a tuple has to fit where it is used, as a literal in a name has.
def first(t):
    return t[0]

@kernel
def k(x: float16[:], y: uint64[:], z: int32[:], h: float16[:], p: bool, i: int64):
    t = (-70000, i)
    x[0] = x[1] + t[0]
    y[0] = y[1] * t[0]
    z[0] = z[1] + t[0]
    u = (5, i)
    x[2] = x[1] + u[0]
    if p:
        u = (-70001, i)
    x[3] = x[1] + u[0]
    y[1] = y[0] + u[0]
    v = (i, (i, 70000))
    h[0] = h[1] * v[1][1]
    a, (b, c) = v
    x[4] = x[4] - c
    n = 5
    if p:
        n = -70002
    w = (n, i)
    x[5] = x[4] * w[0]
    y[5] = y[4] ^ w[0]
    q = t + u
    x[6] = x[6] + q[0]
    s = (1, i)
    for j in range(3):
        x[8] = x[8] + s[0]
        s = (s[1], i)
    r = (7, i) if p else (70003, i)
    x[9] = x[9] * r[0]
    x[10] = x[10] + first((70004, i))
