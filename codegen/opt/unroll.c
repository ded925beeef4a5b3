/* Sets the unroll counts of loops of moderate size, for targets whose threads are scalar. LLVM's
 * own threshold there admits bodies of a few operations, nvcc's of about a hundred.
 *
 * A matched loop is innermost, has a constant step and no exit but its latch. Its trip count is
 * known when it begins, but is not a constant. LLVM unrolls short bodies itself, unless the step is
 * not 1, where it takes computing the trip count for too expensive. unroll_runtime.c has the loops
 * whose step is not a constant. */
#include "codegen/opt/inner_loop.h"
#include "codegen/opt/passes.h"

struct counted_loop {
    struct ck_inner_loop loop;
    long long step; /* added to the counter in each iteration */
};

/* The phi that `v_value` is, or to which it adds a constant, the step; NULL: neither. */
static LLVMValueRef
counter_of(LLVMValueRef v_value, long long *step)
{
    if (LLVMIsAInstruction(v_value) && LLVMGetInstructionOpcode(v_value) == LLVMAdd) {
        LLVMValueRef v_step = LLVMGetOperand(v_value, 1);
        if (!LLVMIsAConstantInt(v_step))
            return NULL;
        *step = LLVMConstIntGetSExtValue(v_step);
        v_value = LLVMGetOperand(v_value, 0);
    }
    return LLVMIsAPHINode(v_value) && LLVMCountIncoming(v_value) == 2 ? v_value : NULL;
}

/* Whether the branch compares the loop's counter, `v_counted`, with `v_bound`. Sets the header. */
static bool
is_counted(struct counted_loop *counted, LLVMValueRef v_branch, LLVMValueRef v_counted,
           LLVMValueRef v_bound)
{
    struct ck_inner_loop *loop = &counted->loop;
    LLVMValueRef v_phi = counter_of(v_counted, &counted->step);
    if (!v_phi)
        return false;
    loop->b_header = LLVMGetInstructionParent(v_phi);
    unsigned from_latch = LLVMGetIncomingBlock(v_phi, 0) == loop->b_latch ? 0 : 1;
    LLVMValueRef v_first = LLVMGetIncomingValue(v_phi, 1 - from_latch);
    return LLVMGetIncomingBlock(v_phi, from_latch) == loop->b_latch &&
           counter_of(LLVMGetIncomingValue(v_phi, from_latch), &counted->step) == v_phi &&
           (LLVMGetSuccessor(v_branch, 0) == loop->b_header ||
            LLVMGetSuccessor(v_branch, 1) == loop->b_header) &&
           !(LLVMIsAConstant(v_first) && LLVMIsAConstant(v_bound));
}

static bool
match_latch(struct counted_loop *counted)
{
    LLVMValueRef v_branch = ck_loop_branch(&counted->loop);
    if (!v_branch)
        return false;
    LLVMValueRef v_test = LLVMGetCondition(v_branch);
    LLVMValueRef v_left = LLVMGetOperand(v_test, 0), v_right = LLVMGetOperand(v_test, 1);
    return is_counted(counted, v_branch, v_left, v_right) ||
           is_counted(counted, v_branch, v_right, v_left);
}

static bool
has_invariant_bound(const struct ck_inner_loop *loop)
{
    LLVMValueRef v_test = LLVMGetCondition(LLVMGetBasicBlockTerminator(loop->b_latch));
    return !ck_loop_has(loop, LLVMGetOperand(v_test, 0)) ||
           !ck_loop_has(loop, LLVMGetOperand(v_test, 1));
}

/* The unroll count; 1: LLVM selects it. A short loop whose step is not 1 usually distributes work
 * over a block or a tile. If blocks fill the GPU, unrolling by 4 as nvcc does is enough, and is 1 %
 * faster than by 8 on an H200. A cooperative launch has few blocks and needs more loads in
 * flight. */
static uint32_t
unroll_count(const struct counted_loop *counted, bool has_few_blocks)
{
    if (counted->loop.size < CK_LOOP_MIN_MODERATE_SIZE)
        return counted->step == 1 || counted->step == -1 ? 1 : has_few_blocks ? 8 : 4;
    return 4 * counted->loop.size <= CK_LOOP_MAX_UNROLLED_SIZE ? 4 : 2;
}

void
ck_gen_set_unroll_counts(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        const struct ck_tfunc *tfunc = ck_gen_source_of(gen, v);
        const bool has_few_blocks = tfunc && ck_tfunc_has(tfunc, CK_EFFECT_GRID_BARRIER);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            struct counted_loop counted = {.loop.b_latch = b};
            if (!match_latch(&counted) || !ck_loop_find_blocks(&counted.loop))
                continue;
            uint32_t count = unroll_count(&counted, has_few_blocks);
            if (count > 1 && has_invariant_bound(&counted.loop))
                ck_loop_mark(gen, LLVMGetBasicBlockTerminator(b), "llvm.loop.unroll.count",
                             l_i32(gen, count));
        }
    }
}
