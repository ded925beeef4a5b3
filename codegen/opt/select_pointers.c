/* Selects between two addresses instead of between two offsets, in loops: docs/adr/027.
 *
 * An index below zero counts from the end. The address of x[i] is `x + (i < 0 ? n : 0) + i`, as
 * LLVM canonicalises it: the selected offset is multiplied and added in each iteration. With
 * `(i < 0 ? x + n : x) + i` the sum x + n is computed once, in the function's entry. Runs last,
 * because LLVM's instcombine would undo it. */
#include "codegen/opt/cfg.h"
#include "codegen/opt/passes.h"

static bool
is_element(LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) && LLVMGetNumOperands(v) == 2;
}

/* The array of an element address: x of `gep x, offset`, and of `gep (gep x, i), offset` if the
 * offset is extended. */
static LLVMValueRef
array_of(LLVMValueRef v)
{
    LLVMValueRef v_base = LLVMGetOperand(v, 0);
    return is_element(v_base) && LLVMIsAZExtInst(LLVMGetOperand(v, 1)) &&
                   LLVMGetGEPSourceElementType(v_base) == LLVMGetGEPSourceElementType(v)
               ? LLVMGetOperand(v_base, 0)
               : v_base;
}

/* The n of `c ? n : 0`, or the parameter of which it is the low half: see nvptx/extents.c. */
static LLVMValueRef
extent_of(LLVMValueRef v_select)
{
    LLVMValueRef v = LLVMGetOperand(v_select, 1);
    return LLVMIsATruncInst(v) ? LLVMGetOperand(v, 0) : v;
}

/* The offset of an element address, `c ? n : 0`, whose array and n are parameters; NULL: the
 * instruction is another. The low half of a parameter is extended after the selection. */
static LLVMValueRef
selected_offset(LLVMValueRef v)
{
    if (!is_element(v) || !LLVMIsAArgument(array_of(v)))
        return NULL;
    LLVMValueRef v_select = LLVMGetOperand(v, 1);
    if (LLVMIsAZExtInst(v_select) && LLVMGetNNeg(v_select))
        v_select = LLVMGetOperand(v_select, 0);
    return LLVMIsASelectInst(v_select) && LLVMIsAArgument(extent_of(v_select)) &&
                   LLVMIsAConstantInt(LLVMGetOperand(v_select, 2)) &&
                   LLVMIsNull(LLVMGetOperand(v_select, 2))
               ? v_select
               : NULL;
}

/* The address of the array's end, computed in the entry: once for each array. */
static LLVMValueRef
end_of(struct ck_gen *gen, LLVMValueRef v_address, LLVMValueRef v_select)
{
    LLVMValueRef v_array = array_of(v_address), v_n = extent_of(v_select);
    LLVMBasicBlockRef b_entry =
        LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(v_address)));
    LLVMTypeRef t_element = LLVMGetGEPSourceElementType(v_address);
    for (LLVMUseRef use = LLVMGetFirstUse(v_n); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v = LLVMGetUser(use);
        if (is_element(v) && LLVMGetOperand(v, 0) == v_array && LLVMGetOperand(v, 1) == v_n &&
            LLVMGetGEPSourceElementType(v) == t_element && LLVMGetInstructionParent(v) == b_entry &&
            !LLVMGetPreviousInstruction(v))
            return v;
    }
    LLVMPositionBuilderBefore(gen->builder, LLVMGetFirstInstruction(b_entry));
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    return LLVMBuildGEP2(gen->builder, t_element, v_array, &v_n, 1, "end");
}

static void
erase_unused(LLVMValueRef v)
{
    if (LLVMIsAInstruction(v) && !LLVMGetFirstUse(v))
        LLVMInstructionEraseFromParent(v);
}

static void
select_pointer(struct ck_gen *gen, LLVMValueRef v_address, LLVMValueRef v_select)
{
    LLVMValueRef v_end = end_of(gen, v_address, v_select);
    LLVMPositionBuilderBefore(gen->builder, v_address);
    LLVMValueRef v_base = LLVMGetOperand(v_address, 0), v_offset = LLVMGetOperand(v_address, 1);
    LLVMValueRef v_new = l_select(gen, LLVMGetOperand(v_select, 0), v_end, array_of(v_address));
    if (array_of(v_address) != v_base) {
        LLVMValueRef v_index = LLVMGetOperand(v_base, 1);
        v_new = LLVMBuildGEP2(gen->builder, LLVMGetGEPSourceElementType(v_base), v_new, &v_index, 1,
                              "");
    }
    LLVMReplaceAllUsesWith(v_address, v_new);
    LLVMInstructionEraseFromParent(v_address);
    erase_unused(v_base);
    erase_unused(v_offset);
    if (v_offset != v_select)
        erase_unused(v_select);
}

static bool
has_offsets(LLVMValueRef v_function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
            if (selected_offset(v))
                return true;
        }
    }
    return false;
}

static void
select_in_block(struct ck_gen *gen, LLVMBasicBlockRef block)
{
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        LLVMValueRef v_select = selected_offset(v);
        if (v_select)
            select_pointer(gen, v, v_select);
    }
}

void
ck_gen_select_pointers(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        if (!has_offsets(v))
            continue;
        struct ck_arena_mark mark = ck_arena_mark(&gen->arena);
        const struct ck_block_set no_stops = {0};
        struct ck_cfg cfg = {.arena = &gen->arena};
        if (ck_cfg_build(&cfg, v)) {
            for (int i = 0; i < cfg.n_reachable; i++) {
                if (ck_cfg_is_in_loop(&cfg, cfg.rpo[i], &no_stops))
                    select_in_block(gen, cfg.blocks[cfg.rpo[i]].b_self);
            }
        }
        ck_arena_release(&gen->arena, mark);
    }
}
