@kernel
def k(a: float64[::1], u: uint64, i: int64, s: int8):
    a[0] = u + i
    a[1] = u * s
    a[2] = min(u, i)
    for j in range(i, u):
        pass
    exact = u < i
    a[3] = 1 if exact else 0
