/* Declarations that the files of the NVPTX target share. */
#ifndef CK_NVPTX_H
#define CK_NVPTX_H

#include "codegen/lower/lower.h"

/* LLVM's address spaces. */
enum { SPACE_GENERIC = 0, SPACE_GLOBAL = 1, SPACE_SHARED = 3, SPACE_CONST = 4 };

/* LLVM's number for the calling convention of kernels. */
enum { CALL_PTX_KERNEL = 71 };

/* The target's state of a module, */
struct ck_nvptx_module {
    bool uses_math;       /* it calls functions of math.def, which are in a bitcode library */
    bool has_bulk_copies; /* some kernel has */
};
/* and of the LLVM function that receives code. */
struct ck_nvptx_function {
    LLVMValueRef v_buffer;    /* slot: the index of the next cluster collective's buffer */
    bool uses_buffers;        /* there is a cluster collective */
    struct ck_copies *copies; /* see copy.c; NULL: it has no bulk copies */
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
/* Inline PTX of at most six operands. `effect`: LLVM neither removes, duplicates nor moves it. */
LLVMValueRef ck_nvptx_asm(struct ck_gen *gen, bool effect, const char *text,
                          const char *constraints, LLVMTypeRef returns, LLVMValueRef *args,
                          unsigned n);
/* The same, with an effect and `convergent`: all lanes of a warp execute it converged. */
LLVMValueRef ck_nvptx_convergent_asm(struct ck_gen *gen, const char *text, const char *constraints,
                                     LLVMTypeRef returns, LLVMValueRef *args, unsigned n);
/* A global variable of the module with internal linkage, added by the first call. It is initialised
 * with zero; shared memory is not initialised. */
LLVMValueRef ck_nvptx_memory(struct ck_gen *gen, const char *name, LLVMTypeRef type, unsigned align,
                             unsigned space);
LLVMValueRef ck_nvptx_place(struct ck_gen *gen, enum ck_place what, int dim);
void ck_nvptx_block_barrier(struct ck_gen *gen);

/* --- function.c --- */
/* Calls a function of the module, which `make` lowers at the first call. */
LLVMValueRef ck_nvptx_call(struct ck_gen *gen, const char *name,
                           void (*make)(struct ck_gen *, LLVMValueRef), LLVMTypeRef returns,
                           LLVMValueRef *args, unsigned n);

/* --- block.c --- */
/* Symbols: the words of barriers in shared memory, the function that initialises them, and arrive
 * and wait of the block's split barrier. */
#define CK_NVPTX_WORDS  "shared$barriers"
#define CK_NVPTX_SET_UP "ck.set_up_barriers"
#define CK_NVPTX_ARRIVE "ck.block_arrive"
#define CK_NVPTX_WAIT   "ck.block_wait"
/* The thread's rank in its block, and the block's number of threads, i32. */
LLVMValueRef ck_nvptx_thread_rank(struct ck_gen *gen);
LLVMValueRef ck_nvptx_block_threads(struct ck_gen *gen);

/* --- split_barrier.c --- */
/* Replaces the arrive and the wait of a split-phase barrier by one barrier where nothing between
 * them is worth overlapping. Returns whether functions are left to inline. */
bool ck_nvptx_merge_split_barriers(struct ck_gen *gen);

/* --- grid_barrier.c --- */
/* Bytes of shared memory that a kernel with a grid barrier needs. */
enum { CK_NVPTX_GRID_BYTES = 16 };
/* All threads of the grid execute these converged. Arrive returns to the block's first thread the
 * barrier's word before the arrival, i32, which wait takes. ck_nvptx_grid_arrive_and_wait returns
 * that word to the block's first warp. Other threads get 0. */
void ck_nvptx_grid_sync(struct ck_gen *gen);
LLVMValueRef ck_nvptx_grid_arrive(struct ck_gen *gen);
void ck_nvptx_grid_wait(struct ck_gen *gen, LLVMValueRef v_before);
LLVMValueRef ck_nvptx_grid_arrive_and_wait(struct ck_gen *gen);
/* At the beginning and at the end of a kernel that has a grid barrier. */
void ck_nvptx_grid_begin(struct ck_gen *gen);
void ck_nvptx_grid_end(struct ck_gen *gen);

/* --- block.c: hooks of the target --- */
void ck_nvptx_sync_tile(struct ck_gen *gen, int size, LLVMValueRef v_index, LLVMValueRef v_threads,
                        struct ck_span span);
LLVMValueRef ck_nvptx_block_arrive(struct ck_gen *gen, struct ck_span span);
void ck_nvptx_block_wait(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span);
uint64_t ck_nvptx_barrier_bytes(const struct ck_tfunc *kernel);
/* At the beginning of a kernel with CK_EFFECT_BARRIER_WORDS: initialises the words. */
void ck_nvptx_set_up_barriers(struct ck_gen *gen);

/* --- asm_names.c --- */
/* Adds the text with other names for the registers and labels that it declares, which no kernel can
 * have. False: out of memory. */
bool ck_nvptx_own_names(struct ck_strbuf *out, const char *text);

/* --- bound_copies.c --- */
/* Copies the bounds of loops with warp-level primitives to registers of their own. Runs after all
 * other passes. */
void ck_nvptx_copy_bounds(struct ck_gen *gen);

/* --- bounds_record.c --- */
extern const struct ck_check_ops ck_nvptx_check;

/* --- chained_products.c --- */
/* Keeps LLVM from composing chains of multiplications and additions with constants. Runs after all
 * other passes. */
void ck_nvptx_keep_chains(struct ck_gen *gen);

/* --- count_up.c --- */
/* Makes loops with warp-level reductions count up to a bound in a vector register. Runs after all
 * other passes. */
void ck_nvptx_count_up(struct ck_gen *gen);

/* --- saturate.c --- */
/* Replaces LLVM's saturating conversions of floats to integers by PTX's. Runs after all passes that
 * simplify. */
void ck_nvptx_saturate(struct ck_gen *gen);

/* --- converted_sums.c --- */
/* Adds a constant to a converted integer, instead of converting the sum of both. Runs after all
 * passes that simplify. */
void ck_nvptx_add_converted(struct ck_gen *gen);

/* --- split_xors.c --- */
/* Replaces an exclusive or with the sum of a value and a constant by one with each of the two. Runs
 * after all passes that simplify. */
void ck_nvptx_split_xors(struct ck_gen *gen);

/* --- short_divisions.c --- */
/* Makes a 32-bit version of 64-bit divisions. Runs on simplified code. */
void ck_nvptx_shorten_divisions(struct ck_gen *gen);

/* --- redux.c: hooks of the target --- */
bool ck_nvptx_has_redux(struct ck_gen *gen);
LLVMValueRef ck_nvptx_redux(struct ck_gen *gen, int op, bool is_signed, LLVMValueRef v_mask,
                            LLVMValueRef v_value);
/* Whether a value is what redux.sync returns. No hook. */
bool ck_nvptx_is_redux(LLVMValueRef v);

/* --- partition.c: hook of the target --- */
void ck_nvptx_sync_partition(struct ck_gen *gen, const struct ck_partition_wait *wait);

/* --- libdevice.c --- */
/* Adapts a function of libdevice, once it is linked and its __nvvm_reflect calls are replaced. */
void ck_libdevice_adapt(struct ck_gen *gen, LLVMValueRef v_function);
/* Erases the marks that ck_libdevice_adapt left for the passes. */
void ck_libdevice_erase_marks(struct ck_gen *gen);

/* --- math_library.c --- */
/* The symbol of a function in the library that the options select. */
const char *ck_math_name(struct ck_gen *gen, enum ck_math function);
/* Links the functions of math.def that the module calls. */
void ck_math_link(struct ck_gen *gen);
/* A hook of the target. */
bool ck_math_identify(struct ck_strbuf *key, const struct ck_codegen_options *options);

/* --- entry.c: hooks of the target --- */
void ck_nvptx_kernel(struct ck_gen *gen, struct ck_func_info *info);
void ck_nvptx_attributes(struct ck_gen *gen, LLVMValueRef v_function, const struct ck_tfunc *tfunc);

/* --- print.c: hooks of the target --- */
void ck_nvptx_print(struct ck_gen *gen, const struct ck_print_item *items, LLVMValueRef *values,
                    int n);
void ck_nvptx_assert_fail(struct ck_gen *gen, const struct ck_failed_assert *failed);

/* --- warp_primitives.c: hooks of the target --- */
LLVMValueRef ck_nvptx_lane(struct ck_gen *gen);
void ck_nvptx_collective(struct ck_gen *gen, struct ck_collective *x);

/* --- ptx_image.c: hooks of the target --- */
void ck_nvptx_write(struct ck_gen *gen, const struct ck_manifest *manifest, struct ck_strbuf *out);
struct ck_image *ck_nvptx_image(struct ck_gen *gen, const char *code, size_t length);

/* --- pipeline.c --- */
void ck_nvptx_optimise(struct ck_gen *gen);
/* Replaces libdevice's queries of module flags by their values. */
void ck_nvptx_reflect(struct ck_gen *gen);
/* Folds constant expressions in a function. */
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

/* --- extents.c --- */
/* How functions begin that return the low half of a parameter, in the code that is optimised. */
#define CK_NVPTX_LOW_HALF "ck.low_half"
/* The function that reads a position; NULL: nothing reads it. */
LLVMValueRef ck_nvptx_place_function(struct ck_gen *gen, enum ck_place what, int dim);

/* --- small_version.c --- */
/* Whether a kernel shall have a version of its code for small launches. */
bool ck_nvptx_wants_small_version(struct ck_gen *gen, const struct ck_func_info *info);
/* Joins these versions to their kernels, which select one. Runs after the passes. */
void ck_nvptx_join_small_versions(struct ck_gen *gen);

/* An extent and an int64 scalar, i64, of a small launch; `v_param` is the parameter. */
LLVMValueRef ck_nvptx_small_extent(struct ck_gen *gen, LLVMValueRef v_param);
LLVMValueRef ck_nvptx_small_scalar(struct ck_gen *gen, LLVMValueRef v_param, bool is_natural);
/* The extent that is added to an index below zero: equal to v_extent, which LLVM does not know. */
LLVMValueRef ck_nvptx_wrap_extent(struct ck_gen *gen, LLVMValueRef v_extent);
/* Where that extent is a parameter's, calls become its low half; other calls become the operand, if
 * this is the last time. */
void ck_nvptx_resolve_wraps(struct ck_gen *gen, bool last);
/* In the code that is optimised: whether a value is the low half of an extent; of one that wraps an
 * index. */
bool ck_nvptx_is_low_extent(LLVMValueRef v_call);
bool ck_nvptx_is_wrap_extent(LLVMValueRef v);
/* Extensions in optimised code become the parameters. */
void ck_nvptx_restore_extents(struct ck_gen *gen);

/* --- short_wraps.c --- */
/* Makes minima of 32-bit indices that may be negative, in small launches. Runs after LLVM's passes,
 * before ck_nvptx_restore_extents. */
void ck_nvptx_shorten_wraps(struct ck_gen *gen);
/* The minimum that a 32-bit index and its wrap are, where the builder is. */
LLVMValueRef ck_nvptx_wrapped_index(struct ck_gen *gen, LLVMValueRef v_index,
                                    LLVMValueRef v_extent);

/* --- short_offsets.c --- */
/* Computes the offsets of elements in 32 bits, in small launches. Runs after
 * ck_nvptx_shorten_wraps, before ck_nvptx_restore_extents. */
void ck_nvptx_shorten_offsets(struct ck_gen *gen);

/* --- registers.c --- */
/* Lets the assembler use more registers in kernels with loops that wait for their loads. */
void ck_nvptx_permit_registers(struct ck_gen *gen);

/* --- short_tests.c --- */
/* Lets loops whose counter fits in 32 bits test a counter of 32 bits. Runs after LLVM's passes. */
void ck_nvptx_shorten_tests(struct ck_gen *gen);

/* --- wide_products.c --- */
/* Extends both factors of products in the same way, next to the product. */
void ck_nvptx_widen_products(struct ck_gen *gen);

/* --- short_ints.c: a hook of the target --- */
void ck_nvptx_widen_shorts(struct ck_gen *gen);

/* --- float_bits.c --- */
/* Copies the bits of floats of which parts are stored. Runs after all other passes. */
void ck_nvptx_copy_float_bits(struct ck_gen *gen);

/* --- grid.c --- */
/* Whether three indices are all zero. */
LLVMValueRef ck_nvptx_is_first(struct ck_gen *gen, enum ck_place what);
/* The address of the driver's workspace of a cooperative launch, i64; 0 in other launches. */
LLVMValueRef ck_nvptx_workspace(struct ck_gen *gen);
/* The number of blocks of the grid, i32. */
LLVMValueRef ck_nvptx_count_blocks(struct ck_gen *gen);
extern const struct ck_grid_ops ck_nvptx_grid;

/* --- cache_operator.c --- */
LLVMValueRef ck_nvptx_hinted_load(struct ck_gen *gen, const char *hint, LLVMValueRef v_address,
                                  unsigned bytes);
void ck_nvptx_hinted_store(struct ck_gen *gen, const char *hint, LLVMValueRef v_address,
                           LLVMValueRef v_bits, unsigned bytes);
void ck_nvptx_prefetch(struct ck_gen *gen, LLVMValueRef v_address);

#endif
