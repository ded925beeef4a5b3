/* Conversions of the 16-bit floats that compiled host code calls where the CPU has no instruction:
 * rounded once, to nearest, ties to even.
 *
 * Compiled code passes 16-bit floats, bfloat16 as well, as the low bits of a vector register. So
 * does C with a float: `half` and the results but the first carry the bits in their low half, and
 * are moved only. (Not every compiler has a type of 16 bits.) */
#ifndef CK_CODEGEN_HALF_H
#define CK_CODEGEN_HALF_H

float ck_rt_half_to_float(float half);
float ck_rt_float_to_half(float value);
float ck_rt_double_to_half(double value);
float ck_rt_float_to_bfloat(float value);
float ck_rt_double_to_bfloat(double value);

#endif
