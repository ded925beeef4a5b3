/* Products of extended 32-bit values, which are one instruction of PTX, mul.wide, if both are
 * extended in the same way. A value that is not negative may be extended either way. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"

static bool
is_from_i32(struct ck_gen *gen, LLVMValueRef v)
{
    return LLVMTypeOf(LLVMGetOperand(v, 0)) == gen->t_i32;
}

static void
visit(struct ck_gen *gen, LLVMValueRef v)
{
    if (LLVMGetInstructionOpcode(v) != LLVMMul || LLVMTypeOf(v) != gen->t_i64)
        return;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v_natural = LLVMGetOperand(v, i), v_signed = LLVMGetOperand(v, 1 - i);
        if (!LLVMIsAZExtInst(v_natural) || !LLVMGetNNeg(v_natural) || !LLVMIsASExtInst(v_signed) ||
            !is_from_i32(gen, v_natural) || !is_from_i32(gen, v_signed))
            continue;
        LLVMPositionBuilderBefore(gen->builder, v_natural);
        LLVMSetOperand(v, i,
                       LLVMBuildSExt(gen->builder, LLVMGetOperand(v_natural, 0), gen->t_i64, ""));
    }
}

void
ck_nvptx_extend_signs(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, visit);
}
