/* Divergence analysis: see ir_divergence.h. A worklist propagates divergence from the sources to
 * users and, at divergent branches, to the blocks and phis that the branch influences. */
#include "codegen/opt/ir_divergence.h"

/* --- Values ------------------------------------------------------------------------------------
 */

static int
find_value(const struct ck_divergence_info *info, LLVMValueRef v)
{
    int i = ck_index_first(&info->value_index, ck_hash_pointer(v));
    while (i >= 0 && info->values[i].v != v)
        i = ck_index_next(&info->value_index, i);
    return i;
}

enum ck_ir_divergence
ck_divergence_of(const struct ck_divergence_info *info, LLVMValueRef v)
{
    int i = find_value(info, v);
    return i < 0 ? CK_UNIFORM : info->values[i].divergence;
}

/* Raises the divergence of a value to at least `divergence`. */
static void
raise(struct ck_divergence_info *info, LLVMValueRef v, enum ck_ir_divergence divergence)
{
    if (divergence == CK_UNIFORM)
        return;
    int i = find_value(info, v);
    if (i < 0) {
        i = info->n_values;
        CK_PUSH(info->arena, info->values, info->n_values, info->values_capacity,
                (struct ck_divergent_value){.v = v});
        ck_index_add(info->arena, &info->value_index, ck_hash_pointer(v));
    }
    struct ck_divergent_value *value = &info->values[i];
    if (divergence <= value->divergence)
        return;
    value->divergence = divergence;
    if (!value->is_queued)
        CK_PUSH(info->arena, info->worklist, info->n_worklist, info->worklist_capacity, i);
    value->is_queued = true;
}

static void
raise_phis(struct ck_divergence_info *info, int block, enum ck_ir_divergence divergence)
{
    LLVMValueRef v = LLVMGetFirstInstruction(info->cfg->blocks[block].b_self);
    for (; v && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v))
        raise(info, v, divergence);
}

/* Raises all values of a block. Its terminator follows its condition. */
static void
raise_values(struct ck_divergence_info *info, int block, enum ck_ir_divergence divergence)
{
    LLVMValueRef v = LLVMGetFirstInstruction(info->cfg->blocks[block].b_self);
    for (; v && !LLVMIsATerminatorInst(v); v = LLVMGetNextInstruction(v))
        raise(info, v, divergence);
}

/* --- Control flow ------------------------------------------------------------------------------
 */

/* The blocks on all paths from the end of a block. */
static struct ck_block_set
blocks_after(const struct ck_cfg *cfg, int block)
{
    const struct ck_block_set no_stops = {0};
    struct ck_block_set reached = {0};
    for (int k = 0; k < cfg->blocks[block].n_succs; k++)
        ck_cfg_reach(cfg, cfg->blocks[block].succs[k], &no_stops, &reached);
    return reached;
}

/* For the exit block of a loop that may wait for another thread: threads do not reconverge after
 * it. */
static void
diverge_after(struct ck_divergence_info *info, int exit, enum ck_ir_divergence divergence)
{
    const struct ck_block_set after = blocks_after(info->cfg, exit);
    ck_block_set_unite(&info->divergent_blocks, &after);
    for (int i = 0; i < info->cfg->n_blocks; i++) {
        if (ck_block_set_has(&after, i))
            raise_values(info, i, divergence);
    }
}

static void
diverge_at_branch(struct ck_divergence_info *info, int branch, enum ck_ir_divergence divergence)
{
    const struct ck_cfg *cfg = info->cfg;
    const struct ck_influence influence = ck_cfg_influence(cfg, branch);
    if (influence.is_loop && divergence == CK_DIVERGENT_BY_MEMORY) {
        diverge_after(info, branch, divergence);
        return;
    }
    const struct ck_block_set *joins =
        info->model->all_phis_diverge ? &influence.blocks : &influence.joins;
    ck_block_set_unite(&info->divergent_blocks, &influence.blocks);
    for (int i = 0; i < cfg->n_blocks; i++) {
        if (influence.is_loop && ck_block_set_has(&influence.blocks, i))
            raise_values(info, i, divergence); /* temporal divergence */
        else if (ck_block_set_has(joins, i) || i == cfg->blocks[branch].ipdom)
            raise_phis(info, i, divergence); /* sync divergence */
    }
}

static void
visit_users(struct ck_divergence_info *info, LLVMValueRef v, enum ck_ir_divergence divergence)
{
    if (LLVMIsATerminatorInst(v) && LLVMGetNumSuccessors(v) > 1)
        diverge_at_branch(info, ck_cfg_find(info->cfg, LLVMGetInstructionParent(v)), divergence);
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        raise(info, LLVMGetUser(use), divergence);
}

/* --- Analysis ----------------------------------------------------------------------------------
 */

static void
find_sources(struct ck_divergence_info *info, int block)
{
    const struct ck_divergence_model *model = info->model;
    bool may_wait = false;
    LLVMValueRef v = LLVMGetFirstInstruction(info->cfg->blocks[block].b_self);
    for (; v; v = LLVMGetNextInstruction(v)) {
        if (!LLVMIsAPHINode(v) && !LLVMIsATerminatorInst(v))
            raise(info, v, model->of_instruction(v));
        may_wait |= model->may_wait && model->may_wait(v);
    }
    if (!may_wait)
        return;
    const struct ck_block_set after = blocks_after(info->cfg, block);
    ck_block_set_unite(&info->divergent_blocks, &after);
    ck_block_set_add(&info->divergent_blocks, block);
}

void
ck_divergence_analyse(struct ck_divergence_info *info, struct ck_arena *arena,
                      const struct ck_cfg *cfg, const struct ck_divergence_model *model)
{
    *info = (struct ck_divergence_info){.arena = arena, .cfg = cfg, .model = model};
    for (int i = 0; i < cfg->n_blocks; i++)
        find_sources(info, i);
    while (info->n_worklist > 0) {
        struct ck_divergent_value *value = &info->values[info->worklist[--info->n_worklist]];
        value->is_queued = false;
        visit_users(info, value->v, value->divergence);
    }
}
