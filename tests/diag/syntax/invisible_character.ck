def f(a):
    x = a +​ 1
    y = 1  2
    return x
