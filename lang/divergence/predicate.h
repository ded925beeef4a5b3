/* Predication of a kernel's threads that return before a barrier. */
#ifndef CK_PREDICATE_H
#define CK_PREDICATE_H

#include "base/arena.h"
#include "lang/typed/typed.h"

/* Between which threads the condition of an IF, a WHILE or the trip count of a RANGE differs. */
typedef unsigned ck_differs_fn(const void *context, const struct ck_tstmt *stmt);

struct ck_predicate_job {
    ck_differs_fn *differs;
    const void *context;     /* of `differs` */
    bool rejected;           /* the divergence analysis rejects the kernel as it is */
    bool with_data;          /* conditions on data that differs count as divergent */
    struct ck_span combines; /* out: see below; empty: nothing */
};

/* Rewrites the kernel's body such that threads go along to the barriers after a divergent `return`,
 * or around a divergent branch, and do nothing else. False, and the kernel is unchanged: there is
 * no such place, or one that cannot be rewritten. If that is because something combines values of
 * threads after some have returned, it is in `combines`. The analysis of what was rewritten shows
 * whether every thread reaches every barrier. */
bool ck_predicate_returns(struct ck_arena *arena, struct ck_tfunc *kernel,
                          struct ck_predicate_job *job);

#endif
