/* The static shared memory of each kernel of a file, as the library describes it:
 *
 *     shared_bytes FILE [DEVICE]
 *
 * prints a line for each kernel: its name and the figure of the module. With a device, also the
 * figure of the code that a launch would run, and the device's own. All kernels take two arrays of
 * float32. Exits with 77 where there is no such device. */
#include <stdio.h>
#include <string.h>

#include <ck/ck.h>

static ck_status
measure(ck_module *module, ck_device *device, const char *name)
{
    ck_buffer *buffer = NULL;
    ck_kernel *kernel = NULL;
    ck_kernel_usage usage;
    const ck_kernel_desc *prepared = NULL;
    ck_status status = ck_kernel_get(&kernel, module, device, name);
    if (status == CK_OK)
        status = ck_buffer_new(&buffer, device, 64 * sizeof(float));
    if (status != CK_OK)
        return status;
    const ck_array array = {ck_buffer_address(buffer), CK_FLOAT32, 1, {64},
                            {(int64_t)sizeof(float)},  NULL};
    const ck_arg args[] = {{.value.array = &array}, {.value.array = &array}};
    status = ck_kernel_prepare(kernel, args, 2, &prepared);
    if (status == CK_OK)
        status = ck_kernel_get_usage(&usage, kernel);
    if (status == CK_OK)
        printf(" %u %d", prepared->shared_bytes, usage.shared_bytes);
    ck_buffer_free(buffer);
    return status;
}

static ck_status
describe(ck_context *ctx, const char *source, ck_device *device)
{
    ck_module *module = NULL;
    ck_status status = ck_compile(&module, ctx, source, strlen(source), NULL);
    for (size_t i = 0; status == CK_OK && i < ck_module_n_kernels(module); i++) {
        const ck_kernel_desc *kernel = ck_module_kernel(module, i);
        printf("%s %u", kernel->name, kernel->shared_bytes);
        if (device)
            status = measure(module, device, kernel->name);
        putchar('\n');
    }
    ck_module_free(module);
    return status;
}

int
main(int argc, char **argv)
{
    static char source[1 << 16];
    ck_context *ctx = NULL;
    ck_device *device = NULL;
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!file || !fread(source, 1, sizeof source - 1, file) || ck_context_new(&ctx, NULL) != CK_OK)
        return 2;
    fclose(file);
    ck_status status = argc > 2 ? ck_device_open(&device, ctx, argv[2], NULL) : CK_OK;
    const int no_device = status == CK_ERROR_NO_DEVICE;
    if (status == CK_OK)
        status = describe(ctx, source, device);
    if (status != CK_OK)
        fprintf(stderr, "%s: %s\n", ck_status_name(status), ck_context_error(ctx));
    ck_device_free(device);
    ck_context_free(ctx);
    return no_device ? 77 : status != CK_OK;
}
