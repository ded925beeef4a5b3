/* Kernels whose threads wait for other threads to change memory: spin loops and nanosleep.
 *
 * One host thread runs all blocks. A thread that is about to execute another iteration of a spin
 * loop is suspended. It runs again after a *pass*, in which every other thread of the blocks that
 * have begun could run once. Further blocks begin, in order of index, when all threads of the
 * earlier ones only spin. At most ck_cpu_spin_capacity clusters are in progress; schedules permute
 * within windows of that size, so that a block that waits for a block of lower index terminates.
 *
 * Livelock detection: if in many passes no thread ends or reaches a barrier, and then all frames
 * and all memory repeat contents that they had before while no thread read a clock, no thread can
 * ever continue: this is reported. The intervals between comparisons that find a change double. */
#include <stdlib.h>

#include "runtime/cpu/digest.h"
#include "runtime/cpu/report.h"

/* How many clusters begin at once in schedules other than by rank; how many passes and resumed
 * threads without a change precede the first comparison. */
enum { AT_ONCE = 16, IDLE_PASSES = 64, IDLE_THREADS = 1 << 21 };

/* A comparison reads this many bytes at most for each thread resumed before it. */
enum { BYTES_PER_THREAD = 8 };

/* Passes within which threads that cycle through several sites must repeat a state. */
enum { MAX_COMPARED_PASSES = 64 };

struct crew {
    struct ck_cpu_launch *launch;
    uint64_t *live;  /* slots of clusters that have begun and are not removed, in that order */
    uint64_t *index; /* [slot] of the cluster in the grid */
    uint64_t *idle;  /* slots that were used and are free */
    uint64_t n_live, n_idle, n_slots;
    uint64_t capacity, wanted; /* clusters: at most, and now */
    uint64_t next;             /* number of the next cluster to begin */
    uint64_t pass, grid_phase;
    uint64_t state, deep_state; /* digests: of the threads' sites; of sites, frames and memory */
    uint64_t idle_passes, idle_threads;
    uint64_t patience; /* resumed threads without a change that precede the next comparison */
    uint32_t compared; /* passes left to compare with deep_state; 0: it is not set */
};

uint64_t
ck_cpu_spin_capacity(const struct ck_cpu_launch *launch)
{
    uint64_t n = CK_CPU_MAX_RESIDENT_BYTES / launch->layout.region_bytes;
    if (n > CK_CPU_MAX_RESIDENT_THREADS / launch->threads)
        n = CK_CPU_MAX_RESIDENT_THREADS / launch->threads;
    n /= launch->cluster_blocks;
    return n > launch->clusters ? launch->clusters : n ? n : 1;
}

/* The blocks of a slot's cluster, by rank. */
static void
blocks_of(const struct crew *crew, uint64_t slot, struct ck_cpu_resident **out)
{
    const uint32_t n = crew->launch->cluster_blocks;
    for (uint32_t rank = 0; rank < n; rank++)
        out[rank] = ck_cpu_region(crew->launch, slot * n + rank);
}

/* --- Beginning and ending clusters -------------------------------------------------------------
 */

/* The index of the cluster that is begun as number `i`. */
static uint64_t
cluster_at(const struct crew *crew, uint64_t i)
{
    const struct ck_cpu_launch *launch = crew->launch;
    const uint64_t window = i / crew->capacity, base = window * crew->capacity;
    const uint64_t left = launch->clusters - base;
    const uint64_t n = left < crew->capacity ? left : crew->capacity;
    switch (launch->schedule) {
    case CK_SCHEDULE_REVERSE:
        return base + n - 1 - (i - base);
    case CK_SCHEDULE_RANDOM:
        return base + ck_permute(i - base, n, ck_mix(launch->seed, window));
    default:
        return i;
    }
}

static void
begin_cluster(struct crew *crew)
{
    struct ck_cpu_launch *launch = crew->launch;
    struct ck_cpu_resident *blocks[CK_MAX_CLUSTER];
    const bool is_new = !crew->n_idle;
    const uint64_t slot = is_new ? crew->n_slots++ : crew->idle[--crew->n_idle];
    blocks_of(crew, slot, blocks);
    for (uint32_t rank = 0; is_new && rank < launch->cluster_blocks; rank++, launch->n_regions++)
        blocks[rank]->copies = (struct ck_cpu_copies){0}, blocks[rank]->clocked = 0;
    crew->index[slot] = cluster_at(crew, crew->next++);
    ck_cpu_cluster_init(launch, blocks, crew->index[slot]);
    for (uint32_t rank = 0; launch->grid_slots && rank < launch->cluster_blocks; rank++)
        blocks[rank]->block.grid_slots = launch->grid_slots;
    crew->live[crew->n_live++] = slot;
}

/* Does nothing in a cooperative launch, whose report needs the finished blocks. */
static void
remove_finished(struct crew *crew)
{
    struct ck_cpu_resident *blocks[CK_MAX_CLUSTER];
    uint64_t kept = 0;
    for (uint64_t i = 0; i < crew->n_live; i++) {
        bool finished = true;
        blocks_of(crew, crew->live[i], blocks);
        for (uint32_t rank = 0; rank < crew->launch->cluster_blocks; rank++)
            finished = finished && blocks[rank]->outcome == CK_CPU_FINISHED;
        if (finished)
            crew->idle[crew->n_idle++] = crew->live[i];
        else
            crew->live[kept++] = crew->live[i];
    }
    crew->n_live = kept;
}

/* --- A pass over the clusters that have begun
 * -----------------------------------------------------------
 */

static void
run_cluster(struct crew *crew, uint64_t slot)
{
    struct ck_cpu_resident *blocks[CK_MAX_CLUSTER];
    blocks_of(crew, slot, blocks);
    for (uint32_t rank = 0; rank < crew->launch->cluster_blocks; rank++) {
        const struct ck_cpu_resident *block = blocks[rank];
        blocks[rank]->runs = !block->phase || (block->outcome != CK_CPU_FINISHED &&
                                               block->outcome != CK_CPU_AT_GRID_BARRIER);
    }
    ck_cpu_cluster_advance(crew->launch, blocks, ck_mix(crew->index[slot], crew->pass));
}

static void
run_pass(struct crew *crew)
{
    const struct ck_cpu_launch *launch = crew->launch;
    const uint64_t key = ck_mix(launch->seed, ~crew->pass);
    for (uint64_t i = 0; i < crew->n_live && !ck_cpu_is_stopped(crew->launch); i++) {
        const bool random = launch->schedule == CK_SCHEDULE_RANDOM;
        run_cluster(crew, crew->live[random ? ck_permute(i, crew->n_live, key) : i]);
    }
    crew->pass++;
}

/* --- What has changed --------------------------------------------------------------------------
 */

/* One number for all spin loops: a thread may alternate between several of them. */
static uint32_t
place_of(const struct ck_cpu_launch *launch, const struct ck_cpu_resident *block, uint32_t rank)
{
    return ck_cpu_is_at(launch, block, rank, CK_BARRIER_SPIN) ? UINT32_MAX
                                                              : ck_cpu_where(block, rank);
}

static uint64_t
digest(const struct crew *crew, bool with_memory)
{
    const struct ck_cpu_launch *launch = crew->launch;
    struct ck_cpu_resident *blocks[CK_MAX_CLUSTER];
    uint64_t key = crew->next;
    for (uint64_t i = 0; i < crew->n_live; i++) {
        blocks_of(crew, crew->live[i], blocks);
        for (uint32_t b = 0; b < launch->cluster_blocks; b++) {
            key = ck_mix(key, blocks[b]->index);
            for (uint32_t rank = 0; rank < launch->threads; rank++)
                key = key * 0x100000001b3u ^ place_of(launch, blocks[b], rank);
            if (with_memory)
                key = ck_cpu_digest_block(launch, blocks[b], key);
        }
    }
    return with_memory ? ck_cpu_digest_arrays(launch, key) : key;
}

/* Whether a thread has read a clock since the last call. */
static bool
take_clock_reads(const struct crew *crew)
{
    struct ck_cpu_resident *blocks[CK_MAX_CLUSTER];
    bool any = false;
    for (uint64_t i = 0; i < crew->n_live; i++) {
        blocks_of(crew, crew->live[i], blocks);
        for (uint32_t b = 0; b < crew->launch->cluster_blocks; b++) {
            any = any || blocks[b]->block.clock_read;
            blocks[b]->block.clock_read = 0;
        }
    }
    return any;
}

/* --- When nothing changes ----------------------------------------------------------------------
 */

static int
compare_index(const void *a, const void *b)
{
    const uint64_t x = (*(struct ck_cpu_resident *const *)a)->index;
    const uint64_t y = (*(struct ck_cpu_resident *const *)b)->index;
    return (x > y) - (x < y);
}

static void
report(struct crew *crew, bool at_grid)
{
    struct ck_cpu_launch *launch = crew->launch;
    const uint32_t size = launch->cluster_blocks;
    struct ck_cpu_resident **all = calloc(crew->n_live * size, sizeof *all);
    if (!all) {
        ck_cpu_record(launch, CK_ERROR_MEMORY, "out of memory");
        return;
    }
    for (uint64_t i = 0; i < crew->n_live; i++)
        blocks_of(crew, crew->live[i], all + i * size);
    qsort(all, crew->n_live * size, sizeof *all, compare_index);
    if (at_grid)
        ck_cpu_report_stuck(launch, all, crew->n_live * size, true);
    else
        ck_cpu_report_spinning(launch, all, crew->n_live * size);
    free(all);
}

/* After a pass without a change: allows more clusters to begin, or detects a livelock. */
static void
handle_idle_pass(struct crew *crew)
{
    if (crew->next < crew->launch->clusters && crew->n_live < crew->capacity) {
        crew->wanted = crew->wanted < crew->capacity / 2 ? 2 * crew->wanted : crew->capacity;
        return;
    }
    crew->idle_passes++;
    crew->idle_threads += crew->n_live * crew->launch->cluster_blocks * crew->launch->threads;
    if (crew->idle_passes < IDLE_PASSES || crew->idle_threads < crew->patience)
        return;
    const uint64_t state = digest(crew, true);
    const bool clock_read = take_clock_reads(crew);
    if (!crew->compared) {
        crew->deep_state = state;
        crew->compared = MAX_COMPARED_PASSES;
    } else if (state == crew->deep_state && !clock_read) {
        report(crew, false);
    } else if (clock_read || !--crew->compared) {
        crew->compared = 0;
        crew->idle_passes = crew->idle_threads = 0;
        crew->patience *= 2;
    }
}

static void
check_progress(struct crew *crew)
{
    const uint64_t state = digest(crew, false);
    if (state == crew->state) {
        handle_idle_pass(crew);
        return;
    }
    crew->state = state;
    crew->compared = 0;
    crew->idle_passes = crew->idle_threads = 0;
}

/* --- The grid's barrier ------------------------------------------------------------------------
 */

/* Completes the barrier if every block waits at it. True if all blocks have finished. */
static bool
sync_grid(struct crew *crew)
{
    struct ck_cpu_launch *launch = crew->launch;
    uint64_t finished = 0, waiting = 0;
    for (uint64_t i = 0; i < launch->n_regions; i++) {
        finished += ck_cpu_region(launch, i)->outcome == CK_CPU_FINISHED;
        waiting += ck_cpu_region(launch, i)->outcome == CK_CPU_AT_GRID_BARRIER;
    }
    if (!waiting || finished + waiting < launch->blocks)
        return finished == launch->blocks;
    if (finished) {
        report(crew, true);
        return true;
    }
    crew->grid_phase++;
    for (uint64_t i = 0; i < launch->n_regions; i++) {
        struct ck_cpu_resident *block = ck_cpu_region(launch, i);
        block->block.grid_slots = launch->grid_slots + crew->grid_phase % 2 * launch->blocks;
        block->outcome = CK_CPU_AT_BLOCK_BARRIER; /* it continues */
    }
    return false;
}

/* --- The launch --------------------------------------------------------------------------------
 */

static void
run_all(struct crew *crew)
{
    struct ck_cpu_launch *launch = crew->launch;
    for (bool over = false; !over && !ck_cpu_is_stopped(launch);) {
        while (crew->n_live < crew->wanted && crew->next < launch->clusters)
            begin_cluster(crew);
        run_pass(crew);
        if (ck_cpu_is_stopped(launch))
            return;
        if (launch->grid_slots) {
            over = sync_grid(crew);
        } else {
            remove_finished(crew);
            over = !crew->n_live && crew->next == launch->clusters;
        }
        if (!over)
            check_progress(crew);
    }
}

void
ck_cpu_run_spinning(void *opaque, uint32_t worker)
{
    struct ck_cpu_launch *launch = opaque;
    struct crew crew = {.launch = launch, .capacity = ck_cpu_spin_capacity(launch)};
    uint64_t *memory = calloc(crew.capacity, 3 * sizeof *memory);
    if (!memory) {
        ck_cpu_record(launch, CK_ERROR_MEMORY, "out of memory");
        return;
    }
    crew.live = memory;
    crew.index = memory + crew.capacity;
    crew.idle = memory + 2 * crew.capacity;
    crew.patience = ck_cpu_digest_size(launch) / BYTES_PER_THREAD;
    if (crew.patience < IDLE_THREADS)
        crew.patience = IDLE_THREADS;
    crew.wanted = launch->schedule == CK_SCHEDULE_SEQ ? 1 : AT_ONCE;
    if (launch->grid_slots || crew.wanted > crew.capacity)
        crew.wanted = crew.capacity;
    run_all(&crew);
    free(memory);
}
