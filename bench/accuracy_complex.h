/* Points and errors of complex functions, for accuracy.c. */
#ifndef BENCH_ACCURACY_COMPLEX_H
#define BENCH_ACCURACY_COMPLEX_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

/* Which points. */
enum complex_domain {
    COMPLEX_ALL,
    COMPLEX_HALF_RANGE, /* of half the exponents, so that no product of two overflows */
    COMPLEX_POWER,      /* magnitudes of bases from 1/8 to 8, of exponents up to 2 */
};

/* Of one argument or two; in double and in long double. */
struct complex_function {
    double complex (*one)(double complex);
    double complex (*two)(double complex, double complex);
    long double complex (*long_one)(long double complex);
    long double complex (*long_two)(long double complex, long double complex);
    enum complex_domain domain;
    bool by_magnitude;
};

double complex complex_log10(double complex z);
long double complex complex_log10l(long double complex z);
double complex complex_product(double complex a, double complex b);
long double complex complex_productl(long double complex a, long double complex b);
double complex complex_quotient(double complex a, double complex b);
long double complex complex_quotientl(long double complex a, long double complex b);

/* The point of an index: the parts of the first argument, and of the second one. */
void complex_point(enum complex_domain domain, bool is_float, uint64_t index, double point[4]);

/* The reference: evaluated in double for complex64, in long double for complex128. */
long double complex complex_exact(const struct complex_function *function, bool is_float,
                                  const double point[4]);

/* The larger error of the parts, each in units of its own last place. A function `by_magnitude` has
 * parts that are small differences of large numbers: its error is the distance from the exact
 * result, in units of the last place of that one's magnitude, and the signs of its zeros are free.
 * A zero of the wrong sign, and an infinity or a NaN in the place of a number, are infinitely
 * wrong.
 */
double complex_error(const struct complex_function *function, bool is_float, const double got[2],
                     long double complex want);

#endif
