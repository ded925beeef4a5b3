/* Descriptions of arrays in C order, from their extents. */
#include <string.h>

#include "runtime/launch/elements.h"

/* A stride that no memory has is the largest number: every launch refuses the array. */
static void
set_extents(ck_array *array, int ndim, const int64_t *shape)
{
    int64_t stride = (int64_t)ck_array_item_size(array);
    array->ndim = ndim;
    for (int d = ndim < CK_MAX_DIMS ? ndim : CK_MAX_DIMS; d-- > 0;) {
        array->shape[d] = shape[d];
        array->strides[d] = stride;
        if (shape[d] > 1 && __builtin_mul_overflow(stride, shape[d], &stride))
            stride = INT64_MAX;
    }
}

ck_array
ck_array_nd(uint64_t data, ck_dtype dtype, int ndim, const int64_t *shape)
{
    ck_array array = {.data = data, .dtype = dtype};
    set_extents(&array, ndim, shape);
    return array;
}

ck_array
ck_array_1d(uint64_t data, ck_dtype dtype, int64_t n)
{
    return ck_array_nd(data, dtype, 1, &n);
}

ck_array
ck_array_2d(uint64_t data, ck_dtype dtype, int64_t rows, int64_t columns)
{
    const int64_t shape[] = {rows, columns};
    return ck_array_nd(data, dtype, 2, shape);
}

ck_array
ck_array_3d(uint64_t data, ck_dtype dtype, int64_t planes, int64_t rows, int64_t columns)
{
    const int64_t shape[] = {planes, rows, columns};
    return ck_array_nd(data, dtype, 3, shape);
}

ck_array
ck_array_of_records(uint64_t data, const ck_record *record, int ndim, const int64_t *shape)
{
    ck_array array = {.data = data, .dtype = CK_RECORD, .record = record};
    set_extents(&array, ndim, shape);
    return array;
}
