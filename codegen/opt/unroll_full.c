/* Full unrolling of loops with a constant trip count: docs/adr/031.
 *
 * The trip count is found by execution: of the values that the loop's test depends on, all begin as
 * constants. So a counter may be doubled, halved or shifted as well as increased. LLVM finds the
 * same counts, but unrolls only short bodies.
 *
 * An instruction is folded if it becomes a constant in each copy of the body. A divisor that is
 * folded makes shifts, masks or products of divisions; such loops may be longer. A loop that
 * contains another one is unrolled if that makes divisions cheaper or the inner trip counts
 * constants. Inner loops are unrolled first, or in the next round. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/const_trips.h"
#include "codegen/opt/inner_loop.h"
#include "codegen/opt/passes.h"
#include "codegen/opt/run_passes.h"

enum {
    MAX_DEPTH = 8,         /* of operations of an inner loop's test */
    MAX_BLOCKS = 128,      /* of a loop */
    MAX_INSTRUCTIONS = 512 /* of a loop that are folded */
};
/* Instructions of all copies of a body. The first limit grows with the share that is folded, by up
 * to MAX_BOOST, as in LLVM; its value is nvcc's. */
enum { MAX_SIZE = 464, MAX_BOOST = 4, MAX_SIZE_WITH_DIVISION = 4096 };
enum { MAX_GROWTH = 8192 /* of a function */, MAX_ROUNDS = 4, MAX_SUMS = 24 /* of one term */ };

static const char unroll_marked[] = "loop(loop-unroll-full)";
static const char simplify_copies[] = "early-cse,simplifycfg";
/* Makes shifts and masks of divisions, too. */
static const char simplify_divisions[] = "early-cse,instcombine<no-verify-fixpoint>,simplifycfg";

struct const_loop {
    struct const_loop *next;
    struct ck_const_trips trips;
    LLVMBasicBlockRef blocks[MAX_BLOCKS];
    int n_blocks;
    LLVMValueRef folded[MAX_INSTRUCTIONS];
    int n_folded;
    int size;        /* of the body, without folded instructions */
    int rolled_size; /* with them */
    int most_sums;   /* that share a term */
    bool has_cheaper_division, has_inner, has_known_inner;
};

/* --- The body --- */

static int
block_index(const struct const_loop *loop, LLVMBasicBlockRef block)
{
    int i = 0;
    while (i < loop->n_blocks && loop->blocks[i] != block)
        i++;
    return i < loop->n_blocks ? i : -1;
}

static bool
add_block(struct const_loop *loop, LLVMBasicBlockRef block)
{
    if (block_index(loop, block) >= 0)
        return true;
    if (loop->n_blocks == MAX_BLOCKS)
        return false;
    loop->blocks[loop->n_blocks++] = block;
    return true;
}

/* Finds the natural loop: the blocks that reach the latch without passing through the header. */
static bool
find_blocks(struct const_loop *loop)
{
    loop->blocks[0] = loop->trips.b_header;
    loop->n_blocks = 1;
    if (!add_block(loop, loop->trips.b_latch))
        return false;
    for (int i = 1; i < loop->n_blocks; i++) {
        LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(loop->blocks[i]));
        if (!use) /* the function's entry */
            return false;
        for (; use; use = LLVMGetNextUse(use)) {
            LLVMValueRef v_user = LLVMGetUser(use);
            if (!LLVMIsATerminatorInst(v_user) ||
                !add_block(loop, LLVMGetInstructionParent(v_user)))
                return false;
        }
    }
    return true;
}

static bool
is_folded(const struct const_loop *loop, LLVMValueRef v)
{
    if (LLVMIsAConstant(v))
        return true;
    int i = loop->n_folded - 1;
    while (i >= 0 && loop->folded[i] != v)
        i--;
    return i >= 0;
}

static bool
has_folded_operands(const struct const_loop *loop, LLVMValueRef v)
{
    if (!LLVMIsABinaryOperator(v) && !LLVMIsACastInst(v) && !LLVMIsAICmpInst(v) &&
        !LLVMIsASelectInst(v))
        return false;
    int i = 0;
    while (i < LLVMGetNumOperands(v) && is_folded(loop, LLVMGetOperand(v, (unsigned)i)))
        i++;
    return i == LLVMGetNumOperands(v);
}

/* Whether a divisor is folded: itself, or the greater of it and 1. */
static bool
is_folded_divisor(const struct const_loop *loop, LLVMValueRef v)
{
    if (LLVMIsACallInst(v))
        v = LLVMGetOperand(v, 0);
    return !LLVMIsAConstant(v) && is_folded(loop, v);
}

/* How many sums of the loop have the term. */
static int
count_sums(const struct const_loop *loop, LLVMValueRef v_term)
{
    int n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(v_term); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v_user = LLVMGetUser(use);
        n += LLVMIsABinaryOperator(v_user) && LLVMGetInstructionOpcode(v_user) == LLVMAdd &&
             block_index(loop, LLVMGetInstructionParent(v_user)) >= 0;
    }
    return n;
}

/* Counts the sums that share a term from outside of the loop: its copies share it too. */
static void
scan_sum(struct const_loop *loop, LLVMValueRef v)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v_term = LLVMGetOperand(v, i);
        const bool is_outside =
            LLVMIsAArgument(v_term) ||
            (LLVMIsAInstruction(v_term) && block_index(loop, LLVMGetInstructionParent(v_term)) < 0);
        const int n = is_outside ? count_sums(loop, v_term) : 0;
        loop->most_sums = n > loop->most_sums ? n : loop->most_sums;
    }
}

static void
scan_instruction(struct const_loop *loop, LLVMValueRef v)
{
    loop->rolled_size += !LLVMIsAPHINode(v);
    if (ck_trips_counter(&loop->trips, v) >= 0 || has_folded_operands(loop, v) ||
        (v == loop->trips.v_branch && is_folded(loop, LLVMGetCondition(v)))) {
        if (loop->n_folded < MAX_INSTRUCTIONS)
            loop->folded[loop->n_folded++] = v;
        return;
    }
    if (LLVMIsAPHINode(v))
        return;
    loop->size++;
    if (LLVMGetInstructionOpcode(v) == LLVMAdd)
        scan_sum(loop, v);
    loop->has_cheaper_division |=
        ck_ir_is_division(v) && is_folded_divisor(loop, LLVMGetOperand(v, 1));
}

/* Whether a value is a constant in each iteration of an inner loop, once the outer loop is
 * unrolled. The inner loop's counters are phis that begin as constants. Sets whether the outer
 * loop's counters take part. */
static bool
is_known_inside(const struct const_loop *loop, LLVMBasicBlockRef b_latch, LLVMValueRef v, int depth,
                bool *depends)
{
    if (is_folded(loop, v)) {
        *depends |= !LLVMIsAConstant(v);
        return true;
    }
    if (depth == 0 || !LLVMIsAInstruction(v))
        return false;
    if (LLVMIsAPHINode(v)) {
        if (LLVMCountIncoming(v) != 2)
            return false;
        const unsigned first = LLVMGetIncomingBlock(v, 0) == b_latch;
        return LLVMGetIncomingBlock(v, 1 - first) == b_latch &&
               is_known_inside(loop, b_latch, LLVMGetIncomingValue(v, first), 0, depends);
    }
    if (!ck_trips_evaluates(v))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        if (!is_known_inside(loop, b_latch, LLVMGetOperand(v, (unsigned)i), depth - 1, depends))
            return false;
    }
    return true;
}

/* Whether the block ends in the test of an inner loop whose trip count becomes a constant. */
static bool
is_latch_of_known(const struct const_loop *loop, LLVMBasicBlockRef b)
{
    LLVMValueRef v_end = LLVMGetBasicBlockTerminator(b);
    if (b == loop->trips.b_latch || !LLVMIsABranchInst(v_end) || !LLVMIsConditional(v_end))
        return false;
    LLVMValueRef v_test = LLVMGetCondition(v_end);
    bool depends = false;
    return !is_folded(loop, v_test) && is_known_inside(loop, b, v_test, MAX_DEPTH, &depends) &&
           depends;
}

/* Whether the body has a cycle: removes blocks without remaining successors until nothing changes.
 */
static bool
has_inner_loop(const struct const_loop *loop)
{
    bool is_left[MAX_BLOCKS];
    int n_left = loop->n_blocks, before = 0;
    for (int i = 0; i < loop->n_blocks; i++)
        is_left[i] = true;
    while (n_left != before) {
        before = n_left;
        for (int i = 0; i < loop->n_blocks; i++) {
            LLVMValueRef v_end = LLVMGetBasicBlockTerminator(loop->blocks[i]);
            bool has_successor = false;
            for (unsigned k = 0; k < LLVMGetNumSuccessors(v_end); k++) {
                LLVMBasicBlockRef b = LLVMGetSuccessor(v_end, k);
                const int to = b == loop->trips.b_header ? -1 : block_index(loop, b);
                has_successor |= to >= 0 && is_left[to];
            }
            if (is_left[i] && !has_successor) {
                is_left[i] = false;
                n_left--;
            }
        }
    }
    return n_left > 0;
}

static void
scan_body(struct const_loop *loop)
{
    LLVMValueRef v_function = LLVMGetBasicBlockParent(loop->trips.b_header);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function); b;
         b = LLVMGetNextBasicBlock(b)) {
        if (block_index(loop, b) < 0)
            continue;
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
            scan_instruction(loop, v);
    }
    loop->has_inner = has_inner_loop(loop);
    for (int i = 0; i < loop->n_blocks && loop->has_inner; i++)
        loop->has_known_inner |= is_latch_of_known(loop, loop->blocks[i]);
}

/* --- The pass --- */

static bool
is_worth_unrolling(const struct const_loop *loop)
{
    if (loop->has_inner && !loop->has_known_inner && !loop->has_cheaper_division)
        return false;
    const int trips = loop->trips.trips;
    if (trips == 1 || trips * loop->most_sums > MAX_SUMS)
        return false;
    const int unrolled = trips * loop->size, rolled = trips * loop->rolled_size;
    if (loop->has_cheaper_division)
        return unrolled <= MAX_SIZE_WITH_DIVISION;
    return unrolled <= MAX_BOOST * MAX_SIZE && unrolled * unrolled <= MAX_SIZE * rolled;
}

/* Finds the loop of a latch if it is to be unrolled. */
static bool
find_loop(struct const_loop *loop, LLVMBasicBlockRef b_latch)
{
    *loop = (struct const_loop){.trips.b_latch = b_latch};
    const struct ck_inner_loop end = {.b_latch = b_latch};
    loop->trips.v_branch = ck_loop_branch(&end);
    if (!loop->trips.v_branch || !ck_trips_count(&loop->trips) || !find_blocks(loop))
        return false;
    scan_body(loop);
    return is_worth_unrolling(loop);
}

/* Whether the loop contains the header of another one of the loops. */
static bool
contains_another(const struct const_loop *loop, const struct const_loop *loops)
{
    for (; loops; loops = loops->next) {
        if (loops->trips.b_header != loop->trips.b_header &&
            block_index(loop, loops->trips.b_header) >= 0)
            return true;
    }
    return false;
}

/* The loops of a function that are to be unrolled. */
static struct const_loop *
find_loops(struct ck_gen *gen, LLVMValueRef v_function)
{
    struct const_loop *loops = NULL, *loop = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function); b;
         b = LLVMGetNextBasicBlock(b)) {
        if (!loop)
            loop = CK_NEW(&gen->arena, struct const_loop);
        if (!find_loop(loop, b))
            continue;
        loop->next = loops;
        loops = loop;
        loop = NULL;
    }
    return loops;
}

/* What is unrolled in a function. */
struct unrolled {
    int growth; /* in instructions */
    bool has_cheaper_division;
};

/* Marks the innermost ones. */
static void
mark_loops(struct ck_gen *gen, LLVMValueRef v_function, struct unrolled *unrolled)
{
    struct ck_arena_mark mark = ck_arena_mark(&gen->arena);
    struct const_loop *loops = find_loops(gen, v_function);
    for (struct const_loop *loop = loops; loop; loop = loop->next) {
        const int added = (loop->trips.trips - 1) * loop->size;
        if (unrolled->growth + added > MAX_GROWTH || contains_another(loop, loops))
            continue;
        unrolled->growth += added;
        unrolled->has_cheaper_division |= loop->has_cheaper_division;
        ck_loop_mark(gen, loop->trips.v_branch, CK_LOOP_FULL, NULL);
    }
    ck_arena_release(&gen->arena, mark);
}

static void
unroll(struct ck_gen *gen, LLVMValueRef v_function)
{
    struct unrolled unrolled = {0};
    for (int round = 0; round < MAX_ROUNDS; round++) {
        const int before = unrolled.growth;
        mark_loops(gen, v_function, &unrolled);
        if (unrolled.growth == before)
            break;
        ck_run_llvm_on(gen, v_function, unroll_marked);
    }
    if (unrolled.has_cheaper_division)
        ck_run_llvm_on(gen, v_function, simplify_divisions);
    else if (unrolled.growth > 0)
        ck_run_llvm_on(gen, v_function, simplify_copies);
}

void
ck_gen_unroll_fully(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        if (LLVMGetFirstBasicBlock(v))
            unroll(gen, v);
    }
}
