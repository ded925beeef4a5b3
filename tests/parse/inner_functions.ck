square = lambda x, y=2: x * x


def f(a):
    @cuda.jit(device=True)
    def inner(b: int32, c=1) -> int32:
        return b + c

    return inner(a) + (lambda: 1)() + f(lambda a,: a if a else 1)
