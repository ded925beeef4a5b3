/* Typing rules of the built-ins from which the prelude makes barriers of groups wider than a
 * warp. */
#include "lang/check/builtins/rules.h"

/* A barrier, which some targets keep in words of shared memory. */
static struct ck_texpr *
barrier(struct ck_call *call, const struct ck_type *type, bool in_memory)
{
    struct ck_tfunc *out = call->fn->out;
    out->effects |= CK_EFFECT_WARP_PRIMITIVE | (in_memory ? CK_EFFECT_BARRIER_WORDS : 0);
    struct ck_texpr *expr = ck_lowered(call, type);
    for (int i = 0; i < call->n_args; i++)
        ck_lowered_arg(call, expr, call->args[i].expr);
    return expr;
}

/* A tile's size, its rank among the block's tiles, its number of threads */
struct ck_value
ck_rule_wide_barrier(struct ck_call *call)
{
    int64_t size = 0;
    ck_value_const_int(&call->args[0], &size);
    return ck_lowered_none(call, barrier(call, ck_type_scalar(CK_TYPE_VOID), size <= 128));
}

/* Words, the thread's position in the partition and its rank in the block, the partition's number
 * of threads */
struct ck_value
ck_rule_part_wait(struct ck_call *call)
{
    return ck_lowered_none(call, barrier(call, ck_type_scalar(CK_TYPE_VOID), false));
}

struct ck_value
ck_rule_block_arrive(struct ck_call *call)
{
    const struct ck_type *type = ck_type_scalar(CK_TYPE_UINT64);
    return ck_value_run(type, barrier(call, type, true));
}

/* The result of the arrival */
struct ck_value
ck_rule_block_wait(struct ck_call *call)
{
    return ck_lowered_none(call, barrier(call, ck_type_scalar(CK_TYPE_VOID), true));
}
