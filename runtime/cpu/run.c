/* Running the blocks of a launch: the loops over blocks and threads, and the barriers. */
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/cpu/report.h"

/* The i-th cluster to run in a phase. */
static uint64_t
cluster_at(const struct ck_cpu_launch *launch, uint64_t phase, uint64_t i)
{
    switch (launch->schedule) {
    case CK_SCHEDULE_REVERSE:
        return launch->clusters - 1 - i;
    case CK_SCHEDULE_RANDOM:
        return ck_permute(i, launch->clusters, ck_mix(launch->seed, phase));
    default:
        return i;
    }
}

/* The order of the block's threads in its next phase. */
static const uint32_t *
thread_order(const struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    if (launch->schedule == CK_SCHEDULE_RANDOM) {
        uint64_t key = ck_mix(ck_mix(launch->seed, resident->index), ~resident->phase);
        ck_shuffle(resident->order, launch->threads, key);
    }
    return resident->order;
}

/* Takes the next range of clusters that no worker has begun. */
static bool
take_clusters(struct ck_cpu_launch *launch, uint64_t *begin, uint64_t *end)
{
    if (ck_cpu_is_stopped(launch))
        return false;
    *begin = atomic_fetch_add_explicit(&launch->work.next_cluster, launch->work.clusters_at_once,
                                       memory_order_relaxed);
    *end = *begin + launch->work.clusters_at_once;
    if (*end > launch->clusters)
        *end = launch->clusters;
    return *begin < launch->clusters;
}

/* The regions of a worker that keeps one cluster at a time. */
static void
own_regions(struct ck_cpu_launch *launch, uint32_t worker, struct ck_cpu_resident **out)
{
    for (uint32_t rank = 0; rank < launch->cluster_blocks; rank++)
        out[rank] = ck_cpu_region(launch, (uint64_t)worker * launch->cluster_blocks + rank);
}

/* The loop of a worker that keeps one cluster at a time. */
static void
run_clusters(struct ck_cpu_launch *launch, uint32_t worker,
             void (*run)(struct ck_cpu_launch *launch, struct ck_cpu_resident **blocks,
                         uint64_t cluster))
{
    struct ck_cpu_resident *blocks[CK_MAX_CLUSTER];
    uint64_t begin, end;
    own_regions(launch, worker, blocks);
    while (take_clusters(launch, &begin, &end)) {
        for (uint64_t i = begin; i < end && !ck_cpu_is_stopped(launch); i++)
            run(launch, blocks, cluster_at(launch, 0, i));
    }
}

/* --- Threads that are not suspended ------------------------------------------------------------
 */

static void
run_threads(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    const uint32_t *order = thread_order(launch, resident);
    for (uint32_t i = 0; i < launch->threads && !ck_cpu_is_stopped(launch); i++) {
        const uint32_t rank = order ? order[i] : i;
        const ck_dim3 t = launch->thread_idx[rank];
        resident->block.rank = rank;
        launch->kernel->run_thread(launch->params, &resident->block, t.x, t.y, t.z);
    }
}

/* Runs a block of a kernel that never suspends a thread. */
static void
run_free_block(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    if (setjmp(resident->escape))
        return;
    if (launch->kernel->run_loops)
        launch->kernel->run_loops(launch->params, &resident->block, resident->frames);
    else if (launch->schedule == CK_SCHEDULE_SEQ && !launch->races)
        launch->kernel->run_block(launch->params, &resident->block);
    else
        run_threads(launch, resident);
}

static void
run_free_cluster(struct ck_cpu_launch *launch, struct ck_cpu_resident **blocks, uint64_t cluster)
{
    ck_cpu_cluster_init(launch, blocks, cluster);
    for (uint32_t i = 0; i < launch->cluster_blocks && !ck_cpu_is_stopped(launch); i++)
        run_free_block(launch, blocks[ck_cpu_cluster_order(launch, cluster, i)]);
}

void
ck_cpu_run_free(void *launch, uint32_t worker)
{
    run_clusters(launch, worker, run_free_cluster);
}

/* --- A phase of a block ------------------------------------------------------------------------
 */

/* The rest of a phase in which not all threads stop at the same site: thread number `done` in the
 * order is the first that stops elsewhere, at `at`. */
static __attribute__((noinline)) void
run_differing(const struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
              const uint32_t *order, bool starting, uint32_t done, uint32_t at)
{
    resident->differ = true;
    for (uint32_t i = 0; i < done; i++)
        resident->where[order ? order[i] : i] = resident->at;
    resident->where[order ? order[done] : done] = at;
    for (uint32_t i = done + 1; i < launch->threads; i++) {
        uint32_t rank = order ? order[i] : i;
        resident->where[rank] = ck_cpu_run_thread(launch, resident, rank, starting);
        ck_cpu_note_end(resident, rank, resident->where[rank]);
    }
}

/* Runs the other threads of the block, after the first one in the order has stopped at `first`. */
static CK_ALWAYS_INLINE void
run_others(const struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
           const uint32_t *order, bool starting, uint32_t first)
{
    const uint32_t n = launch->threads;
    for (uint32_t i = 1; i < n; i++) {
        const uint32_t rank = order ? order[i] : i;
        const uint32_t at = ck_cpu_run_thread(launch, resident, rank, starting);
        if (__builtin_expect(at != first, 0)) {
            ck_cpu_note_end(resident, rank, at);
            run_differing(launch, resident, order, starting, i, at);
            return;
        }
        ck_cpu_note_end(resident, rank, first);
    }
}

/* Runs every thread of the block once. In the common case all of them stop at one barrier, and
 * nothing is stored for each thread. `order` and `starting` are constants in each inlined copy, and
 * so is whether threads end. */
static CK_ALWAYS_INLINE void
run_phase_threads(const struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
                  const uint32_t *order, bool starting)
{
    const uint32_t rank = order ? order[0] : 0;
    const uint32_t first = ck_cpu_run_thread(launch, resident, rank, starting);
    ck_cpu_note_end(resident, rank, first);
    resident->at = first;
    resident->differ = false;
    if (first)
        run_others(launch, resident, order, starting, first);
    else
        run_others(launch, resident, order, starting, 0);
}

static enum ck_cpu_outcome
outcome_of(const struct ck_cpu_launch *launch, uint32_t at)
{
    if (!at)
        return CK_CPU_FINISHED;
    if (at > launch->image->n_barriers)
        return CK_CPU_INVALID;
    static const enum ck_cpu_outcome outcomes[] = {
        [CK_BARRIER_BLOCK] = CK_CPU_AT_BLOCK_BARRIER,
        [CK_BARRIER_GRID] = CK_CPU_AT_GRID_BARRIER,
        [CK_BARRIER_WARP] = CK_CPU_STUCK, /* otherwise the collective would have completed */
        [CK_BARRIER_GROUP] = CK_CPU_STUCK,
        [CK_BARRIER_CLUSTER] = CK_CPU_AT_CLUSTER_BARRIER,
        [CK_BARRIER_CLUSTER_WAIT] = CK_CPU_AT_CLUSTER_BARRIER,
        [CK_BARRIER_SPIN] = CK_CPU_SPINNING,
        [CK_BARRIER_RETURN] = CK_CPU_INVALID, /* no thread waits there */
    };
    return outcomes[launch->image->barriers[at - 1].kind];
}

/* Whether two sites of the block's barrier are the same operation. */
static bool
agree(const struct ck_cpu_launch *launch, uint32_t a, uint32_t b)
{
    return launch->image->barriers[a - 1].op == launch->image->barriers[b - 1].op;
}

/* Different barriers of one kind are one barrier, as on a GPU. The others may be waiting for
 * threads that wait for their cluster; threads that spin may still change memory. */
static enum ck_cpu_outcome
outcome_of_all(const struct ck_cpu_launch *launch, const struct ck_cpu_resident *resident)
{
    enum ck_cpu_outcome first = outcome_of(launch, ck_cpu_where(resident, 0));
    bool of_cluster = first == CK_CPU_AT_CLUSTER_BARRIER, spins = first == CK_CPU_SPINNING;
    for (uint32_t rank = 1; resident->differ && rank < launch->threads; rank++) {
        enum ck_cpu_outcome outcome = outcome_of(launch, resident->where[rank]);
        if (outcome == CK_CPU_INVALID)
            return CK_CPU_INVALID;
        of_cluster = of_cluster || outcome == CK_CPU_AT_CLUSTER_BARRIER;
        spins = spins || outcome == CK_CPU_SPINNING;
        if (outcome != first || (outcome == CK_CPU_AT_BLOCK_BARRIER &&
                                 !agree(launch, resident->where[0], resident->where[rank])))
            first = CK_CPU_STUCK;
    }
    if (spins)
        return CK_CPU_SPINNING;
    return first == CK_CPU_STUCK && of_cluster ? CK_CPU_AT_CLUSTER_BARRIER : first;
}

static enum ck_cpu_outcome
run_phase(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    const uint32_t *order = thread_order(launch, resident);
    if (launch->kernel->has_collectives)
        ck_cpu_run_collectives(launch, resident, order);
    else if (!resident->phase)
        run_phase_threads(launch, resident, order, true);
    else if (order)
        run_phase_threads(launch, resident, order, false);
    else
        run_phase_threads(launch, resident, NULL, false);
    resident->phase++;
    return outcome_of_all(launch, resident);
}

/* How many of the block's threads can continue from their cluster's barrier. */
static uint32_t
count_passed(const struct ck_cpu_launch *launch, const struct ck_cpu_resident *resident)
{
    uint32_t n = 0;
    for (uint32_t rank = 0; rank < launch->threads; rank++)
        n += ck_cpu_cluster_passed(launch, resident, rank);
    return n;
}

/* Runs those threads; the others stay at their sites. */
static void
run_passed(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    const uint32_t *order = thread_order(launch, resident);
    if (launch->kernel->has_collectives) {
        ck_cpu_resume_collectives(launch, resident, order);
        return;
    }
    for (uint32_t i = 0; i < launch->threads; i++) {
        uint32_t rank = order ? order[i] : i;
        if (!ck_cpu_cluster_passed(launch, resident, rank))
            continue;
        resident->arrivals[rank] = CK_CPU_NOT_ARRIVED;
        resident->where[rank] = ck_cpu_run_thread(launch, resident, rank, false);
        ck_cpu_note_end(resident, rank, resident->where[rank]);
    }
}

/* Returns false if no thread can continue. */
static bool
resume_passed(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
              enum ck_cpu_outcome *outcome)
{
    uint32_t n = count_passed(launch, resident);
    if (!n)
        return false;
    if (n == launch->threads) {
        memset(resident->arrivals, CK_CPU_NOT_ARRIVED, n);
        *outcome = run_phase(launch, resident);
        return true;
    }
    run_passed(launch, resident);
    resident->phase++;
    *outcome = outcome_of_all(launch, resident);
    return true;
}

/* Runs once the threads that spin or can continue from their cluster's barrier. */
static enum ck_cpu_outcome
resume_spinning(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    ck_cpu_resume_spinning(launch, resident, thread_order(launch, resident));
    resident->phase++;
    return outcome_of_all(launch, resident);
}

static enum ck_cpu_outcome
advance(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    enum ck_cpu_outcome outcome = CK_CPU_AT_CLUSTER_BARRIER;
    if (resident->phase && resident->outcome == CK_CPU_SPINNING)
        outcome = resume_spinning(launch, resident);
    else if (!resident->phase || resident->outcome != CK_CPU_AT_CLUSTER_BARRIER)
        outcome = run_phase(launch, resident);
    for (bool more = true; more && !ck_cpu_is_stopped(launch);) {
        if (outcome == CK_CPU_AT_BLOCK_BARRIER)
            outcome = run_phase(launch, resident);
        else
            more =
                outcome == CK_CPU_AT_CLUSTER_BARRIER && resume_passed(launch, resident, &outcome);
    }
    /* A thread that failed an assertion has finished: the barrier is not the cause. */
    if (outcome == CK_CPU_STUCK && !ck_cpu_is_stopped(launch))
        ck_cpu_report_stuck(launch, &resident, 1, false);
    if (outcome == CK_CPU_INVALID)
        ck_cpu_record(launch, CK_ERROR_INTERNAL, "`%s` waits at a barrier that its image lacks",
                      launch->desc->name);
    return outcome;
}

enum ck_cpu_outcome
ck_cpu_advance(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    return setjmp(resident->escape) ? CK_CPU_FINISHED : advance(launch, resident);
}

static void
run_waiting_cluster(struct ck_cpu_launch *launch, struct ck_cpu_resident **blocks, uint64_t cluster)
{
    ck_cpu_cluster_init(launch, blocks, cluster);
    ck_cpu_cluster_advance(launch, blocks, cluster);
    if (blocks[0]->outcome == CK_CPU_AT_GRID_BARRIER)
        ck_cpu_record(launch, CK_ERROR_INTERNAL,
                      "`%s` waits for its grid and is not marked cooperative", launch->desc->name);
}

void
ck_cpu_run_block(void *launch, uint32_t worker)
{
    run_clusters(launch, worker, run_waiting_cluster);
}

/* --- Grid barriers -----------------------------------------------------------------------------
 */

static void
report_grid(struct ck_cpu_launch *launch)
{
    struct ck_cpu_resident **residents = calloc(launch->blocks, sizeof(struct ck_cpu_resident *));
    if (!residents) {
        ck_cpu_record(launch, CK_ERROR_MEMORY, "out of memory");
        return;
    }
    for (uint64_t i = 0; i < launch->blocks; i++)
        residents[i] = ck_cpu_region(launch, i);
    ck_cpu_report_stuck(launch, residents, launch->blocks, true);
    free(residents);
}

/* Decides whether a phase follows. The last worker to arrive runs it while the others wait. */
static void
end_phase(struct ck_cpu_launch *launch)
{
    uint64_t finished = 0, waiting = 0;
    for (uint32_t i = 0; i < launch->work.n_workers; i++) {
        finished += launch->grid_barrier.tallies[i].finished;
        waiting += launch->grid_barrier.tallies[i].waiting;
    }
    if (!ck_cpu_is_stopped(launch) && finished && waiting)
        report_grid(launch);
    launch->grid_barrier.over = ck_cpu_is_stopped(launch) || !waiting;
}

/* A hint to the core that this is a waiting loop. */
static inline void
relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void
wait_for_generation(struct ck_cpu_launch *launch, unsigned generation)
{
    for (uint32_t i = 0; i < launch->grid_barrier.spin; i++) {
        if (atomic_load_explicit(&launch->grid_barrier.generation, memory_order_acquire) !=
            generation)
            return;
        relax();
    }
    atomic_fetch_add(&launch->grid_barrier.sleepers, 1);
    while (atomic_load(&launch->grid_barrier.generation) == generation)
        syscall(SYS_futex, &launch->grid_barrier.generation, FUTEX_WAIT_PRIVATE, generation, NULL,
                NULL, 0);
    atomic_fetch_sub(&launch->grid_barrier.sleepers, 1);
}

/* The grid barrier of the host threads. What each did before it is visible to all after it: each
 * arrival is a release, and the last thread to arrive acquires; its store of the generation is a
 * release that the others acquire. Returns false if no phase follows. */
static bool
sync_workers(struct ck_cpu_launch *launch)
{
    unsigned generation =
        atomic_load_explicit(&launch->grid_barrier.generation, memory_order_relaxed);
    if (atomic_fetch_add(&launch->grid_barrier.arrived, 1) + 1 < launch->work.n_workers) {
        wait_for_generation(launch, generation);
        return !launch->grid_barrier.over;
    }
    end_phase(launch);
    bool over = launch->grid_barrier.over;
    atomic_store_explicit(&launch->grid_barrier.arrived, 0, memory_order_relaxed);
    /* A sleeper registers before it reads the generation, so either it sees the new generation or
     * this thread sees the sleeper. */
    atomic_store(&launch->grid_barrier.generation, generation + 1);
    if (atomic_load(&launch->grid_barrier.sleepers))
        syscall(SYS_futex, &launch->grid_barrier.generation, FUTEX_WAKE_PRIVATE, INT_MAX, NULL,
                NULL, 0);
    return !over;
}

/* Runs a cluster's blocks to the grid's next barrier, and counts them. */
static void
run_grid_cluster(struct ck_cpu_launch *launch, uint64_t cluster, uint64_t phase,
                 struct ck_cpu_tally *tally)
{
    struct ck_cpu_resident *blocks[CK_MAX_CLUSTER];
    for (uint32_t rank = 0; rank < launch->cluster_blocks; rank++)
        blocks[rank] = ck_cpu_region(launch, ck_cpu_cluster_block(launch, cluster, rank));
    if (!phase)
        ck_cpu_cluster_init(launch, blocks, cluster);
    for (uint32_t rank = 0; rank < launch->cluster_blocks; rank++)
        blocks[rank]->runs = true;
    for (uint32_t rank = 0; rank < launch->cluster_blocks; rank++)
        blocks[rank]->block.grid_slots = launch->grid_slots + phase % 2 * launch->blocks;
    ck_cpu_cluster_advance(launch, blocks, ck_mix(cluster, phase));
    for (uint32_t rank = 0; rank < launch->cluster_blocks; rank++) {
        if (blocks[rank]->outcome == CK_CPU_FINISHED)
            tally->finished++;
        else
            tally->waiting++;
    }
}

/* Runs the worker's share of a phase of the grid. */
static void
run_share(struct ck_cpu_launch *launch, uint32_t worker, uint64_t phase)
{
    uint64_t begin = launch->clusters * worker / launch->work.n_workers;
    uint64_t end = launch->clusters * (worker + 1) / launch->work.n_workers;
    struct ck_cpu_tally tally = {0};
    for (uint64_t i = begin; i < end && !ck_cpu_is_stopped(launch); i++)
        run_grid_cluster(launch, cluster_at(launch, phase, i), phase, &tally);
    launch->grid_barrier.tallies[worker] = tally;
}

void
ck_cpu_run_grid(void *opaque, uint32_t worker)
{
    struct ck_cpu_launch *launch = opaque;
    uint64_t phase = 0;
    do
        run_share(launch, worker, phase++);
    while (sync_workers(launch));
}
