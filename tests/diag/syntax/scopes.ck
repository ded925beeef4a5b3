global Z


def f(a):
    global X
    nonlocal Y, Z
    del a
    del X[0], Y
