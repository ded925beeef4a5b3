/* Counters in 32 bits, of loops whose counter is no part of an address of global memory:
 * docs/adr/051.
 *
 * `for k in range(t)` counts in 64 bits. Where the counter fits in 32 bits, so do the addresses of
 * shared and local memory, and comparisons with other indices. A counter that global addresses use
 * stays: their own arithmetic has 64 bits, and the assembler looks for one counter of both.
 *
 * Runs on simplified code, before unrolling. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/conditions.h"
#include "codegen/opt/constant_counter.h"
#include "codegen/opt/counted_loop.h"
#include "codegen/opt/passes.h"
#include "codegen/opt/trip_bounds.h"
#include "codegen/opt/value_range.h"

/* LLVM's address space; 0 is the generic one. */
enum { SPACE_GLOBAL = 1 };

enum {
    MAX_USED = 64,     /* values that are computed from a counter */
    MAX_STEP = 1 << 30 /* in magnitude */
};

struct counter {
    LLVMValueRef v_phi, v_next, v_test, v_bound;
    LLVMBasicBlockRef b_before, b_latch;
    LLVMValueRef v_first;
    long long step;
    bool is_next_tested; /* instead of the phi */
    bool goes_on_if_true;
    bool is_negative, is_next_negative; /* may be: the phi, the next value */
};

/* --- Uses --------------------------------------------------------------------------------------
 */

struct used {
    LLVMValueRef values[MAX_USED];
    int n;
};

static bool
add(struct used *used, LLVMValueRef v)
{
    for (int i = 0; i < used->n; i++) {
        if (used->values[i] == v)
            return true;
    }
    if (used->n == MAX_USED)
        return false;
    used->values[used->n++] = v;
    return true;
}

static bool
has_short_addresses(LLVMValueRef v_gep)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v_gep, 0))) > SPACE_GLOBAL;
}

/* Whether the result of an operation may be affine in the counter. */
static bool
is_affine(LLVMValueRef v)
{
    switch ((int)ck_ir_opcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMOr:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMPHI:
        return true;
    default:
        return false;
    }
}

/* Whether a value's user is no address of global memory, or another pointer. Adds the user, if it
 * may be affine too. */
static bool
follow(struct used *used, LLVMValueRef v_user)
{
    if (LLVMIsAGetElementPtrInst(v_user))
        return has_short_addresses(v_user);
    if (LLVMIsAIntToPtrInst(v_user))
        return false;
    return !is_affine(v_user) || add(used, v_user);
}

static bool
counts_global_addresses(const struct counter *counter)
{
    struct used used = {.n = 0};
    add(&used, counter->v_phi);
    add(&used, counter->v_next);
    for (int i = 0; i < used.n; i++) {
        for (LLVMUseRef use = LLVMGetFirstUse(used.values[i]); use; use = LLVMGetNextUse(use)) {
            if (!follow(&used, LLVMGetUser(use)))
                return true;
        }
    }
    return false;
}

/* --- Matching ----------------------------------------------------------------------------------
 */

/* Whether a value is from 0 below 2^31. */
static bool
is_natural(struct ck_gen *gen, LLVMValueRef v)
{
    return ck_value_range_is_within(ck_value_range_of(gen, v), 0, INT32_MAX);
}

static bool
is_negative(struct ck_gen *gen, LLVMValueRef v)
{
    return ck_value_range_of(gen, v).least < 0;
}

/* Finds a phi's next value and the test of its latch, whose other operand is the bound. */
static bool
match(struct counter *counter, LLVMValueRef v_phi)
{
    if (LLVMCountIncoming(v_phi) != 2)
        return false;
    const unsigned latch =
        ck_loop_counter_of(LLVMGetIncomingValue(v_phi, 0), &counter->step) == v_phi ? 0 : 1;
    counter->v_phi = v_phi;
    counter->v_next = LLVMGetIncomingValue(v_phi, latch);
    counter->b_latch = LLVMGetIncomingBlock(v_phi, latch);
    counter->v_first = LLVMGetIncomingValue(v_phi, 1 - latch);
    counter->b_before = LLVMGetIncomingBlock(v_phi, 1 - latch);
    LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(counter->b_latch);
    if (counter->v_next == v_phi || !LLVMIsABranchInst(v_branch) || !LLVMIsConditional(v_branch) ||
        !LLVMIsAICmpInst(LLVMGetCondition(v_branch)) ||
        ck_loop_counter_of(counter->v_next, &counter->step) != v_phi)
        return false;
    counter->v_test = LLVMGetCondition(v_branch);
    counter->goes_on_if_true = LLVMGetSuccessor(v_branch, 0) == LLVMGetInstructionParent(v_phi);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v_tested = LLVMGetOperand(counter->v_test, i);
        counter->v_bound = LLVMGetOperand(counter->v_test, 1 - i);
        counter->is_next_tested = v_tested == counter->v_next;
        if (v_tested == v_phi || counter->is_next_tested)
            return true;
    }
    return false;
}

/* Whether a counter that grows, and its next value, are from 0 below 2^31. */
static bool
grows_within(struct ck_gen *gen, struct ck_conditions *conditions, struct counter *counter)
{
    const int64_t most = ck_most_of_counter(gen, conditions, counter->v_phi);
    return most >= 0 && most + counter->step <= INT32_MAX;
}

static int64_t
smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Whether the bound is known before the loop, and so is the same in all iterations. */
static bool
has_constant_bound(struct ck_gen *gen, struct ck_conditions *conditions,
                   const struct counter *counter)
{
    LLVMValueRef v_bound = counter->v_bound;
    LLVMBasicBlockRef b_before = counter->b_before;
    return !LLVMIsAInstruction(v_bound) || LLVMGetInstructionParent(v_bound) == b_before ||
           ck_conditions_dominates(gen, conditions, LLVMGetInstructionParent(v_bound), b_before);
}

/* Whether a counter decreases by 1 from a natural number until it equals the bound. It would miss
 * one that changes in the loop. */
static bool
counts_down_to(struct ck_gen *gen, struct ck_conditions *conditions, struct counter *counter)
{
    const LLVMIntPredicate predicate = LLVMGetICmpPredicate(counter->v_test);
    const struct ck_value_range bound = ck_value_range_of(gen, counter->v_bound);
    const int64_t first = ck_value_range_of(gen, counter->v_first).least;
    counter->is_next_negative = !counter->is_next_tested && bound.least == 0;
    return counter->step == -1 && first >= bound.most + counter->is_next_tested &&
           predicate == (counter->goes_on_if_true ? LLVMIntNE : LLVMIntEQ) &&
           has_constant_bound(gen, conditions, counter);
}

/* Whether a counter that decreases from a natural number to one stays in 32 bits. An iteration
 * follows only if the tested value, of which the next one is the successor, is at least the bound.
 * As unsigned values, none that is tested may be below 0. */
static bool
decreases_within(struct ck_gen *gen, struct ck_conditions *conditions, struct counter *counter)
{
    struct ck_value_order order;
    if (counts_down_to(gen, conditions, counter))
        return true;
    if (!ck_value_order_of(counter->v_test, counter->goes_on_if_true, &order) ||
        order.v_less != counter->v_bound)
        return false;
    const int64_t first = ck_value_range_of(gen, counter->v_first).least;
    const int64_t bound = ck_value_range_of(gen, counter->v_bound).least + order.is_strict;
    const int64_t least = smaller(first, counter->is_next_tested ? bound : bound + counter->step);
    counter->is_negative = least < 0;
    counter->is_next_negative = least + counter->step < 0;
    return order.is_signed ||
           !(counter->is_next_tested ? counter->is_next_negative : counter->is_negative);
}

/* Whether the counter and its next value fit in 32 bits. */
static bool
fits(struct ck_gen *gen, struct ck_conditions *conditions, struct counter *counter)
{
    struct ck_constant_counter constant;
    if (ck_constant_counter_match(&constant, counter->v_phi)) {
        counter->is_negative = is_negative(gen, counter->v_phi);
        counter->is_next_negative = is_negative(gen, counter->v_next);
        return true;
    }
    if (counter->step < -MAX_STEP || counter->step > MAX_STEP ||
        !is_natural(gen, counter->v_first) || !is_natural(gen, counter->v_bound))
        return false;
    counter->is_negative = counter->is_next_negative = false;
    return counter->step > 0 ? grows_within(gen, conditions, counter)
                             : decreases_within(gen, conditions, counter);
}

/* --- The pass ----------------------------------------------------------------------------------
 */

/* The low half of the bound: before the loop, if it is known there. */
static LLVMValueRef
low_bound(struct ck_gen *gen, struct ck_conditions *conditions, const struct counter *counter)
{
    LLVMPositionBuilderBefore(gen->builder, has_constant_bound(gen, conditions, counter)
                                                ? LLVMGetBasicBlockTerminator(counter->b_before)
                                                : counter->v_test);
    return ck_ir_low_half(gen, counter->v_bound);
}

static void
narrow(struct ck_gen *gen, struct ck_conditions *conditions, const struct counter *counter)
{
    LLVMValueRef v_bound = low_bound(gen, conditions, counter);
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(counter->b_before));
    LLVMValueRef v_first = ck_ir_low_half(gen, counter->v_first);
    LLVMPositionBuilderBefore(gen->builder, counter->v_phi);
    LLVMValueRef v_phi = LLVMBuildPhi(gen->builder, gen->t_i32, "");
    LLVMPositionBuilderBefore(gen->builder, counter->v_next);
    LLVMValueRef v_step = ck_ir_low_half(gen, LLVMGetOperand(counter->v_next, 1));
    LLVMValueRef v_next = LLVMBuildNSWAdd(gen->builder, v_phi, v_step, "");
    LLVMSetNUW(v_next, counter->step > 0 && !counter->is_negative);
    LLVMAddIncoming(v_phi, (LLVMValueRef[]){v_first, v_next},
                    (LLVMBasicBlockRef[]){counter->b_before, counter->b_latch}, 2);
    LLVMPositionBuilderBefore(gen->builder, counter->v_test);
    LLVMValueRef v_tested = counter->is_next_tested ? v_next : v_phi;
    const bool is_left = LLVMGetOperand(counter->v_test, 1) == counter->v_bound;
    LLVMValueRef v_test = l_compare(gen, LLVMGetICmpPredicate(counter->v_test),
                                    is_left ? v_tested : v_bound, is_left ? v_bound : v_tested);
    LLVMReplaceAllUsesWith(counter->v_test, v_test);
    LLVMInstructionEraseFromParent(counter->v_test);
    LLVMPositionBuilderBefore(gen->builder, counter->v_next);
    ck_ir_replace_by_extended(gen, counter->v_next, v_next, !counter->is_next_negative);
    LLVMPositionBuilderBefore(gen->builder, ck_ir_after(counter->v_phi));
    ck_ir_replace_by_extended(gen, counter->v_phi, v_phi, !counter->is_negative);
}

void
ck_gen_narrow_counters(struct ck_gen *gen)
{
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        struct ck_conditions conditions = {.is_built = false};
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef v_next, v = LLVMGetFirstInstruction(b);
            for (; v && LLVMIsAPHINode(v); v = v_next) {
                struct counter counter;
                v_next = LLVMGetNextInstruction(v);
                if (LLVMTypeOf(v) == gen->t_i64 && match(&counter, v) &&
                    !counts_global_addresses(&counter) && fits(gen, &conditions, &counter))
                    narrow(gen, &conditions, &counter);
            }
        }
    }
}
