def f(a, b):
    c = a @ b
    c @= b
