/* Checking generic kernels without types: what their untyped values depend on. */
#ifndef CK_CHECK_UNTYPED_H
#define CK_CHECK_UNTYPED_H

#include "lang/check/checker.h"

/* Stands for a condition that was not found for want of types: not constant, and divergent if a
 * part of it with a known type is. NULL outside such checks. */
struct ck_texpr *ck_untyped_condition(struct ck_fn *fn, const struct ck_expr *expr);
/* The same for the bounds of a loop over `iterable`. False outside such checks. */
struct ck_iteration;
bool ck_untyped_iteration(struct ck_fn *fn, const struct ck_expr *iterable,
                          struct ck_iteration *out);
/* What a value of no known type depends on is an expression that is divergent if the value is, as
 * far as types are not needed to know; NULL: nothing is known of it. ERROR values in environments
 * and of calls hold it as `expr`. */

/* The value, with what it depends on: that of the expression, if the value has no known type. */
struct ck_value ck_with_dependence(struct ck_fn *fn, struct ck_value value,
                                   const struct ck_expr *expr);
/* The same for a value that is computed of two expressions. */
struct ck_value ck_with_dependences(struct ck_fn *fn, struct ck_value value,
                                    const struct ck_expr *left, const struct ck_expr *right);
/* What a value depends on, as a bool; NULL: nothing, or constants. */
struct ck_texpr *ck_untyped_dependence_of(struct ck_fn *fn, const struct ck_value *value);
/* The same; False for nothing. */
struct ck_texpr *ck_untyped_held(struct ck_fn *fn, const struct ck_value *value,
                                 struct ck_span span);
/* Assigns the items of a tuple, some of which have no known type, to those of `target`. False: the
 * expression is no tuple of as many items, or outside such checks. */
bool ck_assign_untyped_items(struct ck_fn *fn, const struct ck_expr *target,
                             const struct ck_expr *expr, struct ck_span span);
/* Replaces the operand of a collective that has no known type: the others wait for the thread
 * whatever it is. Returns whether it did. */
bool ck_untyped_operand(struct ck_fn *fn, enum ck_builtin_id id, struct ck_value *value,
                        const struct ck_expr *expr);
/* Keeps what the threads wait for in a value that is not stored for want of types. */
void ck_keep_untyped(struct ck_fn *fn, const struct ck_value *value, struct ck_span span);
/* Sets the result of a function of untyped arguments: what its values depend on. */
void ck_finish_untyped(struct ck_fn *fn);
/* The result of a call of such a function, or of an operation with an operand of no known type. */
struct ck_value ck_untyped_result(struct ck_fn *fn, struct ck_texpr *call);
/* Whether one of the arguments has no known type. */
bool ck_has_untyped(const struct ck_value *args, int n);

#endif
