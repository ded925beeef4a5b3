def f(a, b, c):
    x = a < b
    x = a < b <= c != a
    x = a == b > c >= 0
    x = a is None
    x = a is not None
    x = a in b
    x = a not in b
    x = (a < b) < c
    x = a + 1 < b | c
