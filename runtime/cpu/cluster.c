/* Clusters. One host thread runs the blocks of a cluster alternately, from barrier to barrier, and
 * their shared memory lives until all of them have finished, so that each block can access that of
 * the others. A launch without clusters has clusters of one block.
 *
 * The barrier of a cluster completes when each of its threads has arrived: at the barrier itself,
 * or earlier by ck_cpu_cluster_arrive. */
#include <string.h>

#include "runtime/cpu/report.h"

uint64_t
ck_cpu_cluster_of(const struct ck_cpu_launch *launch, uint64_t block)
{
    const ck_dim3 b = ck_cpu_block_idx(launch, block), size = launch->cluster;
    const uint64_t nx = launch->grid.x / size.x, ny = launch->grid.y / size.y;
    return b.x / size.x + nx * (b.y / size.y + ny * (b.z / size.z));
}

uint64_t
ck_cpu_cluster_block(const struct ck_cpu_launch *launch, uint64_t index, uint32_t rank)
{
    const ck_dim3 grid = launch->grid, size = launch->cluster;
    if (launch->cluster_blocks == 1)
        return index; /* spares short blocks eight divisions, 8 % of saxpy's time */
    uint64_t nx = grid.x / size.x, ny = grid.y / size.y;
    uint64_t x = index % nx * size.x + rank % size.x;
    uint64_t y = index / nx % ny * size.y + rank / size.x % size.y;
    uint64_t z = index / nx / ny * size.z + rank / size.x / size.y;
    return x + grid.x * (y + grid.y * z);
}

uint32_t
ck_cpu_cluster_order(const struct ck_cpu_launch *launch, uint64_t key, uint32_t i)
{
    switch (launch->schedule) {
    case CK_SCHEDULE_REVERSE:
        return launch->cluster_blocks - 1 - i;
    case CK_SCHEDULE_RANDOM:
        return (uint32_t)ck_permute(i, launch->cluster_blocks, ck_mix(launch->seed, key));
    default:
        return i;
    }
}

void
ck_cpu_cluster_init(struct ck_cpu_launch *launch, struct ck_cpu_resident **blocks, uint64_t index)
{
    const ck_dim3 size = launch->cluster;
    for (uint32_t rank = 0; rank < launch->cluster_blocks; rank++) {
        struct ck_cpu_block *block = &blocks[rank]->block;
        ck_cpu_resident_init(launch, blocks[rank], ck_cpu_cluster_block(launch, index, rank));
        block->cluster_dim[0] = size.x;
        block->cluster_dim[1] = size.y;
        block->cluster_dim[2] = size.z;
        block->idx_in_cluster[0] = rank % size.x;
        block->idx_in_cluster[1] = rank / size.x % size.y;
        block->idx_in_cluster[2] = rank / size.x / size.y;
        block->rank_in_cluster = rank;
        block->cluster_blocks = launch->cluster_blocks;
        block->cluster_shared = blocks[0]->shared;
        blocks[0]->shared[rank] = block->shared;
    }
}

/* --- The barrier ---------------------------------------------------------------------------------
 */

bool
ck_cpu_cluster_passed(const struct ck_cpu_launch *launch, const struct ck_cpu_resident *resident,
                      uint32_t rank)
{
    return launch->kernel->waits_for_cluster && resident->arrivals[rank] == CK_CPU_ALL_ARRIVED &&
           (ck_cpu_is_at(launch, resident, rank, CK_BARRIER_CLUSTER) ||
            ck_cpu_is_at(launch, resident, rank, CK_BARRIER_CLUSTER_WAIT));
}

/* Marks the threads that wait at the barrier as arrived. If one of them had already arrived,
 * records a failure and returns false. */
static bool
arrive_by_waiting(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    for (uint32_t rank = 0; rank < launch->threads; rank++) {
        if (!ck_cpu_is_at(launch, resident, rank, CK_BARRIER_CLUSTER))
            continue;
        if (resident->arrivals[rank]) {
            ck_cpu_report_misuse(launch, resident, rank, CK_CPU_BARRIER_BEFORE_WAIT,
                                 ck_cpu_where(resident, rank), resident->split_arrivals[rank].site);
            return false;
        }
        resident->arrivals[rank] = CK_CPU_ARRIVED;
    }
    return true;
}

static bool
all_have_arrived(const struct ck_cpu_launch *launch, struct ck_cpu_resident *const *blocks)
{
    for (uint32_t i = 0; i < launch->cluster_blocks; i++) {
        for (uint32_t rank = 0; rank < launch->threads; rank++) {
            if (blocks[i]->arrivals[rank] != CK_CPU_ARRIVED)
                return false;
        }
    }
    return true;
}

/* Whether every thread has arrived or waits at the barrier. */
static bool
all_are_at_barrier(const struct ck_cpu_launch *launch, struct ck_cpu_resident *const *blocks)
{
    for (uint32_t i = 0; i < launch->cluster_blocks; i++) {
        for (uint32_t rank = 0; rank < launch->threads; rank++) {
            if (blocks[i]->arrivals[rank] != CK_CPU_ARRIVED &&
                !ck_cpu_is_at(launch, blocks[i], rank, CK_BARRIER_CLUSTER))
                return false;
        }
    }
    return true;
}

static bool
any_spins(const struct ck_cpu_launch *launch, struct ck_cpu_resident *const *blocks)
{
    bool any = false;
    for (uint32_t i = 0; i < launch->cluster_blocks; i++)
        any = any || blocks[i]->outcome == CK_CPU_SPINNING;
    return any;
}

/* Completes the barrier if all threads have arrived; otherwise no block can run, so its threads are
 * blocked for ever: reports a deadlock. Returns false if no thread continues. */
static bool
pass(struct ck_cpu_launch *launch, struct ck_cpu_resident **blocks)
{
    bool any = false;
    /* While some threads spin, the others may still arrive. */
    if (any_spins(launch, blocks) &&
        (!launch->kernel->waits_for_cluster || !all_are_at_barrier(launch, blocks)))
        return false;
    for (uint32_t i = 0; i < launch->cluster_blocks; i++) {
        if (blocks[i]->outcome != CK_CPU_AT_CLUSTER_BARRIER &&
            blocks[i]->outcome != CK_CPU_SPINNING)
            continue;
        any = true;
        blocks[i]->runs = true;
        if (!arrive_by_waiting(launch, blocks[i]))
            return false;
    }
    if (!any)
        return false;
    if (!all_have_arrived(launch, blocks)) {
        ck_cpu_report_stuck(launch, blocks, launch->cluster_blocks, false);
        return false;
    }
    for (uint32_t i = 0; i < launch->cluster_blocks; i++)
        memset(blocks[i]->arrivals, CK_CPU_ALL_ARRIVED, launch->threads);
    return true;
}

/* Reports a thread that ended between its arrival and its wait. */
static void
report_missing_wait(struct ck_cpu_launch *launch, const struct ck_cpu_resident *resident)
{
    for (uint32_t rank = 0; rank < launch->threads; rank++) {
        if (resident->arrivals[rank] == CK_CPU_NOT_ARRIVED)
            continue;
        ck_cpu_report_misuse(launch, resident, rank, CK_CPU_NEVER_WAITED, 0,
                             resident->split_arrivals[rank].site);
        return;
    }
}

void
ck_cpu_cluster_advance(struct ck_cpu_launch *launch, struct ck_cpu_resident **blocks, uint64_t key)
{
    do {
        for (uint32_t i = 0; i < launch->cluster_blocks; i++) {
            struct ck_cpu_resident *resident = blocks[ck_cpu_cluster_order(launch, key, i)];
            if (!resident->runs)
                continue;
            if (ck_cpu_is_stopped(launch))
                return;
            resident->runs = false;
            resident->outcome = ck_cpu_advance(launch, resident);
        }
        key = ck_mix(key, 1);
    } while (!ck_cpu_is_stopped(launch) && pass(launch, blocks));
    for (uint32_t i = 0; i < launch->cluster_blocks && launch->kernel->waits_for_cluster; i++) {
        if (blocks[i]->outcome == CK_CPU_FINISHED && !ck_cpu_is_stopped(launch))
            report_missing_wait(launch, blocks[i]);
    }
}

/* --- What host code calls ------------------------------------------------------------------------
 */

/* A block is the first member of its region. */
uint64_t
ck_cpu_cluster_arrive(struct ck_cpu_block *block, uint32_t site)
{
    struct ck_cpu_resident *resident = (struct ck_cpu_resident *)block;
    struct ck_cpu_arrivals *split = &resident->split_arrivals[block->rank];
    uint8_t *arrival = &resident->arrivals[block->rank];
    if (*arrival != CK_CPU_NOT_ARRIVED)
        ck_cpu_report_misuse(block->launch, resident, block->rank, CK_CPU_BARRIER_BEFORE_WAIT, site,
                             split->site);
    *arrival = CK_CPU_ARRIVED;
    split->site = site;
    return ++split->count;
}

void
ck_cpu_cluster_wait(struct ck_cpu_block *block, uint64_t token, uint32_t site)
{
    const struct ck_cpu_resident *resident = (struct ck_cpu_resident *)block;
    const struct ck_cpu_arrivals *split = &resident->split_arrivals[block->rank];
    const bool is_open = resident->arrivals[block->rank] != CK_CPU_NOT_ARRIVED;
    if (!is_open || token != split->count)
        ck_cpu_report_misuse(block->launch, resident, block->rank,
                             token == split->count ? CK_CPU_USED_TOKEN : CK_CPU_OLD_TOKEN, site,
                             split->site);
}

uint64_t
ck_cpu_cluster_rank(struct ck_cpu_block *block, const char *address)
{
    const struct ck_cpu_launch *launch = block->launch;
    const size_t size = launch->layout.frames_offset - launch->layout.shared_offset;
    for (uint32_t rank = 0; rank < block->cluster_blocks; rank++) {
        uintptr_t offset = (uintptr_t)address - (uintptr_t)block->cluster_shared[rank];
        if (offset < size)
            return rank;
    }
    return 0;
}
