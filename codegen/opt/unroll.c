/* Sets the unroll counts of loops, for targets whose threads are scalar. LLVM's own threshold there
 * admits bodies of a few operations, nvcc's of about a hundred.
 *
 * A matched loop is innermost, has a constant step and no exit but its latch. Its trip count is
 * known when it begins. LLVM unrolls short bodies itself, unless computing the trip count is more
 * than a subtraction, or they have warp-level primitives, each of which LLVM takes for a call of a
 * function. unroll_runtime.c has the loops whose step is not a constant.
 *
 * LLVM forbids the assembler to unroll a loop that it has unrolled. nvcc does not, and its
 * assembler unrolls by four once more where that puts more loads in flight; so does this pass. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/affine.h"
#include "codegen/opt/passes.h"
#include "codegen/opt/value_range.h"

enum {
    NVCC_COUNT = 4,            /* nvcc's; the assembler unrolls its loops once more */
    MAX_TINY_SIZE = 8,         /* instructions of a loop that loads and sums */
    MAX_OPEN_LOADS = 16,       /* global ones of a body that the assembler may unroll once more */
    MAX_CONDITIONAL_LOADS = 8, /* the same, if there are branches in the body */
    MAX_REMAINDER = 64,        /* iterations of a remainder loop */
    MAX_TRIPS = 32,            /* of a loop of a constant trip count that is unrolled fully */
    MAX_FULL_SIZE = 512,       /* instructions of such a loop, unrolled */
    MAX_TILE_COUNT = 32,       /* of a loop over a tile in shared memory */
    MAX_TILE_SIZE = 1152       /* instructions of such a loop, unrolled */
};

/* Whether a loop of a constant trip count is unrolled fully. LLVM does if its body is shorter. */
static bool
is_fully_unrolled(const struct ck_counted_loop *counted)
{
    const long long trips = ck_loop_constant_trip_count(counted);
    return trips > 0 && trips <= MAX_TRIPS && trips * counted->loop.size <= MAX_FULL_SIZE;
}

/* Whether some address has a stride that is not a constant. */
static bool
walks_columns(const struct ck_counted_loop *counted)
{
    for (int i = 0; i < counted->loop.n_blocks; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(counted->loop.blocks[i]);
        for (; v; v = LLVMGetNextInstruction(v)) {
            if (ck_affine_has_stride(counted, v))
                return true;
        }
    }
    return false;
}

/* Whether the loop has warp-level primitives. While loops are unrolled they are calls of functions
 * without a body that are no intrinsics of LLVM's. */
static bool
has_primitives(const struct ck_inner_loop *loop)
{
    for (int i = 0; i < loop->n_blocks; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(loop->blocks[i]);
        for (; v; v = LLVMGetNextInstruction(v)) {
            LLVMValueRef v_callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
            if (v_callee && LLVMIsAFunction(v_callee) && LLVMIsDeclaration(v_callee) &&
                !LLVMGetIntrinsicID(v_callee))
                return true;
        }
    }
    return false;
}

/* The count of a short loop over all of a range. LLVM's own is 8 for the shortest. A row is often
 * shorter than that, in graphs and sparse matrices, and leaves its iterations to the remainder. A
 * column is not, but LLVM takes the trip count for too expensive if the range does not begin at 0.
 */
static uint32_t
range_count(const struct ck_counted_loop *counted)
{
    if (ck_loop_count_loads(&counted->loop) == 0)
        return ck_loop_has_loads(&counted->loop) ? NVCC_COUNT : 1;
    return walks_columns(counted) && counted->loop.size <= MAX_TINY_SIZE ? 2 * NVCC_COUNT
                                                                         : NVCC_COUNT;
}

static bool
writes(LLVMValueRef v)
{
    return LLVMIsAStoreInst(v) || LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v);
}

/* Whether the loop is one block, and writes nothing for which iterations would wait. */
static bool
may_overlap(const struct ck_inner_loop *loop)
{
    LLVMValueRef v = LLVMGetFirstInstruction(loop->b_latch);
    while (v && !writes(v))
        v = LLVMGetNextInstruction(v);
    return !v && loop->n_blocks == 1;
}

/* The count of a loop of a constant trip count that only loads, from shared memory, as one over a
 * tile of bodies: the greatest that leaves no remainder. The assembler overlaps the loads and
 * functions of several iterations if it finds them in a block of code: of 16 iterations two, of 32
 * three. 1: LLVM selects the count. */
static uint32_t
tile_count(const struct ck_counted_loop *counted)
{
    const long long trips = ck_loop_constant_trip_count(counted);
    uint32_t count = MAX_TILE_COUNT;
    if (ck_loop_count_loads(&counted->loop) > 0 || !ck_loop_has_loads(&counted->loop) ||
        !may_overlap(&counted->loop))
        return 1;
    while (count > 1 && (trips % count != 0 || count * counted->loop.size > MAX_TILE_SIZE))
        count /= 2;
    return count;
}

/* The unroll count; 1: LLVM selects it, or does not unroll. A short loop whose step is not 1
 * usually distributes work over a block or a tile. If blocks fill the GPU, unrolling by 4 as nvcc
 * does is enough, and is 1 % faster than by 8 on an H200. A cooperative launch has few blocks and
 * needs more loads in flight. Short loops with warp-level primitives take 0.96 to 1 of the time if
 * unrolled by 8 instead of 4. */
static uint32_t
unroll_count(const struct ck_counted_loop *counted, bool has_few_blocks)
{
    if (counted->loop.size >= CK_LOOP_MIN_MODERATE_SIZE)
        return 4 * counted->loop.size <= CK_LOOP_MAX_UNROLLED_SIZE ? NVCC_COUNT : 2;
    if (ck_loop_is_clamped(counted->v_first) || ck_loop_is_clamped(counted->v_bound))
        return NVCC_COUNT;
    if (counted->step != 1 && counted->step != -1)
        return has_few_blocks ? 8 : NVCC_COUNT;
    if (has_primitives(&counted->loop))
        return 2 * NVCC_COUNT;
    return has_few_blocks ? 1 : range_count(counted);
}

bool
ck_gen_has_few_blocks(struct ck_gen *gen, LLVMValueRef v_function)
{
    const struct ck_tfunc *tfunc = ck_gen_source_of(gen, v_function);
    return tfunc && ck_tfunc_has(tfunc, CK_EFFECT_GRID_BARRIER);
}

void
ck_gen_set_unroll_counts(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        const bool has_few_blocks = ck_gen_has_few_blocks(gen, v);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            struct ck_counted_loop counted;
            LLVMValueRef v_branch = ck_loop_match_counted(&counted, b);
            uint32_t count = 1;
            if (v_branch && is_fully_unrolled(&counted))
                ck_loop_mark(gen, v_branch, CK_LOOP_FULL, NULL);
            else if (v_branch && ck_loop_constant_trip_count(&counted) < 0)
                count = unroll_count(&counted, has_few_blocks);
            else if (v_branch)
                count = tile_count(&counted);
            if (count > 1)
                ck_loop_mark(gen, v_branch, CK_LOOP_COUNT, l_i32(gen, count));
        }
    }
}

/* A remainder loop runs while its counter is below a trip count modulo a power of two. */
static bool
is_remainder(LLVMValueRef v_branch)
{
    LLVMValueRef v_test = LLVMGetCondition(v_branch);
    for (unsigned i = 0; LLVMIsAICmpInst(v_test) && i < 2; i++) {
        LLVMValueRef v = LLVMGetOperand(v_test, i);
        if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMAnd)
            continue;
        LLVMValueRef v_mask = LLVMGetOperand(v, 1);
        if (LLVMIsAConstantInt(v_mask) && LLVMConstIntGetZExtValue(v_mask) < MAX_REMAINDER)
            return true;
    }
    return false;
}

/* Finds the innermost loop of a latch, whose header is either successor. */
static bool
find_loop(struct ck_inner_loop *loop, LLVMBasicBlockRef b_latch)
{
    LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(b_latch);
    for (unsigned i = 0; i < 2; i++) {
        *loop =
            (struct ck_inner_loop){.b_latch = b_latch, .b_header = LLVMGetSuccessor(v_branch, i)};
        if (ck_loop_find_blocks(loop))
            return true;
    }
    return false;
}

/* Whether the assembler may unroll the loop and then has more loads in flight. */
static bool
is_worth_opening(struct ck_gen *gen, LLVMBasicBlockRef b_latch)
{
    LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(b_latch);
    if (!LLVMIsABranchInst(v_branch) || !LLVMIsConditional(v_branch) ||
        ck_loop_is_marked(gen, v_branch, CK_LOOP_FINAL) || is_remainder(v_branch))
        return false;
    struct ck_inner_loop loop;
    if (!find_loop(&loop, b_latch))
        return false;
    return ck_loop_has_loads(&loop) &&
           ck_loop_count_loads(&loop) <=
               (loop.n_blocks > 1 ? MAX_CONDITIONAL_LOADS : MAX_OPEN_LOADS);
}

/* Whether a value is `n - (n & (step - 1))`, a multiple of the step, which is a power of two. */
static bool
is_multiple_of(LLVMValueRef v, long long step)
{
    if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMSub)
        return false;
    LLVMValueRef v_rest = LLVMGetOperand(v, 1);
    if (!LLVMIsAInstruction(v_rest) || LLVMGetInstructionOpcode(v_rest) != LLVMAnd ||
        LLVMGetOperand(v_rest, 0) != LLVMGetOperand(v, 0))
        return false;
    LLVMValueRef v_mask = LLVMGetOperand(v_rest, 1);
    return LLVMIsAConstantInt(v_mask) && LLVMConstIntGetSExtValue(v_mask) == step - 1;
}

/* The test of a loop that LLVM unrolled: it ends once its counter, which begins at 0, equals a
 * multiple of its step. NULL: it is another test. */
static LLVMValueRef
equality_of_multiples(struct ck_counted_loop *counted, LLVMValueRef v_branch)
{
    LLVMValueRef v_test = LLVMGetCondition(v_branch);
    if (!LLVMIsAICmpInst(v_test) ||
        (LLVMGetICmpPredicate(v_test) != LLVMIntEQ && LLVMGetICmpPredicate(v_test) != LLVMIntNE))
        return NULL;
    *counted = (struct ck_counted_loop){.loop.b_latch = LLVMGetInstructionParent(v_branch)};
    LLVMValueRef v_counted = LLVMGetOperand(v_test, 0), v_bound = LLVMGetOperand(v_test, 1);
    return ck_loop_counts(counted, v_branch, v_counted, v_bound) && !LLVMIsAPHINode(v_counted) &&
                   LLVMIsNull(counted->v_first) && counted->step > 0 &&
                   is_multiple_of(v_bound, counted->step)
               ? v_test
               : NULL;
}

/* Makes LLVM's test of an unrolled loop one of a counter that the body uses. Otherwise LLVM's code
 * generator tests a value that it computes from that counter, and the assembler, which finds no
 * counter in the test, does not unroll. LLVM would undo that for a test of equality. */
static bool
test_used_counter(struct ck_gen *gen, LLVMValueRef v_branch)
{
    struct ck_counted_loop counted;
    LLVMValueRef v_test = equality_of_multiples(&counted, v_branch);
    LLVMValueRef v_used = v_test ? ck_loop_other_counter(&counted) : NULL;
    if (!v_used)
        return false;
    LLVMBasicBlockRef b_latch = counted.loop.b_latch;
    LLVMValueRef v_bound = ck_loop_exit_value(gen, v_used, b_latch, counted.v_bound);
    const bool is_signed =
        ck_value_range_sum_fits(gen, ck_loop_first(v_used, b_latch), counted.v_bound);
    ck_loop_replace_test(gen, v_test, is_signed ? LLVMIntSLT : LLVMIntULT,
                         is_signed ? LLVMIntSGE : LLVMIntUGE, ck_ir_incoming(v_used, b_latch),
                         v_bound);
    return true;
}

/* Makes a test whether a counter equals its bound one of order. The counter does not overflow, so
 * that it is below the bound until it equals it. LLVM's code generator would count down to zero by
 * a counter of its own. */
static void
test_order(struct ck_gen *gen, LLVMValueRef v_branch)
{
    LLVMValueRef v_test = LLVMGetCondition(v_branch);
    if (!LLVMIsAICmpInst(v_test) ||
        (LLVMGetICmpPredicate(v_test) != LLVMIntEQ && LLVMGetICmpPredicate(v_test) != LLVMIntNE))
        return;
    struct ck_counted_loop counted = {.loop.b_latch = LLVMGetInstructionParent(v_branch)};
    LLVMValueRef v_counted = LLVMGetOperand(v_test, 0), v_bound = LLVMGetOperand(v_test, 1);
    if (ck_loop_counts(&counted, v_branch, v_counted, v_bound) && !LLVMIsAPHINode(v_counted) &&
        !LLVMIsAConstant(v_bound) && counted.step > 0 && LLVMGetNSW(v_counted))
        ck_loop_replace_test(gen, v_test, LLVMIntSLT, LLVMIntSGE, v_counted, v_bound);
}

void
ck_gen_permit_unrolling(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            if (!is_worth_opening(gen, b))
                continue;
            LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(b);
            if (ck_loop_is_marked(gen, v_branch, CK_LOOP_DISABLED))
                ck_loop_unmark(gen, v_branch, CK_LOOP_DISABLED);
            if (!test_used_counter(gen, v_branch))
                test_order(gen, v_branch);
        }
    }
}
