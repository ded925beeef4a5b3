/* The math functions of PTX that are ck's own, compiled for this machine, against the C library in
 * double and long double: at special values, and at random ones within docs/math.md's bounds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "codegen/nvptx/libm/bessel.c"
#include "codegen/nvptx/libm/double.c"
#include "codegen/nvptx/libm/exponential.c"
#include "codegen/nvptx/libm/hyperbolic.c"
#include "codegen/nvptx/libm/logarithm.c"
#include "codegen/nvptx/libm/remainder.c"
#include "codegen/nvptx/libm/special.c"
#include "codegen/nvptx/libm/trigonometric.c"

/* --- What is libclc's, or an instruction, on a GPU ---------------------------------------------
 */

float
approximate_inverse(float x)
{
    float inverse = 1 / x;
    return inverse < 0x1p-126f ? 0 : nextafterf(inverse, INFINITY);
}

float
approximate_exp2(float x)
{
    return nextafterf(exp2f(x), INFINITY);
}

float
approximate_log2(float x)
{
    return log2f(x) * (1 + 0x1p-22f);
}

double
approximate_inverse64(double x)
{
    return 1 / x * (1 + 0x1p-21);
}

float
approximate_rsqrt(float x)
{
    return 1 / sqrtf(x) * (1 + 0x1p-23f);
}

#define SAME(type, name, in_c, suffix)                                                             \
    type ck_libclc_##name##_##suffix(type x)                                                       \
    {                                                                                              \
        return in_c(x);                                                                            \
    }
SAME(float, erfc, erfcf, f32)
SAME(float, lgamma, lgammaf, f32)
SAME(double, asin, asin, f64)
SAME(double, atan, atan, f64)
SAME(double, cos, cos, f64)
SAME(double, erf, erf, f64)
SAME(double, expm1, expm1, f64)
SAME(double, sin, sin, f64)
SAME(double, tan, tan, f64)

/* --- Comparing ---------------------------------------------------------------------------------
 */

/* In units of the last place. */
static double
error_of(long double got, long double want, bool is_float)
{
    long double rounded = is_float ? (long double)(float)want : (long double)(double)want;
    if (isnan(got) || isnan(rounded))
        return isnan(got) && isnan(rounded) ? 0 : (double)INFINITY;
    if (isinf(got) || isinf(rounded))
        return got == rounded ? 0 : (double)INFINITY;
    if (got == 0 && rounded == 0)
        return signbit(got) == signbit(want) ? 0 : (double)INFINITY;
    int exponent, digits = is_float ? 24 : 53, least = is_float ? -149 : -1074;
    frexpl(want, &exponent);
    exponent = exponent - digits > least ? exponent - digits : least;
    return (double)(fabsl(got - want) / ldexpl(1, exponent));
}

static uint64_t
next_random(void)
{
    static uint64_t state = 88172645463325252;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static const float special32[] = {0.0f,   -0.0f,   1,      -1,     0.5f,     -0.5f,     2,
                                  -2,     3,       -3,     1e-45f, -1e-45f,  1e-39f,    -1e-39f,
                                  1e-20f, -1e-20f, -100,   -88,    88.7f,    -103.9f,   -150,
                                  128,    9.5f,    10.05f, 36,     -36.5f,   -1000.5f,  1e30f,
                                  -1e30f, 1e10f,   7e4f,   -0.0f,  INFINITY, -INFINITY, NAN};
enum { N_SPECIAL = sizeof special32 / sizeof special32[0], N_RANDOM = 200000 };

/* Half of them of moderate size. */
static float
point(int i)
{
    if (i < N_SPECIAL)
        return special32[i];
    uint64_t random = next_random();
    float any = float_of((uint32_t)random);
    return isnan(any) ? NAN : i % 2 ? any : (float)((double)(int32_t)random * 0x1p-31 * 120);
}

static void
check(const char *name, double x, double y, double error, double bound)
{
    if (!(error <= bound))
        fail_msg("%s of %a, %a: an error of %g", name, x, y, error);
}

static void
test_float32(void **state)
{
    static const struct {
        const char *name;
        float (*got)(float);
        double (*want)(double);
        double bound;
    } rows[] = {{"exp", ck_math_exp_f32, exp, 3},       {"exp2", ck_math_exp2_f32, exp2, 3},
                {"log", ck_math_log_f32, log, 3},       {"tanh", ck_math_tanh_f32, tanh, 5},
                {"sin", ck_math_sin_f32, sin, 4},       {"cos", ck_math_cos_f32, cos, 4},
                {"log2", ck_math_log2_f32, log2, 3},    {"log10", ck_math_log10_f32, log10, 3},
                {"log1p", ck_math_log1p_f32, log1p, 2}, {"expm1", ck_math_expm1_f32, expm1, 3},
                {"asinh", ck_math_asinh_f32, asinh, 4}, {"acosh", ck_math_acosh_f32, acosh, 4},
                {"atanh", ck_math_atanh_f32, atanh, 5}, {"cbrt", ck_math_cbrt_f32, cbrt, 2},
                {"cosh", ck_math_cosh_f32, cosh, 4},    {"sinh", ck_math_sinh_f32, sinh, 4},
                {"erfc", ck_math_erfc_f32, erfc, 16},   {"gamma", ck_math_tgamma_f32, tgamma, 16}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        for (int i = 0; i < N_RANDOM; i++) {
            float x = point(i);
            long double want = (long double)rows[k].want((double)x);
            check(rows[k].name, (double)x, 0, error_of((long double)rows[k].got(x), want, true),
                  rows[k].bound);
        }
    }
}

/* Where most of the exponent's part cancels. */
static void
test_logarithms_near_four_thirds(void **state)
{
    (void)state;
    for (float x = 1.3125f; x < 1.34375f; x += 3 * 0x1p-23f) {
        double a = (double)x;
        check("log", a, 0, error_of((long double)ck_math_log_f32(x), (long double)log(a), true), 2);
        check("log2", a, 0, error_of((long double)ck_math_log2_f32(x), (long double)log2(a), true),
              2);
        check("log10", a, 0,
              error_of((long double)ck_math_log10_f32(x), (long double)log10(a), true), 2);
    }
}

/* Half of them of moderate size, and some near 1. */
static double
point64(int i)
{
    if (i < N_SPECIAL)
        return (double)special32[i];
    uint64_t random = next_random();
    double any = double_of(random);
    return i % 4 == 0   ? 1 + (double)(int64_t)random * 0x1p-80
           : i % 4 == 1 ? (double)(int64_t)random * 0x1p-63 * 800
           : isnan(any) ? (double)NAN
                        : any;
}

static void
test_float64(void **state)
{
    static const struct {
        const char *name;
        double (*got)(double);
        long double (*want)(long double);
        double bound;
    } rows[] = {{"exp", ck_math_exp_f64, expl, 2},       {"exp2", ck_math_exp2_f64, exp2l, 2},
                {"log", ck_math_log_f64, logl, 1},       {"log2", ck_math_log2_f64, log2l, 1},
                {"log10", ck_math_log10_f64, log10l, 1}, {"sin", ck_math_sin_f64, sinl, 3},
                {"cos", ck_math_cos_f64, cosl, 3},       {"cbrt", ck_math_cbrt_f64, cbrtl, 1}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        for (int i = 0; i < N_RANDOM; i++) {
            double x = point64(i);
            check(rows[k].name, x, 0,
                  error_of((long double)rows[k].got(x), rows[k].want((long double)x), false),
                  rows[k].bound);
        }
    }
}

static void
test_pow_float64(void **state)
{
    (void)state;
    for (int i = 0; i < N_SPECIAL * N_SPECIAL + N_RANDOM; i++) {
        bool is_special = i < N_SPECIAL * N_SPECIAL;
        double x = is_special ? (double)special32[i / N_SPECIAL] : point64(i);
        double y = is_special ? (double)special32[i % N_SPECIAL] : point64(i + (i >> 2) % 4);
        long double want = powl((long double)x, (long double)y);
        check("pow", x, y, error_of((long double)ck_math_pow_f64(x, y), want, false), 2);
    }
}

static void
test_float32_of_two(void **state)
{
    (void)state;
    for (int i = 0; i < N_SPECIAL * N_SPECIAL + N_RANDOM; i++) {
        bool is_special = i < N_SPECIAL * N_SPECIAL;
        float x = is_special ? special32[i / N_SPECIAL] : point(i);
        float y = is_special ? special32[i % N_SPECIAL] : point(i + (i >> 1) % 2);
        double a = (double)x, b = (double)y;
        check("fmod", a, b,
              error_of((long double)ck_math_fmod_f32(x, y), (long double)fmod(a, b), true), 0);
        check(
            "remainder", a, b,
            error_of((long double)ck_math_remainder_f32(x, y), (long double)remainder(a, b), true),
            0);
        check("pow", a, b,
              error_of((long double)ck_math_pow_f32(x, y), (long double)pow(a, b), true), 16);
    }
}

static void
test_lgamma(void **state)
{
    (void)state;
    assert_true(ck_math_lgamma_f32(-INFINITY) == INFINITY);
    for (float x = -1e-7f; x < -1e-45f; x /= 7) {
        long double want = lgammal((long double)x);
        check("lgamma", (double)x, 0, error_of((long double)ck_math_lgamma_f32(x), want, true), 4);
    }
}

/* The absolute error, in units of the last place of the result or of 1. */
static void
test_bessel(void **state)
{
    static const struct {
        const char *name;
        double (*got)(double);
        long double (*want)(long double);
        float (*got32)(float);
    } rows[] = {{"j0", ck_math_j0_f64, j0l, ck_math_j0_f32},
                {"j1", ck_math_j1_f64, j1l, ck_math_j1_f32},
                {"y0", ck_math_y0_f64, y0l, ck_math_y0_f32},
                {"y1", ck_math_y1_f64, y1l, ck_math_y1_f32}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        for (int i = 0; i < N_RANDOM / 4; i++) {
            double x = i % 2 ? point64(i) : (double)(next_random() >> 40) * 0x1p-24 * 40;
            long double want = rows[k].want((long double)x);
            if (k == 1 && isinf(x)) /* some C libraries' j1l is 0 of -infinity too */
                want = copysignl(0, (long double)x);
            if (k >= 2 && x < 0) /* the C library's is a NaN or -infinity */
                continue;
            if (isinf((double)want) || isnan(want) || want == 0) {
                check(rows[k].name, x, 0, error_of((long double)rows[k].got(x), want, false), 0);
                continue;
            }
            long double unit = fmaxl(fabsl(want), 1) * 0x1p-52L;
            check(rows[k].name, x, 0, (double)(fabsl(rows[k].got(x) - want) / unit), 4);
            check(rows[k].name, x, 0,
                  rows[k].got32((float)x) == (float)rows[k].got((float)x) ? 0 : 1, 0);
        }
    }
}

static void
test_gamma_float64(void **state)
{
    static const double points[] = {0.0,       -0.0,    1,        -1,     INFINITY, -INFINITY,
                                    NAN,       5e-324,  -1e-310,  1e-18,  171.6,    171.7,
                                    -170.5,    -176.3,  -183.5,   -184.6, -500.5,   -501.5,
                                    -1e15 - 1, -0x1p53, 11.99999, 12,     2,        3};
    (void)state;
    for (size_t i = 0; i < N_RANDOM; i++) {
        double x = i < sizeof points / sizeof points[0]
                       ? points[i]
                       : (double)(int64_t)next_random() * 0x1p-63 * (i % 2 ? 190 : 10);
        check("gamma", x, 0,
              error_of((long double)ck_math_tgamma_f64(x), tgammal((long double)x), false), 16);
    }
}

static void
test_signs_of_zero(void **state)
{
    (void)state;
    assert_true(signbit(ck_math_sin_f64(-0.0)) && signbit(ck_math_cbrt_f64(-0.0)) &&
                signbit(ck_math_tan_f64(-0.0)) && signbit(ck_math_asin_f64(-0.0)) &&
                signbit(ck_math_atan_f64(-0.0)) && signbit(ck_math_erf_f64(-0.0)) &&
                signbit(ck_math_expm1_f64(-0.0)) && !signbit(ck_math_sin_f64(0.0)));
    assert_true(ck_math_erf_f64(-2) == erf(-2));
}

static void
test_great_powers(void **state)
{
    (void)state;
    static const double bases[] = {0.5, -0.5, 1, -1, 1.5, -1.5, 0, -0.0, INFINITY, -INFINITY};
    static const double exponents[] = {1e200, -1e200, 0x1p53, 3, -3, INFINITY, -INFINITY, 0.5};
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        for (size_t k = 0; k < sizeof exponents / sizeof exponents[0]; k++) {
            double got = ck_math_pow_f64(bases[i], exponents[k]);
            check("pow", bases[i], exponents[k],
                  error_of((long double)got, (long double)pow(bases[i], exponents[k]), false), 1);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_float32),       cmocka_unit_test(test_float32_of_two),
        cmocka_unit_test(test_float64),       cmocka_unit_test(test_bessel),
        cmocka_unit_test(test_pow_float64),   cmocka_unit_test(test_lgamma),
        cmocka_unit_test(test_gamma_float64), cmocka_unit_test(test_signs_of_zero),
        cmocka_unit_test(test_great_powers),  cmocka_unit_test(test_logarithms_near_four_thirds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
