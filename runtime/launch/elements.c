/* The elements of arrays as a launch's parameters see them. */
#include "runtime/launch/elements.h"

#include <string.h>

#include "base/limits.h"

size_t
ck_array_item_size(const ck_array *array)
{
    return array->dtype == CK_RECORD ? array->record->size : ck_dtype_size(array->dtype);
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

/* Whether the records have the fields x, y, z, w of the vector at their places, and no others. */
static bool
is_like_vector(const ck_param_info *param, const ck_record *record)
{
    const size_t each = ck_dtype_size(param->dtype);
    bool same = record->n_fields == param->lanes && record->size == each * (size_t)param->lanes;
    for (int i = 0; same && i < param->lanes; i++) {
        const ck_field *field = &record->fields[i];
        const char name[2] = {"xyzw"[i]};
        same = strcmp(field->name, name) == 0 && field->dtype == param->dtype && !field->ndim &&
               field->offset == each * (size_t)i;
    }
    return same;
}

bool
ck_param_takes_elements(const ck_param_info *param, const ck_array *array)
{
    if (param->lanes)
        return array->dtype == CK_RECORD ? is_like_vector(param, array->record)
                                         : has_rows(param, array);
    return param->dtype == array->dtype &&
           (param->dtype != CK_RECORD || ck_record_equal(param->record, array->record));
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
ck_param_vector_align(const ck_param_info *param)
{
    const size_t each = ck_dtype_size(param->dtype), size = each * (size_t)param->lanes;
    return param->lanes == 3 ? each : size < CK_ARRAY_ALIGN ? size : CK_ARRAY_ALIGN;
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
