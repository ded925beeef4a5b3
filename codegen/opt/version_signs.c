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
 * that LLVM unrolls it with several loads in flight. The other one is not unrolled. Where loops
 * around it have the same first value in all iterations, they are copied with it, and the value is
 * tested once.
 *
 * Loops must be in LCSSA form, with preheaders: LLVM's loop-simplify and lcssa. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/loop_version.h"
#include "codegen/opt/passes.h"

enum { MAX_TESTS = 32 };

struct signed_loop {
    struct ck_loop_version version;
    LLVMValueRef v_counter; /* the header's phi */
    int n_tests;
    LLVMValueRef v_tests[MAX_TESTS]; /* comparisons whose result a counter of at least 0 implies */
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
        if (LLVMIsASExtInst(v) && ck_loop_has(&sl->version.loop, v))
            find_tests(sl, v);
        else if (LLVMIsAICmpInst(v) && LLVMGetOperand(v, 0) == v_counter && is_decided(v) &&
                 ck_loop_has(&sl->version.loop, v) && sl->n_tests < MAX_TESTS)
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
    LLVMValueRef v_next = ck_ir_incoming(v_phi, sl->version.loop.b_latch);
    if (!LLVMIsAInstruction(v_next) || LLVMGetInstructionOpcode(v_next) != LLVMAdd ||
        !LLVMGetNSW(v_next) || LLVMGetOperand(v_next, 0) != v_phi)
        return false;
    LLVMValueRef v_step = LLVMGetOperand(v_next, 1);
    return LLVMIsAConstantInt(v_step) && LLVMConstIntGetSExtValue(v_step) > 0;
}

static bool
find_counter(struct signed_loop *sl)
{
    LLVMValueRef v = LLVMGetFirstInstruction(sl->version.loop.b_header);
    while (LLVMIsAPHINode(v) && !(only_grows(sl, v) && find_tests(sl, v)))
        v = LLVMGetNextInstruction(v);
    sl->v_counter = v;
    return LLVMIsAPHINode(v);
}

static bool
match(struct signed_loop *sl, LLVMBasicBlockRef b_latch)
{
    return ck_loop_find_version(&sl->version, b_latch) && find_counter(sl);
}

/* --- The version without tests -----------------------------------------------------------------
 */

/* In the copy the counter is not negative. */
static void
decide_tests(struct ck_gen *gen, struct signed_loop *sl)
{
    for (int i = 0; i < sl->n_tests; i++) {
        LLVMValueRef v_copy = ck_loop_copied(&sl->version.copy, sl->v_tests[i]);
        const bool is_true = LLVMGetICmpPredicate(v_copy) == LLVMIntSGT;
        LLVMReplaceAllUsesWith(v_copy, LLVMConstInt(gen->t_i1, is_true, false));
        LLVMInstructionEraseFromParent(v_copy);
    }
}

static void
enter_if_natural(struct ck_gen *gen, struct ck_loop_version *version, LLVMValueRef v_first)
{
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(version->b_preheader));
    LLVMValueRef v_natural =
        l_compare(gen, LLVMIntSGT, v_first, LLVMConstAllOnes(LLVMTypeOf(v_first)));
    ck_loop_enter_version(gen, version, v_natural);
    ck_loop_mark_final(gen, version->v_branch);
}

/* --- Loops around ------------------------------------------------------------------------------
 */

/* Finds the outermost loop around a block before which a value is computed. */
static bool
find_invariant_nest(struct ck_loop_version *nest, LLVMBasicBlockRef block, LLVMValueRef v_value)
{
    bool is_found = false;
    LLVMBasicBlockRef b = block;
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        struct ck_loop_version candidate = {0};
        if (!ck_loop_find_nest_version(&candidate, b) ||
            ck_loop_index(&candidate.loop, block) < 0 || ck_loop_has(&candidate.loop, v_value) ||
            (is_found && candidate.loop.n_blocks < nest->loop.n_blocks))
            continue;
        *nest = candidate;
        is_found = true;
    }
    return is_found;
}

/* Marks the loops in a nest as final: they run for negative first values only. */
static void
mark_final(struct ck_gen *gen, const struct ck_inner_loop *nest)
{
    for (int i = 1; i < nest->n_blocks; i++) {
        struct ck_loop_version inner = {0};
        if (ck_loop_find_nest_version(&inner, nest->blocks[i]))
            ck_loop_mark_final(gen, inner.v_branch);
    }
}

/* Copies the loops around a versioned one in which its first value is the same: which version runs
 * is decided once, before them. */
static bool
version_nest(struct ck_gen *gen, LLVMBasicBlockRef b_preheader, LLVMValueRef v_first)
{
    struct ck_loop_version nest;
    if (!find_invariant_nest(&nest, b_preheader, v_first))
        return false;
    ck_loop_make_version(gen, &nest);
    mark_final(gen, &nest.loop);
    LLVMBasicBlockRef b_copy = ck_loop_copied_block(&nest.copy, b_preheader);
    LLVMSetCondition(LLVMGetBasicBlockTerminator(b_preheader), LLVMConstInt(gen->t_i1, 0, false));
    LLVMSetCondition(LLVMGetBasicBlockTerminator(b_copy), LLVMConstInt(gen->t_i1, 1, false));
    enter_if_natural(gen, &nest, v_first);
    return true;
}

/* Versions a loop. True: and loops around it. */
static bool
make_version(struct ck_gen *gen, struct signed_loop *sl)
{
    ck_loop_make_version(gen, &sl->version);
    decide_tests(gen, sl);
    LLVMValueRef v_first = ck_ir_incoming(sl->v_counter, sl->version.b_preheader);
    enter_if_natural(gen, &sl->version, v_first);
    return version_nest(gen, sl->version.b_preheader, v_first);
}

/* A loop whose counter is compared with zero, before any change of form. */
bool
ck_gen_has_signed_loops(LLVMValueRef v_function)
{
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef v_end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(v_end); i++) {
            struct signed_loop sl = {0};
            sl.version.loop =
                (struct ck_inner_loop){.b_latch = b, .b_header = LLVMGetSuccessor(v_end, i)};
            if (ck_loop_branch(&sl.version.loop) && ck_loop_find_blocks(&sl.version.loop) &&
                find_counter(&sl))
                return true;
        }
    }
    return false;
}

bool
ck_gen_version_signs(struct ck_gen *gen, LLVMValueRef v_function)
{
    bool has_nests = false;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        struct signed_loop sl = {0};
        if (match(&sl, b))
            has_nests |= make_version(gen, &sl);
    }
    return has_nests;
}
