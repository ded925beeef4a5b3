/* The clocks of threads: see clock.h. Where memory runs out, an access counts as known, so that a
 * race may be missed but none is invented. */
#include "runtime/cpu/clock.h"

#include <stdlib.h>
#include <string.h>

/* What a release publishes: accesses of the thread before `time`, of its block before `passed`
 * barriers of the block, those known by groups, and those that the thread had acquired. [0]: to the
 * threads of its block; [1]: to all. */
struct entry {
    uint32_t thread, time[2], passed[2];
    uint32_t own_time; /* of the operation, whose access to the address is published too */
    uint32_t *known;   /* [rank in the block]; owned; NULL: none */
    struct ck_clock_views acquired;
};

/* The releases at one address, in order. */
struct log {
    uintptr_t address;
    struct entry *entries;
    uint32_t n, capacity;
    uint32_t query, searched; /* the last query that searched it, and how many entries */
};

struct ck_clocks {
    const struct ck_cpu_launch *launch;
    struct ck_clock **blocks; /* [block] its threads' clocks; NULL: not resident */
    struct log *logs;
    uint32_t n_logs, logs_capacity;
    uint32_t *index; /* hash table: 1 + the number of a log */
    uint32_t index_capacity;
    struct ck_clock_views *of_block; /* [block] what its threads had acquired at its barriers */
    struct ck_clock_views of_clusters;
    uint32_t query;
    uint64_t asking;   /* the block of the thread that asks */
    uintptr_t address; /* of the access that it asks about */
    bool failed;       /* out of memory: everything counts as known */
};

/* --- Views -------------------------------------------------------------------------------------
 */

static bool
add_view(struct ck_clock_views *views, struct ck_clock_view view)
{
    for (uint32_t i = 0; i < views->n; i++) {
        if (views->items[i].log != view.log)
            continue;
        if (views->items[i].length < view.length)
            views->items[i].length = view.length;
        return true;
    }
    if (views->n == views->capacity) {
        const uint32_t capacity = views->capacity ? 2 * views->capacity : 4;
        struct ck_clock_view *items = realloc(views->items, capacity * sizeof *items);
        if (!items)
            return false;
        views->items = items;
        views->capacity = capacity;
    }
    views->items[views->n++] = view;
    return true;
}

static void
add_views(struct ck_clocks *clocks, struct ck_clock_views *to, const struct ck_clock_views *from)
{
    for (uint32_t i = 0; i < from->n; i++)
        clocks->failed |= !add_view(to, from->items[i]);
}

static void
clear_views(struct ck_clock_views *views)
{
    free(views->items);
    *views = (struct ck_clock_views){0};
}

/* --- The clocks of a launch --------------------------------------------------------------------
 */

struct ck_clocks *
ck_clocks_new(const struct ck_cpu_launch *launch)
{
    struct ck_clocks *clocks = calloc(1, sizeof *clocks);
    if (!clocks)
        return NULL;
    clocks->launch = launch;
    clocks->blocks = calloc(launch->blocks, sizeof *clocks->blocks);
    clocks->of_block = calloc(launch->blocks, sizeof *clocks->of_block);
    if (clocks->blocks && clocks->of_block)
        return clocks;
    ck_clocks_free(clocks);
    return NULL;
}

static void
free_log(struct log *log)
{
    for (uint32_t i = 0; i < log->n; i++) {
        free(log->entries[i].known);
        clear_views(&log->entries[i].acquired);
    }
    free(log->entries);
}

void
ck_clocks_free(struct ck_clocks *clocks)
{
    if (!clocks)
        return;
    for (uint64_t i = 0; clocks->blocks && i < clocks->launch->blocks; i++)
        ck_clocks_end_block(clocks, i);
    for (uint32_t i = 0; i < clocks->n_logs; i++)
        free_log(&clocks->logs[i]);
    clear_views(&clocks->of_clusters);
    free(clocks->of_block);
    free(clocks->blocks);
    free(clocks->logs);
    free(clocks->index);
    free(clocks);
}

bool
ck_clocks_begin_block(struct ck_clocks *clocks, uint64_t block)
{
    struct ck_clock *threads = calloc(clocks->launch->threads, sizeof *threads);
    for (uint32_t rank = 0; threads && rank < clocks->launch->threads; rank++)
        threads[rank].time = 1, threads[rank].own_before = UINT32_MAX;
    clocks->blocks[block] = threads;
    return threads != NULL;
}

void
ck_clocks_end_block(struct ck_clocks *clocks, uint64_t block)
{
    struct ck_clock *threads = clocks->blocks[block];
    for (uint32_t rank = 0; threads && rank < clocks->launch->threads; rank++) {
        clear_views(&threads[rank].seen);
        clear_views(&threads[rank].acquired);
        clear_views(&threads[rank].at_fence);
        free(threads[rank].known);
        free(threads[rank].waits);
    }
    free(threads);
    clocks->blocks[block] = NULL;
    if (clocks->of_block)
        clear_views(&clocks->of_block[block]);
}

struct ck_clock *
ck_clock_of(struct ck_clocks *clocks, uint64_t block, uint32_t rank)
{
    return &clocks->blocks[block][rank];
}

/* --- Barriers ----------------------------------------------------------------------------------
 */

/* What the threads of a barrier had acquired, all of them know after it. At a barrier of the grid
 * every access before it is known anyway. */
static struct ck_clock_views *
views_of(struct ck_clocks *clocks, uint64_t block, enum ck_clock_level level)
{
    return level == CK_CLOCK_BLOCK     ? &clocks->of_block[block]
           : level == CK_CLOCK_CLUSTER ? &clocks->of_clusters
                                       : NULL;
}

void
ck_clock_arrive(struct ck_clocks *clocks, struct ck_clock *clock, uint64_t block,
                enum ck_clock_level level)
{
    struct ck_clock_views *views = views_of(clocks, block, level);
    clock->time++;
    clock->arrivals[level]++;
    clock->arrival_time[level][clock->arrivals[level] % 2] = clock->time;
    if (views)
        add_views(clocks, views, &clock->acquired);
}

void
ck_clock_pass(struct ck_clocks *clocks, struct ck_clock *clock, uint64_t block,
              enum ck_clock_level level)
{
    const struct ck_clock_views *views = views_of(clocks, block, level);
    clock->passed[level]++;
    if (views)
        add_views(clocks, &clock->acquired, views);
}

static uint32_t *
known_of(struct ck_clocks *clocks, struct ck_clock *clock)
{
    if (!clock->known)
        clock->known = calloc(clocks->launch->threads, sizeof *clock->known);
    clocks->failed |= !clock->known;
    return clock->known;
}

/* The greatest of what the threads know, in the row of the first. */
static void
join(struct ck_clocks *clocks, uint64_t block, const uint32_t *ranks, uint32_t n)
{
    uint32_t *joined = ck_clock_of(clocks, block, ranks[0])->known;
    for (uint32_t i = 1; i < n; i++) {
        const uint32_t *known = ck_clock_of(clocks, block, ranks[i])->known;
        for (uint32_t rank = 0; rank < clocks->launch->threads; rank++)
            joined[rank] = known[rank] > joined[rank] ? known[rank] : joined[rank];
    }
}

void
ck_clocks_sync(struct ck_clocks *clocks, uint64_t block, const uint32_t *ranks, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct ck_clock *clock = ck_clock_of(clocks, block, ranks[i]);
        uint32_t *known = known_of(clocks, clock);
        if (!known)
            return;
        known[ranks[i]] = ++clock->time;
    }
    join(clocks, block, ranks, n);
    const uint32_t *joined = ck_clock_of(clocks, block, ranks[0])->known;
    for (uint32_t i = 1; i < n; i++) {
        struct ck_clock *clock = ck_clock_of(clocks, block, ranks[i]);
        memcpy(clock->known, joined, clocks->launch->threads * sizeof *joined);
        add_views(clocks, &ck_clock_of(clocks, block, ranks[0])->acquired, &clock->acquired);
    }
    for (uint32_t i = 1; i < n; i++)
        add_views(clocks, &ck_clock_of(clocks, block, ranks[i])->acquired,
                  &ck_clock_of(clocks, block, ranks[0])->acquired);
}

/* --- Releases and acquisitions -----------------------------------------------------------------
 */

static uint32_t *
slot_of(uint32_t *index, uint32_t capacity, const struct log *logs, uintptr_t address)
{
    uint32_t i = (uint32_t)(address / 4 * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (capacity - 1);
    while (index[i] && logs[index[i] - 1].address != address)
        i = (i + 1) & (capacity - 1);
    return &index[i];
}

/* The log of an address, or NULL. */
static struct log *
find_log(struct ck_clocks *clocks, uintptr_t address)
{
    if (!clocks->n_logs)
        return NULL;
    uint32_t slot = *slot_of(clocks->index, clocks->index_capacity, clocks->logs, address);
    return slot ? &clocks->logs[slot - 1] : NULL;
}

static bool
grow_logs(struct ck_clocks *clocks)
{
    const uint32_t capacity = clocks->logs_capacity ? 2 * clocks->logs_capacity : 16;
    struct log *logs = realloc(clocks->logs, capacity * sizeof *logs);
    if (!logs)
        return false;
    clocks->logs = logs;
    uint32_t *index = calloc(2 * (size_t)capacity, sizeof *index);
    if (!index)
        return false;
    for (uint32_t i = 0; i < clocks->n_logs; i++)
        *slot_of(index, 2 * capacity, logs, logs[i].address) = i + 1;
    free(clocks->index);
    clocks->index = index;
    clocks->index_capacity = 2 * capacity;
    clocks->logs_capacity = capacity;
    return true;
}

static struct log *
make_log(struct ck_clocks *clocks, uintptr_t address)
{
    struct log *log = find_log(clocks, address);
    if (log)
        return log;
    if (clocks->n_logs == clocks->logs_capacity && !grow_logs(clocks))
        return NULL;
    log = &clocks->logs[clocks->n_logs++];
    *log = (struct log){.address = address};
    *slot_of(clocks->index, clocks->index_capacity, clocks->logs, address) = clocks->n_logs;
    return log;
}

static bool
grow_entries(struct log *log)
{
    const uint32_t capacity = log->capacity ? 2 * log->capacity : 4;
    struct entry *entries = realloc(log->entries, capacity * sizeof *entries);
    if (!entries)
        return false;
    log->entries = entries;
    log->capacity = capacity;
    return true;
}

void
ck_clock_fence(struct ck_clocks *clocks, struct ck_clock *clock, bool is_wide)
{
    add_views(clocks, &clock->acquired, &clock->seen);
    clear_views(&clock->seen);
    clear_views(&clock->at_fence);
    add_views(clocks, &clock->at_fence, &clock->acquired);
    clock->time++;
    for (int scope = 0; scope <= is_wide; scope++) {
        clock->fence_time[scope] = clock->time;
        clock->fence_passed[scope] = clock->passed[CK_CLOCK_BLOCK];
    }
}

void
ck_clock_release(struct ck_clocks *clocks, struct ck_clock *clock, uint32_t thread,
                 uintptr_t address)
{
    if (!clock->fence_time[0])
        return; /* nothing is ordered before the write */
    struct log *log = make_log(clocks, address);
    if (!log || (log->n == log->capacity && !grow_entries(log))) {
        clocks->failed = true;
        return;
    }
    struct entry *entry = &log->entries[log->n++];
    *entry = (struct entry){.thread = thread, .own_time = clock->time};
    memcpy(entry->time, clock->fence_time, sizeof entry->time);
    memcpy(entry->passed, clock->fence_passed, sizeof entry->passed);
    add_views(clocks, &entry->acquired, &clock->at_fence);
    if (!clock->known)
        return;
    const size_t bytes = clocks->launch->threads * sizeof *clock->known;
    entry->known = malloc(bytes);
    clocks->failed |= !entry->known;
    if (entry->known)
        memcpy(entry->known, clock->known, bytes);
}

void
ck_clock_acquire(struct ck_clocks *clocks, struct ck_clock *clock, uintptr_t address)
{
    const struct log *log = find_log(clocks, address);
    if (log)
        clocks->failed |=
            !add_view(&clock->seen, (struct ck_clock_view){(uint32_t)(log - clocks->logs), log->n});
}

/* --- The order of accesses ---------------------------------------------------------------------
 */

/* With a division of 32 bits: a launch with checks has fewer threads. */
static uint64_t
block_of(const struct ck_clocks *clocks, uint32_t thread)
{
    return (thread - 1) / clocks->launch->threads;
}

static bool knows(struct ck_clocks *clocks, const struct ck_clock_views *views,
                  const struct ck_access_record *record);

static bool
entry_knows(struct ck_clocks *clocks, const struct log *log, const struct entry *entry,
            const struct ck_access_record *record)
{
    if (entry->thread == record->thread && record->atomic && log->address == clocks->address &&
        record->time <= entry->own_time)
        return true;
    const int scope = block_of(clocks, entry->thread) != clocks->asking;
    if (entry->thread == record->thread && record->time < entry->time[scope])
        return true;
    if (block_of(clocks, entry->thread) == block_of(clocks, record->thread) &&
        (record->phase < entry->passed[scope] ||
         (entry->known &&
          record->time < entry->known[(record->thread - 1) % clocks->launch->threads])))
        return true;
    return knows(clocks, &entry->acquired, record);
}

/* Whether the releases in these views, or what they had acquired, include the access. Each entry is
 * searched once in a query. */
static bool
knows(struct ck_clocks *clocks, const struct ck_clock_views *views,
      const struct ck_access_record *record)
{
    for (uint32_t i = 0; i < views->n; i++) {
        struct log *log = &clocks->logs[views->items[i].log];
        uint32_t from = log->query == clocks->query ? log->searched : 0;
        log->query = clocks->query;
        if (log->searched < views->items[i].length || !from)
            log->searched = views->items[i].length;
        for (uint32_t j = from; j < views->items[i].length; j++) {
            if (entry_knows(clocks, log, &log->entries[j], record))
                return true;
        }
    }
    return false;
}

/* Whether the thread of `clock` has passed a barrier at which the access's thread, whose block is
 * resident, arrived after the access. The other thread is at most one arrival ahead. */
static bool
passed_since(const struct ck_clock *clock, const struct ck_clock *other,
             const struct ck_access_record *record, enum ck_clock_level level)
{
    const uint32_t passed = clock->passed[level];
    return passed && other->arrivals[level] >= passed &&
           record->time < other->arrival_time[level][passed % 2];
}

static bool
is_in_cluster(const struct ck_clocks *clocks, uint64_t a, uint64_t b)
{
    return a == b || (clocks->launch->cluster_blocks > 1 &&
                      ck_cpu_cluster_of(clocks->launch, a) == ck_cpu_cluster_of(clocks->launch, b));
}

/* The wait that ended a copy's group; NULL: none has. */
static const struct ck_clock_wait *
wait_of(const struct ck_clock *clock, uint32_t group)
{
    uint32_t low = 0, high = clock->n_waits;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (clock->waits[middle].groups > group)
            high = middle;
        else
            low = middle + 1;
    }
    return low < clock->n_waits ? &clock->waits[low] : NULL;
}

/* The wait that ended the copy of an access; NULL: none has, or the thread's block has ended. */
static const struct ck_clock_wait *
end_of_copy(struct ck_clocks *clocks, const struct ck_access_record *record)
{
    const uint64_t block = block_of(clocks, record->thread);
    const uint32_t rank = (record->thread - 1) % clocks->launch->threads;
    return clocks->blocks[block] ? wait_of(ck_clock_of(clocks, block, rank), record->phase) : NULL;
}

bool
ck_clock_is_unwaited(struct ck_clocks *clocks, const struct ck_access_record *first,
                     const struct ck_access_record *second)
{
    if (second->copies && first->awaits)
        return true;
    return first->copies && (second->awaits || (clocks->blocks[block_of(clocks, first->thread)] &&
                                                !end_of_copy(clocks, first)));
}

void
ck_clock_wait_for_copies(struct ck_clocks *clocks, struct ck_clock *clock, uint32_t n)
{
    if (clock->n_waits == clock->waits_capacity) {
        const uint32_t capacity = clock->waits_capacity ? 2 * clock->waits_capacity : 4;
        struct ck_clock_wait *waits = realloc(clock->waits, capacity * sizeof *waits);
        clocks->failed |= !waits;
        if (!waits)
            return;
        clock->waits = waits;
        clock->waits_capacity = capacity;
    }
    const uint32_t groups = clock->copy_groups > n ? clock->copy_groups - n : 0;
    clock->waits[clock->n_waits++] =
        (struct ck_clock_wait){groups, clock->time, clock->arrivals[CK_CLOCK_BLOCK]};
}

/* Whether an access by another thread of the block happens before what this thread does now, by
 * their block's barriers and those of groups in it. */
static bool
is_before_in_block(const struct ck_clock *clock, const struct ck_access_record *record,
                   uint32_t other_rank)
{
    return record->phase < clock->passed[CK_CLOCK_BLOCK] ||
           (clock->known && record->time < clock->known[other_rank]);
}

/* The same by barriers of the grid and of the cluster, and by releases. */
static bool
is_before_beyond(struct ck_clocks *clocks, const struct ck_access_record *record,
                 const struct ck_clock *clock, uint64_t block)
{
    if (!clock->passed[CK_CLOCK_GRID] && !clock->passed[CK_CLOCK_CLUSTER] && !clock->acquired.n)
        return clocks->failed;
    const uint64_t other_block = block_of(clocks, record->thread);
    const uint32_t other_rank = (record->thread - 1) % clocks->launch->threads;
    if (clocks->blocks[other_block]) {
        const struct ck_clock *other = ck_clock_of(clocks, other_block, other_rank);
        if (passed_since(clock, other, record, CK_CLOCK_GRID) ||
            (is_in_cluster(clocks, block, other_block) &&
             passed_since(clock, other, record, CK_CLOCK_CLUSTER)))
            return true;
    }
    if (!clock->acquired.n)
        return clocks->failed;
    clocks->query++;
    clocks->asking = block;
    return clocks->failed || knows(clocks, &clock->acquired, record);
}

bool
ck_clock_is_before(struct ck_clocks *clocks, const struct ck_clock *clock,
                   const struct ck_access_record *given, uintptr_t address, uint64_t block,
                   uint32_t rank)
{
    const uint32_t threads = clocks->launch->threads;
    clocks->address = address;
    const uint32_t other_rank = given->thread - 1 - (uint32_t)(block * threads);
    struct ck_access_record record;
    if (__builtin_expect(given->copies, 0)) { /* it happens when its thread waits for it */
        const struct ck_clock_wait *wait = end_of_copy(clocks, given);
        if (!wait)
            return clocks->failed;
        record = *given;
        record.time = wait->time;
        record.phase = wait->phase;
        given = &record;
    }
    if (other_rank < threads && ((other_rank == rank && given->time < clock->own_before) ||
                                 is_before_in_block(clock, given, other_rank)))
        return true;
    return is_before_beyond(clocks, given, clock, block);
}

/* --- Snapshots ---------------------------------------------------------------------------------
 */

const bool *
ck_clocks_failed(const struct ck_clocks *clocks)
{
    return &clocks->failed;
}

uint32_t
ck_clocks_threads(const struct ck_clocks *clocks)
{
    return clocks->launch->threads;
}

bool
ck_clock_snapshot(struct ck_clocks *clocks, struct ck_clock *clock, struct ck_clock *out)
{
    const size_t bytes = clocks->launch->threads * sizeof *clock->known;
    *out = (struct ck_clock){.time = clock->time, .own_before = ++clock->time};
    memcpy(out->passed, clock->passed, sizeof out->passed);
    if (clock->known) {
        out->known = malloc(bytes);
        if (!out->known)
            return false;
        memcpy(out->known, clock->known, bytes);
    }
    add_views(clocks, &out->acquired, &clock->acquired);
    return true;
}

void
ck_clock_release_snapshot(struct ck_clock *snapshot)
{
    free(snapshot->known);
    clear_views(&snapshot->acquired);
}
