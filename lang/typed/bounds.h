/* Bounds of integer expressions, by interval arithmetic. */
#ifndef CK_BOUNDS_H
#define CK_BOUNDS_H

#include "lang/typed/typed.h"

/* Every value that an integer or bool expression can have. */
struct ck_bounds {
    __int128 low, high;
};
struct ck_bounds ck_bounds_of(const struct ck_texpr *expr);
/* Whether a binary operation on integers of the operands' type cannot leave the type's range. False
 * for operators without such an analysis. */
bool ck_cannot_wrap(enum ck_binary_op op, const struct ck_texpr *left,
                    const struct ck_texpr *right);

#endif
