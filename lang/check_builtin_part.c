/* Typing of what lang/prelude/part.ck waits with. Its own calls are the only ones: nothing in them
 * is wrong. */
#include "lang/check_builtin.h"

/* words, index, value */
static struct ck_value
with_word(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_texpr *expr = ck_lowered(call, ck_type_scalar(CK_TYPE_VOID));
    ck_lowered_arg(call, expr, call->args[0].expr);
    ck_lowered_arg(call, expr, ck_cast(fn, call->args[1].expr, ck_type_scalar(CK_TYPE_INT64)));
    ck_lowered_arg(call, expr, ck_cast(fn, call->args[2].expr, ck_type_scalar(CK_TYPE_UINT32)));
    return ck_lowered_none(call, expr);
}

struct ck_value
ck_rule_post(struct ck_call *call)
{
    return with_word(call);
}

struct ck_value
ck_rule_await(struct ck_call *call)
{
    call->fn->out->exchanges = true;
    return with_word(call);
}
