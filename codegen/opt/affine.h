/* Values that are affine in a loop's counter: sums of products of the counter and of values that do
 * not change in the loop. Such sums may overflow: modulo 2^64 they are the same. */
#ifndef CK_OPT_AFFINE_H
#define CK_OPT_AFFINE_H

#include "codegen/opt/counted_loop.h"

/* Whether a value is the counter, or adds a constant to it. */
bool ck_affine_is_count(const struct ck_counted_loop *counted, LLVMValueRef v, long long *offset);
/* Whether the address of an element changes by the same number of bytes in each iteration, and that
 * number is not a constant. The array's address does not change in the loop. */
bool ck_affine_has_stride(const struct ck_counted_loop *counted, LLVMValueRef v_address);
/* An affine value for a count of `v_count`, where the builder is. */
LLVMValueRef ck_affine_at(struct ck_gen *gen, const struct ck_counted_loop *counted, LLVMValueRef v,
                          LLVMValueRef v_count);
/* What an affine value grows by where the counter grows by one, where the builder is; NULL: it does
 * not change in the loop. */
LLVMValueRef ck_affine_growth(struct ck_gen *gen, const struct ck_counted_loop *counted,
                              LLVMValueRef v);

#endif
