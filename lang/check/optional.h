/* Names that are bound to None on some paths. */
#ifndef CK_CHECK_OPTIONAL_H
#define CK_CHECK_OPTIONAL_H

#include "lang/check/checker.h"

/* Whether the function binds a name to None somewhere; finds that out of an assignment. */
bool ck_is_optional(const struct ck_fn *fn, const char *name);
void ck_collect_optional(struct ck_fn *fn, const struct ck_expr *target,
                         const struct ck_expr *value);
/* Records that such a name is bound to None here, or to a value. */
void ck_set_none(struct ck_fn *fn, const char *name, bool is_none, struct ck_span span);
/* The number of the hidden name that says whether it is None; -1: the function binds it to none. */
int ck_none_flag_index(struct ck_fn *fn, const char *name);
/* Whether it is None, as a bool; NULL: the expression is no such name, or one that is not bound. */
struct ck_texpr *ck_none_flag(struct ck_fn *fn, const struct ck_expr *expr);
/* Reads one that may be None. False: it is read as any other name. */
bool ck_read_optional(struct ck_fn *fn, const struct ck_expr *expr, struct ck_value *out);
/* The same of a condition: None is false. *out is NULL after an error. */
bool ck_truth_of_optional(struct ck_fn *fn, const struct ck_expr *expr, struct ck_texpr **out);

#endif
