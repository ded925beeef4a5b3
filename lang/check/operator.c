/* Checking operators, comparisons and conditions. */
#include <math.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"
#include "lang/check/date.h"
#include "lang/check/element.h"
#include "lang/check/foreign_names.h"
#include "lang/check/name_tuple.h"
#include "lang/check/optional.h"
#include "lang/check/vector.h"
#include "lang/typed/bounds.h"
#include "lang/typed/fold.h"

/* --- Operators -----------------------------------------------------------------------------------
 */

/* An operand as the help shows it: an element for a whole array. NULL: it has too many axes. */
static const char *
element_text(struct ck_fn *fn, const struct ck_value *operand)
{
    static const char *const indices[] = {"[()]", "[i]", "[i, j]", "[i, j, k]"};
    const bool is_array = ck_type_is_array(operand->type);
    int ndim = is_array ? operand->type->array.ndim : 0;
    if (ndim >= (int)(sizeof indices / sizeof *indices))
        return NULL;
    return ck_arena_printf(fn->c->arena, "%s%s", ck_diag_text(fn->c->diags, operand->span),
                           is_array ? indices[ndim] : "");
}

static bool
is_array_or_scalar(const struct ck_value *operand)
{
    return ck_type_is_array(operand->type) || ck_type_is_scalar(operand->type);
}

/* Whole arrays cannot be operands: the help shows the operation on elements. */
static void
help_with_elements(struct ck_fn *fn, struct ck_diag *diag, const char *op,
                   const struct ck_value *left, const struct ck_value *right)
{
    struct ck_span span = ck_span_join(left->span, right->span);
    bool whole = span.start == diag->span.start && span.end == diag->span.end;
    if (ck_type_is_vector(left->type) || ck_type_is_vector(right->type))
        ck_help_with_vectors(fn, diag, left, right);
    if (ck_is_record_place(left) || ck_is_record_place(right)) {
        ck_diag_help(
            fn->c->diags, diag,
            "records have no operators but `==` and `!=` with one of their type: name a field, "
            "`%s.%s`",
            ck_diag_text(fn->c->diags, (ck_is_record_place(left) ? left : right)->span),
            (ck_is_record_place(left) ? left : right)->type->array.elem->tuple.fields->names[0]);
        return;
    }
    bool arrays = ck_type_is_array(left->type) || ck_type_is_array(right->type);
    if (!whole || !arrays || !is_array_or_scalar(left) || !is_array_or_scalar(right))
        return; /* items of tuples, or operands of other kinds */
    const char *l = element_text(fn, left), *r = element_text(fn, right);
    if (l && r)
        ck_diag_help(fn->c->diags, diag, "write it for an element, in a loop: `%s %s %s`", l, op,
                     r);
}

static struct ck_value
bad_operands(struct ck_fn *fn, const char *op, const struct ck_value *left,
             const struct ck_value *right, struct ck_span span)
{
    struct ck_diag *diag = ck_error(fn, BAD_OPERANDS, span, op, ck_text_of(fn, left->type),
                                    ck_text_of(fn, right->type));
    help_with_elements(fn, diag, op, left, right);
    return ck_value_error(span);
}

static const char *
cast_of(struct ck_fn *fn, const struct ck_value *value)
{
    bool is_signed = ck_type_is_signed(value->type);
    return ck_arena_printf(fn->c->arena, "`%s(%s)`", is_signed ? "uint64" : "int64",
                           ck_diag_text(fn->c->diags, value->span));
}

struct ck_value
ck_mixed_sign(struct ck_fn *fn, const struct ck_value *left, const struct ck_value *right,
              struct ck_span span)
{
    struct ck_diag *diag =
        ck_error(fn, MIXED_SIGN, span, ck_text_of(fn, left->type), ck_text_of(fn, right->type));
    ck_diag_help(fn->c->diags, diag, "cast one of them: %s or %s", cast_of(fn, left),
                 cast_of(fn, right));
    return ck_value_error(span);
}

void
ck_mixed_sign_among(struct ck_fn *fn, const struct ck_value *values, int last)
{
    int i = 0;
    while (i < last - 1 && ck_promote(values[i].type, values[last].type))
        i++;
    ck_mixed_sign(fn, &values[i], &values[last], values[last].span);
}

static bool
is_real_scalar(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && ck_type_is_scalar(value->type) &&
           !ck_type_is_complex(value->type);
}

static bool
is_complex(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && ck_type_is_complex(value->type);
}

static bool
is_scalar(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && ck_type_is_scalar(value->type);
}

static bool
is_bitwise(enum ck_binary_op op)
{
    return op >= CK_OP_SHL;
}

/* The type in which an operator computes; NULL: none, and *mixed is set if the cause is a mix of
 * int64 and uint64. */
static const struct ck_type *
operation_type(enum ck_binary_op op, const struct ck_value *left, const struct ck_value *right,
               bool *mixed)
{
    bool logical = op == CK_OP_AND || op == CK_OP_OR || op == CK_OP_XOR;
    if (logical && left->type->kind == CK_TYPE_BOOL && right->type->kind == CK_TYPE_BOOL)
        return left->type;
    const struct ck_type *type =
        logical ? ck_common_type(left, right) : ck_arithmetic_type(left, right);
    *mixed = !type;
    if (!type || (is_bitwise(op) && !ck_type_is_int(type)))
        return NULL;
    if (op == CK_OP_DIV && ck_type_is_int(type))
        return type->kind == CK_TYPE_WEAK_INT ? ck_type_scalar(CK_TYPE_WEAK_FLOAT)
                                              : ck_type_scalar(CK_TYPE_FLOAT64);
    return type;
}

/* An operation on literals only: computed without wrapping, or an error. */
static bool
weak_overflows(enum ck_binary_op op, int64_t a, int64_t b)
{
    int64_t ignored;
    switch (op) {
    case CK_OP_ADD:
        return __builtin_add_overflow(a, b, &ignored);
    case CK_OP_SUB:
        return __builtin_sub_overflow(a, b, &ignored);
    case CK_OP_MUL:
        return __builtin_mul_overflow(a, b, &ignored);
    case CK_OP_SHL:
        return a != 0 && (b < 0 || b > 62 || (int64_t)((uint64_t)a << b) >> b != a);
    case CK_OP_POW:
        ignored = 1;
        for (int64_t i = 0; i < b && i < 64 && a != 0 && a != 1 && a != -1; i++) {
            if (__builtin_mul_overflow(ignored, a, &ignored))
                return true;
        }
        return b > 64 && a != 0 && a != 1 && a != -1;
    default:
        return false;
    }
}

/* 1 of a float or complex type. */
static struct ck_texpr *
one_of(struct ck_fn *fn, const struct ck_type *type, struct ck_span span)
{
    return ck_cast(fn, ck_const_float(fn, ck_type_scalar(CK_TYPE_FLOAT64), 1.0, span), type);
}

/* x ** n by repeated squaring (exponentiation by squaring), for a constant n >= 0; x is simple. */
static struct ck_texpr *
multiply_out(struct ck_fn *fn, struct ck_texpr *x, int64_t n, struct ck_span span)
{
    if (n == 0)
        return ck_type_is_int(x->type) ? ck_const_int(fn, x->type, 1, span)
                                       : one_of(fn, x->type, span);
    if (n == 1)
        return x;
    struct ck_texpr *half = multiply_out(fn, x, n / 2, span);
    struct ck_texpr *let = NULL;
    if (!ck_is_simple(half))
        half = ck_let_new(fn, half, span, &let);
    struct ck_texpr *square = ck_binary_expr(fn, CK_OP_MUL, half, half, span);
    square->must_fit = true;
    square = ck_let_in(let, square);
    if (n % 2 == 0)
        return square;
    struct ck_texpr *product = ck_binary_expr(fn, CK_OP_MUL, square, x, span);
    product->must_fit = true;
    return product;
}

/* A power with a constant integer exponent, expanded into multiplications; for a negative exponent
 * the reciprocal, except on integers. */
static struct ck_texpr *
constant_power(struct ck_fn *fn, struct ck_texpr *base, int64_t n, struct ck_span span)
{
    struct ck_texpr *let = NULL;
    if (!ck_is_simple(base))
        base = ck_let_new(fn, base, span, &let);
    struct ck_texpr *result = multiply_out(fn, base, n < 0 ? -n : n, span);
    if (n < 0)
        result = ck_binary_expr(fn, CK_OP_DIV, one_of(fn, base->type, span), result, span);
    return ck_let_in(let, result);
}

/* Whether an operation on two non-negative values has a non-negative result. 64-bit sums of
 * positions and sizes do not overflow. Repeated products could (a random generator), so a product
 * counts only if no loop carries its operands. */
static bool
stays_nonnegative(enum ck_binary_op op, const struct ck_value *result)
{
    bool wide = result->type->kind == CK_TYPE_INT64;
    switch (op) {
    case CK_OP_ADD:
        return wide;
    case CK_OP_MUL:
        return wide && !result->origin.carried;
    case CK_OP_FLOORDIV:
    case CK_OP_MOD:
    case CK_OP_AND:
    case CK_OP_OR:
    case CK_OP_SHR:
        return true;
    default:
        return false;
    }
}

static void
note_wrap(struct ck_value *value, enum ck_binary_op op, struct ck_span at)
{
    value->origin.may_wrap = at;
    value->origin.wrapping_op = op;
}

static bool
is_literal_below(const struct ck_value *value, int64_t limit)
{
    return ck_type_is_weak(value->type) && value->range.low > -limit && value->range.high < limit;
}

/* Whether a 32-bit operation may have another result than in 64 bits. A sum with a small literal
 * (`a[i] + 1`) wraps only at the end of the type's range, and is not counted. */
static bool
may_wrap(enum ck_binary_op op, const struct ck_value *left, const struct ck_value *right,
         const struct ck_texpr *l, const struct ck_texpr *r)
{
    bool sum = op == CK_OP_ADD || op == CK_OP_SUB;
    if (!ck_type_is_int(l->type) || ck_type_bits(l->type) != 32 ||
        !(sum || op == CK_OP_MUL || op == CK_OP_SHL))
        return false;
    if (sum && (is_literal_below(left, 1 << 16) || is_literal_below(right, 1 << 16)))
        return false;
    return !ck_cannot_wrap(op, l, r);
}

/* The operation computed in `type`, with the facts known of its result. */
static struct ck_value
operate(struct ck_fn *fn, enum ck_binary_op op, const struct ck_value *left,
        const struct ck_value *right, const struct ck_type *type, struct ck_span span)
{
    struct ck_texpr *l = ck_convert(fn, left, type), *r = ck_convert(fn, right, type);
    if (!l || !r)
        return ck_value_error(span);
    struct ck_value result = ck_value_run(type, ck_binary_expr(fn, op, l, r, span));
    result.expr->must_fit = true;
    result.origin.carried = left->origin.carried || right->origin.carried;
    if (left->nonnegative && right->nonnegative && stays_nonnegative(op, &result))
        result.nonnegative = true;
    if (ck_type_is_int(l->type) && ck_type_bits(l->type) <= 32 && !result.nonnegative)
        result.nonnegative = ck_bounds_of(result.expr).low >= 0;
    if (result.expr->kind != CK_T_CONST && may_wrap(op, left, right, l, r))
        note_wrap(&result, op, span);
    return result;
}

/* Arithmetic with a complex operand. */
static struct ck_value
complex_binary(struct ck_fn *fn, enum ck_binary_op op, const struct ck_value *left,
               const struct ck_value *right, struct ck_span span)
{
    int64_t n;
    if ((op > CK_OP_DIV && op != CK_OP_POW) || !is_scalar(left) || !is_scalar(right))
        return bad_operands(fn, ck_binary_op_text(op), left, right, span);
    const struct ck_type *type = ck_promote(left->type, right->type);
    bool is_weak = type->kind == CK_TYPE_WEAK_COMPLEX;
    if (type->kind == CK_TYPE_COMPLEX128)
        ck_warn_float64(fn, op, left, right, span);
    struct ck_texpr *l = ck_convert(fn, left, type), *result;
    if (op == CK_OP_POW && ck_value_const_int(right, &n) && n >= -CK_MAX_POWER &&
        n <= CK_MAX_POWER) {
        result = l ? constant_power(fn, l, n, span) : NULL;
    } else {
        struct ck_texpr *r = ck_convert(fn, right, type);
        result = l && r ? ck_binary_expr(fn, op, l, r, span) : NULL;
    }
    if (!result)
        return ck_value_error(span);
    return ck_value_run(is_weak && ck_is_constant(result) ? type : result->type, result);
}

/* Whether a power computed in `type` is expanded into multiplications: the exponent is an integer
 * constant, and not negative for an integer base. Powers of literals follow Python. */
static bool
is_multiplied_out(const struct ck_value *right, const struct ck_type *type, int64_t *exponent)
{
    bool is_float = ck_type_is_float(type);
    if (ck_type_is_weak(type) || right->expr->kind != CK_T_CONST)
        return false;
    if (!ck_value_const_int(right, exponent)) {
        double value = right->expr->constant.f;
        if (!is_float || !ck_type_is_float(right->type) || !(fabs(value) <= CK_MAX_POWER) ||
            value != trunc(value))
            return false;
        *exponent = (int64_t)value;
    }
    return *exponent <= CK_MAX_POWER && *exponent >= (is_float ? -CK_MAX_POWER : 0);
}

/* left ** n, computed in `type`. */
static struct ck_value
power_of(struct ck_fn *fn, const struct ck_value *left, int64_t n, const struct ck_type *type,
         struct ck_span span)
{
    ck_warn_late_widening(fn, left, type, span);
    struct ck_texpr *base = ck_convert(fn, left, type);
    if (!base)
        return ck_value_error(span);
    /* An exponent that 16 bits cannot hold is within float32's range; the result is rounded
     * once. */
    bool is_half = ck_type_is_float(type) && ck_type_size(type) == 2;
    const struct ck_type *wide = is_half ? ck_type_scalar(CK_TYPE_FLOAT32) : type;
    struct ck_texpr *power = constant_power(fn, ck_cast(fn, base, wide), n, span);
    struct ck_value result = ck_value_run(type, ck_cast(fn, power, type));
    if (n > 1 && may_wrap(CK_OP_MUL, left, left, base, base))
        note_wrap(&result, CK_OP_POW, span);
    return result;
}

struct ck_value
ck_check_binary(struct ck_fn *fn, enum ck_binary_op op, struct ck_value left, struct ck_value right,
                struct ck_span span)
{
    struct ck_value result;
    if (left.kind == CK_VALUE_ERROR || right.kind == CK_VALUE_ERROR)
        return ck_value_error(span);
    if (ck_const_array_binary(fn, op, &left, &right, span, &result))
        return result;
    if (ck_type_is_vector(left.type) || ck_type_is_vector(right.type))
        return ck_vector_binary(fn, op, &left, &right, span, &result)
                   ? result
                   : bad_operands(fn, ck_binary_op_text(op), &left, &right, span);
    if (ck_is_date(&left) || ck_is_date(&right))
        return ck_date_binary(fn, op, &left, &right, span);
    if (is_complex(&left) || is_complex(&right))
        return complex_binary(fn, op, &left, &right, span);
    if (op == CK_OP_ADD && left.type->kind == CK_TYPE_TUPLE && right.type->kind == CK_TYPE_TUPLE)
        return ck_concatenate(fn, left, right, span);
    if (!is_real_scalar(&left) || !is_real_scalar(&right))
        return bad_operands(fn, ck_binary_op_text(op), &left, &right, span);
    bool mixed = false;
    const struct ck_type *type = operation_type(op, &left, &right, &mixed);
    if (mixed)
        return ck_mixed_sign(fn, &left, &right, span);
    if (!type)
        return bad_operands(fn, ck_binary_op_text(op), &left, &right, span);

    int64_t a, b;
    bool known_left = ck_value_const_int(&left, &a), known_right = ck_value_const_int(&right, &b);
    if (type->kind == CK_TYPE_WEAK_INT) {
        if (!known_left || !known_right) { /* a joined name: no longer a literal */
            type = ck_type_scalar(CK_TYPE_INT64);
        } else if (weak_overflows(op, a, b)) {
            ck_error(fn, LITERAL_FIT, span, ck_diag_text(fn->c->diags, span), "int64");
            return ck_value_error(span);
        }
    } else if (type->kind == CK_TYPE_WEAK_FLOAT &&
               !(left.expr->kind == CK_T_CONST && right.expr->kind == CK_T_CONST)) {
        type = ck_type_scalar(CK_TYPE_FLOAT64);
    }
    if (op == CK_OP_POW && type->kind == CK_TYPE_WEAK_INT && b < 0) {
        type = ck_type_scalar(CK_TYPE_WEAK_FLOAT); /* 2 ** -1 is 0.5, as in Python */
    }
    if (type->kind == CK_TYPE_FLOAT64)
        ck_warn_float64(fn, op, &left, &right, span);
    if (op == CK_OP_POW && is_multiplied_out(&right, type, &b))
        return power_of(fn, &left, b, type, span);
    ck_warn_late_widening(fn, &left, type, span);
    if (op != CK_OP_SHL && op != CK_OP_SHR)
        ck_warn_late_widening(fn, &right, type, span);
    return operate(fn, op, &left, &right, type, span);
}

struct ck_value
ck_unary_value(struct ck_fn *fn, enum ck_unary_op op, const struct ck_value *operand,
               struct ck_span span)
{
    const struct ck_type *type = operand->type;
    if (is_complex(operand)) {
        bool constant = ck_is_constant(operand->expr);
        struct ck_texpr *negated = ck_complex_negate(fn, operand->expr, span);
        return ck_value_run(constant ? type : negated->type, negated);
    }
    struct ck_texpr *result = ck_texpr_new(fn, CK_T_UNARY, operand->expr->type, span);
    if (operand->expr->kind == CK_T_CONST && ck_fold_unary(result, op, operand->expr)) {
        result->kind = CK_T_CONST;
        return ck_value_run(type, result);
    }
    result->must_fit = true;
    result->unary.op = op;
    result->unary.operand = operand->expr;
    return ck_value_run(result->type, result);
}

struct ck_value
ck_unary_number(struct ck_fn *fn, enum ck_unary_op op, struct ck_value operand, struct ck_span span)
{
    bool keeps = op == CK_OP_INVERT && operand.type->kind != CK_TYPE_BOOL;
    const struct ck_type *computed = keeps ? operand.type : ck_operand_type(operand.type);
    if (computed != operand.type)
        operand = ck_value_run(computed, ck_cast(fn, operand.expr, computed));
    return op == CK_OP_POS ? operand : ck_unary_value(fn, op, &operand, span);
}

struct ck_value
ck_check_unary(struct ck_fn *fn, const struct ck_expr *expr)
{
    enum ck_unary_op op = expr->unary.op;
    const struct ck_expr *syntax = expr->unary.operand;
    if (op == CK_OP_NOT) {
        struct ck_texpr *test = ck_check_condition(fn, expr);
        return test ? ck_value_run(test->type, test) : ck_value_error(expr->span);
    }
    bool lowest = op == CK_OP_NEG && syntax->kind == CK_EXPR_INT &&
                  syntax->integer.value == UINT64_C(1) << 63;
    if (lowest)
        return ck_value_int(fn, INT64_MIN, expr->span);
    struct ck_value operand = ck_check_run(fn, syntax);
    struct ck_value result;
    if (operand.kind == CK_VALUE_ERROR)
        return operand;
    if (ck_const_array_unary(fn, op, &operand, expr->span, &result))
        return result;
    if (ck_is_date(&operand))
        return ck_date_unary(fn, op, &operand, expr->span);
    const bool is_vector = ck_type_is_vector(operand.type);
    const struct ck_type *type = is_vector ? operand.type->tuple.items[0] : operand.type;
    if ((!is_scalar(&operand) && !is_vector) ||
        (op == CK_OP_INVERT && (ck_type_is_float(type) || is_complex(&operand)))) {
        struct ck_diag *diag = ck_error(fn, BAD_OPERAND, expr->span, ck_unary_op_text(op),
                                        ck_text_of(fn, operand.type));
        const char *text = ck_type_is_array(operand.type) ? element_text(fn, &operand) : NULL;
        if (text)
            ck_diag_help(fn->c->diags, diag, "write it for an element, in a loop: `%s%s`",
                         ck_unary_op_text(op), text);
        return ck_value_error(expr->span);
    }
    return is_vector ? ck_vector_unary(fn, op, operand, expr->span)
                     : ck_unary_number(fn, op, operand, expr->span);
}

/* --- Comparison ----------------------------------------------------------------------------------
 */

struct ck_texpr *
ck_logical(struct ck_fn *fn, bool is_or, struct ck_texpr *left, struct ck_texpr *right,
           struct ck_span span)
{
    if (left->kind == CK_T_CONST)
        return (left->constant.i != 0) == is_or ? left : right;
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_LOGICAL, left->type, span);
    expr->logical.is_or = is_or;
    expr->logical.left = left;
    expr->logical.right = right;
    return expr;
}

/* Compares int64 with uint64 exactly: a negative signed value is less than any unsigned one. Both
 * are simple. */
static struct ck_texpr *
compare_signs(struct ck_fn *fn, enum ck_compare_op op, struct ck_texpr *left,
              struct ck_texpr *right, struct ck_span span)
{
    const struct ck_type *u64 = ck_type_scalar(CK_TYPE_UINT64);
    bool signed_left = ck_type_is_signed(left->type);
    struct ck_texpr *with_sign = signed_left ? left : right;
    struct ck_texpr *zero = ck_const_int(fn, with_sign->type, 0, span);
    struct ck_texpr *below = ck_compare_expr(fn, CK_CMP_LT, with_sign, zero, span);
    struct ck_texpr *not_below = ck_compare_expr(fn, CK_CMP_GE, with_sign, zero, span);
    struct ck_texpr *plain =
        ck_compare_expr(fn, op, ck_cast(fn, left, u64), ck_cast(fn, right, u64), span);
    bool less = op == CK_CMP_LT || op == CK_CMP_LE, greater = op == CK_CMP_GT || op == CK_CMP_GE;
    bool if_below = op == CK_CMP_NE || (signed_left ? less : greater);
    return if_below ? ck_logical(fn, true, below, plain, span)
                    : ck_logical(fn, false, not_below, plain, span);
}

/* The type of a record, in memory or as a value. NULL: another value. */
static const struct ck_type *
record_of(const struct ck_value *value)
{
    if (ck_is_record_place(value))
        return value->type->array.elem;
    return value->kind == CK_VALUE_RUN && ck_type_is_record(value->type) ? value->type : NULL;
}

/* Whether two records of one type have the same fields, or not, where one is in memory. */
static struct ck_texpr *
compare_records(struct ck_fn *fn, enum ck_compare_op op, struct ck_value left,
                struct ck_value right, struct ck_span span)
{
    const struct ck_type *type = record_of(&left);
    struct ck_texpr *lets[2];
    if (ck_is_record_place(&left))
        left = ck_value_run(type, ck_record_load(fn, &left));
    left = ck_name_once(fn, left, &lets[0]);
    if (ck_is_record_place(&right))
        right = ck_value_run(type, ck_record_load(fn, &right));
    right = ck_name_once(fn, right, &lets[1]);
    struct ck_texpr *result = ck_compare_tuples(fn, op, &left, &right, span);
    return ck_let_in(lets[0], ck_let_in(lets[1], result));
}

struct ck_texpr *
ck_compare_values(struct ck_fn *fn, enum ck_compare_op op, const struct ck_value *left,
                  const struct ck_value *right, struct ck_span span)
{
    if (left->kind == CK_VALUE_ERROR || right->kind == CK_VALUE_ERROR)
        return NULL;
    bool is_tuple = right->type->kind == CK_TYPE_TUPLE;
    if (op > CK_CMP_NE) {
        if (is_tuple)
            return ck_contains(fn, op, left, right, span);
        struct ck_diag *diag = ck_error(fn, BAD_OPERANDS, span, ck_compare_op_text(op),
                                        ck_text_of(fn, left->type), ck_text_of(fn, right->type));
        ck_diag_help(fn->c->diags, diag, "it looks through tuples; compare with `==` in a loop");
        return NULL;
    }
    if (is_tuple && left->type->kind == CK_TYPE_TUPLE)
        return ck_compare_tuples(fn, op, left, right, span);
    if (ck_is_date(left) || ck_is_date(right))
        return ck_date_compare(fn, op, left, right, span);
    bool complex = is_complex(left) || is_complex(right);
    bool orders = op != CK_CMP_EQ && op != CK_CMP_NE;
    if (!orders && record_of(left) && record_of(left) == record_of(right))
        return compare_records(fn, op, *left, *right, span);
    if (!is_scalar(left) || !is_scalar(right) || (complex && orders)) {
        struct ck_diag *diag = ck_error(fn, BAD_OPERANDS, span, ck_compare_op_text(op),
                                        ck_text_of(fn, left->type), ck_text_of(fn, right->type));
        if (complex && is_scalar(left) && is_scalar(right))
            ck_diag_help(fn->c->diags, diag,
                         "complex numbers have no order: compare `abs(...)` or `.real`");
        else
            help_with_elements(fn, diag, ck_compare_op_text(op), left, right);
        return NULL;
    }
    if (left->type->kind == CK_TYPE_BOOL && right->type->kind == CK_TYPE_BOOL)
        return ck_compare_expr(fn, op, left->expr, right->expr, span);
    const struct ck_type *type = ck_common_type(left, right);
    if (!type)
        return compare_signs(fn, op, left->expr, right->expr, span);
    ck_warn_late_widening(fn, left, type, span);
    ck_warn_late_widening(fn, right, type, span);
    struct ck_texpr *l = ck_convert(fn, left, type), *r = ck_convert(fn, right, type);
    return l && r ? ck_compare_expr(fn, op, l, r, span) : NULL;
}

static bool
is_identity(enum ck_compare_op op)
{
    return op == CK_CMP_IS || op == CK_CMP_IS_NOT;
}

/* None, or `types.none`, which is its type in overloads. */
static bool
is_none(struct ck_fn *fn, const struct ck_expr *expr)
{
    return expr->kind == CK_EXPR_NONE || (fn->chooses && ck_is_name_of_types(fn, expr, "none"));
}

/* Reports a comparison with None in a chain. */
static bool
has_none(struct ck_fn *fn, const struct ck_expr *expr, int i)
{
    const struct ck_expr *left = expr->compare.operands[i], *right = expr->compare.operands[i + 1];
    if (left->kind != CK_EXPR_NONE && right->kind != CK_EXPR_NONE)
        return false;
    struct ck_diag *diag =
        ck_error(fn, NOT_IN_KERNELS, ck_span_join(left->span, right->span), "None");
    ck_diag_help(fn->c->diags, diag, "`x is None` and `x is not None` are comparisons with it");
    return true;
}

static struct ck_texpr *
report_identity(struct ck_fn *fn, enum ck_compare_op op, struct ck_span span)
{
    struct ck_diag *diag = ck_error(fn, BAD_OPERATOR, span, ck_compare_op_text(op));
    ck_diag_help(fn->c->diags, diag, "compare values with `%s`", op == CK_CMP_IS ? "==" : "!=");
    return NULL;
}

/* The operand that `x is None` and the like compare with None; NULL: another comparison. */
static const struct ck_expr *
compared_with_none(struct ck_fn *fn, const struct ck_expr *expr)
{
    enum ck_compare_op op = expr->compare.ops[0];
    bool compares = is_identity(op) || op == CK_CMP_EQ || op == CK_CMP_NE;
    if (expr->compare.n_ops > 1 || !compares)
        return NULL;
    if (is_none(fn, expr->compare.operands[1]))
        return expr->compare.operands[0];
    return is_none(fn, expr->compare.operands[0]) ? expr->compare.operands[1] : NULL;
}

/* Whether a value is None is known at compile time, but of a name that is so on some path. */
static struct ck_texpr *
compare_with_none(struct ck_fn *fn, enum ck_compare_op op, const struct ck_expr *operand,
                  struct ck_span span)
{
    const bool equal = op == CK_CMP_IS || op == CK_CMP_EQ;
    struct ck_texpr *flag = ck_none_flag(fn, operand);
    if (flag)
        return ck_compare_expr(fn, CK_CMP_EQ, flag, ck_const_int(fn, flag->type, equal, span),
                               span);
    struct ck_value value = ck_check_expr(fn, operand);
    if (value.kind == CK_VALUE_NONE && value.expr)
        value = ck_as_run(fn, value);
    if (value.kind == CK_VALUE_ERROR)
        return NULL;
    bool is_none = value.kind == CK_VALUE_NONE;
    return ck_known_bool(fn, &value, is_none == equal, span);
}

/* left op operands[i+1] and operands[i+1] op ... : each operand evaluated once, later ones
 * lazily. */
static struct ck_texpr *
compare_from(struct ck_fn *fn, const struct ck_expr *expr, int i, struct ck_value left)
{
    struct ck_texpr *let;
    enum ck_compare_op op = expr->compare.ops[i];
    if (has_none(fn, expr, i))
        return NULL;
    struct ck_value right = ck_check_expr(fn, expr->compare.operands[i + 1]);
    const bool is_known =
        ck_compares_known(&left, &right) || (fn->chooses && right.kind == CK_VALUE_NAMES);
    if (!is_known)
        left = ck_as_run(fn, left);
    struct ck_span span = ck_span_join(left.span, right.span);
    if (is_identity(op) && left.kind != CK_VALUE_TYPE && right.kind != CK_VALUE_TYPE)
        return report_identity(fn, op, span);
    if (is_identity(op)) /* a type is one object */
        op = op == CK_CMP_IS ? CK_CMP_EQ : CK_CMP_NE;
    right = ck_name_once(fn, is_known ? right : ck_as_run(fn, right), &let);
    struct ck_texpr *link;
    if (is_known)
        link = ck_compare_known(fn, op, &left, &right, span);
    else if (expr->compare.n_ops > 1 || !ck_const_array_compare(fn, op, &left, &right, span, &link))
        link = ck_compare_values(fn, op, &left, &right, span);
    if (i + 1 < expr->compare.n_ops) {
        struct ck_texpr *rest = compare_from(fn, expr, i + 1, right);
        link = link && rest ? ck_logical(fn, false, link, rest, expr->span) : NULL;
    }
    return ck_let_in(let, link);
}

struct ck_texpr *
ck_check_compare(struct ck_fn *fn, const struct ck_expr *expr)
{
    const struct ck_expr *perhaps_none = compared_with_none(fn, expr);
    if (perhaps_none)
        return compare_with_none(fn, expr->compare.ops[0], perhaps_none, expr->span);
    if (has_none(fn, expr, 0) || ck_report_template_call(fn, expr))
        return NULL;
    struct ck_value first = ck_check_expr(fn, expr->compare.operands[0]);
    struct ck_texpr *let;
    /* In overloads None and functions stand for their types too. */
    if (first.kind != CK_VALUE_STRING && first.kind != CK_VALUE_TYPE && !fn->chooses)
        first = ck_as_run(fn, first);
    first = ck_name_once(fn, first, &let);
    struct ck_texpr *result = ck_let_in(let, compare_from(fn, expr, 0, first));
    return result ? ck_decide_by_extents(fn, result) : NULL;
}

/* --- Conditions ----------------------------------------------------------------------------------
 */

static struct ck_texpr *
negate(struct ck_fn *fn, struct ck_texpr *test, struct ck_span span)
{
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_UNARY, test->type, span);
    if (test->kind == CK_T_CONST) {
        expr->kind = CK_T_CONST;
        expr->constant.i = !test->constant.i;
        return expr;
    }
    expr->unary.op = CK_OP_NOT;
    expr->unary.operand = test;
    return expr;
}

struct ck_texpr *
ck_check_condition(struct ck_fn *fn, const struct ck_expr *expr)
{
    if (expr->kind == CK_EXPR_UNARY && expr->unary.op == CK_OP_NOT) {
        struct ck_texpr *test = ck_check_condition(fn, expr->unary.operand);
        return test ? negate(fn, test, expr->span) : NULL;
    }
    if (expr->kind == CK_EXPR_COMPARE)
        return ck_check_compare(fn, expr);
    struct ck_texpr *truth;
    if (ck_truth_of_optional(fn, expr, &truth))
        return truth;
    if (expr->kind != CK_EXPR_LOGICAL) {
        struct ck_value value = ck_check_run(fn, expr);
        return ck_truth(fn, &value);
    }
    const struct ck_condition *outer = fn->conditions;
    struct ck_texpr *result = ck_check_condition(fn, expr->logical.operands[0]);
    for (int i = 1; i < expr->logical.n; i++) {
        if (result && result->kind == CK_T_CONST &&
            (result->constant.i != 0) == expr->logical.is_or)
            break; /* constant: the rest is never evaluated */
        ck_condition_begin(fn, expr->logical.operands[i - 1], &fn->env, !expr->logical.is_or);
        struct ck_texpr *next = ck_check_condition(fn, expr->logical.operands[i]);
        result =
            result && next ? ck_logical(fn, expr->logical.is_or, result, next, expr->span) : NULL;
    }
    fn->conditions = outer;
    return result ? ck_decide_by_extents(fn, result) : NULL;
}

/* a and b, a or b as values: the result is one of the operands. */
static struct ck_value
logical_values(struct ck_fn *fn, const struct ck_expr *expr, struct ck_value left, int i)
{
    if (i == expr->logical.n || left.kind == CK_VALUE_ERROR)
        return left;
    struct ck_texpr *truth = ck_truth(fn, &left);
    if (truth && truth->kind == CK_T_CONST) {
        if ((truth->constant.i != 0) == expr->logical.is_or)
            return left;
        return logical_values(fn, expr, ck_check_run(fn, expr->logical.operands[i]), i + 1);
    }
    struct ck_value right =
        logical_values(fn, expr, ck_check_run(fn, expr->logical.operands[i]), i + 1);
    if (!truth || right.kind == CK_VALUE_ERROR)
        return ck_value_error(expr->span);
    bool bools = left.type->kind == CK_TYPE_BOOL && right.type->kind == CK_TYPE_BOOL;
    if (bools)
        return ck_value_run(left.type,
                            ck_logical(fn, expr->logical.is_or, left.expr, right.expr, expr->span));
    const struct ck_type *type =
        ck_type_is_scalar(right.type) ? ck_common_type(&left, &right) : NULL;
    if (!type) {
        if (ck_type_is_scalar(right.type))
            return ck_mixed_sign(fn, &left, &right, expr->span);
        return bad_operands(fn, expr->logical.is_or ? "or" : "and", &left, &right, expr->span);
    }
    struct ck_texpr *let = NULL;
    if (!ck_is_simple(left.expr))
        left.expr = ck_let_new(fn, left.expr, left.span, &let);
    struct ck_texpr *l = ck_convert(fn, &left, type), *r = ck_convert(fn, &right, type);
    truth = ck_truth(fn, &left);
    if (!l || !r || !truth)
        return ck_value_error(expr->span);
    struct ck_texpr *select = expr->logical.is_or ? ck_select_expr(fn, truth, l, r, expr->span)
                                                  : ck_select_expr(fn, truth, r, l, expr->span);
    return ck_value_run(ck_storage_type(&fn->c->types, type), ck_let_in(let, select));
}

/* A value that is used only where the condition holds, or only where it does not. */
static struct ck_value
check_under(struct ck_fn *fn, const struct ck_expr *test, bool holds, const struct ck_expr *expr)
{
    const struct ck_condition *outer = fn->conditions;
    ck_condition_begin(fn, test, &fn->env, holds);
    struct ck_value value = ck_check_run(fn, expr);
    fn->conditions = outer;
    return value;
}

struct ck_value
ck_check_conditional(struct ck_fn *fn, const struct ck_expr *expr)
{
    struct ck_texpr *test = ck_check_condition(fn, expr->conditional.test);
    if (test && test->kind == CK_T_CONST)
        return ck_check_expr(fn, test->constant.i ? expr->conditional.then
                                                  : expr->conditional.otherwise);
    struct ck_value then = check_under(fn, expr->conditional.test, true, expr->conditional.then);
    struct ck_value otherwise =
        check_under(fn, expr->conditional.test, false, expr->conditional.otherwise);
    if (fn->c->inference.pass && then.kind != otherwise.kind) /* one is of a recursive call */
        return then.kind == CK_VALUE_ERROR ? otherwise : then;
    if (!test || then.kind == CK_VALUE_ERROR || otherwise.kind == CK_VALUE_ERROR)
        return ck_value_error(expr->span);
    const struct ck_type *type = ck_join_values(&fn->c->types, &then, &otherwise);
    if (!type) {
        ck_error(fn, BRANCH_TYPES, expr->span, ck_text_of(fn, then.type),
                 ck_text_of(fn, otherwise.type));
        return ck_value_error(expr->span);
    }
    struct ck_texpr *t = ck_convert(fn, &then, type), *o = ck_convert(fn, &otherwise, type);
    if (!t || !o)
        return ck_value_error(expr->span);
    struct ck_value value = ck_value_run(type, ck_select_expr(fn, test, t, o, expr->span));
    value.range.low = then.range.low < otherwise.range.low ? then.range.low : otherwise.range.low;
    value.range.high =
        then.range.high > otherwise.range.high ? then.range.high : otherwise.range.high;
    value.range.farthest = ck_farther(then.range.farthest, otherwise.range.farthest);
    value.nonnegative = then.nonnegative && otherwise.nonnegative;
    const struct ck_value *wraps = then.origin.may_wrap.end ? &then : &otherwise;
    note_wrap(&value, wraps->origin.wrapping_op, wraps->origin.may_wrap);
    return value;
}

struct ck_value
ck_check_logical(struct ck_fn *fn, const struct ck_expr *expr)
{
    return logical_values(fn, expr, ck_check_run(fn, expr->logical.operands[0]), 1);
}
