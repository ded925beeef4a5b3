/* Moves loads that every iteration of an innermost loop executes before the loop's first branch:
 * docs/adr/034.
 *
 * The copies of an unrolled body follow each other, and where one ends with a conditional store,
 * the loads of the next wait for the branch. Arrays that the kernel does not write, and that
 * overlap none that it writes, may be loaded before. The assembler does not move loads across
 * branches.
 *
 * Every iteration executes the blocks that post-dominate the header, up to the latch. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/cfg.h"
#include "codegen/opt/passes.h"

enum { MAX_LOADS = 16, MAX_DEPTH = 8 };

struct hoist {
    const struct ck_cfg *cfg;
    LLVMValueRef v_kernel;
    LLVMBasicBlockRef b_header;
    int header, latch;
    struct ck_block_set blocks; /* of the loop */
    int n_loads;                /* moved */
};

static bool
is_inside(const struct hoist *hoist, LLVMValueRef v)
{
    return LLVMIsAInstruction(v) &&
           ck_block_set_has(&hoist->blocks, ck_cfg_find(hoist->cfg, LLVMGetInstructionParent(v)));
}

/* Whether the end of the header has a value, or could compute it. */
static bool
is_available(const struct hoist *hoist, LLVMValueRef v, int depth)
{
    if (!is_inside(hoist, v) || LLVMGetInstructionParent(v) == hoist->b_header)
        return true;
    if (!ck_ir_is_pure(v) || depth == 0)
        return false;
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        if (!is_available(hoist, LLVMGetOperand(v, (unsigned)i), depth - 1))
            return false;
    }
    return true;
}

/* Moves a value, after the operands that it needs, to the end of the header. */
static void
move(struct ck_gen *gen, const struct hoist *hoist, LLVMValueRef v)
{
    if (!is_inside(hoist, v) || LLVMGetInstructionParent(v) == hoist->b_header)
        return;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        move(gen, hoist, LLVMGetOperand(v, (unsigned)i));
    LLVMInstructionRemoveFromParent(v);
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(hoist->b_header));
    LLVMInsertIntoBuilder(gen->builder, v);
}

static void
hoist_from(struct ck_gen *gen, struct hoist *hoist, LLVMBasicBlockRef block)
{
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        if (!LLVMIsALoadInst(v) || hoist->n_loads == MAX_LOADS)
            continue;
        LLVMValueRef v_address = LLVMGetOperand(v, 0);
        if (ck_gen_is_never_written(hoist->v_kernel, v_address) &&
            is_available(hoist, v_address, MAX_DEPTH)) {
            move(gen, hoist, v);
            hoist->n_loads++;
        }
    }
}

static bool
is_innermost(const struct hoist *hoist)
{
    struct ck_block_set stops = {0};
    ck_block_set_add(&stops, hoist->header);
    for (int i = 0; i < hoist->cfg->n_blocks; i++) {
        if (i != hoist->header && ck_block_set_has(&hoist->blocks, i) &&
            ck_cfg_is_in_loop(hoist->cfg, i, &stops))
            return false;
    }
    return true;
}

static void
find_blocks(struct hoist *hoist)
{
    struct ck_block_set stops = {0};
    ck_block_set_add(&stops, hoist->latch);
    ck_cfg_reach(hoist->cfg, hoist->header, &stops, &hoist->blocks);
}

/* The loop of a back edge, if no other edge leads to its header but the one that enters it. */
static void
visit_loop(struct ck_gen *gen, struct hoist *hoist)
{
    const struct ck_cfg *cfg = hoist->cfg;
    if (hoist->header == hoist->latch || cfg->blocks[hoist->header].n_preds != 2 ||
        !ck_cfg_post_dominates(cfg, hoist->latch, hoist->header))
        return;
    hoist->b_header = cfg->blocks[hoist->header].b_self;
    find_blocks(hoist);
    if (!is_innermost(hoist))
        return;
    for (int b = hoist->header; b != hoist->latch;) {
        b = cfg->blocks[b].ipdom;
        hoist_from(gen, hoist, cfg->blocks[b].b_self);
    }
}

static void
visit_function(struct ck_gen *gen, LLVMValueRef v_kernel, const struct ck_cfg *cfg)
{
    for (int i = 0; i < cfg->n_reachable; i++) {
        const int latch = cfg->rpo[i];
        for (int k = 0; k < cfg->blocks[latch].n_succs; k++) {
            const int header = cfg->blocks[latch].succs[k];
            struct hoist hoist = {
                .cfg = cfg, .v_kernel = v_kernel, .header = header, .latch = latch};
            if (cfg->blocks[header].rpo < cfg->blocks[latch].rpo)
                visit_loop(gen, &hoist);
        }
    }
}

void
ck_gen_hoist_loads(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        struct ck_arena_mark mark = ck_arena_mark(&gen->arena);
        struct ck_cfg cfg = {.arena = &gen->arena};
        if (!LLVMIsDeclaration(v) && ck_cfg_build(&cfg, v))
            visit_function(gen, v, &cfg);
        ck_arena_release(&gen->arena, mark);
    }
}
