/* Hides counters from LLVM where it would compute a trip count in 128 bits.
 *
 * `while v <= bound: v += 7` ends at bound + 1, which may not fit in 64 bits. If the counter does
 * not overflow, LLVM's ScalarEvolution doubles the width of such a test, and divides the distance
 * by the step. An unrolled loop then begins with a 128-bit division, and loop-reduce, in the back
 * end, makes one of each value that a counter has after the loop: too late for it to be expanded.
 *
 * Runs before unrolling, and after all passes, which may make `v < bound + 1` such a test, on loops
 * whose counters are used after the loop. */
#include <limits.h>

#include "codegen/core/ir_util.h"
#include "codegen/opt/counted_loop.h"
#include "codegen/opt/passes.h"
#include "codegen/opt/trip_bounds.h"

enum { MAX_DEPTH = 8 /* of operations, and of the parts of a condition */ };

/* The edge of a branch on which a loop goes on. */
struct edge {
    struct ck_gen *gen;
    LLVMValueRef v_branch;
    unsigned successor;
    bool must_outlive; /* counters of the loop must be used after it */
};

/* --- Loops -------------------------------------------------------------------------------------
 */

struct blocks {
    LLVMBasicBlockRef *all;
    int n, capacity;
    struct ck_index index; /* of all, by address */
};

static bool
has_block(const struct blocks *blocks, LLVMBasicBlockRef b)
{
    int i = ck_index_first(&blocks->index, ck_hash_pointer(b));
    while (i >= 0 && blocks->all[i] != b)
        i = ck_index_next(&blocks->index, i);
    return i >= 0;
}

static void
add_block(struct ck_gen *gen, struct blocks *blocks, LLVMBasicBlockRef b)
{
    if (has_block(blocks, b))
        return;
    CK_PUSH(&gen->arena, blocks->all, blocks->n, blocks->capacity, b);
    ck_index_add(&gen->arena, &blocks->index, ck_hash_pointer(b));
}

/* Adds the blocks that reach `b` without passing through the header, which counts as one of them.
 * False: the function's entry does, so that `b` is no latch of the header. */
static bool
add_body(struct ck_gen *gen, struct blocks *body, LLVMBasicBlockRef b_header, LLVMBasicBlockRef b)
{
    add_block(gen, body, b_header);
    add_block(gen, body, b);
    for (int i = 1; i < body->n; i++) {
        if (body->all[i] == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(b)))
            return false;
        LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(body->all[i]));
        for (; use; use = LLVMGetNextUse(use)) {
            if (LLVMIsATerminatorInst(LLVMGetUser(use)))
                add_block(gen, body, LLVMGetInstructionParent(LLVMGetUser(use)));
        }
    }
    return true;
}

static bool
is_in(const struct blocks *body, LLVMValueRef v)
{
    return LLVMIsAInstruction(v) && has_block(body, LLVMGetInstructionParent(v));
}

/* --- Counters ----------------------------------------------------------------------------------
 */

static bool
computes(LLVMValueRef v)
{
    return LLVMIsABinaryOperator(v) || LLVMIsACastInst(v);
}

/* Whether a value is computed from a phi. */
static bool
is_computed_from(LLVMValueRef v, LLVMValueRef v_phi, int depth)
{
    if (v == v_phi)
        return true;
    if (depth == 0 || (!computes(v) && !LLVMIsAGetElementPtrInst(v)))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        if (is_computed_from(LLVMGetOperand(v, (unsigned)i), v_phi, depth - 1))
            return true;
    }
    return false;
}

static bool
is_counter(LLVMValueRef v_phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(v_phi); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(v_phi, i);
        if (v != v_phi && is_computed_from(v, v_phi, MAX_DEPTH))
            return true;
    }
    return false;
}

/* Whether a value grows or decreases by 1 in each iteration, so that nothing is divided, or by a
 * power of 2, so that it is shifted. */
static bool
counts_by_power(LLVMValueRef v, long long most)
{
    long long step = 0;
    while (LLVMIsACastInst(v))
        v = LLVMGetOperand(v, 0);
    LLVMValueRef v_phi = ck_loop_counter_of(v, &step);
    for (unsigned i = 0; v_phi && i < LLVMCountIncoming(v_phi); i++) {
        if (LLVMGetIncomingValue(v_phi, i) == v_phi ||
            ck_loop_counter_of(LLVMGetIncomingValue(v_phi, i), &step) != v_phi)
            continue;
        const unsigned long long by =
            step < 0 ? -(unsigned long long)step : (unsigned long long)step;
        return (by & (by - 1)) == 0 && by <= (unsigned long long)most;
    }
    return false;
}

/* Whether an instruction adds to a value what does not change in the loop. */
static bool
steps(const struct blocks *body, LLVMValueRef v, LLVMValueRef v_from)
{
    if (ck_ir_opcode(v) != LLVMAdd && ck_ir_opcode(v) != LLVMSub && !LLVMIsAGetElementPtrInst(v))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        LLVMValueRef v_operand = LLVMGetOperand(v, (unsigned)i);
        if (v_operand != v_from && is_in(body, v_operand))
            return false;
    }
    return true;
}

/* Whether a value is a phi's plus what does not change in the loop. */
static bool
is_stepped(const struct blocks *body, LLVMValueRef v, LLVMValueRef v_phi, int depth)
{
    if (v == v_phi || depth == 0)
        return true;
    for (int i = 0; is_in(body, v) && i < LLVMGetNumOperands(v); i++) {
        LLVMValueRef v_from = LLVMGetOperand(v, (unsigned)i);
        if (steps(body, v, v_from) && is_stepped(body, v_from, v_phi, depth - 1))
            return true;
    }
    return false;
}

static bool
has_constant_step(const struct blocks *body, LLVMValueRef v_phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(v_phi); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(v_phi, i);
        if (v != v_phi && is_stepped(body, v, v_phi, MAX_DEPTH))
            return true;
    }
    return false;
}

/* Whether a counter's value, or one that steps from it, is used after the loop. */
static bool
outlives(const struct blocks *body, LLVMValueRef v, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v_user = LLVMGetUser(use);
        if (!is_in(body, v_user) ||
            (depth > 0 && steps(body, v_user, v) && outlives(body, v_user, depth - 1)))
            return true;
    }
    return false;
}

static bool
any_counter_outlives(const struct blocks *body, LLVMBasicBlockRef b_header)
{
    LLVMValueRef v = LLVMGetFirstInstruction(b_header);
    for (; LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        if (has_constant_step(body, v) && outlives(body, v, MAX_DEPTH))
            return true;
    }
    return false;
}

/* --- Tests -------------------------------------------------------------------------------------
 */

/* Whether the loop of a counter goes on by an edge, and may end by the branch's other one. */
static bool
goes_on(const struct edge *edge, LLVMValueRef v_phi)
{
    bool does = false;
    LLVMBasicBlockRef b_header = LLVMGetInstructionParent(v_phi);
    for (unsigned i = 0; i < LLVMCountIncoming(v_phi) && !does; i++) {
        const struct ck_arena_mark mark = ck_arena_mark(&edge->gen->arena);
        struct blocks body = {.n = 0};
        does = add_body(edge->gen, &body, b_header, LLVMGetIncomingBlock(v_phi, i)) &&
               is_in(&body, edge->v_branch) &&
               has_block(&body, LLVMGetSuccessor(edge->v_branch, edge->successor)) &&
               !has_block(&body, LLVMGetSuccessor(edge->v_branch, 1 - edge->successor)) &&
               (!edge->must_outlive || any_counter_outlives(&body, b_header));
        ck_arena_release(&edge->gen->arena, mark);
    }
    return does;
}

/* Whether a value is computed from the counter of a loop that goes on by the edge. */
static bool
counts_for(const struct edge *edge, LLVMValueRef v, int depth)
{
    if (LLVMIsAPHINode(v))
        return is_counter(v) && goes_on(edge, v);
    if (depth == 0 || !computes(v))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        if (counts_for(edge, LLVMGetOperand(v, (unsigned)i), depth - 1))
            return true;
    }
    return false;
}

/* Hides the counter of a test by which the loop goes on if the counter equals its bound. One that
 * is a constant is not the largest integer: every value would pass. */
static void
visit_test(const struct edge *edge, LLVMValueRef v_test, bool is_true)
{
    struct ck_gen *gen = edge->gen;
    struct ck_value_order order;
    if (LLVMTypeOf(LLVMGetOperand(v_test, 0)) != gen->t_i64 ||
        LLVMIsAConstantInt(LLVMGetOperand(v_test, 1)) ||
        !ck_value_order_of(v_test, is_true, &order) || order.is_strict)
        return;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v = LLVMGetOperand(v_test, i);
        if (counts_by_power(v, edge->must_outlive ? LLONG_MAX : 1) ||
            !counts_for(edge, v, MAX_DEPTH))
            continue;
        LLVMPositionBuilderBefore(gen->builder, v_test);
        LLVMSetOperand(v_test, i, gen->target->memory->hidden(gen, v));
    }
}

/* Visits the parts of a condition that is true or false on the edge: of `and`, `or`, the selects
 * that stand for them, and `not`. */
static void
visit_condition(const struct edge *edge, LLVMValueRef v, bool is_true, int depth)
{
    const LLVMOpcode opcode = ck_ir_opcode(v);
    if (LLVMIsAICmpInst(v)) {
        visit_test(edge, v, is_true);
    } else if (depth > 0 && (opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor ||
                             opcode == LLVMSelect)) {
        for (int i = 0; i < LLVMGetNumOperands(v); i++)
            visit_condition(edge, LLVMGetOperand(v, (unsigned)i), is_true != (opcode == LLVMXor),
                            depth - 1);
    }
}

static void
visit_branches(struct ck_gen *gen, LLVMValueRef v_function, bool must_outlive)
{
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        struct edge edge = {
            .gen = gen, .v_branch = LLVMGetBasicBlockTerminator(b), .must_outlive = must_outlive};
        if (!LLVMIsABranchInst(edge.v_branch) || !LLVMIsConditional(edge.v_branch))
            continue;
        /* The first successor is taken if the condition is true. */
        for (; edge.successor < 2; edge.successor++)
            visit_condition(&edge, LLVMGetCondition(edge.v_branch), edge.successor == 0, MAX_DEPTH);
    }
}

static void
hide(struct ck_gen *gen, bool must_outlive)
{
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f))
        visit_branches(gen, f, must_outlive);
}

void
ck_gen_hide_wide_trips(struct ck_gen *gen)
{
    hide(gen, false);
}

void
ck_gen_hide_wide_exits(struct ck_gen *gen)
{
    hide(gen, true);
}
