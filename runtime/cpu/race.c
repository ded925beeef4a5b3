/* The checks of memory: see race.h. A cell of shadow memory keeps up to four accesses. An access
 * that happens before another one, and is not stronger, is dropped: what races with it races with
 * the other one too. If there are more, those whose threads are in the same block or warp as
 * another's give way, so that a race may be reported for fewer pairs of threads, and none is
 * invented. */
#include "runtime/cpu/race.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/cpu/group_copy.h"
#include "runtime/cpu/race_report.h"

struct ck_races {
    struct ck_cpu_launch *launch;
    unsigned checks;
    struct ck_clocks *clocks;
    const bool *clocks_failed;
    struct ck_shadow *shadow;
    struct ck_unset *unset;
    struct ck_race_table found;
    struct ck_group_copies copies;
    long copying; /* the place of the running thread's copy among these; -1: none */
};

struct ck_races *
ck_races_new(struct ck_cpu_launch *launch, unsigned checks, struct ck_unset *unset)
{
    struct ck_races *races = calloc(1, sizeof *races);
    if (!races)
        return NULL;
    *races = (struct ck_races){.launch = launch, .checks = checks, .unset = unset, .copying = -1};
    races->clocks = ck_clocks_new(launch);
    races->shadow = ck_shadow_new();
    if (races->clocks && races->shadow) {
        races->clocks_failed = ck_clocks_failed(races->clocks);
        return races;
    }
    ck_races_free(races);
    return NULL;
}

void
ck_races_free(struct ck_races *races)
{
    if (!races)
        return;
    ck_group_copies_free(&races->copies);
    ck_clocks_free(races->clocks);
    ck_shadow_free(races->shadow);
    free(races);
}

static void
fail_memory(struct ck_races *races)
{
    ck_cpu_record(races->launch, CK_ERROR_MEMORY, "out of memory");
}

void
ck_races_begin_block(struct ck_races *races, struct ck_cpu_resident *resident)
{
    const struct ck_cpu_layout *layout = &races->launch->layout;
    if (resident->clocked) {
        ck_clocks_end_block(races->clocks, resident->clocked - 1);
        ck_group_copies_end_block(&races->copies, resident->clocked - 1);
    }
    resident->clocked = resident->index + 1;
    if (!ck_clocks_begin_block(races->clocks, resident->index))
        fail_memory(races);
    resident->clocks = ck_clock_of(races->clocks, resident->index, 0);
    ck_shadow_clear(races->shadow, (uintptr_t)resident->block.shared,
                    layout->frames_offset - layout->shared_offset);
}

void
ck_races_sync(struct ck_races *races, const struct ck_cpu_resident *resident, const uint32_t *ranks,
              uint32_t n)
{
    if (n > 1)
        ck_clocks_sync(races->clocks, resident->index, ranks, n);
}

bool
ck_races_report(struct ck_races *races)
{
    return ck_race_table_report(&races->found, races->launch);
}

/* --- An access to a granule ----------------------------------------------------------------------
 */

/* The running thread and its access. */
struct access {
    struct ck_races *races;
    const struct ck_cpu_resident *resident;
    uintptr_t address;
    struct ck_access_record record;
    const char *base;      /* of the array */
    uint32_t first_thread; /* of the block: the number of rank 0 */
    uint32_t threads;      /* of a block */
    const struct ck_clock *clock;
    bool is_plain; /* the thread knows of others by barriers of its block alone */
};

static bool
conflict(const struct ck_access_record *a, const struct ck_access_record *b)
{
    return a->bytes & b->bytes && (a->writes || b->writes) && !(a->atomic && b->atomic);
}

/* Whether whatever races with `old`, which happens before `new`, races with `new` too. */
static bool
is_implied(const struct ck_access_record *old, const struct ck_access_record *new)
{
    return !(old->bytes & ~new->bytes) && (new->writes || !old->writes) &&
           (!new->atomic || old->atomic);
}

/* Whether two threads are in one warp. Warps are counted from each block's first thread. */
static bool
is_same_warp(const struct access *access, uint32_t a, uint32_t b)
{
    const uint32_t rank_a = a - access->first_thread, rank_b = b - access->first_thread;
    const uint32_t threads = access->threads;
    return rank_a < threads && rank_b < threads && rank_a / CK_WARP_SIZE == rank_b / CK_WARP_SIZE;
}

/* The record to replace where none is free: an access that the new one can stand for, if possible
 * one whose warp has others; otherwise the last. */
static int
victim(const struct access *access, const struct ck_shadow_cell *cell)
{
    const struct ck_access_record *new = &access->record;
    int best = CK_SHADOW_RECORDS - 1, best_score = -1;
    for (int i = 0; i < CK_SHADOW_RECORDS; i++) {
        const struct ck_access_record *old = &cell->records[i];
        int score = is_implied(old, new) ? 1 : -1;
        for (int j = 0; score >= 1 && j < CK_SHADOW_RECORDS; j++)
            score += j != i && is_same_warp(access, old->thread, cell->records[j].thread);
        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    return best;
}

/* Whether the thread has done the same to the granule before, with nothing in between that orders
 * accesses: what races with one races with the other. */
static bool
is_repeated(const struct ck_access_record *old, const struct ck_access_record *new)
{
    return old->thread == new->thread && old->site == new->site && old->time == new->time &&
           old->phase == new->phase && old->writes == new->writes && old->atomic == new->atomic &&
           old->copies == new->copies && !(new->bytes & ~old->bytes);
}

static void
add_race(const struct access *access, const struct ck_access_record *old)
{
    struct ck_races *races = access->races;
    const bool unwaited = ck_clock_is_unwaited(races->clocks, old, &access->record);
    if (!unwaited && !(races->checks & CK_CHECK_RACE))
        return;
    ck_race_table_add(&races->found, races->launch,
                      unwaited ? CK_FINDING_UNWAITED_COPY : CK_FINDING_DATA_RACE, old,
                      &access->record, access->address, access->base);
}

/* Whether the access of the record happens before this one. The common cases are decided here. */
static CK_ALWAYS_INLINE bool
is_before(const struct access *access, const struct ck_access_record *old)
{
    if (!old->copies) {
        const bool is_of_block = old->thread - access->first_thread < access->threads;
        if (is_of_block && (old->thread == access->record.thread ||
                            old->phase < access->clock->passed[CK_CLOCK_BLOCK]))
            return true;
        if (access->is_plain)
            return false;
    }
    return ck_clock_is_before(access->races->clocks, access->clock, old, access->address,
                              access->resident->index, access->resident->block.rank);
}

/* A record that is empty, or whose place the new one takes: of the same thread, or of an access
 * that happens before it. -1: all are needed. What happens before one thread's part of a group's
 * copy may race with the others', so it stays while there is room. */
static int
free_record(const struct access *access, const struct ck_shadow_cell *cell)
{
    const struct ck_access_record *new = &access->record;
    const bool is_of_group = access->races->copying >= 0;
    for (int i = 0; i < CK_SHADOW_RECORDS; i++) {
        const struct ck_access_record *old = &cell->records[i];
        if (!old->thread ||
            (!is_of_group && old->thread == new->thread &&is_implied(old, new) && !old->copies))
            return i;
    }
    for (int i = 0; i < CK_SHADOW_RECORDS; i++) {
        if (is_implied(&cell->records[i], new) && is_before(access, &cell->records[i]))
            return i;
    }
    return -1;
}

static void
check_granule(const struct access *access, struct ck_shadow_cell *cell)
{
    const struct ck_access_record *new = &access->record;
    for (int i = 0; i < CK_SHADOW_RECORDS; i++) {
        if (cell->records[i].thread == new->thread && is_repeated(&cell->records[i], new))
            return;
    }
    for (int i = 0; i < CK_SHADOW_RECORDS; i++) {
        struct ck_access_record *old = &cell->records[i];
        if (!old->thread || !conflict(old, new))
            continue;
        if (!is_before(access, old))
            add_race(access, old);
        else if (access->races->copying < 0 && is_implied(old, new))
            old->thread = 0;
    }
    const int at = free_record(access, cell);
    cell->records[at >= 0 ? at : victim(access, cell)] = *new;
}

/* Sets address and bytes to those of the first granule from `at` on, of an access that ends at
 * `end`. Returns where the next granule begins, or `end`. */
static uintptr_t
begin_granule(struct access *access, uintptr_t at, uintptr_t end)
{
    const uintptr_t granule = at & ~(uintptr_t)(CK_SHADOW_GRANULE - 1);
    const uintptr_t stop = granule + CK_SHADOW_GRANULE < end ? granule + CK_SHADOW_GRANULE : end;
    access->address = at;
    access->record.bytes = ((1u << (stop - at)) - 1) << (at - granule) & 15;
    return stop;
}

/* --- Copies by groups --------------------------------------------------------------------------
 */

void
ck_races_begin_copy(struct ck_races *races, const struct ck_cpu_resident *resident, uint64_t group,
                    uint32_t number, uint64_t threads)
{
    races->copying = ck_group_copy_begin(&races->copies, races->clocks, resident->index,
                                         resident->block.rank, group, number, (uint32_t)threads);
    if (races->copying < 0)
        fail_memory(races);
}

/* Compares a granule that the copy accesses with what was done to it before. */
static void
check_copied_granule(struct access *access, const struct ck_group_copy *copy,
                     struct ck_shadow_cell *cell)
{
    const uint32_t copied_by = access->record.thread;
    for (int i = 0; i < CK_SHADOW_RECORDS; i++) {
        struct ck_access_record *old = &cell->records[i];
        access->record.thread = copied_by;
        if (!old->thread || !conflict(old, &access->record) ||
            ck_group_copy_has(copy, old, access->first_thread))
            continue;
        const struct ck_copy_member *member = ck_group_copy_unordered(
            copy, access->races->clocks, old, access->address, access->first_thread);
        if (!member && is_implied(old, &access->record))
            old->thread = 0;
        if (!member)
            continue;
        access->record.thread = access->first_thread + member->rank;
        add_race(access, old);
    }
}

/* All threads of the group have begun the copy. */
static void
check_copy(struct ck_races *races, const struct ck_cpu_resident *resident,
           const struct ck_group_copy *copy)
{
    for (size_t i = 0; i < copy->n_pieces; i++) {
        const struct ck_copy_piece *piece = &copy->pieces[i];
        struct access access = {
            .races = races,
            .resident = resident,
            .base = (const char *)piece->address,
            .first_thread = (uint32_t)(resident->index * races->launch->threads + 1),
            .record = {.site = (uint16_t)piece->site,
                       .writes = piece->writes,
                       .copies = true,
                       .awaits = piece->awaits},
        };
        const uintptr_t end = piece->address + piece->bytes;
        for (uintptr_t at = piece->address; at < end;) {
            access.record.thread = piece->thread;
            at = begin_granule(&access, at, end);
            struct ck_shadow_page *page = ck_shadow_page(races->shadow, access.address);
            if (page)
                check_copied_granule(&access, copy,
                                     &page->cells[ck_shadow_granule(access.address)]);
        }
    }
}

static void
add_piece(const struct access *access, uintptr_t address, uint32_t how)
{
    struct ck_races *races = access->races;
    const struct ck_copy_piece piece = {.address = address,
                                        .thread = access->record.thread,
                                        .site = access->record.site,
                                        .bytes = how & CK_CPU_ACCESS_BYTES,
                                        .writes = access->record.writes,
                                        .awaits = access->record.awaits};
    if (!ck_group_copy_add(&races->copies.items[races->copying], piece))
        fail_memory(races);
}

static void
end_copy(struct ck_races *races, const struct ck_cpu_resident *resident)
{
    const long at = races->copying;
    races->copying = -1;
    if (at < 0 || races->copies.items[at].n_members < races->copies.items[at].threads)
        return;
    check_copy(races, resident, &races->copies.items[at]);
    ck_group_copy_remove(&races->copies, (size_t)at);
}

/* --- What host code calls ----------------------------------------------------------------------
 */

/* A block is the first member of its region. */
static struct ck_cpu_resident *
resident_of(struct ck_cpu_block *block)
{
    return (struct ck_cpu_resident *)block;
}

static struct ck_clock *
clock_of(struct ck_cpu_block *block)
{
    return &resident_of(block)->clocks[block->rank];
}

static uint32_t
thread_number(const struct ck_cpu_block *block)
{
    const struct ck_cpu_resident *resident = (const struct ck_cpu_resident *)block;
    return (uint32_t)(resident->index * block->launch->threads + block->rank + 1);
}

/* What an operation on the address that may synchronise publishes and learns. */
static void
synchronise(struct ck_cpu_block *block, uintptr_t address, uint32_t how)
{
    struct ck_clocks *clocks = block->launch->races->clocks;
    struct ck_clock *clock = clock_of(block);
    const bool atomic = how & (CK_CPU_ACCESS_ATOMIC | CK_CPU_ACCESS_POLLS);
    if (how & CK_CPU_ACCESS_RELEASES)
        ck_clock_fence(clocks, clock, true);
    if (how & CK_CPU_ACCESS_WRITES && (atomic || block->launch->kernel->spins))
        ck_clock_release(clocks, clock, thread_number(block), address);
    if (atomic && how & CK_CPU_ACCESS_READS)
        ck_clock_acquire(clocks, clock, address);
    if (how & CK_CPU_ACCESS_ACQUIRES)
        ck_clock_fence(clocks, clock, true);
}

static void
add_one(const struct access *access, enum ck_finding_kind kind)
{
    ck_race_table_add_one(&access->races->found, access->races->launch, kind, &access->record,
                          access->address, access->base);
}

/* Whether the address is in the shared memory of a block of the cluster. */
static bool
is_mapped(const struct access *access)
{
    const struct ck_cpu_block *block = &access->resident->block;
    const struct ck_cpu_layout *layout = &access->races->launch->layout;
    bool is = false;
    for (uint32_t i = 0; i < block->cluster_blocks; i++)
        is = is || access->address - (uintptr_t)block->cluster_shared[i] <
                       layout->frames_offset - layout->shared_offset;
    return is;
}

/* Of an access to `n` bytes of memory that begins without values: shared or local. */
static void
check_own_init(const struct access *access, struct ck_shadow_page *page, uint32_t how)
{
    uint8_t *written = &page->written[ck_shadow_granule(access->address)];
    if (how & CK_CPU_ACCESS_READS && access->record.bytes & ~(unsigned)*written)
        add_one(access, CK_FINDING_UNINITIALIZED_READ);
    if (how & CK_CPU_ACCESS_WRITES)
        *written |= access->record.bytes;
}

/* The same of global memory, of which the device knows. */
static void
check_buffer_init(const struct access *access, size_t n, uint32_t how)
{
    struct ck_unset *unset = access->races->unset;
    if (how & CK_CPU_ACCESS_READS && ck_unset_has(unset, access->address, n))
        add_one(access, CK_FINDING_UNINITIALIZED_READ);
    if (how & CK_CPU_ACCESS_WRITES)
        ck_unset_write(unset, access->address, n);
}

/* The part of an access that is in one granule, `n` bytes. */
static void
check_part(const struct access *access, size_t n, uint32_t how)
{
    struct ck_races *races = access->races;
    const bool checks_init = races->checks & CK_CHECK_INIT;
    const bool is_own = checks_init && (how & CK_CPU_ACCESS_BEGINS_UNSET || is_mapped(access));
    const bool may_race = races->checks & (CK_CHECK_RACE | CK_CHECK_ASYNC) &&
                          !(how & (CK_CPU_ACCESS_PRIVATE | CK_CPU_ACCESS_POLLS));
    if (checks_init && !is_own && races->unset->n_partial)
        check_buffer_init(access, n, how);
    if (!is_own && !may_race)
        return;
    struct ck_shadow_page *page = ck_shadow_page(races->shadow, access->address);
    if (!page) {
        fail_memory(races);
        return;
    }
    if (is_own)
        check_own_init(access, page, how);
    if (may_race)
        check_granule(access, &page->cells[ck_shadow_granule(access->address)]);
}

void
ck_cpu_access(struct ck_cpu_block *block, const char *address, const char *base, uint32_t site,
              uint32_t how)
{
    if (__atomic_load_n(block->interrupted, __ATOMIC_RELAXED)) /* it may loop for ever */
        ck_cpu_leave_interrupted(block);
    struct ck_races *races = block->launch->races;
    const struct ck_clock *clock = clock_of(block);
    const bool copies = how & CK_CPU_ACCESS_COPIES;
    struct access access = {
        .races = races,
        .resident = resident_of(block),
        .base = base,
        .first_thread = thread_number(block) - block->rank,
        .threads = block->launch->threads,
        .clock = clock,
        .is_plain = ck_clock_is_plain(clock) && !*races->clocks_failed,
        .record = {.thread = thread_number(block),
                   .phase = copies ? clock->copy_groups : clock->arrivals[CK_CLOCK_BLOCK],
                   .time = clock->time,
                   .site = (uint16_t)site,
                   .writes = (how & CK_CPU_ACCESS_WRITES) != 0,
                   .atomic = (how & CK_CPU_ACCESS_ATOMIC) != 0,
                   .copies = copies,
                   .awaits = ck_clock_awaits(clock)},
    };
    uintptr_t at = (uintptr_t)address;
    const uintptr_t end = at + (how & CK_CPU_ACCESS_BYTES);
    if (how & (CK_CPU_ACCESS_ATOMIC | CK_CPU_ACCESS_POLLS | CK_CPU_ACCESS_WRITES))
        synchronise(block, at, how);
    if (copies && races->copying >= 0 && !(how & CK_CPU_ACCESS_PRIVATE))
        add_piece(&access, at, how);
    if (at & ((how & CK_CPU_ACCESS_BYTES) - 1) && races->checks & (CK_CHECK_RACE | CK_CHECK_INIT)) {
        access.address = at;
        add_one(&access, CK_FINDING_OUT_OF_BOUNDS);
    }
    while (at < end) {
        const uintptr_t stop = begin_granule(&access, at, end);
        check_part(&access, stop - at, how);
        at = stop;
    }
}

void
ck_cpu_unset(struct ck_cpu_block *block, const char *address, uint64_t bytes)
{
    ck_shadow_clear(block->launch->races->shadow, (uintptr_t)address, bytes);
}

void
ck_cpu_copy_commit(struct ck_cpu_block *block)
{
    end_copy(block->launch->races, resident_of(block));
    clock_of(block)->copy_groups++;
}

void
ck_cpu_copy_wait(struct ck_cpu_block *block, uint32_t n)
{
    ck_clock_wait_for_copies(block->launch->races->clocks, clock_of(block), n);
}

void
ck_cpu_fence(struct ck_cpu_block *block, uint32_t is_wide)
{
    ck_clock_fence(block->launch->races->clocks, clock_of(block), is_wide);
}

void
ck_cpu_arrive(struct ck_cpu_block *block, uint32_t level)
{
    ck_clock_arrive(block->launch->races->clocks, clock_of(block), resident_of(block)->index,
                    (enum ck_clock_level)level);
}

void
ck_cpu_pass(struct ck_cpu_block *block, uint32_t level)
{
    ck_clock_pass(block->launch->races->clocks, clock_of(block), resident_of(block)->index,
                  (enum ck_clock_level)level);
}
