def f(a, b=(n := 1)):
    n := 2
    x = m := 3
    n += k := 4
    return m := 5


def g(a):
    f(n=m := 1)
    (a[0] := 1)
    print(f"{(n := 3)}")
    assert a, (m := "text")
    y: (n := int32) = 2
    for (i := 3) in a:
        pass
    while a:
        while (n := a):
            pass
        else:
            break
    raise ValueError(n := 3)
