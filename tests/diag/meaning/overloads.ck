from numba import cuda, types, int32
from numba.extending import overload, overload_method, intrinsic


def one(x):
    pass


@overload(one)
def one_of_integers(x):
    if isinstance(x, types.Integer):
        return lambda x: x + 1


def two(x):
    pass


@overload(two)
def two_of_integers(x):
    if isinstance(x, types.Integer):
        return lambda x: x + 1


@overload(two)
def two_of_floats(x):
    if isinstance(x, types.Float):
        return lambda x: x.undefined


def wrong(x):
    pass


@overload(wrong)
def wrong_of_all(x):
    if isinstance(x, types.Integer):
        if x > 3:
            return lambda x: x
    elif x == types.float32:
        return x
    elif isinstance(x, types.Array):
        raise TypeError("no arrays")
    elif isinstance(x, types.Boolean):
        for i in range(3):
            pass
    elif x == 3:
        return lambda x: x
    dtype = x.dtype

    def captures(x):
        return dtype(x)
    return captures


def length(x):
    pass


@overload(length)
def length_of_arrays(x):
    n = len(x)
    return lambda x: n


@overload_method(types.Array, "total")
def array_total(a):
    if a.ndim == 2:
        return lambda a: a[0, 0]


@intrinsic
def special(context, x):
    return x


@cuda.jit("void(float32[:], float64, int32)")
def k(x, d, n):
    x[0] = one(x[0])
    x[1] = one(x[0], 1)
    x[2] = one(y=n)
    x[3] = two(x)
    x[4] = two(x[0])
    x[5] = two(x[0] > 0)
    x[6] = two(undefined)
    x[7] = wrong(n)
    x[8] = wrong(x[0])
    x[9] = wrong(d)
    x[10] = wrong(x)
    x[11] = wrong(x[0] > 0)
    x[12] = wrong(wrong)
    x[12] = wrong((n, n))
    x[13] = x.total()
    x[16] = length(x)
    x[14] = special(x[0])
    x[15] = int32 < n
    x[16] = x.dtype == n
    if x.dtype < int32:
        x[17] = 1
