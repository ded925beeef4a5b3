/* Copies of the bounds of loops with warp-level primitives.
 *
 * LLVM's loop-reduce, in the back end, makes a counter count down from its bound. If nothing else
 * uses the bound, the register that holds it is the counter. Where the bound is computed or loaded
 * before a divergent branch that precedes the loop, as the one of an early return, the assembler
 * (CUDA 13.0) does not unroll such a loop if lanes wait for each other in it. LLVM does not unroll
 * it either. This pass hides from LLVM that the bound of the loop is a copy, made before the first
 * iteration, so that the counter has a register of its own. Runs after all other passes. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"
#include "codegen/nvptx/warp.h"

static bool
has_primitive(LLVMBasicBlockRef b)
{
    LLVMValueRef v = LLVMGetFirstInstruction(b);
    while (v && !ck_nvptx_warp_primitive(v))
        v = LLVMGetNextInstruction(v);
    return v;
}

/* The predecessor of a loop that is one block; NULL: the block is no loop, or has several. */
static LLVMBasicBlockRef
predecessor_of_loop(LLVMBasicBlockRef b)
{
    LLVMValueRef v_phi = LLVMGetFirstInstruction(b);
    if (!v_phi || !LLVMIsAPHINode(v_phi) || LLVMCountIncoming(v_phi) != 2)
        return NULL;
    const unsigned latch = LLVMGetIncomingBlock(v_phi, 0) == b ? 0 : 1;
    return LLVMGetIncomingBlock(v_phi, latch) == b ? LLVMGetIncomingBlock(v_phi, 1 - latch) : NULL;
}

/* Whether a value is in a register before a block begins. */
static bool
is_from_before(LLVMValueRef v, LLVMBasicBlockRef b)
{
    return LLVMIsAArgument(v) || (LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) != b);
}

static void
copy_bound(struct ck_gen *gen, LLVMValueRef v_test, LLVMBasicBlockRef b_loop,
           LLVMBasicBlockRef b_before)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v = LLVMGetOperand(v_test, i);
        LLVMTypeRef type = LLVMTypeOf(v);
        if ((type != gen->t_i32 && type != gen->t_i64) || !is_from_before(v, b_loop) ||
            !is_from_before(v, b_before))
            continue;
        LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(b_before));
        LLVMSetOperand(v_test, i, gen->target->memory->hidden(gen, v));
    }
}

static void
visit(struct ck_gen *gen, LLVMBasicBlockRef b)
{
    LLVMBasicBlockRef b_before = predecessor_of_loop(b);
    LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(b);
    if (!b_before || b_before == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(b)) ||
        !LLVMIsABranchInst(v_branch) || !LLVMIsConditional(v_branch) ||
        !LLVMIsAICmpInst(LLVMGetCondition(v_branch)) || !has_primitive(b))
        return;
    copy_bound(gen, LLVMGetCondition(v_branch), b, b_before);
}

void
ck_nvptx_copy_bounds(struct ck_gen *gen)
{
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    ck_ir_visit_blocks(gen, visit);
}
