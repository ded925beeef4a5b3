@kernel
def k(a: float32[:, ::1], t: float32[::1], n: int64, x: float32):
    t[x] = 1
    t[1 / 2] = 1
    a[1, 2, 3] = 1
    t[n, n] = 1
    p = (1, 2)
    q = p[n]
    r = p[2]
    s = p[-3]
    p[0] = 3
    u = n[0]
    v = p[0, 1]
    w = t[(1, 2)]
    y = a[0][1][2]

@kernel
def among_others(a: float32[:, :, ::1], k: int64):
    t = grid(2)
    a[t, k] = 1
    a[k][t] += a[(0, 1), :][k]
