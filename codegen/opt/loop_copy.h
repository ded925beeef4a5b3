/* Copies of a loop's basic blocks: which value of the copy stands for which of the original. */
#ifndef CK_OPT_LOOP_COPY_H
#define CK_OPT_LOOP_COPY_H

#include "codegen/core/gen.h"

enum { CK_LOOP_MAX_VALUES = 256 };

/* The values of a loop and their copies; basic blocks are values too. */
struct ck_loop_copy {
    int n;
    LLVMValueRef v_old[CK_LOOP_MAX_VALUES], v_new[CK_LOOP_MAX_VALUES];
};

void ck_loop_put(struct ck_loop_copy *copy, LLVMValueRef v_old, LLVMValueRef v_new);
/* The copy of a value; a value that has none stands for itself. */
LLVMValueRef ck_loop_copied(const struct ck_loop_copy *copy, LLVMValueRef v_old);
LLVMBasicBlockRef ck_loop_copied_block(const struct ck_loop_copy *copy, LLVMBasicBlockRef b_old);
/* Once all blocks have their copied instructions, whose operands are still the old ones: replaces
 * these by their copies, in the values from `first` on. Phis begin without incoming values. */
void ck_loop_fill_copy(const struct ck_loop_copy *copy, int first);

#endif
