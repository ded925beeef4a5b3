/* Block loops: a kernel with barriers as loops over the threads of a block, one for each region
 * between barriers, as PoCL and other OpenCL implementations for CPUs make loops over work-items.
 * LLVM vectorises them as it does the one loop of a kernel without barriers.
 *
 * The pass transforms the code of one thread, in SSA form, in which calls mark barriers and stand
 * for the thread's index (block_loops_markers.c). Each region becomes the body of a loop over the
 * block's threads (block_loops_regions.c finds regions, block_loops_emit.c makes the loops). A
 * scalar value, the same for all threads, is computed once, before the loop of its region, and
 * branches on such values lead from region to region. A value of a thread that later regions use is
 * either recomputed there from the thread's index, or kept in an array with an element for each
 * thread (block_loops_values.c).
 *
 * A kernel whose threads may be diverged at a barrier becomes a coroutine instead. Sources: regions
 * and arrays for live values are those of "pocl: A Performance-Portable OpenCL Implementation"
 * (2015); loops over work-items without redundant uniform code those of Karrenberg and Hack,
 * "Improving Performance of OpenCL on CPUs" (2012). */
#include "codegen/host/block_loops.h"

/* --- Splitting at barriers ---------------------------------------------------------------------
 */

/* Replaces a predecessor of a block by another one in the block's phis. */
static void
replace_predecessor(struct ck_block_loops *bl, LLVMBasicBlockRef block, LLVMBasicBlockRef from,
                    LLVMBasicBlockRef to)
{
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v && LLVMIsAPHINode(v); v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        LLVMPositionBuilderBefore(bl->builder, v);
        LLVMValueRef v_new = LLVMBuildPhi(bl->builder, LLVMTypeOf(v), "");
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
            LLVMValueRef v_value = LLVMGetIncomingValue(v, i);
            LLVMBasicBlockRef b_pred = LLVMGetIncomingBlock(v, i);
            LLVMAddIncoming(v_new, &v_value, b_pred == from ? &to : &b_pred, 1);
        }
        LLVMReplaceAllUsesWith(v, v_new);
        LLVMInstructionEraseFromParent(v);
    }
}

/* Moves what follows a call of a marker to a block of its own, and erases the call. */
static void
split_after(struct ck_block_loops *bl, LLVMBasicBlockRef block, LLVMValueRef v_call)
{
    struct ck_regions *regions = &bl->regions;
    LLVMBasicBlockRef b_after = l_block(bl->gen, "after");
    LLVMValueRef v_end = LLVMGetBasicBlockTerminator(block);
    bool is_barrier = ck_ir_calls(v_call, CK_MARKER_BARRIER);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(v_end); i++)
        replace_predecessor(bl, LLVMGetSuccessor(v_end, i), block, b_after);
    l_at(bl->gen, b_after);
    for (LLVMValueRef v; (v = LLVMGetNextInstruction(v_call));)
        ck_block_loops_move(bl, v);
    LLVMInstructionEraseFromParent(v_call);
    l_at(bl->gen, block);
    l_branch(bl->gen, b_after);
    struct ck_region_block next = {.after_barrier = is_barrier, .after_peer_read = !is_barrier};
    ck_cfg_add(&regions->cfg, b_after);
    CK_PUSH(regions->arena, regions->blocks, regions->n_blocks, regions->blocks_capacity, next);
}

/* Splits blocks after barriers, and after reads of other threads' values. Also erases the lifetime
 * markers that inlining leaves of local arrays, which now live longer. False: the kernel has
 * an operation that block loops cannot express. */
static bool
split_at_markers(struct ck_block_loops *bl)
{
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(bl->regions.v_function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef v_next, v_call = NULL;
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v && !v_call; v = v_next) {
            v_next = LLVMGetNextInstruction(v);
            if (ck_ir_calls(v, CK_MARKER_UNSUPPORTED))
                return false;
            if (ck_ir_calls(v, CK_MARKER_BARRIER) || ck_ir_calls(v, CK_MARKER_PEER_READ))
                v_call = v;
            else if (ck_ir_calls(v, "llvm.lifetime.start.p0") ||
                     ck_ir_calls(v, "llvm.lifetime.end.p0"))
                LLVMInstructionEraseFromParent(v);
        }
        if (v_call)
            split_after(bl, b, v_call); /* the outer loop visits the new block later */
    }
    return true;
}

/* --- Regions -----------------------------------------------------------------------------------
 */

/* Finds how each region ends: in a uniform branch, at the next region's header, or in a return.
 * False: a region ends in more than one of these. */
static bool
find_ends(struct ck_block_loops *bl)
{
    for (int i = 0; i < bl->regions.n_blocks; i++)
        bl->loops[i].uniform_branch = bl->loops[i].next = -1;
    for (int i = 0; i < bl->regions.n_blocks; i++) {
        const struct ck_region_block *block = &bl->regions.blocks[i];
        const struct ck_cfg_block *node = &bl->regions.cfg.blocks[i];
        struct ck_region_loop *region = ck_block_loops_loop_of(bl, i);
        if (block->is_uniform_branch && region->uniform_branch >= 0)
            return false;
        if (block->is_uniform_branch) {
            const struct ck_region_value *test =
                ck_block_loops_value(&bl->regions, LLVMGetOperand(node->v_end, 0));
            region->uniform_branch = i;
            region->has_scalar_condition = !test || test->is_scalar;
        }
        for (int k = 0; k < node->n_succs && !block->is_uniform_branch; k++) {
            if (!bl->regions.blocks[node->succs[k]].is_header)
                continue;
            if (region->next >= 0 && region->next != node->succs[k])
                return false;
            region->next = node->succs[k];
        }
        if (node->n_succs == 0 && !LLVMIsAReturnInst(node->v_end))
            return false;
        region->returns |= node->n_succs == 0;
    }
    for (int i = 0; i < bl->regions.n_blocks; i++) {
        const struct ck_region_loop *region = &bl->loops[i];
        if (bl->regions.blocks[i].is_header &&
            (region->uniform_branch >= 0) + (region->next >= 0) + region->returns != 1)
            return false;
    }
    return true;
}

static void
make_entry(struct ck_block_loops *bl)
{
    struct ck_gen *gen = bl->gen;
    LLVMBasicBlockRef b_first = LLVMGetEntryBasicBlock(bl->regions.v_function);
    bl->b_entry = LLVMInsertBasicBlockInContext(gen->llvm, b_first, "start");
    l_at(gen, bl->b_entry);
    for (int dim = 0; dim < 3; dim++)
        bl->v_extents[dim] = gen->target->thread->position(gen, CK_BLOCK_DIM, dim);
    bl->v_all = LLVMBuildNUWMul(bl->builder, bl->v_extents[0], bl->v_extents[1], "");
    bl->v_all = LLVMBuildNUWMul(bl->builder, bl->v_all, bl->v_extents[2], "");
    LLVMValueRef v_threads =
        LLVMBuildAdd(bl->builder, bl->v_all, l_i64(gen, CK_CPU_LOOP_THREADS - 1), "");
    bl->v_threads =
        LLVMBuildAnd(bl->builder, v_threads, l_i64(gen, -(int64_t)CK_CPU_LOOP_THREADS), "threads");
}

/* Makes the blocks around a region. ck_block_loops_connect connects them with the region's own
 * blocks, ck_block_loops_make_loops closes the loop. */
static void
open_region(struct ck_block_loops *bl, int header)
{
    struct ck_gen *gen = bl->gen;
    struct ck_region_loop *region = &bl->loops[header];
    region->b_preheader = l_block(gen, "before");
    region->b_begin = l_block(gen, "begin");
    region->b_end = l_block(gen, "end");
    region->b_exit = l_block(gen, "done");
    l_at(gen, region->b_preheader);
    l_branch(gen, region->b_begin);
    l_at(gen, region->b_begin);
    region->v_rank = ck_host_mark_index(gen, CK_MARKER_RANK);
    l_branch(gen, bl->regions.cfg.blocks[header].b_self);
}

/* --- Markers of uniform arguments --------------------------------------------------------------
 */

static bool
is_uniform_marker(LLVMValueRef v)
{
    return ck_ir_calls(v, CK_MARKER_UNIFORM);
}

/* Whether every marker of a uniform argument is in a converged block and its argument is uniform.
 * Such arguments need no check at run time and are replaced by 0. */
static bool
has_uniform_arguments(const struct ck_block_loops *bl)
{
    const struct ck_divergence_info *divergence = &bl->regions.divergence;
    for (int i = 0; i < bl->regions.n_blocks; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(bl->regions.cfg.blocks[i].b_self);
        for (; v; v = LLVMGetNextInstruction(v)) {
            if (!is_uniform_marker(v))
                continue;
            if (ck_block_set_has(&divergence->divergent_blocks, i) ||
                ck_divergence_of(divergence, LLVMGetOperand(v, 0)) != CK_UNIFORM)
                return false;
            LLVMSetOperand(v, 0, l_i64(bl->gen, 0));
        }
    }
    return true;
}

/* Erases markers without uses, and local arrays, which are in thread arrays now. */
static void
erase_dead(struct ck_block_loops *bl)
{
    for (int i = 0; i < bl->regions.n_blocks; i++) {
        LLVMValueRef v_next;
        for (LLVMValueRef v = LLVMGetFirstInstruction(bl->regions.cfg.blocks[i].b_self); v;
             v = v_next) {
            v_next = LLVMGetNextInstruction(v);
            if (ck_block_loops_is_index(v) || is_uniform_marker(v) || LLVMIsAAllocaInst(v))
                LLVMInstructionEraseFromParent(v);
        }
    }
}

/* --- Transformation ----------------------------------------------------------------------------
 */

static bool
transform(struct ck_block_loops *bl)
{
    if (!split_at_markers(bl) || !ck_block_loops_find_regions(&bl->regions) ||
        !has_uniform_arguments(bl))
        return false;
    bl->loops = CK_NEW_ARRAY(bl->regions.arena, struct ck_region_loop, bl->regions.n_blocks);
    if (!find_ends(bl))
        return false;
    make_entry(bl);
    for (int i = 0; i < bl->regions.n_blocks; i++) {
        if (bl->regions.blocks[i].is_header)
            open_region(bl, i);
    }
    l_at(bl->gen, bl->b_entry);
    l_branch(bl->gen, bl->loops[bl->regions.cfg.rpo[0]].b_preheader);
    ck_block_loops_rewrite_values(bl);
    ck_block_loops_connect(bl);
    erase_dead(bl);
    ck_block_loops_make_loops(bl);
    return true;
}

bool
ck_block_loops_make(struct ck_gen *gen, LLVMValueRef v_function, uint32_t n_shared,
                    uint64_t *frame_bytes)
{
    struct ck_arena_mark mark = ck_arena_mark(&gen->arena);
    struct ck_gen_function func = {.v_function = v_function};
    struct ck_block_loops bl = {
        .regions = {.arena = &gen->arena, .v_function = v_function, .cfg = {.arena = &gen->arena}},
        .gen = gen,
        .builder = gen->builder,
        .v_frame = LLVMGetParam(v_function, 2),
        .v_shared = CK_NEW_ARRAY(&gen->arena, LLVMValueRef, n_shared),
    };
    func.v_hidden[HIDDEN_BLOCK] = LLVMGetParam(v_function, 1);
    gen->func = &func;
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    bool made = transform(&bl);
    *frame_bytes = bl.frame_bytes;
    gen->func = NULL;
    ck_arena_release(&gen->arena, mark);
    return made;
}
