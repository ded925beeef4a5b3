/* Inside the checker: values, environments and the state while one function is checked. */
#ifndef CK_CHECK_INTERNAL_H
#define CK_CHECK_INTERNAL_H

#include "base/index.h"
#include "lang/check/check.h"
#include "lang/check/recursion.h"
#include "lang/diag/depth.h"
#include "lang/syntax/ast.h"
#include "lang/typed/type_promotion.h"
#include "lang/typed/typed.h"

/* --- Values --------------------------------------------------------------------------------------
 */

enum ck_value_kind {
    CK_VALUE_ERROR,    /* already reported */
    CK_VALUE_RUN,      /* a scalar, tuple, array or group: type and expr */
    CK_VALUE_TYPE,     /* a type used as a value: type */
    CK_VALUE_FUNCTION, /* a function of the module */
    CK_VALUE_BUILTIN,  /* a path that names a row of builtins.def */
    CK_VALUE_NUMPY,    /* a row of numpy.def */
    CK_VALUE_PATH,     /* part of a built-in's path: `cuda`, `cuda.shared`, `threadIdx` */
    CK_VALUE_NAMES,    /* a tuple with functions: name_tuple.h */
    CK_VALUE_STRING,   /* known at compile time */
    CK_VALUE_NONE,     /* None, or the result of a function that returns nothing */
};

/* The meaning of an expression. A weak value has a weak `type` while its expr has int64, float64 or
 * complex128. */
/* The values that a literal of the program text, or what is computed of literals, can have. */
struct ck_literal_range {
    int64_t low, high; /* of a weak integer; of a tuple: of the weak integers in it, and 0 */
    double farthest; /* of a weak float or complex number: the value farthest from zero that it, or
                        a part, can have; of a tuple: the farthest of its items */
};

/* How a value was computed, for warnings. */
struct ck_value_origin {
    bool carried; /* it depends on a name that joining paths or a loop's iterations change */
    /* Of a float64 that a float literal became by joining another type: where the literal was
     * bound. Empty: of any other value. */
    struct ck_span literal_at;
    /* Of a 32-bit integer: the operation that computed it and may have wrapped, and where. An empty
     * span: none. */
    struct ck_span may_wrap;
    enum ck_binary_op wrapping_op;
};

/* An extent of an array. */
struct ck_axis_extent {
    int64_t n;                  /* -1: not known at compile time */
    struct ck_span asserted_at; /* the assertion that says so; empty: none */
};

struct ck_value {
    enum ck_value_kind kind;
    struct ck_span span;
    const struct ck_type *type;
    struct ck_texpr *expr;
    struct ck_literal_range range;
    const struct ck_axis_extent *extents; /* of an array, by dimension; NULL: none is known */
    const struct ck_window *window; /* of an array that has a name; NULL: not known (window.h) */
    bool nonnegative; /* an integer, or a tuple of integers, that cannot be below zero */
    struct ck_value_origin origin;
    const struct ck_expr *syntax;
    const struct ck_value *self; /* BUILTIN: whose member it is; NULL: none */
    /* FUNCTION: the values of its free names, in their order. NULL: it has none, or they are those
     * that the enclosing function, which is being checked, has at the call. */
    const struct ck_value *closure;
    union {
        struct ck_global *function; /* TYPE: what makes values of a namedtuple; NULL: a scalar's */
        const struct ck_numpy *numpy;
        const struct ck_name_tuple *names;
        const char *path;
        enum ck_builtin_id builtin;
        const struct ck_expr *string; /* the literal */
    };
};

/* --- The module ----------------------------------------------------------------------------------
 */

enum ck_global_kind {
    CK_GLOBAL_FUNCTION,
    CK_GLOBAL_VALUE,
    CK_GLOBAL_TYPES,
    CK_GLOBAL_IMPORT,
    CK_GLOBAL_HOST, /* bound by what is not for kernels */
};

/* Declared parameter types of one signature. */
struct ck_signature {
    const struct ck_type **params;
    int n_params;
    const struct ck_type *returns; /* NULL: not given */
    struct ck_span span;
};

struct ck_options {
    struct ck_launch_bounds bounds;
    struct ck_span cluster_span;
    bool fastmath, says_fastmath; /* its value, if given */
    bool no_wraparound;
};

/* A name of the enclosing function that a function in it uses. */
struct ck_free_name {
    const char *name;
    const struct ck_expr *use;
};

/* A name at module level. */
struct ck_global {
    enum ck_global_kind kind;
    const char *name;
    struct ck_span span;
    bool reached;                   /* by a kernel; else it may be host code */
    struct ck_span used_at;         /* one use by what is reached; empty: a kernel itself */
    struct ck_span again_at;        /* where it is bound again; empty: nowhere */
    const struct ck_diag *held;     /* VALUE: of its syntax */
    const struct ck_diag *problems; /* VALUE: of its evaluation */
    const struct ck_import *import; /* HOST: of a module that kernels do not have */
    const struct ck_import_name *import_name; /* HOST: a name that a known module lacks */
    bool checked; /* VALUE: `value` is known; until then `checking` finds cycles */
    bool checking;
    struct ck_value value;        /* VALUE */
    const struct ck_expr *syntax; /* VALUE, TYPES */
    const struct ck_stmt *stmt;
    const char *path; /* IMPORT: the built-in path that it names ("" for `cuda`) */
    /* FUNCTION */
    const struct ck_function *function;
    struct ck_global *maker; /* the function that makes it, which has its errors of syntax */
    bool syntax_reported;
    bool is_kernel;
    struct ck_global *callable; /* of a kernel: the same as a device function; NULL: not needed */
    bool is_used;               /* another function that kernels reach names it */
    struct ck_references references;
    const struct ck_global *seen_from; /* of a search over references: see warned_kernels.c */
    bool in_prelude;                   /* of the prelude: spans in it are not shown to the user */
    bool is_outlined;                  /* see ck_tfunc */
    bool is_checked;                   /* likewise */
    struct ck_member member;           /* of the prelude */
    bool failed; /* its declaration has an error: uses are not reported again */
    struct ck_options options;
    struct ck_signature *signatures;
    int n_signatures, signatures_capacity;
    unsigned float_words; /* the types of floats that its text names: see warn.c; 0: not known */
    const struct ck_type **annotations;    /* a device function's, by parameter; NULL: free */
    const struct ck_type **named;          /* namedtuples that annotate parameters, likewise */
    struct ck_value *defaults;             /* by parameter; of those without one: empty */
    const struct ck_free_name *free_names; /* of a function in a function */
    int n_free_names;
    const char **kept_defaults; /* likewise, by parameter: the free name that has its default value,
                                   of where the function is defined; NULL: it is a constant */
    bool is_repeated;           /* likewise: it is defined in a loop */
    const struct ck_function *enclosing; /* likewise; NULL: a function of the module */
    bool is_closing;                     /* ck_close runs: a cycle of functions comes back here */
    struct ck_global **overloads;        /* functions marked `@overload` of this one */
    int n_overloads, overloads_capacity;
    bool extends; /* HOST: it is one of the checker's extensions */
    struct ck_kernel_info info;
};

/* Which threads may have returned from the kernel: see returned.c. */
enum ck_returned {
    CK_RETURNED_NONE,
    CK_RETURNED_BEFORE_GROUPS, /* none since the first coalesced group or partition was made */
    CK_RETURNED_ANY,
};

struct ck_instance {
    struct ck_global *global;
    struct ck_value *args; /* types, and values where they are constant */
    int n_args;
    bool fastmath; /* its own option, or else its caller's */
    /* Before the instance's call; of a kernel, before the statement being checked. */
    enum ck_returned returned_before_call, returned;
    struct ck_tfunc *function;
    /* Checked in a quiet pass: its result type and effects are known, but its statements are
     * incomplete and nothing was reported. A call outside quiet passes checks it again. */
    bool provisional;
    struct ck_span call; /* the call that requested it, while it is checked */
    struct ck_instance *caller;
    struct ck_activation recursion;
};

struct ck_checker {
    struct ck_arena *arena;
    const struct ck_source *source;
    const struct ck_ast *ast;
    struct ck_diags *diags;
    const char *const *reserved_symbols;
    struct ck_types types;
    struct ck_global **globals;
    int n_globals, globals_capacity;
    struct ck_index global_index; /* by name */
    struct ck_global **inner;     /* functions in functions, and lambdas */
    int n_inner, inner_capacity;
    struct ck_index inner_index; /* by syntax */
    struct ck_named_tuple *named_tuples;
    int n_named_tuples, named_tuples_capacity;
    struct ck_global **kernels;
    int n_kernels, kernels_capacity;
    struct ck_instance **instances;
    int n_instances, instances_capacity;
    struct ck_index instance_index; /* by function and arguments */
    struct ck_instance **named;     /* in the order in which they got their symbols */
    int n_named, named_capacity;
    struct ck_index symbol_index; /* of `named` */
    struct ck_depth stack;        /* used by the current call of the checker */
    struct ck_instance *current;  /* being checked */
    int depth;                    /* of nested instances being checked */
    int n_constants_open; /* module constants being evaluated, each needed by the one before */
    int n_symbols;        /* numbers of symbols given */
    int n_const_arrays;   /* likewise */
    int64_t const_bytes;  /* of the constant arrays that functions use */
    struct ck_module_array **module_arrays;
    int n_module_arrays, module_arrays_capacity;
    struct ck_prelude *prelude;      /* NULL: not needed so far */
    struct ck_extension *extensions; /* overload.h */
    int n_extensions, extensions_capacity;
    int n_failures;                    /* errors found, in quiet passes too */
    struct ck_object_changes *changes; /* of objects by host code; NULL: not needed so far */
    struct ck_inference inference;
    bool fastmath;          /* of functions that no caller and no option says it of */
    bool untyped;           /* checking a generic kernel, whose arguments are ERROR values */
    int untyped_nested;     /* searches for what an untyped value depends on, one in another */
    struct ck_facts *facts; /* NULL: what names mean is not kept */
    struct ck_program program;
};

enum {
    CK_MAX_INSTANCES = 4096,
    CK_MAX_CALL_DEPTH = 128,
    CK_MAX_POWER = 64, /* constant exponents up to here are expanded into multiplications */
};

/* False, reported at `span`, if operations, blocks and calls are nested so deeply that the stack
 * could overflow. */
bool ck_check_depth(struct ck_checker *c, struct ck_span span);

struct ck_global *ck_find_global(struct ck_checker *c, const char *name);
/* Evaluates a module constant on first use. */
const struct ck_value *ck_global_value(struct ck_checker *c, struct ck_global *global);
/* Declares a name of the module. */
struct ck_global *ck_declare(struct ck_checker *c, enum ck_global_kind kind, const char *name,
                             struct ck_span span);
/* What a function's decorators make it: HOST: none of Numba's for kernels; WRONG: unknown names. */
enum ck_decorated {
    CK_DECORATED_NOT,
    CK_DECORATED_KERNEL,
    CK_DECORATED_DEVICE,
    CK_DECORATED_HOST,
    CK_DECORATED_WRONG,
};
enum ck_decorated ck_decorated_as(struct ck_checker *c, const struct ck_global *global);
/* Applies a function's decorators (decorator.c). */
void ck_apply_decorators(struct ck_checker *c, struct ck_global *global);
/* Applies decorators, annotations and default values of a function that a kernel reaches. */
void ck_complete_function(struct ck_checker *c, struct ck_global *global);
/* The same for a function in a function. */
void ck_complete_inner(struct ck_checker *c, struct ck_global *global);
/* Finds what kernels reach, completes it and reports its errors (reach.c). */
void ck_reach(struct ck_checker *c);
/* Whether a function is the same for both arguments: values that are computed when the kernel runs
 * may differ. */
bool ck_same_argument(const struct ck_value *a, const struct ck_value *b);
/* The function for these arguments, checked on first use. NULL after an error. */
struct ck_tfunc *ck_instantiate(struct ck_checker *c, struct ck_global *global,
                                const struct ck_value *args, int n_args, struct ck_span call);

/* --- What names mean (facts.c) -------------------------------------------------------------------
 */

struct ck_fn;
/* Records the meaning of the name that begins at `start`. */
void ck_add_fact(const struct ck_fn *fn, uint32_t start, const struct ck_value *value);
/* The same of a name that is no attribute of `object`: what the object is. */
void ck_add_object_fact(const struct ck_fn *fn, uint32_t start, const struct ck_value *object);
/* Records the type of the function's result. */
void ck_add_result_fact(const struct ck_fn *fn);

/* --- Types of Python and NumPy (python_type.c) ---------------------------------------------------
 */

/* Whether an annotation is ignored: `int`, `float`, `complex`, `np.ndarray`, and what is imported
 * from modules that kernels do not have. */
bool ck_is_python_type(struct ck_checker *c, const struct ck_expr *expr);
/* `np.NAME`, as `np.ndarray`, or NAME imported from numpy. */
bool ck_is_numpy_name(struct ck_fn *fn, const struct ck_expr *expr, const char *name);
/* `types.NAME`. */
bool ck_is_name_of_types(struct ck_fn *fn, const struct ck_expr *expr, const char *name);
/* The scalar type that is an array's dtype: a type, Python's `int`, or a string. NULL after an
 * error. */
const struct ck_type *ck_dtype_of(struct ck_fn *fn, const struct ck_value *value);

/* --- Signatures and types as expressions (signature.c) -------------------------------------------
 */

/* The type that an expression denotes: a scalar, an array type (space GLOBAL), void. NULL: none; an
 * error is reported if `report`. */
const struct ck_type *ck_type_of_expr(struct ck_checker *c, const struct ck_expr *expr,
                                      bool report);
/* The namedtuple that an expression names; NULL: none. */
const struct ck_type *ck_namedtuple_of_expr(struct ck_checker *c, const struct ck_expr *expr);
/* Whether the expression is a type made from others: (T, ...), Tuple((T, ...)), UniTuple(T, n),
 * CPointer(T); and the type (tuple_type.c). */
bool ck_is_made_type_expr(struct ck_checker *c, const struct ck_expr *expr);
const struct ck_type *ck_made_type_of_call(struct ck_checker *c, const struct ck_expr *call,
                                           enum ck_builtin_id id, bool report);
const struct ck_type *ck_made_type_of_expr(struct ck_checker *c, const struct ck_expr *expr,
                                           bool report);
/* A function of the prelude, or NULL (prelude.c). */
struct ck_global *ck_prelude_function(struct ck_checker *c, const char *name);
/* Binds a kernel's parameters to locals. */
void ck_bind_kernel_params(struct ck_fn *fn, const struct ck_value *args, int n);
/* True if the expression denotes types: a type, a tuple or list of such, or a signature. */
bool ck_is_type_expr(struct ck_checker *c, const struct ck_expr *expr);
/* Appends the signatures that a decorator's argument denotes: `void(T, ...)`, `(T, ...)`, a string
 * of either, a list of them, or a module name for one. False after an error. */
bool ck_signatures_of_expr(struct ck_checker *c, const struct ck_expr *expr,
                           struct ck_global *global);

/* --- Environments (env.c) ------------------------------------------------------------------------
 */

enum ck_binding_state { CK_UNSET, CK_SET, CK_MAYBE_UNSET, CK_CONFLICT };

/* What a name is bound to at one point of the program. */
struct ck_binding {
    enum ck_binding_state state;
    struct ck_value value;        /* RUN: expr is a constant or the local that has the value */
    const struct ck_type *pin;    /* annotated type, or NULL */
    struct ck_span set_at;        /* where it was last set */
    struct ck_span unset_at;      /* MAYBE_UNSET: the statement with a path that leaves it unset */
    const char *unset_how;        /* "if the loop runs zero times" */
    const struct ck_guard *guard; /* MAYBE_UNSET: when it is set; NULL: not known */
    const struct ck_type *other;  /* CONFLICT: the type on the other path */
    struct ck_span other_at;
    struct ck_home *home; /* see env.c; NULL: none */
};

struct ck_env {
    const struct ck_env_node
        *root; /* a persistent tree, indexed by the function's number of the name */
    int height;
    bool reachable;
};

/* An edge into a join: its environment, and the block to which conversions are added (before the
 * `break` or `continue` that ends it). */
struct ck_edge {
    struct ck_env env;
    struct ck_tblock *block;
};

struct ck_edges {
    struct ck_edge *edges;
    int n, capacity;
};

struct ck_loop {
    struct ck_edges breaks;
    struct ck_edges continues;
    struct ck_loop *outer;
    const int *left_flag; /* a local that a `break` sets, of an unrolled loop; NULL: none */
};

struct ck_return {
    struct ck_tstmt *stmt;
    const struct ck_type *type;
    struct ck_value value;
};

/* Names, each once and with a number. */
struct ck_name_set {
    const char **items;
    int n, capacity;
    struct ck_index index;
};

/* The number of a name; -1: the set does not have it. */
int ck_name_set_find(const struct ck_name_set *set, const char *name);
/* Adds a name that the set does not have; returns its number. */
int ck_name_set_add(struct ck_arena *arena, struct ck_name_set *set, const char *name);

/* A temporary with an array, and the part of whose memory that is; NULL: not known. */
struct ck_held_array {
    int local;
    const struct ck_window *window;
};

struct ck_fn {
    struct ck_checker *c;
    struct ck_global *global;
    struct ck_tfunc *out;
    struct ck_name_set names;     /* numbered by the environments */
    struct ck_name_set assigned;  /* those that the function binds somewhere */
    struct ck_name_set optional;  /* those that it binds to None somewhere: optional.h */
    struct ck_index local_index;  /* of out->locals, by name and type */
    struct ck_index callee_index; /* of out->callees */
    struct ck_env env;
    struct ck_tblock *block; /* to which statements are added */
    struct ck_loop *loop;
    struct ck_return *returns;
    int n_returns, returns_capacity;
    struct {
        struct ck_loop_memo **items; /* of the loops found so far */
        int n, capacity;
        struct ck_index index; /* by statement */
    } memos;
    struct ck_span
        *literals_reported; /* the definitions of float literals whose float64 was reported */
    int n_literals_reported, literals_reported_capacity;
    bool has_local_array;
    bool constant_only; /* a module constant: outside any function */
    bool in_condition;  /* of a `while`: no statement can be before it */
    bool chooses;       /* an overload, whose parameters stand for types */
    int n_paths;        /* its text has many branches and jumps */
    int n_differing;    /* enclosing conditions and loops that may be divergent in a block */
    /* Names read where some path leaves them unset: their locals are zero at the start. */
    struct ck_name_set zeroed;
    const struct ck_condition *conditions; /* that hold here, the innermost first */
    struct {
        struct ck_held_array *items; /* by local */
        int n, capacity;
    } held_arrays;
    struct {
        struct ck_early *items; /* statements to be added where a name was bound */
        int n, capacity;
    } early;
};

int ck_name_index(struct ck_fn *fn, const char *name);
/* A name that the function binds anywhere is local everywhere, as in Python. */
bool ck_is_assigned(const struct ck_fn *fn, const char *name);
/* What a name is bound to; never NULL. */
const struct ck_binding *ck_env_get(const struct ck_env *env, int name);
/* Rebinds a name. Other environments, copies of this one included, do not change. */
void ck_env_set(struct ck_fn *fn, struct ck_env *env, int name, const struct ck_binding *binding);
/* Calls `visit` for each name whose bindings in the two environments are not the same object, until
 * it returns false; false if it did. */
typedef bool (*ck_env_visit)(void *context, int name, const struct ck_binding *a,
                             const struct ck_binding *b);
bool ck_env_differences(const struct ck_env *a, const struct ck_env *b, ck_env_visit visit,
                        void *context);
void ck_edges_add(struct ck_fn *fn, struct ck_edges *edges, const struct ck_env *env,
                  struct ck_tblock *block);
/* The environment at the join of the edges; conversions are added to their blocks. Unreachable
 * without edges. `at` and `how` explain names that some edge leaves unset. */
struct ck_env ck_env_join(struct ck_fn *fn, const struct ck_edges *edges, struct ck_span at,
                          const char *how);
/* Adds to `block` the conversions from `from` to the join's result `to`. */
void ck_env_convert(struct ck_fn *fn, const struct ck_env *from, const struct ck_env *to,
                    struct ck_tblock *block);
/* The same for all edges, to the blocks that they come from. */
void ck_edges_convert(struct ck_fn *fn, const struct ck_edges *edges, const struct ck_env *to);
/* Whether a function has so many paths that values are copied where they are bound (env.c). */
static inline bool
ck_has_many_paths(const struct ck_fn *fn)
{
    return fn->n_paths >= 64;
}

/* Inserts statements into blocks at places that were determined later. */
void ck_env_finish(struct ck_fn *fn);
/* The join of the bindings `a` and `b` of `name`, in a loop's iterations. */
struct ck_binding ck_join_bindings(struct ck_fn *fn, int name, const struct ck_binding *a,
                                   const struct ck_binding *b);
bool ck_env_equal(const struct ck_env *a, const struct ck_env *b);
/* Whether both have the same state, and values of the same type with the same known facts. */
bool ck_same_binding(const struct ck_binding *a, const struct ck_binding *b);
/* Binds a name as in a pass whose locals were discarded: its local is created again. */
void ck_env_set_anew(struct ck_fn *fn, struct ck_env *env, int name,
                     const struct ck_binding *binding);
/* Binds `name` to a value at this point: emits the assignment. */
void ck_bind(struct ck_fn *fn, const char *name, struct ck_value value, struct ck_span span);

/* --- Conditions under which names are set (maybe_unset.c) ----------------------------------------
 */

/* A condition that holds, or whose negation does, on a path. */
struct ck_condition {
    const struct ck_expr *test;
    bool holds;
    struct ck_env env; /* when it was tested */
    const struct ck_condition *outer;
};

/* Conditions that together imply that a name is set. */
struct ck_guard {
    const struct ck_condition *condition;
    const struct ck_guard *next;
};

/* Adds a condition, tested in `env`, to those that hold here. */
const struct ck_condition *ck_condition_begin(struct ck_fn *fn, const struct ck_expr *test,
                                              const struct ck_env *env, bool holds);
/* Guards the names that only one of an `if`'s two paths sets. `joined` is the join of the two. */
void ck_guard_names(struct ck_fn *fn, struct ck_env *joined, const struct ck_edges *edges,
                    const struct ck_condition *is_true, const struct ck_condition *is_false);
/* Whether the conditions that hold here imply that a MAYBE_UNSET name is set. */
bool ck_is_guarded(struct ck_fn *fn, const struct ck_binding *binding);

int ck_local_new(struct ck_fn *fn, const char *name, const struct ck_type *type);
/* Discards all locals from number n on. */
void ck_locals_cut(struct ck_fn *fn, int n);

/* --- Building (typed_expr.c) ---------------------------------------------------------------------
 */

struct ck_texpr *ck_texpr_new(struct ck_fn *fn, enum ck_texpr_kind kind, const struct ck_type *type,
                              struct ck_span span);
struct ck_texpr *ck_const_int(struct ck_fn *fn, const struct ck_type *type, int64_t value,
                              struct ck_span span);
struct ck_texpr *ck_const_float(struct ck_fn *fn, const struct ck_type *type, double value,
                                struct ck_span span);
struct ck_texpr *ck_local_ref(struct ck_fn *fn, int local, struct ck_span span);
/* The SHAPE or STRIDE of an array. */
struct ck_texpr *ck_extent_expr(struct ck_fn *fn, enum ck_texpr_kind kind, struct ck_texpr *array,
                                int dim, struct ck_span span);
/* BINARY, COMPARE and SELECT, of operands that already have the right types; folded if constant. */
struct ck_texpr *ck_binary_expr(struct ck_fn *fn, enum ck_binary_op op, struct ck_texpr *left,
                                struct ck_texpr *right, struct ck_span span);
struct ck_texpr *ck_compare_expr(struct ck_fn *fn, enum ck_compare_op op, struct ck_texpr *left,
                                 struct ck_texpr *right, struct ck_span span);
struct ck_texpr *ck_select_expr(struct ck_fn *fn, struct ck_texpr *test, struct ck_texpr *then,
                                struct ck_texpr *otherwise, struct ck_span span);
/* Saves `init` for several uses: returns the local that they read, and *let, which must enclose
 * them. */
struct ck_texpr *ck_let_new(struct ck_fn *fn, struct ck_texpr *init, struct ck_span span,
                            struct ck_texpr **let);
/* `body` enclosed in `let`, if there is one; NULL if `body` is NULL. */
struct ck_texpr *ck_let_in(struct ck_texpr *let, struct ck_texpr *body);
/* Values that are saved one after the other: of the parts of an index, or of a shape. */
struct ck_lets {
    struct ck_texpr *items[2 * CK_MAX_NDIM + 2]; /* the first encloses the others */
    int n;
};
/* Adds a `let`, if there is one. */
void ck_lets_add(struct ck_lets *lets, struct ck_texpr *let);
/* Saves an expression that is not simple; returns what reads it. */
struct ck_texpr *ck_lets_save(struct ck_fn *fn, struct ck_lets *lets, struct ck_texpr *expr);
/* `body` enclosed in all of them. */
struct ck_texpr *ck_lets_in(const struct ck_lets *lets, struct ck_texpr *body);
/* Evaluates them as statements, before what uses them. */
void ck_lets_emit(struct ck_fn *fn, const struct ck_lets *lets);
/* A bool that follows from a value's type. The value's effects still happen. */
struct ck_texpr *ck_known_bool(struct ck_fn *fn, const struct ck_value *value, bool known,
                               struct ck_span span);
struct ck_tstmt *ck_emit(struct ck_fn *fn, enum ck_tstmt_kind kind, struct ck_span span);
void ck_emit_assign(struct ck_fn *fn, struct ck_tblock *block, int local, struct ck_texpr *value,
                    struct ck_span span);
/* A constant, or a tuple of constants. */
bool ck_is_constant(const struct ck_texpr *expr);
bool ck_same_constant(const struct ck_texpr *a, const struct ck_texpr *b);
bool ck_has_effect(const struct ck_texpr *expr);
/* A cheap expression that may be duplicated: a constant or a local. */
bool ck_is_simple(const struct ck_texpr *expr);

struct ck_value ck_value_error(struct ck_span span);
struct ck_value ck_value_run(const struct ck_type *type, struct ck_texpr *expr);
/* The one farther from zero. */
double ck_farther(double a, double b);
/* Extends the range of a tuple's literals by an item. */
void ck_cover_literals(struct ck_value *value, const struct ck_value *item);
struct ck_value ck_value_int(struct ck_fn *fn, int64_t value, struct ck_span span); /* weak */
struct ck_value ck_value_bool(struct ck_fn *fn, bool value, struct ck_span span);
/* An item of a tuple. Of a tuple display only the item is evaluated. Any other tuple is evaluated
 * again for each item, so a tuple with an effect must be saved first. */
struct ck_value ck_tuple_item(struct ck_fn *fn, const struct ck_value *tuple, int index);
/* The same where the text reads one item, but evaluates them all. */
struct ck_value ck_only_item(struct ck_fn *fn, const struct ck_value *tuple, int index,
                             struct ck_span span);
/* A constant integer's value, weak or not. */
bool ck_value_const_int(const struct ck_value *value, int64_t *out);
/* The value of a constant of an integer type; INT64_MAX for a larger one. */
static inline int64_t
ck_clamped_int(const struct ck_texpr *constant)
{
    int64_t i = constant->constant.i;
    return i < 0 && ck_type_is_unsigned(constant->type) ? INT64_MAX : i;
}

/* The type in which a value is stored: weak becomes int64, float64 or complex128, in tuples too. */
const struct ck_type *ck_storage_type(struct ck_types *types, const struct ck_type *type);
/* A cast between scalars, folded if constant. */
struct ck_texpr *ck_cast(struct ck_fn *fn, struct ck_texpr *expr, const struct ck_type *type);
/* The same where the source has no cast: an integer that does not fit is a mistake. */
struct ck_texpr *ck_implicit_cast(struct ck_fn *fn, struct ck_texpr *expr,
                                  const struct ck_type *type);
/* Implicit conversion to `type`: scalars, tuples of them, arrays to more general arrays. A literal
 * that does not fit is an error. NULL after an error. */
struct ck_texpr *ck_convert(struct ck_fn *fn, const struct ck_value *value,
                            const struct ck_type *type);
/* The same where the program declares the type: an integer that does not fit is a mistake. */
struct ck_texpr *ck_convert_to_fit(struct ck_fn *fn, const struct ck_value *value,
                                   const struct ck_type *type);
/* The value's truth as a bool. NULL after an error. */
struct ck_texpr *ck_truth(struct ck_fn *fn, const struct ck_value *value);

/* --- Complex numbers (complex.c) -----------------------------------------------------------------
 */

/* A number of complex `type` from its parts, which have the type's part type. */
struct ck_texpr *ck_complex_new(struct ck_fn *fn, const struct ck_type *type, struct ck_texpr *re,
                                struct ck_texpr *im, struct ck_span span);
/* Part 0 or 1 of a complex expression. */
struct ck_texpr *ck_complex_part(struct ck_fn *fn, struct ck_texpr *expr, int i);
/* A cast to or from a complex type; not to a real number. */
struct ck_texpr *ck_complex_cast(struct ck_fn *fn, struct ck_texpr *expr,
                                 const struct ck_type *type);
/* + - * or / of two constants of one complex type. */
struct ck_texpr *ck_complex_operation(struct ck_fn *fn, enum ck_binary_op op, struct ck_texpr *left,
                                      struct ck_texpr *right, struct ck_span span);
/* -x of a complex expression, folded. */
struct ck_texpr *ck_complex_negate(struct ck_fn *fn, struct ck_texpr *operand, struct ck_span span);
/* Whether two constants are equal. */
bool ck_complex_equal(const struct ck_texpr *left, const struct ck_texpr *right);
/* Whether numbers have an attribute or a method of this name. */
bool ck_is_number_attribute(const char *name);
/* `.real` or `.imag` of a number. */
struct ck_value ck_number_attribute(struct ck_fn *fn, const struct ck_value *number,
                                    const struct ck_expr *expr);
/* Part 0 or 1 of a number; its complex conjugate. */
struct ck_value ck_number_part(struct ck_fn *fn, const struct ck_value *number, bool imaginary,
                               struct ck_span span);
struct ck_value ck_number_conjugate(struct ck_fn *fn, struct ck_value value, struct ck_span span);
/* A call of a number's method: `x.conjugate()`. */
struct ck_value ck_number_method(struct ck_fn *fn, struct ck_value number,
                                 const struct ck_expr *call);
/* Adds the help for a complex number where a real one is required. */
void ck_help_real(struct ck_fn *fn, struct ck_diag *diag);

/* --- Common types of values (value_type.c) -------------------------------------------------------
 */

/* The common type of two values: ck_promote, and a wider integer type where an integer literal does
 * not fit the other's. */
const struct ck_type *ck_common_type(const struct ck_value *a, const struct ck_value *b);
/* The type that an operator on two numbers computes in. NULL: there is none. */
const struct ck_type *ck_arithmetic_type(const struct ck_value *a, const struct ck_value *b);
/* ck_join_types of values. */
const struct ck_type *ck_join_values(struct ck_types *types, const struct ck_value *a,
                                     const struct ck_value *b);
/* Joins a value's type into common->type, which is NULL before the first. False: there is no
 * common type. */
bool ck_common_add(struct ck_types *types, struct ck_value *common, const struct ck_value *value);

/* --- Speculative checks (speculate.c) ------------------------------------------------------------
 */

/* What a speculation restores at its end. */
struct ck_speculation {
    struct ck_tblock *block;
    int n_locals, n_shared, n_callees, n_returns;
    unsigned effects;
};

/* What is emitted and created from now on is discarded at the end. */
struct ck_speculation ck_speculation_begin(struct ck_fn *fn);
void ck_speculation_end(struct ck_fn *fn, struct ck_speculation before);
typedef struct ck_value ck_check_fn(struct ck_fn *fn, const struct ck_expr *expr);
/* Checks without reporting or counting errors. What is emitted stays. */
struct ck_value ck_check_quietly(struct ck_fn *fn, ck_check_fn *check, const struct ck_expr *expr);
/* The same, and discards what is emitted: of a value that is no constant, only the type is valid.
 * The expression is checked again where it is compiled. */
struct ck_value ck_speculate(struct ck_fn *fn, ck_check_fn *check, const struct ck_expr *expr);
/* The same for a name or attribute chain. */
struct ck_value ck_probe(struct ck_fn *fn, const struct ck_expr *expr);

/* --- Expressions and statements ------------------------------------------------------------------
 */

struct ck_value ck_check_expr(struct ck_fn *fn, const struct ck_expr *expr);
/* A call of a device function, with the right number of arguments, already checked. */
struct ck_value ck_call_instance(struct ck_fn *fn, struct ck_global *global,
                                 const struct ck_value *args, int n, struct ck_span span);
/* Evaluates the default values of a function's parameters; a call of a device function, with
 * arguments by position, by keyword and by default (arguments.c). */
/* The number of parameters before those with default values. */
int ck_n_required(const struct ck_function *function);
void ck_evaluate_defaults(struct ck_checker *c, struct ck_global *global);
/* The values of a call's arguments by parameter, for their types alone. False after an error. */
bool ck_place_types(struct ck_fn *fn, const struct ck_global *global, const struct ck_expr *call,
                    struct ck_value *values);
struct ck_value ck_call_function(struct ck_fn *fn, const struct ck_value *callee,
                                 const struct ck_expr *expr);
/* A call with the items of tuples for its starred arguments. NULL: of an error (starred.c). */
const struct ck_expr *ck_spread_arguments(struct ck_fn *fn, const struct ck_expr *call);
/* Checks a condition: a bool expression (constant if folded), or NULL after an error. */
struct ck_texpr *ck_check_condition(struct ck_fn *fn, const struct ck_expr *expr);
/* The value itself if it exists at run time; else kind ERROR, reported. */
struct ck_value ck_as_run(struct ck_fn *fn, struct ck_value value);
/* `threadIdx` and the like, whose components are values. */
bool ck_has_axes(struct ck_fn *fn, const struct ck_value *value);
/* Help for a string that is not a literal argument of print. */
void ck_help_with_print(struct ck_fn *fn, struct ck_diag *diag);
/* Checks an expression that must exist at run time (not a type, function, group ...); else kind
 * ERROR, reported. */
struct ck_value ck_check_run(struct ck_fn *fn, const struct ck_expr *expr);
struct ck_value ck_check_binary(struct ck_fn *fn, enum ck_binary_op op, struct ck_value left,
                                struct ck_value right, struct ck_span span);
struct ck_value ck_check_unary(struct ck_fn *fn, const struct ck_expr *expr);
/* -x or ~x of an operand that has the type in which it is computed; of a literal, a literal. */
struct ck_value ck_unary_value(struct ck_fn *fn, enum ck_unary_op op,
                               const struct ck_value *operand, struct ck_span span);
/* A tuple of values that were checked, of which `written` items are in its text. */
struct ck_value ck_tuple_of_values(struct ck_fn *fn, const struct ck_value *values, int n,
                                   int written, struct ck_span span);
/* One link of a comparison, of operands that may be duplicated; NULL after an error. */
struct ck_texpr *ck_compare_values(struct ck_fn *fn, enum ck_compare_op op,
                                   const struct ck_value *left, const struct ck_value *right,
                                   struct ck_span span);
struct ck_texpr *ck_logical(struct ck_fn *fn, bool is_or, struct ck_texpr *left,
                            struct ck_texpr *right, struct ck_span span);
/* Returns a bool; NULL after an error. */
struct ck_texpr *ck_check_compare(struct ck_fn *fn, const struct ck_expr *expr);
/* Reports that an int64 and a uint64 have no common type, with casts as help. Returns an error
 * value. */
struct ck_value ck_mixed_sign(struct ck_fn *fn, const struct ck_value *left,
                              const struct ck_value *right, struct ck_span span);
/* The same for the last of several numbers, which has no common type with the earlier ones. */
void ck_mixed_sign_among(struct ck_fn *fn, const struct ck_value *values, int last);
/* `and` and `or` as values: one of the operands. */
struct ck_value ck_check_logical(struct ck_fn *fn, const struct ck_expr *expr);
struct ck_value ck_check_conditional(struct ck_fn *fn, const struct ck_expr *expr);
struct ck_value ck_check_subscript(struct ck_fn *fn, const struct ck_expr *expr);
/* Resolves a name or attribute chain only; the attribute of an object that was checked. */
struct ck_value ck_check_name(struct ck_fn *fn, const struct ck_expr *expr);
struct ck_value ck_attribute_of(struct ck_fn *fn, struct ck_value object,
                                const struct ck_expr *expr);
/* Candidates for "did you mean". */
struct ck_names {
    struct ck_arena *arena;
    const char **items;
    int n, capacity;
};
/* Functions of Python's `operator` (python_operator.c), by their paths `operator.X`; and a call. */
bool ck_is_python_operator(const char *path);
void ck_add_python_operators(struct ck_names *names);
struct ck_value ck_check_python_operator(struct ck_fn *fn, const char *path,
                                         const struct ck_expr *call);
/* The number of items of NAMES (name_tuple.c). */
int ck_name_tuple_length(const struct ck_value *tuple);
/* Adds the names of the language that the function does not bind itself. */
void ck_add_language_names(struct ck_fn *fn, struct ck_names *names);

/* The meaning of a subscript of an array: an element, as the array's expr and one index for each
 * dimension, or a view. False after an error. */
struct ck_element {
    struct ck_value array;
    struct ck_tindex *indices;
    struct ck_texpr *view; /* NULL: an element */
    struct ck_lets lets;   /* to be evaluated before: the parts of an index that is a tuple */
};
bool ck_check_element(struct ck_fn *fn, const struct ck_expr *expr, struct ck_element *out);
/* The value converted for an assignment to an element of such an array: any scalar, silently as
 * by a cast. NULL after an error. */
struct ck_texpr *ck_stored_value(struct ck_fn *fn, const struct ck_type *array,
                                 const struct ck_value *value);
/* Saves an array and its index, if the index is a tuple that is evaluated anew for each item. */
void ck_save_index(struct ck_fn *fn, struct ck_value *array, struct ck_value *index,
                   struct ck_lets *lets);
/* Indices for `array` from an integer or a tuple of integers. */
bool ck_indices_from_value(struct ck_fn *fn, const struct ck_value *array,
                           const struct ck_value *index, struct ck_tindex **out);

/* --- Known extents (extent.c) --------------------------------------------------------------------
 */

struct ck_axis_extent ck_known_extent(const struct ck_value *array, int dim);
/* Of a local, by dimension, -1 where not known; NULL: none is. */
const int64_t *ck_known_extents(struct ck_fn *fn, const struct ck_value *array);
/* Whether the same is known of two values of one type. */
bool ck_same_extents(const struct ck_value *a, const struct ck_value *b);
/* What is known of both of two arrays with as many dimensions; NULL: nothing. */
const struct ck_axis_extent *ck_common_extents(struct ck_fn *fn, const struct ck_value *a,
                                               const struct ck_value *b);
/* The binding that has this local at this point; NULL: none. */
const struct ck_binding *ck_binding_of_local(struct ck_fn *fn, const struct ck_texpr *local);
/* Binds to names of arrays the extents that a condition says they have, which is true from here on.
 * `span` is the condition. */
void ck_assume_extents(struct ck_fn *fn, const struct ck_texpr *test, struct ck_span span);
/* The condition, or a constant if known extents decide it. */
struct ck_texpr *ck_decide_by_extents(struct ck_fn *fn, struct ck_texpr *test);

/* --- Tuples (tuple.c) ----------------------------------------------------------------------------
 */

/* A scalar or a tuple for several uses: *let, if not NULL, must enclose its uses. */
struct ck_value ck_name_once(struct ck_fn *fn, struct ck_value value, struct ck_texpr **let);
/* A tuple whose items are all evaluated before the first is used: *let, if not NULL, must enclose
 * their uses. */
struct ck_value ck_save_tuple(struct ck_fn *fn, struct ck_value tuple, struct ck_texpr **let);
/* Compares tuples of expressions that may be duplicated. NULL after an error. */
struct ck_texpr *ck_compare_tuples(struct ck_fn *fn, enum ck_compare_op op,
                                   const struct ck_value *left, const struct ck_value *right,
                                   struct ck_span span);
struct ck_texpr *ck_contains(struct ck_fn *fn, enum ck_compare_op op, const struct ck_value *item,
                             const struct ck_value *tuple, struct ck_span span);
/* Reports a tuple of these items that is too large, and returns false. The `written` items in
 * its text do not count: only tuples made of tuples could double their size with each line. */
bool ck_check_tuple_size(struct ck_fn *fn, const struct ck_type *const *items, int n, int written,
                         struct ck_span span);
struct ck_value ck_concatenate(struct ck_fn *fn, struct ck_value left, struct ck_value right,
                               struct ck_span span);
/* The item at an integer index that is not known at compile time. */
struct ck_value ck_tuple_at(struct ck_fn *fn, struct ck_value tuple, struct ck_value index,
                            struct ck_span span);

/* --- Constant arrays (const_array.c) -------------------------------------------------------------
 */

/* Names the arrays in a constant that have no name yet. */
void ck_name_module_arrays(struct ck_checker *c, struct ck_value *value, const char *name);
/* Records that a function uses the arrays in a constant; too many bytes of constant memory are an
 * error. */
void ck_use_module_arrays(struct ck_fn *fn, const struct ck_texpr *expr, struct ck_span span);
/* True, and the element, if array and indices are constant; such indices are within bounds. */
bool ck_const_element(const struct ck_texpr *array, const struct ck_tindex *indices,
                      struct ck_texpr **out);
/* False, with an error, for a constant array. */
bool ck_check_writable(struct ck_fn *fn, const struct ck_value *array, struct ck_span span);

/* --- Statements ----------------------------------------------------------------------------------
 */

void ck_check_block(struct ck_fn *fn, const struct ck_block *block);
/* A recorded pass over a loop's body, from which loop_types.c continues. */
struct ck_recording {
    const struct ck_block *block;
    struct ck_env *before, *after; /* by statement; later passes: of its own names only */
    struct ck_env begin;           /* before the first */
    bool lost;                     /* continuing from it did not help */
};
void ck_check_recorded(struct ck_fn *fn, const struct ck_block *block,
                       struct ck_recording *recording);
/* The pass began with `head`, and `next` is the join at the header after it. Returns the
 * expected environment there after further passes. */
struct ck_env ck_follow_changes(struct ck_fn *fn, struct ck_recording *recording,
                                const struct ck_env *head, const struct ck_env *next);
/* Whether a condition may be divergent in a block; false outside kernels (returned.c). */
bool ck_may_differ(const struct ck_fn *fn, const struct ck_texpr *condition);
/* Records a `return` that is being checked; and those in a block, before it is checked. */
void ck_pass_return(struct ck_fn *fn);
void ck_pass_returns_in(struct ck_fn *fn, const struct ck_block *block);
/* Whether threads may have returned before this place. The function is specialised for the
 * answer. */
bool ck_may_have_returned(struct ck_fn *fn);
/* The same for the threads of a coalesced group, since it was made. */
bool ck_may_have_left(struct ck_fn *fn);
void ck_check_while(struct ck_fn *fn, const struct ck_stmt *stmt);
void ck_check_for(struct ck_fn *fn, const struct ck_stmt *stmt);
void ck_assign_to(struct ck_fn *fn, const struct ck_expr *target, struct ck_value value,
                  struct ck_span span);
/* Saves the value in a temporary, so that later statements cannot change it. */
struct ck_value ck_hold(struct ck_fn *fn, struct ck_value value);
/* Whether an expression is a call of a name that only the language has: `range`, `print`. */
bool ck_is_call_of(struct ck_fn *fn, const struct ck_expr *expr, const char *path);
/* Collects fn->assigned from the function's text. */
void ck_collect_assigned(struct ck_fn *fn, const struct ck_block *block);

/* --- Warnings (warn.c) ---------------------------------------------------------------------------
 */

/* Warns of a literal stored in an element of type `elem` that cannot represent it. */
void ck_warn_narrowed(struct ck_fn *fn, const struct ck_value *value, const struct ck_type *elem);
/* Warns of a statement that only computes a value. */
void ck_warn_unused_value(struct ck_fn *fn, const struct ck_expr *expr);
/* Warns of a range whose bounds show that it is empty. */
void ck_warn_zero_trips(struct ck_fn *fn, const struct ck_value *start, const struct ck_value *stop,
                        int64_t step, struct ck_span span);
/* Warns of an operation in float64 if neither its operands nor an argument, annotation or cast
 * is one. */
void ck_warn_float64(struct ck_fn *fn, enum ck_binary_op op, const struct ck_value *left,
                     const struct ck_value *right, struct ck_span span);

/* Warns of a 32-bit product, sum or shift that is used as `type`, of 64 bits, at `use`. */
void ck_warn_late_widening(struct ck_fn *fn, const struct ck_value *value,
                           const struct ck_type *type, struct ck_span use);

const char *ck_text_of(struct ck_fn *fn, const struct ck_type *type);
/* The state for checking outside any function, where only constants have values. */
struct ck_fn ck_module_scope(struct ck_checker *c);
/* Records that a function reads a whole array that is not its thread's own. */
void ck_use_whole_array(struct ck_tfunc *function, struct ck_span use);
/* Warns of a kernel whose threads all read the same whole array. */
void ck_warn_whole_array(struct ck_fn *fn);
/* Adds the note that names the specialisation being checked; returns `diag`. */
struct ck_diag *ck_note_warning(struct ck_fn *fn, struct ck_diag *diag);
/* The same for an error, which also counts as a failure. */
struct ck_diag *ck_note_instance(struct ck_fn *fn, struct ck_diag *diag);
/* An error in the function being checked. */
#define ck_error(fn, id, ...)                                                                      \
    ck_note_instance((fn), ck_diag_add((fn)->c->diags, CK_DIAG_##id, __VA_ARGS__))

#endif
