/* Launches that the CPU device finds wrong without any check: their status, and the diagnostic with
 * the place. Prints what differs. */
#include <stdio.h>
#include <string.h>

#include <ck/ck.h>

enum { N = 8 };

static const char source[] = "@kernel\n"
                             "def missed(x: int32[::1]):\n"
                             "    for trip in range(x[threadIdx.x]):\n"
                             "        syncthreads()\n"
                             "@kernel\n"
                             "def twice(x: int32[::1]):\n"
                             "    g = this_thread_block()\n"
                             "    token = g.barrier_arrive()\n"
                             "    if x[threadIdx.x] == 3:\n"
                             "        g.barrier_wait(token)\n"
                             "    g.barrier_wait(token)\n"
                             "@kernel\n"
                             "def refused(x: int32[::1]):\n"
                             "    i = threadIdx.x\n"
                             "    assert x[i] != 3 or i > 3\n";

static const struct {
    const char *kernel;
    ck_status status;
    const char *name;
    uint32_t line, column;
    const char *message;
} cases[] = {
    {"missed", CK_ERROR_BARRIER, "barrier-never-passed", 4, 9,
     "the barrier `syncthreads()` never completes: not every thread of the block can reach it"},
    {"twice", CK_ERROR_BARRIER, "barrier-misuse", 11, 5,
     "`g.barrier_wait(token)` waits with a token that was already waited on, in block (0, 0, 0) "
     "thread (3, 0, 0)"},
    {"refused", CK_ERROR_ASSERT, "failed-assertion", 15, 12,
     "assertion failed: `x[i] != 3 or i > 3` with i = 3, in block (0, 0, 0) thread (3, 0, 0)"},
};

static int
is_as_due(ck_context *ctx, ck_status status, size_t i)
{
    const ck_diagnostic *d = ck_context_diagnostic(ctx, 0);
    if (status == cases[i].status && ck_context_n_diagnostics(ctx) == 1 &&
        d->severity == CK_ERROR && !strcmp(d->name, cases[i].name) && d->line == cases[i].line &&
        d->column == cases[i].column && !strcmp(d->message, cases[i].message) &&
        strstr(ck_context_error(ctx), cases[i].message))
        return 1;
    printf("%s: %s: %s\n", cases[i].kernel, ck_status_name(status), ck_context_error(ctx));
    if (d)
        printf("%s", d->rendered);
    return 0;
}

static int
launch(ck_context *ctx, ck_module *module, ck_device *device, ck_buffer *buffer, size_t i)
{
    ck_kernel *kernel;
    ck_array array = {.data = ck_buffer_address(buffer),
                      .dtype = CK_INT32,
                      .ndim = 1,
                      .shape = {N},
                      .strides = {sizeof(int32_t)}};
    ck_arg arg = {.value.array = &array};
    ck_shape shape = {.grid = {1, 1, 1}, .block = {N, 1, 1}};
    if (ck_kernel_get(&kernel, module, device, cases[i].kernel) != CK_OK)
        return 0;
    return is_as_due(ctx, ck_launch(kernel, &shape, &arg, 1, NULL), i);
}

int
main(void)
{
    int32_t x[N];
    ck_context *ctx = NULL;
    ck_module *module = NULL;
    ck_device *device = NULL;
    ck_buffer *buffer = NULL;
    for (int i = 0; i < N; i++)
        x[i] = i;
    int good = ck_context_new(&ctx, NULL) == CK_OK &&
               ck_compile(&module, ctx, source, strlen(source), NULL) == CK_OK &&
               ck_device_open(&device, ctx, "cpu", NULL) == CK_OK &&
               ck_buffer_new(&buffer, device, sizeof x) == CK_OK &&
               ck_buffer_write(buffer, 0, x, sizeof x) == CK_OK;
    for (size_t i = 0; good && i < sizeof cases / sizeof *cases; i++)
        good = launch(ctx, module, device, buffer, i);
    ck_buffer_free(buffer);
    ck_device_free(device);
    ck_module_free(module);
    ck_context_free(ctx);
    return good ? 0 : 1;
}
