/* Views of arrays: windows on their memory, and stores to them. */
#ifndef CK_CHECK_VIEW_H
#define CK_CHECK_VIEW_H

#include "lang/check/checker.h"

/* A slice's bounds as an axis. False after an error. */
bool ck_slice_axis(struct ck_fn *fn, const struct ck_expr *slice, struct ck_taxis *out);
/* A slice whose bounds are constant, of an axis of n elements: its first position, and so on.
 * False: not known at compile time. */
struct ck_known_slice {
    int64_t start, step, length;
};
bool ck_slice_is_known(const struct ck_taxis *axis, int64_t n, struct ck_known_slice *out);
/* The view of `array` by its first n axes; the rest are taken whole. */
struct ck_texpr *ck_view_of(struct ck_fn *fn, struct ck_texpr *array, const struct ck_taxis *axes,
                            int n, struct ck_span span);
/* The known extents of a view of `array`, or NULL. */
const struct ck_axis_extent *ck_view_extents(struct ck_fn *fn, const struct ck_value *array,
                                             const struct ck_texpr *view);
bool ck_view_has_effect(const struct ck_texpr *view);
/* Stores a scalar, or the elements of an array, in those of the view that a place is
 * (view_store.c). */
void ck_store_view(struct ck_fn *fn, const struct ck_element *place, struct ck_value value,
                   struct ck_span span);
/* Whether a value, an operator or a function of numbers applied to arrays, is to be stored in a
 * view element by element; and the assignment. */
bool ck_is_array_expression(struct ck_fn *fn, const struct ck_expr *target,
                            const struct ck_expr *value);
void ck_store_array_expression(struct ck_fn *fn, const struct ck_expr *target,
                               const struct ck_expr *value, struct ck_span span);
/* The same for an augmented assignment, whose right side is evaluated after the view. */
void ck_update_view(struct ck_fn *fn, const struct ck_element *place, enum ck_binary_op op,
                    const struct ck_expr *right, struct ck_span span);
/* The same of a name: `row = a[i]; row += 1`. False: it is no array. */
bool ck_update_named_array(struct ck_fn *fn, const struct ck_value *array,
                           const struct ck_stmt *stmt);
/* A tuple's items from a slice with constant bounds. */
struct ck_value ck_slice_tuple(struct ck_fn *fn, struct ck_value tuple,
                               const struct ck_expr *slice);

#endif
