def lambda(a):
    pass


def f(in, a):
    is = 1
    x.class = 2
    for not in a:
        pass
    import = 3
