/* Loops counted by what is no constant, as a grid's or a block's size, and where blocks are few by
 * constants, for targets whose threads are scalar: several turns at once, so that several loads are
 * under way, and then the turns that are left. With four:
 *
 *     while more(i): turn; i += step            while more(i + 3 step): 4 turns; i += 4 step
 *                                               while more(i + step): 2 turns; i += 2 step
 *                                               while more(i): turn; i += step
 *
 * LLVM, and nvcc, divide to know how many turns there are, and take those left over first. Here
 * the limit of four turns is computed so that it does not overflow: where i < limit - 3 step and
 * the step is positive, no i + step up to there does.
 *
 * Each use of a loop's value behind it must be a phi of the block behind it (LLVM's lcssa). */
#include <string.h>

#include "codegen/core/ir_util.h"
#include "codegen/opt/inner_loop.h"
#include "codegen/opt/passes.h"

enum { GLOBAL_MEMORY = 1 /* or, as 0, any */ };
enum {
    LEAST_TURNS = 2,
    FEW_TURNS = 4,
    MOST_TURNS = 32,
    SMALL_FUNCTION = 160,
    MAX_PHIS = 16,
    MAX_VALUES = 256
};

/* The new values of a turn's; blocks are values too. */
struct copy {
    int n;
    LLVMValueRef v_old[MAX_VALUES], v_new[MAX_VALUES];
};

/* What may be under way at once. */
struct room {
    int words, size;          /* of all turns */
    int turns, writing_turns; /* of loops that only read, that also write */
    bool constant_steps;
};

struct strided {
    struct ck_inner_loop loop;
    LLVMBasicBlockRef b_before, b_behind; /* the loop */
    LLVMBasicBlockRef b_enter, b_head;    /* before the turns taken together, first and each time */
    LLVMBasicBlockRef b_rest;             /* before the turns that are left */
    LLVMValueRef v_branch, v_position, v_step, v_limit;
    LLVMValueRef v_limit_of_all;   /* the first position from which they are not */
    bool writes;                   /* to memory */
    bool is_signed, steps_first;   /* before the position is compared with the limit */
    bool is_long;                  /* of turns taken together */
    int n_phis, n_words, turns;    /* words of 4 bytes are loaded in a turn */
    LLVMValueRef v_phis[MAX_PHIS]; /* the header's */
    LLVMValueRef v_heads[MAX_PHIS], v_rests[MAX_PHIS];
    struct copy copy;
};

/* --- Matching ----------------------------------------------------------------------------------
 */

/* The predicate under which a turn follows, with the position on the left. */
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
match_step(struct strided *strided, LLVMValueRef v_phi, LLVMValueRef v_next)
{
    if (!LLVMIsAInstruction(v_next) || LLVMGetInstructionOpcode(v_next) != LLVMAdd)
        return false;
    unsigned other = LLVMGetOperand(v_next, 0) == v_phi ? 1 : 0;
    strided->v_step = LLVMGetOperand(v_next, other);
    return LLVMGetOperand(v_next, 1 - other) == v_phi &&
           (!LLVMIsAConstant(strided->v_step) ||
            (LLVMIsAConstantInt(strided->v_step) && LLVMConstIntGetSExtValue(strided->v_step) > 1));
}

static LLVMValueRef
incoming_of(LLVMValueRef v_phi, LLVMBasicBlockRef b_from)
{
    unsigned i = 0;
    while (i + 1 < LLVMCountIncoming(v_phi) && LLVMGetIncomingBlock(v_phi, i) != b_from)
        i++;
    return LLVMGetIncomingValue(v_phi, i);
}

/* The header's phi that `v_tested` is, or is in the next turn; NULL: neither. */
static LLVMValueRef
position_of(const struct strided *strided, LLVMValueRef v_tested)
{
    LLVMBasicBlockRef b_header = strided->loop.b_header;
    LLVMValueRef v = LLVMGetFirstInstruction(b_header);
    while (LLVMIsAPHINode(v) && v != v_tested &&
           (LLVMCountIncoming(v) != 2 || incoming_of(v, strided->loop.b_latch) != v_tested))
        v = LLVMGetNextInstruction(v);
    return LLVMIsAPHINode(v) && LLVMCountIncoming(v) == 2 ? v : NULL;
}

/* The branch takes another turn if `v_tested` is less than `v_limit`. */
static bool
match_position(struct strided *strided, LLVMValueRef v_tested, LLVMValueRef v_limit)
{
    const LLVMBasicBlockRef b_header = strided->loop.b_header, b_latch = strided->loop.b_latch;
    LLVMValueRef v_test = LLVMGetCondition(strided->v_branch);
    LLVMValueRef v_position = position_of(strided, v_tested);
    if (!v_position || !match_step(strided, v_position, incoming_of(v_position, b_latch)))
        return false;
    const bool leaves = LLVMGetSuccessor(strided->v_branch, 0) != b_header;
    LLVMIntPredicate predicate =
        predicate_of(v_test, LLVMGetOperand(v_test, 1) == v_tested, leaves);
    strided->is_signed = predicate == LLVMIntSLT;
    strided->steps_first = v_tested != v_position;
    strided->v_position = v_position;
    strided->v_limit = v_limit;
    strided->b_before =
        LLVMGetIncomingBlock(v_position, LLVMGetIncomingBlock(v_position, 0) == b_latch ? 1 : 0);
    return predicate == LLVMIntSLT || predicate == LLVMIntULT;
}

/* The header is where the latch goes and has phis. */
static bool
match_header(struct strided *strided, unsigned to)
{
    strided->loop.b_header = LLVMGetSuccessor(strided->v_branch, to);
    strided->b_behind = LLVMGetSuccessor(strided->v_branch, 1 - to);
    LLVMValueRef v_test = LLVMGetCondition(strided->v_branch);
    LLVMValueRef v_left = LLVMGetOperand(v_test, 0), v_right = LLVMGetOperand(v_test, 1);
    return strided->b_behind != strided->loop.b_header &&
           (match_position(strided, v_left, v_right) || match_position(strided, v_right, v_left));
}

static bool
match_latch(struct strided *strided)
{
    strided->v_branch = ck_loop_branch(&strided->loop);
    return strided->v_branch && (match_header(strided, 0) || match_header(strided, 1));
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

/* Repeating it helps if it loads; what inlined functions say of their own pointers holds in one
 * turn only. */
static bool
is_worth_copying(struct strided *strided)
{
    const struct ck_inner_loop *loop = &strided->loop;
    int n = loop->n_blocks;
    for (int i = 0; i < loop->n_blocks; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(loop->blocks[i]);
        for (; v; v = LLVMGetNextInstruction(v)) {
            size_t length;
            n++;
            strided->writes |=
                LLVMIsAStoreInst(v) || LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v);
            if (LLVMIsALoadInst(v) &&
                LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0))) <= GLOBAL_MEMORY)
                strided->n_words += words_of(LLVMTypeOf(v));
            if (LLVMIsACallInst(v) &&
                strstr(LLVMGetValueName2(LLVMGetCalledValue(v), &length), "noalias"))
                return false;
        }
    }
    return strided->n_words && n <= MAX_VALUES;
}

static bool
match_phis(struct strided *strided)
{
    LLVMValueRef v = LLVMGetFirstInstruction(strided->loop.b_header);
    for (; LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        if (strided->n_phis == MAX_PHIS)
            return false;
        strided->v_phis[strided->n_phis++] = v;
    }
    return true;
}

static bool
match(struct strided *strided)
{
    struct ck_inner_loop *loop = &strided->loop;
    if (!match_latch(strided) || !ck_loop_find_blocks(loop) || !match_phis(strided))
        return false;
    LLVMValueRef v_enter = LLVMGetBasicBlockTerminator(strided->b_before);
    return LLVMIsABranchInst(v_enter) && !LLVMIsConditional(v_enter) &&
           !ck_loop_has(loop, strided->v_limit) && !ck_loop_has(loop, strided->v_step) &&
           is_worth_copying(strided);
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
begin_copy(struct ck_gen *gen, struct strided *strided, int turn)
{
    const struct ck_inner_loop *loop = &strided->loop;
    LLVMValueRef v_values[MAX_PHIS];
    for (int i = 0; i < strided->n_phis; i++) {
        LLVMValueRef v_next = incoming_of(strided->v_phis[i], loop->b_latch);
        v_values[i] = turn ? copied(&strided->copy, v_next) : strided->v_heads[i];
    }
    strided->copy.n = 0;
    for (int i = 0; i < strided->n_phis; i++)
        put(&strided->copy, strided->v_phis[i], v_values[i]);
    for (int i = 0; i < loop->n_blocks; i++) {
        LLVMBasicBlockRef b_new =
            LLVMInsertBasicBlockInContext(gen->llvm, strided->b_rest, "stride");
        put(&strided->copy, LLVMBasicBlockAsValue(loop->blocks[i]), LLVMBasicBlockAsValue(b_new));
    }
}

/* Instructions that are no copies have no line. */
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

/* Phis are filled when all their values are there. */
static void
copy_block(struct ck_gen *gen, struct strided *strided, LLVMBasicBlockRef b_old)
{
    at(gen, copied_block(&strided->copy, b_old));
    for (LLVMValueRef v = LLVMGetFirstInstruction(b_old); v; v = LLVMGetNextInstruction(v)) {
        LLVMValueRef v_new;
        if (LLVMIsAPHINode(v) && b_old == strided->loop.b_header)
            continue;
        if (LLVMIsAPHINode(v))
            v_new = LLVMBuildPhi(gen->builder, LLVMTypeOf(v), "");
        else if (v == strided->v_branch)
            continue;
        else
            LLVMInsertIntoBuilder(gen->builder, v_new = LLVMInstructionClone(v));
        put(&strided->copy, v, v_new);
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
fill_copy(const struct strided *strided)
{
    const struct copy *copy = &strided->copy;
    for (int i = strided->n_phis + strided->loop.n_blocks; i < copy->n; i++) {
        if (LLVMIsAPHINode(copy->v_old[i])) {
            fill_phi(copy, copy->v_old[i], copy->v_new[i]);
            continue;
        }
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(copy->v_new[i]); k++)
            LLVMSetOperand(copy->v_new[i], k, copied(copy, LLVMGetOperand(copy->v_old[i], k)));
    }
}

/* --- Putting together --------------------------------------------------------------------------
 */

/* The position must be less for as many turns as are taken together. They never are by a step that
 * is negative or a 32nd of what there are of numbers, by which MOST_TURNS could leave them. */
static LLVMValueRef
limit_of_all(struct ck_gen *gen, const struct strided *strided)
{
    LLVMTypeRef type = LLVMTypeOf(strided->v_limit);
    const unsigned width = LLVMGetIntTypeWidth(type);
    const unsigned n = (unsigned)strided->turns - (strided->steps_first ? 1 : 2);
    LLVMValueRef v_one = LLVMConstInt(type, 1, false);
    LLVMValueRef v_least = LLVMConstInt(type, strided->is_signed ? 1ull << (width - 1) : 0, false);
    LLVMValueRef v_small =
        l_compare(gen, LLVMIntULT, LLVMBuildSub(gen->builder, strided->v_step, v_one, ""),
                  LLVMConstInt(type, 1ull << (width - 5), false));
    LLVMValueRef v_way =
        LLVMBuildMul(gen->builder, strided->v_step, LLVMConstInt(type, n, false), "");
    LLVMValueRef args[] = {strided->v_limit, LLVMBuildAdd(gen->builder, v_least, v_way, "")};
    LLVMValueRef v_far =
        l_intrinsic(gen, strided->is_signed ? "llvm.smax" : "llvm.umax", type, args, 2);
    return l_select(gen, v_small, LLVMBuildSub(gen->builder, v_far, v_way, ""), v_least);
}

/* `v_phis`: a phi for each of the header's, which gets these values from a block. */
static void
begin_phis(struct ck_gen *gen, const struct strided *strided, LLVMValueRef *v_phis,
           const LLVMValueRef *v_values, LLVMBasicBlockRef b_from)
{
    for (int i = 0; i < strided->n_phis; i++) {
        LLVMValueRef v_value = v_values[i];
        v_phis[i] = LLVMBuildPhi(gen->builder, LLVMTypeOf(v_value), "");
        LLVMAddIncoming(v_phis[i], &v_value, &b_from, 1);
    }
}

/* To the turns that begin with this position, if they are taken together, or to the rest. */
static LLVMValueRef
go_on(struct ck_gen *gen, const struct strided *strided, LLVMValueRef v_position,
      LLVMBasicBlockRef b_turns)
{
    const LLVMIntPredicate predicate = strided->is_signed ? LLVMIntSLT : LLVMIntULT;
    LLVMValueRef v_all = l_compare(gen, predicate, v_position, strided->v_limit_of_all);
    return LLVMBuildCondBr(gen->builder, v_all, b_turns, strided->b_rest);
}

/* Between what is before the loop and its header. */
static void
insert_blocks(struct ck_gen *gen, struct strided *strided)
{
    LLVMBasicBlockRef b_header = strided->loop.b_header;
    strided->b_enter = LLVMInsertBasicBlockInContext(gen->llvm, b_header, "stride.enter");
    strided->b_head = LLVMInsertBasicBlockInContext(gen->llvm, b_header, "stride.head");
    strided->b_rest = LLVMInsertBasicBlockInContext(gen->llvm, b_header, "stride.rest");
    LLVMValueRef v_firsts[MAX_PHIS];
    for (int i = 0; i < strided->n_phis; i++)
        v_firsts[i] = incoming_of(strided->v_phis[i], strided->b_before);
    at(gen, strided->b_enter);
    if (strided->is_long)
        go_on(gen, strided, incoming_of(strided->v_position, strided->b_before), strided->b_head);
    else
        l_branch(gen, strided->b_head);
    at(gen, strided->b_head);
    begin_phis(gen, strided, strided->v_heads, v_firsts, strided->b_enter);
    at(gen, strided->b_rest);
    if (strided->is_long)
        begin_phis(gen, strided, strided->v_rests, v_firsts, strided->b_enter);
    else
        begin_phis(gen, strided, strided->v_rests, strided->v_heads, strided->b_head);
    l_branch(gen, b_header);
    LLVMSetSuccessor(LLVMGetBasicBlockTerminator(strided->b_before), 0, strided->b_enter);
}

/* A phi's blocks cannot be changed: each gets a successor. */
static void
replace_phis(struct ck_gen *gen, struct strided *strided)
{
    const struct ck_inner_loop *loop = &strided->loop;
    for (int i = 0; i < strided->n_phis; i++) {
        LLVMValueRef v_old = strided->v_phis[i];
        LLVMPositionBuilderBefore(gen->builder, v_old);
        LLVMValueRef v_new = LLVMBuildPhi(gen->builder, LLVMTypeOf(v_old), "");
        LLVMValueRef v_values[] = {strided->v_rests[i], incoming_of(v_old, loop->b_latch)};
        LLVMBasicBlockRef from[] = {strided->b_rest, loop->b_latch};
        LLVMAddIncoming(v_new, v_values, from, 2);
        LLVMReplaceAllUsesWith(v_old, v_new);
        LLVMInstructionEraseFromParent(v_old);
    }
}

/* From the last copy's end to the head again, to the turns that are left, or behind the loop. */
static void
close_turns(struct ck_gen *gen, struct strided *strided)
{
    const struct ck_inner_loop *loop = &strided->loop;
    const struct copy *copy = &strided->copy;
    LLVMBasicBlockRef b_last = copied_block(copy, loop->b_latch), b_again = b_last;
    if (strided->is_long)
        b_again = LLVMInsertBasicBlockInContext(gen->llvm, strided->b_rest, "stride.again");
    LLVMBasicBlockRef b_more = strided->is_long ? b_again : strided->b_head;
    bool stays = LLVMGetSuccessor(strided->v_branch, 0) == loop->b_header;
    at(gen, b_last);
    LLVMValueRef v_branch =
        LLVMBuildCondBr(gen->builder, copied(copy, LLVMGetCondition(strided->v_branch)),
                        stays ? b_more : strided->b_behind, stays ? strided->b_behind : b_more);
    if (strided->is_long) {
        at(gen, b_again);
        v_branch =
            go_on(gen, strided, copied(copy, incoming_of(strided->v_position, loop->b_latch)),
                  strided->b_head);
    }
    ck_loop_mark(gen, v_branch, "llvm.loop.unroll.disable", NULL);
    for (int i = 0; i < strided->n_phis; i++) {
        LLVMValueRef v_next = copied(copy, incoming_of(strided->v_phis[i], loop->b_latch));
        LLVMAddIncoming(strided->v_heads[i], &v_next, &b_again, 1);
        if (strided->is_long)
            LLVMAddIncoming(strided->v_rests[i], &v_next, &b_again, 1);
    }
    LLVMValueRef v = LLVMGetFirstInstruction(strided->b_behind);
    for (; LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        LLVMValueRef v_value = copied(copy, incoming_of(v, loop->b_latch));
        LLVMAddIncoming(v, &v_value, &b_last, 1);
    }
}

/* Whether more turns follow is asked where they begin. Of many turns together it is asked before
 * the first and at their end, so that the rest begins with phis: LLVM sees no relation to what was
 * before and makes no variables for the rest there, which take registers from the loads. */
static void
take_together(struct ck_gen *gen, struct strided *strided)
{
    const struct ck_inner_loop *loop = &strided->loop;
    strided->is_long = strided->turns > FEW_TURNS;
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(strided->b_before));
    strided->v_limit_of_all = limit_of_all(gen, strided);
    insert_blocks(gen, strided);
    LLVMBasicBlockRef b_end = strided->b_head;
    for (int turn = 0; turn < strided->turns; turn++) {
        begin_copy(gen, strided, turn);
        LLVMBasicBlockRef b_first = copied_block(&strided->copy, loop->b_header);
        at(gen, b_end);
        if (turn || strided->is_long)
            l_branch(gen, b_first);
        else
            go_on(gen, strided, copied(&strided->copy, strided->v_position), b_first);
        for (int i = 0; i < loop->n_blocks; i++)
            copy_block(gen, strided, loop->blocks[i]);
        fill_copy(strided);
        b_end = copied_block(&strided->copy, loop->b_latch);
    }
    close_turns(gen, strided);
    replace_phis(gen, strided);
}

bool
ck_gen_has_strided_loops(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            struct strided strided = {.loop.b_latch = b};
            if (match_latch(&strided))
                return true;
        }
    }
    return false;
}

/* A kernel's registers decide how many of its threads there can be, in a block and at once. Where
 * its author has said how many are wanted, the assembler keeps to it, and as many words may be
 * under way as nvcc has in a loop of known length; twice as many where all registers may be used,
 * which the assembler has to be told: it keeps fewer loads under way otherwise, for more blocks.
 * 64 KB for a multiprocessor are what an H200's memory needs. Other kernels should stay what they
 * are, for blocks of 1024 threads too: a few words, which take few registers, in small ones whose
 * blocks need not all be resident. Where a loop writes, no load of one turn passes what the turn
 * before wrote unless they are taken together. Loops counted by a constant, a block's share of
 * something, are LLVM's where blocks fill the GPU: 16 words of each thread are too many there. */
static struct room
room_of(struct ck_gen *gen, LLVMValueRef v_function)
{
    const struct ck_tfunc *tfunc = ck_gen_source_of(gen, v_function);
    if (tfunc && ck_gen_is_spacious(tfunc))
        return (struct room){.words = 32,
                             .size = 2 * CK_LOOP_MOST_UNROLLED,
                             .turns = MOST_TURNS,
                             .writing_turns = 4,
                             .constant_steps = true};
    if (tfunc && (tfunc->min_blocks > 0 || (tfunc->max_threads > 0 && tfunc->max_threads <= 512)) &&
        !tfunc->max_registers)
        return (struct room){.words = 16,
                             .size = CK_LOOP_MOST_UNROLLED,
                             .turns = 16,
                             .writing_turns = 4,
                             .constant_steps = ck_tfunc_has(tfunc, CK_EFFECT_GRID_BARRIER) ||
                                               tfunc->min_blocks > 0};
    if (tfunc && ck_tfunc_has(tfunc, CK_EFFECT_GRID_BARRIER))
        return (struct room){0};
    if (ck_ir_is_longer(LLVMGetFirstBasicBlock(v_function), SMALL_FUNCTION))
        return (struct room){0};
    return (struct room){.words = 4, .size = 32, .turns = 2, .writing_turns = 4};
}

/* 1 or less: as they are. */
static int
turns_at_once(const struct strided *strided, const struct room *room)
{
    int turns = strided->writes ? room->writing_turns : room->turns;
    while (turns > 1 &&
           (turns * strided->n_words > room->words || turns * strided->loop.size > room->size))
        turns /= 2;
    return turns;
}

/* So many turns at once, then a few of those that are left. */
static void
unroll(struct ck_gen *gen, const struct room *room, LLVMBasicBlockRef b_latch)
{
    struct strided strided = {.loop.b_latch = b_latch}, rest = strided;
    if (!match(&strided))
        return;
    strided.turns = turns_at_once(&strided, room);
    if (strided.turns <= 1 ||
        (LLVMIsAConstant(strided.v_step) &&
         (!room->constant_steps || strided.loop.size >= CK_LOOP_LEAST_MODERATE)))
        return;
    take_together(gen, &strided);
    rest.turns = strided.turns > 2 * LEAST_TURNS ? strided.turns / 4 : LEAST_TURNS;
    const int most = room->size > CK_LOOP_MOST_UNROLLED ? room->size : CK_LOOP_MOST_UNROLLED;
    if (strided.turns > LEAST_TURNS &&
        (strided.turns + rest.turns + 1) * strided.loop.size <= most && match(&rest))
        take_together(gen, &rest);
    ck_loop_mark(gen, strided.v_branch, "llvm.loop.unroll.disable", NULL);
}

void
ck_gen_unroll_strided_loops(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        const struct room room = room_of(gen, v);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b))
            unroll(gen, &room, b);
    }
}
