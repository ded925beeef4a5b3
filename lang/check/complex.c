/* Complex numbers: parts, casts, operations on constants, attributes and constructors.
 *
 * A complex constant is a TUPLE of two constants, its real and its imaginary part. */
#include <complex.h>
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"

/* --- Parts ---------------------------------------------------------------------------------------
 */

struct ck_texpr *
ck_complex_new(struct ck_fn *fn, const struct ck_type *type, struct ck_texpr *re,
               struct ck_texpr *im, struct ck_span span)
{
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_TUPLE, type, span);
    expr->tuple.n = 2;
    expr->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, 2);
    expr->tuple.items[0] = re;
    expr->tuple.items[1] = im;
    return expr;
}

/* Only the part is evaluated if skipping the other has no effect. */
struct ck_texpr *
ck_complex_part(struct ck_fn *fn, struct ck_texpr *expr, int i)
{
    if (expr->kind == CK_T_TUPLE && !ck_has_effect(expr->tuple.items[1 - i]))
        return expr->tuple.items[i];
    struct ck_texpr *part = ck_texpr_new(fn, CK_T_ITEM, ck_type_part(expr->type), expr->span);
    part->item.tuple = expr;
    part->item.index = i;
    return part;
}

struct ck_texpr *
ck_complex_cast(struct ck_fn *fn, struct ck_texpr *expr, const struct ck_type *type)
{
    struct ck_span span = expr->span;
    if (!ck_type_is_complex(expr->type)) {
        const struct ck_type *part = ck_type_part(type);
        return ck_complex_new(fn, type, ck_cast(fn, expr, part),
                              ck_const_float(fn, part, 0.0, span), span);
    }
    if (ck_is_constant(expr) && type->kind == CK_TYPE_BOOL) {
        bool zero =
            expr->tuple.items[0]->constant.f == 0.0 && expr->tuple.items[1]->constant.f == 0.0;
        return ck_const_int(fn, type, !zero, span);
    }
    if (expr->kind == CK_T_TUPLE && type->kind != CK_TYPE_BOOL) {
        const struct ck_type *part = ck_type_part(type);
        return ck_complex_new(fn, type, ck_cast(fn, expr->tuple.items[0], part),
                              ck_cast(fn, expr->tuple.items[1], part), span);
    }
    struct ck_texpr *cast = ck_texpr_new(fn, CK_T_CAST, type, span);
    cast->unary.operand = expr;
    return cast;
}

void
ck_help_real(struct ck_fn *fn, struct ck_diag *diag)
{
    ck_diag_help(fn->c->diags, diag, "of a complex number take `.real`, `.imag` or `abs(...)`");
}

/* --- Operations ----------------------------------------------------------------------------------
 */

/* CMPLX of the C library exists for GCC only. */
static double complex
complex_of(double re, double im)
{
    return __builtin_complex(re, im);
}

static double complex
constant_of(const struct ck_texpr *expr)
{
    return complex_of(expr->tuple.items[0]->constant.f, expr->tuple.items[1]->constant.f);
}

/* Part by part, so that infinite parts stay infinite. */
static double complex
product(double complex a, double complex b)
{
    return complex_of(creal(a) * creal(b) - cimag(a) * cimag(b),
                      creal(a) * cimag(b) + cimag(a) * creal(b));
}

static double complex
operate(enum ck_binary_op op, double complex a, double complex b)
{
    switch (op) {
    case CK_OP_ADD:
        return a + b;
    case CK_OP_SUB:
        return a - b;
    case CK_OP_MUL:
        return product(a, b);
    default:
        return a / b;
    }
}

struct ck_texpr *
ck_complex_operation(struct ck_fn *fn, enum ck_binary_op op, struct ck_texpr *left,
                     struct ck_texpr *right, struct ck_span span)
{
    const struct ck_type *type = left->type, *part = ck_type_part(type);
    double complex result = operate(op, constant_of(left), constant_of(right));
    return ck_complex_new(fn, type, ck_const_float(fn, part, creal(result), span),
                          ck_const_float(fn, part, cimag(result), span), span);
}

static struct ck_texpr *
negate_part(struct ck_fn *fn, struct ck_texpr *part, struct ck_span span)
{
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_UNARY, part->type, span);
    if (part->kind == CK_T_CONST) {
        expr->kind = CK_T_CONST;
        expr->constant.f = -part->constant.f;
        return expr;
    }
    expr->unary.op = CK_OP_NEG;
    expr->unary.operand = part;
    return expr;
}

struct ck_texpr *
ck_complex_negate(struct ck_fn *fn, struct ck_texpr *operand, struct ck_span span)
{
    if (ck_is_constant(operand))
        return ck_complex_new(fn, operand->type, negate_part(fn, operand->tuple.items[0], span),
                              negate_part(fn, operand->tuple.items[1], span), span);
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_UNARY, operand->type, span);
    expr->unary.op = CK_OP_NEG;
    expr->unary.operand = operand;
    return expr;
}

bool
ck_complex_equal(const struct ck_texpr *left, const struct ck_texpr *right)
{
    return constant_of(left) == constant_of(right);
}

/* --- Attributes ----------------------------------------------------------------------------------
 */

/* In arithmetic a bool is an int32, and so are its parts. */
static struct ck_value
real_number(struct ck_fn *fn, struct ck_value value)
{
    const struct ck_type *i32 = ck_type_scalar(CK_TYPE_INT32);
    return value.type->kind == CK_TYPE_BOOL ? ck_value_run(i32, ck_cast(fn, value.expr, i32))
                                            : value;
}

/* 0 in a real number's type. The number's effects still happen. */
static struct ck_value
imaginary_of_real(struct ck_fn *fn, const struct ck_value *number, struct ck_span span)
{
    const struct ck_type *held = number->expr->type;
    struct ck_texpr *zero =
        ck_cast(fn, ck_const_int(fn, ck_type_scalar(CK_TYPE_INT64), 0, span), held);
    if (!ck_has_effect(number->expr))
        return ck_value_run(number->type, zero);
    struct ck_texpr *let;
    ck_let_new(fn, number->expr, span, &let);
    return ck_value_run(held, ck_let_in(let, zero));
}

bool
ck_is_number_attribute(const char *name)
{
    static const char *const names[] = {"real", "imag", "conjugate", "bit_count", "item"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

struct ck_value
ck_number_attribute(struct ck_fn *fn, const struct ck_value *number, const struct ck_expr *expr)
{
    const char *name = expr->attribute.name;
    bool imaginary = strcmp(name, "imag") == 0;
    if (!imaginary && strcmp(name, "real") != 0) {
        ck_error(fn, WRONG_TYPE, expr->span, "a function is not a value: call it");
        return ck_value_error(expr->span);
    }
    return ck_number_part(fn, number, imaginary, expr->span);
}

struct ck_value
ck_number_part(struct ck_fn *fn, const struct ck_value *number, bool imaginary, struct ck_span span)
{
    if (ck_type_is_complex(number->type))
        return ck_value_run(ck_type_part(number->type),
                            ck_complex_part(fn, number->expr, imaginary));
    struct ck_value real = real_number(fn, *number);
    return imaginary ? imaginary_of_real(fn, &real, span) : real;
}

struct ck_value
ck_number_conjugate(struct ck_fn *fn, struct ck_value value, struct ck_span span)
{
    struct ck_texpr *number = value.expr, *let = NULL;
    if (!ck_type_is_complex(value.type))
        return real_number(fn, value);
    if (!ck_is_simple(number))
        number = ck_let_new(fn, number, span, &let);
    struct ck_texpr *result =
        ck_complex_new(fn, number->type, ck_complex_part(fn, number, 0),
                       negate_part(fn, ck_complex_part(fn, number, 1), span), span);
    return ck_value_run(let ? result->type : value.type, ck_let_in(let, result));
}

struct ck_value
ck_number_method(struct ck_fn *fn, struct ck_value number, const struct ck_expr *call)
{
    const struct ck_expr *callee = call->call.callee;
    const char *name = callee->attribute.name;
    if (strcmp(name, "real") == 0 || strcmp(name, "imag") == 0) {
        struct ck_diag *diag =
            ck_error(fn, NOT_CALLABLE, callee->span, ck_diag_text(fn->c->diags, callee->span));
        ck_diag_help(fn->c->diags, diag, "it is a number: leave out the `()`");
        return ck_value_error(call->span);
    }
    if (call->call.n_args) {
        ck_error(fn, WRONG_COUNT, call->span, name, "no arguments", call->call.n_args);
        return ck_value_error(call->span);
    }
    if (strcmp(name, "item") == 0)
        return number;
    if (strcmp(name, "conjugate") == 0)
        return ck_number_conjugate(fn, number, call->span);
    if (!ck_type_is_whole(number.type)) {
        ck_error(fn, NO_ATTRIBUTE, callee->attribute.name_span, ck_text_of(fn, number.type), name);
        return ck_value_error(call->span);
    }
    return ck_bit_count(fn, &number, call);
}
