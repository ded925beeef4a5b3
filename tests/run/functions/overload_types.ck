# What overloads ask of types, and implementations that use names of the overload.
import numpy as np
from numba import cuda, types
from numba.extending import overload


def kind(x):
    pass


@overload(kind)
def kind_of(x):
    if x is types.int32:
        return lambda x: 1
    if x is not types.int64 and isinstance(x, types.Integer):
        return lambda x: 10 if x == x else 0
    if x == types.int64:
        return lambda x: 2
    if x in (types.float32, types.float64):
        bits = x.bitwidth
        return lambda x: bits
    if isinstance(x, types.NoneType):
        return lambda x: 3
    if isinstance(x, types.StringLiteral):
        return lambda x: 4
    if isinstance(x, (types.Function, types.Record)):
        return lambda x: 5


#: out = poison(8, np.int64)
#: launch kinds[1, 1](out, int32(1), 7, 1.5)
#: expect out == [1, 2, 10, 64, 32, 3, 4, 5]
@cuda.jit
def kinds(out, i, n, x):
    out[0] = kind(i)
    out[1] = kind(n)
    out[2] = kind(np.uint8(n))
    out[3] = kind(x)
    out[4] = kind(np.float32(x))
    out[5] = kind(None)
    out[6] = kind("text")
    out[7] = kind(abs)


def scaled(x, n=2):
    pass


@overload(scaled)
def scaled_by_type(x, n=2):
    """The factor is known when the overload is called."""
    assert isinstance(x, types.Number), "only numbers"
    scale = 10 if isinstance(x, types.Integer) else 100

    def impl(x, n=2):
        y = x * scale + n
        while y > 1000:
            y //= 2
        return y

    return impl


def total(x):
    pass


@overload(total)
def total_of_arrays(x):
    if isinstance(x, types.Array) and x.layout == "C" and x.ndim == 1:
        zero = x.dtype(0)
        add = lambda a, b: a + b

        def of_vector(x):
            s = zero
            for v in x:
                s = add(s, v)
            return s

        return of_vector
    if isinstance(x, types.Array):
        def of_rows(x):
            s = x.dtype(0)
            for i in range(x.shape[0]):
                s += total(x[i])
            return s

        return of_rows


@overload(total)
def total_of_tuples(t):
    if isinstance(t, types.UniTuple) and t.count == 3:
        n = len(t)

        def of_three(t):
            return (t[0] + t[1] + t[2]) * n

        return of_three


#: a = rng.integers(-9, 9, 5).astype(np.float64)
#: b = rng.integers(-9, 9, (3, 4)).astype(np.float64)
#: out = poison(6, np.float64)
#: launch implementations[1, 1](out, 5, 1.5, a, b)
#: expect out == [52, 155, 57, a.sum(), b.sum(), 45]
@cuda.jit
def implementations(out, i, x, a, b):
    out[0] = scaled(i)
    out[1] = scaled(x, 5)
    out[2] = scaled(i, n=7)
    out[3] = total(a)
    out[4] = total(b)
    out[5] = total((i, i, i))
