def pair(a, b):
    return a + b


@kernel
def k(x: float32[:], n: int32):
    pair(*x)
    pair(*n, 1)
    pair(*(1, 2, 3))
    pair(*None)
    x[0] = max(*(1, x))
    for i in range(*n):
        pass
    print(*x)
    pair(*unknown)
    t = (1, *x)
