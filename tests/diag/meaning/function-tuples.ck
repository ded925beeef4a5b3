# Tuples of functions: what they are not.
from numba import cuda


def add(a, b):
    return a + b


def mul(a, b):
    return a * b


OPS = (add, mul)


@cuda.jit("void(int32[:], int64)")
def k(x, n):
    x[0] = OPS[n](1, 2)
    x[1] = OPS[2](1, 2)
    x[2] = OPS(1, 2)
    x[3] = OPS
    x[4] = OPS[0:1](1, 2)
    x[5] = OPS[0] + 1
    x[6] = OPS[0, 1](2, 3)
    a, b, c = OPS
    t = (add, n)
    for i, op in enumerate(OPS):
        x[i] = op(1, 2)
    for i in range(2):
        x[i] = OPS[i](1, 2)
    OPS.first(1)
    (add, mul)
    for op in OPS:
        x[3] = op(x[3], 1)
    else:
        x[4] = mul(x[4], n, 3)
    if n > 3:
        ops = OPS
    else:
        ops = (mul, add)
    x[5] = ops[0](1, 2)
