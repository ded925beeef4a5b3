/* What the files of the host target share. */
#ifndef CK_HOST_H
#define CK_HOST_H

#include "codegen/core/gen.h"

/* What device functions and thread bodies get first. */
enum { HIDDEN_BLOCK, HIDDEN_TX, HIDDEN_TY, HIDDEN_TZ, N_HIDDEN };

/* --- target_host.c --- */
/* A field of struct ck_cpu_block that does not change while the block runs. */
LLVMValueRef ck_host_block_field(struct ck_gen *gen, LLVMTypeRef type, size_t offset,
                                 const char *name);
/* 1 + the index of a new row of the image's barriers. */
uint32_t ck_host_add_site(struct ck_gen *gen, enum ck_barrier_kind kind, enum ck_collective_op op,
                          struct ck_span span);
/* Says that the thread waits there and suspends it; the executor resumes it when all have come. */
void ck_host_suspend(struct ck_gen *gen, uint32_t site);
/* A function of the C library or the executor. */
LLVMValueRef ck_host_external(struct ck_gen *gen, const char *name, LLVMTypeRef returns,
                              LLVMTypeRef *params, unsigned n);

/* A loop over one dimension of a block: for (index = 0; index != extent; index++), where extents
 * are at least 1. */
struct ck_thread_loop {
    LLVMBasicBlockRef b_next, b_done;
    LLVMValueRef v_index;
};
struct ck_thread_loop ck_host_loop_open(struct ck_gen *gen, int dim);
/* Gives the branch back. */
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
 *   UNIFORM      all threads must come with the same number */
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

/* --- entry.c: a hook of the target --- */
void ck_host_kernel(struct ck_gen *gen, struct ck_func_info *info);

/* --- warp_primitives.c: hooks of the target --- */
LLVMValueRef ck_host_lane(struct ck_gen *gen);
void ck_host_collective(struct ck_gen *gen, struct ck_collective *x);

/* --- pipeline.c --- */
void ck_host_optimise(struct ck_gen *gen);

/* --- host_extreme.c --- */
void ck_host_order_zeros(struct ck_gen *gen);

/* --- host_grid.c --- */
extern const struct ck_grid_ops ck_host_grid;
/* Around the code of a thread that may meet its grid. */
void ck_host_begin_arrivals(struct ck_gen *gen);
void ck_host_end_arrivals(struct ck_gen *gen);

#endif
