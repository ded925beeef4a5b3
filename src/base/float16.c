/* Conversions of the 16-bit floats. */
#include "base/float16.h"

#include <math.h>
#include <string.h>

/* Sign, `16 - 1 - mantissa` exponent bits and `mantissa` bits. */
static uint16_t
round_to(double value, int mantissa)
{
    const int exponent_bits = 15 - mantissa;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const uint16_t infinity = (uint16_t)(((1 << exponent_bits) - 1) << mantissa);
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const double magnitude = fabs(value);
    int exponent;

    if (isnan(value))
        return (uint16_t)(sign | infinity | 1 << (mantissa - 1));
    if (isinf(value))
        return sign | infinity;
    if (magnitude == 0)
        return sign;
    frexp(magnitude, &exponent); /* magnitude = [0.5, 1) * 2^exponent */
    int biased = exponent - 1 + bias;
    if (biased < 1)
        biased = 1; /* subnormal: the spacing of the smallest normal numbers */
    if (biased > 2 * bias)
        return sign | infinity;
    /* In units of the last place, exact in double; nearbyint would follow the rounding mode. */
    double units = ldexp(magnitude, mantissa + bias - biased);
    double down = floor(units), rest = units - down;
    uint32_t rounded = (uint32_t)down;
    if (rest > 0.5 || (rest == 0.5 && (rounded & 1)))
        rounded++;
    /* The implicit bit adds one to the exponent, and so does a carry out of the mantissa. */
    return (uint16_t)(sign | (((uint32_t)(biased - 1) << mantissa) + rounded));
}

uint16_t
ck_half_from_double(double value)
{
    return round_to(value, 10);
}

uint16_t
ck_bfloat_from_double(double value)
{
    return round_to(value, 7);
}

double
ck_half_to_double(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double magnitude;
    if (exponent == 31)
        magnitude = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        magnitude = ldexp(fraction, -24);
    else
        magnitude = ldexp(fraction | 1024, exponent - 25);
    return bits >> 15 ? -magnitude : magnitude;
}

double
ck_bfloat_to_double(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return (double)value;
}
