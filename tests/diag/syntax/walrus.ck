def f(a):
    if (n := a) > 1:
        pass
    while x := a:
        pass
    f(y := 1)
    n := 2
