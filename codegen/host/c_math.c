/* Math functions of compiled host code that the C library lacks or defines differently. */
#include "codegen/host/c_math.h"

#include <fenv.h>
#include <math.h>

#include "codegen/core/target.h"

float
ck_rt_lgammaf(float x)
{
    int sign;
    return lgammaf_r(x, &sign);
}

double
ck_rt_lgamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

float
ck_rt_rsqrtf(float x)
{
    return (float)(1 / sqrt((double)x));
}

double
ck_rt_rsqrt(double x)
{
    return 1 / sqrt(x);
}

/* --- Rounding ------------------------------------------------------------------------------------
 */

static const int fenv_rounding[] = {
    [CK_ROUNDING_NEAREST] = FE_TONEAREST,
    [CK_ROUNDING_DOWN] = FE_DOWNWARD,
    [CK_ROUNDING_UP] = FE_UPWARD,
    [CK_ROUNDING_ZERO] = FE_TOWARDZERO,
};

/* The operands are volatile so that the operation stays between the changes of the mode. */
#define ROUNDED(type, root, multiply_add)                                                          \
    {                                                                                              \
        volatile type a = x, b = y, c = z, result = 0;                                             \
        const int outer = fegetround();                                                            \
        fesetround(fenv_rounding[rounding]);                                                       \
        switch ((enum ck_rounded_op)op) {                                                          \
        case CK_ROUNDED_ADD:                                                                       \
            result = a + b;                                                                        \
            break;                                                                                 \
        case CK_ROUNDED_MUL:                                                                       \
            result = a * b;                                                                        \
            break;                                                                                 \
        case CK_ROUNDED_DIV:                                                                       \
            result = a / b;                                                                        \
            break;                                                                                 \
        case CK_ROUNDED_RCP:                                                                       \
            result = 1 / a;                                                                        \
            break;                                                                                 \
        case CK_ROUNDED_SQRT:                                                                      \
            result = root(a);                                                                      \
            break;                                                                                 \
        case CK_ROUNDED_FMA:                                                                       \
            result = multiply_add(a, b, c);                                                        \
            break;                                                                                 \
        }                                                                                          \
        fesetround(outer);                                                                         \
        return result;                                                                             \
    }

float
ck_rt_rounded_f32(int op, int rounding, float x, float y, float z) ROUNDED(float, sqrtf, fmaf)

    double ck_rt_rounded_f64(int op, int rounding, double x, double y, double z)
        ROUNDED(double, sqrt, fma)
