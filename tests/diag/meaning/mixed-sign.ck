@kernel
def k(a: float64[::1], u: uint64, i: int64, s: int8):
    a[0] = u + i
    a[1] = u * s
    a[2] = min(u, i)
    for j in range(i, u):
        pass
    exact = u < i
    a[3] = 1 if exact else 0


@kernel
def hash(out: uint64[::1], n: uint32, i: int64):
    h = np.uint64(5) * i
    h = uint64(7)
    h *= i
    h *= cuda.grid(1)
    h ^= selp(n > 0, h, len(out))
    h = max(1, n, h, len(out), 2)
    for i in range(0, h, len(out)):
        out[i] = h
