/* Constant arrays: globals of the module, one for each array that its functions read. */
#include "codegen/core/ir_util.h"
#include "codegen/lower/lower.h"

/* The item at place `at` of the array's memory. */
static const struct ck_texpr *
item_at(const struct ck_const_array *array, int64_t at)
{
    int64_t position = 0, scale = array->count;
    for (int i = 0; array->is_fortran && i < array->ndim; i++) {
        scale /= array->shape[i];
        position += at % array->shape[i] * scale;
        at /= array->shape[i];
    }
    return array->items[array->is_fortran ? position : at];
}

static LLVMValueRef
initial_value(struct ck_gen *gen, const struct ck_const_array *array)
{
    /* A complex number is two consecutive floats. */
    bool complex = ck_type_is_complex(array->elem);
    const struct ck_type *part = complex ? ck_type_part(array->elem) : array->elem;
    int64_t count = 0;
    LLVMValueRef *v_parts = CK_NEW_ARRAY(&gen->arena, LLVMValueRef, array->count * 2);
    for (int64_t i = 0; i < array->count; i++) {
        struct ck_gen_value item = ck_gen_expr(gen, item_at(array, i));
        for (int k = 0; k < 1 + complex; k++)
            v_parts[count++] = ck_gen_to_memory(gen, part, item.parts[k]);
    }
    return LLVMConstArray2(ck_gen_memory_type(gen, part), v_parts, (uint64_t)count);
}

static LLVMValueRef
global_of(struct ck_gen *gen, const struct ck_const_array *array)
{
    /* Arrays in one tuple share its name: the number makes the symbol unique. */
    const char *name = ck_arena_printf(&gen->arena, "constant.%s.%d", array->name, array->id);
    LLVMValueRef v_global = LLVMGetNamedGlobal(gen->module, name);
    if (v_global)
        return v_global;
    LLVMValueRef v_initial = initial_value(gen, array);
    v_global = LLVMAddGlobalInAddressSpace(gen->module, LLVMTypeOf(v_initial), name,
                                           gen->target->address_spaces[CK_SPACE_CONST]);
    LLVMSetInitializer(v_global, v_initial);
    LLVMSetGlobalConstant(v_global, true);
    LLVMSetLinkage(v_global, LLVMInternalLinkage);
    LLVMSetUnnamedAddress(v_global, LLVMGlobalUnnamedAddr);
    LLVMSetAlignment(v_global, 16);
    return v_global;
}

struct ck_gen_value
ck_gen_const_array(struct ck_gen *gen, const struct ck_texpr *expr)
{
    return ck_gen_fixed_array(gen, expr->type, global_of(gen, expr->array), expr->array->shape);
}

/* --- After the passes ----------------------------------------------------------------------------
 */

static bool
reads_constant(LLVMValueRef v)
{
    if (!LLVMIsALoadInst(v))
        return false;
    LLVMValueRef v_address = LLVMGetOperand(v, 0);
    while (LLVMIsAGetElementPtrInst(v_address) || LLVMIsACastInst(v_address))
        v_address = LLVMGetOperand(v_address, 0);
    return LLVMIsAGlobalVariable(v_address) && LLVMIsGlobalConstant(v_address);
}

static void
thaw(struct ck_gen *gen, LLVMValueRef v)
{
    (void)gen;
    if (!LLVMIsAFreezeInst(v) || !reads_constant(LLVMGetOperand(v, 0)))
        return;
    LLVMReplaceAllUsesWith(v, LLVMGetOperand(v, 0));
    LLVMInstructionEraseFromParent(v);
}

void
ck_gen_thaw_constants(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, thaw);
}
