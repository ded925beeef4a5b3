def f(a):
    x = a +
    y = a * / 2
    z = [1, 2
    w = a
