/* Arrays of the module in the device's memory.
 *
 * In an image that stands alone each is a variable. With the option `shared_arrays` several images
 * use the same memory: then each has a variable that holds the array's address, which the runtime
 * sets when it loads the image. Constant memory is a part of each image where the target has it. */
#include <string.h>

#include "codegen/lower/lower.h"

bool
ck_gen_is_by_address(const struct ck_gen *gen, const struct ck_module_array *array)
{
    const bool is_const = array->type->array.space == CK_SPACE_CONST;
    return gen->options->shared_arrays && !(is_const && gen->target->traits.has_constant_memory);
}

/* Only the symbols of PTX are for others; those of other code must not be functions' too. */
const char *
ck_gen_array_symbol(struct ck_gen *gen, const struct ck_module_array *array)
{
    return gen->target->traits.has_text ? array->symbol
                                        : ck_arena_printf(&gen->arena, "array.%s", array->symbol);
}

static LLVMValueRef
first_values(struct ck_gen *gen, const struct ck_module_array *array, LLVMTypeRef type)
{
    if (!array->initial)
        return LLVMConstNull(type);
    size_t length;
    const char *bytes = ck_const_array_bytes(&gen->arena, array->initial, &length);
    return LLVMConstStringInContext2(gen->llvm, bytes, length, true);
}

/* A variable that the host may change, and whose value LLVM does not know. */
static LLVMValueRef
add_variable(struct ck_gen *gen, const char *name, LLVMTypeRef type, enum ck_space space,
             LLVMValueRef v_first)
{
    LLVMValueRef v_variable =
        LLVMAddGlobalInAddressSpace(gen->module, type, name, gen->target->address_spaces[space]);
    LLVMSetInitializer(v_variable, v_first);
    LLVMSetExternallyInitialized(v_variable, true);
    LLVMSetAlignment(v_variable, CK_ARRAY_ALIGN);
    return v_variable;
}

/* What a load of an address yields is a multiple of CK_ARRAY_ALIGN. */
static void
mark_aligned(struct ck_gen *gen, LLVMValueRef v_load)
{
    const unsigned kind = LLVMGetMDKindIDInContext(gen->llvm, "align", strlen("align"));
    LLVMMetadataRef align = LLVMValueAsMetadata(l_i64(gen, CK_ARRAY_ALIGN));
    LLVMMetadataRef node = LLVMMDNodeInContext2(gen->llvm, &align, 1);
    LLVMSetMetadata(v_load, kind, LLVMMetadataAsValue(gen->llvm, node));
}

static LLVMValueRef
address_of(struct ck_gen *gen, const struct ck_module_array *array)
{
    const char *name = ck_gen_array_symbol(gen, array);
    const enum ck_space space = array->type->array.space;
    const uint64_t bytes = (uint64_t)(array->count * ck_type_size(array->type->array.elem));
    LLVMTypeRef memory = LLVMArrayType2(gen->t_i8, bytes);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(gen->llvm, gen->target->address_spaces[space]);
    LLVMValueRef v_variable = LLVMGetNamedGlobal(gen->module, name);
    if (!ck_gen_is_by_address(gen, array))
        return v_variable
                   ? v_variable
                   : add_variable(gen, name, memory, space, first_values(gen, array, memory));
    if (!v_variable)
        v_variable = add_variable(gen, name, pointer, CK_SPACE_CONST, LLVMConstNull(pointer));
    LLVMValueRef v_address =
        l_load_constant(gen, pointer, v_variable, CK_ARRAY_ALIGN / 2, array->name);
    mark_aligned(gen, v_address);
    return v_address;
}

struct ck_gen_value
ck_gen_module_array(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_module_array *array = expr->module_array;
    return ck_gen_fixed_array(gen, expr->type, address_of(gen, array), array->shape);
}
