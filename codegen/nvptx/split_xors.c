/* Exclusive ors with a sum of a value and a constant that have no bits in common.
 *
 * `v ^ (x | c)` is one LOP3 instruction. But where the assembler sees that x is shifted to the left
 * and so has zeros in place of c's bits, it makes an addition of `x | c`, an instruction more. This
 * makes it `(v ^ x) ^ c`.
 *
 * Results of warp-level reductions are left alone. They come in uniform registers, and so does a
 * loop's counter, to which the addition then takes no time of other instructions': on an H200, a
 * loop of reductions takes 1.015 of the time with `(v ^ x) ^ c`. Runs after all passes that
 * simplify. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"

/* Whether this is a value or'ed with a constant that has none of its bits. */
static bool
is_sum(LLVMValueRef v)
{
    return ck_ir_opcode(v) == LLVMOr && LLVMGetIsDisjoint(v) &&
           LLVMIsAConstantInt(LLVMGetOperand(v, 1));
}

/* Returns the exclusive or without the constant. */
static LLVMValueRef
split(struct ck_gen *gen, LLVMValueRef v, LLVMValueRef v_other, LLVMValueRef v_sum)
{
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_part = LLVMBuildXor(gen->builder, v_other, LLVMGetOperand(v_sum, 0), "");
    LLVMReplaceAllUsesWith(v, LLVMBuildXor(gen->builder, v_part, LLVMGetOperand(v_sum, 1), ""));
    LLVMInstructionEraseFromParent(v);
    if (!LLVMGetFirstUse(v_sum))
        LLVMInstructionEraseFromParent(v_sum);
    return v_part;
}

static void
visit(struct ck_gen *gen, LLVMValueRef v)
{
    if (ck_ir_opcode(v) != LLVMXor || LLVMTypeOf(v) != gen->t_i32)
        return;
    LLVMValueRef v_left = LLVMGetOperand(v, 0), v_right = LLVMGetOperand(v, 1);
    if (is_sum(v_right) && !ck_nvptx_is_redux(v_left))
        visit(gen, split(gen, v, v_left, v_right));
    else if (is_sum(v_left) && !ck_nvptx_is_redux(v_right))
        visit(gen, split(gen, v, v_right, v_left));
}

void
ck_nvptx_split_xors(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, visit);
}
