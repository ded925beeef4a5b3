/* Running the blocks of a launch: the loops over blocks and threads, and the barriers. */
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/cpu.h"

enum outcome { FINISHED, AT_BLOCK_BARRIER, AT_GRID_BARRIER, STUCK, INVALID };

static bool
is_stopped(struct ck_cpu_launch *launch)
{
    return atomic_load_explicit(&launch->stop, memory_order_relaxed);
}

/* The i-th block to run in a phase. */
static uint64_t
block_at(const struct ck_cpu_launch *launch, uint64_t phase, uint64_t i)
{
    switch (launch->schedule) {
    case CK_SCHEDULE_REVERSE:
        return launch->blocks - 1 - i;
    case CK_SCHEDULE_RANDOM:
        return ck_permute(i, launch->blocks, ck_mix(launch->seed, phase));
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

/* The next run of blocks nobody has begun. */
static bool
take_blocks(struct ck_cpu_launch *launch, uint64_t *begin, uint64_t *end)
{
    if (is_stopped(launch))
        return false;
    *begin = atomic_fetch_add_explicit(&launch->next_block, launch->blocks_at_once,
                                       memory_order_relaxed);
    *end = *begin + launch->blocks_at_once;
    if (*end > launch->blocks)
        *end = launch->blocks;
    return *begin < launch->blocks;
}

/* --- Kernels without barriers ------------------------------------------------------------------
 */

static void
run_threads(const struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    const uint32_t *order = thread_order(launch, resident);
    for (uint32_t i = 0; i < launch->threads; i++) {
        const ck_dim3 t = launch->thread_idx[order[i]];
        resident->block.rank = order[i];
        launch->kernel->run_thread(launch->params, &resident->block, t.x, t.y, t.z);
    }
}

void
ck_cpu_run_free(void *opaque, uint32_t worker)
{
    struct ck_cpu_launch *launch = opaque;
    struct ck_cpu_resident *resident = ck_cpu_region(launch, worker);
    uint64_t begin, end;
    while (take_blocks(launch, &begin, &end)) {
        for (uint64_t i = begin; i < end && !is_stopped(launch); i++) {
            ck_cpu_resident_init(launch, resident, block_at(launch, 0, i));
            if (launch->schedule == CK_SCHEDULE_SEQ)
                launch->kernel->run_block(launch->params, &resident->block);
            else
                run_threads(launch, resident);
        }
    }
}

/* --- A phase of a block ------------------------------------------------------------------------
 */

/* The rest of a phase in which threads `done` (in order) and later ones do not agree. */
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
    }
}

/* Every thread of the block, once. The common case, all of them at one barrier, keeps no account of
 * a thread. `order` and `starting` are constants of each inlined copy. */
static CK_ALWAYS_INLINE void
run_phase_threads(const struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
                  const uint32_t *order, bool starting)
{
    const uint32_t n = launch->threads;
    const uint32_t first = ck_cpu_run_thread(launch, resident, order ? order[0] : 0, starting);
    resident->at = first;
    resident->differ = false;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t at = ck_cpu_run_thread(launch, resident, order ? order[i] : i, starting);
        if (__builtin_expect(at != first, 0)) {
            run_differing(launch, resident, order, starting, i, at);
            return;
        }
    }
}

static enum outcome
outcome_of(const struct ck_cpu_launch *launch, uint32_t at)
{
    if (!at)
        return FINISHED;
    if (at > launch->image->n_barriers)
        return INVALID;
    static const enum outcome outcomes[] = {
        [CK_BARRIER_BLOCK] = AT_BLOCK_BARRIER,
        [CK_BARRIER_GRID] = AT_GRID_BARRIER,
        [CK_BARRIER_WARP] = STUCK, /* else it would have been passed */
        [CK_BARRIER_GROUP] = STUCK,
    };
    return outcomes[launch->image->barriers[at - 1].kind];
}

/* Whether two places where threads wait at their block's barrier ask for the same. */
static bool
agree(const struct ck_cpu_launch *launch, uint32_t a, uint32_t b)
{
    return launch->image->barriers[a - 1].op == launch->image->barriers[b - 1].op;
}

/* Different barriers of one kind are one barrier, as on a GPU. */
static enum outcome
outcome_of_all(const struct ck_cpu_launch *launch, const struct ck_cpu_resident *resident)
{
    enum outcome first = outcome_of(launch, ck_cpu_where(resident, 0));
    for (uint32_t rank = 1; resident->differ && rank < launch->threads; rank++) {
        enum outcome outcome = outcome_of(launch, resident->where[rank]);
        if (outcome == INVALID)
            return INVALID;
        if (outcome != first || (outcome == AT_BLOCK_BARRIER &&
                                 !agree(launch, resident->where[0], resident->where[rank])))
            first = STUCK;
    }
    return first;
}

static enum outcome
run_phase(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    const uint32_t *order = thread_order(launch, resident);
    if (launch->kernel->exchanges)
        ck_cpu_run_exchanging(launch, resident, order);
    else if (!resident->phase)
        run_phase_threads(launch, resident, order, true);
    else if (order)
        run_phase_threads(launch, resident, order, false);
    else
        run_phase_threads(launch, resident, NULL, false);
    resident->phase++;
    return outcome_of_all(launch, resident);
}

/* Runs a block to its end, to a grid barrier, or to a failure, which is recorded. */
static enum outcome
advance(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    enum outcome outcome = run_phase(launch, resident);
    while (outcome == AT_BLOCK_BARRIER && !is_stopped(launch))
        outcome = run_phase(launch, resident);
    /* A thread that failed an assertion has finished: that is not the barrier's fault. */
    if (outcome == STUCK && !is_stopped(launch))
        ck_cpu_report_stuck(launch, &resident, 1, false);
    if (outcome == INVALID)
        ck_cpu_record(launch, CK_ERROR_INTERNAL, "`%s` waits at a barrier that its image lacks",
                      launch->desc->name);
    return outcome;
}

void
ck_cpu_run_block(void *opaque, uint32_t worker)
{
    struct ck_cpu_launch *launch = opaque;
    struct ck_cpu_resident *resident = ck_cpu_region(launch, worker);
    uint64_t begin, end;
    while (take_blocks(launch, &begin, &end)) {
        for (uint64_t i = begin; i < end && !is_stopped(launch); i++) {
            ck_cpu_resident_init(launch, resident, block_at(launch, 0, i));
            if (advance(launch, resident) == AT_GRID_BARRIER)
                ck_cpu_record(launch, CK_ERROR_INTERNAL,
                              "`%s` waits for its grid and is not marked cooperative",
                              launch->desc->name);
        }
    }
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

/* Run by the last worker to arrive, while the others wait. */
static void
judge(struct ck_cpu_launch *launch)
{
    uint64_t finished = 0, waiting = 0;
    for (uint32_t i = 0; i < launch->n_workers; i++) {
        finished += launch->tallies[i].finished;
        waiting += launch->tallies[i].waiting;
    }
    if (!is_stopped(launch) && finished && waiting)
        report_grid(launch);
    launch->over = is_stopped(launch) || !waiting;
}

/* Tells the core that this is a waiting loop. */
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
    for (uint32_t i = 0; i < launch->spin; i++) {
        if (atomic_load_explicit(&launch->generation, memory_order_acquire) != generation)
            return;
        relax();
    }
    atomic_fetch_add(&launch->sleepers, 1);
    while (atomic_load(&launch->generation) == generation)
        syscall(SYS_futex, &launch->generation, FUTEX_WAIT_PRIVATE, generation, NULL, NULL, 0);
    atomic_fetch_sub(&launch->sleepers, 1);
}

/* The grid barrier of the host threads. What each did before is visible to all after it: arriving
 * releases and the last one acquires; it then releases by the generation, which the others acquire.
 * False if no phase follows. */
static bool
meet(struct ck_cpu_launch *launch)
{
    unsigned generation = atomic_load_explicit(&launch->generation, memory_order_relaxed);
    if (atomic_fetch_add(&launch->arrived, 1) + 1 < launch->n_workers) {
        wait_for_generation(launch, generation);
        return !launch->over;
    }
    judge(launch);
    bool over = launch->over;
    atomic_store_explicit(&launch->arrived, 0, memory_order_relaxed);
    /* A sleeper announces itself before it looks at the generation, so one of the two sees the
     * other. */
    atomic_store(&launch->generation, generation + 1);
    if (atomic_load(&launch->sleepers))
        syscall(SYS_futex, &launch->generation, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    return !over;
}

/* Runs the worker's share of a phase of the grid. */
static void
run_share(struct ck_cpu_launch *launch, uint32_t worker, uint64_t phase)
{
    uint64_t begin = launch->blocks * worker / launch->n_workers;
    uint64_t end = launch->blocks * (worker + 1) / launch->n_workers;
    struct ck_cpu_tally tally = {0};
    for (uint64_t i = begin; i < end && !is_stopped(launch); i++) {
        uint64_t index = block_at(launch, phase, i);
        struct ck_cpu_resident *resident = ck_cpu_region(launch, index);
        if (!phase)
            ck_cpu_resident_init(launch, resident, index);
        if (advance(launch, resident) == FINISHED)
            tally.finished++;
        else
            tally.waiting++;
    }
    launch->tallies[worker] = tally;
}

void
ck_cpu_run_grid(void *opaque, uint32_t worker)
{
    struct ck_cpu_launch *launch = opaque;
    uint64_t phase = 0;
    do
        run_share(launch, worker, phase++);
    while (meet(launch));
}
