/* Arrays without dimensions among a launch's arguments: ck_array with ndim 0. */
#include <stdio.h>
#include <string.h>

#include <ck/ck.h>

#include "statuses.h"

static const char source[] = "@kernel\n"
                             "def typed(total: float64[()], x: float64[::1]):\n"
                             "    for v in x:\n"
                             "        total[()] += v\n"
                             "@kernel\n"
                             "def untyped(total, x):\n"
                             "    for v in x:\n"
                             "        total[()] += v\n"
                             "@kernel\n"
                             "def plain(n, x):\n"
                             "    x[0] = n\n";

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s: not so\n", #condition);                                           \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static int
launch(ck_module *module, ck_device *device, const char *name, const ck_arg *args,
       ck_buffer *buffer)
{
    const ck_kernel_desc *desc;
    double values[4] = {10, 1, 2, 4};
    ck_kernel *kernel;
    MUST(ck_buffer_write(buffer, 0, values, sizeof values));
    MUST(ck_kernel_get(&kernel, module, device, name));
    MUST(ck_kernel_prepare(kernel, args, 2, &desc));
    CHECK(desc->params[0].ndim == CK_ZERO_DIM && desc->params[0].dtype == CK_FLOAT64);
    CHECK(strcmp(desc->signature, "(float64[()], float64[::1])") == 0);
    for (int i = 0; i < 2; i++) /* the second is like the last */
        MUST(ck_launch(kernel, &(ck_shape){.grid = {1, 1, 1}, .block = {1, 1, 1}}, args, 2, NULL));
    MUST(ck_buffer_read(buffer, 0, values, sizeof values));
    CHECK(values[0] == 24 && values[1] == 1);
    return 0;
}

static int
check(ck_module *module, ck_device *device)
{
    ck_buffer *buffer;
    MUST(ck_buffer_new(&buffer, device, 4 * sizeof(double)));
    const uint64_t data = ck_buffer_address(buffer);
    const ck_array total = {.data = data, .dtype = CK_FLOAT64};
    const ck_array x = {.data = data + sizeof(double),
                        .dtype = CK_FLOAT64,
                        .ndim = 1,
                        .shape = {3},
                        .strides = {sizeof(double)}};
    const ck_arg args[2] = {{.value.array = &total}, {.value.array = &x}};
    CHECK(ck_module_kernel(module, 0)->params[0].ndim == CK_ZERO_DIM);
    CHECK(ck_module_kernel(module, 1)->params[0].ndim == CK_ZERO_DIM);
    CHECK(ck_module_kernel(module, 1)->params[1].ndim == 0);
    CHECK(ck_module_kernel(module, 2)->params[0].ndim == 0);
    if (launch(module, device, "typed", args, buffer) ||
        launch(module, device, "untyped", args, buffer))
        return 1;
    const ck_arg wrong[2] = {{.value.array = &x}, {.value.array = &x}};
    ck_kernel *kernel;
    MUST(ck_kernel_get(&kernel, module, device, "typed"));
    CHECK(ck_kernel_prepare(kernel, wrong, 2, NULL) == CK_ERROR_ARGUMENT);
    CHECK(strstr(ck_context_error(ctx), "float64[::1] was given for float64[()]"));
    ck_buffer_free(buffer);
    return 0;
}

int
main(void)
{
    ck_module *module;
    ck_device *device;
    MUST(ck_context_new(&ctx, NULL));
    MUST(ck_compile(&module, ctx, source, strlen(source), NULL));
    MUST(ck_device_open(&device, ctx, "cpu:1", NULL));
    int failed = check(module, device);
    ck_device_free(device);
    ck_module_free(module);
    ck_context_free(ctx);
    return failed;
}
