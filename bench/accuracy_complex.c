/* Points and errors of complex functions: see accuracy_complex.h.
 *
 * The points are where such functions go wrong: numbers of all magnitudes, the axes, where the
 * branch cuts are, and their neighbourhoods; the unit circle, of which logarithms have a small real
 * part; the branch points and poles 1, -1, i and -i; multiples of pi / 2, the zeros and poles of
 * circular functions; numbers whose exp is near the largest one, or the largest one over the least;
 * those whose squares overflow or underflow. */
#include "accuracy_complex.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "random_points.h"

/* --- References --------------------------------------------------------------------------------
 */

double complex
complex_log10(double complex z)
{
    return clog(z) / M_LN10;
}

long double complex
complex_log10l(long double complex z)
{
    return clogl(z) / 2.302585092994045684017991454684364208L;
}

double complex
complex_product(double complex a, double complex b)
{
    return a * b;
}

long double complex
complex_productl(long double complex a, long double complex b)
{
    return a * b;
}

double complex
complex_quotient(double complex a, double complex b)
{
    return a / b;
}

long double complex
complex_quotientl(long double complex a, long double complex b)
{
    return a / b;
}

/* --- Points ------------------------------------------------------------------------------------
 */

/* Of any magnitude. */
static double
any_number(uint64_t seed, bool is_float)
{
    double value = any_float(seed, is_float);
    return isfinite(value) ? value : is_float ? (double)FLT_MAX : DBL_MAX;
}

/* Zero of either sign, or anything below 2^-60. */
static double
almost_zero(uint64_t seed)
{
    uint64_t choice = mix(seed + 3) % 4;
    double sign = choice % 2 ? 1 : -1;
    return choice < 2 ? copysign(0, sign)
                      : sign * ldexp(1 + unit(seed), -60 - (int)(mix(seed) % 80));
}

/* From 1 to 2^-60. */
static double
near_zero(uint64_t seed)
{
    return ldexp(0.5 + 0.5 * unit(seed), -(int)(mix(seed + 1) % 61));
}

static void
put_polar(double parts[2], double radius, double of_circle)
{
    parts[0] = radius * cos(2 * M_PI * of_circle);
    parts[1] = radius * sin(2 * M_PI * of_circle);
}

static void
put(double parts[2], bool swap, double first, double second)
{
    parts[swap] = first;
    parts[!swap] = second;
}

static void
any_point(double parts[2], bool is_float, uint64_t i, uint64_t seed)
{
    const bool swap = i / 9 % 2;
    const double largest = is_float ? 200 : 1500;
    const int exponent = is_float ? 128 : 1024;
    switch (i % 9) {
    case 0:
        put(parts, swap, any_number(seed, is_float), any_number(seed + 4, is_float));
        break;
    case 1:
        put(parts, swap, near_one(seed, 8), near_one(seed + 4, 8));
        break;
    case 2:
        put(parts, swap, near_one(seed, 20), almost_zero(seed + 4));
        break;
    case 3:
        put_polar(parts, 1 + (swap ? 1 : -0.5) * near_zero(seed), unit(seed + 4));
        break;
    case 4:
        put_polar(parts, near_zero(seed), unit(seed + 4));
        parts[swap] += mix(seed + 5) % 2 ? 1 : -1;
        break;
    case 5:
        put(parts, swap, largest * (2 * unit(seed) - 1),
            i / 18 % 2 ? near_one(seed + 4, 3) : any_number(seed + 4, is_float));
        break;
    case 6:
        put_polar(parts, near_zero(seed), unit(seed + 4));
        parts[swap] += M_PI_2 * ((double)(mix(seed + 5) % 17) - 8);
        break;
    case 7:
        put(parts, swap, any_number(seed, is_float), 0);
        parts[!swap] = parts[swap] * near_one(seed + 4, 2);
        break;
    default:
        put(parts, swap, ldexp(unit(seed), exponent - (int)(i / 18 % 8)),
            -ldexp(unit(seed + 4), exponent - (int)(i / 18 % 8)));
    }
}

void
complex_point(enum complex_domain domain, bool is_float, uint64_t index, double point[4])
{
    const uint64_t seed = 16 * index;
    const int range = is_float ? 60 : 500;
    switch (domain) {
    case COMPLEX_HALF_RANGE:
        for (unsigned k = 0; k < 4; k++)
            point[k] = near_one(seed + 3 * k, range);
        break;
    case COMPLEX_POWER:
        put_polar(point, exp2(6 * unit(seed) - 3), unit(seed + 1));
        put_polar(point + 2, 2 * unit(seed + 2), unit(seed + 3));
        break;
    default:
        any_point(point, is_float, index, seed);
        any_point(point + 2, is_float, index / 5, seed + 8);
    }
    for (int k = 0; k < 4; k++) {
        const double most = is_float ? (double)FLT_MAX : DBL_MAX;
        point[k] = fmin(fmax(is_float ? (double)(float)point[k] : point[k], -most), most);
    }
}

/* --- Errors ------------------------------------------------------------------------------------
 */

/* A complex number is laid out as its parts. CMPLX does not exist for every compiler. */
static double complex
from_parts(const double parts[2])
{
    double complex value;
    memcpy(&value, parts, sizeof value);
    return value;
}

static long double complex
long_from_parts(const double parts[2])
{
    const long double wide[2] = {(long double)parts[0], (long double)parts[1]};
    long double complex value;
    memcpy(&value, wide, sizeof value);
    return value;
}

long double complex
complex_exact(const struct complex_function *function, bool is_float, const double point[4])
{
    if (is_float) {
        double complex z = from_parts(point), w = from_parts(point + 2);
        return (long double complex)(function->two ? function->two(z, w) : function->one(z));
    }
    long double complex z = long_from_parts(point), w = long_from_parts(point + 2);
    return function->two ? function->long_two(z, w) : function->long_one(z);
}

static long double
difference(double got, long double want, bool is_float)
{
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : (long double)INFINITY;
    if (isinf(got) && got == (is_float ? (double)(float)want : (double)want))
        return 0;
    if (isinf(want))
        return (long double)INFINITY;
    if (isinf(got)) /* what comes after the largest number */
        return fabsl(copysignl(ldexpl(1, is_float ? 128 : 1024), got) - want);
    return fabsl(got - want);
}

static double
in_units(long double error, long double of, bool is_float)
{
    const int digits = is_float ? 24 : 53, least = is_float ? -149 : -1074;
    int exponent;
    if (error == 0 || isinf(error) || isinf(of))
        return (double)error;
    frexpl(of, &exponent);
    return (double)ldexpl(error, -(exponent - digits > least ? exponent - digits : least));
}

static double
part_error(double got, long double want, bool is_float)
{
    const double rounded = is_float ? (double)(float)want : (double)want;
    if (got == 0 && rounded == 0 && !signbit(got) != !signbit(want))
        return (double)INFINITY;
    return in_units(difference(got, want, is_float), want, is_float);
}

double
complex_error(const struct complex_function *function, bool is_float, const double got[2],
              long double complex want)
{
    const long double real = creall(want), imaginary = cimagl(want);
    if (!function->by_magnitude)
        return fmax(part_error(got[0], real, is_float), part_error(got[1], imaginary, is_float));
    long double distance =
        hypotl(difference(got[0], real, is_float), difference(got[1], imaginary, is_float));
    return in_units(distance, cabsl(want), is_float);
}
