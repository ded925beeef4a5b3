/* Numba's and CUDA's names of vector types. */
#ifndef CK_VECTOR_NAME_H
#define CK_VECTOR_NAME_H

#include <stddef.h>

/* How many elements a vector of the name has, as `float32x4` or `float4`, and the name of their
 * type; 0: it names no vector. */
int ck_vector_name(const char *name, size_t length, const char **elem);

#endif
