/* The order in which a store to a view goes through its elements. */
#ifndef CK_CHECK_STORE_ORDER_H
#define CK_CHECK_STORE_ORDER_H

#include "lang/check/checker.h"

enum ck_direction {
    CK_ANY_WAY,
    CK_RISES,
    CK_FALLS,
    CK_RISES_UNLESS, /* as a condition decides when the kernel runs */
};

struct ck_store_order {
    enum ck_direction by_dim[CK_MAX_NDIM];
    struct ck_texpr *falls_if[CK_MAX_NDIM]; /* RISES_UNLESS: a bool */
};

/* What is known of an operand's memory and that of the view. */
enum ck_overlap {
    CK_OVERLAP_NONE,      /* they are apart */
    CK_OVERLAP_ORDERED,   /* they may overlap; in the order each element is read in time */
    CK_OVERLAP_UNORDERED, /* they overlap, and no order is right */
    CK_OVERLAP_UNSURE,    /* they are of one array, and may overlap so that no order is right */
    CK_OVERLAP_UNKNOWN,   /* they may be of one array, as two arguments of a launch may be */
};

/* Finds that out, and restricts the order where the answer is ORDERED. Both are expressions as the
 * program has them. `repeats`: elements of the operand are read several times. */
enum ck_overlap ck_restrict_order(struct ck_fn *fn, struct ck_store_order *order,
                                  const struct ck_texpr *view, const struct ck_texpr *operand,
                                  bool repeats);

#endif
