/* Finds innermost loops with a constant step: see counted_loop.h. */
#include "codegen/opt/counted_loop.h"

#include <limits.h>

#include "codegen/core/ir_util.h"

/* LLVM's address space; 0 is the generic one. */
enum { SPACE_GLOBAL = 1 };

LLVMValueRef
ck_loop_counter_of(LLVMValueRef v_value, long long *step)
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

bool
ck_loop_counts(struct ck_counted_loop *counted, LLVMValueRef v_branch, LLVMValueRef v_counted,
               LLVMValueRef v_bound)
{
    struct ck_inner_loop *loop = &counted->loop;
    LLVMValueRef v_phi = ck_loop_counter_of(v_counted, &counted->step);
    if (!v_phi)
        return false;
    loop->b_header = LLVMGetInstructionParent(v_phi);
    unsigned from_latch = LLVMGetIncomingBlock(v_phi, 0) == loop->b_latch ? 0 : 1;
    counted->v_counter = v_phi;
    counted->v_first = LLVMGetIncomingValue(v_phi, 1 - from_latch);
    counted->v_bound = v_bound;
    return LLVMGetIncomingBlock(v_phi, from_latch) == loop->b_latch &&
           ck_loop_counter_of(LLVMGetIncomingValue(v_phi, from_latch), &counted->step) == v_phi &&
           (LLVMGetSuccessor(v_branch, 0) == loop->b_header ||
            LLVMGetSuccessor(v_branch, 1) == loop->b_header);
}

LLVMValueRef
ck_loop_other_counter(const struct ck_counted_loop *counted)
{
    LLVMValueRef v = LLVMGetFirstInstruction(counted->loop.b_header);
    for (; LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        LLVMValueRef v_next = ck_ir_incoming(v, counted->loop.b_latch);
        long long step = 0;
        if (v != counted->v_counter && LLVMTypeOf(v) == LLVMTypeOf(counted->v_counter) &&
            ck_loop_counter_of(v_next, &step) == v && step == counted->step && LLVMGetNUW(v_next))
            return v;
    }
    return NULL;
}

/* Of the two edges to a counter, the one that is not the latch's. */
static unsigned
entering_edge(LLVMValueRef v_counter, LLVMBasicBlockRef b_latch)
{
    return LLVMGetIncomingBlock(v_counter, 0) == b_latch ? 1 : 0;
}

LLVMValueRef
ck_loop_first(LLVMValueRef v_counter, LLVMBasicBlockRef b_latch)
{
    return LLVMGetIncomingValue(v_counter, entering_edge(v_counter, b_latch));
}

LLVMValueRef
ck_loop_exit_value(struct ck_gen *gen, LLVMValueRef v_counter, LLVMBasicBlockRef b_latch,
                   LLVMValueRef v_bound)
{
    LLVMValueRef v_first = ck_loop_first(v_counter, b_latch);
    LLVMBasicBlockRef b_before = LLVMGetIncomingBlock(v_counter, entering_edge(v_counter, b_latch));
    if (LLVMIsNull(v_first))
        return v_bound;
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(b_before));
    return LLVMBuildNUWAdd(gen->builder, v_first, v_bound, "");
}

void
ck_loop_replace_test(struct ck_gen *gen, LLVMValueRef v_test, LLVMIntPredicate stays,
                     LLVMIntPredicate ends, LLVMValueRef v_counter, LLVMValueRef v_bound)
{
    LLVMPositionBuilderBefore(gen->builder, v_test);
    const bool is_end = LLVMGetICmpPredicate(v_test) == LLVMIntEQ;
    LLVMReplaceAllUsesWith(
        v_test, LLVMBuildICmp(gen->builder, is_end ? ends : stays, v_counter, v_bound, ""));
    LLVMInstructionEraseFromParent(v_test);
}

static bool
match_latch(struct ck_counted_loop *counted)
{
    LLVMValueRef v_branch = ck_loop_branch(&counted->loop);
    if (!v_branch)
        return false;
    LLVMValueRef v_test = LLVMGetCondition(v_branch);
    LLVMValueRef v_left = LLVMGetOperand(v_test, 0), v_right = LLVMGetOperand(v_test, 1);
    return ck_loop_counts(counted, v_branch, v_left, v_right) ||
           ck_loop_counts(counted, v_branch, v_right, v_left);
}

static bool
has_invariant_bound(const struct ck_inner_loop *loop)
{
    LLVMValueRef v_test = LLVMGetCondition(LLVMGetBasicBlockTerminator(loop->b_latch));
    return !ck_loop_has(loop, LLVMGetOperand(v_test, 0)) ||
           !ck_loop_has(loop, LLVMGetOperand(v_test, 1));
}

LLVMValueRef
ck_loop_match_counted(struct ck_counted_loop *counted, LLVMBasicBlockRef b)
{
    *counted = (struct ck_counted_loop){.loop.b_latch = b};
    return match_latch(counted) && ck_loop_find_blocks(&counted->loop) &&
                   has_invariant_bound(&counted->loop)
               ? LLVMGetBasicBlockTerminator(b)
               : NULL;
}

/* What a value adds to another one, which it is then set to. */
static long long
strip_offset(LLVMValueRef *v)
{
    if (LLVMIsAConstantInt(*v)) {
        const long long value = LLVMConstIntGetSExtValue(*v);
        *v = NULL;
        return value;
    }
    if (!LLVMIsAInstruction(*v) || LLVMGetInstructionOpcode(*v) != LLVMAdd || !LLVMGetNSW(*v) ||
        !LLVMIsAConstantInt(LLVMGetOperand(*v, 1)))
        return 0;
    const long long offset = LLVMConstIntGetSExtValue(LLVMGetOperand(*v, 1));
    *v = LLVMGetOperand(*v, 0);
    return offset;
}

long long
ck_loop_constant_trip_count(const struct ck_counted_loop *counted)
{
    LLVMValueRef v_first = counted->v_first, v_bound = counted->v_bound;
    const long long first = strip_offset(&v_first), bound = strip_offset(&v_bound);
    return v_first == v_bound && counted->step != 0 ? (bound - first) / counted->step : -1;
}

static int
count_loads(const struct ck_inner_loop *loop, unsigned last_space)
{
    int n = 0;
    for (int i = 0; i < loop->n_blocks; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(loop->blocks[i]);
        for (; v; v = LLVMGetNextInstruction(v))
            n += LLVMIsALoadInst(v) &&
                 LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0))) <= last_space;
    }
    return n;
}

int
ck_loop_count_loads(const struct ck_inner_loop *loop)
{
    return count_loads(loop, SPACE_GLOBAL);
}

bool
ck_loop_has_loads(const struct ck_inner_loop *loop)
{
    return count_loads(loop, UINT_MAX) > 0;
}

bool
ck_loop_is_clamped(LLVMValueRef v_bound)
{
    while (LLVMIsACastInst(v_bound) ||
           (ck_ir_opcode(v_bound) == LLVMAdd && LLVMIsAConstant(LLVMGetOperand(v_bound, 1))))
        v_bound = LLVMGetOperand(v_bound, 0);
    return ck_ir_is_limit(v_bound);
}

bool
ck_loop_is_window(const struct ck_counted_loop *counted)
{
    return ck_loop_is_clamped(counted->v_first) && ck_loop_is_clamped(counted->v_bound);
}
