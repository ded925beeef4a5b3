/* Conversions of the 16-bit floats that compiled host code calls where the CPU has no instruction:
 * rounded once, to nearest, ties to even.
 *
 * Compiled code passes 16-bit floats as the low bits of a vector register, which C has a type for
 * in _Float16; here it only carries the bits, of bfloat16 as well. */
#ifndef CK_CODEGEN_HALF_H
#define CK_CODEGEN_HALF_H

float ck_rt_half_to_float(_Float16 half);
_Float16 ck_rt_float_to_half(float value);
_Float16 ck_rt_double_to_half(double value);
_Float16 ck_rt_float_to_bfloat(float value);
_Float16 ck_rt_double_to_bfloat(double value);

#endif
