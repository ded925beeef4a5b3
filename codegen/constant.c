/* Constant arrays: data of the module, made for those that its functions read. */
#include "codegen/gen.h"

static LLVMValueRef
initial_value(struct ck_gen *gen, const struct ck_const_array *array)
{
    LLVMTypeRef type = ck_gen_memory_type(gen, array->elem);
    LLVMValueRef *v_items = CK_NEW_ARRAY(&gen->arena, LLVMValueRef, array->count);
    for (int64_t i = 0; i < array->count; i++)
        v_items[i] = ck_gen_to_memory(gen, array->elem, ck_gen_scalar(gen, array->items[i]));
    return LLVMConstArray2(type, v_items, (uint64_t)array->count);
}

static LLVMValueRef
global_of(struct ck_gen *gen, const struct ck_const_array *array)
{
    /* Arrays in one tuple share its name: the number keeps them apart. */
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

struct ck_value
ck_gen_const_array(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_const_array *array = expr->array;
    struct ck_value value = ck_value_new(gen, ck_gen_n_parts(expr->type));
    value.parts[0] = global_of(gen, array);
    for (int dim = 0; dim < array->ndim; dim++)
        value.parts[1 + dim] = l_i64(gen, array->shape[dim]);
    return value;
}
