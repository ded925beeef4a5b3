/* The grid on the host. The executor implements its barriers, and has the slots through which
 * blocks pass each other values.
 *
 * At a split-phase barrier a thread suspends only where it waits. Two locals of each thread check
 * that arrivals and waits alternate: the site of an arrival that has no wait yet (0: none), and the
 * number of arrivals, which is the latest token. */
#include "codegen/host/host.h"

enum { ARRIVED, COUNT };

void
ck_host_begin_arrivals(struct ck_gen *gen)
{
    LLVMValueRef *v_arrivals = ck_host_function(gen)->v_arrivals;
    v_arrivals[ARRIVED] = l_slot(gen, gen->t_i32, "arrived");
    v_arrivals[COUNT] = l_slot(gen, gen->t_i64, "arrivals");
    l_store(gen, l_i32(gen, 0), v_arrivals[ARRIVED], 4);
    l_store(gen, l_i64(gen, 0), v_arrivals[COUNT], 8);
}

static LLVMValueRef
load_arrived(struct ck_gen *gen)
{
    return l_load(gen, gen->t_i32, ck_host_function(gen)->v_arrivals[ARRIVED], 4, "arrived");
}

/* Emits a check: if `v_test` is true, reports a misuse of the barrier, by its number, and ends the
 * thread. */
static void
fail_if(struct ck_gen *gen, LLVMValueRef v_test, LLVMValueRef v_what, uint32_t site)
{
    LLVMBasicBlockRef b_fail = l_block(gen, "misuse"), b_good = l_block(gen, "good");
    LLVMTypeRef params[] = {gen->t_ptr, gen->t_i32, gen->t_i32, gen->t_i32};
    LLVMValueRef v_fail = ck_host_external(gen, "ck_cpu_barrier_misuse", gen->t_void, params, 4);
    l_attribute(gen, v_fail, LLVMAttributeFunctionIndex, "cold", 0);
    LLVMBuildCondBr(gen->builder, v_test, b_fail, b_good);
    l_at(gen, b_fail);
    LLVMValueRef args[] = {gen->func->v_hidden[HIDDEN_BLOCK], v_what, l_i32(gen, site),
                           load_arrived(gen)};
    l_call(gen, v_fail, args, 4);
    l_branch(gen, ck_host_function(gen)->b_exit);
    l_at(gen, b_good);
}

static LLVMValueRef
has_arrived(struct ck_gen *gen)
{
    return l_compare(gen, LLVMIntNE, load_arrived(gen), l_i32(gen, 0));
}

void
ck_host_end_arrivals(struct ck_gen *gen)
{
    fail_if(gen, has_arrived(gen), l_i32(gen, CK_CPU_NEVER_WAITED), 0);
}

static LLVMValueRef
slots(struct ck_gen *gen)
{
    size_t field = offsetof(struct ck_cpu_block, grid_slots);
    LLVMValueRef v_field = l_offset(gen, gen->func->v_hidden[HIDDEN_BLOCK], field);
    return l_load(gen, gen->t_i64, v_field, 8, "slots");
}

static LLVMValueRef
grid_is_valid(struct ck_gen *gen)
{
    return l_compare(gen, LLVMIntNE, slots(gen), l_i64(gen, 0));
}

static void
grid_sync(struct ck_gen *gen, struct ck_span span)
{
    uint32_t site = ck_host_add_site(gen, CK_BARRIER_GRID, CK_COLLECTIVE_NONE, span);
    fail_if(gen, has_arrived(gen), l_i32(gen, CK_CPU_BARRIER_BEFORE_WAIT), site);
    ck_host_check_arrive(gen, CK_HOST_GRID);
    ck_host_suspend(gen, site);
    ck_host_check_pass(gen, CK_HOST_GRID);
}

static LLVMValueRef
grid_arrive(struct ck_gen *gen, struct ck_span span)
{
    LLVMValueRef *v_arrivals = ck_host_function(gen)->v_arrivals;
    uint32_t site = ck_host_add_site(gen, CK_BARRIER_GRID, CK_COLLECTIVE_NONE, span);
    fail_if(gen, has_arrived(gen), l_i32(gen, CK_CPU_BARRIER_BEFORE_WAIT), site);
    l_store(gen, l_i32(gen, site), v_arrivals[ARRIVED], 4);
    LLVMValueRef v_token = l_load(gen, gen->t_i64, v_arrivals[COUNT], 8, "");
    v_token = LLVMBuildAdd(gen->builder, v_token, l_i64(gen, 1), "token");
    l_store(gen, v_token, v_arrivals[COUNT], 8);
    ck_host_check_arrive(gen, CK_HOST_GRID);
    return v_token;
}

static void
grid_wait(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span)
{
    LLVMValueRef *v_arrivals = ck_host_function(gen)->v_arrivals;
    uint32_t site = ck_host_add_site(gen, CK_BARRIER_GRID, CK_COLLECTIVE_NONE, span);
    LLVMValueRef v_latest = l_load(gen, gen->t_i64, v_arrivals[COUNT], 8, "");
    LLVMValueRef v_old = l_compare(gen, LLVMIntNE, v_token, v_latest);
    LLVMValueRef v_none = LLVMBuildNot(gen->builder, has_arrived(gen), "");
    LLVMValueRef v_what = LLVMBuildSelect(gen->builder, v_old, l_i32(gen, CK_CPU_OLD_TOKEN),
                                          l_i32(gen, CK_CPU_USED_TOKEN), "");
    fail_if(gen, LLVMBuildOr(gen->builder, v_old, v_none, ""), v_what, site);
    l_store(gen, l_i32(gen, 0), v_arrivals[ARRIVED], 4);
    ck_host_suspend(gen, site);
    ck_host_check_pass(gen, CK_HOST_GRID);
}

/* The executor has two slots for each block and alternates between them at each barrier. */
static LLVMValueRef
grid_open_slots(struct ck_gen *gen)
{
    return slots(gen);
}

static LLVMValueRef
grid_sync_slots(struct ck_gen *gen, LLVMValueRef v_slots, struct ck_span span)
{
    grid_sync(gen, span);
    return v_slots;
}

static void
grid_close_slots(struct ck_gen *gen, LLVMValueRef v_slots)
{
    (void)gen, (void)v_slots;
}

const struct ck_grid_ops ck_host_grid = {
    .is_valid = grid_is_valid,
    .sync = grid_sync,
    .arrive = grid_arrive,
    .wait = grid_wait,
    .open_slots = grid_open_slots,
    .sync_slots = grid_sync_slots,
    .close_slots = grid_close_slots,
};
