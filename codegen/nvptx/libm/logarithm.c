/* log, log2, log10, log1p, the inverse hyperbolic functions and cbrt in float32. */
#include "libm.h"

/* (log(1 + f) - f) / f^2 for |f| <= 1/3; error 2^-27 of log(1 + f). */
static inline float
log_polynomial(float f)
{
    float p = fma32(-0x1.092114p-3f, f, 0x1.1ed1f4p-3f);
    p = fma32(p, f, -0x1.f265d6p-4f);
    p = fma32(p, f, 0x1.1ebe40p-3f);
    p = fma32(p, f, -0x1.55a706p-3f);
    p = fma32(p, f, 0x1.99d1f6p-3f);
    p = fma32(p, f, -0x1.fffe86p-3f);
    p = fma32(p, f, 0x1.555502p-2f);
    return fma32(p, f, -0.5f);
}

/* log(1 + f) - f */
static inline float
log_rest(float f)
{
    return f * f * log_polynomial(f);
}

/* A number as 2^e * (1 + f). */
struct parts {
    float e, f;
};

static inline struct parts
parts_of(float x)
{
    bool is_denormal = x < 0x1p-126f;
    uint32_t bits = bits_of(is_denormal ? x * 0x1p23f : x);
    uint32_t exponent = (bits - 0x3f2aaaab) & 0xff800000; /* of x / (2/3) */
    float f = float_of(bits - exponent) - 1;
    float e = fma32((float)(int32_t)exponent, 0x1p-23f, is_denormal ? -23.0f : 0.0f);
    return (struct parts){e, f};
}

/* Logarithms where x is 0, negative, infinite or NaN. */
static inline float
or_special(float x, float result)
{
    if (x > 0 && x < INFINITY_F32)
        return result;
    return x == 0 ? -INFINITY_F32 : x < 0 ? NAN_F32 : x;
}

float
ck_math_log_f32(float x)
{
    struct parts parts = parts_of(x);
    float f = parts.f, result = fma32(f * f, log_polynomial(f), f);
    return or_special(x, fma32(parts.e, 0x1.62e430p-1f, result));
}

float
ck_math_log2_f32(float x)
{
    struct parts parts = parts_of(x);
    float small = fma32(log_rest(parts.f), LOG2E_F32, parts.f * LOG2E_LOW_F32);
    return or_special(x, parts.e + fma32(parts.f, LOG2E_F32, small));
}

/* Near 4/3 most of the multiple of log10(2) cancels, so its last bits are significant. */
float
ck_math_log10_f32(float x)
{
    const float high = 0x1.bcb7b2p-2f, low = -0x1.5b235ep-27f;
    const float log_of_two = 0x1.344136p-2f, log_of_two_low = -0x1.ec10c0p-27f;
    struct parts parts = parts_of(x);
    float small = fma32(parts.e, log_of_two_low, parts.f * low);
    small = fma32(log_rest(parts.f), high, small);
    return or_special(x, fma32(parts.e, log_of_two, fma32(parts.f, high, small)));
}

/* log(1 + x) + n log(2) for x > -1; x is scaled like 1 + x. */
static inline float
log_of_more(float x, float n)
{
    uint32_t exponent = (bits_of(1 + x) - 0x3f2aaaab) & 0xff800000;
    float f = fma32(0.25f, float_of(0x40800000 - exponent), -1);
    f += float_of(bits_of(x) - exponent);
    float e = fma32((float)(int32_t)exponent, 0x1p-23f, n);
    return fma32(e, 0x1.62e430p-1f, f + log_rest(f));
}

float
ck_math_log1p_f32(float x)
{
    float result = log_of_more(x, 0);
    if (x > -1 && x < INFINITY_F32)
        return x == 0 ? x : result;
    return x == -1 ? -INFINITY_F32 : x < -1 ? NAN_F32 : x;
}

/* --- Inverse hyperbolic functions --------------------------------------------------------------
 */

/* log(a + sqrt(a^2 + 1)), whose argument is 1 + (a + a^2 / (sqrt(a^2 + 1) + 1)). */
float
ck_math_asinh_f32(float x)
{
    float a = __builtin_fabsf(x);
    float square = a * a, inverse = approximate_inverse(__builtin_sqrtf(square + 1) + 1);
    bool is_great = a > 0x1p30f;
    float result = log_of_more(is_great ? a : fma32(square, inverse, a), is_great ? 1 : 0);
    return a > 0 && a < INFINITY_F32 ? __builtin_copysignf(result, x) : x;
}

float
ck_math_acosh_f32(float x)
{
    bool is_great = x > 0x1p30f;
    float t = x - 1, root = __builtin_sqrtf(fma32(t, t, t + t));
    float result = log_of_more(is_great ? t : t + root, is_great ? 1 : 0);
    return x > 1 && x < INFINITY_F32 ? result : x == 1 ? 0 : x < 1 ? NAN_F32 : x;
}

/* log(1 + 2a / (1 - a)) / 2 */
float
ck_math_atanh_f32(float x)
{
    float a = __builtin_fabsf(x), d = 1 - a, inverse = approximate_inverse(d), twice = a + a;
    float q = twice * inverse;
    q = fma32(inverse, fma32(-q, d, twice), q);
    float result = 0.5f * log_of_more(q, 0);
    if (a > 0x1p-12f && a < 1)
        return __builtin_copysignf(result, x);
    return a < 1 ? fma32(x * x, x * 0x1.555556p-2f, x) : x * (a == 1 ? INFINITY_F32 : NAN_F32);
}

/* --- cbrt --------------------------------------------------------------------------------------
 */

/* a^(-2/3) approximately, then a Newton step for the error in y = a * a^(-2/3). */
float
ck_math_cbrt_f32(float x)
{
    float a = __builtin_fabsf(x);
    bool is_small = a < 0x1p-100f;
    a = is_small ? a * 0x1p72f : a;
    float t = approximate_exp2(approximate_log2(a) * -0x1.555556p-1f), y = a * t;
    float error = fma32(-t * y, y, 1);
    y = fma32(y * error, 0x1.555556p-2f, y);
    y = is_small ? y * 0x1p-24f : y;
    return x == 0 || !(a < INFINITY_F32) ? x : __builtin_copysignf(y, x);
}
