def make_reducer(op):
    def reduced(a, b):
        return op(a, b)
    return reduced


product = make_reducer(oprator.mul)


@cuda.jit
def k(x):
    x[0] = product(x[1], x[2])
