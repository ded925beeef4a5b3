/* Sums of a loop's position that cannot overflow: docs/adr/033.
 *
 * A loop whose step is not 1 tests `i < limit - step` before it adds the step, because i + step
 * could overflow, and LLVM sees no relation of i and the limit.
 *
 *   - In `for i in range(first, n - 1, step)` the position is below n - 1, so that i + 1 does not
 *     overflow and is not negative, if i is not. The pass marks such sums.
 *   - Where the limit and the step are known to be so small that i + step does not overflow, as if
 *     the limit is an extent, the test becomes `i + step < limit`. LLVM knows from the test before
 *     the loop that first < limit, and the trip count is then one subtraction and a division,
 * without a maximum. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/conditions.h"
#include "codegen/opt/passes.h"
#include "codegen/opt/run_passes.h"
#include "codegen/opt/value_range.h"

static const char simplify_marked[] = "instcombine<no-verify-fixpoint>";

/* A loop's position. It is below its limit, both signed, in each iteration but perhaps the first.
 */
struct position {
    LLVMValueRef v_phi, v_first, v_next, v_step, v_limit;
    LLVMBasicBlockRef b_before, b_header, b_latch;
};

/* Whether a comparison is `v_low < v_high`, signed, or false and the opposite of it. NULL for
 * `v_high`: any value, which is returned. */
static bool
is_below(LLVMValueRef v_test, bool is_true, LLVMValueRef v_low, LLVMValueRef *v_high)
{
    const LLVMIntPredicate predicate = ck_ir_signed_predicate(v_test);
    const bool is_less = predicate == (is_true ? LLVMIntSLT : LLVMIntSGE);
    const bool is_greater = predicate == (is_true ? LLVMIntSGT : LLVMIntSLE);
    if ((!is_less && !is_greater) || LLVMGetOperand(v_test, is_greater) != v_low)
        return false;
    LLVMValueRef v_other = LLVMGetOperand(v_test, !is_greater);
    if (*v_high && *v_high != v_other)
        return false;
    *v_high = v_other;
    return true;
}

/* Whether a bound is the limit less the step. */
static bool
subtracts_step(LLVMValueRef v_bound, LLVMValueRef v_step)
{
    const LLVMOpcode opcode = ck_ir_opcode(v_bound);
    if ((opcode != LLVMSub && opcode != LLVMAdd) || !LLVMGetNSW(v_bound))
        return false;
    LLVMValueRef v_by = LLVMGetOperand(v_bound, 1);
    return opcode == LLVMSub ? v_by == v_step
                             : LLVMIsAConstantInt(v_by) && v_by == LLVMConstNeg(v_step);
}

/* The limit of a loop whose test is `position < limit - step`. */
static LLVMValueRef
limit_of(const struct position *position)
{
    LLVMValueRef v_end = LLVMGetBasicBlockTerminator(position->b_latch), v_bound = NULL;
    if (!LLVMIsABranchInst(v_end) || !LLVMIsConditional(v_end) ||
        LLVMGetSuccessor(v_end, 0) == LLVMGetSuccessor(v_end, 1) ||
        !LLVMIsAICmpInst(LLVMGetCondition(v_end)))
        return NULL;
    const bool is_true = LLVMGetSuccessor(v_end, 0) == position->b_header;
    if (!is_below(LLVMGetCondition(v_end), is_true, position->v_phi, &v_bound) ||
        !subtracts_step(v_bound, position->v_step))
        return NULL;
    return LLVMGetOperand(v_bound, 0);
}

static bool
is_first_below(LLVMValueRef v_test, bool is_true, const void *data)
{
    const struct position *position = data;
    LLVMValueRef v_limit = position->v_limit;
    return is_below(v_test, is_true, position->v_first, &v_limit);
}

/* Finds a position that each iteration but the first tests. */
static bool
find_position(struct position *position, LLVMValueRef v_phi)
{
    if (LLVMGetTypeKind(LLVMTypeOf(v_phi)) != LLVMIntegerTypeKind || LLVMCountIncoming(v_phi) != 2)
        return false;
    *position = (struct position){.v_phi = v_phi, .b_header = LLVMGetInstructionParent(v_phi)};
    for (unsigned latch = 0; latch < 2; latch++) {
        LLVMValueRef v_next = LLVMGetIncomingValue(v_phi, latch);
        if (ck_ir_opcode(v_next) != LLVMAdd || !LLVMGetNSW(v_next) ||
            LLVMGetOperand(v_next, 0) != v_phi)
            continue;
        position->v_next = v_next;
        position->v_step = LLVMGetOperand(v_next, 1);
        position->b_latch = LLVMGetIncomingBlock(v_phi, latch);
        position->v_first = LLVMGetIncomingValue(v_phi, 1 - latch);
        position->b_before = LLVMGetIncomingBlock(v_phi, 1 - latch);
        position->v_limit = limit_of(position);
        return position->v_limit != NULL;
    }
    return false;
}

/* The greatest constant whose sum with the position does not overflow: 1, or one more than the
 * limit is less than another value. */
static int64_t
greatest_offset(const struct position *position)
{
    LLVMValueRef v = position->v_limit;
    if (ck_ir_opcode(v) != LLVMAdd || !LLVMGetNSW(v) || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return 1;
    const int64_t offset = LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1));
    return offset < 0 && offset > -INT32_MAX ? 1 - offset : 1;
}

static bool
mark_sums(struct ck_gen *gen, struct ck_conditions *conditions, const struct position *position)
{
    if (!ck_conditions_hold_on(gen, conditions, position->b_before, position->b_header,
                               is_first_below, position))
        return false;
    const int64_t most = greatest_offset(position);
    bool marked = false;
    for (LLVMUseRef use = LLVMGetFirstUse(position->v_phi); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v = LLVMGetUser(use);
        if (ck_ir_opcode(v) != LLVMAdd || LLVMGetNSW(v) ||
            LLVMGetOperand(v, 0) != position->v_phi || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
            continue;
        const int64_t offset = LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1));
        if (offset <= 0 || offset > most)
            continue;
        LLVMSetNSW(v, true);
        marked = true;
    }
    return marked;
}

/* Whether the sum of the step and a position does not overflow. If the step is not a constant, and
 * the limit has more than 32 bits, the difference of both outside the loop is better. */
static bool
is_next_exact(const struct ck_gen *gen, const struct position *position)
{
    const struct ck_value_range step = ck_value_range_of(gen, position->v_step);
    return step.least >= 0 && ck_value_range_sum_fits(gen, position->v_first, position->v_step) &&
           ck_value_range_sum_fits(gen, position->v_limit, position->v_step) &&
           (step.least == step.most || ck_value_range_of(gen, position->v_limit).most <= INT32_MAX);
}

/* Makes the loop test `position + step < limit`, if that is the same. */
static bool
test_next(struct ck_gen *gen, const struct position *position)
{
    if (!is_next_exact(gen, position))
        return false;
    LLVMValueRef v_end = LLVMGetBasicBlockTerminator(position->b_latch);
    LLVMValueRef v_old = LLVMGetCondition(v_end);
    LLVMSetNSW(position->v_next, true);
    if (ck_value_range_of(gen, position->v_first).least < 0)
        LLVMSetNUW(position->v_next, false); /* LLVM may know it of the iterations that follow */
    const bool stays = LLVMGetSuccessor(v_end, 0) == position->b_header;
    LLVMPositionBuilderBefore(gen->builder, v_end);
    LLVMSetCondition(v_end, l_compare(gen, stays ? LLVMIntSLT : LLVMIntSGE, position->v_next,
                                      position->v_limit));
    if (!LLVMGetFirstUse(v_old))
        LLVMInstructionEraseFromParent(v_old);
    return true;
}

void
ck_gen_mark_position_sums(struct ck_gen *gen)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        struct ck_arena_mark mark = ck_arena_mark(&gen->arena);
        struct ck_conditions conditions = {.is_built = false};
        struct position position;
        bool changed = false;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef v = LLVMGetFirstInstruction(b);
            for (; v && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v))
                if (find_position(&position, v))
                    changed |= mark_sums(gen, &conditions, &position) | test_next(gen, &position);
        }
        ck_arena_release(&gen->arena, mark);
        if (changed)
            ck_run_llvm_on(gen, f, simplify_marked);
    }
}
