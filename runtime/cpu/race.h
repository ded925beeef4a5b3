/* The checks of memory: data races, and memory that is read before anything wrote it. Host code
 * calls ck_cpu_access for each access; one host thread runs the launch. */
#ifndef CK_RACE_H
#define CK_RACE_H

#include "runtime/cpu/clock.h"
#include "runtime/cpu/unset.h"

struct ck_races; /* of a launch */

/* `checks`: CK_CHECK_RACE, CK_CHECK_INIT or both. `unset`: of the device's buffers. NULL: out of
 * memory. */
struct ck_races *ck_races_new(struct ck_cpu_launch *launch, unsigned checks,
                              struct ck_unset *unset);
void ck_races_free(struct ck_races *races);
/* A block begins in a region, whose shared memory begins a new life. */
void ck_races_begin_block(struct ck_races *races, struct ck_cpu_resident *resident);
/* Threads of the block synchronise with each other alone. */
void ck_races_sync(struct ck_races *races, const struct ck_cpu_resident *resident,
                   const uint32_t *ranks, uint32_t n);
/* The running thread begins copy number `number` of its group of so many threads; it ends with the
 * next ck_cpu_copy_commit. */
void ck_races_begin_copy(struct ck_races *races, const struct ck_cpu_resident *resident,
                         uint64_t group, uint32_t number, uint64_t threads);
/* Adds what was found to the launch's findings. Returns whether there is anything. */
bool ck_races_report(struct ck_races *races);

#endif
