/* Reference values of CUDA's functions that C lacks, in long double: for accuracy.c. */
#ifndef BENCH_REFERENCE_MATH_H
#define BENCH_REFERENCE_MATH_H

long double reference_rsqrt(long double x);
long double reference_rcbrt(long double x);
long double reference_exp10(long double x);
long double reference_sinpi(long double x);
long double reference_cospi(long double x);
long double reference_erfinv(long double x);
long double reference_erfcinv(long double x);
long double reference_erfcx(long double x);
long double reference_normcdf(long double x);
long double reference_normcdfinv(long double x);
long double reference_y0(long double x);
long double reference_y1(long double x);
long double reference_cyl_bessel_i0(long double x);
long double reference_cyl_bessel_i1(long double x);
/* Of an argument and an order. */
long double reference_jn(long double x, long double order);
long double reference_yn(long double x, long double order);
long double reference_rhypot(long double x, long double y);
/* Of the vectors (x, y, x) and (x, y, x, y). */
long double reference_norm3d(long double x, long double y);
long double reference_rnorm3d(long double x, long double y);
long double reference_norm4d(long double x, long double y);
long double reference_rnorm4d(long double x, long double y);
long double reference_divide(long double x, long double y);
/* y to the power of x. */
long double reference_pow(long double x, long double y);
/* The first number of random.philox_normal_float32 and _float64 with the argument's bits as the
 * seed and the counter 0: Box and Muller's, of lang/prelude/random.ck's uniform number and angle.
 */
double reference_normal_float32(double seed);
long double reference_normal_float64(long double seed);

#endif
