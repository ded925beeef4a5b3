/* Barriers of groups of a block's threads in several warps, and the block's split barrier.
 *
 * A group's barrier is passed when as many threads as the group has wait with its key, at whatever
 * places. The split barrier is passed when every thread has arrived as often as the one that waits.
 * Threads that arrive twice without waiting, wait for what is no longer theirs to wait for, or
 * leave without waiting are failures: a GPU would go on wrongly, or hang. */
#include "runtime/cpu/cpu.h"

struct members {
    struct ck_cpu_launch *launch;
    struct ck_cpu_resident *resident;
};

static struct ck_cpu_exchange *
exchange_of(const struct members *m, uint32_t rank)
{
    return ck_cpu_exchange_of(m->launch, m->resident, rank);
}

static enum ck_exchange_op
op_of(const struct members *m, uint32_t rank)
{
    const uint32_t where = m->resident->where[rank];
    if (!where || where > m->launch->image->n_barriers)
        return CK_EXCHANGE_NONE;
    return m->launch->image->barriers[where - 1].op;
}

/* --- Groups ------------------------------------------------------------------------------------
 */

static bool
answer_groups(const struct members *m)
{
    uint16_t waiting[CK_CPU_GROUP_KEYS] = {0};
    bool any = false;
    for (uint32_t rank = 0; rank < m->launch->threads; rank++) {
        if (op_of(m, rank) == CK_EXCHANGE_GROUP)
            waiting[exchange_of(m, rank)->mask % CK_CPU_GROUP_KEYS]++;
    }
    for (uint32_t rank = 0; rank < m->launch->threads; rank++) {
        const struct ck_cpu_exchange *exchange = exchange_of(m, rank);
        if (op_of(m, rank) == CK_EXCHANGE_GROUP &&
            waiting[exchange->mask % CK_CPU_GROUP_KEYS] == exchange->lane) {
            m->resident->where[rank] = CK_CPU_READY;
            any = true;
        }
    }
    return any;
}

/* --- Parts of a block --------------------------------------------------------------------------
 */

/* A thread's place in its part, see lang/prelude/part.ck: the lanes of its warp, the leader of the
 * next warp, that of the first. */
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

/* Whether all lanes that this one leads wait at its place, of the part that begins with `first`. */
static bool
lanes_wait(const struct members *m, uint32_t leader, uint32_t first)
{
    const uint64_t place = exchange_of(m, leader)->value;
    if (op_of(m, leader) != CK_EXCHANGE_PART || first_of(place) != first)
        return false;
    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t rank = (leader & ~31u) + i;
        if ((place >> i & 1) && (rank >= m->launch->threads || op_of(m, rank) != CK_EXCHANGE_PART ||
                                 exchange_of(m, rank)->value != place))
            return false;
    }
    return true;
}

/* Whether as many threads as the part has wait for it. While its first waits for this part, who
 * waits for that thread does so in this part, too. */
static bool
is_complete(const struct members *m, uint32_t first)
{
    uint32_t threads = 0;
    uint32_t leader = first, next = first;
    do {
        leader = next;
        if (!lanes_wait(m, leader, first))
            return false;
        const uint64_t place = exchange_of(m, leader)->value;
        threads += (uint32_t)__builtin_popcount((uint32_t)place);
        next = next_of(place);
    } while (next > leader);
    return threads == exchange_of(m, first)->lane;
}

static void
pass(const struct members *m, uint32_t first)
{
    uint32_t leader = first, next = first;
    do {
        leader = next;
        const uint64_t place = exchange_of(m, leader)->value;
        for (uint32_t i = 0; i < 32; i++) {
            if (place >> i & 1)
                m->resident->where[(leader & ~31u) + i] = CK_CPU_READY;
        }
        next = next_of(place);
    } while (next > leader);
}

static bool
answer_parts(const struct members *m)
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

/* --- The split barrier -------------------------------------------------------------------------
 */

static void
report(const struct members *m, uint32_t rank, uint32_t site, const char *what)
{
    ck_cpu_record_at(m->launch, m->resident, rank, site, what);
}

/* True, reported, if the thread misuses the barrier. */
static bool
is_misused(const struct members *m, uint32_t rank)
{
    const struct ck_cpu_exchange *exchange = exchange_of(m, rank);
    const uint32_t where = m->resident->where[rank];
    const enum ck_exchange_op op = op_of(m, rank);
    if (!where && exchange->arrived != exchange->passed)
        report(m, rank, exchange->site, "has finished without waiting for what it arrived at");
    else if (op == CK_EXCHANGE_ARRIVE)
        report(m, rank, where, "arrives again without having waited");
    else if (op == CK_EXCHANGE_WAIT && exchange->passed == exchange->mask)
        report(m, rank, where, "has waited for this arrival before");
    else if (op == CK_EXCHANGE_WAIT && exchange->arrived != exchange->mask)
        report(m, rank, where, "waits for an arrival that is not its last");
    else
        return false;
    return true;
}

static bool
answer_waits(const struct members *m)
{
    uint32_t all = UINT32_MAX;
    bool waits = false, any = false;
    for (uint32_t rank = 0; rank < m->launch->threads; rank++) {
        const struct ck_cpu_exchange *exchange = exchange_of(m, rank);
        if (is_misused(m, rank))
            return false;
        all = exchange->arrived < all ? exchange->arrived : all;
        waits = waits || op_of(m, rank) == CK_EXCHANGE_WAIT;
    }
    for (uint32_t rank = 0; waits && rank < m->launch->threads; rank++) {
        struct ck_cpu_exchange *exchange = exchange_of(m, rank);
        if (op_of(m, rank) == CK_EXCHANGE_WAIT && exchange->mask <= all) {
            exchange->passed = exchange->mask;
            m->resident->where[rank] = CK_CPU_READY;
            any = true;
        }
    }
    return any;
}

bool
ck_cpu_answer_groups(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    const struct members m = {launch, resident};
    bool any = answer_groups(&m);
    any = answer_parts(&m) || any;
    return answer_waits(&m) || any;
}
