/* `stack FILE`: a thread with a stack of 512 KiB compiles the file, emits each of its forms, and
 * launches its kernel `k(p: int64[:])` with four ones. Prints p[0] after it; or the first failure's
 * status. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ck/ck.h>

#if defined __SANITIZE_ADDRESS__
enum { STACK = 8 * (512 << 10) }; /* the sanitizer's frames are larger */
#else
enum { STACK = 512 << 10 };
#endif

enum { N = 4 };

static char text[1 << 20];
static size_t length;

static ck_status
emit(ck_module *module)
{
    for (int kind = CK_EMIT_PTX; kind <= CK_EMIT_MANIFEST; kind++) {
        char *form;
        ck_status status = ck_module_emit(&form, NULL, module, (ck_emit_kind)kind);
        if (status)
            return status;
        ck_text_free(form);
    }
    return CK_OK;
}

static ck_status
launch(ck_context *ctx, ck_module *module, int64_t *values)
{
    ck_device *device = NULL;
    ck_buffer *buffer = NULL;
    ck_kernel *kernel = NULL;
    ck_array array = {.dtype = CK_INT64, .ndim = 1, .shape = {N}, .strides = {sizeof *values}};
    ck_arg arg = {.value.array = &array};
    ck_shape shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    ck_status status = ck_device_open(&device, ctx, "cpu:1", NULL);
    if (!status)
        status = ck_buffer_new(&buffer, device, N * sizeof *values);
    if (!status)
        status = ck_buffer_write(buffer, 0, values, N * sizeof *values);
    if (!status)
        status = ck_kernel_get(&kernel, module, device, "k");
    if (!status) {
        array.data = ck_buffer_address(buffer);
        status = ck_launch(kernel, &shape, &arg, 1, NULL);
    }
    if (!status)
        status = ck_buffer_read(buffer, 0, values, N * sizeof *values);
    ck_buffer_free(buffer);
    ck_device_free(device);
    return status;
}

static void *
work(void *unused)
{
    ck_context *ctx = NULL;
    ck_module *module = NULL;
    int64_t values[N] = {1, 1, 1, 1};
    (void)unused;
    ck_status status = ck_context_new(&ctx, NULL);
    if (!status)
        status = ck_compile(&module, ctx, text, length, NULL);
    if (!status)
        status = emit(module);
    if (!status)
        status = launch(ctx, module, values);
    if (status)
        printf("%s %s\n", ck_status_name(status), ck_context_error(ctx));
    else
        printf("%" PRId64 "\n", values[0]);
    ck_module_free(module);
    ck_context_free(ctx);
    return NULL;
}

int
main(int argc, char **argv)
{
    pthread_attr_t attr;
    pthread_t thread;
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!file)
        return 2;
    length = fread(text, 1, sizeof text, file);
    fclose(file);
    if (pthread_attr_init(&attr) || pthread_attr_setstacksize(&attr, STACK) ||
        pthread_create(&thread, &attr, work, NULL) || pthread_join(thread, NULL))
        return 2;
    return 0;
}
