/* Counters of loops with constant bounds in 32 bits.
 *
 * `for k in range(32)` counts in 64 bits. If nothing but the loop's test uses the counter, 32 bits
 * are enough. LLVM's strength reduction would also compute 32-bit values from a 64-bit counter,
 * which takes two instructions for each. Runs after unrolling. */
#include "codegen/opt/inner_loop.h"
#include "codegen/opt/passes.h"

struct counter {
    LLVMValueRef v_phi, v_next, v_test;
    LLVMBasicBlockRef b_before, b_latch;
    int64_t first, step, bound;
    bool is_next_tested; /* instead of the phi */
};

static bool
is_small(LLVMValueRef v, int64_t *value)
{
    if (!LLVMIsAConstantInt(v))
        return false;
    *value = LLVMConstIntGetSExtValue(v);
    return *value > -(INT64_C(1) << 30) && *value < INT64_C(1) << 30;
}

/* Whether all uses of a value are among three users. */
static bool
is_used_by(LLVMValueRef v, LLVMValueRef v_a, LLVMValueRef v_b)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v_user = LLVMGetUser(use);
        if (v_user != v_a && v_user != v_b)
            return false;
    }
    return true;
}

/* Whether the predicate means the same in 32 bits, for values from -2^31 below 2^31. */
static bool
is_kept(const struct counter *counter)
{
    const LLVMIntPredicate predicate = LLVMGetICmpPredicate(counter->v_test);
    const bool is_unsigned = predicate == LLVMIntULT || predicate == LLVMIntULE ||
                             predicate == LLVMIntUGT || predicate == LLVMIntUGE;
    return !is_unsigned || (counter->first >= 0 && counter->step > 0 && counter->bound >= 0);
}

/* Whether the loop ends before the counter leaves 32 bits: it goes from its first value towards the
 * bound, and reaches it if the test is one of equality. */
static bool
ends(const struct counter *counter)
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
leaves_at_bound(const struct counter *counter, LLVMValueRef v_branch, LLVMBasicBlockRef b_header)
{
    const bool stays_if_true = LLVMGetSuccessor(v_branch, 0) == b_header;
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

/* Finds the counter of a latch: `phi` from a constant, `next = phi + constant`, and a test of one
 * of them with a constant, which alone uses it. */
static bool
match(struct counter *counter, LLVMValueRef v_phi)
{
    LLVMTypeRef type = LLVMTypeOf(v_phi);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 64 ||
        LLVMCountIncoming(v_phi) != 2)
        return false;
    const unsigned first = !is_small(LLVMGetIncomingValue(v_phi, 0), &counter->first);
    if (!is_small(LLVMGetIncomingValue(v_phi, first), &counter->first))
        return false;
    counter->v_phi = v_phi;
    counter->v_next = LLVMGetIncomingValue(v_phi, 1 - first);
    counter->b_before = LLVMGetIncomingBlock(v_phi, first);
    counter->b_latch = LLVMGetIncomingBlock(v_phi, 1 - first);
    if (!LLVMIsAInstruction(counter->v_next) ||
        LLVMGetInstructionOpcode(counter->v_next) != LLVMAdd ||
        LLVMGetOperand(counter->v_next, 0) != v_phi ||
        !is_small(LLVMGetOperand(counter->v_next, 1), &counter->step))
        return false;
    const struct ck_inner_loop loop = {.b_latch = counter->b_latch};
    LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(loop.b_latch);
    if (!LLVMIsABranchInst(v_branch) || !LLVMIsConditional(v_branch) ||
        !LLVMIsAICmpInst(LLVMGetCondition(v_branch)))
        return false;
    counter->v_test = LLVMGetCondition(v_branch);
    LLVMValueRef v_tested = LLVMGetOperand(counter->v_test, 0);
    counter->is_next_tested = v_tested == counter->v_next;
    return (v_tested == v_phi || counter->is_next_tested) &&
           is_small(LLVMGetOperand(counter->v_test, 1), &counter->bound) &&
           is_used_by(v_phi, counter->v_next, counter->v_test) &&
           is_used_by(counter->v_next, v_phi, counter->v_test) &&
           is_used_by(counter->v_test, v_branch, v_branch) && is_kept(counter) && ends(counter) &&
           leaves_at_bound(counter, v_branch, LLVMGetInstructionParent(v_phi));
}

static LLVMValueRef
short_constant(struct ck_gen *gen, int64_t value)
{
    return l_i32(gen, (uint32_t)value);
}

static void
shorten(struct ck_gen *gen, const struct counter *counter)
{
    LLVMPositionBuilderBefore(gen->builder, counter->v_phi);
    LLVMValueRef v_phi = LLVMBuildPhi(gen->builder, gen->t_i32, "");
    LLVMPositionBuilderBefore(gen->builder, counter->v_next);
    LLVMValueRef v_next =
        LLVMBuildNSWAdd(gen->builder, v_phi, short_constant(gen, counter->step), "");
    LLVMPositionBuilderBefore(gen->builder, counter->v_test);
    LLVMValueRef v_test =
        l_compare(gen, LLVMGetICmpPredicate(counter->v_test),
                  counter->is_next_tested ? v_next : v_phi, short_constant(gen, counter->bound));
    LLVMAddIncoming(v_phi, (LLVMValueRef[]){short_constant(gen, counter->first), v_next},
                    (LLVMBasicBlockRef[]){counter->b_before, counter->b_latch}, 2);
    LLVMReplaceAllUsesWith(counter->v_test, v_test);
    LLVMInstructionEraseFromParent(counter->v_test);
    LLVMReplaceAllUsesWith(counter->v_next, LLVMGetUndef(LLVMTypeOf(counter->v_next)));
    LLVMInstructionEraseFromParent(counter->v_next);
    LLVMInstructionEraseFromParent(counter->v_phi);
}

void
ck_gen_shorten_counters(struct ck_gen *gen)
{
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef v_next, v = LLVMGetFirstInstruction(b);
            for (; v && LLVMIsAPHINode(v); v = v_next) {
                struct counter counter;
                v_next = LLVMGetNextInstruction(v);
                if (match(&counter, v))
                    shorten(gen, &counter);
            }
        }
    }
}
