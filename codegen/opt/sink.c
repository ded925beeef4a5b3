/* Moves instructions that only compute to the block of their uses, where a join or a loop does not
 * lie between. LLVM's passes that sink are off for GPUs, because they move loads too
 * (docs/adr/034); but LLVM speculates what is cheap before branches, and there
 * - the conditions of the branches do not hold, from which use-order concludes,
 * - instruction selection, which sees one basic block at a time, does not find the extensions of a
 *   product, which is one instruction with them and four without. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/passes.h"

/* The block of all uses; NULL: there are several, or a phi. */
static LLVMBasicBlockRef
block_of_uses(LLVMValueRef v)
{
    LLVMBasicBlockRef block = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v_user = LLVMGetUser(use);
        LLVMBasicBlockRef b = LLVMGetInstructionParent(v_user);
        if (LLVMIsAPHINode(v_user) || (block && block != b))
            return NULL;
        block = b;
    }
    return block;
}

/* The only predecessor of a block; NULL: there are none or several. */
static LLVMBasicBlockRef
only_predecessor(LLVMBasicBlockRef block)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use && !LLVMGetNextUse(use) ? LLVMGetInstructionParent(LLVMGetUser(use)) : NULL;
}

/* Whether a block follows another one without a join, and so is in no loop that the other is not
 * in.
 */
static bool
follows(LLVMBasicBlockRef block, LLVMBasicBlockRef b_from)
{
    enum { MAX_BLOCKS = 64 };
    for (int n = 0; n < MAX_BLOCKS && block; n++) {
        if (block == b_from)
            return true;
        block = only_predecessor(block);
    }
    return false;
}

static bool
uses(LLVMValueRef v, LLVMValueRef v_operand)
{
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        if (LLVMGetOperand(v, (unsigned)i) == v_operand)
            return true;
    }
    return false;
}

static void
sink(struct ck_gen *gen, LLVMValueRef v)
{
    if (!ck_ir_is_pure(v) && !ck_ir_is_limit(v))
        return;
    LLVMBasicBlockRef block = block_of_uses(v), b_from = LLVMGetInstructionParent(v);
    if (!block || block == b_from || !follows(block, b_from))
        return;
    LLVMValueRef v_first = LLVMGetFirstInstruction(block);
    while (!uses(v_first, v))
        v_first = LLVMGetNextInstruction(v_first);
    LLVMInstructionRemoveFromParent(v);
    LLVMPositionBuilderBefore(gen->builder, v_first);
    LLVMInsertIntoBuilder(gen->builder, v);
}

void
ck_gen_sink(struct ck_gen *gen)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(f); b; b = LLVMGetPreviousBasicBlock(b)) {
            LLVMValueRef v_before;
            for (LLVMValueRef v = LLVMGetLastInstruction(b); v; v = v_before) {
                v_before = LLVMGetPreviousInstruction(v);
                sink(gen, v);
            }
        }
    }
}
