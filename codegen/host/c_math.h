/* Math functions of compiled host code that the C library does not have as the language means them.
 */
#ifndef CK_HOST_MATH_H
#define CK_HOST_MATH_H

/* lgamma without a global for the sign. */
float ck_rt_lgammaf(float x);
double ck_rt_lgamma(double x);

#endif
