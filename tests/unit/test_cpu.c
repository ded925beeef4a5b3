/* The CPU executor, over kernels compiled by hand: state machines that follow the ABI of
 * runtime/image/cpu_abi.h, as the code generator's coroutines do. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <ck/run.h>

#include "runtime/cpu/cpu.h"
#include "runtime/launch/module.h"

/* --- The kernels -------------------------------------------------------------------------------
 */

enum { SITE_GRID, SITE_BLOCK, SITE_BLOCK_2, N_SITES };
static const struct ck_barrier_site sites[N_SITES] = {
    [SITE_GRID] = {CK_BARRIER_GRID, "g.sync()", 14, 9, .place = 2},
    [SITE_BLOCK] = {CK_BARRIER_BLOCK, "syncthreads()", 21, 5, .place = 3},
    [SITE_BLOCK_2] = {CK_BARRIER_BLOCK, "b.sync()", 23, 9, .place = 4},
};
/* The condition of the assertions, then the barriers. */
static struct ck_access_site places[1 + N_SITES] = {
    {.line = 12, .array = "x[i] > 0", .index = ""},
    {.line = 14, .array = "g.sync()", .index = ""},
    {.line = 21, .array = "syncthreads()", .index = ""},
    {.line = 23, .array = "b.sync()", .index = ""},
};

/* All kernels have (A: int64[::1], n: int64): slots A.data, A.shape[0], n. */
struct frame {
    ck_host_resume_fn *resume;
    const uint64_t *params;
    struct ck_cpu_block *block;
    uint32_t t[3];
    int64_t i;
    int64_t state;
};

static int64_t *
data_of(const uint64_t *params)
{
    return (int64_t *)(uintptr_t)params[0];
}

static uint32_t
rank_in_block(const struct ck_cpu_block *block, const uint32_t t[3])
{
    return (t[2] * block->block_dim[1] + t[1]) * block->block_dim[0] + t[0];
}

static uint64_t
block_rank(const struct ck_cpu_block *block)
{
    return ((uint64_t)block->block_idx[2] * block->grid_dim[1] + block->block_idx[1]) *
               block->grid_dim[0] +
           block->block_idx[0];
}

static uint64_t
global_rank(const struct ck_cpu_block *block, const uint32_t t[3])
{
    uint64_t threads = (uint64_t)block->block_dim[0] * block->block_dim[1] * block->block_dim[2];
    return block_rank(block) * threads + rank_in_block(block, t);
}

static uint64_t
grid_threads(const struct ck_cpu_block *b)
{
    return (uint64_t)b->block_dim[0] * b->block_dim[1] * b->block_dim[2] * b->grid_dim[0] *
           b->grid_dim[1] * b->grid_dim[2];
}

static void
suspend(struct frame *f, int site)
{
    f->block->waiting = 1 + (uint32_t)site;
}

static void *
start_with(ck_host_resume_fn *resume, const uint64_t *params, struct ck_cpu_block *block,
           uint32_t tx, uint32_t ty, uint32_t tz, void *memory)
{
    if (!memory)
        return (void *)sizeof(struct frame);
    struct frame *f = memory;
    *f = (struct frame){.resume = resume, .params = params, .block = block, .t = {tx, ty, tz}};
    resume(f);
    return NULL;
}

#define STARTS(kernel)                                                                             \
    static void *kernel##_start(const uint64_t *params, struct ck_cpu_block *block, uint32_t tx,   \
                                uint32_t ty, uint32_t tz, void *frame)                             \
    {                                                                                              \
        return start_with(kernel, params, block, tx, ty, tz, frame);                               \
    }

/* for row in range(1, n): A[row, col] = A[row - 1, cols - col - 1] + 1; g.sync() */
static void
rows(void *memory)
{
    struct frame *f = memory;
    int64_t *a = data_of(f->params), n = (int64_t)f->params[2];
    int64_t cols = (int64_t)grid_threads(f->block), col = (int64_t)global_rank(f->block, f->t);
    if (++f->i < n) {
        a[f->i * cols + col] = a[(f->i - 1) * cols + cols - col - 1] + 1;
        suspend(f, SITE_GRID);
    }
}
STARTS(rows)

/* The same as the code generator leaves it: what a thread needs is in its frame. */
struct lean_frame {
    ck_host_resume_fn *resume;
    struct ck_cpu_block *block;
    int32_t *own, *opposite;
    int64_t left, cols;
};

static void
lean(void *memory)
{
    struct lean_frame *f = memory;
    if (!f->left)
        return;
    f->left--;
    *f->own = *f->opposite + 1;
    f->own += f->cols;
    f->opposite += f->cols;
    f->block->waiting = 1 + SITE_GRID;
}

static void *
lean_start(const uint64_t *params, struct ck_cpu_block *block, uint32_t tx, uint32_t ty,
           uint32_t tz, void *memory)
{
    if (!memory)
        return (void *)sizeof(struct lean_frame);
    uint32_t t[3] = {tx, ty, tz};
    int64_t cols = (int64_t)grid_threads(block), col = (int64_t)global_rank(block, t);
    int32_t *a = (int32_t *)(uintptr_t)params[0];
    *(struct lean_frame *)memory = (struct lean_frame){
        lean, block, a + cols + col, a + cols - col - 1, (int64_t)params[2] - 1, cols};
    lean(memory);
    return NULL;
}

/* A tree sum over dynamic shared memory; thread 0 stores the block's sum of ranks. */
static void
tree(void *memory)
{
    struct frame *f = memory;
    int64_t *shared = (int64_t *)f->block->shared;
    uint32_t rank = rank_in_block(f->block, f->t);
    uint32_t threads = f->block->block_dim[0] * f->block->block_dim[1] * f->block->block_dim[2];
    if (!f->state) {
        f->state = threads;
        shared[rank] = (int64_t)global_rank(f->block, f->t);
        suspend(f, SITE_BLOCK);
        return;
    }
    f->state /= 2;
    if (rank < f->state)
        shared[rank] += shared[rank + f->state];
    if (f->state >= 1) {
        suspend(f, SITE_BLOCK);
        return;
    }
    if (!rank)
        data_of(f->params)[block_rank(f->block)] = shared[0];
}
STARTS(tree)

/* Block and grid barriers in turn: every thread adds its block's count after a block barrier, and
 * checks the whole grid's after a grid barrier. A[0] counts errors, A[1 + b] block b's arrivals. */
static void
mixed(void *memory)
{
    struct frame *f = memory;
    int64_t *a = data_of(f->params);
    uint64_t b = block_rank(f->block), blocks = grid_threads(f->block) / f->block->block_dim[0];
    int64_t threads = f->block->block_dim[0];
    switch (f->state++ % 3) {
    case 0:
        for (uint64_t k = 0; f->i && k < blocks; k++) {
            if (a[1 + k] != f->i * threads)
                __atomic_fetch_add(&a[0], 1, __ATOMIC_RELAXED);
        }
        if (f->i++ == (int64_t)f->params[2])
            return;
        suspend(f, SITE_GRID);
        return;
    case 1:
        a[1 + b]++;
        suspend(f, rank_in_block(f->block, f->t) % 2 ? SITE_BLOCK : SITE_BLOCK_2);
        return;
    default:
        if (a[1 + b] != f->i * threads)
            __atomic_fetch_add(&a[0], 1, __ATOMIC_RELAXED);
        suspend(f, SITE_GRID);
        return;
    }
}
STARTS(mixed)

/* Half of the block waits, the others have finished. */
static void
half_waits(void *memory)
{
    struct frame *f = memory;
    if (f->t[0] < f->block->block_dim[0] / 2 && !f->state++)
        suspend(f, SITE_BLOCK);
}
STARTS(half_waits)

/* Even blocks wait for the grid, odd ones have finished. */
static void
even_blocks_wait(void *memory)
{
    struct frame *f = memory;
    if (f->block->block_idx[0] % 2 == 0 && !f->state++)
        suspend(f, SITE_GRID);
}
STARTS(even_blocks_wait)

/* Thread 0 waits for the grid, the others for the block. */
static void
two_kinds(void *memory)
{
    struct frame *f = memory;
    if (!f->state++)
        suspend(f, f->t[0] ? SITE_BLOCK : SITE_GRID);
}
STARTS(two_kinds)

/* Thread 3 of block 1 fails an assertion; the others wait. */
static void
asserts(void *memory)
{
    struct frame *f = memory;
    if (f->block->block_idx[0] == 1 && f->t[0] == 3) {
        ck_cpu_assert_fail(f->block, 1, "x is positive", f->t[0], NULL, 0);
        return;
    }
    if (f->state++ < 3)
        suspend(f, SITE_BLOCK);
}
STARTS(asserts)

/* Records the order in which threads run: A[0] counts, A[1...] are global ranks. */
static void
note(const uint64_t *params, struct ck_cpu_block *block, uint32_t tx, uint32_t ty, uint32_t tz)
{
    int64_t *a = data_of(params);
    a[1 + a[0]++] = (int64_t)global_rank(block, (uint32_t[3]){tx, ty, tz});
}

static void
note_start_resume(void *memory)
{
    struct frame *f = memory;
    note(f->params, f->block, f->t[0], f->t[1], f->t[2]);
    if (f->state++ < 1)
        suspend(f, SITE_GRID);
}
STARTS(note_start_resume)

/* Without barriers: A[rank] += rank. */
static void
plain_thread(const uint64_t *params, struct ck_cpu_block *block, uint32_t tx, uint32_t ty,
             uint32_t tz)
{
    uint64_t rank = global_rank(block, (uint32_t[3]){tx, ty, tz});
    data_of(params)[rank] += (int64_t)rank;
}

typedef void thread_fn(const uint64_t *, struct ck_cpu_block *, uint32_t, uint32_t, uint32_t);

static void
each_thread(thread_fn *run, const uint64_t *params, struct ck_cpu_block *block)
{
    for (uint32_t z = 0; z < block->block_dim[2]; z++)
        for (uint32_t y = 0; y < block->block_dim[1]; y++)
            for (uint32_t x = 0; x < block->block_dim[0]; x++)
                run(params, block, x, y, z);
}

static void
plain_block(const uint64_t *params, struct ck_cpu_block *block)
{
    each_thread(plain_thread, params, block);
}

static void
note_block(const uint64_t *params, struct ck_cpu_block *block)
{
    each_thread(note, params, block);
}

static void
print_block(const uint64_t *params, struct ck_cpu_block *block)
{
    const struct ck_cpu_print_item items[] = {
        {CK_PRINT_TEXT, {.text = "block "}, 6},
        {CK_PRINT_UINT, {.u = block->block_idx[0]}, 0},
        {CK_PRINT_TEXT, {.text = " "}, 1},
        {CK_PRINT_INT, {.i = INT64_MIN}, 0},
        {CK_PRINT_BOOL, {.i = 1}, 0},
        {CK_PRINT_FLOAT, {.f = 0.1}, 0},
        {CK_PRINT_FLOAT, {.f = -100}, 0},
        {CK_PRINT_FLOAT, {.f = -NAN}, 0},
        {CK_PRINT_CHARS, {.text = "|"}, 0},
        {CK_PRINT_INT, {.i = -7}, 0, "%4lld"},
        {CK_PRINT_FLOAT, {.f = -NAN}, 0, "%5.1f"},
        {CK_PRINT_TEXT, {.text = "\n"}, 1},
    };
    (void)params;
    ck_cpu_print(block, items, sizeof items / sizeof *items);
}

static void
print_thread(const uint64_t *params, struct ck_cpu_block *block, uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)y, (void)z;
    print_block(params, block);
}

static void
assert_block(const uint64_t *params, struct ck_cpu_block *block)
{
    (void)params;
    ck_cpu_assert_fail(block, 1, "", 0, NULL, 0);
}

static void
assert_thread(const uint64_t *params, struct ck_cpu_block *block, uint32_t x, uint32_t y,
              uint32_t z)
{
    (void)x, (void)y, (void)z;
    assert_block(params, block);
}

static void *
huge_start(const uint64_t *params, struct ck_cpu_block *block, uint32_t x, uint32_t y, uint32_t z,
           void *frame)
{
    (void)params, (void)block, (void)x, (void)y, (void)z, (void)frame;
    return (void *)((uintptr_t)1 << 40);
}

/* A frame so large that memory, not threads, limits a grid. */
static void *
large_start(const uint64_t *params, struct ck_cpu_block *block, uint32_t x, uint32_t y, uint32_t z,
            void *frame)
{
    (void)params, (void)block, (void)x, (void)y, (void)z, (void)frame;
    return (void *)(uintptr_t)(1 << 20);
}

static const struct {
    const char *name;
    struct ck_host_kernel code;
    int cooperative;
    uint32_t shared_bytes;
} kernels[] = {
    {"rows", {.start = rows_start}, 1, 0},
    {"lean", {.start = lean_start}, 1, 0},
    {"tree", {.start = tree_start}, 0, 0},
    {"mixed", {.start = mixed_start}, 1, 0},
    {"half_waits", {.start = half_waits_start}, 0, 0},
    {"even_blocks_wait", {.start = even_blocks_wait_start}, 1, 0},
    {"two_kinds", {.start = two_kinds_start}, 1, 0},
    {"asserts", {.start = asserts_start}, 0, 0},
    {"order", {.start = note_start_resume_start}, 1, 0},
    {"plain", {.run_block = plain_block, .run_thread = plain_thread}, 0, 0},
    {"note", {.run_block = note_block, .run_thread = note}, 0, 0},
    {"print", {.run_block = print_block, .run_thread = print_thread}, 0, 0},
    {"assert_plain", {.run_block = assert_block, .run_thread = assert_thread}, 0, 0},
    {"huge", {.start = huge_start}, 1, 0},
    {"large", {.start = large_start}, 1, 4096},
    {"unmarked", {.start = rows_start}, 0, 0},
};
enum { N_KERNELS = sizeof kernels / sizeof kernels[0] };

/* --- A module of them --------------------------------------------------------------------------
 */

static const ck_param_info params[] = {{"A", CK_INT64, 1, CK_C_ORDER}, {"n", CK_INT64, 0, 0}};

struct made_image {
    struct ck_image image;
    ck_kernel_desc desc;
};

static void
free_image(struct ck_image *image)
{
    free(image);
}

static ck_kernel_desc
describe(int i)
{
    return (ck_kernel_desc){.name = kernels[i].name,
                            .entry = kernels[i].name,
                            .signature = "(int64[::1], int64)",
                            .n_params = 2,
                            .params = params,
                            .cooperative = kernels[i].cooperative,
                            .shared_bytes = kernels[i].shared_bytes};
}

static ck_status
make_image(struct ck_image **out, ck_module *module, const char *name, const ck_param_info *types,
           int n_types, unsigned assume, bool anew, const char *arch)
{
    (void)module, (void)types, (void)n_types, (void)assume, (void)anew;
    assert_string_equal(arch, "host");
    struct made_image *made = calloc(1, sizeof *made);
    for (int i = 0; i < N_KERNELS; i++) {
        if (strcmp(kernels[i].name, name) != 0)
            continue;
        made->desc = describe(i);
        made->image = (struct ck_image){
            .kind = CK_IMAGE_HOST,
            .manifest = {.ck_version = "0",
                         .source = "k.ck",
                         .arch = "host",
                         .kernels = &made->desc,
                         .n_kernels = 1,
                         .accesses = places,
                         .n_accesses = N_SITES + 1},
            .kernels = &kernels[i].code,
            .barriers = sites,
            .n_barriers = N_SITES,
            .free = free_image,
        };
    }
    *out = &made->image;
    return CK_OK;
}

static void
free_compiler(ck_module *module)
{
    (void)module;
}

/* The message of the only finding, what happened at its places, and its note. */
static ck_status
report(ck_module *module, const struct ck_findings *findings, ck_status status)
{
    struct ck_strbuf text;
    const struct ck_finding *finding = findings->items;
    ck_strbuf_init(&text);
    assert_int_equal(findings->n, 1);
    ck_strbuf_puts(&text, finding->message);
    for (int i = 0; i < finding->n_places; i++)
        ck_strbuf_printf(&text, "; %s", finding->places[i].text ? finding->places[i].text : "");
    ck_strbuf_printf(&text, "; %s", finding->note ? finding->note : "");
    ck_fail(module->ctx, status, "%s", ck_strbuf_text(&text));
    ck_strbuf_free(&text);
    return status;
}

static const struct ck_compiler_ops compiler = {make_image, report, free_compiler};

struct rig {
    ck_context *ctx;
    ck_module *module;
    ck_device *device;
};

static struct rig
rig_new(const char *device, ck_schedule schedule, uint64_t seed, const ck_context_options *options)
{
    struct rig rig;
    ck_device_options opts = {.size = sizeof opts, .schedule = schedule, .seed = seed};
    assert_int_equal(ck_context_new(&rig.ctx, options), CK_OK);
    assert_int_equal(ck_device_open(&rig.device, rig.ctx, device, &opts), CK_OK);
    rig.module = ck_module_alloc(rig.ctx);
    rig.module->compiler = &compiler;
    rig.module->kernels = CK_NEW_ARRAY(&rig.module->arena, ck_kernel_desc, N_KERNELS);
    rig.module->n_kernels = N_KERNELS;
    for (int i = 0; i < N_KERNELS; i++)
        rig.module->kernels[i] = describe(i);
    return rig;
}

static void
rig_free(struct rig *rig)
{
    ck_module_free(rig->module);
    ck_device_free(rig->device);
    ck_context_free(rig->ctx);
}

static ck_status
launch(struct rig *rig, const char *name, ck_shape shape, int64_t *data, int64_t length, int64_t n)
{
    ck_kernel *kernel;
    ck_array array = {
        .data = (uintptr_t)data, .dtype = CK_INT64, .ndim = 1, .shape = {length}, .strides = {8}};
    ck_arg args[] = {{.value.array = &array}, {.scalar = CK_INT64, .value.i = n}};
    assert_int_equal(ck_kernel_get(&kernel, rig->module, rig->device, name), CK_OK);
    return ck_launch(kernel, &shape, args, 2, NULL);
}

#define SHAPE(g, b)                                                                                \
    (ck_shape)                                                                                     \
    {                                                                                              \
        .grid = {g, 1, 1}, .block = { b, 1, 1 }                                                    \
    }

static const char *const devices[] = {"cpu:1", "cpu:2", "cpu:5"};
enum { N_DEVICES = 3, N_SCHEDULES = 3 };

/* --- Tests -------------------------------------------------------------------------------------
 */

/* Runs `test` on every device and schedule. */
static void
everywhere(void (*test)(struct rig *rig))
{
    for (int d = 0; d < N_DEVICES; d++) {
        for (int s = 0; s < N_SCHEDULES; s++) {
            struct rig rig = rig_new(devices[d], (ck_schedule)s, 42, NULL);
            test(&rig);
            rig_free(&rig);
        }
    }
}

static void
check_rows(struct rig *rig)
{
    enum { ROWS = 20, BLOCKS = 7, THREADS = 12, COLS = BLOCKS * THREADS };
    int64_t *a = calloc(ROWS * COLS, sizeof *a);
    assert_int_equal(launch(rig, "rows", SHAPE(BLOCKS, THREADS), a, ROWS * COLS, ROWS), CK_OK);
    for (int i = 0; i < ROWS * COLS; i++)
        assert_int_equal(a[i], i / COLS);
    free(a);
}

static void
test_rows(void **state)
{
    (void)state;
    everywhere(check_rows);
}

static void
check_tree(struct rig *rig)
{
    enum { BLOCKS = 9, THREADS = 64 };
    int64_t a[BLOCKS] = {0};
    ck_shape shape = {.grid = {3, 3, 1}, .block = {8, 4, 2}, .shared_bytes = THREADS * 8};
    assert_int_equal(launch(rig, "tree", shape, a, BLOCKS, 0), CK_OK);
    for (int b = 0; b < BLOCKS; b++)
        assert_int_equal(a[b], b * THREADS * THREADS + THREADS * (THREADS - 1) / 2);
}

static void
test_tree(void **state)
{
    (void)state;
    everywhere(check_tree);
}

static void
check_mixed(struct rig *rig)
{
    enum { BLOCKS = 6, THREADS = 8, ROUNDS = 30 };
    int64_t a[1 + BLOCKS] = {0};
    assert_int_equal(launch(rig, "mixed", SHAPE(BLOCKS, THREADS), a, 1 + BLOCKS, ROUNDS), CK_OK);
    assert_int_equal(a[0], 0);
    assert_int_equal(a[BLOCKS], ROUNDS * THREADS);
}

static void
test_mixed(void **state)
{
    (void)state;
    everywhere(check_mixed);
}

static void
check_plain(struct rig *rig)
{
    enum { BLOCKS = 300, THREADS = 6, N = BLOCKS * THREADS };
    int64_t a[N] = {0};
    ck_shape shape = {.grid = {10, 15, 2}, .block = {3, 2, 1}};
    assert_int_equal(launch(rig, "plain", shape, a, N, 0), CK_OK);
    for (int i = 0; i < N; i++)
        assert_int_equal(a[i], i);
}

static void
test_plain(void **state)
{
    (void)state;
    everywhere(check_plain);
}

static void
expect_text(struct rig *rig, const char *part)
{
    if (!strstr(ck_context_error(rig->ctx), part))
        fail_msg("\"%s\" is not in \"%s\"", part, ck_context_error(rig->ctx));
}

static void
check_stuck(struct rig *rig)
{
    int64_t a[40] = {0};
    assert_int_equal(launch(rig, "half_waits", SHAPE(2, 16), a, 4, 0), CK_ERROR_BARRIER);
    expect_text(rig, "the barrier `syncthreads()` never completes");
    expect_text(rig, "8 threads wait here: block (");
    expect_text(rig, "8 threads ended at the end of the kernel: block (");

    assert_int_equal(launch(rig, "even_blocks_wait", SHAPE(5, 4), a, 4, 0), CK_ERROR_BARRIER);
    expect_text(rig, "every thread of the grid");
    expect_text(rig, "12 threads wait here: block (0, 0, 0) thread (0, 0, 0)");
    expect_text(rig, "8 threads ended at the end of the kernel: block (1, 0, 0) thread (0, 0, 0)");

    assert_int_equal(launch(rig, "two_kinds", SHAPE(3, 4), a, 4, 0), CK_ERROR_BARRIER);
    expect_text(rig, "1 thread waits here: ");
    expect_text(rig, "3 threads wait here: ");

    assert_int_equal(launch(rig, "asserts", SHAPE(4, 8), a, 4, 0), CK_ERROR_ASSERT);
    assert_string_equal(ck_context_error(rig->ctx),
                        "assertion failed: x is positive: `x[i] > 0`, in block (1, 0, 0) thread "
                        "(3, 0, 0); ; ");
    assert_int_equal(launch(rig, "unmarked", SHAPE(2, 2), a, 40, 9), CK_ERROR_INTERNAL);
}

static void
test_stuck(void **state)
{
    (void)state;
    everywhere(check_stuck);
}

static void
test_stuck_text(void **state)
{
    (void)state;
    struct rig rig = rig_new("cpu:1", CK_SCHEDULE_SEQ, 0, NULL);
    int64_t a[4] = {0};
    assert_int_equal(launch(&rig, "half_waits", SHAPE(1, 4), a, 4, 0), CK_ERROR_BARRIER);
    assert_string_equal(
        ck_context_error(rig.ctx),
        "the barrier `syncthreads()` never completes: not every thread of the block can reach it; "
        "2 threads wait here: block (0, 0, 0) thread (0, 0, 0), block (0, 0, 0) thread (1, 0, 0); "
        "2 threads ended at the end of the kernel: block (0, 0, 0) thread (2, 0, 0), "
        "block (0, 0, 0) thread (3, 0, 0)");
    assert_int_equal(launch(&rig, "assert_plain", SHAPE(2, 4), a, 4, 0), CK_ERROR_ASSERT);
    assert_string_equal(ck_context_error(rig.ctx),
                        "assertion failed: `x[i] > 0`, in block (0, 0, 0) thread (0, 0, 0); ; ");
    rig_free(&rig);
}

static void
run_order(int64_t *out, const char *name, const char *device, ck_schedule schedule, uint64_t seed)
{
    struct rig rig = rig_new(device, schedule, seed, NULL);
    memset(out, 0, 65 * sizeof *out);
    assert_int_equal(launch(&rig, name, SHAPE(4, 8), out, 65, 0), CK_OK);
    rig_free(&rig);
}

static void
test_schedules(void **state)
{
    (void)state;
    int64_t a[65], b[65], c[65], seen[32] = {0};
    run_order(a, "order", "cpu:1", CK_SCHEDULE_SEQ, 0);
    run_order(b, "order", "cpu:1", CK_SCHEDULE_REVERSE, 0);
    assert_int_equal(a[0], 64);
    for (int i = 0; i < 64; i++) {
        assert_int_equal(a[1 + i], i % 32);
        assert_int_equal(b[1 + i], 31 - i % 32);
    }
    run_order(a, "order", "cpu:1", CK_SCHEDULE_RANDOM, 7);
    run_order(b, "order", "cpu:1", CK_SCHEDULE_RANDOM, 7);
    run_order(c, "order", "cpu:1", CK_SCHEDULE_RANDOM, 8);
    assert_memory_equal(a, b, sizeof a);
    assert_memory_not_equal(a, c, sizeof a);
    assert_memory_not_equal(a + 1, a + 33, 32 * sizeof *a); /* anew at each barrier */
    for (int i = 1; i <= 64; i++)
        seen[a[i]]++;
    for (int i = 0; i < 32; i++)
        assert_int_equal(seen[i], 2);
    run_order(b, "note", "cpu:1", CK_SCHEDULE_REVERSE, 0);
    assert_int_equal(b[1], 31);
    assert_int_equal(b[32], 0);
}

static void
test_permutations(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 300; n++) {
        unsigned char seen[300] = {0};
        for (uint64_t i = 0; i < n; i++) {
            uint64_t p = ck_permute(i, n, n * 3);
            assert_true(p < n);
            assert_int_equal(seen[p]++, 0);
        }
    }
    uint64_t huge = (uint64_t)INT32_MAX * 65535 * 65535;
    assert_true(ck_permute(huge - 1, huge, 1) < huge);
}

static void
collect(void *user, const char *text, size_t length)
{
    strncat(user, text, length);
}

static void
test_print(void **state)
{
    (void)state;
    char text[512] = "";
    ck_context_options options = {.size = sizeof options, .print = collect, .user = text};
    struct rig rig = rig_new("cpu:1", CK_SCHEDULE_SEQ, 0, &options);
    int64_t a[1] = {0};
    assert_int_equal(launch(&rig, "print", SHAPE(2, 1), a, 1, 0), CK_OK);
    assert_string_equal(text, "block 0 -9223372036854775808True0.100000-100.000000nan|  -7  nan\n"
                              "block 1 -9223372036854775808True0.100000-100.000000nan|  -7  nan\n");
    rig_free(&rig);
}

static void
test_limits(void **state)
{
    (void)state;
    struct rig rig = rig_new("cpu:2", CK_SCHEDULE_SEQ, 0, NULL);
    int64_t a[4] = {0};
    ck_kernel *kernel;
    uint32_t blocks;

    assert_int_equal(launch(&rig, "rows", SHAPE(300, 1024), a, 4, 1),
                     CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    assert_memory_equal(ck_context_error(rig.ctx), "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: ", 41);
    expect_text(&rig, "cpu holds 256: limited by resident threads (262144); a grid of (256, 1, 1)");
    assert_int_equal(launch(&rig, "huge", SHAPE(1, 1), a, 4, 1), CK_ERROR_UNSUPPORTED);
    assert_int_equal(launch(&rig, "large", SHAPE(64, 32), a, 4, 1),
                     CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    expect_text(&rig, "limited by memory");

    assert_int_equal(ck_kernel_get(&kernel, rig.module, rig.device, "rows"), CK_OK);
    assert_int_equal(ck_kernel_max_cooperative_blocks(&blocks, kernel, (ck_dim3){32, 0, 0}, 0),
                     CK_OK);
    assert_int_equal(blocks, 8192);

    assert_int_equal(launch(&rig, "plain", SHAPE(0, 1), a, 4, 1), CK_ERROR_ARGUMENT);
    expect_text(&rig, "the grid (0, 1, 1) is empty");
    assert_int_equal(launch(&rig, "plain", SHAPE(1, 1025), a, 4, 1), CK_ERROR_ARGUMENT);
    ck_shape shape = {.grid = {1, 65536, 0}, .block = {1, 0, 0}};
    assert_int_equal(launch(&rig, "plain", shape, a, 4, 1), CK_ERROR_ARGUMENT);
    expect_text(&rig, "cpu allows 65535 in y");
    shape = (ck_shape){.grid = {1, 0, 0}, .block = {64, 32, 0}};
    assert_int_equal(launch(&rig, "plain", shape, a, 4, 1), CK_ERROR_ARGUMENT);
    expect_text(&rig, "has 2048 threads");
    shape = (ck_shape){.grid = {1}, .block = {1}, .shared_bytes = 300000};
    assert_int_equal(launch(&rig, "plain", shape, a, 4, 1), CK_ERROR_ARGUMENT);
    shape = (ck_shape){.grid = {1}, .block = {1}, .cluster = {2, 1, 1}};
    assert_int_equal(launch(&rig, "plain", shape, a, 4, 1), CK_ERROR_ARGUMENT);
    expect_text(&rig, "the grid (1, 1, 1) is not a multiple of the cluster of `plain`, (2, 1, 1) "
                      "blocks: the next larger multiple is (2, 1, 1)");
    shape = (ck_shape){.grid = {17}, .block = {1}, .cluster = {17}};
    assert_int_equal(launch(&rig, "plain", shape, a, 4, 1), CK_ERROR_ARGUMENT);
    expect_text(&rig, "the cluster (17, 1, 1) is too large: cpu allows 16 blocks");
    shape = (ck_shape){.grid = {8, 8}, .block = {1}, .cluster = {4, 8}};
    assert_int_equal(launch(&rig, "plain", shape, a, 4, 1), CK_ERROR_ARGUMENT);
    shape = (ck_shape){.grid = {2}, .block = {1}, .cluster = {0, 2, 1}};
    assert_int_equal(launch(&rig, "plain", shape, a, 4, 1), CK_ERROR_ARGUMENT);
    expect_text(&rig, "the cluster (0, 2, 1) is empty");
    rig_free(&rig);
}

static void
test_open(void **state)
{
    (void)state;
    ck_context *ctx;
    ck_device *device = NULL;
    ck_context_new(&ctx, NULL);
    static const char *const wrong[] = {"cpu:0", "cpu:", "cpu:x", "cpu:99999", "gpu", "cpux", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(ck_device_open(&device, ctx, wrong[i], NULL), CK_ERROR_ARGUMENT);
        assert_true(*ck_context_error(ctx));
        assert_null(device);
    }
    ck_buffer *buffer;
    char bytes[4] = "abc";
    assert_int_equal(ck_device_open(&device, ctx, "cpu", NULL), CK_OK);
    assert_int_equal(ck_buffer_new(&buffer, device, 8), CK_OK);
    assert_int_equal(ck_buffer_address(buffer) % 256, 0);
    assert_int_equal(ck_buffer_write(buffer, 4, bytes, 4), CK_OK);
    assert_int_equal(ck_buffer_write(buffer, 5, bytes, 4), CK_ERROR_ARGUMENT);
    assert_int_equal(ck_buffer_read(buffer, SIZE_MAX, bytes, 2), CK_ERROR_ARGUMENT);
    memset(bytes, 0, 4);
    assert_int_equal(ck_buffer_read(buffer, 4, bytes, 4), CK_OK);
    assert_string_equal(bytes, "abc");
    ck_device_free(device);
    ck_buffer_free(buffer); /* after its device: the handle alone is left */
    ck_context_free(ctx);
}

/* Not a test: prints nanoseconds per thread and barrier when asked to. */
static void
measure(void)
{
    enum { ROWS = 1024, COLS = 1024 };
    int32_t *a = aligned_alloc(256, ROWS * COLS * sizeof *a);
    for (int s = 0; s < N_SCHEDULES; s++) {
        struct rig rig = rig_new("cpu:1", (ck_schedule)s, 1, NULL);
        double best = 1e9;
        for (int round = 0; round < 20; round++) {
            struct timespec t0, t1;
            memset(a, 0, ROWS * COLS * sizeof *a);
            clock_gettime(CLOCK_MONOTONIC, &t0);
            assert_int_equal(
                launch(&rig, "lean", SHAPE(32, 32), (int64_t *)a, ROWS * COLS / 2, ROWS), CK_OK);
            clock_gettime(CLOCK_MONOTONIC, &t1);
            double ns = 1e9 * (double)(t1.tv_sec - t0.tv_sec) + (double)(t1.tv_nsec - t0.tv_nsec);
            best = ns < best ? ns : best;
        }
        printf("schedule %d: %.2f ms, %.2f ns per thread and barrier\n", s, best / 1e6,
               best / (ROWS * COLS));
        rig_free(&rig);
    }
    assert_int_equal(a[ROWS * COLS - 1], ROWS - 1);
    free(a);
}

int
main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--measure")) {
        measure();
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),      cmocka_unit_test(test_tree),
        cmocka_unit_test(test_mixed),     cmocka_unit_test(test_plain),
        cmocka_unit_test(test_stuck),     cmocka_unit_test(test_stuck_text),
        cmocka_unit_test(test_schedules), cmocka_unit_test(test_permutations),
        cmocka_unit_test(test_print),     cmocka_unit_test(test_limits),
        cmocka_unit_test(test_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
