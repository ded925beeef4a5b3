/* exp, exp2, log, log2, log10, pow, sin, cos and cbrt in float64. */
#include "libm.h"

/* Adding and subtracting this rounds a magnitude below 2^51 to the nearest integer. */
static const double ROUNDER64 = 0x1.8p52;
static const double LOG2E = 0x1.71547652b82fep+0, LOG2E_LOW = 0x1.777d0ffda0d24p-56;
static const double LN2 = 0x1.62e42fefa39efp-1, LN2_LOW = 0x1.abc9e3b39803fp-56;

/* A number as an unevaluated sum of two, the second small (double-double). */
struct pair64 {
    double high, low;
};

static inline uint64_t
bits64_of(double x)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double
double_of(uint64_t bits)
{
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/* 1 / x of a number near 1, with an error in the last bit. */
static inline double
inverse64(double x)
{
    double y = approximate_inverse64(x), error = fma64(-x, y, 1);
    error = fma64(error, error, error);
    return fma64(y, error, y);
}

/* --- Powers ------------------------------------------------------------------------------------
 */

/* e^(high + low) 2^n for |high + low| <= 0.35 and |n| < 1200; error 2^-58 before one rounding. */
static inline double
scaled_exp(double high, double low, int32_t n)
{
    double r = high + low;
    low += high - r;
    double p = fma64(0x1.af7cfbfc2033ap-26, r, 0x1.28b13af8d1393p-22);
    p = fma64(p, r, 0x1.71dde57c1c6d6p-19);
    p = fma64(p, r, 0x1.a019958b25cd9p-16);
    p = fma64(p, r, 0x1.a01a01b82b71ap-13);
    p = fma64(p, r, 0x1.6c16c1860b5b4p-10);
    p = fma64(p, r, 0x1.111111110deeap-7);
    p = fma64(p, r, 0x1.555555554fe4ep-5);
    p = fma64(p, r, 0x1.555555555555fp-3);
    p = fma64(p, r, 0x1.000000000000cp-1);
    p = 1 + (r + fma64(p * r, r, low));
    int32_t half = n >> 1;
    p *= double_of((uint64_t)(half + 1023) << 52);
    return p * double_of((uint64_t)(n - half + 1023) << 52);
}

/* e^(x + low) for -750 <= x <= 710 */
static inline double
exp_of_sum(double x, double low)
{
    double sum = fma64(x, LOG2E, ROUNDER64), n = sum - ROUNDER64;
    double r = fma64(n, -LN2, x);
    return scaled_exp(r, fma64(n, -LN2_LOW, low), (int32_t)bits64_of(sum));
}

double
ck_math_exp_f64(double x)
{
    return exp_of_sum(x > 710 ? 710 : x < -750 ? -750 : x, 0);
}

double
ck_math_exp2_f64(double x)
{
    double limited = x > 1025 ? 1025 : x < -1080 ? -1080 : x;
    double sum = limited + ROUNDER64, f = limited - (sum - ROUNDER64), r = f * LN2;
    return scaled_exp(r, fma64(f, LN2, -r), (int32_t)bits64_of(sum));
}

/* --- Logarithms --------------------------------------------------------------------------------
 */

/* Of a number 2^e m: e and log(m), the latter with an error of 2^-66. */
struct log64 {
    double e;
    struct pair64 log;
};

/* 2 atanh(s) for s = (m - 1) / (m + 1), with the error of each rounding in the low part. */
static inline struct log64
log_parts(double x)
{
    double offset = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        offset = -54;
    }
    uint64_t bits = bits64_of(x), exponent = (bits - 0x3fe6a09e667f3bcd) & 0xfff0000000000000;
    double m = double_of(bits - exponent), f = m - 1, d = m + 1, d_low = m - (d - 1);
    double inverse = inverse64(d), s = f * inverse;
    double s_low = inverse * fma64(-s, d_low, fma64(-s, d, f));
    double z = s * s, z_low = fma64(s, s, -z) + 2 * s * s_low;
    double q = fma64(0x1.eb3cbd001b1d3p-4, z, 0x1.de2e29b4b0312p-4);
    q = fma64(q, z, 0x1.1120d73a31893p-3);
    q = fma64(q, z, 0x1.3b1361d3cf999p-3);
    q = fma64(q, z, 0x1.745d1835b0993p-3);
    q = fma64(q, z, 0x1.c71c71c5793e6p-3);
    q = fma64(q, z, 0x1.2492492493073p-2);
    q = fma64(q, z, 0x1.9999999999995p-2);
    double c = fma64(q, z, 0x1.5555555555555p-1);
    double c_low = fma64(q, z, 0x1.5555555555555p-1 - c) + 0x1.5555555555555p-55;
    double cube = z * s, cube_low = fma64(z, s, -cube) + fma64(z, s_low, z_low * s);
    double rest = cube * c, rest_low = fma64(cube, c, -rest) + fma64(cube, c_low, cube_low * c);
    double high = 2 * s + rest, low = 2 * s - high + rest + fma64(2, s_low, rest_low);
    double e = (double)(int32_t)((int64_t)exponent >> 52) + offset;
    return (struct log64){e, {high, low}};
}

/* first + second, if the second's magnitude is below the first's or the first is 0 (Dekker's
 * Fast2Sum). */
static inline struct pair64
sum_of(double first, struct pair64 second)
{
    double sum = first + second.high;
    return (struct pair64){sum, first - sum + second.high + second.low};
}

static inline struct pair64
times(struct pair64 x, double high, double low)
{
    double first = x.high * high;
    return (struct pair64){first, fma64(x.high, high, -first) + fma64(x.high, low, x.low * high)};
}

/* The natural logarithm. The product of e and the high part of log(2) is exact. */
static inline struct pair64
log_pair(double x)
{
    struct log64 parts = log_parts(x);
    parts.log.low = fma64(parts.e, 0x1.ef35793c7673p-45, parts.log.low);
    return sum_of(parts.e * 0x1.62e42fefa38p-1, parts.log);
}

static inline double
or_special64(double x, struct pair64 result)
{
    if (x > 0 && x < INFINITY_F64)
        return result.high + result.low;
    return x == 0 ? -INFINITY_F64 : x < 0 ? NAN_F64 : x;
}

double
ck_math_log_f64(double x)
{
    return or_special64(x, log_pair(x));
}

double
ck_math_log2_f64(double x)
{
    struct log64 parts = log_parts(x);
    return or_special64(x, sum_of(parts.e, times(parts.log, LOG2E, LOG2E_LOW)));
}

double
ck_math_log10_f64(double x)
{
    struct log64 parts = log_parts(x);
    struct pair64 log = times(parts.log, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57);
    struct pair64 whole =
        times((struct pair64){parts.e, 0}, 0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59);
    log.low += whole.low;
    return or_special64(x, sum_of(whole.high, log));
}

/* --- pow ---------------------------------------------------------------------------------------
 */

static inline bool
is_odd64(double y)
{
    return __builtin_fabs(y) < 0x1p53 && __builtin_rint(y) == y &&
           __builtin_rint(y * 0.5) != y * 0.5;
}

/* pow where x or y is 0, infinite or NaN, x is 1, or x < 0 and y is not an integer. */
static inline bool
pow_special64(double x, double y, double *result)
{
    double a = __builtin_fabs(x);
    bool is_up = a > 1 ? y > 0 : y < 0;
    if (y == 0 || x == 1)
        *result = 1;
    else if (x != x || y != y)
        *result = NAN_F64;
    else if (__builtin_fabs(y) == INFINITY_F64)
        *result = a == 1 ? 1 : is_up ? INFINITY_F64 : 0;
    else if (a == 0 || a == INFINITY_F64)
        *result = __builtin_copysign(is_up ? INFINITY_F64 : 0, is_odd64(y) ? x : 1);
    else if (x < 0 && __builtin_rint(y) != y)
        *result = NAN_F64;
    else
        return false;
    return true;
}

double
ck_math_pow_f64(double x, double y)
{
    double special;
    if (pow_special64(x, y, &special))
        return special;
    struct pair64 log = log_pair(__builtin_fabs(x));
    double t = y * log.high, low = fma64(y, log.high, -t) + y * log.low;
    bool is_great = t > 710, is_small = t < -750;
    double result = exp_of_sum(is_great   ? 710
                               : is_small ? -750
                                          : t,
                               is_great || is_small ? 0 : low);
    return x < 0 && is_odd64(y) ? -result : result;
}

/* --- sin and cos -------------------------------------------------------------------------------
 */

/* The sine or cosine in a quadrant, of the angle reduced modulo pi / 2; the polynomials' errors are
 * 2^-58. */
static inline double
sine64_in(double r, uint32_t quadrant)
{
    double z = r * r;
    double s = fma64(0x1.5d92c2e8b268fp-33, z, -0x1.ae5e6544b3928p-26);
    s = fma64(s, z, 0x1.71de357645d63p-19);
    s = fma64(s, z, -0x1.a01a019c0f961p-13);
    s = fma64(s, z, 0x1.111111110f866p-7);
    s = fma64(s, z, -0x1.5555555555549p-3);
    double sine = r * fma64(s, z, 1);
    double c = fma64(-0x1.8fae8b29524f4p-37, z, 0x1.1ee9ebc4c78e7p-29);
    c = fma64(c, z, -0x1.27e4f809b5b2ap-22);
    c = fma64(c, z, 0x1.a01a019cb162bp-16);
    c = fma64(c, z, -0x1.6c16c16c15179p-10);
    c = fma64(c, z, 0x1.555555555554cp-5);
    double cosine = fma64(fma64(c, z, -0.5), z, 1);
    double result = quadrant & 1 ? cosine : sine;
    return quadrant & 2 ? -result : result;
}

/* Cody and Waite's argument reduction: pi / 2 in three parts, all positive so that -0.0 is
 * preserved.
 */
static inline double
sine64(double x, uint32_t quadrant)
{
    double sum = fma64(x, 0x1.45f306dc9c883p-1, ROUNDER64), n = sum - ROUNDER64;
    double r = fma64(n, -0x1.921fb54442d18p+0, x);
    r = fma64(n, -0x1.1a62633145c06p-54, r);
    r = fma64(n, -0x1.c1cd129024e08p-107, r);
    return sine64_in(r, quadrant + (uint32_t)bits64_of(sum));
}

static __attribute__((noinline)) double
sin_of_large(double x)
{
    return ck_libclc_sin_f64(x);
}

static __attribute__((noinline)) double
cos_of_large(double x)
{
    return ck_libclc_cos_f64(x);
}

double
ck_math_sin_f64(double x)
{
    return __builtin_fabs(x) < 0x1p17 ? sine64(x, 0) : sin_of_large(x);
}

double
ck_math_cos_f64(double x)
{
    return __builtin_fabs(x) < 0x1p17 ? sine64(x, 1) : cos_of_large(x);
}

/* --- cbrt --------------------------------------------------------------------------------------
 */

/* The cube root of m for a = m 2^3k: in float32, then corrected by the series of the residual. */
double
ck_math_cbrt_f64(double x)
{
    double a = __builtin_fabs(x);
    bool is_small = a < 0x1p-1000;
    a = is_small ? a * 0x1p60 : a;
    int32_t third = ((int32_t)(bits64_of(a) >> 52) - 1023) / 3;
    double m = double_of(bits64_of(a) - ((uint64_t)(uint32_t)(third * 3) << 52));
    float root = approximate_exp2(approximate_log2((float)m) * 0x1.555556p-2f);
    double y = (double)root, error = fma64(-y * y, y, m) * inverse64(m);
    y = fma64(y * error, fma64(error, 0x1.c71c71c71c71cp-3, 0x1.5555555555555p-2), y);
    y *= double_of((uint64_t)(third + 1023 - (is_small ? 20 : 0)) << 52);
    return x == 0 || !(a < INFINITY_F64) ? x : __builtin_copysign(y, x);
}
