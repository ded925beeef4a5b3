/* What the two files share that make loops of a kernel with barriers: see lockstep.c. */
#ifndef CK_LOCKSTEP_H
#define CK_LOCKSTEP_H

#include "base/index.h"
#include "codegen/core/ir_util.h"
#include "codegen/host/host.h"
#include "codegen/opt/cfg.h"

/* A basic block of the kernel. */
struct ck_step {
    LLVMBasicBlockRef b_self;
    LLVMValueRef v_end; /* its terminator */
    struct ck_ways ways;
    int *from; /* blocks before it, one for each edge */
    int n_from, from_capacity;
    int place;      /* in the order below */
    bool seen;      /* scratch */
    bool parted;    /* not all threads of the block come here together */
    bool follows;   /* a barrier is before it */
    bool has_taken; /* before it, each thread has looked at what others gave */
    bool heads;     /* it begins a region */
    bool decides;   /* all threads take the same way at its end, and regions begin there */
    int region;     /* the block that heads it; -1: not known yet */
};

/* An instruction. */
struct ck_step_value {
    LLVMValueRef v;
    int block;
    bool varies; /* between threads */
    bool scalar; /* computed once for all threads, before the region that it is in */
};

struct ck_lockstep {
    struct ck_gen *gen;
    struct ck_arena *arena;
    LLVMValueRef v_function;
    struct ck_step *blocks;
    int n_blocks, blocks_capacity;
    struct ck_index block_index;
    struct ck_step_value *values;
    int n_values, values_capacity;
    struct ck_index value_index;
    int *order;              /* blocks, none after one that it dominates */
    int *reached, n_reached; /* scratch */
};

/* --- lockstep_flow.c --- */
/* -1: none of them. */
int ck_step_of_block(const struct ck_lockstep *ls, LLVMBasicBlockRef b_block);
/* NULL: no instruction of the function. */
struct ck_step_value *ck_step_of(const struct ck_lockstep *ls, LLVMValueRef v);
struct ck_step_value *ck_step_add(struct ck_lockstep *ls, LLVMValueRef v, int block);
/* Whether it computes without memory or effects, and may do so where the program would not. */
bool ck_step_is_pure(LLVMValueRef v);
/* Finds regions and what is computed once; false: some threads may miss a barrier. */
bool ck_lockstep_analyse(struct ck_lockstep *ls);

#endif
