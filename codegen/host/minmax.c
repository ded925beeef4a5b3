/* The least and the greatest of a vector of floats, with zeros in order.
 *
 * LLVM vectorises loops over llvm.minimumnum, for which -0.0 is less than 0.0, and combines the
 * elements of the vector that is left by llvm.vector.reduce.fmin, for which either zero may be the
 * result. Here the elements are combined by llvm.minimumnum too, after all passes; likewise the
 * greatest. */
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

/* `n` elements of a vector from element `first` on; the last one again for those beyond it. */
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

/* By halves: where their lengths differ, an element is combined with itself. */
static LLVMValueRef
combine(struct ck_gen *gen, LLVMValueRef v_vector, const char *intrinsic)
{
    for (unsigned n = LLVMGetVectorSize(LLVMTypeOf(v_vector)); n > 1;) {
        unsigned half = (n + 1) / 2;
        LLVMValueRef v_halves[] = {elements(gen, v_vector, 0, half),
                                   elements(gen, v_vector, half, half)};
        v_vector = l_intrinsic(gen, intrinsic, LLVMTypeOf(v_halves[0]), v_halves, 2);
        n = half;
    }
    return LLVMBuildExtractElement(gen->builder, v_vector, LLVMConstInt(gen->t_i32, 0, false), "");
}

static void
order(struct ck_gen *gen, LLVMValueRef v)
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
    ck_ir_visit_instructions(gen, order);
}
