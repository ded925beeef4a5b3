def one(a, *, b, *, c):
    return a


def two(/, a):
    return a


def three(a, *, b, /):
    return a


def four(a, /, b, /):
    return a


def five(a, *):
    return a


def six(a, *rest, **named):
    return a


@kernel
def k(x: int32[:]):
    x[0] = one(1) + two(1) + three(1) + four(1) + five(1) + six(1)
