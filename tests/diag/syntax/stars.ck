def f(*args, **kwargs):
    a, *b = args
    *a, b = args
    x = *a, 1
    x = [*a]
    return *a


def g(a, *, b):
    pass


def h(a, /, b):
    pass


def k(**options):
    f(**options)
    f(a=1, *b)
    x = (*a)
    *x = 3
    for a, *b in x:
        pass
