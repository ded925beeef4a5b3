/* Typing rules of the built-ins of which the grid's members are made: its barriers, and the slots
 * through which its blocks share values. Only lang/prelude/ calls them, except the barrier. */
#include "lang/check/builtins/rules.h"

/* A call with a result of `type` and its arguments as int64 or uint64. */
static struct ck_texpr *
lowered(struct ck_call *call, enum ck_type_kind type)
{
    struct ck_texpr *expr = ck_lowered(call, ck_type_scalar(type));
    for (int i = 0; i < call->n_args; i++)
        ck_lowered_arg(call, expr, call->args[i].expr);
    return expr;
}

static struct ck_value
lowered_value(struct ck_call *call, enum ck_type_kind type)
{
    return ck_value_run(ck_type_scalar(type), lowered(call, type));
}

static struct ck_value
lowered_none(struct ck_call *call)
{
    return ck_lowered_none(call, lowered(call, CK_TYPE_VOID));
}

static void
uses_grid_barrier(struct ck_call *call)
{
    call->fn->out->effects |= CK_EFFECT_GRID_BARRIER;
}

struct ck_value
ck_rule_grid_barrier(struct ck_call *call)
{
    uses_grid_barrier(call);
    return lowered_none(call);
}

struct ck_value
ck_rule_grid_valid(struct ck_call *call)
{
    call->fn->out->effects |= CK_EFFECT_READS_LAUNCH;
    return lowered_value(call, CK_TYPE_BOOL);
}

/* Returns the token for the wait. */
struct ck_value
ck_rule_grid_arrive(struct ck_call *call)
{
    uses_grid_barrier(call);
    return lowered_value(call, CK_TYPE_UINT64);
}

struct ck_value
ck_rule_grid_wait(struct ck_call *call)
{
    uses_grid_barrier(call);
    return lowered_none(call);
}

struct ck_value
ck_rule_grid_open(struct ck_call *call)
{
    uses_grid_barrier(call);
    return lowered_value(call, CK_TYPE_INT64);
}

struct ck_value
ck_rule_grid_sync_slots(struct ck_call *call)
{
    uses_grid_barrier(call);
    return lowered_value(call, CK_TYPE_INT64);
}

/* address, length, a value of the elements' type */
struct ck_value
ck_rule_grid_slots(struct ck_call *call)
{
    const struct ck_type *elem = call->args[2].expr->type;
    const struct ck_type *type =
        ck_type_array(&call->fn->c->types, elem, 1, CK_LAYOUT_C, CK_SPACE_GLOBAL);
    struct ck_texpr *expr = ck_lowered(call, type);
    for (int i = 0; i < 2; i++)
        ck_lowered_arg(call, expr, call->args[i].expr);
    return ck_value_run(type, expr);
}

struct ck_value
ck_rule_grid_close(struct ck_call *call)
{
    return lowered_none(call);
}
