def f(a):
    x = a $ 2
    print(“hello”)
    y = a − 1
    z = a × 2
    if a ≥ 2:
        y = `a`
    w = 1 \ + 2
    v = 😀
