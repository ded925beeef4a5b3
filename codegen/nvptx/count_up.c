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

/* Whether a value is what a counter has after an iteration of the loop, which is a block. */
static bool
is_next(struct ck_counted_loop *counted, LLVMBasicBlockRef b, LLVMValueRef v)
{
    counted->loop.b_latch = b;
    return ck_loop_counts(counted, LLVMGetBasicBlockTerminator(b), v, NULL) &&
           counted->loop.b_header == b && ck_ir_incoming(counted->v_counter, b) == v;
}

/* The next value of another counter with the same step, which does not wrap; NULL: there is none.
 */
static LLVMValueRef
next_of_body(const struct ck_counted_loop *tested, struct ck_counted_loop *other)
{
    LLVMBasicBlockRef b = tested->loop.b_latch;
    LLVMValueRef v = LLVMGetFirstInstruction(b);
    for (; LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        LLVMValueRef v_next = ck_ir_incoming(v, b);
        if (v != tested->v_counter && LLVMTypeOf(v) == LLVMTypeOf(tested->v_counter) &&
            is_next(other, b, v_next) && other->step == tested->step && LLVMGetNUW(v_next))
            return v_next;
    }
    return NULL;
}

/* The value of a counter when another one, which begins at 0, equals its bound. */
static LLVMValueRef
exit_value(struct ck_gen *gen, const struct ck_counted_loop *counted, LLVMValueRef v_bound)
{
    if (LLVMIsNull(counted->v_first))
        return v_bound;
    LLVMValueRef v = counted->v_counter;
    const unsigned first = LLVMGetIncomingBlock(v, 0) == counted->loop.b_latch ? 1 : 0;
    LLVMPositionBuilderBefore(gen->builder,
                              LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(v, first)));
    return LLVMBuildNUWAdd(gen->builder, v_bound, counted->v_first, "");
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
    struct ck_counted_loop tested, other;
    if ((predicate != LLVMIntEQ && predicate != LLVMIntNE) ||
        LLVMGetSuccessor(v_branch, 1 - exit) != b ||
        !is_next(&tested, b, LLVMGetOperand(v_test, 0)) || !LLVMIsNull(tested.v_first) ||
        (LLVMIsAInstruction(v_bound) && LLVMGetInstructionParent(v_bound) == b))
        return;
    LLVMValueRef v_next = next_of_body(&tested, &other);
    if (!v_next)
        return;
    LLVMValueRef v_end = exit_value(gen, &other, v_bound);
    LLVMPositionBuilderBefore(gen->builder, v_test);
    const LLVMIntPredicate order = exit == 0 ? LLVMIntUGE : LLVMIntULT;
    LLVMReplaceAllUsesWith(v_test, LLVMBuildICmp(gen->builder, order, v_next, v_end, ""));
    LLVMInstructionEraseFromParent(v_test);
    replace_after(b, LLVMGetSuccessor(v_branch, exit), v_next, v_end);
}

void
ck_nvptx_count_up(struct ck_gen *gen)
{
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    ck_ir_visit_blocks(gen, visit);
}
