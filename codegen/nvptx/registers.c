/* How many registers the assembler may give a thread: docs/adr/034.
 *
 * ptxas keeps a kernel without launch bounds to 32 registers if it can, so that an SM is full of
 * threads, and loads less at a time for it. A loop that one thread runs through alone, over a row
 * or a column, waits for its own loads: there more registers are worth more than more threads. Such
 * kernels get the bounds that every block keeps, of 1024 threads and one block per SM, which give a
 * thread up to 64 registers. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"
#include "codegen/opt/counted_loop.h"

enum { MAX_DEPTH = 8 }; /* of operations from a load to a condition */

static bool
is_loaded(LLVMValueRef v)
{
    while (LLVMIsACastInst(v))
        v = LLVMGetOperand(v, 0);
    return LLVMIsALoadInst(v);
}

/* Whether a value is computed from one that the loop loads. */
static bool
is_from_load(const struct ck_inner_loop *loop, LLVMValueRef v, int depth)
{
    if (!LLVMIsAInstruction(v) || !ck_loop_has(loop, v) || depth == 0)
        return false;
    if (LLVMIsALoadInst(v) || LLVMIsAPHINode(v))
        return LLVMIsALoadInst(v);
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        if (is_from_load(loop, LLVMGetOperand(v, (unsigned)i), depth - 1))
            return true;
    }
    return false;
}

/* Whether a branch within an iteration depends on what it loads: the loads behind it wait for that
 * one, with however many registers. */
static bool
waits_within_iteration(const struct ck_inner_loop *loop)
{
    for (int i = 0; i < loop->n_blocks; i++) {
        LLVMValueRef v_end = LLVMGetBasicBlockTerminator(loop->blocks[i]);
        if (loop->blocks[i] != loop->b_latch && LLVMIsABranchInst(v_end) &&
            LLVMIsConditional(v_end) && is_from_load(loop, LLVMGetCondition(v_end), MAX_DEPTH))
            return true;
    }
    return false;
}

/* Whether the latch is that of a loop over all of a range whose length is not known, which loads
 * from global memory. A range whose first value is loaded is a row of a sparse matrix or of a
 * graph, and short: there more threads are worth more. */
static bool
is_long_loop(LLVMBasicBlockRef b_latch)
{
    struct ck_counted_loop counted;
    return ck_loop_match_counted(&counted, b_latch) && (counted.step == 1 || counted.step == -1) &&
           ck_loop_constant_trip_count(&counted) < 0 && ck_loop_count_loads(&counted.loop) > 0 &&
           !waits_within_iteration(&counted.loop) && !ck_loop_is_window(&counted) &&
           !is_loaded(counted.v_first);
}

static bool
has_long_loop(LLVMValueRef v_kernel)
{
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_kernel);
    while (b && !is_long_loop(b))
        b = LLVMGetNextBasicBlock(b);
    return b;
}

/* A grid barrier limits the grid by the blocks that fit. */
static bool
is_unbounded(const struct ck_tfunc *tfunc)
{
    return tfunc && tfunc->is_kernel && !ck_tfunc_has(tfunc, CK_EFFECT_GRID_BARRIER) &&
           !tfunc->bounds.min_blocks && !tfunc->bounds.max_registers;
}

void
ck_nvptx_permit_registers(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        const struct ck_tfunc *tfunc = ck_gen_source_of(gen, v);
        if (!is_unbounded(tfunc) || !has_long_loop(v))
            continue;
        l_attribute_text(gen, v, "nvvm.minctasm", "1");
        if (!tfunc->bounds.max_threads)
            l_attribute_text(gen, v, "nvvm.maxntid", "1024");
    }
}
