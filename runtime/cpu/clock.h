/* The clocks of a launch's threads, which show whether one access happens before another:
 * FastTrack's epochs (Flanagan and Freund, PLDI 2009), with barriers counted instead of vector
 * clocks joined.
 *
 * A thread's time advances when it arrives at a barrier, synchronises with a group, or executes a
 * fence. An access by thread A happens before one by thread B if A is B, or if
 *   - B has passed a barrier of their block, cluster or grid at which A arrived after its access;
 *   - B has synchronised with a group of their block that A was in, after A's access; or
 *   - B has acquired what A, or a thread that knows of the access, released: a fence, then an
 * atomic operation whose value an atomic operation or a polling load reads, then a fence. */
#ifndef CK_CLOCK_H
#define CK_CLOCK_H

#include "runtime/cpu/cpu.h"
#include "runtime/cpu/shadow.h"

enum ck_clock_level { CK_CLOCK_BLOCK, CK_CLOCK_CLUSTER, CK_CLOCK_GRID, CK_CLOCK_LEVELS };

/* The first `length` entries of a log of releases. */
struct ck_clock_view {
    uint32_t log, length;
};

struct ck_clock_views {
    struct ck_clock_view *items;
    uint32_t n, capacity;
};

/* A thread's wait for its asynchronous copies: those of the groups below `groups` have ended. */
struct ck_clock_wait {
    uint32_t groups, time, phase;
};

struct ck_clock {
    uint32_t time;       /* from 1 */
    uint32_t own_before; /* its own accesses of an earlier time come before: all, or those before a
                            snapshot */
    uint32_t arrivals[CK_CLOCK_LEVELS];        /* at barriers */
    uint32_t passed[CK_CLOCK_LEVELS];          /* barriers */
    uint32_t arrival_time[CK_CLOCK_LEVELS][2]; /* of the last two arrivals, by number modulo 2 */
    /* At the last fence of the block or wider, and of the device or wider: time, and barriers of
     * the block passed. 0: none yet. */
    uint32_t fence_time[2], fence_passed[2];
    struct ck_clock_views seen, acquired; /* before and after a fence */
    struct ck_clock_views at_fence;       /* what was acquired at the last fence */
    uint32_t *known; /* [rank in the block] times before which that thread's accesses are known by
                        groups' barriers; NULL: it was in none */
    uint32_t copy_groups; /* asynchronous copies: groups ended by a commit */
    struct ck_clock_wait *waits;
    uint32_t n_waits, waits_capacity;
};

struct ck_clocks; /* of a launch */

struct ck_clocks *ck_clocks_new(const struct ck_cpu_launch *launch);
void ck_clocks_free(struct ck_clocks *clocks);
/* False: out of memory. */
bool ck_clocks_begin_block(struct ck_clocks *clocks, uint64_t block);
void ck_clocks_end_block(struct ck_clocks *clocks, uint64_t block);
struct ck_clock *ck_clock_of(struct ck_clocks *clocks, uint64_t block, uint32_t rank);

void ck_clock_arrive(struct ck_clocks *clocks, struct ck_clock *clock, uint64_t block,
                     enum ck_clock_level level);
void ck_clock_pass(struct ck_clocks *clocks, struct ck_clock *clock, uint64_t block,
                   enum ck_clock_level level);
/* Threads of a block synchronise. */
void ck_clocks_sync(struct ck_clocks *clocks, uint64_t block, const uint32_t *ranks, uint32_t n);
/* `is_wide`: of the device or wider, not of the block alone. */
void ck_clock_fence(struct ck_clocks *clocks, struct ck_clock *clock, bool is_wide);
/* The thread waits for all groups of its asynchronous copies but the latest `n`. */
void ck_clock_wait_for_copies(struct ck_clocks *clocks, struct ck_clock *clock, uint32_t n);
/* The thread, which is number `thread` (from 1), writes a value at the address that others may
 * read to synchronise; and reads one. */
void ck_clock_release(struct ck_clocks *clocks, struct ck_clock *clock, uint32_t thread,
                      uintptr_t address);
void ck_clock_acquire(struct ck_clocks *clocks, struct ck_clock *clock, uintptr_t address);

/* Whether the thread knows of other threads by barriers of its block alone. */
static inline bool
ck_clock_is_plain(const struct ck_clock *clock)
{
    return !clock->known && !clock->acquired.n && !clock->passed[CK_CLOCK_CLUSTER] &&
           !clock->passed[CK_CLOCK_GRID];
}

/* Whether the thread has asynchronous copies that it has not waited for. */
static inline bool
ck_clock_awaits(const struct ck_clock *clock)
{
    return clock->copy_groups > (clock->n_waits ? clock->waits[clock->n_waits - 1].groups : 0);
}

/* Whether two accesses race because one is an asynchronous copy's that was not waited for: by its
 * own thread, or by the other, which takes part in the copy. */
bool ck_clock_is_unwaited(struct ck_clocks *clocks, const struct ck_access_record *first,
                          const struct ck_access_record *second);
/* Whether the access to the address happens before what thread `rank` of the block does, whose
 * clock is given: now, or when it was copied. */
bool ck_clock_is_before(struct ck_clocks *clocks, const struct ck_clock *clock,
                        const struct ck_access_record *record, uintptr_t address, uint64_t block,
                        uint32_t rank);
/* Copies what a thread knows. Its accesses before are those of an earlier time: the thread's time
 * advances. False: out of memory. */
bool ck_clock_snapshot(struct ck_clocks *clocks, struct ck_clock *clock, struct ck_clock *out);
void ck_clock_release_snapshot(struct ck_clock *snapshot);
/* Set when memory runs out: everything counts as known from then on. */
const bool *ck_clocks_failed(const struct ck_clocks *clocks);
uint32_t ck_clocks_threads(const struct ck_clocks *clocks); /* of a block */

#endif
