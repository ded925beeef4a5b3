/* Merges the arrive and the wait of the block's split-phase barrier on NVIDIA GPUs, where nothing
 * between the two is worth overlapping.
 *
 * Arrive and wait at a word in shared memory take three times as long as the hardware's barrier
 * (docs/adr/011). If only a few instructions are between them, which take every warp about the same
 * time and wait for no other thread, there is nothing to overlap. If all threads of the block
 * execute them converged too, one hardware barrier replaces both. Arrive and wait are calls until
 * the code is simplified enough to find these pairs. A kernel without remaining pairs, and without
 * tiles that need words, does not initialise any. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"

enum { MAX_BETWEEN = 64 }; /* instructions */

/* --- Pairs -------------------------------------------------------------------------------------
 */

/* Whether a call is of an arithmetic intrinsic, which accesses no memory and does not wait. */
static bool
is_arithmetic(LLVMValueRef v_call)
{
    LLVMValueRef v_callee = LLVMGetCalledValue(v_call);
    return LLVMIsAFunction(v_callee) && LLVMGetIntrinsicID(v_callee) &&
           ck_ir_accesses_no_memory(v_callee) && !ck_ir_has_attribute(v_callee, "convergent");
}

/* Whether an instruction takes every thread about the same time, independent of other threads. */
static bool
is_independent(LLVMValueRef v)
{
    switch ((int)LLVMGetInstructionOpcode(v)) {
    case LLVMLoad:
    case LLVMStore:
        return ck_ir_is_plain_access(v);
    case LLVMCall:
        return is_arithmetic(v);
    default:
        return ck_ir_is_pure(v);
    }
}

/* The wait for an arrive, if it follows in the same basic block after a few independent
 * instructions; NULL: it does not. */
static LLVMValueRef
wait_of(LLVMValueRef v_arrive)
{
    LLVMUseRef use = LLVMGetFirstUse(v_arrive);
    if (!use || LLVMGetNextUse(use))
        return NULL;
    LLVMValueRef v = LLVMGetNextInstruction(v_arrive);
    for (int n = 0; v && n < MAX_BETWEEN && is_independent(v); n++)
        v = LLVMGetNextInstruction(v);
    return v && v == LLVMGetUser(use) && ck_ir_calls(v, CK_NVPTX_WAIT) ? v : NULL;
}

static bool
merge_in_block(struct ck_gen *gen, LLVMBasicBlockRef block)
{
    bool found = false;
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        LLVMValueRef v_wait = ck_ir_calls(v, CK_NVPTX_ARRIVE) ? wait_of(v) : NULL;
        if (!v_wait)
            continue;
        LLVMPositionBuilderBefore(gen->builder, v_wait);
        ck_nvptx_block_barrier(gen);
        v_next = LLVMGetNextInstruction(v_wait);
        LLVMInstructionEraseFromParent(v_wait);
        LLVMInstructionEraseFromParent(v);
        found = true;
    }
    return found;
}

/* --- Words -------------------------------------------------------------------------------------
 */

static const char *const functions[] = {CK_NVPTX_ARRIVE, CK_NVPTX_WAIT, CK_NVPTX_SET_UP};

enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

static bool
is_word_function(struct ck_gen *gen, LLVMValueRef v_function)
{
    for (int i = 0; i < N_FUNCTIONS; i++) {
        if (v_function == LLVMGetNamedFunction(gen->module, functions[i]))
            return true;
    }
    return false;
}

/* Whether a value is used by a kernel, or by a function that it may call, other than those above.
 */
static bool
is_reached(struct ck_gen *gen, LLVMValueRef v_kernel, LLVMValueRef v_value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v_value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v_user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(v_user)) { /* a constant expression */
            if (is_reached(gen, v_kernel, v_user))
                return true;
            continue;
        }
        LLVMValueRef v_function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(v_user));
        bool other = LLVMGetFunctionCallConv(v_function) == CALL_PTX_KERNEL ||
                     is_word_function(gen, v_function);
        if (v_function == v_kernel || !other)
            return true;
    }
    return false;
}

static bool
needs_words(struct ck_gen *gen, LLVMValueRef v_kernel)
{
    LLVMValueRef values[] = {
        LLVMGetNamedFunction(gen->module, CK_NVPTX_ARRIVE),
        LLVMGetNamedFunction(gen->module, CK_NVPTX_WAIT),
        LLVMGetNamedGlobal(gen->module, CK_NVPTX_WORDS),
    };
    for (int i = 0; i < 3; i++) {
        if (values[i] && is_reached(gen, v_kernel, values[i]))
            return true;
    }
    return false;
}

static void
erase_unneeded_set_ups(struct ck_gen *gen)
{
    LLVMValueRef v_set_up = LLVMGetNamedFunction(gen->module, CK_NVPTX_SET_UP);
    LLVMUseRef next;
    for (LLVMUseRef use = v_set_up ? LLVMGetFirstUse(v_set_up) : NULL; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef v_call = LLVMGetUser(use);
        LLVMValueRef v_kernel = LLVMGetBasicBlockParent(LLVMGetInstructionParent(v_call));
        if (!needs_words(gen, v_kernel))
            LLVMInstructionEraseFromParent(v_call);
    }
}

/* Deletes functions without calls, and marks the others as always inlined. Returns whether there
 * are any. */
static bool
mark_inlined(struct ck_gen *gen)
{
    bool found = false;
    for (int i = 0; i < N_FUNCTIONS; i++) {
        LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, functions[i]);
        if (!v_function)
            continue;
        if (!LLVMGetFirstUse(v_function)) {
            LLVMDeleteFunction(v_function);
            continue;
        }
        LLVMRemoveEnumAttributeAtIndex(v_function, LLVMAttributeFunctionIndex,
                                       LLVMGetEnumAttributeKindForName("noinline", 8));
        l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "alwaysinline", 0);
        found = true;
    }
    return found;
}

bool
ck_nvptx_merge_split_barriers(struct ck_gen *gen)
{
    if (LLVMGetNamedFunction(gen->module, CK_NVPTX_ARRIVE)) {
        LLVMValueRef v = LLVMGetFirstFunction(gen->module);
        for (; v; v = LLVMGetNextFunction(v)) {
            if (LLVMGetFunctionCallConv(v) == CALL_PTX_KERNEL)
                ck_nvptx_visit_converged(gen, v, merge_in_block);
        }
        erase_unneeded_set_ups(gen);
    }
    return mark_inlined(gen);
}
