/* Collectives of a warp (shuffles, votes, matches) and of a block (barriers that count).
 *
 * A warp is 32 threads of a block in order of rank. The executor completes an operation of a warp
 * when every thread of its mask waits at the same operation with the same mask; threads that have
 * finished, and lanes of a partial warp that have no thread, do not count. It completes
 * `activemask` when no thread of the warp can run: the mask is the threads that wait at the same
 * site. Results therefore do not depend on the order in which threads run. A shuffle from a lane
 * that is not in the mask, or whose thread has finished, is a failure: on a GPU its value is
 * undefined. */
#include "runtime/cpu/race.h"
#include "runtime/cpu/report.h"

enum { LANES = CK_WARP_SIZE };

/* The threads of a warp at an operation; `group` is the mask of those that execute it. */
struct warp {
    struct ck_cpu_launch *launch;
    const struct ck_cpu_resident *resident;
    uint32_t base; /* the rank of its first thread */
    struct ck_cpu_collective *threads[LANES];
    uint32_t *where;
    uint32_t n;
    uint32_t group;
};

typedef uint64_t op_fn(const struct warp *warp, uint32_t lane);

static bool
has_lane(uint32_t mask, uint32_t lane)
{
    return lane < LANES && (mask >> lane & 1);
}

/* --- The result of each operation
 * -----------------------------------------------------------------
 */

static void
report_shuffle(const struct warp *warp, uint32_t lane, uint32_t from, bool has_ended)
{
    const struct ck_cpu_fault fault = {
        .resident = warp->resident,
        .rank = warp->base + lane,
        .site = warp->where[lane],
        .help = has_ended ? "let the thread of that lane execute the operation before it ends"
                          : "name the lane in the mask, or read a lane that the mask names",
    };
    ck_cpu_report_fault(warp->launch, &fault, "`%s` reads the value of lane %u, %s",
                        warp->launch->image->barriers[fault.site - 1].what, from,
                        has_ended ? "whose thread has ended" : "which is not in its mask");
}

/* The value of a lane. A lane outside the warp, or without a thread, returns the own value. */
static uint64_t
value_from(const struct warp *warp, uint32_t own, uint32_t lane)
{
    if (lane < LANES && !has_lane(warp->threads[own]->mask, lane))
        report_shuffle(warp, own, lane, false);
    else if (lane < warp->n && !has_lane(warp->group, lane))
        report_shuffle(warp, own, lane, true);
    return warp->threads[has_lane(warp->group, lane) ? lane : own]->value;
}

/* As in PTX, only the low five bits of the operand are used. */
static uint32_t
operand(const struct warp *warp, uint32_t lane)
{
    return warp->threads[lane]->lane % LANES;
}

static uint64_t
give_nothing(const struct warp *warp, uint32_t lane)
{
    return 0;
}

static uint64_t
shuffle(const struct warp *warp, uint32_t lane)
{
    return value_from(warp, lane, operand(warp, lane));
}

/* Below lane 0 the difference wraps to more than any lane. */
static uint64_t
shuffle_up(const struct warp *warp, uint32_t lane)
{
    return value_from(warp, lane, lane - operand(warp, lane));
}

static uint64_t
shuffle_down(const struct warp *warp, uint32_t lane)
{
    return value_from(warp, lane, lane + operand(warp, lane));
}

static uint64_t
shuffle_xor(const struct warp *warp, uint32_t lane)
{
    return value_from(warp, lane, lane ^ operand(warp, lane));
}

/* The lanes whose value is this one. */
static uint64_t
lanes_with(const struct warp *warp, uint64_t value)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < warp->n; i++) {
        if (has_lane(warp->group, i) && warp->threads[i]->value == value)
            lanes |= UINT32_C(1) << i;
    }
    return lanes;
}

static uint64_t
ballot(const struct warp *warp, uint32_t lane)
{
    return lanes_with(warp, 1);
}

static uint64_t
vote_all(const struct warp *warp, uint32_t lane)
{
    return ballot(warp, lane) == warp->group;
}

static uint64_t
vote_any(const struct warp *warp, uint32_t lane)
{
    return ballot(warp, lane) != 0;
}

static uint64_t
match_any(const struct warp *warp, uint32_t lane)
{
    return lanes_with(warp, warp->threads[lane]->value);
}

static uint64_t
match_all(const struct warp *warp, uint32_t lane)
{
    return match_any(warp, lane) == warp->group ? warp->group : 0;
}

static uint64_t
vote_equal(const struct warp *warp, uint32_t lane)
{
    return match_any(warp, lane) == warp->group;
}

static uint64_t
active(const struct warp *warp, uint32_t lane)
{
    return warp->group;
}

static op_fn *const ops[] = {
    [CK_COLLECTIVE_SYNC] = give_nothing,    [CK_COLLECTIVE_SHFL] = shuffle,
    [CK_COLLECTIVE_SHFL_UP] = shuffle_up,   [CK_COLLECTIVE_SHFL_DOWN] = shuffle_down,
    [CK_COLLECTIVE_SHFL_XOR] = shuffle_xor, [CK_COLLECTIVE_ALL] = vote_all,
    [CK_COLLECTIVE_ANY] = vote_any,         [CK_COLLECTIVE_EQ] = vote_equal,
    [CK_COLLECTIVE_BALLOT] = ballot,        [CK_COLLECTIVE_MATCH_ANY] = match_any,
    [CK_COLLECTIVE_MATCH_ALL] = match_all,  [CK_COLLECTIVE_ACTIVE] = active,
};

/* --- Operations of a warp ----------------------------------------------------------------------
 */

static enum ck_collective_op
op_at(const struct ck_cpu_launch *launch, uint32_t where)
{
    if (!where || where > launch->image->n_barriers)
        return CK_COLLECTIVE_NONE;
    return launch->image->barriers[where - 1].op;
}

static void
sync_races(const struct warp *warp)
{
    uint32_t ranks[LANES], n = 0;
    for (uint32_t i = 0; i < warp->n; i++) {
        if (has_lane(warp->group, i))
            ranks[n++] = warp->base + i;
    }
    ck_races_sync(warp->launch->races, warp->resident, ranks, n);
}

/* Stores the results of the group's threads and makes them ready. */
static void
complete(const struct warp *warp, enum ck_collective_op op)
{
    uint64_t results[LANES];
    if (op == CK_COLLECTIVE_SYNC && warp->launch->races)
        sync_races(warp);
    for (uint32_t i = 0; i < warp->n; i++) {
        if (has_lane(warp->group, i))
            results[i] = ops[op](warp, i);
    }
    for (uint32_t i = 0; i < warp->n; i++) {
        if (has_lane(warp->group, i)) {
            warp->threads[i]->value = results[i];
            warp->where[i] = CK_CPU_READY;
        }
    }
}

/* Whether every thread of the group waits at this operation with the mask of `lane`. */
static bool
is_complete(const struct ck_cpu_launch *launch, const struct warp *warp, enum ck_collective_op op,
            uint32_t lane)
{
    for (uint32_t i = 0; i < warp->n; i++) {
        if (has_lane(warp->group, i) && (op_at(launch, warp->where[i]) != op ||
                                         warp->threads[i]->mask != warp->threads[lane]->mask))
            return false;
    }
    return has_lane(warp->group, lane);
}

static bool
is_of_warp(enum ck_collective_op op)
{
    return op > CK_COLLECTIVE_NONE && op < CK_COLLECTIVE_ACTIVE;
}

/* Completes the operations at which every thread of the mask waits. Returns false if it completed
 * none. */
static bool
complete_full(const struct ck_cpu_launch *launch, struct warp *warp)
{
    bool any = false;
    uint32_t live = 0;
    for (uint32_t i = 0; i < warp->n; i++)
        live |= (uint32_t)(warp->where[i] != 0) << i;
    for (uint32_t i = 0; i < warp->n; i++) {
        enum ck_collective_op op = op_at(launch, warp->where[i]);
        if (!is_of_warp(op))
            continue;
        warp->group = warp->threads[i]->mask & live;
        if (is_complete(launch, warp, op, i)) {
            complete(warp, op);
            any = true;
        }
    }
    return any;
}

static bool
complete_active(const struct ck_cpu_launch *launch, struct warp *warp)
{
    bool any = false;
    for (uint32_t i = 0; i < warp->n; i++) {
        const uint32_t where = warp->where[i];
        if (op_at(launch, where) != CK_COLLECTIVE_ACTIVE)
            continue;
        warp->group = 0;
        for (uint32_t j = i; j < warp->n; j++)
            warp->group |= (uint32_t)(warp->where[j] == where) << j;
        complete(warp, CK_COLLECTIVE_ACTIVE);
        any = true;
    }
    return any;
}

/* Completes operations of warps when every thread of the block waits or has finished. Returns false
 * if it completed none. */
static bool
complete_warps(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    bool any = false;
    for (uint32_t base = 0; base < launch->threads; base += LANES) {
        struct warp warp = {launch, resident, base, .where = resident->where + base};
        warp.n = launch->threads - base < LANES ? launch->threads - base : LANES;
        for (uint32_t i = 0; i < warp.n; i++)
            warp.threads[i] = ck_cpu_collective_of(launch, resident, base + i);
        any = complete_full(launch, &warp) || complete_active(launch, &warp) || any;
    }
    return any;
}

/* --- Barriers that count -----------------------------------------------------------------------
 */

static uint64_t
block_result(enum ck_collective_op op, uint64_t count, uint32_t threads)
{
    return op == CK_COLLECTIVE_BLOCK_COUNT ? count
           : op == CK_COLLECTIVE_BLOCK_AND ? count == threads
                                           : count != 0;
}

/* Completes the barrier at which the whole block waits. */
static void
complete_block(const struct ck_cpu_launch *launch, struct ck_cpu_resident *resident)
{
    enum ck_collective_op op = op_at(launch, resident->where[0]);
    uint64_t count = 0;
    for (uint32_t rank = 0; op && rank < launch->threads; rank++)
        count += ck_cpu_collective_of(launch, resident, rank)->value;
    for (uint32_t rank = 0; op && rank < launch->threads; rank++)
        ck_cpu_collective_of(launch, resident, rank)->value =
            block_result(op, count, launch->threads);
}

/* --- A phase -----------------------------------------------------------------------------------
 */

static void
run_ready(const struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
          const uint32_t *order, bool starting)
{
    for (uint32_t i = 0; i < launch->threads; i++) {
        uint32_t rank = order ? order[i] : i;
        if (resident->where[rank] != CK_CPU_READY)
            continue;
        struct ck_cpu_collective *collective = ck_cpu_collective_of(launch, resident, rank);
        resident->block.collective = starting ? (struct ck_cpu_collective){0} : *collective;
        resident->where[rank] = ck_cpu_run_thread(launch, resident, rank, starting);
        ck_cpu_note_end(resident, rank, resident->where[rank]);
        *collective = resident->block.collective;
    }
}

/* Runs until no thread is ready and no operation of a warp or a group can be completed. */
static void
run_until_blocked(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
                  const uint32_t *order, bool starting)
{
    bool any = true;
    while (any && !ck_cpu_is_stopped(launch)) {
        run_ready(launch, resident, order, starting);
        starting = false;
        any = complete_warps(launch, resident);
        any = ck_cpu_complete_groups(launch, resident) || any;
    }
    resident->differ = true;
}

void
ck_cpu_run_collectives(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
                       const uint32_t *order)
{
    bool starting = !resident->phase;
    if (!starting)
        complete_block(launch, resident);
    for (uint32_t rank = 0; rank < launch->threads; rank++)
        resident->where[rank] = CK_CPU_READY;
    run_until_blocked(launch, resident, order, starting);
}

void
ck_cpu_resume_spinning(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
                       const uint32_t *order)
{
    for (uint32_t rank = 0; rank < launch->threads; rank++) {
        const bool passed = ck_cpu_cluster_passed(launch, resident, rank);
        if (!passed && !ck_cpu_is_at(launch, resident, rank, CK_BARRIER_SPIN))
            continue;
        resident->where[rank] = CK_CPU_READY;
        if (passed)
            resident->arrivals[rank] = CK_CPU_NOT_ARRIVED;
    }
    run_until_blocked(launch, resident, order, false);
}

void
ck_cpu_resume_collectives(struct ck_cpu_launch *launch, struct ck_cpu_resident *resident,
                          const uint32_t *order)
{
    for (uint32_t rank = 0; rank < launch->threads; rank++) {
        if (!ck_cpu_cluster_passed(launch, resident, rank))
            continue;
        resident->where[rank] = CK_CPU_READY;
        resident->arrivals[rank] = CK_CPU_NOT_ARRIVED;
    }
    run_until_blocked(launch, resident, order, false);
}
