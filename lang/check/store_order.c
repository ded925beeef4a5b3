/* The order in which a store to a view goes through its elements, where the stored value reads
 * others of the same array: `a[1:] = a[:-1]`. NumPy reads all of them before it stores one. Here an
 * element is stored as soon as it is computed; so that all are read in time, the store goes through
 * an axis from the end along which the elements that are read lie before those that are stored.
 *
 * What a name of an array shows of which memory is kept with the name's binding, as far as it is
 * known at compile time: `b = a[::-1]; a[:] = b`. */
#include "lang/check/store_order.h"

#include <string.h>

/* --- What a view shows of its memory -------------------------------------------------------------
 */

enum memory_kind {
    MEMORY_PARAM,   /* of a parameter, by its number */
    MEMORY_MODULE,  /* of an array of the module */
    MEMORY_MADE,    /* of a shared or local array, by the place that makes it */
    MEMORY_DYNAMIC, /* the block's dynamic shared memory */
};

struct memory {
    enum memory_kind kind;
    uint32_t number;
    const void *of_module;
    const struct ck_type *elem; /* of the array that has it */
    int field;                  /* the offset of that field of its elements; -1: none */
};

/* A part of the memory of an array, and what it shows of each of the array's axes. */
struct ck_window {
    struct memory memory;
    bool is_part;  /* not the whole array */
    bool is_plain; /* it has one slice or index of each axis, as `axes` says */
    int ndim;
    struct ck_taxis axes[CK_MAX_NDIM];
    bool is_unknown[CK_MAX_NDIM]; /* the axis is an index or a slice that is not known */
    const struct ck_texpr *array; /* an expression of the whole array here; NULL: there is none */
};

static bool
is_whole(const struct ck_taxis *axis)
{
    return axis->is_slice && !axis->start.value && !axis->stop.value && !axis->step;
}

static void
whole_window(struct ck_window *out, struct memory memory, const struct ck_texpr *array, int ndim)
{
    *out = (struct ck_window){.memory = memory, .is_plain = true, .ndim = ndim, .array = array};
    for (int i = 0; i < ndim; i++)
        out->axes[i].is_slice = true;
}

/* Narrows what a window shows to a view of it. */
static void
narrow_window(struct ck_window *window, const struct ck_taxis *axes)
{
    for (int i = 0, outer = 0; i < window->ndim && window->is_plain; i++) {
        if (!window->axes[i].is_slice)
            continue;
        const struct ck_taxis *axis = &axes[outer++];
        const bool was_whole = is_whole(&window->axes[i]) && !window->is_unknown[i];
        window->is_part = window->is_part || !is_whole(axis);
        if (was_whole)
            window->axes[i] = *axis;
        else if (!is_whole(axis))
            window->is_plain = false;
    }
    window->is_part = window->is_part || !window->is_plain;
}

static bool
window_of_made(const struct ck_texpr *expr, struct ck_window *out)
{
    const bool is_shared = expr->builtin.id == CK_BUILTIN_SHARED_ARRAY;
    if (!is_shared && expr->builtin.id != CK_BUILTIN_LOCAL_ARRAY)
        return false;
    const bool is_dynamic = is_shared && expr->builtin.shared == CK_SHARED_DYNAMIC;
    const struct memory memory = {
        .kind = is_dynamic ? MEMORY_DYNAMIC : MEMORY_MADE,
        .number = is_dynamic ? 0 : expr->span.start,
        .elem = expr->type->array.elem,
        .field = -1,
    };
    whole_window(out, memory, expr, expr->type->array.ndim);
    return true;
}

/* Of a local that a name is bound to, or of a temporary. NULL: not known. */
static const struct ck_window *
window_of_local(struct ck_fn *fn, const struct ck_texpr *local)
{
    const struct ck_binding *binding = ck_binding_of_local(fn, local);
    if (binding)
        return binding->value.window;
    int low = 0, high = fn->held_arrays.n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (fn->held_arrays.items[middle].local < local->local)
            low = middle + 1;
        else
            high = middle;
    }
    const bool is_held =
        low < fn->held_arrays.n && fn->held_arrays.items[low].local == local->local;
    return is_held ? fn->held_arrays.items[low].window : NULL;
}

/* False: it is not known whose memory it is. */
static bool
window_of(struct ck_fn *fn, const struct ck_texpr *expr, struct ck_window *out)
{
    const struct ck_window *known;
    switch (expr->kind) {
    case CK_T_LOCAL:
        known = window_of_local(fn, expr);
        if (!known)
            return false;
        *out = *known;
        out->array = out->is_part || !out->is_plain ? NULL : expr;
        return true;
    case CK_T_MODULE_ARRAY:
        whole_window(out,
                     (struct memory){.kind = MEMORY_MODULE,
                                     .of_module = expr->module_array,
                                     .elem = expr->type->array.elem,
                                     .field = -1},
                     expr, expr->type->array.ndim);
        return true;
    case CK_T_BUILTIN:
        return window_of_made(expr, out);
    case CK_T_VIEW:
        if (!window_of(fn, expr->view.array, out))
            return false;
        narrow_window(out, expr->view.axes);
        return true;
    case CK_T_FIELD:
        if (!window_of(fn, expr->field.array, out))
            return false;
        if (out->is_plain && !out->is_part) {
            out->memory.field =
                expr->field.offset + (out->memory.field < 0 ? 0 : out->memory.field);
            whole_window(out, out->memory, expr, expr->type->array.ndim);
        }
        out->is_plain = out->is_plain && !out->is_part;
        return true;
    case CK_T_RETYPE:
    case CK_T_REINTERPRET:
        if (!window_of(fn, expr->operand, out))
            return false;
        out->is_plain = out->is_plain && expr->kind == CK_T_RETYPE;
        return true;
    case CK_T_TRANSPOSE:
    case CK_T_RESHAPE:
        if (!window_of(fn,
                       expr->kind == CK_T_TRANSPOSE ? expr->transpose.array : expr->reshape.array,
                       out))
            return false;
        out->is_plain = false;
        return true;
    default:
        return false;
    }
}

/* --- Windows of names ----------------------------------------------------------------------------
 */

static bool
is_constant(const struct ck_texpr *number)
{
    return !number || number->kind == CK_T_CONST;
}

const struct ck_window *
ck_window_of_param(struct ck_fn *fn, int number, const struct ck_type *type)
{
    struct ck_window *window = CK_NEW(fn->c->arena, struct ck_window);
    const struct memory memory = {
        .kind = MEMORY_PARAM, .number = (uint32_t)number, .elem = type->array.elem, .field = -1};
    whole_window(window, memory, NULL, type->array.ndim);
    return window;
}

const struct ck_window *
ck_window_to_keep(struct ck_fn *fn, const struct ck_texpr *array)
{
    struct ck_window *window = CK_NEW(fn->c->arena, struct ck_window);
    if (!window_of(fn, array, window))
        return NULL;
    window->array = NULL;
    for (int i = 0; i < window->ndim; i++) {
        const struct ck_taxis *axis = &window->axes[i];
        window->is_unknown[i] = window->is_unknown[i] || !is_constant(axis->index.value) ||
                                !is_constant(axis->start.value) || !is_constant(axis->step);
    }
    return window;
}

void
ck_hold_window(struct ck_fn *fn, int local, const struct ck_texpr *array)
{
    const struct ck_held_array held = {.local = local, .window = ck_window_to_keep(fn, array)};
    CK_PUSH(fn->c->arena, fn->held_arrays.items, fn->held_arrays.n, fn->held_arrays.capacity, held);
}

static bool
same_number(const struct ck_texpr *a, const struct ck_texpr *b)
{
    if (!a || !b || a->kind != b->kind)
        return a == b;
    if (a->kind == CK_T_LOCAL)
        return a->local == b->local;
    return ck_is_constant(a) && ck_same_constant(a, b);
}

static bool
same_memory(const struct memory *a, const struct memory *b)
{
    return a->kind == b->kind && a->number == b->number && a->of_module == b->of_module;
}

static bool
same_axes(const struct ck_window *a, const struct ck_window *b)
{
    return a->is_plain == b->is_plain && a->ndim == b->ndim && a->memory.field == b->memory.field &&
           a->memory.elem == b->memory.elem;
}

static bool
same_axis(const struct ck_taxis *a, const struct ck_taxis *b)
{
    return a->is_slice == b->is_slice && same_number(a->index.value, b->index.value) &&
           same_number(a->start.value, b->start.value) && same_number(a->step, b->step);
}

bool
ck_same_window(const struct ck_window *a, const struct ck_window *b)
{
    if (a == b || !a || !b)
        return a == b;
    if (!same_memory(&a->memory, &b->memory) || !same_axes(a, b) || a->is_part != b->is_part)
        return false;
    for (int i = 0; i < a->ndim && a->is_plain; i++) {
        if (a->is_unknown[i] != b->is_unknown[i] || a->axes[i].is_slice != b->axes[i].is_slice ||
            (!a->is_unknown[i] && !same_axis(&a->axes[i], &b->axes[i])))
            return false;
    }
    return true;
}

const struct ck_window *
ck_common_window(struct ck_fn *fn, const struct ck_window *a, const struct ck_window *b)
{
    if (ck_same_window(a, b))
        return a;
    if (!a || !b || !same_memory(&a->memory, &b->memory))
        return NULL;
    struct ck_window *common = CK_NEW(fn->c->arena, struct ck_window);
    *common = *a;
    common->is_part = true;
    common->is_plain = a->is_plain && same_axes(a, b);
    for (int i = 0; i < a->ndim && common->is_plain; i++) {
        common->is_plain = a->axes[i].is_slice == b->axes[i].is_slice;
        common->is_unknown[i] =
            a->is_unknown[i] || b->is_unknown[i] || !same_axis(&a->axes[i], &b->axes[i]);
    }
    return common;
}

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
        const bool is_same = is_known && same_number(a, b);
        const bool is_constant = is_known && a->kind == CK_T_CONST && b->kind == CK_T_CONST;
        out->is_apart =
            is_constant && (a->constant.i < 0) == (b->constant.i < 0) && !ck_same_constant(a, b);
        out->may_be_apart = !is_same && !out->is_apart;
        return true;
    }
    out->may_be_apart = !is_known;
    if (!is_known || !same_number(to->step, from->step))
        return false;
    if (same_number(to->start.value, from->start.value))
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
overlap_of_arrays(const struct memory *a, const struct memory *b)
{
    const bool is_made = a->kind == MEMORY_MADE || b->kind == MEMORY_MADE;
    const bool is_param = a->kind == MEMORY_PARAM || b->kind == MEMORY_PARAM;
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
    if (!window_of(fn, view, &to) || !window_of(fn, operand, &from))
        return CK_OVERLAP_UNKNOWN;
    if (!same_memory(&to.memory, &from.memory))
        return overlap_of_arrays(&to.memory, &from.memory);
    if (to.memory.field >= 0 && from.memory.field >= 0 && to.memory.field != from.memory.field)
        return CK_OVERLAP_NONE;
    if (to.is_plain && from.is_plain && same_axes(&to, &from))
        return restrict_by_axes(fn, order, &to, &from, repeats);
    return to.is_part || from.is_part ? CK_OVERLAP_UNSURE : CK_OVERLAP_UNORDERED;
}
