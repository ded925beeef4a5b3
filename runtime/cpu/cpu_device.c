/* The CPU device: implements the operations of a device with the executor.
 *
 * Limits: 1024 threads a block, 227 KB of shared memory a block, grids of 2^31-1 x 65535 x 65535
 * blocks; a cooperative launch, all of whose blocks are resident at once, has at most 262144
 * threads, and fewer if their frames and shared memory would take more than 1 GiB. */
#include "runtime/cpu/race.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/cpu/overflow.h"
#include "runtime/cpu/pool.h"
#include "runtime/launch/device.h"

enum { MEMORY_ALIGN = 256, FRAME_ALIGN = 64, SPIN = 2000 };

/* What interrupts the launches of a device without that option. */
static const volatile int never;

struct cpu_device {
    struct ck_device base;
    struct ck_cpu_pool *pool; /* created by the first launch that can use it */
    uint32_t host_threads;
    uint32_t cores;
    ck_schedule schedule;
    uint64_t seed;
    const volatile int *interrupted; /* never NULL */
    unsigned checks;                 /* CK_CHECK_* */
    struct ck_unset unset;           /* of the buffers, with CK_CHECK_INIT */
};

struct cpu_entry {
    const struct ck_image *image;
    const struct ck_host_kernel *kernel;
    const ck_kernel_desc *desc;
    size_t frame_stride; /* 0: no thread is suspended */
    size_t loop_bytes;   /* at least one of this and frame_stride is 0 */
};

static struct cpu_device *
cpu_of(struct ck_device *device)
{
    return (struct cpu_device *)device;
}

/* --- Opening -----------------------------------------------------------------------------------
 */

/* The number of cores this process may use. In a container it is lower than the machine's. */
static uint32_t
count_cores(void)
{
    cpu_set_t set;
    long n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                         : sysconf(_SC_NPROCESSORS_ONLN);
    if (n < 1)
        n = 1;
    return n > CK_CPU_MAX_HOST_THREADS ? CK_CPU_MAX_HOST_THREADS : (uint32_t)n;
}

static ck_status
check_options(ck_context *ctx, const ck_device_options *options)
{
    if (options && options->cuda_context)
        return ck_fail(ctx, CK_ERROR_ARGUMENT, "a CUDA context was given for the CPU device");
    if (options && (options->schedule < CK_SCHEDULE_SEQ || options->schedule > CK_SCHEDULE_RANDOM))
        return ck_fail(ctx, CK_ERROR_ARGUMENT, "there is no schedule %d", (int)options->schedule);
    const unsigned known = CK_CHECK_ALL | CK_CHECK_OVERFLOW;
    if (options && options->checks & ~known)
        return ck_fail(ctx, CK_ERROR_ARGUMENT, "there are no checks 0x%x",
                       options->checks & ~known);
    return CK_OK;
}

static ck_status
count_devices(size_t *out, ck_context *ctx)
{
    *out = 1;
    return CK_OK;
}

static ck_status
open_device(struct ck_device **out, ck_context *ctx, const char *which,
            const ck_device_options *options)
{
    uint32_t cores = count_cores(), threads = cores;
    ck_status status = check_options(ctx, options);
    if (status)
        return status;
    if (which && !ck_device_parse_number(which, 1, CK_CPU_MAX_HOST_THREADS, &threads))
        return ck_fail(ctx, CK_ERROR_ARGUMENT,
                       "invalid device \"cpu:%s\": expected `cpu:THREADS`, with 1 to %d threads",
                       which, CK_CPU_MAX_HOST_THREADS);
    struct cpu_device *cpu = calloc(1, sizeof *cpu);
    if (!cpu)
        return ck_fail_memory(ctx);
    cpu->interrupted = &never;
    cpu->host_threads = threads;
    cpu->cores = cores;
    if (options) {
        cpu->schedule = options->schedule;
        cpu->seed = options->seed;
        if (options->interrupted)
            cpu->interrupted = options->interrupted;
        cpu->checks = options->checks & ~(unsigned)CK_CHECK_SYNC;
    }
    cpu->base.ops = &ck_cpu_ops;
    cpu->base.ctx = ctx;
    cpu->base.info = (ck_device_info){
        .name = "cpu",
        .kind = ck_cpu_ops.kind,
        .multiprocessors = (int)threads,
        .cooperative_launch = 1,
        .max_threads_per_block = CK_MAX_BLOCK_THREADS,
        .max_block = {1024, 1024, 64},
        .max_grid = {INT32_MAX, 65535, 65535},
        .max_shared_bytes = CK_MAX_SHARED_BYTES,
        .max_cluster_blocks = CK_MAX_CLUSTER,
    };
    *out = &cpu->base;
    return CK_OK;
}

static void
close_device(struct ck_device *device)
{
    ck_cpu_pool_free(cpu_of(device)->pool);
    ck_unset_free(&cpu_of(device)->unset);
    free(device);
}

/* Launches are synchronous: nothing is pending. */
static ck_status
synchronize(struct ck_device *device)
{
    return CK_OK;
}

/* --- Memory ------------------------------------------------------------------------------------
 */

static ck_status
alloc_memory(struct ck_device *device, uint64_t *address, size_t bytes)
{
    void *memory;
    if (posix_memalign(&memory, MEMORY_ALIGN, bytes))
        return ck_fail(device->ctx, CK_ERROR_MEMORY, "out of memory: %zu bytes were asked for",
                       bytes);
    *address = (uint64_t)(uintptr_t)memory;
    struct cpu_device *cpu = cpu_of(device);
    if (!(cpu->checks & CK_CHECK_INIT) || ck_unset_add(&cpu->unset, *address, bytes))
        return CK_OK;
    free(memory);
    return ck_fail_memory(device->ctx);
}

static void
free_memory(struct ck_device *device, uint64_t address)
{
    ck_unset_remove(&cpu_of(device)->unset, address);
    free((void *)(uintptr_t)address);
}

static ck_status
write_memory(struct ck_device *device, uint64_t to, const void *from, size_t bytes)
{
    memcpy((void *)(uintptr_t)to, from, bytes);
    ck_unset_write(&cpu_of(device)->unset, to, bytes);
    return CK_OK;
}

static ck_status
read_memory(struct ck_device *device, void *to, uint64_t from, size_t bytes)
{
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return CK_OK;
}

/* The machine's, of which a container may get less. */
static ck_status
get_memory(struct ck_device *device, size_t *unused, size_t *total)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    *unused = (size_t)sysconf(_SC_AVPHYS_PAGES) * page;
    *total = (size_t)sysconf(_SC_PHYS_PAGES) * page;
    return CK_OK;
}

static ck_status
host_alloc(struct ck_device *device, void **memory, size_t bytes)
{
    if (posix_memalign(memory, MEMORY_ALIGN, bytes))
        return ck_fail(device->ctx, CK_ERROR_MEMORY, "out of memory: %zu bytes were asked for",
                       bytes);
    return CK_OK;
}

static void
host_free(struct ck_device *device, void *memory)
{
    free(memory);
}

static bool
make_pool(struct cpu_device *cpu)
{
    if (cpu->pool && !ck_cpu_pool_is_own(cpu->pool)) {
        ck_cpu_pool_free(cpu->pool);
        cpu->pool = NULL;
    }
    if (!cpu->pool)
        cpu->pool = ck_cpu_pool_new(cpu->host_threads);
    return cpu->pool != NULL;
}

static ck_status
check_no_stream(struct ck_device *device, const void *stream)
{
    if (stream)
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT, "the CPU device has no streams");
    return CK_OK;
}

static ck_status
write_async(struct ck_device *device, uint64_t to, const void *from, size_t bytes, void *stream)
{
    ck_status status = check_no_stream(device, stream);
    return status ? status : write_memory(device, to, from, bytes);
}

static ck_status
read_async(struct ck_device *device, void *to, uint64_t from, size_t bytes, void *stream)
{
    ck_status status = check_no_stream(device, stream);
    return status ? status : read_memory(device, to, from, bytes);
}

/* A copy that the workers share. */
struct copy_work {
    char *to;
    const char *from;
    size_t bytes;
    uint32_t n_workers;
};

static void
copy_part(void *arg, uint32_t worker)
{
    const struct copy_work *work = arg;
    size_t begin = work->bytes / work->n_workers * worker;
    size_t end =
        worker == work->n_workers - 1 ? work->bytes : work->bytes / work->n_workers * (worker + 1);
    memcpy(work->to + begin, work->from + begin, end - begin);
}

static ck_status
copy_memory(struct ck_device *device, uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    enum { LARGE = 1 << 20 }; /* worth more than one worker */
    struct cpu_device *cpu = cpu_of(device);
    ck_status status = check_no_stream(device, stream);
    if (status)
        return status;
    if (bytes >= LARGE && !make_pool(cpu))
        return ck_fail_memory(device->ctx);
    struct copy_work work = {
        .to = (char *)(uintptr_t)to,
        .from = (const char *)(uintptr_t)from,
        .bytes = bytes,
        .n_workers = bytes < LARGE ? 1 : ck_cpu_pool_size(cpu->pool),
    };
    if (work.n_workers == 1)
        copy_part(&work, 0);
    else
        ck_cpu_pool_run(cpu->pool, work.n_workers, true, copy_part, &work);
    ck_unset_copy(&cpu->unset, to, from, bytes);
    return CK_OK;
}

static ck_status
fill_memory(struct ck_device *device, uint64_t to, unsigned char value, size_t bytes, void *stream)
{
    ck_status status = check_no_stream(device, stream);
    if (status)
        return status;
    memset((void *)(uintptr_t)to, value, bytes);
    ck_unset_write(&cpu_of(device)->unset, to, bytes);
    return CK_OK;
}

/* --- Streams and events, which are times: everything is complete on return ---------------------
 */

static ck_status
stream_new(struct ck_device *device, void **stream)
{
    *stream = NULL;
    return CK_OK;
}

static void
stream_free(struct ck_device *device, void *stream)
{
}

static ck_status
stream_synchronize(struct ck_device *device, void *stream)
{
    return check_no_stream(device, stream);
}

static ck_status
stream_wait(struct ck_device *device, void *stream, void *event)
{
    return check_no_stream(device, stream);
}

static ck_status
event_new(struct ck_device *device, void **event)
{
    struct timespec *time = calloc(1, sizeof *time);
    if (!time)
        return ck_fail_memory(device->ctx);
    *event = time;
    return CK_OK;
}

static void
event_free(struct ck_device *device, void *event)
{
    free(event);
}

static ck_status
event_record(struct ck_device *device, void *event, void *stream)
{
    ck_status status = check_no_stream(device, stream);
    if (!status)
        clock_gettime(CLOCK_MONOTONIC, event);
    return status;
}

static ck_status
event_synchronize(struct ck_device *device, void *event)
{
    return CK_OK;
}

static ck_status
event_elapsed(struct ck_device *device, double *seconds, void *from, void *to)
{
    const struct timespec *a = from, *b = to;
    *seconds = (double)(b->tv_sec - a->tv_sec) + 1e-9 * (double)(b->tv_nsec - a->tv_nsec);
    return CK_OK;
}

/* --- Code --------------------------------------------------------------------------------------
 */

static const char *
next_arch(struct ck_device *device, size_t i)
{
    if (i)
        return NULL;
    return "host";
}

static bool
checks_memory(const struct cpu_device *cpu)
{
    return cpu->checks & (CK_CHECK_RACE | CK_CHECK_ASYNC | CK_CHECK_INIT);
}

/* The checks of the code: copies are found by the code that finds races. */
static unsigned
checks_of_code(const struct cpu_device *cpu)
{
    const unsigned others = cpu->checks & ~(unsigned)CK_CHECK_ASYNC;
    return others | (cpu->checks & CK_CHECK_ASYNC ? CK_CHECK_RACE : 0);
}

static unsigned
assumptions(struct ck_device *device)
{
    const struct cpu_device *cpu = cpu_of(device);
    const bool by_rank = cpu->schedule == CK_SCHEDULE_SEQ && !checks_memory(cpu);
    return (by_rank ? CK_ASSUME_BY_RANK : 0) | checks_of_code(cpu) * CK_ASSUME_CHECKS;
}

static ck_status
check_image(struct ck_device *device, const struct ck_image *image)
{
    if (image->kind == CK_IMAGE_HOST)
        return CK_OK;
    return ck_fail(device->ctx, CK_ERROR_UNSUPPORTED,
                   "the CPU device cannot run %s for \"%s\": it needs the kernel's source",
                   image->kind == CK_IMAGE_PTX ? "PTX" : "a cubin", image->manifest.arch);
}

/* Host code needs no loading: the image itself is the code. */
static ck_status
load_image(struct ck_device *device, void **code, const struct ck_image *image)
{
    *code = (void *)image;
    return CK_OK;
}

static void
unload_image(struct ck_device *device, void *code)
{
}

static ck_status
find_variable(struct ck_device *device, uint64_t *address, void *code, const struct ck_image *image,
              size_t index)
{
    *address = image->variables[index];
    return CK_OK;
}

/* The size of a thread's frame, which the kernel returns. */
static size_t
frame_stride(const struct ck_host_kernel *kernel)
{
    struct ck_cpu_block nowhere = {0};
    size_t bytes = (size_t)(uintptr_t)kernel->start(NULL, &nowhere, 0, 0, 0, NULL);
    if (bytes > CK_CPU_MAX_FRAME_BYTES)
        return bytes;
    if (kernel->has_collectives)
        bytes += sizeof(struct ck_cpu_collective);
    return (bytes + FRAME_ALIGN - 1) / FRAME_ALIGN * FRAME_ALIGN;
}

static ck_status
entry_new(struct ck_device *device, void **out, void *code, const struct ck_image *image,
          size_t index)
{
    const struct ck_host_kernel *kernel = &image->kernels[index];
    const ck_kernel_desc *desc = &image->manifest.kernels[index];
    if (!kernel->start && !kernel->run_loops && (!kernel->run_block || !kernel->run_thread))
        return ck_fail(device->ctx, CK_ERROR_INTERNAL, "the image of `%s` lacks its code",
                       desc->name);
    size_t stride = kernel->start ? frame_stride(kernel) : 0;
    size_t loops = kernel->loop_bytes;
    if (stride + loops > CK_CPU_MAX_FRAME_BYTES)
        return ck_fail(device->ctx, CK_ERROR_UNSUPPORTED,
                       "a thread of `%s` needs %zu bytes across its barriers: the CPU device "
                       "allows %d",
                       desc->name, stride + loops, CK_CPU_MAX_FRAME_BYTES);
    struct cpu_entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return ck_fail_memory(device->ctx);
    *entry = (struct cpu_entry){image, kernel, desc, stride, loops};
    *out = entry;
    return CK_OK;
}

static void
entry_free(struct ck_device *device, void *entry)
{
    free(entry);
}

static ck_status
get_usage(struct ck_device *device, void *opaque, ck_kernel_usage *out)
{
    const struct cpu_entry *entry = opaque;
    *out = (ck_kernel_usage){
        .registers = -1,
        .constant_bytes = -1,
        .local_bytes =
            entry->kernel->run_block ? -1 : (int)(entry->frame_stride + entry->loop_bytes),
        .shared_bytes = (int)entry->desc->shared_bytes,
        .max_threads =
            entry->desc->max_threads ? (int)entry->desc->max_threads : CK_MAX_BLOCK_THREADS,
    };
    return CK_OK;
}

static ck_status
get_occupancy(struct ck_device *device, void *opaque, const struct ck_launch *shape,
              struct ck_occupancy *out)
{
    const struct cpu_entry *entry = opaque;
    const uint32_t threads = shape->block.x * shape->block.y * shape->block.z;
    const uint32_t cluster = ck_launch_cluster_blocks(shape);
    struct ck_cpu_layout layout;
    ck_cpu_layout_compute(&layout, entry->frame_stride, entry->loop_bytes, threads,
                          entry->desc->shared_bytes, shape->shared_bytes);
    uint64_t by_threads = CK_CPU_MAX_RESIDENT_THREADS / threads;
    uint64_t by_memory = CK_CPU_MAX_RESIDENT_BYTES / layout.region_bytes;
    if (by_memory < by_threads) {
        out->max_blocks = by_memory;
        snprintf(out->why, sizeof out->why, "limited by memory (%zu bytes a block, %d in all)",
                 layout.region_bytes, CK_CPU_MAX_RESIDENT_BYTES);
    } else {
        out->max_blocks = by_threads;
        snprintf(out->why, sizeof out->why, "limited by resident threads (%d)",
                 CK_CPU_MAX_RESIDENT_THREADS);
    }
    out->max_blocks -= out->max_blocks % cluster;
    return CK_OK;
}

/* --- Launching ---------------------------------------------------------------------------------
 */

/* At most one worker for each cluster. If each worker keeps the memory of a cluster, memory limits
 * their number too. */
static uint32_t
count_workers(const struct cpu_device *cpu, const struct ck_cpu_launch *launch)
{
    uint64_t n = launch->races ? 1 : ck_cpu_pool_size(cpu->pool);
    uint64_t by_memory =
        CK_CPU_MAX_RESIDENT_BYTES / launch->layout.region_bytes / launch->cluster_blocks;
    if (n > launch->clusters)
        n = launch->clusters;
    if (n > by_memory && !launch->desc->cooperative)
        n = by_memory;
    return n ? (uint32_t)n : 1;
}

static ck_dim3 *
list_thread_indices(const struct ck_cpu_launch *launch)
{
    ck_dim3 *list = malloc(launch->threads * sizeof *list);
    for (uint32_t rank = 0; list && rank < launch->threads; rank++) {
        uint32_t row = rank / launch->block.x;
        list[rank] =
            (ck_dim3){rank % launch->block.x, row % launch->block.y, row / launch->block.y};
    }
    return list;
}

static bool
uses_grid(const struct ck_cpu_launch *launch)
{
    return launch->kernel->start && launch->desc->cooperative;
}

/* Returns false when out of memory; release_launch frees what was allocated. */
static bool
prepare_launch(struct cpu_device *cpu, struct ck_cpu_launch *launch)
{
    if (!make_pool(cpu))
        return false;
    if (checks_memory(cpu)) {
        launch->races = ck_races_new(launch, cpu->checks, &cpu->unset);
        if (!launch->races)
            return false;
    }
    if (cpu->checks & CK_CHECK_OVERFLOW) {
        launch->overflows = ck_overflows_new(launch);
        if (!launch->overflows)
            return false;
    }
    const bool spins = launch->kernel->spins;
    launch->work.n_workers = spins ? 1 : count_workers(cpu, launch);
    uint64_t n_regions = spins ? ck_cpu_spin_capacity(launch) * launch->cluster_blocks
                         : uses_grid(launch)
                             ? launch->blocks
                             : (uint64_t)launch->work.n_workers * launch->cluster_blocks;
    launch->n_regions = spins ? 0 : n_regions;
    launch->work.clusters_at_once =
        launch->kernel->start ? 1 : launch->clusters / launch->work.n_workers / 16;
    if (launch->work.clusters_at_once < 1)
        launch->work.clusters_at_once = 1;
    if (launch->work.clusters_at_once > 1024)
        launch->work.clusters_at_once = 1024;
    /* Spinning while waiting for a worker that has no core of its own only delays that worker. */
    launch->grid_barrier.spin = launch->work.n_workers <= cpu->cores ? SPIN : 0;
    launch->thread_idx = list_thread_indices(launch);
    launch->grid_barrier.tallies =
        aligned_alloc(_Alignof(struct ck_cpu_tally),
                      launch->work.n_workers * sizeof *launch->grid_barrier.tallies);
    void *regions = NULL;
    if (posix_memalign(&regions, MEMORY_ALIGN, n_regions * launch->layout.region_bytes))
        regions = NULL;
    launch->regions = regions;
    for (uint64_t i = 0; regions && i < launch->n_regions; i++) {
        ck_cpu_region(launch, i)->copies = (struct ck_cpu_copies){0};
        ck_cpu_region(launch, i)->clocked = 0;
    }
    if (uses_grid(launch)) {
        launch->grid_slots = calloc(launch->blocks, 2 * sizeof *launch->grid_slots);
        if (!launch->grid_slots)
            return false;
    }
    return launch->thread_idx && launch->grid_barrier.tallies && launch->regions;
}

static void
release_launch(struct ck_cpu_launch *launch)
{
    ck_races_free(launch->races);
    free(launch->overflows);
    free((void *)launch->thread_idx);
    free(launch->grid_barrier.tallies);
    for (uint64_t i = 0; launch->regions && i < launch->n_regions; i++)
        ck_cpu_copies_free(&ck_cpu_region(launch, i)->copies);
    free(launch->regions);
    free(launch->grid_slots);
    ck_strbuf_free(&launch->failure.text);
    pthread_mutex_destroy(&launch->failure.lock);
}

static ck_status
run_launch(struct cpu_device *cpu, struct ck_cpu_launch *launch)
{
    if (!prepare_launch(cpu, launch))
        return ck_fail(launch->ctx, CK_ERROR_MEMORY,
                       "out of memory: the blocks of `%s` need %zu bytes each", launch->desc->name,
                       launch->layout.region_bytes);
    if (launch->kernel->spins)
        ck_cpu_pool_run(cpu->pool, 1, true, ck_cpu_run_spinning, launch);
    else if (uses_grid(launch))
        ck_cpu_pool_run(cpu->pool, launch->work.n_workers, true, ck_cpu_run_grid, launch);
    else
        ck_cpu_pool_run(cpu->pool, launch->work.n_workers, false,
                        launch->kernel->start ? ck_cpu_run_block : ck_cpu_run_free, launch);
    const bool raced = launch->races && ck_races_report(launch->races);
    const bool overflowed = launch->overflows && ck_overflows_report(launch);
    if (raced || overflowed)
        ck_cpu_record(launch, CK_ERROR_CHECK, "checks found mistakes");
    if (launch->failure.status)
        return ck_fail(launch->ctx, launch->failure.status, "%s",
                       launch->failure.status == CK_ERROR_MEMORY
                           ? "out of memory"
                           : ck_strbuf_text(&launch->failure.text));
    return CK_OK;
}

/* Shadow memory numbers threads and places in few bits. */
static ck_status
check_countable(const struct ck_cpu_launch *launch)
{
    if (launch->blocks > (UINT32_MAX - 1) / launch->threads)
        return ck_fail(launch->ctx, CK_ERROR_UNSUPPORTED,
                       "checks of races and of initialisation are for launches of at most %u "
                       "threads",
                       UINT32_MAX - 1);
    if (launch->image->manifest.n_accesses > CK_SHADOW_MAX_SITE)
        return ck_fail(launch->ctx, CK_ERROR_UNSUPPORTED,
                       "checks of races and of initialisation are for kernels with at most %d "
                       "accesses in the source, calls that are inlined counted each time",
                       CK_SHADOW_MAX_SITE);
    return CK_OK;
}

static ck_status
launch_kernel(struct ck_device *device, void *opaque, const struct ck_launch *given)
{
    struct cpu_device *cpu = cpu_of(device);
    const struct cpu_entry *entry = opaque;
    struct ck_cpu_launch launch = {
        .ctx = device->ctx,
        .image = entry->image,
        .kernel = entry->kernel,
        .desc = given->desc,
        .params = given->slots,
        .grid = given->grid,
        .block = given->block,
        .dynamic_shared_bytes = given->shared_bytes,
        .threads = given->block.x * given->block.y * given->block.z,
        .blocks = (uint64_t)given->grid.x * given->grid.y * given->grid.z,
        .schedule = cpu->schedule,
        .seed = cpu->seed,
        .interrupted = cpu->interrupted,
        .findings = &device->findings,
    };
    launch.cluster = given->cluster;
    launch.cluster_blocks = given->cluster.x * given->cluster.y * given->cluster.z;
    launch.clusters = launch.blocks / launch.cluster_blocks;
    ck_status status = check_no_stream(device, given->stream);
    if (!status && checks_memory(cpu))
        status = check_countable(&launch);
    if (status)
        return status;
    pthread_mutex_init(&launch.failure.lock, NULL);
    ck_cpu_layout_compute(&launch.layout, entry->frame_stride, entry->loop_bytes, launch.threads,
                          given->desc->shared_bytes, given->shared_bytes);
    status = run_launch(cpu, &launch);
    release_launch(&launch);
    return status;
}

const struct ck_device_ops ck_cpu_ops = {
    .kind = "cpu",
    .count = count_devices,
    .open = open_device,
    .close = close_device,
    .synchronize = synchronize,
    .alloc = alloc_memory,
    .free = free_memory,
    .write = write_memory,
    .read = read_memory,
    .memory = get_memory,
    .host_alloc = host_alloc,
    .host_free = host_free,
    .stream_new = stream_new,
    .stream_free = stream_free,
    .stream_synchronize = stream_synchronize,
    .stream_wait = stream_wait,
    .write_async = write_async,
    .read_async = read_async,
    .copy = copy_memory,
    .fill = fill_memory,
    .event_new = event_new,
    .event_free = event_free,
    .event_record = event_record,
    .event_synchronize = event_synchronize,
    .event_elapsed = event_elapsed,
    .assumptions = assumptions,
    .arch = next_arch,
    .check_image = check_image,
    .load = load_image,
    .unload = unload_image,
    .variable = find_variable,
    .entry_new = entry_new,
    .entry_free = entry_free,
    .usage = get_usage,
    .occupancy = get_occupancy,
    .launch = launch_kernel,
};
