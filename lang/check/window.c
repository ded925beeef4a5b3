/* What a view shows of whose memory: which slice or index of each axis of an array. With the
 * binding of a name it is kept as far as it is constant: `b = a[::-1]; a[:] = b`. */
#include "lang/check/window.h"

/* --- What a view shows of its memory -------------------------------------------------------------
 */

static bool
is_whole(const struct ck_taxis *axis)
{
    return axis->is_slice && !axis->start.value && !axis->stop.value && !axis->step;
}

static void
whole_window(struct ck_window *out, struct ck_memory memory, const struct ck_texpr *array, int ndim)
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
    const struct ck_memory memory = {
        .kind = is_dynamic ? CK_MEMORY_DYNAMIC : CK_MEMORY_MADE,
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
bool
ck_window_of(struct ck_fn *fn, const struct ck_texpr *expr, struct ck_window *out)
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
                     (struct ck_memory){.kind = CK_MEMORY_MODULE,
                                        .of_module = expr->module_array,
                                        .elem = expr->type->array.elem,
                                        .field = -1},
                     expr, expr->type->array.ndim);
        return true;
    case CK_T_BUILTIN:
        return window_of_made(expr, out);
    case CK_T_VIEW:
        if (!ck_window_of(fn, expr->view.array, out))
            return false;
        narrow_window(out, expr->view.axes);
        return true;
    case CK_T_FIELD:
        if (!ck_window_of(fn, expr->field.array, out))
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
        if (!ck_window_of(fn, expr->operand, out))
            return false;
        out->is_plain = out->is_plain && expr->kind == CK_T_RETYPE;
        return true;
    case CK_T_TRANSPOSE:
    case CK_T_RESHAPE:
        if (!ck_window_of(
                fn, expr->kind == CK_T_TRANSPOSE ? expr->transpose.array : expr->reshape.array,
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
    const struct ck_memory memory = {
        .kind = CK_MEMORY_PARAM, .number = (uint32_t)number, .elem = type->array.elem, .field = -1};
    whole_window(window, memory, NULL, type->array.ndim);
    return window;
}

const struct ck_window *
ck_window_to_keep(struct ck_fn *fn, const struct ck_texpr *array)
{
    struct ck_window *window = CK_NEW(fn->c->arena, struct ck_window);
    if (!ck_window_of(fn, array, window))
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

bool
ck_same_number(const struct ck_texpr *a, const struct ck_texpr *b)
{
    if (!a || !b || a->kind != b->kind)
        return a == b;
    if (a->kind == CK_T_LOCAL)
        return a->local == b->local;
    return ck_is_constant(a) && ck_same_constant(a, b);
}

bool
ck_same_memory(const struct ck_memory *a, const struct ck_memory *b)
{
    return a->kind == b->kind && a->number == b->number && a->of_module == b->of_module;
}

bool
ck_same_axes(const struct ck_window *a, const struct ck_window *b)
{
    return a->is_plain == b->is_plain && a->ndim == b->ndim && a->memory.field == b->memory.field &&
           a->memory.elem == b->memory.elem;
}

static bool
same_axis(const struct ck_taxis *a, const struct ck_taxis *b)
{
    return a->is_slice == b->is_slice && ck_same_number(a->index.value, b->index.value) &&
           ck_same_number(a->start.value, b->start.value) && ck_same_number(a->step, b->step);
}

bool
ck_same_window(const struct ck_window *a, const struct ck_window *b)
{
    if (a == b || !a || !b)
        return a == b;
    if (!ck_same_memory(&a->memory, &b->memory) || !ck_same_axes(a, b) || a->is_part != b->is_part)
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
    if (!a || !b || !ck_same_memory(&a->memory, &b->memory))
        return NULL;
    struct ck_window *common = CK_NEW(fn->c->arena, struct ck_window);
    *common = *a;
    common->is_part = true;
    common->is_plain = a->is_plain && ck_same_axes(a, b);
    for (int i = 0; i < a->ndim && common->is_plain; i++) {
        common->is_plain = a->axes[i].is_slice == b->axes[i].is_slice;
        common->is_unknown[i] =
            a->is_unknown[i] || b->is_unknown[i] || !same_axis(&a->axes[i], &b->axes[i]);
    }
    return common;
}
