/* Elements of arrays that have fields. */
#ifndef CK_CHECK_ELEMENT_H
#define CK_CHECK_ELEMENT_H

#include "lang/check/checker.h"

/* The type that a value gives the elements of a view, a shared or a local array: an array's dtype,
 * or a vector. NULL after an error. */
const struct ck_type *ck_element_type_of(struct ck_fn *fn, const struct ck_value *value);
/* The element of an array at these indices. */
struct ck_value ck_element_at(struct ck_fn *fn, struct ck_texpr *array, struct ck_tindex *indices,
                              struct ck_span span);
/* The field of an element in memory as an array without dimensions; false: the object is no such
 * element, or has no field of the name. */
bool ck_field_in_memory(struct ck_fn *fn, const struct ck_value *object, const char *name,
                        struct ck_span span, struct ck_value *out);
/* The value of the field of an object that is read; false as above. */
bool ck_field_value(struct ck_fn *fn, const struct ck_value *object, const char *name,
                    struct ck_span span, struct ck_value *out);
/* Whether `array` has numbers or bools as its elements, as `what` needs. False, reported. */
bool ck_has_scalars(struct ck_fn *fn, const struct ck_value *array, const char *what);

#endif
