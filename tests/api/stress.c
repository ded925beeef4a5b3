/* Many barriers of a grid, of the kernels of stress.ck:
 *
 *   stress FILE DEVICE barriers KERNEL BLOCKS THREADS TRIPS   BLOCKS: "max", as many as fit
 *   stress FILE cuda streams BLOCKS THREADS TRIPS   two at once on two streams
 *   stress FILE cuda graphs BLOCKS THREADS TRIPS REPLAYS   of graphs that launch several kernels
 *
 * Prints what was run and how long it took. Exit status: 0, all is right; 1, something is wrong;
 * 77, there is no such device. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ck/ck.h>

enum { NO_DEVICE = 77 };

/* --- The driver, for what ck leaves to its users ------------------------------------------------
 */

typedef void *handle;

enum { CAPTURE_RELAXED = 2, NON_BLOCKING = 1 };

struct driver {
    int (*init)(unsigned);
    int (*device_get)(int *, int);
    int (*primary_retain)(handle *, int);
    int (*set_current)(handle);
    int (*stream_new)(handle *, unsigned);
    int (*stream_free)(handle);
    int (*stream_synchronize)(handle);
    int (*stream_wait)(handle, handle, unsigned);
    int (*event_new)(handle *, unsigned);
    int (*event_record)(handle, handle);
    int (*capture)(handle, int);
    int (*capture_end)(handle, handle *);
    int (*instantiate)(handle *, handle, unsigned long long);
    int (*graph_launch)(handle, handle);
    int (*graph_free)(handle);
    int (*exec_free)(handle);
};

/* Ends the program unless a call of the driver has succeeded. */
static void
check_driver(int result, const char *what)
{
    if (!result)
        return;
    fprintf(stderr, "%s: error %d\n", what, result);
    exit(EXIT_FAILURE);
}

static void
driver_load(struct driver *driver)
{
    const struct {
        const char *name;
        void *to;
    } symbols[] = {
        {"cuInit", &driver->init},
        {"cuDeviceGet", &driver->device_get},
        {"cuDevicePrimaryCtxRetain", &driver->primary_retain},
        {"cuCtxSetCurrent", &driver->set_current},
        {"cuStreamCreate", &driver->stream_new},
        {"cuStreamDestroy_v2", &driver->stream_free},
        {"cuStreamSynchronize", &driver->stream_synchronize},
        {"cuStreamWaitEvent", &driver->stream_wait},
        {"cuEventCreate", &driver->event_new},
        {"cuEventRecord", &driver->event_record},
        {"cuStreamBeginCapture_v2", &driver->capture},
        {"cuStreamEndCapture", &driver->capture_end},
        {"cuGraphInstantiateWithFlags", &driver->instantiate},
        {"cuGraphLaunch", &driver->graph_launch},
        {"cuGraphDestroy", &driver->graph_free},
        {"cuGraphExecDestroy", &driver->exec_free},
    };
    handle library = dlopen("libcuda.so.1", RTLD_NOW), context;
    int device;
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        *(void **)symbols[i].to = library ? dlsym(library, symbols[i].name) : NULL;
        check_driver(!*(void **)symbols[i].to, symbols[i].name);
    }
    check_driver(driver->init(0), "cuInit");
    check_driver(driver->device_get(&device, 0), "cuDeviceGet");
    check_driver(driver->primary_retain(&context, device), "cuDevicePrimaryCtxRetain");
    check_driver(driver->set_current(context), "cuCtxSetCurrent");
}

/* --- Kernels and what they work on --------------------------------------------------------------
 */

struct rig {
    ck_context *ctx;
    ck_module *module;
    ck_device *device;
};

/* A kernel, its grid and its arrays. Launches of one job must not overlap. */
struct job {
    ck_kernel *kernel;
    ck_shape shape;
    int64_t threads; /* of the grid */
    ck_buffer *x, *done, *wrong;
    ck_array x_array, done_array, wrong_array;
    ck_arg args[7];
    size_t n_args;
};

/* Ends the program unless a call of ck has succeeded. */
static void
check(const struct rig *rig, ck_status status)
{
    if (status == CK_OK)
        return;
    fprintf(stderr, "%s: %s\n", ck_status_name(status), rig->ctx ? ck_context_error(rig->ctx) : "");
    exit(status == CK_ERROR_NO_DEVICE ? NO_DEVICE : EXIT_FAILURE);
}

static char *
read_text(const char *path)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, MOST);
    if (!file || !text || !fread(text, 1, MOST - 1, file)) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    fclose(file);
    return text;
}

static void
rig_open(struct rig *rig, const char *path, const char *device)
{
    char *text = read_text(path);
    check(rig, ck_context_new(&rig->ctx, NULL));
    check(rig, ck_device_open(&rig->device, rig->ctx, device, NULL));
    if (strstr(path, ".ptx"))
        check(rig, ck_module_load(&rig->module, rig->ctx, text, strlen(text)));
    else
        check(rig, ck_compile(&rig->module, rig->ctx, text, strlen(text), NULL));
    free(text);
}

/* Of `n` elements, or of two rows of so many. Zero. */
static ck_buffer *
array_new(const struct rig *rig, ck_array *array, ck_dtype dtype, int rows, int64_t n)
{
    const int64_t size = (int64_t)ck_dtype_size(dtype);
    const size_t bytes = (size_t)(rows * n * size);
    void *zero = calloc(1, bytes);
    ck_buffer *buffer = NULL;
    check(rig, ck_buffer_new(&buffer, rig->device, bytes));
    check(rig, zero ? ck_buffer_write(buffer, 0, zero, bytes) : CK_ERROR_MEMORY);
    free(zero);
    *array = (ck_array){.data = ck_buffer_address(buffer),
                        .dtype = dtype,
                        .ndim = rows > 1 ? 2 : 1,
                        .shape = {rows > 1 ? rows : n, n},
                        .strides = {rows > 1 ? n * size : size, size}};
    return buffer;
}

static void
add_argument(struct job *job, ck_arg arg)
{
    job->args[job->n_args++] = arg;
}

/* `blocks` 0: as many as fit. */
static void
job_init(struct job *job, const struct rig *rig, const char *name, uint32_t blocks,
         uint32_t threads, int64_t trips)
{
    *job = (struct job){.shape = {.block = {threads, 1, 1}}};
    check(rig, ck_kernel_get(&job->kernel, rig->module, rig->device, name));
    if (!blocks)
        check(rig, ck_kernel_max_cooperative_blocks(&blocks, job->kernel, job->shape.block, 0));
    job->shape.grid = (ck_dim3){blocks, 1, 1};
    job->threads = (int64_t)blocks * threads;
    job->x = array_new(rig, &job->x_array, CK_UINT32, 2, job->threads);
    job->done = array_new(rig, &job->done_array, CK_INT64, 1, job->threads);
    job->wrong = array_new(rig, &job->wrong_array, CK_INT64, 1, job->threads);
    add_argument(job, (ck_arg){.value.array = &job->x_array});
    add_argument(job, (ck_arg){.value.array = &job->done_array});
    add_argument(job, (ck_arg){.value.array = &job->wrong_array});
    add_argument(job, (ck_arg){.scalar = CK_INT64, .value.i = trips});
}

static void
job_release(struct job *job)
{
    ck_buffer_free(job->x);
    ck_buffer_free(job->done);
    ck_buffer_free(job->wrong);
}

static void
job_launch(const struct job *job, const struct rig *rig, handle stream)
{
    check(rig, ck_launch(job->kernel, &job->shape, job->args, job->n_args, stream));
}

/* Whether each thread has done so many iterations, and found no fault. */
static bool
job_is_right(const struct job *job, const struct rig *rig, int64_t trips)
{
    const size_t bytes = (size_t)job->threads * sizeof(int64_t);
    int64_t *done = malloc(bytes), *wrong = malloc(bytes), bad = 0, faults = 0;
    check(rig, done && wrong ? ck_buffer_read(job->done, 0, done, bytes) : CK_ERROR_MEMORY);
    check(rig, ck_buffer_read(job->wrong, 0, wrong, bytes));
    for (int64_t i = 0; i < job->threads; i++) {
        bad += done[i] != trips;
        faults += wrong[i];
    }
    free(done);
    free(wrong);
    if (bad || faults)
        fprintf(stderr, "%lld of %lld threads have not done %lld trips; %lld faults\n",
                (long long)bad, (long long)job->threads, (long long)trips, (long long)faults);
    return !bad && !faults;
}

static double
now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* --- What there is to run -----------------------------------------------------------------------
 */

static bool
run_barriers(const struct rig *rig, const char *name, uint32_t blocks, uint32_t threads,
             int64_t trips)
{
    struct job job;
    job_init(&job, rig, name, blocks, threads, trips);
    const double start = now();
    job_launch(&job, rig, NULL);
    check(rig, ck_device_synchronize(rig->device));
    printf("%s, %u blocks of %u, %lld trips: %.3f s\n", name, job.shape.grid.x, threads,
           (long long)trips, now() - start);
    bool right = job_is_right(&job, rig, trips);
    job_release(&job);
    return right;
}

static bool
run_streams(const struct rig *rig, uint32_t blocks, uint32_t threads, int64_t trips)
{
    struct driver driver;
    struct job jobs[2];
    handle streams[2];
    ck_array progress_array, seen_array;
    driver_load(&driver);
    ck_buffer *progress = array_new(rig, &progress_array, CK_INT64, 1, 2);
    ck_buffer *seen = array_new(rig, &seen_array, CK_INT64, 1, 2);
    int64_t both[2];
    bool right = true;
    for (int i = 0; i < 2; i++) {
        check_driver(driver.stream_new(&streams[i], NON_BLOCKING), "cuStreamCreate");
        job_init(&jobs[i], rig, "beside", blocks, threads, trips);
        add_argument(&jobs[i], (ck_arg){.value.array = &progress_array});
        add_argument(&jobs[i], (ck_arg){.scalar = CK_INT64, .value.i = i});
        add_argument(&jobs[i], (ck_arg){.value.array = &seen_array});
    }
    const double start = now();
    for (int i = 0; i < 2; i++)
        job_launch(&jobs[i], rig, streams[i]);
    check(rig, ck_device_synchronize(rig->device));
    const double taken = now() - start;
    check(rig, ck_buffer_read(seen, 0, both, sizeof both));
    printf("two of %u blocks of %u, %lld trips: %.3f s; %lld and %lld beside the other\n",
           jobs[0].shape.grid.x, threads, (long long)trips, taken, (long long)both[0],
           (long long)both[1]);
    for (int i = 0; i < 2; i++) {
        right = job_is_right(&jobs[i], rig, trips) && right;
        job_release(&jobs[i]);
        check_driver(driver.stream_free(streams[i]), "cuStreamDestroy");
    }
    ck_buffer_free(progress);
    ck_buffer_free(seen);
    return right;
}

/* One kernel and then another; beside them, on a stream of its own, a third. */
static handle
capture(const struct driver *driver, const struct rig *rig, const struct job *jobs, handle stream)
{
    handle side, fork, join, graph, exec;
    check_driver(driver->stream_new(&side, NON_BLOCKING), "cuStreamCreate");
    check_driver(driver->event_new(&fork, 0), "cuEventCreate");
    check_driver(driver->event_new(&join, 0), "cuEventCreate");
    check_driver(driver->capture(stream, CAPTURE_RELAXED), "cuStreamBeginCapture");
    check_driver(driver->event_record(fork, stream), "cuEventRecord");
    check_driver(driver->stream_wait(side, fork, 0), "cuStreamWaitEvent");
    job_launch(&jobs[0], rig, stream);
    job_launch(&jobs[2], rig, side);
    job_launch(&jobs[1], rig, stream);
    check_driver(driver->event_record(join, side), "cuEventRecord");
    check_driver(driver->stream_wait(stream, join, 0), "cuStreamWaitEvent");
    check_driver(driver->capture_end(stream, &graph), "cuStreamEndCapture");
    check_driver(driver->instantiate(&exec, graph, 0), "cuGraphInstantiateWithFlags");
    check_driver(driver->graph_free(graph), "cuGraphDestroy");
    check_driver(driver->stream_free(side), "cuStreamDestroy");
    return exec;
}

/* Two graphs of three kernels each, replayed at once. */
static bool
run_graphs(const struct rig *rig, uint32_t blocks, uint32_t threads, int64_t trips, int64_t replays)
{
    enum { GRAPHS = 2, KERNELS = 3, CHECKS = 10 };
    static const char *const names[KERNELS] = {"sync", "mixed", "split"};
    struct driver driver;
    struct job jobs[GRAPHS][KERNELS];
    handle streams[GRAPHS], graphs[GRAPHS];
    bool right = true;
    driver_load(&driver);
    for (int i = 0; i < GRAPHS; i++) {
        check_driver(driver.stream_new(&streams[i], NON_BLOCKING), "cuStreamCreate");
        for (int k = 0; k < KERNELS; k++) {
            struct job *job = &jobs[i][k];
            job_init(job, rig, names[k], blocks, threads, trips);
            check(rig, ck_kernel_prepare(job->kernel, job->args, job->n_args, NULL));
        }
        graphs[i] = capture(&driver, rig, jobs[i], streams[i]);
    }
    const double start = now();
    int64_t replayed = 0;
    for (int part = 1; part <= CHECKS && right; part++) {
        for (; replayed < replays * part / CHECKS; replayed++) {
            for (int i = 0; i < GRAPHS; i++)
                check_driver(driver.graph_launch(graphs[i], streams[i]), "cuGraphLaunch");
        }
        for (int i = 0; i < GRAPHS; i++)
            check_driver(driver.stream_synchronize(streams[i]), "cuStreamSynchronize");
        for (int i = 0; i < GRAPHS * KERNELS; i++)
            right = job_is_right(&jobs[i / KERNELS][i % KERNELS], rig, trips * replayed) && right;
    }
    printf("two graphs of three kernels, %u blocks of %u, %lld trips, %lld replays: %.3f s\n",
           blocks, threads, (long long)trips, (long long)replayed, now() - start);
    for (int i = 0; i < GRAPHS; i++) {
        check_driver(driver.exec_free(graphs[i]), "cuGraphExecDestroy");
        check_driver(driver.stream_free(streams[i]), "cuStreamDestroy");
        for (int k = 0; k < KERNELS; k++)
            job_release(&jobs[i][k]);
    }
    return right;
}

static int64_t
number(const char *text)
{
    return strcmp(text, "max") ? strtoll(text, NULL, 10) : 0;
}

int
main(int argc, char **argv)
{
    struct rig rig = {0};
    bool right = false;
    const char *what = argc > 3 ? argv[3] : "";
    const int n = argc - 4;
    if ((strcmp(what, "barriers") || n != 4) && (strcmp(what, "streams") || n != 3) &&
        (strcmp(what, "graphs") || n != 4)) {
        fputs("usage: stress FILE DEVICE barriers KERNEL BLOCKS THREADS TRIPS\n"
              "       stress FILE cuda streams BLOCKS THREADS TRIPS\n"
              "       stress FILE cuda graphs BLOCKS THREADS TRIPS REPLAYS\n",
              stderr);
        return 2;
    }
    rig_open(&rig, argv[1], argv[2]);
    const bool is_barriers = !strcmp(what, "barriers");
    char **shape = argv + 4 + is_barriers;
    const uint32_t blocks = (uint32_t)number(shape[0]), threads = (uint32_t)number(shape[1]);
    const int64_t trips = number(shape[2]);
    if (is_barriers)
        right = run_barriers(&rig, argv[4], blocks, threads, trips);
    else if (n == 3)
        right = run_streams(&rig, blocks, threads, trips);
    else
        right = run_graphs(&rig, blocks, threads, trips, number(shape[3]));
    ck_module_free(rig.module);
    ck_device_free(rig.device);
    ck_context_free(rig.ctx);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
