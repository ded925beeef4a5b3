/* The interface of a target: the differences between kinds of devices, as data and hooks. Code
 * outside a target's own folder never asks which target it generates code for. */
#ifndef CK_TARGET_H
#define CK_TARGET_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "lang/typed/typed.h"
#include "runtime/image/cpu_abi.h"
#include "runtime/image/image.h"

struct ck_gen;
struct ck_codegen_options;
struct ck_func_info;

enum ck_place { CK_THREAD_IDX, CK_BLOCK_IDX, CK_BLOCK_DIM, CK_GRID_DIM };

/* The math functions of math.def. */
enum ck_math {
#define CK_MATH(id, libclc, libdevice, host, type, n) CK_MATH_##id,
#include "codegen/core/math.def"
#undef CK_MATH
    CK_N_MATH
};

/* A warp-level primitive, or a barrier at which the threads of a block read values of each other.
 */
struct ck_collective {
    enum ck_collective_op op;
    struct ck_span span;
    LLVMValueRef v_mask;  /* i32; of warp-level primitives other than ACTIVE */
    LLVMValueRef v_value; /* i32 or i64 bits, or an i1 condition; NULL: none */
    LLVMValueRef v_lane;  /* i32; shuffles: lane, distance or bits */
    /* Shuffles within tiles: the number of threads in this lane's tile (i32), and the tiles' size,
     * a power of two. `v_lane` is then a rank in the tile, a distance below 32, or bits of a rank.
     * A lane whose source is outside the tile gets its own value. NULL: within the warp. */
    LLVMValueRef v_threads;
    int size;
    LLVMTypeRef type;      /* of the result: v_value's for shuffles, i1 or i32; NULL: none */
    LLVMValueRef v_result; /* set by the target */
    LLVMValueRef v_all;    /* i1; set for MATCH_ALL */
    LLVMValueRef v_there;  /* i1; set with `v_threads`: whether the source is in the tile */
};

/* A thread at the barrier of its partition of a block: see lang/prelude/part.ck. */
struct ck_partition_wait {
    LLVMValueRef v_words;   /* i32 in shared memory for each of the block's threads */
    LLVMValueRef v_place;   /* i64: its warp's lanes in the partition (32 bits), the leader of the
                               next warp (10 bits), the first leader (10 bits) */
    LLVMValueRef v_rank;    /* i32: the thread's, in the block */
    LLVMValueRef v_threads; /* i32: the partition's number of threads */
    struct ck_span span;
};

/* A copy from global to shared memory by a block's threads. Both addresses and the number of bytes
 * are multiples of 16. */
struct ck_bulk_copy {
    LLVMValueRef v_to;
    LLVMValueRef v_source; /* an array's data */
    LLVMValueRef v_start;  /* i64: the first element */
    LLVMValueRef v_bytes;  /* i32 */
    uint64_t size;         /* of an element, in bytes */
};

enum ck_fence { CK_FENCE_BLOCK, CK_FENCE_DEVICE, CK_FENCE_SYSTEM };

/* The hooks below insert code at gen->builder. Positions, ranks and sizes are int64 and not
 * negative. A hook is required unless its comment says what NULL means. */

struct ck_failed_assert {
    const char *message;   /* may be "" */
    const char *condition; /* as written */
    struct ck_span span;   /* of the condition */
    uint32_t line;
    const char *function;
    const struct ck_print_item *items; /* the condition's scalar locals: a name, then its value */
    int n_items;
};

/* What a thread may read about the device. */
enum ck_counter { CK_COUNTER_CYCLES, CK_COUNTER_NANOSECONDS, CK_COUNTER_MULTIPROCESSOR };

struct ck_thread_ops {
    LLVMValueRef (*counter)(struct ck_gen *gen, enum ck_counter what); /* i64 */
    LLVMValueRef (*position)(struct ck_gen *gen, enum ck_place what, int dim);
    /* What the target's own function that an instruction calls returns at most, and at least 0;
     * negative: not known. NULL: never known. */
    int64_t (*most_of_call)(LLVMValueRef v);
    void (*sleep)(struct ck_gen *gen, LLVMValueRef v_nanoseconds, struct ck_span span);
    /* Lets other threads run before the next iteration of a loop that waits for memory. NULL: they
     * run anyway. */
    void (*yield)(struct ck_gen *gen, struct ck_span span);
    void (*breakpoint)(struct ck_gen *gen); /* NULL: no code; the target has no debugger */
    /* values[i] is NULL where items[i] is text, and a vector where it is complex. */
    void (*print)(struct ck_gen *gen, const struct ck_print_item *items, LLVMValueRef *values,
                  int n);
    /* Reports a failed assertion and ends the thread: terminates the current basic block. */
    void (*assert_fail)(struct ck_gen *gen, const struct ck_failed_assert *failed);
    /* Before a `return` of the kernel. NULL: no code. */
    void (*returns)(struct ck_gen *gen, struct ck_span span);
};

struct ck_warp_ops {
    LLVMValueRef (*lane)(struct ck_gen *gen); /* 0 to 31 */
    void (*collective)(struct ck_gen *gen, struct ck_collective *x);
    /* Whether a warp saves the time of collectives that it branches around. */
    bool has_branches;
    /* Whether one instruction reduces the 32-bit integers of a mask's lanes, and that instruction;
     * lang/check/builtins/group_op.c numbers the operators. NULL, both: never. */
    bool (*has_redux)(struct ck_gen *gen);
    LLVMValueRef (*redux)(struct ck_gen *gen, int op, bool is_signed, LLVMValueRef v_mask,
                          LLVMValueRef v_value);
};

/* A split-phase barrier's `arrive` returns a token, an i64, which `wait` takes. */
struct ck_block_ops {
    void (*sync)(struct ck_gen *gen, struct ck_span span);
    LLVMValueRef (*arrive)(struct ck_gen *gen, struct ck_span span);
    void (*wait)(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span);
    /* The barrier of a tile of 64 to 1024 threads, of which `v_threads` (i32) exist. */
    void (*sync_tile)(struct ck_gen *gen, int size, LLVMValueRef v_index, LLVMValueRef v_threads,
                      struct ck_span span);
    void (*sync_partition)(struct ck_gen *gen, const struct ck_partition_wait *wait);
    /* Bytes of shared memory that the barriers of a kernel need. */
    uint64_t (*barrier_bytes)(const struct ck_tfunc *kernel);
};

struct ck_cluster_ops {
    LLVMValueRef (*position)(struct ck_gen *gen, enum ck_cluster_place what, int dim);
    void (*sync)(struct ck_gen *gen, struct ck_span span);
    LLVMValueRef (*arrive)(struct ck_gen *gen, struct ck_span span);
    void (*wait)(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span);
    /* The index (i64) of the buffer, of three, that the next collective of the cluster uses; and
     * the end of that collective: no block reads the buffer once it is used again. */
    LLVMValueRef (*begin_collective)(struct ck_gen *gen);
    void (*end_collective)(struct ck_gen *gen, struct ck_span span);
    /* A generic pointer to the same place in the shared memory of the block of this rank. */
    LLVMValueRef (*map_shared)(struct ck_gen *gen, LLVMValueRef v_address, LLVMValueRef v_rank);
    /* The rank of the block in whose shared memory a generic pointer is. */
    LLVMValueRef (*shared_rank)(struct ck_gen *gen, LLVMValueRef v_address);
};

/* All threads of the grid execute each of these, except is_valid, converged. */
struct ck_grid_ops {
    LLVMValueRef (*is_valid)(struct ck_gen *gen); /* i1: whether the launch is cooperative */
    void (*sync)(struct ck_gen *gen, struct ck_span span);
    LLVMValueRef (*arrive)(struct ck_gen *gen, struct ck_span span);
    void (*wait)(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span);
    /* Slots of 8 bytes in global memory, one a block, for a collective of the grid: `open_slots`
     * returns their address (int64), through which the block's first thread stores. `sync_slots` is
     * a barrier that returns to each thread the address to load from. After `close_slots` the block
     * loads no more. */
    LLVMValueRef (*open_slots)(struct ck_gen *gen);
    LLVMValueRef (*sync_slots)(struct ck_gen *gen, LLVMValueRef v_slots, struct ck_span span);
    void (*close_slots)(struct ck_gen *gen, LLVMValueRef v_slots);
};

struct ck_memory_ops {
    /* An element's bits in global memory (an integer type), loaded or stored with PTX's cache
     * operator `hint`; and a prefetch of an element. NULL, all three: there are no hints. */
    LLVMValueRef (*hinted_load)(struct ck_gen *gen, const char *hint, LLVMValueRef v_address,
                                unsigned bytes);
    void (*hinted_store)(struct ck_gen *gen, const char *hint, LLVMValueRef v_address,
                         LLVMValueRef v_bits, unsigned bytes);
    void (*prefetch)(struct ck_gen *gen, LLVMValueRef v_address);
    /* The address of the function's shared array `i`, which begins at `offset` of the module's. */
    LLVMValueRef (*shared_array)(struct ck_gen *gen, const struct ck_tfunc *tfunc, int i,
                                 uint64_t offset);
    /* The address of the block's dynamic shared memory, and its bytes. */
    LLVMValueRef (*dynamic_shared)(struct ck_gen *gen, LLVMValueRef *v_bytes);
    /* A kernel's shared memory with the arrays of one more function that it reaches. */
    uint64_t (*shared_bytes)(uint64_t so_far, const struct ck_func_info *info);
    void (*fence)(struct ck_gen *gen, enum ck_fence scope);
    /* LLVM's name of a scope, or of a wider one. */
    const char *(*atomic_scope)(struct ck_gen *gen, enum ck_scope scope);
    /* Whether the device has an atomic addition of this 16-bit float. */
    bool (*adds_atomically)(struct ck_gen *gen, const struct ck_type *type);
    /* The extent, i64, that is added to an index below zero, so that the target recognises the sum
     * and may replace it outside the array. NULL: the extent itself. */
    LLVMValueRef (*wrap_extent)(struct ck_gen *gen, LLVMValueRef v_extent);
    /* The same value of 32 or 64 bits, of whose relation to the operand LLVM knows nothing. NULL:
     * the prelude's _hidden is the value itself, and the pipeline is without
     * ck_gen_chain_neighbours and ck_gen_hide_wide_trips, which need it. */
    LLVMValueRef (*hidden)(struct ck_gen *gen, LLVMValueRef v);
    /* Whether the device lacks an operation on integers where v_address points. NULL: never. */
    bool (*lacks_atomic)(struct ck_gen *gen, LLVMAtomicRMWBinOp op, const struct ck_type *type,
                         LLVMValueRef v_address);
};

/* Asynchronous copies from global to shared memory. If all are NULL, threads copy at the call. */
struct ck_copy_ops {
    /* Begins to copy 4, 8 or 16 bytes, aligned to as many; false, without code: the device has no
     * such copy. Commit ends a group of the thread's copies; wait waits for all groups but the n
     * latest. NULL, all three: never. */
    bool (*async)(struct ck_gen *gen, LLVMValueRef v_to, LLVMValueRef v_from, unsigned bytes);
    void (*commit)(struct ck_gen *gen);
    void (*wait)(struct ck_gen *gen, unsigned n);
    /* Begins and commits a whole copy in bulk, if that is faster; returns whether (i1). NULL: it is
     * never faster. */
    LLVMValueRef (*bulk)(struct ck_gen *gen, const struct ck_bulk_copy *copy);
    /* After lowering, with arrays marked: selects the kernels that copy in bulk. NULL: none do. */
    void (*select_bulk)(struct ck_gen *gen);
    /* Reports threads of a group (v_group identifies it) that begin copies with different
     * arguments, of which v_digest is a hash; i64 each. NULL: that is not checked. */
    void (*check)(struct ck_gen *gen, LLVMValueRef v_group, LLVMValueRef v_threads,
                  LLVMValueRef v_digest, struct ck_span span);
};

/* What an access does; `order` and `atomic` of atomic operations. */
struct ck_access_kind {
    bool reads, writes, atomic, polls;
    enum ck_order order;
};

/* Checks of what the program does while it runs: lower/checks.c emits what they have in common. */
struct ck_check_ops {
    /* Reports that the index of an axis is outside the array, or that the array is not aligned, see
     * CK_BOUNDS_MISALIGNED; the code after it is not reached. */
    void (*out_of_bounds)(struct ck_gen *gen, const struct ck_texpr *array, int axis,
                          const struct ck_tindex *index, LLVMValueRef v_index,
                          LLVMValueRef v_extent);
    /* An access to an element of an array, or to `bytes` of it, at `v_address`. NULL: only bounds
     * are checked. */
    void (*access)(struct ck_gen *gen, const struct ck_texpr *array, const struct ck_tindex *index,
                   LLVMValueRef v_base, LLVMValueRef v_address, unsigned bytes,
                   struct ck_access_kind kind);
    /* An asynchronous copy by the thread of `bytes` between arrays; the end of a group of them; a
     * wait for all groups but the latest `n`. NULL, all three: likewise. */
    void (*copy)(struct ck_gen *gen, const struct ck_texpr *to, LLVMValueRef v_to,
                 const struct ck_texpr *from, LLVMValueRef v_from, unsigned bytes,
                 struct ck_span span);
    void (*commit)(struct ck_gen *gen);
    void (*wait)(struct ck_gen *gen, unsigned n);
    /* Memory that has no values from here on. NULL: likewise. */
    void (*unset)(struct ck_gen *gen, LLVMValueRef v_address, uint64_t bytes);
    /* An operation at `site` whose result does not fit the type: operands and result are i64. NULL:
     * likewise. */
    void (*overflow)(struct ck_gen *gen, uint32_t site, enum ck_overflow_op op,
                     const struct ck_type *type, LLVMValueRef v_left, LLVMValueRef v_right,
                     LLVMValueRef v_result);
};

/* Operations with a direction of rounding. */
enum ck_rounded_op {
    CK_ROUNDED_ADD,
    CK_ROUNDED_MUL,
    CK_ROUNDED_DIV,
    CK_ROUNDED_FMA,
    CK_ROUNDED_RCP,
    CK_ROUNDED_SQRT
};
enum ck_rounding { CK_ROUNDING_NEAREST, CK_ROUNDING_DOWN, CK_ROUNDING_UP, CK_ROUNDING_ZERO };

struct ck_math_ops {
    const char *(*library)(struct ck_gen *gen); /* the name of the math library */
    LLVMValueRef (*call)(struct ck_gen *gen, enum ck_math function, LLVMValueRef *args, unsigned n);
    /* Of 1 to 3 operands of float32 or float64; it is never contracted. */
    LLVMValueRef (*rounded)(struct ck_gen *gen, enum ck_rounded_op op, enum ck_rounding rounding,
                            LLVMValueRef *args, unsigned n);
    /* The square root, correctly rounded, of a float32 from 2^-100 to 2^100. NULL: llvm.sqrt. */
    LLVMValueRef (*sqrt_in_range)(struct ck_gen *gen, LLVMValueRef v_value);
    /* Whether the device has a fused multiply-add of this 16-bit float. NULL: never. */
    bool (*fuses_float16)(struct ck_gen *gen, const struct ck_type *type);
    LLVMFastMathFlags fast; /* beside contraction, in functions with `fastmath` */
    /* The intrinsics of minimum and maximum that ignore NaNs and order -0.0 below 0.0, in the
     * target's code and in LLVM's constant folding. */
    const char *float_min, *float_max;
};

struct ck_function_ops {
    int n_hidden; /* leading parameters of every device function that the target adds */
    void (*hidden_types)(struct ck_gen *gen, LLVMTypeRef *out); /* NULL: there are none */
    /* Adds attributes that depend on the typed function: fast math. NULL: none. */
    void (*attributes)(struct ck_gen *gen, LLVMValueRef v_function, const struct ck_tfunc *tfunc);
    void (*kernel)(struct ck_gen *gen, struct ck_func_info *info); /* makes a kernel's entries */
};

struct ck_module_ops {
    LLVMTargetMachineRef (*machine)(struct ck_gen *gen);
    /* After all functions: what the module as a whole needs. NULL: nothing. */
    void (*finish)(struct ck_gen *gen);
    /* The target's pipeline of passes, on a verified module. */
    void (*optimise)(struct ck_gen *gen);
    /* The finished module and its manifest as bytes; and an image of such bytes, which needs no
     * module. */
    void (*write)(struct ck_gen *gen, const struct ck_manifest *manifest, struct ck_strbuf *out);
    struct ck_image *(*image)(struct ck_gen *gen, const char *code, size_t length);
    /* Adds the properties of this machine that the code depends on to a cache's key. False: a file
     * cannot be read. */
    bool (*identify)(struct ck_strbuf *key, const struct ck_codegen_options *options);
};

/* What code outside the target's folder asks about it. */
struct ck_target_traits {
    bool has_text;      /* its code is PTX */
    bool convergent;    /* no pass may make barriers and collectives depend on more conditions */
    bool inlines_exits; /* functions with a barrier or an assert are inlined where called */
    bool vectorizes;
    bool has_constant_memory; /* as a part of each image */
    bool for_cpu;             /* LLVM has the options of driver/llvm_options.h for CPUs */
    bool aligns_vectors;      /* an access of a whole vector needs its alignment */
    bool packs_complex;       /* a kernel's entry takes a complex parameter as one vector */
    bool relaxes_atomics;     /* LLVM's back end ignores the order of read-modify-write operations
                                 other than compare-and-swap */
    unsigned checks;          /* CK_CHECK_*: those that its code can have */
    int most_inlined; /* LLVM inlines functions of up to so many instructions at all calls */
    /* Sizes of the target's own state, which only its folder reads: of a module, of one of the
     * program's functions, and of the LLVM function that receives code. */
    size_t module_bytes, info_bytes, function_bytes;
};

struct ck_target {
    struct ck_target_traits traits;
    unsigned address_spaces[CK_SPACE_CONST + 1];
    const struct ck_thread_ops *thread;
    const struct ck_warp_ops *warp;
    const struct ck_block_ops *block;
    const struct ck_cluster_ops *cluster;
    const struct ck_grid_ops *grid;
    const struct ck_memory_ops *memory;
    const struct ck_copy_ops *copy;
    const struct ck_check_ops *check;
    const struct ck_math_ops *math;
    const struct ck_function_ops *function;
    const struct ck_module_ops *module;
};

extern const struct ck_target ck_target_nvptx;
extern const struct ck_target ck_target_host;

/* The target of an arch ("sm_90", "host"), or NULL. */
const struct ck_target *ck_target_find(const char *arch);
const char *const *ck_target_nvptx_archs(void);

#endif
