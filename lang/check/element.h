/* Elements of arrays that have fields. */
#ifndef CK_CHECK_ELEMENT_H
#define CK_CHECK_ELEMENT_H

#include "lang/check/checker.h"

/* The type of elements that a value denotes, for a view, a shared or a local array: a dtype, a
 * vector or a record. NULL after an error. */
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
/* Whether it names a field by a string: `A["x"]`. */
bool ck_is_key(const struct ck_expr *expr);
/* Reports that an object, or its elements, have no such field. */
void ck_report_field(struct ck_fn *fn, const struct ck_value *object, const char *name,
                     struct ck_span span);
/* Stores a value in the element of an array at these indices, which is written `at`. */
void ck_store_element(struct ck_fn *fn, struct ck_texpr *array, struct ck_tindex *indices,
                      const struct ck_value *value, struct ck_span at, struct ck_span span);
/* Whether a value is a record in memory: an array without dimensions. */
bool ck_is_record_place(const struct ck_value *value);
/* A copy of a record in memory, as a tuple. */
struct ck_texpr *ck_record_load(struct ck_fn *fn, const struct ck_value *place);
/* `Point(1, y=2)`: a record from its fields. */
struct ck_value ck_make_record(struct ck_fn *fn, const struct ck_type *type,
                               const struct ck_expr *expr);
/* Whether `array` has numbers or bools as its elements, as `what` needs; and each at an address
 * that its size divides. False, reported. */
bool ck_has_scalars(struct ck_fn *fn, const struct ck_value *array, const char *what);
bool ck_has_aligned_scalars(struct ck_fn *fn, const struct ck_value *array, const char *what);
/* The same of the addresses alone. */
bool ck_is_aligned(struct ck_fn *fn, const struct ck_value *array, const char *what);

#endif
