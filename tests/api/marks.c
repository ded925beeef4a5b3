/* None and default values among a launch's arguments. */
#include <stdio.h>
#include <string.h>

#include <ck/ck.h>

#include "statuses.h"

enum { N = 100 };

static const char source[] = "@kernel\n"
                             "def typed(y: int64[:], n: int64 = 3, m: int64 = 5):\n"
                             "    for i in range(grid(1), len(y), gridsize(1)):\n"
                             "        y[i] = i * n + m\n"
                             "@kernel\n"
                             "def untyped(y, w, n=3, m=5):\n"
                             "    for i in range(grid(1), len(y), gridsize(1)):\n"
                             "        y[i] = i * n + m if w is None else w\n";

/* The array holds factor * i + more; it is cleared. */
static int
check_results(ck_buffer *buffer, int64_t factor, int64_t more)
{
    int64_t y[N];
    MUST(ck_buffer_read(buffer, 0, y, sizeof y));
    for (int i = 0; i < N; i++) {
        if (y[i] != factor * i + more) {
            fprintf(stderr, "y[%d] is %lld\n", i, (long long)y[i]);
            return 1;
        }
    }
    memset(y, 0, sizeof y);
    MUST(ck_buffer_write(buffer, 0, y, sizeof y));
    return 0;
}

static int
launch(ck_kernel *kernel, ck_buffer *buffer, const ck_arg *more, size_t n, int64_t factor,
       int64_t sum)
{
    const ck_shape shape = {.grid = {2, 1, 1}, .block = {32, 1, 1}};
    const ck_array y = {ck_buffer_address(buffer), CK_INT64, 1, {N}, {8}, NULL};
    ck_arg args[8] = {{CK_DTYPE_NONE, {.array = &y}}};
    memcpy(&args[1], more, n * sizeof *more);
    for (int again = 0; again < 2; again++) { /* the second launch compares with the first */
        MUST(ck_launch(kernel, &shape, args, n + 1, NULL));
        if (check_results(buffer, factor, sum))
            return 1;
    }
    return 0;
}

static int
check_generic(ck_kernel *kernel, ck_buffer *buffer)
{
    static const ck_arg none = {CK_NONE, {0}}, otherwise = {CK_DEFAULT, {0}};
    static const ck_arg two = {CK_INT64, {.i = 2}}, nine = {CK_INT64, {.i = 9}};
    const ck_shape shape = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    const ck_kernel_desc *desc;
    if (launch(kernel, buffer, (ck_arg[]){none}, 1, 3, 5) ||
        launch(kernel, buffer, (ck_arg[]){two}, 1, 0, 2) ||
        launch(kernel, buffer, (ck_arg[]){none, otherwise, nine}, 3, 3, 9) ||
        launch(kernel, buffer, (ck_arg[]){none, two, otherwise}, 3, 2, 5) ||
        launch(kernel, buffer, (ck_arg[]){none, otherwise, otherwise}, 3, 3, 5) ||
        launch(kernel, buffer, (ck_arg[]){none, two, nine}, 3, 2, 9))
        return 1;
    const ck_array y = {ck_buffer_address(buffer), CK_INT64, 1, {N}, {8}, NULL};
    const ck_arg args[] = {{CK_DTYPE_NONE, {.array = &y}}, none, otherwise, nine};
    MUST(ck_kernel_prepare(kernel, args, 4, &desc));
    if (desc->n_params != 4 || desc->params[1].dtype != CK_NONE ||
        desc->params[2].dtype != CK_DEFAULT || strcmp(desc->params[2].name, "n") ||
        strcmp(desc->signature, "(int64[::1], None, default, int64)")) {
        fprintf(stderr, "%d parameters, %s\n", desc->n_params, desc->signature);
        return 1;
    }
    const ck_arg lacking[] = {args[0], otherwise, two};
    const ck_arg inside[] = {args[0], {CK_TUPLE, {.u = 2}}, two, none};
    return fails(ck_launch(kernel, &shape, lacking, 3, NULL), CK_ERROR_ARGUMENT,
                 "argument 2 `w`: it has no default value") ||
           fails(ck_launch(kernel, &shape, lacking, 2, NULL), CK_ERROR_ARGUMENT,
                 "`untyped` takes 2 to 4 arguments: 1 was given") ||
           fails(ck_launch(kernel, &shape, inside, 4, NULL), CK_ERROR_ARGUMENT,
                 "argument 2 `w`: it has None as an item of a tuple");
}

static int
check_typed(ck_kernel *kernel, ck_buffer *buffer)
{
    static const ck_arg none = {CK_NONE, {0}}, otherwise = {CK_DEFAULT, {0}};
    static const ck_arg nine = {CK_INT64, {.i = 9}};
    const ck_shape shape = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    if (launch(kernel, buffer, (ck_arg[]){nine, otherwise}, 2, 9, 5) ||
        launch(kernel, buffer, (ck_arg[]){otherwise, otherwise}, 2, 3, 5))
        return 1;
    const ck_array y = {ck_buffer_address(buffer), CK_INT64, 1, {N}, {8}, NULL};
    const ck_arg first = {CK_DTYPE_NONE, {.array = &y}};
    const ck_arg gap[] = {first, otherwise, nine}, with_none[] = {first, none, nine};
    return fails(ck_launch(kernel, &shape, gap, 3, NULL), CK_ERROR_ARGUMENT,
                 "no signature of `typed` takes (int64[::1], default, int64); it has "
                 "(int64[:], int64, int64), (int64[:], int64), (int64[:])") ||
           fails(ck_launch(kernel, &shape, with_none, 3, NULL), CK_ERROR_ARGUMENT,
                 "no signature of `typed` takes (int64[::1], None, int64); it has "
                 "(int64[:], int64, int64), (int64[:], int64), (int64[:])");
}

int
main(int argc, char **argv)
{
    ck_module *module;
    ck_device *device;
    ck_buffer *buffer;
    ck_kernel *typed, *untyped;
    MUST(ck_context_new(&ctx, NULL));
    MUST(ck_compile(&module, ctx, source, sizeof source - 1, NULL));
    ck_status opened = ck_device_open(&device, ctx, argc > 1 ? argv[1] : "cpu", NULL);
    if (opened == CK_ERROR_NO_DEVICE) {
        ck_module_free(module);
        ck_context_free(ctx);
        return 77;
    }
    MUST(opened);
    MUST(ck_kernel_get(&typed, module, device, "typed"));
    MUST(ck_kernel_get(&untyped, module, device, "untyped"));
    MUST(ck_buffer_new(&buffer, device, N * sizeof(int64_t)));
    if (check_generic(untyped, buffer) || check_typed(typed, buffer))
        return 1;
    ck_buffer_free(buffer);
    ck_module_free(module);
    ck_device_free(device);
    ck_context_free(ctx);
    return 0;
}
