/* The elements of arrays as a launch's parameters see them. */
#ifndef CK_ELEMENTS_H
#define CK_ELEMENTS_H

#include <stdbool.h>

#include <ck/run.h>

/* Bytes of an element of the array itself. */
size_t ck_array_item_size(const ck_array *array);
bool ck_array_is_empty(const ck_array *array);

/* Whether the array has the parameter's elements: numbers, records, or vectors, which are the rows
 * of an array of numbers with one more dimension, or records x, y, z, w. */
bool ck_param_takes_elements(const ck_param_info *param, const ck_array *array);
/* Of an array that has the parameter's elements: its dimensions, and the bytes of an element. */
int ck_param_n_dims(const ck_param_info *param, const ck_array *array);
size_t ck_param_item_size(const ck_param_info *param, const ck_array *array);
/* What the address of an array divides on account of vectors, its elements or fields of them. */
size_t ck_param_align(const ck_param_info *param);

/* NumPy's rule for the first `ndim` dimensions of elements of so many bytes: strides of dimensions
 * of size 1, and strides of empty arrays, do not matter. */
bool ck_array_is_contiguous(const ck_array *array, int ndim, size_t item_size, bool fortran);

#endif
