def f(a):
    x = (a, 1]
    y = a[1
    z = f(1,
          2 3)
    w = a)
    return x
