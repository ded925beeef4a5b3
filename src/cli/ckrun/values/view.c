/* Views: arrays whose elements are some of another array's, as NumPy's slices are. A view keeps a
 * copy of its elements on the host, for expressions; kernels are given the memory of its base. */
#include "expr.h"

#include <stdlib.h>
#include <string.h>

struct ckrun_array *
ckrun_base(const struct ckrun_array *array)
{
    return array->base ? array->base : (struct ckrun_array *)array;
}

static int64_t
item_size(const ck_npy *array)
{
    return (int64_t)(array->record ? array->record->size : ck_dtype_size(array->dtype));
}

/* Those of an array without gaps; of an empty one they do not matter. */
static void
dense_strides(int64_t *strides, int64_t item, int ndim, const int64_t *shape, bool fortran_order)
{
    for (int i = 0; i < ndim; i++) {
        int dim = fortran_order ? i : ndim - 1 - i;
        strides[dim] = item;
        if (__builtin_mul_overflow(item, shape[dim], &item))
            item = 0;
    }
}

void
ckrun_strides(const struct ckrun_array *array, int64_t strides[CK_MAX_DIMS])
{
    const ck_npy *host = &array->host;
    if (array->base)
        memcpy(strides, array->strides, sizeof array->strides);
    else
        dense_strides(strides, item_size(host), host->ndim, host->shape, host->fortran_order);
}

bool
ckrun_is_c_contiguous(const struct ckrun_array *array)
{
    const ck_npy *host = &array->host;
    int64_t strides[CK_MAX_DIMS], dense[CK_MAX_DIMS];
    bool same = true;
    ckrun_strides(array, strides);
    dense_strides(dense, item_size(host), host->ndim, host->shape, false);
    for (int i = 0; i < host->ndim; i++)
        same = same && (strides[i] == dense[i] || host->shape[i] == 1);
    return same || ckrun_count(host) == 0;
}

/* --- The copy on the host ----------------------------------------------------------------------
 */

void
ckrun_refresh_view(struct ckrun_array *view)
{
    const size_t item = (size_t)item_size(&view->host);
    const char *from = view->base->host.data;
    char *to = view->host.data;
    const int64_t count = ckrun_count(&view->host);
    int64_t index[CK_MAX_DIMS] = {0};
    for (int64_t i = 0; i < count; i++, to += item) {
        int64_t offset = view->offset;
        for (int d = 0; d < view->host.ndim; d++)
            offset += index[d] * view->strides[d];
        memcpy(to, from + offset, item);
        ckrun_next_index(&view->host, index);
    }
}

struct ckrun_value
ckrun_view(struct ckrun_parser *p, const char *at, const struct ckrun_array *of,
           const struct ckrun_layout *layout)
{
    char *error = NULL;
    struct ckrun_array *view =
        layout->record
            ? ckrun_record_array_new(p->env, layout->record, layout->ndim, layout->shape, false,
                                     &error)
            : ckrun_array_new(p->env, layout->dtype, layout->ndim, layout->shape, false, &error);
    if (!view) {
        ckrun_parse_fail_text(p, at, error);
        return ckrun_int_value(0);
    }
    view->base = ckrun_base(of);
    view->offset = of->offset + layout->offset;
    memcpy(view->strides, layout->strides, sizeof view->strides);
    ckrun_refresh_view(view);
    return (struct ckrun_value){.kind = CKRUN_ARRAY, .array = view};
}

/* The elements of an array as they are. */
static struct ckrun_layout
layout_of(const struct ckrun_array *array)
{
    struct ckrun_layout layout = {
        .dtype = array->host.dtype,
        .record = array->host.record,
        .ndim = array->host.ndim,
    };
    memcpy(layout.shape, array->host.shape, sizeof layout.shape);
    ckrun_strides(array, layout.strides);
    return layout;
}

/* --- Views by methods --------------------------------------------------------------------------
 */

struct ckrun_value
ckrun_transpose(struct ckrun_parser *p, const char *at, const struct ckrun_array *of)
{
    const struct ckrun_layout from = layout_of(of);
    struct ckrun_layout turned = from;
    for (int i = 0; i < from.ndim; i++) {
        turned.shape[i] = from.shape[from.ndim - 1 - i];
        turned.strides[i] = from.strides[from.ndim - 1 - i];
    }
    return ckrun_view(p, at, of, &turned);
}

/* Sets the strides with which the elements have the new shape, of as many elements and not empty.
 * False: there are none. Dimensions whose product is the same are matched from the first on, as by
 * NumPy's _attempt_nocopy_reshape. */
static bool
reshape_strides(const struct ckrun_layout *from, int64_t item, struct ckrun_layout *to)
{
    int64_t shape[CK_MAX_DIMS], strides[CK_MAX_DIMS];
    int n = 0, first = 0, new_first = 0;
    for (int i = 0; i < from->ndim; i++) {
        if (from->shape[i] == 1)
            continue;
        shape[n] = from->shape[i];
        strides[n++] = from->strides[i];
    }
    while (first < n && new_first < to->ndim) {
        int end = first + 1, new_end = new_first + 1;
        int64_t product = shape[first], new_product = to->shape[new_first];
        while (product != new_product) {
            if (new_product < product)
                new_product *= to->shape[new_end++];
            else
                product *= shape[end++];
        }
        for (int i = first; i < end - 1; i++) {
            if (strides[i] != shape[i + 1] * strides[i + 1])
                return false;
        }
        to->strides[new_end - 1] = strides[end - 1];
        for (int i = new_end - 1; i > new_first; i--)
            to->strides[i - 1] = to->strides[i] * to->shape[i];
        first = end;
        new_first = new_end;
    }
    for (int i = new_first; i < to->ndim; i++) /* of length 1 */
        to->strides[i] = i ? to->strides[i - 1] : item;
    return true;
}

struct ckrun_value
ckrun_reshape(struct ckrun_parser *p, const char *at, const struct ckrun_array *of, int ndim,
              const int64_t *shape)
{
    const struct ckrun_layout from = layout_of(of);
    const int64_t item = item_size(&of->host);
    struct ckrun_layout to = from;
    to.ndim = ndim;
    memcpy(to.shape, shape, (size_t)ndim * sizeof *shape);
    if (ckrun_count(&of->host) == 0)
        dense_strides(to.strides, item, ndim, shape, false);
    else if (!reshape_strides(&from, item, &to))
        return ckrun_array_as(p, at, &of->host, of->host.dtype, ndim, shape);
    return ckrun_view(p, at, of, &to);
}
