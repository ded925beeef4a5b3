/* exp, exp2, tanh, pow in float32; the sign of zero of expm1 in float64. */
#include "libm.h"

float
ck_math_rsqrt_f32(float x)
{
    return approximate_rsqrt(x);
}

/* --- exp ---------------------------------------------------------------------------------------
 */

/* exp where the result is denormal, infinite or NaN, or close to it. */
static __attribute__((noinline)) float
exp_extreme(float x)
{
    /* `r` propagates NaN; for large x, 2^130 overflows in any case. */
    float sum = __builtin_fminf(fma32(x, LOG2E_F32, ROUNDER), ROUNDER + 130), n = sum - ROUNDER;
    float r = fma32(n, -LN2_LOW_F32, fma32(n, -LN2_HIGH_F32, x));
    float result = scaled(exp_of_fraction(r), whole_of(sum));
    return x < -104 ? 0 : result;
}

/* 2^n * 2^r, by adding n to the exponent. */
float
ck_math_exp_f32(float x)
{
    if (__builtin_expect(!(__builtin_fabsf(x) < 87), 0))
        return exp_extreme(x);
    float sum = fma32(x, LOG2E_F32, ROUNDER), n = sum - ROUNDER;
    float r = fma32(x, LOG2E_LOW_F32, fma32(x, LOG2E_F32, -n));
    return float_of(bits_of(approximate_exp2(r)) + (bits_of(sum) << 23));
}

float
ck_math_exp2_f32(float x)
{
    /* As in exp_extreme. */
    float sum = __builtin_fminf(x, 130) + ROUNDER, n = sum - ROUNDER;
    float result = scaled(power_of_fraction(x - n), whole_of(sum));
    return x < -151 ? 0 : result;
}

/* 1 - 2 / (e^2|x| + 1), near 0 a polynomial. The division may be approximate, because the quotient
 * is at most a quarter of the result. */
float
ck_math_tanh_f32(float x)
{
    float a = __builtin_fabsf(x), e = approximate_exp2(a * (2 * LOG2E_F32)), z = x * x;
    float far = __builtin_copysignf(fma32(-2, approximate_inverse(e + 1), 1), x);
    float p = fma32(-0x1.963384p-8f, z, 0x1.5864a6p-6f);
    p = fma32(p, z, -0x1.b90f7cp-5f);
    p = fma32(p, z, 0x1.110c96p-3f);
    p = fma32(p, z, -0x1.555548p-2f);
    float near = x * fma32(p, z, 1);
    return a < 0.56f ? near : far;
}

double
ck_math_expm1_f64(double x)
{
    return x == 0 ? x : ck_libclc_expm1_f64(x);
}

/* --- pow ---------------------------------------------------------------------------------------
 */

enum { ROOT_OF_HALF = 0x3f3504f3, EXPONENT = (int)0xff800000, LEAST_NORMAL = 0x00800000 };

/* A number as an unevaluated sum of two, the second small. */
struct pair32 {
    float high, low;
};

/* log2 of a normal number by 2 atanh(s) for s = (m - 1) / (m + 1), with the remainder of the
 * division; the error is about 2^-29 of the logarithm of m. */
static inline struct pair32
log2_pair(float x, int32_t exponent_offset)
{
    uint32_t bits = bits_of(x), exponent = (bits - ROOT_OF_HALF) & (uint32_t)EXPONENT;
    float m = float_of(bits - exponent);
    float k = (float)(((int32_t)exponent >> 23) + exponent_offset);
    float f = m - 1, d = m + 1, d_low = m - (d - 1), inverse = approximate_inverse(d);
    float s = f * inverse, s_low = inverse * fma32(-s, d_low, fma32(-s, d, f)), z = s * s;
    float p = fma32(0x1.eda40ep-3f, z, 0x1.23e8d6p-2f);
    p = fma32(p, z, 0x1.999be0p-2f);
    p = fma32(p, z, 0x1.555554p-1f);
    float rest = fma32(z * s, p, s_low + s_low) * LOG2E_F32, twice = s + s;
    float first = twice * LOG2E_F32, low = fma32(twice, LOG2E_F32, -first);
    low = fma32(twice, LOG2E_LOW_F32, low);
    float high = first + rest, sum = k + high;
    low += rest - (high - first);
    return (struct pair32){sum, high - (sum - k) + low};
}

/* 0: not an integer; 1: odd; 2: even */
static inline int
wholeness(float y)
{
    if (!(__builtin_fabsf(y) < 0x1p24f))
        return 2;
    int32_t whole = (int32_t)y;
    return (float)whole != y ? 0 : whole & 1 ? 1 : 2;
}

/* pow where x or y is 0, infinite or NaN, or x < 0 and y is not an integer. */
static inline bool
pow_special(float x, float y, float *result)
{
    float a = __builtin_fabsf(x);
    bool is_odd = wholeness(y) == 1, is_up = a > 1 ? y > 0 : y < 0;
    if (y == 0 || x == 1)
        *result = 1;
    else if (x != x || y != y)
        *result = NAN_F32;
    else if (__builtin_fabsf(y) == INFINITY_F32)
        *result = a == 1 ? 1 : is_up ? INFINITY_F32 : 0;
    else if (a == 0 || a == INFINITY_F32)
        *result = __builtin_copysignf(is_up ? INFINITY_F32 : 0, is_odd ? x : 1);
    else if (x < 0 && wholeness(y) == 0)
        *result = NAN_F32;
    else
        return false;
    return true;
}

float
ck_math_pow_f32(float x, float y)
{
    float a = x, sign = 1;
    int32_t exponent_offset = 0;
    if (bits_of(x) - LEAST_NORMAL >= 0x7f800000 - LEAST_NORMAL ||
        2 * bits_of(y) - 1 >= 2 * 0x7f800000u - 1) {
        float result;
        if (pow_special(x, y, &result))
            return result;
        sign = x < 0 && wholeness(y) == 1 ? -1 : 1;
        a = __builtin_fabsf(x);
        if (a < 0x1p-126f) {
            a *= 0x1p23f;
            exponent_offset = -23;
        }
    }
    struct pair32 log = log2_pair(a, exponent_offset);
    float t = y * log.high, t_low = fma32(y, log.low, fma32(y, log.high, -t));
    float limited = t > 200 ? 200 : t < -200 ? -200 : t;
    float sum = limited + ROUNDER, n = sum - ROUNDER;
    float result = scaled(power_of_fraction(limited - n + t_low), whole_of(sum));
    result = t > 160 ? INFINITY_F32 : t < -160 ? 0 : result;
    return sign * result;
}
