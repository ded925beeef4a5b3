def f(a):
    ...


def g(a):
    return a[..., 0]
