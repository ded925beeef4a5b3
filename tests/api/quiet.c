/* A program that is wrong, and other wrong uses: the library reports all of it in the context and
 * writes nothing. Exit status 0 if the reports are right. */
#include <string.h>

#include <ck/ck.h>

static int
wrong_program(ck_context *ctx)
{
    static const char source[] =
        "@kernel\ndef k(p: int32[:]):\n    p[0] = nope\n    print('\\q')\n";
    ck_module *module = NULL;
    ck_status status = ck_compile(&module, ctx, source, strlen(source), NULL);
    if (status != CK_ERROR_PROGRAM || module != NULL || ck_context_n_diagnostics(ctx) != 2)
        return 1;
    const ck_diagnostic *d = ck_context_diagnostic(ctx, 0);
    if (ck_context_diagnostic(ctx, 2) != NULL)
        return 2;
    if (strcmp(d->name, "unknown-escape") == 0)
        d = ck_context_diagnostic(ctx, 1);
    if (d->severity != CK_ERROR || d->line != 3 || d->column != 12 ||
        strcmp(d->name, "unknown-name") != 0 || strcmp(d->file, "<source>") != 0)
        return 3;
    return strstr(d->rendered, "<source>:3:12: error: `nope` is not defined") ? 0 : 4;
}

static int
right_program_clears_the_diagnostics(ck_context *ctx)
{
    static const char source[] = "@kernel\ndef fill(p: int32[:]):\n    p[0] = 1\n";
    ck_module *module = NULL;
    if (ck_compile(&module, ctx, source, strlen(source), NULL) != CK_OK)
        return 10;
    int fault = ck_context_n_diagnostics(ctx) ? 11 : 0;
    ck_device *device = NULL;
    ck_kernel *kernel = NULL;
    if (ck_device_open(&device, ctx, "cpu", NULL) != CK_OK)
        return 12;
    if (ck_kernel_get(&kernel, module, device, "fil") != CK_ERROR_NOT_FOUND ||
        !strstr(ck_context_error(ctx), "did you mean `fill`?"))
        fault = 13;
    ck_shape shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    if (ck_kernel_get(&kernel, module, device, "fill") != CK_OK ||
        ck_launch(kernel, &shape, NULL, 0, NULL) != CK_ERROR_ARGUMENT)
        fault = 14;
    shape.block.x = 0;
    ck_arg arg = {.scalar = CK_INT32, .value.i = 3};
    if (ck_launch(kernel, &shape, &arg, 1, NULL) != CK_ERROR_ARGUMENT)
        fault = 15;
    ck_module_free(module);
    ck_device_free(device);
    return fault;
}

static int
no_image(ck_context *ctx)
{
    ck_module *module = NULL;
    if (ck_module_load(&module, ctx, "", 0) != CK_ERROR_FORMAT || module)
        return 20;
    return ck_module_load(&module, ctx, ".version 8.0\n", 13) == CK_ERROR_FORMAT ? 0 : 21;
}

int
main(void)
{
    ck_context *ctx = NULL;
    if (ck_context_new(&ctx, NULL) != CK_OK)
        return 30;
    int fault = wrong_program(ctx);
    if (!fault)
        fault = right_program_clears_the_diagnostics(ctx);
    if (!fault)
        fault = no_image(ctx);
    ck_context_free(ctx);
    ck_context_free(NULL);
    ck_module_free(NULL);
    ck_device_free(NULL);
    ck_buffer_free(NULL);
    ck_text_free(NULL);
    return fault;
}
