"""Random kernels' functions of CUDA: what they compute, by exact arithmetic and the C library."""

import ctypes
import math
from fractions import Fraction

import numpy as np

LIBM = ctypes.CDLL("libm.so.6")
MASK32, MASK64 = 2 ** 32 - 1, 2 ** 64 - 1


def of_libm(name, *kinds):
    """A function of the C library in float64, of floats or as `kinds` says."""
    function = LIBM[name]
    function.restype, function.argtypes = ctypes.c_double, kinds or [ctypes.c_double]
    return function


def of_order(name):
    return of_libm(name, ctypes.c_int, ctypes.c_double)


# --- Integers -------------------------------------------------------------------------------------


def signed(value, bits):
    """The low bits as a signed integer."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def low24(value):
    return signed(value, 24)


def byte_perm(a, b, select):
    both = (b & MASK32) << 32 | a & MASK32
    return sum((both >> 8 * (select >> 4 * k & 7) & 255) << 8 * k for k in range(4))


def reversed_bits(value, bits):
    return int(f"{value & (1 << bits) - 1:0{bits}b}"[::-1], 2)


def leading_zeros(value, bits):
    return bits - (value & (1 << bits) - 1).bit_length()


def first_set(value, bits):
    value &= (1 << bits) - 1
    return (value & -value).bit_length()


def set_bits(value, bits):
    return bin(value & (1 << bits) - 1).count("1")


# --- Floats, rounded once -------------------------------------------------------------------------


def rounded(value, dtype, mode):
    """A Fraction as float32 or float64, rounded in the direction: rn, rd, ru, rz."""
    dtype = np.dtype(dtype).type
    low = dtype(float(value))
    while Fraction(float(low)) > value:
        low = np.nextafter(low, dtype(-np.inf))
    while Fraction(float(np.nextafter(low, dtype(np.inf)))) <= value:
        low = np.nextafter(low, dtype(np.inf))
    below = Fraction(float(low))
    if below == value:
        return low
    high = np.nextafter(low, dtype(np.inf))
    if mode == "rn":
        above = Fraction(float(high))
        if value - below == above - value:
            return high if low.view(f"i{low.itemsize}") & 1 else low
        return low if value - below < above - value else high
    return {"rd": low, "ru": high, "rz": low if value >= 0 else high}[mode]


def root(value):
    """The square root: exact, or nearer than any float that it could be rounded to."""
    whole = math.isqrt((value.numerator << 800) // value.denominator)
    exact = Fraction(whole, 1 << 400)
    return exact if exact * exact == value else exact + Fraction(1, 1 << 401)


OPERATIONS = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y,
              "div": lambda x, y: x / y, "fma": lambda x, y, z: x * y + z, "rcp": lambda x: 1 / x, "sqrt": root}


def of_direction(name, dtype, mode):
    """An operation on floats that is rounded once."""
    return lambda *operands: rounded(OPERATIONS[name](*map(Fraction, operands)), dtype, mode)


def whole(value, mode):
    """A float as an integer."""
    return {"rn": round, "rd": math.floor, "ru": math.ceil, "rz": math.trunc}[mode](value)


def to_integer(mode, bits, is_signed):
    """A float's conversion, which saturates."""
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    return lambda x: min(max(whole(x, mode), low), high)


def from_integer(dtype, mode, mask=None):
    """Of an unsigned integer, if a mask is given."""
    return lambda x: rounded(Fraction(x if mask is None else x & mask), dtype, mode)


def half_away(x):
    return math.floor(abs(x) + 0.5) * (1 if x >= 0 else -1)


def remquo(x, y):
    """The remainder, and the low bits of the quotient, with its sign."""
    quotient = round(Fraction(x) / Fraction(y))
    return math.remainder(x, y), (abs(quotient) & 7) * (1 if quotient >= 0 else -1)


def to_bfloat16(values):
    """The nearest of bfloat16, ties to even, as float32: rounded once, of float64 too."""
    values = np.asarray(values)
    with np.errstate(over="ignore"):
        near = values.astype("f4")
    bits = near.view("u4").astype("i8")
    # What is a tie only since it was rounded to float32 is moved to its own side.
    tie = bits & 0xFFFF == 0x8000
    bits = bits + (tie & (abs(values) > abs(near))) - (tie & (abs(values) < abs(near)))
    rounded = bits + 0x7FFF + (bits >> 16 & 1) & 0xFFFF0000
    return np.where(np.isnan(near), near, rounded.astype("u4").view("f4"))


# --- Functions that Python lacks ------------------------------------------------------------------


def inverse(function, low, high):
    """Of a function that rises, by bisection."""
    def compute(y):
        a, b = low, high
        for _ in range(200):
            middle = (a + b) / 2
            a, b = (middle, b) if function(middle) < y else (a, middle)
        return (a + b) / 2

    return compute


def normcdf(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def bessel_i(order):
    """By its integral over half a period, whose sum converges at once."""
    n = 64

    def compute(x):
        return sum(math.exp(x * math.cos(math.pi * (k + .5) / n)) * math.cos(order * math.pi * (k + .5) / n)
                   for k in range(n)) / n

    return compute


def exp10(x):
    return 10.0 ** x


def sinpi(x):
    return math.sin(math.pi * math.fmod(x, 2))


def cospi(x):
    return math.cos(math.pi * math.fmod(x, 2))


def length(*components):
    return math.sqrt(math.fsum(c * c for c in components))


# --- 8-bit floats ---------------------------------------------------------------------------------


def fp8_value(code, interpretation):
    """What the bits stand for."""
    digits, bias = (2, 15) if interpretation == "E5M2" else (3, 7)
    exponent, rest = (code & 127) >> digits, code & (1 << digits) - 1
    if code & 127 == 127 and digits == 3 or exponent == 31 and rest:
        return math.nan
    size = math.inf if exponent == 31 else (rest / 2 ** digits + (exponent > 0)) * 2.0 ** (max(exponent, 1) - bias)
    return -size if code >= 128 else size


def fp8_nearest(x, saturation, interpretation):
    """The bits of the nearest, by a search among all."""
    largest = 0x7B if interpretation == "E5M2" else 0x7E
    sign, size = 128 if x < 0 else 0, abs(x)
    top = fp8_value(largest, interpretation)
    limit = top + (top - fp8_value(largest - 1, interpretation)) / 2
    if size > limit or size == limit and interpretation == "E5M2":
        return sign | (largest if saturation == "SATFINITE" else largest + 1)
    codes = range(largest + 1)
    return sign | min(codes, key=lambda c: (abs(Fraction(fp8_value(c, interpretation)) - Fraction(size)), c & 1))


# --- Random numbers -------------------------------------------------------------------------------


def philox(seed, counter):
    """Four words of 32 bits."""
    key, x = [seed & MASK32, seed >> 32 & MASK32], [counter & MASK32, counter >> 32 & MASK32, 0, 0]
    for _ in range(10):
        a, b = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
        x = [b >> 32 ^ x[1] ^ key[0], b & MASK32, a >> 32 ^ x[3] ^ key[1], a & MASK32]
        key = [key[0] + 0x9E3779B9 & MASK32, key[1] + 0xBB67AE85 & MASK32]
    return tuple(x)


def philox_wide(seed, counter):
    """Two words of 64 bits."""
    a, b, c, d = philox(seed, counter)
    return b << 32 | a, d << 32 | c


def polar_pair(u, angle, swaps, negative):
    """Two normal numbers of a uniform one, an angle of at most an eighth of a circle to either
    side, and two bits that choose the eighth."""
    radius = math.sqrt(-2 * math.log(u)) * (-1 if negative else 1)
    pair = radius * math.cos(angle), radius * math.sin(angle)
    return pair[::-1] if swaps else pair


def philox_uniform32(seed, counter):
    return tuple((word >> 8) * 2.0 ** -24 for word in philox(seed, counter))


def philox_uniform64(seed, counter):
    return tuple((word >> 11) * 2.0 ** -53 for word in philox_wide(seed, counter))


def philox_normal32(seed, counter):
    words = philox(seed, counter)

    def pair(a, b):
        u = float(np.float32((float(np.float32(a)) * (1 - 2.0 ** -24) + 0.5) / 2 ** 32))
        return polar_pair(u, (signed(b << 2, 32) + 2) / 2 ** 31 * math.pi / 4, b >> 30 & 1, b >> 31)

    return pair(*words[:2]) + pair(*words[2:])


def philox_normal64(seed, counter):
    a, b = philox_wide(seed, counter)
    u, part = ((2.0 * (word & 2 ** 52 - 1) + 1) / 2 ** 53 for word in (a, b))
    return polar_pair(u, (part - 0.5) * math.pi / 2, b >> 62 & 1, b >> 63)


def philox_integers(seed, counter, low, high):
    return tuple(low + (word * (high - low) >> 64) for word in philox_wide(seed, counter))


class Xoroshiro:
    """Numba's generator."""

    def __init__(self, s0, s1):
        self.s0, self.s1 = s0 & MASK64, s1 & MASK64

    def mix(self):
        s0, s1 = self.s0, self.s0 ^ self.s1
        self.s0 = (s0 << 55 | s0 >> 9) & MASK64 ^ s1 ^ s1 << 14 & MASK64
        self.s1 = (s1 << 36 | s1 >> 28) & MASK64

    def next(self):
        result = self.s0 + self.s1 & MASK64
        self.mix()
        return result

    def jump(self):
        """By 2^64 numbers."""
        x = y = 0
        for word in (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922):
            for bit in range(64):
                if word >> bit & 1:
                    x, y = x ^ self.s0, y ^ self.s1
                self.mix()
        self.s0, self.s1 = x, y
        return 0

    def uniform_float64(self):
        return (self.next() >> 11) * 2.0 ** -53

    def uniform_float32(self):
        return float(np.float32(self.uniform_float64()))

    def normal(self, uniform):
        u, v = uniform(), uniform()
        return math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * v)

    def normal_float32(self):
        return self.normal(self.uniform_float32)

    def normal_float64(self):
        return self.normal(self.uniform_float64)


def drawn(name):
    """A number of a state, and the bits of the next one."""
    def compute(s0, s1):
        state = Xoroshiro(s0, s1 + 1)
        return getattr(state, name)(), state.next()

    return compute
