/* A workaround for wrong code of ptxas: stores of a part of a float's bits.
 *
 * ptxas (CUDA 13.0, sm_75 to sm_90) takes `add.f32 r; st.global.b8 [p], r` for a conversion: it
 * stores the float's integer value instead of its low byte. LLVM writes such stores where a float
 * lies at an address that is not a multiple of its size, as in packed records, and where a program
 * truncates a float's bits. This pass copies the bits to an integer register first, by inline PTX.
 * The assembler removes the copy. Runs after all other passes. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"

/* The bits of a float, which the assembler takes for an integer, where the builder is; NULL: the
 * value is no float. */
static LLVMValueRef
integer_bits(struct ck_gen *gen, LLVMValueRef v)
{
    switch (LLVMGetTypeKind(LLVMTypeOf(v))) {
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
        v = LLVMBuildBitCast(gen->builder, v, LLVMInt16TypeInContext(gen->llvm), "");
        return ck_nvptx_asm(gen, false, "mov.b16 $0, $1;", "=h,h", LLVMTypeOf(v), &v, 1);
    case LLVMFloatTypeKind:
        return ck_nvptx_asm(gen, false, "mov.b32 $0, $1;", "=r,f", gen->t_i32, &v, 1);
    case LLVMDoubleTypeKind:
        return ck_nvptx_asm(gen, false, "mov.b64 $0, $1;", "=l,d", gen->t_i64, &v, 1);
    default:
        return NULL;
    }
}

/* A store that LLVM divides. */
static void
visit_store(struct ck_gen *gen, LLVMValueRef v_store)
{
    LLVMValueRef v = LLVMGetOperand(v_store, 0);
    if (LLVMIsAConstant(v) ||
        LLVMGetAlignment(v_store) >= LLVMABISizeOfType(gen->layout, LLVMTypeOf(v)))
        return;
    LLVMPositionBuilderBefore(gen->builder, v_store);
    LLVMValueRef v_bits = integer_bits(gen, v);
    if (v_bits)
        LLVMSetOperand(v_store, 0, v_bits);
}

/* The bits of a float of which a part is used. */
static void
visit_truncation(struct ck_gen *gen, LLVMValueRef v_truncated)
{
    LLVMValueRef v = LLVMGetOperand(v_truncated, 0);
    if (!LLVMIsABitCastInst(v))
        return;
    LLVMPositionBuilderBefore(gen->builder, v_truncated);
    LLVMValueRef v_bits = integer_bits(gen, LLVMGetOperand(v, 0));
    if (v_bits && LLVMTypeOf(v_bits) == LLVMTypeOf(v))
        LLVMSetOperand(v_truncated, 0, v_bits);
}

static void
visit(struct ck_gen *gen, LLVMValueRef v)
{
    if (LLVMIsAStoreInst(v))
        visit_store(gen, v);
    else if (LLVMIsATruncInst(v))
        visit_truncation(gen, v);
}

void
ck_nvptx_copy_float_bits(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, visit);
}
