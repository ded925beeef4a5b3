/* Upper bounds of values and of trip counts: see trip_bounds.h. */
#include "codegen/opt/trip_bounds.h"

#include "codegen/core/ir_util.h"
#include "codegen/opt/counted_loop.h"
#include "codegen/opt/value_range.h"

bool
ck_value_order_of(LLVMValueRef v_test, bool is_true, struct ck_value_order *order)
{
    const LLVMIntPredicate predicate = LLVMGetICmpPredicate(v_test);
    bool is_less = predicate == LLVMIntULT || predicate == LLVMIntULE || predicate == LLVMIntSLT ||
                   predicate == LLVMIntSLE;
    if (predicate == LLVMIntEQ || predicate == LLVMIntNE)
        return false;
    order->is_strict = (predicate == LLVMIntULT || predicate == LLVMIntUGT ||
                        predicate == LLVMIntSLT || predicate == LLVMIntSGT) == is_true;
    order->is_signed = predicate >= LLVMIntSGT;
    is_less = is_less == is_true;
    order->v_less = LLVMGetOperand(v_test, !is_less);
    order->v_more = LLVMGetOperand(v_test, is_less);
    return true;
}

int64_t
ck_most_of(const struct ck_gen *gen, LLVMValueRef v, bool is_signed)
{
    const struct ck_value_range range = ck_value_range_of(gen, v);
    if (range.most == INT64_MAX || (range.least < 0 && !is_signed))
        return -1;
    return range.most < 0 ? 0 : range.most;
}

/* A counter that grows, by its phi, and the test of the latch. */
struct counter {
    LLVMValueRef v_phi, v_bound;
    int64_t step, most; /* of the bound */
    int64_t first;      /* at most */
    bool tests_next;    /* instead of the phi */
};

/* Whether a latch goes on only if `v_counted`, which is a counter or its next value, is less than
 * `v_bound`, or, if `order` is NULL, is not `v_bound`. A counter that does not overflow as a signed
 * value only reaches a bound that is not negative. */
static bool
match(struct ck_gen *gen, struct counter *counter, LLVMValueRef v_counted, LLVMValueRef v_bound,
      const struct ck_value_order *order, LLVMBasicBlockRef b_header, LLVMBasicBlockRef b_latch)
{
    long long step = 0;
    LLVMValueRef v_phi = ck_loop_counter_of(v_counted, &step);
    if (!v_phi || LLVMGetInstructionParent(v_phi) != b_header)
        return false;
    const unsigned from_latch = LLVMGetIncomingBlock(v_phi, 0) == b_latch ? 0 : 1;
    LLVMValueRef v_next = LLVMGetIncomingValue(v_phi, from_latch);
    if (LLVMGetIncomingBlock(v_phi, from_latch) != b_latch || v_next == v_phi ||
        ck_loop_counter_of(v_next, &step) != v_phi || step <= 0 || step > INT32_MAX ||
        (!LLVMGetNSW(v_next) && !LLVMGetNUW(v_next)))
        return false;
    counter->v_phi = v_phi;
    counter->v_bound = v_bound;
    counter->step = step;
    counter->tests_next = v_counted == v_next;
    counter->most = ck_most_of(gen, v_bound, order ? order->is_signed : LLVMGetNSW(v_next));
    counter->first = ck_most_of(gen, LLVMGetIncomingValue(v_phi, 1 - from_latch), false);
    return counter->tests_next || v_counted == v_phi;
}

/* Finds the counter that a latch tests. A bound that may be reached counts as one more. A test of
 * equality counts if the counter cannot miss the bound, which does not change in the loop. */
static bool
find_counter(struct ck_gen *gen, struct ck_conditions *conditions, struct counter *counter,
             LLVMBasicBlockRef b_header, LLVMBasicBlockRef b_latch)
{
    LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(b_latch);
    if (!LLVMIsABranchInst(v_branch) || !LLVMIsConditional(v_branch) ||
        !LLVMIsAICmpInst(LLVMGetCondition(v_branch)))
        return false;
    LLVMValueRef v_test = LLVMGetCondition(v_branch);
    const bool is_true = LLVMGetSuccessor(v_branch, 0) == b_header;
    struct ck_value_order order;
    if (ck_value_order_of(v_test, is_true, &order)) {
        if (!match(gen, counter, order.v_less, order.v_more, &order, b_header, b_latch))
            return false;
        counter->most += counter->most >= 0 && !order.is_strict;
        return true;
    }
    LLVMValueRef v_bound = LLVMGetOperand(v_test, 1);
    return (LLVMGetICmpPredicate(v_test) == LLVMIntNE) == is_true &&
           match(gen, counter, LLVMGetOperand(v_test, 0), v_bound, NULL, b_header, b_latch) &&
           counter->step == 1 &&
           (!LLVMIsAInstruction(v_bound) ||
            ck_conditions_dominates(gen, conditions, LLVMGetInstructionParent(v_bound), b_header));
}

int64_t
ck_most_trips(struct ck_gen *gen, struct ck_conditions *conditions, LLVMBasicBlockRef b_header,
              LLVMBasicBlockRef b_latch)
{
    struct counter counter;
    if (!find_counter(gen, conditions, &counter, b_header, b_latch))
        return -1;
    if (LLVMGetIntTypeWidth(LLVMTypeOf(counter.v_phi)) <= 32)
        return UINT32_MAX;
    if (counter.most < 0 || counter.first < 0)
        return -1;
    const int64_t trips = (counter.most + counter.step - 1) / counter.step;
    return (trips > 0 ? trips : 1) + !counter.tests_next;
}

int64_t
ck_most_of_counter(struct ck_gen *gen, struct ck_conditions *conditions, LLVMValueRef v_phi)
{
    for (unsigned i = 0; i < 2; i++) {
        struct counter counter;
        if (LLVMCountIncoming(v_phi) != 2 ||
            !find_counter(gen, conditions, &counter, LLVMGetInstructionParent(v_phi),
                          LLVMGetIncomingBlock(v_phi, i)) ||
            counter.v_phi != v_phi || counter.most < 0 || counter.first < 0)
            continue;
        const int64_t last = counter.most - 1 + (counter.tests_next ? 0 : counter.step);
        return last > counter.first ? last : counter.first;
    }
    return -1;
}
