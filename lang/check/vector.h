/* Vectors: values of vector types. */
#ifndef CK_CHECK_VECTOR_H
#define CK_CHECK_VECTOR_H

#include "lang/check/checker.h"

/* `float4(x, y, z, w)`: a vector from numbers and smaller vectors. */
struct ck_value ck_make_vector(struct ck_fn *fn, const struct ck_type *type,
                               const struct ck_expr *expr);

#endif
