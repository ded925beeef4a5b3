/* Negation and magnitude of 16-bit integers on NVIDIA GPUs, which ptxas makes wrong code of.
 *
 * ptxas (CUDA 13.0, sm_75 to sm_90) computes neg.s16 and abs.s16 in 32 bits and takes the result to
 * be sign-extended, which it is not for -32768: `neg.s16 b, a; cvt.s64.s16 c, b` gives 32768. It
 * does not look into other sequences, so both become ones of 32-bit instructions here, after all
 * passes. Integers of 8 bits are computed in 16, where their results fit. */
#include <string.h>

#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"

static const char negate[] = "{ .reg .b32 w; cvt.s32.s16 w, $1; neg.s32 w, w; cvt.u16.u32 $0, w; }";
static const char magnitude[] =
    "{ .reg .b32 w; cvt.s32.s16 w, $1; abs.s32 w, w; cvt.u16.u32 $0, w; }";

static bool
is_negation(LLVMValueRef v)
{
    return LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMSub &&
           LLVMIsNull(LLVMGetOperand(v, 0));
}

static bool
is_magnitude(LLVMValueRef v)
{
    unsigned abs = LLVMLookupIntrinsicID("llvm.abs", strlen("llvm.abs"));
    return LLVMIsACallInst(v) && LLVMIsAFunction(LLVMGetCalledValue(v)) &&
           LLVMGetIntrinsicID(LLVMGetCalledValue(v)) == abs;
}

static void
replace(struct ck_gen *gen, LLVMValueRef v, LLVMValueRef v_operand, const char *text)
{
    LLVMReplaceAllUsesWith(v, ck_nvptx_asm(gen, false, text, "=h,h", LLVMTypeOf(v), &v_operand, 1));
    LLVMInstructionEraseFromParent(v);
}

/* A negation that is cut to 16 bits counts too: instruction selection would cut its operand. */
static void
widen(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 16)
        return;
    LLVMPositionBuilderBefore(gen->builder, v);
    if (is_negation(v)) {
        replace(gen, v, LLVMGetOperand(v, 1), negate);
    } else if (is_magnitude(v)) {
        replace(gen, v, LLVMGetOperand(v, 0), magnitude);
    } else if (LLVMIsATruncInst(v) && is_negation(LLVMGetOperand(v, 0))) {
        LLVMValueRef v_negated = LLVMGetOperand(LLVMGetOperand(v, 0), 1);
        replace(gen, v, LLVMBuildTrunc(gen->builder, v_negated, type, ""), negate);
    }
}

void
ck_nvptx_widen_shorts(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, widen);
}
