/* What the files of the host target share. */
#ifndef CK_HOST_H
#define CK_HOST_H

#include "codegen/lower/lower.h"

/* The first parameters of device functions and thread bodies, which the source does not have. */
enum { HIDDEN_BLOCK, HIDDEN_TX, HIDDEN_TY, HIDDEN_TZ, N_HIDDEN };

/* --- The target's state --- */

/* Of the module. */
struct ck_host_module {
    struct ck_barrier_site *sites; /* places in the source where threads suspend */
    size_t n_sites, sites_capacity;
};

/* Of a kernel with barriers. It has a coroutine, a function for block loops, or both until the
 * pipeline chooses one. */
struct ck_host_info {
    LLVMValueRef v_start;       /* the coroutine; or NULL */
    LLVMValueRef v_block_loops; /* see block_loops.c; or NULL */
    uint64_t block_loops_bytes; /* memory for each thread across barriers */
    uint32_t n_slots;           /* values that threads read from each other */
    int n_suspensions;          /* of the coroutine, before any pass */
};

/* Of the LLVM function that receives code. */
struct ck_host_function {
    LLVMBasicBlockRef b_exit;   /* target of a thread's early exit; NULL: none */
    LLVMValueRef v_arrivals[2]; /* slots of the grid's split-phase barriers: see grid.c */
    bool in_block_loops;        /* it is the code for block_loops.c */
    uint32_t n_slots;           /* values that its threads read from each other, so far */
    int n_suspensions;          /* so far */
};

static inline struct ck_host_module *
ck_host_module(const struct ck_gen *gen)
{
    return gen->state;
}

static inline struct ck_host_info *
ck_host_info(const struct ck_func_info *info)
{
    return info->state;
}

static inline struct ck_host_function *
ck_host_function(const struct ck_gen *gen)
{
    return gen->func->state;
}

/* --- target.c --- */
/* A field of struct ck_cpu_block that does not change while the block runs. */
LLVMValueRef ck_host_block_field(struct ck_gen *gen, LLVMTypeRef type, size_t offset,
                                 const char *name);
/* Adds a row to the image's barriers; returns 1 + its index. */
uint32_t ck_host_add_site(struct ck_gen *gen, enum ck_barrier_kind kind, enum ck_collective_op op,
                          struct ck_span span);
/* Records where the thread waits and suspends it; the executor resumes it once all have arrived. */
void ck_host_suspend(struct ck_gen *gen, uint32_t site);
/* A function of the C library or the executor. */
LLVMValueRef ck_host_external(struct ck_gen *gen, const char *name, LLVMTypeRef returns,
                              LLVMTypeRef *params, unsigned n);

/* A loop over one dimension of a block: for (index = 0; index != extent; index++), where extents
 * are at least 1. */
struct ck_thread_loop {
    LLVMBasicBlockRef b_header, b_exit;
    LLVMValueRef v_index;
};
struct ck_thread_loop ck_host_loop_open(struct ck_gen *gen, int dim);
/* Returns the loop's branch. */
LLVMValueRef ck_host_loop_close(struct ck_gen *gen, struct ck_thread_loop *loop,
                                LLVMValueRef v_extent);

/* --- block_loops_markers.c --- */
/* Functions whose calls mark places in code that is to become block loops:
 *   INDEX        the thread's index in a dimension, or (CK_MARKER_RANK) its rank in the block
 *   BARRIER      a barrier of the block
 *   PEER_SLOT    memory of a value that other threads read: number, bytes, rank of the thread
 *   PEER_READ    another thread's value has been read
 *   COUNT        adds to a counter of all threads, by number
 *   COUNTED      that counter, after a barrier
 *   UNSUPPORTED  something that block loops cannot express
 *   UNIFORM      the argument must be uniform */
enum { CK_MARKER_RANK = 3 };
#define CK_MARKER_INDEX       "ck.index"
#define CK_MARKER_BARRIER     "ck.barrier"
#define CK_MARKER_PEER_SLOT   "ck.peer_slot"
#define CK_MARKER_PEER_READ   "ck.peer_read"
#define CK_MARKER_COUNT       "ck.count"
#define CK_MARKER_COUNTED     "ck.counted"
#define CK_MARKER_UNSUPPORTED "ck.unsupported"
#define CK_MARKER_UNIFORM     "ck.uniform"
LLVMValueRef ck_host_mark_index(struct ck_gen *gen, uint32_t dim);
void ck_host_mark_barrier(struct ck_gen *gen);
void ck_host_mark_collective(struct ck_gen *gen, struct ck_collective *x);

/* --- target.c: hooks of the target --- */
void ck_host_hidden_types(struct ck_gen *gen, LLVMTypeRef *out);
LLVMValueRef ck_host_position(struct ck_gen *gen, enum ck_place what, int dim);

/* --- block.c: hooks of the target --- */
void ck_host_sync_tile(struct ck_gen *gen, int size, LLVMValueRef v_index, LLVMValueRef v_threads,
                       struct ck_span span);
void ck_host_sync_partition(struct ck_gen *gen, const struct ck_partition_wait *wait);
LLVMValueRef ck_host_block_arrive(struct ck_gen *gen, struct ck_span span);
void ck_host_block_wait(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span);
uint64_t ck_host_barrier_bytes(const struct ck_tfunc *kernel);

/* --- trip_guard.c --- */
/* On simplified code: see docs/passes.md. */
void ck_host_apply_trip_guards(struct ck_gen *gen);

/* --- coroutine_split.c --- */
/* On simplified code. Splits a coroutine into a start and a resume function; returns the former. */
LLVMValueRef ck_host_split_coroutine(struct ck_gen *gen, LLVMValueRef v_coroutine);
/* Whether the kernel's coroutine has too many suspensions for LLVM's passes. */
bool ck_host_has_many_suspensions(const struct ck_func_info *info);

/* --- block_loops.c --- */
/* On simplified code. Makes block loops of a kernel whose threads are converged at its barriers,
 * and sets how many bytes they keep for each thread. `n_shared` is the number of values that
 * threads read from each other. False: threads may be diverged; the function is then unusable. */
bool ck_block_loops_make(struct ck_gen *gen, LLVMValueRef v_function, uint32_t n_shared,
                         uint64_t *frame_bytes);

/* --- entry.c: a hook of the target --- */
void ck_host_kernel(struct ck_gen *gen, struct ck_func_info *info);

/* --- warp_primitives.c: hooks of the target --- */
LLVMValueRef ck_host_lane(struct ck_gen *gen);
void ck_host_collective(struct ck_gen *gen, struct ck_collective *x);

/* --- object_image.c: hooks of the target --- */
void ck_host_write(struct ck_gen *gen, const struct ck_manifest *manifest, struct ck_strbuf *out);
struct ck_image *ck_host_image(struct ck_gen *gen, const char *code, size_t length);

/* --- pipeline.c --- */
void ck_host_optimise(struct ck_gen *gen);

/* --- minmax.c --- */
void ck_host_order_zeros(struct ck_gen *gen);
void ck_host_replace_nans(struct ck_gen *gen);

/* --- print.c: hooks of the target --- */
void ck_host_print(struct ck_gen *gen, const struct ck_print_item *items, LLVMValueRef *values,
                   int n);
void ck_host_assert_fail(struct ck_gen *gen, const struct ck_failed_assert *failed);

/* --- check_calls.c --- */
#define CK_HOST_OUT_OF_BOUNDS "ck_cpu_out_of_bounds"
extern const struct ck_check_ops ck_host_check;
/* The thread's position in its block, as ck_cpu_out_of_bounds takes it. */
LLVMValueRef ck_host_thread_position(struct ck_gen *gen);
/* Calls of the executor, in code that checks races: a thread arrives at a barrier, has passed one,
 * executes a fence. */
enum ck_host_level { CK_HOST_BLOCK, CK_HOST_CLUSTER, CK_HOST_GRID };
void ck_host_check_arrive(struct ck_gen *gen, enum ck_host_level level);
void ck_host_check_pass(struct ck_gen *gen, enum ck_host_level level);
void ck_host_check_fence(struct ck_gen *gen, enum ck_fence scope);

/* --- grid.c --- */
extern const struct ck_grid_ops ck_host_grid;
/* Emit the state of the grid's split-phase barriers before a thread's code, and its check after. */
void ck_host_begin_arrivals(struct ck_gen *gen);
void ck_host_end_arrivals(struct ck_gen *gen);

#endif
