/* Clusters of blocks: their group, and the built-ins of which its members are made; see group.c. */
#include "lang/check/builtins/rules.h"

void
ck_use_clusters(struct ck_tfunc *function, struct ck_span span)
{
    if (!function->cluster_use.end)
        function->cluster_use = span;
    function->effects |= CK_EFFECT_CLUSTER;
}

struct ck_value
ck_rule_this_cluster(struct ck_call *call)
{
    ck_use_clusters(call->fn->out, call->syntax->span);
    return ck_group_without_parts(call, CK_GROUP_CLUSTER, 0, 0);
}

/* A grid's clusters: their number, and this one's place. */
struct ck_value
ck_rule_group_clusters(struct ck_call *call)
{
    ck_use_clusters(call->fn->out, call->syntax->span);
    return ck_rule_group(call);
}

/* --- Shared memory of other blocks ---------------------------------------------------------------
 */

static bool
array_arg(struct ck_call *call, bool of_any_block)
{
    const struct ck_value *array = &call->args[0];
    if (array->kind != CK_VALUE_RUN || !ck_type_is_array(array->type)) {
        ck_wrong_type(call, 0, "a shared array here");
        return false;
    }
    enum ck_space space = array->type->array.space;
    if (space == CK_SPACE_SHARED || (of_any_block && space == CK_SPACE_GENERIC))
        return true;
    struct ck_diag *diag =
        ck_error(call->fn, WRONG_TYPE, array->span,
                 ck_arena_printf(
                     call->fn->c->arena, "`%s` takes an array in %s shared memory, and this is %s",
                     ck_builtin_name(call->id), of_any_block ? "a block's" : "this block's",
                     space == CK_SPACE_GLOBAL  ? "in global memory"
                     : space == CK_SPACE_LOCAL ? "a local one"
                     : space == CK_SPACE_CONST ? "a constant one"
                                               : "not known to be"));
    ck_diag_help(call->fn->c->diags, diag, "make it with `shared.array(shape, dtype)`");
    return false;
}

/* array, rank */
struct ck_value
ck_rule_map_shared_rank(struct ck_call *call)
{
    struct ck_value args[2];
    if (!array_arg(call, false) || !ck_integer_arg(call, 1, &args[1]))
        return ck_value_error(call->syntax->span);
    args[0] = call->args[0];
    return ck_call_member(call, args, 2);
}

struct ck_value
ck_rule_query_shared_rank(struct ck_call *call)
{
    if (!array_arg(call, true))
        return ck_value_error(call->syntax->span);
    struct ck_value value = ck_call_member(call, call->args, 1);
    value.nonnegative = true;
    return value;
}

/* --- What the prelude is made of -----------------------------------------------------------------
 */

/* An int64 that is never negative, of all arguments. */
struct ck_value
ck_rule_cluster_position(struct ck_call *call)
{
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    struct ck_texpr *expr = ck_lowered(call, i64);
    for (int i = 0; i < call->n_args; i++)
        ck_lowered_arg(call, expr, call->args[i].expr);
    struct ck_value value = ck_value_run(i64, expr);
    value.nonnegative = true;
    return value;
}

static struct ck_texpr *
cluster_barrier(struct ck_call *call, const struct ck_type *type)
{
    call->fn->out->effects |= CK_EFFECT_CLUSTER_BARRIER;
    struct ck_texpr *expr = ck_lowered(call, type);
    for (int i = 0; i < call->n_args; i++)
        ck_lowered_arg(call, expr, call->args[i].expr);
    return expr;
}

/* The argument of a wait: the result of the arrival */
struct ck_value
ck_rule_cluster_barrier(struct ck_call *call)
{
    return ck_lowered_none(call, cluster_barrier(call, ck_type_scalar(CK_TYPE_VOID)));
}

struct ck_value
ck_rule_cluster_arrive(struct ck_call *call)
{
    const struct ck_type *type = ck_type_scalar(CK_TYPE_UINT64);
    return ck_value_run(type, cluster_barrier(call, type));
}

/* array, rank: the array in generic memory, since a pointer to another block's shared memory is
 * generic. */
struct ck_value
ck_rule_mapped(struct ck_call *call)
{
    const struct ck_type *type = call->args[0].type;
    type = ck_type_array_like(&call->fn->c->types, type, type->array.ndim, type->array.layout,
                              CK_SPACE_GENERIC);
    struct ck_texpr *expr = ck_lowered(call, type);
    ck_lowered_arg(call, expr, call->args[0].expr);
    ck_lowered_arg(call, expr, call->args[1].expr);
    return ck_value_run(type, expr);
}
