/* Values that are affine in a loop's counter: see affine.h. */
#include "codegen/opt/affine.h"
#include "codegen/core/ir_util.h"

enum { MAX_DEPTH = 8 };

bool
ck_affine_is_count(const struct ck_counted_loop *counted, LLVMValueRef v, long long *offset)
{
    *offset = 0;
    if (v == counted->v_counter)
        return true;
    if ((ck_ir_opcode(v) != LLVMAdd && !(ck_ir_opcode(v) == LLVMOr && LLVMGetIsDisjoint(v))) ||
        LLVMGetOperand(v, 0) != counted->v_counter || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return false;
    *offset = LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1));
    return true;
}

/* How a value changes with the counter. */
enum shape { OTHER, INVARIANT, CONSTANT_STRIDE, STRIDE };

static enum shape shape_of(const struct ck_counted_loop *counted, LLVMValueRef v, int depth);

static enum shape
shape_of_product(LLVMValueRef v_factor, enum shape other)
{
    return other == CONSTANT_STRIDE && !LLVMIsAConstantInt(v_factor) ? STRIDE : other;
}

/* Of a sum, a difference or a product. */
static enum shape
shape_of_pair(const struct ck_counted_loop *counted, LLVMValueRef v, int depth)
{
    LLVMValueRef v_left = LLVMGetOperand(v, 0), v_right = LLVMGetOperand(v, 1);
    const enum shape left = shape_of(counted, v_left, depth - 1);
    const enum shape right = shape_of(counted, v_right, depth - 1);
    if (left == OTHER || right == OTHER)
        return OTHER;
    if (ck_ir_opcode(v) != LLVMMul)
        return left > right ? left : right;
    return left == INVARIANT    ? shape_of_product(v_left, right)
           : right == INVARIANT ? shape_of_product(v_right, left)
                                : OTHER;
}

static enum shape
shape_of(const struct ck_counted_loop *counted, LLVMValueRef v, int depth)
{
    long long offset;
    if (ck_affine_is_count(counted, v, &offset))
        return CONSTANT_STRIDE;
    if (!ck_loop_has(&counted->loop, v))
        return INVARIANT;
    if (depth == 0)
        return OTHER;
    if (ck_ir_opcode(v) == LLVMAdd || ck_ir_opcode(v) == LLVMSub || ck_ir_opcode(v) == LLVMMul)
        return shape_of_pair(counted, v, depth);
    return ck_ir_opcode(v) == LLVMShl && LLVMIsAConstantInt(LLVMGetOperand(v, 1))
               ? shape_of(counted, LLVMGetOperand(v, 0), depth - 1)
               : OTHER;
}

bool
ck_affine_has_stride(const struct ck_counted_loop *counted, LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) && LLVMGetNumOperands(v) == 2 &&
           !ck_loop_has(&counted->loop, LLVMGetOperand(v, 0)) &&
           LLVMTypeOf(LLVMGetOperand(v, 1)) == LLVMTypeOf(counted->v_counter) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(counted->v_counter)) == 64 &&
           shape_of(counted, LLVMGetOperand(v, 1), MAX_DEPTH) == STRIDE;
}

LLVMValueRef
ck_affine_at(struct ck_gen *gen, const struct ck_counted_loop *counted, LLVMValueRef v,
             LLVMValueRef v_count)
{
    long long offset;
    if (ck_affine_is_count(counted, v, &offset))
        return LLVMBuildAdd(gen->builder, v_count,
                            LLVMConstInt(LLVMTypeOf(v), (uint64_t)offset, true), "");
    if (!ck_loop_has(&counted->loop, v))
        return v;
    LLVMValueRef v_left = ck_affine_at(gen, counted, LLVMGetOperand(v, 0), v_count);
    LLVMValueRef v_right = ck_affine_at(gen, counted, LLVMGetOperand(v, 1), v_count);
    return LLVMBuildBinOp(gen->builder, LLVMGetInstructionOpcode(v), v_left, v_right, "");
}

static bool
is_one(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == 1;
}

static LLVMValueRef
product(struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_right)
{
    return is_one(v_left)    ? v_right
           : is_one(v_right) ? v_left
                             : LLVMBuildMul(gen->builder, v_left, v_right, "");
}

LLVMValueRef
ck_affine_growth(struct ck_gen *gen, const struct ck_counted_loop *counted, LLVMValueRef v)
{
    long long offset;
    if (ck_affine_is_count(counted, v, &offset))
        return LLVMConstInt(LLVMTypeOf(v), 1, false);
    if (!ck_loop_has(&counted->loop, v))
        return NULL;
    LLVMValueRef v_left = LLVMGetOperand(v, 0), v_right = LLVMGetOperand(v, 1);
    LLVMValueRef v_left_growth = ck_affine_growth(gen, counted, v_left);
    LLVMValueRef v_right_growth = ck_affine_growth(gen, counted, v_right);
    if (ck_ir_opcode(v) == LLVMMul)
        return v_left_growth ? product(gen, v_left_growth, v_right)
                             : product(gen, v_left, v_right_growth);
    if (ck_ir_opcode(v) == LLVMShl)
        return LLVMBuildShl(gen->builder, v_left_growth, v_right, "");
    if (!v_left_growth)
        return ck_ir_opcode(v) == LLVMAdd ? v_right_growth
                                          : LLVMBuildNeg(gen->builder, v_right_growth, "");
    return v_right_growth ? LLVMBuildBinOp(gen->builder, LLVMGetInstructionOpcode(v), v_left_growth,
                                           v_right_growth, "")
                          : v_left_growth;
}
