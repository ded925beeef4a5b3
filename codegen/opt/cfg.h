/* What analyses of code share, of where threads go together above all. */
#ifndef CODEGEN_FLOW_H
#define CODEGEN_FLOW_H

#include "codegen/core/gen.h"

/* The ways from a block of code. */
struct ck_ways {
    int *to; /* successors, one for each edge */
    int n_to;
    uint64_t *after; /* bits: the blocks on every way from this one to the end, itself too */
    bool ends;       /* there is a way to the end */
};

static inline bool
ck_flow_has(const uint64_t *blocks, int i)
{
    return blocks[i / 64] >> i % 64 & 1;
}

/* Finds `after` and `ends` of n blocks, soonest where `order` has none after one that it dominates.
 * False: from some block there is no way to the end. */
bool ck_flow_find_after(struct ck_arena *arena, struct ck_ways *const *blocks, int n,
                        const int *order);

#endif
