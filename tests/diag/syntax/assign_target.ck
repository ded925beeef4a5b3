def f(a):
    1 = a
    f(a) = 1
    a + 1 = 2
    a, 2 = 1, 2
    (a, (f(a), b)) = t
    "x" = a
    a = b() = c
    None = 1
    True = 1
    a < b = 1
    a if a else b = 1
    not a = 1
    a, b += 1
    f(a) += 1
    [a, 1] = t
    for f(a) in range(3):
        pass
    for 1 in a: pass
    a and b = 2
    -a = 1
    (lambda x: x) = 1
