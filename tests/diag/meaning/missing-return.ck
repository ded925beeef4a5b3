def f(n):
    if n > 0:
        return 1


def g(n):
    if n > 0:
        return 1
    return


def h(n) -> int32:
    pass


@kernel
def k(a: int64[::1], n: int64):
    a[0] = f(n)
    a[1] = g(n)
    h(n)
