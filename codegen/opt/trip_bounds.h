/* Upper bounds of values and of the trip counts of loops, which need not be innermost. */
#ifndef CODEGEN_TRIP_BOUNDS_H
#define CODEGEN_TRIP_BOUNDS_H

#include "codegen/core/gen.h"
#include "codegen/opt/conditions.h"

/* What a comparison says: one value is less than another one, or at most that. */
struct ck_value_order {
    LLVMValueRef v_less, v_more;
    bool is_strict, is_signed;
};

/* The order that a comparison says if it is true or false. False: it is one of equality. */
bool ck_value_order_of(LLVMValueRef v_test, bool is_true, struct ck_value_order *order);
/* What a value is at most, as a signed one or an unsigned one; negative: not known. */
int64_t ck_most_of(const struct ck_gen *gen, LLVMValueRef v, bool is_signed);
/* The most iterations of the loop of a header and a latch; negative: not known. */
int64_t ck_most_trips(struct ck_gen *gen, struct ck_conditions *conditions,
                      LLVMBasicBlockRef b_header, LLVMBasicBlockRef b_latch);
/* What the counter of a loop is at most in its body, and never less than 0; negative: not known, or
 * the phi is no counter. */
int64_t ck_most_of_counter(struct ck_gen *gen, struct ck_conditions *conditions,
                           LLVMValueRef v_phi);

#endif
