/* The loops of regions: connects regions, makes a loop over the block's threads around each, and
 * replaces the markers of collectives by memory. See block_loops.c. */
#include "codegen/host/block_loops.h"
#include "codegen/opt/inner_loop.h"

/* --- Control flow between regions --------------------------------------------------------------
 */

static bool
is_back_edge(const struct ck_block_loops *bl, int from, int to)
{
    const struct ck_cfg *cfg = &bl->regions.cfg;
    return cfg->blocks[to].rpo <= cfg->blocks[from].rpo;
}

/* Disables unrolling of a loop around regions: regions are long, and unrolling would only add code.
 */
static void
mark_outer_loop(struct ck_block_loops *bl, LLVMValueRef v_branch, int from, int to)
{
    if (is_back_edge(bl, from, to))
        ck_loop_mark(bl->gen, v_branch, "llvm.loop.unroll.disable", NULL);
}

/* Whether another iteration of a loop around regions may follow the region. */
static bool
is_latch(const struct ck_block_loops *bl, int header)
{
    const struct ck_region_loop *region = &bl->loops[header];
    if (region->next >= 0)
        return is_back_edge(bl, header, region->next);
    if (region->uniform_branch < 0)
        return false;
    const struct ck_cfg_block *block = &bl->regions.cfg.blocks[region->uniform_branch];
    for (int k = 0; k < block->n_succs; k++) {
        if (is_back_edge(bl, region->uniform_branch, block->succs[k]))
            return true;
    }
    return false;
}

/* Ends the block if the program interrupts the launch. */
static void
poll_interrupt(struct ck_block_loops *bl)
{
    struct ck_gen *gen = bl->gen;
    LLVMValueRef v_block = gen->func->v_hidden[HIDDEN_BLOCK];
    LLVMValueRef v_at = l_offset(gen, v_block, offsetof(struct ck_cpu_block, interrupted));
    v_at = l_load_constant(gen, gen->t_ptr, v_at, 8, "flag");
    LLVMValueRef v_flag = l_load(gen, gen->t_i32, v_at, 4, "interrupted");
    LLVMSetVolatile(v_flag, true);
    LLVMBasicBlockRef b_leave = l_block(gen, "leave"), b_again = l_block(gen, "again");
    LLVMValueRef v_again = l_compare(gen, LLVMIntEQ, v_flag, l_i32(gen, 0));
    LLVMBuildCondBr(gen->builder, v_again, b_again, b_leave);
    l_at(gen, b_leave);
    LLVMValueRef v_leave =
        ck_host_external(gen, "ck_cpu_leave_interrupted", gen->t_void, &gen->t_ptr, 1);
    l_attribute(gen, v_leave, LLVMAttributeFunctionIndex, "noreturn", 0);
    l_attribute(gen, v_leave, LLVMAttributeFunctionIndex, "cold", 0);
    l_call(gen, v_leave, &v_block, 1);
    LLVMBuildUnreachable(gen->builder);
    l_at(gen, b_again);
}

/* Moves a region's uniform branch after the loop. All threads have the same condition: the branch
 * reads the last thread's. */
static void
end_in_uniform_branch(struct ck_block_loops *bl, const struct ck_region_loop *region)
{
    const struct ck_cfg_block *block = &bl->regions.cfg.blocks[region->uniform_branch];
    LLVMValueRef v_condition = LLVMGetOperand(block->v_end, 0);
    LLVMValueRef v_slot = NULL;
    LLVMTypeRef type = LLVMTypeOf(v_condition);
    if (!region->has_scalar_condition) {
        LLVMPositionBuilderBefore(bl->builder, LLVMGetFirstInstruction(bl->b_entry));
        v_slot = LLVMBuildAlloca(bl->builder, type, "condition");
        ck_block_loops_before_end(bl, block->b_self);
        LLVMBuildStore(bl->builder, v_condition, v_slot);
    }
    l_at(bl->gen, region->b_exit);
    if (v_slot)
        LLVMSetOperand(block->v_end, 0, LLVMBuildLoad2(bl->builder, type, v_slot, ""));
    ck_block_loops_move(bl, block->v_end);
    for (int k = 0; k < block->n_succs; k++) {
        LLVMSetSuccessor(block->v_end, (unsigned)k, bl->loops[block->succs[k]].b_preheader);
        mark_outer_loop(bl, block->v_end, region->uniform_branch, block->succs[k]);
    }
    l_at(bl->gen, block->b_self);
    l_branch(bl->gen, region->b_end);
}

void
ck_block_loops_connect(struct ck_block_loops *bl)
{
    struct ck_gen *gen = bl->gen;
    for (int i = 0; i < bl->regions.n_blocks; i++) {
        const struct ck_cfg_block *block = &bl->regions.cfg.blocks[i];
        LLVMBasicBlockRef b_end = ck_block_loops_loop_of(bl, i)->b_end;
        for (int k = 0; k < block->n_succs && !bl->regions.blocks[i].is_uniform_branch; k++) {
            if (bl->regions.blocks[block->succs[k]].is_header)
                LLVMSetSuccessor(block->v_end, (unsigned)k, b_end);
        }
        if (block->n_succs == 0) {
            LLVMInstructionEraseFromParent(block->v_end);
            l_at(gen, block->b_self);
            l_branch(gen, b_end);
        }
    }
    for (int i = 0; i < bl->regions.n_blocks; i++) {
        const struct ck_region_loop *region = &bl->loops[i];
        if (!bl->regions.blocks[i].is_header)
            continue;
        l_at(gen, region->b_exit);
        if (region->returns)
            LLVMBuildRetVoid(bl->builder);
        else if (region->next >= 0)
            mark_outer_loop(bl, LLVMBuildBr(gen->builder, bl->loops[region->next].b_preheader), i,
                            region->next);
        else
            end_in_uniform_branch(bl, region);
    }
    l_at(gen, bl->b_entry);
}

/* --- Memory ------------------------------------------------------------------------------------
 */

/* Marks a region's loads and stores as free of loop-carried dependences: between two barriers, a
 * program may not make threads depend on each other. */
static void
mark_memory(struct ck_block_loops *bl, LLVMBasicBlockRef block, const struct ck_region_loop *region)
{
    unsigned kind = LLVMGetMDKindIDInContext(bl->gen->llvm, "llvm.mem.parallel_loop_access", 29);
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v)) {
        if (LLVMIsALoadInst(v) || LLVMIsAStoreInst(v))
            LLVMSetMetadata(v, kind, region->v_loop);
    }
}

/* The address of a thread's element in memory that other threads read. */
static LLVMValueRef
shared_element(struct ck_block_loops *bl, LLVMValueRef v)
{
    struct ck_gen *gen = bl->gen;
    uint64_t id = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0));
    uint64_t bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    if (!bl->v_shared[id])
        bl->v_shared[id] =
            ck_block_loops_new_array(bl, v, -1,
                                     LLVMIntTypeInContext(gen->llvm, (unsigned)bytes * 8), bytes)
                .v_base;
    LLVMPositionBuilderBefore(bl->builder, v);
    LLVMValueRef v_offset =
        LLVMBuildNUWMul(bl->builder, LLVMGetOperand(v, 2), l_i64(gen, (int64_t)bytes), "");
    LLVMSetNSW(v_offset, true);
    return LLVMBuildInBoundsGEP2(bl->builder, gen->t_i8, bl->v_shared[id], &v_offset, 1, "");
}

/* The counter that all threads of a region add to. */
static LLVMValueRef
counter_of(struct ck_block_loops *bl, LLVMValueRef v)
{
    uint64_t id = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0));
    if (bl->v_shared[id])
        return bl->v_shared[id];
    LLVMPositionBuilderBefore(bl->builder, LLVMGetFirstInstruction(bl->b_entry));
    return bl->v_shared[id] = LLVMBuildAlloca(bl->builder, bl->gen->t_i32, "count");
}

static void
add_to_counter(struct ck_block_loops *bl, LLVMValueRef v, const struct ck_region_loop *region)
{
    LLVMValueRef v_count = counter_of(bl, v);
    ck_block_loops_before_end(bl, region->b_preheader);
    l_store(bl->gen, l_i32(bl->gen, 0), v_count, 4);
    LLVMPositionBuilderBefore(bl->builder, v);
    LLVMValueRef v_sum = l_load(bl->gen, bl->gen->t_i32, v_count, 4, "");
    v_sum = LLVMBuildAdd(bl->builder, v_sum, LLVMGetOperand(v, 1), "");
    l_store(bl->gen, v_sum, v_count, 4);
}

/* Replaces the markers of collectives in a block of a region, or in a preheader (`region` is NULL).
 */
static void
replace_markers(struct ck_block_loops *bl, LLVMBasicBlockRef block,
                const struct ck_region_loop *region)
{
    LLVMValueRef v_next, v_new;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        if (ck_ir_calls(v, CK_MARKER_PEER_SLOT)) {
            LLVMReplaceAllUsesWith(v, shared_element(bl, v));
        } else if (ck_ir_calls(v, CK_MARKER_COUNTED)) {
            v_new = counter_of(bl, v);
            LLVMPositionBuilderBefore(bl->builder, v);
            LLVMReplaceAllUsesWith(v, l_load(bl->gen, bl->gen->t_i32, v_new, 4, ""));
        } else if (ck_ir_calls(v, CK_MARKER_COUNT)) {
            add_to_counter(bl, v, region);
        } else {
            continue;
        }
        LLVMInstructionEraseFromParent(v);
    }
}

/* --- Loops -------------------------------------------------------------------------------------
 */

static LLVMValueRef
next_rank(struct ck_block_loops *bl, LLVMValueRef v_rank, int dim, LLVMValueRef v_index)
{
    LLVMValueRef v = LLVMBuildNUWMul(bl->builder, v_rank, bl->v_extents[dim], "");
    LLVMSetNSW(v, true);
    v = LLVMBuildNUWAdd(bl->builder, v, v_index, "rank");
    LLVMSetNSW(v, true);
    return v;
}

/* Disables unrolling and interleaving. Thread blocks are small: with several vectors in an
 * iteration, the remainder loop would run most threads. */
static void
close_loop(struct ck_block_loops *bl, struct ck_region_loop *region, struct ck_thread_loop *loop,
           LLVMValueRef v_extent)
{
    struct ck_gen *gen = bl->gen;
    LLVMValueRef v_branch = ck_host_loop_close(gen, loop, v_extent);
    ck_loop_mark(gen, v_branch, "llvm.loop.unroll.disable", NULL);
    ck_loop_mark(gen, v_branch, "llvm.loop.interleave.count", l_i32(gen, 1));
    if (!region->v_loop)
        region->v_loop = ck_loop_metadata(v_branch);
}

/* One loop over the ranks, for a region that reads no other index. */
static void
loop_by_rank(struct ck_block_loops *bl, struct ck_region_loop *region)
{
    struct ck_thread_loop loop = ck_host_loop_open(bl->gen, 0);
    region->v_thread[CK_MARKER_RANK] = loop.v_index;
    l_branch(bl->gen, region->b_begin);
    l_at(bl->gen, region->b_end);
    close_loop(bl, region, &loop, bl->v_all);
}

static void
loop_by_index(struct ck_block_loops *bl, struct ck_region_loop *region)
{
    struct ck_thread_loop loops[3];
    LLVMValueRef v_rank = NULL;
    for (int dim = 2; dim >= 0; dim--) {
        loops[dim] = ck_host_loop_open(bl->gen, dim);
        region->v_thread[dim] = loops[dim].v_index;
        v_rank = dim == 2 ? loops[dim].v_index : next_rank(bl, v_rank, dim, loops[dim].v_index);
    }
    region->v_thread[CK_MARKER_RANK] = v_rank;
    l_branch(bl->gen, region->b_begin);
    l_at(bl->gen, region->b_end);
    for (int dim = 0; dim < 3; dim++)
        close_loop(bl, region, &loops[dim], bl->v_extents[dim]);
}

static bool
reads_index(LLVMBasicBlockRef block)
{
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v)) {
        if (ck_block_loops_is_index(v) &&
            LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0)) != CK_MARKER_RANK)
            return true;
    }
    return false;
}

/* Makes the loop of a region, whose index markers are all in the block `b_begin`. */
static void
make_loop(struct ck_block_loops *bl, int header)
{
    struct ck_region_loop *region = &bl->loops[header];
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(region->b_preheader));
    l_at(bl->gen, region->b_preheader);
    if (reads_index(region->b_begin))
        loop_by_index(bl, region);
    else
        loop_by_rank(bl, region);
    if (is_latch(bl, header))
        poll_interrupt(bl);
    l_branch(bl->gen, region->b_exit);
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(region->b_begin); v; v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        if (!ck_block_loops_is_index(v))
            continue;
        uint64_t dim = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0));
        LLVMReplaceAllUsesWith(v, region->v_thread[dim]);
        LLVMInstructionEraseFromParent(v);
    }
}

void
ck_block_loops_make_loops(struct ck_block_loops *bl)
{
    for (int i = 0; i < bl->regions.n_blocks; i++) {
        if (!bl->regions.blocks[i].is_header)
            continue;
        make_loop(bl, i);
        replace_markers(bl, bl->loops[i].b_preheader, NULL);
        mark_memory(bl, bl->loops[i].b_begin, &bl->loops[i]);
    }
    for (int i = 0; i < bl->regions.n_blocks; i++) {
        replace_markers(bl, bl->regions.cfg.blocks[i].b_self, ck_block_loops_loop_of(bl, i));
        mark_memory(bl, bl->regions.cfg.blocks[i].b_self, ck_block_loops_loop_of(bl, i));
    }
}
