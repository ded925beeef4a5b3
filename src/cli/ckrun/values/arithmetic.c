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

bool
ckrun_int_power(ckrun_int *out, ckrun_int base, ckrun_int exponent)
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

/* True on overflow. Divisors are not zero, exponents and shifts not negative. */
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
    case CKRUN_SHIFT_LEFT:
        if (a == 0 || b > 126)
            return (*out = a) != 0;
        return __builtin_mul_overflow(a, (ckrun_int)1 << b, out);
    case CKRUN_SHIFT_RIGHT:
        *out = a >> (b > 127 ? 127 : b);
        return false;
    case CKRUN_BIT_AND:
        *out = a & b;
        return false;
    case CKRUN_BIT_OR:
        *out = a | b;
        return false;
    case CKRUN_BIT_XOR:
        *out = a ^ b;
        return false;
    default:
        return ckrun_int_power(out, a, b);
    }
}

double
ckrun_combine_floats(enum ckrun_operator op, double a, double b)
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
        if (op == CKRUN_FLOOR_DIVIDE && b == 0)
            return a / b;
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

/* Python's comparison of plain numbers: integers exactly, else as floats. */
static struct ckrun_value
compare_plain(struct ckrun_parser *p, const char *at, enum ckrun_operator op,
              const struct ckrun_value *a, const struct ckrun_value *b)
{
    bool any_complex = a->kind == CKRUN_COMPLEX || b->kind == CKRUN_COMPLEX;
    bool ints = !any_complex && a->kind != CKRUN_FLOAT && b->kind != CKRUN_FLOAT;
    double x = ckrun_as_float(a), y = ckrun_as_float(b);
    double x_im = a->kind == CKRUN_COMPLEX ? a->im : 0, y_im = b->kind == CKRUN_COMPLEX ? b->im : 0;
    bool less = ints ? a->i < b->i : x < y, greater = ints ? a->i > b->i : x > y;
    bool equal = ints ? a->i == b->i : x == y && x_im == y_im;
    if (any_complex && op != CKRUN_EQUAL && op != CKRUN_NOT_EQUAL)
        ckrun_parse_fail(p, at, "complex numbers have no order");
    bool result = op == CKRUN_LESS            ? less
                  : op == CKRUN_LESS_EQUAL    ? less || equal
                  : op == CKRUN_GREATER       ? greater
                  : op == CKRUN_GREATER_EQUAL ? greater || equal
                  : op == CKRUN_EQUAL         ? equal
                                              : !equal;
    return (struct ckrun_value){.kind = CKRUN_BOOL, .i = result};
}

static bool
is_bitwise(enum ckrun_operator op)
{
    return op >= CKRUN_BIT_AND && op <= CKRUN_SHIFT_RIGHT;
}

/* Reports operands that a plain number's operator does not take. */
static void
check_operands(struct ckrun_parser *p, const char *at, enum ckrun_operator op,
               const struct ckrun_value *a, const struct ckrun_value *b)
{
    bool divides = op == CKRUN_DIVIDE || op == CKRUN_FLOOR_DIVIDE || op == CKRUN_REMAINDER;
    bool ints = a->kind <= CKRUN_INT && b->kind <= CKRUN_INT;
    if (divides && ckrun_as_float(b) == 0 && (b->kind != CKRUN_COMPLEX || b->im == 0))
        ckrun_parse_fail(p, at, "division by zero");
    else if (is_bitwise(op) && !ints)
        ckrun_parse_fail(p, at, "bitwise operators are for integers and bools");
    else if ((op == CKRUN_SHIFT_LEFT || op == CKRUN_SHIFT_RIGHT) && b->i < 0)
        ckrun_parse_fail(p, at, "a shift by a negative number");
}

/* Plain numbers, as Python has them. */
static struct ckrun_value
operate_plain(struct ckrun_parser *p, const char *at, enum ckrun_operator op, struct ckrun_value a,
              struct ckrun_value b)
{
    struct ckrun_value result = ckrun_int_value(1);
    check_operands(p, at, op, &a, &b);
    if (p->error)
        return result;
    if (op >= CKRUN_LESS)
        return compare_plain(p, at, op, &a, &b);
    if (a.kind == CKRUN_COMPLEX || b.kind == CKRUN_COMPLEX)
        return complex_operation(p, at, op, &a, &b);
    bool floats = a.kind == CKRUN_FLOAT || b.kind == CKRUN_FLOAT || op == CKRUN_DIVIDE ||
                  (op == CKRUN_POWER && b.i < 0);
    if (floats)
        return ckrun_float_value(ckrun_combine_floats(op, ckrun_as_float(&a), ckrun_as_float(&b)));
    if (is_bitwise(op) && a.kind == CKRUN_BOOL && b.kind == CKRUN_BOOL && op < CKRUN_SHIFT_LEFT)
        result.kind = CKRUN_BOOL;
    if (int_operation(&result.i, op, a.i, b.i))
        ckrun_parse_fail(p, at, "the result is too large");
    return result;
}

struct ckrun_value
ckrun_operate(struct ckrun_parser *p, const char *at, enum ckrun_operator op, struct ckrun_value a,
              struct ckrun_value b)
{
    const struct ckrun_value *operands[] = {&a, &b};
    bool typed = false;
    for (int i = 0; i < 2 && !p->error; i++) {
        const struct ckrun_value *v = operands[i];
        typed = typed || v->kind == CKRUN_ARRAY || v->dtype;
        if (!ckrun_is_any_number(v) && v->kind != CKRUN_ARRAY)
            ckrun_parse_fail(p, at, "arithmetic is for numbers and arrays: this is %s",
                             ckrun_kind_text(v->kind));
    }
    if (p->error)
        return ckrun_int_value(1);
    if (op == CKRUN_MATRIX_PRODUCT)
        return ckrun_matrix_product(p, at, &a, &b);
    return typed ? ckrun_operate_typed(p, at, op, &a, &b) : operate_plain(p, at, op, a, b);
}

struct ckrun_value
ckrun_invert(struct ckrun_parser *p, const char *at, struct ckrun_value v)
{
    const ck_dtype dtype = v.kind == CKRUN_ARRAY ? v.array->host.dtype : v.dtype;
    const bool is_plain = v.kind != CKRUN_ARRAY && !dtype;
    const struct ckrun_value yes = {.kind = CKRUN_BOOL, .i = 1};
    if (is_plain ? v.kind != CKRUN_INT && v.kind != CKRUN_BOOL
                 : dtype != CK_BOOL && !ckrun_is_int_dtype(dtype)) {
        ckrun_parse_fail(p, at, "bitwise operators are for integers and bools");
        return v;
    }
    if (dtype == CK_BOOL)
        return ckrun_operate(p, at, CKRUN_BIT_XOR, v, yes);
    const bool is_unsigned = dtype >= CK_UINT8 && dtype <= CK_UINT64;
    const ckrun_int ones = is_unsigned ? ((ckrun_int)1 << 8 * ck_dtype_size(dtype)) - 1 : -1;
    return ckrun_operate(p, at, CKRUN_SUBTRACT, ckrun_int_value(ones), v);
}

struct ckrun_value
ckrun_negate(struct ckrun_parser *p, const char *at, struct ckrun_value v)
{
    bool is_float = v.kind == CKRUN_FLOAT || v.kind == CKRUN_COMPLEX ||
                    (v.kind == CKRUN_ARRAY && !ckrun_is_int_dtype(v.array->host.dtype));
    if (!is_float || v.kind == CKRUN_ARRAY) /* of floats, so that zero changes its sign too */
        return ckrun_operate(p, at, is_float ? CKRUN_MULTIPLY : CKRUN_SUBTRACT,
                             ckrun_int_value(is_float ? -1 : 0), v);
    v.f = -v.f;
    if (v.kind == CKRUN_COMPLEX)
        v.im = -v.im;
    return v;
}
