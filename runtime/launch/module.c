/* Modules: making, loading from PTX, listing and freeing them. */
#include <stdlib.h>
#include <string.h>

#include "runtime/launch/global.h"
#include "runtime/launch/kernel.h"
#include "runtime/launch/module.h"

struct ck_module *
ck_module_alloc(ck_context *ctx)
{
    struct ck_module *module = calloc(1, sizeof *module);
    if (module) {
        module->ctx = ctx;
        ck_arena_init(&module->arena);
    }
    return module;
}

void
ck_module_free(ck_module *module)
{
    if (!module)
        return;
    while (module->loaded)
        ck_kernel_free(module->loaded);
    ck_globals_free_of_module(module);
    if (module->compiler)
        module->compiler->free(module);
    ck_image_free(module->prebuilt);
    ck_arena_free(&module->arena);
    free(module);
}

size_t
ck_module_n_kernels(const ck_module *module)
{
    return module->n_kernels;
}

const ck_kernel_desc *
ck_module_kernel(const ck_module *module, size_t i)
{
    return i < module->n_kernels ? &module->kernels[i] : NULL;
}

/* The image, its text and manifest live in the module's arena: there is nothing else to free. */
static void
prebuilt_free(struct ck_image *image)
{
}

static bool
is_cubin(const char *image, size_t length)
{
    return length >= 4 && !memcmp(image, "\177ELF", 4);
}

/* A caller may have counted the terminator. */
static size_t
text_length(const char *text, size_t length)
{
    while (length && !text[length - 1])
        length--;
    return length;
}

static ck_status
check_text(ck_context *ctx, const char *text, size_t length)
{
    if (memchr(text, '\0', length))
        return ck_fail(ctx, CK_ERROR_FORMAT, "not PTX: there is a zero byte in it");
    return CK_OK;
}

/* The arrays of an image that a compiler made for a launch are elsewhere. */
static ck_status
check_globals(ck_context *ctx, const struct ck_manifest *manifest)
{
    for (size_t i = 0; i < manifest->n_globals; i++) {
        if (manifest->globals[i].by_address)
            return ck_fail(ctx, CK_ERROR_FORMAT,
                           "the image does not hold its array `%s`: it was made for one launch",
                           manifest->globals[i].desc.name);
    }
    return CK_OK;
}

static ck_status
load_prebuilt(struct ck_module *module, const char *text, size_t length)
{
    struct ck_image *image = CK_NEW(&module->arena, struct ck_image);
    image->kind = is_cubin(text, length) ? CK_IMAGE_CUBIN : CK_IMAGE_PTX;
    image->free = prebuilt_free;
    image->text = memcpy(ck_arena_alloc(&module->arena, length + 1), text, length);
    image->length = length;
    module->prebuilt = image;
    ck_status (*read)(struct ck_manifest *, struct ck_arena *, ck_context *, const char *, size_t) =
        image->kind == CK_IMAGE_CUBIN ? ck_manifest_read_cubin : ck_manifest_read_ptx;
    ck_status status = read(&image->manifest, &module->arena, module->ctx, image->text, length);
    module->kernels = image->manifest.kernels;
    module->n_kernels = image->manifest.n_kernels;
    module->globals = CK_NEW_ARRAY(&module->arena, ck_global_desc, image->manifest.n_globals);
    for (; module->n_globals < image->manifest.n_globals; module->n_globals++)
        module->globals[module->n_globals] = image->manifest.globals[module->n_globals].desc;
    return status ? status : check_globals(module->ctx, &image->manifest);
}

static ck_status
make_module(ck_module **out, ck_context *ctx, const char *image, size_t length)
{
    struct ck_module *module = ck_module_alloc(ctx);
    if (!module)
        return ck_fail_memory(ctx);
    jmp_buf on_oom;
    module->arena.on_oom = &on_oom;
    ck_status status = setjmp(on_oom) ? ck_fail_memory(ctx) : load_prebuilt(module, image, length);
    module->arena.on_oom = NULL;
    if (status)
        ck_module_free(module);
    else
        *out = module;
    return status;
}

ck_status
ck_module_load(ck_module **out, ck_context *ctx, const char *image, size_t length)
{
    if (is_cubin(image, length))
        return make_module(out, ctx, image, length);
    length = text_length(image, length);
    ck_status status = check_text(ctx, image, length);
    return status ? status : make_module(out, ctx, image, length);
}
