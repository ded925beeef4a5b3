/* Products of extended 32-bit values, which are one instruction of PTX, mul.wide, if both are
 * extended in the same way. A value that is not negative may be extended either way.
 *
 * Instruction selection finds the instruction if both extensions are in the product's basic block.
 * Of a factor that a loop does not change, LLVM would move the extension out of the loop, and
 * multiply it by the size of an element there; so that product is written as the instruction.
 *
 * So is a product with a constant from 2^31 on, as generators of random numbers and hashes have,
 * whose other factor has 32 bits although it is the result of 64-bit operations: LLVM makes shifts
 * and masks of 64 bits where such a product is used by its low and high words. No index has such a
 * factor, of which a later pass could make a sum. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"
#include "codegen/opt/value_range.h"

static bool
is_extension(struct ck_gen *gen, LLVMValueRef v)
{
    return (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v)) &&
           LLVMTypeOf(LLVMGetOperand(v, 0)) == gen->t_i32;
}

/* Extends the sign of a factor that is not negative, if the other one's is extended. */
static void
match_sign(struct ck_gen *gen, LLVMValueRef v_product, unsigned i)
{
    LLVMValueRef v_natural = LLVMGetOperand(v_product, i);
    if (!LLVMIsAZExtInst(v_natural) || !LLVMGetNNeg(v_natural) ||
        !LLVMIsASExtInst(LLVMGetOperand(v_product, 1 - i)))
        return;
    LLVMPositionBuilderBefore(gen->builder, v_natural);
    LLVMSetOperand(v_product, i,
                   LLVMBuildSExt(gen->builder, LLVMGetOperand(v_natural, 0), gen->t_i64, ""));
}

static bool
is_beside(LLVMValueRef v, LLVMValueRef v_other)
{
    return LLVMGetInstructionParent(v) == LLVMGetInstructionParent(v_other);
}

static void
write_product(struct ck_gen *gen, LLVMValueRef v, bool is_signed, LLVMValueRef *args)
{
    LLVMReplaceAllUsesWith(
        v, ck_nvptx_asm(gen, false,
                        is_signed ? "mul.wide.s32 $0, $1, $2;" : "mul.wide.u32 $0, $1, $2;",
                        "=l,r,r", gen->t_i64, args, 2));
    LLVMInstructionEraseFromParent(v);
}

static void
visit_extended(struct ck_gen *gen, LLVMValueRef v)
{
    match_sign(gen, v, 0);
    match_sign(gen, v, 1);
    LLVMValueRef v_left = LLVMGetOperand(v, 0), v_right = LLVMGetOperand(v, 1);
    if (LLVMGetInstructionOpcode(v_left) != LLVMGetInstructionOpcode(v_right) ||
        is_beside(v_left, v) == is_beside(v_right, v))
        return;
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef args[] = {LLVMGetOperand(v_left, 0), LLVMGetOperand(v_right, 0)};
    write_product(gen, v, LLVMIsASExtInst(v_left) != NULL, args);
}

static void
visit_multiple(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMValueRef v_factor = LLVMGetOperand(v, 0), v_constant = LLVMGetOperand(v, 1);
    if ((is_extension(gen, v_factor) && is_beside(v_factor, v)) ||
        !ck_value_range_is_within(ck_value_range_of(gen, v_constant), 1LL << 31, UINT32_MAX) ||
        !ck_value_range_is_within(ck_value_range_of(gen, v_factor), 0, UINT32_MAX))
        return;
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef args[] = {LLVMBuildTrunc(gen->builder, v_factor, gen->t_i32, ""),
                           LLVMConstTrunc(v_constant, gen->t_i32)};
    write_product(gen, v, false, args);
}

static void
visit(struct ck_gen *gen, LLVMValueRef v)
{
    if (LLVMGetInstructionOpcode(v) != LLVMMul || LLVMTypeOf(v) != gen->t_i64)
        return;
    if (is_extension(gen, LLVMGetOperand(v, 0)) && is_extension(gen, LLVMGetOperand(v, 1)))
        visit_extended(gen, v);
    else if (LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        visit_multiple(gen, v);
}

void
ck_nvptx_widen_products(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, visit);
}
