/* Conversions of the 16-bit floats for compiled host code. */
#include "codegen/host/float16_calls.h"

#include <math.h>
#include <string.h>

#include "base/float16.h"

static float
in_low_bits(uint16_t half)
{
    uint32_t bits = half;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float
ck_rt_half_to_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (float)ck_half_to_double((uint16_t)bits); /* the other bits are undefined */
}

float
ck_rt_float_to_half(float value)
{
    return in_low_bits(ck_half_from_double((double)value));
}

float
ck_rt_double_to_half(double value)
{
    return in_low_bits(ck_half_from_double(value));
}

/* LLVM passes a bfloat16 from one basic block to the next as float32 and converts it back by this
 * function. So a value that is a bfloat16 stays as it is, a NaN's payload included. */
float
ck_rt_float_to_bfloat(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t kept = bits >> 16, rest = bits & 0xffff;
    if (isnan(value))
        return in_low_bits((uint16_t)(rest ? kept | 0x40 : kept));
    /* Rounding up may carry into the exponent. */
    return in_low_bits((uint16_t)((bits + 0x7fff + (kept & 1)) >> 16));
}

float
ck_rt_double_to_bfloat(double value)
{
    return in_low_bits(ck_bfloat_from_double(value));
}
