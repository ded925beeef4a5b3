/* Tests two conditions by one branch where the first one nearly always holds: docs/adr/057.
 *
 *     for j in range(n):
 *         if i != j and distance(i, j) < cutoff:
 *
 * A loop's counter is equal to a value in one iteration. In all others the second condition is
 * computed anyway, so that the first branch costs time and skips nothing. What computes the second
 * condition must be cheap and must not fail. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/passes.h"

enum { MAX_SIZE = 12 }; /* instructions of the second condition */

/* Whether a comparison asks whether a loop's counter has a value. */
static bool
tests_counter(LLVMValueRef v)
{
    if (!LLVMIsAICmpInst(v) || LLVMGetICmpPredicate(v) > LLVMIntNE)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v_operand = LLVMGetOperand(v, i);
        if (LLVMIsACastInst(v_operand))
            v_operand = LLVMGetOperand(v_operand, 0);
        if (LLVMIsAPHINode(v_operand) && ck_ir_is_counter(v_operand))
            return true;
    }
    return false;
}

/* Whether a block only computes the condition of its branch. */
static bool
is_condition(LLVMBasicBlockRef block)
{
    int size = 0;
    LLVMValueRef v = LLVMGetFirstInstruction(block);
    for (; v && !LLVMIsATerminatorInst(v); v = LLVMGetNextInstruction(v)) {
        if (!ck_ir_is_pure(v) || ck_ir_is_division(v) || ++size > MAX_SIZE)
            return false;
    }
    return v && LLVMIsABranchInst(v) && LLVMIsConditional(v);
}

/* Whether control that comes from either of two predecessors finds the same values in a block. */
static bool
is_same_from(LLVMBasicBlockRef block, LLVMBasicBlockRef b_first, LLVMBasicBlockRef b_second)
{
    LLVMValueRef v = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(v) && ck_ir_incoming(v, b_first) == ck_ir_incoming(v, b_second))
        v = LLVMGetNextInstruction(v);
    return !LLVMIsAPHINode(v);
}

/* The condition on which a branch goes to `block`, where the builder is. */
static LLVMValueRef
condition_of(struct ck_gen *gen, LLVMValueRef v_branch, LLVMBasicBlockRef block)
{
    LLVMValueRef v_condition = LLVMGetCondition(v_branch);
    return LLVMGetSuccessor(v_branch, 0) == block ? v_condition
                                                  : LLVMBuildNot(gen->builder, v_condition, "");
}

/* Makes one branch of that of `block` and that of `b_second`, which goes to `b_then` or, like the
 * first one, to `b_skip`. The second block stays, and branches always. */
static void
fold(struct ck_gen *gen, LLVMBasicBlockRef block, LLVMBasicBlockRef b_second,
     LLVMBasicBlockRef b_then, LLVMBasicBlockRef b_skip)
{
    LLVMValueRef v_first = LLVMGetBasicBlockTerminator(block);
    LLVMValueRef v_second = LLVMGetBasicBlockTerminator(b_second);
    for (LLVMValueRef v; (v = LLVMGetFirstInstruction(b_second)) != v_second;) {
        LLVMInstructionRemoveFromParent(v);
        LLVMPositionBuilderBefore(gen->builder, v_first);
        LLVMInsertIntoBuilder(gen->builder, v);
    }
    LLVMPositionBuilderBefore(gen->builder, v_first);
    LLVMValueRef v_differs = condition_of(gen, v_first, b_second);
    LLVMValueRef v_also = condition_of(gen, v_second, b_then);
    v_also = LLVMBuildFreeze(gen->builder, v_also, ""); /* poison matters where both hold alone */
    LLVMValueRef v_both = LLVMBuildAnd(gen->builder, v_differs, v_also, "");
    LLVMSetCondition(v_first, v_both);
    LLVMSetSuccessor(v_first, 0, b_second);
    LLVMSetSuccessor(v_first, 1, b_skip);
    LLVMSetCondition(v_second, LLVMConstInt(gen->t_i1, b_then == LLVMGetSuccessor(v_second, 0), 0));
}

static void
visit(struct ck_gen *gen, LLVMBasicBlockRef block)
{
    LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(v_branch) || !LLVMIsConditional(v_branch) ||
        !tests_counter(LLVMGetCondition(v_branch)))
        return;
    const bool is_equal = LLVMGetICmpPredicate(LLVMGetCondition(v_branch)) == LLVMIntEQ;
    LLVMBasicBlockRef b_skip = LLVMGetSuccessor(v_branch, is_equal ? 0 : 1);
    LLVMBasicBlockRef b_second = LLVMGetSuccessor(v_branch, is_equal ? 1 : 0);
    if (ck_ir_only_predecessor(b_second) != block || !is_condition(b_second))
        return;
    LLVMValueRef v_second = LLVMGetBasicBlockTerminator(b_second);
    const unsigned then = LLVMGetSuccessor(v_second, 0) == b_skip;
    LLVMBasicBlockRef b_then = LLVMGetSuccessor(v_second, then);
    if (b_then != b_skip && LLVMGetSuccessor(v_second, 1 - then) == b_skip &&
        is_same_from(b_skip, block, b_second))
        fold(gen, block, b_second, b_then, b_skip);
}

void
ck_gen_fold_rare_equalities(struct ck_gen *gen)
{
    ck_ir_visit_blocks(gen, visit);
}
