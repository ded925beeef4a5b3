/* A source that was put together: messages have the files, lines and columns that its lines are
 * from, of errors, of the places that explain them and of what a launch finds. Exit status 0 if so;
 * prints what differs. */
#include <stdio.h>
#include <string.h>

#include <ck/ck.h>

/* Line 1 is of no part, 2 to 3 are from helpers.py, 4 on from main.py. */
static const char source[] = "SIZE = 4\n"
                             "def twice(v):\n"
                             "    return v * unknown\n"
                             "@kernel\n"
                             "def k(x: int32[::1]):\n"
                             "    x[0] = twice(x[1])\n"
                             "@kernel\n"
                             "def refused(x: int32[::1]):\n"
                             "    x[0] = x[threadIdx.x + 8]\n"
                             "    assert x[0] > 0\n"
                             "@kernel\n"
                             "def early(x: int32[::1]):\n"
                             "    if threadIdx.x > 3:\n"
                             "        x[0] = 1\n"
                             "        syncthreads()\n"
                             "    syncthreads()\n"
                             "    x[1] = 1\n";

static const ck_source_part parts[] = {
    {.line = 2, .file = "helpers.py", .file_line = 120},
    {.line = 4, .file = "main.py", .file_line = 7, .column = 4},
};

static int
differs(const ck_context *ctx, size_t i, const char *file, uint32_t line, uint32_t column,
        const char *rendered)
{
    const ck_diagnostic *d = ck_context_diagnostic(ctx, i);
    if (d && !strcmp(d->file, file) && d->line == line && d->column == column &&
        !strncmp(d->rendered, rendered, strlen(rendered)))
        return 0;
    printf("%s:%u:%u is due, not\n%s", file, line, column, d ? d->rendered : "nothing\n");
    return 1;
}

static ck_status
compile(ck_module **module, ck_context *ctx, const char *text, const ck_source_part *given,
        size_t n)
{
    const ck_compile_options options = {
        .size = sizeof options, .name = "whole.py", .parts = given, .n_parts = n};
    return ck_compile(module, ctx, text, strlen(text), &options);
}

static int
check_errors(ck_context *ctx)
{
    ck_module *module;
    if (compile(&module, ctx, source, parts, 2) != CK_ERROR_PROGRAM)
        return 1;
    return differs(ctx, 0, "helpers.py", 121, 16,
                   "helpers.py:121:16: error: `unknown` is not defined [unknown-name]\n"
                   "    |\n"
                   "121 |     return v * unknown\n") |
           differs(ctx, 1, "main.py", 18, 13,
                   "main.py:18:13: error: not every thread of the block reaches "
                   "`syncthreads()` [divergent-barrier]\n"
                   "   |\n"
                   "16 |     if threadIdx.x > 3:\n");
}

/* A place of another file that comes first. */
static int
check_first_place(ck_context *ctx)
{
    static const char text[] = "SIZE = table()\n"
                               "@kernel\n"
                               "def k(x: int32[::1]):\n"
                               "    x[0] = SIZE\n";
    static const ck_source_part two[] = {
        {.line = 1, .file = "sizes.py", .file_line = 5},
        {.line = 2, .file = "main.py", .file_line = 20},
    };
    ck_module *module;
    return compile(&module, ctx, text, two, 2) != CK_ERROR_PROGRAM ||
           differs(ctx, 0, "main.py", 22, 12,
                   "main.py:22:12: error: `SIZE` has no value at compile time [no-value]\n"
                   "   |\n"
                   "   ::: sizes.py\n"
                   " 5 | SIZE = table()\n"
                   "   |        ----- `table` is not defined\n"
                   "   ::: main.py\n"
                   "22 |     x[0] = SIZE\n");
}

/* A finding at a line of another file than the place that explains it. */
static int
check_launch(ck_context *ctx)
{
    static const char text[] = "def read(v, i):\n"
                               "    return v[i]\n"
                               "@kernel\n"
                               "def k(x: int32[::1]):\n"
                               "    x[0] = read(x, 9)\n";
    static const ck_source_part two[] = {
        {.line = 1, .file = "helpers.py", .file_line = 120},
        {.line = 3, .file = "main.py", .file_line = 7},
    };
    const ck_device_options checks = {.size = sizeof checks, .checks = CK_CHECK_ALL};
    const ck_shape shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    int32_t elements[4] = {0};
    const ck_array array = {
        .data = (uintptr_t)elements, .dtype = CK_INT32, .ndim = 1, .shape = {4}, .strides = {4}};
    const ck_arg arg = {.value.array = &array};
    ck_module *module = NULL;
    ck_device *device = NULL;
    ck_kernel *kernel;
    int failed = compile(&module, ctx, text, two, 2) ||
                 ck_device_open(&device, ctx, "cpu", &checks) ||
                 ck_kernel_get(&kernel, module, device, "k") ||
                 ck_launch(kernel, &shape, &arg, 1, NULL) != CK_ERROR_CHECK ||
                 differs(ctx, 0, "helpers.py", 121, 12,
                         "helpers.py:121:12: error: index 9 is out of bounds");
    if (!failed && !strstr(ck_context_diagnostic(ctx, 0)->rendered, " ::: main.py\n")) {
        printf("the other file is not named:\n%s", ck_context_diagnostic(ctx, 0)->rendered);
        failed = 1;
    }
    ck_module_free(module);
    ck_device_free(device);
    return failed;
}

static int
check_options(ck_context *ctx)
{
    const ck_source_part unordered[] = {{.line = 4, .file = "a"}, {.line = 4, .file = "b"}};
    const ck_source_part nameless[] = {{.line = 4}};
    ck_module *module;
    return compile(&module, ctx, source, unordered, 2) != CK_ERROR_ARGUMENT ||
           compile(&module, ctx, source, nameless, 1) != CK_ERROR_ARGUMENT ||
           compile(&module, ctx, source, NULL, 1) != CK_ERROR_ARGUMENT;
}

int
main(void)
{
    ck_context *ctx;
    if (ck_context_new(&ctx, NULL))
        return 1;
    int failed =
        check_errors(ctx) | check_first_place(ctx) | check_launch(ctx) | check_options(ctx);
    ck_context_free(ctx);
    return failed;
}
