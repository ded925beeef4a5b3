/* The context of code generation, the values that it handles, and the functions of this folder,
 * grouped by the file they are in.
 *
 * LLVM values are v_*, basic blocks b_*. A failure does not travel through return values: it is
 * written to the ck_context and jumps to the entry in driver/codegen.c, which frees everything. */
#ifndef CK_GEN_H
#define CK_GEN_H

#include <setjmp.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/TargetMachine.h>

#include "codegen/core/options.h"
#include "codegen/core/target.h"
#include "runtime/context/context.h"

enum { CK_MAX_HIDDEN = 4, CK_MAX_PASSES = 64 };

/* A value of the language: its scalars in order. A complex number is its real and its imaginary
 * part. An array is its data pointer, its shape (one int64 a dimension), then the strides that its
 * layout does not imply (int64, in elements). A tuple is its items one after the other. This is
 * also the order of the kernel ABI. */
struct ck_gen_value {
    int n;
    LLVMValueRef *parts; /* in the arena */
};

/* Properties of code so far, callees included. */
struct ck_code_facts {
    uint64_t local_bytes; /* of local arrays */
    bool has_atomics;
    bool no_bulk_copies; /* its kernel must not copy in bulk */
};

/* One of the program's functions, and its code. */
struct ck_func_info {
    const struct ck_tfunc *tfunc;
    LLVMValueRef v_function; /* NULL: a kernel, or inlined into its callers from the start */
    unsigned size;           /* instructions of v_function, if checks are made */
    bool exits;              /* holds a barrier, an assert or a group's copy, or its callees do */
    uint64_t shared_begin;   /* of its shared arrays, if the module's lay one after the other */
    uint64_t shared_end;
    LLVMMetadataRef scope;     /* with line tables */
    LLVMValueRef v_args;       /* a kernel's function with its arguments as parameters; or NULL */
    LLVMValueRef v_small;      /* its version for small launches, until it is joined; or NULL */
    unsigned first_arg;        /* LLVM's index of the first of them */
    bool *read_only;           /* [parameter] set by array_marks.c; NULL: no array is */
    bool *disjoint;            /* likewise */
    bool *never_written;       /* likewise */
    bool has_grid_ranks;       /* computes ranks or numbers of threads of the grid */
    struct ck_code_facts code; /* once its code is made */
    uint64_t frame_bytes;      /* of a call, for the limit of recursion; 0: not known yet */
    uint64_t bulk_copy_bytes;  /* of shared memory, for its bulk copies */
    void *state;               /* the target's, traits.info_bytes, at first zero */
};

struct ck_gen_loop {
    struct ck_gen_loop *outer;
    LLVMBasicBlockRef b_continue;
    LLVMBasicBlockRef b_break;
};

/* A typed function during lowering; `caller` is set where it is inlined. */
struct ck_frame {
    struct ck_frame *caller;
    const struct ck_func_info *info;
    LLVMValueRef **slots; /* [local][part], allocas */
    LLVMValueRef *result; /* [part] */
    LLVMBasicBlockRef b_return;
    struct ck_gen_loop *loop;
    struct ck_span call; /* of the inlined call */
    LLVMMetadataRef inlined_at;
};

/* The LLVM function that receives code. */
struct ck_gen_function {
    LLVMValueRef v_function;
    LLVMBasicBlockRef b_entry; /* holds the slots; ends in a branch to b_body */
    LLVMBasicBlockRef b_body;
    LLVMValueRef v_hidden[CK_MAX_HIDDEN]; /* the target's own parameters of device functions */
    LLVMValueRef v_stack_used;            /* i32: by recursive calls so far; NULL: none */
    bool in_full_warps;                   /* this version runs only where all warps are full */
    bool wants_full_warps;                /* such a version would be faster */
    bool is_small;                        /* a version for small launches (docs/adr/058) */
    bool has_grid_ranks;                  /* computes ranks or numbers of threads of the grid */
    int n_inlined;                        /* calls inlined so far */
    struct ck_code_facts code;            /* so far */
    void *state; /* the target's, traits.function_bytes, at first zero; see ck_gen_enter */
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
    bool in_linear_time;          /* some function is too long for LLVM's usual passes */

    const char *passes_ran[CK_MAX_PASSES]; /* with options->after_pass: names, in order */
    int n_passes_ran;
    const char *after_pass; /* the module's text after that pass; NULL: it has not run */

    bool has_wide_views;             /* some function has CK_EFFECT_WIDE_VIEW */
    unsigned inlined_size;           /* instructions inlined so that findings name the calls */
    struct ck_access_site *accesses; /* that findings name, and the inlined calls around them */
    size_t n_accesses, accesses_capacity;

    const struct ck_module_array **arrays; /* of the module, that the program uses */
    size_t n_arrays, arrays_capacity;

    struct ck_image *image; /* while it is being made */
    void *state;            /* the target's, traits.module_bytes, at first zero */
};

/* --- gen.c --- */
_Noreturn void ck_gen_fail(struct ck_gen *gen, ck_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Creates the target machine again, after a property that it depends on has changed. */
void ck_gen_renew_machine(struct ck_gen *gen);
/* The text of an expression for a message, on one line and without comments. */
const char *ck_gen_source_text(struct ck_gen *gen, struct ck_span span);
/* The innermost frame of the user's program; if it is not the current one, sets *span to its call.
 * NULL: all frames are of the prelude, which is not shown to the user. */
const struct ck_frame *ck_gen_user_frame(struct ck_gen *gen, struct ck_span *span);
/* The kernel that is being lowered; or the device function, unless it is inlined. */
const struct ck_tfunc *ck_gen_kernel(const struct ck_gen *gen);

/* --- func_info.c --- */
/* Makes gen->funcs. */
void ck_gen_scan_functions(struct ck_gen *gen);
struct ck_func_info *ck_gen_func_info(struct ck_gen *gen, const struct ck_tfunc *tfunc);
/* The typed function of an LLVM function; NULL: the LLVM function is not one of the program's. */
const struct ck_tfunc *ck_gen_source_of(const struct ck_gen *gen, LLVMValueRef v_function);
/* The upper bound, exclusive, of an extent of an array parameter. Launches reject arrays larger
 * than the address space; of a view made in the kernel it is only known that no extent is negative.
 */
uint64_t ck_gen_extent_end(const struct ck_tfunc *tfunc, const struct ck_type *array,
                           bool is_small);
/* That bound of an argument of a kernel's entry that is an extent; 0: it is none. */
uint64_t ck_gen_argument_end(const struct ck_gen *gen, LLVMValueRef v_argument);
/* Whether launches of the function that is being lowered, or of `v_function`, are small. */
bool ck_gen_is_small(const struct ck_gen *gen);
bool ck_gen_is_small_function(const struct ck_gen *gen, LLVMValueRef v_function);
/* Whether the module has a function of which that is so. */
bool ck_gen_has_small_function(const struct ck_gen *gen);
/* Whether a kernel has a grid barrier, small blocks, and no launch bound on the number of blocks:
 * its threads may then use all registers, and its grid is as large as fits. */
bool ck_gen_is_spacious(const struct ck_tfunc *tfunc);
/* A kernel's static shared memory. */
uint64_t ck_gen_shared_bytes(struct ck_gen *gen, const struct ck_func_info *func);

/* --- ir_builder.c: short forms of LLVM's builder --- */
LLVMValueRef l_i32(struct ck_gen *gen, uint32_t value);
LLVMValueRef l_i64(struct ck_gen *gen, int64_t value);
LLVMBasicBlockRef l_block(struct ck_gen *gen, const char *name);
void l_at(struct ck_gen *gen, LLVMBasicBlockRef block);
void l_branch(struct ck_gen *gen, LLVMBasicBlockRef target);
/* Branches, and continues in an unreachable block: the statements after a `return`. */
void l_leave(struct ck_gen *gen, LLVMBasicBlockRef target);
LLVMValueRef l_slot(struct ck_gen *gen, LLVMTypeRef type, const char *name);
LLVMValueRef l_load(struct ck_gen *gen, LLVMTypeRef type, LLVMValueRef v_address, unsigned align,
                    const char *name);
void l_store(struct ck_gen *gen, LLVMValueRef v_value, LLVMValueRef v_address, unsigned align);
/* A load of memory that does not change while the kernel runs. */
LLVMValueRef l_load_constant(struct ck_gen *gen, LLVMTypeRef type, LLVMValueRef v_address,
                             unsigned align, const char *name);
/* Marks a load of such memory. */
void l_invariant(struct ck_gen *gen, LLVMValueRef v_load);
LLVMValueRef l_offset(struct ck_gen *gen, LLVMValueRef v_address, uint64_t bytes);
/* An intrinsic, overloaded on `type` unless NULL. */
LLVMValueRef l_intrinsic(struct ck_gen *gen, const char *name, LLVMTypeRef type, LLVMValueRef *args,
                         unsigned n);
/* Marks a call as `convergent` if the target has divergent threads. */
void l_convergent(struct ck_gen *gen, LLVMValueRef v_call);
/* Marks a pointer argument (1: the first) as not captured by the call. */
void l_captures_nothing(struct ck_gen *gen, LLVMValueRef v_call, unsigned index);
LLVMValueRef l_call(struct ck_gen *gen, LLVMValueRef v_function, LLVMValueRef *args, unsigned n);
LLVMValueRef l_select(struct ck_gen *gen, LLVMValueRef v_test, LLVMValueRef v_then,
                      LLVMValueRef v_else);
LLVMValueRef l_compare(struct ck_gen *gen, LLVMIntPredicate predicate, LLVMValueRef v_left,
                       LLVMValueRef v_right);
/* Sets the current function's fast-math flags on an instruction. */
LLVMValueRef l_fast(struct ck_gen *gen, LLVMValueRef v_value);
LLVMValueRef l_text(struct ck_gen *gen, const char *bytes, size_t length);
LLVMValueRef l_function(struct ck_gen *gen, const char *name, LLVMTypeRef returns,
                        LLVMTypeRef *params, unsigned n);
/* A function that accesses no memory, always returns and is not convergent. */
LLVMValueRef l_pure_function(struct ck_gen *gen, const char *name, LLVMTypeRef returns,
                             LLVMTypeRef *params, unsigned n);
/* Attributes; `index` as LLVM's: 0 the result, 1 the first parameter, -1 the function. */
void l_attribute(struct ck_gen *gen, LLVMValueRef v_function, unsigned index, const char *name,
                 uint64_t value);
void l_call_attribute(struct ck_gen *gen, LLVMValueRef v_call, unsigned index, const char *name,
                      uint64_t value);
void l_attribute_text(struct ck_gen *gen, LLVMValueRef v_function, const char *name,
                      const char *value);
/* The range [0, end) of an integer; CK_NOT_NEGATIVE: any that is not negative. */
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
/* Writes the parts' LLVM types and returns their number. */
int ck_gen_part_types(struct ck_gen *gen, const struct ck_type *type, LLVMTypeRef *out);
/* LLVM parameters that a kernel's entry has for a parameter. */
int ck_gen_n_entry_params(const struct ck_gen *gen, const struct ck_type *type);
struct ck_gen_value ck_gen_value_new(struct ck_gen *gen, int n_parts);
struct ck_gen_value ck_gen_value_scalar(struct ck_gen *gen, LLVMValueRef v_scalar);

/* --- debug.c: line tables; nothing happens without them --- */
/* The source's name in line tables and the manifest. */
const char *ck_gen_source_name(const struct ck_gen *gen);
void ck_debug_init(struct ck_gen *gen);
void ck_debug_function(struct ck_gen *gen, struct ck_func_info *info);
void ck_debug_at(struct ck_gen *gen, struct ck_span span);
LLVMMetadataRef ck_debug_location(struct ck_gen *gen, struct ck_span span);
/* The line of a function that has one. */
void ck_debug_at_function(struct ck_gen *gen, LLVMValueRef v_function);
void ck_debug_nowhere(struct ck_gen *gen);
void ck_debug_finish(struct ck_gen *gen);

#endif
