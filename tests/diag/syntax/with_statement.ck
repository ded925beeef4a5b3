def f(a):
    with a as b, c:
        x = b
        y = )
    return x


with open("x") as file:
    pass
