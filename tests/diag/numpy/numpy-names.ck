# Names of NumPy and math: what they do not take.
import numpy as np
from numpy import less
from math import gcd

N = np.gcd(12, 8)


@kernel
def k(x: float32[:], i: int32[:], u: uint64[:], c: complex64[:], f: bool[:]):
    a = np.add(x[0])
    a = np.add(x[0], x[1], x[2])
    a = np.round(x[0], 1, 2)
    a = np.round(x[0], decimals=1.5)
    a = np.round(x[0], digits=1)
    a = np.clip(x[0], 0, a_min=1)
    a = np.clip(x[0], a_max=1)
    a = np.clip(x[0], None, 1)
    a = np.sin(x)
    a = np.add(x, 1)
    a = np.bitwise_and(x[0], 1)
    a = np.invert(x[0])
    a = np.left_shift(u[0], i[0])
    a = gcd(u[0], i[0])
    a = gcd(x[0], 2)
    a = np.negative(f[0])
    a = np.subtract(f[0], f[1])
    a = np.sign(f[0])
    a = np.gcd(f[0], f[1])
    a = np.cbrt(c[0])
    a = np.less(c[0], 1)
    a = np.maximum(c[0], 1)
    a = np.isclose(c[0], 1)
    a = math.pow(c[0], 2)
    a = math.floor(c[0])
    a = np.add(f, 1)
    a = np.power(i[0], -1)
    a = np.round(i[0], i[1])
    a = np.left_shift(x[0], True)
    a = less
    a = less.x
    np.less
    a = reduce(this_thread_block(), x[0], np.less)
    a = np.add(np.uint8(3), 300)
    a = math.floor(1e30)
    x[math.floor(x[0])] = 1
    b = local.array(N, float32)
