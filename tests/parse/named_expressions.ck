def f(a, b):
    if (n := a) > 1 and b[0] and (m := b[n]) < n:
        pass
    elif 0 < (k := b[1]) < (n := 2):
        pass
    while (n := n - 1) > 0:
        a += n
    else:
        b[0] = 1
    x = b[0] + (n := 2) * (y if a else (y := 3))
    b[(n := n + 1)] += (n := 4)
    (z := x or (w := 1))
    g = lambda q: (r := q) + r
    return f(n, b[n], *g(x), c=(n := 5))
