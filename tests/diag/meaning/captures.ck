# Functions in functions that use names of the function around them, or are used as values.
from numba import cuda, float32


@cuda.jit
def captures(x: float32[:], n: float32):
    scale = n * 2
    f = lambda a: a * scale
    x[0] = f(x[0])

    def shifted(a, by=n):
        return a + by

    x[1] = shifted(x[1])

    def outer(a):
        def inner(b):
            return a + b

        return inner(1)

    x[2] = outer(x[2])

    def countdown(a):
        return countdown(a - 1) if a > 0 else 0

    x[3] = countdown(3)
    x[4] = lambda a: a
    x[5] = (lambda a: a)(1, 2)
    x[6] = (lambda a: a.b)(x)
    h = (lambda a: a) if n > 1 else (lambda a: -a)
    if n > 2:
        h = lambda a: a + 1
    else:
        h = lambda a: a - 1
    x[7] = h(1)
