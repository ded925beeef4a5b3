/* Inside the analysis of divergence: what is known of values and of the paths to a statement.
 *
 * A value may differ between the threads of a block, between the blocks of a cluster and between
 * clusters: each or none of these. Without clusters each block is one. What memory holds is not
 * judged: a loaded element counts as the same everywhere. A function is walked once; what
 * depends on its parameters is reported as sets of these, which each call fills in. */
#ifndef CK_DIVERGENCE_INTERNAL_H
#define CK_DIVERGENCE_INTERNAL_H

#include "base/index.h"
#include "lang/diag/depth.h"
#include "lang/divergence/divergence.h"

enum { CK_BETWEEN_THREADS, CK_BETWEEN_BLOCKS, CK_BETWEEN_CLUSTERS, CK_N_VARIATIONS };

struct ck_vary {
    bool is[CK_N_VARIATIONS];               /* it differs, whatever the parameters */
    struct ck_span origin[CK_N_VARIATIONS]; /* where that came from */
    uint64_t params[CK_N_VARIATIONS];       /* it differs if one of these values does */
    bool unsure; /* it may be the same after all: a difference of two that differ */
    /* Of a token, CK_TOKEN_...; of a split barrier, see split_barrier.c: all that may be. */
    unsigned state;
    struct ck_span arrival; /* of a split barrier: the last one */
};

enum { CK_TOKEN_DUE = 1, CK_TOKEN_USED = 2, CK_TOKEN_UNKNOWN = CK_TOKEN_DUE | CK_TOKEN_USED };

/* Parameters are numbered by the values in them: the items of tuples are values of their own. */
enum { CK_MAX_VARY_PARAMS = 64, CK_MAX_VARY_ITEMS = 32 };

enum ck_condition_kind {
    CK_CONDITION_IF,
    CK_CONDITION_WHILE,
    CK_CONDITION_FOR,
    CK_CONDITION_LAZY,
    CK_CONDITION_ARRAY
};

/* Why not every thread comes to a statement; ARRAY: why all do not give it one array. */
struct ck_reason {
    enum ck_condition_kind kind;
    struct ck_span condition;
    struct ck_span
        left; /* the `return`, `break` or `continue` for those that do not; empty: none */
};

struct ck_param_reason {
    uint64_t params[CK_N_VARIATIONS];
    const struct ck_reason *reason;
    const struct ck_param_reason *next;
};

/* Which threads come to a statement: those for which some conditions hold. */
struct ck_reach {
    struct ck_vary vary;
    const struct ck_reason *why[CK_N_VARIATIONS];
    const struct ck_param_reason *params; /* each set has parameters that those after it lack */
};

enum { CK_WAITS_BLOCK, CK_WAITS_CLUSTER, CK_WAITS_GRID, CK_N_WAITS };

/* A barrier that a function has under conditions on its parameters. */
struct ck_need {
    int waits;
    struct ck_span barrier;
    struct ck_reach reach;
    struct ck_need *next;
};

/* The arrivals at a split barrier that there are in a function, in what it calls too. */
struct ck_arrivals {
    int n;                     /* 2: or more */
    bool sure;                 /* of a single one: whoever calls the function comes to it, once */
    struct ck_span span, call; /* of a single one; call: through which it is reached */
    struct ck_reach reach;     /* likewise: who never comes to it, and for good */
};

/* A place at which it matters whether a wait for a split barrier is due. */
enum ck_split_what { CK_SPLIT_ARRIVE, CK_SPLIT_WAIT, CK_SPLIT_BETWEEN, CK_SPLIT_END };

struct ck_split_site {
    const void *key;
    enum ck_split_what what;
    int waits;
    struct ck_span span, call; /* call: through which it is reached; empty: directly */
    struct ck_span arrival;    /* the last before; empty: not known */
    bool seen[2], right[2];    /* on some path, by whether a wait was due at the function's entry */
    struct ck_arrivals inner;  /* of a call: in what it calls, for these arguments */
    struct ck_reach reach;     /* of an arrival or a call */
    bool in_loop;
    uint32_t loop;        /* where the outermost loop around it begins, if any */
    struct ck_span trips; /* what says the cause of its trip count */
    bool sure; /* nothing keeps threads from it, in each of its iterations if there is one */
};

struct ck_splits {
    struct ck_split_site **sites;
    int n, capacity;
    struct ck_index index; /* by key and barrier */
};

/* What a call needs to know of a function. */
struct ck_summary {
    bool failed; /* a barrier in it, or in what it calls, was reported */
    const struct ck_tfunc *function;
    struct ck_vary *result;             /* of the result's items */
    struct ck_span barrier[CK_N_WAITS]; /* the first one; empty: none */
    struct ck_need *needs;
    uint64_t needed[CK_N_WAITS][CK_N_VARIATIONS]; /* by `needs` */
    bool splits[CK_N_WAITS];                      /* it arrives or waits at a split barrier */
    bool awaits[CK_N_WAITS];                      /* it waits at one */
    struct ck_span arrives[CK_N_WAITS];           /* its first arrival at one; empty: none */
    unsigned exit[CK_N_WAITS];                    /* the barrier's states where it returns */
    /* What is wrong if a wait is not due, or due, at its entry; NULL: nothing for sure. */
    const struct ck_split_site *wrong[CK_N_WAITS][2];
    struct ck_arrivals arrivals[CK_N_WAITS];
};

struct ck_divergence {
    struct ck_arena *arena;
    struct ck_diags *diags;
    struct ck_depth depth;
    const struct ck_tfunc *kernel; /* being checked */
    struct ck_summary **summaries;
    int n_summaries, summaries_capacity;
    struct ck_index index; /* by function */
};

/* An error in the kernel being checked, whose specialisation it notes. */
#define ck_divergence_error(d, id, ...)                                                            \
    ck_divergence_note((d), ck_diag_add((d)->diags, CK_DIAG_##id, __VA_ARGS__))
struct ck_diag *ck_divergence_note(const struct ck_divergence *d, struct ck_diag *diag);

/* --- Values (divergence_value.c) -----------------------------------------------------------------
 */

/* How many values a type has: a tuple's items, or 1. */
int ck_vary_items(const struct ck_type *type);
/* Whether the items of a tuple are distinguished. */
bool ck_vary_is_split(const struct ck_type *type);
/* Adds what `from` has; true if that changed something. */
bool ck_vary_add(struct ck_vary *to, const struct ck_vary *from);
bool ck_vary_any(const struct ck_vary *vary);
/* `vary` of a called function, for the values of its parameters. */
struct ck_vary ck_vary_at_call(const struct ck_vary *vary, const struct ck_vary *args);

/* A built-in's result from those of its operands. */
void ck_vary_of_builtin(const struct ck_texpr *expr, const struct ck_vary *args,
                        struct ck_vary *out);
/* The result of a function of the prelude that is known by its name; false: it is not. */
bool ck_vary_of_member(const struct ck_tfunc *function, const struct ck_texpr *call,
                       const struct ck_vary *args, struct ck_vary *out);
/* What a function of the prelude waits for, or -1. */
int ck_waits_of_member(const struct ck_tfunc *function);

/* Whether a member of the prelude copies by the threads of a block. */
bool ck_copies_for_block(const struct ck_tfunc *function);
int ck_waits_of_builtin(enum ck_builtin_id id);

/* --- Ways (divergence_barrier.c) -----------------------------------------------------------------
 */

/* Adds the condition of a branch or a loop. */
void ck_reach_add(struct ck_arena *arena, struct ck_reach *reach, const struct ck_vary *vary,
                  enum ck_condition_kind kind, struct ck_span condition);
void ck_reach_join(struct ck_arena *arena, struct ck_reach *to, const struct ck_reach *from);
/* The threads that leave at `at`, as what those who stay have in common. */
struct ck_reach ck_reach_leaving(struct ck_arena *arena, const struct ck_reach *reach,
                                 struct ck_span at);
/* A barrier at this point of the function whose summary it is. `call`: through which it is reached;
 * empty: it is in the function itself. */
void ck_reach_barrier(struct ck_divergence *d, struct ck_summary *summary,
                      const struct ck_reach *reach, int waits, struct ck_span barrier,
                      struct ck_span call);
/* Reports it if threads that the barrier waits for do not come, whatever the parameters. */
bool ck_reach_check(struct ck_divergence *d, struct ck_summary *summary,
                    const struct ck_reach *reach, int waits, struct ck_span barrier,
                    struct ck_span call);
/* Leaves out a condition that is not to be reported. */
typedef bool ck_reason_fn(const struct ck_reason *reason, const void *data);
struct ck_reach ck_reach_by(struct ck_arena *arena, const struct ck_reach *reach,
                            ck_reason_fn *counts, const void *data);
/* A reach of a called function, for these arguments. */
struct ck_reach ck_reach_at_call(struct ck_arena *arena, const struct ck_reach *reach,
                                 const struct ck_vary *args);
/* What a called function needs, for these arguments. */
void ck_reach_needs(struct ck_divergence *d, struct ck_summary *summary, const struct ck_need *need,
                    const struct ck_vary *args, struct ck_span call);

/* --- Split barriers (split_barrier.c) ------------------------------------------------------------
 */

/* What a call of a member of a group does with a split barrier, which is *waits; -1: nothing. */
int ck_split_of_member(const struct ck_tfunc *function, int *waits);

/* A barrier's state at a function's entry, after an arrival (due) or a wait, after a call of a
 * function that leaves it in the states `callee`; and whether a wait may be due. */
unsigned ck_split_at_entry(const struct ck_tfunc *function);
unsigned ck_split_after(unsigned state, bool due);
unsigned ck_split_after_call(unsigned state, unsigned callee);
bool ck_split_may_be_due(unsigned state);

/* The place of this key, made when first asked for. */
struct ck_split_site *ck_split_site(struct ck_arena *arena, struct ck_splits *splits,
                                    const void *key, int waits);
/* Notes a path on which the barrier is in these states. `right`: whether the place is in order
 * where no wait is due, and where one is. */
void ck_split_visit(struct ck_split_site *site, const struct ck_vary *barrier, const bool *right);
/* Reports the places that are wrong however they are reached, and tells callers of the others. */
void ck_split_classify(struct ck_divergence *d, struct ck_summary *summary,
                       const struct ck_splits *splits);

#endif
