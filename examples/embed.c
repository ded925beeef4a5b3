/* A program with ck inside: compiles a kernel from a string, runs it, checks the result.
 *
 *   cc examples/embed.c $(pkg-config --cflags --libs ck) -o embed && ./embed [DEVICE]
 *
 * DEVICE is "auto" (the default), "cuda", "cuda:N", "cpu" or "cpu:THREADS". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ck/ck.h>

enum { ROWS = 256, COLS = 256, THREADS = 32 };

static const char source[] = "@kernel\n"
                             "def sequential_rows(M: int32[:, ::1]):\n"
                             "    col = grid(1)\n"
                             "    g = this_grid()\n"
                             "    rows = M.shape[0]\n"
                             "    cols = M.shape[1]\n"
                             "    for row in range(1, rows):\n"
                             "        opposite = cols - col - 1\n"
                             "        M[row, col] = M[row - 1, opposite] + 1\n"
                             "        g.sync()\n";

/* What the program holds, to be released in one place. */
struct program {
    ck_context *ctx;
    ck_module *module;
    ck_device *device;
    ck_buffer *buffer;
    int32_t *rows;
};

static ck_status
compile(struct program *p)
{
    ck_compile_options options = {.size = sizeof options, .name = "embed.ck"};
    ck_status status = ck_compile(&p->module, p->ctx, source, strlen(source), &options);
    for (size_t i = 0; i < ck_context_n_diagnostics(p->ctx); i++)
        fputs(ck_context_diagnostic(p->ctx, i)->rendered, stderr);
    return status;
}

/* A zeroed array on the device. */
static ck_status
make_array(struct program *p, ck_array *array)
{
    size_t bytes = sizeof(int32_t) * ROWS * COLS;
    p->rows = calloc(1, bytes);
    if (!p->rows)
        return CK_ERROR_MEMORY;
    ck_status status = ck_buffer_new(&p->buffer, p->device, bytes);
    if (status != CK_OK)
        return status;
    *array = ck_array_2d(ck_buffer_address(p->buffer), CK_INT32, ROWS, COLS);
    return ck_buffer_write(p->buffer, 0, p->rows, bytes);
}

static ck_status
launch(struct program *p, const ck_array *array)
{
    ck_kernel *kernel;
    ck_status status = ck_kernel_get(&kernel, p->module, p->device, "sequential_rows");
    if (status == CK_OK)
        status = ck_launchv(kernel, ck_shape_1d(COLS / THREADS, THREADS), NULL, array);
    if (status == CK_OK)
        status = ck_device_synchronize(p->device);
    return status;
}

static ck_status
run(struct program *p, const char *device)
{
    ck_array array;
    ck_status status = ck_context_new(&p->ctx, NULL);
    if (status == CK_OK)
        status = compile(p);
    if (status == CK_OK)
        status = ck_device_open(&p->device, p->ctx, device, NULL);
    if (status == CK_OK)
        status = make_array(p, &array);
    if (status == CK_OK)
        status = launch(p, &array);
    if (status == CK_OK)
        status = ck_buffer_read(p->buffer, 0, p->rows, sizeof(int32_t) * ROWS * COLS);
    return status;
}

/* Every element of row r must be r. */
static int
count_wrong(const int32_t *rows)
{
    int wrong = 0;
    for (int row = 0; row < ROWS; row++) {
        for (int col = 0; col < COLS; col++)
            wrong += rows[row * COLS + col] != row;
    }
    return wrong;
}

static void
release(struct program *p)
{
    ck_buffer_free(p->buffer);
    ck_module_free(p->module);
    ck_device_free(p->device);
    ck_context_free(p->ctx);
    free(p->rows);
}

int
main(int argc, char **argv)
{
    struct program p = {0};
    ck_status status = run(&p, argc > 1 ? argv[1] : "auto");
    int wrong = status == CK_OK ? count_wrong(p.rows) : 0;
    if (status != CK_OK)
        fprintf(stderr, "embed: %s: %s\n", ck_status_name(status),
                p.ctx ? ck_context_error(p.ctx) : "out of memory");
    else if (wrong)
        fprintf(stderr, "embed: %d of %d elements are wrong\n", wrong, ROWS * COLS);
    else
        printf("ck %s on %s: %d rows are right\n", ck_version(), ck_device_get_info(p.device)->name,
               ROWS);
    release(&p);
    return status == CK_OK && !wrong ? EXIT_SUCCESS : EXIT_FAILURE;
}
