/* A workaround for wrong code of ptxas: negation and absolute value of 16-bit integers.
 *
 * ptxas (CUDA 13.0, sm_75 to sm_90) computes neg.s16 and abs.s16 in 32 bits and assumes that the
 * result is sign-extended. That is wrong for -32768: `neg.s16 b, a; cvt.s64.s16 c, b` returns
 * 32768. ptxas does not transform other sequences, so this pass replaces both by 32-bit
 * instructions, after all other passes. 8-bit integers are computed in 16 bits, where their results
 * fit.
 *
 * LLVM narrows sums and products of which only 16 bits are used. The hardware computes them in 32
 * bits and needs one more instruction for each to extend the result: they become 32-bit ones again.
 */
#include <string.h>

#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"

static const char negate[] = "{ .reg .b32 w; cvt.s32.s16 w, $1; neg.s32 w, w; cvt.u16.u32 $0, w; }";
static const char absolute[] =
    "{ .reg .b32 w; cvt.s32.s16 w, $1; abs.s32 w, w; cvt.u16.u32 $0, w; }";

static bool
is_negation(LLVMValueRef v)
{
    return LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMSub &&
           LLVMIsNull(LLVMGetOperand(v, 0));
}

static bool
is_absolute_value(LLVMValueRef v)
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

/* A negation that is truncated to 16 bits counts too: instruction selection would truncate its
 * operand and emit neg.s16. */
static void
widen(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 16)
        return;
    LLVMPositionBuilderBefore(gen->builder, v);
    if (is_negation(v)) {
        replace(gen, v, LLVMGetOperand(v, 1), negate);
    } else if (is_absolute_value(v)) {
        replace(gen, v, LLVMGetOperand(v, 0), absolute);
    } else if (LLVMIsATruncInst(v) && is_negation(LLVMGetOperand(v, 0))) {
        LLVMValueRef v_negated = LLVMGetOperand(LLVMGetOperand(v, 0), 1);
        replace(gen, v, LLVMBuildTrunc(gen->builder, v_negated, type, ""), negate);
    }
}

/* The 32-bit value that a 16-bit one is if zeros extend it, where the builder is. */
static LLVMValueRef
extended(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMValueRef v_from = LLVMIsATruncInst(v) || LLVMIsAZExtInst(v) ? LLVMGetOperand(v, 0) : v;
    if (LLVMIsATruncInst(v) && LLVMTypeOf(v_from) == gen->t_i32 && LLVMGetNUW(v))
        return v_from;
    return LLVMBuildZExt(gen->builder, LLVMIsAZExtInst(v) ? v_from : v, gen->t_i32, "");
}

/* Whether the extended result of a 16-bit operation is that of the extended operands. */
static bool
is_exact(LLVMValueRef v)
{
    switch ((int)ck_ir_opcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        return LLVMGetNUW(v);
    case LLVMLShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return true;
    default:
        return false;
    }
}

/* Replaces an exact operation. */
static void
widen_operation(struct ck_gen *gen, LLVMValueRef v)
{
    if (LLVMTypeOf(v) != LLVMInt16TypeInContext(gen->llvm))
        return;
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_left = extended(gen, LLVMGetOperand(v, 0));
    LLVMValueRef v_right = extended(gen, LLVMGetOperand(v, 1));
    LLVMValueRef v_wide =
        LLVMBuildBinOp(gen->builder, LLVMGetInstructionOpcode(v), v_left, v_right, "");
    LLVMValueRef v_short = LLVMBuildTrunc(gen->builder, v_wide, LLVMTypeOf(v), "");
    if (LLVMIsATruncInst(v_short))
        LLVMSetNUW(v_short, true);
    LLVMReplaceAllUsesWith(v, v_short);
    LLVMInstructionEraseFromParent(v);
}

static void
visit(struct ck_gen *gen, LLVMValueRef v)
{
    if (is_exact(v))
        widen_operation(gen, v);
    else
        widen(gen, v);
}

void
ck_nvptx_widen_shorts(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, visit);
}
