/* Versions of loops by the sign of their counter, for targets whose threads are scalar:
 * docs/adr/027. An index below zero counts from the end, so that an access tests the sign of its
 * index wherever the compiler does not know it. In `for k in range(starts[i], starts[i + 1])` it
 * does not: the first value is loaded. But the counter only grows. If its first value is not
 * negative, no iteration has a negative one:
 *
 *     while k < n: x[k if k >= 0           if k >= 0: while k < n: x[k]; k += 1
 *                    else k + m]; k += 1   else: the loop as it was
 *
 * The version without tests has fewer instructions, and its addresses are sums of the counter, so
 * that LLVM unrolls it with several loads in flight. The other one is not unrolled.
 *
 * Loops must be in LCSSA form, with preheaders: LLVM's loop-simplify and lcssa. */
#include "codegen/opt/inner_loop.h"
#include "codegen/opt/loop_copy.h"
#include "codegen/opt/passes.h"

enum { MAX_TESTS = 32 };

struct signed_loop {
    struct ck_inner_loop loop;
    LLVMBasicBlockRef b_preheader, b_exit;
    LLVMValueRef v_branch;  /* the latch's */
    LLVMValueRef v_counter; /* the header's phi */
    int n_tests;
    LLVMValueRef v_tests[MAX_TESTS]; /* comparisons whose result a counter of at least 0 implies */
    struct ck_loop_copy copy;
};

/* --- Matching ----------------------------------------------------------------------------------
 */

/* Whether a comparison of the counter is the same for all values from 0 on: below a constant of at
 * most 0, or above a negative one. */
static bool
is_decided(LLVMValueRef v_test)
{
    LLVMValueRef v_constant = LLVMGetOperand(v_test, 1);
    if (!LLVMIsAConstantInt(v_constant))
        return false;
    const long long value = LLVMConstIntGetSExtValue(v_constant);
    const LLVMIntPredicate predicate = LLVMGetICmpPredicate(v_test);
    return (predicate == LLVMIntSLT && value <= 0) || (predicate == LLVMIntSGT && value < 0);
}

/* Adds the loop's decided tests of the counter, or of its sign extension. False: there are none. */
static bool
find_tests(struct signed_loop *sl, LLVMValueRef v_counter)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v_counter); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v = LLVMGetUser(use);
        if (LLVMIsASExtInst(v) && ck_loop_has(&sl->loop, v))
            find_tests(sl, v);
        else if (LLVMIsAICmpInst(v) && LLVMGetOperand(v, 0) == v_counter && is_decided(v) &&
                 ck_loop_has(&sl->loop, v) && sl->n_tests < MAX_TESTS)
            sl->v_tests[sl->n_tests++] = v;
    }
    return sl->n_tests > 0;
}

/* Whether the phi grows by a constant in each iteration, without overflow. */
static bool
only_grows(const struct signed_loop *sl, LLVMValueRef v_phi)
{
    if (LLVMCountIncoming(v_phi) != 2 || LLVMGetTypeKind(LLVMTypeOf(v_phi)) != LLVMIntegerTypeKind)
        return false;
    LLVMValueRef v_next = ck_loop_incoming(v_phi, sl->loop.b_latch);
    if (!LLVMIsAInstruction(v_next) || LLVMGetInstructionOpcode(v_next) != LLVMAdd ||
        !LLVMGetNSW(v_next) || LLVMGetOperand(v_next, 0) != v_phi)
        return false;
    LLVMValueRef v_step = LLVMGetOperand(v_next, 1);
    return LLVMIsAConstantInt(v_step) && LLVMConstIntGetSExtValue(v_step) > 0;
}

static bool
find_counter(struct signed_loop *sl)
{
    LLVMValueRef v = LLVMGetFirstInstruction(sl->loop.b_header);
    while (LLVMIsAPHINode(v) && !(only_grows(sl, v) && find_tests(sl, v)))
        v = LLVMGetNextInstruction(v);
    sl->v_counter = v;
    return LLVMIsAPHINode(v);
}

/* Whether the copy has room for the preheader, the blocks and the instructions. */
static bool
may_be_copied(const struct ck_inner_loop *loop)
{
    int n = 1 + loop->n_blocks;
    for (int i = 0; i < loop->n_blocks; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(loop->blocks[i]);
        for (; v; v = LLVMGetNextInstruction(v))
            n++;
    }
    return n <= CK_LOOP_MAX_VALUES && !ck_loop_has_alias_scopes(loop);
}

static bool
find_preheader(struct signed_loop *sl)
{
    LLVMValueRef v_phi = LLVMGetFirstInstruction(sl->loop.b_header);
    if (!LLVMIsAPHINode(v_phi) || LLVMCountIncoming(v_phi) != 2)
        return false;
    const unsigned outside = LLVMGetIncomingBlock(v_phi, 0) == sl->loop.b_latch;
    sl->b_preheader = LLVMGetIncomingBlock(v_phi, outside);
    LLVMValueRef v_enter = LLVMGetBasicBlockTerminator(sl->b_preheader);
    return LLVMIsABranchInst(v_enter) && !LLVMIsConditional(v_enter);
}

static bool
match(struct signed_loop *sl, LLVMBasicBlockRef b_latch)
{
    sl->loop.b_latch = b_latch;
    sl->v_branch = ck_loop_branch(&sl->loop);
    for (unsigned i = 0; sl->v_branch && i < 2; i++) {
        sl->loop = (struct ck_inner_loop){.b_latch = b_latch,
                                          .b_header = LLVMGetSuccessor(sl->v_branch, i)};
        sl->b_exit = LLVMGetSuccessor(sl->v_branch, 1 - i);
        if (sl->b_exit != sl->loop.b_header && find_preheader(sl) &&
            ck_loop_find_blocks(&sl->loop) && may_be_copied(&sl->loop) && find_counter(sl))
            return true;
    }
    return false;
}

/* --- The version without tests -----------------------------------------------------------------
 */

static void
begin_copy(struct ck_gen *gen, struct signed_loop *sl)
{
    LLVMBasicBlockRef b_enter =
        LLVMInsertBasicBlockInContext(gen->llvm, sl->loop.b_header, "positive.enter");
    ck_loop_put(&sl->copy, LLVMBasicBlockAsValue(sl->b_preheader), LLVMBasicBlockAsValue(b_enter));
    for (int i = 0; i < sl->loop.n_blocks; i++) {
        LLVMBasicBlockRef b_new =
            LLVMInsertBasicBlockInContext(gen->llvm, sl->loop.b_header, "positive");
        ck_loop_put(&sl->copy, LLVMBasicBlockAsValue(sl->loop.blocks[i]),
                    LLVMBasicBlockAsValue(b_new));
    }
    l_at(gen, b_enter);
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    l_branch(gen, ck_loop_copied_block(&sl->copy, sl->loop.b_header));
}

static void
copy_block(struct ck_gen *gen, struct signed_loop *sl, LLVMBasicBlockRef b_old)
{
    l_at(gen, ck_loop_copied_block(&sl->copy, b_old));
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    for (LLVMValueRef v = LLVMGetFirstInstruction(b_old); v; v = LLVMGetNextInstruction(v)) {
        LLVMValueRef v_new;
        if (LLVMIsAPHINode(v))
            v_new = LLVMBuildPhi(gen->builder, LLVMTypeOf(v), "");
        else
            LLVMInsertIntoBuilder(gen->builder, v_new = LLVMInstructionClone(v));
        ck_loop_put(&sl->copy, v, v_new);
    }
}

/* In the copy the counter is not negative. */
static void
decide_tests(struct ck_gen *gen, struct signed_loop *sl)
{
    for (int i = 0; i < sl->n_tests; i++) {
        LLVMValueRef v_copy = ck_loop_copied(&sl->copy, sl->v_tests[i]);
        const bool is_true = LLVMGetICmpPredicate(v_copy) == LLVMIntSGT;
        LLVMReplaceAllUsesWith(v_copy, LLVMConstInt(gen->t_i1, is_true, false));
        LLVMInstructionEraseFromParent(v_copy);
    }
}

/* Adds the copy's values to the phis of the exit, which are all uses of the loop's values. */
static void
join_exit(struct signed_loop *sl)
{
    LLVMBasicBlockRef b_latch = ck_loop_copied_block(&sl->copy, sl->loop.b_latch);
    LLVMValueRef v = LLVMGetFirstInstruction(sl->b_exit);
    for (; LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        LLVMValueRef v_value = ck_loop_copied(&sl->copy, ck_loop_incoming(v, sl->loop.b_latch));
        LLVMAddIncoming(v, &v_value, &b_latch, 1);
    }
}

/* Enters the copy if the counter's first value is not negative. */
static void
choose_version(struct ck_gen *gen, struct signed_loop *sl)
{
    LLVMValueRef v_enter = LLVMGetBasicBlockTerminator(sl->b_preheader);
    LLVMPositionBuilderBefore(gen->builder, v_enter);
    LLVMValueRef v_first = ck_loop_incoming(sl->v_counter, sl->b_preheader);
    LLVMValueRef v_positive =
        l_compare(gen, LLVMIntSGT, v_first, LLVMConstAllOnes(LLVMTypeOf(v_first)));
    LLVMBuildCondBr(gen->builder, v_positive, ck_loop_copied_block(&sl->copy, sl->b_preheader),
                    sl->loop.b_header);
    LLVMInstructionEraseFromParent(v_enter);
}

static void
make_version(struct ck_gen *gen, struct signed_loop *sl)
{
    begin_copy(gen, sl);
    const int first = sl->copy.n;
    for (int i = 0; i < sl->loop.n_blocks; i++)
        copy_block(gen, sl, sl->loop.blocks[i]);
    ck_loop_fill_copy(&sl->copy, first);
    decide_tests(gen, sl);
    join_exit(sl);
    choose_version(gen, sl);
    ck_loop_mark(gen, sl->v_branch, CK_LOOP_DISABLED, NULL);
    ck_loop_mark(gen, sl->v_branch, CK_LOOP_FINAL, NULL);
}

/* A loop whose counter is compared with zero, before any change of form. */
bool
ck_gen_has_signed_loops(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef v_end = LLVMGetBasicBlockTerminator(b);
            for (unsigned i = 0; i < LLVMGetNumSuccessors(v_end); i++) {
                struct signed_loop sl = {
                    .loop = {.b_latch = b, .b_header = LLVMGetSuccessor(v_end, i)}};
                if (ck_loop_branch(&sl.loop) && ck_loop_find_blocks(&sl.loop) && find_counter(&sl))
                    return true;
            }
        }
    }
    return false;
}

void
ck_gen_version_signs(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            struct signed_loop sl = {0};
            if (match(&sl, b))
                make_version(gen, &sl);
        }
    }
}
