/* Conversions of 16-bit floats that compiled host code calls if the CPU has no instruction for
 * them. They round once, to nearest, ties to even.
 *
 * Compiled code passes float16 and bfloat16 in the low bits of a vector register. These functions
 * declare them as `float`, which C passes in the same register, since not every compiler has a
 * 16-bit type: the argument of the first function and the results of the others. Their bits are the
 * low 16 bits of that float. */
#ifndef CK_HOST_FLOAT16_CALLS_H
#define CK_HOST_FLOAT16_CALLS_H

float ck_rt_half_to_float(float half);
float ck_rt_float_to_half(float value);
float ck_rt_double_to_half(double value);
float ck_rt_float_to_bfloat(float value);
float ck_rt_double_to_bfloat(double value);

#endif
