/* Dates and times: NumPy's datetime64 and timedelta64, an int64 with a unit in its type. Operations
 * are functions of lang/prelude/date.ck on int64, which this file chooses by the types, after it
 * has brought both operands to the shorter of their units. What has no meaning is an error, as in
 * Numba. */
#include "lang/check/date.h"

#include <string.h>

#include "lang/check/evaluate.h"

bool
ck_is_date(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && ck_type_is_date(value->type);
}

bool
ck_has_date(const struct ck_value *values, int n)
{
    for (int i = 0; i < n; i++) {
        if (ck_is_date(&values[i]))
            return true;
    }
    return false;
}

static bool
is_delta(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && value->type->kind == CK_TYPE_TIMEDELTA64;
}

static bool
is_datetime(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && value->type->kind == CK_TYPE_DATETIME64;
}

static bool
is_number(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN &&
           (ck_type_is_int(value->type) || ck_type_is_float(value->type));
}

/* --- Counts --------------------------------------------------------------------------------------
 */

static const struct ck_type *
int64_type(void)
{
    return ck_type_scalar(CK_TYPE_INT64);
}

/* The same 64 bits as a value of another type. */
static struct ck_value
retyped(struct ck_fn *fn, const struct ck_value *value, const struct ck_type *type)
{
    const bool is_constant = value->expr->kind == CK_T_CONST;
    struct ck_texpr *expr =
        ck_texpr_new(fn, is_constant ? CK_T_CONST : CK_T_CAST, type, value->expr->span);
    if (is_constant)
        expr->constant.i = value->expr->constant.i;
    else
        expr->unary.operand = value->expr;
    struct ck_value result = ck_value_run(type, expr);
    result.span = value->span;
    return result;
}

struct ck_value
ck_date_count(struct ck_fn *fn, const struct ck_value *date)
{
    return retyped(fn, date, int64_type());
}

struct ck_value
ck_date_of_count(struct ck_fn *fn, const struct ck_value *count, const struct ck_type *type)
{
    return count->kind == CK_VALUE_RUN ? retyped(fn, count, type) : *count;
}

static struct ck_value
constant(struct ck_fn *fn, const struct ck_type *type, int64_t n, struct ck_span span)
{
    return ck_value_run(type, ck_const_int(fn, type, n, span));
}

/* The prelude's function `date_NAME` of one or two arguments. */
static struct ck_value
call(struct ck_fn *fn, const char *name, const struct ck_value *a, const struct ck_value *b,
     struct ck_span span)
{
    if (a->kind == CK_VALUE_ERROR || (b && b->kind == CK_VALUE_ERROR))
        return ck_value_error(span);
    struct ck_value args[2] = {*a};
    if (b)
        args[1] = *b;
    struct ck_global *function =
        ck_prelude_function(fn->c, ck_arena_printf(fn->c->arena, "date_%s", name));
    return fn->constant_only ? ck_evaluate_call(fn, function, args, b ? 2 : 1, span)
                             : ck_call_instance(fn, function, args, b ? 2 : 1, span);
}

/* Whether an operand is NaT. */
static struct ck_texpr *
is_nat(struct ck_fn *fn, struct ck_texpr *count, struct ck_span span)
{
    return ck_compare_expr(fn, CK_CMP_EQ, count, ck_const_int(fn, int64_type(), CK_NAT, span),
                           span);
}

/* An operation of int64, or NaT if an operand is. The text has the operation: it is no function of
 * the prelude, so that the check of overflow reports it. */
static struct ck_value
unless_nat(struct ck_fn *fn, enum ck_binary_op op, const struct ck_value *left,
           const struct ck_value *right, struct ck_span span)
{
    if (left->kind == CK_VALUE_ERROR || right->kind == CK_VALUE_ERROR)
        return ck_value_error(span);
    struct ck_texpr *outer = NULL, *inner = NULL, *a = left->expr, *b = right->expr;
    a = ck_is_simple(a) ? a : ck_let_new(fn, a, span, &outer);
    b = ck_is_simple(b) ? b : ck_let_new(fn, b, span, &inner);
    struct ck_texpr *result = ck_binary_expr(fn, op, a, b, span);
    result->must_fit = true;
    struct ck_texpr *either = is_nat(fn, a, span);
    if (op != CK_OP_MUL) /* else the right operand is a number */
        either = ck_logical(fn, true, either, is_nat(fn, b, span), span);
    result = ck_select_expr(fn, either, ck_const_int(fn, int64_type(), CK_NAT, span), result, span);
    return ck_value_run(int64_type(), ck_let_in(outer, ck_let_in(inner, result)));
}

/* --- Units ---------------------------------------------------------------------------------------
 */

/* The count of a shorter unit. */
static struct ck_value
scaled(struct ck_fn *fn, struct ck_value count, int64_t factor)
{
    const struct ck_value by = constant(fn, int64_type(), factor, count.span);
    return factor == 1 ? count : unless_nat(fn, CK_OP_MUL, &count, &by, count.span);
}

/* The count of a longer unit, rounded down. */
static struct ck_value
whole(struct ck_fn *fn, struct ck_value count, int64_t factor)
{
    const struct ck_value by = constant(fn, int64_type(), factor, count.span);
    return factor == 1 ? count : call(fn, "whole", &count, &by, count.span);
}

static bool
is_calendar(enum ck_date_unit unit)
{
    return unit <= CK_UNIT_MONTH;
}

/* Whether numbers of one unit are those of another by a table of months: of datetime64 alone. */
static bool
needs_calendar(const struct ck_type *type, enum ck_date_unit to)
{
    const enum ck_date_unit from = type->date.unit;
    return type->kind == CK_TYPE_DATETIME64 && is_calendar(from) != is_calendar(to) &&
           from != CK_UNIT_GENERIC && to != CK_UNIT_GENERIC;
}

/* Whether a value can be brought to a unit. */
static bool
converts(const struct ck_type *type, enum ck_date_unit to)
{
    const enum ck_date_unit from = type->date.unit;
    int64_t factor;
    if (!needs_calendar(type, to))
        return ck_date_factor(from, to, &factor) || ck_date_factor(to, from, &factor);
    return ck_date_factor(CK_UNIT_DAY, is_calendar(from) ? to : from, &factor) ||
           from == CK_UNIT_WEEK || to == CK_UNIT_WEEK;
}

/* The count in a unit to which the value converts, rounded down. */
static struct ck_value
count_in(struct ck_fn *fn, const struct ck_value *value, enum ck_date_unit to)
{
    const enum ck_date_unit from = value->type->date.unit;
    struct ck_value count = ck_date_count(fn, value);
    int64_t factor = 1, year = is_calendar(from) ? from == CK_UNIT_YEAR : to == CK_UNIT_YEAR;
    if (!needs_calendar(value->type, to)) {
        if (ck_date_factor(from, to, &factor))
            return scaled(fn, count, factor);
        ck_date_factor(to, from, &factor);
        return whole(fn, count, factor);
    }
    year = year ? 12 : 1;
    if (is_calendar(from)) {
        count = scaled(fn, count, year);
        count = call(fn, "days_of_months", &count, NULL, value->span);
        if (to == CK_UNIT_WEEK)
            return whole(fn, count, 7);
        ck_date_factor(CK_UNIT_DAY, to, &factor);
        return scaled(fn, count, factor);
    }
    if (from == CK_UNIT_WEEK) {
        count = scaled(fn, count, 7);
    } else {
        ck_date_factor(CK_UNIT_DAY, from, &factor);
        count = whole(fn, count, factor);
    }
    count = call(fn, "months_of_days", &count, NULL, value->span);
    return whole(fn, count, year);
}

static enum ck_date_unit
shorter(enum ck_date_unit a, enum ck_date_unit b)
{
    if (a == CK_UNIT_GENERIC || b == CK_UNIT_GENERIC)
        return a == CK_UNIT_GENERIC ? b : a;
    return a > b ? a : b;
}

static void
help_units(struct ck_fn *fn, struct ck_diag *diag, const struct ck_value *left,
           const struct ck_value *right)
{
    const enum ck_date_unit a = left->type->date.unit, b = right->type->date.unit;
    if (is_calendar(a) == is_calendar(b)) {
        ck_diag_help(fn->c->diags, diag, "64 bits do not hold %s in units of %s: convert one first",
                     ck_text_of(fn, (a < b ? left : right)->type),
                     ck_date_unit_name(shorter(a, b)));
        return;
    }
    const struct ck_value *date = is_datetime(left) ? left : is_datetime(right) ? right : NULL;
    if (date)
        ck_diag_help(fn->c->diags, diag,
                     "years and months have no length in days: convert the date, "
                     "`np.datetime64(%s, 'M')`",
                     ck_diag_text(fn->c->diags, date->span));
    else
        ck_diag_help(fn->c->diags, diag, "years and months have no length in days");
}

/* The unit of both values; CK_N_UNITS: they have none in common. */
static enum ck_date_unit
common_unit(const struct ck_value *left, const struct ck_value *right)
{
    const enum ck_date_unit unit = shorter(left->type->date.unit, right->type->date.unit);
    return converts(left->type, unit) && converts(right->type, unit) ? unit : CK_N_UNITS;
}

const struct ck_type *
ck_date_common_type(const struct ck_type *a, const struct ck_type *b)
{
    const struct ck_value left = {.type = a}, right = {.type = b};
    if (a->kind != b->kind)
        return NULL;
    const enum ck_date_unit unit = common_unit(&left, &right);
    return unit == CK_N_UNITS ? NULL : ck_type_date(a->kind, unit);
}

/* --- Operators -----------------------------------------------------------------------------------
 */

static void
help_operands(struct ck_fn *fn, struct ck_diag *diag, enum ck_binary_op op,
              const struct ck_value *left, const struct ck_value *right)
{
    const struct ck_value *number = is_number(left) ? left : is_number(right) ? right : NULL;
    const char *text = number ? ck_diag_text(fn->c->diags, number->span) : NULL;
    const bool adds = op == CK_OP_ADD || op == CK_OP_SUB;
    if (ck_is_date(left) && ck_is_date(right) && common_unit(left, right) == CK_N_UNITS)
        help_units(fn, diag, left, right);
    else if (adds && number && ck_type_is_int(number->type))
        ck_diag_help(fn->c->diags, diag, "a number has no unit: write `np.timedelta64(%s, 'D')`",
                     text);
    else if (is_datetime(left) && is_datetime(right))
        ck_diag_help(fn->c->diags, diag, "two dates have a difference alone, `a - b`");
}

static struct ck_value
bad_operands(struct ck_fn *fn, enum ck_binary_op op, const struct ck_value *left,
             const struct ck_value *right, struct ck_span span)
{
    struct ck_diag *diag = ck_error(fn, BAD_OPERANDS, span, ck_binary_op_text(op),
                                    ck_text_of(fn, left->type), ck_text_of(fn, right->type));
    help_operands(fn, diag, op, left, right);
    return ck_value_error(span);
}

/* A timedelta64 times or divided by a number. */
static struct ck_value
scale_delta(struct ck_fn *fn, bool multiplies, const struct ck_value *delta,
            const struct ck_value *number, struct ck_span span)
{
    const bool is_float = ck_type_is_float(number->type);
    const struct ck_type *type = is_float ? ck_type_scalar(CK_TYPE_FLOAT64) : int64_type();
    const struct ck_value by = ck_value_run(type, ck_cast(fn, number->expr, type));
    const struct ck_value count = ck_date_count(fn, delta);
    const struct ck_value result =
        is_float     ? call(fn, multiplies ? "times_float" : "over_float", &count, &by, span)
        : multiplies ? unless_nat(fn, CK_OP_MUL, &count, &by, span)
                     : call(fn, "over", &count, &by, span);
    return ck_date_of_count(fn, &result, delta->type);
}

/* An operation of the prelude on both counts in their common unit. */
static struct ck_value
on_counts(struct ck_fn *fn, const char *name, const struct ck_value *left,
          const struct ck_value *right, enum ck_date_unit unit, struct ck_span span)
{
    const struct ck_value a = count_in(fn, left, unit), b = count_in(fn, right, unit);
    return call(fn, name, &a, &b, span);
}

/* The type of a sum or a difference; VOID: there is none. */
static enum ck_type_kind
sum_kind(enum ck_binary_op op, const struct ck_value *left, const struct ck_value *right)
{
    if (is_delta(left) && is_delta(right))
        return CK_TYPE_TIMEDELTA64;
    if (is_datetime(left) && is_datetime(right))
        return op == CK_OP_SUB ? CK_TYPE_TIMEDELTA64 : CK_TYPE_VOID;
    return is_datetime(left) || op == CK_OP_ADD ? CK_TYPE_DATETIME64 : CK_TYPE_VOID;
}

struct ck_value
ck_date_binary(struct ck_fn *fn, enum ck_binary_op op, const struct ck_value *left,
               const struct ck_value *right, struct ck_span span)
{
    const bool divides = op == CK_OP_DIV || op == CK_OP_FLOORDIV;
    if (op == CK_OP_MUL && is_delta(left) && is_number(right))
        return scale_delta(fn, true, left, right, span);
    if (op == CK_OP_MUL && is_number(left) && is_delta(right))
        return scale_delta(fn, true, right, left, span);
    if (divides && is_delta(left) && is_number(right))
        return scale_delta(fn, false, left, right, span);
    if (!ck_is_date(left) || !ck_is_date(right))
        return bad_operands(fn, op, left, right, span);
    const enum ck_date_unit unit = common_unit(left, right);
    if (unit == CK_N_UNITS)
        return bad_operands(fn, op, left, right, span);
    if (op == CK_OP_ADD || op == CK_OP_SUB) {
        const enum ck_type_kind kind = sum_kind(op, left, right);
        if (kind == CK_TYPE_VOID)
            return bad_operands(fn, op, left, right, span);
        const struct ck_value a = count_in(fn, left, unit), b = count_in(fn, right, unit);
        const struct ck_value count = unless_nat(fn, op, &a, &b, span);
        return ck_date_of_count(fn, &count, ck_type_date(kind, unit));
    }
    if (!is_delta(left) || !is_delta(right) || !(divides || op == CK_OP_MOD))
        return bad_operands(fn, op, left, right, span);
    const char *name = op == CK_OP_DIV ? "ratio" : op == CK_OP_MOD ? "mod" : "floordiv";
    const struct ck_value result = on_counts(fn, name, left, right, unit, span);
    return op == CK_OP_MOD ? ck_date_of_count(fn, &result, ck_type_date(CK_TYPE_TIMEDELTA64, unit))
                           : result;
}

struct ck_value
ck_date_unary(struct ck_fn *fn, enum ck_unary_op op, const struct ck_value *operand,
              struct ck_span span)
{
    if (op == CK_OP_POS && is_delta(operand))
        return *operand;
    if (op == CK_OP_NEG && is_delta(operand)) {
        const struct ck_value count = ck_date_count(fn, operand);
        const struct ck_value result = call(fn, "negative", &count, NULL, span);
        return ck_date_of_count(fn, &result, operand->type);
    }
    ck_error(fn, BAD_OPERAND, span, ck_unary_op_text(op), ck_text_of(fn, operand->type));
    return ck_value_error(span);
}

struct ck_texpr *
ck_date_compare(struct ck_fn *fn, enum ck_compare_op op, const struct ck_value *left,
                const struct ck_value *right, struct ck_span span)
{
    static const char *const names[] = {
        [CK_CMP_LT] = "lt", [CK_CMP_LE] = "le", [CK_CMP_GT] = "gt",
        [CK_CMP_GE] = "ge", [CK_CMP_EQ] = "eq", [CK_CMP_NE] = "ne",
    };
    const bool alike =
        ck_is_date(left) && ck_is_date(right) && left->type->kind == right->type->kind;
    const enum ck_date_unit unit = alike ? common_unit(left, right) : CK_N_UNITS;
    if (unit != CK_N_UNITS)
        return on_counts(fn, names[op], left, right, unit, span).expr;
    struct ck_diag *diag = ck_error(fn, BAD_OPERANDS, span, ck_compare_op_text(op),
                                    ck_text_of(fn, left->type), ck_text_of(fn, right->type));
    if (alike)
        help_units(fn, diag, left, right);
    else if (is_number(left) || is_number(right))
        ck_help_date(fn, diag, ck_is_date(left) ? left : right, int64_type());
    return NULL;
}

/* --- Functions -----------------------------------------------------------------------------------
 */

enum shape {
    OF_DELTA, /* a timedelta64 of one */
    TEST,     /* a bool of a date or time */
    EXTREME,  /* of several of one kind */
    COUNT,    /* an int64 */
};

static const struct {
    const char *path, *prelude;
    enum shape shape;
} functions[] = {
    {"abs", "abs", OF_DELTA},
    {"np.abs", "abs", OF_DELTA},
    {"np.absolute", "abs", OF_DELTA},
    {"np.sign", "sign", OF_DELTA},
    {"np.negative", "negative", OF_DELTA},
    {"np.isnat", "is_nat", TEST},
    {"isnan", "is_nat", TEST},
    {"np.isnan", "is_nat", TEST},
    {"isinf", "never", TEST},
    {"np.isinf", "never", TEST},
    {"isfinite", "is_not_nat", TEST},
    {"np.isfinite", "is_not_nat", TEST},
    {"min", "fmin", EXTREME},
    {"max", "fmax", EXTREME},
    {"np.fmin", "fmin", EXTREME},
    {"np.fmax", "fmax", EXTREME},
    {"minimum", "minimum", EXTREME},
    {"maximum", "maximum", EXTREME},
    {"np.minimum", "minimum", EXTREME},
    {"np.maximum", "maximum", EXTREME},
    {"int", NULL, COUNT},
};

static bool
are_alike(const struct ck_value *args, int n)
{
    for (int i = 0; i < n; i++) {
        if (!ck_is_date(&args[i]) || args[i].type->kind != args[0].type->kind)
            return false;
    }
    return true;
}

static struct ck_value
extreme(struct ck_fn *fn, const char *name, const struct ck_value *args, int n, struct ck_span span)
{
    struct ck_value result = args[0];
    for (int i = 1; i < n; i++) {
        const enum ck_date_unit unit = common_unit(&result, &args[i]);
        if (unit == CK_N_UNITS) {
            struct ck_diag *diag = ck_error(
                fn, WRONG_TYPE, span,
                ck_arena_printf(fn->c->arena, "%s and %s have no common unit",
                                ck_text_of(fn, result.type), ck_text_of(fn, args[i].type)));
            help_units(fn, diag, &result, &args[i]);
            return ck_value_error(span);
        }
        const struct ck_value count = on_counts(fn, name, &result, &args[i], unit, span);
        if (count.kind != CK_VALUE_RUN)
            return count;
        result = ck_date_of_count(fn, &count, ck_type_date(args[0].type->kind, unit));
    }
    return result;
}

/* Python's int() of a date has a meaning for nanoseconds alone. */
static bool
has_count(const struct ck_value *date)
{
    return is_delta(date) || date->type->date.unit == CK_UNIT_NS;
}

bool
ck_date_function(struct ck_fn *fn, const char *path, const struct ck_value *args, int n,
                 struct ck_span span, struct ck_value *out)
{
    size_t i = 0;
    while (i < sizeof functions / sizeof *functions && strcmp(functions[i].path, path) != 0)
        i++;
    if (i == sizeof functions / sizeof *functions || !are_alike(args, n))
        return false;
    const enum shape shape = functions[i].shape;
    const struct ck_value count = ck_date_count(fn, &args[0]);
    if ((shape == OF_DELTA && !is_delta(&args[0])) || (shape == COUNT && !has_count(&args[0])))
        return false;
    if (shape == COUNT) {
        *out = count;
    } else if (shape == EXTREME) {
        *out = extreme(fn, functions[i].prelude, args, n, span);
    } else {
        *out = call(fn, functions[i].prelude, &count, NULL, span);
        if (shape == OF_DELTA)
            *out = ck_date_of_count(fn, out, args[0].type);
    }
    return true;
}

/* --- Types ---------------------------------------------------------------------------------------
 */

static bool
is_unitless(const struct ck_type *type)
{
    return ck_type_is_date(type) && type->date.unit == CK_UNIT_GENERIC;
}

const struct ck_type *
ck_date_type_of_subscript(struct ck_checker *c, const struct ck_expr *expr)
{
    const struct ck_expr *index = expr->subscript.indices[0], *object = expr->subscript.object;
    const bool is_name = index->kind == CK_EXPR_NAME, is_text = index->kind == CK_EXPR_STRING;
    if (expr->subscript.n_indices != 1 || !(is_name || is_text) ||
        (object->kind != CK_EXPR_NAME && object->kind != CK_EXPR_ATTRIBUTE))
        return NULL;
    const char *letters = is_name ? index->name : index->string.bytes;
    const enum ck_date_unit unit = ck_date_unit_find(letters, strlen(letters));
    if (unit == CK_N_UNITS)
        return NULL;
    struct ck_fn scope = ck_module_scope(c);
    const struct ck_value type = ck_probe(&scope, object);
    return type.kind == CK_VALUE_TYPE && is_unitless(type.type)
               ? ck_type_date(type.type->kind, unit)
               : NULL;
}

/* The unit that a string names; CK_N_UNITS, reported if `report`. */
static enum ck_date_unit
unit_of(struct ck_checker *c, const struct ck_expr *expr, bool report)
{
    const bool is_text = expr->kind == CK_EXPR_STRING;
    const char *letters = is_text ? expr->string.bytes : "?";
    const enum ck_date_unit unit = ck_date_unit_find(letters, strlen(letters));
    if (unit != CK_N_UNITS || !report)
        return unit;
    struct ck_diag *diag = ck_diag_add(
        c->diags, CK_DIAG_BAD_TYPE, expr->span,
        is_text ? ck_arena_printf(c->arena, "`%s` is not a unit of dates and times", letters)
                : "a unit is written as a string");
    if (letters[0] >= '0' && letters[0] <= '9')
        ck_diag_help(c->diags, diag, "multiples of units are not supported: count single ones");
    else
        ck_diag_help(c->diags, diag, "units are Y M W D h m s ms us ns ps fs as");
    return CK_N_UNITS;
}

const struct ck_type *
ck_date_type_of_call(struct ck_checker *c, const struct ck_expr *call_expr, enum ck_type_kind kind,
                     bool report)
{
    const struct ck_argument *args = call_expr->call.args;
    if (call_expr->call.n_args == 1 && !args[0].name) {
        const enum ck_date_unit unit = unit_of(c, args[0].value, report);
        return unit == CK_N_UNITS ? NULL : ck_type_date(kind, unit);
    }
    if (report)
        ck_diag_add(c->diags, CK_DIAG_BAD_TYPE, call_expr->span,
                    "the type of dates or times is written with its unit: NPDatetime('D')");
    return NULL;
}

/* --- Values --------------------------------------------------------------------------------------
 */

struct ck_texpr *
ck_date_convert(struct ck_fn *fn, const struct ck_value *value, const struct ck_type *type)
{
    if (value->type == type)
        return value->expr;
    const bool takes_unit = is_unitless(value->type) && value->type->kind == type->kind;
    return takes_unit ? retyped(fn, value, type).expr : NULL;
}

void
ck_help_date(struct ck_fn *fn, struct ck_diag *diag, const struct ck_value *value,
             const struct ck_type *type)
{
    const char *text = ck_diag_text(fn->c->diags, value->span);
    const bool to_date = ck_type_is_date(type), of_date = ck_is_date(value);
    const bool converts_to = to_date && of_date && value->type->kind == type->kind &&
                             !is_unitless(type) && converts(value->type, type->date.unit);
    const bool of_int = value->kind == CK_VALUE_RUN && ck_type_is_int(value->type);
    const char *name = to_date && type->kind == CK_TYPE_TIMEDELTA64 ? "timedelta64" : "datetime64";
    if (converts_to || (to_date && of_int))
        ck_diag_help(fn->c->diags, diag, "%s: `np.%s(%s, '%s')`",
                     of_int ? "say the unit" : "convert it", name, text,
                     ck_date_unit_name(type->date.unit));
    else if (of_date && ck_type_is_scalar(type))
        ck_diag_help(fn->c->diags, diag, "`int64(%s)` counts its units, in which NaT is -2**63",
                     text);
}

static struct ck_value
wrong_value(struct ck_fn *fn, const struct ck_type *type, struct ck_span span, const char *text)
{
    struct ck_diag *diag = ck_error(fn, WRONG_TYPE, span, text);
    if (type->kind == CK_TYPE_TIMEDELTA64)
        ck_diag_help(fn->c->diags, diag,
                     "a time is made of an integer and a unit, `np.timedelta64(5, 'D')`, of "
                     "'NaT', or of another time");
    else
        ck_diag_help(fn->c->diags, diag,
                     "a date is made of a text, `np.datetime64('2020-05-06')`, of an integer and a "
                     "unit, or of another date");
    return ck_value_error(span);
}

struct ck_value
ck_date_of_text(struct ck_fn *fn, const struct ck_type *type, const struct ck_expr *text)
{
    enum ck_date_unit unit = type->date.unit;
    int64_t count;
    const char *fault = strlen(text->string.bytes) < text->string.length
                            ? "a date has no such character"
                            : ck_date_read(text->string.bytes, &unit, &count);
    if (type->kind == CK_TYPE_TIMEDELTA64 && (fault || count != CK_NAT))
        fault = "a time is not made of such a text";
    if (fault)
        return wrong_value(fn, type, text->span, fault);
    return constant(fn, ck_type_date(type->kind, unit), count, text->span);
}

struct ck_value
ck_date_of_value(struct ck_fn *fn, const struct ck_type *type, const struct ck_value *value,
                 struct ck_span span)
{
    const bool of_int = ck_type_is_int(value->type);
    if (of_int && is_unitless(type) && type->kind == CK_TYPE_DATETIME64)
        return wrong_value(fn, type, span, "the unit is missing");
    if (of_int) {
        const struct ck_value count =
            ck_value_run(int64_type(), ck_cast(fn, value->expr, int64_type()));
        return ck_date_of_count(fn, &count, type);
    }
    if (!ck_is_date(value) || value->type->kind != type->kind)
        return wrong_value(fn, type, value->span,
                           ck_arena_printf(fn->c->arena, "%s cannot be made of %s",
                                           ck_text_of(fn, type), ck_text_of(fn, value->type)));
    if (is_unitless(type))
        return *value;
    if (!converts(value->type, type->date.unit))
        return wrong_value(fn, type, value->span,
                           ck_arena_printf(fn->c->arena, "%s does not convert to %s",
                                           ck_text_of(fn, value->type), ck_text_of(fn, type)));
    const struct ck_value count = count_in(fn, value, type->date.unit);
    return ck_date_of_count(fn, &count, type);
}

struct ck_value
ck_make_date(struct ck_fn *fn, const struct ck_type *type, const struct ck_expr *expr)
{
    const struct ck_argument *args = expr->call.args;
    const int n = expr->call.n_args;
    for (int i = 0; i < n; i++) {
        if (args[i].name) {
            ck_error(fn, KEYWORD, args[i].name_span, args[i].name, ck_text_of(fn, type));
            return ck_value_error(expr->span);
        }
    }
    if (n < 1 || n > 2) {
        ck_error(fn, WRONG_COUNT, expr->span, ck_text_of(fn, type), "1 or 2 arguments", n);
        return ck_value_error(expr->span);
    }
    if (n == 2) {
        const enum ck_date_unit unit = unit_of(fn->c, args[1].value, true);
        if (unit == CK_N_UNITS) {
            fn->c->n_failures++;
            return ck_value_error(expr->span);
        }
        type = ck_type_date(type->kind, unit);
    }
    if (args[0].value->kind == CK_EXPR_STRING)
        return ck_date_of_text(fn, type, args[0].value);
    const struct ck_value value = ck_check_run(fn, args[0].value);
    if (value.kind == CK_VALUE_ERROR)
        return value;
    struct ck_value date = ck_date_of_value(fn, type, &value, expr->span);
    date.span = expr->span;
    return date;
}
