/* Conversions of the 16-bit floats for compiled host code. */
#include "codegen/half.h"

#include <math.h>
#include <string.h>

#include "runtime/half.h"

static _Float16
carry(uint16_t bits)
{
    _Float16 value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float
ck_rt_half_to_float(_Float16 value)
{
    uint16_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = bits >> 10 & 31;
    int fraction = bits & 1023;
    float magnitude;
    if (exponent == 31)
        magnitude = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        magnitude = ldexpf((float)fraction, -24);
    else
        magnitude = ldexpf((float)(fraction | 1024), exponent - 25);
    return bits >> 15 ? -magnitude : magnitude;
}

_Float16
ck_rt_float_to_half(float value)
{
    return carry(ck_half_from_double((double)value));
}

_Float16
ck_rt_double_to_half(double value)
{
    return carry(ck_half_from_double(value));
}

_Float16
ck_rt_float_to_bfloat(float value)
{
    return carry(ck_bfloat_from_double((double)value));
}

_Float16
ck_rt_double_to_bfloat(double value)
{
    return carry(ck_bfloat_from_double(value));
}
