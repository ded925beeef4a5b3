/* Uses a loaded value again where a condition says that it was loaded: docs/adr/057.
 *
 * In `keep = i < n and x[i] > 0`, the load of x[i] does not dominate what follows, but the value of
 * `keep` is a phi that is false where the load was not executed. Where `keep` is true, `x[i]` is
 * the loaded value. LLVM's GVN does not see that, because the load is not available on all paths to
 * the phi.
 *
 * Only arrays that the kernel does not write, and that overlap none that it writes. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/passes.h"

enum { MAX_BLOCKS = 16, MAX_DEPTH = 4 };

/* The load of an address in a block or one that comes before it without a join; NULL: none. */
static LLVMValueRef
find_load(LLVMValueRef v_address, LLVMTypeRef type, LLVMBasicBlockRef block)
{
    for (int n = 0; n < MAX_BLOCKS && block; n++, block = ck_ir_only_predecessor(block)) {
        for (LLVMValueRef v = LLVMGetLastInstruction(block); v; v = LLVMGetPreviousInstruction(v)) {
            if (LLVMIsALoadInst(v) && LLVMGetOperand(v, 0) == v_address && LLVMTypeOf(v) == type &&
                ck_ir_is_plain_access(v))
                return v;
        }
    }
    return NULL;
}

static bool
is_false(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) && LLVMIsNull(v);
}

/* The only predecessor from which a phi of conditions may be true; negative: there are several. */
static int
true_incoming(LLVMValueRef v_phi)
{
    int found = -1;
    for (unsigned i = 0; i < LLVMCountIncoming(v_phi); i++) {
        if (is_false(LLVMGetIncomingValue(v_phi, i)))
            continue;
        if (found >= 0)
            return -1;
        found = (int)i;
    }
    return found;
}

/* The value of a load wherever control reaches the phi's block from `from`; poison where it does
 * not. */
static LLVMValueRef
merge(struct ck_gen *gen, LLVMValueRef v_phi, unsigned from, LLVMValueRef v_load)
{
    LLVMPositionBuilderBefore(gen->builder, v_phi);
    LLVMTypeRef type = LLVMTypeOf(v_load);
    LLVMValueRef v_merged = LLVMBuildPhi(gen->builder, type, "");
    for (unsigned i = 0; i < LLVMCountIncoming(v_phi); i++) {
        LLVMValueRef v_in = i == from ? v_load : LLVMGetPoison(type);
        LLVMBasicBlockRef b_in = LLVMGetIncomingBlock(v_phi, i);
        LLVMAddIncoming(v_merged, &v_in, &b_in, 1);
    }
    return v_merged;
}

/* The value of `v_load`, which is executed where a condition is true; NULL: it is not known. */
static LLVMValueRef
value_where_true(struct ck_gen *gen, LLVMValueRef v_load, LLVMValueRef v_condition, int depth)
{
    if (depth == 0)
        return NULL;
    const bool is_lazy = LLVMIsASelectInst(v_condition) && is_false(LLVMGetOperand(v_condition, 2));
    if (is_lazy || ck_ir_opcode(v_condition) == LLVMAnd) {
        LLVMValueRef v = value_where_true(gen, v_load, LLVMGetOperand(v_condition, 0), depth - 1);
        return v ? v : value_where_true(gen, v_load, LLVMGetOperand(v_condition, 1), depth - 1);
    }
    const int from = LLVMIsAPHINode(v_condition) ? true_incoming(v_condition) : -1;
    if (from < 0)
        return NULL;
    LLVMValueRef v_earlier = find_load(LLVMGetOperand(v_load, 0), LLVMTypeOf(v_load),
                                       LLVMGetIncomingBlock(v_condition, (unsigned)from));
    return v_earlier ? merge(gen, v_condition, (unsigned)from, v_earlier) : NULL;
}

/* The value of a load by the conditions of the branches that lead to it. */
static LLVMValueRef
known_value(struct ck_gen *gen, LLVMValueRef v_load)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(v_load);
    for (int n = 0; n < MAX_BLOCKS; n++) {
        LLVMBasicBlockRef b_before = ck_ir_only_predecessor(block);
        LLVMValueRef v_branch = b_before ? LLVMGetBasicBlockTerminator(b_before) : NULL;
        if (!v_branch)
            return NULL;
        const bool is_true = LLVMIsABranchInst(v_branch) && LLVMIsConditional(v_branch) &&
                             LLVMGetSuccessor(v_branch, 0) == block;
        LLVMValueRef v =
            is_true ? value_where_true(gen, v_load, LLVMGetCondition(v_branch), MAX_DEPTH) : NULL;
        if (v)
            return v;
        block = b_before;
    }
    return NULL;
}

static void
visit(struct ck_gen *gen, LLVMValueRef v)
{
    if (!LLVMIsALoadInst(v) || !ck_ir_is_plain_access(v))
        return;
    LLVMValueRef v_function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(v));
    LLVMValueRef v_known =
        ck_gen_is_never_written(v_function, LLVMGetOperand(v, 0)) ? known_value(gen, v) : NULL;
    if (!v_known)
        return;
    LLVMReplaceAllUsesWith(v, v_known);
    LLVMInstructionEraseFromParent(v);
}

void
ck_gen_reuse_guarded_loads(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, visit);
}
