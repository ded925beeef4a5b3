/* Barriers of groups that span several warps, and the block's split-phase barrier.
 *
 * The barrier of a group of n threads completes when n threads wait with its key, at any sites. The
 * wait of a split-phase barrier completes when every thread has arrived as often as the waiting
 * thread. It is a failure if a thread arrives twice without waiting, waits with a token that is not
 * its last one, or ends without waiting: a GPU would compute wrong results or hang. */
#include "runtime/cpu/race.h"
#include "runtime/cpu/report.h"

struct members {
    struct ck_cpu_launch *launch;
    struct ck_cpu_resident *resident;
};

static struct ck_cpu_collective *
collective_of(const struct members *m, uint32_t rank)
{
    return ck_cpu_collective_of(m->launch, m->resident, rank);
}

static enum ck_collective_op
op_of(const struct members *m, uint32_t rank)
{
    const uint32_t where = m->resident->where[rank];
    if (!where || where > m->launch->image->n_barriers)
        return CK_COLLECTIVE_NONE;
    return m->launch->image->barriers[where - 1].op;
}

/* --- Groups ------------------------------------------------------------------------------------
 */

/* Orders the accesses of the threads that wait with a key. */
static void
sync_group(const struct members *m, uint32_t key)
{
    uint32_t ranks[CK_MAX_BLOCK_THREADS], n = 0;
    for (uint32_t rank = 0; rank < m->launch->threads; rank++) {
        if (op_of(m, rank) == CK_COLLECTIVE_GROUP &&
            collective_of(m, rank)->mask % CK_CPU_GROUP_KEYS == key)
            ranks[n++] = rank;
    }
    ck_races_sync(m->launch->races, m->resident, ranks, n);
}

static bool
complete_groups(const struct members *m)
{
    uint16_t waiting[CK_CPU_GROUP_KEYS] = {0};
    bool any_of[CK_CPU_GROUP_KEYS] = {false};
    bool any = false;
    for (uint32_t rank = 0; rank < m->launch->threads; rank++) {
        if (op_of(m, rank) == CK_COLLECTIVE_GROUP)
            waiting[collective_of(m, rank)->mask % CK_CPU_GROUP_KEYS]++;
    }
    for (uint32_t rank = 0; rank < m->launch->threads; rank++) {
        const struct ck_cpu_collective *collective = collective_of(m, rank);
        if (op_of(m, rank) == CK_COLLECTIVE_GROUP &&
            waiting[collective->mask % CK_CPU_GROUP_KEYS] == collective->lane) {
            if (m->launch->races && !any_of[collective->mask % CK_CPU_GROUP_KEYS])
                sync_group(m, collective->mask % CK_CPU_GROUP_KEYS);
            any_of[collective->mask % CK_CPU_GROUP_KEYS] = true;
            m->resident->where[rank] = CK_CPU_READY;
            any = true;
        }
    }
    return any;
}

/* --- Partitions of a block ---------------------------------------------------------------------
 */

/* A thread's place in its partition (lang/prelude/part.ck): the lanes of its warp, the leader in
 * the next warp, the leader in the first warp. */
static uint32_t
next_of(uint64_t place)
{
    return place >> 32 & 1023;
}

static uint32_t
first_of(uint64_t place)
{
    return place >> 42 & 1023;
}

/* Whether all lanes that `leader` leads wait with its place, in the partition that begins with
 * `first`. */
static bool
lanes_wait(const struct members *m, uint32_t leader, uint32_t first)
{
    const uint64_t place = collective_of(m, leader)->value;
    if (op_of(m, leader) != CK_COLLECTIVE_PARTITION || first_of(place) != first)
        return false;
    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t rank = (leader & ~31u) + i;
        if ((place >> i & 1) &&
            (rank >= m->launch->threads || op_of(m, rank) != CK_COLLECTIVE_PARTITION ||
             collective_of(m, rank)->value != place))
            return false;
    }
    return true;
}

/* Whether all threads of the partition wait. `first` waits in one partition only, so every thread
 * that names it as its first waits in the same one. */
static bool
is_complete(const struct members *m, uint32_t first)
{
    uint32_t threads = 0;
    uint32_t leader = first, next = first;
    do {
        leader = next;
        if (!lanes_wait(m, leader, first))
            return false;
        const uint64_t place = collective_of(m, leader)->value;
        threads += (uint32_t)__builtin_popcount((uint32_t)place);
        next = next_of(place);
    } while (next > leader);
    return threads == collective_of(m, first)->lane;
}

static void
pass(const struct members *m, uint32_t first)
{
    uint32_t leader = first, next = first, ranks[CK_MAX_BLOCK_THREADS], n = 0;
    do {
        leader = next;
        const uint64_t place = collective_of(m, leader)->value;
        for (uint32_t i = 0; i < 32; i++) {
            if (!(place >> i & 1))
                continue;
            ranks[n++] = (leader & ~31u) + i;
            m->resident->where[ranks[n - 1]] = CK_CPU_READY;
        }
        next = next_of(place);
    } while (next > leader);
    if (m->launch->races)
        ck_races_sync(m->launch->races, m->resident, ranks, n);
}

static bool
complete_partitions(const struct members *m)
{
    bool any = false;
    for (uint32_t rank = 0; rank < m->launch->threads; rank++) {
        if (is_complete(m, rank)) {
            pass(m, rank);
            any = true;
        }
    }
    return any;
}

/* --- The split-phase barrier
 * -------------------------------------------------------------------------
 */

/* Reports a misuse of the barrier by the thread. Returns whether there was one. */
static bool
is_misused(const struct members *m, uint32_t rank)
{
    const struct ck_cpu_collective *collective = collective_of(m, rank);
    const uint32_t where = m->resident->where[rank];
    const enum ck_collective_op op = op_of(m, rank);
    enum ck_cpu_misuse what;
    if (!where && collective->arrived != collective->passed)
        what = CK_CPU_NEVER_WAITED;
    else if (op == CK_COLLECTIVE_ARRIVE)
        what = CK_CPU_BARRIER_BEFORE_WAIT;
    else if (op == CK_COLLECTIVE_WAIT && collective->passed == collective->mask)
        what = CK_CPU_USED_TOKEN;
    else if (op == CK_COLLECTIVE_WAIT && collective->arrived != collective->mask)
        what = CK_CPU_OLD_TOKEN;
    else
        return false;
    ck_cpu_report_misuse(m->launch, m->resident, rank, what, where, collective->site);
    return true;
}

static bool
complete_waits(const struct members *m)
{
    uint32_t all = UINT32_MAX;
    bool waits = false, any = false;
    for (uint32_t rank = 0; rank < m->launch->threads; rank++) {
        const struct ck_cpu_collective *collective = collective_of(m, rank);
        if (is_misused(m, rank))
            return false;
        all = collective->arrived < all ? collective->arrived : all;
        waits = waits || op_of(m, rank) == CK_COLLECTIVE_WAIT;
    }
    for (uint32_t rank = 0; waits && rank < m->launch->threads; rank++) {
        struct ck_cpu_collective *collective = collective_of(m, rank);
        if (op_of(m, rank) == CK_COLLECTIVE_WAIT && collective->mask <= all) {
            collective->passed = collective->mask;
            m->resident->where[rank] = CK_CPU_READY;
            any = true;
        }
    }
    return any;
}

bool
ck_cpu_complete_groups(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    const struct members m = {launch, resident};
    bool any = complete_groups(&m);
    any = complete_partitions(&m) || any;
    return complete_waits(&m) || any;
}
