def f(a):
    x = ()
    x = (1)
    x = (1,)
    x = 1, 2,
    x = (1, 2)
    x = ((1, 2), (3,), ())
    return x, a
