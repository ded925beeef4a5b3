def f(a)
    if a == 1
        x = 1
    while a y:
        x = 2
    else
        x = 3
    for i range(3):
        x = 4
    return x


def g(a):
    if a = 1:
        return 1
    else if a == 2:
        return 2
