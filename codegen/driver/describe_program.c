/* The manifest of a program: the kernels of its image, their parameters and requirements. */
#include "codegen/driver/describe_program.h"

#include "codegen/driver/codegen.h"
#include "codegen/lower/lower.h"

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

static const char version[] =
    TEXT(CK_VERSION_MAJOR) "." TEXT(CK_VERSION_MINOR) "." TEXT(CK_VERSION_PATCH);

/* Adds the code's assumptions about an array parameter. */
static void
mark_param(struct ck_gen *gen, const struct ck_func_info *info, const struct ck_tparam *param,
           ck_param_info *out)
{
    if (!out->ndim)
        return;
    out->read_only = info->read_only && info->read_only[param->local];
    out->never_written = info->never_written && info->never_written[param->local];
    out->disjoint = info->disjoint && info->disjoint[param->local];
    if (gen->options->aligned_arrays && gen->options->opt_level > 0)
        out->alignment = CK_ARRAY_ALIGN;
}

static ck_kernel_desc
describe_kernel(struct ck_gen *gen, struct ck_arena *arena, const struct ck_func_info *info)
{
    ck_kernel_desc desc;
    ck_param_info *params = ck_codegen_describe(&desc, arena, info->tfunc, gen->options->arch);
    for (int p = 0; p < desc.n_params; p++)
        mark_param(gen, info, &info->tfunc->params[p], &params[p]);
    desc.small = gen->options->small_launches;
    desc.natural = gen->options->natural_scalars;
    desc.shared_bytes = (uint32_t)ck_gen_shared_bytes(gen, info);
    return desc;
}

static struct ck_image_global
describe_global(struct ck_gen *gen, struct ck_arena *arena, const struct ck_module_array *array)
{
    return (struct ck_image_global){
        .desc = ck_codegen_describe_global(arena, array),
        .symbol = ck_arena_strdup(arena, ck_gen_array_symbol(gen, array)),
        .by_address = ck_gen_is_by_address(gen, array),
    };
}

void
ck_gen_manifest(struct ck_gen *gen, struct ck_arena *arena, struct ck_manifest *out)
{
    size_t n = (size_t)gen->program->n_functions;
    *out = (struct ck_manifest){
        .ck_version = version,
        .source = ck_arena_strdup(arena, ck_gen_source_name(gen)),
        .arch = ck_arena_strdup(arena, gen->options->arch),
        .accesses = gen->accesses,
        .n_accesses = gen->n_accesses,
        .math = gen->target->math->library(gen),
        .kernels = CK_NEW_ARRAY(arena, ck_kernel_desc, n),
    };
    out->globals = CK_NEW_ARRAY(arena, struct ck_image_global, gen->n_arrays);
    for (; out->n_globals < gen->n_arrays; out->n_globals++)
        out->globals[out->n_globals] = describe_global(gen, arena, gen->arrays[out->n_globals]);
    for (size_t i = 0; i < n; i++) {
        if (gen->funcs[i].tfunc->is_kernel)
            out->kernels[out->n_kernels++] = describe_kernel(gen, arena, &gen->funcs[i]);
    }
}
