/* Times kernels on the CPU device: cpu_bench DEVICE FILE.ck KERNEL (see serve.h).
 *
 *   rows GRID BLOCK ROWS COUNT     sequential_rows on ROWS rows, a column a thread; a time for each
 *                                  launch
 *   saxpy ELEMENTS COUNT           saxpy on float32; a time for each launch
 *   loop ELEMENTS COUNT            the same as a loop of this program: the C compiler's, one core
 *   memory GRID1 GRID2 BLOCK ROWS  bytes a resident thread of sequential_rows takes: by how much
 *                                  more the peak of a process that launches GRID2 blocks is */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "serve.h"

enum { MAX_BLOCKS = 1 << 20, MAX_THREADS = 1024, SAXPY_BLOCK = 256 };
static const uint64_t max_elements = UINT64_C(1) << 30;
static const float saxpy_a = 0.5f;

/* --- sequential_rows ---------------------------------------------------------------------------
 */

struct rows {
    struct bench_kernel *bench;
    ck_shape shape;
    ck_array array;
    ck_buffer *buffer;
    int32_t *host;
};

static size_t
rows_bytes(const struct rows *rows)
{
    return sizeof(int32_t) * (size_t)rows->array.shape[0] * (size_t)rows->array.shape[1];
}

static ck_status
rows_launch(struct rows *rows)
{
    ck_arg arg = {.value.array = &rows->array};
    return ck_launch(rows->bench->kernel, &rows->shape, &arg, 1, NULL);
}

/* Makes `rows` a launch of `blocks`, on the left columns of its array if that is there already. */
static void
rows_set_grid(struct rows *rows, uint32_t blocks)
{
    int64_t cols = (int64_t)blocks * rows->shape.block.x;
    rows->shape.grid.x = blocks;
    rows->array.shape[1] = cols;
    rows->array.strides[0] = cols * (int64_t)sizeof(int32_t);
}

static bool
rows_init(struct rows *rows, uint64_t grid, uint64_t block, uint64_t n, struct bench_reply *reply)
{
    rows->shape.block.x = (uint32_t)block;
    rows->array = (ck_array){
        .dtype = CK_INT32, .ndim = 2, .shape = {(int64_t)n, 0}, .strides = {0, sizeof(int32_t)}};
    rows_set_grid(rows, (uint32_t)grid);
    rows->host = calloc(1, rows_bytes(rows));
    if (!rows->host)
        return bench_fail(reply, "out of memory");
    if (!bench_check(rows->bench,
                     ck_buffer_new(&rows->buffer, rows->bench->device, rows_bytes(rows)), reply))
        return false;
    rows->array.data = ck_buffer_address(rows->buffer);
    return bench_check(rows->bench, ck_buffer_write(rows->buffer, 0, rows->host, rows_bytes(rows)),
                       reply);
}

static void
rows_release(struct rows *rows)
{
    ck_buffer_free(rows->buffer);
    free(rows->host);
}

/* Every element of row r must be r. */
static bool
rows_verify(struct rows *rows, struct bench_reply *reply)
{
    const size_t cols = (size_t)rows->array.shape[1];
    size_t wrong = 0;
    if (!bench_check(rows->bench, ck_buffer_read(rows->buffer, 0, rows->host, rows_bytes(rows)),
                     reply))
        return false;
    for (size_t i = 0; i < cols * (size_t)rows->array.shape[0]; i++)
        wrong += rows->host[i] != (int32_t)(i / cols);
    return wrong ? bench_fail(reply, "%zu elements are wrong", wrong) : true;
}

static bool
rows_time(struct rows *rows, uint64_t count, struct bench_reply *reply)
{
    if (!bench_check(rows->bench, rows_launch(rows), reply))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        double start = bench_now();
        if (!bench_check(rows->bench, rows_launch(rows), reply) ||
            !bench_add(reply, bench_now() - start))
            return false;
    }
    return rows_verify(rows, reply);
}

static bool
answer_rows(struct bench_kernel *bench, const struct bench_request *request,
            struct bench_reply *reply)
{
    struct rows rows = {.bench = bench};
    uint64_t grid, block, n, count;
    bool done = bench_number(request, 1, MAX_BLOCKS, &grid, reply) &&
                bench_number(request, 2, MAX_THREADS, &block, reply) &&
                bench_number(request, 3, MAX_BLOCKS, &n, reply) &&
                bench_number(request, 4, BENCH_MAX_VALUES, &count, reply) &&
                rows_init(&rows, grid, block, n, reply) && rows_time(&rows, count, reply);
    rows_release(&rows);
    return done;
}

/* --- Memory ------------------------------------------------------------------------------------
 */

/* The peak of a child that launches `blocks`, in bytes. The child begins with what its parent holds
 * now, the array and the compiled kernel among it, so that only the launch differs. */
static bool
peak_of_launch(struct rows *rows, uint64_t blocks, double *peak, struct bench_reply *reply)
{
    rows_set_grid(rows, (uint32_t)blocks);
    pid_t child = fork();
    if (child < 0)
        return bench_fail(reply, "cannot fork");
    if (!child)
        _exit(rows_launch(rows) == CK_OK ? 0 : 1);
    struct rusage usage;
    int status;
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status))
        return bench_fail(reply, "a launch of %llu blocks failed", (unsigned long long)blocks);
    *peak = 1024.0 * (double)usage.ru_maxrss;
    return true;
}

static bool
measure_memory(struct rows *rows, const uint64_t grid[2], struct bench_reply *reply)
{
    double peak[2];
    ck_arg arg = {.value.array = &rows->array};
    if (!bench_check(rows->bench, ck_kernel_prepare(rows->bench->kernel, &arg, 1, NULL), reply))
        return false;
    malloc_trim(0); /* so that no launch gets memory that compiling left */
    for (int i = 0; i < 2; i++) {
        if (!peak_of_launch(rows, grid[i], &peak[i], reply))
            return false;
    }
    return bench_add(reply,
                     (peak[1] - peak[0]) / (double)((grid[1] - grid[0]) * rows->shape.block.x));
}

static bool
answer_memory(struct bench_kernel *bench, const struct bench_request *request,
              struct bench_reply *reply)
{
    struct rows rows = {.bench = bench};
    uint64_t grid[2], block, n;
    bool done = bench_number(request, 1, MAX_BLOCKS, &grid[0], reply) &&
                bench_number(request, 2, MAX_BLOCKS, &grid[1], reply) &&
                bench_number(request, 3, MAX_THREADS, &block, reply) &&
                bench_number(request, 4, MAX_BLOCKS, &n, reply);
    if (done && grid[0] >= grid[1])
        done = bench_fail(reply, "the second grid is to be larger than the first");
    done = done && rows_init(&rows, grid[1], block, n, reply) && measure_memory(&rows, grid, reply);
    rows_release(&rows);
    return done;
}

/* --- saxpy -------------------------------------------------------------------------------------
 */

/* y += a * x, done by ck or, with no kernel, by a loop. */
struct saxpy {
    struct bench_kernel *bench;
    bool loop;
    size_t n;
    size_t times;     /* how often it was done */
    float *host;      /* x, then y */
    ck_buffer *x, *y; /* ck's */
};

static bool
saxpy_fill(struct saxpy *saxpy, struct bench_reply *reply)
{
    struct bench_kernel *bench = saxpy->bench;
    const size_t bytes = saxpy->n * sizeof(float);
    for (size_t i = 0; i < saxpy->n; i++) {
        saxpy->host[i] = (float)(i % 1000);
        saxpy->host[saxpy->n + i] = 1;
    }
    return saxpy->loop ||
           (bench_check(bench, ck_buffer_new(&saxpy->x, bench->device, bytes), reply) &&
            bench_check(bench, ck_buffer_new(&saxpy->y, bench->device, bytes), reply) &&
            bench_check(bench, ck_buffer_write(saxpy->x, 0, saxpy->host, bytes), reply) &&
            bench_check(bench, ck_buffer_write(saxpy->y, 0, saxpy->host + saxpy->n, bytes), reply));
}

static void
saxpy_loop(float a, const float *restrict x, float *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

static bool
saxpy_launch(struct saxpy *saxpy, struct bench_reply *reply)
{
    ck_array arrays[2];
    ck_buffer *const buffers[2] = {saxpy->x, saxpy->y};
    for (int i = 0; i < 2; i++)
        arrays[i] = (ck_array){.data = ck_buffer_address(buffers[i]),
                               .dtype = CK_FLOAT32,
                               .ndim = 1,
                               .shape = {(int64_t)saxpy->n},
                               .strides = {sizeof(float)}};
    const ck_arg args[] = {{.scalar = CK_FLOAT32, .value.f = (double)saxpy_a},
                           {.value.array = &arrays[0]},
                           {.value.array = &arrays[1]}};
    const uint32_t blocks = (uint32_t)((saxpy->n + SAXPY_BLOCK - 1) / SAXPY_BLOCK);
    const ck_shape shape = {.grid = {blocks, 1, 1}, .block = {SAXPY_BLOCK, 1, 1}};
    return bench_check(saxpy->bench, ck_launch(saxpy->bench->kernel, &shape, args, 3, NULL), reply);
}

static bool
saxpy_once(struct saxpy *saxpy, struct bench_reply *reply)
{
    saxpy->times++;
    if (!saxpy->loop)
        return saxpy_launch(saxpy, reply);
    saxpy_loop(saxpy_a, saxpy->host, saxpy->host + saxpy->n, saxpy->n);
    return true;
}

/* Values are whole or halves and small, so that the result is exact. */
static bool
saxpy_verify(struct saxpy *saxpy, struct bench_reply *reply)
{
    float *y = saxpy->host + saxpy->n;
    size_t wrong = 0;
    if (!saxpy->loop &&
        !bench_check(saxpy->bench, ck_buffer_read(saxpy->y, 0, y, saxpy->n * sizeof *y), reply))
        return false;
    for (size_t i = 0; i < saxpy->n; i++)
        wrong += y[i] != 1 + (float)saxpy->times * saxpy_a * saxpy->host[i];
    return wrong ? bench_fail(reply, "%zu elements are wrong", wrong) : true;
}

static bool
saxpy_time(struct saxpy *saxpy, uint64_t count, struct bench_reply *reply)
{
    saxpy->host = malloc(2 * saxpy->n * sizeof(float));
    if (!saxpy->host)
        return bench_fail(reply, "out of memory");
    if (!saxpy_fill(saxpy, reply) || !saxpy_once(saxpy, reply))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        double start = bench_now();
        if (!saxpy_once(saxpy, reply) || !bench_add(reply, bench_now() - start))
            return false;
    }
    return saxpy_verify(saxpy, reply);
}

static bool
answer_saxpy(struct bench_kernel *bench, const struct bench_request *request,
             struct bench_reply *reply)
{
    struct saxpy saxpy = {.bench = bench, .loop = !strcmp(request->words[0], "loop")};
    uint64_t n, count;
    bool done = bench_number(request, 1, max_elements, &n, reply) &&
                bench_number(request, 2, BENCH_MAX_VALUES, &count, reply);
    saxpy.n = done ? n : 0;
    done = done && saxpy_time(&saxpy, count, reply);
    ck_buffer_free(saxpy.x);
    ck_buffer_free(saxpy.y);
    free(saxpy.host);
    return done;
}

/* --- The program -------------------------------------------------------------------------------
 */

static bool
answer(void *state, const struct bench_request *request, struct bench_reply *reply)
{
    static const struct {
        const char *name;
        bool (*answer)(struct bench_kernel *, const struct bench_request *, struct bench_reply *);
    } requests[] = {
        {"loop", answer_saxpy},
        {"memory", answer_memory},
        {"rows", answer_rows},
        {"saxpy", answer_saxpy},
    };
    for (size_t i = 0; request->n && i < sizeof requests / sizeof requests[0]; i++) {
        if (!strcmp(request->words[0], requests[i].name))
            return requests[i].answer(state, request, reply);
    }
    return bench_fail(reply, "the requests are: loop, memory, rows, saxpy");
}

int
main(int argc, char **argv)
{
    struct bench_kernel bench = {0};
    int result = EXIT_FAILURE;
    if (argc != 4) {
        fputs("usage: cpu_bench DEVICE FILE.ck KERNEL\n", stderr);
        return 2;
    }
    if (bench_kernel_init(&bench, argv[1], argv[2], argv[3]))
        result = bench_serve(answer, &bench);
    bench_kernel_release(&bench);
    return result;
}
