"""Methods and attributes that a module adds to types, by Numba's extending API."""
import math

import numpy as np
from numba import cuda, types
from numba.core import types as core_types
from numba.extending import overload_attribute, overload_method


@overload_method(types.Array, "total", target="cuda")
def array_total(a, scale=1):
    """Of one dimension only."""
    if a.ndim == 1:
        def implementation(a, scale=1):
            t = 0.0
            for v in a:
                t += v
            return t * scale
        return implementation


@overload_method(types.Array, "total")
def matrix_total(a):
    if a.ndim == 2 and isinstance(a.dtype, types.Float):
        return lambda a: a[0].total() + a[1].total()


@overload_method(types.Array, "put")
def array_put(a, i, v):
    def implementation(a, i, v):
        cuda.atomic.add(a, i, v)
    return implementation


@overload_method(core_types.Float, "squared")
@overload_method(core_types.Integer, "squared")
def number_squared(x):
    return lambda x: x * x


@overload_method(types.Complex, "squared")
def complex_squared(z):
    return lambda z: z.real * z.real + z.imag * z.imag


@overload_attribute(types.BaseTuple, "norm")
def tuple_norm(t):
    def get(t):
        return math.sqrt(t[0] ** 2 + t[1] ** 2)
    return get


@overload_attribute(types.Integer, "twice")
def integer_twice(n):
    return lambda n: n * 2


@overload_method(types.Array, "total", target="cpu")
def never(a):
    return lambda a: undefined_name


@overload_method(types.Array, "unused")
def unused(a):
    return undefined_too


def bump(c):
    return cuda.atomic.add(c, 0, 1)


def through(x):
    return x.total(scale=3)


#: x = rng.integers(-9, 9, 40).astype(np.float64)
#: m = rng.integers(-9, 9, (2, 5)).astype(np.float32)
#: c, sums = np.zeros(1, np.int64), np.zeros(1, np.int64)
#: o = poison((9, 40), np.float64)
#: launch members[2, 32](x, m, c, sums, o)
#: i = np.arange(40)
#: want = [x.sum() + 0 * i, 2 * x[1:].sum() + 0 * i, x * x, np.hypot(x, i), 2 * i, i * i, m.sum() + 0 * i,
#:  3 * x.sum() + 0 * i, x * x + i * i]
#: expect close(o, want, 1e-12)
#: expect sums == 40
#: expect c == 1
@cuda.jit
def members(x, m, c, sums, o):
    i = cuda.grid(1)
    if i >= x.size:
        return
    o[0, i] = x.total()
    o[1, i] = x[1:].total(scale=2)
    o[2, i] = x[i].squared()
    o[3, i] = (x[i], i).norm
    o[4, i] = i.twice if i.twice > 0 else 0
    o[5, i] = i.squared()
    o[6, i] = m.total()
    o[7, i] = through(x)
    o[8, i] = complex(x[i], i).squared()
    sums.put(0, 1)
    if i == 0 and bump(c).twice > 5:
        o[0, i] = -1
