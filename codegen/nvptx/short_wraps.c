/* Indices of 32 bits that may be negative: docs/adr/036.
 *
 * An index below zero counts from the end: `i + (i < 0 ? n : 0)`. Of 32-bit values that is the
 * smaller one of i and i + n as unsigned values, if -n <= i, which is so for every index within the
 * array: an index below zero is large as an unsigned value, and one that is not is smaller than its
 * sum with n. It is an addition and a minimum, from compute capability 9.0 on a single instruction
 * of the assembler, instead of a shift, an `and` and an addition. Other indices stay outside the
 * array.
 *
 * Indices that an innermost loop counts stay as they are: LLVM computes their addresses from one
 * another. It does not in loops with other exits, or around other loops.
 * Runs after LLVM's passes, in small launches (docs/adr/028), whose extents are known to be natural
 * while they are calls. */
#include <limits.h>

#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"
#include "codegen/opt/inner_loop.h"

enum { MAX_DEPTH = 3 }; /* of operations from a counter to an index */

/* Whether a value is `i < 0 ? n : 0` of 32 bits; finds the extent. */
static bool
is_wrap_of(struct ck_gen *gen, LLVMValueRef v, LLVMValueRef v_index, LLVMValueRef *v_extent)
{
    if (!LLVMIsASelectInst(v) || LLVMTypeOf(v) != gen->t_i32)
        return false;
    LLVMValueRef v_test = LLVMGetOperand(v, 0), v_none = LLVMGetOperand(v, 2);
    *v_extent = LLVMGetOperand(v, 1);
    return LLVMIsAICmpInst(v_test) && LLVMGetICmpPredicate(v_test) == LLVMIntSLT &&
           LLVMGetOperand(v_test, 0) == v_index && LLVMIsNull(LLVMGetOperand(v_test, 1)) &&
           LLVMIsNull(v_none) && ck_nvptx_is_wrap_extent(*v_extent);
}

/* Whether a header's phi is one of an innermost loop that ends at its latch alone. */
static bool
is_in_simple_loop(LLVMValueRef v_phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(v_phi); i++) {
        struct ck_inner_loop loop = {.b_header = LLVMGetInstructionParent(v_phi),
                                     .b_latch = LLVMGetIncomingBlock(v_phi, i),
                                     .max_size = INT_MAX};
        if (ck_loop_find_blocks(&loop))
            return true;
    }
    return false;
}

/* Whether a value is computed from the counter of such a loop. */
static bool
is_counted(LLVMValueRef v, int depth)
{
    if (LLVMIsAPHINode(v))
        return ck_ir_is_counter(v) && is_in_simple_loop(v);
    if (depth == 0 || (!LLVMIsABinaryOperator(v) && !LLVMIsACastInst(v)))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        if (is_counted(LLVMGetOperand(v, (unsigned)i), depth - 1))
            return true;
    }
    return false;
}

LLVMValueRef
ck_nvptx_wrapped_index(struct ck_gen *gen, LLVMValueRef v_index, LLVMValueRef v_extent)
{
    LLVMValueRef args[] = {v_index, LLVMBuildAdd(gen->builder, v_index, v_extent, "")};
    return l_intrinsic(gen, "llvm.umin", gen->t_i32, args, 2);
}

static void
shorten_sum(struct ck_gen *gen, LLVMValueRef v)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v_extent, v_index = LLVMGetOperand(v, i);
        if (!is_wrap_of(gen, LLVMGetOperand(v, 1 - i), v_index, &v_extent) ||
            is_counted(v_index, MAX_DEPTH))
            continue;
        LLVMPositionBuilderBefore(gen->builder, v);
        LLVMReplaceAllUsesWith(v, ck_nvptx_wrapped_index(gen, v_index, v_extent));
        LLVMInstructionEraseFromParent(v);
        return;
    }
}

static bool
is_element(LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) && LLVMGetNumOperands(v) == 2;
}

/* The value that a 64-bit offset is extended from; NULL: from none. */
static LLVMValueRef
extended_from(LLVMValueRef v)
{
    return LLVMIsASExtInst(v) || (LLVMIsAZExtInst(v) && LLVMGetNNeg(v)) ? LLVMGetOperand(v, 0)
                                                                        : NULL;
}

/* `x + i + (i < 0 ? n : 0)`, which LLVM adds in either order. */
static void
shorten_address(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMValueRef v_base = is_element(v) ? LLVMGetOperand(v, 0) : NULL;
    if (!v_base || !is_element(v_base) ||
        LLVMGetGEPSourceElementType(v) != LLVMGetGEPSourceElementType(v_base))
        return;
    LLVMValueRef offsets[] = {LLVMGetOperand(v, 1), LLVMGetOperand(v_base, 1)};
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v_index = extended_from(offsets[i]), v_wrap = extended_from(offsets[1 - i]);
        LLVMValueRef v_extent;
        if (!v_index || !v_wrap || !LLVMIsASExtInst(offsets[i]) ||
            !is_wrap_of(gen, v_wrap, v_index, &v_extent) || is_counted(v_index, MAX_DEPTH))
            continue;
        LLVMPositionBuilderBefore(gen->builder, v);
        LLVMValueRef v_offset = LLVMBuildSExt(
            gen->builder, ck_nvptx_wrapped_index(gen, v_index, v_extent), gen->t_i64, "");
        LLVMSetOperand(v, 0, LLVMGetOperand(v_base, 0));
        LLVMSetOperand(v, 1, v_offset);
        LLVMGEPSetNoWrapFlags(v, 0);
        return;
    }
}

static void
visit(struct ck_gen *gen, LLVMValueRef v)
{
    if (LLVMIsAGetElementPtrInst(v))
        shorten_address(gen, v);
    else if (ck_ir_opcode(v) == LLVMAdd && LLVMTypeOf(v) == gen->t_i32)
        shorten_sum(gen, v);
}

void
ck_nvptx_shorten_wraps(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, visit);
}
