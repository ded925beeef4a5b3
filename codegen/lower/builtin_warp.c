/* Lowerings of warp-level primitives, lanes and fences. Shuffles pass values as integers of 32 or
 * 64 bits. */
#include "codegen/lower/builtin.h"

static LLVMValueRef
to_bits(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_value)
{
    unsigned size = (unsigned)ck_type_size(type);
    if (type->kind != CK_TYPE_BOOL)
        v_value =
            LLVMBuildBitCast(gen->builder, v_value, LLVMIntTypeInContext(gen->llvm, size * 8), "");
    return size < 4 ? LLVMBuildZExt(gen->builder, v_value, gen->t_i32, "") : v_value;
}

static LLVMValueRef
from_bits(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_bits)
{
    unsigned size = (unsigned)ck_type_size(type);
    unsigned width = type->kind == CK_TYPE_BOOL ? 1 : size * 8;
    if (size < 4)
        v_bits = LLVMBuildTrunc(gen->builder, v_bits, LLVMIntTypeInContext(gen->llvm, width), "");
    return LLVMBuildBitCast(gen->builder, v_bits, ck_gen_scalar_type(gen, type), "");
}

static LLVMValueRef
arg(struct ck_gen *gen, const struct ck_texpr *expr, int i)
{
    return ck_gen_scalar(gen, expr->builtin.args[i]);
}

static enum ck_collective_op
op_of(enum ck_builtin_id id)
{
    switch ((int)id) {
    case CK_BUILTIN_SHFL_SYNC:
    case CK_BUILTIN_SHFL_IN:
        return CK_COLLECTIVE_SHFL;
    case CK_BUILTIN_SHFL_UP_SYNC:
    case CK_BUILTIN_SHFL_UP_IN:
        return CK_COLLECTIVE_SHFL_UP;
    case CK_BUILTIN_SHFL_DOWN_SYNC:
    case CK_BUILTIN_SHFL_DOWN_IN:
        return CK_COLLECTIVE_SHFL_DOWN;
    case CK_BUILTIN_SHFL_XOR_SYNC:
    case CK_BUILTIN_SHFL_XOR_IN:
        return CK_COLLECTIVE_SHFL_XOR;
    case CK_BUILTIN_ALL_SYNC:
        return CK_COLLECTIVE_ALL;
    case CK_BUILTIN_ANY_SYNC:
        return CK_COLLECTIVE_ANY;
    case CK_BUILTIN_EQ_SYNC:
        return CK_COLLECTIVE_EQ;
    case CK_BUILTIN_BALLOT_SYNC:
        return CK_COLLECTIVE_BALLOT;
    case CK_BUILTIN_MATCH_ANY_SYNC:
        return CK_COLLECTIVE_MATCH_ANY;
    case CK_BUILTIN_MATCH_ALL_SYNC:
        return CK_COLLECTIVE_MATCH_ALL;
    case CK_BUILTIN_ACTIVEMASK:
        return CK_COLLECTIVE_ACTIVE;
    case CK_BUILTIN_SYNCTHREADS_COUNT:
        return CK_COLLECTIVE_BLOCK_COUNT;
    case CK_BUILTIN_SYNCTHREADS_AND:
        return CK_COLLECTIVE_BLOCK_AND;
    case CK_BUILTIN_SYNCTHREADS_OR:
        return CK_COLLECTIVE_BLOCK_OR;
    default: /* SYNCWARP */
        return CK_COLLECTIVE_SYNC;
    }
}

static struct ck_collective
collective(struct ck_gen *gen, const struct ck_texpr *expr, LLVMValueRef v_mask,
           LLVMValueRef v_value, LLVMValueRef v_lane, LLVMTypeRef type)
{
    struct ck_collective x = {
        .op = op_of(expr->builtin.id),
        .span = expr->span,
        .v_mask = v_mask,
        .v_value = v_value,
        .v_lane = v_lane,
        .type = type,
    };
    ck_debug_at(gen, expr->span);
    gen->target->warp->collective(gen, &x);
    return x;
}

struct ck_gen_value
ck_lower_lane(struct ck_gen *gen, const struct ck_texpr *expr)
{
    (void)expr;
    return ck_gen_value_scalar(gen, gen->target->warp->lane(gen));
}

struct ck_gen_value
ck_lower_lane_mask(struct ck_gen *gen, const struct ck_texpr *expr)
{
    (void)expr;
    LLVMValueRef v_lane =
        LLVMBuildTrunc(gen->builder, gen->target->warp->lane(gen), gen->t_i32, "");
    LLVMValueRef v_bit = LLVMBuildShl(gen->builder, l_i32(gen, 1), v_lane, "");
    return ck_gen_value_scalar(gen, LLVMBuildSub(gen->builder, v_bit, l_i32(gen, 1), ""));
}

struct ck_gen_value
ck_lower_warp_barrier(struct ck_gen *gen, const struct ck_texpr *expr)
{
    collective(gen, expr, arg(gen, expr, 0), NULL, NULL, NULL);
    return ck_gen_value_new(gen, 0);
}

struct ck_gen_value
ck_lower_active_mask(struct ck_gen *gen, const struct ck_texpr *expr)
{
    return ck_gen_value_scalar(gen, collective(gen, expr, NULL, NULL, NULL, gen->t_i32).v_result);
}

struct ck_gen_value
ck_lower_shuffle(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_mask = arg(gen, expr, 0);
    LLVMValueRef v_bits = to_bits(gen, expr->type, arg(gen, expr, 1));
    LLVMValueRef v_lane = arg(gen, expr, 2);
    struct ck_collective x = collective(gen, expr, v_mask, v_bits, v_lane, LLVMTypeOf(v_bits));
    return ck_gen_value_scalar(gen, from_bits(gen, expr->type, x.v_result));
}

struct ck_gen_value
ck_lower_shuffle_in(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *type = expr->builtin.args[1]->type;
    struct ck_collective x = {
        .op = op_of(expr->builtin.id),
        .span = expr->span,
        .v_mask = arg(gen, expr, 0),
        .v_value = to_bits(gen, type, arg(gen, expr, 1)),
        .v_lane = arg(gen, expr, 2),
        .size = (int)expr->builtin.args[3]->constant.i,
        .v_threads = arg(gen, expr, 4),
    };
    x.type = LLVMTypeOf(x.v_value);
    ck_debug_at(gen, expr->span);
    gen->target->warp->collective(gen, &x);
    struct ck_gen_value value = ck_gen_value_new(gen, 2);
    value.parts[0] = from_bits(gen, type, x.v_result);
    value.parts[1] = x.v_there;
    return value;
}

struct ck_gen_value
ck_lower_vote(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_mask = arg(gen, expr, 0);
    LLVMValueRef v_predicate = arg(gen, expr, 1);
    LLVMTypeRef type = ck_gen_scalar_type(gen, expr->type);
    return ck_gen_value_scalar(gen,
                               collective(gen, expr, v_mask, v_predicate, NULL, type).v_result);
}

struct ck_gen_value
ck_lower_match(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_mask = arg(gen, expr, 0);
    LLVMValueRef v_bits = to_bits(gen, expr->builtin.args[1]->type, arg(gen, expr, 1));
    struct ck_collective x = collective(gen, expr, v_mask, v_bits, NULL, gen->t_i32);
    struct ck_gen_value value = ck_gen_value_new(gen, ck_gen_n_parts(expr->type));
    value.parts[0] = x.v_result;
    if (value.n > 1)
        value.parts[1] = x.v_all;
    return value;
}

struct ck_gen_value
ck_lower_block_vote(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_predicate = arg(gen, expr, 0);
    return ck_gen_value_scalar(gen,
                               collective(gen, expr, NULL, v_predicate, NULL, gen->t_i32).v_result);
}

struct ck_gen_value
ck_lower_has_redux(struct ck_gen *gen, const struct ck_texpr *expr)
{
    (void)expr;
    bool has = gen->target->warp->has_redux && gen->target->warp->has_redux(gen);
    return ck_gen_value_scalar(gen, LLVMConstInt(gen->t_i1, has, false));
}

struct ck_gen_value
ck_lower_has_warp_branches(struct ck_gen *gen, const struct ck_texpr *expr)
{
    (void)expr;
    const bool has = gen->target->warp->has_branches;
    return ck_gen_value_scalar(gen, LLVMConstInt(gen->t_i1, has, false));
}

/* The unused result is poison. */
struct ck_gen_value
ck_lower_unused(struct ck_gen *gen, const struct ck_texpr *expr)
{
    struct ck_gen_value value = ck_gen_value_new(gen, ck_gen_n_parts(expr->type));
    LLVMTypeRef *types = CK_NEW_ARRAY(&gen->arena, LLVMTypeRef, value.n);
    ck_gen_part_types(gen, expr->type, types);
    for (int i = 0; i < value.n; i++)
        value.parts[i] = LLVMGetPoison(types[i]);
    return value;
}

/* Whether the call is in a loop of the user's program, not of the prelude. */
static bool
is_in_loop(const struct ck_gen *gen)
{
    for (const struct ck_frame *frame = gen->frame; frame; frame = frame->caller) {
        if (frame->loop && !frame->info->tfunc->in_prelude)
            return true;
    }
    return false;
}

struct ck_gen_value
ck_lower_in_whole_warps(struct ck_gen *gen, const struct ck_texpr *expr)
{
    if (expr->builtin.args[0]->constant.i && is_in_loop(gen))
        gen->func->wants_full_warps = true;
    return ck_gen_value_scalar(gen, LLVMConstInt(gen->t_i1, gen->func->in_full_warps, false));
}

/* Only for targets with has_redux. */
struct ck_gen_value
ck_lower_redux(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_mask = arg(gen, expr, 0);
    LLVMValueRef v_value = arg(gen, expr, 1);
    if (!gen->target->warp->has_redux || !gen->target->warp->has_redux(gen))
        return ck_gen_value_scalar(gen, v_value);
    ck_debug_at(gen, expr->span);
    return ck_gen_value_scalar(
        gen, gen->target->warp->redux(gen, (int)expr->builtin.args[2]->constant.i,
                                      ck_type_is_signed(expr->type), v_mask, v_value));
}

struct ck_gen_value
ck_lower_fence(struct ck_gen *gen, const struct ck_texpr *expr)
{
    int id = (int)expr->builtin.id;
    gen->target->memory->fence(gen, id == CK_BUILTIN_THREADFENCE_BLOCK ? CK_FENCE_BLOCK
                                    : id == CK_BUILTIN_THREADFENCE     ? CK_FENCE_DEVICE
                                                                       : CK_FENCE_SYSTEM);
    return ck_gen_value_new(gen, 0);
}

struct ck_gen_value
ck_lower_breakpoint(struct ck_gen *gen, const struct ck_texpr *expr)
{
    if (gen->target->thread->breakpoint)
        gen->target->thread->breakpoint(gen);
    return ck_gen_value_new(gen, 0);
}

struct ck_gen_value
ck_lower_sleep(struct ck_gen *gen, const struct ck_texpr *expr)
{
    gen->target->thread->sleep(gen, arg(gen, expr, 0), expr->span);
    return ck_gen_value_new(gen, 0);
}
