# Functions of floats that CUDA has beside C: each in float32 and float64.


# The nearest power of two is divided off, so that the rest is small.
def special_exp10(x):
    if not abs(x) < 400:
        return x if x != x else _type_of(x)(inf if x > 0 else 0)
    n = rint(x * 3.3219280948873623)
    if isinstance(x, float32):
        r = fma(-n, -1.4320988897559699e-08, fma(-n, 0.3010300099849701, x))
    else:
        r = fma(-n, -2.8037281277851704e-18, fma(-n, 0.3010299956639812, x))
    return ldexp(exp(r * 2.302585092994046), int32(n))


# The nearest multiple of 1/2 is subtracted, exactly. Returns the cosine and the sine of pi times
# the rest, and twice that multiple, of which the last two bits count. Large numbers are even.
def _cos_sin_pi(x):
    if isinstance(x, float32):
        x = x if abs(x) < 16777216 else x * 0
        n = rint(x + x)
        quarter = int32(n)
    else:
        x = x if abs(x) < 9007199254740992 else x * 0
        n = rint(x + x)
        quarter = int32(int64(n))
    t = fma(n, -0.5, x)
    z = t * t
    if isinstance(x, float32):
        c = fma(0.231364235, z, -1.33505058)
        c = fma(fma(c, z, 4.05870771), z, -4.93480206)
        s = fma(fma(-0.589076877, z, 2.54976702), z, -5.16770792)
        low = t * float32(-8.74227766e-08)
    else:
        c = fma(-0.00010356750616219464, z, 0.0019294657514324488)
        c = fma(fma(c, z, -0.02580688566100381), z, 0.23533063019198217)
        c = fma(fma(c, z, -1.3352627688519707), z, 4.058712126416749)
        c = fma(c, z, -4.934802200544679)
        s = fma(0.00046157522297979515, z, -0.0073700306452716665)
        s = fma(fma(s, z, 0.08214586991029495), z, -0.5992645289680131)
        s = fma(fma(s, z, 2.5501640398739136), z, -5.167712780049959)
        low = t * 1.2246467991473532e-16
    return fma(c, z, 1), fma(t, pi, fma(t * z, s, low)), quarter


def _quadrant(even, odd, quarter):
    value = odd if quarter & 1 != 0 else even
    return 0 - value if quarter & 2 != 0 else value


# Of a whole number it is a zero of its sign.
def _sinpi(x, c, s, quarter):
    return x * 0 if x == rint(x) else _quadrant(s, c, quarter)


def special_sinpi(x):
    c, s, quarter = _cos_sin_pi(x)
    return _sinpi(x, c, s, quarter)


def special_cospi(x):
    c, s, quarter = _cos_sin_pi(x)
    return _quadrant(c, 0 - s, quarter)


def special_sincos(x):
    return sin(x), cos(x)


def special_sincospi(x):
    c, s, quarter = _cos_sin_pi(x)
    return _sinpi(x, c, s, quarter), _quadrant(c, 0 - s, quarter)


def special_rcbrt(x):
    return 1 / cbrt(x)


# A GPU's assembler makes one modifier of these two.
def special_saturate(x):
    return min(max(x, _type_of(x)(0)), _type_of(x)(1))


def special_fdim(x, y):
    return x + y if x != x or y != y else (x - y if x > y else _type_of(x)(0))


# The root of a sum of squares of which `most` is the greatest magnitude: scaled by a power of two.
# The inverse, too, overflows only if the result does.
def _root_of_squares(a, b, c, d, most, inverse):
    if isinf(a) or isinf(b) or isinf(c) or isinf(d):
        return _type_of(a)(0 if inverse else inf)
    if most == 0 or a != a or b != b or c != c or d != d:
        return 1 / (a + b + c + d) if inverse and most == 0 else a + b + c + d
    n = frexp(most)[1]
    a = ldexp(a, -n)
    b = ldexp(b, -n)
    c = ldexp(c, -n)
    d = ldexp(d, -n)
    root = sqrt(fma(a, a, fma(b, b, fma(c, c, d * d))))
    return ldexp(1 / root, -n) if inverse else ldexp(root, n)


def _norm(a, b, c, d, inverse):
    a = abs(a)
    b = abs(b)
    c = abs(c)
    d = abs(d)
    return _root_of_squares(a, b, c, d, max(a, b, c, d), inverse)


def special_rhypot(x, y):
    return _norm(x, y, _type_of(x)(0), _type_of(x)(0), True)


def special_norm3d(x, y, z):
    return _norm(x, y, z, _type_of(x)(0), False)


def special_rnorm3d(x, y, z):
    return _norm(x, y, z, _type_of(x)(0), True)


def special_norm4d(x, y, z, w):
    return _norm(x, y, z, w, False)


def special_rnorm4d(x, y, z, w):
    return _norm(x, y, z, w, True)


# Winitzki's approximation of the inverse error function ("A handy approximation for the error
# function and its inverse", 2008), of log(1 - y * y): an error of 2 in a thousand.
def _first_erfinv(log_rest):
    t = 4.3307467508 + log_rest / 2
    return sqrt(-6.8027210884 * log_rest / (sqrt(t * t - 6.8027210884 * log_rest) + t))


# Halley's steps, of the error function where that is small, else of its complement.
def special_erfinv(y):
    u = abs(y)
    if not u < 1:
        return copysign(_type_of(y)(inf), y) if u == 1 else _type_of(y)(nan)
    if u < 1e-08:
        return y * 0.8862269254527580
    if u > 0.5:
        return copysign(_erfc_inverse(1 - u), y)
    x = _first_erfinv(log1p(-u * u))
    for _ in range(2):
        step = (erf(x) - u) / (1.1283791670955126 * exp(-x * x))
        x -= step / (1 + x * step)
    return copysign(x, y)


# The logarithm of a quotient that may overflow.
def _log_quotient(x, y):
    least = _type_of(y)(1e-36 if isinstance(y, float32) else 1e-306)
    return log(x) - log(y) if y < least else log(x / y)


# Of 0 < z < 1, by steps of Newton's for the logarithm of erfc, which is nearly a parabola.
def _erfc_inverse(z):
    x = _first_erfinv(log(z * (2 - z)))
    for _ in range(3):
        scaled = erfcx(x)
        h = x * x
        low = fma(x, x, -h)
        # log(erfc(x) / z) without erfc, which underflows
        excess = _log_quotient(scaled, z) - h - low if z < 0.0001 else log1p((erfc(x) - z) / z)
        x += excess * scaled * 0.8862269254527580
    return x


def special_erfcinv(z):
    if not (z > 0 and z < 2):
        return _type_of(z)(inf) if z == 0 else _type_of(z)(-inf) if z == 2 else _type_of(z)(nan)
    return erfinv(1 - z) if z >= 0.5 else _erfc_inverse(z)


# exp(x * x) * erfc(x): by an asymptotic series for large x.
def special_erfcx(x):
    h = x * x
    low = fma(x, x, -h)
    if x < 8:
        e = exp(h)
        if isinf(e):
            return e
        return fma(e, low, e) * erfc(x)
    if isinf(h):
        return 0.5641895835477563 / x
    terms = 9 if isinstance(x, float32) else 20
    total = _type_of(x)(1)
    inverse = 0.5 / h
    for k in range(terms, 0, -1):
        total = 1 - total * inverse * (2 * k - 1)
    return 0.5641895835477563 / x * total


# erfc(-x / sqrt(2)) / 2, corrected by what rounding the argument loses.
def special_normcdf(x):
    t = -x * 0.7071067811865476
    if not abs(x) < 40:
        return x if x != x else _type_of(x)(1 if x > 0 else 0)
    if isinstance(x, float32):
        lost = fma(-x, float32(0.7071067811865476), -t) + x * -1.210161710447897e-08
    else:
        lost = fma(-x, 0.7071067811865476, -t) + x * 4.833646656726457e-17
    y = erfc(t)
    half = 0.5 * fma(-1.1283791670955126 * exp(-t * t), lost, y)
    return half if half > 0 else _type_of(x)(0)  # near the least number the correction is larger


def special_normcdfinv(p):
    return -1.4142135623730951 * erfcinv(2 * p)


# The modified Bessel functions of the first kind: the power series, all of whose terms are
# positive, and for large x the asymptotic one.
def _bessel_i(x, order):
    u = abs(x)
    if u < 20:
        q = u * u / 4
        term = _type_of(x)(1)
        total = _type_of(x)(1)
        k = 1
        while term > total * 1e-18:
            term *= q / (k * (k + order))
            total += term
            k += 1
        return total * u / 2 if order == 1 else total
    if not u < 1000:
        return u if u != u else _type_of(x)(inf)
    term = _type_of(x)(1)
    total = _type_of(x)(1)
    for k in range(1, 24):
        term *= ((2 * k - 1) * (2 * k - 1) - 4 * order) / (k * 8 * u)
        total += term
    half = exp(u / 2)
    return half * (total / sqrt(6.283185307179586 * u)) * half


def special_cyl_bessel_i0(x):
    return _bessel_i(x, 0)


def special_cyl_bessel_i1(x):
    return copysign(_bessel_i(x, 1), x)


# Of higher orders: by recurrence from the orders 0 and 1; backward where the order is above x.
def special_jn(n, x):
    u = abs(x)
    if n < 0 or x != x:
        return _type_of(x)(nan)
    if n == 0:
        return j0(x)
    if u == 0 or isinf(u):
        return _type_of(x)(0)
    sign = _type_of(x)(-1 if x < 0 and n % 2 == 1 else 1)
    before = j0(u)
    this = j1(u)
    if n <= u:
        for k in range(1, n):
            before, this = this, this * (2 * _type_of(x)(k) / u) - before
        return sign * this
    start = n + int32(sqrt(_type_of(x)(60) * n)) + 2
    after = _type_of(x)(0)
    running = _type_of(x)(1e-30)
    wanted = _type_of(x)(0)
    for k in range(start, 0, -1):
        after, running = running, running * (2 * _type_of(x)(k) / u) - after
        if k - 1 == n:
            wanted = running
        if abs(running) > 1e25:
            after *= 1e-25
            running *= 1e-25
            wanted *= 1e-25
    # running is a multiple of J0, after of J1: the greater has the smaller error
    return sign * (wanted / running * before if abs(before) > abs(this) else wanted / after * this)


def special_yn(n, x):
    if n < 0 or x != x:
        return _type_of(x)(nan)
    if n == 0:
        return y0(x)
    before = y0(x)
    this = y1(x)
    if x > 0 and not isinf(x):
        for k in range(1, n):
            if isinf(this):
                return this
            before, this = this, this * (2 * _type_of(x)(k) / x) - before
    return this
