def f(a):
    f(a=1, 2)
    f(a, *b)
    f(**b)
    f(a.b=1)
    f(,)
    f(1 2)
