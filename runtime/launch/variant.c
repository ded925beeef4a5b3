/* Variants of kernels: compiling one signature, loading it on a device, and freeing it. */
#include "runtime/launch/variant.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/launch/global.h"

void
ck_code_release(struct ck_device *device, struct ck_code *code)
{
    if (!code || --code->users)
        return;
    if (code->handle)
        device->ops->unload(device, code->handle);
    if (code->owns_image)
        ck_image_free(code->image);
    free(code);
}

void
ck_variant_free(struct ck_device *device, struct ck_variant *variant)
{
    if (variant->entry)
        device->ops->entry_free(device, variant->entry);
    ck_code_release(device, variant->code);
    free(variant->types);
    free(variant->slots);
    free(variant->pointers);
    free(variant->seen);
    free(variant->extents);
    free(variant);
}

/* The prebuilt image on this device, if another kernel or an array of the module has loaded it. */
static struct ck_code *
find_code(const struct ck_module *module, const struct ck_device *device)
{
    for (struct ck_kernel *k = module->loaded; k; k = k->next_in_module) {
        if (k->device == device && k->variants)
            return k->variants->code;
    }
    return ck_globals_code(module, device);
}

/* Compiles for the device's own architecture first. A device newer than the compiler runs code of
 * an older architecture. */
static ck_status
compile(const struct ck_kernel *kernel, struct ck_code *code, const ck_param_info *types,
        int n_types, unsigned assume, bool anew)
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
code_new(struct ck_code **out, ck_context *ctx)
{
    struct ck_code *code = calloc(1, sizeof *code);
    if (!code)
        return ck_fail_memory(ctx);
    code->users = 1;
    *out = code;
    return CK_OK;
}

static ck_status
make_code(struct ck_code **out, const struct ck_kernel *kernel, const ck_param_info *types,
          int n_types, unsigned assume, bool anew)
{
    struct ck_code *code = NULL;
    ck_status status = code_new(&code, kernel->device->ctx);
    if (!status && (status = compile(kernel, code, types, n_types, assume, anew)))
        free(code);
    if (!status)
        *out = code;
    return status;
}

/* The prebuilt image, loaded or not. */
static ck_status
share_prebuilt(struct ck_code **out, struct ck_module *module, struct ck_device *device)
{
    struct ck_code *code = find_code(module, device);
    if (code) {
        code->users++;
        *out = code;
        return CK_OK;
    }
    ck_status status = code_new(&code, device->ctx);
    if (!status) {
        code->image = module->prebuilt;
        *out = code;
    }
    return status;
}

ck_status
ck_code_get_prebuilt(struct ck_code **out, struct ck_module *module, struct ck_device *device)
{
    struct ck_code *code;
    ck_status status = device->ops->check_image(device, module->prebuilt);
    if (!status)
        status = share_prebuilt(&code, module, device);
    if (status)
        return status;
    if (!code->handle)
        status = device->ops->load(device, &code->handle, code->image);
    if (status)
        ck_code_release(device, code);
    else
        *out = code;
    return status;
}

static ck_status
get_code(struct ck_code **out, const struct ck_kernel *kernel, const ck_param_info *types,
         int n_types, unsigned assume, bool anew)
{
    if (kernel->module->compiler)
        return make_code(out, kernel, types, n_types, assume, anew);
    if (assume / CK_ASSUME_CHECKS)
        return ck_fail(kernel->device->ctx, CK_ERROR_UNSUPPORTED,
                       "checks are compiled into kernels: load the source instead of PTX");
    return share_prebuilt(out, kernel->module, kernel->device);
}

static ck_status
allocate_slots(ck_context *ctx, struct ck_variant *variant)
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
index_in_image(const struct ck_kernel *kernel, const struct ck_variant *variant)
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

/* `refused`, if not NULL, is an image from the cache that the device refused: its replacement is
 * compiled now. If the replacement is the same, the device would refuse it too. */
static ck_status
fill_variant(struct ck_kernel *kernel, struct ck_variant *variant, const ck_param_info *types,
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
    struct ck_code *code = variant->code;
    const struct ck_image *image = code->image;
    if (refused && same_text(refused, image))
        return CK_ERROR_DRIVER; /* the context still has the driver's text */
    if (!code->handle)
        status = device->ops->load(device, &code->handle, image);
    if (!status)
        status = ck_globals_bind(kernel->module, device, code);
    if (status)
        return status;
    size_t index = index_in_image(kernel, variant);
    if (index >= image->manifest.n_kernels || image->manifest.kernels[index].n_params != n_types)
        return ck_fail(device->ctx, CK_ERROR_INTERNAL, "the image of `%s` does not have it",
                       kernel->name);
    variant->desc = &image->manifest.kernels[index];
    for (int i = 0; variant->types && i < n_types; i++) /* the caller's do not live on */
        variant->types[i].record = variant->desc->params[i].record;
    status = allocate_slots(device->ctx, variant);
    if (!status)
        status = device->ops->entry_new(device, &variant->entry, code->handle, image, index);
    if (!status)
        status = device->ops->usage(device, variant->entry, &variant->usage);
    return status;
}

/* A variant for a declared signature, or (declared NULL) for these types. `*out` is set, to be
 * freed, even on failure. */
static ck_status
variant_make(struct ck_variant **out, struct ck_kernel *kernel, const ck_kernel_desc *declared,
             const ck_param_info *types, int n_types, unsigned assume,
             const struct ck_image *refused)
{
    struct ck_variant *variant = calloc(1, sizeof *variant);
    if (!variant)
        return ck_fail_memory(kernel->device->ctx);
    variant->declared = declared;
    variant->assume = assume;
    *out = variant;
    return fill_variant(kernel, variant, types, n_types, refused);
}

ck_status
ck_variant_new(struct ck_variant **out, struct ck_kernel *kernel, const ck_kernel_desc *declared,
               const ck_param_info *types, int n_types, unsigned assume)
{
    struct ck_variant *variant = NULL;
    ck_status status = variant_make(&variant, kernel, declared, types, n_types, assume, NULL);
    if (status == CK_ERROR_DRIVER && variant->code && variant->code->image->was_kept) {
        struct ck_variant *refused = variant;
        variant = NULL;
        status =
            variant_make(&variant, kernel, declared, types, n_types, assume, refused->code->image);
        ck_variant_free(kernel->device, refused);
    }
    if (status) {
        if (variant)
            ck_variant_free(kernel->device, variant);
        return status;
    }
    variant->next = kernel->variants;
    kernel->variants = variant;
    *out = variant;
    return CK_OK;
}
