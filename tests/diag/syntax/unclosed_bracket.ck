def f(a):
    x = f(a, (1,
              2)
    # the next line can only begin a statement
    return x


@cuda.jit(void(int32)
def g(a):
    y = 2 +


def h(a):
    return [a, (1, 2)
