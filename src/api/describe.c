/* Between the checker's types and the public description of kernels and parameters. */
#include "describe.h"

#include <assert.h>

/* The public enums are the language's, so that each converts by its number. */
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

const struct ck_type *
ck_param_type(struct ck_types *types, const ck_param_info **params)
{
    const ck_param_info *param = (*params)++;
    if (param->dtype == CK_TUPLE) {
        const struct ck_type **items =
            CK_NEW_ARRAY(types->arena, const struct ck_type *, param->n_items + 1);
        for (int i = 0; i < param->n_items; i++)
            items[i] = ck_param_type(types, params);
        return ck_type_tuple(types, items, param->n_items);
    }
    const struct ck_type *elem = ck_type_scalar((enum ck_type_kind)param->dtype);
    if (param->ndim == 0)
        return elem;
    return ck_type_array(types, elem, param->ndim, (enum ck_layout)param->layout, CK_SPACE_GLOBAL);
}

static ck_param_info
describe_param(struct ck_arena *arena, const struct ck_tfunc *kernel, const struct ck_tparam *param)
{
    ck_param_info info = {.name = ck_arena_strdup(arena, param->name)};
    if (param->local < 0) {
        info.dtype = CK_TUPLE;
        info.n_items = param->n_items;
        return info;
    }
    const struct ck_type *type = kernel->locals[param->local].type;
    if (ck_type_is_array(type)) {
        info.dtype = (ck_dtype)type->array.elem->kind;
        info.ndim = type->array.ndim;
        info.layout = (ck_layout_kind)type->array.layout;
    } else {
        info.dtype = (ck_dtype)type->kind;
    }
    return info;
}

/* Every shared array of `function` and of what it calls, each function once: `seen` is the list of
 * those counted so far. */
struct shared_count {
    struct ck_arena *arena;
    const struct ck_tfunc **seen;
    int n_seen, seen_capacity;
    uint64_t bytes;
};

static void
count_shared(struct shared_count *count, const struct ck_tfunc *function)
{
    for (int i = 0; i < count->n_seen; i++) {
        if (count->seen[i] == function)
            return;
    }
    CK_PUSH(count->arena, count->seen, count->n_seen, count->seen_capacity, function);
    for (int i = 0; i < function->n_shared; i++) {
        const struct ck_shared_array *array = &function->shared[i];
        count->bytes += (uint64_t)array->count * (uint64_t)ck_type_size(array->elem);
    }
    for (int i = 0; i < function->n_callees; i++)
        count_shared(count, function->callees[i]);
}

static uint32_t
shared_bytes(struct ck_arena *arena, const struct ck_tfunc *kernel)
{
    struct shared_count count = {.arena = arena};
    count_shared(&count, kernel);
    return count.bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)count.bytes;
}

static const char *
signature_text(struct ck_arena *arena, const ck_param_info *params, int n_params)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_signature_write(&text, params, n_params);
    return ck_arena_take(arena, ck_strbuf_take(&text));
}

void
ck_describe_kernel(ck_kernel_desc *out, struct ck_arena *arena, const struct ck_tfunc *kernel)
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
        .shared_bytes = shared_bytes(arena, kernel),
        .max_threads = (uint32_t)kernel->max_threads,
        .clusters = ck_tfunc_has(kernel, CK_EFFECT_CLUSTER),
    };
    for (int dim = 0; dim < 3; dim++)
        out->cluster[dim] = (uint32_t)kernel->cluster[dim];
}

void
ck_describe_generic(ck_kernel_desc *out, struct ck_arena *arena,
                    const struct ck_kernel_info *kernel)
{
    ck_param_info *params = CK_NEW_ARRAY(arena, ck_param_info, kernel->n_params);
    for (int i = 0; i < kernel->n_params; i++)
        params[i].name = ck_arena_strdup(arena, kernel->param_names[i]);
    *out = (ck_kernel_desc){
        .name = ck_arena_strdup(arena, kernel->name),
        .entry = "",
        .signature = "",
        .n_params = kernel->n_params,
        .params = params,
        .generic = 1,
    };
}
