/* Vectors: values of vector types. */
#ifndef CK_CHECK_VECTOR_H
#define CK_CHECK_VECTOR_H

#include "lang/check/checker.h"

/* `float4(x, y, z, w)`: a vector from numbers and smaller vectors. */
struct ck_value ck_make_vector(struct ck_fn *fn, const struct ck_type *type,
                               const struct ck_expr *expr);

/* The value as an element of a vector's array. NULL after an error. */
struct ck_texpr *ck_stored_vector(struct ck_fn *fn, const struct ck_type *elem,
                                  const struct ck_value *value);

/* `a + b` of vectors with as many elements, or of a vector and a number, element by element. False:
 * the operands are others. */
bool ck_vector_binary(struct ck_fn *fn, enum ck_binary_op op, const struct ck_value *left,
                      const struct ck_value *right, struct ck_span span, struct ck_value *out);
/* `-a` of a number (operator.c), which has the operator, and of a vector. */
struct ck_value ck_unary_number(struct ck_fn *fn, enum ck_unary_op op, struct ck_value operand,
                                struct ck_span span);
struct ck_value ck_vector_unary(struct ck_fn *fn, enum ck_unary_op op, struct ck_value operand,
                                struct ck_span span);
/* Says why an operator does not apply, if an operand is a vector. */
void ck_help_with_vectors(struct ck_fn *fn, struct ck_diag *diag, const struct ck_value *left,
                          const struct ck_value *right);

#endif
