/* Regions of a kernel with barriers, and which of its values are scalar: see block_loops.c.
 *
 * A region is the blocks between two barriers; all threads of a block of the grid enter it
 * together, at its header. A branch on a uniform value whose influence region has a header is not
 * part of the loop of its region: it is executed once for all threads. So headers are
 *
 *   - the entry, and the blocks that follow a barrier;
 *   - the successors of such a branch;
 *   - blocks whose predecessors belong to different regions.
 *
 * opt/ir_divergence.c finds which values are uniform and which blocks are divergent.
 * Sources of divergence are a thread's index and memory. Between barriers, no thread waits for
 * another one, so threads reconverge after every loop.
 *
 * The regions are PoCL's parallel regions, which end here at uniform branches too. Karrenberg and
 * Hack (2012) have an analysis of the same kind for the values that are uniform. */
#include "codegen/core/ir_util.h"
#include "codegen/host/block_loops.h"

/* --- Blocks and values -------------------------------------------------------------------------
 */

struct ck_region_value *
ck_block_loops_value(const struct ck_regions *regions, LLVMValueRef v)
{
    int i = ck_index_first(&regions->value_index, ck_hash_pointer(v));
    while (i >= 0 && regions->values[i].v != v)
        i = ck_index_next(&regions->value_index, i);
    return i < 0 ? NULL : &regions->values[i];
}

struct ck_region_value *
ck_block_loops_add_value(struct ck_regions *regions, LLVMValueRef v, int block)
{
    struct ck_region_value value = {.v = v, .block = block};
    CK_PUSH(regions->arena, regions->values, regions->n_values, regions->values_capacity, value);
    ck_index_add(regions->arena, &regions->value_index, ck_hash_pointer(v));
    return &regions->values[regions->n_values - 1];
}

/* Adds all blocks and their instructions; split_at_markers has added the blocks that follow a
 * marker. False: there are too many blocks, or unreachable ones, or an infinite loop. */
static bool
find_blocks(struct ck_regions *regions)
{
    struct ck_cfg *cfg = &regions->cfg;
    if (!ck_cfg_build(cfg, regions->v_function) || cfg->n_reachable != cfg->n_blocks)
        return false;
    while (regions->n_blocks < cfg->n_blocks)
        CK_PUSH(regions->arena, regions->blocks, regions->n_blocks, regions->blocks_capacity,
                (struct ck_region_block){0});
    for (int i = 0; i < cfg->n_blocks; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(cfg->blocks[i].b_self);
        for (; v; v = LLVMGetNextInstruction(v))
            ck_block_loops_add_value(regions, v, i);
    }
    return true;
}

/* Whether a path leads from a block to the end of another one without a barrier. */
static bool
reaches_without_barrier(const struct ck_regions *regions, int from, int to)
{
    struct ck_block_set barriers = {0}, reached = {0};
    for (int i = 0; i < regions->n_blocks; i++) {
        if (regions->blocks[i].after_barrier)
            ck_block_set_add(&barriers, i);
    }
    ck_cfg_reach(&regions->cfg, from, &barriers, &reached);
    return ck_block_set_has(&reached, to) && !regions->blocks[to].after_barrier;
}

/* In a loop without another barrier, a thread could overwrite a value that others have not read
 * yet. The end of the read then becomes a barrier too. */
static void
add_barriers_after_reads(struct ck_regions *regions)
{
    for (int i = 0; i < regions->n_blocks; i++) {
        struct ck_region_block *block = &regions->blocks[i];
        const struct ck_cfg_block *node = &regions->cfg.blocks[i];
        if (!block->after_peer_read)
            continue;
        for (int k = 0; k < node->n_preds && !block->after_barrier; k++) {
            const struct ck_cfg_block *read = &regions->cfg.blocks[node->preds[k]];
            for (int j = 0; j < read->n_preds && !block->after_barrier; j++)
                block->after_barrier = reaches_without_barrier(regions, i, read->preds[j]);
        }
    }
}

/* --- Divergence --------------------------------------------------------------------------------
 */

/* A load of an argument, or of a constant property of the block. */
static bool
is_invariant_load(LLVMValueRef v)
{
    unsigned kind =
        LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(v)), "invariant.load", 14);
    if (!LLVMIsALoadInst(v))
        return false;
    LLVMValueRef v_from = LLVMGetOperand(v, 0);
    while (LLVMIsAGetElementPtrInst(v_from))
        v_from = LLVMGetOperand(v_from, 0);
    return LLVMIsAArgument(v_from) || LLVMGetMetadata(v, kind);
}

/* A call of an intrinsic that is pure and cannot trap. */
static bool
is_speculatable_call(LLVMValueRef v)
{
    LLVMValueRef v_callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    if (!v_callee || !LLVMIsAFunction(v_callee) || !LLVMGetIntrinsicID(v_callee))
        return false;
    return ck_ir_accesses_no_memory(v_callee) && ck_ir_has_attribute(v_callee, "speculatable");
}

static bool
is_pure(LLVMValueRef v)
{
    return ck_ir_is_pure(v) || is_speculatable_call(v);
}

bool
ck_block_loops_is_speculatable(LLVMValueRef v)
{
    return is_pure(v) && !ck_ir_is_division(v);
}

static enum ck_ir_divergence
divergence_of(LLVMValueRef v)
{
    return is_pure(v) || is_invariant_load(v) || ck_ir_calls(v, CK_MARKER_COUNTED) ? CK_UNIFORM
                                                                                   : CK_DIVERGENT;
}

/* All phis diverge. If only phis at joins of divergent branches did, a loop under a divergent
 * branch could be uniform, and its scalar values would be hoisted and computed even if no thread
 * takes the branch. */
static const struct ck_divergence_model threads = {
    .of_instruction = divergence_of,
    .all_phis_diverge = true,
};

/* --- Regions -----------------------------------------------------------------------------------
 */

static bool
has_header(const struct ck_regions *regions, const struct ck_block_set *blocks)
{
    for (int i = 0; i < regions->n_blocks; i++) {
        if (regions->blocks[i].is_header && ck_block_set_has(blocks, i))
            return true;
    }
    return false;
}

/* A branch with a header in its influence region must be uniform; its successors become headers.
 * False: one is divergent. */
static bool
find_uniform_branches(struct ck_regions *regions, bool *changes)
{
    for (int i = 0; i < regions->n_blocks; i++) {
        const struct ck_cfg_block *node = &regions->cfg.blocks[i];
        struct ck_region_block *block = &regions->blocks[i];
        if (node->n_succs < 2 || block->is_uniform_branch)
            continue;
        const struct ck_influence influence = ck_cfg_influence(&regions->cfg, i);
        if (!has_header(regions, &influence.blocks))
            continue;
        if (ck_divergence_of(&regions->divergence, node->v_end) != CK_UNIFORM)
            return false;
        block->is_uniform_branch = *changes = true;
        for (int k = 0; k < node->n_succs; k++)
            regions->blocks[node->succs[k]].is_header = true;
    }
    return true;
}

/* Blocks belong to the region of their predecessors; where these differ, a region begins. */
static void
assign_regions(struct ck_regions *regions, bool *changes)
{
    for (int i = 0; i < regions->n_blocks; i++)
        regions->blocks[i].region = -1;
    for (int at = 0; at < regions->n_blocks; at++) {
        const int i = regions->cfg.rpo[at];
        const struct ck_cfg_block *node = &regions->cfg.blocks[i];
        struct ck_region_block *block = &regions->blocks[i];
        for (int k = 0; k < node->n_preds && !block->is_header; k++) {
            if (block->region < 0)
                block->region = regions->blocks[node->preds[k]].region;
        }
        if (block->is_header)
            block->region = i;
    }
    for (int i = 0; i < regions->n_blocks; i++) {
        const struct ck_cfg_block *node = &regions->cfg.blocks[i];
        struct ck_region_block *block = &regions->blocks[i];
        for (int k = 0; k < node->n_preds && !block->is_header; k++) {
            if (regions->blocks[node->preds[k]].region != block->region)
                block->is_header = *changes = true;
        }
    }
}

/* False: threads may be diverged at a header. */
static bool
find_headers(struct ck_regions *regions)
{
    for (int i = 0; i < regions->n_blocks; i++)
        regions->blocks[i].is_header = regions->blocks[i].after_barrier;
    regions->blocks[regions->cfg.rpo[0]].is_header = true;
    for (bool changes = true; changes;) {
        changes = false;
        if (!find_uniform_branches(regions, &changes))
            return false;
        assign_regions(regions, &changes);
    }
    return !has_header(regions, &regions->divergence.divergent_blocks);
}

/* --- Scalar values -----------------------------------------------------------------------------
 */

/* Whether a header's phi has one value for each region that leads there. */
static bool
is_scalar_phi(const struct ck_regions *regions, const struct ck_region_value *phi)
{
    unsigned n = LLVMCountIncoming(phi->v);
    if (!regions->blocks[phi->block].is_header)
        return false;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < i; k++) {
            int a = ck_cfg_find(&regions->cfg, LLVMGetIncomingBlock(phi->v, i));
            int b = ck_cfg_find(&regions->cfg, LLVMGetIncomingBlock(phi->v, k));
            if (regions->blocks[a].region == regions->blocks[b].region &&
                LLVMGetIncomingValue(phi->v, i) != LLVMGetIncomingValue(phi->v, k))
                return false;
        }
    }
    return true;
}

/* Whether a value is scalar: its operands are, and it can be speculated or is in a block that every
 * thread of the region executes. */
static bool
may_be_scalar(const struct ck_regions *regions, const struct ck_region_value *value)
{
    if (LLVMIsATerminatorInst(value->v) ||
        ck_divergence_of(&regions->divergence, value->v) != CK_UNIFORM)
        return false;
    if (LLVMIsAPHINode(value->v))
        return is_scalar_phi(regions, value);
    return ck_block_loops_is_speculatable(value->v) ||
           ck_cfg_post_dominates(&regions->cfg, value->block, regions->blocks[value->block].region);
}

static bool
has_scalar_operands(const struct ck_regions *regions, LLVMValueRef v)
{
    for (int k = 0; k < LLVMGetNumOperands(v); k++) {
        const struct ck_region_value *operand =
            ck_block_loops_value(regions, LLVMGetOperand(v, (unsigned)k));
        if (operand && !operand->is_scalar)
            return false;
    }
    return true;
}

static void
find_scalars(struct ck_regions *regions)
{
    for (int i = 0; i < regions->n_values; i++)
        regions->values[i].is_scalar = may_be_scalar(regions, &regions->values[i]);
    for (bool changes = true; changes;) {
        changes = false;
        for (int i = 0; i < regions->n_values; i++) {
            struct ck_region_value *value = &regions->values[i];
            if (!value->is_scalar || has_scalar_operands(regions, value->v))
                continue;
            value->is_scalar = false;
            changes = true;
        }
    }
}

bool
ck_block_loops_find_regions(struct ck_regions *regions)
{
    if (!find_blocks(regions))
        return false;
    add_barriers_after_reads(regions);
    ck_divergence_analyse(&regions->divergence, regions->arena, &regions->cfg, &threads);
    if (!find_headers(regions))
        return false;
    find_scalars(regions);
    return true;
}
