/* Inside the constant arrays of the module: what makes them, and computing with them as NumPy does.
 */
#ifndef CK_CONST_ARRAY_H
#define CK_CONST_ARRAY_H

#include "lang/check/builtins/rules.h"

/* --- const_array.c ------------------------------------------------------------------------------
 */

/* The shape given as the first argument. False after an error. */
bool ck_const_shape(struct ck_call *call, int64_t *shape, int *ndim);
/* The argument given by position or by keyword, or NULL. */
const struct ck_expr *ck_const_argument(const struct ck_call *call, int position,
                                        const char *keyword);
/* The dtype given by position or by keyword, *out NULL where none is. False after an error. */
bool ck_const_dtype(struct ck_call *call, int position, const struct ck_type **out);
/* Whether a value can be an element; an error if it is another. */
bool ck_const_is_element(struct ck_fn *fn, const struct ck_value *value);
/* The value of an expression that becomes an element: of a type of dates it may be a text. `elem`
 * is NULL if the type is not known. */
struct ck_value ck_const_item(struct ck_fn *fn, const struct ck_expr *expr,
                              const struct ck_type *elem);
/* The common type of elements of which one is a date or time. NULL after an error. */
const struct ck_type *ck_const_dates_type(struct ck_fn *fn, const struct ck_value *items, int n);
/* A constant converted to an element: as by a cast, except that a literal must fit. NULL after an
 * error. */
struct ck_texpr *ck_const_element_of(struct ck_fn *fn, const struct ck_value *value,
                                     const struct ck_type *elem);
/* The number of elements, if within the limit. -1 after an error. */
int64_t ck_const_count(struct ck_fn *fn, const int64_t *shape, int ndim, const struct ck_type *elem,
                       struct ck_span span);
/* A constant array of items in C order. */
struct ck_value ck_const_array_value(struct ck_fn *fn, const struct ck_type *elem,
                                     const int64_t *shape, int ndim, struct ck_texpr **items,
                                     struct ck_span span);

/* Whether a number is an array of one element, or an error. */
enum ck_const_numbers { CK_CONST_NUMBERS_REFUSED, CK_CONST_NUMBERS_TAKEN };
/* The array of nested lists and tuples, of an array, or of a number, in the type `elem` or if that
 * is NULL in NumPy's. An error value after an error. */
struct ck_value ck_const_object(struct ck_call *call, const struct ck_expr *object,
                                const struct ck_type *elem, enum ck_const_numbers numbers);
/* The same of a value: an array, or a tuple. */
struct ck_value ck_const_array_of_value(struct ck_fn *fn, struct ck_value value,
                                        const struct ck_type *elem);

/* --- const_whole.c ------------------------------------------------------------------------------
 */

/* The axes along which a function is computed. */
struct ck_const_axes {
    bool reduced[CK_MAX_NDIM];
    bool keeps; /* they stay in the result, with an extent of 1 */
};

/* A function of an array's elements along some axes, or of all. `type`: of a sum, a product or a
 * mean. */
struct ck_value ck_const_whole_array(struct ck_fn *fn, enum ck_builtin_id id,
                                     const struct ck_value *value, const struct ck_type *type,
                                     const struct ck_const_axes *axes);

/* --- const_elements.c ---------------------------------------------------------------------------
 */

/* Computes one element of a result from those of the arguments. */
typedef struct ck_value ck_of_elements_fn(void *context, struct ck_value *args, int n);
/* The array with its elements cast. */
struct ck_value ck_const_array_cast(struct ck_fn *fn, const struct ck_value *value,
                                    const struct ck_type *elem, struct ck_span span);
/* What the methods of these names make of a constant array. */
struct ck_value ck_const_reshape(struct ck_call *call, const struct ck_value *array);
struct ck_value ck_const_ravel(struct ck_call *call, const struct ck_value *array);
struct ck_value ck_const_copy(struct ck_call *call, const struct ck_value *array);
/* A function of numbers of constant arrays and constants, whose shapes are broadcast. */
struct ck_value ck_const_elementwise(struct ck_fn *fn, const struct ck_value *args, int n,
                                     ck_of_elements_fn *function, void *context,
                                     struct ck_span span);

#endif
