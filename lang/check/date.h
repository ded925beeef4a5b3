/* Dates and times: values of NumPy's types datetime64 and timedelta64. */
#ifndef CK_CHECK_DATE_H
#define CK_CHECK_DATE_H

#include "lang/check/checker.h"

bool ck_is_date(const struct ck_value *value);
bool ck_has_date(const struct ck_value *values, int n);

/* `datetime64[D]` as a type; NULL: it is no such expression. */
const struct ck_type *ck_date_type_of_subscript(struct ck_checker *c, const struct ck_expr *expr);
/* `NPDatetime("D")`. NULL, reported if `report`: it is wrong. */
const struct ck_type *ck_date_type_of_call(struct ck_checker *c, const struct ck_expr *call,
                                           enum ck_type_kind kind, bool report);
/* `datetime64("2020-05-06")`, `timedelta64(5, "D")`: a value of the type, or with the unit of the
 * last argument. */
struct ck_value ck_make_date(struct ck_fn *fn, const struct ck_type *type,
                             const struct ck_expr *expr);

/* An operator of which one operand is a date or time, or both are. */
struct ck_value ck_date_binary(struct ck_fn *fn, enum ck_binary_op op, const struct ck_value *left,
                               const struct ck_value *right, struct ck_span span);
struct ck_value ck_date_unary(struct ck_fn *fn, enum ck_unary_op op, const struct ck_value *operand,
                              struct ck_span span);
struct ck_texpr *ck_date_compare(struct ck_fn *fn, enum ck_compare_op op,
                                 const struct ck_value *left, const struct ck_value *right,
                                 struct ck_span span);
/* A function of numbers, by its path, of arguments that are dates or times. False: it has none of
 * these. */
bool ck_date_function(struct ck_fn *fn, const char *path, const struct ck_value *args, int n,
                      struct ck_span span, struct ck_value *out);
/* The count as an int64, and such a count as a date. */
struct ck_value ck_date_count(struct ck_fn *fn, const struct ck_value *date);
struct ck_value ck_date_of_count(struct ck_fn *fn, const struct ck_value *count,
                                 const struct ck_type *type);
/* The common type of two types, of which at least one is a date or time: that with the shorter
 * unit. NULL: there is none. */
const struct ck_type *ck_date_common_type(const struct ck_type *a, const struct ck_type *b);
/* A date or time of a type, of a text, or of another value as `datetime64(value, unit)` makes it;
 * an error value after an error. Of a type without a unit, the result has the text's, or the
 * value's. */
struct ck_value ck_date_of_text(struct ck_fn *fn, const struct ck_type *type,
                                const struct ck_expr *text);
struct ck_value ck_date_of_value(struct ck_fn *fn, const struct ck_type *type,
                                 const struct ck_value *value, struct ck_span span);
/* The value where one of another type is required: one without a unit takes any. NULL: it cannot
 * be. */
struct ck_texpr *ck_date_convert(struct ck_fn *fn, const struct ck_value *value,
                                 const struct ck_type *type);
/* Adds the help for a value that cannot be of a type, where one of both is a date. */
void ck_help_date(struct ck_fn *fn, struct ck_diag *diag, const struct ck_value *value,
                  const struct ck_type *type);

#endif
