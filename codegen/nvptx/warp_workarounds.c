/* Workarounds for wrong code of ptxas (CUDA 13.0) around warp-level primitives: unused results, and
 * shuffles of constants. */
#include "codegen/nvptx/warp.h"

/* --- Unused results ----------------------------------------------------------------------------
 *
 * For a primitive with a divergent mask whose result is unused, ptxas keeps the instruction at
 * which lanes diverge and removes the one at which they reconverge. Then some lanes wait for ever
 * at a later barrier, or the kernel ends at an illegal instruction. LLVM does not remove such a
 * call, because it assumes that the intrinsic accesses memory. So the calls are marked as accessing
 * no memory while dead code is eliminated. */

static void
mark_call(struct ck_gen *gen, LLVMValueRef v_call, bool removable)
{
    static const char memory[] = "memory";
    if (!removable) {
        LLVMRemoveCallSiteEnumAttribute(v_call, LLVMAttributeFunctionIndex,
                                        LLVMGetEnumAttributeKindForName(memory, sizeof memory - 1));
        return;
    }
    l_call_attribute(gen, v_call, LLVMAttributeFunctionIndex, "willreturn", 0);
    l_call_attribute(gen, v_call, LLVMAttributeFunctionIndex, "nounwind", 0);
    l_call_attribute(gen, v_call, LLVMAttributeFunctionIndex, memory, 0);
}

bool
ck_nvptx_mark_removable(struct ck_gen *gen, bool removable)
{
    bool found = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
                const char *name = ck_nvptx_warp_primitive(v);
                if (!name || strcmp(name, "bar.warp.sync") == 0)
                    continue;
                mark_call(gen, v, removable);
                found = true;
            }
        }
    }
    return found;
}

/* --- Shuffles of constants -----------------------------------------------------------------------
 *
 * ptxas (sm_90) replaces a shuffle of a constant c by c in a late pass, and then compiles the
 * minimum and the maximum of `c - x` and y as those of `x - c` and y. LLVM does not fold shuffles,
 * so this pass folds them. */

/* Replaces all uses of the word that a shuffle returns, alone or paired with a predicate that the
 * source lane is valid. Returns whether there were any. */
static bool
replace_word(LLVMValueRef v_shuffle, LLVMValueRef v_word)
{
    bool is_used = false;
    if (LLVMTypeOf(v_shuffle) == LLVMTypeOf(v_word)) {
        is_used = LLVMGetFirstUse(v_shuffle);
        LLVMReplaceAllUsesWith(v_shuffle, v_word);
        return is_used;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(v_shuffle); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v = LLVMGetUser(use);
        if (!LLVMIsAExtractValueInst(v) || *LLVMGetIndices(v) != 0 || !LLVMGetFirstUse(v))
            continue;
        LLVMReplaceAllUsesWith(v, v_word);
        is_used = true;
    }
    return is_used;
}

bool
ck_nvptx_fold_constant_shuffles(struct ck_gen *gen)
{
    bool found = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
                const char *name = ck_nvptx_warp_primitive(v);
                if (!name || !ck_nvptx_begins_with(name, "shfl."))
                    continue;
                LLVMValueRef v_word = LLVMGetOperand(v, 1);
                if (LLVMIsConstant(v_word))
                    found |= replace_word(v, v_word);
            }
        }
    }
    return found;
}
