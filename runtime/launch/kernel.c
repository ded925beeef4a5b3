/* Kernels: finding one by name, choosing its signature by the arguments' types, compiling and
 * loading it when first needed, and launching it. */
#include "runtime/launch/kernel.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "runtime/launch/args.h"
#include "runtime/launch/device.h"
#include "runtime/launch/module.h"

/* An image on a device. A prebuilt image is loaded once and shared by all its kernels. */
struct code {
    int users;
    struct ck_image *image;
    bool owns_image;
    void *handle; /* the device's; NULL: not loaded */
};

/* A kernel for one signature, loaded. */
struct variant {
    struct variant *next;
    const ck_kernel_desc *declared; /* NULL: of the generic kernel, made for `types` */
    unsigned assume;                /* what its image may count on: CK_ASSUME_* */
    ck_param_info *types;
    const ck_kernel_desc *desc; /* in the image's manifest */
    struct code *code;
    void *entry; /* the device's */
    ck_kernel_usage usage;
    struct ck_occupancy occupancy; /* for this shape; no threads: not computed yet */
    struct ck_launch occupancy_shape;
    /* The last launch, kept: a launch allocates nothing, and what is as it was is not looked at
     * again. */
    uint64_t *slots; /* its arguments */
    void **pointers; /* to each slot */
    size_t n_arrays;
    struct ck_extent *extents; /* of its arrays */
    bool has_seen;
    uint64_t *seen;          /* the arguments, if so */
    uint64_t buffer_changes; /* the device's, then */
    ck_shape shape;          /* no block: none has been checked */
    struct ck_launch launch;
};

struct ck_kernel {
    struct ck_kernel *next_in_module;
    struct ck_kernel *next_in_device;
    struct ck_module *module;
    struct ck_device *device;
    const char *name;                /* the desc's */
    const ck_kernel_desc **declared; /* its signatures */
    size_t n_declared;
    const ck_kernel_desc *generic; /* NULL: it has none */
    struct variant *variants;
    struct variant *last; /* the last one used; NULL: none yet */
};

/* --- Freeing -----------------------------------------------------------------------------------
 */

static void
code_release(struct ck_device *device, struct code *code)
{
    if (!code || --code->users)
        return;
    if (code->handle)
        device->ops->unload(device, code->handle);
    if (code->owns_image)
        ck_image_free(code->image);
    free(code);
}

static void
variant_free(struct ck_device *device, struct variant *variant)
{
    if (variant->entry)
        device->ops->entry_free(device, variant->entry);
    code_release(device, variant->code);
    free(variant->types);
    free(variant->slots);
    free(variant->pointers);
    free(variant->seen);
    free(variant->extents);
    free(variant);
}

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
        struct variant *variant = kernel->variants;
        kernel->variants = variant->next;
        variant_free(kernel->device, variant);
    }
    free(kernel->declared);
    free(kernel);
}

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

/* Without its source, a kernel may have no code that can ever run on the device. */
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

/* --- Loading -----------------------------------------------------------------------------------
 */

/* The prebuilt image on this device, if another kernel has loaded it. */
static struct code *
find_code(const struct ck_kernel *kernel)
{
    for (struct ck_kernel *k = kernel->module->loaded; k; k = k->next_in_module) {
        if (k->device == kernel->device && k->variants)
            return k->variants->code;
    }
    return NULL;
}

/* Asks for the device's own architecture first; one newer than the compiler runs an older one's. */
static ck_status
compile(const struct ck_kernel *kernel, struct code *code, const ck_param_info *types, int n_types,
        unsigned assume, bool anew)
{
    struct ck_device *device = kernel->device;
    ck_status status = CK_ERROR_UNSUPPORTED;
    const char *arch;
    for (size_t i = 0; status == CK_ERROR_UNSUPPORTED && (arch = device->ops->arch(device, i)); i++)
        status = kernel->module->compiler->make_image(&code->image, kernel->module, kernel->name,
                                                      types, n_types, assume, anew, arch);
    code->owns_image = !status;
    return status;
}

static ck_status
code_new(struct code **out, const struct ck_kernel *kernel, const ck_param_info *types, int n_types,
         unsigned assume, bool anew)
{
    struct code *code = calloc(1, sizeof *code);
    if (!code)
        return ck_fail_memory(kernel->device->ctx);
    code->users = 1;
    ck_status status = CK_OK;
    if (kernel->module->compiler)
        status = compile(kernel, code, types, n_types, assume, anew);
    else
        code->image = kernel->module->prebuilt;
    if (status) {
        free(code);
        return status;
    }
    *out = code;
    return CK_OK;
}

static ck_status
get_code(struct code **out, const struct ck_kernel *kernel, const ck_param_info *types, int n_types,
         unsigned assume, bool anew)
{
    struct code *code = kernel->module->compiler ? NULL : find_code(kernel);
    if (!code)
        return code_new(out, kernel, types, n_types, assume, anew);
    code->users++;
    *out = code;
    return CK_OK;
}

static ck_status
allocate_slots(ck_context *ctx, struct variant *variant)
{
    const size_t n_slots = ck_args_n_slots(variant->desc);
    variant->slots = calloc(n_slots + 1, sizeof *variant->slots);
    variant->pointers = calloc(n_slots + 1, sizeof *variant->pointers);
    variant->seen = calloc(ck_args_n_seen(variant->desc) + 1, sizeof *variant->seen);
    variant->extents = calloc((size_t)variant->desc->n_params + 1, sizeof *variant->extents);
    if (!variant->slots || !variant->pointers || !variant->seen || !variant->extents)
        return ck_fail_memory(ctx);
    variant->n_arrays = ck_args_list_arrays(variant->extents, variant->desc);
    ck_args_point(variant->pointers, variant->slots, variant->desc);
    return CK_OK;
}

/* The place of the variant's kernel in its image: a compiled image has only that one. */
static size_t
index_in_image(const struct ck_kernel *kernel, const struct variant *variant)
{
    if (kernel->module->compiler)
        return 0;
    return (size_t)(variant->declared - kernel->module->kernels);
}

static bool
same_text(const struct ck_image *a, const struct ck_image *b)
{
    return a->kind == CK_IMAGE_PTX && b->kind == CK_IMAGE_PTX && a->length == b->length &&
           !memcmp(a->text, b->text, a->length);
}

/* `refused`, if not NULL: an image from the cache that the device did not take, for which one is
 * compiled now; if that is the same, the device would not take it either. */
static ck_status
fill_variant(struct ck_kernel *kernel, struct variant *variant, const ck_param_info *types,
             int n_types, const struct ck_image *refused)
{
    struct ck_device *device = kernel->device;
    if (!variant->declared) {
        variant->types = calloc((size_t)n_types + 1, sizeof *variant->types);
        if (!variant->types)
            return ck_fail_memory(device->ctx);
        memcpy(variant->types, types, (size_t)n_types * sizeof *types);
    }
    ck_status status =
        variant->declared ? ck_launch_check_clusters(device, variant->declared) : CK_OK;
    if (!status)
        status = get_code(&variant->code, kernel, types, n_types, variant->assume, refused != NULL);
    if (status)
        return status;
    struct code *code = variant->code;
    const struct ck_image *image = code->image;
    if (refused && same_text(refused, image))
        return CK_ERROR_DRIVER; /* the context has the driver's text still */
    if (!code->handle)
        status = device->ops->load(device, &code->handle, image);
    if (status)
        return status;
    size_t index = index_in_image(kernel, variant);
    if (index >= image->manifest.n_kernels || image->manifest.kernels[index].n_params != n_types)
        return ck_fail(device->ctx, CK_ERROR_INTERNAL, "the image of `%s` does not have it",
                       kernel->name);
    variant->desc = &image->manifest.kernels[index];
    status = allocate_slots(device->ctx, variant);
    if (!status)
        status = device->ops->entry_new(device, &variant->entry, code->handle, image, index);
    if (!status)
        status = device->ops->usage(device, variant->entry, &variant->usage);
    return status;
}

/* A variant for a declared signature, or (declared NULL) for these types. It is there, to be freed,
 * even if it cannot be used. */
static ck_status
variant_make(struct variant **out, struct ck_kernel *kernel, const ck_kernel_desc *declared,
             const ck_param_info *types, int n_types, unsigned assume,
             const struct ck_image *refused)
{
    struct variant *variant = calloc(1, sizeof *variant);
    if (!variant)
        return ck_fail_memory(kernel->device->ctx);
    variant->declared = declared;
    variant->assume = assume;
    *out = variant;
    return fill_variant(kernel, variant, types, n_types, refused);
}

/* The same, in the kernel's list. What the cache kept and the driver refuses may be damaged. */
static ck_status
variant_new(struct variant **out, struct ck_kernel *kernel, const ck_kernel_desc *declared,
            const ck_param_info *types, int n_types, unsigned assume)
{
    struct variant *variant = NULL;
    ck_status status = variant_make(&variant, kernel, declared, types, n_types, assume, NULL);
    if (status == CK_ERROR_DRIVER && variant->code && variant->code->image->was_kept) {
        struct variant *refused = variant;
        variant = NULL;
        status =
            variant_make(&variant, kernel, declared, types, n_types, assume, refused->code->image);
        variant_free(kernel->device, refused);
    }
    if (status) {
        if (variant)
            variant_free(kernel->device, variant);
        return status;
    }
    variant->next = kernel->variants;
    kernel->variants = variant;
    *out = variant;
    return CK_OK;
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

/* The declared signature that fits and demands most of the layouts; of equals the first. */
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
get_declared(struct variant **out, struct ck_kernel *kernel, const ck_kernel_desc *declared,
             unsigned assume)
{
    for (struct variant *v = kernel->variants; v; v = v->next) {
        if (v->declared == declared && v->assume == assume) {
            *out = v;
            return CK_OK;
        }
    }
    return variant_new(out, kernel, declared, declared->params, declared->n_params, assume);
}

static bool
made_for(const struct variant *variant, const ck_arg *args, size_t n_args)
{
    if (variant->declared)
        return false;
    for (size_t i = 0; i < n_args; i++) {
        const ck_param_info type = ck_arg_type(&args[i]), *have = &variant->types[i];
        if (type.dtype != have->dtype || type.ndim != have->ndim || type.layout != have->layout ||
            type.n_items != have->n_items)
            return false;
    }
    return true;
}

static ck_status
get_generic(struct variant **out, struct ck_kernel *kernel, const ck_arg *args, size_t n_args,
            unsigned assume)
{
    for (struct variant *v = kernel->variants; v; v = v->next) {
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
    ck_status status = variant_new(out, kernel, NULL, types, (int)n_args, assume);
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

static ck_status
get_variant(struct variant **out, struct ck_kernel *kernel, const ck_arg *args, size_t n_args,
            unsigned assume)
{
    const ck_kernel_desc *declared = choose_declared(kernel, args, n_args);
    if (declared)
        return get_declared(out, kernel, declared, assume);
    if (kernel->generic && (size_t)kernel->generic->n_params == ck_args_count(args, n_args))
        return get_generic(out, kernel, args, n_args, assume);
    return fail_choice(kernel, args, n_args);
}

/* What may be counted on before the variant, which knows the rest, is there. A prebuilt image
 * counts on what it says. */
static unsigned
begin_assuming(const struct ck_kernel *kernel)
{
    if (!kernel->module->compiler)
        return 0;
    return CK_ASSUME_DISJOINT | (kernel->device->ops->wide_accesses ? CK_ASSUME_ALIGNED : 0);
}

/* Instead of a variant that counts on what does not hold of these arguments, one that does not. */
static ck_status
avoid_overlap(struct variant **variant, struct ck_kernel *kernel, const ck_arg *args, size_t n_args)
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

/* The variant to use with these arrays. */
static ck_status
get_variant_for_data(struct variant **out, struct ck_kernel *kernel, const ck_arg *args,
                     size_t n_args)
{
    unsigned assume = begin_assuming(kernel);
    if (!ck_args_are_aligned(args, n_args))
        assume &= ~CK_ASSUME_ALIGNED;
    ck_status status = get_variant(out, kernel, args, n_args, assume);
    if (!status)
        status = avoid_overlap(out, kernel, args, n_args);
    if (!status && !kernel->module->compiler)
        status = ck_args_check_alignment(kernel->device->ctx, (*out)->desc, args);
    return status;
}

/* The variant for these arguments, loaded; it becomes the last one used. */
static ck_status
choose(struct variant **out, struct ck_kernel *kernel, const ck_arg *args, size_t n_args, bool data)
{
    ck_context *ctx = kernel->device->ctx;
    const ck_kernel_desc *generic = kernel->generic;
    ck_status status =
        ck_args_check(ctx, generic ? generic : kernel->declared[0], args, n_args, data);
    if (status)
        return status;
    if (data)
        status = get_variant_for_data(out, kernel, args, n_args);
    else
        status = get_variant(out, kernel, args, n_args, begin_assuming(kernel));
    if (status)
        return status;
    kernel->last = *out;
    status = ck_args_check_strides(ctx, (*out)->desc, args);
    if (!status && data)
        status = ck_buffers_check(kernel->device, (*out)->desc, args);
    return status;
}

ck_status
ck_kernel_prepare(ck_kernel *kernel, const ck_arg *args, size_t n_args, const ck_kernel_desc **desc)
{
    struct variant *variant = NULL;
    ck_status status = choose(&variant, kernel, args, n_args, false);
    if (!status && desc)
        *desc = variant->desc;
    return status;
}

/* The variant that questions without arguments are about. */
static ck_status
current(struct variant **out, struct ck_kernel *kernel)
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
    struct variant *variant;
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

/* Kept for the next launch of the same shape. */
static ck_status
get_occupancy(struct ck_device *device, struct variant *variant, const struct ck_launch *shape)
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
    struct variant *variant;
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

static ck_status
check_cooperative(struct ck_device *device, struct variant *variant, const struct ck_launch *launch)
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

/* The blocks of a cluster must be resident together. */
static ck_status
check_cluster_fits(struct ck_device *device, struct variant *variant,
                   const struct ck_launch *launch)
{
    ck_status status = get_occupancy(device, variant, launch);
    if (!status)
        status = ck_launch_check_fits(device, launch, &variant->occupancy);
    return status;
}

/* The shape, checked, in variant->launch. */
static ck_status
check_launch(struct ck_device *device, struct variant *variant, const ck_shape *shape)
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
keep(const struct ck_kernel *kernel, struct variant *variant, const ck_arg *args)
{
    variant->buffer_changes = kernel->device->buffers.changes;
    ck_args_pack(variant->slots, variant->desc, args);
    ck_args_see(variant->seen, variant->desc, args);
    variant->has_seen = true;
}

/* Whether the variant is the one for these arguments too, as they are much like those it has seen;
 * they are in its slots then. */
static bool
take_similar(const struct ck_kernel *kernel, struct variant *variant, const ck_arg *args,
             size_t n_args)
{
    bool moved;
    if (!variant->has_seen || n_args != (size_t)variant->desc->n_params ||
        !ck_args_take_seen(variant->slots, variant->seen, args, n_args, &moved))
        return false;
    if (!moved && variant->buffer_changes == kernel->device->buffers.changes)
        return true;
    if (moved && (variant->assume != begin_assuming(kernel) ||
                  !ck_args_are_apart(variant->extents, variant->n_arrays, args)))
        return false;
    if (!ck_buffers_hold(kernel->device, variant->desc, args))
        return false;
    keep(kernel, variant, args);
    return true;
}

/* The variant for the arguments, which are in its slots. */
static ck_status
take_arguments(struct variant **out, struct ck_kernel *kernel, const ck_arg *args, size_t n_args)
{
    *out = kernel->last;
    if (kernel->last && take_similar(kernel, kernel->last, args, n_args))
        return CK_OK;
    ck_status status = choose(out, kernel, args, n_args, true);
    if (!status)
        keep(kernel, *out, args);
    return status;
}

ck_status
ck_launch(ck_kernel *kernel, const ck_shape *shape, const ck_arg *args, size_t n_args, void *stream)
{
    struct ck_device *device = kernel->device;
    struct variant *variant;
    ck_status status = take_arguments(&variant, kernel, args, n_args);
    if (!status && (!variant->shape.block.x || memcmp(shape, &variant->shape, sizeof *shape) != 0))
        status = check_launch(device, variant, shape);
    if (status)
        return status;
    variant->launch.stream = stream;
    return device->ops->launch(device, variant->entry, &variant->launch);
}
