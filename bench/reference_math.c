/* Reference values: see reference_math.h. Their own errors are far below a unit in the last place
 * of a double: where a rounded argument would be amplified, its rounding is corrected for. */
#include "reference_math.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const long double pi = 3.141592653589793238462643383279502884L;
static const long double sqrt_pi = 1.772453850905516027298167483341145183L;

long double
reference_rsqrt(long double x)
{
    return 1 / sqrtl(x);
}

long double
reference_rcbrt(long double x)
{
    return 1 / cbrtl(x);
}

long double
reference_exp10(long double x)
{
    return exp10l(x);
}

/* --- Multiples of pi -----------------------------------------------------------------------------
 * Reduced exactly to at most pi / 4 from where the result is 0 or 1. */

long double
reference_sinpi(long double x)
{
    if (!isfinite(x))
        return NAN;
    long double r = remainderl(x, 2); /* -1 to 1 */
    if (fabsl(r) > 0.5L)
        r = copysignl(1, r) - r;
    const long double result =
        fabsl(r) <= 0.25L ? sinl(pi * r) : copysignl(cosl(pi * (0.5L - fabsl(r))), r);
    return result == 0 ? copysignl(0, x) : result;
}

long double
reference_cospi(long double x)
{
    if (!isfinite(x))
        return NAN;
    const long double r = fabsl(remainderl(x, 2)); /* 0 to 1 */
    const long double result = r <= 0.25L   ? cosl(pi * r)
                               : r <= 0.75L ? sinl(pi * (0.5L - r))
                                            : -cosl(pi * (1 - r));
    return result == 0 ? 0 : result;
}

/* --- The error function's kin --------------------------------------------------------------------
 */

/* Halley's method: the second derivative is -2y times the first. */
static long double
step(long double y, long double difference)
{
    const long double d = difference * expl(y * y) * sqrt_pi / 2;
    return y - d / (1 + y * d);
}

/* The y of which erfc is q, from 0 to 0.5. */
static long double
inverse_erfc(long double q)
{
    const long double log_q = -logl(q * sqrt_pi);
    long double y = q > 0.1L ? 1 - q : sqrtl(log_q - logl(log_q) / 2);
    for (int i = 0; i < 12; i++) {
        const long double next = step(y, q - erfcl(y));
        if (fabsl(next - y) <= 1e-19L * y)
            return next;
        y = next;
    }
    return y;
}

long double
reference_erfinv(long double x)
{
    const long double size = fabsl(x);
    if (!(size < 1))
        return size == 1 ? copysignl(INFINITY, x) : (long double)NAN;
    if (size > 0.5L)
        return copysignl(inverse_erfc(1 - size), x);
    long double y = x * sqrt_pi / 2;
    for (int i = 0; i < 6; i++)
        y = step(y, erfl(y) - x);
    return y;
}

long double
reference_erfcinv(long double x)
{
    if (!(x >= 0 && x <= 2))
        return NAN;
    if (x == 0 || x == 2)
        return x == 0 ? (long double)INFINITY : -(long double)INFINITY;
    if (x >= 0.5L && x <= 1.5L)
        return reference_erfinv(1 - x);
    return x < 1 ? inverse_erfc(x) : -inverse_erfc(2 - x);
}

/* exp(x * x) * erfc(x) */
long double
reference_erfcx(long double x)
{
    if (x < -100)
        return INFINITY;
    if (x < 100) {
        const long double square = x * x, rest = fmal(x, x, -square);
        return expl(square) * (1 + rest) * erfcl(x);
    }
    long double sum = 1, term = 1; /* the asymptotic series */
    for (int k = 1; k < 12; k++)
        sum += term *= -(2 * k - 1) / (2 * x * x);
    return sum / (x * sqrt_pi);
}

long double
reference_normcdf(long double x)
{
    const long double high = 0.707106781186547524400844362104849039L,
                      low = 1.895032558893257e-20L; /* of 1 / sqrt(2), in 80 bits */
    if (isinf(x))
        return x > 0;
    const long double y = -x * high, rest = fmal(-x, high, -y) - x * low;
    return (erfcl(y) - 2 / sqrt_pi * expl(-y * y) * rest) / 2;
}

long double
reference_normcdfinv(long double x)
{
    return -sqrtl(2) * reference_erfcinv(2 * x);
}

/* --- Bessel functions ----------------------------------------------------------------------------
 */

long double
reference_y0(long double x)
{
    return x == 0 ? -(long double)INFINITY : x > 0 ? y0l(x) : (long double)NAN;
}

long double
reference_y1(long double x)
{
    return x == 0 ? -(long double)INFINITY : x > 0 ? y1l(x) : (long double)NAN;
}

long double
reference_jn(long double x, long double order)
{
    return jnl((int)order, x);
}

long double
reference_yn(long double x, long double order)
{
    return x == 0 ? -(long double)INFINITY : x > 0 ? ynl((int)order, x) : (long double)NAN;
}

/* The modified function of order 0 or 1: its series, whose terms have one sign, and for large
 * arguments the asymptotic one. */
static long double
modified(long double x, int order)
{
    const long double size = fabsl(x), square = size * size / 4, power = 4.0L * order * order;
    long double sum = 1, term = 1;
    if (isinf(x))
        return order ? x : size;
    if (size < 60) {
        for (int k = 1; k < 300 && term > sum * 1e-22L; k++)
            sum += term *= square / ((long double)k * (k + order));
        return order ? sum * x / 2 : sum;
    }
    for (int k = 1; k < 100 && fabsl(term) > 1e-22L; k++) {
        const long double odd = 2 * k - 1, next = term * -(power - odd * odd) / (k * 8 * size);
        if (fabsl(next) > fabsl(term))
            break;
        sum += term = next;
    }
    const long double result = expl(size) / sqrtl(2 * pi * size) * sum;
    return order && x < 0 ? -result : result;
}

long double
reference_cyl_bessel_i0(long double x)
{
    return modified(x, 0);
}

long double
reference_cyl_bessel_i1(long double x)
{
    return modified(x, 1);
}

/* --- Lengths -------------------------------------------------------------------------------------
 * long double holds the squares of all doubles. */

static long double
length(long double x, long double y, int n_x, int n_y)
{
    if (isinf(x) || isinf(y))
        return INFINITY;
    return sqrtl(n_x * x * x + n_y * y * y);
}

long double
reference_rhypot(long double x, long double y)
{
    return 1 / length(x, y, 1, 1);
}

long double
reference_norm3d(long double x, long double y)
{
    return length(x, y, 2, 1);
}

long double
reference_rnorm3d(long double x, long double y)
{
    return 1 / length(x, y, 2, 1);
}

long double
reference_norm4d(long double x, long double y)
{
    return length(x, y, 2, 2);
}

long double
reference_rnorm4d(long double x, long double y)
{
    return 1 / length(x, y, 2, 2);
}

long double
reference_divide(long double x, long double y)
{
    return x / y;
}

long double
reference_pow(long double x, long double y)
{
    return powl(y, x);
}

/* --- Normal numbers ------------------------------------------------------------------------------
 */

/* Philox 4x32-10 of the counter 0. */
static void
philox(uint64_t seed, uint32_t *out)
{
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    memset(out, 0, 4 * sizeof *out);
    for (int round = 0; round < 10; round++) {
        const uint64_t a = UINT64_C(0xd2511f53) * out[0], b = UINT64_C(0xcd9e8d57) * out[2];
        out[0] = (uint32_t)(b >> 32) ^ out[1] ^ key[0];
        out[1] = (uint32_t)b;
        out[2] = (uint32_t)(a >> 32) ^ out[3] ^ key[1];
        out[3] = (uint32_t)a;
        key[0] += 0x9e3779b9;
        key[1] += 0xbb67ae85;
    }
}

/* A cosine, or a sine if it swaps, of an angle in quarters of pi from -1 to 1. */
static long double
normal_of(long double u, long double quarters, bool swaps, bool negative)
{
    const long double angle = quarters * pi / 4, radius = sqrtl(-2 * logl(u));
    const long double result = radius * (swaps ? sinl(angle) : cosl(angle));
    return negative ? -result : result;
}

double
reference_normal_float32(double seed)
{
    const float narrow = (float)seed;
    uint32_t bits, words[4];
    memcpy(&bits, &narrow, sizeof bits);
    philox(bits, words);
    const float u = fmaf((float)words[0], 0x1.fffffep-33f, 0x1p-33f);
    const double quarters = ((double)(int32_t)(words[1] << 2) + 2) * 0x1p-31;
    return (double)normal_of((long double)u, (long double)quarters, words[1] >> 30 & 1,
                             words[1] >> 31);
}

long double
reference_normal_float64(long double seed)
{
    const double narrow = (double)seed;
    uint64_t bits;
    uint32_t words[4];
    memcpy(&bits, &narrow, sizeof bits);
    philox(bits, words);
    const uint64_t a = (uint64_t)words[1] << 32 | words[0], b = (uint64_t)words[3] << 32 | words[2];
    const long double u = (2 * (long double)(a & 0xfffffffffffff) + 1) * 0x1p-53L;
    const long double quarters = (2 * (long double)(b & 0xfffffffffffff) + 1) * 0x1p-52L - 1;
    return normal_of(u, quarters, b >> 62 & 1, b >> 63);
}
