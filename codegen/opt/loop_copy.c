/* Copies of a loop's basic blocks, for the passes that unroll or duplicate loops. LLVM's C API
 * clones single instructions only. */
#include "codegen/opt/loop_copy.h"

void
ck_loop_put(struct ck_loop_copy *copy, LLVMValueRef v_old, LLVMValueRef v_new)
{
    copy->v_old[copy->n] = v_old;
    copy->v_new[copy->n++] = v_new;
}

LLVMValueRef
ck_loop_copied(const struct ck_loop_copy *copy, LLVMValueRef v_old)
{
    int i = 0;
    while (i < copy->n && copy->v_old[i] != v_old)
        i++;
    return i < copy->n ? copy->v_new[i] : v_old;
}

LLVMBasicBlockRef
ck_loop_copied_block(const struct ck_loop_copy *copy, LLVMBasicBlockRef b_old)
{
    return LLVMValueAsBasicBlock(ck_loop_copied(copy, LLVMBasicBlockAsValue(b_old)));
}

static void
fill_phi(const struct ck_loop_copy *copy, LLVMValueRef v_old, LLVMValueRef v_new)
{
    for (unsigned i = 0; i < LLVMCountIncoming(v_old); i++) {
        LLVMValueRef v_value = ck_loop_copied(copy, LLVMGetIncomingValue(v_old, i));
        LLVMBasicBlockRef b_from = ck_loop_copied_block(copy, LLVMGetIncomingBlock(v_old, i));
        LLVMAddIncoming(v_new, &v_value, &b_from, 1);
    }
}

void
ck_loop_fill_copy(const struct ck_loop_copy *copy, int first)
{
    for (int i = first; i < copy->n; i++) {
        if (LLVMIsAPHINode(copy->v_old[i])) {
            fill_phi(copy, copy->v_old[i], copy->v_new[i]);
            continue;
        }
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(copy->v_new[i]); k++)
            LLVMSetOperand(copy->v_new[i], k,
                           ck_loop_copied(copy, LLVMGetOperand(copy->v_old[i], k)));
    }
}
