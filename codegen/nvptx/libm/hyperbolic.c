/* expm1, sinh and cosh in float32. */
#include "libm.h"

/* (e^r - 1) 2^n - (1 - 2^n): cancellation occurs only between exact values. */
float
ck_math_expm1_f32(float x)
{
    float limited = x > 89 ? 89 : x < -20 ? -20 : x;
    float sum = fma32(limited, LOG2E_F32, ROUNDER), n = sum - ROUNDER;
    float r = fma32(n, -LN2_LOW_F32, fma32(n, -LN2_HIGH_F32, limited));
    float p = fma32(0x1.6dbbacp-10f, r, 0x1.12414ep-7f);
    p = fma32(p, r, 0x1.555454p-5f);
    p = fma32(p, r, 0x1.555486p-3f);
    p = fma32(p, r, 0.5f);
    p = fma32(p * r, r, r);
    float half = float_of((uint32_t)(whole_of(sum) + 126) << 23);
    float result = fma32(p, half, half - 0.5f);
    result = n == 0 ? p : result + result;
    return x == 0 ? x : result; /* preserves the sign of zero */
}

/* e^a / 4 for 0 <= a <= 90, which cosh and sinh double. */
static inline float
quarter_exp(float a)
{
    float sum = fma32(a, LOG2E_F32, ROUNDER), n = sum - ROUNDER;
    float r = fma32(a, LOG2E_LOW_F32, fma32(a, LOG2E_F32, -n));
    return float_of(bits_of(approximate_exp2(r)) + ((bits_of(sum) - 2) << 23));
}

float
ck_math_cosh_f32(float x)
{
    float a = __builtin_fabsf(x), e = quarter_exp(a > 90 ? 90 : a);
    return x != x ? x : fma32(2, e, 0.125f * approximate_inverse(e));
}

float
ck_math_sinh_f32(float x)
{
    float a = __builtin_fabsf(x), e = quarter_exp(a > 90 ? 90 : a), z = x * x;
    float far = fma32(2, e, -0.125f * approximate_inverse(e));
    float p = fma32(0x1.7a2696p-19f, z, 0x1.9ffe12p-13f);
    p = fma32(p, z, 0x1.111136p-7f);
    p = fma32(p, z, 0x1.555556p-3f);
    return a > 1 ? __builtin_copysignf(far, x) : x * fma32(p, z, 1);
}
