/* Warp-level primitives and block barriers in code that the lanes of a warp execute converged, on
 * NVIDIA GPUs.
 *
 * ptxas implements a primitive whose mask is not constant by first comparing the masks of all
 * lanes. Since these intrinsics are `convergent`, LLVM unrolls a loop around one only by a
 * divisor of its trip count: a remainder loop would make the primitive depend on another condition.
 * Where all lanes are converged (warp_divergence.c), neither is necessary. There the mask becomes
 * that of all lanes. While loops are unrolled, the call is of a declaration of another name without
 * `convergent`, which is correct because every condition around it is uniform.
 *
 * A block's barrier counts the threads that arrive, whichever copy of the instruction they
 * execute, so that the copies of an unrolled loop are one barrier. */
#include "codegen/nvptx/warp.h"

const char *
ck_nvptx_callee_after(LLVMValueRef v_call, const char *prefix)
{
    size_t length, n = strlen(prefix);
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(v_call), &length);
    return length >= n && memcmp(name, prefix, n) == 0 ? name + n : NULL;
}

const char *
ck_nvptx_warp_primitive(LLVMValueRef v)
{
    static const char *const names[] = {"shfl.sync.", "bar.warp.sync", "vote.", "match.",
                                        "redux.sync."};
    const char *name = LLVMIsACallInst(v) ? ck_nvptx_callee_after(v, "llvm.nvvm.") : NULL;
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++) {
        if (ck_nvptx_begins_with(name, names[i]))
            return name;
    }
    return NULL;
}

/* --- Masks -------------------------------------------------------------------------------------
 */

/* Clears the lanes outside the mask in the result of a primitive that returns lanes. */
static void
clear_other_lanes(struct ck_gen *gen, LLVMValueRef v_call, LLVMValueRef v_mask)
{
    LLVMPositionBuilderBefore(gen->builder, LLVMGetNextInstruction(v_call));
    LLVMValueRef v_lanes = LLVMBuildAnd(gen->builder, v_call, v_mask, "");
    LLVMReplaceAllUsesWith(v_call, v_lanes);
    LLVMSetOperand(v_lanes, 0, v_call);
}

/* Replaces vote.any and vote.all under a mask by a ballot of all lanes, whose result is masked. */
static void
replace_vote(struct ck_gen *gen, LLVMValueRef v_call, LLVMValueRef v_mask, bool all)
{
    LLVMPositionBuilderBefore(gen->builder, v_call);
    LLVMValueRef v_condition = LLVMGetOperand(v_call, 1);
    if (all)
        v_condition = LLVMBuildNot(gen->builder, v_condition, "");
    LLVMValueRef args[] = {l_i32(gen, -1), v_condition};
    LLVMValueRef v_lanes = l_intrinsic(gen, "llvm.nvvm.vote.ballot.sync", NULL, args, 2);
    v_lanes = LLVMBuildAnd(gen->builder, v_lanes, v_mask, "");
    LLVMReplaceAllUsesWith(v_call,
                           l_compare(gen, all ? LLVMIntEQ : LLVMIntNE, v_lanes, l_i32(gen, 0)));
    LLVMInstructionEraseFromParent(v_call);
}

/* Widens the mask of a primitive to all lanes, if the result for the lanes of the mask follows from
 * the wider one. */
static void
widen_mask(struct ck_gen *gen, LLVMValueRef v_call, const char *name)
{
    LLVMValueRef v_mask = LLVMGetOperand(v_call, 0);
    if (LLVMIsAConstant(v_mask))
        return;
    if (strcmp(name, "vote.any.sync") == 0 || strcmp(name, "vote.all.sync") == 0) {
        replace_vote(gen, v_call, v_mask, strcmp(name, "vote.all.sync") == 0);
        return;
    }
    bool returns_lanes =
        strcmp(name, "vote.ballot.sync") == 0 || ck_nvptx_begins_with(name, "match.any.");
    if (returns_lanes)
        clear_other_lanes(gen, v_call, v_mask);
    if (returns_lanes || ck_nvptx_begins_with(name, "shfl.") || strcmp(name, "bar.warp.sync") == 0)
        LLVMSetOperand(v_call, 0, l_i32(gen, -1));
}

/* --- Convergent --------------------------------------------------------------------------------
 */

/* The prefix of the declarations without `convergent`. */
static const char prefix[] = "plain.";

static LLVMValueRef
without_convergent(struct ck_gen *gen, LLVMValueRef v_primitive)
{
    size_t length;
    const char *name =
        ck_arena_printf(&gen->arena, "%s%s", prefix, LLVMGetValueName2(v_primitive, &length));
    LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, name);
    if (v_function)
        return v_function;
    v_function = LLVMAddFunction(gen->module, name, LLVMGlobalGetValueType(v_primitive));
    unsigned n = LLVMGetAttributeCountAtIndex(v_primitive, LLVMAttributeFunctionIndex);
    LLVMAttributeRef *attributes = CK_NEW_ARRAY(&gen->arena, LLVMAttributeRef, n);
    LLVMGetAttributesAtIndex(v_primitive, LLVMAttributeFunctionIndex, attributes);
    for (unsigned i = 0; i < n; i++)
        LLVMAddAttributeAtIndex(v_function, LLVMAttributeFunctionIndex, attributes[i]);
    LLVMRemoveEnumAttributeAtIndex(v_function, LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName("convergent", 10));
    return v_function;
}

/* A warp-level primitive, or a barrier of the whole block. */
static bool
needs_convergence(LLVMValueRef v)
{
    return ck_nvptx_warp_primitive(v) ||
           (LLVMIsACallInst(v) &&
            ck_nvptx_callee_after(v, "llvm.nvvm.barrier.cta.sync.aligned.all"));
}

static bool
drop_in_block(struct ck_gen *gen, LLVMBasicBlockRef block)
{
    bool found = false;
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        const char *name = ck_nvptx_warp_primitive(v);
        if (name)
            widen_mask(gen, v, name);
    }
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v)) {
        if (!needs_convergence(v))
            continue;
        LLVMSetOperand(v, (unsigned)LLVMGetNumOperands(v) - 1,
                       without_convergent(gen, LLVMGetCalledValue(v)));
        found = true;
    }
    return found;
}

static bool
has_convergent_calls(LLVMValueRef v_kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_kernel); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
            if (needs_convergence(v))
                return true;
        }
    }
    return false;
}

bool
ck_nvptx_drop_convergent(struct ck_gen *gen)
{
    bool found = false;
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        if (LLVMGetFunctionCallConv(v) == CALL_PTX_KERNEL && has_convergent_calls(v))
            found |= ck_nvptx_visit_converged(gen, v, drop_in_block);
    }
    return found;
}

void
ck_nvptx_restore_convergent(struct ck_gen *gen)
{
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = v_next) {
        size_t length;
        const char *name = LLVMGetValueName2(v, &length);
        v_next = LLVMGetNextFunction(v);
        if (!ck_nvptx_begins_with(name, prefix))
            continue;
        LLVMReplaceAllUsesWith(v, LLVMGetNamedFunction(gen->module, name + strlen(prefix)));
        LLVMDeleteFunction(v);
    }
}
