/* Tests of loops in 32 bits: docs/adr/053.
 *
 * A counter from which addresses of global memory are computed has 64 bits. LLVM's code generator
 * replaces it in the addresses by pointers, and keeps it for the loop's test: two instructions for
 * each sum and comparison, and four registers. Where the counter and its bound fit in 32 bits, this
 * pass lets the loop test a counter of its own. Inline assembly increments it, because otherwise
 * LLVM's strength reduction would compute it from the other counter again, and the assembler, which
 * looks for a counter in the test, would not unroll the loop.
 *
 * Runs after LLVM's passes. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"
#include "codegen/opt/counted_loop.h"
#include "codegen/opt/value_range.h"

struct tested_loop {
    struct ck_counted_loop counted;
    LLVMValueRef v_branch, v_test, v_next;
    LLVMBasicBlockRef b_exit; /* NULL: it has other predecessors than the latch */
};

/* Whether all users of a value are addresses. */
static bool
is_only_in_addresses(LLVMValueRef v)
{
    LLVMUseRef use = LLVMGetFirstUse(v);
    while (use && LLVMIsAGetElementPtrInst(LLVMGetUser(use)))
        use = LLVMGetNextUse(use);
    return !use;
}

/* Whether a user of the counter or of its next value belongs to the loop's control, to addresses,
 * or, of the next value, to the code after the loop. */
static bool
may_use(const struct tested_loop *loop, LLVMValueRef v_counter, LLVMValueRef v_user)
{
    if (v_user == loop->v_next || v_user == loop->v_test || v_user == loop->counted.v_counter ||
        LLVMIsAGetElementPtrInst(v_user))
        return true;
    if (!ck_loop_has(&loop->counted.loop, v_user))
        return v_counter == loop->v_next && loop->b_exit;
    const LLVMOpcode opcode = ck_ir_opcode(v_user);
    return (opcode == LLVMAdd || opcode == LLVMOr) &&
           LLVMIsAConstantInt(LLVMGetOperand(v_user, 1)) && is_only_in_addresses(v_user);
}

static bool
is_used_for_addresses(const struct tested_loop *loop, LLVMValueRef v)
{
    LLVMUseRef use = LLVMGetFirstUse(v);
    while (use && may_use(loop, v, LLVMGetUser(use)))
        use = LLVMGetNextUse(use);
    return !use;
}

/* Whether a value fits in 32 bits, and its sum with a step too. */
static bool
fits(const struct ck_gen *gen, LLVMValueRef v, int64_t step)
{
    return ck_value_range_is_within(ck_value_range_of(gen, v), INT32_MIN, INT32_MAX - step);
}

/* The successor of a latch that has no other predecessor; NULL: none. */
static LLVMBasicBlockRef
own_exit(LLVMValueRef v_branch)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMBasicBlockRef b = LLVMGetSuccessor(v_branch, i);
        if (!LLVMGetNextUse(LLVMGetFirstUse(LLVMBasicBlockAsValue(b))))
            return b;
    }
    return NULL;
}

/* Whether the innermost loop of latch `b` continues while its next position, i64, is below a bound.
 */
static bool
match(const struct ck_gen *gen, struct tested_loop *loop, LLVMBasicBlockRef b)
{
    struct ck_counted_loop *counted = &loop->counted;
    *loop =
        (struct tested_loop){.counted.loop.b_latch = b, .v_branch = LLVMGetBasicBlockTerminator(b)};
    if (!LLVMIsABranchInst(loop->v_branch) || !LLVMIsConditional(loop->v_branch))
        return false;
    loop->v_test = LLVMGetCondition(loop->v_branch);
    if (!LLVMIsAICmpInst(loop->v_test) || LLVMTypeOf(LLVMGetOperand(loop->v_test, 0)) != gen->t_i64)
        return false;
    loop->v_next = LLVMGetOperand(loop->v_test, 0);
    loop->b_exit = own_exit(loop->v_branch);
    return !LLVMIsAPHINode(loop->v_next) &&
           ck_loop_counts(counted, loop->v_branch, loop->v_next, LLVMGetOperand(loop->v_test, 1)) &&
           ck_loop_find_blocks(&counted->loop) && !ck_loop_has(&counted->loop, counted->v_bound);
}

/* Whether the test can be one of 32 bits. */
static bool
is_short(const struct ck_gen *gen, const struct tested_loop *loop)
{
    const struct ck_counted_loop *counted = &loop->counted;
    const bool is_true = LLVMGetSuccessor(loop->v_branch, 0) == counted->loop.b_header;
    return LLVMGetICmpPredicate(loop->v_test) == (is_true ? LLVMIntSLT : LLVMIntSGE) &&
           counted->step > 0 && counted->step < INT32_MAX &&
           fits(gen, counted->v_first, counted->step) &&
           fits(gen, counted->v_bound, counted->step) &&
           is_used_for_addresses(loop, counted->v_counter) &&
           is_used_for_addresses(loop, loop->v_next);
}

static LLVMValueRef
low_half_at_end(struct ck_gen *gen, LLVMValueRef v, LLVMBasicBlockRef b)
{
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(b));
    return ck_ir_low_half(gen, v);
}

/* The extended short counter, after the loop. */
static LLVMValueRef
extended_at_exit(struct ck_gen *gen, const struct tested_loop *loop, LLVMValueRef v_short)
{
    LLVMValueRef v = LLVMGetFirstInstruction(loop->b_exit);
    LLVMPositionBuilderBefore(gen->builder, LLVMIsAPHINode(v) ? ck_ir_after(v) : v);
    return LLVMBuildSExt(gen->builder, v_short, gen->t_i64, "");
}

/* Lets the code after the loop use the short counter. */
static void
replace_at_exit(struct ck_gen *gen, const struct tested_loop *loop, LLVMValueRef v_short)
{
    LLVMValueRef v_long = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(loop->v_next), next; use; use = next) {
        LLVMValueRef v_user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (ck_loop_has(&loop->counted.loop, v_user))
            continue;
        if (!v_long)
            v_long = extended_at_exit(gen, loop, v_short);
        if (LLVMIsAPHINode(v_user) && LLVMGetInstructionParent(v_user) == loop->b_exit)
            LLVMReplaceAllUsesWith(v_user, v_long);
        else
            ck_ir_replace_operand(v_user, loop->v_next, v_long);
    }
}

static void
shorten(struct ck_gen *gen, struct tested_loop *loop)
{
    const struct ck_counted_loop *counted = &loop->counted;
    LLVMBasicBlockRef b_header = counted->loop.b_header, b_latch = counted->loop.b_latch;
    const unsigned first = LLVMGetIncomingBlock(counted->v_counter, 0) == b_latch ? 1 : 0;
    LLVMBasicBlockRef b_before = LLVMGetIncomingBlock(counted->v_counter, first);
    LLVMValueRef v_first = low_half_at_end(gen, counted->v_first, b_before);
    LLVMValueRef v_bound = low_half_at_end(gen, counted->v_bound, b_before);
    LLVMPositionBuilderBefore(gen->builder, LLVMGetFirstInstruction(b_header));
    LLVMValueRef v_phi = LLVMBuildPhi(gen->builder, gen->t_i32, "");
    LLVMPositionBuilderBefore(gen->builder, loop->v_test);
    LLVMValueRef args[] = {v_phi, l_i32(gen, counted->step)};
    LLVMValueRef v_next =
        ck_nvptx_asm(gen, false, "add.s32 $0, $1, $2;", "=r,r,n", gen->t_i32, args, 2);
    LLVMAddIncoming(v_phi, (LLVMValueRef[]){v_first, v_next},
                    (LLVMBasicBlockRef[]){b_before, b_latch}, 2);
    LLVMReplaceAllUsesWith(loop->v_test,
                           l_compare(gen, LLVMGetICmpPredicate(loop->v_test), v_next, v_bound));
    LLVMInstructionEraseFromParent(loop->v_test);
    replace_at_exit(gen, loop, v_next);
}

void
ck_nvptx_shorten_tests(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            struct tested_loop loop;
            if (match(gen, &loop, b) && is_short(gen, &loop))
                shorten(gen, &loop);
        }
    }
}
