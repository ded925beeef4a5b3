/* Counters with constant bounds: see constant_counter.h. */
#include "codegen/opt/constant_counter.h"

#include "codegen/core/ir_util.h"

static bool
is_small(LLVMValueRef v, int64_t *value)
{
    if (!LLVMIsAConstantInt(v))
        return false;
    *value = LLVMConstIntGetSExtValue(v);
    return *value > -(INT64_C(1) << 30) && *value < INT64_C(1) << 30;
}

/* Whether the predicate means the same in 32 bits, for values from -2^31 below 2^31. */
static bool
is_kept(const struct ck_constant_counter *counter)
{
    const LLVMIntPredicate predicate = LLVMGetICmpPredicate(counter->v_test);
    const bool is_unsigned = predicate == LLVMIntULT || predicate == LLVMIntULE ||
                             predicate == LLVMIntUGT || predicate == LLVMIntUGE;
    return !is_unsigned || (counter->first >= 0 && counter->step > 0 && counter->bound >= 0);
}

/* Whether the loop ends before the counter leaves 32 bits: it goes from its first value towards the
 * bound, and reaches it if the test is one of equality. */
static bool
ends(const struct ck_constant_counter *counter)
{
    const int64_t distance = counter->bound - counter->first;
    const LLVMIntPredicate predicate = LLVMGetICmpPredicate(counter->v_test);
    if (counter->step == 0 || (distance != 0 && (distance > 0) != (counter->step > 0)))
        return false;
    if (predicate == LLVMIntEQ || predicate == LLVMIntNE)
        return distance % counter->step == 0 && (distance != 0 || !counter->is_next_tested);
    return true;
}

/* Whether the test leaves the loop at the bound, and continues before it. */
static bool
leaves_at_bound(const struct ck_constant_counter *counter, bool stays_if_true)
{
    switch (LLVMGetICmpPredicate(counter->v_test)) {
    case LLVMIntEQ:
        return !stays_if_true;
    case LLVMIntNE:
        return stays_if_true;
    case LLVMIntSLT:
    case LLVMIntSLE:
    case LLVMIntULT:
    case LLVMIntULE:
        return stays_if_true == (counter->step > 0);
    default:
        return stays_if_true == (counter->step < 0);
    }
}

/* Whether the test leaves the loop if the value equals the bound. */
static bool
is_strict(const struct ck_constant_counter *counter, bool stays_if_true)
{
    switch (LLVMGetICmpPredicate(counter->v_test)) {
    case LLVMIntSLE:
    case LLVMIntSGE:
    case LLVMIntULE:
    case LLVMIntUGE:
        return !stays_if_true;
    case LLVMIntEQ:
    case LLVMIntNE:
        return true;
    default:
        return stays_if_true;
    }
}

/* The phi's value in the last iteration: of those that are tested, the last one that continues
 * leads to it. */
static int64_t
last_value(const struct ck_constant_counter *counter, bool stays_if_true)
{
    const int64_t direction = counter->step > 0 ? 1 : -1;
    const int64_t tested = counter->first + (counter->is_next_tested ? counter->step : 0);
    const int64_t end = counter->bound - (is_strict(counter, stays_if_true) ? direction : 0);
    const int64_t distance = (end - tested) * direction, step = counter->step * direction;
    if (distance < 0)
        return counter->first;
    return counter->first + direction * (distance / step + 1) * step;
}

bool
ck_constant_counter_match(struct ck_constant_counter *counter, LLVMValueRef v_phi)
{
    LLVMTypeRef type = LLVMTypeOf(v_phi);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) < 32 ||
        LLVMGetIntTypeWidth(type) > 64 || LLVMCountIncoming(v_phi) != 2)
        return false;
    const unsigned first = !is_small(LLVMGetIncomingValue(v_phi, 0), &counter->first);
    if (!is_small(LLVMGetIncomingValue(v_phi, first), &counter->first))
        return false;
    counter->v_phi = v_phi;
    counter->v_next = LLVMGetIncomingValue(v_phi, 1 - first);
    counter->b_before = LLVMGetIncomingBlock(v_phi, first);
    counter->b_latch = LLVMGetIncomingBlock(v_phi, 1 - first);
    if (ck_ir_opcode(counter->v_next) != LLVMAdd || LLVMGetOperand(counter->v_next, 0) != v_phi ||
        !is_small(LLVMGetOperand(counter->v_next, 1), &counter->step))
        return false;
    LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(counter->b_latch);
    if (!LLVMIsABranchInst(v_branch) || !LLVMIsConditional(v_branch) ||
        !LLVMIsAICmpInst(LLVMGetCondition(v_branch)))
        return false;
    counter->v_test = LLVMGetCondition(v_branch);
    LLVMValueRef v_tested = LLVMGetOperand(counter->v_test, 0);
    counter->is_next_tested = v_tested == counter->v_next;
    const bool stays_if_true = LLVMGetSuccessor(v_branch, 0) == LLVMGetInstructionParent(v_phi);
    if ((v_tested != v_phi && !counter->is_next_tested) ||
        !is_small(LLVMGetOperand(counter->v_test, 1), &counter->bound) || !is_kept(counter) ||
        !ends(counter) || !leaves_at_bound(counter, stays_if_true))
        return false;
    counter->last = last_value(counter, stays_if_true);
    return true;
}
