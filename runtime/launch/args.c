/* Checking and packing the arguments of a launch. */
#include "runtime/launch/args.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/float16.h"
#include "base/strbuf.h"
#include "runtime/context/context.h"
#include "runtime/data/record.h"
#include "runtime/image/image.h"
#include "runtime/image/manifest.h"
#include "runtime/launch/elements.h"

/* --- Types -------------------------------------------------------------------------------------
 */

/* The `ndim` of a parameter that takes an array of so many dimensions. */
static int
dims_of(int ndim)
{
    return ndim ? ndim : CK_ZERO_DIM;
}

static bool
is_contiguous(const ck_array *array, bool fortran)
{
    return ck_array_is_contiguous(array, array->ndim, ck_array_item_size(array), fortran);
}

ck_param_info
ck_arg_type(const ck_arg *arg)
{
    if (arg->scalar == CK_TUPLE)
        return (ck_param_info){.dtype = CK_TUPLE, .n_items = (int)arg->value.u};
    if (arg->scalar)
        return (ck_param_info){.dtype = arg->scalar};
    const ck_array *array = arg->value.array;
    ck_layout_kind layout = is_contiguous(array, false)  ? CK_C_ORDER
                            : is_contiguous(array, true) ? CK_FORTRAN
                                                         : CK_STRIDED;
    return (ck_param_info){.dtype = array->dtype,
                           .ndim = dims_of(array->ndim),
                           .layout = layout,
                           .record = array->dtype == CK_RECORD ? array->record : NULL};
}

static bool
layout_fits(const ck_param_info *param, const ck_array *array)
{
    return param->layout == CK_STRIDED ||
           ck_array_is_contiguous(array, ck_param_n_dims(param, array),
                                  ck_param_item_size(param, array), param->layout == CK_FORTRAN);
}

/* Whether the array fits but for its layout. */
static bool
same_elements(const ck_param_info *param, const ck_array *array)
{
    return ck_param_takes_elements(param, array) &&
           param->ndim == dims_of(ck_param_n_dims(param, array));
}

bool
ck_arg_fits(const ck_param_info *param, const ck_arg *arg)
{
    if (arg->scalar == CK_TUPLE)
        return param->dtype == CK_TUPLE && (uint64_t)param->n_items == arg->value.u;
    if (arg->scalar)
        return param->ndim == 0 && param->dtype == arg->scalar;
    const ck_array *array = arg->value.array;
    return param->ndim && same_elements(param, array) && layout_fits(param, array);
}

/* An argument without a value of its own: a tuple, None or a default value. */
static bool
is_mark(const ck_arg *arg)
{
    return arg->scalar == CK_TUPLE || arg->scalar == CK_NONE || arg->scalar == CK_DEFAULT;
}

static size_t
items_of(const ck_arg *arg)
{
    return arg->scalar == CK_TUPLE ? (size_t)arg->value.u : 0;
}

size_t
ck_args_count(const ck_arg *args, size_t n_args)
{
    struct ck_entries at = {0};
    for (size_t i = 0; i < n_args; i++)
        ck_entries_next(&at, items_of(&args[i]));
    return at.tops;
}

static size_t
count_params(const ck_kernel_desc *desc)
{
    struct ck_entries at = {0};
    for (int i = 0; i < desc->n_params; i++)
        ck_entries_next(&at, (size_t)desc->params[i].n_items);
    return at.tops;
}

size_t
ck_args_write_type(struct ck_strbuf *out, const ck_arg *args)
{
    if (args->scalar != CK_TUPLE) {
        const ck_param_info type = ck_arg_type(args);
        ck_type_write_param(out, &type);
        return 1;
    }
    size_t n = 1;
    ck_strbuf_putc(out, '(');
    for (uint64_t i = 0; i < args->value.u; i++) {
        ck_strbuf_puts(out, i ? ", " : "");
        n += ck_args_write_type(out, &args[n]);
    }
    ck_strbuf_puts(out, args->value.u == 1 ? ",)" : ")");
    return n;
}

int
ck_args_specificity(const ck_kernel_desc *desc)
{
    int n = 0;
    for (int i = 0; i < desc->n_params; i++)
        n += desc->params[i].ndim && desc->params[i].layout != CK_STRIDED;
    return n;
}

/* --- Failures ----------------------------------------------------------------------------------
 */

/* The number, from 1, of the parameter that entry `i` is of. A generic kernel's have no items. */
static size_t
number_of(const ck_kernel_desc *desc, size_t i)
{
    struct ck_entries at = {0};
    if (desc->generic || i >= (size_t)desc->n_params)
        return i + 1;
    for (size_t k = 0; k <= i; k++)
        ck_entries_next(&at, (size_t)desc->params[k].n_items);
    return at.tops;
}

ck_status
ck_args_fail(ck_context *ctx, const ck_kernel_desc *desc, size_t i, const char *format, ...)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    va_list args;
    va_start(args, format);
    ck_strbuf_vprintf(&text, format, args);
    va_end(args);
    const char *name = i < (size_t)desc->n_params ? desc->params[i].name : "";
    ck_status status = ck_fail(ctx, CK_ERROR_ARGUMENT, "argument %zu `%s`: %s", number_of(desc, i),
                               name ? name : "", ck_strbuf_text(&text));
    ck_strbuf_free(&text);
    return status;
}

ck_status
ck_args_fail_count(ck_context *ctx, const ck_kernel_desc *desc, size_t n_args)
{
    size_t wanted = count_params(desc);
    if (desc->n_defaults)
        return ck_fail(ctx, CK_ERROR_ARGUMENT, "`%s` takes %zu to %zu arguments: %zu %s given",
                       desc->name, wanted - (size_t)desc->n_defaults, wanted, n_args,
                       n_args == 1 ? "was" : "were");
    return ck_fail(ctx, CK_ERROR_ARGUMENT, "`%s%s` takes %zu argument%s: %zu %s given", desc->name,
                   desc->generic ? "" : desc->signature, wanted, wanted == 1 ? "" : "s", n_args,
                   n_args == 1 ? "was" : "were");
}

/* "(8, -4)" */
static void
write_strides(struct ck_strbuf *out, const ck_array *array)
{
    for (int i = 0; i < array->ndim; i++)
        ck_strbuf_printf(out, "%s%" PRId64, i ? ", " : "(", array->strides[i]);
    ck_strbuf_puts(out, array->ndim == 1 ? ",)" : ")");
}

/* Says why records are others than those of the parameter. */
static void
write_record_fault(struct ck_strbuf *out, const ck_param_info *param, const ck_arg *arg)
{
    const ck_array *array = arg->scalar ? NULL : arg->value.array;
    if (!array || array->dtype != CK_RECORD || param->dtype != CK_RECORD ||
        same_elements(param, array))
        return;
    ck_strbuf_puts(out, " (");
    ck_record_write_difference(out, array->record, param->record);
    ck_strbuf_putc(out, ')');
}

/* Says by its strides why the array does not fit: the name of its own layout may not show that. */
static void
write_layout_fault(struct ck_strbuf *out, const ck_param_info *param, const ck_arg *arg)
{
    if (arg->scalar || !param->ndim)
        return;
    if (!same_elements(param, arg->value.array)) {
        if (param->lanes)
            ck_strbuf_printf(out,
                             " (pass numbers with one more dimension, the last, of %d that "
                             "are adjacent)",
                             param->lanes);
        return;
    }
    ck_strbuf_puts(out, " (its strides ");
    write_strides(out, arg->value.array);
    ck_strbuf_printf(out, " bytes are not %s-contiguous)",
                     param->layout == CK_FORTRAN ? "Fortran" : "C");
}

static ck_status
fail_type(ck_context *ctx, const ck_kernel_desc *desc, size_t i, const ck_arg *arg)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_args_write_type(&text, arg);
    ck_strbuf_puts(&text, " was given for ");
    ck_type_write_param(&text, &desc->params[i]);
    write_record_fault(&text, &desc->params[i], arg);
    write_layout_fault(&text, &desc->params[i], arg);
    ck_status status = ck_args_fail(ctx, desc, i, "%s", ck_strbuf_text(&text));
    ck_strbuf_free(&text);
    return status;
}

/* The entry after a parameter and all its items. */
static size_t
after_param(const ck_kernel_desc *desc, size_t i)
{
    struct ck_entries at = {0};
    do {
        ck_entries_next(&at, (size_t)desc->params[i++].n_items);
    } while (at.depth);
    return i;
}

static size_t
after_arg(const ck_arg *args, size_t i)
{
    struct ck_entries at = {0};
    do {
        ck_entries_next(&at, items_of(&args[i++]));
    } while (at.depth);
    return i;
}

ck_status
ck_args_fail_type(ck_context *ctx, const ck_kernel_desc *desc, const ck_arg *args, size_t n_args)
{
    size_t given = ck_args_count(args, n_args), i = 0, k = 0;
    if (given != count_params(desc))
        return ck_args_fail_count(ctx, desc, given);
    while (i < (size_t)desc->n_params) {
        size_t next_i = after_param(desc, i), next_k = after_arg(args, k);
        bool same = next_i - i == next_k - k;
        for (size_t j = 0; same && i + j < next_i; j++)
            same = ck_arg_fits(&desc->params[i + j], &args[k + j]);
        if (!same)
            return fail_type(ctx, desc, i, &args[k]);
        i = next_i;
        k = next_k;
    }
    return CK_OK;
}

/* --- Values ------------------------------------------------------------------------------------
 */

/* The elements' extent in bytes must be an address difference, for which an empty axis counts as
 * one element, as in NumPy: generated code relies on each extent alone. */
static ck_status
check_extent(ck_context *ctx, const ck_kernel_desc *desc, size_t i, const ck_array *array)
{
    int64_t bytes = (int64_t)ck_array_item_size(array);
    bool overflow = false;
    for (int d = 0; d < array->ndim; d++) {
        if (array->shape[d] < 0)
            return ck_args_fail(ctx, desc, i, "dimension %d has a negative size (%" PRId64 ")", d,
                                array->shape[d]);
        overflow |= array->shape[d] && __builtin_mul_overflow(bytes, array->shape[d], &bytes);
    }
    if (overflow)
        return ck_args_fail(ctx, desc, i, "the array is larger than the address space");
    return CK_OK;
}

static ck_status
check_address(ck_context *ctx, const ck_kernel_desc *desc, size_t i, const ck_array *array)
{
    size_t size = ck_item_align(array->dtype, array->record);
    if (ck_array_is_empty(array))
        return CK_OK;
    if (!array->data)
        return ck_args_fail(ctx, desc, i, "the array has elements and no data (its address is 0)");
    if (array->data & (size - 1)) /* alignments are powers of two */
        return ck_args_fail(ctx, desc, i,
                            "its address 0x%" PRIx64 " is not aligned to its elements' %zu bytes",
                            array->data, size);
    return CK_OK;
}

static ck_status
check_array(ck_context *ctx, const ck_kernel_desc *desc, size_t i, const ck_array *array, bool data)
{
    if (!array)
        return ck_args_fail(ctx, desc, i, "no array was given (a null pointer)");
    if (array->dtype == CK_RECORD && !ck_record_is_sound(array->record))
        return ck_args_fail(
            ctx, desc, i,
            "its record type is not valid: records have 1 to 256 fields with identifiers "
            "as names, at most 1024 numbers in 1 MiB, and are at most 16 deep in "
            "each other");
    if (array->dtype != CK_RECORD && !ck_dtype_size(array->dtype))
        return ck_args_fail(ctx, desc, i, "the element type (%d) of the array is unknown",
                            (int)array->dtype);
    if (array->ndim < 0 || array->ndim > CK_MAX_DIMS)
        return ck_args_fail(ctx, desc, i, "an array of %d dimensions was given: expected 0 to %d",
                            array->ndim, CK_MAX_DIMS);
    ck_status status = check_extent(ctx, desc, i, array);
    if (!status && data)
        status = check_address(ctx, desc, i, array);
    return status;
}

static bool
is_signed(ck_dtype dtype)
{
    return dtype >= CK_INT8 && dtype <= CK_INT64;
}

static bool
is_unsigned(ck_dtype dtype)
{
    return dtype >= CK_UINT8 && dtype <= CK_UINT64;
}

/* A scalar of a known type. */
static bool
is_in_range(const ck_arg *arg)
{
    const int spare = 64 - 8 * (int)ck_dtype_size(arg->scalar);
    if (is_signed(arg->scalar))
        return (int64_t)((uint64_t)arg->value.i << spare) >> spare == arg->value.i;
    return !is_unsigned(arg->scalar) || arg->value.u << spare >> spare == arg->value.u;
}

static ck_status
check_scalar(ck_context *ctx, const ck_kernel_desc *desc, size_t i, const ck_arg *arg, bool data)
{
    if (arg->scalar == CK_RECORD)
        return ck_args_fail(ctx, desc, i, "a record by itself is passed as a tuple of its fields");
    if (!ck_dtype_size(arg->scalar))
        return ck_args_fail(ctx, desc, i, "a scalar of no known type (%d) was given",
                            (int)arg->scalar);
    if (!data || is_in_range(arg))
        return CK_OK;
    if (is_signed(arg->scalar))
        return ck_args_fail(ctx, desc, i, "%" PRId64 " is out of the range of %s", arg->value.i,
                            ck_dtype_name(arg->scalar));
    return ck_args_fail(ctx, desc, i, "%" PRIu64 " is out of the range of %s", arg->value.u,
                        ck_dtype_name(arg->scalar));
}

ck_status
ck_args_check(ck_context *ctx, const ck_kernel_desc *desc, const ck_arg *args, size_t n_args,
              bool data)
{
    ck_status status = CK_OK;
    struct ck_entries at = {0};
    for (size_t i = 0; i < n_args && !status; i++) {
        const bool is_item = at.depth > 0;
        bool shallow = ck_entries_next(&at, items_of(&args[i]));
        size_t entry = desc->generic ? at.tops - 1 : i;
        if (!shallow)
            status =
                ck_args_fail(ctx, desc, entry, "it has tuples more than %d deep", CK_MAX_TUPLES);
        else if (is_item && is_mark(&args[i]) && args[i].scalar != CK_TUPLE)
            status = ck_args_fail(ctx, desc, entry, "it has %s as an item of a tuple",
                                  args[i].scalar == CK_NONE ? "None" : "a default value");
        else if (is_mark(&args[i]))
            continue;
        else if (args[i].scalar)
            status = check_scalar(ctx, desc, entry, &args[i], data);
        else
            status = check_array(ctx, desc, entry, args[i].value.array, data);
    }
    if (!status && at.depth)
        status = ck_fail(ctx, CK_ERROR_ARGUMENT,
                         "the last tuple lacks %zu item%s: no arguments are left",
                         at.left[at.depth - 1], at.left[at.depth - 1] == 1 ? "" : "s");
    return status;
}

ck_status
ck_args_check_strides(ck_context *ctx, const ck_kernel_desc *desc, const ck_arg *args)
{
    for (int i = 0; i < desc->n_params; i++) {
        if (!desc->params[i].ndim || desc->params[i].layout != CK_STRIDED)
            continue;
        const ck_array *array = args[i].value.array;
        int64_t size = (int64_t)ck_param_item_size(&desc->params[i], array);
        for (int d = 0; d < ck_param_n_dims(&desc->params[i], array); d++) {
            if (array->shape[d] > 1 && array->strides[d] % size)
                return ck_args_fail(ctx, desc, (size_t)i,
                                    "its stride of %" PRId64
                                    " bytes in dimension %d is not a multiple of its elements' "
                                    "%" PRId64 " bytes",
                                    array->strides[d], d, size);
        }
    }
    return CK_OK;
}

/* --- Overlap -----------------------------------------------------------------------------------
 */

bool
ck_args_find_extent(struct ck_extent *out, const ck_array *array)
{
    uint64_t begin = array->data, end = array->data;
    if (ck_array_is_empty(array)) {
        *out = (struct ck_extent){.begin = begin, .end = end};
        return true;
    }
    bool overflow = __builtin_add_overflow(end, ck_array_item_size(array), &end);
    for (int d = 0; d < array->ndim; d++) {
        int64_t bytes;
        overflow |= __builtin_mul_overflow(array->shape[d] - 1, array->strides[d], &bytes);
        uint64_t *moved = bytes < 0 ? &begin : &end;
        overflow |= __builtin_add_overflow(*moved, bytes, moved);
    }
    *out = overflow ? (struct ck_extent){.begin = 0, .end = UINT64_MAX}
                    : (struct ck_extent){.begin = begin, .end = end};
    return !overflow;
}

/* All of the address space if the elements lie outside it. */
static struct ck_extent
extent_of(const ck_array *array)
{
    struct ck_extent extent;
    ck_args_find_extent(&extent, array);
    return extent;
}

size_t
ck_args_list_arrays(struct ck_extent *extents, const ck_kernel_desc *desc)
{
    size_t n = 0;
    for (int i = 0; i < desc->n_params; i++) {
        if (desc->params[i].ndim)
            extents[n++].param = i;
    }
    return n;
}

/* Inserts the last extent by its begin: one step of an insertion sort. */
static void
sort_in(struct ck_extent *extents, size_t last)
{
    const struct ck_extent extent = extents[last];
    size_t i = last;
    for (; i > 0 && extents[i - 1].begin > extent.begin; i--)
        extents[i] = extents[i - 1];
    extents[i] = extent;
}

bool
ck_args_are_apart(struct ck_extent *extents, size_t n, const ck_arg *args)
{
    uint64_t end = 0;
    for (size_t i = 0; i < n; i++) {
        const int param = extents[i].param;
        extents[i] = extent_of(args[param].value.array);
        extents[i].param = param;
        sort_in(extents, i);
    }
    for (size_t i = 0; i < n; i++) {
        if (extents[i].begin < end && extents[i].begin < extents[i].end)
            return false;
        end = extents[i].end > end ? extents[i].end : end;
    }
    return true;
}

static bool
overlaps(struct ck_extent a, const ck_array *array)
{
    const struct ck_extent b = extent_of(array);
    return a.begin < b.end && b.begin < a.end && a.begin < a.end && b.begin < b.end;
}

/* Whether an image assumes that these two arrays do not overlap. */
static bool
excludes(const ck_param_info *a, const ck_param_info *b)
{
    return a->ndim && b->ndim && (a->disjoint || b->disjoint || a->read_only != b->read_only);
}

bool
ck_args_find_overlap(const ck_kernel_desc *desc, const ck_arg *args, int *marked, int *other)
{
    for (int i = 0; i < desc->n_params; i++) {
        if (!desc->params[i].read_only && !desc->params[i].disjoint)
            continue;
        const struct ck_extent extent = extent_of(args[i].value.array);
        for (int j = 0; j < desc->n_params; j++) {
            if (j == i || !excludes(&desc->params[i], &desc->params[j]) ||
                !overlaps(extent, args[j].value.array))
                continue;
            *marked = i;
            *other = j;
            return true;
        }
    }
    return false;
}

ck_status
ck_args_fail_overlap(ck_context *ctx, const ck_kernel_desc *desc, int marked, int other)
{
    return ck_args_fail(ctx, desc, (size_t)other,
                        "the array shares memory with argument %d `%s`, which this image assumes "
                        "is %s (it was compiled with -restrict)",
                        marked + 1, desc->params[marked].name,
                        desc->params[marked].read_only ? "never written"
                                                       : "disjoint from all others");
}

/* --- Alignment ---------------------------------------------------------------------------------
 */

bool
ck_args_are_aligned(const ck_arg *args, size_t n_args)
{
    for (size_t i = 0; i < n_args; i++) {
        if (!args[i].scalar && args[i].value.array->data % CK_ARRAY_ALIGN)
            return false;
    }
    return true;
}

static ck_status
fail_vectors(ck_context *ctx, const ck_kernel_desc *desc, int i, uint64_t address, size_t align)
{
    const ck_param_info *param = &desc->params[i];
    char of[32] = "these records with vectors";
    if (param->lanes)
        snprintf(of, sizeof of, "%sx%d", ck_dtype_name(param->dtype), param->lanes);
    return ck_args_fail(ctx, desc, (size_t)i,
                        "its address 0x%" PRIx64 " is not a multiple of %zu bytes, as that of an "
                        "array of %s is",
                        address, align, of);
}

ck_status
ck_args_check_vectors(ck_context *ctx, const ck_kernel_desc *desc, const ck_arg *args)
{
    for (int i = 0; i < desc->n_params; i++) {
        const ck_param_info *param = &desc->params[i];
        const ck_array *array = param->ndim ? args[i].value.array : NULL;
        const size_t align = array ? ck_param_align(param) : 1;
        if (array && !ck_array_is_empty(array) && array->data % align)
            return fail_vectors(ctx, desc, i, array->data, align);
    }
    return CK_OK;
}

ck_status
ck_args_check_alignment(ck_context *ctx, const ck_kernel_desc *desc, const ck_arg *args)
{
    for (int i = 0; i < desc->n_params; i++) {
        const ck_param_info *param = &desc->params[i];
        if (param->ndim && param->alignment && !ck_array_is_empty(args[i].value.array) &&
            args[i].value.array->data % (uint64_t)param->alignment)
            return ck_args_fail(ctx, desc, (size_t)i,
                                "its address 0x%" PRIx64 " is not a multiple of the %d bytes that "
                                "this image assumes (it was compiled with -aligned)",
                                args[i].value.array->data, param->alignment);
    }
    return CK_OK;
}

/* --- Sizes -------------------------------------------------------------------------------------
 */

/* The first axis whose extent is not small, or -1. */
static int
large_axis(const ck_arg *arg)
{
    for (int d = 0; !arg->scalar && d < arg->value.array->ndim; d++) {
        if ((uint64_t)arg->value.array->shape[d] >= CK_SMALL_ELEMENTS)
            return d;
    }
    return -1;
}

/* Whether an array whose extents are small has too many elements. */
static bool
has_many_elements(const ck_arg *arg)
{
    uint64_t n = 1;
    bool is_empty = false;
    for (int d = 0; !arg->scalar && d < arg->value.array->ndim; d++) {
        is_empty |= arg->value.array->shape[d] == 0;
        if (n < CK_SMALL_ELEMENTS)
            n *= (uint64_t)arg->value.array->shape[d];
    }
    return !arg->scalar && !is_empty && n >= CK_SMALL_ELEMENTS;
}

static bool
is_large_scalar(const ck_arg *arg)
{
    return arg->scalar == CK_INT64 && arg->value.i != (int32_t)arg->value.i;
}

static bool
is_negative_scalar(const ck_arg *arg)
{
    return arg->scalar >= CK_INT8 && arg->scalar <= CK_INT64 && arg->value.i < 0;
}

unsigned
ck_args_scalar_assumptions(const ck_arg *args, size_t n_args)
{
    unsigned assume = CK_ASSUME_SMALL | CK_ASSUME_NATURAL;
    for (size_t i = 0; i < n_args; i++) {
        if (is_large_scalar(&args[i]))
            assume &= ~(unsigned)CK_ASSUME_SMALL;
        if (is_negative_scalar(&args[i]))
            assume &= ~(unsigned)CK_ASSUME_NATURAL;
    }
    return assume;
}

bool
ck_args_extents_are_small(const ck_arg *args, size_t n_args)
{
    for (size_t i = 0; i < n_args; i++) {
        if (large_axis(&args[i]) >= 0 || has_many_elements(&args[i]))
            return false;
    }
    return true;
}

ck_status
ck_args_check_small(ck_context *ctx, const ck_kernel_desc *desc, const ck_arg *args)
{
    for (int i = 0; i < desc->n_params; i++) {
        const int axis = large_axis(&args[i]);
        if (axis >= 0)
            return ck_args_fail(ctx, desc, (size_t)i,
                                "axis %d has %" PRId64 " elements, but this image assumes fewer "
                                "than 2^31 - 2^16 (it was compiled with -small)",
                                axis, args[i].value.array->shape[axis]);
        if (has_many_elements(&args[i]))
            return ck_args_fail(ctx, desc, (size_t)i,
                                "it has too many elements: this image assumes fewer than "
                                "2^31 - 2^16 (it was compiled with -small)");
        if (is_large_scalar(&args[i]))
            return ck_args_fail(ctx, desc, (size_t)i,
                                "it is %" PRId64 ", but this image assumes less than 2^31 (it was "
                                "compiled with -small)",
                                args[i].value.i);
    }
    return CK_OK;
}

ck_status
ck_args_check_natural(ck_context *ctx, const ck_kernel_desc *desc, const ck_arg *args)
{
    for (int i = 0; i < desc->n_params; i++) {
        if (is_negative_scalar(&args[i]))
            return ck_args_fail(ctx, desc, (size_t)i,
                                "it is %" PRId64 ", but this image assumes that no integer is "
                                "negative (it was compiled with -natural)",
                                args[i].value.i);
    }
    return CK_OK;
}

/* --- Packing -----------------------------------------------------------------------------------
 */

size_t
ck_args_param_slots(const ck_param_info *param)
{
    if (!ck_dtype_size(param->dtype) && param->dtype != CK_RECORD)
        return 0;
    if (!param->ndim)
        return param->dtype == CK_COMPLEX128 ? 2 : 1;
    if (param->ndim == CK_ZERO_DIM)
        return 1;
    return 1 + (size_t)param->ndim * (param->layout == CK_STRIDED ? 2 : 1);
}

size_t
ck_args_n_slots(const ck_kernel_desc *desc)
{
    size_t n = 0;
    for (int i = 0; i < desc->n_params; i++)
        n += ck_args_param_slots(&desc->params[i]);
    return n;
}

void
ck_args_point(void **pointers, uint64_t *slots, const ck_kernel_desc *desc)
{
    for (int i = 0; i < desc->n_params; i++) {
        size_t n = ck_args_param_slots(&desc->params[i]);
        if (n && !desc->params[i].ndim)
            *pointers++ = slots;
        for (size_t k = 0; desc->params[i].ndim && k < n; k++)
            *pointers++ = &slots[k];
        slots += n;
    }
}

static uint64_t
scalar_bits(const ck_arg *arg)
{
    uint64_t bits = 0;
    float single;
    switch (arg->scalar) {
    case CK_BOOL:
        return arg->value.i != 0;
    case CK_FLOAT16:
        return ck_half_from_double(arg->value.f);
    case CK_BFLOAT16:
        return ck_bfloat_from_double(arg->value.f);
    case CK_FLOAT32:
        single = (float)arg->value.f;
        memcpy(&bits, &single, sizeof single);
        return bits;
    default: /* integers, checked to be in range, and float64: the eight bytes as they are */
        memcpy(&bits, &arg->value, sizeof bits);
        return bits;
    }
}

static uint64_t *
pack_scalar(uint64_t *slot, const ck_arg *arg)
{
    const double parts[2] = {arg->value.c.real, arg->value.c.imaginary};
    const float narrow[2] = {(float)parts[0], (float)parts[1]};
    switch (arg->scalar) {
    case CK_COMPLEX64:
        memcpy(slot, narrow, sizeof narrow);
        return slot + 1;
    case CK_COMPLEX128:
        memcpy(slot, parts, sizeof parts);
        return slot + 2;
    default:
        *slot = scalar_bits(arg);
        return slot + 1;
    }
}

static uint64_t *
pack_array(uint64_t *slot, const ck_param_info *param, const ck_array *array)
{
    const int ndim = ck_param_n_dims(param, array);
    *slot++ = array->data;
    for (int d = 0; d < ndim; d++)
        *slot++ = (uint64_t)array->shape[d];
    if (param->layout != CK_STRIDED)
        return slot;
    for (int d = 0; d < ndim; d++)
        *slot++ = (uint64_t)(array->strides[d] / (int64_t)ck_param_item_size(param, array));
    return slot;
}

void
ck_args_pack(uint64_t *slots, const ck_kernel_desc *desc, const ck_arg *args)
{
    for (int i = 0; i < desc->n_params; i++) {
        if (is_mark(&args[i]))
            continue;
        if (args[i].scalar)
            slots = pack_scalar(slots, &args[i]);
        else
            slots = pack_array(slots, &desc->params[i], args[i].value.array);
    }
}

/* --- Launches that are like the last -----------------------------------------------------------
 * What is known of a launch's arguments beside what is in their slots, one behind the other as the
 * next launch's are compared with it: of each a word of what it is, in which a vector's numbers are
 * those of the array's last dimension, then a tuple's number of items
 * or an array's strides, and of its records a hash.
 */

enum { DTYPE_SHIFT = 16, NDIM_SHIFT = 32, SLOTS_SHIFT = 40, LANES_SHIFT = 56 };

size_t
ck_args_n_seen(const ck_kernel_desc *desc)
{
    size_t n = 0;
    for (int i = 0; i < desc->n_params; i++)
        n += 3 + (size_t)(desc->params[i].ndim > 0 ? desc->params[i].ndim : 0);
    return n;
}

void
ck_args_see(uint64_t *seen, const ck_kernel_desc *desc, const ck_arg *args)
{
    for (int i = 0; i < desc->n_params; i++) {
        const ck_array *array = args[i].scalar ? NULL : args[i].value.array;
        *seen = (uint64_t)args[i].scalar | (uint64_t)ck_args_param_slots(&desc->params[i])
                                               << SLOTS_SHIFT;
        if (array)
            *seen |= (uint64_t)array->dtype << DTYPE_SHIFT | (uint64_t)array->ndim << NDIM_SHIFT;
        if (array && array->dtype != CK_RECORD)
            *seen |= (uint64_t)desc->params[i].lanes << LANES_SHIFT;
        seen++;
        for (int d = 0; array && d < array->ndim; d++)
            *seen++ = (uint64_t)array->strides[d];
        if (array && array->dtype == CK_RECORD)
            *seen++ = ck_record_hash(array->record);
        if (args[i].scalar == CK_TUPLE)
            *seen++ = items_of(&args[i]);
    }
}

/* `slots`: the address and the shape. */
static bool
is_same_array(const uint64_t *slots, const uint64_t *strides, uint64_t what, const ck_array *array,
              bool *moved)
{
    if (!array || (uint16_t)(what >> DTYPE_SHIFT) != array->dtype ||
        (uint8_t)(what >> NDIM_SHIFT) != array->ndim)
        return false;
    const int lanes = (int)(what >> LANES_SHIFT);
    for (int d = 0; d < array->ndim; d++) {
        const uint64_t extent = lanes && d == array->ndim - 1 ? (uint64_t)lanes : slots[1 + d];
        if (extent != (uint64_t)array->shape[d] || strides[d] != (uint64_t)array->strides[d])
            return false;
    }
    if (array->dtype == CK_RECORD && (!ck_record_is_sound(array->record) ||
                                      strides[array->ndim] != ck_record_hash(array->record)))
        return false;
    if (slots[0] == array->data)
        return true;
    *moved = true;
    return array->data && (slots[0] | array->data) % CK_ARRAY_ALIGN == 0;
}

bool
ck_args_take_seen(uint64_t *slots, const uint64_t *seen, const ck_arg *args, size_t n_args,
                  bool *moved)
{
    *moved = false;
    for (size_t i = 0; i < n_args; i++) {
        const ck_arg *arg = &args[i];
        const uint64_t what = *seen++;
        if ((uint16_t)what != arg->scalar)
            return false;
        if (!arg->scalar) {
            if (!is_same_array(slots, seen, what, arg->value.array, moved))
                return false;
            seen += arg->value.array->ndim + (arg->value.array->dtype == CK_RECORD);
        } else if (is_mark(arg)) {
            if (arg->scalar == CK_TUPLE && *seen++ != items_of(arg))
                return false;
        } else {
            if (!is_in_range(arg))
                return false;
            pack_scalar(slots, arg);
        }
        slots += (uint16_t)(what >> SLOTS_SHIFT);
    }
    return true;
}
