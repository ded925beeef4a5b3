/* How often counted loops of moderate size are unrolled for targets whose threads are scalar:
 * LLVM's own measure there stops at bodies of a few operations, nvcc's goes to about a hundred.
 *
 * What is matched is an innermost loop counted by a constant, left only at its end, whose turns are
 * known when it begins, but not when it is compiled. Short bodies LLVM unrolls itself, unless the
 * loop is counted by more than 1: to compute its turns seems too expensive to it. */
#include "codegen/gen.h"

enum {
    MAX_BLOCKS = 32,
    LEAST_SIZE = 19, /* smaller ones counted by 1 LLVM unrolls by 4 or more */
    MOST_SIZE = 100, /* of a body unrolled twice */
    MOST_UNROLLED = 224
};

struct loop {
    LLVMBasicBlockRef b_header, b_latch, blocks[MAX_BLOCKS]; /* the latch is the first */
    int n_blocks, size;
    long long step; /* what is added in a turn */
};

static int
index_in(const struct loop *loop, LLVMBasicBlockRef block)
{
    int i = 0;
    while (i < loop->n_blocks && loop->blocks[i] != block)
        i++;
    return i < loop->n_blocks ? i : -1;
}

static bool
is_within(const struct loop *loop, LLVMValueRef v_value)
{
    return LLVMIsAInstruction(v_value) && index_in(loop, LLVMGetInstructionParent(v_value)) >= 0;
}

/* The phi that `v_value` is, or is a constant more than, the step; NULL: neither. */
static LLVMValueRef
counter_of(LLVMValueRef v_value, long long *step)
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

/* The header, if the branch compares what is counted with `v_bound`. */
static bool
is_counted(struct loop *loop, LLVMValueRef v_branch, LLVMValueRef v_counted, LLVMValueRef v_bound)
{
    LLVMValueRef v_phi = counter_of(v_counted, &loop->step);
    if (!v_phi)
        return false;
    loop->b_header = LLVMGetInstructionParent(v_phi);
    unsigned from_latch = LLVMGetIncomingBlock(v_phi, 0) == loop->b_latch ? 0 : 1;
    LLVMValueRef v_first = LLVMGetIncomingValue(v_phi, 1 - from_latch);
    return LLVMGetIncomingBlock(v_phi, from_latch) == loop->b_latch &&
           counter_of(LLVMGetIncomingValue(v_phi, from_latch), &loop->step) == v_phi &&
           (LLVMGetSuccessor(v_branch, 0) == loop->b_header ||
            LLVMGetSuccessor(v_branch, 1) == loop->b_header) &&
           !(LLVMIsAConstant(v_first) && LLVMIsAConstant(v_bound));
}

static bool
match_latch(struct loop *loop)
{
    LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(loop->b_latch);
    if (!v_branch || !LLVMIsABranchInst(v_branch) || !LLVMIsConditional(v_branch) ||
        !LLVMIsAICmpInst(LLVMGetCondition(v_branch)) || LLVMHasMetadata(v_branch))
        return false;
    LLVMValueRef v_test = LLVMGetCondition(v_branch);
    LLVMValueRef v_left = LLVMGetOperand(v_test, 0), v_right = LLVMGetOperand(v_test, 1);
    return is_counted(loop, v_branch, v_left, v_right) ||
           is_counted(loop, v_branch, v_right, v_left);
}

/* What all threads of a group do together is not repeated under a condition. */
static bool
is_convergent(LLVMValueRef v_call)
{
    static const char name[] = "convergent";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    LLVMValueRef v_callee = LLVMGetCalledValue(v_call);
    return LLVMGetCallSiteEnumAttribute(v_call, LLVMAttributeFunctionIndex, kind) ||
           (LLVMIsAFunction(v_callee) &&
            LLVMGetEnumAttributeAtIndex(v_callee, LLVMAttributeFunctionIndex, kind));
}

static bool
add_block(struct loop *loop, LLVMBasicBlockRef block)
{
    if (index_in(loop, block) >= 0)
        return true;
    if (loop->n_blocks == MAX_BLOCKS)
        return false;
    loop->blocks[loop->n_blocks++] = block;
    LLVMValueRef v = LLVMGetFirstInstruction(block);
    for (; v && loop->size <= MOST_SIZE; v = LLVMGetNextInstruction(v)) {
        if (LLVMIsACallInst(v) && is_convergent(v))
            return false;
        loop->size += !LLVMIsAPHINode(v);
    }
    return loop->size <= MOST_SIZE;
}

/* All blocks from which the latch is reached but through the header. */
static bool
match_body(struct loop *loop)
{
    if (!add_block(loop, loop->b_latch))
        return false;
    for (int i = 0; i < loop->n_blocks; i++) {
        if (loop->blocks[i] == loop->b_header)
            continue;
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
    return index_in(loop, loop->b_header) >= 0;
}

/* Where a block goes within a turn, as bits; false: out of the loop, or to another turn early. */
static bool
successors_of(const struct loop *loop, int i, uint32_t *bits)
{
    LLVMValueRef v_end = LLVMGetBasicBlockTerminator(loop->blocks[i]);
    *bits = 0;
    if (i == 0) /* the latch */
        return true;
    for (unsigned k = 0; k < LLVMGetNumSuccessors(v_end); k++) {
        int to = index_in(loop, LLVMGetSuccessor(v_end, k));
        if (to < 0 || loop->blocks[to] == loop->b_header)
            return false;
        *bits |= 1u << to;
    }
    return *bits;
}

/* Has no loop inside: blocks that go nowhere but to what has been taken away are taken away. */
static bool
is_innermost(const struct loop *loop)
{
    uint32_t successors[MAX_BLOCKS], left = (uint32_t)((1ull << loop->n_blocks) - 1), before = 0;
    for (int i = 0; i < loop->n_blocks; i++) {
        if (!successors_of(loop, i, &successors[i]))
            return false;
    }
    while (left != before) {
        before = left;
        for (int i = 0; i < loop->n_blocks; i++) {
            if (!(successors[i] & left))
                left &= ~(1u << i);
        }
    }
    return !left;
}

/* The bound does not change. */
static bool
is_known_before(const struct loop *loop)
{
    LLVMValueRef v_test = LLVMGetCondition(LLVMGetBasicBlockTerminator(loop->b_latch));
    return !is_within(loop, LLVMGetOperand(v_test, 0)) ||
           !is_within(loop, LLVMGetOperand(v_test, 1));
}

static void
ask_for(struct ck_gen *gen, LLVMValueRef v_branch, uint32_t times)
{
    static const char name[] = "llvm.loop.unroll.count";
    LLVMMetadataRef self = LLVMTemporaryMDNode(gen->llvm, NULL, 0);
    LLVMMetadataRef words[] = {LLVMMDStringInContext2(gen->llvm, name, sizeof name - 1),
                               LLVMValueAsMetadata(l_i32(gen, times))};
    LLVMMetadataRef hint = LLVMMDNodeInContext2(gen->llvm, words, 2);
    LLVMMetadataRef loop = LLVMMDNodeInContext2(gen->llvm, (LLVMMetadataRef[]){self, hint}, 2);
    LLVMMetadataReplaceAllUsesWith(self, loop); /* frees self; loops are told apart by themselves */
    unsigned kind = LLVMGetMDKindIDInContext(gen->llvm, "llvm.loop", 9);
    LLVMSetMetadata(v_branch, kind, LLVMMetadataAsValue(gen->llvm, loop));
}

/* 1: LLVM decides. */
static uint32_t
turns_at_once(const struct loop *loop)
{
    if (loop->size < LEAST_SIZE)
        return loop->step == 1 || loop->step == -1 ? 1 : 8;
    return 4 * loop->size <= MOST_UNROLLED ? 4 : 2;
}

void
ck_gen_unroll_loops(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            struct loop loop = {.b_latch = b};
            if (match_latch(&loop) && match_body(&loop) && turns_at_once(&loop) > 1 &&
                is_innermost(&loop) && is_known_before(&loop))
                ask_for(gen, LLVMGetBasicBlockTerminator(b), turns_at_once(&loop));
        }
    }
}
