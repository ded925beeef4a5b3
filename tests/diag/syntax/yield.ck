def f(a):
    yield
    yield a
    x = yield a
    yield from a
