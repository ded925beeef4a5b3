# Tuples of functions: chosen by a constant index, unpacked, looped over, and as arguments.
#: n = 64
#: x = rng.integers(-50, 50, n, dtype=np.int32)
#: y = poison((n, 12), np.float64)
#: repeat grids [2, 32], [3, 30]
#: launch k[GRID, BLOCK](x, y)
#: v = x.astype(np.float64)
#: i = np.arange(n)
#: expect y[:, 0] == v + 2
#: expect y[:, 1] == v * 2
#: expect y[:, 2] == np.abs(v)
#: expect y[:, 3] == np.maximum(v, 3)
#: expect y[:, 4] == v - 7 and True if n == 1 else (y[:, 4] == v - 7).all()
#: expect y[:, 5] == v + i + v * i
#: expect y[:, 6] == np.float32(v)
#: expect y[:, 7] == ((v + 1) * 2 + 1) * 2
#: expect y[:, 8] == 2
#: expect y[:, 9] == (v + 5) * 5 - 5
#: expect y[:, 10] == v * v
#: expect y[:, 11] == np.where(i % 2 == 0, v + 1, v + 1 + (v + 1) * 3)
#:
#: z = poison(4, np.int32)
#: launch chosen[1, 4](z)
#: expect z == [3, 2, 10, 7]
import operator

import numpy as np
from numba import cuda, float32, literal_unroll


@cuda.jit(device=True)
def add(a, b):
    return a + b


@cuda.jit(device=True)
def mul(a, b):
    return a * b


OPS = (add, mul)
BUILTINS = (abs, np.maximum, operator.sub, float32)
MIXED = (add, 5, mul, lambda v: v * v)
LAST = 1
NESTED = (OPS, (mul, 3), 4)


@cuda.jit(device=True)
def apply(ops, i, a, b):
    return ops[i](a, b)


@cuda.jit(device=True)
def all_of(ops, a, b):
    total = 0.0
    for op in literal_unroll(ops):
        total += op(a, b)
    return total


@cuda.jit
def k(x, y):
    i = cuda.grid(1)
    if i >= len(x):
        return
    v = x[i]
    y[i, 0] = OPS[0](v, 2)
    y[i, 1] = OPS[LAST](v, 2)
    y[i, 2] = BUILTINS[0](v)
    y[i, 3] = BUILTINS[1](v, 3)
    y[i, 4] = BUILTINS[2](v, 7)
    y[i, 5] = all_of(OPS, v, i)
    y[i, 6] = BUILTINS[-1](v)
    steps = (add, mul, add, mul)
    r = v
    for k, step in enumerate((1, 2, 1, 2)):
        if k == 0:
            r = steps[0](r, step)
    r = steps[1](r, 2)
    r = steps[2](r, 1)
    y[i, 7] = steps[3](r, 2)
    y[i, 8] = NESTED[1][0](len(OPS), NESTED[1][1]) - NESTED[2]
    first, second = OPS
    r = MIXED[2](first(v, MIXED[1]), MIXED[1])
    y[i, 9] = r - 5
    y[i, 10] = MIXED[3](v)
    s = v + 0
    for op in OPS:
        if i % 2 == 0:
            s = v + 1
        elif s == v:
            s = op(s, 1)
        else:
            for j in range(3):
                if j == 2:
                    break
                s = s + op(v + 1, 0)
            s = s + op(v + 1, 3)
    y[i, 11] = s


@cuda.jit
def chosen(z):
    t = cuda.grid(1)
    if t == 0:
        z[0] = apply(OPS, 0, 1, 2)
    elif t == 1:
        z[1] = apply(OPS, 1, 1, 2)
    elif t == 2:
        z[2] = apply((mul, add), 0, 2, 5)
    else:
        z[3] = (add, mul)[0](3, 4)
