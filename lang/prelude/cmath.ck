# Functions of complex numbers: Python's `cmath`, with the special values of C99's Annex G. The
# inverse functions follow Kahan, "Branch cuts for complex elementary functions" (1987).


# Above it exp overflows.
def _exp_limit(x):
    return 88.0 if isinstance(x, float32) else 709.0


# factor * exp(x) * t of an x above it, with a t of at most 1: overflows only if the result does.
# `top` is exp of the limit.
def _times_large_exp(x, factor, t):
    limit = _type_of(x)(_exp_limit(x))
    top = _type_of(x)(1.6516362549940018e38 if isinstance(x, float32) else 8.218407461554972e307)
    if x > 2 * limit:
        return factor * top * t * top * exp(x - 2 * limit)
    return factor * top * t * exp(x - limit)


# Magnitudes beyond which a square overflows or is no normal number are scaled.
def _is_large(x, y):
    limit = finfo(_type_of(x)).max / 8
    return abs(x) > limit or abs(y) > limit


def _is_tiny(x, y):
    limit = finfo(_type_of(x)).tiny * 16
    return abs(x) < limit and abs(y) < limit


def cmath_isclose(a, b, rel_tol, abs_tol):
    if a == b:
        return True
    if isinf(a.real) or isinf(a.imag) or isinf(b.real) or isinf(b.imag):
        return False
    distance = abs(a - b)
    return distance <= rel_tol * abs(b) or distance <= rel_tol * abs(a) or distance <= abs_tol


def cmath_phase(z):
    return atan2(z.imag, z.real)


def cmath_polar(z):
    return hypot(z.real, z.imag), atan2(z.imag, z.real)


# Of a magnitude and an angle in one type; `as_complex` has the type of the result.
def cmath_rect(r, phi, as_complex):
    complex_type = _type_of(as_complex)
    if phi == 0:
        return complex_type(r, r * phi if isfinite(r) else copysign(_type_of(r)(1), r) * phi)
    if isinf(r) and isnan(phi):
        return complex_type(abs(r), phi)
    if r == 0 and not isfinite(phi):
        return complex_type(r, 0)
    return complex_type(r * cos(phi), r * sin(phi))


def cmath_sqrt(z):
    x = z.real
    y = z.imag
    if isinf(y):
        return _type_of(z)(abs(y), y)
    if isinf(x):
        return _type_of(z)(x, y * 0) if x > 0 else _type_of(z)(abs(y * 0), copysign(x, y))
    if x == 0 and y == 0:
        return _type_of(z)(0, y)
    if _is_tiny(x, y):
        u = abs(x) * 18014398509481984.0
        s = sqrt((u + hypot(u, y * 18014398509481984.0)) / 2) / 134217728.0
    else:
        u = abs(x) / 8
        s = 2 * sqrt(u + hypot(u, y / 8))
    d = abs(y) / (2 * s)
    return _type_of(z)(s, copysign(d, y)) if x >= 0 else _type_of(z)(d, copysign(s, y))


def cmath_exp(z):
    x = z.real
    y = z.imag
    if y == 0:
        return _type_of(z)(exp(x), y)
    if isinf(x) and not isfinite(y):
        return _type_of(z)(x, nan) if x > 0 else _type_of(z)(0, 0)
    if x > _exp_limit(x):
        return _type_of(z)(_times_large_exp(x, 1, cos(y)), _times_large_exp(x, 1, sin(y)))
    return _type_of(z)(exp(x) * cos(y), exp(x) * sin(y))


# The logarithm of the magnitude. Near 1 it is that of a number near 1, whose excess is computed.
def _log_magnitude(z):
    x = max(abs(z.real), abs(z.imag))
    y = min(abs(z.real), abs(z.imag))
    if isinf(z.real) or isinf(z.imag):
        return _type_of(x)(inf)
    if z != z:
        return _type_of(x)(nan)
    if _is_large(x, y):
        return log(hypot(x / 2, y / 2)) + 0.6931471805599453
    if _is_tiny(x, y):
        return log(hypot(x * 18014398509481984.0, y * 18014398509481984.0)) - 37.42994775023705
    h = hypot(x, y)
    if 0.7 <= h <= 1.8:
        return log1p(fma(y, y, (x - 1) * (x + 1))) / 2
    return log(h)


def cmath_log(z):
    return _type_of(z)(_log_magnitude(z), atan2(z.imag, z.real))


def cmath_log10(z):
    return _type_of(z)(_log_magnitude(z) / 2.302585092994046, atan2(z.imag, z.real) / 2.302585092994046)


def cmath_sinh(z):
    x = z.real
    y = z.imag
    if y == 0:
        return _type_of(z)(sinh(x), y)
    if (x == 0 or isinf(x)) and not isfinite(y):
        return _type_of(z)(x, nan)
    if abs(x) > _exp_limit(x):
        half = copysign(_type_of(x)(0.5), x)
        return _type_of(z)(_times_large_exp(abs(x), half, cos(y)), _times_large_exp(abs(x), 0.5, sin(y)))
    return _type_of(z)(sinh(x) * cos(y), cosh(x) * sin(y))


def cmath_cosh(z):
    x = z.real
    y = z.imag
    if y == 0:
        return _type_of(z)(cosh(x), copysign(_type_of(x)(1), x) * y)
    if x == 0 and not isfinite(y):
        return _type_of(z)(nan, 0)
    if isinf(x) and not isfinite(y):
        return _type_of(z)(inf, nan)
    if abs(x) > _exp_limit(x):
        half = copysign(_type_of(x)(0.5), x)
        return _type_of(z)(_times_large_exp(abs(x), 0.5, cos(y)), _times_large_exp(abs(x), half, sin(y)))
    return _type_of(z)(cosh(x) * cos(y), sinh(x) * sin(y))


def cmath_tanh(z):
    x = z.real
    y = z.imag
    if y == 0:
        return _type_of(z)(tanh(x), y)
    if isinf(x) and not isfinite(y):
        return _type_of(z)(copysign(_type_of(x)(1), x), 0)
    if abs(x) > 20 and isfinite(y):
        small = exp(-abs(x))
        return _type_of(z)(copysign(_type_of(x)(1), x), 4 * small * sin(y) * cos(y) * small)
    s = sinh(x)
    c = cos(y)
    d = s * s + c * c
    return _type_of(z)(s * cosh(x) / d, sin(y) * c / d)


# Functions of the circle are those of the hyperbola, turned by a right angle.
def cmath_sin(z):
    w = cmath_sinh(_type_of(z)(-z.imag, z.real))
    return _type_of(z)(w.imag, -w.real)


def cmath_cos(z):
    return cmath_cosh(_type_of(z)(-z.imag, z.real))


def cmath_tan(z):
    w = cmath_tanh(_type_of(z)(-z.imag, z.real))
    return _type_of(z)(w.imag, -w.real)


# log(2 * |z|) of a large z.
def _log_twice(z):
    return log(hypot(z.real / 2, z.imag / 2)) + 1.3862943611198906


def cmath_acos(z):
    x = z.real
    y = z.imag
    if _is_large(x, y):
        return _type_of(z)(atan2(abs(y), x), -copysign(_log_twice(z), y))
    if x == 0 and isnan(y):
        return _type_of(z)(pi / 2, y)
    s = cmath_sqrt(_type_of(z)(1 - x, -y))
    t = cmath_sqrt(_type_of(z)(1 + x, y))
    return _type_of(z)(2 * atan2(s.real, t.real), asinh(t.real * s.imag - t.imag * s.real))


def cmath_acosh(z):
    x = z.real
    y = z.imag
    if _is_large(x, y):
        return _type_of(z)(_log_twice(z), atan2(y, x))
    if x == 0 and isnan(y):
        return _type_of(z)(y, pi / 2)
    s = cmath_sqrt(_type_of(z)(x - 1, y))
    t = cmath_sqrt(_type_of(z)(x + 1, y))
    return _type_of(z)(asinh(s.real * t.real + s.imag * t.imag), 2 * atan2(s.imag, t.real))


def cmath_asinh(z):
    x = z.real
    y = z.imag
    if _is_large(x, y):
        return _type_of(z)(copysign(_log_twice(z), x), atan2(y, abs(x)))
    if isnan(x) and y == 0:
        return z
    s = cmath_sqrt(_type_of(z)(1 + y, -x))
    t = cmath_sqrt(_type_of(z)(1 - y, x))
    return _type_of(z)(asinh(s.real * t.imag - t.real * s.imag), atan2(y, s.real * t.real - s.imag * t.imag))


def cmath_asin(z):
    w = cmath_asinh(_type_of(z)(-z.imag, z.real))
    return _type_of(z)(w.imag, -w.real)


# Of a real part that is not negative, or a NaN.
def _atanh_right(z):
    x = z.real
    y = z.imag
    if isinf(x) or isinf(y):
        return _type_of(z)(0, y if isnan(y) else copysign(_type_of(x)(pi / 2), y))
    if x == 0 and isnan(y):
        return z
    if z != z:
        return _type_of(z)(nan, nan)
    if x > sqrt(finfo(_type_of(x)).max) / 4 or abs(y) > sqrt(finfo(_type_of(x)).max) / 4:
        h = hypot(x / 2, y / 2)
        return _type_of(z)(x / 4 / h / h, copysign(_type_of(x)(pi / 2), y))
    if x == 1 and abs(y) < sqrt(finfo(_type_of(x)).tiny):
        if y == 0:
            return _type_of(z)(inf, y)
        return _type_of(z)((0.6931471805599453 - log(abs(y))) / 2, copysign(atan2(_type_of(x)(2), -abs(y)) / 2, y))
    re = log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4
    return _type_of(z)(re, -atan2(-2 * y, (1 - x) * (1 + x) - y * y) / 2)


def cmath_atanh(z):
    if z.real < 0 or z.real == 0 and copysign(_type_of(z.real)(1), z.real) < 0:
        w = _atanh_right(_type_of(z)(-z.real, -z.imag))
        return _type_of(z)(-w.real, -w.imag)
    return _atanh_right(z)


def cmath_atan(z):
    w = cmath_atanh(_type_of(z)(-z.imag, z.real))
    return _type_of(z)(w.imag, -w.real)
