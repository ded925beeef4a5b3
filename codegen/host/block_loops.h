/* What the files of the block-loops pass share: its analysis, its state, and its steps. See
 * block_loops.c. */
#ifndef CK_BLOCK_LOOPS_H
#define CK_BLOCK_LOOPS_H

#include "base/index.h"
#include "codegen/core/ir_util.h"
#include "codegen/host/host.h"
#include "codegen/opt/ir_divergence.h"

/* --- Analysis ----------------------------------------------------------------------------------
 */

/* A basic block of the kernel, by its number in the control-flow graph. */
struct ck_region_block {
    bool after_barrier;     /* it follows a barrier */
    bool after_peer_read;   /* it follows a read of a value that another thread wrote */
    bool is_header;         /* a region begins here */
    bool is_uniform_branch; /* it ends in a branch on a uniform value, between regions */
    int region;             /* the number of its header; -1: unknown */
};

/* An instruction. */
struct ck_region_value {
    LLVMValueRef v;
    int block;
    bool is_scalar; /* computed once for all threads, before the loop of its region */
};

/* A kernel in regions. */
struct ck_regions {
    struct ck_arena *arena;
    LLVMValueRef v_function;
    struct ck_cfg cfg;
    struct ck_divergence_info divergence; /* as the analysis found it, before any rewriting */
    struct ck_region_block *blocks;       /* by number in cfg */
    int n_blocks, blocks_capacity;
    struct ck_region_value *values;
    int n_values, values_capacity;
    struct ck_index value_index;
};

/* --- Transformation ----------------------------------------------------------------------------
 */

/* The loop of a region, by the region's header. */
struct ck_region_loop {
    LLVMBasicBlockRef b_preheader, b_exit; /* of the loop: executed once */
    LLVMBasicBlockRef b_begin, b_end;      /* begin and end of an iteration of the innermost loop */
    LLVMValueRef v_rank;                   /* in b_begin */
    LLVMValueRef v_thread[CK_MARKER_RANK + 1]; /* in the loop: the index, and the rank */
    LLVMValueRef v_loop;                       /* the loop's `!llvm.loop` metadata */
    int uniform_branch;        /* the block whose branch ends the region; -1: none */
    bool has_scalar_condition; /* of that branch */
    int next;                  /* the header of the next region; -1: none */
    bool returns;
};

/* An array with an element for each thread, for a value that is live across regions; PoCL calls it
 * a context array. */
struct ck_thread_array {
    LLVMValueRef v_of;
    int phi_header; /* the header whose phi the value replaced; -1: the value is no such load */
    LLVMTypeRef type;
    uint64_t stride;
    LLVMValueRef v_base;
};

struct ck_block_loops {
    struct ck_regions regions;
    struct ck_gen *gen;
    LLVMBuilderRef builder;
    struct ck_region_loop *loops; /* by header */
    LLVMValueRef v_frame, v_extents[3];
    LLVMValueRef v_all;     /* threads of the block */
    LLVMValueRef v_threads; /* the next multiple of CK_CPU_LOOP_THREADS */
    LLVMBasicBlockRef b_entry;
    uint64_t frame_bytes; /* for each thread */
    struct ck_thread_array *arrays;
    int n_arrays, arrays_capacity;
    struct ck_index array_index; /* by v_of */
    LLVMValueRef *v_shared; /* by marker number: memory that threads share; NULL: not made yet */
    struct ck_region_copy {
        LLVMValueRef v_of, v_copy;
        int region;
    } * copies; /* values loaded or rematerialised in regions other than their own */
    int n_copies, copies_capacity;
    struct ck_index copy_index; /* by v_of */
    struct ck_region_use {
        LLVMValueRef v;
        unsigned operand;
        LLVMValueRef v_new;
    } * uses; /* operands to be replaced */
    int n_uses, uses_capacity;
};

/* --- block_loops_regions.c --- */
/* NULL: the value is no instruction of the function. */
struct ck_region_value *ck_block_loops_value(const struct ck_regions *regions, LLVMValueRef v);
struct ck_region_value *ck_block_loops_add_value(struct ck_regions *regions, LLVMValueRef v,
                                                 int block);
/* Whether an instruction may be speculated: it is pure and cannot trap. */
bool ck_block_loops_is_speculatable(LLVMValueRef v);
/* Finds regions and scalar values. False: threads may be diverged at a barrier. */
bool ck_block_loops_find_regions(struct ck_regions *regions);

/* --- block_loops_values.c --- */
/* Makes values available in regions other than their own, and hoists scalar ones out of loops. */
void ck_block_loops_rewrite_values(struct ck_block_loops *bl);
struct ck_thread_array ck_block_loops_new_array(struct ck_block_loops *bl, LLVMValueRef v,
                                                int phi_header, LLVMTypeRef type, uint64_t align);

/* --- block_loops_emit.c --- */
/* Connects the regions' blocks with those around them, and regions with each other. */
void ck_block_loops_connect(struct ck_block_loops *bl);
/* Makes the loops, and replaces the markers of collectives by memory. */
void ck_block_loops_make_loops(struct ck_block_loops *bl);

/* --- For these files --- */

static inline struct ck_region_loop *
ck_block_loops_loop_of(struct ck_block_loops *bl, int block)
{
    return &bl->loops[bl->regions.blocks[block].region];
}

static inline void
ck_block_loops_before_end(struct ck_block_loops *bl, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderBefore(bl->builder, LLVMGetBasicBlockTerminator(block));
}

/* Moves an instruction to the builder's position. */
static inline void
ck_block_loops_move(struct ck_block_loops *bl, LLVMValueRef v)
{
    LLVMInstructionRemoveFromParent(v);
    LLVMInsertIntoBuilder(bl->builder, v);
}

/* Whether an instruction is the marker of the thread's index. */
static inline bool
ck_block_loops_is_index(LLVMValueRef v)
{
    return ck_ir_calls(v, CK_MARKER_INDEX);
}

#endif
