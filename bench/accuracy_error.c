/* The largest error of a function's results, for bench/accuracy.py:
 *   accuracy_error FUNCTION X OUT SIZE    raw files of floats of 4 or 8 bytes; pow and its kin
 *                                         take as second argument the point after, around the end
 * writes the error in units of the last place against the C library in long double, and the point.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    long double (*of_one)(long double);
    long double (*of_two)(long double, long double);
} functions[] = {
#define ONE(name) {#name, name##l, NULL},
#define TWO(name) {#name, NULL, name##l},
    ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(cos) ONE(cosh)
        ONE(erf) ONE(erfc) ONE(exp) ONE(exp2) ONE(expm1) ONE(lgamma) ONE(log) ONE(log10) ONE(log1p)
            ONE(log2) ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan) ONE(tanh){"gamma", tgammal, NULL},
    TWO(atan2) TWO(fmod) TWO(hypot) TWO(pow) TWO(remainder)};

static void *
read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        return NULL;
    *length = (size_t)ftell(file);
    rewind(file);
    void *bytes = malloc(*length + 1);
    if (bytes && fread(bytes, 1, *length, file) != *length)
        bytes = NULL;
    fclose(file);
    return bytes;
}

static long double
at(const void *bytes, size_t i, int size)
{
    return size == 4 ? (long double)((const float *)bytes)[i]
                     : (long double)((const double *)bytes)[i];
}

/* `want` rounded to the type; the unit of its last place. */
static long double
unit_of(long double *rounded, long double want, int size)
{
    *rounded = size == 4 ? (long double)(float)want : (long double)(double)want;
    int digits = size == 4 ? 24 : 53, least = size == 4 ? -149 : -1074, exponent;
    frexpl(want, &exponent);
    return ldexpl(1, exponent - digits > least ? exponent - digits : least);
}

static long double
error_of(long double got, long double want, int size)
{
    long double rounded, unit = unit_of(&rounded, want, size);
    if (got == rounded || (isnan(got) && isnan(want)))
        return isfinite(got) ? fabsl(got - want) / unit : 0;
    return isfinite(got) && isfinite(want) ? fabsl(got - want) / unit : INFINITY;
}

int
main(int argc, char **argv)
{
    size_t n_x = 0, n_out = 0;
    if (argc != 5)
        return 2;
    int size = atoi(argv[4]);
    const void *x = read_file(argv[2], &n_x), *out = read_file(argv[3], &n_out);
    if (!x || !out || n_x != n_out || (size != 4 && size != 8)) {
        fprintf(stderr, "accuracy_error: the files cannot be read\n");
        return 1;
    }
    size_t n = n_x / (size_t)size, which = 0;
    while (which < sizeof functions / sizeof *functions && strcmp(functions[which].name, argv[1]))
        which++;
    if (which == sizeof functions / sizeof *functions)
        return 2;
    long double worst = -1, place = 0;
    for (size_t i = 0; i < n; i++) {
        long double a = at(x, i, size);
        long double want = functions[which].of_one
                               ? functions[which].of_one(a)
                               : functions[which].of_two(a, at(x, (i + 1) % n, size));
        long double error = error_of(at(out, i, size), want, size);
        if (error > worst) {
            worst = error;
            place = a;
        }
    }
    printf("%.4Lf %.17Lg\n", worst, place);
    return 0;
}
