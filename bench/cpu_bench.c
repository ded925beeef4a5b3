/* Times kernels on the CPU device: cpu_bench DEVICE FILE.ck KERNEL (see serve.h).
 *
 *   rows GRID BLOCK ROWS COUNT     sequential_rows on ROWS rows, a column a thread; a time for each
 *                                  launch
 *   KERNEL SIZE COUNT              a kernel of cpu_work.h, which is the one given; a time for each
 *                                  launch
 *   loop ELEMENTS COUNT            saxpy as a loop of this program: the C compiler's, one core
 *   memory GRID1 GRID2 BLOCK ROWS  bytes a resident thread of sequential_rows takes: by how much
 *                                  more the peak of a process that launches GRID2 blocks is */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpu_work.h"

enum { MAX_BLOCKS = 1 << 20, MAX_THREADS = 1024 };

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

/* --- Kernels without a barrier of the grid -----------------------------------------------------
 */

/* A kernel's launches: by ck with its buffers, or as a loop of this program. */
struct work {
    struct bench_kernel *bench;
    ck_buffer *buffers[CPU_WORK_ARRAYS];
};

static bool
work_upload(struct work *state, const struct cpu_work *work, struct bench_reply *reply)
{
    struct bench_kernel *bench = state->bench;
    for (size_t i = 0; i < work->n_arrays; i++) {
        const size_t bytes = cpu_work_bytes(work, i);
        if (!bench_check(bench, ck_buffer_new(&state->buffers[i], bench->device, bytes), reply) ||
            !bench_check(bench, ck_buffer_write(state->buffers[i], 0, work->arrays[i].host, bytes),
                         reply))
            return false;
    }
    return true;
}

static bool
work_launch(void *opaque, const struct cpu_work *work, struct bench_reply *reply)
{
    const struct work *state = opaque;
    ck_array arrays[CPU_WORK_ARRAYS];
    ck_arg args[1 + CPU_WORK_ARRAYS];
    size_t n = 0;
    if (work->has_scalar)
        args[n++] = (ck_arg){.scalar = CK_FLOAT32, .value.f = (double)work->scalar};
    for (size_t i = 0; i < work->n_arrays; i++) {
        const int64_t *extents = work->arrays[i].shape;
        const int ndim = work->arrays[i].ndim;
        const int64_t size = sizeof(float);
        arrays[i] = (ck_array){.data = ck_buffer_address(state->buffers[i]),
                               .dtype = CK_FLOAT32,
                               .ndim = ndim,
                               .shape = {extents[0], extents[1]},
                               .strides = {ndim == 2 ? extents[1] * size : size, size}};
        args[n++] = (ck_arg){.value.array = &arrays[i]};
    }
    const ck_shape shape = {.grid = {work->grid[0], work->grid[1], 1},
                            .block = {work->block[0], work->block[1], 1}};
    return bench_check(state->bench, ck_launch(state->bench->kernel, &shape, args, n, NULL), reply);
}

static bool
time_work(struct work *state, struct cpu_work *work, uint64_t count, struct bench_reply *reply)
{
    const size_t last = work->n_arrays - 1;
    return work_upload(state, work, reply) &&
           cpu_work_time(work, work_launch, state, count, reply) &&
           bench_check(state->bench,
                       ck_buffer_read(state->buffers[last], 0, work->arrays[last].host,
                                      cpu_work_bytes(work, last)),
                       reply) &&
           cpu_work_verify(work, reply);
}

static bool
answer_work(struct bench_kernel *bench, const struct bench_request *request,
            struct bench_reply *reply)
{
    struct work state = {.bench = bench};
    struct cpu_work work;
    uint64_t count;
    bool done = cpu_work_init(&work, request->words[0], request, &count, reply) &&
                time_work(&state, &work, count, reply);
    for (size_t i = 0; i < CPU_WORK_ARRAYS; i++)
        ck_buffer_free(state.buffers[i]);
    cpu_work_release(&work);
    return done;
}

static void
saxpy(float a, const float *restrict x, float *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

static bool
saxpy_launch(void *state, const struct cpu_work *work, struct bench_reply *reply)
{
    (void)state;
    (void)reply;
    saxpy(work->scalar, work->arrays[0].host, work->arrays[1].host,
          (size_t)work->arrays[0].shape[0]);
    return true;
}

static bool
answer_loop(struct bench_kernel *bench, const struct bench_request *request,
            struct bench_reply *reply)
{
    struct cpu_work work;
    uint64_t count;
    (void)bench;
    bool done = cpu_work_init(&work, "saxpy", request, &count, reply) &&
                cpu_work_time(&work, saxpy_launch, NULL, count, reply) &&
                cpu_work_verify(&work, reply);
    cpu_work_release(&work);
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
        {"batched_v1", answer_work}, {"loop", answer_loop}, {"matmul16", answer_work},
        {"memory", answer_memory},   {"rows", answer_rows}, {"saxpy", answer_work},
    };
    for (size_t i = 0; request->n && i < sizeof requests / sizeof requests[0]; i++) {
        if (!strcmp(request->words[0], requests[i].name))
            return requests[i].answer(state, request, reply);
    }
    return bench_fail(reply, "the requests are: batched_v1, loop, matmul16, memory, rows, saxpy");
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
