/* The iterables of a `for`, and their items. */
#ifndef CK_CHECK_ITERATE_H
#define CK_CHECK_ITERATE_H

#include "lang/check/checker.h"

/* The loop counts from `start` to before `stop`; all have one integer type. */
struct ck_iteration {
    struct ck_texpr *start, *stop, *step;
    bool runs;                    /* known to run at least one iteration */
    bool never;                   /* known to run none */
    struct ck_iterator *iterator; /* NULL: its items are not known for want of types */
    struct ck_texpr *depends;     /* what these items depend on; NULL: nothing is known of it */
};

/* False after an error. */
bool ck_iteration_of(struct ck_fn *fn, const struct ck_expr *iterable, struct ck_iteration *out);
/* Binds the target, at the start of an iteration, to the item for the counter. */
void ck_iteration_bind(struct ck_fn *fn, struct ck_iteration *iteration, int counter,
                       const struct ck_expr *target);

/* Whether the items of a tuple have a common type. */
bool ck_have_common_type(struct ck_fn *fn, const struct ck_value *tuple);
/* Converts items of different types to their common type. False after an error. */
bool ck_unify_items(struct ck_fn *fn, struct ck_value *tuple);
/* The element of an array, or the item of a tuple of one type, at an index from 0. */
struct ck_value ck_item_at(struct ck_fn *fn, const struct ck_value *iterated,
                           struct ck_texpr *index, struct ck_span span);

#endif
