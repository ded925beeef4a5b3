# Functions in functions that use names of the function around them where they cannot, or are used
# as values.
from numba import cuda, float32


def both(a, b):
    return a + b


@cuda.jit
def captures(x: float32[:], n: float32):
    scale = n * 2
    f = lambda a: a * scale
    x[0] = f(x[0])

    x[1] = (lambda a, by=cuda.atomic.add(x, 0, n): a + by)(x[1])
    x[1] = (lambda a=both(x[1], n): a)()
    while (lambda a=scale: a > 3)():
        scale -= 1
    for i in range(3):
        def stepped(a, by=i):
            return a + by

        if i > 1:
            x[1] = before(x[1])
        before = stepped

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


@cuda.jit
def elsewhere(x: float32[:], n: float32):

    def even(k):
        return odd(k - 1) if k else 1

    def odd(k):
        return even(k - 1) if k else 0

    x[2] = even(4)

    def early(a):
        return a + late

    x[3] = early(x[3])
    late = n
    x[4] = early(x[3])
