/* Memory for what a long coroutine computes in one block and uses in another.
 *
 * Where a sum or the like is used behind a suspension, LLVM computes it again from what it was
 * computed of, through any number of additions: a sum over n barriers is computed again from its n
 * terms behind each. A value in memory is one element of the frame, which its uses load. */
#include "codegen/flow.h"

struct use {
    LLVMValueRef v_user;
    unsigned operand;
};

struct keeping {
    struct ck_gen *gen;
    LLVMBasicBlockRef b_entry;
    struct use *uses; /* of the value in turn, in other blocks */
    int n_uses, capacity;
};

/* An address in a local array is not kept: the array would be known to nobody. */
static bool
is_in_local_array(LLVMValueRef v)
{
    while (LLVMIsAGetElementPtrInst(v))
        v = LLVMGetOperand(v, 0);
    return LLVMIsAAllocaInst(v);
}

/* What LLVM would compute again. The rest it keeps itself where that is needed. */
static bool
may_be_kept(LLVMValueRef v)
{
    return ck_flow_only_computes(v) && !is_in_local_array(v);
}

static bool
suspends(LLVMBasicBlockRef block)
{
    for (LLVMValueRef v = LLVMGetLastInstruction(block); v; v = LLVMGetPreviousInstruction(v)) {
        if (ck_flow_calls(v, "llvm.coro.suspend"))
            return true;
    }
    return false;
}

/* Where the operand is read: for a phi, at the end of the block that it comes from. */
static LLVMBasicBlockRef
block_of_use(LLVMValueRef v_user, unsigned operand)
{
    return LLVMIsAPHINode(v_user) ? LLVMGetIncomingBlock(v_user, operand)
                                  : LLVMGetInstructionParent(v_user);
}

static void
find_uses(struct keeping *keeping, LLVMValueRef v)
{
    LLVMBasicBlockRef b_home = LLVMGetInstructionParent(v);
    LLVMValueRef v_last = NULL;
    keeping->n_uses = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v_user = LLVMGetUser(use);
        if (v_user == v_last) /* several operands of one, which follow each other */
            continue;
        v_last = v_user;
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v_user); k++) {
            if (LLVMGetOperand(v_user, k) != v || (block_of_use(v_user, k) == b_home &&
                                                   !(LLVMIsAPHINode(v_user) && suspends(b_home))))
                continue;
            struct use found = {v_user, k};
            CK_PUSH(&keeping->gen->arena, keeping->uses, keeping->n_uses, keeping->capacity, found);
        }
    }
}

/* A phi has one value for all edges from a block. */
static LLVMValueRef
loaded_before(const struct keeping *keeping, int at)
{
    const struct use *use = &keeping->uses[at];
    for (int i = at - 1; i >= 0 && keeping->uses[i].v_user == use->v_user; i--) {
        if (LLVMIsAPHINode(use->v_user) &&
            LLVMGetIncomingBlock(use->v_user, keeping->uses[i].operand) ==
                LLVMGetIncomingBlock(use->v_user, use->operand))
            return LLVMGetOperand(use->v_user, keeping->uses[i].operand);
    }
    return NULL;
}

static void
keep(struct keeping *keeping, LLVMValueRef v)
{
    LLVMBuilderRef builder = keeping->gen->builder;
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(keeping->b_entry));
    LLVMValueRef v_slot = LLVMBuildAlloca(builder, type, "kept");
    LLVMValueRef v_next = LLVMGetNextInstruction(v);
    while (LLVMIsAPHINode(v_next))
        v_next = LLVMGetNextInstruction(v_next);
    LLVMPositionBuilderBefore(builder, v_next);
    LLVMBuildStore(builder, v, v_slot);
    for (int i = 0; i < keeping->n_uses; i++) {
        const struct use *use = &keeping->uses[i];
        LLVMValueRef v_new = loaded_before(keeping, i);
        if (!v_new) {
            LLVMPositionBuilderBefore(
                builder, LLVMIsAPHINode(use->v_user)
                             ? LLVMGetBasicBlockTerminator(block_of_use(use->v_user, use->operand))
                             : use->v_user);
            v_new = LLVMBuildLoad2(builder, type, v_slot, "");
        }
        LLVMSetOperand(use->v_user, use->operand, v_new);
    }
}

void
ck_host_keep_values(struct ck_gen *gen, LLVMValueRef v_function)
{
    struct keeping keeping = {.gen = gen, .b_entry = LLVMGetEntryBasicBlock(v_function)};
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    LLVMBasicBlockRef b = LLVMGetNextBasicBlock(keeping.b_entry);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef v_next;
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = v_next) {
            v_next = LLVMGetNextInstruction(v);
            if (!may_be_kept(v))
                continue;
            find_uses(&keeping, v);
            if (keeping.n_uses > 0)
                keep(&keeping, v);
        }
    }
}
