/* Typing rules of CUDA's functions of floats that C lacks: those of lang/prelude/special.ck, the
 * Bessel functions of any order, and arithmetic that is rounded in a given direction. */
#include "lang/check/builtins/rules.h"

/* --- Functions of the prelude --------------------------------------------------------------------
 */

/* Floats of 16 bits are computed in float32. */
static const struct ck_type *
held_type(const struct ck_type *type)
{
    return ck_type_bits(type) == 16 ? ck_type_scalar(CK_TYPE_FLOAT32) : type;
}

/* Argument i as a float of `type`, computed in the type that holds it. */
static bool
take(struct ck_call *call, int i, const struct ck_type *type, struct ck_value *out)
{
    struct ck_texpr *expr = ck_float_as(call, i, type);
    if (!expr)
        return false;
    *out = ck_value_run(held_type(type), ck_cast(call->fn, expr, held_type(type)));
    out->span = call->args[i].span;
    return true;
}

static struct ck_value
call_prelude(struct ck_call *call, const struct ck_type *type, const struct ck_value *args)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    const char *name = ck_arena_printf(fn->c->arena, "special_%s", ck_builtin_path(call->id));
    struct ck_value value =
        ck_call_instance(fn, ck_prelude_function(fn->c, name), args, call->n_args, span);
    bool narrows = value.kind == CK_VALUE_RUN && ck_type_is_scalar(value.type);
    return narrows ? ck_value_run(type, ck_cast(fn, value.expr, type)) : value;
}

struct ck_value
ck_rule_special(struct ck_call *call)
{
    struct ck_value args[4];
    const struct ck_type *type = ck_float_type(call, call->n_args);
    if (!type)
        return ck_value_error(call->syntax->span);
    for (int i = 0; i < call->n_args; i++) {
        if (!take(call, i, type, &args[i]))
            return ck_value_error(call->syntax->span);
    }
    return call_prelude(call, type, args);
}

/* An order, which is an integer, and a float. */
struct ck_value
ck_rule_bessel(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *i32 = ck_type_scalar(CK_TYPE_INT32);
    struct ck_value args[2];
    if (!ck_is_number(&call->args[0]) || !ck_type_is_int(call->args[0].type))
        return ck_wrong_type(call, 0, "an integer as the order");
    if (!ck_is_number(&call->args[1]))
        return ck_wrong_type(call, 1, "a number");
    const struct ck_type *type = ck_storage_type(&fn->c->types, call->args[1].type);
    type = ck_type_is_float(type) ? type : ck_type_scalar(CK_TYPE_FLOAT64);
    args[0] = ck_value_run(i32, ck_cast(fn, call->args[0].expr, i32));
    args[0].span = call->args[0].span;
    return take(call, 1, type, &args[1]) ? call_prelude(call, type, args)
                                         : ck_value_error(call->syntax->span);
}

/* --- Approximations ------------------------------------------------------------------------------
 */

/* float64 has no approximations: the function itself. */
static struct ck_value
exactly(struct ck_call *call)
{
    static const enum ck_builtin_id functions[CK_N_BUILTINS] = {
        [CK_BUILTIN_FAST_COS] = CK_BUILTIN_COS,     [CK_BUILTIN_FAST_EXP] = CK_BUILTIN_EXP,
        [CK_BUILTIN_FAST_EXP10] = CK_BUILTIN_EXP10, [CK_BUILTIN_FAST_EXP2] = CK_BUILTIN_EXP2,
        [CK_BUILTIN_FAST_LOG] = CK_BUILTIN_LOG,     [CK_BUILTIN_FAST_LOG10] = CK_BUILTIN_LOG10,
        [CK_BUILTIN_FAST_LOG2] = CK_BUILTIN_LOG2,   [CK_BUILTIN_FAST_SIN] = CK_BUILTIN_SIN,
        [CK_BUILTIN_FAST_TAN] = CK_BUILTIN_TAN,
    };
    struct ck_span span = call->syntax->span;
    if (call->id == CK_BUILTIN_FAST_DIVIDE)
        return ck_check_binary(call->fn, CK_OP_DIV, call->args[0], call->args[1], span);
    if (call->id == CK_BUILTIN_FAST_POW)
        return ck_check_binary(call->fn, CK_OP_POW, call->args[0], call->args[1], span);
    struct ck_call function = *call;
    function.id = functions[call->id];
    return ck_call_rule(&function);
}

struct ck_value
ck_rule_fast(struct ck_call *call)
{
    const struct ck_type *type = ck_float_type(call, call->n_args);
    if (!type)
        return ck_value_error(call->syntax->span);
    if (type->kind == CK_TYPE_FLOAT64)
        return exactly(call);
    struct ck_texpr *expr = ck_lowered(call, type);
    for (int i = 0; i < call->n_args; i++) {
        struct ck_texpr *arg = ck_float_as(call, i, type);
        if (!arg)
            return ck_value_error(call->syntax->span);
        ck_lowered_arg(call, expr, arg);
    }
    return ck_value_run(type, expr);
}

struct ck_value
ck_rule_fast_sincos(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_texpr *let, *parts[2];
    const struct ck_type *type = ck_float_type(call, 1);
    struct ck_texpr *arg = type ? ck_float_as(call, 0, type) : NULL;
    if (!arg)
        return ck_value_error(call->syntax->span);
    struct ck_value x = ck_name_once(fn, ck_value_run(type, arg), &let);
    for (int i = 0; i < 2; i++) {
        struct ck_value angle = x;
        struct ck_call part = *call;
        part.id = i ? CK_BUILTIN_FAST_COS : CK_BUILTIN_FAST_SIN;
        part.args = &angle;
        parts[i] = ck_rule_fast(&part).expr;
    }
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, NULL, call->syntax->span);
    tuple->type = ck_type_tuple(&fn->c->types, (const struct ck_type *[]){type, type}, 2);
    tuple->tuple.n = 2;
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, 2);
    tuple->tuple.items[0] = parts[0];
    tuple->tuple.items[1] = parts[1];
    return ck_value_run(tuple->type, ck_let_in(let, tuple));
}

/* --- Rounding ------------------------------------------------------------------------------------
 */

/* a - b is a + -b. */
static bool
subtracts(enum ck_builtin_id id)
{
    return id >= CK_BUILTIN_SUB_RN && id <= CK_BUILTIN_SUB_RZ;
}

struct ck_value
ck_rule_rounded(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *type = ck_float_type(call, call->n_args);
    if (!type)
        return ck_value_error(call->syntax->span);
    if (ck_type_bits(type) == 16)
        return ck_wrong_type(call, 0, "float32 or float64");
    struct ck_texpr *expr = ck_lowered(call, type);
    if (subtracts(call->id))
        expr->builtin.id = (enum ck_builtin_id)(CK_BUILTIN_ADD_RN + (call->id - CK_BUILTIN_SUB_RN));
    for (int i = 0; i < call->n_args; i++) {
        struct ck_texpr *arg = ck_float_as(call, i, type);
        if (!arg)
            return ck_value_error(call->syntax->span);
        if (i == 1 && subtracts(call->id)) {
            struct ck_value right = ck_value_run(type, arg);
            arg = ck_unary_value(fn, CK_OP_NEG, &right, call->args[i].span).expr;
        }
        ck_lowered_arg(call, expr, arg);
    }
    return ck_value_run(type, expr);
}
