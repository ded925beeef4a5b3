/* Selects between two addresses instead of between two offsets, in loops: docs/adr/027.
 *
 * An index below zero counts from the end. The address of x[i] is `x + (i < 0 ? n : 0) + i`, as
 * LLVM canonicalises it: the selected offset is multiplied and added in each iteration. With
 * `(i < 0 ? x + n : x) + i` the sum x + n is computed once, in the function's entry. Of the row
 * `x + ((i < 0 ? n : 0) + i) * m` it becomes `(i < 0 ? x + n * m : x) + i * m`: docs/adr/036. Runs
 * last, because LLVM's instcombine would undo it. */
#include "codegen/core/ir_util.h"
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

/* --- Rows --------------------------------------------------------------------------------------
 */

/* The address of a row: `array + (wrap + index) * m`, where the wrap is `c ? n : 0`. */
struct row {
    LLVMValueRef v_array, v_sum, v_wrap, v_index, v_m;
    LLVMValueRef v_at; /* where the array's address is known first */
};

static bool
has_one_use(LLVMValueRef v)
{
    LLVMUseRef use = LLVMGetFirstUse(v);
    return use && !LLVMGetNextUse(use);
}

/* Whether an address is one; n and m are parameters, and nothing else uses the sum. */
static bool
match_row(LLVMValueRef v, struct row *row)
{
    LLVMValueRef v_product = is_element(v) ? LLVMGetOperand(v, 1) : NULL;
    if (!v_product || ck_ir_opcode(v_product) != LLVMMul || !has_one_use(v_product))
        return false;
    const unsigned at_m = LLVMIsAArgument(LLVMGetOperand(v_product, 1)) ? 1 : 0;
    *row = (struct row){.v_array = LLVMGetOperand(v, 0),
                        .v_sum = LLVMGetOperand(v_product, 1 - at_m),
                        .v_m = LLVMGetOperand(v_product, at_m)};
    if (!LLVMIsAArgument(row->v_m) || ck_ir_opcode(row->v_sum) != LLVMAdd ||
        !has_one_use(row->v_sum) ||
        (!LLVMIsAArgument(row->v_array) && !LLVMIsAGetElementPtrInst(row->v_array)))
        return false;
    const unsigned at_wrap = LLVMIsASelectInst(LLVMGetOperand(row->v_sum, 0)) ? 0 : 1;
    row->v_wrap = LLVMGetOperand(row->v_sum, at_wrap);
    row->v_index = LLVMGetOperand(row->v_sum, 1 - at_wrap);
    LLVMBasicBlockRef b_entry =
        LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(v)));
    row->v_at = LLVMIsAArgument(row->v_array) ? LLVMGetFirstInstruction(b_entry)
                                              : LLVMGetNextInstruction(row->v_array);
    return LLVMIsASelectInst(row->v_wrap) && LLVMIsAArgument(LLVMGetOperand(row->v_wrap, 1)) &&
           LLVMIsAConstantInt(LLVMGetOperand(row->v_wrap, 2)) &&
           LLVMIsNull(LLVMGetOperand(row->v_wrap, 2));
}

/* The stride of the rows in bytes, and the end of the last one: `array + n * stride`. */
struct row_ends {
    LLVMValueRef v_stride, v_end;
};

/* Computes the ends where the array's address is: once for each. */
static struct row_ends
ends_of(struct ck_gen *gen, const struct row *row, LLVMTypeRef t_element)
{
    LLVMValueRef v_n = LLVMGetOperand(row->v_wrap, 1);
    for (LLVMUseRef use = LLVMGetFirstUse(row->v_array); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v = LLVMGetUser(use);
        LLVMValueRef v_offset = is_element(v) ? LLVMGetOperand(v, 1) : NULL;
        if (!v_offset || ck_ir_opcode(v_offset) != LLVMMul || LLVMGetOperand(v_offset, 0) != v_n)
            continue;
        LLVMValueRef v_stride = LLVMGetOperand(v_offset, 1);
        if (ck_ir_opcode(v_stride) == LLVMMul && LLVMGetOperand(v_stride, 0) == row->v_m &&
            LLVMGetOperand(v_stride, 1) == LLVMSizeOf(t_element))
            return (struct row_ends){v_stride, v};
    }
    LLVMPositionBuilderBefore(gen->builder, row->v_at);
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    LLVMValueRef v_stride = LLVMBuildMul(gen->builder, row->v_m, LLVMSizeOf(t_element), "");
    LLVMValueRef v_offset = LLVMBuildMul(gen->builder, v_n, v_stride, "");
    return (struct row_ends){
        v_stride, LLVMBuildGEP2(gen->builder, gen->t_i8, row->v_array, &v_offset, 1, "end")};
}

static void
select_row(struct ck_gen *gen, const struct row *row, LLVMValueRef v_address)
{
    const struct row_ends ends = ends_of(gen, row, LLVMGetGEPSourceElementType(v_address));
    LLVMValueRef v_old = LLVMGetOperand(v_address, 1);
    LLVMPositionBuilderBefore(gen->builder, v_address);
    LLVMValueRef v_first = l_select(gen, LLVMGetOperand(row->v_wrap, 0), ends.v_end, row->v_array);
    LLVMValueRef v_offset = LLVMBuildMul(gen->builder, row->v_index, ends.v_stride, "");
    LLVMReplaceAllUsesWith(v_address,
                           LLVMBuildGEP2(gen->builder, gen->t_i8, v_first, &v_offset, 1, ""));
    LLVMInstructionEraseFromParent(v_address);
    LLVMInstructionEraseFromParent(v_old);
    LLVMInstructionEraseFromParent(row->v_sum);
    erase_unused(row->v_wrap);
}

/* Whether an address is computed once: it is a parameter, or no loop contains it. */
static bool
is_computed_once(const struct ck_cfg *cfg, LLVMValueRef v)
{
    const struct ck_block_set no_stops = {0};
    return LLVMIsAArgument(v) ||
           !ck_cfg_is_in_loop(cfg, ck_cfg_find(cfg, LLVMGetInstructionParent(v)), &no_stops);
}

/* --- The pass ----------------------------------------------------------------------------------
 */

static bool
has_offsets(LLVMValueRef v_function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
            struct row row;
            if (selected_offset(v) || match_row(v, &row))
                return true;
        }
    }
    return false;
}

static void
select_in_block(struct ck_gen *gen, const struct ck_cfg *cfg, LLVMBasicBlockRef block)
{
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        LLVMValueRef v_select = selected_offset(v);
        struct row row;
        if (v_select)
            select_pointer(gen, v, v_select);
        else if (match_row(v, &row) && is_computed_once(cfg, row.v_array))
            select_row(gen, &row, v);
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
                    select_in_block(gen, &cfg, cfg.blocks[cfg.rpo[i]].b_self);
            }
        }
        ck_arena_release(&gen->arena, mark);
    }
}
