def f(a, b):
    x = a not b
    x = a is
    x = a not in
    x = a if b
    x = a if b else
    x = ** a
    x = not
