/* Lowerings of barriers of groups wider than a warp. */
#include "codegen/lower/builtin.h"

struct ck_gen_value
ck_lower_wide_barrier(struct ck_gen *gen, const struct ck_texpr *expr)
{
    struct ck_texpr **args = expr->builtin.args;
    LLVMValueRef v_index = ck_gen_scalar(gen, args[1]);
    LLVMValueRef v_threads = ck_gen_scalar(gen, args[2]);
    ck_debug_at(gen, expr->span);
    gen->target->block->sync_tile(
        gen, (int)args[0]->constant.i, LLVMBuildTrunc(gen->builder, v_index, gen->t_i32, ""),
        LLVMBuildTrunc(gen->builder, v_threads, gen->t_i32, ""), expr->span);
    return ck_gen_value_new(gen, 0);
}

struct ck_gen_value
ck_lower_part_wait(struct ck_gen *gen, const struct ck_texpr *expr)
{
    struct ck_texpr **args = expr->builtin.args;
    struct ck_partition_wait wait = {
        .v_words = ck_gen_expr(gen, args[0]).parts[0],
        .v_place = ck_gen_scalar(gen, args[1]),
        .v_rank = LLVMBuildTrunc(gen->builder, ck_gen_scalar(gen, args[2]), gen->t_i32, ""),
        .v_threads = LLVMBuildTrunc(gen->builder, ck_gen_scalar(gen, args[3]), gen->t_i32, ""),
        .span = expr->span,
    };
    ck_debug_at(gen, expr->span);
    gen->target->block->sync_partition(gen, &wait);
    return ck_gen_value_new(gen, 0);
}

struct ck_gen_value
ck_lower_block_arrive(struct ck_gen *gen, const struct ck_texpr *expr)
{
    ck_debug_at(gen, expr->span);
    return ck_gen_value_scalar(gen, gen->target->block->arrive(gen, expr->span));
}

struct ck_gen_value
ck_lower_block_wait(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_token = ck_gen_scalar(gen, expr->builtin.args[0]);
    ck_debug_at(gen, expr->span);
    gen->target->block->wait(gen, v_token, expr->span);
    return ck_gen_value_new(gen, 0);
}
