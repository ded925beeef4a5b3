/* Ranges of integers, by interval arithmetic on what computes them. */
#ifndef CODEGEN_VALUE_RANGE_H
#define CODEGEN_VALUE_RANGE_H

#include "codegen/core/gen.h"

/* The values of an integer of at most 64 bits, as a signed one. */
struct ck_value_range {
    int64_t least, most;
};

struct ck_value_range ck_value_range_of(const struct ck_gen *gen, LLVMValueRef v);

/* Whether the sum of two values of one type does not overflow, as a signed one. */
bool ck_value_range_sum_fits(const struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_right);

/* Whether each value is from `least` to `most`. */
bool ck_value_range_is_within(struct ck_value_range range, int64_t least, int64_t most);

#endif
