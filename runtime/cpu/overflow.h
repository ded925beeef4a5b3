/* The check of overflow: operations whose result did not fit, one for each place in the source. */
#ifndef CK_OVERFLOW_H
#define CK_OVERFLOW_H

#include "runtime/cpu/cpu.h"

/* What a place has shown so far. */
struct ck_overflow {
    atomic_uint_fast64_t thread; /* 1 + the number of the first thread in the grid; 0: none yet */
    uint32_t what;               /* enum ck_overflow_op */
    ck_thread_index at;
    int64_t left, right, result;
};

/* One for each site of the launch's code; malloc. NULL: out of memory. */
struct ck_overflow *ck_overflows_new(const struct ck_cpu_launch *launch);
/* Adds what was found to the launch's findings. Returns whether there is anything. */
bool ck_overflows_report(struct ck_cpu_launch *launch);

#endif
