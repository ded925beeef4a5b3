/* Math functions of compiled host code that the C library lacks or defines differently. */
#ifndef CK_HOST_C_MATH_H
#define CK_HOST_C_MATH_H

/* lgamma without the C library's global `signgam`. */
float ck_rt_lgammaf(float x);
double ck_rt_lgamma(double x);

float ck_rt_rsqrtf(float x);
double ck_rt_rsqrt(double x);

/* An operation of enum ck_rounded_op, rounded as enum ck_rounding says. */
float ck_rt_rounded_f32(int op, int rounding, float x, float y, float z);
double ck_rt_rounded_f64(int op, int rounding, double x, double y, double z);

#endif
