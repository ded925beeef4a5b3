/* Runtime unrolling: unrolls innermost loops whose trip count is not a constant, so that several
 * loads are in flight. It serves targets whose threads are scalar. The step of such a loop is the
 * size of a grid or a block or, where blocks are few, a constant. A remainder loop runs the other
 * iterations. With a factor of four:
 *
 *     while more(i): body; i += step            while more(i + 3 step): 4 bodies; i += 4 step
 *                                               while more(i + step): 2 bodies; i += 2 step
 *                                               while more(i): body; i += step
 *
 * LLVM and nvcc compute the trip count by a division and run the remainder first. Here the limit of
 * the unrolled loop is computed so that it does not overflow: if i < limit - 3 step and the step is
 * positive, i + step does not overflow up to there.
 *
 * LLVM's lcssa form is required: a use behind the loop of a value of the loop is a phi. */
#include <string.h>

#include "codegen/core/ir_util.h"
#include "codegen/opt/inner_loop.h"
#include "codegen/opt/passes.h"

enum { GLOBAL_MEMORY = 1 /* or, as 0, any */ };
enum {
    LEAST_FACTOR = 2,
    FEW_COPIES = 4,
    MOST_FACTOR = 32,
    SMALL_FUNCTION = 160,
    MAX_PHIS = 16,
    MAX_VALUES = 256
};

/* The copies of an iteration's values; blocks are values too. */
struct copy {
    int n;
    LLVMValueRef v_old[MAX_VALUES], v_new[MAX_VALUES];
};

/* Limits of unrolling. */
struct limits {
    int words, size;            /* words loaded and instructions of all copies */
    int factor, writing_factor; /* of loops that only read, and that also write */
    bool constant_steps;        /* loops with a constant step are unrolled here too */
};

struct runtime_loop {
    struct ck_inner_loop loop;
    LLVMBasicBlockRef b_before, b_behind; /* the loop */
    LLVMBasicBlockRef b_enter, b_head;    /* preheader and header of the unrolled loop */
    LLVMBasicBlockRef b_rest;             /* preheader of the remainder loop */
    LLVMValueRef v_branch, v_position, v_step, v_limit;
    LLVMValueRef v_limit_of_all; /* the unrolled loop runs from positions below it */
    bool writes;                 /* to memory */
    bool is_signed;              /* the comparison */
    bool steps_first;            /* the position is compared after the step is added */
    bool is_long;                /* the factor is above FEW_COPIES */
    int n_phis, factor;
    int n_words;                   /* loaded in an iteration, of 4 bytes */
    LLVMValueRef v_phis[MAX_PHIS]; /* the header's */
    LLVMValueRef v_heads[MAX_PHIS], v_rests[MAX_PHIS];
    struct copy copy;
};

/* --- Matching ----------------------------------------------------------------------------------
 */

/* The predicate under which another iteration follows, with the position on the left. */
static LLVMIntPredicate
predicate_of(LLVMValueRef v_test, bool position_is_right, bool leaves)
{
    static const LLVMIntPredicate table[][3] = {
        /* as it is, with its sides changed, negated */
        {LLVMIntSLT, LLVMIntSGT, LLVMIntSGE}, {LLVMIntSGT, LLVMIntSLT, LLVMIntSLE},
        {LLVMIntSLE, LLVMIntSGE, LLVMIntSGT}, {LLVMIntSGE, LLVMIntSLE, LLVMIntSLT},
        {LLVMIntULT, LLVMIntUGT, LLVMIntUGE}, {LLVMIntUGT, LLVMIntULT, LLVMIntULE},
        {LLVMIntULE, LLVMIntUGE, LLVMIntUGT}, {LLVMIntUGE, LLVMIntULE, LLVMIntULT},
    };
    const size_t n = sizeof table / sizeof table[0];
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(v_test);
    for (int k = 1; k <= 2; k++) {
        if (k == 1 ? !position_is_right : !leaves)
            continue;
        size_t i = 0;
        while (i < n && table[i][0] != predicate)
            i++;
        predicate = i < n ? table[i][k] : LLVMIntEQ;
    }
    return predicate;
}

/* `v_next` is `v_phi` and a step. */
static bool
match_step(struct runtime_loop *unroll, LLVMValueRef v_phi, LLVMValueRef v_next)
{
    if (!LLVMIsAInstruction(v_next) || LLVMGetInstructionOpcode(v_next) != LLVMAdd)
        return false;
    unsigned other = LLVMGetOperand(v_next, 0) == v_phi ? 1 : 0;
    unroll->v_step = LLVMGetOperand(v_next, other);
    return LLVMGetOperand(v_next, 1 - other) == v_phi &&
           (!LLVMIsAConstant(unroll->v_step) ||
            (LLVMIsAConstantInt(unroll->v_step) && LLVMConstIntGetSExtValue(unroll->v_step) > 1));
}

static LLVMValueRef
incoming_of(LLVMValueRef v_phi, LLVMBasicBlockRef b_from)
{
    unsigned i = 0;
    while (i + 1 < LLVMCountIncoming(v_phi) && LLVMGetIncomingBlock(v_phi, i) != b_from)
        i++;
    return LLVMGetIncomingValue(v_phi, i);
}

/* The header's phi whose value, in this or the next iteration, is `v_tested`; or NULL. */
static LLVMValueRef
position_of(const struct runtime_loop *unroll, LLVMValueRef v_tested)
{
    LLVMBasicBlockRef b_header = unroll->loop.b_header;
    LLVMValueRef v = LLVMGetFirstInstruction(b_header);
    while (LLVMIsAPHINode(v) && v != v_tested &&
           (LLVMCountIncoming(v) != 2 || incoming_of(v, unroll->loop.b_latch) != v_tested))
        v = LLVMGetNextInstruction(v);
    return LLVMIsAPHINode(v) && LLVMCountIncoming(v) == 2 ? v : NULL;
}

/* The branch goes to the header if `v_tested` is less than `v_limit`. */
static bool
match_position(struct runtime_loop *unroll, LLVMValueRef v_tested, LLVMValueRef v_limit)
{
    const LLVMBasicBlockRef b_header = unroll->loop.b_header, b_latch = unroll->loop.b_latch;
    LLVMValueRef v_test = LLVMGetCondition(unroll->v_branch);
    LLVMValueRef v_position = position_of(unroll, v_tested);
    if (!v_position || !match_step(unroll, v_position, incoming_of(v_position, b_latch)))
        return false;
    const bool leaves = LLVMGetSuccessor(unroll->v_branch, 0) != b_header;
    LLVMIntPredicate predicate =
        predicate_of(v_test, LLVMGetOperand(v_test, 1) == v_tested, leaves);
    unroll->is_signed = predicate == LLVMIntSLT;
    unroll->steps_first = v_tested != v_position;
    unroll->v_position = v_position;
    unroll->v_limit = v_limit;
    unroll->b_before =
        LLVMGetIncomingBlock(v_position, LLVMGetIncomingBlock(v_position, 0) == b_latch ? 1 : 0);
    return predicate == LLVMIntSLT || predicate == LLVMIntULT;
}

/* The header is where the latch goes and has phis. */
static bool
match_header(struct runtime_loop *unroll, unsigned to)
{
    unroll->loop.b_header = LLVMGetSuccessor(unroll->v_branch, to);
    unroll->b_behind = LLVMGetSuccessor(unroll->v_branch, 1 - to);
    LLVMValueRef v_test = LLVMGetCondition(unroll->v_branch);
    LLVMValueRef v_left = LLVMGetOperand(v_test, 0), v_right = LLVMGetOperand(v_test, 1);
    return unroll->b_behind != unroll->loop.b_header &&
           (match_position(unroll, v_left, v_right) || match_position(unroll, v_right, v_left));
}

static bool
match_latch(struct runtime_loop *unroll)
{
    unroll->v_branch = ck_loop_branch(&unroll->loop);
    return unroll->v_branch && (match_header(unroll, 0) || match_header(unroll, 1));
}

/* Of registers. */
static int
words_of(LLVMTypeRef type)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMIntegerTypeKind)
        return (int)(LLVMGetIntTypeWidth(type) + 31) / 32;
    return kind == LLVMDoubleTypeKind || kind == LLVMPointerTypeKind ? 2 : 1;
}

/* Unrolling helps if the body loads. An inlined function's alias scopes hold in one iteration only,
 * so that a body that declares some is not copied. */
static bool
is_worth_copying(struct runtime_loop *unroll)
{
    const struct ck_inner_loop *loop = &unroll->loop;
    int n = loop->n_blocks;
    for (int i = 0; i < loop->n_blocks; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(loop->blocks[i]);
        for (; v; v = LLVMGetNextInstruction(v)) {
            size_t length;
            n++;
            unroll->writes |=
                LLVMIsAStoreInst(v) || LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v);
            if (LLVMIsALoadInst(v) &&
                LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0))) <= GLOBAL_MEMORY)
                unroll->n_words += words_of(LLVMTypeOf(v));
            if (LLVMIsACallInst(v) &&
                strstr(LLVMGetValueName2(LLVMGetCalledValue(v), &length), "noalias"))
                return false;
        }
    }
    return unroll->n_words && n <= MAX_VALUES;
}

static bool
match_phis(struct runtime_loop *unroll)
{
    LLVMValueRef v = LLVMGetFirstInstruction(unroll->loop.b_header);
    for (; LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        if (unroll->n_phis == MAX_PHIS)
            return false;
        unroll->v_phis[unroll->n_phis++] = v;
    }
    return true;
}

static bool
match(struct runtime_loop *unroll)
{
    struct ck_inner_loop *loop = &unroll->loop;
    if (!match_latch(unroll) || !ck_loop_find_blocks(loop) || !match_phis(unroll))
        return false;
    LLVMValueRef v_enter = LLVMGetBasicBlockTerminator(unroll->b_before);
    return LLVMIsABranchInst(v_enter) && !LLVMIsConditional(v_enter) &&
           !ck_loop_has(loop, unroll->v_limit) && !ck_loop_has(loop, unroll->v_step) &&
           is_worth_copying(unroll);
}

/* --- Copying -----------------------------------------------------------------------------------
 */

static LLVMValueRef
copied(const struct copy *copy, LLVMValueRef v_old)
{
    int i = 0;
    while (i < copy->n && copy->v_old[i] != v_old)
        i++;
    return i < copy->n ? copy->v_new[i] : v_old;
}

static void
put(struct copy *copy, LLVMValueRef v_old, LLVMValueRef v_new)
{
    copy->v_old[copy->n] = v_old;
    copy->v_new[copy->n++] = v_new;
}

/* Empty copies of the blocks, and those of the header's phis. */
static void
begin_copy(struct ck_gen *gen, struct runtime_loop *unroll, int i_copy)
{
    const struct ck_inner_loop *loop = &unroll->loop;
    LLVMValueRef v_values[MAX_PHIS];
    for (int i = 0; i < unroll->n_phis; i++) {
        LLVMValueRef v_next = incoming_of(unroll->v_phis[i], loop->b_latch);
        v_values[i] = i_copy ? copied(&unroll->copy, v_next) : unroll->v_heads[i];
    }
    unroll->copy.n = 0;
    for (int i = 0; i < unroll->n_phis; i++)
        put(&unroll->copy, unroll->v_phis[i], v_values[i]);
    for (int i = 0; i < loop->n_blocks; i++) {
        LLVMBasicBlockRef b_new =
            LLVMInsertBasicBlockInContext(gen->llvm, unroll->b_rest, "unroll");
        put(&unroll->copy, LLVMBasicBlockAsValue(loop->blocks[i]), LLVMBasicBlockAsValue(b_new));
    }
}

/* Instructions that are not copies have no line. */
static void
at(struct ck_gen *gen, LLVMBasicBlockRef block)
{
    l_at(gen, block);
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
}

static LLVMBasicBlockRef
copied_block(const struct copy *copy, LLVMBasicBlockRef b_old)
{
    return LLVMValueAsBasicBlock(copied(copy, LLVMBasicBlockAsValue(b_old)));
}

/* fill_copy adds the phis' values, once all of them exist. */
static void
copy_block(struct ck_gen *gen, struct runtime_loop *unroll, LLVMBasicBlockRef b_old)
{
    at(gen, copied_block(&unroll->copy, b_old));
    for (LLVMValueRef v = LLVMGetFirstInstruction(b_old); v; v = LLVMGetNextInstruction(v)) {
        LLVMValueRef v_new;
        if (LLVMIsAPHINode(v) && b_old == unroll->loop.b_header)
            continue;
        if (LLVMIsAPHINode(v))
            v_new = LLVMBuildPhi(gen->builder, LLVMTypeOf(v), "");
        else if (v == unroll->v_branch)
            continue;
        else
            LLVMInsertIntoBuilder(gen->builder, v_new = LLVMInstructionClone(v));
        put(&unroll->copy, v, v_new);
    }
}

static void
fill_phi(const struct copy *copy, LLVMValueRef v_old, LLVMValueRef v_new)
{
    for (unsigned i = 0; i < LLVMCountIncoming(v_old); i++) {
        LLVMValueRef v_value = copied(copy, LLVMGetIncomingValue(v_old, i));
        LLVMBasicBlockRef b_from = copied_block(copy, LLVMGetIncomingBlock(v_old, i));
        LLVMAddIncoming(v_new, &v_value, &b_from, 1);
    }
}

static void
fill_copy(const struct runtime_loop *unroll)
{
    const struct copy *copy = &unroll->copy;
    for (int i = unroll->n_phis + unroll->loop.n_blocks; i < copy->n; i++) {
        if (LLVMIsAPHINode(copy->v_old[i])) {
            fill_phi(copy, copy->v_old[i], copy->v_new[i]);
            continue;
        }
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(copy->v_new[i]); k++)
            LLVMSetOperand(copy->v_new[i], k, copied(copy, LLVMGetOperand(copy->v_old[i], k)));
    }
}

/* --- The unrolled loop -------------------------------------------------------------------------
 */

/* The limit for the first position of `factor` iterations. Steps that are negative, or so large
 * that MOST_FACTOR of them could overflow, get a limit that no position is below. */
static LLVMValueRef
limit_of_all(struct ck_gen *gen, const struct runtime_loop *unroll)
{
    LLVMTypeRef type = LLVMTypeOf(unroll->v_limit);
    const unsigned width = LLVMGetIntTypeWidth(type);
    const unsigned n = (unsigned)unroll->factor - (unroll->steps_first ? 1 : 2);
    LLVMValueRef v_one = LLVMConstInt(type, 1, false);
    LLVMValueRef v_least = LLVMConstInt(type, unroll->is_signed ? 1ull << (width - 1) : 0, false);
    LLVMValueRef v_small =
        l_compare(gen, LLVMIntULT, LLVMBuildSub(gen->builder, unroll->v_step, v_one, ""),
                  LLVMConstInt(type, 1ull << (width - 5), false));
    LLVMValueRef v_span =
        LLVMBuildMul(gen->builder, unroll->v_step, LLVMConstInt(type, n, false), "");
    LLVMValueRef args[] = {unroll->v_limit, LLVMBuildAdd(gen->builder, v_least, v_span, "")};
    LLVMValueRef v_far =
        l_intrinsic(gen, unroll->is_signed ? "llvm.smax" : "llvm.umax", type, args, 2);
    return l_select(gen, v_small, LLVMBuildSub(gen->builder, v_far, v_span, ""), v_least);
}

/* Makes v_phis: a phi for each of the header's, with these values from block `b_from`. */
static void
begin_phis(struct ck_gen *gen, const struct runtime_loop *unroll, LLVMValueRef *v_phis,
           const LLVMValueRef *v_values, LLVMBasicBlockRef b_from)
{
    for (int i = 0; i < unroll->n_phis; i++) {
        LLVMValueRef v_value = v_values[i];
        v_phis[i] = LLVMBuildPhi(gen->builder, LLVMTypeOf(v_value), "");
        LLVMAddIncoming(v_phis[i], &v_value, &b_from, 1);
    }
}

/* Branches to the unrolled body if all its iterations are below the limit, else to the remainder.
 */
static LLVMValueRef
go_on(struct ck_gen *gen, const struct runtime_loop *unroll, LLVMValueRef v_position,
      LLVMBasicBlockRef b_body)
{
    const LLVMIntPredicate predicate = unroll->is_signed ? LLVMIntSLT : LLVMIntULT;
    LLVMValueRef v_all = l_compare(gen, predicate, v_position, unroll->v_limit_of_all);
    return LLVMBuildCondBr(gen->builder, v_all, b_body, unroll->b_rest);
}

/* Inserts the preheaders and the header between b_before and the loop's header. */
static void
insert_blocks(struct ck_gen *gen, struct runtime_loop *unroll)
{
    LLVMBasicBlockRef b_header = unroll->loop.b_header;
    unroll->b_enter = LLVMInsertBasicBlockInContext(gen->llvm, b_header, "unroll.enter");
    unroll->b_head = LLVMInsertBasicBlockInContext(gen->llvm, b_header, "unroll.head");
    unroll->b_rest = LLVMInsertBasicBlockInContext(gen->llvm, b_header, "unroll.rest");
    LLVMValueRef v_firsts[MAX_PHIS];
    for (int i = 0; i < unroll->n_phis; i++)
        v_firsts[i] = incoming_of(unroll->v_phis[i], unroll->b_before);
    at(gen, unroll->b_enter);
    if (unroll->is_long)
        go_on(gen, unroll, incoming_of(unroll->v_position, unroll->b_before), unroll->b_head);
    else
        l_branch(gen, unroll->b_head);
    at(gen, unroll->b_head);
    begin_phis(gen, unroll, unroll->v_heads, v_firsts, unroll->b_enter);
    at(gen, unroll->b_rest);
    if (unroll->is_long)
        begin_phis(gen, unroll, unroll->v_rests, v_firsts, unroll->b_enter);
    else
        begin_phis(gen, unroll, unroll->v_rests, unroll->v_heads, unroll->b_head);
    l_branch(gen, b_header);
    LLVMSetSuccessor(LLVMGetBasicBlockTerminator(unroll->b_before), 0, unroll->b_enter);
}

/* The C API cannot change a phi's incoming blocks: each phi of the header is replaced. */
static void
replace_phis(struct ck_gen *gen, struct runtime_loop *unroll)
{
    const struct ck_inner_loop *loop = &unroll->loop;
    for (int i = 0; i < unroll->n_phis; i++) {
        LLVMValueRef v_old = unroll->v_phis[i];
        LLVMPositionBuilderBefore(gen->builder, v_old);
        LLVMValueRef v_new = LLVMBuildPhi(gen->builder, LLVMTypeOf(v_old), "");
        LLVMValueRef v_values[] = {unroll->v_rests[i], incoming_of(v_old, loop->b_latch)};
        LLVMBasicBlockRef from[] = {unroll->b_rest, loop->b_latch};
        LLVMAddIncoming(v_new, v_values, from, 2);
        LLVMReplaceAllUsesWith(v_old, v_new);
        LLVMInstructionEraseFromParent(v_old);
    }
}

/* Branches at the last copy's end: to the unrolled loop's header, the remainder, or behind it. */
static void
close_loop(struct ck_gen *gen, struct runtime_loop *unroll)
{
    const struct ck_inner_loop *loop = &unroll->loop;
    const struct copy *copy = &unroll->copy;
    LLVMBasicBlockRef b_last = copied_block(copy, loop->b_latch), b_again = b_last;
    if (unroll->is_long)
        b_again = LLVMInsertBasicBlockInContext(gen->llvm, unroll->b_rest, "unroll.again");
    LLVMBasicBlockRef b_more = unroll->is_long ? b_again : unroll->b_head;
    bool stays = LLVMGetSuccessor(unroll->v_branch, 0) == loop->b_header;
    at(gen, b_last);
    LLVMValueRef v_branch =
        LLVMBuildCondBr(gen->builder, copied(copy, LLVMGetCondition(unroll->v_branch)),
                        stays ? b_more : unroll->b_behind, stays ? unroll->b_behind : b_more);
    if (unroll->is_long) {
        at(gen, b_again);
        v_branch = go_on(gen, unroll, copied(copy, incoming_of(unroll->v_position, loop->b_latch)),
                         unroll->b_head);
    }
    ck_loop_mark(gen, v_branch, "llvm.loop.unroll.disable", NULL);
    for (int i = 0; i < unroll->n_phis; i++) {
        LLVMValueRef v_next = copied(copy, incoming_of(unroll->v_phis[i], loop->b_latch));
        LLVMAddIncoming(unroll->v_heads[i], &v_next, &b_again, 1);
        if (unroll->is_long)
            LLVMAddIncoming(unroll->v_rests[i], &v_next, &b_again, 1);
    }
    LLVMValueRef v = LLVMGetFirstInstruction(unroll->b_behind);
    for (; LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        LLVMValueRef v_value = copied(copy, incoming_of(v, loop->b_latch));
        LLVMAddIncoming(v, &v_value, &b_last, 1);
    }
}

/* A short unrolled loop tests the limit in its header. A long one tests it before the loop and at
 * the loop's end, so that the remainder begins with phis. LLVM then sees no relation between the
 * remainder's values and those before the loop, and does not compute the remainder's addresses
 * early, which would take registers from the loads. */
static void
make_unrolled(struct ck_gen *gen, struct runtime_loop *unroll)
{
    const struct ck_inner_loop *loop = &unroll->loop;
    unroll->is_long = unroll->factor > FEW_COPIES;
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(unroll->b_before));
    unroll->v_limit_of_all = limit_of_all(gen, unroll);
    insert_blocks(gen, unroll);
    LLVMBasicBlockRef b_end = unroll->b_head;
    for (int i_copy = 0; i_copy < unroll->factor; i_copy++) {
        begin_copy(gen, unroll, i_copy);
        LLVMBasicBlockRef b_first = copied_block(&unroll->copy, loop->b_header);
        at(gen, b_end);
        if (i_copy || unroll->is_long)
            l_branch(gen, b_first);
        else
            go_on(gen, unroll, copied(&unroll->copy, unroll->v_position), b_first);
        for (int i = 0; i < loop->n_blocks; i++)
            copy_block(gen, unroll, loop->blocks[i]);
        fill_copy(unroll);
        b_end = copied_block(&unroll->copy, loop->b_latch);
    }
    close_loop(gen, unroll);
    replace_phis(gen, unroll);
}

bool
ck_gen_has_runtime_loops(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            struct runtime_loop unroll = {.loop.b_latch = b};
            if (match_latch(&unroll))
                return true;
        }
    }
    return false;
}

/* The registers of a thread limit how many threads are resident. If launch_bounds say how many are
 * wanted, ptxas keeps to that, and as many words may be in flight as in nvcc's loops of known trip
 * count; twice as many if all registers may be used, for which ptxas needs a launch bound: without
 * one it keeps fewer loads in flight, for more blocks. The memory of an H200 needs 64 KB in flight
 * for each multiprocessor. Other kernels keep their register counts, so that blocks of 1024 threads
 * still fit: they get a few words in flight, in small kernels whose blocks need not all be
 * resident. In a loop that writes, a load cannot move above the stores of the iteration before
 * unless the loop is unrolled here. Loops with a constant step, which are a block's share of some
 * work, are left to LLVM where blocks fill the GPU: 16 words a thread are too many there. */
static struct limits
limits_of(struct ck_gen *gen, LLVMValueRef v_function)
{
    const struct ck_tfunc *tfunc = ck_gen_source_of(gen, v_function);
    if (tfunc && ck_gen_is_spacious(tfunc))
        return (struct limits){.words = 32,
                               .size = 2 * CK_LOOP_MOST_UNROLLED,
                               .factor = MOST_FACTOR,
                               .writing_factor = 4,
                               .constant_steps = true};
    if (tfunc && (tfunc->min_blocks > 0 || (tfunc->max_threads > 0 && tfunc->max_threads <= 512)) &&
        !tfunc->max_registers)
        return (struct limits){.words = 16,
                               .size = CK_LOOP_MOST_UNROLLED,
                               .factor = 16,
                               .writing_factor = 4,
                               .constant_steps = ck_tfunc_has(tfunc, CK_EFFECT_GRID_BARRIER) ||
                                                 tfunc->min_blocks > 0};
    if (tfunc && ck_tfunc_has(tfunc, CK_EFFECT_GRID_BARRIER))
        return (struct limits){0};
    if (ck_ir_is_longer(LLVMGetFirstBasicBlock(v_function), SMALL_FUNCTION))
        return (struct limits){0};
    return (struct limits){.words = 4, .size = 32, .factor = 2, .writing_factor = 4};
}

/* 1 or less: the loop is not unrolled. */
static int
factor_of(const struct runtime_loop *unroll, const struct limits *limits)
{
    int factor = unroll->writes ? limits->writing_factor : limits->factor;
    while (factor > 1 &&
           (factor * unroll->n_words > limits->words || factor * unroll->loop.size > limits->size))
        factor /= 2;
    return factor;
}

/* Unrolls the loop, then its remainder by a smaller factor. */
static void
unroll_loop(struct ck_gen *gen, const struct limits *limits, LLVMBasicBlockRef b_latch)
{
    struct runtime_loop unroll = {.loop.b_latch = b_latch}, rest = unroll;
    if (!match(&unroll))
        return;
    unroll.factor = factor_of(&unroll, limits);
    if (unroll.factor <= 1 ||
        (LLVMIsAConstant(unroll.v_step) &&
         (!limits->constant_steps || unroll.loop.size >= CK_LOOP_LEAST_MODERATE)))
        return;
    make_unrolled(gen, &unroll);
    rest.factor = unroll.factor > 2 * LEAST_FACTOR ? unroll.factor / 4 : LEAST_FACTOR;
    const int most = limits->size > CK_LOOP_MOST_UNROLLED ? limits->size : CK_LOOP_MOST_UNROLLED;
    if (unroll.factor > LEAST_FACTOR &&
        (unroll.factor + rest.factor + 1) * unroll.loop.size <= most && match(&rest))
        make_unrolled(gen, &rest);
    ck_loop_mark(gen, unroll.v_branch, "llvm.loop.unroll.disable", NULL);
}

void
ck_gen_unroll_runtime_loops(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        const struct limits limits = limits_of(gen, v);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b))
            unroll_loop(gen, &limits, b);
    }
}
