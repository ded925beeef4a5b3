/* Minimum and maximum reductions of vectors of floats that order -0.0 below 0.0.
 *
 * LLVM vectorises loops over llvm.minimumnum, which orders zeros, but reduces the resulting vector
 * by llvm.vector.reduce.fmin, for which either zero may be the result. After all passes, this pass
 * replaces that reduction by llvm.minimumnum of the elements, and likewise the maximum. */
#include <string.h>

#include "codegen/core/ir_util.h"
#include "codegen/core/target.h"
#include "codegen/host/host.h"

static bool
calls(LLVMValueRef v, const char *intrinsic)
{
    return LLVMIsACallInst(v) && LLVMIsAFunction(LLVMGetCalledValue(v)) &&
           LLVMGetIntrinsicID(LLVMGetCalledValue(v)) ==
               LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic));
}

/* `n` elements of a vector from element `first` on; beyond the end, the last one again. */
static LLVMValueRef
elements(struct ck_gen *gen, LLVMValueRef v_vector, unsigned first, unsigned n)
{
    unsigned last = LLVMGetVectorSize(LLVMTypeOf(v_vector)) - 1;
    LLVMValueRef *v_indices = CK_NEW_ARRAY(&gen->arena, LLVMValueRef, n);
    for (unsigned i = 0; i < n; i++)
        v_indices[i] = LLVMConstInt(gen->t_i32, first + i < last ? first + i : last, false);
    return LLVMBuildShuffleVector(gen->builder, v_vector, LLVMGetPoison(LLVMTypeOf(v_vector)),
                                  LLVMConstVector(v_indices, n), "");
}

/* Reduces a vector in a tree: combines its lower and its upper half until one element is left. In
 * an odd number of elements, the last one is combined with itself. */
static LLVMValueRef
combine(struct ck_gen *gen, LLVMValueRef v_vector, const char *intrinsic)
{
    for (unsigned n = LLVMGetVectorSize(LLVMTypeOf(v_vector)); n > 1;) {
        unsigned half = (n + 1) / 2;
        LLVMValueRef v_half[] = {elements(gen, v_vector, 0, half),
                                 elements(gen, v_vector, half, half)};
        v_vector = l_intrinsic(gen, intrinsic, LLVMTypeOf(v_half[0]), v_half, 2);
        n = half;
    }
    return LLVMBuildExtractElement(gen->builder, v_vector, LLVMConstInt(gen->t_i32, 0, false), "");
}

static void
order_reduction(struct ck_gen *gen, LLVMValueRef v)
{
    bool is_min = calls(v, "llvm.vector.reduce.fmin");
    if (!is_min && !calls(v, "llvm.vector.reduce.fmax"))
        return;
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMReplaceAllUsesWith(
        v, combine(gen, LLVMGetOperand(v, 0),
                   is_min ? gen->target->math->float_min : gen->target->math->float_max));
    LLVMInstructionEraseFromParent(v);
}

void
ck_host_order_zeros(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, order_reduction);
}
