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

/* Restricts the order so that each element of an operand is read before the store to it. False: no
 * order is right, and `order` is as it was. Both are expressions as the program has them. */
bool ck_restrict_order(struct ck_fn *fn, struct ck_store_order *order, const struct ck_texpr *view,
                       const struct ck_texpr *operand);

#endif
