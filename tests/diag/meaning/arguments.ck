# Arguments by keyword and default values.
from os import name


def scaled(value, factor=2, offset: int32 = 0):
    return value * factor + offset


def unknown_default(x, n=missing):
    return x


def running_default(x, n=threadIdx.x):
    return x


def text_default(x, n="three"):
    return x


def host_default(x, n=name):
    return x


def wide_default(x, n: int8 = 300):
    return x + n


@cuda.jit
def k(x: int32[:]):
    x[0] = scaled(x[0], factr=3)
    x[1] = scaled(x[0], value=3)
    x[2] = scaled(factor=3)
    x[3] = scaled()
    x[4] = scaled(1, 2, 3, 4)
    x[5] = scaled(1, 2, 3, offset=4)
    x[6] = unknown_default(1) + running_default(1) + text_default(1) + host_default(1)
    x[7] = wide_default(1)


@cuda.jit
def launched(x: int32[:], n: int32 = 3):
    x[0] = n


def nothing(x):
    return


def perhaps(x, y=None):
    if y is not None:
        return x + y
    return x * y


@cuda.jit
def uses_none(x: int32[:]):
    x[0] = perhaps(x[0])
    if nothing(x[0]) is None:
        x[1] = perhaps(nothing(1), x[2])
    x[2] = perhaps(1, x[2]) + perhaps(None, 1)
