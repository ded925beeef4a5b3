/* The manifest of a program: what an image says of itself. */
#include "codegen/core/gen.h"

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

static const char version[] =
    TEXT(CK_VERSION_MAJOR) "." TEXT(CK_VERSION_MINOR) "." TEXT(CK_VERSION_PATCH);

_Static_assert((int)CK_TYPE_BOOL == (int)CK_BOOL && (int)CK_TYPE_COMPLEX128 == (int)CK_COMPLEX128,
               "scalar types and dtypes are in one order");

static const ck_layout_kind layouts[] = {
    [CK_LAYOUT_ANY] = CK_STRIDED,
    [CK_LAYOUT_C] = CK_C_ORDER,
    [CK_LAYOUT_F] = CK_FORTRAN,
};

static ck_param_info
describe_param(struct ck_gen *gen, struct ck_arena *arena, const struct ck_func_info *func,
               const struct ck_tparam *param)
{
    ck_param_info info = {.name = ck_arena_strdup(arena, param->name)};
    if (param->local < 0) {
        info.dtype = CK_TUPLE;
        info.n_items = param->n_items;
        return info;
    }
    const struct ck_type *type = func->tfunc->locals[param->local].type;
    if (ck_type_is_array(type)) {
        info.read_only = func->read_only && func->read_only[param->local];
        info.disjoint = func->disjoint && func->disjoint[param->local];
        if (gen->options->aligned_arrays && gen->options->opt_level > 0)
            info.alignment = CK_ARRAY_ALIGN;
        info.ndim = type->array.ndim;
        info.layout = layouts[type->array.layout];
        type = type->array.elem;
    }
    info.dtype = (ck_dtype)type->kind;
    return info;
}

static const char *
signature(struct ck_arena *arena, const ck_param_info *params, int n)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_signature_write(&text, params, n);
    return ck_arena_take(arena, ck_strbuf_take(&text));
}

/* Callers come after callees, so one walk back from the kernel finds all it reaches. */
uint64_t
ck_gen_shared_bytes(struct ck_gen *gen, const struct ck_func_info *func)
{
    const size_t kernel = (size_t)(func - gen->funcs);
    struct ck_arena_mark mark = ck_arena_mark(&gen->arena);
    bool *reached = CK_NEW_ARRAY(&gen->arena, bool, kernel + 1);
    uint64_t bytes = 0;
    reached[kernel] = true;
    for (size_t i = kernel + 1; i-- > 0;) {
        const struct ck_func_info *info = &gen->funcs[i];
        if (!reached[i])
            continue;
        if (info->shared_end > info->shared_begin)
            bytes = gen->target->shared_bytes(bytes, info);
        for (int j = 0; j < info->tfunc->n_callees; j++)
            reached[ck_gen_func_info(gen, info->tfunc->callees[j]) - gen->funcs] = true;
    }
    ck_arena_release(&gen->arena, mark);
    return bytes + gen->target->barrier_bytes(func->tfunc) + func->copy_bytes;
}

static ck_kernel_desc
describe_kernel(struct ck_gen *gen, struct ck_arena *arena, size_t i)
{
    const struct ck_tfunc *tfunc = gen->funcs[i].tfunc;
    ck_param_info *params = CK_NEW_ARRAY(arena, ck_param_info, tfunc->n_entries);
    for (int p = 0; p < tfunc->n_entries; p++)
        params[p] = describe_param(gen, arena, &gen->funcs[i], &tfunc->params[p]);
    ck_kernel_desc desc = {
        .name = ck_arena_strdup(arena, tfunc->name),
        .entry = ck_arena_strdup(arena, tfunc->symbol),
        .signature = signature(arena, params, tfunc->n_entries),
        .n_params = tfunc->n_entries,
        .params = params,
        .cooperative = ck_tfunc_has(tfunc, CK_EFFECT_GRID_BARRIER),
        .shared_bytes = (uint32_t)ck_gen_shared_bytes(gen, &gen->funcs[i]),
        .max_threads = (uint32_t)tfunc->max_threads,
        .clusters = ck_tfunc_has(tfunc, CK_EFFECT_CLUSTER),
    };
    for (int dim = 0; dim < 3; dim++)
        desc.cluster[dim] = (uint32_t)tfunc->cluster[dim];
    if (!desc.signature)
        ck_gen_fail(gen, CK_ERROR_MEMORY, "out of memory");
    return desc;
}

void
ck_gen_manifest(struct ck_gen *gen, struct ck_arena *arena, struct ck_manifest *out)
{
    size_t n = (size_t)gen->program->n_functions;
    *out = (struct ck_manifest){
        .ck_version = version,
        .source = ck_arena_strdup(arena, gen->program->source->name),
        .arch = ck_arena_strdup(arena, gen->options->arch),
        .math = gen->target->math_library(gen),
        .kernels = CK_NEW_ARRAY(arena, ck_kernel_desc, n),
    };
    for (size_t i = 0; i < n; i++) {
        if (gen->funcs[i].tfunc->is_kernel)
            out->kernels[out->n_kernels++] = describe_kernel(gen, arena, i);
    }
}
