def f(a, b=1, c: int32 = 2, d=(1, 2)):
    return a


def g(a=):
    pass


def h(a, b=1, c, *, d=2):
    pass
