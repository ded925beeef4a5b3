/* Typing rules of warp-level primitives, of votes of the block, of lanes and of fences. */
#include "lang/check/builtins/rules.h"

static const struct ck_type *
uint32_type(void)
{
    return ck_type_scalar(CK_TYPE_UINT32);
}

/* A warp-level primitive waits for other threads, as a barrier does. */
static struct ck_texpr *
warp_primitive(struct ck_call *call, const struct ck_type *type)
{
    call->fn->out->effects |= CK_EFFECT_WARP_PRIMITIVE;
    return ck_lowered(call, type);
}

/* Adds an argument that is an integer, as uint32; false after an error. */
static bool
add_uint32(struct ck_call *call, struct ck_texpr *expr, int arg)
{
    const struct ck_value *value = &call->args[arg];
    if (value->kind != CK_VALUE_RUN || !ck_type_is_int(value->type)) {
        ck_wrong_type(call, arg, "an integer here");
        return false;
    }
    ck_lowered_arg(call, expr, ck_cast(call->fn, value->expr, uint32_type()));
    return true;
}

/* Adds an argument that is a number of 1 to 8 bytes, in its storage type; false after an error. */
static bool
add_number(struct ck_call *call, struct ck_texpr *expr, int arg)
{
    if (!ck_is_number(&call->args[arg])) {
        ck_wrong_type(call, arg, "a number here");
        return false;
    }
    ck_lowered_arg(call, expr, call->args[arg].expr);
    return true;
}

static bool
add_predicate(struct ck_call *call, struct ck_texpr *expr, int arg)
{
    if (!ck_is_number(&call->args[arg])) {
        ck_wrong_type(call, arg, "a condition here");
        return false;
    }
    struct ck_texpr *truth = ck_truth(call->fn, &call->args[arg]);
    if (!truth)
        return false;
    ck_lowered_arg(call, expr, truth);
    return true;
}

struct ck_value
ck_rule_warp_size(struct ck_call *call)
{
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    return ck_value_run(i64, ck_const_int(call->fn, i64, CK_WARP_SIZE, call->syntax->span));
}

struct ck_value
ck_rule_lane_mask(struct ck_call *call)
{
    return ck_value_run(uint32_type(), ck_lowered(call, uint32_type()));
}

struct ck_value
ck_rule_active_mask(struct ck_call *call)
{
    return ck_value_run(uint32_type(), warp_primitive(call, uint32_type()));
}

struct ck_value
ck_rule_warp_barrier(struct ck_call *call)
{
    struct ck_texpr *expr = warp_primitive(call, ck_type_scalar(CK_TYPE_VOID));
    if (call->n_args == 0)
        ck_lowered_arg(call, expr,
                       ck_const_int(call->fn, uint32_type(), UINT32_MAX, call->syntax->span));
    else if (!add_uint32(call, expr, 0))
        return ck_value_error(call->syntax->span);
    return ck_lowered_none(call, expr);
}

/* mask, value, rank, distance or bits, and the tile's size and number of threads */
struct ck_value
ck_rule_shuffle_in(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *items[] = {call->args[1].type, ck_type_scalar(CK_TYPE_BOOL)};
    struct ck_texpr *expr = warp_primitive(call, ck_type_tuple(&fn->c->types, items, 2));
    ck_lowered_arg(call, expr, ck_cast(fn, call->args[0].expr, uint32_type()));
    ck_lowered_arg(call, expr, call->args[1].expr);
    ck_lowered_arg(call, expr, ck_cast(fn, call->args[2].expr, uint32_type()));
    ck_lowered_arg(call, expr, call->args[3].expr);
    ck_lowered_arg(call, expr, ck_cast(fn, call->args[4].expr, uint32_type()));
    return ck_value_run(expr->type, expr);
}

static struct ck_value
vote(struct ck_call *call, const struct ck_type *type)
{
    struct ck_texpr *expr = warp_primitive(call, type);
    if (!add_uint32(call, expr, 0) || !add_predicate(call, expr, 1))
        return ck_value_error(call->syntax->span);
    return ck_value_run(type, expr);
}

struct ck_value
ck_rule_vote(struct ck_call *call)
{
    return vote(call, ck_type_scalar(CK_TYPE_BOOL));
}

struct ck_value
ck_rule_ballot(struct ck_call *call)
{
    return vote(call, uint32_type());
}

static struct ck_value
match(struct ck_call *call, const struct ck_type *type)
{
    struct ck_texpr *expr = warp_primitive(call, type);
    if (!add_uint32(call, expr, 0) || !add_number(call, expr, 1))
        return ck_value_error(call->syntax->span);
    return ck_value_run(type, expr);
}

struct ck_value
ck_rule_match_any(struct ck_call *call)
{
    return match(call, uint32_type());
}

struct ck_value
ck_rule_match_all(struct ck_call *call)
{
    const struct ck_type *items[] = {uint32_type(), ck_type_scalar(CK_TYPE_BOOL)};
    return match(call, ck_type_tuple(&call->fn->c->types, items, 2));
}

/* Whether the target has an instruction that combines integers of this type over lanes: a constant
 * false for other types, else up to the target. */
struct ck_value
ck_rule_has_redux(struct ck_call *call)
{
    const struct ck_type *type = call->args[0].expr->type, *boolean = ck_type_scalar(CK_TYPE_BOOL);
    if ((!ck_type_is_int(type) && type != boolean) || ck_type_size(type) > 4)
        return ck_value_run(boolean, ck_const_int(call->fn, boolean, 0, call->syntax->span));
    return ck_value_run(boolean, ck_lowered(call, boolean));
}

/* Whether a warp saves the time of collectives that it branches around: up to the target. */
struct ck_value
ck_rule_has_warp_branches(struct ck_call *call)
{
    const struct ck_type *boolean = ck_type_scalar(CK_TYPE_BOOL);
    return ck_value_run(boolean, ck_lowered(call, boolean));
}

/* whether the kernel should have a version for full warps: a constant */
struct ck_value
ck_rule_in_whole_warps(struct ck_call *call)
{
    const struct ck_type *boolean = ck_type_scalar(CK_TYPE_BOOL);
    struct ck_texpr *expr = ck_lowered(call, boolean);
    ck_lowered_arg(call, expr, call->args[0].expr);
    return ck_value_run(boolean, expr);
}

/* mask, value, operator: see ck_rule_operator_of */
struct ck_value
ck_rule_redux(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *type = call->args[1].expr->type;
    const struct ck_type *wide =
        ck_type_is_signed(type) ? ck_type_scalar(CK_TYPE_INT32) : uint32_type();
    struct ck_texpr *expr = warp_primitive(call, wide);
    ck_lowered_arg(call, expr, ck_cast(fn, call->args[0].expr, uint32_type()));
    ck_lowered_arg(call, expr, ck_cast(fn, call->args[1].expr, wide));
    ck_lowered_arg(call, expr, call->args[2].expr);
    return ck_value_run(type, ck_cast(fn, expr, type));
}

struct ck_value
ck_rule_block_vote(struct ck_call *call)
{
    const struct ck_type *type = ck_type_scalar(CK_TYPE_INT32);
    call->fn->out->effects |= CK_EFFECT_BLOCK_BARRIER;
    struct ck_texpr *expr = warp_primitive(call, type);
    if (!add_predicate(call, expr, 0))
        return ck_value_error(call->syntax->span);
    struct ck_value value = ck_value_run(type, expr);
    value.nonnegative = true;
    return value;
}

struct ck_value
ck_rule_fence(struct ck_call *call)
{
    return ck_lowered_none(call, ck_lowered(call, ck_type_scalar(CK_TYPE_VOID)));
}

struct ck_value
ck_rule_sleep(struct ck_call *call)
{
    struct ck_texpr *expr = ck_lowered(call, ck_type_scalar(CK_TYPE_VOID));
    if (!add_uint32(call, expr, 0))
        return ck_value_error(call->syntax->span);
    return ck_lowered_none(call, expr);
}
