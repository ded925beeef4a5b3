TPB = 16
TPB = 32


def f(x, x):
    return x


def f(y):
    return y


@kernel
def k(a: float32[:]):
    a[0] = f(TPB)
