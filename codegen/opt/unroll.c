/* How often counted loops of moderate size are unrolled for targets whose threads are scalar:
 * LLVM's own measure there stops at bodies of a few operations, nvcc's goes to about a hundred.
 *
 * What is matched is an innermost loop counted by a constant, left only at its end, whose turns are
 * known when it begins, but not when it is compiled. Short bodies LLVM unrolls itself, unless the
 * loop is counted by more than 1: to compute its turns seems too expensive to it. Loops counted by
 * what is no constant are in stride.c. */
#include "codegen/opt/inner_loop.h"
#include "codegen/opt/passes.h"

struct counted {
    struct ck_inner_loop loop;
    long long step; /* what is added in a turn */
};

/* The phi that `v_value` is, or is a constant more than, the step; NULL: neither. */
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

/* The header, if the branch compares what is counted with `v_bound`. */
static bool
is_counted(struct counted *counted, LLVMValueRef v_branch, LLVMValueRef v_counted,
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
match_latch(struct counted *counted)
{
    LLVMValueRef v_branch = ck_loop_branch(&counted->loop);
    if (!v_branch)
        return false;
    LLVMValueRef v_test = LLVMGetCondition(v_branch);
    LLVMValueRef v_left = LLVMGetOperand(v_test, 0), v_right = LLVMGetOperand(v_test, 1);
    return is_counted(counted, v_branch, v_left, v_right) ||
           is_counted(counted, v_branch, v_right, v_left);
}

/* The bound does not change. */
static bool
is_known_before(const struct ck_inner_loop *loop)
{
    LLVMValueRef v_test = LLVMGetCondition(LLVMGetBasicBlockTerminator(loop->b_latch));
    return !ck_loop_has(loop, LLVMGetOperand(v_test, 0)) ||
           !ck_loop_has(loop, LLVMGetOperand(v_test, 1));
}

/* 1: LLVM decides. Short ones counted by more than 1 are a block's or a tile's share of something:
 * the four loads of nvcc are enough where blocks fill the GPU, and on an H200 a percent faster
 * than eight; few blocks, as those that wait for each other are, want more. */
static uint32_t
turns_at_once(const struct counted *counted, bool has_few_blocks)
{
    if (counted->loop.size < CK_LOOP_LEAST_MODERATE)
        return counted->step == 1 || counted->step == -1 ? 1 : has_few_blocks ? 8 : 4;
    return 4 * counted->loop.size <= CK_LOOP_MOST_UNROLLED ? 4 : 2;
}

void
ck_gen_unroll_loops(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        const struct ck_tfunc *tfunc = ck_gen_source_of(gen, v);
        const bool has_few_blocks = tfunc && ck_tfunc_has(tfunc, CK_EFFECT_GRID_BARRIER);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            struct counted counted = {.loop.b_latch = b};
            if (!match_latch(&counted) || !ck_loop_find_blocks(&counted.loop))
                continue;
            uint32_t turns = turns_at_once(&counted, has_few_blocks);
            if (turns > 1 && is_known_before(&counted.loop))
                ck_loop_mark(gen, LLVMGetBasicBlockTerminator(b), "llvm.loop.unroll.count",
                             l_i32(gen, turns));
        }
    }
}
