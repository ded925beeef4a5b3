/* Trip counts by execution: the test of a loop depends on values that all begin as constants, so
 * that the iterations can be counted one by one. A counter may be doubled, halved or shifted as
 * well as increased. */
#ifndef CODEGEN_CONST_TRIPS_H
#define CODEGEN_CONST_TRIPS_H

#include "codegen/core/gen.h"

enum { CK_TRIPS_MAX_COUNTERS = 4 };

struct ck_trips_counter {
    LLVMValueRef v_phi, v_next;
    uint64_t value;
};

struct ck_const_trips {
    LLVMBasicBlockRef b_header, b_latch;
    LLVMValueRef v_branch;                                   /* the latch's */
    struct ck_trips_counter counters[CK_TRIPS_MAX_COUNTERS]; /* phis that the test depends on */
    int n_counters;
    int trips;
};

/* Sets the header and the trip count, once latch and branch are set. False: the count is not a
 * constant, or is large. */
bool ck_trips_count(struct ck_const_trips *loop);
/* The index of a phi in `counters`; -1: it is not one of them. */
int ck_trips_counter(const struct ck_const_trips *loop, LLVMValueRef v_phi);
/* Whether the value of an instruction is computed if its operands are known. */
bool ck_trips_evaluates(LLVMValueRef v);

#endif
