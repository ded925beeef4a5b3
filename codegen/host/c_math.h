/* Math functions of compiled host code that the C library lacks or defines differently. */
#ifndef CK_HOST_C_MATH_H
#define CK_HOST_C_MATH_H

/* lgamma without the C library's global `signgam`. */
float ck_rt_lgammaf(float x);
double ck_rt_lgamma(double x);

#endif
