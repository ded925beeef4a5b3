def f(a):
    pass; pass;
    assert a
    assert a > 0, "positive"
    assert (a), f(a)
    "a string"
    a
    a < 1
    return
    return a
    return a, 1
    return (a, 1)
