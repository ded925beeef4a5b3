def f(x):
    return g(x)


def g(x):
    return f(x)


def h(x):
    return h(x)


@kernel
def k(a: float32[:]):
    a[0] = f(a[0])
    a[1] = h(a[1])
