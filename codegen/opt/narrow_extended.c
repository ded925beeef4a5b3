/* Narrows operations on extended values from 64 to 32 bits: bitwise operations, shifts to the right
 * and comparisons. LLVM does only if the extension has no other use, and a thread's position has.
 *
 * A value is narrow if it is `sext i32`, `zext nneg i32`, or a constant of 32 bits. Bitwise
 * operations of narrow values are narrow, and so are their shifts to the right. A comparison of
 * narrow values may also have a difference of two values that are not negative, or a sum of one and
 * a constant that is not positive. The sum of an index and of the extent that is added if it is
 * negative is narrow. Each result is the same for all values.
 *
 * Runs on simplified code. Small launches have such values: docs/adr/028. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/passes.h"

static bool
is_small_constant(LLVMValueRef v, int64_t least, int64_t most)
{
    if (!LLVMIsAConstantInt(v))
        return false;
    const int64_t value = LLVMConstIntGetSExtValue(v);
    return value >= least && value <= most;
}

static bool
is_from_i32(struct ck_gen *gen, LLVMValueRef v)
{
    return LLVMTypeOf(LLVMGetOperand(v, 0)) == gen->t_i32;
}

/* From 0 below 2^31. */
static bool
is_narrow_natural(struct ck_gen *gen, LLVMValueRef v)
{
    return is_small_constant(v, 0, INT32_MAX) ||
           (LLVMIsAZExtInst(v) && is_from_i32(gen, v) && LLVMGetNNeg(v));
}

static bool
is_narrow(struct ck_gen *gen, LLVMValueRef v)
{
    return is_small_constant(v, INT32_MIN, INT32_MAX) || is_narrow_natural(gen, v) ||
           (LLVMIsASExtInst(v) && is_from_i32(gen, v));
}

/* Of a narrow value. */
static LLVMValueRef
narrowed(struct ck_gen *gen, LLVMValueRef v)
{
    if (LLVMIsAConstantInt(v))
        return LLVMConstInt(gen->t_i32, (uint64_t)LLVMConstIntGetSExtValue(v), true);
    return LLVMGetOperand(v, 0);
}

static void
replace(LLVMValueRef v, LLVMValueRef v_by)
{
    LLVMReplaceAllUsesWith(v, v_by);
    LLVMInstructionEraseFromParent(v);
}

/* A bitwise operation, or a shift by a constant: two narrow operands in either case. */
static void
narrow_bits(struct ck_gen *gen, LLVMValueRef v)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
    LLVMValueRef v_left = LLVMGetOperand(v, 0), v_right = LLVMGetOperand(v, 1);
    const bool shifts = opcode == LLVMLShr || opcode == LLVMAShr;
    const bool left_natural = is_narrow_natural(gen, v_left);
    const bool right_natural = is_narrow_natural(gen, v_right);
    if (!is_narrow(gen, v_left) || !is_narrow(gen, v_right) ||
        (shifts && !is_small_constant(v_right, 0, 31)) || (opcode == LLVMLShr && !left_natural))
        return;
    const bool is_natural = opcode == LLVMAnd ? left_natural || right_natural
                            : shifts          ? left_natural
                                              : left_natural && right_natural;
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_bits =
        LLVMBuildBinOp(gen->builder, opcode, narrowed(gen, v_left), narrowed(gen, v_right), "");
    LLVMValueRef v_wide = is_natural ? LLVMBuildZExt(gen->builder, v_bits, gen->t_i64, "")
                                     : LLVMBuildSExt(gen->builder, v_bits, gen->t_i64, "");
    if (is_natural && LLVMIsAInstruction(v_wide))
        LLVMSetNNeg(v_wide, true);
    replace(v, v_wide);
}

/* Whether a sum or a difference fits in 32 bits. */
static bool
is_narrow_sum(struct ck_gen *gen, LLVMValueRef v)
{
    if (ck_ir_opcode(v) == LLVMAdd)
        return is_narrow_natural(gen, LLVMGetOperand(v, 0)) &&
               is_small_constant(LLVMGetOperand(v, 1), INT32_MIN, 0);
    return ck_ir_opcode(v) == LLVMSub && is_narrow_natural(gen, LLVMGetOperand(v, 0)) &&
           is_narrow_natural(gen, LLVMGetOperand(v, 1));
}

/* An operand of a comparison, where the builder is. */
static LLVMValueRef
narrowed_operand(struct ck_gen *gen, LLVMValueRef v)
{
    if (is_narrow(gen, v))
        return narrowed(gen, v);
    LLVMValueRef v_left = narrowed(gen, LLVMGetOperand(v, 0));
    LLVMValueRef v_right = narrowed(gen, LLVMGetOperand(v, 1));
    return ck_ir_opcode(v) == LLVMAdd ? LLVMBuildNSWAdd(gen->builder, v_left, v_right, "")
                                      : LLVMBuildNSWSub(gen->builder, v_left, v_right, "");
}

/* Extension of the sign keeps the order of unsigned values too. */
static void
narrow_comparison(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMValueRef v_operands[] = {LLVMGetOperand(v, 0), LLVMGetOperand(v, 1)};
    if (LLVMTypeOf(v_operands[0]) != gen->t_i64)
        return;
    for (int i = 0; i < 2; i++) {
        if (!is_narrow(gen, v_operands[i]) && !is_narrow_sum(gen, v_operands[i]))
            return;
    }
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_left = narrowed_operand(gen, v_operands[0]);
    LLVMValueRef v_right = narrowed_operand(gen, v_operands[1]);
    replace(v, LLVMBuildICmp(gen->builder, LLVMGetICmpPredicate(v), v_left, v_right, ""));
}

/* Whether a value is `i < 0 ? n : 0`, extended and not negative: what is added to the index i. */
static bool
is_wrap_of(struct ck_gen *gen, LLVMValueRef v, LLVMValueRef v_index)
{
    if (!is_narrow_natural(gen, v) || !LLVMIsAZExtInst(v))
        return false;
    LLVMValueRef v_select = LLVMGetOperand(v, 0);
    if (!LLVMIsASelectInst(v_select) || !LLVMIsAConstantInt(LLVMGetOperand(v_select, 2)) ||
        !LLVMIsNull(LLVMGetOperand(v_select, 2)))
        return false;
    LLVMValueRef v_test = LLVMGetOperand(v_select, 0);
    return LLVMIsAICmpInst(v_test) && LLVMGetICmpPredicate(v_test) == LLVMIntSLT &&
           LLVMGetOperand(v_test, 0) == v_index && LLVMIsAConstantInt(LLVMGetOperand(v_test, 1)) &&
           LLVMIsNull(LLVMGetOperand(v_test, 1));
}

/* A sum of an index and its wrap fits in 32 bits: a negative index and an extent have different
 * signs. */
static void
narrow_wrapped(struct ck_gen *gen, LLVMValueRef v)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v_index = LLVMGetOperand(v, i), v_wrap = LLVMGetOperand(v, 1 - i);
        if (!LLVMIsASExtInst(v_index) || !is_from_i32(gen, v_index) ||
            !is_wrap_of(gen, v_wrap, LLVMGetOperand(v_index, 0)))
            continue;
        LLVMPositionBuilderBefore(gen->builder, v);
        LLVMValueRef v_sum = LLVMBuildNSWAdd(gen->builder, LLVMGetOperand(v_index, 0),
                                             LLVMGetOperand(v_wrap, 0), "");
        replace(v, LLVMBuildSExt(gen->builder, v_sum, gen->t_i64, ""));
        return;
    }
}

static void
visit(struct ck_gen *gen, LLVMValueRef v)
{
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
        if (LLVMTypeOf(v) == gen->t_i64)
            narrow_wrapped(gen, v);
        break;
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMLShr:
    case LLVMAShr:
        if (LLVMTypeOf(v) == gen->t_i64)
            narrow_bits(gen, v);
        break;
    case LLVMICmp:
        narrow_comparison(gen, v);
        break;
    default:
        break;
    }
}

void
ck_gen_narrow_extended(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, visit);
}
