/* Warp-level primitives on the host: threads suspend, and the executor passes the values. */
#include "codegen/host/host.h"

/* From the rank in the block, x fastest. */
LLVMValueRef
ck_host_lane(struct ck_gen *gen)
{
    if (ck_host_function(gen)->in_block_loops)
        return LLVMBuildAnd(gen->builder, ck_host_mark_index(gen, CK_MARKER_RANK), l_i64(gen, 31),
                            "lane");
    LLVMValueRef v_rank = ck_host_position(gen, CK_THREAD_IDX, 2);
    for (int dim = 1; dim >= 0; dim--) {
        v_rank = LLVMBuildMul(gen->builder, v_rank, ck_host_position(gen, CK_BLOCK_DIM, dim), "");
        v_rank = LLVMBuildAdd(gen->builder, v_rank, ck_host_position(gen, CK_THREAD_IDX, dim), "");
    }
    return LLVMBuildAnd(gen->builder, v_rank, l_i64(gen, 31), "lane");
}

static LLVMValueRef
collective_field(struct ck_gen *gen, size_t field)
{
    size_t offset = offsetof(struct ck_cpu_block, collective) + field;
    return l_offset(gen, gen->func->v_hidden[HIDDEN_BLOCK], offset);
}

/* Makes a shuffle in a tile one of the warp: computes the source lane in the warp. */
static void
find_in_tile(struct ck_gen *gen, struct ck_collective *x)
{
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef v_lane = LLVMBuildTrunc(builder, ck_host_lane(gen), gen->t_i32, "");
    LLVMValueRef v_last = l_i32(gen, x->size - 1);
    LLVMValueRef v_rank = LLVMBuildAnd(builder, v_lane, v_last, "");
    LLVMValueRef v_other =
        x->op == CK_COLLECTIVE_SHFL        ? LLVMBuildAnd(builder, x->v_lane, v_last, "")
        : x->op == CK_COLLECTIVE_SHFL_UP   ? LLVMBuildSub(builder, v_rank, x->v_lane, "")
        : x->op == CK_COLLECTIVE_SHFL_DOWN ? LLVMBuildAdd(builder, v_rank, x->v_lane, "")
                                           : LLVMBuildXor(builder, v_rank, x->v_lane, "");
    x->v_there = l_compare(gen, LLVMIntULT, v_other, x->v_threads);
    v_other = LLVMBuildSelect(builder, x->v_there, v_other, v_rank, "");
    x->v_lane = LLVMBuildAdd(builder, LLVMBuildSub(builder, v_lane, v_rank, ""), v_other, "");
    x->op = CK_COLLECTIVE_SHFL;
}

/* Stores this thread's operands, suspends it, and loads the result that the executor stored. */
void
ck_host_collective(struct ck_gen *gen, struct ck_collective *x)
{
    LLVMBuilderRef builder = gen->builder;
    if (x->v_threads)
        find_in_tile(gen, x);
    if (ck_host_function(gen)->in_block_loops) {
        ck_host_mark_collective(gen, x);
        return;
    }
    if (x->v_mask)
        l_store(gen, x->v_mask, collective_field(gen, offsetof(struct ck_cpu_collective, mask)), 4);
    if (x->v_lane)
        l_store(gen, x->v_lane, collective_field(gen, offsetof(struct ck_cpu_collective, lane)), 4);
    if (x->v_value)
        l_store(gen, LLVMBuildZExt(builder, x->v_value, gen->t_i64, ""),
                collective_field(gen, offsetof(struct ck_cpu_collective, value)), 8);
    enum ck_barrier_kind kind = x->op >= CK_COLLECTIVE_GROUP         ? CK_BARRIER_GROUP
                                : x->op >= CK_COLLECTIVE_BLOCK_COUNT ? CK_BARRIER_BLOCK
                                                                     : CK_BARRIER_WARP;
    if (kind == CK_BARRIER_BLOCK)
        ck_host_check_arrive(gen, CK_HOST_BLOCK);
    ck_host_suspend(gen, ck_host_add_site(gen, kind, x->op, x->span));
    if (kind == CK_BARRIER_BLOCK)
        ck_host_check_pass(gen, CK_HOST_BLOCK);
    if (x->type) {
        LLVMValueRef v_field = collective_field(gen, offsetof(struct ck_cpu_collective, value));
        LLVMValueRef v_value = l_load(gen, gen->t_i64, v_field, 8, "");
        x->v_result =
            x->type == gen->t_i64 ? v_value : LLVMBuildTrunc(builder, v_value, x->type, "");
    }
    if (x->op == CK_COLLECTIVE_MATCH_ALL)
        x->v_all = l_compare(gen, LLVMIntNE, x->v_result, l_i32(gen, 0));
}
