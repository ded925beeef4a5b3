/* Checking views: windows on arrays by slices or by fewer indices than dimensions. */
#include "lang/check/view.h"

/* --- Slices --------------------------------------------------------------------------------------
 */

/* One bound of a slice; absent where it is not written, or None. False after an error. */
static bool
slice_bound(struct ck_fn *fn, const struct ck_expr *bound, struct ck_value *out)
{
    *out = (struct ck_value){.kind = CK_VALUE_NONE};
    if (!bound || bound->kind == CK_EXPR_NONE)
        return true;
    *out = ck_check_run(fn, bound);
    if (out->kind != CK_VALUE_RUN)
        return false;
    if (ck_type_is_int(out->type) || out->type->kind == CK_TYPE_BOOL)
        return true;
    ck_error(fn, BAD_INDEX, out->span,
             ck_arena_printf(fn->c->arena, "%s cannot bound a slice", ck_text_of(fn, out->type)));
    return false;
}

static struct ck_tindex
bound_index(struct ck_fn *fn, const struct ck_value *bound)
{
    if (bound->kind == CK_VALUE_NONE)
        return (struct ck_tindex){0};
    struct ck_texpr *value = bound->type->kind == CK_TYPE_BOOL
                                 ? ck_cast(fn, bound->expr, ck_type_scalar(CK_TYPE_INT64))
                                 : bound->expr;
    return (struct ck_tindex){.value = value,
                              .wrap = !bound->nonnegative && ck_type_is_signed(value->type)};
}

static bool
slice_bounds(struct ck_fn *fn, const struct ck_expr *slice, struct ck_value bounds[3])
{
    bool good = slice_bound(fn, slice->slice.start, &bounds[0]);
    good = slice_bound(fn, slice->slice.stop, &bounds[1]) && good;
    good = slice_bound(fn, slice->slice.step, &bounds[2]) && good;
    int64_t step;
    if (good && bounds[2].kind == CK_VALUE_RUN && ck_value_const_int(&bounds[2], &step) &&
        step == 0) {
        ck_error(fn, BAD_INDEX, bounds[2].span, "the step of a slice is zero");
        return false;
    }
    return good;
}

bool
ck_slice_axis(struct ck_fn *fn, const struct ck_expr *slice, struct ck_taxis *out)
{
    struct ck_value bounds[3];
    int64_t step;
    *out = (struct ck_taxis){.is_slice = true};
    if (!slice_bounds(fn, slice, bounds))
        return false;
    out->start = bound_index(fn, &bounds[0]);
    out->stop = bound_index(fn, &bounds[1]);
    bool plain =
        bounds[2].kind == CK_VALUE_NONE || (ck_value_const_int(&bounds[2], &step) && step == 1);
    if (!plain)
        out->step = bound_index(fn, &bounds[2]).value;
    return true;
}

/* A bound of a slice of n items, clamped as in Python. */
static int64_t
clamped(int64_t bound, int64_t n, bool falls)
{
    if (bound < 0)
        bound += n;
    if (bound < 0)
        return falls ? -1 : 0;
    return bound >= n ? n - falls : bound;
}

/* The start and the end of a slice; NULL: absent. */
static int64_t
slice_begin(const int64_t *start, int64_t n, bool falls)
{
    return start ? clamped(*start, n, falls) : falls ? n - 1 : 0;
}

static int64_t
slice_end(const int64_t *stop, int64_t n, bool falls)
{
    return stop ? clamped(*stop, n, falls) : falls ? -1 : n;
}

struct ck_value
ck_slice_tuple(struct ck_fn *fn, struct ck_value tuple, const struct ck_expr *slice)
{
    struct ck_value bounds[3];
    int64_t given[3];
    int n = tuple.type->tuple.n, count = 0;
    if (!slice_bounds(fn, slice, bounds))
        return ck_value_error(slice->span);
    for (int i = 0; i < 3; i++) {
        if (bounds[i].kind == CK_VALUE_RUN && !ck_value_const_int(&bounds[i], &given[i])) {
            ck_error(fn, BAD_INDEX, bounds[i].span, "a slice of a tuple has constant bounds");
            return ck_value_error(slice->span);
        }
    }
    int64_t step = bounds[2].kind == CK_VALUE_RUN ? given[2] : 1;
    bool falls = step < 0;
    int64_t start = slice_begin(bounds[0].kind == CK_VALUE_RUN ? &given[0] : NULL, n, falls);
    int64_t stop = slice_end(bounds[1].kind == CK_VALUE_RUN ? &given[1] : NULL, n, falls);
    if (step < -n || step > n) /* beyond the other end: one item at most */
        step = falls ? -n - 1 : n + 1;
    struct ck_texpr *let = NULL;
    if (!ck_is_simple(tuple.expr) && (tuple.expr->kind != CK_T_TUPLE || ck_has_effect(tuple.expr)))
        tuple.expr = ck_let_new(fn, tuple.expr, slice->span, &let);
    const struct ck_type **types = CK_NEW_ARRAY(fn->c->arena, const struct ck_type *, n + 1);
    struct ck_texpr *result = ck_texpr_new(fn, CK_T_TUPLE, NULL, slice->span);
    result->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n + 1);
    for (int64_t i = start; falls ? i > stop : i < stop; i += step) {
        struct ck_value item = ck_tuple_item(fn, &tuple, (int)i);
        types[count] = item.type;
        result->tuple.items[count++] = item.expr;
    }
    result->tuple.n = count;
    const struct ck_type *type = ck_type_tuple(&fn->c->types, types, count);
    result->type = ck_storage_type(&fn->c->types, type);
    struct ck_value value = ck_value_run(type, ck_let_in(let, result));
    value.nonnegative = tuple.nonnegative;
    ck_cover_literals(&value, &tuple);
    return value;
}

/* --- Views ---------------------------------------------------------------------------------------
 */

static bool
is_whole(const struct ck_taxis *axis)
{
    return axis->is_slice && !axis->start.value && !axis->stop.value && !axis->step;
}

/* The tightest layout known at compile time. From the slowest axis of a contiguous source on:
 * indices, then one slice without a step, then whole axes are contiguous too. */
static enum ck_layout
view_layout(const struct ck_type *source, const struct ck_taxis *axes, int ndim)
{
    enum ck_layout layout = source->array.layout;
    int n = source->array.ndim, i = 0;
    if (layout == CK_LAYOUT_ANY)
        return CK_LAYOUT_ANY;
    bool is_fortran = layout == CK_LAYOUT_F;
#define FROM_SLOWEST(i) (&axes[is_fortran ? n - 1 - (i) : (i)])
    while (i < n && !FROM_SLOWEST(i)->is_slice)
        i++;
    if (i < n && !FROM_SLOWEST(i)->step)
        i++;
    while (i < n && is_whole(FROM_SLOWEST(i)))
        i++;
#undef FROM_SLOWEST
    if (i < n)
        return CK_LAYOUT_ANY;
    return ndim == 1 ? CK_LAYOUT_C : layout;
}

struct ck_texpr *
ck_view_of(struct ck_fn *fn, struct ck_texpr *array, const struct ck_taxis *axes, int n,
           struct ck_span span)
{
    const struct ck_type *source = array->type;
    struct ck_taxis *all = CK_NEW_ARRAY(fn->c->arena, struct ck_taxis, source->array.ndim);
    int ndim = 0;
    for (int i = 0; i < source->array.ndim; i++) {
        all[i] = i < n ? axes[i] : (struct ck_taxis){.is_slice = true};
        ndim += all[i].is_slice;
    }
    const struct ck_type *type = ck_type_array_like(
        &fn->c->types, source, ndim, view_layout(source, all, ndim), source->array.space);
    struct ck_texpr *view = ck_texpr_new(fn, CK_T_VIEW, type, span);
    view->view.array = array;
    view->view.axes = all;
    return view;
}

/* A bound or step that is constant or absent: *OUT is then STORE or NULL. */
static bool
known_bound(const struct ck_texpr *bound, int64_t *store, const int64_t **out)
{
    *out = bound ? store : NULL;
    if (!bound)
        return true;
    if (bound->kind != CK_T_CONST)
        return false;
    *store = ck_clamped_int(bound);
    return true;
}

bool
ck_slice_is_known(const struct ck_taxis *axis, int64_t n, struct ck_known_slice *out)
{
    int64_t bounds[3];
    const int64_t *start, *stop, *by;
    if (!known_bound(axis->start.value, &bounds[0], &start) ||
        !known_bound(axis->stop.value, &bounds[1], &stop) ||
        !known_bound(axis->step, &bounds[2], &by))
        return false;
    int64_t step = by ? *by : 1;
    bool falls = step < 0;
    int64_t begin = slice_begin(start, n, falls), end = slice_end(stop, n, falls);
    int64_t span = falls ? begin - end : end - begin;
    uint64_t magnitude = falls ? 0 - (uint64_t)step : (uint64_t)step;
    out->start = begin;
    out->step = step;
    out->length = span > 0 && magnitude ? (int64_t)((uint64_t)(span - 1) / magnitude) + 1 : 0;
    return true;
}

const struct ck_axis_extent *
ck_view_extents(struct ck_fn *fn, const struct ck_value *array, const struct ck_texpr *view)
{
    struct ck_axis_extent *out =
        CK_NEW_ARRAY(fn->c->arena, struct ck_axis_extent, view->type->array.ndim);
    bool any = false;
    int n = 0;
    for (int dim = 0; dim < array->type->array.ndim; dim++) {
        const struct ck_taxis *axis = &view->view.axes[dim];
        if (!axis->is_slice)
            continue;
        struct ck_axis_extent extent = ck_known_extent(array, dim);
        struct ck_known_slice slice;
        if (extent.n >= 0)
            extent.n = ck_slice_is_known(axis, extent.n, &slice) ? slice.length : -1;
        any = any || extent.n >= 0;
        out[n++] = extent;
    }
    return any ? out : NULL;
}

static bool
may_have_effect(const struct ck_texpr *expr)
{
    return expr && ck_has_effect(expr);
}

bool
ck_view_has_effect(const struct ck_texpr *view)
{
    for (int i = 0; i < view->view.array->type->array.ndim; i++) {
        const struct ck_taxis *axis = &view->view.axes[i];
        if (may_have_effect(axis->index.value) || may_have_effect(axis->start.value) ||
            may_have_effect(axis->stop.value) || may_have_effect(axis->step))
            return true;
    }
    return ck_has_effect(view->view.array);
}
