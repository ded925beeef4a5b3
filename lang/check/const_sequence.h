/* Lists, comprehensions and generators in constants of the module. */
#ifndef CK_CHECK_CONST_SEQUENCE_H
#define CK_CHECK_CONST_SEQUENCE_H

#include "lang/check/checker.h"

/* Whether an expression is written as a list. */
bool ck_is_list(const struct ck_expr *expr);
/* Lists that are joined or repeated, `[0] * 3 + [1]`, as one list; else the expression itself. */
const struct ck_expr *ck_const_list(struct ck_fn *fn, const struct ck_expr *expr);
/* A comprehension or a generator of a constant of the module: a tuple. */
struct ck_value ck_check_comprehension(struct ck_fn *fn, const struct ck_expr *expr);
/* Its values. False after an error. */
bool ck_comprehension_values(struct ck_fn *fn, const struct ck_expr *expr, struct ck_value **values,
                             int *n);

#endif
