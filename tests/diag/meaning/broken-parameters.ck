# Parameters that are refused: the calls are not errors of their own.
def star(*args):
    return 1


def default(x, y=2, *, z=3):
    return x


def right(x):
    return x


@cuda.jit
def k(a: float32[:]):
    a[0] = star(1, 2) + default(1)
    a[1] = default(a[0], 2) + right(1, 2)
