/* The language's types as LLVM's, and values as their parts. */
#include "codegen/core/gen.h"

void
ck_gen_init_types(struct ck_gen *gen)
{
    LLVMContextRef llvm = gen->llvm;
    gen->t_void = LLVMVoidTypeInContext(llvm);
    gen->t_i1 = LLVMInt1TypeInContext(llvm);
    gen->t_i8 = LLVMInt8TypeInContext(llvm);
    gen->t_i32 = LLVMInt32TypeInContext(llvm);
    gen->t_i64 = LLVMInt64TypeInContext(llvm);
    gen->t_float = LLVMFloatTypeInContext(llvm);
    gen->t_ptr = LLVMPointerTypeInContext(llvm, 0);

    LLVMTypeRef *types = gen->scalar_types;
    types[CK_TYPE_BOOL] = gen->t_i1;
    types[CK_TYPE_INT8] = types[CK_TYPE_UINT8] = gen->t_i8;
    types[CK_TYPE_INT16] = types[CK_TYPE_UINT16] = LLVMInt16TypeInContext(llvm);
    types[CK_TYPE_INT32] = types[CK_TYPE_UINT32] = gen->t_i32;
    types[CK_TYPE_INT64] = types[CK_TYPE_UINT64] = types[CK_TYPE_WEAK_INT] = gen->t_i64;
    types[CK_TYPE_FLOAT16] = LLVMHalfTypeInContext(llvm);
    types[CK_TYPE_BFLOAT16] = LLVMBFloatTypeInContext(llvm);
    types[CK_TYPE_FLOAT32] = gen->t_float;
    types[CK_TYPE_FLOAT64] = types[CK_TYPE_WEAK_FLOAT] = LLVMDoubleTypeInContext(llvm);
}

LLVMTypeRef
ck_gen_scalar_type(struct ck_gen *gen, const struct ck_type *type)
{
    if (ck_type_is_pointer(type) || ck_type_is_date(type))
        return gen->t_i64;
    bool one_part = ck_type_is_scalar(type) && !ck_type_is_complex(type);
    LLVMTypeRef llvm = one_part ? gen->scalar_types[type->kind] : NULL;
    if (llvm)
        return llvm;
    const char *text = ck_type_text(&gen->arena, type);
    ck_gen_fail(gen, CK_ERROR_INTERNAL, "a scalar was expected, not %s", text);
}

LLVMTypeRef
ck_gen_memory_type(struct ck_gen *gen, const struct ck_type *type)
{
    if (ck_type_is_complex(type))
        return LLVMVectorType(ck_gen_scalar_type(gen, ck_type_part(type)), 2);
    if (ck_type_is_vector(type))
        return LLVMArrayType2(ck_gen_scalar_type(gen, type->tuple.items[0]),
                              (uint64_t)type->tuple.n);
    if (ck_type_is_record(type))
        return LLVMArrayType2(gen->t_i8, (uint64_t)ck_type_size(type));
    return type->kind == CK_TYPE_BOOL ? gen->t_i8 : ck_gen_scalar_type(gen, type);
}

LLVMValueRef
ck_gen_to_memory(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_value)
{
    if (type->kind != CK_TYPE_BOOL)
        return v_value;
    return LLVMBuildZExt(gen->builder, v_value, gen->t_i8, "");
}

LLVMValueRef
ck_gen_from_memory(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_memory)
{
    if (type->kind != CK_TYPE_BOOL)
        return v_memory;
    return l_compare(gen, LLVMIntNE, v_memory, LLVMConstInt(gen->t_i8, 0, false));
}

int
ck_gen_n_parts(const struct ck_type *type)
{
    switch (type->kind) {
    case CK_TYPE_VOID:
        return 0;
    case CK_TYPE_ARRAY:
        return 1 + type->array.ndim + ck_array_n_strides(type);
    case CK_TYPE_GROUP:
    case CK_TYPE_TUPLE: {
        int n = 0;
        for (int i = 0; i < type->tuple.n; i++)
            n += ck_gen_n_parts(type->tuple.items[i]);
        return n;
    }
    case CK_TYPE_COMPLEX64:
    case CK_TYPE_COMPLEX128:
        return 2;
    default:
        return 1;
    }
}

static int
array_part_types(struct ck_gen *gen, const struct ck_type *type, LLVMTypeRef *out)
{
    int n = ck_gen_n_parts(type);
    unsigned space = gen->target->address_spaces[type->array.space];
    out[0] = LLVMPointerTypeInContext(gen->llvm, space);
    for (int i = 1; i < n; i++)
        out[i] = gen->t_i64;
    return n;
}

int
ck_gen_part_types(struct ck_gen *gen, const struct ck_type *type, LLVMTypeRef *out)
{
    switch (type->kind) {
    case CK_TYPE_VOID:
        return 0;
    case CK_TYPE_ARRAY:
        return array_part_types(gen, type, out);
    case CK_TYPE_GROUP:
    case CK_TYPE_TUPLE: {
        int n = 0;
        for (int i = 0; i < type->tuple.n; i++)
            n += ck_gen_part_types(gen, type->tuple.items[i], out + n);
        return n;
    }
    case CK_TYPE_COMPLEX64:
    case CK_TYPE_COMPLEX128:
        out[0] = out[1] = ck_gen_scalar_type(gen, ck_type_part(type));
        return 2;
    default:
        out[0] = ck_gen_scalar_type(gen, type);
        return 1;
    }
}

struct ck_gen_value
ck_gen_value_new(struct ck_gen *gen, int n_parts)
{
    return (struct ck_gen_value){n_parts, CK_NEW_ARRAY(&gen->arena, LLVMValueRef, n_parts)};
}

struct ck_gen_value
ck_gen_value_scalar(struct ck_gen *gen, LLVMValueRef v_scalar)
{
    struct ck_gen_value value = ck_gen_value_new(gen, 1);
    value.parts[0] = v_scalar;
    return value;
}

int
ck_gen_n_entry_params(const struct ck_gen *gen, const struct ck_type *type)
{
    return gen->target->traits.packs_complex && ck_type_is_complex(type) ? 1 : ck_gen_n_parts(type);
}
