/* How many blocks a multiprocessor holds at once, and what limits them. */
#ifndef CK_OCCUPANCY_H
#define CK_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

/* What a multiprocessor has. */
struct ck_sm_limits {
    int threads, blocks, registers, shared_bytes;
    int reserved_shared_bytes; /* of each block */
    int warp_size;
};

/* Those of an architecture, by ten times its compute capability. False if it is unknown. */
bool ck_sm_limits_of(struct ck_sm_limits *out, int capability);

enum ck_sm_resource {
    CK_SM_THREADS,
    CK_SM_BLOCKS,
    CK_SM_REGISTERS,
    CK_SM_SHARED,
    CK_N_SM_RESOURCES
};

/* The most blocks of so many threads that can be resident at once: the least of what each resource
 * allows. `*limit` is that resource, the first of several. */
int64_t ck_sm_blocks(const struct ck_sm_limits *limits, int threads, int registers_per_thread,
                     int64_t shared_bytes, enum ck_sm_resource *limit);

#endif
