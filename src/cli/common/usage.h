/* What a kernel needs of a multiprocessor, and how full it can be: --usage. */
#ifndef USAGE_H
#define USAGE_H

#include <stdio.h>

#include "base/strbuf.h"

/* Of a kernel; -1: unknown. */
struct tool_usage {
    int registers;                 /* a thread */
    int spill_stores, spill_loads; /* bytes of a thread */
    int stack;                     /* bytes of a thread */
    int local;                     /* bytes of a thread: stack and spills together */
    int shared;                    /* bytes of a block, static */
    int constant;                  /* bytes */
    int max_threads;               /* of a block; 0: no bound */
};

/* "16 registers, 1024 bytes shared, no spills, ...". */
void tool_put_usage(FILE *out, const struct tool_usage *usage);
void tool_json_usage(struct ck_strbuf *out, const struct tool_usage *usage);

/* The occupancy of one size of blocks on an architecture (90 for sm_90), with `dynamic` bytes of
 * shared memory: "3 blocks and 24 of 64 warps a multiprocessor, 37.5 %, limited by registers". */
void tool_put_occupancy(FILE *out, const struct tool_usage *usage, int capability, int threads,
                        unsigned dynamic);
/* The same for sizes from 32 to 1024, as a table. */
void tool_put_occupancies(FILE *out, const struct tool_usage *usage, int capability,
                          unsigned dynamic);
/* As members: threads, blocks, warps, occupancy, limit; for the sizes in a list. */
void tool_json_occupancy(struct ck_strbuf *out, const struct tool_usage *usage, int capability,
                         int threads, unsigned dynamic);
void tool_json_occupancies(struct ck_strbuf *out, const struct tool_usage *usage, int capability,
                           unsigned dynamic);

#endif
