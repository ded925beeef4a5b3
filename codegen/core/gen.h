/* Code generation's map: the context, the values it handles, and every function that crosses files
 * of this folder, grouped by the file it lives in.
 *
 * LLVM values are v_*, basic blocks b_*. A failure does not travel through return values: it is
 * written to the ck_context and jumps to the entry in codegen.c, which frees everything. */
#ifndef CK_GEN_H
#define CK_GEN_H

#include <setjmp.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/TargetMachine.h>

#include "codegen/core/options.h"
#include "codegen/core/target.h"
#include "runtime/context/context.h"

enum { CK_MAX_HIDDEN = 4, CK_MAX_PASSES = 32 };

/* A value of the language: its scalars in order. A complex number is its real and its imaginary
 * part. An array is its data pointer, its shape (int64 a
 * dimension), then the strides its layout does not imply (int64, in elements); a tuple is its items
 * one after the other. This is also the order of the kernel ABI. */
struct ck_gen_value {
    int n;
    LLVMValueRef *parts; /* in the arena */
};

/* What code generation knows of one of the program's functions. */
struct ck_func_info {
    const struct ck_tfunc *tfunc;
    LLVMValueRef v_function; /* NULL: a kernel, or expanded where it is called */
    bool exits;              /* holds a barrier, an assert or a group's copy, or its callees do */
    uint64_t shared_begin;   /* of its shared arrays, as if all of the module's lay in a row */
    uint64_t shared_end;
    LLVMMetadataRef scope; /* with line tables */
    LLVMValueRef v_args;   /* a kernel's function that has its arguments as parameters; or NULL */
    unsigned first_arg;    /* LLVM's index of the first of them */
    bool *read_only;       /* [parameter] arrays marked by alias.c; NULL: none */
    bool *disjoint;        /* likewise */
    LLVMValueRef v_start;  /* a kernel's coroutine; or NULL */
    LLVMValueRef v_block_loops; /* instead, what becomes loops, see block_loops.c; or NULL */
    uint64_t block_loops_bytes; /* that they keep for each thread */
    uint32_t n_slots;           /* values that its threads give each other */
    int n_suspensions;          /* of a kernel's coroutine, as code generation makes it */
    uint64_t local_bytes;       /* of local arrays, callees' included, once its code is made */
    bool has_atomics;           /* likewise */
    bool excludes_bulk;         /* a device function that callers with bulk copies may not have */
    uint64_t copy_bytes;        /* of shared memory, for its copies in bulk */
};

struct ck_gen_loop {
    struct ck_gen_loop *outer;
    LLVMBasicBlockRef b_continue;
    LLVMBasicBlockRef b_break;
};

/* A typed function being expanded: several at once where callees are expanded in place. */
struct ck_frame {
    struct ck_frame *caller;
    const struct ck_func_info *info;
    LLVMValueRef **slots; /* [local][part], memory that becomes registers */
    LLVMValueRef *result; /* [part] */
    LLVMBasicBlockRef b_return;
    struct ck_gen_loop *loop;
    struct ck_span call; /* of an expansion in place */
    LLVMMetadataRef inlined_at;
};

/* The LLVM function that receives code. */
struct ck_gen_function {
    LLVMValueRef v_function;
    LLVMBasicBlockRef b_entry; /* holds the slots; ends in a branch to b_body */
    LLVMBasicBlockRef b_body;
    LLVMBasicBlockRef b_exit;             /* where a thread ends early; NULL: no such place */
    LLVMValueRef v_hidden[CK_MAX_HIDDEN]; /* the target's own parameters of device functions */
    LLVMValueRef v_arrivals[2];           /* the target's account of the grid's split barriers */
    LLVMValueRef v_turn;                  /* the target's, of operations of clusters */
    bool has_turns;                       /* it was asked for */
    bool in_whole_warps;                  /* this code runs only where warps have all lanes */
    bool wants_whole_warps;               /* and such code, beside other, would be faster */
    bool in_block_loops;                  /* it is to become loops, see block_loops.c */
    uint32_t n_slots;                     /* values that its threads then give each other */
    int n_suspensions;                    /* of a coroutine so far */
    int n_expanded;                       /* calls expanded in place so far */
    uint64_t local_bytes;                 /* of local arrays so far, callees' included */
    bool has_atomics;                     /* so far, callees included */
    struct ck_copies *copies;             /* the target's account of copies in bulk; NULL: none */
    bool excludes_bulk;                   /* something asks for that there are none */
};

struct ck_gen {
    ck_context *ctx;
    const struct ck_program *program;
    const struct ck_codegen_options *options;
    const struct ck_target *target;
    struct ck_arena arena;
    jmp_buf escape;
    ck_status status; /* why `escape` was taken */

    LLVMContextRef llvm;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMBuilderRef slot_builder; /* at the end of the current function's entry block */
    LLVMTargetMachineRef machine;
    LLVMTargetDataRef layout;
    LLVMDIBuilderRef debug; /* NULL: no line tables */
    LLVMMetadataRef debug_file;
    LLVMMetadataRef debug_unit;
    char *llvm_error; /* what LLVM reported last; malloc */

    LLVMTypeRef t_void, t_i1, t_i8, t_i32, t_i64, t_float, t_ptr;
    LLVMTypeRef scalar_types[CK_TYPE_WEAK_FLOAT + 1]; /* NULL: not a scalar of one part */

    struct ck_func_info *funcs; /* as program->functions */
    struct ck_func_info **funcs_by_address;
    struct ck_gen_function *func;
    struct ck_frame *frame;
    LLVMFastMathFlags fast_flags; /* of float32 and float64 arithmetic here */
    bool uses_math;               /* of math.def, from a library of bitcode */
    bool has_bulk_copies;         /* some kernel has */
    bool in_linear_time;          /* some function is too long for LLVM's usual passes */

    const char *passes_ran[CK_MAX_PASSES]; /* with options->after_pass: names, in order */
    int n_passes_ran;
    const char *after_pass; /* the module's text after that pass; NULL: it has not run */

    struct ck_barrier_site *sites;
    size_t n_sites, sites_capacity;
    struct ck_image *image; /* while it is being made */
    struct ck_jit *jit;     /* likewise, until an image has it */
};

/* --- codegen.c --- */
_Noreturn void ck_gen_fail(struct ck_gen *gen, ck_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* After something that the target machine depends on has become known. */
void ck_gen_renew_machine(struct ck_gen *gen);

/* --- build.c: short forms of LLVM's builder --- */
LLVMValueRef l_i32(struct ck_gen *gen, uint32_t value);
LLVMValueRef l_i64(struct ck_gen *gen, int64_t value);
LLVMBasicBlockRef l_block(struct ck_gen *gen, const char *name);
void l_at(struct ck_gen *gen, LLVMBasicBlockRef block);
void l_branch(struct ck_gen *gen, LLVMBasicBlockRef target);
/* Branches, and goes on in an unreachable block: the statements after a `return`. */
void l_leave(struct ck_gen *gen, LLVMBasicBlockRef target);
LLVMValueRef l_slot(struct ck_gen *gen, LLVMTypeRef type, const char *name);
LLVMValueRef l_load(struct ck_gen *gen, LLVMTypeRef type, LLVMValueRef v_address, unsigned align,
                    const char *name);
void l_store(struct ck_gen *gen, LLVMValueRef v_value, LLVMValueRef v_address, unsigned align);
/* A load of memory that does not change while the kernel runs. */
LLVMValueRef l_load_constant(struct ck_gen *gen, LLVMTypeRef type, LLVMValueRef v_address,
                             unsigned align, const char *name);
LLVMValueRef l_offset(struct ck_gen *gen, LLVMValueRef v_address, uint64_t bytes);
/* An intrinsic, overloaded on `type` unless NULL. */
LLVMValueRef l_intrinsic(struct ck_gen *gen, const char *name, LLVMTypeRef type, LLVMValueRef *args,
                         unsigned n);
/* No pass makes the call depend on more conditions. */
void l_convergent(struct ck_gen *gen, LLVMValueRef v_call);
/* The call keeps nothing of its argument, a pointer, of that index (1: the first). */
void l_captures_nothing(struct ck_gen *gen, LLVMValueRef v_call, unsigned index);
LLVMValueRef l_call(struct ck_gen *gen, LLVMValueRef v_function, LLVMValueRef *args, unsigned n);
LLVMValueRef l_select(struct ck_gen *gen, LLVMValueRef v_test, LLVMValueRef v_then,
                      LLVMValueRef v_else);
LLVMValueRef l_compare(struct ck_gen *gen, LLVMIntPredicate predicate, LLVMValueRef v_left,
                       LLVMValueRef v_right);
/* Gives floating-point arithmetic the current function's flags. */
LLVMValueRef l_fast(struct ck_gen *gen, LLVMValueRef v_value);
LLVMValueRef l_text(struct ck_gen *gen, const char *bytes, size_t length);
LLVMValueRef l_function(struct ck_gen *gen, const char *name, LLVMTypeRef returns,
                        LLVMTypeRef *params, unsigned n);
/* One that accesses no memory and always returns, and is not convergent. */
LLVMValueRef l_pure_function(struct ck_gen *gen, const char *name, LLVMTypeRef returns,
                             LLVMTypeRef *params, unsigned n);
/* Attributes; `index` as LLVM's: 0 the result, 1 the first parameter, -1 the function. */
void l_attribute(struct ck_gen *gen, LLVMValueRef v_function, unsigned index, const char *name,
                 uint64_t value);
void l_call_attribute(struct ck_gen *gen, LLVMValueRef v_call, unsigned index, const char *name,
                      uint64_t value);
void l_attribute_text(struct ck_gen *gen, LLVMValueRef v_function, const char *name,
                      const char *value);
/* Of an int64 from 0 on, below `end`. */
#define CK_NOT_NEGATIVE ((uint64_t)1 << 63)
void l_attribute_range(struct ck_gen *gen, LLVMValueRef v_function, unsigned index, uint64_t end);

/* --- type.c --- */
void ck_gen_init_types(struct ck_gen *gen);
LLVMTypeRef ck_gen_scalar_type(struct ck_gen *gen, const struct ck_type *type);
LLVMTypeRef ck_gen_memory_type(struct ck_gen *gen, const struct ck_type *type);
LLVMValueRef ck_gen_to_memory(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_value);
LLVMValueRef ck_gen_from_memory(struct ck_gen *gen, const struct ck_type *type,
                                LLVMValueRef v_memory);
int ck_gen_n_parts(const struct ck_type *type);
/* Writes the parts' LLVM types and gives their number. */
int ck_gen_part_types(struct ck_gen *gen, const struct ck_type *type, LLVMTypeRef *out);
struct ck_gen_value ck_gen_value_new(struct ck_gen *gen, int n_parts);
struct ck_gen_value ck_gen_value_scalar(struct ck_gen *gen, LLVMValueRef v_scalar);

/* --- expr.c --- */
struct ck_gen_value ck_gen_expr(struct ck_gen *gen, const struct ck_texpr *expr);
LLVMValueRef ck_gen_scalar(struct ck_gen *gen, const struct ck_texpr *expr);
void ck_gen_assign(struct ck_gen *gen, int local, struct ck_gen_value value);

/* --- arith.c, cast.c --- */
LLVMValueRef ck_gen_unary(struct ck_gen *gen, enum ck_unary_op op, const struct ck_type *type,
                          LLVMValueRef v_operand);
LLVMValueRef ck_gen_binary(struct ck_gen *gen, const struct ck_texpr *expr);
LLVMValueRef ck_gen_compare(struct ck_gen *gen, enum ck_compare_op op, const struct ck_type *type,
                            LLVMValueRef v_left, LLVMValueRef v_right);
LLVMValueRef ck_gen_cast(struct ck_gen *gen, const struct ck_type *from, const struct ck_type *to,
                         LLVMValueRef v_value);
/* float16 and bfloat16 are computed in float32 and rounded after each operation. */
const struct ck_type *ck_gen_wide_type(const struct ck_type *type);
LLVMValueRef ck_gen_widen(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_value);
LLVMValueRef ck_gen_narrow(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_value);

/* --- complex.c --- */
/* An expression of complex type of a kind that has no other function. */
struct ck_gen_value ck_gen_complex(struct ck_gen *gen, const struct ck_texpr *expr);
LLVMValueRef ck_gen_complex_compare(struct ck_gen *gen, const struct ck_texpr *expr);
LLVMValueRef ck_gen_complex_truth(struct ck_gen *gen, struct ck_gen_value value);
LLVMValueRef ck_gen_complex_abs(struct ck_gen *gen, const struct ck_texpr *operand);
/* Both parts as a vector, and back. */
LLVMValueRef ck_gen_complex_pack(struct ck_gen *gen, struct ck_gen_value value);
struct ck_gen_value ck_gen_complex_unpack(struct ck_gen *gen, LLVMValueRef v_vector);

/* What an atomic access orders, and for which threads. */
struct ck_atomicity {
    enum ck_order order;
    enum ck_scope scope;
};

/* --- builtin_atomic.c --- */
void ck_gen_set_atomic(struct ck_gen *gen, LLVMValueRef v_access, struct ck_atomicity how);

/* --- array.c --- */
LLVMValueRef ck_gen_element_address(struct ck_gen *gen, const struct ck_type *array,
                                    struct ck_gen_value value, const struct ck_tindex *indices);
/* What was loaded from an array, as a value that is not LLVM's `poison`, on which a branch would be
 * undefined: an element of a local array that was never stored, or is out of range, has any value,
 * but always the same; so has one out of a constant array's range. LLVM takes what other memory
 * holds for values. */
LLVMValueRef ck_gen_settle(struct ck_gen *gen, const struct ck_type *array, LLVMValueRef v_loaded);
struct ck_gen_value ck_gen_element_load(struct ck_gen *gen, const struct ck_texpr *element);
/* A load of one scalar in its form in memory, of an order that a load may have. */
LLVMValueRef ck_gen_load_atomic(struct ck_gen *gen, LLVMTypeRef type, LLVMValueRef v_address,
                                struct ck_atomicity how);
void ck_gen_element_store(struct ck_gen *gen, const struct ck_type *elem, LLVMValueRef v_address,
                          struct ck_gen_value value);
LLVMValueRef ck_gen_stride_bytes(struct ck_gen *gen, const struct ck_type *array,
                                 struct ck_gen_value value, int dim);
/* An index as int64, below zero from the end where it may be. */
LLVMValueRef ck_gen_index(struct ck_gen *gen, const struct ck_tindex *index, LLVMValueRef v_extent);
/* In elements. */
LLVMValueRef ck_gen_stride(struct ck_gen *gen, const struct ck_type *array,
                           struct ck_gen_value value, int dim);
struct ck_gen_value ck_gen_retype(struct ck_gen *gen, const struct ck_texpr *expr);

/* --- view.c --- */
struct ck_gen_value ck_gen_view(struct ck_gen *gen, const struct ck_texpr *expr);
struct ck_gen_value ck_gen_reinterpret(struct ck_gen *gen, const struct ck_texpr *expr);
struct ck_gen_value ck_gen_transpose(struct ck_gen *gen, const struct ck_texpr *expr);

/* --- constant.c --- */
struct ck_gen_value ck_gen_const_array(struct ck_gen *gen, const struct ck_texpr *expr);
/* Once no pass folds loads any more, those of constant arrays need no `freeze`, which keeps a load
 * and its extension from becoming one instruction. */
void ck_gen_thaw_constants(struct ck_gen *gen);

/* --- local.c --- */
/* Counts memory that the current function's threads need. */
void ck_gen_use_local(struct ck_gen *gen, uint64_t bytes);

/* --- stmt.c --- */
void ck_gen_block(struct ck_gen *gen, const struct ck_tblock *block);

/* --- function.c --- */
void ck_gen_survey(struct ck_gen *gen);
struct ck_func_info *ck_gen_func_info(struct ck_gen *gen, const struct ck_tfunc *tfunc);
/* What an LLVM function was made of; NULL: of nothing in the program. */
const struct ck_tfunc *ck_gen_source_of(const struct ck_gen *gen, LLVMValueRef v_function);
/* A kernel with a barrier of the grid whose blocks are small, and whose author leaves open how many
 * there are to be: its threads may have as many registers as they can use, and its grid is as large
 * as then fits. */
bool ck_gen_is_spacious(const struct ck_tfunc *tfunc);
void ck_gen_functions(struct ck_gen *gen);
/* Starts and ends the code of an LLVM function. */
void ck_gen_enter(struct ck_gen *gen, struct ck_gen_function *func, LLVMValueRef v_function);
void ck_gen_finish(struct ck_gen *gen);
/* The function's statements, here, with these arguments. */
struct ck_gen_value ck_gen_expand(struct ck_gen *gen, const struct ck_func_info *info,
                                  struct ck_gen_value args, struct ck_span call);
/* The innermost frame of what the user wrote, and the place in it for one that is reached; NULL: we
 * are in a function of the language's own text, which is no place of the user's. */
const struct ck_frame *ck_gen_user_frame(struct ck_gen *gen, struct ck_span *span);
/* The kernel that code is made for; of a device function that is not expanded, that function. */
const struct ck_tfunc *ck_gen_kernel(const struct ck_gen *gen);
struct ck_gen_value ck_gen_call(struct ck_gen *gen, const struct ck_texpr *call);
/* All parameters' parts in a row. */
int ck_gen_n_param_parts(const struct ck_tfunc *tfunc);
void ck_gen_param_types(struct ck_gen *gen, const struct ck_tfunc *tfunc, LLVMTypeRef *out);
/* LLVM parameters that a kernel's entry has for a parameter. */
int ck_gen_n_entry_params(struct ck_gen *gen, const struct ck_type *type);
/* What an extent of an array that is a parameter is below: launches refuse arrays that are larger
 * than the address space. Of a view within the kernel it is only known not to be negative. */
uint64_t ck_gen_extent_end(const struct ck_tfunc *tfunc, const struct ck_type *array);
/* Marks the shapes among the parameters from LLVM index `first` on as in this range. */
void ck_gen_mark_shapes(struct ck_gen *gen, const struct ck_tfunc *tfunc, LLVMValueRef v_function,
                        unsigned first);

/* --- builtin.c --- */
struct ck_gen_value ck_gen_builtin(struct ck_gen *gen, const struct ck_texpr *expr);
/* The product of the three extents that a place names, int64: a block's threads, a grid's blocks.
 */
LLVMValueRef ck_gen_volume(struct ck_gen *gen, enum ck_place size);

/* --- debug.c: line tables; nothing happens without them --- */
void ck_debug_init(struct ck_gen *gen);
void ck_debug_function(struct ck_gen *gen, struct ck_func_info *info);
void ck_debug_at(struct ck_gen *gen, struct ck_span span);
LLVMMetadataRef ck_debug_location(struct ck_gen *gen, struct ck_span span);
void ck_debug_nowhere(struct ck_gen *gen);
void ck_debug_finish(struct ck_gen *gen);

/* --- libdevice.c --- */
/* Of one of its functions, linked and with its questions answered. */
void ck_libdevice_adapt(struct ck_gen *gen, LLVMValueRef v_function);
/* After the passes that they are for. */
void ck_libdevice_erase_marks(struct ck_gen *gen);

/* --- math.c --- */
/* What PTX calls a function, by the library that the options choose. */
const char *ck_math_name(struct ck_gen *gen, enum ck_math function);
/* Defines the functions of math.def that the module calls, from that library. */
void ck_math_link(struct ck_gen *gen);
/* A hook of the target. */
bool ck_math_identify(struct ck_strbuf *key, const struct ck_codegen_options *options);

/* --- alias.c --- */
/* Before the passes, on a verified module. */
void ck_gen_mark_arrays(struct ck_gen *gen);
/* Whether an address is in an array, marked so, that nobody writes while the kernel runs. */
bool ck_gen_is_never_written(LLVMValueRef v_kernel, LLVMValueRef v_address);

/* --- guard.c --- */
/* On simplified code. */
void ck_gen_cut_guarded_loops(struct ck_gen *gen);

/* --- host_split.c --- */
/* On simplified code. Makes plain functions of a coroutine, and gives the one that starts it. */
LLVMValueRef ck_host_split(struct ck_gen *gen, LLVMValueRef v_coroutine);

/* --- block_loops.c --- */
/* On simplified code. Makes block loops of a kernel whose threads come to its barriers converged,
 * and sets how many bytes they keep for each thread; its threads read n_shared values of each
 * other. False: that is not known, the function is of no use. */
bool ck_block_loops_make(struct ck_gen *gen, LLVMValueRef v_function, uint32_t n_shared,
                         uint64_t *frame_bytes);

/* --- unroll.c --- */
/* On simplified code, before the pass that unrolls. */
void ck_gen_unroll_loops(struct ck_gen *gen);

/* --- stride.c --- */
bool ck_gen_has_strided_loops(struct ck_gen *gen);
/* Where there are such, on simplified loops in LLVM's lcssa form. */
void ck_gen_unroll_strided_loops(struct ck_gen *gen);

/* --- promote.c --- */
/* On a verified module, before any pass. */
void ck_gen_promote(struct ck_gen *gen);

/* --- long.c --- */
/* Whether some function is too long for LLVM's usual passes. */
bool ck_gen_has_long_function(struct ck_gen *gen);
/* After the passes: whether the back end is not to optimise for GPUs either. */
bool ck_gen_has_many_sums(struct ck_gen *gen);
/* After the passes: no block has very many instructions. */
void ck_gen_cut_long_blocks(struct ck_gen *gen);
/* Whether a kernel has too many suspensions for LLVM's coroutines. */
bool ck_gen_suspends_often(const struct ck_func_info *info);
/* Whether it has too many for a loop from each to the next. */
bool ck_gen_waits_often(const struct ck_func_info *info);

/* --- manifest.c --- */
/* Strings and descriptions live in `arena`. */
void ck_gen_manifest(struct ck_gen *gen, struct ck_arena *arena, struct ck_manifest *out);
/* A kernel's static shared memory. */
uint64_t ck_gen_shared_bytes(struct ck_gen *gen, const struct ck_func_info *func);

/* --- host_block.c, nvptx_block.c: hooks of the targets --- */
void ck_host_sync_tile(struct ck_gen *gen, int size, LLVMValueRef v_index, LLVMValueRef v_threads,
                       struct ck_span span);
void ck_host_sync_partition(struct ck_gen *gen, const struct ck_partition_wait *wait);
LLVMValueRef ck_host_block_arrive(struct ck_gen *gen, struct ck_span span);
void ck_host_block_wait(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span);
uint64_t ck_host_barrier_bytes(const struct ck_tfunc *kernel);
void ck_nvptx_sync_tile(struct ck_gen *gen, int size, LLVMValueRef v_index, LLVMValueRef v_threads,
                        struct ck_span span);
LLVMValueRef ck_nvptx_block_arrive(struct ck_gen *gen, struct ck_span span);
void ck_nvptx_block_wait(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span);
uint64_t ck_nvptx_barrier_bytes(const struct ck_tfunc *kernel);
/* At a kernel's beginning, if its functions have `barrier_words`. */
void ck_nvptx_set_up_barriers(struct ck_gen *gen);

/* --- nvptx_redux.c --- */
bool ck_nvptx_has_redux(struct ck_gen *gen);
LLVMValueRef ck_nvptx_redux(struct ck_gen *gen, int op, bool is_signed, LLVMValueRef v_mask,
                            LLVMValueRef v_value);

/* --- nvptx_part.c: hook of the target --- */
void ck_nvptx_sync_partition(struct ck_gen *gen, const struct ck_partition_wait *wait);

/* --- image.c --- */
LLVMMemoryBufferRef ck_gen_emit(struct ck_gen *gen, LLVMCodeGenFileType kind);
void ck_code_ptx(struct ck_gen *gen, struct ck_strbuf *out);
void ck_code_host(struct ck_gen *gen, struct ck_strbuf *out);
struct ck_image *ck_image_ptx(struct ck_gen *gen, const char *code, size_t length);
struct ck_image *ck_image_host(struct ck_gen *gen, const char *code, size_t length);

/* --- jit.c --- */
struct ck_jit;
/* Code in memory from an object file, which it takes over. */
struct ck_jit *ck_jit_new(struct ck_gen *gen, LLVMMemoryBufferRef object);
/* The addresses of n functions of that object. */
void ck_jit_lookup(struct ck_gen *gen, struct ck_jit *jit, const char *const *names,
                   uint64_t *addresses, size_t n);
void ck_jit_free(struct ck_jit *jit);

#endif
