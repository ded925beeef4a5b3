/* Arrays: addresses of elements, loads and stores.
 *
 * Indices and offsets are int64 and wrap around. Indices are not checked, so that sums, products
 * and address computations do not carry `nsw`, `nuw` or `inbounds`: from these LLVM would conclude
 * that code around an access out of range is never reached (ADR 019). */
#include <string.h>

#include <ck/run.h>

#include "codegen/lower/lower.h"

static LLVMValueRef
extent(struct ck_gen_value array, int dim)
{
    return array.parts[1 + dim];
}

static LLVMValueRef
wrapped(struct ck_gen *gen, const struct ck_tindex *index, LLVMValueRef v_extent)
{
    LLVMValueRef v_index = ck_gen_cast(gen, index->value->type, ck_type_scalar(CK_TYPE_INT64),
                                       ck_gen_scalar(gen, index->value));
    if (!index->wrap)
        return v_index;
    /* An extent is not negative: the sum overflows only if the index is not negative either, and
     * then the select does not use it. */
    /* A check of bounds reports the index that the sum comes from. */
    if (gen->target->memory->wrap_extent && !ck_gen_checks(gen, CK_CHECK_BOUNDS))
        v_extent = gen->target->memory->wrap_extent(gen, v_extent);
    LLVMValueRef v_from_end = LLVMBuildNSWAdd(gen->builder, v_index, v_extent, "");
    LLVMValueRef v_negative = l_compare(gen, LLVMIntSLT, v_index, l_i64(gen, 0));
    return l_select(gen, v_negative, v_from_end, v_index);
}

LLVMValueRef
ck_gen_index(struct ck_gen *gen, const struct ck_texpr *array, int axis,
             const struct ck_tindex *index, LLVMValueRef v_extent)
{
    LLVMValueRef v_index = wrapped(gen, index, v_extent);
    ck_gen_check_index(gen, array, axis, index, v_index, v_extent);
    return v_index;
}

static LLVMValueRef
strided_offset(struct ck_gen *gen, int ndim, struct ck_gen_value array, LLVMValueRef *v_indices)
{
    LLVMValueRef v_offset = NULL;
    for (int dim = 0; dim < ndim; dim++) {
        LLVMValueRef v_term =
            LLVMBuildMul(gen->builder, v_indices[dim], array.parts[1 + ndim + dim], "");
        v_offset = v_offset ? LLVMBuildAdd(gen->builder, v_offset, v_term, "") : v_term;
    }
    return v_offset;
}

/* C order: ((i0 * n1 + i1) * n2 + i2) ...; Fortran order from the other end. */
static LLVMValueRef
dense_offset(struct ck_gen *gen, int ndim, bool is_fortran, struct ck_gen_value array,
             LLVMValueRef *v_indices)
{
    int first = is_fortran ? ndim - 1 : 0;
    int step = is_fortran ? -1 : 1;
    LLVMValueRef v_offset = v_indices[first];
    for (int i = 1; i < ndim; i++) {
        int dim = first + i * step;
        v_offset = LLVMBuildMul(gen->builder, v_offset, extent(array, dim), "");
        v_offset = LLVMBuildAdd(gen->builder, v_offset, v_indices[dim], "");
    }
    return v_offset;
}

LLVMTypeRef
ck_gen_step_type(struct ck_gen *gen, const struct ck_type *array)
{
    return array->array.pitch ? LLVMArrayType2(gen->t_i8, (uint64_t)array->array.pitch)
                              : ck_gen_memory_type(gen, array->array.elem);
}

LLVMValueRef
ck_gen_element_address(struct ck_gen *gen, const struct ck_texpr *expr, struct ck_gen_value value,
                       const struct ck_tindex *indices)
{
    const struct ck_type *array = expr->type;
    int ndim = array->array.ndim;
    LLVMValueRef v_indices[CK_MAX_NDIM] = {NULL};
    if (ndim == 0)
        return value.parts[0];
    for (int dim = 0; dim < ndim; dim++)
        v_indices[dim] = ck_gen_index(gen, expr, dim, &indices[dim], extent(value, dim));

    LLVMTypeRef elem = ck_gen_step_type(gen, array);
    bool is_strided = array->array.layout == CK_LAYOUT_ANY;
    LLVMValueRef v_offset =
        is_strided ? strided_offset(gen, ndim, value, v_indices)
                   : dense_offset(gen, ndim, array->array.layout == CK_LAYOUT_F, value, v_indices);
    return LLVMBuildGEP2(gen->builder, elem, value.parts[0], &v_offset, 1, "");
}

const struct ck_tindex *
ck_gen_last_index(const struct ck_texpr *array, const struct ck_tindex *indices)
{
    static const struct ck_tindex none;
    int ndim = array->type->array.ndim;
    return ndim ? &indices[ndim - 1] : &none;
}

/* The parts of an element in memory: of a complex number or a vector, several. */
struct element_parts {
    int n;
    const struct ck_type *type;
    unsigned bytes; /* of each */
    unsigned align; /* of the first */
};

static struct element_parts
parts_of(struct ck_gen *gen, const struct ck_type *array)
{
    const struct ck_type *elem = array->array.elem;
    const bool is_vector = ck_type_is_vector(elem);
    struct element_parts parts = {
        .n = ck_gen_n_parts(elem),
        .type = is_vector                  ? elem->tuple.items[0]
                : ck_type_is_complex(elem) ? ck_type_part(elem)
                                           : elem,
        .align = (unsigned)ck_array_align(array),
    };
    parts.bytes = (unsigned)ck_type_size(parts.type);
    if (is_vector && !gen->target->traits.aligns_vectors && parts.align > parts.bytes)
        parts.align = parts.bytes;
    return parts;
}

/* The largest power of two that divides the offset of a part and the alignment of the first. */
static unsigned
part_align(const struct element_parts *parts, int part)
{
    const unsigned bits = parts->align | (unsigned)part * parts->bytes;
    return bits & (~bits + 1);
}

/* The address of a part. It may be out of range, as its element may, so l_offset is not used. */
static LLVMValueRef
part_address(struct ck_gen *gen, const struct element_parts *parts, LLVMValueRef v_element,
             int part)
{
    LLVMValueRef v_bytes = l_i64(gen, part * (int64_t)parts->bytes);
    return part ? LLVMBuildGEP2(gen->builder, gen->t_i8, v_element, &v_bytes, 1, "") : v_element;
}

/* One vector access of all parts, where they are one aligned piece of memory. */
void
ck_gen_element_store(struct ck_gen *gen, const struct ck_type *array, LLVMValueRef v_address,
                     struct ck_gen_value value)
{
    const struct element_parts parts = parts_of(gen, array);
    for (int i = 0; i < parts.n; i++)
        l_store(gen, ck_gen_to_memory(gen, parts.type, value.parts[i]),
                part_address(gen, &parts, v_address, i), part_align(&parts, i));
}

LLVMValueRef
ck_gen_settle(struct ck_gen *gen, const struct ck_type *array, LLVMValueRef v_loaded)
{
    const enum ck_space space = array->array.space;
    if (space == CK_SPACE_GLOBAL || space == CK_SPACE_SHARED)
        return v_loaded;
    return LLVMBuildFreeze(gen->builder, v_loaded, "");
}

LLVMValueRef
ck_gen_load_atomic(struct ck_gen *gen, LLVMTypeRef type, LLVMValueRef v_address,
                   struct ck_atomicity how)
{
    unsigned bytes = (unsigned)LLVMABISizeOfType(gen->layout, type);
    LLVMTypeRef bits = LLVMIntTypeInContext(gen->llvm, bytes * 8);
    LLVMValueRef v_bits = l_load(gen, bits, v_address, bytes, "polled");
    ck_gen_set_atomic(gen, v_bits, how);
    gen->func->code.has_atomics = true;
    return LLVMBuildBitCast(gen->builder, v_bits, type, "");
}

/* Keeps passes from moving the load out of a loop. No atomic load is less aligned than its size. */
static LLVMValueRef
polled(struct ck_gen *gen, LLVMTypeRef type, LLVMValueRef v_address, unsigned align)
{
    const struct ck_atomicity how = {CK_ORDER_RELAXED, CK_SCOPE_DEVICE};
    if (align >= LLVMABISizeOfType(gen->layout, type))
        return ck_gen_load_atomic(gen, type, v_address, how);
    LLVMValueRef v_load = l_load(gen, type, v_address, align, "polled");
    LLVMSetVolatile(v_load, true);
    return v_load;
}

struct ck_gen_value
ck_gen_fixed_array(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_address,
                   const int64_t *shape)
{
    struct ck_gen_value value = ck_gen_value_new(gen, ck_gen_n_parts(type));
    value.parts[0] = v_address;
    for (int dim = 0; dim < type->array.ndim; dim++)
        value.parts[1 + dim] = l_i64(gen, shape[dim]);
    return value;
}

struct ck_gen_value
ck_gen_element_load(struct ck_gen *gen, const struct ck_texpr *element)
{
    const struct ck_texpr *array = element->element.array;
    struct ck_gen_value value = ck_gen_expr(gen, array);
    const struct ck_tindex *indices = element->element.indices;
    LLVMValueRef v_address = ck_gen_element_address(gen, array, value, indices);
    const struct ck_access_kind kind = {.reads = true, .polls = element->element.polled};
    ck_gen_check_access(gen, array, ck_gen_last_index(array, indices), value.parts[0], v_address,
                        (unsigned)ck_type_size(array->type->array.elem), kind);
    const struct element_parts parts = parts_of(gen, array->type);
    LLVMTypeRef type = ck_gen_memory_type(gen, parts.type);
    struct ck_gen_value result = ck_gen_value_new(gen, parts.n);
    for (int i = 0; i < result.n; i++) {
        LLVMValueRef v_part = part_address(gen, &parts, v_address, i);
        const unsigned align = part_align(&parts, i);
        LLVMValueRef v_memory = element->element.polled ? polled(gen, type, v_part, align)
                                                        : l_load(gen, type, v_part, align, "");
        v_memory = ck_gen_settle(gen, array->type, v_memory);
        result.parts[i] = ck_gen_from_memory(gen, parts.type, v_memory);
    }
    return result;
}

LLVMValueRef
ck_gen_stride(struct ck_gen *gen, const struct ck_type *array, struct ck_gen_value value, int dim)
{
    int ndim = array->array.ndim;
    if (array->array.layout == CK_LAYOUT_ANY)
        return value.parts[1 + ndim + dim];
    bool is_fortran = array->array.layout == CK_LAYOUT_F;
    LLVMValueRef v_stride = l_i64(gen, 1);
    int from = is_fortran ? 0 : dim + 1;
    int to = is_fortran ? dim : ndim;
    for (int i = from; i < to; i++)
        v_stride = LLVMBuildMul(gen->builder, v_stride, extent(value, i), "");
    return v_stride;
}

LLVMValueRef
ck_gen_stride_bytes(struct ck_gen *gen, const struct ck_type *array, struct ck_gen_value value,
                    int dim)
{
    LLVMValueRef v_size = l_i64(gen, ck_array_pitch(array));
    return LLVMBuildMul(gen->builder, ck_gen_stride(gen, array, value, dim), v_size, "");
}

/* Converts to a more general type: a generic address space, explicit strides. */
struct ck_gen_value
ck_gen_retype(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *from = expr->operand->type, *to = expr->type;
    struct ck_gen_value old = ck_gen_expr(gen, expr->operand);
    struct ck_gen_value value = ck_gen_value_new(gen, ck_gen_n_parts(to));
    int ndim = to->array.ndim;
    LLVMTypeRef pointer =
        LLVMPointerTypeInContext(gen->llvm, gen->target->address_spaces[to->array.space]);
    value.parts[0] = old.parts[0];
    if (LLVMTypeOf(old.parts[0]) != pointer)
        value.parts[0] = LLVMBuildAddrSpaceCast(gen->builder, old.parts[0], pointer, "");
    for (int dim = 0; dim < ndim; dim++)
        value.parts[1 + dim] = extent(old, dim);
    for (int dim = 0; dim < ck_array_n_strides(to); dim++)
        value.parts[1 + ndim + dim] = ck_gen_stride(gen, from, old, dim);
    return value;
}
