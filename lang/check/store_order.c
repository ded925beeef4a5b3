/* The order in which a store to a view goes through its elements, where the stored value reads
 * others of the same array: `a[1:] = a[:-1]`. NumPy reads all of them before it stores one. Here an
 * element is stored as soon as it is computed; so that all are read in time, the store goes through
 * an axis from the end along which the elements that are read lie before those that are stored. */
#include "lang/check/store_order.h"

#include <string.h>

/* --- What a view shows of its array --------------------------------------------------------------
 */

/* An array, and what a view shows of each of its axes. */
struct window {
    const struct ck_texpr *array;
    struct ck_taxis axes[CK_MAX_NDIM];
};

static bool
is_whole(const struct ck_taxis *axis)
{
    return axis->is_slice && !axis->start.value && !axis->stop.value && !axis->step;
}

/* False: it is not a view by one slice or index of each axis of an array. */
static bool
window_of(const struct ck_texpr *expr, struct window *out)
{
    if (expr->kind != CK_T_VIEW) {
        out->array = expr;
        for (int i = 0; i < expr->type->array.ndim; i++)
            out->axes[i] = (struct ck_taxis){.is_slice = true};
        return true;
    }
    if (!window_of(expr->view.array, out))
        return false;
    for (int i = 0, outer = 0; i < out->array->type->array.ndim; i++) {
        if (!out->axes[i].is_slice)
            continue;
        const struct ck_taxis *axis = &expr->view.axes[outer++];
        if (is_whole(&out->axes[i]))
            out->axes[i] = *axis;
        else if (!is_whole(axis))
            return false;
    }
    return true;
}

/* What has the memory: a local or an array of the module; NULL: not known. */
static const struct ck_texpr *
owner_of(const struct ck_texpr *expr)
{
    switch (expr->kind) {
    case CK_T_LOCAL:
    case CK_T_MODULE_ARRAY:
        return expr;
    case CK_T_VIEW:
        return owner_of(expr->view.array);
    case CK_T_TRANSPOSE:
        return owner_of(expr->transpose.array);
    case CK_T_RESHAPE:
        return owner_of(expr->reshape.array);
    case CK_T_FIELD:
        return owner_of(expr->field.array);
    default:
        return NULL;
    }
}

static bool
same_owner(const struct ck_texpr *a, const struct ck_texpr *b)
{
    const struct ck_texpr *x = owner_of(a), *y = owner_of(b);
    if (!x || !y || x->kind != y->kind)
        return false;
    return x->kind == CK_T_LOCAL ? x->local == y->local : x->module_array == y->module_array;
}

static bool
same_array(const struct ck_texpr *a, const struct ck_texpr *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == CK_T_FIELD)
        return a->field.offset == b->field.offset && same_array(a->field.array, b->field.array);
    return (a->kind == CK_T_LOCAL || a->kind == CK_T_MODULE_ARRAY) && same_owner(a, b);
}

/* --- The way along an axis -----------------------------------------------------------------------
 */

static bool
same_number(const struct ck_texpr *a, const struct ck_texpr *b)
{
    if (!a || !b || a->kind != b->kind)
        return a == b;
    if (a->kind == CK_T_LOCAL)
        return a->local == b->local;
    return ck_is_constant(a) && ck_same_constant(a, b);
}

/* The start of a slice if it is a constant, or absent: below zero it counts from the end. */
static bool
known_start(const struct ck_taxis *axis, bool falls, int64_t *out)
{
    *out = falls ? -1 : 0;
    if (!axis->start.value)
        return true;
    if (axis->start.value->kind == CK_T_CONST)
        *out = ck_clamped_int(axis->start.value);
    return axis->start.value->kind == CK_T_CONST;
}

/* The position at which a slice without a step starts. */
static struct ck_texpr *
start_position(struct ck_fn *fn, const struct ck_taxis *axis, const struct ck_texpr *array, int dim)
{
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    const struct ck_span span = array->span;
    struct ck_texpr *zero = ck_const_int(fn, i64, 0, span);
    if (!axis->start.value)
        return zero;
    struct ck_texpr *start = ck_cast(fn, axis->start.value, i64);
    if (!axis->start.wrap)
        return start;
    struct ck_texpr *extent = ck_extent_expr(fn, CK_T_SHAPE, (struct ck_texpr *)array, dim, span);
    struct ck_texpr *from_end = ck_binary_expr(fn, CK_OP_ADD, start, extent, span);
    struct ck_texpr *before = ck_compare_expr(fn, CK_CMP_LT, from_end, zero, span);
    struct ck_texpr *wrapped = ck_select_expr(fn, before, zero, from_end, span);
    return ck_select_expr(fn, ck_compare_expr(fn, CK_CMP_LT, start, zero, span), wrapped, start,
                          span);
}

struct way {
    bool is_apart; /* the two have no elements in common */
    enum ck_direction direction;
    struct ck_texpr *falls_if;
};

static bool
way_of_known(int64_t view, int64_t operand, int64_t step, struct way *out)
{
    const int64_t ahead = step < 0 ? view - operand : operand - view;
    if ((view < 0) != (operand < 0))
        return false;
    out->is_apart = ahead % step != 0 && view >= 0;
    if (ahead % step != 0 && view < 0)
        return false;
    out->direction = ahead > 0 ? CK_RISES : ahead < 0 ? CK_FALLS : CK_ANY_WAY;
    return true;
}

/* The way in which a store goes along an axis. False: none is right. */
static bool
way_along(struct ck_fn *fn, const struct window *view, const struct window *operand, int dim,
          struct way *out)
{
    const struct ck_taxis *to = &view->axes[dim], *from = &operand->axes[dim];
    int64_t start, other;
    *out = (struct way){.direction = CK_ANY_WAY};
    if (to->is_slice != from->is_slice)
        return false;
    if (!to->is_slice) {
        const struct ck_texpr *a = to->index.value, *b = from->index.value;
        out->is_apart = a->kind == CK_T_CONST && b->kind == CK_T_CONST &&
                        (a->constant.i < 0) == (b->constant.i < 0) && !ck_same_constant(a, b);
        return true;
    }
    if (!same_number(to->step, from->step))
        return false;
    if (same_number(to->start.value, from->start.value))
        return true;
    const int64_t step = !to->step ? 1 : to->step->kind == CK_T_CONST ? to->step->constant.i : 0;
    if (!step)
        return false;
    if (known_start(to, step < 0, &start) && known_start(from, step < 0, &other) &&
        way_of_known(start, other, step, out))
        return true;
    if (to->step)
        return false;
    out->direction = CK_RISES_UNLESS;
    out->falls_if = ck_compare_expr(fn, CK_CMP_LT, start_position(fn, from, view->array, dim),
                                    start_position(fn, to, view->array, dim), view->array->span);
    return true;
}

/* --- The order -----------------------------------------------------------------------------------
 */

/* False: the two directions do not agree. */
static bool
restrict_by(struct ck_store_order *order, int dim, const struct way *way)
{
    enum ck_direction *direction = &order->by_dim[dim];
    if (way->direction == CK_ANY_WAY)
        return true;
    if (*direction != CK_ANY_WAY)
        return *direction == way->direction && *direction != CK_RISES_UNLESS;
    *direction = way->direction;
    order->falls_if[dim] = way->falls_if;
    return true;
}

bool
ck_restrict_order(struct ck_fn *fn, struct ck_store_order *order, const struct ck_texpr *view,
                  const struct ck_texpr *operand)
{
    struct ck_store_order restricted = *order;
    struct window to, from;
    if (!same_owner(view, operand))
        return true;
    if (!window_of(view, &to) || !window_of(operand, &from))
        return false;
    if (to.array->kind == CK_T_FIELD && from.array->kind == CK_T_FIELD &&
        to.array->field.offset != from.array->field.offset)
        return true;
    if (!same_array(to.array, from.array))
        return false;
    bool agrees = true;
    for (int dim = 0, axis = 0; dim < to.array->type->array.ndim; dim++) {
        struct way way;
        const bool exists = way_along(fn, &to, &from, dim, &way);
        if (exists && way.is_apart)
            return true;
        agrees =
            agrees && exists && (!to.axes[dim].is_slice || restrict_by(&restricted, axis, &way));
        axis += to.axes[dim].is_slice;
    }
    if (agrees)
        *order = restricted;
    return agrees;
}
