/* A target: what differs between kinds of devices, as data and hooks. Code outside a target's own
 * file never asks which target it is on. */
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

/* Values given and taken between the threads of a warp, or of a block at a barrier. */
struct ck_collective {
    enum ck_collective_op op;
    struct ck_span span;
    LLVMValueRef v_mask;  /* i32; of the operations of a warp, but for ACTIVE */
    LLVMValueRef v_value; /* i32 or i64 bits, or an i1 condition; NULL: none */
    LLVMValueRef v_lane;  /* i32; shuffles: lane, distance or bits */
    /* Of shuffles in the tiles of so many lanes that a warp consists of, a power of two: how many
     * threads this lane's tile has (i32), for which `v_lane` is a rank, or a distance below 32, or
     * bits of a rank. Who asks for another gets its own value. NULL: they are of the whole warp. */
    LLVMValueRef v_threads;
    int size;
    LLVMTypeRef type;      /* of the result: v_value's for shuffles, i1 or i32; NULL: none */
    LLVMValueRef v_result; /* set by the target */
    LLVMValueRef v_all;    /* i1; set for MATCH_ALL */
    LLVMValueRef v_there;  /* i1; set with `v_threads`: whether who was asked for is there */
};

/* A thread at the barrier of its part of a block: see lang/prelude/part.ck. */
struct ck_part_wait {
    LLVMValueRef v_words;   /* i32 in shared memory for each of the block's threads */
    LLVMValueRef v_place;   /* i64 */
    LLVMValueRef v_rank;    /* i32: the thread's, in the block */
    LLVMValueRef v_threads; /* i32: how many the part has */
    struct ck_span span;
};

/* A copy to shared memory by a block's threads, of so many bytes, a multiple of 16, as both places
 * are. */
struct ck_bulk_copy {
    LLVMValueRef v_to;
    LLVMValueRef v_source; /* an array's data, and i64 bytes from there */
    LLVMValueRef v_offset;
    LLVMValueRef v_bytes; /* i32 */
};

enum ck_fence { CK_FENCE_BLOCK, CK_FENCE_DEVICE, CK_FENCE_SYSTEM };

/* The grid: its barrier, whole and split, and memory through which its blocks tell each other
 * values. All threads of the grid call each of them together, but for is_valid. */
struct ck_grid_ops {
    LLVMValueRef (*is_valid)(struct ck_gen *gen); /* i1: whether the launch is cooperative */
    void (*sync)(struct ck_gen *gen, struct ck_span span);
    LLVMValueRef (*arrive)(struct ck_gen *gen, struct ck_span span); /* i64: a token for `wait` */
    void (*wait)(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span);
    /* The address, int64, of slots of 8 bytes, one for each block, that the whole grid has to
     * itself until `close`. What `open` gives is for the block's first thread alone to write
     * through. `meet` is a barrier that gives each thread the same slots to read from. `close` is
     * called when the block has read them. */
    LLVMValueRef (*open)(struct ck_gen *gen);
    LLVMValueRef (*meet)(struct ck_gen *gen, LLVMValueRef v_slots, struct ck_span span);
    void (*close)(struct ck_gen *gen, LLVMValueRef v_slots);
};

struct ck_target {
    /* The target machine for an arch; NULL: the arch is not this target's. */
    LLVMTargetMachineRef (*machine)(struct ck_gen *gen);
    unsigned address_spaces[CK_SPACE_CONST + 1];
    bool convergent;    /* code must not be made to depend on more conditions */
    bool expands_exits; /* functions that hold a barrier or assert are expanded where called */
    bool vectorizes;
    int most_inlined;   /* instructions of functions that LLVM inlines wherever they are called */
    bool packs_complex; /* a kernel's entry takes a complex parameter as one vector */
    /* The intrinsics of the lesser and the greater of two floats by which NaNs are passed over and
     * -0.0 is less than 0.0: in the target's code, as in LLVM's constant folding. */
    const char *float_min, *float_max;
    int n_hidden; /* parameters that every device function gets first */
    void (*hidden_types)(struct ck_gen *gen, LLVMTypeRef *out);

    /* int64, not negative */
    LLVMValueRef (*position)(struct ck_gen *gen, enum ck_place what, int dim);
    void (*block_barrier)(struct ck_gen *gen, struct ck_span span);
    const struct ck_grid_ops *grid;
    /* Waits for the threads of a tile of 64 to 1024, of which `v_threads` are there (i32). */
    void (*wide_barrier)(struct ck_gen *gen, int size, LLVMValueRef v_index, LLVMValueRef v_threads,
                         struct ck_span span);
    /* Waits for the threads of a part of a block, of which this is one. */
    void (*part_barrier)(struct ck_gen *gen, const struct ck_part_wait *wait);
    /* The block's split barrier: arriving gives a token, an i64. */
    LLVMValueRef (*block_arrive)(struct ck_gen *gen, struct ck_span span);
    void (*block_wait)(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span);
    /* Of shared memory, that a kernel's barriers take. */
    uint64_t (*barrier_bytes)(const struct ck_tfunc *kernel);
    /* int64, not negative */
    LLVMValueRef (*cluster_position)(struct ck_gen *gen, enum ck_cluster_place what, int dim);
    void (*cluster_sync)(struct ck_gen *gen, struct ck_span span);
    /* Which of three buffers an operation of the cluster uses, an i64, and what it ends with: every
     * block has read the buffer, or will have before an operation is given the same again. */
    LLVMValueRef (*cluster_turn)(struct ck_gen *gen);
    void (*cluster_end)(struct ck_gen *gen, struct ck_span span);
    LLVMValueRef (*cluster_arrive)(struct ck_gen *gen, struct ck_span span); /* as block_arrive */
    void (*cluster_wait)(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span);
    /* A generic pointer to the same place of the shared memory of the block with a rank (int64). */
    LLVMValueRef (*map_shared)(struct ck_gen *gen, LLVMValueRef v_address, LLVMValueRef v_rank);
    /* The rank (int64) of the block of the cluster whose shared memory a generic pointer is in. */
    LLVMValueRef (*shared_rank)(struct ck_gen *gen, LLVMValueRef v_address);
    LLVMValueRef (*lane)(struct ck_gen *gen); /* int64, 0 to 31 */
    void (*collective)(struct ck_gen *gen, struct ck_collective *x);
    /* Whether one instruction combines the 32-bit integers of a mask's lanes, and that
     * instruction: operators are numbered as in lang/check/builtins/group_op.c. NULL: never. */
    bool (*has_redux)(struct ck_gen *gen);
    LLVMValueRef (*redux)(struct ck_gen *gen, int op, bool is_signed, LLVMValueRef v_mask,
                          LLVMValueRef v_value);
    void (*fence)(struct ck_gen *gen, enum ck_fence scope);
    void (*sleep)(struct ck_gen *gen, LLVMValueRef v_nanoseconds, struct ck_span span);
    /* Before another iteration of a loop that waits for what others do to memory. NULL: nothing
     * has to be done to let them. */
    void (*spin)(struct ck_gen *gen, struct ck_span span);
    void (*breakpoint)(struct ck_gen *gen); /* NULL: there is no debugger to stop for */
    /* Begins to copy 4, 8 or 16 bytes, aligned to as many, from global to shared memory; false,
     * with nothing done: the device cannot. Commit ends a group of the thread's copies; wait is for
     * all groups but the n latest. */
    bool (*copy_async)(struct ck_gen *gen, LLVMValueRef v_to, LLVMValueRef v_from, unsigned bytes);
    void (*copy_commit)(struct ck_gen *gen);
    /* Begins and commits a whole copy, if it is one of those that are faster so: an i1. NULL: none
     * is. */
    LLVMValueRef (*copy_in_bulk)(struct ck_gen *gen, const struct ck_bulk_copy *copy);
    /* On the functions as made, with arrays marked: decides which copies may be in bulk. NULL:
     * there is nothing to decide. */
    void (*settle_copies)(struct ck_gen *gen);
    /* A thread of a group begins a copy of what has this digest, which the others must give too:
     * i64 each; the group's number is its alone. NULL: nobody looks. */
    void (*copy_check)(struct ck_gen *gen, LLVMValueRef v_group, LLVMValueRef v_threads,
                       LLVMValueRef v_digest, struct ck_span span);
    void (*copy_wait)(struct ck_gen *gen, unsigned n);
    /* The address of the function's shared array `i`, which begins at `offset` of the module's. */
    LLVMValueRef (*shared_array)(struct ck_gen *gen, const struct ck_tfunc *tfunc, int i,
                                 uint64_t offset);
    /* The address of the block's dynamic shared memory, and its bytes: int64, not negative. */
    LLVMValueRef (*dynamic_shared)(struct ck_gen *gen, LLVMValueRef *v_bytes);
    /* A kernel's shared memory after one more function it reaches, from what it was before. */
    uint64_t (*shared_bytes)(uint64_t so_far, const struct ck_func_info *info);
    /* LLVM's name for the threads of a scope, or of one that has more. */
    const char *(*atomic_scope)(struct ck_gen *gen, enum ck_scope scope);
    /* LLVM makes relaxed operations, seen by the device, of all that read and write but
     * compare-and-swap. */
    bool drops_order;
    /* Whether the device adds atomically to a float of 16 bits. */
    bool (*adds_atomically)(struct ck_gen *gen, const struct ck_type *type);
    /* Whether it lacks an operation on integers where v_address points. NULL: never. */
    bool (*lacks_atomic)(struct ck_gen *gen, LLVMAtomicRMWBinOp op, const struct ck_type *type,
                         LLVMValueRef v_address);
    /* Whether it multiplies and adds floats of 16 bits with one rounding. NULL: never. */
    bool (*fuses_halves)(struct ck_gen *gen, const struct ck_type *type);
    /* Which library math functions come from. */
    const char *(*math_library)(struct ck_gen *gen);
    LLVMValueRef (*math)(struct ck_gen *gen, enum ck_math function, LLVMValueRef *args, unsigned n);
    /* values[i] is NULL where items[i] is text, a vector where it is complex. */
    void (*print)(struct ck_gen *gen, const struct ck_print_item *items, LLVMValueRef *values,
                  int n);
    /* Reports a failed assertion and ends the thread: ends the current basic block. */
    void (*assert_fail)(struct ck_gen *gen, const char *message, uint32_t line,
                        const char *function);
    /* Attributes that depend on the typed function: fast math. NULL: none. */
    void (*attributes)(struct ck_gen *gen, LLVMValueRef v_function, const struct ck_tfunc *tfunc);
    LLVMFastMathFlags fast_math; /* beside contraction, in functions with `fastmath` */
    void (*kernel)(struct ck_gen *gen, struct ck_func_info *info);
    /* After all functions: what the module as a whole needs. NULL: nothing. */
    void (*finish)(struct ck_gen *gen);
    /* The target's pipeline of passes, on a verified module. */
    void (*optimise)(struct ck_gen *gen);
    /* The finished module as bytes; and an image of such bytes, for which there need be no module.
     */
    void (*code)(struct ck_gen *gen, struct ck_strbuf *out);
    struct ck_image *(*image)(struct ck_gen *gen, const char *code, size_t length);
    /* Adds to a cache's key what of this machine its code depends on, beside the options. False: it
     * cannot be told. */
    bool (*identify)(struct ck_strbuf *key, const struct ck_codegen_options *options);
    bool has_text; /* its code is PTX */
};

extern const struct ck_target ck_target_nvptx;
extern const struct ck_target ck_target_host;

/* The target of an arch ("sm_90", "host"), or NULL. */
const struct ck_target *ck_target_find(const char *arch);
const char *const *ck_target_nvptx_archs(void);

#endif
