/* Functions that are made elsewhere than by a `def` of the module. */
#ifndef CK_CHECK_INNER_H
#define CK_CHECK_INNER_H

#include "lang/check/checker.h"

/* The function that a lambda or a `def` in a function makes. `stands_alone`: nothing else is
 * evaluated in the statement. */
struct ck_value ck_inner_function(struct ck_fn *fn, const struct ck_expr *expr, bool stands_alone);

/* The number of a free name of a function; -1: it has none of this name. */
int ck_free_name_index(const struct ck_global *global, const char *name);

/* The values of a function's free names at a call of it: as many as it has. False after an error.
 */
bool ck_free_values(struct ck_fn *fn, const struct ck_value *function, struct ck_value *out);

/* A function with the values that its free names have now, to be called elsewhere; any other value
 * as it is. An error value, reported, if that is not possible. */
struct ck_value ck_close(struct ck_fn *fn, struct ck_value value);

/* False, reported, for a function, or a tuple with one, whose default values the loop around its
 * definition may change, so that no other name can be bound to it. */
bool ck_check_lasting(struct ck_fn *fn, const struct ck_value *value);

/* The function that a call of one of the module makes, by its name in the module; NULL: it makes
 * none. */
const struct ck_function *ck_made_function(struct ck_checker *c, const struct ck_expr *expr,
                                           const char *name);

/* The value of a name of the function that made this one; false: there is none. */
bool ck_captured_name(struct ck_fn *fn, const struct ck_expr *expr, struct ck_value *out);

/* What `cuda.jit(device=True)(lambda v: e)` and `cuda.jit(lambda v: e, device=True)` make: the
 * lambda, decorated; of another expression itself (decorator.c). */
const struct ck_expr *ck_decorated_lambda(struct ck_checker *c, const struct ck_expr *expr);

#endif
