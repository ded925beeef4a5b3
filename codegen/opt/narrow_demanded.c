/* Narrows operations of which only the low 32 bits are demanded: docs/adr/051.
 *
 * LLVM truncates the indices of shared, local and constant arrays, whose addresses have 32 bits,
 * and narrows what an index is computed from only if it has one use. Two elements of one buffer,
 * `s[i % 2, r]` and `s[i % 2, n - r]`, have one offset of 64 bits, to which each adds its own.
 *
 * A sum, for example, has low 32 bits that depend on those of its operands alone. If all its users
 * are truncations, it becomes a sum of 32 bits, of truncated operands. Each operand has one more
 * truncation among its users then, so the pass visits users before operands. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/passes.h"

/* Whether there are users, and all are truncations to at most 32 bits. */
static bool
is_truncated(LLVMValueRef v)
{
    LLVMUseRef use = LLVMGetFirstUse(v);
    if (!use)
        return false;
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v_user = LLVMGetUser(use);
        if (!LLVMIsATruncInst(v_user) || LLVMGetIntTypeWidth(LLVMTypeOf(v_user)) > 32)
            return false;
    }
    return true;
}

static void
narrow(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_left = ck_ir_low_half(gen, LLVMGetOperand(v, 0));
    LLVMValueRef v_right = ck_ir_low_half(gen, LLVMGetOperand(v, 1));
    LLVMValueRef v_low =
        LLVMBuildBinOp(gen->builder, LLVMGetInstructionOpcode(v), v_left, v_right, "");
    for (LLVMUseRef use; (use = LLVMGetFirstUse(v)) != NULL;) {
        LLVMValueRef v_user = LLVMGetUser(use);
        LLVMPositionBuilderBefore(gen->builder, v_user);
        LLVMReplaceAllUsesWith(
            v_user, LLVMBuildTruncOrBitCast(gen->builder, v_low, LLVMTypeOf(v_user), ""));
        LLVMInstructionEraseFromParent(v_user);
    }
    LLVMInstructionEraseFromParent(v);
}

/* Whether an operation was narrowed. */
static bool
narrow_in(struct ck_gen *gen, LLVMValueRef v_function)
{
    bool found = false;
    for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(v_function); b;
         b = LLVMGetPreviousBasicBlock(b)) {
        LLVMValueRef v_before;
        for (LLVMValueRef v = LLVMGetLastInstruction(b); v; v = v_before) {
            v_before = LLVMGetPreviousInstruction(v);
            if (LLVMTypeOf(v) == gen->t_i64 && ck_ir_is_of_low_words(v) && is_truncated(v)) {
                narrow(gen, v);
                found = true;
            }
        }
    }
    return found;
}

void
ck_gen_narrow_demanded(struct ck_gen *gen)
{
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        while (narrow_in(gen, f)) /* a block may follow one that it dominates */
            continue;
    }
}
