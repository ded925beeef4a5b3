/* The order in which a store to a view goes through its elements, where the stored value reads
 * others of the same array: `a[1:] = a[:-1]`. NumPy reads all of them before it stores one. Here an
 * element is stored as soon as it is computed; so that all are read in time, the store goes through
 * an axis from the end along which the elements that are read lie before those that are stored. */
#include "lang/check/store_order.h"

#include "lang/check/window.h"

/* --- The way along an axis -----------------------------------------------------------------------
 */

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
    bool may_be_apart;
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

/* The way in which a store goes along an axis. False: none is known to be right. */
static bool
way_along(struct ck_fn *fn, const struct ck_window *view, const struct ck_window *operand, int dim,
          struct way *out)
{
    const struct ck_taxis *to = &view->axes[dim], *from = &operand->axes[dim];
    const struct ck_texpr *array = view->array ? view->array : operand->array;
    int64_t start, other;
    *out = (struct way){.direction = CK_ANY_WAY};
    if (to->is_slice != from->is_slice)
        return false;
    const bool is_known = !view->is_unknown[dim] && !operand->is_unknown[dim];
    if (!to->is_slice) {
        const struct ck_texpr *a = to->index.value, *b = from->index.value;
        const bool is_same = is_known && ck_same_number(a, b);
        const bool is_constant = is_known && a->kind == CK_T_CONST && b->kind == CK_T_CONST;
        out->is_apart =
            is_constant && (a->constant.i < 0) == (b->constant.i < 0) && !ck_same_constant(a, b);
        out->may_be_apart = !is_same && !out->is_apart;
        return true;
    }
    out->may_be_apart = !is_known;
    if (!is_known || !ck_same_number(to->step, from->step))
        return false;
    if (ck_same_number(to->start.value, from->start.value))
        return true;
    const int64_t step = !to->step ? 1 : to->step->kind == CK_T_CONST ? to->step->constant.i : 0;
    if (!step)
        return false;
    if (known_start(to, step < 0, &start) && known_start(from, step < 0, &other) &&
        way_of_known(start, other, step, out))
        return true;
    out->may_be_apart = !array;
    if (to->step || !array)
        return false;
    out->direction = CK_RISES_UNLESS;
    out->falls_if = ck_compare_expr(fn, CK_CMP_LT, start_position(fn, from, array, dim),
                                    start_position(fn, to, array, dim), array->span);
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

/* Of two windows whose axes are known, of one memory. */
static enum ck_overlap
restrict_by_axes(struct ck_fn *fn, struct ck_store_order *order, const struct ck_window *to,
                 const struct ck_window *from, bool repeats)
{
    struct ck_store_order restricted = *order;
    bool agrees = !repeats, may_be_apart = false;
    for (int dim = 0, axis = 0; dim < to->ndim; dim++) {
        struct way way;
        const bool exists = way_along(fn, to, from, dim, &way);
        if (exists && way.is_apart)
            return CK_OVERLAP_NONE;
        may_be_apart = may_be_apart || way.may_be_apart;
        agrees =
            agrees && exists && (!to->axes[dim].is_slice || restrict_by(&restricted, axis, &way));
        axis += to->axes[dim].is_slice;
    }
    if (!agrees)
        return may_be_apart ? CK_OVERLAP_UNSURE : CK_OVERLAP_UNORDERED;
    *order = restricted;
    return CK_OVERLAP_ORDERED;
}

/* Of two parts of different arrays: only a caller may know more of a parameter's memory. */
static enum ck_overlap
overlap_of_arrays(const struct ck_memory *a, const struct ck_memory *b)
{
    const bool is_made = a->kind == CK_MEMORY_MADE || b->kind == CK_MEMORY_MADE;
    const bool is_param = a->kind == CK_MEMORY_PARAM || b->kind == CK_MEMORY_PARAM;
    return is_made || !is_param ? CK_OVERLAP_NONE : CK_OVERLAP_UNKNOWN;
}

static bool
are_in_one_memory(const struct ck_type *a, const struct ck_type *b)
{
    return a->array.space == b->array.space || a->array.space == CK_SPACE_GENERIC ||
           b->array.space == CK_SPACE_GENERIC;
}

enum ck_overlap
ck_restrict_order(struct ck_fn *fn, struct ck_store_order *order, const struct ck_texpr *view,
                  const struct ck_texpr *operand, bool repeats)
{
    struct ck_window to, from;
    if (!are_in_one_memory(view->type, operand->type))
        return CK_OVERLAP_NONE;
    if (!ck_window_of(fn, view, &to) || !ck_window_of(fn, operand, &from))
        return CK_OVERLAP_UNKNOWN;
    if (!ck_same_memory(&to.memory, &from.memory))
        return overlap_of_arrays(&to.memory, &from.memory);
    if (to.memory.field >= 0 && from.memory.field >= 0 && to.memory.field != from.memory.field)
        return CK_OVERLAP_NONE;
    if (to.is_plain && from.is_plain && ck_same_axes(&to, &from))
        return restrict_by_axes(fn, order, &to, &from, repeats);
    return to.is_part || from.is_part ? CK_OVERLAP_UNSURE : CK_OVERLAP_UNORDERED;
}
