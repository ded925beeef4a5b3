def f(a, n):
    if n > 0:
        return a
    return (n, n)


@kernel
def k(a: float32[::1], n: int64):
    x = f(a, n)
