def f(a):
    g = lambda x: x + 1
    return f(lambda: 1)
