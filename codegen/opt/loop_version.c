/* Versions of loops: see loop_version.h. */
#include "codegen/opt/loop_version.h"
#include "codegen/core/ir_util.h"

/* Whether the copy has room for the preheader, the blocks and the instructions. */
static bool
may_be_copied(const struct ck_inner_loop *loop)
{
    int n = 1 + loop->n_blocks;
    for (int i = 0; i < loop->n_blocks; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(loop->blocks[i]);
        for (; v; v = LLVMGetNextInstruction(v))
            n++;
    }
    return n <= CK_LOOP_MAX_VALUES && !ck_loop_has_alias_scopes(loop);
}

static bool
find_preheader(struct ck_loop_version *version)
{
    LLVMValueRef v_phi = LLVMGetFirstInstruction(version->loop.b_header);
    if (!LLVMIsAPHINode(v_phi) || LLVMCountIncoming(v_phi) != 2)
        return false;
    const unsigned outside = LLVMGetIncomingBlock(v_phi, 0) == version->loop.b_latch;
    version->b_preheader = LLVMGetIncomingBlock(v_phi, outside);
    LLVMValueRef v_enter = LLVMGetBasicBlockTerminator(version->b_preheader);
    return LLVMIsABranchInst(v_enter) && !LLVMIsConditional(v_enter);
}

static bool
find(struct ck_loop_version *version, LLVMBasicBlockRef b_latch,
     bool (*find_blocks)(struct ck_inner_loop *loop))
{
    version->loop.b_latch = b_latch;
    version->v_branch = ck_loop_branch(&version->loop);
    for (unsigned i = 0; version->v_branch && i < 2; i++) {
        version->loop = (struct ck_inner_loop){.b_latch = b_latch,
                                               .b_header = LLVMGetSuccessor(version->v_branch, i)};
        version->b_exit = LLVMGetSuccessor(version->v_branch, 1 - i);
        if (version->b_exit != version->loop.b_header && find_preheader(version) &&
            find_blocks(&version->loop) && may_be_copied(&version->loop))
            return true;
    }
    return false;
}

bool
ck_loop_find_version(struct ck_loop_version *version, LLVMBasicBlockRef b_latch)
{
    return find(version, b_latch, ck_loop_find_blocks);
}

bool
ck_loop_find_nest_version(struct ck_loop_version *version, LLVMBasicBlockRef b_latch)
{
    return find(version, b_latch, ck_loop_find_nest);
}

static void
begin_copy(struct ck_gen *gen, struct ck_loop_version *version)
{
    LLVMBasicBlockRef b_enter =
        LLVMInsertBasicBlockInContext(gen->llvm, version->loop.b_header, "version.enter");
    ck_loop_put(&version->copy, LLVMBasicBlockAsValue(version->b_preheader),
                LLVMBasicBlockAsValue(b_enter));
    for (int i = 0; i < version->loop.n_blocks; i++) {
        LLVMBasicBlockRef b_new =
            LLVMInsertBasicBlockInContext(gen->llvm, version->loop.b_header, "version");
        ck_loop_put(&version->copy, LLVMBasicBlockAsValue(version->loop.blocks[i]),
                    LLVMBasicBlockAsValue(b_new));
    }
    l_at(gen, b_enter);
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    l_branch(gen, ck_loop_copied_block(&version->copy, version->loop.b_header));
}

static void
copy_block(struct ck_gen *gen, struct ck_loop_version *version, LLVMBasicBlockRef b_old)
{
    l_at(gen, ck_loop_copied_block(&version->copy, b_old));
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    for (LLVMValueRef v = LLVMGetFirstInstruction(b_old); v; v = LLVMGetNextInstruction(v)) {
        LLVMValueRef v_new;
        if (LLVMIsAPHINode(v))
            v_new = LLVMBuildPhi(gen->builder, LLVMTypeOf(v), "");
        else
            LLVMInsertIntoBuilder(gen->builder, v_new = LLVMInstructionClone(v));
        ck_loop_put(&version->copy, v, v_new);
    }
}

/* Adds the copy's values to the phis of the exit, which are all uses of the loop's values. */
static void
join_exit(struct ck_loop_version *version)
{
    LLVMBasicBlockRef b_latch = ck_loop_copied_block(&version->copy, version->loop.b_latch);
    LLVMValueRef v = LLVMGetFirstInstruction(version->b_exit);
    for (; LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        LLVMValueRef v_value =
            ck_loop_copied(&version->copy, ck_ir_incoming(v, version->loop.b_latch));
        LLVMAddIncoming(v, &v_value, &b_latch, 1);
    }
}

void
ck_loop_make_version(struct ck_gen *gen, struct ck_loop_version *version)
{
    begin_copy(gen, version);
    const int first = version->copy.n;
    for (int i = 0; i < version->loop.n_blocks; i++)
        copy_block(gen, version, version->loop.blocks[i]);
    ck_loop_fill_copy(&version->copy, first);
    join_exit(version);
}

void
ck_loop_enter_version(struct ck_gen *gen, struct ck_loop_version *version, LLVMValueRef v_condition)
{
    LLVMValueRef v_enter = LLVMGetBasicBlockTerminator(version->b_preheader);
    LLVMPositionBuilderBefore(gen->builder, v_enter);
    LLVMBuildCondBr(gen->builder, v_condition,
                    ck_loop_copied_block(&version->copy, version->b_preheader),
                    version->loop.b_header);
    LLVMInstructionEraseFromParent(v_enter);
}
