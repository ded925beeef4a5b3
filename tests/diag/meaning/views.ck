@kernel
def k(a: float32[:, :], v: int32[:], n: int64):
    x = v[::0]
    y = v[1.5:]
    z = a[0, 1, :]
    w = a[0] + 1
    a[0] = a
    v[:] = a
    a[:, 0] = (1, (2, 3))
    a[0] = v
    u = (1, 2, 3)[n:]
    p = (1, 2)[::0]
    v[:] += a
    v[:] += "x"
    if n > 0:
        q = a[0]
    else:
        q = a[0:1]
    q[0] = 1
    cuda.atomic.add(a, 0, 1)
    a[1:][0, 0, 0] = 1
    t = (v, 1)
    t[0:1] = 3
