def f(a):
    x = [i for i in a]
    y = (i for i in a)
    z = sum(i for i in a)
    s = {i for i in a}
    d = {i: 1 for i in a}
