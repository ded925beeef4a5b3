/* Barriers of groups wider than a warp on the CPU device; the executor matches the threads
 * (runtime/cpu/group_barrier.c). */
#include "codegen/host/host.h"

/* Tiles of all sizes are numbered as the nodes of a binary tree: 1 is the tile of 1024 threads, 2
 * and 3 are the tiles of 512. */
void
ck_host_sync_tile(struct ck_gen *gen, int size, LLVMValueRef v_index, LLVMValueRef v_threads,
                  struct ck_span span)
{
    LLVMValueRef v_first = l_i32(gen, (uint32_t)(CK_CPU_MAX_TILE / size));
    struct ck_collective x = {
        .op = CK_COLLECTIVE_GROUP,
        .span = span,
        .v_mask = LLVMBuildAdd(gen->builder, v_index, v_first, ""),
        .v_lane = v_threads,
    };
    gen->target->warp->collective(gen, &x);
}

void
ck_host_sync_partition(struct ck_gen *gen, const struct ck_partition_wait *wait)
{
    struct ck_collective x = {
        .op = CK_COLLECTIVE_PARTITION,
        .span = wait->span,
        .v_value = wait->v_place,
        .v_lane = wait->v_threads,
    };
    gen->target->warp->collective(gen, &x);
}

static LLVMValueRef
field(struct ck_gen *gen, size_t offset)
{
    LLVMValueRef v_block = gen->func->v_hidden[0];
    return l_offset(gen, v_block, offsetof(struct ck_cpu_block, collective) + offset);
}

#define FIELD(name) field(gen, offsetof(struct ck_cpu_collective, name))

/* Counts the thread's arrivals. A thread that has not waited since its last arrival suspends
 * and never resumes, which the executor reports. */
LLVMValueRef
ck_host_block_arrive(struct ck_gen *gen, struct ck_span span)
{
    LLVMValueRef v_arrived = l_load(gen, gen->t_i32, FIELD(arrived), 4, "arrived");
    LLVMValueRef v_passed = l_load(gen, gen->t_i32, FIELD(passed), 4, "passed");
    LLVMBasicBlockRef b_again = l_block(gen, "arrive.again");
    LLVMBasicBlockRef b_arrive = l_block(gen, "arrive");
    LLVMBuildCondBr(gen->builder, l_compare(gen, LLVMIntEQ, v_arrived, v_passed), b_arrive,
                    b_again);
    l_at(gen, b_again);
    struct ck_collective x = {.op = CK_COLLECTIVE_ARRIVE, .span = span};
    gen->target->warp->collective(gen, &x);
    l_branch(gen, b_arrive);
    l_at(gen, b_arrive);
    /* A second load, so that the value is not live across the suspension. */
    v_arrived = l_load(gen, gen->t_i32, FIELD(arrived), 4, "");
    v_arrived = LLVMBuildAdd(gen->builder, v_arrived, l_i32(gen, 1), "");
    l_store(gen, v_arrived, FIELD(arrived), 4);
    l_store(gen, l_i32(gen, (uint32_t)ck_host_module(gen)->n_sites), FIELD(site), 4);
    ck_host_check_arrive(gen, CK_HOST_BLOCK);
    return LLVMBuildZExt(gen->builder, v_arrived, gen->t_i64, "token");
}

void
ck_host_block_wait(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span)
{
    struct ck_collective x = {
        .op = CK_COLLECTIVE_WAIT,
        .span = span,
        .v_mask = LLVMBuildTrunc(gen->builder, v_token, gen->t_i32, ""),
    };
    gen->target->warp->collective(gen, &x);
    ck_host_check_pass(gen, CK_HOST_BLOCK);
}

/* The executor keeps its state with each thread: no shared memory. */
uint64_t
ck_host_barrier_bytes(const struct ck_tfunc *kernel)
{
    (void)kernel;
    return 0;
}
