/* gamma; lgamma and erfc of float32 where libclc's are wrong; the sign of zero of erf. */
#include "libm.h"

/* --- gamma -------------------------------------------------------------------------------------
 */

/* 1 / gamma(2 + z) for z from 0 to 1; error 2^-61. */
static inline double
inverse_gamma(double z)
{
    double p = -0x1.2e98e1319b4c4p-32;
    p = fma64(p, z, 0x1.4b1589c7005eap-26);
    p = fma64(p, z, -0x1.052c75bbadfd2p-22);
    p = fma64(p, z, 0x1.750acf2d3cd79p-20);
    p = fma64(p, z, -0x1.6236b7cb5e9f8p-19);
    p = fma64(p, z, -0x1.25c3f9c1d27f6p-16);
    p = fma64(p, z, 0x1.314c0139ea20fp-13);
    p = fma64(p, z, -0x1.7a5ba0699e9b9p-12);
    p = fma64(p, z, -0x1.a5b39be9f51a1p-11);
    p = fma64(p, z, 0x1.06e8189794a0cp-7);
    p = fma64(p, z, -0x1.2119852356a59p-6);
    p = fma64(p, z, -0x1.92449b6542017p-6);
    p = fma64(p, z, 0x1.875ac5781f36cp-3);
    p = fma64(p, z, -0x1.dd603fb6abf9bp-3);
    p = fma64(p, z, -0x1.b0ee6072093d0p-2);
    return fma64(p, z, 1);
}

/* gamma as a product of two factors, which do not overflow before gamma does. */
struct factors {
    double first, second;
};

/* By recurrence from the interval 2 to 3, for 0 < x < 12. */
static inline struct factors
gamma_by_products(double x)
{
    if (x < 1)
        return (struct factors){1, 1 / (fma64(x, x, x) * inverse_gamma(x))};
    if (x < 2)
        return (struct factors){1, 1 / (x * inverse_gamma(x - 1))};
    double product = 1;
    while (x >= 3) {
        x -= 1;
        product *= x;
    }
    return (struct factors){product, 1 / inverse_gamma(x - 2)};
}

/* Stirling's series, for x >= 12. */
static inline struct factors
gamma_by_series(double x)
{
    const double root_of_two_pi = 0x1.40d931ff62706p+1;
    double y = 1 / x, z = y * y, s = -691.0 / 360360;
    s = fma64(s, z, 1.0 / 1188);
    s = fma64(s, z, -1.0 / 1680);
    s = fma64(s, z, 1.0 / 1260);
    s = fma64(s, z, -1.0 / 360);
    s = fma64(s, z, 1.0 / 12) * y;
    double e = fma64(s, 1.0 / 720, 1.0 / 120);
    e = fma64(e, s, 1.0 / 24);
    e = fma64(e, s, 1.0 / 6);
    e = fma64(e, s, 0.5);
    e = fma64(e, s, 1) * s;
    double power = ck_math_pow_f64(x, 0.5 * x - 0.25);
    double second = power * ck_math_exp_f64(-x) * root_of_two_pi;
    return (struct factors){power, fma64(second, e, second)};
}

/* gamma at 0, infinities, NaN and the poles, and where it overflows. */
static inline bool
gamma_special(double x, double *result)
{
    if (x != x || x == INFINITY_F64)
        *result = x;
    else if (x == 0)
        *result = __builtin_copysign(INFINITY_F64, x);
    else if (x < 0 && __builtin_rint(x) == x)
        *result = NAN_F64;
    else if (x > 172)
        *result = INFINITY_F64;
    else
        return false;
    return true;
}

double
ck_math_tgamma_f64(double x)
{
    const double pi = 0x1.921fb54442d18p+1;
    double special;
    if (gamma_special(x, &special))
        return special;
    double a = __builtin_fabs(x);
    if (a < 0x1p-60)
        return 1 / x;
    double whole = __builtin_rint(a);
    bool is_odd = __builtin_rint(whole * 0.5) != whole * 0.5;
    if (x < -190) /* 0, with the sign that gamma has between these poles */
        return (whole > a) != is_odd ? 0.0 : -0.0;
    struct factors gamma = a < 12 ? gamma_by_products(a) : gamma_by_series(a);
    if (x > 0)
        return gamma.first * gamma.second;
    double sine = ck_math_sin_f64(pi * (a - whole));
    double inverse = pi / (a * (is_odd ? sine : -sine)) / gamma.second;
    return inverse / gamma.first;
}

float
ck_math_tgamma_f32(float x)
{
    return (float)ck_math_tgamma_f64((double)x);
}

/* --- lgamma ------------------------------------------------------------------------------------
 */

float
ck_math_lgamma_f32(float x)
{
    float a = __builtin_fabsf(x);
    if (a == INFINITY_F32)
        return a;
    return a < 1e-7f ? -ck_math_log_f32(a) : ck_libclc_lgamma_f32(x);
}

/* --- The error function ------------------------------------------------------------------------
 */

/* Where the result is denormal or close to it: the first terms of the asymptotic series. */
float
ck_math_erfc_f32(float x)
{
    if (!(x > 9))
        return ck_libclc_erfc_f32(x);
    if (x > 10.5f)
        return 0;
    float square = x * x, low = fma32(x, x, -square), y = 0.5f / square;
    float series = fma32(fma32(fma32(-15, y, 3), y, -1), y, 1) * 0x1.20dd76p-1f / x;
    return ck_math_exp_f32(-square + 30) * fma32(-series, low, series) * 0x1.a56e0cp-44f;
}

double
ck_math_erf_f64(double x)
{
    return x == 0 ? x : ck_libclc_erf_f64(x);
}
