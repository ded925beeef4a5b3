# Functions of lang/check/builtins/numpy.def that no built-in computes. Arguments have one type, and
# the result is cast to that type where NumPy's result has it.


def np_sign(x):
    sign = _type_of(x)(x > 0) - _type_of(x)(x < 0)
    return x if x != x else sign


def np_heaviside(x, half):
    return x if x != x else (half if x == 0 else _type_of(x)(x > 0))


def np_logaddexp(x, y):
    distance = x - y
    if x == y: # infinite ones too, whose distance is a NaN
        return x + 0.6931471805599453
    if distance > 0:
        return x + log1p(exp(-distance))
    if distance <= 0:
        return y + log1p(exp(distance))
    return distance


def np_logaddexp2(x, y):
    distance = x - y
    if x == y:
        return x + 1
    if distance > 0:
        return x + 1.4426950408889634 * log1p(exp2(-distance))
    if distance <= 0:
        return y + 1.4426950408889634 * log1p(exp2(distance))
    return distance


def np_signbit(x):
    return copysign(_type_of(x)(1), x) < 0


def np_isposinf(x):
    return x == inf


def np_isneginf(x):
    return x == -inf


def np_bitwise_count(x):
    return uint8(popc(abs(x)))


def np_spacing(x):
    return nextafter(x, inf if x >= 0 else -inf) - x


# For integers: 1 // x is -1 for all negative x, and equals the quotient only if the division is
# exact.
def np_reciprocal(x):
    one = _type_of(x)(1)
    quotient = one // x
    return quotient if quotient * x == one else _type_of(x)(0)


# For integers.
def np_fmod(x, y):
    rest = x % y
    return rest - y if rest != 0 and (rest < 0) != (x < 0) else rest


# For magnitudes.
def np_gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


def np_lcm(a, b):
    return a // np_gcd(a, b) * b


# As exact as float64 allows.
def _power_of_ten(n):
    return float64(int64(10) ** n) if n < 19 else float64(10) ** n


# For floats, as NumPy: scale, round, scale back.
def np_round(x, decimals):
    if decimals < 0:
        scale = _type_of(x)(_power_of_ten(-decimals))
        return rint(x / scale) * scale
    scale = _type_of(x)(_power_of_ten(decimals))
    return rint(x * scale) / scale


def np_isclose(a, b, rtol, atol, equal_nan):
    near = abs(a - b) <= atol + rtol * abs(b)
    return near and isfinite(b) or a == b or equal_nan and a != a and b != b


def math_isclose(a, b, rel_tol, abs_tol):
    if a == b:
        return True
    if isinf(a) or isinf(b):
        return False
    distance = abs(a - b)
    return distance <= abs(rel_tol * b) or distance <= abs(rel_tol * a) or distance <= abs_tol
