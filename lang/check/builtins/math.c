/* Typing rules of the functions of numbers: those of `math`, and the operations on bits.
 *
 * A function of floats whose arguments are literals, or constants made of them, is folded and stays
 * weak, so that `x * sqrt(2.0)` keeps x's type. */
#include <math.h>
#include <string.h>

#include "lang/check/builtins/rules.h"

/* --- Functions of floats -------------------------------------------------------------------------
 */

static double
inverse_root(double x)
{
    return 1 / sqrt(x);
}

static const struct {
    double (*of_one)(double x);
    double (*of_two)(double x, double y);
} folded[CK_N_BUILTINS] = {
    [CK_BUILTIN_ACOS] = {.of_one = acos},
    [CK_BUILTIN_ACOSH] = {.of_one = acosh},
    [CK_BUILTIN_ASIN] = {.of_one = asin},
    [CK_BUILTIN_ASINH] = {.of_one = asinh},
    [CK_BUILTIN_ATAN] = {.of_one = atan},
    [CK_BUILTIN_ATAN2] = {.of_two = atan2},
    [CK_BUILTIN_ATANH] = {.of_one = atanh},
    [CK_BUILTIN_CBRT] = {.of_one = cbrt},
    [CK_BUILTIN_CEIL] = {.of_one = ceil},
    [CK_BUILTIN_COPYSIGN] = {.of_two = copysign},
    [CK_BUILTIN_COS] = {.of_one = cos},
    [CK_BUILTIN_COSH] = {.of_one = cosh},
    [CK_BUILTIN_ERF] = {.of_one = erf},
    [CK_BUILTIN_ERFC] = {.of_one = erfc},
    [CK_BUILTIN_EXP] = {.of_one = exp},
    [CK_BUILTIN_EXP2] = {.of_one = exp2},
    [CK_BUILTIN_EXPM1] = {.of_one = expm1},
    [CK_BUILTIN_FABS] = {.of_one = fabs},
    [CK_BUILTIN_FLOOR] = {.of_one = floor},
    [CK_BUILTIN_FMOD] = {.of_two = fmod},
    [CK_BUILTIN_GAMMA] = {.of_one = tgamma},
    [CK_BUILTIN_HYPOT] = {.of_two = hypot},
    [CK_BUILTIN_J0] = {.of_one = j0},
    [CK_BUILTIN_J1] = {.of_one = j1},
    [CK_BUILTIN_LOG] = {.of_one = log},
    [CK_BUILTIN_LOG10] = {.of_one = log10},
    [CK_BUILTIN_LOG1P] = {.of_one = log1p},
    [CK_BUILTIN_LOG2] = {.of_one = log2},
    [CK_BUILTIN_NEXTAFTER] = {.of_two = nextafter},
    [CK_BUILTIN_REMAINDER] = {.of_two = remainder},
    [CK_BUILTIN_RINT] = {.of_one = rint},
    [CK_BUILTIN_RSQRT] = {.of_one = inverse_root},
    [CK_BUILTIN_SIN] = {.of_one = sin},
    [CK_BUILTIN_SINH] = {.of_one = sinh},
    [CK_BUILTIN_SQRT] = {.of_one = sqrt},
    [CK_BUILTIN_TAN] = {.of_one = tan},
    [CK_BUILTIN_TANH] = {.of_one = tanh},
    [CK_BUILTIN_TRUNC] = {.of_one = trunc},
    [CK_BUILTIN_Y0] = {.of_one = y0},
    [CK_BUILTIN_Y1] = {.of_one = y1},
};

static struct ck_value
weak_float(const struct ck_call *call, double value)
{
    struct ck_texpr *expr =
        ck_const_float(call->fn, ck_type_scalar(CK_TYPE_FLOAT64), value, call->syntax->span);
    return ck_value_run(ck_type_scalar(CK_TYPE_WEAK_FLOAT), expr);
}

static double
weak_number(const struct ck_value *value)
{
    const struct ck_texpr *expr = value->expr;
    return value->type->kind == CK_TYPE_WEAK_INT ? (double)expr->constant.i : expr->constant.f;
}

bool
ck_fold_float(enum ck_builtin_id id, const double *args, double *out)
{
    if (folded[id].of_one)
        *out = folded[id].of_one(args[0]);
    else if (folded[id].of_two)
        *out = folded[id].of_two(args[0], args[1]);
    return folded[id].of_one || folded[id].of_two;
}

/* The function's value if every argument is weak and constant. */
static bool
fold(const struct ck_call *call, double *out)
{
    double args[2] = {0};
    for (int i = 0; i < call->n_args; i++) {
        if (!ck_type_is_weak(call->args[i].type) || !ck_is_constant(call->args[i].expr))
            return false;
        if (i < 2)
            args[i] = weak_number(&call->args[i]);
    }
    return ck_fold_float(call->id, args, out);
}

const struct ck_type *
ck_float_type(struct ck_call *call, int n)
{
    const struct ck_type *common = NULL;
    for (int i = 0; i < n; i++) {
        if (!ck_is_number(&call->args[i])) {
            ck_wrong_type(call, i, n == 1 ? "a number" : "numbers");
            return NULL;
        }
        const struct ck_type *type = call->args[i].type;
        if (!common || (ck_type_is_weak(common) && !ck_type_is_float(common)))
            common = common && ck_type_is_float(type) ? ck_promote(common, type) : type;
        else if (ck_type_is_float(common) || ck_type_is_float(type))
            common = ck_promote(common, type);
    }
    return ck_type_is_float(common) ? ck_storage_type(&call->fn->c->types, common)
                                    : ck_type_scalar(CK_TYPE_FLOAT64);
}

struct ck_texpr *
ck_float_as(struct ck_call *call, int arg, const struct ck_type *type)
{
    const struct ck_value *value = &call->args[arg];
    if (ck_type_is_weak(value->type))
        return ck_convert(call->fn, value, type);
    return ck_cast(call->fn, value->expr, type);
}

/* The first n arguments as floats of one type, as the arguments of a call with a result of type
 * `returns` (NULL: that type). NULL after an error. */
static struct ck_texpr *
float_call(struct ck_call *call, int n, const struct ck_type *type, const struct ck_type *returns)
{
    struct ck_texpr *expr = ck_lowered(call, returns ? returns : type);
    for (int i = 0; i < n; i++) {
        struct ck_texpr *arg = ck_float_as(call, i, type);
        if (!arg)
            return NULL;
        ck_lowered_arg(call, expr, arg);
    }
    return expr;
}

static struct ck_value
call_value(const struct ck_call *call, struct ck_texpr *expr)
{
    return expr ? ck_value_run(expr->type, expr) : ck_value_error(call->syntax->span);
}

struct ck_value
ck_rule_float(struct ck_call *call)
{
    const struct ck_type *type = ck_float_type(call, call->n_args);
    double value;
    if (!type)
        return ck_value_error(call->syntax->span);
    if (fold(call, &value))
        return weak_float(call, value);
    return call_value(call, float_call(call, call->n_args, type, NULL));
}

/* log(x), and log(x, base) as the quotient of two. */
struct ck_value
ck_rule_log(struct ck_call *call)
{
    if (call->n_args == 1)
        return ck_rule_float(call);
    const struct ck_type *type = ck_float_type(call, 2);
    struct ck_value logs[2];
    if (!type)
        return ck_value_error(call->syntax->span);
    for (int i = 0; i < 2; i++) {
        struct ck_call part = *call;
        struct ck_value arg = call->args[i];
        if (!ck_type_is_weak(arg.type))
            arg = ck_value_run(type, ck_float_as(call, i, type));
        part.args = &arg;
        part.n_args = 1;
        logs[i] = ck_rule_float(&part);
    }
    return ck_check_binary(call->fn, CK_OP_DIV, logs[0], logs[1], call->syntax->span);
}

struct ck_value
ck_rule_float_constant(struct ck_call *call)
{
    switch ((int)call->id) {
    case CK_BUILTIN_PI:
        return weak_float(call, M_PI);
    case CK_BUILTIN_TAU:
        return weak_float(call, 2 * M_PI);
    case CK_BUILTIN_E:
        return weak_float(call, M_E);
    case CK_BUILTIN_INF:
        return weak_float(call, INFINITY);
    default: /* NAN */
        return weak_float(call, NAN);
    }
}

/* isnan and the like. Integers are finite. */
struct ck_value
ck_rule_float_class(struct ck_call *call)
{
    if (!ck_is_number(&call->args[0]))
        return ck_wrong_type(call, 0, "a number");
    const struct ck_type *type = call->args[0].expr->type;
    if (!ck_type_is_float(type) && !ck_has_effect(call->args[0].expr))
        return ck_value_bool(call->fn, call->id == CK_BUILTIN_ISFINITE, call->syntax->span);
    type = ck_float_type(call, 1);
    return call_value(call, float_call(call, 1, type, ck_type_scalar(CK_TYPE_BOOL)));
}

/* frexp and modf: a tuple of a float and of an int32 or another float. */
struct ck_value
ck_rule_float_parts(struct ck_call *call)
{
    const struct ck_type *type = ck_float_type(call, 1);
    if (!type)
        return ck_value_error(call->syntax->span);
    const struct ck_type *items[] = {
        type, call->id == CK_BUILTIN_FREXP ? ck_type_scalar(CK_TYPE_INT32) : type};
    const struct ck_type *tuple = ck_type_tuple(&call->fn->c->types, items, 2);
    return call_value(call, float_call(call, 1, type, tuple));
}

struct ck_value
ck_rule_ldexp(struct ck_call *call)
{
    const struct ck_type *type = ck_float_type(call, 1);
    if (!type)
        return ck_value_error(call->syntax->span);
    if (!ck_is_number(&call->args[1]) || !ck_type_is_int(call->args[1].type))
        return ck_wrong_type(call, 1, "an integer exponent");
    struct ck_texpr *expr = float_call(call, 1, type, NULL);
    if (expr)
        ck_lowered_arg(call, expr, call->args[1].expr);
    return call_value(call, expr);
}

/* --- Bits ----------------------------------------------------------------------------------------
 */

struct ck_value
ck_rule_bits(struct ck_call *call)
{
    if (!ck_is_number(&call->args[0]) || !ck_type_is_int(call->args[0].type))
        return ck_wrong_type(call, 0, "an integer");
    const struct ck_type *type = call->args[0].expr->type;
    bool is_ffs = call->id == CK_BUILTIN_FFS;
    struct ck_texpr *expr = ck_lowered(call, is_ffs ? ck_type_scalar(CK_TYPE_UINT32) : type);
    ck_lowered_arg(call, expr, call->args[0].expr);
    struct ck_value value = ck_value_run(expr->type, expr);
    value.nonnegative = value.nonnegative || call->id != CK_BUILTIN_BREV;
    return value;
}

/* selp(test, then, otherwise): both are evaluated. */
struct ck_value
ck_rule_selp(struct ck_call *call)
{
    struct ck_texpr *args[3] = {ck_truth(call->fn, &call->args[0])};
    for (int i = 1; i < 3; i++) {
        if (!ck_is_number(&call->args[i]))
            return ck_wrong_type(call, i, "numbers");
    }
    const struct ck_type *type =
        ck_join_values(&call->fn->c->types, &call->args[1], &call->args[2]);
    if (!type) {
        return ck_mixed_sign(call->fn, &call->args[1], &call->args[2], call->args[2].span);
    }
    type = ck_storage_type(&call->fn->c->types, type);
    struct ck_texpr *expr = ck_lowered(call, type);
    for (int i = 0; i < 3; i++) {
        args[i] = i == 0 ? args[0] : ck_float_as(call, i, type);
        if (!args[i])
            return ck_value_error(call->syntax->span);
        ck_lowered_arg(call, expr, args[i]);
    }
    struct ck_value value = ck_value_run(type, expr);
    value.nonnegative =
        value.nonnegative || (call->args[1].nonnegative && call->args[2].nonnegative);
    return value;
}

/* The bits of a number as one of another type of the same size. The rule reads the syntax, since
 * the second argument is a type. */
struct ck_value
ck_rule_bitcast(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    const struct ck_argument *args = call->syntax->call.args;
    const bool keyword = args[0].name || (args[1].name && strcmp(args[1].name, "dtype") != 0);
    if (keyword) {
        const struct ck_argument *wrong = args[0].name ? &args[0] : &args[1];
        ck_error(fn, KEYWORD, wrong->name_span, wrong->name, ck_builtin_path(call->id));
        return ck_value_error(span);
    }
    struct ck_value value = ck_check_run(fn, args[0].value);
    struct ck_value wanted = ck_check_expr(fn, args[1].value);
    const struct ck_type *type = ck_dtype_of(fn, &wanted);
    if (value.kind == CK_VALUE_ERROR || !type)
        return ck_value_error(span);
    call->args = &value;
    if (!ck_is_number(&value) || value.type->kind == CK_TYPE_BOOL)
        return ck_wrong_type(call, 0, "an integer or a float");
    const struct ck_type *held = ck_storage_type(&fn->c->types, value.type);
    bool fits = (ck_type_is_int(type) || ck_type_is_float(type)) &&
                ck_type_size(type) == ck_type_size(held);
    if (!fits) {
        ck_error(fn, WRONG_TYPE, args[1].value->span,
                 ck_arena_printf(fn->c->arena,
                                 "the bits of %s make an integer or a float of %d bits, not %s",
                                 ck_text_of(fn, held), ck_type_bits(held), ck_text_of(fn, type)));
        return ck_value_error(span);
    }
    struct ck_texpr *expr = ck_lowered(call, type);
    ck_lowered_arg(call, expr, ck_cast(fn, value.expr, held));
    return ck_value_run(type, expr);
}
