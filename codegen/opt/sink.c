/* Moves instructions that only compute to the block of their uses, where no loop lies between, and
 * no join, or only those of branches without an `else` that precede the branch to that block: there
 * nothing waits for them in threads that do not need them. LLVM's passes that sink are off for
 * GPUs, because they move loads too (docs/adr/034); but LLVM speculates what is cheap before
 * branches, and there
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

/* The block that branches around one of the two predecessors of `block`; NULL: there is none. */
static LLVMBasicBlockRef
branch_around(LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef b[2];
    int n = 0;
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    for (; use && n < 2; use = LLVMGetNextUse(use))
        b[n++] = LLVMGetInstructionParent(LLVMGetUser(use));
    if (use || n < 2)
        return NULL;
    return ck_ir_only_predecessor(b[0]) == b[1]   ? b[1]
           : ck_ir_only_predecessor(b[1]) == b[0] ? b[0]
                                                  : NULL;
}

/* Whether a block follows another one, in no loop that the other is not in. */
static bool
follows(LLVMBasicBlockRef block, LLVMBasicBlockRef b_from)
{
    enum { MAX_BLOCKS = 64 };
    bool is_conditional = false; /* control may pass by the block */
    for (int n = 0; n < MAX_BLOCKS && block; n++) {
        if (block == b_from)
            return true;
        LLVMBasicBlockRef b_only = ck_ir_only_predecessor(block);
        if (!b_only && is_conditional)
            b_only = branch_around(block);
        else if (b_only)
            is_conditional = true;
        block = b_only;
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
