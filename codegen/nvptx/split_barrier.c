/* The halves of the block's split barrier on NVIDIA GPUs, where nothing is worth overlapping.
 *
 * A word at which threads arrive and wait takes three times as long as the hardware's barrier
 * (docs/adr/011). Between the halves, a few instructions that wait for nobody take every warp about
 * as long, and leave nothing to overlap: where all threads of the block come there together, one
 * barrier of the hardware takes the place of both halves. They are calls until the code is simple
 * enough to tell. A kernel that is left without them, and without tiles that have words, sets up
 * none. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"

enum { FEW = 64 }; /* instructions */

/* --- Pairs -------------------------------------------------------------------------------------
 */

/* A call of an intrinsic that is arithmetic: it touches no memory and waits for nobody. */
static bool
is_arithmetic(LLVMValueRef v_call)
{
    LLVMValueRef v_callee = LLVMGetCalledValue(v_call);
    return LLVMIsAFunction(v_callee) && LLVMGetIntrinsicID(v_callee) &&
           ck_ir_accesses_no_memory(v_callee) && !ck_ir_has_attribute(v_callee, "convergent");
}

/* Whether it takes every thread about as long, whatever others do. */
static bool
is_plain(LLVMValueRef v)
{
    switch ((int)LLVMGetInstructionOpcode(v)) {
    case LLVMLoad:
    case LLVMStore:
        return !LLVMGetVolatile(v) && LLVMGetOrdering(v) == LLVMAtomicOrderingNotAtomic;
    case LLVMCall:
        return is_arithmetic(v);
    default:
        return ck_ir_is_pure(v);
    }
}

/* The wait for this arrival, which is in its block of code too, a few plain instructions after it;
 * or NULL. */
static LLVMValueRef
wait_of(LLVMValueRef v_arrive)
{
    LLVMUseRef use = LLVMGetFirstUse(v_arrive);
    if (!use || LLVMGetNextUse(use))
        return NULL;
    LLVMValueRef v = LLVMGetNextInstruction(v_arrive);
    for (int n = 0; v && n < FEW && is_plain(v); n++)
        v = LLVMGetNextInstruction(v);
    return v && v == LLVMGetUser(use) && ck_ir_calls(v, CK_NVPTX_WAIT) ? v : NULL;
}

static bool
join_in(struct ck_gen *gen, LLVMBasicBlockRef block)
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

/* --- What is left ------------------------------------------------------------------------------
 */

static const char *const functions[] = {CK_NVPTX_ARRIVE, CK_NVPTX_WAIT, CK_NVPTX_SET_UP};

enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

static bool
is_of_words(struct ck_gen *gen, LLVMValueRef v_function)
{
    for (int i = 0; i < N_FUNCTIONS; i++) {
        if (v_function == LLVMGetNamedFunction(gen->module, functions[i]))
            return true;
    }
    return false;
}

/* Whether the kernel's code has this value, or other code that it may reach, but for the functions
 * above. */
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
        bool other =
            LLVMGetFunctionCallConv(v_function) == CALL_PTX_KERNEL || is_of_words(gen, v_function);
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
drop_set_ups(struct ck_gen *gen)
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

/* Deletes what is not called, and marks the others to be inlined; whether there are any. */
static bool
mark(struct ck_gen *gen)
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
ck_nvptx_join_halves(struct ck_gen *gen)
{
    if (LLVMGetNamedFunction(gen->module, CK_NVPTX_ARRIVE)) {
        LLVMValueRef v = LLVMGetFirstFunction(gen->module);
        for (; v; v = LLVMGetNextFunction(v)) {
            if (LLVMGetFunctionCallConv(v) == CALL_PTX_KERNEL)
                ck_nvptx_where_together(gen, v, join_in);
        }
        drop_set_ups(gen);
    }
    return mark(gen);
}
