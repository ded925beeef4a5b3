/* Functions of the prelude as functions of constants. */
#ifndef CK_EVALUATE_H
#define CK_EVALUATE_H

#include "lang/check/checker.h"

/* The result of a function of the prelude of scalar constants, where a module constant is computed;
 * an error value, reported, of a function that does more than compute. */
struct ck_value ck_evaluate_call(struct ck_fn *fn, struct ck_global *global,
                                 const struct ck_value *args, int n, struct ck_span span);

#endif
