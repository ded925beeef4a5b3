/* Operators on numbers, with Python's results: integers of any size that fits, floats, complex. */
#include "expr.h"

#include <complex.h>
#include <math.h>

/* Python's: toward minus infinity. */
static ckrun_int
floor_divide(ckrun_int a, ckrun_int b)
{
    ckrun_int quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

static bool
int_power(ckrun_int *out, ckrun_int base, ckrun_int exponent)
{
    bool overflow = false;
    *out = 1;
    for (; exponent > 0 && !overflow; exponent >>= 1) {
        if (exponent & 1)
            overflow |= __builtin_mul_overflow(*out, base, out);
        if (exponent > 1)
            overflow |= __builtin_mul_overflow(base, base, &base);
    }
    return overflow;
}

/* True on overflow. Divisors are not zero, exponents not negative. */
static bool
int_operation(ckrun_int *out, enum ckrun_operator op, ckrun_int a, ckrun_int b)
{
    switch (op) {
    case CKRUN_ADD:
        return __builtin_add_overflow(a, b, out);
    case CKRUN_SUBTRACT:
        return __builtin_sub_overflow(a, b, out);
    case CKRUN_MULTIPLY:
        return __builtin_mul_overflow(a, b, out);
    case CKRUN_FLOOR_DIVIDE:
        if (b == -1)
            return __builtin_sub_overflow((ckrun_int)0, a, out);
        *out = floor_divide(a, b);
        return false;
    case CKRUN_REMAINDER:
        *out = b == -1 ? 0 : a - floor_divide(a, b) * b;
        return false;
    default:
        return int_power(out, a, b);
    }
}

static double
float_operation(enum ckrun_operator op, double a, double b)
{
    double rest;
    switch (op) {
    case CKRUN_ADD:
        return a + b;
    case CKRUN_SUBTRACT:
        return a - b;
    case CKRUN_MULTIPLY:
        return a * b;
    case CKRUN_DIVIDE:
        return a / b;
    case CKRUN_POWER:
        return pow(a, b);
    default:
        rest = fmod(a, b);
        if (rest != 0 && (rest < 0) != (b < 0))
            rest += b;
        return op == CKRUN_REMAINDER ? rest : nearbyint((a - rest) / b);
    }
}

/* The C library's CMPLX is there for GCC only. */
static double complex
complex_of(const struct ckrun_value *value)
{
    return __builtin_complex((double)ckrun_as_float(value),
                             value->kind == CKRUN_COMPLEX ? (double)value->im : 0.0);
}

static struct ckrun_value
complex_operation(struct ckrun_parser *p, const char *at, enum ckrun_operator op,
                  const struct ckrun_value *left, const struct ckrun_value *right)
{
    double complex a = complex_of(left);
    double complex b = complex_of(right);
    double complex result = 0;
    switch (op) {
    case CKRUN_ADD:
        result = a + b;
        break;
    case CKRUN_SUBTRACT:
        result = a - b;
        break;
    case CKRUN_MULTIPLY:
        result = a * b;
        break;
    case CKRUN_DIVIDE:
        result = a / b;
        break;
    case CKRUN_POWER:
        result = cpow(a, b);
        break;
    default:
        ckrun_parse_fail(p, at, "complex numbers have no `//` and no `%%`");
    }
    return ckrun_complex_value(creal(result), cimag(result));
}

struct ckrun_value
ckrun_operate(struct ckrun_parser *p, const char *at, enum ckrun_operator op, struct ckrun_value a,
              struct ckrun_value b)
{
    struct ckrun_value result = ckrun_int_value(1);
    if (p->error)
        return result;
    if (!ckrun_is_any_number(&a) || !ckrun_is_any_number(&b)) {
        ckrun_parse_fail(p, at, "arithmetic is for numbers: this is %s",
                         ckrun_kind_text(ckrun_is_any_number(&a) ? b.kind : a.kind));
        return result;
    }
    bool divides = op == CKRUN_DIVIDE || op == CKRUN_FLOOR_DIVIDE || op == CKRUN_REMAINDER;
    if (divides && ckrun_as_float(&b) == 0 && (b.kind != CKRUN_COMPLEX || b.im == 0)) {
        ckrun_parse_fail(p, at, "division by zero");
        return result;
    }
    if (a.kind == CKRUN_COMPLEX || b.kind == CKRUN_COMPLEX)
        return complex_operation(p, at, op, &a, &b);
    bool floats = a.kind == CKRUN_FLOAT || b.kind == CKRUN_FLOAT || op == CKRUN_DIVIDE ||
                  (op == CKRUN_POWER && b.i < 0);
    if (floats)
        return ckrun_float_value(float_operation(op, ckrun_as_float(&a), ckrun_as_float(&b)));
    if (int_operation(&result.i, op, a.i, b.i))
        ckrun_parse_fail(p, at, "the result is too large");
    return result;
}
