from numba import cuda, float32

def make_adder(n):
    @cuda.jit(device=True)
    def add(x):
        return x + n
    return add

def make_two(n):
    m = n + 1
    def add(x):
        return x + m
    return add

def make_nested(n):
    def outer(x):
        inner = lambda v: v + n
        return inner(x)
    return outer

missing = make_adder()
many = make_adder(1, 2)
other = make_adder(m=1)
two = make_two(1)
nested = make_nested(1)
option = cuda.jit(device=True, bogus=1)(lambda v: v)

@cuda.jit
def k(x: float32[:]):
    x[0] = missing(x[0])
    x[1] = many(x[1])
    x[2] = other(x[1])
    x[3] = two(x[1])
    x[4] = nested(x[1])
    x[5] = option(x[1])

@cuda.jit
def characters(x: float32[:]):
    x[0] = ord("ab")
    x[1] = ord("")
    x[2] = ord(x[0])
    x[3] = ord(c="a")
    x[4] = ord()
