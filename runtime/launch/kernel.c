/* Kernels: finding one by name, choosing its signature by the types of the arguments, and launching
 * it. */
#include "runtime/launch/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "runtime/data/record.h"
#include "runtime/launch/global.h"
#include "runtime/launch/variant.h"

/* --- Finding -----------------------------------------------------------------------------------
 */

static ck_status
fail_no_kernel(const struct ck_module *module, const char *name)
{
    if (!module->n_kernels)
        return ck_fail(module->ctx, CK_ERROR_NOT_FOUND,
                       "there is no kernel `%s`: the module has no kernels", name);
    const char **names = calloc(module->n_kernels, sizeof *names);
    if (!names)
        return ck_fail_memory(module->ctx);
    for (size_t i = 0; i < module->n_kernels; i++)
        names[i] = module->kernels[i].name;
    const char *nearest = ck_nearest_name(name, names, (int)module->n_kernels);
    free(names);
    if (nearest)
        return ck_fail(module->ctx, CK_ERROR_NOT_FOUND,
                       "there is no kernel `%s`; did you mean `%s`?", name, nearest);
    return ck_fail(module->ctx, CK_ERROR_NOT_FOUND, "there is no kernel `%s`; the first is `%s`",
                   name, module->kernels[0].name);
}

static struct ck_kernel *
find_existing(struct ck_module *module, const struct ck_device *device, const char *name)
{
    struct ck_kernel *kernel = module->loaded;
    while (kernel && (kernel->device != device || strcmp(kernel->name, name) != 0))
        kernel = kernel->next_in_module;
    return kernel;
}

static void
collect_signatures(struct ck_kernel *kernel, const char *name)
{
    struct ck_module *module = kernel->module;
    for (size_t i = 0; i < module->n_kernels; i++) {
        const ck_kernel_desc *desc = &module->kernels[i];
        if (strcmp(desc->name, name) != 0)
            continue;
        kernel->name = desc->name;
        if (desc->generic)
            kernel->generic = desc;
        else
            kernel->declared[kernel->n_declared++] = desc;
    }
}

/* Checks that a prebuilt kernel can run on the device: without its source there is no other
 * code. */
static ck_status
check_prebuilt(const struct ck_kernel *kernel)
{
    struct ck_device *device = kernel->device;
    if (kernel->generic)
        return ck_fail(device->ctx, CK_ERROR_UNSUPPORTED,
                       "`%s` is generic, and an image without its source cannot be specialised",
                       kernel->name);
    ck_status status = CK_OK;
    for (size_t i = 0; i < kernel->n_declared && !status; i++)
        status = ck_launch_check_clusters(device, kernel->declared[i]);
    return status ? status : device->ops->check_image(device, kernel->module->prebuilt);
}

ck_status
ck_kernel_get(ck_kernel **out, ck_module *module, ck_device *device, const char *name)
{
    if (module->ctx != device->ctx)
        return ck_fail(module->ctx, CK_ERROR_ARGUMENT,
                       "ck_kernel_get: module and device belong to different contexts");
    struct ck_kernel *kernel = find_existing(module, device, name);
    if (kernel) {
        *out = kernel;
        return CK_OK;
    }
    kernel = calloc(1, sizeof *kernel);
    const ck_kernel_desc **declared = calloc(module->n_kernels + 1, sizeof *declared);
    if (!kernel || !declared) {
        free(kernel);
        free(declared);
        return ck_fail_memory(module->ctx);
    }
    kernel->module = module;
    kernel->device = device;
    kernel->declared = declared;
    collect_signatures(kernel, name);
    ck_status status = CK_OK;
    if (!kernel->name)
        status = fail_no_kernel(module, name);
    else if (!module->compiler)
        status = check_prebuilt(kernel);
    if (status) {
        free(declared);
        free(kernel);
        return status;
    }
    kernel->next_in_module = module->loaded;
    module->loaded = kernel;
    kernel->next_in_device = device->kernels;
    device->kernels = kernel;
    *out = kernel;
    return CK_OK;
}

/* --- Freeing -----------------------------------------------------------------------------------
 */

static void
unlink_kernel(struct ck_kernel *kernel)
{
    struct ck_kernel **link = &kernel->module->loaded;
    while (*link != kernel)
        link = &(*link)->next_in_module;
    *link = kernel->next_in_module;
    link = &kernel->device->kernels;
    while (*link != kernel)
        link = &(*link)->next_in_device;
    *link = kernel->next_in_device;
}

void
ck_kernel_free(struct ck_kernel *kernel)
{
    unlink_kernel(kernel);
    while (kernel->variants) {
        struct ck_variant *variant = kernel->variants;
        kernel->variants = variant->next;
        ck_variant_free(kernel->device, variant);
    }
    free(kernel->declared);
    free(kernel);
}

/* --- Choosing ----------------------------------------------------------------------------------
 */

static bool
fits(const ck_kernel_desc *desc, const ck_arg *args, size_t n_args)
{
    if ((size_t)desc->n_params != n_args)
        return false;
    for (size_t i = 0; i < n_args; i++) {
        if (!ck_arg_fits(&desc->params[i], &args[i]))
            return false;
    }
    return true;
}

/* The declared signature that fits with the most specific layouts; the first of equals. */
static const ck_kernel_desc *
choose_declared(const struct ck_kernel *kernel, const ck_arg *args, size_t n_args)
{
    const ck_kernel_desc *best = NULL;
    for (size_t i = 0; i < kernel->n_declared; i++) {
        const ck_kernel_desc *desc = kernel->declared[i];
        if (fits(desc, args, n_args) &&
            (!best || ck_args_specificity(desc) > ck_args_specificity(best)))
            best = desc;
    }
    return best;
}

static ck_status
get_declared(struct ck_variant **out, struct ck_kernel *kernel, const ck_kernel_desc *declared,
             unsigned assume)
{
    for (struct ck_variant *v = kernel->variants; v; v = v->next) {
        if (v->declared == declared && v->assume == assume) {
            *out = v;
            return CK_OK;
        }
    }
    return ck_variant_new(out, kernel, declared, declared->params, declared->n_params, assume);
}

static bool
made_for(const struct ck_variant *variant, const ck_arg *args, size_t n_args)
{
    if (variant->declared || (size_t)variant->desc->n_params != n_args)
        return false;
    for (size_t i = 0; i < n_args; i++) {
        const ck_param_info type = ck_arg_type(&args[i]), *have = &variant->types[i];
        if (type.dtype != have->dtype || type.ndim != have->ndim || type.layout != have->layout ||
            type.n_items != have->n_items ||
            (type.dtype == CK_RECORD && !ck_record_is_same(type.record, have->record)))
            return false;
    }
    return true;
}

static ck_status
get_generic(struct ck_variant **out, struct ck_kernel *kernel, const ck_arg *args, size_t n_args,
            unsigned assume)
{
    for (struct ck_variant *v = kernel->variants; v; v = v->next) {
        if (v->assume == assume && made_for(v, args, n_args)) {
            *out = v;
            return CK_OK;
        }
    }
    ck_param_info *types = calloc(n_args + 1, sizeof *types);
    if (!types)
        return ck_fail_memory(kernel->device->ctx);
    for (size_t i = 0; i < n_args; i++)
        types[i] = ck_arg_type(&args[i]);
    ck_status status = ck_variant_new(out, kernel, NULL, types, (int)n_args, assume);
    free(types);
    return status;
}

static ck_status
fail_no_signature(const struct ck_kernel *kernel, const ck_arg *args, size_t n_args)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_printf(&text, "no signature of `%s` takes (", kernel->name);
    for (size_t i = 0; i < n_args;) {
        ck_strbuf_puts(&text, i ? ", " : "");
        i += ck_args_write_type(&text, &args[i]);
    }
    ck_strbuf_puts(&text, "); it has ");
    for (size_t i = 0; i < kernel->n_declared; i++)
        ck_strbuf_printf(&text, "%s%s", i ? ", " : "", kernel->declared[i]->signature);
    ck_status status =
        text.failed ? ck_fail_memory(kernel->device->ctx)
                    : ck_fail(kernel->device->ctx, CK_ERROR_ARGUMENT, "%s", ck_strbuf_text(&text));
    ck_strbuf_free(&text);
    return status;
}

static ck_status
fail_choice(const struct ck_kernel *kernel, const ck_arg *args, size_t n_args)
{
    if (kernel->n_declared > 1)
        return fail_no_signature(kernel, args, n_args);
    const ck_kernel_desc *only = kernel->n_declared ? kernel->declared[0] : kernel->generic;
    if (only->generic)
        return ck_args_fail_count(kernel->device->ctx, only, ck_args_count(args, n_args));
    return ck_args_fail_type(kernel->device->ctx, only, args, n_args);
}

static bool
takes_as_many(const ck_kernel_desc *generic, size_t n)
{
    size_t most = (size_t)generic->n_params, least = most - (size_t)generic->n_defaults;
    return n >= least && n <= most;
}

/* Fails if a default value stands for a parameter that has none. */
static ck_status
check_defaults(const struct ck_kernel *kernel, const ck_arg *args, size_t n_args)
{
    const ck_kernel_desc *generic = kernel->generic;
    const size_t n_required = (size_t)(generic->n_params - generic->n_defaults);
    for (size_t i = 0; i < n_args; i++) {
        const size_t top = args[i].scalar == CK_DEFAULT ? ck_args_count(args, i) : n_required;
        if (top < n_required)
            return ck_args_fail(kernel->device->ctx, generic, top, "it has no default value");
    }
    return CK_OK;
}

static ck_status
get_variant(struct ck_variant **out, struct ck_kernel *kernel, const ck_arg *args, size_t n_args,
            unsigned assume)
{
    const ck_kernel_desc *declared = choose_declared(kernel, args, n_args);
    if (declared)
        return get_declared(out, kernel, declared, assume);
    if (kernel->generic && takes_as_many(kernel->generic, ck_args_count(args, n_args))) {
        ck_status status = check_defaults(kernel, args, n_args);
        return status ? status : get_generic(out, kernel, args, n_args, assume);
    }
    return fail_choice(kernel, args, n_args);
}

/* The assumptions to begin with: the arrays can be compared only once the variant is known. A
 * prebuilt image has its own assumptions. */
static unsigned
begin_assuming(const struct ck_kernel *kernel)
{
    if (!kernel->module->compiler)
        return 0;
    struct ck_device *device = kernel->device;
    return CK_ASSUME_DISJOINT | (device->ops->assumptions ? device->ops->assumptions(device) : 0);
}

/* Replaces a variant whose assumptions do not hold for these arguments by one without them. */
static ck_status
avoid_overlap(struct ck_variant **variant, struct ck_kernel *kernel, const ck_arg *args,
              size_t n_args)
{
    const ck_kernel_desc *desc = (*variant)->desc;
    int marked, other;
    if (ck_args_are_apart((*variant)->extents, (*variant)->n_arrays, args) ||
        !ck_args_find_overlap(desc, args, &marked, &other))
        return CK_OK;
    if (!kernel->module->compiler)
        return ck_args_fail_overlap(kernel->device->ctx, desc, marked, other);
    return get_variant(variant, kernel, args, n_args, (*variant)->assume & ~CK_ASSUME_DISJOINT);
}

/* Whether a prebuilt variant's assumptions hold, but for those about overlapping arrays. */
static ck_status
check_assumptions(const struct ck_kernel *kernel, const struct ck_variant *variant,
                  const ck_arg *args, const ck_shape *shape)
{
    struct ck_device *device = kernel->device;
    const ck_kernel_desc *desc = variant->desc;
    ck_status status = ck_args_check_alignment(device->ctx, desc, args);
    if (!status && desc->small)
        status = ck_args_check_small(device->ctx, desc, args);
    if (!status && desc->natural)
        status = ck_args_check_natural(device->ctx, desc, args);
    return status ? status : ck_launch_check_small(device, desc, shape);
}

/* Whether a prebuilt image permits that argument `arg` shares memory with an array of the module.
 */
static ck_status
check_shared(const struct ck_kernel *kernel, const ck_kernel_desc *desc, int arg,
             const ck_global_desc *global)
{
    const ck_param_info *param = &desc->params[arg];
    if (kernel->module->compiler || (!param->read_only && !param->disjoint))
        return CK_OK;
    return ck_args_fail(kernel->device->ctx, desc, (size_t)arg,
                        "the array shares memory with `%s` of the module, which this image "
                        "assumes that it does not (it was compiled with -restrict)",
                        global->name);
}

/* What a launch's shape and scalars permit to assume: CK_ASSUME_SMALL, CK_ASSUME_NATURAL. */
static unsigned
permitted(const ck_shape *shape, const ck_arg *args, size_t n_args)
{
    const unsigned assume = ck_args_scalar_assumptions(args, n_args);
    return ck_launch_is_small(shape) ? assume : assume & ~(unsigned)CK_ASSUME_SMALL;
}

/* The variant to use with these arrays and this shape. */
static ck_status
get_variant_for_data(struct ck_variant **out, struct ck_kernel *kernel, const ck_arg *args,
                     size_t n_args, const ck_shape *shape)
{
    unsigned assume = begin_assuming(kernel);
    assume &= ~(unsigned)(CK_ASSUME_SMALL | CK_ASSUME_NATURAL) | permitted(shape, args, n_args);
    if (!ck_args_are_aligned(args, n_args))
        assume &= ~CK_ASSUME_ALIGNED;
    if (!ck_args_extents_are_small(args, n_args))
        assume &= ~CK_ASSUME_SMALL;
    const ck_global_desc *global = NULL;
    const int shared =
        ck_globals_find_overlap(kernel->module, kernel->device, args, n_args, &global);
    if (shared >= 0)
        assume &= ~CK_ASSUME_DISJOINT;
    ck_status status = get_variant(out, kernel, args, n_args, assume);
    if (!status)
        status = avoid_overlap(out, kernel, args, n_args);
    if (!status && !kernel->module->compiler)
        status = check_assumptions(kernel, *out, args, shape);
    if (!status && shared >= 0)
        status = check_shared(kernel, (*out)->desc, shared, global);
    return status;
}

/* The variant for these arguments, loaded; it becomes the last one used. `shape` NULL: arrays have
 * no data yet, and all assumptions are taken to hold. */
static ck_status
choose(struct ck_variant **out, struct ck_kernel *kernel, const ck_arg *args, size_t n_args,
       const ck_shape *shape)
{
    ck_context *ctx = kernel->device->ctx;
    const ck_kernel_desc *generic = kernel->generic;
    ck_status status =
        ck_args_check(ctx, generic ? generic : kernel->declared[0], args, n_args, shape != NULL);
    if (status)
        return status;
    if (shape)
        status = get_variant_for_data(out, kernel, args, n_args, shape);
    else
        status = get_variant(out, kernel, args, n_args, begin_assuming(kernel));
    if (status)
        return status;
    kernel->last = *out;
    status = ck_args_check_strides(ctx, (*out)->desc, args);
    if (!status && shape)
        status = ck_args_check_vectors(ctx, (*out)->desc, args);
    if (!status && shape)
        status = ck_buffers_check(kernel->device, (*out)->desc, args);
    return status;
}

/* The number of arguments without the default values at the end. */
static size_t
count_given(const ck_arg *args, size_t n_args)
{
    while (n_args && args[n_args - 1].scalar == CK_DEFAULT)
        n_args--;
    return n_args;
}

ck_status
ck_kernel_prepare(ck_kernel *kernel, const ck_arg *args, size_t n_args, const ck_kernel_desc **desc)
{
    struct ck_variant *variant = NULL;
    ck_status status = choose(&variant, kernel, args, count_given(args, n_args), NULL);
    if (!status && desc)
        *desc = variant->desc;
    return status;
}

/* The variant that queries without arguments refer to. */
static ck_status
current(struct ck_variant **out, struct ck_kernel *kernel)
{
    if (kernel->last) {
        *out = kernel->last;
        return CK_OK;
    }
    if (kernel->n_declared == 1 && !kernel->generic)
        return get_declared(out, kernel, kernel->declared[0], begin_assuming(kernel));
    return ck_fail(kernel->device->ctx, CK_ERROR_ARGUMENT,
                   "`%s` %s: prepare it with arguments first", kernel->name,
                   kernel->generic ? "is generic" : "has several signatures");
}

ck_status
ck_kernel_get_usage(ck_kernel_usage *out, ck_kernel *kernel)
{
    struct ck_variant *variant;
    ck_status status = current(&variant, kernel);
    if (!status)
        *out = variant->usage;
    return status;
}

/* --- Launching ---------------------------------------------------------------------------------
 */

static bool
same_dim(ck_dim3 a, ck_dim3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The result is kept for the next launch of the same shape. */
static ck_status
get_occupancy(struct ck_device *device, struct ck_variant *variant, const struct ck_launch *shape)
{
    struct ck_launch *last = &variant->occupancy_shape;
    if (same_dim(last->block, shape->block) && same_dim(last->cluster, shape->cluster) &&
        last->shared_bytes == shape->shared_bytes)
        return CK_OK;
    last->block.x = 0;
    ck_status status = device->ops->occupancy(device, variant->entry, shape, &variant->occupancy);
    if (!status)
        *last = *shape;
    return status;
}

ck_status
ck_kernel_max_resident_blocks(uint32_t *out, ck_kernel *kernel, const ck_shape *shape)
{
    struct ck_device *device = kernel->device;
    struct ck_variant *variant;
    ck_status status = current(&variant, kernel);
    if (status)
        return status;
    struct ck_launch launch = {.desc = variant->desc};
    status = ck_launch_check_block(device, variant->desc, &variant->usage, shape, &launch);
    if (!status)
        status = get_occupancy(device, variant, &launch);
    if (!status) {
        uint32_t unit = ck_launch_cluster_blocks(&launch);
        uint64_t blocks = variant->occupancy.max_blocks;
        *out = blocks > UINT32_MAX ? UINT32_MAX / unit * unit : (uint32_t)blocks;
    }
    return status;
}

ck_status
ck_kernel_max_cooperative_blocks(uint32_t *out, ck_kernel *kernel, ck_dim3 block,
                                 uint32_t shared_bytes)
{
    const ck_shape shape = {.block = block, .shared_bytes = shared_bytes};
    return ck_kernel_max_resident_blocks(out, kernel, &shape);
}

/* The most threads of a block that the device, the launch bounds and the code's registers allow. */
static uint32_t
most_threads(const struct ck_device *device, const struct ck_variant *variant)
{
    uint32_t most = device->info.max_threads_per_block;
    if (variant->desc->max_threads && variant->desc->max_threads < most)
        most = variant->desc->max_threads;
    if (variant->usage.max_threads > 0 && (uint32_t)variant->usage.max_threads < most)
        most = (uint32_t)variant->usage.max_threads;
    return most < device->info.max_block[0] ? most : device->info.max_block[0];
}

/* Tries every number of whole warps, the largest first, as CUDA's occupancy calculator does. */
ck_status
ck_kernel_best_block(ck_best_block *out, ck_kernel *kernel, uint32_t shared_bytes)
{
    enum { WARP = 32 };
    struct ck_device *device = kernel->device;
    struct ck_variant *variant;
    ck_best_block best = {0};
    uint64_t best_resident = 0;
    ck_status status = current(&variant, kernel);
    if (status)
        return status;
    const uint32_t most = most_threads(device, variant);
    for (uint32_t threads = most < WARP ? most : most / WARP * WARP; threads;
         threads = (threads - 1) / WARP * WARP) {
        const ck_shape shape = {.block = {threads, 1, 1}, .shared_bytes = shared_bytes};
        uint32_t blocks = 0;
        status = ck_kernel_max_resident_blocks(&blocks, kernel, &shape);
        if (status)
            return status;
        if ((uint64_t)blocks * threads > best_resident) {
            best_resident = (uint64_t)blocks * threads;
            best = (ck_best_block){threads, blocks};
        }
    }
    if (!best_resident)
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT,
                       "no block of `%s` can be resident on %s, however few its threads: %s",
                       variant->desc->name, device->info.name, variant->occupancy.why);
    *out = best;
    return CK_OK;
}

static ck_status
check_cooperative(struct ck_device *device, struct ck_variant *variant,
                  const struct ck_launch *launch)
{
    if (!device->info.cooperative_launch)
        return ck_fail(device->ctx, CK_ERROR_UNSUPPORTED,
                       "device %s cannot launch cooperatively, which `%s` needs to synchronise its "
                       "grid",
                       device->info.name, variant->desc->name);
    ck_status status = get_occupancy(device, variant, launch);
    if (!status)
        status = ck_launch_check_cooperative(device, launch, &variant->occupancy);
    return status;
}

/* The blocks of a cluster must be resident at once. */
static ck_status
check_cluster_fits(struct ck_device *device, struct ck_variant *variant,
                   const struct ck_launch *launch)
{
    ck_status status = get_occupancy(device, variant, launch);
    if (!status)
        status = ck_launch_check_fits(device, launch, &variant->occupancy);
    return status;
}

/* Checks the shape and stores it in variant->launch. */
static ck_status
check_launch(struct ck_device *device, struct ck_variant *variant, const ck_shape *shape)
{
    struct ck_launch *launch = &variant->launch;
    variant->shape.block.x = 0;
    *launch = (struct ck_launch){
        .desc = variant->desc, .slots = variant->slots, .pointers = variant->pointers};
    ck_status status = ck_launch_check_shape(device, variant->desc, &variant->usage, shape, launch);
    if (!status && ck_launch_cluster_blocks(launch) > 1)
        status = check_cluster_fits(device, variant, launch);
    if (!status && variant->desc->cooperative)
        status = check_cooperative(device, variant, launch);
    if (!status)
        variant->shape = *shape;
    return status;
}

static void
keep(const struct ck_kernel *kernel, struct ck_variant *variant, const ck_arg *args, unsigned now)
{
    variant->permitted = now;
    variant->buffer_changes = kernel->device->buffers.changes;
    ck_args_pack(variant->slots, variant->desc, args);
    ck_args_see(variant->seen, variant->desc, args);
    variant->has_seen = true;
}

/* Whether the variant serves these arguments too because they differ little from the last ones. If
 * so, the arguments are in its slots. */
static bool
take_similar(const struct ck_kernel *kernel, struct ck_variant *variant, const ck_arg *args,
             size_t n_args, unsigned now)
{
    bool moved;
    if (!variant->has_seen || variant->permitted != now ||
        n_args != (size_t)variant->desc->n_params ||
        !ck_args_take_seen(variant->slots, variant->seen, args, n_args, &moved))
        return false;
    if (!moved && variant->buffer_changes == kernel->device->buffers.changes)
        return true;
    if (moved && (variant->assume != begin_assuming(kernel) ||
                  !ck_args_are_apart(variant->extents, variant->n_arrays, args)))
        return false;
    if (!ck_buffers_hold(kernel->device, variant->desc, args))
        return false;
    keep(kernel, variant, args, now);
    return true;
}

/* Chooses the variant for the arguments and stores the arguments in its slots. */
static ck_status
take_arguments(struct ck_variant **out, struct ck_kernel *kernel, const ck_arg *args, size_t n_args,
               const ck_shape *shape)
{
    const unsigned now = permitted(shape, args, n_args);
    *out = kernel->last;
    if (kernel->last && take_similar(kernel, kernel->last, args, n_args, now))
        return CK_OK;
    ck_status status = choose(out, kernel, args, n_args, shape);
    if (!status)
        keep(kernel, *out, args, now);
    return status;
}

/* Makes diagnostics of what the last launch found, if the module has its source. */
static ck_status
report_findings(struct ck_kernel *kernel, ck_status status)
{
    struct ck_findings *findings = &kernel->device->findings;
    if (kernel->module->compiler)
        status = kernel->module->compiler->report(kernel->module, findings, status);
    ck_findings_clear(findings);
    return status;
}

ck_status
ck_launch(ck_kernel *kernel, const ck_shape *shape, const ck_arg *args, size_t n_args, void *stream)
{
    struct ck_device *device = kernel->device;
    struct ck_variant *variant;
    if (!shape)
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT, "the launch has no shape");
    ck_status status = take_arguments(&variant, kernel, args, count_given(args, n_args), shape);
    if (!status && (!variant->shape.block.x || memcmp(shape, &variant->shape, sizeof *shape) != 0))
        status = check_launch(device, variant, shape);
    if (status)
        return status;
    variant->launch.stream = stream;
    status = device->ops->launch(device, variant->entry, &variant->launch);
    return device->findings.n ? report_findings(kernel, status) : status;
}
