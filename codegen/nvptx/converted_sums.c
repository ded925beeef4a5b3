/* Sums of a converted integer and a constant.
 *
 * LLVM makes `float(n + 1)` of `float(n) + 1`, also where `float(n)` is needed itself: two
 * conversions, each at half the rate of an addition of floats or less, and an addition of integers.
 * This makes it an addition of floats again. All three are exact: masked integers below 2^23. Runs
 * after all passes that simplify. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"

enum { EXACT_BITS = 23 };

static bool
is_conversion(struct ck_gen *gen, LLVMValueRef v)
{
    return (LLVMIsAUIToFPInst(v) || LLVMIsASIToFPInst(v)) && LLVMTypeOf(v) == gen->t_float &&
           LLVMTypeOf(LLVMGetOperand(v, 0)) == gen->t_i32;
}

static bool
is_small(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) < UINT64_C(1) << EXACT_BITS;
}

static bool
is_masked(LLVMValueRef v)
{
    return LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMAnd &&
           is_small(LLVMGetOperand(v, 1));
}

/* Whether this adds a constant to a masked integer; without bits in common, `or` adds. */
static bool
is_sum(LLVMValueRef v)
{
    if (!LLVMIsABinaryOperator(v) || !is_masked(LLVMGetOperand(v, 0)) ||
        !is_small(LLVMGetOperand(v, 1)))
        return false;
    const uint64_t mask = LLVMConstIntGetZExtValue(LLVMGetOperand(LLVMGetOperand(v, 0), 1));
    const uint64_t term = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
    return opcode == LLVMAdd || (opcode == LLVMOr && !(mask & term));
}

/* A conversion of this integer in the same basic block, or NULL. */
static LLVMValueRef
find_conversion(struct ck_gen *gen, LLVMValueRef v_integer, LLVMBasicBlockRef block)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v_integer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v = LLVMGetUser(use);
        if (is_conversion(gen, v) && LLVMGetInstructionParent(v) == block)
            return v;
    }
    return NULL;
}

static void
visit(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMValueRef v_sum = is_conversion(gen, v) ? LLVMGetOperand(v, 0) : NULL;
    if (!v_sum || !is_sum(v_sum))
        return;
    LLVMValueRef v_integer = LLVMGetOperand(v_sum, 0);
    LLVMValueRef v_other = find_conversion(gen, v_integer, LLVMGetInstructionParent(v));
    if (!v_other)
        return;
    LLVMPositionBuilderBefore(gen->builder, v);
    const double term = (double)LLVMConstIntGetZExtValue(LLVMGetOperand(v_sum, 1));
    /* A second conversion of the same integer. Instruction selection merges it with the other,
     * which may come later. */
    LLVMValueRef v_float =
        LLVMBuildCast(gen->builder, LLVMGetInstructionOpcode(v_other), v_integer, gen->t_float, "");
    LLVMReplaceAllUsesWith(
        v, LLVMBuildFAdd(gen->builder, v_float, LLVMConstReal(gen->t_float, term), ""));
    LLVMInstructionEraseFromParent(v);
    if (!LLVMGetFirstUse(v_sum))
        LLVMInstructionEraseFromParent(v_sum);
}

void
ck_nvptx_add_converted(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, visit);
}
