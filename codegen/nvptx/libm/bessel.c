/* The Bessel functions of the orders 0 and 1, in float64: by backward recurrence (J. C. P. Miller's
 * algorithm) and Neumann's series for x below 25, and by Hankel's asymptotic series above. The
 * absolute error is a few units of 2^-52; float32 is computed in float64. */
#include "libm.h"

#define TWO_OVER_PI 0x1.45f306dc9c883p-1
/* Euler's constant less log(2) */
#define LOG_OFFSET -0x1.dadb014541eb2p-4

struct bessel {
    double j0, j1, y0, y1;
};

/* J of all orders up to a high one is found backward from there, as multiples of their values. The
 * sum of J0 and twice the J of even orders is 1; Y0 and Y1 are series of the J. */
static struct bessel
by_recurrence(double x)
{
    double after = 0, running = 1e-200, j1 = 0, sum = 0, even = 0, odd = 0;
    for (int k = 2 * (int)(x + 21); k > 0; k--) { /* running is a multiple of J of order k */
        double half = k >> 1, sign = k & 2 ? -1 : 1;
        if (k & 1) {
            j1 = running;
            odd += k > 1 ? sign * k / (half * (half + 1)) * running : 0;
        } else {
            sum += 2 * running;
            even += sign / half * running;
        }
        double before = 2 * k / x * running - after;
        after = running;
        running = before;
    }
    double scale = 1 / (sum + running), log_half = ck_math_log_f64(x) + LOG_OFFSET;
    struct bessel all = {.j0 = running * scale, .j1 = j1 * scale};
    all.y0 = TWO_OVER_PI * (log_half * all.j0 - 2 * even * scale);
    all.y1 = TWO_OVER_PI * ((log_half - 1) * all.j1 - all.j0 / x - odd * scale);
    return all;
}

/* sqrt(2 / (pi * x)) times P and Q of Hankel's series; mu is four times the order's square. */
static void
hankel(double x, double mu, double *p, double *q)
{
    double term = 1, odd = 0, even = 1;
    for (int k = 1; k < 30; k++) {
        double factor = 2 * k - 1;
        term *= (mu - factor * factor) / (k * 8 * x);
        if (k & 1)
            odd += k & 2 ? -term : term;
        else
            even += k & 2 ? -term : term;
    }
    double root = __builtin_sqrt(TWO_OVER_PI / x);
    *p = root * even;
    *q = root * odd;
}

static struct bessel
by_series(double x)
{
    const double half_root = 0x1.6a09e667f3bcdp-1;
    double s = ck_math_sin_f64(x), c = ck_math_cos_f64(x), p, q;
    double sum = (s + c) * half_root, difference = (s - c) * half_root;
    struct bessel all;
    hankel(x, 0, &p, &q); /* the cosine of x - pi/4 is `sum`, its sine `difference` */
    all.j0 = p * sum - q * difference;
    all.y0 = p * difference + q * sum;
    hankel(x, 4, &p, &q); /* of x - 3pi/4 the cosine is `difference`, the sine -`sum` */
    all.j1 = p * difference + q * sum;
    all.y1 = q * difference - p * sum;
    return all;
}

/* Of 0 < x < infinity. */
static struct bessel
bessel(double x)
{
    if (x < 0x1p-27) {
        double log_half = ck_math_log_f64(x) + LOG_OFFSET;
        return (struct bessel){1, 0.5 * x, TWO_OVER_PI * log_half, -TWO_OVER_PI / x};
    }
    return x < 25 ? by_recurrence(x) : by_series(x);
}

double
ck_math_j0_f64(double x)
{
    x = __builtin_fabs(x);
    return x == 0 ? 1 : x == INFINITY_F64 ? 0 : x != x ? x : bessel(x).j0;
}

double
ck_math_j1_f64(double x)
{
    double u = __builtin_fabs(x);
    if (x == 0 || x != x)
        return x;
    return u == INFINITY_F64 ? 0 * __builtin_copysign(1, x)
                             : __builtin_copysign(1, x) * bessel(u).j1;
}

double
ck_math_y0_f64(double x)
{
    return x == 0 ? -INFINITY_F64 : x == INFINITY_F64 ? 0 : !(x > 0) ? NAN_F64 : bessel(x).y0;
}

double
ck_math_y1_f64(double x)
{
    return x == 0 ? -INFINITY_F64 : x == INFINITY_F64 ? 0 : !(x > 0) ? NAN_F64 : bessel(x).y1;
}

float
ck_math_j0_f32(float x)
{
    return (float)ck_math_j0_f64(x);
}

float
ck_math_j1_f32(float x)
{
    return (float)ck_math_j1_f64(x);
}

float
ck_math_y0_f32(float x)
{
    return (float)ck_math_y0_f64(x);
}

float
ck_math_y1_f32(float x)
{
    return (float)ck_math_y1_f64(x);
}
