/* Runtime unrolling, for targets whose threads are scalar: docs/adr/016. Unrolls loops whose step
 * is not a constant, such as the size of a grid or a block, so that several loads are in flight; in
 * kernels with few blocks also loops with a constant step. Remainder loops run the iterations that
 * are left. Unrolled by 4:
 *
 *     while i < n: body; i += step              while i < n - 3 step: body x 4; i += 4 step
 *                                               while i < n - step: body x 2; i += 2 step
 *                                               while i < n: body; i += step
 *
 * LLVM and nvcc divide to compute the trip count, and run the remainder first. This pass needs no
 * trip count. It computes the limit of the unrolled loop so that nothing overflows: if the step is
 * positive and i < n - 3 step, then i + step, i + 2 step and i + 3 step do not overflow.
 *
 * Loops must be in LCSSA form: each use of a loop's value after the loop is a phi of its exit. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/inner_loop.h"
#include "codegen/opt/loop_copy.h"
#include "codegen/opt/passes.h"

/* LLVM's address space; 0 is the generic one. */
enum { SPACE_GLOBAL = 1 };
enum {
    MIN_COUNT = 2,
    MAX_TOP_TESTED_COUNT = 4, /* with larger counts the unrolled loop is tested at its end */
    MAX_COUNT = 32,
    SMALL_FUNCTION = 160, /* instructions */
    MAX_PHIS = 16
};

/* The bounds of unrolling in a function. */
struct limits {
    int words, size;            /* loaded by, and of, an unrolled body: 4 bytes, instructions */
    int count, count_of_stores; /* of loops that only read memory; of loops that write too */
    bool constant_steps;        /* loops with a constant step are unrolled too */
};

struct runtime_loop {
    struct ck_inner_loop loop;
    LLVMBasicBlockRef b_preheader, b_exit;
    LLVMBasicBlockRef b_enter, b_unrolled; /* preheader and header of the unrolled loop */
    LLVMBasicBlockRef b_remainder;         /* preheader of the remainder loop */
    LLVMValueRef v_branch, v_counter, v_step, v_limit;
    LLVMValueRef v_unrolled_limit; /* the unrolled loop runs while the counter is less */
    bool writes;                   /* to memory */
    bool is_signed;                /* the comparison of the counter with the limit */
    bool steps_first;              /* the counter is increased before it is compared */
    bool tests_at_end;             /* of the unrolled loop, instead of at its begin */
    int n_words;                   /* of 4 bytes, loaded in an iteration */
    int count;                     /* iterations of an unrolled body */
    int n_phis;
    LLVMValueRef v_phis[MAX_PHIS]; /* the header's */
    LLVMValueRef v_unrolled_phis[MAX_PHIS], v_remainder_phis[MAX_PHIS];
    struct ck_loop_copy copy;
};

/* --- Matching ----------------------------------------------------------------------------------
 */

/* The predicate under which another iteration follows, with the counter on the left. */
static LLVMIntPredicate
predicate_of(LLVMValueRef v_test, bool counter_is_right, bool leaves)
{
    static const LLVMIntPredicate table[][3] = {
        /* the predicate, with operands swapped, negated */
        {LLVMIntSLT, LLVMIntSGT, LLVMIntSGE}, {LLVMIntSGT, LLVMIntSLT, LLVMIntSLE},
        {LLVMIntSLE, LLVMIntSGE, LLVMIntSGT}, {LLVMIntSGE, LLVMIntSLE, LLVMIntSLT},
        {LLVMIntULT, LLVMIntUGT, LLVMIntUGE}, {LLVMIntUGT, LLVMIntULT, LLVMIntULE},
        {LLVMIntULE, LLVMIntUGE, LLVMIntUGT}, {LLVMIntUGE, LLVMIntULE, LLVMIntULT},
    };
    const size_t n = sizeof table / sizeof table[0];
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(v_test);
    for (int k = 1; k <= 2; k++) {
        if (k == 1 ? !counter_is_right : !leaves)
            continue;
        size_t i = 0;
        while (i < n && table[i][0] != predicate)
            i++;
        predicate = i < n ? table[i][k] : LLVMIntEQ;
    }
    return predicate;
}

/* Whether `v_next` is `v_phi` plus a step that is not a constant, or one greater than 1. */
static bool
match_step(struct runtime_loop *rl, LLVMValueRef v_phi, LLVMValueRef v_next)
{
    if (!LLVMIsAInstruction(v_next) || LLVMGetInstructionOpcode(v_next) != LLVMAdd)
        return false;
    unsigned other = LLVMGetOperand(v_next, 0) == v_phi ? 1 : 0;
    rl->v_step = LLVMGetOperand(v_next, other);
    return LLVMGetOperand(v_next, 1 - other) == v_phi &&
           (!LLVMIsAConstant(rl->v_step) ||
            (LLVMIsAConstantInt(rl->v_step) && LLVMConstIntGetSExtValue(rl->v_step) > 1));
}

/* The header's phi that `v_tested` is, or whose value in the next iteration it is; NULL: neither.
 */
static LLVMValueRef
counter_of(const struct runtime_loop *rl, LLVMValueRef v_tested)
{
    LLVMBasicBlockRef b_header = rl->loop.b_header;
    LLVMValueRef v = LLVMGetFirstInstruction(b_header);
    while (LLVMIsAPHINode(v) && v != v_tested &&
           (LLVMCountIncoming(v) != 2 || ck_ir_incoming(v, rl->loop.b_latch) != v_tested))
        v = LLVMGetNextInstruction(v);
    return LLVMIsAPHINode(v) && LLVMCountIncoming(v) == 2 ? v : NULL;
}

/* Whether another iteration follows if `v_tested` is less than `v_limit`. */
static bool
match_counter(struct runtime_loop *rl, LLVMValueRef v_tested, LLVMValueRef v_limit)
{
    const LLVMBasicBlockRef b_header = rl->loop.b_header, b_latch = rl->loop.b_latch;
    LLVMValueRef v_test = LLVMGetCondition(rl->v_branch);
    LLVMValueRef v_counter = counter_of(rl, v_tested);
    if (!v_counter || !match_step(rl, v_counter, ck_ir_incoming(v_counter, b_latch)))
        return false;
    const bool leaves = LLVMGetSuccessor(rl->v_branch, 0) != b_header;
    LLVMIntPredicate predicate =
        predicate_of(v_test, LLVMGetOperand(v_test, 1) == v_tested, leaves);
    rl->is_signed = predicate == LLVMIntSLT;
    rl->steps_first = v_tested != v_counter;
    rl->v_counter = v_counter;
    rl->v_limit = v_limit;
    rl->b_preheader =
        LLVMGetIncomingBlock(v_counter, LLVMGetIncomingBlock(v_counter, 0) == b_latch ? 1 : 0);
    return predicate == LLVMIntSLT || predicate == LLVMIntULT;
}

/* Whether successor `header` of the latch is the header of a loop with a counter. */
static bool
match_header(struct runtime_loop *rl, unsigned header)
{
    rl->loop.b_header = LLVMGetSuccessor(rl->v_branch, header);
    rl->b_exit = LLVMGetSuccessor(rl->v_branch, 1 - header);
    LLVMValueRef v_test = LLVMGetCondition(rl->v_branch);
    LLVMValueRef v_left = LLVMGetOperand(v_test, 0), v_right = LLVMGetOperand(v_test, 1);
    return rl->b_exit != rl->loop.b_header &&
           (match_counter(rl, v_left, v_right) || match_counter(rl, v_right, v_left));
}

static bool
match_latch(struct runtime_loop *rl)
{
    rl->v_branch = ck_loop_branch(&rl->loop);
    return rl->v_branch && (match_header(rl, 0) || match_header(rl, 1));
}

/* The 32-bit registers of a value. */
static int
words_of(LLVMTypeRef type)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMIntegerTypeKind)
        return (int)(LLVMGetIntTypeWidth(type) + 31) / 32;
    return kind == LLVMDoubleTypeKind || kind == LLVMPointerTypeKind ? 2 : 1;
}

/* Whether the loop loads from memory. */
static bool
is_worth_unrolling(struct runtime_loop *rl)
{
    const struct ck_inner_loop *loop = &rl->loop;
    int n = loop->n_blocks;
    for (int i = 0; i < loop->n_blocks; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(loop->blocks[i]);
        for (; v; v = LLVMGetNextInstruction(v)) {
            n++;
            rl->writes |=
                LLVMIsAStoreInst(v) || LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v);
            if (LLVMIsALoadInst(v) &&
                LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0))) <= SPACE_GLOBAL)
                rl->n_words += words_of(LLVMTypeOf(v));
        }
    }
    return rl->n_words && n <= CK_LOOP_MAX_VALUES && !ck_loop_has_alias_scopes(loop);
}

static bool
match_phis(struct runtime_loop *rl)
{
    LLVMValueRef v = LLVMGetFirstInstruction(rl->loop.b_header);
    for (; LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        if (rl->n_phis == MAX_PHIS)
            return false;
        rl->v_phis[rl->n_phis++] = v;
    }
    return true;
}

static bool
match(struct runtime_loop *rl)
{
    struct ck_inner_loop *loop = &rl->loop;
    if (!match_latch(rl) || !ck_loop_find_blocks(loop) || !match_phis(rl))
        return false;
    LLVMValueRef v_enter = LLVMGetBasicBlockTerminator(rl->b_preheader);
    return LLVMIsABranchInst(v_enter) && !LLVMIsConditional(v_enter) &&
           !ck_loop_has(loop, rl->v_limit) && !ck_loop_has(loop, rl->v_step) &&
           is_worth_unrolling(rl);
}

/* --- Copies of an iteration --------------------------------------------------------------------
 */

/* Begins the copy of an iteration: empty blocks, and the values of the header's phis. */
static void
begin_copy(struct ck_gen *gen, struct runtime_loop *rl, int iteration)
{
    const struct ck_inner_loop *loop = &rl->loop;
    LLVMValueRef v_values[MAX_PHIS];
    for (int i = 0; i < rl->n_phis; i++) {
        LLVMValueRef v_next = ck_ir_incoming(rl->v_phis[i], loop->b_latch);
        v_values[i] = iteration ? ck_loop_copied(&rl->copy, v_next) : rl->v_unrolled_phis[i];
    }
    rl->copy.n = 0;
    for (int i = 0; i < rl->n_phis; i++)
        ck_loop_put(&rl->copy, rl->v_phis[i], v_values[i]);
    for (int i = 0; i < loop->n_blocks; i++) {
        LLVMBasicBlockRef b_new =
            LLVMInsertBasicBlockInContext(gen->llvm, rl->b_remainder, "unroll");
        ck_loop_put(&rl->copy, LLVMBasicBlockAsValue(loop->blocks[i]),
                    LLVMBasicBlockAsValue(b_new));
    }
}

/* New instructions other than copies get no debug location. */
static void
at(struct ck_gen *gen, LLVMBasicBlockRef block)
{
    l_at(gen, block);
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
}

/* The operands of the copies are still the old ones until ck_loop_fill_copy. */
static void
copy_block(struct ck_gen *gen, struct runtime_loop *rl, LLVMBasicBlockRef b_old)
{
    at(gen, ck_loop_copied_block(&rl->copy, b_old));
    for (LLVMValueRef v = LLVMGetFirstInstruction(b_old); v; v = LLVMGetNextInstruction(v)) {
        LLVMValueRef v_new;
        if (LLVMIsAPHINode(v) && b_old == rl->loop.b_header)
            continue;
        if (LLVMIsAPHINode(v))
            v_new = LLVMBuildPhi(gen->builder, LLVMTypeOf(v), "");
        else if (v == rl->v_branch)
            continue;
        else
            LLVMInsertIntoBuilder(gen->builder, v_new = LLVMInstructionClone(v));
        ck_loop_put(&rl->copy, v, v_new);
    }
}

/* --- The unrolled loop -------------------------------------------------------------------------
 */

/* The limit of the unrolled loop. If the step is negative, zero, or so large that MAX_COUNT steps
 * could overflow, it is the least number, so that the unrolled loop never runs. */
static LLVMValueRef
unrolled_limit(struct ck_gen *gen, const struct runtime_loop *rl)
{
    LLVMTypeRef type = LLVMTypeOf(rl->v_limit);
    const unsigned width = LLVMGetIntTypeWidth(type);
    const unsigned n = (unsigned)rl->count - (rl->steps_first ? 1 : 2);
    LLVMValueRef v_one = LLVMConstInt(type, 1, false);
    LLVMValueRef v_least = LLVMConstInt(type, rl->is_signed ? 1ull << (width - 1) : 0, false);
    LLVMValueRef v_small =
        l_compare(gen, LLVMIntULT, LLVMBuildSub(gen->builder, rl->v_step, v_one, ""),
                  LLVMConstInt(type, 1ull << (width - 5), false));
    LLVMValueRef v_distance =
        LLVMBuildMul(gen->builder, rl->v_step, LLVMConstInt(type, n, false), "");
    LLVMValueRef args[] = {rl->v_limit, LLVMBuildAdd(gen->builder, v_least, v_distance, "")};
    LLVMValueRef v_clamped =
        l_intrinsic(gen, rl->is_signed ? "llvm.smax" : "llvm.umax", type, args, 2);
    return l_select(gen, v_small, LLVMBuildSub(gen->builder, v_clamped, v_distance, ""), v_least);
}

/* Makes a phi for each of the header's, with a first value from a block. */
static void
begin_phis(struct ck_gen *gen, const struct runtime_loop *rl, LLVMValueRef *v_phis,
           const LLVMValueRef *v_values, LLVMBasicBlockRef b_from)
{
    for (int i = 0; i < rl->n_phis; i++) {
        LLVMValueRef v_value = v_values[i];
        v_phis[i] = LLVMBuildPhi(gen->builder, LLVMTypeOf(v_value), "");
        LLVMAddIncoming(v_phis[i], &v_value, &b_from, 1);
    }
}

/* Branches to the unrolled body if the counter is below its limit, else to the remainder loop. */
static LLVMValueRef
branch_by_limit(struct ck_gen *gen, const struct runtime_loop *rl, LLVMValueRef v_counter,
                LLVMBasicBlockRef b_body)
{
    const LLVMIntPredicate predicate = rl->is_signed ? LLVMIntSLT : LLVMIntULT;
    LLVMValueRef v_all = l_compare(gen, predicate, v_counter, rl->v_unrolled_limit);
    return LLVMBuildCondBr(gen->builder, v_all, b_body, rl->b_remainder);
}

/* Inserts the blocks around the unrolled body, between the preheader and the header. */
static void
insert_blocks(struct ck_gen *gen, struct runtime_loop *rl)
{
    LLVMBasicBlockRef b_header = rl->loop.b_header;
    rl->b_enter = LLVMInsertBasicBlockInContext(gen->llvm, b_header, "unroll.enter");
    rl->b_unrolled = LLVMInsertBasicBlockInContext(gen->llvm, b_header, "unroll.header");
    rl->b_remainder = LLVMInsertBasicBlockInContext(gen->llvm, b_header, "unroll.remainder");
    LLVMValueRef v_firsts[MAX_PHIS];
    for (int i = 0; i < rl->n_phis; i++)
        v_firsts[i] = ck_ir_incoming(rl->v_phis[i], rl->b_preheader);
    at(gen, rl->b_enter);
    if (rl->tests_at_end)
        branch_by_limit(gen, rl, ck_ir_incoming(rl->v_counter, rl->b_preheader), rl->b_unrolled);
    else
        l_branch(gen, rl->b_unrolled);
    at(gen, rl->b_unrolled);
    begin_phis(gen, rl, rl->v_unrolled_phis, v_firsts, rl->b_enter);
    at(gen, rl->b_remainder);
    if (rl->tests_at_end)
        begin_phis(gen, rl, rl->v_remainder_phis, v_firsts, rl->b_enter);
    else
        begin_phis(gen, rl, rl->v_remainder_phis, rl->v_unrolled_phis, rl->b_unrolled);
    l_branch(gen, b_header);
    LLVMSetSuccessor(LLVMGetBasicBlockTerminator(rl->b_preheader), 0, rl->b_enter);
}

/* Replaces the header's phis, because LLVM's C API cannot change the blocks of a phi. */
static void
replace_phis(struct ck_gen *gen, struct runtime_loop *rl)
{
    const struct ck_inner_loop *loop = &rl->loop;
    for (int i = 0; i < rl->n_phis; i++) {
        LLVMValueRef v_old = rl->v_phis[i];
        LLVMPositionBuilderBefore(gen->builder, v_old);
        LLVMValueRef v_new = LLVMBuildPhi(gen->builder, LLVMTypeOf(v_old), "");
        LLVMValueRef v_values[] = {rl->v_remainder_phis[i], ck_ir_incoming(v_old, loop->b_latch)};
        LLVMBasicBlockRef from[] = {rl->b_remainder, loop->b_latch};
        LLVMAddIncoming(v_new, v_values, from, 2);
        LLVMReplaceAllUsesWith(v_old, v_new);
        LLVMInstructionEraseFromParent(v_old);
    }
}

/* Ends the last copy: branches to the unrolled header, to the remainder loop, or to the exit. */
static void
close_loop(struct ck_gen *gen, struct runtime_loop *rl)
{
    const struct ck_inner_loop *loop = &rl->loop;
    const struct ck_loop_copy *copy = &rl->copy;
    LLVMBasicBlockRef b_last = ck_loop_copied_block(copy, loop->b_latch), b_unrolled_latch = b_last;
    if (rl->tests_at_end)
        b_unrolled_latch =
            LLVMInsertBasicBlockInContext(gen->llvm, rl->b_remainder, "unroll.latch");
    LLVMBasicBlockRef b_more = rl->tests_at_end ? b_unrolled_latch : rl->b_unrolled;
    bool stays = LLVMGetSuccessor(rl->v_branch, 0) == loop->b_header;
    at(gen, b_last);
    LLVMValueRef v_branch =
        LLVMBuildCondBr(gen->builder, ck_loop_copied(copy, LLVMGetCondition(rl->v_branch)),
                        stays ? b_more : rl->b_exit, stays ? rl->b_exit : b_more);
    if (rl->tests_at_end) {
        at(gen, b_unrolled_latch);
        v_branch = branch_by_limit(
            gen, rl, ck_loop_copied(copy, ck_ir_incoming(rl->v_counter, loop->b_latch)),
            rl->b_unrolled);
    }
    ck_loop_mark_final(gen, v_branch);
    for (int i = 0; i < rl->n_phis; i++) {
        LLVMValueRef v_next = ck_loop_copied(copy, ck_ir_incoming(rl->v_phis[i], loop->b_latch));
        LLVMAddIncoming(rl->v_unrolled_phis[i], &v_next, &b_unrolled_latch, 1);
        if (rl->tests_at_end)
            LLVMAddIncoming(rl->v_remainder_phis[i], &v_next, &b_unrolled_latch, 1);
    }
    LLVMValueRef v = LLVMGetFirstInstruction(rl->b_exit);
    for (; LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        LLVMValueRef v_value = ck_loop_copied(copy, ck_ir_incoming(v, loop->b_latch));
        LLVMAddIncoming(v, &v_value, &b_last, 1);
    }
}

/* Inserts a loop unrolled by rl->count before the loop, which becomes the remainder. With a small
 * count the unrolled loop is tested at its begin. With a large count it is tested before the loop
 * and at its end. Then the remainder begins with phis, LLVM sees no relation of its counter to the
 * unrolled loop's, and introduces no induction variables there, which would take registers from the
 * loads. */
static void
unroll_by_count(struct ck_gen *gen, struct runtime_loop *rl)
{
    const struct ck_inner_loop *loop = &rl->loop;
    rl->tests_at_end = rl->count > MAX_TOP_TESTED_COUNT;
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(rl->b_preheader));
    rl->v_unrolled_limit = unrolled_limit(gen, rl);
    insert_blocks(gen, rl);
    LLVMBasicBlockRef b_end = rl->b_unrolled;
    for (int iteration = 0; iteration < rl->count; iteration++) {
        begin_copy(gen, rl, iteration);
        LLVMBasicBlockRef b_first = ck_loop_copied_block(&rl->copy, loop->b_header);
        at(gen, b_end);
        if (iteration || rl->tests_at_end)
            l_branch(gen, b_first);
        else
            branch_by_limit(gen, rl, ck_loop_copied(&rl->copy, rl->v_counter), b_first);
        for (int i = 0; i < loop->n_blocks; i++)
            copy_block(gen, rl, loop->blocks[i]);
        ck_loop_fill_copy(&rl->copy, rl->n_phis + rl->loop.n_blocks);
        b_end = ck_loop_copied_block(&rl->copy, loop->b_latch);
    }
    close_loop(gen, rl);
    replace_phis(gen, rl);
}

bool
ck_gen_has_runtime_loops(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            struct runtime_loop rl = {.loop.b_latch = b};
            if (match_latch(&rl))
                return true;
        }
    }
    return false;
}

/* The registers of a kernel limit the size of its blocks and its occupancy.
 *
 *   - If the author states launch bounds, the assembler respects them. Then 16 words may be in
 *     flight, as nvcc has in a loop with a known trip count.
 *   - Twice as many if a thread may use all registers. The target reports that to the assembler,
 *     which otherwise keeps fewer loads in flight for a higher occupancy. The memory of an H200
 *     needs 64 KB in flight for each multiprocessor.
 *   - Other kernels must stay launchable with 1024 threads a block. Small ones get a few words,
 *     which take few registers; with a grid barrier, four iterations as in nvcc, as few blocks fill
 *     the GPU.
 *
 * In a loop that writes, a load does not move across a store of an earlier iteration, unless both
 * are in one unrolled body. A loop with a constant step, usually a block's share of some work, is
 * left to LLVM where blocks fill the GPU: 16 words of each thread are too many there. */
static struct limits
limits_of(struct ck_gen *gen, LLVMValueRef v_function)
{
    const struct ck_tfunc *tfunc = ck_gen_source_of(gen, v_function);
    if (tfunc && ck_gen_is_spacious(tfunc))
        return (struct limits){.words = 32,
                               .size = 2 * CK_LOOP_MAX_UNROLLED_SIZE,
                               .count = MAX_COUNT,
                               .count_of_stores = 4,
                               .constant_steps = true};
    if (tfunc &&
        (tfunc->bounds.min_blocks > 0 ||
         (tfunc->bounds.max_threads > 0 && tfunc->bounds.max_threads <= 512)) &&
        !tfunc->bounds.max_registers)
        return (struct limits){.words = 16,
                               .size = CK_LOOP_MAX_UNROLLED_SIZE,
                               .count = 16,
                               .count_of_stores = 4,
                               .constant_steps = ck_tfunc_has(tfunc, CK_EFFECT_GRID_BARRIER) ||
                                                 tfunc->bounds.min_blocks > 0};
    if (ck_ir_is_longer(LLVMGetFirstBasicBlock(v_function), SMALL_FUNCTION))
        return (struct limits){0};
    if (tfunc && ck_tfunc_has(tfunc, CK_EFFECT_GRID_BARRIER))
        return (struct limits){.words = 4, .size = 64, .count = 4, .count_of_stores = 4};
    return (struct limits){.words = 4, .size = 32, .count = 2, .count_of_stores = 4};
}

/* The unroll count; 1 or less: the loop is not unrolled. */
static int
unroll_count(const struct runtime_loop *rl, const struct limits *limits)
{
    int count = rl->writes ? limits->count_of_stores : limits->count;
    while (count > 1 &&
           (count * rl->n_words > limits->words || count * rl->loop.size > limits->size))
        count /= 2;
    return count;
}

/* Unrolls a loop, and once more its remainder loop by a smaller count. */
static void
unroll(struct ck_gen *gen, const struct limits *limits, LLVMBasicBlockRef b_latch)
{
    struct runtime_loop rl = {.loop.b_latch = b_latch}, remainder = rl;
    if (!match(&rl))
        return;
    rl.count = unroll_count(&rl, limits);
    if (rl.count <= 1 || (LLVMIsAConstant(rl.v_step) &&
                          (!limits->constant_steps || rl.loop.size >= CK_LOOP_MIN_MODERATE_SIZE)))
        return;
    unroll_by_count(gen, &rl);
    remainder.count = rl.count > 2 * MIN_COUNT ? rl.count / 4 : MIN_COUNT;
    const int most =
        limits->size > CK_LOOP_MAX_UNROLLED_SIZE ? limits->size : CK_LOOP_MAX_UNROLLED_SIZE;
    if (rl.count > MIN_COUNT && (rl.count + remainder.count + 1) * rl.loop.size <= most &&
        match(&remainder))
        unroll_by_count(gen, &remainder);
    ck_loop_mark_final(gen, rl.v_branch);
}

void
ck_gen_unroll_runtime_loops(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        const struct limits limits = limits_of(gen, v);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b))
            unroll(gen, &limits, b);
    }
}
