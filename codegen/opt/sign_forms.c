/* Natural numbers as signed ones, where LLVM's passes chose unsigned operations.
 *
 *   - Of a natural number k, LLVM makes `zext nneg k` for x[k] and `sext k` for x[k + 1], whose
 *     constant it moves into the address. Both have the same value, but LLVM does not relate the
 *     addresses of a loop to each other where it cannot prove that, and computes both.
 *   - Of a loop's test `i < n`, both natural, LLVM makes an unsigned comparison. The assembler
 *     unrolls a loop with a signed one by less code. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/counted_loop.h"
#include "codegen/opt/passes.h"

static bool
has_sign_extension(LLVMValueRef v, LLVMTypeRef type)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v_user = LLVMGetUser(use);
        if (LLVMIsASExtInst(v_user) && LLVMTypeOf(v_user) == type)
            return true;
    }
    return false;
}

static bool
is_other_extension(LLVMValueRef v)
{
    return LLVMIsAZExtInst(v) && LLVMGetNNeg(v) &&
           has_sign_extension(LLVMGetOperand(v, 0), LLVMTypeOf(v));
}

/* Whether both operands have the same sign, and the left one is a phi plus a constant. */
static bool
is_counter_test(LLVMValueRef v)
{
    long long step = 0;
    return LLVMIsAICmpInst(v) && LLVMGetICmpSameSign(v) &&
           ck_loop_counter_of(LLVMGetOperand(v, 0), &step) && step != 0;
}

static void
visit(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMValueRef v_new = NULL;
    LLVMPositionBuilderBefore(gen->builder, v);
    if (is_other_extension(v))
        v_new = LLVMBuildSExt(gen->builder, LLVMGetOperand(v, 0), LLVMTypeOf(v), "");
    else if (is_counter_test(v))
        v_new =
            l_compare(gen, ck_ir_signed_predicate(v), LLVMGetOperand(v, 0), LLVMGetOperand(v, 1));
    if (!v_new)
        return;
    LLVMReplaceAllUsesWith(v, v_new);
    LLVMInstructionEraseFromParent(v);
}

void
ck_gen_use_signs(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, visit);
}
