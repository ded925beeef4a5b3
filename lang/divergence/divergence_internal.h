/* Inside the divergence analysis: the divergence of values, and of the conditions that guard a
 * statement.
 *
 * A value may differ between the threads of a block, between the blocks of a cluster and between
 * clusters, in any combination. Without clusters each block is one. Memory is not modelled: a
 * loaded element counts as uniform, and nothing that depends on one is reported. Which elements may
 * differ because threads load them from different places is known beside that: a `return` under
 * such a condition leaves other threads behind. A function is walked once: its summary states
 * divergence as a function of its parameters', and each call substitutes its arguments. */
#ifndef CK_DIVERGENCE_INTERNAL_H
#define CK_DIVERGENCE_INTERNAL_H

#include "base/index.h"
#include "lang/diag/depth.h"
#include "lang/divergence/divergence.h"

/* Each variation is there twice: without data, and, CK_WITH_DATA further, with it. What differs
 * without data differs with it. An array's variation with data is that of its address, too. */
enum {
    CK_BETWEEN_THREADS,
    CK_BETWEEN_BLOCKS,
    CK_BETWEEN_CLUSTERS,
    CK_N_BETWEEN,
    CK_WITH_DATA = CK_N_BETWEEN,
    CK_N_VARIATIONS = 2 * CK_N_BETWEEN
};

struct ck_vary {
    bool is[CK_N_VARIATIONS];               /* divergent, whatever the parameters */
    struct ck_span origin[CK_N_VARIATIONS]; /* the cause of each divergence */
    uint64_t params[CK_N_VARIATIONS];       /* divergent if one of these parameters is */
    bool unsure; /* it may be uniform after all, such as a difference of two divergent values */
    /* Of a token: CK_TOKEN_...; of a split barrier: see split_barrier.c. All states that are
     * possible. */
    unsigned state;
    struct ck_span arrival; /* of a split barrier: the last arrival */
};

enum { CK_TOKEN_DUE = 1, CK_TOKEN_USED = 2, CK_TOKEN_UNKNOWN = CK_TOKEN_DUE | CK_TOKEN_USED };

/* Parameters are numbered by the values in them: each item of a tuple is a value. */
enum { CK_MAX_VARY_PARAMS = 64, CK_MAX_VARY_ITEMS = 32 };

enum ck_condition_kind {
    CK_CONDITION_IF,
    CK_CONDITION_WHILE,
    CK_CONDITION_FOR,
    CK_CONDITION_LAZY,
    CK_CONDITION_ARRAY
};

/* Why not every thread reaches a statement; ARRAY: why not all threads pass the same array. */
struct ck_reason {
    enum ck_condition_kind kind;
    struct ck_span condition;
    struct ck_span
        left; /* the `return`, `break` or `continue` of the threads that leave; empty: none */
};

struct ck_param_reason {
    uint64_t params[CK_N_VARIATIONS];
    const struct ck_reason *reason;
    const struct ck_param_reason *next;
};

/* Which threads reach a statement: those for which some conditions hold. */
struct ck_reach {
    struct ck_vary vary;
    const struct ck_reason *why[CK_N_VARIATIONS];
    const struct ck_param_reason *params; /* each set has parameters that the following sets lack */
};

enum { CK_WAITS_BLOCK, CK_WAITS_CLUSTER, CK_WAITS_GRID, CK_N_WAITS };

/* A barrier in a function, guarded by conditions on the function's parameters. */
struct ck_need {
    int waits;
    struct ck_span barrier;
    struct ck_reach reach;
    struct ck_need *next;
};

/* The arrivals at a split barrier in a function and in its callees. */
struct ck_arrivals {
    int n;     /* 2: two or more */
    bool sure; /* of a single one: every caller of the function reaches it exactly once */
    struct ck_span span, call; /* of a single one; call: the call through which it is reached */
    struct ck_reach reach; /* of a single one: the threads that never reach it, not even later */
};

/* A place whose correctness depends on whether a wait for a split barrier is due. */
enum ck_split_what { CK_SPLIT_ARRIVE, CK_SPLIT_WAIT, CK_SPLIT_BETWEEN, CK_SPLIT_END };

struct ck_split_site {
    const void *key;
    enum ck_split_what what;
    int waits;
    struct ck_span span, call; /* call: the call through which it is reached; empty: none */
    struct ck_span arrival;    /* the last arrival before; empty: unknown */
    bool seen[2], right[2];    /* on some path, by whether a wait was due at the function's entry */
    struct ck_arrivals inner;  /* of a call: the arrivals in the callee, for these arguments */
    struct ck_reach reach;     /* of an arrival or a call */
    bool in_loop;
    uint32_t loop;        /* the start of the outermost loop around it, if any */
    struct ck_span trips; /* the cause of that loop's trip count */
    bool sure; /* no condition keeps threads from it, in each iteration of a loop around it */
};

struct ck_splits {
    struct ck_split_site **sites;
    int n, capacity;
    struct ck_index index; /* by key and barrier */
};

/* The summary of a function, which its calls use. */
struct ck_summary {
    bool failed; /* a barrier in it or in a callee was reported */
    const struct ck_tfunc *function;
    struct ck_vary *result;             /* of the result's items */
    struct ck_span barrier[CK_N_WAITS]; /* the first one; empty: none */
    struct ck_need *needs;
    uint64_t needed[CK_N_WAITS][CK_N_VARIATIONS]; /* by `needs` */
    bool splits[CK_N_WAITS];                      /* it arrives or waits at a split barrier */
    bool awaits[CK_N_WAITS];                      /* it waits at a split barrier */
    struct ck_span arrives[CK_N_WAITS];           /* its first arrival at one; empty: none */
    unsigned exit[CK_N_WAITS];                    /* the barrier's possible states at its return */
    /* The error if no wait is due, or one is, at its entry; NULL: no certain error. */
    const struct ck_split_site *wrong[CK_N_WAITS][2];
    struct ck_arrivals arrivals[CK_N_WAITS];
};

/* The branches and loops of the kernel being analysed, by the variations of their conditions. */
struct ck_marks {
    struct ck_mark {
        const struct ck_tstmt *stmt;
        unsigned between; /* bits by CK_BETWEEN_... */
    } * items;
    int n, capacity;
    struct ck_index index; /* by statement */
};

struct ck_divergence {
    struct ck_arena *arena;
    struct ck_diags *diags;
    struct ck_depth depth;
    const struct ck_tfunc *kernel; /* being analysed */
    struct ck_summary **summaries;
    int n_summaries, summaries_capacity;
    struct ck_index index; /* by function */
    struct ck_marks marks;
    struct ck_span combines; /* combines values after a `return`, and so a barrier is an error */
};

/* An error in the kernel being analysed; notes its specialisation. */
#define ck_divergence_error(d, id, ...)                                                            \
    ck_divergence_note((d), ck_diag_add((d)->diags, CK_DIAG_##id, __VA_ARGS__))
struct ck_diag *ck_divergence_note(const struct ck_divergence *d, struct ck_diag *diag);

/* --- Values (divergence_value.c) -----------------------------------------------------------------
 */

/* The number of values of a type: a tuple's items, or 1. */
int ck_vary_items(const struct ck_type *type);
/* Whether the items of a tuple are tracked separately. */
bool ck_vary_is_split(const struct ck_type *type);
/* Joins `from` into `to`; true if that changes `to`. */
bool ck_vary_add(struct ck_vary *to, const struct ck_vary *from);
/* Whether it differs without data, or may by the parameters. */
bool ck_vary_any(const struct ck_vary *vary);
/* The divergence of an element of `array` at a place: none without data. */
struct ck_vary ck_vary_of_data(const struct ck_type *array, const struct ck_vary *place);
/* `vary` of a called function, with the divergence of the arguments in place of its parameters'. */
struct ck_vary ck_vary_at_call(const struct ck_vary *vary, const struct ck_vary *args);

/* The divergence of a built-in's result, from that of its operands. */
void ck_vary_of_builtin(const struct ck_texpr *expr, const struct ck_vary *args,
                        struct ck_vary *out);
/* The divergence of the result of a prelude function that implements a group's member; false: of
 * another. */
bool ck_vary_of_member(const struct ck_tfunc *function, const struct ck_texpr *call,
                       const struct ck_vary *args, struct ck_vary *out);
/* The group for which a prelude function waits, or -1. */
int ck_waits_of_member(const struct ck_tfunc *function);

/* Whether a member in the prelude copies with the threads of a block. */
bool ck_copies_for_block(const struct ck_tfunc *function);
int ck_waits_of_builtin(enum ck_builtin_id id);

/* --- Paths (divergence_barrier.c) ----------------------------------------------------------------
 */

/* Adds the condition of a branch or loop. */
void ck_reach_add(struct ck_arena *arena, struct ck_reach *reach, const struct ck_vary *vary,
                  enum ck_condition_kind kind, struct ck_span condition);
void ck_reach_join(struct ck_arena *arena, struct ck_reach *to, const struct ck_reach *from);
/* The threads that leave at `at`, as a condition that the threads that stay have in common. */
struct ck_reach ck_reach_leaving(struct ck_arena *arena, const struct ck_reach *reach,
                                 struct ck_span at);
/* A barrier at this point of the function that `summary` describes. `call`: the call through which
 * it is reached; empty: it is in the function itself. */
void ck_reach_barrier(struct ck_divergence *d, struct ck_summary *summary,
                      const struct ck_reach *reach, int waits, struct ck_span barrier,
                      struct ck_span call);
/* Reports the barrier if threads for which it waits do not reach it, whatever the parameters. */
bool ck_reach_check(struct ck_divergence *d, struct ck_summary *summary,
                    const struct ck_reach *reach, int waits, struct ck_span barrier,
                    struct ck_span call);
/* Filters out the conditions that are not to be reported. */
typedef bool ck_reason_fn(const struct ck_reason *reason, const void *data);
struct ck_reach ck_reach_by(struct ck_arena *arena, const struct ck_reach *reach,
                            ck_reason_fn *counts, const void *data);
/* The reach of a called function's statement, for these arguments. */
struct ck_reach ck_reach_at_call(struct ck_arena *arena, const struct ck_reach *reach,
                                 const struct ck_vary *args);
/* The needs of a called function, for these arguments. */
void ck_reach_needs(struct ck_divergence *d, struct ck_summary *summary, const struct ck_need *need,
                    const struct ck_vary *args, struct ck_span call);

/* --- Split barriers (split_barrier.c) ------------------------------------------------------------
 */

/* The operation of a member of a group on a split barrier, which is *waits; -1: none. */
int ck_split_of_member(const struct ck_tfunc *function, int *waits);

/* A split barrier's states at a function's entry, after an arrival (due) or a wait, and after a
 * call of a function that leaves it in the states `callee`; and whether a wait may be due. */
unsigned ck_split_at_entry(const struct ck_tfunc *function);
unsigned ck_split_after(unsigned state, bool due);
unsigned ck_split_after_call(unsigned state, unsigned callee);
bool ck_split_may_be_due(unsigned state);

/* The place with this key, created on first use. */
struct ck_split_site *ck_split_site(struct ck_arena *arena, struct ck_splits *splits,
                                    const void *key, int waits);
/* Records a path on which the barrier is in these states. `right`: whether the place is correct
 * where no wait is due, and where one is. */
void ck_split_visit(struct ck_split_site *site, const struct ck_vary *barrier, const bool *right);
/* Reports the places that are wrong on every path, and adds the others to the summary for
 * callers. */
void ck_split_classify(struct ck_divergence *d, struct ck_summary *summary,
                       const struct ck_splits *splits);

#endif
