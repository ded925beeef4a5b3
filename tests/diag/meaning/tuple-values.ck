def f(t):
    return t + (1,)

def kind(x):
    return x in (1, 2)

@kernel
def k(a: float32[:], i: int64, u: uint64, p: bool):
    t = (1, i)
    x = t < 5
    x = t == a
    x = (1, a) == (1, a)
    x = (1, (2, 3)) < (1, 2)
    x = i in a
    x = i in 5
    x = t in (1, 2)
    x = (i, a) in ((1, 2), (3, 4))
    x = a not in (1, 2)
    y = t + 1
    y = t - t
    y = t * 2
    y = t + a
    y = t[1.5]
    y = t[5]
    y = t[i, i]
    y = (1, a)[i]
    y = ()[i]
    y = t[a]
    t[i] = 1
    z = t
    if p:
        z = z + (1,)
    a[0] = z[0]
    f(1)
    f(a)
    q = divmod(a, 1)
    q = divmod(1)
    q = divmod(i, u)
    q = divmod(1, b=2)
    q, r, s = divmod(i, 2)
    a[0] = divmod(i, 2)
    d = round(a)
    d = round(i, 2)
    d = round(1.5, 2.0)
    d = round(1.5, a)
    d = round(1.5, ndigits=2)
    d = round()
    d = round(1.5, 2, 3)
    w = local.array(divmod(7, 2), float32)
    v = local.array(i in (1, 2), float32)
    v = local.array(kind(i), float32)
    for c in (1, 2) + (a,):
        pass
    while t:
        pass
