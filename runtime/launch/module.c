/* Modules: making, loading from PTX, listing and freeing them. */
#include <stdlib.h>
#include <string.h>

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

static ck_status
check_text(ck_context *ctx, const char *text, size_t length)
{
    if (length >= 4 && !memcmp(text, "\177ELF", 4))
        return ck_fail(ctx, CK_ERROR_FORMAT, "not PTX: this is an ELF file (a cubin?)");
    if (memchr(text, '\0', length))
        return ck_fail(ctx, CK_ERROR_FORMAT, "not PTX: there is a zero byte in it");
    return CK_OK;
}

static ck_status
load_ptx(struct ck_module *module, const char *text, size_t length)
{
    struct ck_image *image = CK_NEW(&module->arena, struct ck_image);
    image->kind = CK_IMAGE_PTX;
    image->free = prebuilt_free;
    image->text = ck_arena_strndup(&module->arena, text, length);
    image->length = length;
    module->prebuilt = image;
    ck_status status =
        ck_manifest_read_ptx(&image->manifest, &module->arena, module->ctx, text, length);
    module->kernels = image->manifest.kernels;
    module->n_kernels = image->manifest.n_kernels;
    return status;
}

ck_status
ck_module_load(ck_module **out, ck_context *ctx, const char *image, size_t length)
{
    /* A caller may have counted the terminator. */
    while (length && !image[length - 1])
        length--;
    ck_status status = check_text(ctx, image, length);
    if (status)
        return status;
    struct ck_module *module = ck_module_alloc(ctx);
    if (!module)
        return ck_fail_memory(ctx);
    jmp_buf on_oom;
    module->arena.on_oom = &on_oom;
    status = setjmp(on_oom) ? ck_fail_memory(ctx) : load_ptx(module, image, length);
    module->arena.on_oom = NULL;
    if (status)
        ck_module_free(module);
    else
        *out = module;
    return status;
}
