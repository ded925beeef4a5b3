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
uint32_t ck_host_add_site(struct ck_gen *gen, enum ck_barrier_kind kind, enum ck_exchange_op op,
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

/* --- host_together.c --- */
/* What it calls in code that is to become loops, in place of: the thread's index in a dimension; a
 * barrier of the block; memory of a thread for a value that it gives others, by number, bytes and
 * the thread's rank; the end of a look at another's; adding to a number of all threads, and that
 * number after a barrier; what loops cannot be made of. SAME: where all threads must come with the
 * same number. */
#define CK_LOCKSTEP_INDEX "ck.index"
enum { CK_LOCKSTEP_RANK = 3 }; /* in place of a dimension: the rank in the block */
#define CK_LOCKSTEP_BARRIER "ck.barrier"
#define CK_LOCKSTEP_SLOT    "ck.slot"
#define CK_LOCKSTEP_TAKEN   "ck.taken"
#define CK_LOCKSTEP_COUNT   "ck.count"
#define CK_LOCKSTEP_COUNTED "ck.counted"
#define CK_LOCKSTEP_NEVER   "ck.never"
#define CK_LOCKSTEP_SAME    "ck.same"
LLVMValueRef ck_host_together_index(struct ck_gen *gen, uint32_t dim);
void ck_host_together_barrier(struct ck_gen *gen);
void ck_host_together_exchange(struct ck_gen *gen, struct ck_exchange *x);

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
