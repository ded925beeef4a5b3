/* prebuilt DEVICE FILE KERNEL: opens the device, loads a file of PTX and gets a kernel of it.
 * Prints the call that fails, its status and text; "ready" if none does. Nothing is launched. */
#include <stdio.h>
#include <stdlib.h>

#include <ck/run.h>

/* The file's text, which the caller frees. */
static char *
read_file(const char *path, size_t *length)
{
    enum { LIMIT = 1 << 20 };
    FILE *file = fopen(path, "rb");
    char *text = malloc(LIMIT);
    if (!file || !text)
        exit(2);
    *length = fread(text, 1, LIMIT, file);
    fclose(file);
    return text;
}

static ck_status
load(ck_module **module, ck_context *ctx, const char *path)
{
    size_t length;
    char *text = read_file(path, &length);
    ck_status status = ck_module_load(module, ctx, text, length);
    free(text);
    return status;
}

int
main(int argc, char **argv)
{
    ck_context *ctx = NULL;
    ck_device *device = NULL;
    ck_module *module = NULL;
    ck_kernel *kernel = NULL;
    if (argc != 4 || ck_context_new(&ctx, NULL))
        return 2;
    const char *call = "ck_device_open";
    ck_status status = ck_device_open(&device, ctx, argv[1], NULL);
    if (!status) {
        call = "ck_module_load";
        status = load(&module, ctx, argv[2]);
    }
    if (!status) {
        call = "ck_kernel_get";
        status = ck_kernel_get(&kernel, module, device, argv[3]);
    }
    if (status)
        printf("%s: %s: %s\n", call, ck_status_name(status), ck_context_error(ctx));
    else
        printf("ready\n");
    ck_module_free(module);
    ck_device_free(device);
    ck_context_free(ctx);
    return 0;
}
