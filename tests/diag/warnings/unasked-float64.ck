# float64 that no argument, annotation or cast asked for, with its cause; once for each place.
from numba import cuda, float64


def half(n):
    return n / 2


def scaled(x):
    return x * 0.5


@kernel
def divides(a: int32[:], f: float32[:]):
    i = cuda.grid(1)
    f[i] = a[i] / 3
    f[i] = i / a[i]
    f[i] = i * 0.5
    f[i] = f[i] * 0.5 + a[i] * f[i]
    f[i] = 1 / 3 * f[i]
    f[i] = half(a[i]) + half(i)
    f[i] = scaled(a[i]) + scaled(i) + scaled(f[i])
    weight = 0.5 if a[i] > 0 else 1.5
    f[i] *= weight
    f[i] *= weight * weight
    a[i] //= 2
    f[i] **= -2
    a[i] = a[i] ** -1.5


@kernel
def asked(d: float64[:], a: int32[:]):
    d[0] = a[0] / 2 + half(a[0]) * 0.5


@kernel
def cast(a: int32[:], f: float32[:]):
    f[0] = float64(a[0]) * 0.5 + a[1] / 2


# Without narrower floats, float64 is meant.
@kernel
def integers(a: int32[:], n: int64):
    a[0] = a[1] / 3 + half(n)
    a[1] = int(n * 0.5)


# Types in the text count too.
@kernel
def shared_floats(a: int32[:]):
    s = cuda.shared.array(4, "f4")
    s[0] = a[0] / 3
    a[1] = s[0]


@kernel
def cast_floats(a: int32[:]):
    a[0] = float32(a[1]) + a[2] / 3


@kernel
def annotated(a: int32[:], f: float32[:]):
    x: float64 = a[0] / 2
    f[0] = x
