/* The walk over one function: the divergence of each local at a point, shared by the files that
 * walk statements and expressions. */
#ifndef CK_DIVERGENCE_WALK_H
#define CK_DIVERGENCE_WALK_H

#include "lang/divergence/divergence_internal.h"

/* A loop reaches a fixed point after as many iterations as the longest chain of names, each set
 * from the next. A loop that takes more is not analysed further. */
enum { CK_MOST_ITERATIONS = 16, CK_MOST_SNAPSHOTS = 1 << 16 };

/* One value of a local. */
struct ck_slot {
    struct ck_vary vary;
    int version; /* of the statement that set it */
    int region;  /* the region whose log has it last */
};

/* A slot's value before a region set it. */
struct ck_undo {
    int slot;
    struct ck_slot old;
};

struct ck_change {
    int slot;
    struct ck_vary vary; /* at the region's end */
    int version;
};

struct ck_changes {
    struct ck_change *items;
    int n, capacity;
};

struct ck_divergence_loop {
    struct ck_reach broke, continued;
    struct ck_changes at_breaks, at_continues;
    int n_continues;
    bool breaks;
    int log_mark;
    struct ck_span span, trips; /* trips: the cause of the trip count */
    int n_conditions;           /* conditions around the loop, its own included */
    struct ck_divergence_loop *outer;
};

/* The state at a loop's header when it was last walked. */
struct ck_loop_head {
    const struct ck_tstmt *stmt;
    struct ck_changes slots;
};

struct ck_walk {
    struct ck_divergence *d;
    struct ck_arena *arena;
    const struct ck_tfunc *function;
    struct ck_summary *summary;
    struct ck_slot *slots; /* those of the locals, then the split barriers */
    int *first_slot;       /* by local */
    int8_t *barrier_of;    /* by slot: of a token, the barrier; else -1 */
    int n_slots;           /* of the locals */
    struct ck_splits splits;
    bool too_deep; /* reported */
    bool unsettled;
    int *found;            /* by slot: scratch */
    struct ck_vary *place; /* set to the divergence of a view's address; NULL: not needed */
    struct ck_undo *log;
    int n_log, log_capacity;
    int region, n_regions, n_versions, n_snapshots;
    struct ck_divergence_loop *loop;
    struct ck_reach reach, returned;
    bool dead;        /* no thread reaches this point */
    int n_conditions; /* branches and loops around this point */
    bool has_left;    /* some earlier path leaves a loop or the function */
    struct ck_loop_head *heads;
    int n_heads, heads_capacity;
    struct ck_index head_index;
};

struct ck_region {
    int outer, log_mark;
};

/* --- Slots (divergence_slot.c) -------------------------------------------------------------------
 */

void ck_slot_set(struct ck_walk *w, int slot, const struct ck_vary *vary, int version);
struct ck_region ck_region_begin(struct ck_walk *w);
/* Undoes what the region set, and returns it. */
struct ck_changes ck_region_end(struct ck_walk *w, struct ck_region region);
/* Saves the locals' state where a loop is left or continued. */
void ck_region_snapshot(struct ck_walk *w, struct ck_changes *out);
void ck_region_apply(struct ck_walk *w, const struct ck_changes *changes);
/* Where two paths reconverge that a divergent branch separated. */
void ck_region_merge(struct ck_walk *w, const struct ck_changes *a, const struct ck_changes *b,
                     const struct ck_vary *by);

/* --- Expressions (divergence_expr.c) -------------------------------------------------------------
 */

/* The join over the whole value; tokens in it are not tracked. */
struct ck_vary ck_divergence_eval_one(struct ck_walk *w, const struct ck_texpr *expr);
/* The join over an element's indices, which may be NULL. */
struct ck_vary ck_divergence_eval_indices(struct ck_walk *w, const struct ck_texpr *array,
                                          const struct ck_tindex *indices);
/* The items of `expr` in `out`, which is zero. */
void ck_divergence_eval(struct ck_walk *w, const struct ck_texpr *expr, struct ck_vary *out);
/* Threads leave the function here. */
void ck_divergence_exit(struct ck_walk *w, const void *key, struct ck_span span);

/* --- Functions (divergence.c) --------------------------------------------------------------------
 */

/* The summary of a recursive function, while it is found, is what was found so far: such functions
 * have no barriers, and values that depend on recursive calls count as data. The
 * checker guarantees that other calls are not nested without bound. */
struct ck_summary *ck_divergence_summarise(struct ck_divergence *d,
                                           const struct ck_tfunc *function);

#endif
