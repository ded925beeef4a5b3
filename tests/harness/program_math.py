"""Random kernels' functions of CUDA's libdevice, of arithmetic that is rounded in a direction, and
of approximations: in ck and in Python. Approximations are of numbers near which only one whole
number is, to which they are rounded."""

import numpy as np

N_LIBDEVICE, N_FAST, N_ROUNDED = 13, 9, 8

MATH_HELPERS = """def libdevice_of(a, b):
    return (libdevice.hadd(a, b), libdevice.rhadd(a, b), libdevice.mul24(a, b), libdevice.umul24(a, b),
            libdevice.mulhi(a, b), libdevice.umulhi(a, b), libdevice.sad(a, b, a), libdevice.usad(a, b, b),
            libdevice.byte_perm(a, b, int32(0x3517)), libdevice.brev(a), libdevice.popc(a), libdevice.clz(a),
            libdevice.ffs(b))
def fast_of(a):
    k = int32(a) % 10
    x = float32(k)
    two = fast.exp2(x)
    s, c = fast.sincos(x)
    return (int32(round(two)), int32(round(fast.log2(two))), int32(round(fast.divide(x * 6, float32(3)))),
            int32(round(fast.pow(float32(2), x))), int32(round(fast.log10(fast.exp10(x)))),
            int32(round(fast.log(fast.exp(x)))), int32(round(s * s + c * c)),
            int32(round(fast.sin(x) * 1000 - s * 1000)), int32(round(rsqrt(1 / ((x + 1) * (x + 1))))))
def rounded_of(a, b):
    x = float32(a) * float32(0.25)
    y = float32(b) * float32(0.25)
    z = float32(a % 256) * float32(0.25)
    return (int32(add_rd(x, y) * 16), int32(sub_ru(x, y) * 16), int32(mul_rz(x, float32(8)) * 16),
            int32(div_rn(y, float32(4)) * 16), int32(fma_ru(x, float32(2), y) * 16), int32(saturate(x) * 16),
            int32(sqrt_rd(z * z) * 16), int32(rcp_ru(float32(0.125)) * 16 + y))
"""


def int32(value):
    value &= 2 ** 32 - 1
    return np.int32(value - 2 ** 32 if value >> 31 else value)


def low24(value):
    value &= 2 ** 24 - 1
    return value - 2 ** 24 if value >> 23 else value


def byte_perm(a, b, select):
    both = (b & 2 ** 32 - 1) << 32 | a & 2 ** 32 - 1
    return sum((both >> 8 * (select >> 4 * k & 7) & 255) << 8 * k for k in range(4))


def libdevice_of(a, b):
    a, b = int(a), int(b)
    m, n = a & 2 ** 32 - 1, b & 2 ** 32 - 1
    results = (a + b >> 1, a + b + 1 >> 1, low24(a) * low24(b), (a & 2 ** 24 - 1) * (b & 2 ** 24 - 1),
               a * b >> 32, m * n >> 32, abs(a - b) + a, abs(m - n) + b, byte_perm(a, b, 0x3517),
               int(f"{m:032b}"[::-1], 2), bin(m).count("1"),
               32 - m.bit_length(), (n & -n).bit_length())
    return tuple(map(int32, results))


def fast_of(a):
    k = int(a) % 10
    return tuple(map(np.int32, (2 ** k, k, 2 * k, 2 ** k, k, k, 1, 0, k + 1)))


def rounded_of(a, b):
    a, b = int(a), int(b)  # in quarters
    results = (4 * (a + b), 4 * (a - b), 32 * a, b, 4 * (2 * a + b), 4 * min(max(a, 0), 4), 4 * (a % 256),
               int(128 + b / 4))
    return tuple(map(np.int32, results))


MATH_FUNCTIONS = {"libdevice_of": libdevice_of, "fast_of": fast_of, "rounded_of": rounded_of}
