/* The promotion table: the common type of two types. */
#ifndef CK_TYPE_PROMOTION_H
#define CK_TYPE_PROMOTION_H

#include "lang/typed/types.h"

/* The common type of two scalars by the promotion table; weak if both are. NULL: there is none
 * (int64 with uint64). */
const struct ck_type *ck_promote(const struct ck_type *a, const struct ck_type *b);
/* The type that arithmetic on values of `type` has: int32 for bool and integers below 32 bits. */
const struct ck_type *ck_operand_type(const struct ck_type *type);
/* The common type: promotion for scalars, item by item for tuples, the more general layout and
 * space for arrays. NULL: they do not agree. */
const struct ck_type *ck_join_types(struct ck_types *types, const struct ck_type *a,
                                    const struct ck_type *b);
/* The type of a name that is bound to these types on two paths: an integer literal with an integer
 * is int64. */
const struct ck_type *ck_join_names(struct ck_types *types, const struct ck_type *a,
                                    const struct ck_type *b);
/* The range of an integer type, clamped to int64. */
void ck_int_range(const struct ck_type *type, int64_t *low, int64_t *high);

#endif
