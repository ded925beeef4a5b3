/* The description of a kernel: the same in a module and in the manifest of its image. */
#include <assert.h>
#include <string.h>

#include "codegen/core/shared_layout.h"
#include "codegen/core/target.h"
#include "codegen/driver/codegen.h"

/* The public enumerations have the language's values, so that a cast converts them. */
#define SAME_DTYPE(name)                                                                           \
    static_assert((int)CK_##name == (int)CK_TYPE_##name, "dtypes and scalar types agree")
SAME_DTYPE(BOOL);
SAME_DTYPE(INT8);
SAME_DTYPE(INT64);
SAME_DTYPE(UINT8);
SAME_DTYPE(UINT64);
SAME_DTYPE(FLOAT16);
SAME_DTYPE(BFLOAT16);
SAME_DTYPE(FLOAT64);
SAME_DTYPE(COMPLEX64);
SAME_DTYPE(COMPLEX128);
static_assert((int)CK_STRIDED == (int)CK_LAYOUT_ANY && (int)CK_C_ORDER == (int)CK_LAYOUT_C &&
                  (int)CK_FORTRAN == (int)CK_LAYOUT_F,
              "layouts agree");
static_assert((int)CK_MAX_TUPLES == (int)CK_MAX_TUPLE_DEPTH, "limits agree");

static_assert((int)CK_DATETIME64 - (int)CK_DATETIME64_Y == (int)CK_UNIT_GENERIC &&
                  (int)CK_TIMEDELTA64 - (int)CK_TIMEDELTA64_Y == (int)CK_UNIT_GENERIC,
              "units agree");

/* Of a number, or of a date. */
static ck_dtype
dtype_of(const struct ck_type *type)
{
    const int first = type->kind == CK_TYPE_DATETIME64 ? CK_DATETIME64_Y : CK_TIMEDELTA64_Y;
    return (ck_dtype)(ck_type_is_date(type) ? first + (int)type->date.unit : (int)type->kind);
}

static const ck_record *describe_record(struct ck_arena *arena, const struct ck_type *type);

/* Of a vector, its numbers are one more dimension, as in arrays of vectors. */
static ck_field
describe_field(struct ck_arena *arena, const char *name, const struct ck_member_layout *member)
{
    const struct ck_type *type = member->type;
    const bool is_record = ck_type_is_record(type), is_vector = ck_type_is_vector(type);
    ck_field field = {
        .name = ck_arena_strdup(arena, name),
        .dtype = is_record ? CK_RECORD : dtype_of(is_vector ? type->tuple.items[0] : type),
        .record = is_record ? describe_record(arena, type) : NULL,
        .offset = (size_t)member->offset,
        .ndim = member->ndim,
    };
    memcpy(field.shape, member->shape, sizeof *member->shape * (size_t)member->ndim);
    if (is_vector)
        field.shape[field.ndim++] = field.lanes = type->tuple.n;
    return field;
}

static const ck_record *
describe_record(struct ck_arena *arena, const struct ck_type *type)
{
    const struct ck_fields *of = type->tuple.fields;
    ck_field *fields = CK_NEW_ARRAY(arena, ck_field, of->n);
    for (int i = 0; i < of->n; i++)
        fields[i] = describe_field(arena, of->names[i], &of->members[i]);
    ck_record *record = CK_NEW(arena, ck_record);
    *record = (ck_record){.size = (size_t)of->size, .n_fields = of->n, .fields = fields};
    return record;
}

/* "CPointer(float32)"; of records with their fields, as in the type of an array. */
static const char *
pointer_text(struct ck_arena *arena, const struct ck_type *type)
{
    const struct ck_type *elem = type->pointer.elem;
    if (!ck_type_is_record(elem))
        return ck_type_text(arena, type);
    const ck_record *record = describe_record(arena, elem);
    const size_t length = ck_record_text(NULL, 0, record);
    char *text = CK_NEW_ARRAY(arena, char, length + 1);
    ck_record_text(text, length + 1, record);
    return ck_arena_printf(arena, "CPointer(%s)", text);
}

static ck_param_info
describe_param(struct ck_arena *arena, const struct ck_tfunc *kernel, const struct ck_tparam *param)
{
    ck_param_info info = {.name = ck_arena_strdup(arena, param->name)};
    if (param->local < 0) {
        info.dtype = param->local == CK_PARAM_NONE      ? CK_NONE
                     : param->local == CK_PARAM_DEFAULT ? CK_DEFAULT
                                                        : CK_TUPLE;
        info.n_items = param->n_items;
        info.type_name = param->type ? ck_arena_strdup(arena, param->type) : NULL;
        return info;
    }
    const struct ck_type *type = kernel->locals[param->local].type;
    if (ck_type_is_array(type)) {
        info.ndim = type->array.ndim ? type->array.ndim : CK_ZERO_DIM;
        info.layout = (ck_layout_kind)type->array.layout;
        type = type->array.elem;
        info.lanes = ck_type_is_vector(type) ? type->tuple.n : 0;
        type = info.lanes ? type->tuple.items[0] : type;
    }
    info.record = ck_type_is_record(type) ? describe_record(arena, type) : NULL;
    if (ck_type_is_pointer(type))
        info.type_name = pointer_text(arena, type);
    info.dtype = info.record ? CK_RECORD : ck_type_is_pointer(type) ? CK_UINT64 : dtype_of(type);
    return info;
}

static const char *
signature_text(struct ck_arena *arena, const ck_param_info *params, int n_params)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_signature_write(&text, params, n_params);
    return ck_arena_take(arena, ck_strbuf_take(&text));
}

static uint32_t
shared_bytes(struct ck_arena *arena, const struct ck_tfunc *kernel, const char *arch)
{
    const uint64_t bytes =
        ck_shared_arrays_bytes(arena, kernel) + ck_target_find(arch)->block->barrier_bytes(kernel);
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

ck_param_info *
ck_codegen_describe(ck_kernel_desc *out, struct ck_arena *arena, const struct ck_tfunc *kernel,
                    const char *arch)
{
    ck_param_info *params = CK_NEW_ARRAY(arena, ck_param_info, kernel->n_entries);
    for (int i = 0; i < kernel->n_entries; i++)
        params[i] = describe_param(arena, kernel, &kernel->params[i]);
    *out = (ck_kernel_desc){
        .name = ck_arena_strdup(arena, kernel->name),
        .entry = ck_arena_strdup(arena, kernel->symbol),
        .signature = signature_text(arena, params, kernel->n_entries),
        .n_params = kernel->n_entries,
        .params = params,
        .cooperative = ck_tfunc_has(kernel, CK_EFFECT_GRID_BARRIER),
        .shared_bytes = shared_bytes(arena, kernel, arch),
        .max_threads = (uint32_t)kernel->bounds.max_threads,
        .clusters = ck_tfunc_has(kernel, CK_EFFECT_CLUSTER),
        .stack_bytes = ck_tfunc_has(kernel, CK_EFFECT_RECURSION) ? CK_RECURSION_STACK : 0,
    };
    for (int dim = 0; dim < 3; dim++)
        out->cluster[dim] = (uint32_t)kernel->bounds.cluster[dim];
    return params;
}

ck_global_desc
ck_codegen_describe_global(struct ck_arena *arena, const struct ck_module_array *array)
{
    const struct ck_type *elem = array->type->array.elem;
    const bool is_vector = ck_type_is_vector(elem), is_record = ck_type_is_record(elem);
    ck_global_desc desc = {
        .name = ck_arena_strdup(arena, array->name),
        .dtype = is_record ? CK_RECORD : dtype_of(is_vector ? elem->tuple.items[0] : elem),
        .record = is_record ? describe_record(arena, elem) : NULL,
        .ndim = array->type->array.ndim,
        .constant = array->type->array.space == CK_SPACE_CONST,
        .initialized = array->initial != NULL,
    };
    memcpy(desc.shape, array->shape, sizeof *desc.shape * (size_t)desc.ndim);
    if (is_vector)
        desc.shape[desc.ndim++] = elem->tuple.n;
    return desc;
}
