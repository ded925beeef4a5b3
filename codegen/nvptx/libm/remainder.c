/* fmod and remainder in float32, exactly. */
#include "libm.h"

/* A finite number's magnitude: mantissa * 2^exponent. */
struct whole {
    uint32_t mantissa;
    int32_t exponent;
};

static inline struct whole
split(uint32_t bits)
{
    int32_t exponent = (int32_t)(bits >> 23);
    uint32_t mantissa = bits & 0x7fffff;
    return exponent ? (struct whole){mantissa | 0x800000, exponent}
                    : (struct whole){mantissa, 1}; /* denormal */
}

/* mantissa * 2^(exponent - 150) for exponent >= 1 and a mantissa below 2^24. */
static inline float
join(uint32_t mantissa, int32_t exponent)
{
    float unit = exponent >= 24 ? float_of((uint32_t)(exponent - 23) << 23)
                                : float_of((uint32_t)1 << (exponent - 1));
    return (float)mantissa * unit;
}

/* The remainder of x.mantissa * 2^(x.exponent - y.exponent) divided by y.mantissa, by at most 40
 * bits of the quotient at a time. *is_odd: whether the quotient is odd, unless the remainder is 0.
 */
static inline uint32_t
divide(struct whole x, struct whole y, bool *is_odd)
{
    uint64_t rest = x.mantissa, quotient = rest / y.mantissa;
    rest -= quotient * y.mantissa;
    for (int32_t left = x.exponent - y.exponent; left > 0 && rest; left -= 40) {
        rest <<= left < 40 ? left : 40;
        quotient = rest / y.mantissa;
        rest -= quotient * y.mantissa;
    }
    *is_odd = quotient & 1;
    return (uint32_t)rest;
}

float
ck_math_fmod_f32(float x, float y)
{
    float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
    if (!(a < INFINITY_F32) || b != b || b == 0)
        return NAN_F32;
    if (a < b)
        return x;
    bool is_odd = false;
    struct whole divisor = split(bits_of(b));
    float rest = join(divide(split(bits_of(a)), divisor, &is_odd), divisor.exponent);
    return __builtin_copysignf(rest, x);
}

float
ck_math_remainder_f32(float x, float y)
{
    float a = __builtin_fabsf(x), b = __builtin_fabsf(y), rest = a;
    if (!(a < INFINITY_F32) || b != b || b == 0)
        return NAN_F32;
    if (b == INFINITY_F32)
        return x;
    bool is_odd = false;
    if (a >= b) {
        struct whole divisor = split(bits_of(b));
        rest = join(divide(split(bits_of(a)), divisor, &is_odd), divisor.exponent);
    }
    float other = b - rest; /* exact where it matters */
    if (rest > other || (rest == other && is_odd))
        rest = -other;
    /* A result of 0 has x's sign. */
    return x < 0 || (rest == 0 && bits_of(x) >> 31) ? -rest : rest;
}
