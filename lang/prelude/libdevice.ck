# CUDA's `libdevice` as Numba has it, of ck's own functions: on every device and with either math
# library. A function of a row has the parameters' types as written; what libdevice returns through
# pointers are the items of a tuple.


def _round_away(x):
    whole = trunc(x)
    return copysign(whole + (copysign(_type_of(x)(1), x) if abs(x - whole) >= 0.5 else _type_of(x)(0)), x)


def _ilogb(x):
    if isinf(x):
        return int32(2147483647)
    if x == 0 or x != x:
        return int32(-2147483648)
    return int32(frexp(x)[1] - 1)


def _logb(x):
    if isinf(x) or x != x:
        return x * x
    return _type_of(x)(-inf) if x == 0 else _type_of(x)(_ilogb(x))


# The remainder, and the three lowest bits of the quotient with its sign.
def _remquo(x, y):
    rest = remainder(x, y)
    if not isfinite(x) or y == 0 or y != y or isinf(y):
        return rest, int32(0)
    u = abs(y)
    bits = int32(rint((fmod(abs(x), 8 * u) - (rest if x >= 0 else -rest)) / u)) & 7
    return rest, -bits if (x < 0) != (y < 0) else bits


# Functions of floats: float64, and with an f float32


def libdevice_acos(x: float64):
    return acos(x)


def libdevice_acosf(x: float32):
    return acos(x)


def libdevice_acosh(x: float64):
    return acosh(x)


def libdevice_acoshf(x: float32):
    return acosh(x)


def libdevice_asin(x: float64):
    return asin(x)


def libdevice_asinf(x: float32):
    return asin(x)


def libdevice_asinh(x: float64):
    return asinh(x)


def libdevice_asinhf(x: float32):
    return asinh(x)


def libdevice_atan(x: float64):
    return atan(x)


def libdevice_atanf(x: float32):
    return atan(x)


def libdevice_atanh(x: float64):
    return atanh(x)


def libdevice_atanhf(x: float32):
    return atanh(x)


def libdevice_cbrt(x: float64):
    return cbrt(x)


def libdevice_cbrtf(x: float32):
    return cbrt(x)


def libdevice_ceil(x: float64):
    return ceil(x)


def libdevice_ceilf(x: float32):
    return ceil(x)


def libdevice_cos(x: float64):
    return cos(x)


def libdevice_cosf(x: float32):
    return cos(x)


def libdevice_cosh(x: float64):
    return cosh(x)


def libdevice_coshf(x: float32):
    return cosh(x)


def libdevice_cospi(x: float64):
    return cospi(x)


def libdevice_cospif(x: float32):
    return cospi(x)


def libdevice_erf(x: float64):
    return erf(x)


def libdevice_erff(x: float32):
    return erf(x)


def libdevice_erfc(x: float64):
    return erfc(x)


def libdevice_erfcf(x: float32):
    return erfc(x)


def libdevice_erfcinv(x: float64):
    return erfcinv(x)


def libdevice_erfcinvf(x: float32):
    return erfcinv(x)


def libdevice_erfcx(x: float64):
    return erfcx(x)


def libdevice_erfcxf(x: float32):
    return erfcx(x)


def libdevice_erfinv(x: float64):
    return erfinv(x)


def libdevice_erfinvf(x: float32):
    return erfinv(x)


def libdevice_exp(x: float64):
    return exp(x)


def libdevice_expf(x: float32):
    return exp(x)


def libdevice_exp10(x: float64):
    return exp10(x)


def libdevice_exp10f(x: float32):
    return exp10(x)


def libdevice_exp2(x: float64):
    return exp2(x)


def libdevice_exp2f(x: float32):
    return exp2(x)


def libdevice_expm1(x: float64):
    return expm1(x)


def libdevice_expm1f(x: float32):
    return expm1(x)


def libdevice_fabs(x: float64):
    return fabs(x)


def libdevice_fabsf(x: float32):
    return fabs(x)


def libdevice_floor(x: float64):
    return floor(x)


def libdevice_floorf(x: float32):
    return floor(x)


def libdevice_j0(x: float64):
    return j0(x)


def libdevice_j0f(x: float32):
    return j0(x)


def libdevice_j1(x: float64):
    return j1(x)


def libdevice_j1f(x: float32):
    return j1(x)


def libdevice_lgamma(x: float64):
    return lgamma(x)


def libdevice_lgammaf(x: float32):
    return lgamma(x)


def libdevice_log(x: float64):
    return log(x)


def libdevice_logf(x: float32):
    return log(x)


def libdevice_log10(x: float64):
    return log10(x)


def libdevice_log10f(x: float32):
    return log10(x)


def libdevice_log1p(x: float64):
    return log1p(x)


def libdevice_log1pf(x: float32):
    return log1p(x)


def libdevice_log2(x: float64):
    return log2(x)


def libdevice_log2f(x: float32):
    return log2(x)


def libdevice_normcdf(x: float64):
    return normcdf(x)


def libdevice_normcdff(x: float32):
    return normcdf(x)


def libdevice_normcdfinv(x: float64):
    return normcdfinv(x)


def libdevice_normcdfinvf(x: float32):
    return normcdfinv(x)


def libdevice_rcbrt(x: float64):
    return rcbrt(x)


def libdevice_rcbrtf(x: float32):
    return rcbrt(x)


def libdevice_rint(x: float64):
    return rint(x)


def libdevice_rintf(x: float32):
    return rint(x)


def libdevice_rsqrt(x: float64):
    return rsqrt(x)


def libdevice_rsqrtf(x: float32):
    return rsqrt(x)


def libdevice_sin(x: float64):
    return sin(x)


def libdevice_sinf(x: float32):
    return sin(x)


def libdevice_sinh(x: float64):
    return sinh(x)


def libdevice_sinhf(x: float32):
    return sinh(x)


def libdevice_sinpi(x: float64):
    return sinpi(x)


def libdevice_sinpif(x: float32):
    return sinpi(x)


def libdevice_sqrt(x: float64):
    return sqrt(x)


def libdevice_sqrtf(x: float32):
    return sqrt(x)


def libdevice_tan(x: float64):
    return tan(x)


def libdevice_tanf(x: float32):
    return tan(x)


def libdevice_tanh(x: float64):
    return tanh(x)


def libdevice_tanhf(x: float32):
    return tanh(x)


def libdevice_trunc(x: float64):
    return trunc(x)


def libdevice_truncf(x: float32):
    return trunc(x)


def libdevice_y0(x: float64):
    return y0(x)


def libdevice_y0f(x: float32):
    return y0(x)


def libdevice_y1(x: float64):
    return y1(x)


def libdevice_y1f(x: float32):
    return y1(x)


def libdevice_sincos(x: float64):
    return sincos(x)


def libdevice_sincosf(x: float32):
    return sincos(x)


def libdevice_sincospi(x: float64):
    return sincospi(x)


def libdevice_sincospif(x: float32):
    return sincospi(x)


def libdevice_modf(x: float64):
    return modf(x)


def libdevice_modff(x: float32):
    return modf(x)


def libdevice_frexp(x: float64):
    return frexp(x)


def libdevice_frexpf(x: float32):
    return frexp(x)


def libdevice_tgamma(x: float64):
    return gamma(x)


def libdevice_tgammaf(x: float32):
    return gamma(x)


def libdevice_nearbyint(x: float64):
    return rint(x)


def libdevice_nearbyintf(x: float32):
    return rint(x)


def libdevice_atan2(x: float64, y: float64):
    return atan2(x, y)


def libdevice_atan2f(x: float32, y: float32):
    return atan2(x, y)


def libdevice_copysign(x: float64, y: float64):
    return copysign(x, y)


def libdevice_copysignf(x: float32, y: float32):
    return copysign(x, y)


def libdevice_fdim(x: float64, y: float64):
    return fdim(x, y)


def libdevice_fdimf(x: float32, y: float32):
    return fdim(x, y)


def libdevice_fmax(x: float64, y: float64):
    return max(x, y)


def libdevice_fmaxf(x: float32, y: float32):
    return max(x, y)


def libdevice_fmin(x: float64, y: float64):
    return min(x, y)


def libdevice_fminf(x: float32, y: float32):
    return min(x, y)


def libdevice_fmod(x: float64, y: float64):
    return fmod(x, y)


def libdevice_fmodf(x: float32, y: float32):
    return fmod(x, y)


def libdevice_hypot(x: float64, y: float64):
    return hypot(x, y)


def libdevice_hypotf(x: float32, y: float32):
    return hypot(x, y)


def libdevice_nextafter(x: float64, y: float64):
    return nextafter(x, y)


def libdevice_nextafterf(x: float32, y: float32):
    return nextafter(x, y)


def libdevice_remainder(x: float64, y: float64):
    return remainder(x, y)


def libdevice_remainderf(x: float32, y: float32):
    return remainder(x, y)


def libdevice_pow(x: float64, y: float64):
    return x ** y


def libdevice_powi(x: float64, y: int32):
    return x ** float64(y)


def libdevice_ldexp(x: float64, y: int32):
    return ldexp(x, y)


def libdevice_scalbn(x: float64, y: int32):
    return ldexp(x, y)


def libdevice_jn(n: int32, x: float64):
    return jn(n, x)


def libdevice_yn(n: int32, x: float64):
    return yn(n, x)


def libdevice_fma(x: float64, y: float64, z: float64):
    return fma(x, y, z)


def libdevice_round(x: float64):
    return _round_away(x)


def libdevice_llround(x: float64):
    return int64(_round_away(x))


def libdevice_llrint(x: float64):
    return int64(rint(x))


def libdevice_logb(x: float64):
    return _logb(x)


def libdevice_ilogb(x: float64):
    return _ilogb(x)


def libdevice_remquo(x: float64, y: float64):
    return _remquo(x, y)


def libdevice_signbitd(x: float64):
    return int32(copysign(float64(1), x) < 0)


def libdevice_isnand(x: float64):
    return int32(isnan(x))


def libdevice_isinfd(x: float64):
    return int32(isinf(x))


def libdevice_powf(x: float32, y: float32):
    return x ** y


def libdevice_powif(x: float32, y: int32):
    return x ** float32(y)


def libdevice_ldexpf(x: float32, y: int32):
    return ldexp(x, y)


def libdevice_scalbnf(x: float32, y: int32):
    return ldexp(x, y)


def libdevice_jnf(n: int32, x: float32):
    return jn(n, x)


def libdevice_ynf(n: int32, x: float32):
    return yn(n, x)


def libdevice_fmaf(x: float32, y: float32, z: float32):
    return fma(x, y, z)


def libdevice_roundf(x: float32):
    return _round_away(x)


def libdevice_llroundf(x: float32):
    return int64(_round_away(x))


def libdevice_llrintf(x: float32):
    return int64(rint(x))


def libdevice_logbf(x: float32):
    return _logb(x)


def libdevice_ilogbf(x: float32):
    return _ilogb(x)


def libdevice_remquof(x: float32, y: float32):
    return _remquo(x, y)


def libdevice_signbitf(x: float32):
    return int32(copysign(float32(1), x) < 0)


def libdevice_isnanf(x: float32):
    return int32(isnan(x))


def libdevice_isinff(x: float32):
    return int32(isinf(x))


def libdevice_isfinited(x: float64):
    return int32(isfinite(x))


def libdevice_finitef(x: float32):
    return int32(isfinite(x))


def libdevice_saturatef(x: float32):
    return saturate(x)


# Approximations


def libdevice_fast_cosf(x: float32):
    return fast.cos(x)


def libdevice_fast_expf(x: float32):
    return fast.exp(x)


def libdevice_fast_exp10f(x: float32):
    return fast.exp10(x)


def libdevice_fast_logf(x: float32):
    return fast.log(x)


def libdevice_fast_log10f(x: float32):
    return fast.log10(x)


def libdevice_fast_log2f(x: float32):
    return fast.log2(x)


def libdevice_fast_sinf(x: float32):
    return fast.sin(x)


def libdevice_fast_tanf(x: float32):
    return fast.tan(x)


def libdevice_fast_sincosf(x: float32):
    return fast.sincos(x)


def libdevice_fast_powf(x: float32, y: float32):
    return fast.pow(x, y)


def libdevice_fast_fdividef(x: float32, y: float32):
    return fast.divide(x, y)
