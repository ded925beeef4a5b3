/* Counters of loops whose first value, step and bound are constants. */
#ifndef CK_CONSTANT_COUNTER_H
#define CK_CONSTANT_COUNTER_H

#include "codegen/core/gen.h"

struct ck_constant_counter {
    LLVMValueRef v_phi, v_next, v_test;
    LLVMBasicBlockRef b_before, b_latch;
    int64_t first, step, bound;
    int64_t last;        /* of the phi, unless the loop ends elsewhere before */
    bool is_next_tested; /* instead of the phi */
};

/* Finds the counter of a latch: `phi` from a constant, `next = phi + constant`, and a test of one
 * of them with a constant, which the counter reaches or passes before it overflows. The constants
 * are less than 2^30 in magnitude, and the test means the same in 32 bits. */
bool ck_constant_counter_match(struct ck_constant_counter *counter, LLVMValueRef v_phi);

#endif
