/* The typed program: the interface between the front end and code generation, with every conversion
 * explicit.
 *
 * The checker builds it, one function per specialisation. Code generation reads it and needs
 * nothing else of the language. Its invariants:
 *
 * - No value has a weak type. A group is a TUPLE of its run-time values.
 * - Both operands of a BINARY have the node's type; those of a COMPARE have one common type.
 * - A name that has several types along control flow is several locals.
 * - No statement is unreachable after constant folding: folded branches are gone. */
#ifndef CK_TYPED_H
#define CK_TYPED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"
#include "lang/syntax/operators.h"
#include "lang/typed/types.h"

enum ck_builtin_id {
#define CK_BUILTIN(id, path, rule, min_args, max_args, lower, uniformity, doc) CK_BUILTIN_##id,
#include "lang/typed/builtins.def"
#undef CK_BUILTIN
    CK_N_BUILTINS
};

/* How the result of a built-in differs between the threads that evaluate it: the column
 * `uniformity` of builtins.def. */
enum ck_uniformity {
    CK_UNIFORMITY_UNIFORM,       /* one value in the whole grid */
    CK_UNIFORMITY_OPERANDS,      /* divergent if an operand is */
    CK_UNIFORMITY_VALUE,         /* divergent if the second operand is: the first is a mask */
    CK_UNIFORMITY_THREAD,        /* each thread of a block has its own, the same in each block */
    CK_UNIFORMITY_GRID_THREAD,   /* each thread of the grid has its own */
    CK_UNIFORMITY_BLOCK,         /* each block of the grid has its own */
    CK_UNIFORMITY_CLUSTER_RANK,  /* each block of a cluster has its own, the same in each cluster */
    CK_UNIFORMITY_CLUSTER,       /* each cluster of the grid has its own */
    CK_UNIFORMITY_CLUSTER_PLACE, /* by the first operand, an enum ck_cluster_place */
    CK_UNIFORMITY_BLOCK_VOTE,    /* one value in a block, combined from its threads' operands */
    CK_UNIFORMITY_COLLECTIVE,    /* a group's member: one value in the group, combined from its
                                    threads' */
    CK_UNIFORMITY_BROADCAST,     /* the same, if all threads ask for the same rank */
    CK_UNIFORMITY_SHUFFLE,       /* a group's member: each thread reads another's value */
    CK_UNIFORMITY_PRELUDE,       /* a function of the prelude: analysed like any other function */
    CK_UNIFORMITY_NONE,          /* it has no result */
    CK_UNIFORMITY_FOLDED,        /* never in the typed program: the checker replaces it */
};

enum ck_uniformity ck_builtin_uniformity(enum ck_builtin_id id);

/* Whether it is an index or an extent of the grid, the block or the thread: it reads no memory. */
bool ck_builtin_is_position(enum ck_builtin_id id);

/* Blocks in their cluster and clusters in their grid; the prelude names them by number. */
enum ck_cluster_place {
    CK_CLUSTER_BLOCK_IDX,  /* of the block in its cluster */
    CK_CLUSTER_DIM,        /* blocks of a cluster */
    CK_CLUSTER_IDX,        /* of the cluster in the grid */
    CK_CLUSTER_GRID_DIM,   /* clusters of the grid */
    CK_CLUSTER_BLOCK_RANK, /* this and the next have no dimensions */
    CK_CLUSTER_NUM_BLOCKS
};

struct ck_texpr;
struct ck_tfunc;

/* In place of a shared array's index: an array that starts at the block's dynamic shared memory and
 * has as many elements as the launch's bytes hold. */
enum { CK_SHARED_DYNAMIC = -1 };

/* The memory order and the scope of an atomic operation, in the order of builtins.def. */
enum ck_order {
    CK_ORDER_RELAXED,
    CK_ORDER_ACQUIRE,
    CK_ORDER_RELEASE,
    CK_ORDER_ACQ_REL,
    CK_ORDER_SEQ_CST,
};

enum ck_scope {
    CK_SCOPE_DEVICE,
    CK_SCOPE_BLOCK,
    CK_SCOPE_CLUSTER,
    CK_SCOPE_SYSTEM,
};

enum ck_texpr_kind {
    CK_T_CONST,   /* scalar constant */
    CK_T_LOCAL,   /* value of a local */
    CK_T_LET,     /* local = init, then body's value; only the body uses the local */
    CK_T_CAST,    /* scalar to scalar (see `operand` below) */
    CK_T_UNARY,   /* NEG, INVERT on type; NOT on bool */
    CK_T_BINARY,  /* arithmetic in one type; shift counts have the left operand's type too */
    CK_T_COMPARE, /* LT .. NE on one scalar type, EQ and NE on complex ones; of type bool */
    CK_T_LOGICAL, /* lazily: and/or of two bools */
    CK_T_SELECT,  /* lazily: test ? then : otherwise, both of the node's type */
    CK_T_TUPLE,   /* also a complex number from its two parts: every complex constant is one */
    CK_T_ITEM,    /* tuple's item by constant; a complex number's part, 0 or 1 */
    CK_T_ELEMENT, /* load of one array element */
    CK_T_SHAPE,   /* array's extent in dimension `dim`, int64, >= 0 */
    CK_T_STRIDE,  /* in bytes (as NumPy's), int64 */
    CK_T_VIEW,    /* part of an array: the same memory */
    CK_T_ADDRESS, /* memory at an address (uint64 or a pointer), as an array without dimensions */
    CK_T_REINTERPRET, /* an array's memory as elements of another type; if of another size, the last
                         axis is contiguous and has as many as its bytes hold, rounded down */
    CK_T_TRANSPOSE,   /* an array with its axes in another order */
    CK_T_RESHAPE, /* a C-contiguous array's memory in another shape of as many elements; of ADDRESS
                     in any shape, in C or Fortran order */
    CK_T_FIELD,   /* a field of an array's elements, as an array */
    CK_T_RETYPE,  /* an array as a more general array type (layout ANY, space GENERIC) */
    CK_T_CALL,    /* device function */
    CK_T_BUILTIN, /* see lang/typed/builtins.def */
    CK_T_ARRAY,   /* a constant array of the module */
    CK_T_MODULE_ARRAY, /* an array of the module that the host fills or kernels write */
};

/* An index into one dimension. */
struct ck_tindex {
    struct ck_texpr *value; /* any integer type */
    bool wrap;              /* signed and not known to be >= 0: below zero, add the extent once */
};

/* One axis of a view's source: an index, which drops the axis, or a slice with Python's
 * `start:stop:step` (NULL: absent; any integer type), clamped as in Python. A slice with step zero
 * is empty. */
struct ck_taxis {
    bool is_slice;
    struct ck_tindex index;
    struct ck_tindex start, stop; /* wrap: may be below zero */
    struct ck_texpr *step;
};

/* A constant array of the module. */
struct ck_const_array {
    int id;           /* unique in the module */
    const char *name; /* as first bound; those of one tuple share it */
    const struct ck_type *elem;
    int64_t shape[CK_MAX_NDIM];
    int ndim;
    int64_t count;           /* product of the shape */
    struct ck_texpr **items; /* in C order; CONST, of the element's type */
    bool is_fortran;         /* in memory the first axis is the fastest */
    struct ck_span span;
    bool used; /* by a function that was checked */
};

/* const_bytes.c: the elements in C order, as memory has them; little-endian. */
const char *ck_const_array_bytes(struct ck_arena *arena, const struct ck_const_array *array,
                                 size_t *length);

/* An array of the module in the device's memory, which keeps its values between launches: in global
 * memory, which kernels may write, or in constant memory, which the host fills. C-contiguous. */
struct ck_module_array {
    const char *name;
    const char *symbol; /* in PTX */
    const struct ck_type *type;
    int64_t shape[CK_MAX_NDIM];
    int64_t count;                        /* product of the shape */
    const struct ck_const_array *initial; /* the first values, NULL: zeros */
    struct ck_span span;
    bool used; /* by a function that was checked */
};

struct ck_texpr {
    enum ck_texpr_kind kind;
    const struct ck_type *type;
    struct ck_span span;
    /* UNARY, BINARY: the source has the operation; CAST: a conversion of integers that the source
     * does not write. A result that does not fit is then a mistake of the program. */
    bool must_fit;
    /* LOCAL of an array: extents that are known here, by dimension, -1 where not; NULL: none. */
    const int64_t *known_extents;
    union {
        /* CONST, by type: int64/uint64 sign- or zero-extended in `i`; bool 0 or 1 in `i`; floats in
         * `f`, already rounded to the type. */
        union {
            int64_t i;
            double f;
        } constant;
        int local; /* LOCAL: index into the function's locals */
        struct {
            int local;
            struct ck_texpr *init, *body;
        } let;
        /* CAST: int to int truncates, or extends by the source's signedness; float to int truncates
         * toward zero and saturates, NaN is 0; anything to bool is `!= 0` (NaN is true); bool
         * counts as 0 or 1; complex to complex part by part. A real number becomes complex by
         * TUPLE. UNARY. */
        struct {
            enum ck_unary_op op;
            struct ck_texpr *operand;
        } unary;
        struct {
            enum ck_binary_op
                op; /* DIV only on floats and complex. FLOORDIV and MOD: Python's signs; the result
                       of an integer divided by zero is 0. POW: on integers by squaring, negative
                       exponents truncate (1/-1 exact, of 0 the result is 0, others 0); on floats
                       pow(); on complex numbers by polar form. */
            struct ck_texpr *left, *right;
        } binary;
        struct {
            enum ck_compare_op op;
            struct ck_texpr *left, *right;
        } compare;
        struct {
            bool is_or;
            struct ck_texpr *left, *right;
        } logical;
        struct {
            struct ck_texpr *test, *then, *otherwise;
        } select;
        struct {
            struct ck_texpr **items;
            int n;
        } tuple;
        struct {
            struct ck_texpr *tuple;
            int index;
        } item;
        struct {
            struct ck_texpr *array;
            struct ck_tindex *indices; /* one for each dimension */
            bool polled; /* each evaluation reads memory: see lang/divergence/spin_loops.c */
        } element;
        struct {
            struct ck_texpr *array;
            struct ck_taxis *axes; /* one for each dimension of `array` */
        } view;
        struct {
            struct ck_texpr *array;
            int dim;
        } extent; /* SHAPE, STRIDE */
        struct {
            struct ck_texpr *array;
            const int *order; /* axis i of the result is axis order[i] of `array` */
        } transpose;
        struct {
            struct ck_texpr *array;
            struct ck_texpr **extents; /* int64, >= 0; one for each dimension of the result */
        } reshape;
        struct {
            struct ck_texpr *array;
            const char *name;
            int offset;           /* in bytes */
            const int64_t *shape; /* of the dimensions that an array in the elements adds */
        } field;
        struct ck_texpr *operand;     /* ADDRESS, RETYPE, REINTERPRET */
        struct ck_const_array *array; /* ARRAY */
        struct ck_module_array *module_array;
        struct {
            struct ck_tfunc *function;
            struct ck_texpr **args;
            int n_args;
        } call;
        struct {
            enum ck_builtin_id id;
            struct ck_texpr **args;
            int n_args;
            struct ck_tindex *indices; /* atomics: the element of args[0]; else NULL */
            enum ck_order order;       /* atomics */
            enum ck_scope scope;       /* atomics */
            int shared;                /* shared.array: index into the function's shared arrays, or
                                          CK_SHARED_DYNAMIC */
        } builtin;
    };
};

enum ck_tstmt_kind {
    CK_S_ASSIGN, /* local = value */
    CK_S_STORE,  /* array[indices] = value; value has the element's type */
    CK_S_EXPR,   /* for its effect */
    CK_S_IF,
    CK_S_WHILE,
    CK_S_RANGE, /* for counter in range(start, stop, step) */
    CK_S_BREAK,
    CK_S_CONTINUE, /* of a RANGE: goes to the next count */
    CK_S_RETURN,
    CK_S_PRINT,
    CK_S_ASSERT,
};

struct ck_tstmt;

struct ck_tblock {
    struct ck_tstmt **stmts;
    int n, capacity;
};

struct ck_print_item {
    const char *text; /* a string, if not NULL */
    uint32_t length;
    /* Else a scalar: bool, int64, uint64, float64, complex128; or a local array of uint8 with text
     * that a zero ends. */
    struct ck_texpr *value;
    /* C's conversion of an int64, uint64 or float64, without a size: "%-8.3e". NULL: the usual. */
    const char *conversion;
};

struct ck_tstmt {
    enum ck_tstmt_kind kind;
    struct ck_span span;
    union {
        struct {
            int local;
            struct ck_texpr *value;
        } assign;
        struct {
            struct ck_texpr *array;
            struct ck_tindex *indices;
            struct ck_texpr *value;
        } store;
        struct ck_texpr *expr; /* EXPR; RETURN (NULL: nothing) */
        struct {
            struct ck_texpr *test; /* bool */
            struct ck_tblock then, otherwise;
        } branch;
        struct {
            struct ck_texpr *test; /* bool; evaluated before each iteration */
            struct ck_tblock body, otherwise;
            bool spins; /* a spin loop: see lang/divergence/spin_loops.c */
        } loop;
        /* `counter` is a local of an integer type that only the loop writes; start, stop and step
         * have its type and are evaluated once, before the loop. A step of zero runs no iteration.
         * The counter never overflows: range(0, INT_MAX, 2) ends. */
        struct {
            int counter;
            struct ck_texpr *start, *stop, *step;
            struct ck_tblock body, otherwise; /* otherwise: unless left by BREAK */
        } range;
        struct {
            struct ck_print_item *items; /* printed in a row */
            int n;
        } print;
        struct {
            struct ck_texpr *test;
            struct ck_span span; /* of the test, as written */
            const char *message; /* may be "" */
            /* What a report shows, a text before each number; none: the names in the test. */
            struct ck_print_item *items;
            int n_items;
            bool is_check; /* made only where indices are checked */
        } assertion;
    };
};

struct ck_local {
    const char *name; /* as written; temporaries are "" */
    const struct ck_type *type;
    bool is_zeroed; /* zero when the function begins; else not set */
    bool is_flag;   /* true in the threads that have returned, see lang/divergence/predicate.c */
};

struct ck_shared_array {
    const struct ck_type *elem;
    int64_t shape[CK_MAX_NDIM];
    int ndim;
    int64_t count; /* product of the shape */
    struct ck_span span;
};

/* texpr_walk.c: visits the operands of an expression; expressions; those of a block's statements,
 * and of the blocks in it. */
typedef void (*ck_texpr_visit)(void *context, struct ck_texpr *expr);
void ck_texpr_each(const struct ck_texpr *expr, ck_texpr_visit visit, void *context);
void ck_texprs_each(struct ck_texpr *const *exprs, int n, ck_texpr_visit visit, void *context);
void ck_tblock_each_expr(const struct ck_tblock *block, ck_texpr_visit visit, void *context);

/* The effects of a function and of its callees. */
enum {
    CK_EFFECT_BLOCK_BARRIER = 1 << 0,
    CK_EFFECT_CLUSTER_BARRIER = 1 << 1,
    CK_EFFECT_GRID_BARRIER = 1 << 2,   /* a kernel with one is launched cooperatively */
    CK_EFFECT_WARP_PRIMITIVE = 1 << 3, /* shuffles, votes; barriers that count their threads */
    CK_EFFECT_BARRIER_WORDS = 1 << 4,  /* barriers that some targets keep in shared memory */
    CK_EFFECT_GROUP_COPY = 1 << 5,     /* starts copies by groups, which the CPU executor checks */
    CK_EFFECT_MAKES_GROUP = 1 << 6,    /* coalesced groups, or partitions of groups */
    CK_EFFECT_CLUSTER = 1 << 7,        /* uses its cluster, which not every GPU supports */
    CK_EFFECT_READS_LAUNCH = 1 << 8,   /* is_valid(): its result depends on the kernel */
    CK_EFFECT_READS_RETURNED = 1 << 9, /* depends on whether threads may have returned */
    CK_EFFECT_SPIN = 1 << 10,          /* has spin loops, or nanosleep */
    CK_EFFECT_POLL = 1 << 11,          /* reads memory that other threads may write while it runs */
    CK_EFFECT_WIDE_VIEW = 1 << 12,     /* makes views with larger elements, maybe misaligned */
    CK_EFFECT_READS_POSITION = 1 << 13, /* its threads or blocks may do different work */
    CK_EFFECT_WHOLE_ARRAY = 1 << 14,    /* reads a whole array that other threads have too */
    CK_EFFECT_RECURSION = 1 << 15,      /* is recursive, or calls a function that is */
    CK_EFFECT_RAW_MEMORY =
        1 << 16, /* accesses memory at addresses: any array's, for all ck knows */
    /* The effects that wait for other threads. */
    CK_EFFECTS_WAIT = CK_EFFECT_BLOCK_BARRIER | CK_EFFECT_CLUSTER_BARRIER | CK_EFFECT_GRID_BARRIER |
                      CK_EFFECT_WARP_PRIMITIVE,
};

/* The member of a group that a function of the prelude implements. */
struct ck_member {
    bool is_member;
    enum ck_group_kind group;
    enum ck_builtin_id id; /* a row for groups in general: CK_BUILTIN_GROUP_REDUCE */
};

/* A kernel's parameter as its author and a launch see it: a local; a tuple, whose items follow it,
 * each likewise; or None or the default value, which are known at compile time. */
enum { CK_PARAM_TUPLE = -1, CK_PARAM_NONE = -2, CK_PARAM_DEFAULT = -3 };

struct ck_tparam {
    const char *name; /* of an item: "t[0]" */
    int n_items;      /* of a tuple */
    int local;        /* or CK_PARAM_* */
    const char *type; /* of a tuple: the name of its vector or record type, or NULL */
};

/* One function for one choice of argument types. */
/* What a kernel's decorator says of its launches; 0: not given. */
struct ck_launch_bounds {
    int max_threads, min_blocks; /* launch_bounds */
    int max_registers;
    int cluster[3];
};

struct ck_tfunc {
    const char *name;    /* as written */
    const char *symbol;  /* unique in the program; of a kernel: the entry's name */
    struct ck_span span; /* `def name(...)` through ':'; see in_prelude */
    bool is_kernel;
    bool in_prelude;            /* of the prelude: spans in it are not shown to the user */
    const char *specialisation; /* of a kernel with several: the note "in `k` for (int32)" */
    struct ck_member member;    /* of the prelude */
    const char *made_for;       /* of a group's member: the group and the operator; else NULL */
    struct ck_local *locals;    /* the first n_params are the parameters */
    int n_locals, locals_capacity;
    int n_params;
    bool is_untyped;  /* made of a generic kernel without types: assignments may be missing */
    bool is_outlined; /* of the prelude: large and rarely used, so not inlined into its callers */
    bool is_checked;  /* of the prelude: its accesses count as those of the program that calls it */
    bool is_recursive; /* its calls lead back to it */
    int visit, lowest; /* numbers of the search for such calls */
    bool on_stack;
    struct ck_tparam *params; /* a kernel's: its tuples are split into locals */
    int n_entries, entries_capacity;
    const struct ck_type *returns; /* VOID for kernels */
    struct ck_tblock body;
    struct ck_shared_array *shared;
    int n_shared, shared_capacity;

    unsigned effects;           /* CK_EFFECT_* of this function and of its callees */
    unsigned acts;              /* see lang/divergence/acts.h; 0: not known yet */
    struct ck_span cluster_use; /* of EFFECT_CLUSTER: the first use */
    struct ck_span whole_use;   /* of EFFECT_WHOLE_ARRAY: likewise */

    struct ck_tfunc **callees; /* direct, each once */
    int n_callees, callees_capacity;
    const struct ck_program *program; /* the last program to which it was added */

    struct ck_launch_bounds bounds;
    bool fastmath;
};

/* Whether it has one of these effects. */
static inline bool
ck_tfunc_has(const struct ck_tfunc *function, unsigned effects)
{
    return function->effects & effects;
}

/* Whether its threads wait for each other anywhere. */
static inline bool
ck_tfunc_waits(const struct ck_tfunc *function)
{
    return ck_tfunc_has(function, CK_EFFECTS_WAIT);
}

struct ck_program {
    struct ck_arena *arena;
    const struct ck_source *source;
    struct ck_types *types;
    struct ck_tfunc **functions; /* callees before callers; kernels among them */
    int n_functions, functions_capacity;
};

/* The typed program as text, for `ckc --emit=types`: one line a local, then the statements. */
void ck_program_dump(struct ck_strbuf *out, const struct ck_program *program);

#endif
