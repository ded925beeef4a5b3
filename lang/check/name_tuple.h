/* Tuples with functions, built-ins, types or strings, which are known at compile time:
 * `OPS = (add, mul)`. */
#ifndef CK_CHECK_NAME_TUPLE_H
#define CK_CHECK_NAME_TUPLE_H

#include "lang/check/checker.h"

struct ck_name_tuple {
    struct ck_value *items; /* the others are constants */
    int n;
};

/* Whether a value is a string or names a function, a built-in or a type, or is such a tuple. */
bool ck_names_function(const struct ck_value *value);
/* The tuple of these items. An error value, reported, if one of them is neither a name nor a
 * constant. */
struct ck_value ck_name_tuple_new(struct ck_fn *fn, const struct ck_value *items, int n,
                                  struct ck_span span);
/* The item at a constant index. */
struct ck_value ck_name_tuple_item(struct ck_fn *fn, const struct ck_value *tuple,
                                   const struct ck_expr *subscript);
/* Whether two tuples have the same items. */
bool ck_same_name_tuple(const struct ck_value *a, const struct ck_value *b);
/* Whether two values are the same constant, function, built-in or name. */
bool ck_same_value(const struct ck_value *a, const struct ck_value *b);
/* Comparisons with strings and types, which are known at compile time. NULL after an error. */
bool ck_same_string(const struct ck_value *a, const struct ck_value *b);
bool ck_compares_known(const struct ck_value *left, const struct ck_value *right);
struct ck_texpr *ck_compare_known(struct ck_fn *fn, enum ck_compare_op op,
                                  const struct ck_value *left, const struct ck_value *right,
                                  struct ck_span span);
/* Whether the iterable of a loop is such a tuple, or one whose items have no common type; and the
 * tuple (unrolled_loop.c). */
bool ck_iterates_names(struct ck_fn *fn, const struct ck_expr *iterable, struct ck_value *out);
/* A loop over the tuple: its body once for each item. */
void ck_check_for_names(struct ck_fn *fn, const struct ck_stmt *stmt, const struct ck_value *tuple);

#endif
