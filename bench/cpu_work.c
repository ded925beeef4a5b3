/* What the kernels of cpu_work.h are launched with, and what should come out. */
#include "cpu_work.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 256, TILE = 16, COLS = 1024 }; /* threads of a block, of a tile's side; of a row */

struct cpu_work_kind {
    const char *name;
    uint64_t max, multiple_of; /* of the size */
    void (*shape)(struct cpu_work *work, int64_t size);
    float (*want)(const struct cpu_work *work, size_t i); /* element i of the last array */
};

/* --- The kernels -------------------------------------------------------------------------------
 */

static void
set_line(struct cpu_work *work, size_t array, int64_t n)
{
    work->arrays[array].ndim = 1;
    work->arrays[array].shape[0] = n;
    work->arrays[array].shape[1] = 1;
}

static void
set_matrix(struct cpu_work *work, size_t array, int64_t rows, int64_t cols)
{
    work->arrays[array].ndim = 2;
    work->arrays[array].shape[0] = rows;
    work->arrays[array].shape[1] = cols;
}

static void
set_launch(struct cpu_work *work, int64_t blocks_x, int64_t blocks_y, uint32_t x, uint32_t y)
{
    work->grid[0] = (uint32_t)blocks_x;
    work->grid[1] = (uint32_t)blocks_y;
    work->block[0] = x;
    work->block[1] = y;
}

static void
shape_saxpy(struct cpu_work *work, int64_t n)
{
    work->has_scalar = true;
    work->scalar = 0.5f;
    work->n_arrays = 2;
    set_line(work, 0, n);
    set_line(work, 1, n);
    set_launch(work, (n + LINE - 1) / LINE, 1, LINE, 1);
}

static float
want_saxpy(const struct cpu_work *work, size_t i)
{
    return (float)(i % 7) + (float)work->times * work->scalar * work->arrays[0].host[i];
}

static void
shape_matmul(struct cpu_work *work, int64_t n)
{
    work->n_arrays = 3;
    for (size_t i = 0; i < 3; i++)
        set_matrix(work, i, n, n);
    set_launch(work, n / TILE, n / TILE, TILE, TILE);
}

static float
want_product(const struct cpu_work *work, size_t i)
{
    const size_t n = (size_t)work->arrays[0].shape[0];
    const float *a = work->arrays[0].host + i / n * n, *b = work->arrays[1].host + i % n;
    float total = 0;
    for (size_t k = 0; k < n; k++)
        total += a[k] * b[k * n];
    return total;
}

static void
shape_rows(struct cpu_work *work, int64_t rows)
{
    work->n_arrays = 2;
    set_matrix(work, 0, rows, COLS);
    set_line(work, 1, rows);
    set_launch(work, rows, 1, LINE, 1);
}

static float
want_row(const struct cpu_work *work, size_t i)
{
    float total = 0;
    for (size_t j = 0; j < COLS; j++)
        total += work->arrays[0].host[i * COLS + j];
    return total;
}

static const struct cpu_work_kind kinds[] = {
    {"saxpy", UINT64_C(1) << 30, 1, shape_saxpy, want_saxpy},
    {"matmul16", 4096, TILE, shape_matmul, want_product},
    {"batched_v1", (UINT64_C(1) << 30) / COLS, 1, shape_rows, want_row},
};

/* --- All of them -------------------------------------------------------------------------------
 */

size_t
cpu_work_bytes(const struct cpu_work *work, size_t array)
{
    const int64_t *shape = work->arrays[array].shape;
    return (size_t)shape[0] * (size_t)shape[1] * sizeof(float);
}

/* Different values wherever a kernel might take one for another. */
static bool
fill(struct cpu_work *work, struct bench_reply *reply)
{
    static const size_t periods[CPU_WORK_ARRAYS] = {13, 7, 5};
    for (size_t array = 0; array < work->n_arrays; array++) {
        float *host = malloc(cpu_work_bytes(work, array));
        work->arrays[array].host = host;
        if (!host)
            return bench_fail(reply, "out of memory");
        for (size_t i = 0; i < cpu_work_bytes(work, array) / sizeof *host; i++)
            host[i] = (float)(i % periods[array]);
    }
    return true;
}

bool
cpu_work_init(struct cpu_work *work, const char *kernel, const struct bench_request *request,
              uint64_t *count, struct bench_reply *reply)
{
    uint64_t size;
    *work = (struct cpu_work){0};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (!strcmp(kinds[i].name, kernel))
            work->kind = &kinds[i];
    }
    if (!work->kind)
        return bench_fail(reply, "there is nothing to launch %s with", kernel);
    if (!bench_number(request, 1, work->kind->max, &size, reply) ||
        !bench_number(request, 2, BENCH_MAX_VALUES, count, reply))
        return false;
    if (size % work->kind->multiple_of)
        return bench_fail(reply, "the size is to be a multiple of %llu",
                          (unsigned long long)work->kind->multiple_of);
    work->kind->shape(work, (int64_t)size);
    return fill(work, reply);
}

void
cpu_work_release(struct cpu_work *work)
{
    for (size_t i = 0; i < CPU_WORK_ARRAYS; i++)
        free(work->arrays[i].host);
}

bool
cpu_work_time(struct cpu_work *work, cpu_work_launch *launch, void *state, uint64_t count,
              struct bench_reply *reply)
{
    for (work->times = 0; work->times <= count; work->times++) {
        double start = bench_now();
        if (!launch(state, work, reply))
            return false;
        if (work->times && !bench_add(reply, bench_now() - start))
            return false;
    }
    return true;
}

bool
cpu_work_verify(const struct cpu_work *work, struct bench_reply *reply)
{
    /* Of large results some, in all rows and columns. */
    const size_t last = work->n_arrays - 1, n = cpu_work_bytes(work, last) / sizeof(float);
    const size_t step = n > 10000 ? 37 : 1;
    size_t wrong = 0;
    for (size_t i = 0; i < n; i += step)
        wrong += work->arrays[last].host[i] != work->kind->want(work, i);
    return wrong ? bench_fail(reply, "%zu elements are wrong", wrong) : true;
}
