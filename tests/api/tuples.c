/* Tuples among a launch's arguments: a mark with the number of items, and the items after it. */
#include <stdio.h>
#include <string.h>

#include <ck/ck.h>

#include "statuses.h"

enum { N = 100 };

static const char source[] =
    "@kernel\n"
    "def typed(y: float64[:], t: (int32, (float64, int32[::1], ())), more: float64):\n"
    "    for i in range(grid(1), len(y), gridsize(1)):\n"
    "        y[i] = t[0] * t[1][1][i] + t[1][0] + more\n"
    "@kernel\n"
    "def untyped(y, t, more):\n"
    "    for i in range(grid(1), len(y), gridsize(1)):\n"
    "        y[i] = t[0] * t[1][1][i] + t[1][0] + more\n";

static int
check_results(ck_buffer *buffer, const int32_t *w)
{
    double y[N];
    MUST(ck_buffer_read(buffer, 0, y, sizeof y));
    for (int i = 0; i < N; i++) {
        if (y[i] != 3.0 * w[i] + 0.5 + 7) {
            fprintf(stderr, "y[%d] is %g\n", i, y[i]);
            return 1;
        }
    }
    memset(y, 0, sizeof y);
    MUST(ck_buffer_write(buffer, 0, y, sizeof y));
    return 0;
}

/* What a host program can read of the parameters. */
static int
check_description(const ck_kernel_desc *desc)
{
    static const struct {
        const char *name;
        ck_dtype dtype;
        int n_items;
    } due[] = {
        {"y", CK_FLOAT64, 0},     {"t", CK_TUPLE, 2},         {"t[0]", CK_INT32, 0},
        {"t[1]", CK_TUPLE, 3},    {"t[1][0]", CK_FLOAT64, 0}, {"t[1][1]", CK_INT32, 0},
        {"t[1][2]", CK_TUPLE, 0}, {"more", CK_FLOAT64, 0},
    };
    if (desc->n_params != 8 ||
        strcmp(desc->signature, "(float64[:], (int32, (float64, int32[::1], ())), float64)") != 0)
        return 1;
    for (int i = 0; i < 8; i++) {
        if (strcmp(desc->params[i].name, due[i].name) != 0 ||
            desc->params[i].dtype != due[i].dtype || desc->params[i].n_items != due[i].n_items)
            return 1;
    }
    return 0;
}

int
main(void)
{
    ck_module *module;
    ck_device *device;
    ck_kernel *typed, *untyped;
    ck_buffer *y_buffer, *w_buffer;
    int32_t w[N];
    for (int i = 0; i < N; i++)
        w[i] = i * 13 - 500;
    if (ck_context_new(&ctx, NULL) != CK_OK)
        return 1;
    MUST(ck_compile(&module, ctx, source, sizeof source - 1, NULL));
    MUST(ck_device_open(&device, ctx, "cpu", NULL));
    MUST(ck_kernel_get(&typed, module, device, "typed"));
    MUST(ck_kernel_get(&untyped, module, device, "untyped"));
    MUST(ck_buffer_new(&y_buffer, device, N * sizeof(double)));
    MUST(ck_buffer_new(&w_buffer, device, sizeof w));
    MUST(ck_buffer_write(w_buffer, 0, w, sizeof w));
    if (check_description(ck_module_kernel(module, 0))) {
        fprintf(stderr, "the description is wrong\n");
        return 1;
    }
    const ck_array y = {ck_buffer_address(y_buffer), CK_FLOAT64, 1, {N}, {sizeof(double)}, NULL};
    const ck_array x = {ck_buffer_address(w_buffer), CK_INT32, 1, {N}, {sizeof(int32_t)}, NULL};
    ck_arg args[24] = {
        {CK_DTYPE_NONE, {.array = &y}}, {CK_TUPLE, {.u = 2}},     {CK_INT32, {.i = 3}},
        {CK_TUPLE, {.u = 3}},           {CK_FLOAT64, {.f = 0.5}}, {CK_DTYPE_NONE, {.array = &x}},
        {CK_TUPLE, {.u = 0}},           {CK_FLOAT64, {.f = 7}},
    };
    const ck_shape shape = {.grid = {2, 1, 1}, .block = {32, 1, 1}};
    MUST(ck_launch(typed, &shape, args, 8, NULL));
    int faults = check_results(y_buffer, w);
    MUST(ck_launch(untyped, &shape, args, 8, NULL));
    faults += check_results(y_buffer, w);
    MUST(ck_launch(untyped, &shape, args, 8, NULL));
    faults += check_results(y_buffer, w);

    faults += fails(ck_launch(typed, &shape, args, 7, NULL), CK_ERROR_ARGUMENT,
                    "`typed(float64[:], (int32, (float64, int32[::1], ())), float64)` takes 3 "
                    "arguments: 2 were given");
    faults += fails(ck_launch(untyped, &shape, args, 7, NULL), CK_ERROR_ARGUMENT,
                    "`untyped` takes 3 arguments: 2 were given");
    faults += fails(ck_launch(typed, &shape, args, 6, NULL), CK_ERROR_ARGUMENT,
                    "the last tuple lacks 1 item: no arguments are left");
    faults += fails(ck_launch(untyped, &shape, args, 4, NULL), CK_ERROR_ARGUMENT,
                    "the last tuple lacks 3 items: no arguments are left");
    args[3].value.u = UINT64_MAX;
    faults += fails(ck_launch(untyped, &shape, args, 8, NULL), CK_ERROR_ARGUMENT,
                    "the last tuple lacks 18446744073709551611 items: no arguments are left");
    args[3].value.u = 4;
    faults += fails(ck_launch(typed, &shape, args, 8, NULL), CK_ERROR_ARGUMENT,
                    "`typed(float64[:], (int32, (float64, int32[::1], ())), float64)` takes 3 "
                    "arguments: 2 were given");
    args[3].value.u = 3;
    args[4] = (ck_arg){CK_FLOAT32, {.f = 0.5}};
    faults += fails(ck_launch(typed, &shape, args, 8, NULL), CK_ERROR_ARGUMENT,
                    "argument 2 `t`: (int32, (float32, int32[::1], ())) was given for (int32, "
                    "(float64, int32[::1], ()))");
    args[2].value.i = 3000000000;
    faults += fails(ck_launch(typed, &shape, args, 8, NULL), CK_ERROR_ARGUMENT,
                    "argument 2 `t[0]`: 3000000000 is out of the range of int32");
    faults += fails(ck_launch(untyped, &shape, args, 8, NULL), CK_ERROR_ARGUMENT,
                    "argument 2 `t`: 3000000000 is out of the range of int32");
    for (int i = 1; i < 20; i++)
        args[i] = (ck_arg){CK_TUPLE, {.u = 1}};
    args[20] = args[21] = (ck_arg){CK_FLOAT64, {.f = 7}};
    faults += fails(ck_launch(untyped, &shape, args, 22, NULL), CK_ERROR_ARGUMENT,
                    "argument 2 `t`: it has tuples more than 16 deep");
    args[1].scalar = (ck_dtype)(CK_TIMEDELTA64 + 1);
    faults += fails(ck_launch(untyped, &shape, args, 3, NULL), CK_ERROR_ARGUMENT,
                    "argument 2 `t`: a scalar of no known type (48) was given");
    ck_buffer_free(w_buffer);
    ck_buffer_free(y_buffer);
    ck_module_free(module);
    ck_device_free(device);
    ck_context_free(ctx);
    return faults != 0;
}
