/* Conversions of floats to integers that saturate, and make 0 of NaN: PTX's do.
 *
 * LLVM emits comparisons with both limits and with NaN around its conversion. PTX's conversion
 * itself is limited to the range of the result, and makes 0 of NaN if the source is float32 and the
 * result has 32 bits, otherwise the result's highest bit alone (PTX ISA, cvt). Runs after all other
 * passes, which know more of LLVM's intrinsics. */
#include <string.h>

#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"

/* By: the source is float64, the result has 64 bits, the result is unsigned. */
static const char *const conversions[2][2][2] = {
    {{"llvm.nvvm.f2i.rz", "llvm.nvvm.f2ui.rz"}, {"llvm.nvvm.f2ll.rz", "llvm.nvvm.f2ull.rz"}},
    {{"llvm.nvvm.d2i.rz", "llvm.nvvm.d2ui.rz"}, {"llvm.nvvm.d2ll.rz", "llvm.nvvm.d2ull.rz"}},
};

static LLVMValueRef
convert(struct ck_gen *gen, LLVMValueRef v_value, bool is_long, bool is_unsigned)
{
    const bool is_double = LLVMTypeOf(v_value) != gen->t_float;
    const char *name = conversions[is_double][is_long][is_unsigned];
    const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef v_function = LLVMGetIntrinsicDeclaration(gen->module, id, NULL, 0);
    LLVMValueRef v_result = LLVMBuildCall2(gen->builder, LLVMGlobalGetValueType(v_function),
                                           v_function, &v_value, 1, "");
    if (!is_double && !is_long)
        return v_result;
    LLVMValueRef v_nan = LLVMBuildFCmp(gen->builder, LLVMRealUNO, v_value, v_value, "");
    return l_select(gen, v_nan, LLVMConstNull(LLVMTypeOf(v_result)), v_result);
}

/* Limits a result of 32 bits to a shorter type. */
static LLVMValueRef
limit(struct ck_gen *gen, LLVMValueRef v_result, unsigned width, bool is_unsigned)
{
    const int64_t most = is_unsigned ? (INT64_C(1) << width) - 1 : (INT64_C(1) << (width - 1)) - 1;
    LLVMValueRef above[] = {v_result, l_i32(gen, (uint32_t)most)};
    LLVMValueRef v_limited =
        l_intrinsic(gen, is_unsigned ? "llvm.umin" : "llvm.smin", gen->t_i32, above, 2);
    if (is_unsigned)
        return v_limited;
    LLVMValueRef below[] = {v_limited, l_i32(gen, (uint32_t)(-most - 1))};
    return l_intrinsic(gen, "llvm.smax", gen->t_i32, below, 2);
}

static void
replace(struct ck_gen *gen, LLVMValueRef v, bool is_unsigned)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMValueRef v_value = LLVMGetOperand(v, 0);
    const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v_value));
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64 ||
        (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind))
        return;
    const unsigned width = LLVMGetIntTypeWidth(type);
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_result = convert(gen, v_value, width > 32, is_unsigned);
    if (width < 32)
        v_result = limit(gen, v_result, width, is_unsigned);
    if (width < 32)
        v_result = LLVMBuildTrunc(gen->builder, v_result, type, "");
    LLVMReplaceAllUsesWith(v, v_result);
    LLVMInstructionEraseFromParent(v);
}

static void
visit(struct ck_gen *gen, LLVMValueRef v)
{
    static const char to_signed[] = "llvm.fptosi.sat", to_unsigned[] = "llvm.fptoui.sat";
    if (!LLVMIsACallInst(v) || !LLVMIsAFunction(LLVMGetCalledValue(v)))
        return;
    const unsigned id = LLVMGetIntrinsicID(LLVMGetCalledValue(v));
    if (id == 0)
        return;
    if (id == LLVMLookupIntrinsicID(to_signed, strlen(to_signed)))
        replace(gen, v, false);
    else if (id == LLVMLookupIntrinsicID(to_unsigned, strlen(to_unsigned)))
        replace(gen, v, true);
}

void
ck_nvptx_saturate(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, visit);
}
