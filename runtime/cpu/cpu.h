/* The CPU executor's own structures: a launch, and its resident blocks.
 *
 * A kernel without barriers is called once for each block. So is a kernel whose threads are known
 * to be converged at each barrier, if threads run by rank (block loops). In other kernels every
 * thread is a coroutine with a frame: the executor runs each thread of a block to its next barrier
 * (a *phase*), and the barrier completes when all have arrived. With block barriers only, a block
 * runs to its end before the next one uses its memory; with grid barriers all blocks are resident.
 * Spin loops suspend threads too: see spin.c. */
#ifndef CK_CPU_H
#define CK_CPU_H

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <ck/run.h>

#include "base/limits.h"
#include "base/strbuf.h"
#include "runtime/context/context.h"
#include "runtime/image/cpu_abi.h"
#include "runtime/image/image.h"

/* The limits of the CPU device, beside those of base/limits.h. */
enum {
    CK_CPU_MAX_RESIDENT_THREADS = 262144, /* of a cooperative launch */
    CK_CPU_MAX_RESIDENT_BYTES = 1 << 30,  /* frames and shared memory of a cooperative launch */
    CK_CPU_MAX_FRAME_BYTES = 1 << 26,
    CK_CPU_MAX_HOST_THREADS = 1024
};

/* Why a block stopped running. */
enum ck_cpu_outcome {
    CK_CPU_FINISHED,
    CK_CPU_AT_BLOCK_BARRIER,
    CK_CPU_AT_GRID_BARRIER,
    CK_CPU_AT_CLUSTER_BARRIER, /* some of its threads; the others may wait for these */
    CK_CPU_SPINNING,           /* some of its threads; the others may be at any site */
    CK_CPU_STUCK,
    CK_CPU_INVALID
};

/* The state of a thread at its cluster's barrier. */
enum ck_cpu_arrival {
    CK_CPU_NOT_ARRIVED,
    CK_CPU_ARRIVED,
    CK_CPU_ALL_ARRIVED /* and the thread has not continued yet */
};

/* A thread's arrivals by ck_cpu_cluster_arrive. */
struct ck_cpu_arrivals {
    uint32_t site; /* of the last one */
    uint32_t count;
};

/* The arguments of a block's copies by groups: see copy.c. */
struct ck_cpu_copies {
    struct ck_cpu_copy *table; /* open addressing; NULL: none yet */
    uint32_t n, capacity;      /* a power of two */
    bool full;                 /* too many: further ones are not checked */
};

struct ck_clock; /* clock.h */

/* A block in memory, at the start of its region; the rest of the region is what it points to. */
struct ck_cpu_resident {
    struct ck_cpu_block block;
    uint64_t index; /* of the block in the grid */
    uint64_t phase; /* barriers completed */
    /* The sites of its threads after a phase: 0 if finished, else 1 + the index of a barrier site.
     * `at` holds for all of them; if they differ, `where` has one for each. */
    uint32_t at;
    bool differ;
    uint32_t *where;
    uint32_t *ends;  /* by rank: the `return` at which a thread ended; 0: the kernel's end */
    uint32_t *order; /* ranks in the order they run; NULL: by rank */
    char *frames;
    enum ck_cpu_outcome outcome; /* of its last run; undefined while `phase` is 0 */
    bool runs;                   /* it can run */
    uint8_t *arrivals; /* enum ck_cpu_arrival, by rank; of kernels that wait for their cluster */
    struct ck_cpu_arrivals *split_arrivals; /* by rank, likewise */
    char *shared[CK_MAX_CLUSTER];           /* in rank 0: shared memory of the cluster's blocks */
    struct ck_cpu_copies copies;
    uint64_t clocked;        /* 1 + the index of the block whose threads have clocks; 0: none yet */
    struct ck_clock *clocks; /* of these threads, by rank */
    jmp_buf escape;          /* where a thread goes that stops at a finding: it never resumes */
};

/* Offsets of the members of a region. */
struct ck_cpu_layout {
    size_t frame_stride; /* 0: no thread is suspended */
    size_t shared_offset, dynamic_shared_offset, frames_offset, where_offset, ends_offset;
    size_t order_offset;
    size_t arrivals_offset, split_arrivals_offset;
    size_t region_bytes;
};

/* What a worker publishes at a grid barrier; a cache line each. */
struct ck_cpu_tally {
    _Alignas(64) uint64_t waiting; /* blocks */
    uint64_t finished;
};

/* How the workers share the clusters of a launch: run.c. */
struct ck_cpu_work {
    uint32_t n_workers;
    uint64_t clusters_at_once;                      /* that a worker takes */
    _Alignas(64) atomic_uint_fast64_t next_cluster; /* the first that no worker has taken */
};

/* The grid barrier of the workers: run.c. */
struct ck_cpu_grid_barrier {
    _Alignas(64) atomic_uint arrived;    /* workers */
    _Alignas(64) atomic_uint generation; /* grid barriers completed */
    atomic_uint sleepers;
    uint32_t spin; /* iterations before a worker sleeps */
    bool over;     /* set before the generation changes: no phase follows */
    struct ck_cpu_tally *tallies;
};

/* The first failure of a launch: report.c. */
struct ck_cpu_failure {
    _Alignas(64) atomic_bool stop; /* a failure is recorded: workers stop */
    pthread_mutex_t lock;          /* of the other members, and of printing */
    ck_status status;
    struct ck_strbuf text;
};

struct ck_cpu_launch {
    ck_context *ctx;
    const struct ck_image *image;
    const struct ck_host_kernel *kernel;
    const ck_kernel_desc *desc;
    const uint64_t *params;
    ck_dim3 grid, block;
    uint32_t dynamic_shared_bytes;
    uint32_t threads; /* a block */
    uint64_t blocks;
    ck_dim3 cluster; /* blocks of a cluster; 1, 1, 1 without clusters */
    uint32_t cluster_blocks;
    uint64_t clusters; /* of the grid */
    ck_schedule schedule;
    uint64_t seed;
    const volatile int *interrupted; /* ck_device_options.interrupted, or that of a zero */
    const ck_dim3 *thread_idx;       /* by rank */
    struct ck_findings *findings;
    struct ck_races *races;        /* NULL: its code has no checks of memory */
    struct ck_overflow *overflows; /* by site; NULL: its code has no check of overflow */

    struct ck_cpu_layout layout;
    char *regions;        /* one for each resident block, or for each block of a worker's cluster */
    uint64_t n_regions;   /* initialised so far, of a launch that spins */
    uint64_t *grid_slots; /* of a cooperative launch: two for each block */

    struct ck_cpu_work work;
    struct ck_cpu_grid_barrier grid_barrier;
    struct ck_cpu_failure failure;
};

/* report.c: records that the program interrupts the launch. Returns true. The code of block loops
 * asks for that too, before another iteration of a loop around barriers. */
bool ck_cpu_interrupt(struct ck_cpu_launch *launch);

/* Whether workers are to stop: a failure is recorded, or the program interrupts the launch. */
static inline bool
ck_cpu_is_stopped(struct ck_cpu_launch *launch)
{
    return atomic_load_explicit(&launch->failure.stop, memory_order_relaxed) ||
           (__atomic_load_n(launch->interrupted, __ATOMIC_RELAXED) && ck_cpu_interrupt(launch));
}

/* The site of a thread whose collective is complete: the thread can run. */
#define CK_CPU_READY UINT32_MAX

static inline struct ck_cpu_resident *
ck_cpu_region(const struct ck_cpu_launch *launch, uint64_t i)
{
    return (struct ck_cpu_resident *)(launch->regions + i * launch->layout.region_bytes);
}

/* The site of thread `rank` after a phase. */
static inline uint32_t
ck_cpu_where(const struct ck_cpu_resident *resident, uint32_t rank)
{
    return resident->differ ? resident->where[rank] : resident->at;
}

/* Whether it is at a site of that kind. */
static inline bool
ck_cpu_is_at(const struct ck_cpu_launch *launch, const struct ck_cpu_resident *resident,
             uint32_t rank, enum ck_barrier_kind kind)
{
    const uint32_t where = ck_cpu_where(resident, rank);
    return where && where <= launch->image->n_barriers &&
           launch->image->barriers[where - 1].kind == kind;
}

/* A thread's collective: at the end of its frame, in kernels that have any. */
static inline struct ck_cpu_collective *
ck_cpu_collective_of(const struct ck_cpu_launch *launch, const struct ck_cpu_resident *resident,
                     uint32_t rank)
{
    char *end = resident->frames + (rank + (size_t)1) * launch->layout.frame_stride;
    return (struct ck_cpu_collective *)end - 1;
}

#define CK_ALWAYS_INLINE inline __attribute__((always_inline))

/* Runs one thread to its next barrier or its end. Returns its site. */
static CK_ALWAYS_INLINE uint32_t
ck_cpu_run_thread(const struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
                  uint32_t rank, bool starting)
{
    void *frame = resident->frames + rank * launch->layout.frame_stride;
    resident->block.waiting = 0;
    resident->block.rank = rank;
    if (starting) {
        const ck_dim3 t = launch->thread_idx[rank];
        launch->kernel->start(launch->params, &resident->block, t.x, t.y, t.z, frame);
    } else {
        (*(ck_host_resume_fn **)frame)(frame);
    }
    return resident->block.waiting;
}

/* Keeps where the thread ended that has just run, if it ended. */
static CK_ALWAYS_INLINE void
ck_cpu_note_end(struct ck_cpu_resident *resident, uint32_t rank, uint32_t site)
{
    if (site)
        return;
    resident->ends[rank] = resident->block.ended;
    resident->block.ended = 0;
}

/* layout.c */
/* One of the first two is 0. */
void ck_cpu_layout_compute(struct ck_cpu_layout *out, size_t frame_stride, size_t loop_bytes,
                           uint32_t threads, uint32_t static_shared, uint32_t dynamic_shared);
/* Initialises the region for block `index`. */
void ck_cpu_resident_init(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
                          uint64_t index);
ck_dim3 ck_cpu_block_idx(const struct ck_cpu_launch *launch, uint64_t index);
/* A thread by its block's index in the grid and its rank; by its position in its block, as host
 * code passes it: x, y << 16 and z << 32. */
ck_thread_index ck_cpu_thread_by_rank(const struct ck_cpu_launch *launch, uint64_t block,
                                      uint32_t rank);
ck_thread_index ck_cpu_thread_at(const struct ck_cpu_block *block, uint64_t position);

/* copy.c */
void ck_cpu_copies_clear(struct ck_cpu_copies *copies);
void ck_cpu_copies_free(struct ck_cpu_copies *copies);

/* run.c: what each worker runs. */
void ck_cpu_run_free(void *launch, uint32_t worker);     /* kernels without barriers */
void ck_cpu_run_block(void *launch, uint32_t worker);    /* block barriers only */
void ck_cpu_run_grid(void *launch, uint32_t worker);     /* grid barriers */
void ck_cpu_run_spinning(void *launch, uint32_t worker); /* spin loops: spin.c */
/* The largest number of clusters of a spinning launch that can be in progress at once. */
uint64_t ck_cpu_spin_capacity(const struct ck_cpu_launch *launch);

/* Runs a block until it finishes, waits for other blocks, or fails; a failure is recorded. */
enum ck_cpu_outcome ck_cpu_advance(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident);

/* cluster.c: `blocks` are a cluster's, by rank. */
/* Initialises the regions of the blocks for cluster `index`. */
void ck_cpu_cluster_init(struct ck_cpu_launch *launch, struct ck_cpu_resident **blocks,
                         uint64_t index);
/* The index of the cluster that a block is in. */
uint64_t ck_cpu_cluster_of(const struct ck_cpu_launch *launch, uint64_t block);
/* The index in the grid of a cluster's block. */
uint64_t ck_cpu_cluster_block(const struct ck_cpu_launch *launch, uint64_t index, uint32_t rank);
/* The rank of the i-th block of a cluster to run. */
uint32_t ck_cpu_cluster_order(const struct ck_cpu_launch *launch, uint64_t key, uint32_t i);
/* Runs the blocks until each has finished or waits for the grid, or one fails; a failure is
 * recorded. */
void ck_cpu_cluster_advance(struct ck_cpu_launch *launch, struct ck_cpu_resident **blocks,
                            uint64_t key);
/* Whether the thread waits at its cluster's barrier and can continue. */
bool ck_cpu_cluster_passed(const struct ck_cpu_launch *launch,
                           const struct ck_cpu_resident *resident, uint32_t rank);

/* collective.c */
/* Runs one phase of a block whose threads execute collectives; resident->where then has each
 * thread's site. */
void ck_cpu_run_collectives(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
                            const uint32_t *order);
/* The same, but only for the threads that can continue from their cluster's barrier. */
void ck_cpu_resume_collectives(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
                               const uint32_t *order);
/* The same for those threads and the threads that spin. */
void ck_cpu_resume_spinning(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
                            const uint32_t *order);

/* group_barrier.c: completes barriers of groups of several warps, when every thread of the block
 * waits or has finished. Returns false if it completed none. */
bool ck_cpu_complete_groups(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident);

/* order.c: permutations. */
/* A bijection of 0 .. n-1, by key. */
uint64_t ck_permute(uint64_t i, uint64_t n, uint64_t key);
/* 0 .. n-1 in an order that the key determines. */
void ck_shuffle(uint32_t *order, uint32_t n, uint64_t key);
uint64_t ck_mix(uint64_t a, uint64_t b);

/* report.c */
/* Records the first failure and stops the launch. Returns whether it was the first. */
bool ck_cpu_record(struct ck_cpu_launch *launch, ck_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
