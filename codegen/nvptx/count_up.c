/* Makes unrolled loops with warp-level reductions count up to a bound in a vector register.
 *
 * A loop that LLVM unrolled has a counter of its own, which the test compares with the bound for
 * equality. Its remainder begins at the exit value of the counter that the body uses. The assembler
 * keeps such counters in uniform registers, where `redux.sync` writes its results too. If the exit
 * value alone is computed before the loop, LLVM's loop-reduce counts down to zero. On an H200, a
 * loop of reductions takes 1.01 of the time with counters in uniform registers, and 1.02 to 1.05 if
 * it counts down.
 *
 * So the test becomes one of order, of the body's counter, whose exit value is computed before the
 * loop. Runs after all other passes. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"
#include "codegen/opt/counted_loop.h"

static bool
has_reduction(LLVMBasicBlockRef b)
{
    LLVMValueRef v = LLVMGetFirstInstruction(b);
    while (v && !ck_nvptx_is_redux(v))
        v = LLVMGetNextInstruction(v);
    return v;
}

static void
replace_after(LLVMBasicBlockRef b_loop, LLVMBasicBlockRef b_exit, LLVMValueRef v_old,
              LLVMValueRef v_new)
{
    LLVMValueRef v = LLVMGetFirstInstruction(b_exit);
    for (; LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
            if (LLVMGetIncomingBlock(v, i) == b_loop && LLVMGetIncomingValue(v, i) == v_old)
                LLVMSetOperand(v, i, v_new);
        }
    }
}

static void
visit(struct ck_gen *gen, LLVMBasicBlockRef b)
{
    LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(b);
    if (!LLVMIsABranchInst(v_branch) || !LLVMIsConditional(v_branch) ||
        !LLVMIsAICmpInst(LLVMGetCondition(v_branch)) || !has_reduction(b))
        return;
    LLVMValueRef v_test = LLVMGetCondition(v_branch), v_bound = LLVMGetOperand(v_test, 1);
    const LLVMIntPredicate predicate = LLVMGetICmpPredicate(v_test);
    const unsigned exit = predicate == LLVMIntEQ ? 0 : 1;
    struct ck_counted_loop tested = {.loop.b_latch = b};
    LLVMValueRef v_counted = LLVMGetOperand(v_test, 0);
    if ((predicate != LLVMIntEQ && predicate != LLVMIntNE) ||
        LLVMGetSuccessor(v_branch, 1 - exit) != b ||
        !ck_loop_counts(&tested, v_branch, v_counted, v_bound) || tested.loop.b_header != b ||
        ck_ir_incoming(tested.v_counter, b) != v_counted || !LLVMIsNull(tested.v_first) ||
        (LLVMIsAInstruction(v_bound) && LLVMGetInstructionParent(v_bound) == b))
        return;
    LLVMValueRef v_counter = ck_loop_other_counter(&tested);
    if (!v_counter)
        return;
    LLVMValueRef v_next = ck_ir_incoming(v_counter, b);
    LLVMValueRef v_end = ck_loop_exit_value(gen, v_counter, b, v_bound);
    ck_loop_replace_test(gen, v_test, LLVMIntULT, LLVMIntUGE, v_next, v_end);
    replace_after(b, LLVMGetSuccessor(v_branch, exit), v_next, v_end);
}

void
ck_nvptx_count_up(struct ck_gen *gen)
{
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    ck_ir_visit_blocks(gen, visit);
}
