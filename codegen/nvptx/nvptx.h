/* What the files of the NVPTX target share. */
#ifndef CK_NVPTX_H
#define CK_NVPTX_H

#include "codegen/lower/lower.h"

/* LLVM's address spaces. */
enum { SPACE_GENERIC = 0, SPACE_GLOBAL = 1, SPACE_SHARED = 3, SPACE_CONST = 4 };

/* LLVM's number of the calling convention of kernels. */
enum { CALL_PTX_KERNEL = 71 };

/* The target's state: of the module, */
struct ck_nvptx_module {
    bool uses_math;       /* functions of math.def, from a library of bitcode */
    bool has_bulk_copies; /* of some kernel */
};
/* and of the LLVM function that receives code. */
struct ck_nvptx_function {
    LLVMValueRef v_turn;      /* slot: the buffer of the next collective of a cluster */
    bool has_turns;           /* there is such a collective */
    struct ck_copies *copies; /* see copy.c; NULL: it may not copy in bulk */
};

static inline struct ck_nvptx_module *
ck_nvptx_module(const struct ck_gen *gen)
{
    return gen->state;
}

static inline struct ck_nvptx_function *
ck_nvptx_function(const struct ck_gen *gen)
{
    return gen->func->state;
}

/* --- target.c --- */
/* The number in the arch's name: 90 for sm_90. */
int ck_nvptx_arch(const struct ck_gen *gen);
/* A special register by LLVM's name, i32; and as the i64 that the language has. */
LLVMValueRef ck_nvptx_special(struct ck_gen *gen, const char *name);
LLVMValueRef ck_nvptx_wide_special(struct ck_gen *gen, const char *name);
/* Inline PTX of at most four operands. With an effect it stays where it is, however often. */
LLVMValueRef ck_nvptx_asm(struct ck_gen *gen, bool effect, const char *text,
                          const char *constraints, LLVMTypeRef returns, LLVMValueRef *args,
                          unsigned n);
/* The same, with an effect, for what all lanes of a warp do together. */
LLVMValueRef ck_nvptx_convergent_asm(struct ck_gen *gen, const char *text, const char *constraints,
                                     LLVMTypeRef returns, LLVMValueRef *args, unsigned n);
/* The module's memory of a name, internal to it, made where it is asked for first: begins as zero,
 * or undefined where it is shared. */
LLVMValueRef ck_nvptx_memory(struct ck_gen *gen, const char *name, LLVMTypeRef type, unsigned align,
                             unsigned space);
LLVMValueRef ck_nvptx_place(struct ck_gen *gen, enum ck_place what, int dim);
void ck_nvptx_block_barrier(struct ck_gen *gen);

/* --- function.c --- */
/* Calls a function of the module, which `make` writes for the first call. */
LLVMValueRef ck_nvptx_call(struct ck_gen *gen, const char *name,
                           void (*make)(struct ck_gen *, LLVMValueRef), LLVMTypeRef returns,
                           LLVMValueRef *args, unsigned n);

/* --- block.c --- */
/* The memory of barriers' words; functions of the module that set it up, and that are the halves of
 * the block's split barrier. */
#define CK_NVPTX_WORDS  "shared$barriers"
#define CK_NVPTX_SET_UP "ck.set_up_barriers"
#define CK_NVPTX_ARRIVE "ck.block_arrive"
#define CK_NVPTX_WAIT   "ck.block_wait"
/* The thread's rank in its block, i32, and how many it has. */
LLVMValueRef ck_nvptx_thread_rank(struct ck_gen *gen);
LLVMValueRef ck_nvptx_block_threads(struct ck_gen *gen);

/* --- split_barrier.c --- */
/* Replaces the arrive and the wait of a split-phase barrier by one barrier where nothing between
 * them is worth overlapping. Returns whether functions are left to inline. */
bool ck_nvptx_merge_split_barriers(struct ck_gen *gen);

/* --- grid_barrier.c --- */
/* Shared memory of a kernel that has a barrier of the grid. */
enum { CK_NVPTX_GRID_BYTES = 16 };
/* All threads of the grid call these together. Arriving gives, to the block's first thread, what
 * the word was before, i32, which waiting takes. Meeting is both, and gives it to the first warp;
 * other threads get 0. */
void ck_nvptx_grid_sync(struct ck_gen *gen);
LLVMValueRef ck_nvptx_grid_arrive(struct ck_gen *gen);
void ck_nvptx_grid_wait(struct ck_gen *gen, LLVMValueRef v_before);
LLVMValueRef ck_nvptx_grid_arrive_and_wait(struct ck_gen *gen);
/* At the beginning and at the end of a kernel that has such a barrier. */
void ck_nvptx_grid_begin(struct ck_gen *gen);
void ck_nvptx_grid_end(struct ck_gen *gen);

/* --- block.c: hooks of the target --- */
void ck_nvptx_sync_tile(struct ck_gen *gen, int size, LLVMValueRef v_index, LLVMValueRef v_threads,
                        struct ck_span span);
LLVMValueRef ck_nvptx_block_arrive(struct ck_gen *gen, struct ck_span span);
void ck_nvptx_block_wait(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span);
uint64_t ck_nvptx_barrier_bytes(const struct ck_tfunc *kernel);
/* At a kernel's beginning, if its functions have `barrier_words`. */
void ck_nvptx_set_up_barriers(struct ck_gen *gen);

/* --- redux.c: hooks of the target --- */
bool ck_nvptx_has_redux(struct ck_gen *gen);
LLVMValueRef ck_nvptx_redux(struct ck_gen *gen, int op, bool is_signed, LLVMValueRef v_mask,
                            LLVMValueRef v_value);

/* --- partition.c: hook of the target --- */
void ck_nvptx_sync_partition(struct ck_gen *gen, const struct ck_partition_wait *wait);

/* --- libdevice.c --- */
/* Of one of its functions, linked and with its questions answered. */
void ck_libdevice_adapt(struct ck_gen *gen, LLVMValueRef v_function);
/* After the passes that they are for. */
void ck_libdevice_erase_marks(struct ck_gen *gen);

/* --- math_library.c --- */
/* What PTX calls a function, by the library that the options choose. */
const char *ck_math_name(struct ck_gen *gen, enum ck_math function);
/* Defines the functions of math.def that the module calls, from that library. */
void ck_math_link(struct ck_gen *gen);
/* A hook of the target. */
bool ck_math_identify(struct ck_strbuf *key, const struct ck_codegen_options *options);

/* --- entry.c: hooks of the target --- */
void ck_nvptx_kernel(struct ck_gen *gen, struct ck_func_info *info);
void ck_nvptx_attributes(struct ck_gen *gen, LLVMValueRef v_function, const struct ck_tfunc *tfunc);

/* --- print.c: hooks of the target --- */
void ck_nvptx_print(struct ck_gen *gen, const struct ck_print_item *items, LLVMValueRef *values,
                    int n);
void ck_nvptx_assert_fail(struct ck_gen *gen, const char *message, uint32_t line,
                          const char *function);

/* --- warp_primitives.c: hooks of the target --- */
LLVMValueRef ck_nvptx_lane(struct ck_gen *gen);
void ck_nvptx_collective(struct ck_gen *gen, struct ck_collective *x);

/* --- ptx_image.c: hooks of the target --- */
void ck_nvptx_write(struct ck_gen *gen, const struct ck_manifest *manifest, struct ck_strbuf *out);
struct ck_image *ck_nvptx_image(struct ck_gen *gen, const char *code, size_t length);

/* --- pipeline.c --- */
void ck_nvptx_optimise(struct ck_gen *gen);
/* Replaces what libdevice asks of the module's flags by the answers. */
void ck_nvptx_reflect(struct ck_gen *gen);
/* Folds what is constant in a function. */
void ck_nvptx_fold_constants_of(struct ck_gen *gen, LLVMValueRef v_function);

/* --- warp_divergence.c --- */
/* Calls `visit` for each basic block of the kernel that all threads of a block of the grid execute
 * converged, and so all lanes of a warp. Returns whether any call returned true. */
bool ck_nvptx_visit_converged(struct ck_gen *gen, LLVMValueRef v_kernel,
                              bool (*visit)(struct ck_gen *, LLVMBasicBlockRef));

/* --- warp.c --- */
/* Widens masks and drops `convergent` of warp-level primitives in converged blocks, until it is
 * restored. Returns whether there are any. */
bool ck_nvptx_drop_convergent(struct ck_gen *gen);
void ck_nvptx_restore_convergent(struct ck_gen *gen);

/* --- warp_workarounds.c --- */
/* Marks warp-level primitives whose result is not used as dead code, or no longer. Returns whether
 * there are any primitives. */
bool ck_nvptx_mark_removable(struct ck_gen *gen, bool removable);
/* Replaces the results of shuffles of constants. Returns whether there were any. */
bool ck_nvptx_fold_constant_shuffles(struct ck_gen *gen);

/* --- short_ints.c: a hook of the target --- */
void ck_nvptx_widen_shorts(struct ck_gen *gen);

/* --- grid.c --- */
/* Whether three indices are all zero. */
LLVMValueRef ck_nvptx_is_first(struct ck_gen *gen, enum ck_place what);
/* The driver's, of a cooperative launch, i64; 0 in others. */
LLVMValueRef ck_nvptx_workspace(struct ck_gen *gen);
/* Of the grid, i32. */
LLVMValueRef ck_nvptx_count_blocks(struct ck_gen *gen);
extern const struct ck_grid_ops ck_nvptx_grid;

#endif
