/* Moves extensions from 32 to 64 bits to the basic block of their uses.
 *
 * PTX multiplies 32-bit values to a 64-bit product by one instruction, mul.wide, which also
 * computes the offset of an element. LLVM selects instructions one basic block at a time, and takes
 * the product of an extension in another block for one of 64-bit values, which are four
 * instructions. LLVM would move extensions itself, but with them loads, which it must not:
 * docs/adr/030. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"

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
visit(struct ck_gen *gen, LLVMValueRef v)
{
    if ((!LLVMIsAZExtInst(v) && !LLVMIsASExtInst(v)) || LLVMTypeOf(v) != gen->t_i64 ||
        LLVMTypeOf(LLVMGetOperand(v, 0)) != gen->t_i32)
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
ck_nvptx_place_extensions(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, visit);
}
