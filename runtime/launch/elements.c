/* The elements of arrays as a launch's parameters see them. */
#include "runtime/launch/elements.h"

#include "runtime/data/record.h"

size_t
ck_array_item_size(const ck_array *array)
{
    return ck_item_size(array->dtype, array->record);
}

bool
ck_array_is_empty(const ck_array *array)
{
    for (int d = 0; d < array->ndim; d++) {
        if (array->shape[d] == 0)
            return true;
    }
    return false;
}

/* Whether the last dimension has a vector's numbers, one behind the other. */
static bool
has_rows(const ck_param_info *param, const ck_array *array)
{
    const int last = array->ndim - 1;
    return param->dtype == array->dtype && last >= 0 && array->shape[last] == param->lanes &&
           (param->lanes == 1 || array->strides[last] == (int64_t)ck_dtype_size(array->dtype));
}

bool
ck_param_takes_elements(const ck_param_info *param, const ck_array *array)
{
    if (param->lanes)
        return array->dtype == CK_RECORD
                   ? ck_record_is_vector(array->record, param->dtype, param->lanes)
                   : has_rows(param, array);
    return param->dtype == array->dtype &&
           (param->dtype != CK_RECORD || ck_record_takes(param->record, array->record));
}

int
ck_param_n_dims(const ck_param_info *param, const ck_array *array)
{
    return array->ndim - (param->lanes && array->dtype != CK_RECORD);
}

size_t
ck_param_item_size(const ck_param_info *param, const ck_array *array)
{
    return param->lanes ? ck_dtype_size(param->dtype) * (size_t)param->lanes
                        : ck_array_item_size(array);
}

size_t
ck_param_align(const ck_param_info *param)
{
    if (param->dtype == CK_RECORD)
        return ck_item_align(CK_RECORD, param->record);
    return param->lanes ? ck_vector_align(param->dtype, param->lanes) : 1;
}

bool
ck_array_is_contiguous(const ck_array *array, int ndim, size_t item_size, bool fortran)
{
    if (ck_array_is_empty(array))
        return true;
    int64_t expected = (int64_t)item_size;
    for (int i = 0; i < ndim; i++) {
        int d = fortran ? i : ndim - 1 - i;
        if (array->shape[d] != 1 && array->strides[d] != expected)
            return false;
        if (__builtin_mul_overflow(expected, array->shape[d], &expected))
            return false; /* no memory has all of it at its own place */
    }
    return true;
}
