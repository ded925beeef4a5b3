/* Options of an older program, whose struct ended earlier, and of a newer one: members beyond the
 * size given are not read; members ck does not know must be zero; a size of 0 is forgotten, and an
 * error. Exit status 0 if so. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <ck/ck.h>

static const char source[] = "@kernel\ndef k(p: int32[:]):\n    p[0] = 1\n";

static ck_status
compile(ck_context *ctx, const ck_compile_options *options, char **ptx)
{
    ck_module *module = NULL;
    ck_status status = ck_compile(&module, ctx, source, strlen(source), options);
    if (status == CK_OK)
        status = ck_module_emit(ptx, NULL, module, CK_EMIT_PTX);
    ck_module_free(module);
    return status;
}

static int
target_is(ck_context *ctx, const ck_compile_options *options, const char *target)
{
    char *ptx = NULL;
    int right = compile(ctx, options, &ptx) == CK_OK && strstr(ptx, target) != NULL;
    ck_text_free(ptx);
    return right;
}

/* The rank of the thread that the device runs first, of four. -1: an error. */
static int
first_thread(ck_context *ctx, ck_device *device)
{
    static const char ranks[] = "@kernel\n"
                                "def ranks(p: int32[::1]):\n"
                                "    p[1 + cuda.atomic.add(p, 0, 1)] = cuda.threadIdx.x\n";
    const ck_shape shape = {.grid = {1, 1, 1}, .block = {4, 1, 1}};
    int32_t values[5] = {0, -1, -1, -1, -1};
    ck_module *module = NULL;
    ck_buffer *buffer = NULL;
    ck_kernel *kernel = NULL;
    ck_status status = ck_compile(&module, ctx, ranks, strlen(ranks), NULL);
    if (status == CK_OK)
        status = ck_buffer_new(&buffer, device, sizeof values);
    if (status == CK_OK)
        status = ck_buffer_write(buffer, 0, values, sizeof values);
    if (status == CK_OK)
        status = ck_kernel_get(&kernel, module, device, "ranks");
    if (status == CK_OK) {
        const ck_array array = {ck_buffer_address(buffer), CK_INT32, 1, {5},
                                {sizeof *values},          NULL};
        const ck_arg arg = {.value.array = &array};
        status = ck_launch(kernel, &shape, &arg, 1, NULL);
    }
    if (status == CK_OK)
        status = ck_buffer_read(buffer, 0, values, sizeof values);
    ck_module_free(module);
    ck_buffer_free(buffer);
    return status == CK_OK ? values[1] : -1;
}

/* The options that an older struct has are read; what lies behind it is not. */
static int
older_device_options_count(ck_context *ctx)
{
    ck_device_options options;
    ck_device *device = NULL;
    memset(&options, 0x5A, sizeof options);
    options.cuda_context = NULL;
    options.schedule = CK_SCHEDULE_REVERSE;
    options.size = offsetof(ck_device_options, seed);
    if (ck_device_open(&device, ctx, "cpu:1", &options) != CK_OK)
        return 0;
    const int reversed = first_thread(ctx, device);
    ck_device_free(device);
    if (ck_device_open(&device, ctx, "cpu:1", NULL) != CK_OK)
        return 0;
    const int in_order = first_thread(ctx, device);
    ck_device_free(device);
    return reversed == 3 && in_order == 0;
}

int
main(void)
{
    struct {
        ck_compile_options known;
        char later[64];
    } newer = {.known = {.size = sizeof newer, .arch = "sm_90"}};
    ck_compile_options older = {.arch = "sm_86"};
    ck_context *ctx = NULL;
    int fault = 0;
    if (ck_context_new(&ctx, NULL) != CK_OK)
        return 1;
    if (!target_is(ctx, NULL, ".target sm_75"))
        fault = 2;
    if (!target_is(ctx, &newer.known, ".target sm_90"))
        fault = 3;
    newer.later[40] = 1;
    char *ptx = NULL;
    if (compile(ctx, &newer.known, &ptx) != CK_ERROR_ARGUMENT || !*ck_context_error(ctx))
        fault = 9;
    older.size = offsetof(ck_compile_options, opt_level);
    memset((char *)&older + older.size, 0x5A,
           sizeof older - older.size); /* garbage, not to be read */
    if (!target_is(ctx, &older, ".target sm_86"))
        fault = 4;
    older.size = offsetof(ck_compile_options, arch);
    if (!target_is(ctx, &older, ".target sm_75"))
        fault = 5;
    for (size_t cut = 1; cut < sizeof(void *); cut++) { /* in the middle of a pointer */
        older.size = offsetof(ck_compile_options, arch) + cut;
        if (compile(ctx, &older, &ptx) != CK_ERROR_ARGUMENT ||
            !strstr(ck_context_error(ctx), "size"))
            fault = 10;
        ck_context *other = NULL;
        ck_context_options cut_context = {.size = offsetof(ck_context_options, user) + cut};
        if (ck_context_new(&other, &cut_context) != CK_ERROR_ARGUMENT)
            fault = 11;
        ck_device *device = NULL;
        ck_device_options cut_device = {.size = sizeof cut_device - cut};
        if (ck_device_open(&device, ctx, "cpu:1", &cut_device) != CK_ERROR_ARGUMENT ||
            !strstr(ck_context_error(ctx), "ck_device_options.size"))
            fault = 12;
    }
    older.size = 0;
    if (compile(ctx, &older, &ptx) != CK_ERROR_ARGUMENT || !strstr(ck_context_error(ctx), "size"))
        fault = 6;

    ck_device_options device_options;
    ck_device *device = NULL;
    memset(&device_options, 0x5A, sizeof device_options);
    device_options.size = sizeof device_options.size;
    if (ck_device_open(&device, ctx, "cpu", &device_options) != CK_OK)
        fault = 7;
    ck_device_free(device);
    if (!older_device_options_count(ctx))
        fault = 13;
    ck_context_free(ctx);

    ck_context_options context_options;
    memset(&context_options, 0x5A, sizeof context_options);
    context_options.size = sizeof context_options.size;
    if (ck_context_new(&ctx, &context_options) != CK_OK)
        return 8;
    ck_context_free(ctx);
    return fault;
}
