/* Innermost loops with a constant step, whose trip count is known when they begin. */
#ifndef CODEGEN_COUNTED_LOOP_H
#define CODEGEN_COUNTED_LOOP_H

#include "codegen/opt/inner_loop.h"

struct ck_counted_loop {
    struct ck_inner_loop loop;
    LLVMValueRef v_counter; /* a phi */
    long long step;         /* added to the counter in each iteration */
    LLVMValueRef v_first, v_bound;
};

/* Whether the latch's branch compares the loop's counter, `v_counted`, with `v_bound`. Sets all but
 * the blocks; the latch is set. */
bool ck_loop_counts(struct ck_counted_loop *counted, LLVMValueRef v_branch, LLVMValueRef v_counted,
                    LLVMValueRef v_bound);
/* The branch of the latch `b` if the loop is counted and has no loop metadata; NULL: not so. */
LLVMValueRef ck_loop_match_counted(struct ck_counted_loop *counted, LLVMBasicBlockRef b);
/* Whether a bound is a minimum or a maximum, or differs from one by a constant; a range between two
 * such bounds is a window, clamped at the edges of an array, with few iterations. */
bool ck_loop_is_clamped(LLVMValueRef v_bound);
bool ck_loop_is_window(const struct ck_counted_loop *counted);
/* Negative: it is not known. */
long long ck_loop_constant_trip_count(const struct ck_counted_loop *counted);
/* Loads from global memory. */
int ck_loop_count_loads(const struct ck_inner_loop *loop);
/* Whether it loads from any memory. */
bool ck_loop_has_loads(const struct ck_inner_loop *loop);
/* The phi that `v_value` is, or to which it adds a constant, the step; NULL: neither. */
LLVMValueRef ck_loop_counter_of(LLVMValueRef v_value, long long *step);
/* Another counter of the loop with the same step, which does not wrap; NULL: there is none. */
LLVMValueRef ck_loop_other_counter(const struct ck_counted_loop *counted);
/* The value that a loop's counter has before the first iteration. */
LLVMValueRef ck_loop_first(LLVMValueRef v_counter, LLVMBasicBlockRef b_latch);
/* The value of a counter once another one, which begins at 0 and has the same step, equals
 * `v_bound`: the sum of the bound and the counter's first value, computed before the loop. */
LLVMValueRef ck_loop_exit_value(struct ck_gen *gen, LLVMValueRef v_counter,
                                LLVMBasicBlockRef b_latch, LLVMValueRef v_bound);
/* Replaces a loop's test of equality by one of order: `stays` is what holds where the loop goes on,
 * `ends` where it ends. */
void ck_loop_replace_test(struct ck_gen *gen, LLVMValueRef v_test, LLVMIntPredicate stays,
                          LLVMIntPredicate ends, LLVMValueRef v_counter, LLVMValueRef v_bound);

#endif
