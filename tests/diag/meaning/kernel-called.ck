from numba import cuda, void, float32, int32
from numba.extending import overload


@cuda.jit([void(float32[:]), void(int32[:])])
def inner(a):
    pass


def absolute(x):
    return x


@overload(absolute)
def overload_absolute(x):
    return x


@kernel
def outer(a: float32[:]):
    inner(a)
    a[0] = absolute(a[0])


@kernel
def itself(a: float32[:]):
    itself(a)


@cuda.jit
def returns(a: float32[:]):
    return 1
