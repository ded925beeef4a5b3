/* Typing rules of the built-ins of which lang/prelude/copy.ck is made. Only the prelude calls them,
 * so their arguments are always valid. */
#include "lang/check/builtins/rules.h"

/* array */
struct ck_value
ck_rule_address(struct ck_call *call)
{
    struct ck_texpr *expr = ck_lowered(call, ck_type_scalar(CK_TYPE_INT64));
    ck_lowered_arg(call, expr, call->args[0].expr);
    return ck_value_run(expr->type, expr);
}

static struct ck_value
known(struct ck_call *call, bool is)
{
    const struct ck_type *type = ck_type_scalar(CK_TYPE_BOOL);
    return ck_value_run(type, ck_const_int(call->fn, type, is, call->syntax->span));
}

/* array */
struct ck_value
ck_rule_is_fortran(struct ck_call *call)
{
    return known(call, call->args[0].type->array.layout == CK_LAYOUT_F);
}

/* array */
struct ck_value
ck_rule_is_shared(struct ck_call *call)
{
    return known(call, call->args[0].type->array.space == CK_SPACE_SHARED);
}

/* Arrays unchanged, numbers as int64. */
static struct ck_texpr *
of_arrays(struct ck_call *call, enum ck_type_kind returns)
{
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    struct ck_texpr *expr = ck_lowered(call, ck_type_scalar(returns));
    for (int i = 0; i < call->n_args; i++) {
        struct ck_texpr *arg = call->args[i].expr;
        ck_lowered_arg(call, expr,
                       ck_type_is_array(call->args[i].type) ? arg : ck_cast(call->fn, arg, i64));
    }
    return expr;
}

/* int64 or uint32 */
struct ck_value
ck_rule_hidden(struct ck_call *call)
{
    const bool is_word = call->args[0].type->kind == CK_TYPE_UINT32;
    const struct ck_type *type = ck_type_scalar(is_word ? CK_TYPE_UINT32 : CK_TYPE_INT64);
    struct ck_texpr *expr = ck_lowered(call, type);
    ck_lowered_arg(call, expr, ck_cast(call->fn, call->args[0].expr, type));
    return ck_value_run(type, expr);
}

/* destination, offset, source, offset, bytes: a constant */
struct ck_value
ck_rule_copy_bytes(struct ck_call *call)
{
    return ck_lowered_none(call, of_arrays(call, CK_TYPE_VOID));
}

/* destination, source, start, bytes */
struct ck_value
ck_rule_copy_in_bulk(struct ck_call *call)
{
    if (call->args[0].type->array.space != CK_SPACE_SHARED ||
        call->args[1].type->array.space != CK_SPACE_GLOBAL)
        return known(call, false);
    struct ck_texpr *expr = of_arrays(call, CK_TYPE_BOOL);
    return ck_value_run(expr->type, expr);
}

/* group, threads, destination, source */
struct ck_value
ck_rule_copy_check(struct ck_call *call)
{
    call->fn->out->effects |= CK_EFFECT_GROUP_COPY;
    return ck_lowered_none(call, of_arrays(call, CK_TYPE_VOID));
}

struct ck_value
ck_rule_copy_commit(struct ck_call *call)
{
    return ck_lowered_none(call, ck_lowered(call, ck_type_scalar(CK_TYPE_VOID)));
}

/* how many of the latest copies may still be in flight: a constant */
struct ck_value
ck_rule_copy_wait(struct ck_call *call)
{
    struct ck_texpr *expr = ck_lowered(call, ck_type_scalar(CK_TYPE_VOID));
    ck_lowered_arg(call, expr,
                   ck_cast(call->fn, call->args[0].expr, ck_type_scalar(CK_TYPE_INT64)));
    return ck_lowered_none(call, expr);
}
