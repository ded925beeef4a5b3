/* Workarounds for two defects of LLVM 22 in minima and maxima of floats. Both run after all other
 * passes.
 *
 * order-zeros: LLVM vectorises loops over llvm.minimumnum, which orders -0.0 below 0.0, but reduces
 * the resulting vector by llvm.vector.reduce.fmin, for which either zero may be the result. The
 * pass replaces that reduction by llvm.minimumnum of the elements, and likewise the maximum.
 *
 * replace-nans: for x86 with AVX-512DQ, LLVM selects wrong instructions for a scalar
 * llvm.minimumnum(a, b) if it knows that one operand is not a NaN: the result is a NaN if the other
 * operand is one. The pass replaces a NaN by the other operand first, and then uses llvm.minimum,
 * which is a NaN only if both are; likewise the maximum. */
#include "codegen/core/ir_util.h"
#include "codegen/core/target.h"
#include "codegen/host/host.h"

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
    bool is_min = ck_ir_calls_intrinsic(v, "llvm.vector.reduce.fmin");
    if (!is_min && !ck_ir_calls_intrinsic(v, "llvm.vector.reduce.fmax"))
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

/* LLVM's instruction selection never knows that a value from memory or from another basic block is
 * not a NaN, and it is right for constants. */
static bool
may_be_known_not_nan(LLVMValueRef v)
{
    return LLVMIsAInstruction(v) && !LLVMIsALoadInst(v) && !LLVMIsAPHINode(v);
}

static LLVMValueRef
unless_nan(struct ck_gen *gen, LLVMValueRef v, LLVMValueRef v_other)
{
    return LLVMBuildSelect(gen->builder, LLVMBuildFCmp(gen->builder, LLVMRealUNO, v, v, ""),
                           v_other, v, "");
}

static void
replace_nans(struct ck_gen *gen, LLVMValueRef v)
{
    bool is_min = ck_ir_calls_intrinsic(v, "llvm.minimumnum");
    if ((!is_min && !ck_ir_calls_intrinsic(v, "llvm.maximumnum")) ||
        LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind)
        return;
    LLVMValueRef v_a = LLVMGetOperand(v, 0), v_b = LLVMGetOperand(v, 1);
    if (!may_be_known_not_nan(v_a) && !may_be_known_not_nan(v_b))
        return;
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_operands[] = {unless_nan(gen, v_a, v_b), unless_nan(gen, v_b, v_a)};
    LLVMReplaceAllUsesWith(v, l_intrinsic(gen, is_min ? "llvm.minimum" : "llvm.maximum",
                                          LLVMTypeOf(v), v_operands, 2));
    LLVMInstructionEraseFromParent(v);
}

void
ck_host_replace_nans(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, replace_nans);
}
