/* Checking attributes and methods of arrays: shape and strides, other types for the same memory,
 * axes in another order. */
#include <string.h>

#include "lang/check/builtins/rules.h"
#include "lang/check/element.h"

/* --- Attributes ----------------------------------------------------------------------------------
 */

/* The value for several uses: one with effects is bound to a name, and *let is the binding that
 * goes around the result. */
static struct ck_texpr *
begin(struct ck_fn *fn, const struct ck_value *value, struct ck_texpr **let)
{
    *let = NULL;
    if (!ck_has_effect(value->expr))
        return value->expr;
    return ck_let_new(fn, value->expr, value->expr->span, let);
}

static struct ck_value
finish(struct ck_texpr *let, struct ck_value value)
{
    value.expr = ck_let_in(let, value.expr);
    return value;
}

/* The shape or the strides. */
static struct ck_value
extents(struct ck_fn *fn, enum ck_texpr_kind kind, const struct ck_value *array,
        struct ck_span span)
{
    int n = array->type->array.ndim;
    const struct ck_type *types[CK_MAX_NDIM];
    struct ck_texpr *let, *held = begin(fn, array, &let);
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, NULL, span);
    tuple->tuple.n = n;
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n);
    for (int i = 0; i < n; i++) {
        types[i] = ck_type_scalar(CK_TYPE_INT64);
        tuple->tuple.items[i] = ck_extent_expr(fn, kind, held, i, span);
    }
    tuple->type = ck_type_tuple(&fn->c->types, types, n);
    struct ck_value value = ck_value_run(tuple->type, tuple);
    value.nonnegative = kind == CK_T_SHAPE;
    return finish(let, value);
}

struct ck_value
ck_number_of(struct ck_fn *fn, const struct ck_value *value, int number, struct ck_span span)
{
    struct ck_texpr *let;
    begin(fn, value, &let);
    return finish(let, ck_value_int(fn, number, span));
}

/* The number of elements, times `each`. */
static struct ck_value
array_size(struct ck_fn *fn, const struct ck_value *array, int each, struct ck_span span)
{
    if (!array->type->array.ndim)
        return ck_number_of(fn, array, each, span);
    struct ck_texpr *let, *held = begin(fn, array, &let);
    struct ck_texpr *size = ck_extent_expr(fn, CK_T_SHAPE, held, 0, span);
    for (int i = 1; i < array->type->array.ndim; i++)
        size = ck_binary_expr(fn, CK_OP_MUL, size, ck_extent_expr(fn, CK_T_SHAPE, held, i, span),
                              span);
    if (each != 1)
        size = ck_binary_expr(fn, CK_OP_MUL, size, ck_const_int(fn, size->type, each, span), span);
    struct ck_value value = ck_value_run(size->type, size);
    value.nonnegative = true;
    return finish(let, value);
}

static struct ck_value
dtype_of(struct ck_fn *fn, const struct ck_value *array, struct ck_span span)
{
    if (ck_has_effect(array->expr)) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, span, "the dtype of something that is computed only for it");
        ck_diag_help(fn->c->diags, diag, "give the array a name before");
        return ck_value_error(span);
    }
    return (struct ck_value){.kind = CK_VALUE_TYPE, .type = array->type->array.elem, .span = span};
}

/* --- The order of the axes -----------------------------------------------------------------------
 */

/* Axis i of the result is axis order[i] of the array. */
static struct ck_value
transposed(struct ck_fn *fn, const struct ck_value *array, const int *order, struct ck_span span)
{
    const struct ck_type *type = array->type;
    int ndim = type->array.ndim;
    bool same = true, reversed = true;
    for (int i = 0; i < ndim; i++) {
        same = same && order[i] == i;
        reversed = reversed && order[i] == ndim - 1 - i;
    }
    enum ck_layout layout = same                                ? type->array.layout
                            : !reversed                         ? CK_LAYOUT_ANY
                            : type->array.layout == CK_LAYOUT_C ? CK_LAYOUT_F
                            : type->array.layout == CK_LAYOUT_F ? CK_LAYOUT_C
                                                                : CK_LAYOUT_ANY;
    struct ck_texpr *view = ck_texpr_new(
        fn, CK_T_TRANSPOSE,
        ck_type_array_like(&fn->c->types, type, ndim, layout, type->array.space), span);
    int *copy = CK_NEW_ARRAY(fn->c->arena, int, ndim);
    memcpy(copy, order, (size_t)ndim * sizeof *copy);
    view->transpose.array = array->expr;
    view->transpose.order = copy;
    if (fn->constant_only && array->expr->kind == CK_T_ARRAY)
        return ck_const_view(fn, view);
    struct ck_value value = ck_value_run(view->type, view);
    struct ck_axis_extent *extents = CK_NEW_ARRAY(fn->c->arena, struct ck_axis_extent, ndim);
    for (int i = 0; i < ndim; i++)
        extents[i] = ck_known_extent(array, order[i]);
    value.extents = extents;
    return value;
}

static struct ck_value
reversed_axes(struct ck_fn *fn, const struct ck_value *array, struct ck_span span)
{
    int order[CK_MAX_NDIM] = {0}, ndim = array->type->array.ndim;
    for (int i = 0; i < ndim; i++)
        order[i] = ndim - 1 - i;
    return transposed(fn, array, order, span);
}

/* The axes written as arguments: constants, each axis once. False after an error. */
static bool
axes_of_args(const struct ck_call *call, int ndim, int order[CK_MAX_NDIM])
{
    struct ck_fn *fn = call->fn;
    bool is_tuple = call->n_args == 1 && call->args[0].type->kind == CK_TYPE_TUPLE;
    int n = is_tuple ? call->args[0].type->tuple.n : call->n_args;
    bool seen[CK_MAX_NDIM] = {false};
    for (int i = 0; i < n; i++) {
        struct ck_value axis = is_tuple ? ck_tuple_item(fn, &call->args[0], i) : call->args[i];
        int64_t number;
        if (!ck_type_is_int(axis.type)) {
            ck_wrong_type(call, is_tuple ? 0 : i, "integers");
            return false;
        }
        if (!ck_value_const_int(&axis, &number)) {
            ck_error(fn, NOT_CONSTANT, call->args[is_tuple ? 0 : i].span);
            return false;
        }
        number += number < 0 ? ndim : 0;
        if (n != ndim || number < 0 || number >= ndim || seen[number]) {
            ck_error(fn, WRONG_TYPE, call->syntax->span,
                     ck_arena_printf(fn->c->arena, "the axes of %s are 0 to %d, each of them once",
                                     ck_text_of(fn, call->self->type), ndim - 1));
            return false;
        }
        seen[number] = true;
        order[i] = (int)number;
    }
    return true;
}

/* --- Methods -------------------------------------------------------------------------------------
 */

const struct ck_value *
ck_receiver(const struct ck_call *call)
{
    const struct ck_value *array = call->self;
    if (array && array->kind == CK_VALUE_RUN && ck_type_is_array(array->type))
        return array;
    struct ck_diag *diag = ck_error(call->fn, WRONG_TYPE, call->syntax->span,
                                    "a method is called on an array, not by another name");
    ck_diag_help(call->fn->c->diags, diag, "write `x%s(...)` for an array `x`",
                 strchr(ck_builtin_path(call->id), '.'));
    return NULL;
}

struct ck_value
ck_rule_array_axes(struct ck_call *call)
{
    const struct ck_value *array = ck_receiver(call);
    int order[CK_MAX_NDIM] = {0};
    if (!array)
        return ck_value_error(call->syntax->span);
    if (call->n_args == 0)
        return reversed_axes(call->fn, array, call->syntax->span);
    if (!axes_of_args(call, array->type->array.ndim, order))
        return ck_value_error(call->syntax->span);
    return transposed(call->fn, array, order, call->syntax->span);
}

/* The type that a view's argument names. NULL after an error. */
static const struct ck_type *
wanted_dtype(const struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_argument *arg = &call->syntax->call.args[0];
    if (arg->name && strcmp(arg->name, "dtype") != 0) {
        ck_error(fn, KEYWORD, arg->name_span, arg->name, ck_builtin_path(call->id));
        return NULL;
    }
    struct ck_value value = ck_check_expr(fn, arg->value);
    return ck_element_type_of(fn, &value);
}

/* Whether the last axis is known not to be contiguous. */
static bool
has_gaps(const struct ck_value *array)
{
    const struct ck_type *type = array->type;
    if (type->array.layout == CK_LAYOUT_F)
        return type->array.ndim > 1;
    if (array->expr->kind != CK_T_VIEW)
        return false;
    const struct ck_texpr *step = NULL, *view = array->expr;
    for (int i = 0; i < view->view.array->type->array.ndim; i++) {
        if (view->view.axes[i].is_slice)
            step = view->view.axes[i].step;
    }
    return step && step->kind == CK_T_CONST;
}

static bool
rescales(const struct ck_call *call, const struct ck_value *array, const struct ck_type *elem)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *type = array->type;
    int64_t size = ck_type_size(type->array.elem), wanted = ck_type_size(elem);
    if (type->array.ndim == 0) {
        ck_error(fn, WRONG_TYPE, call->syntax->span,
                 ck_arena_printf(fn->c->arena, "%s cannot be a view of elements of another size",
                                 ck_text_of(fn, type)));
        return false;
    }
    if (has_gaps(array)) {
        struct ck_diag *diag = ck_error(
            fn, WRONG_TYPE, call->syntax->span,
            ck_arena_printf(fn->c->arena,
                            "the last axis of %s is not contiguous here, so that %s, of another "
                            "size, cannot be its type",
                            ck_text_of(fn, type), ck_text_of(fn, elem)));
        if (type->array.layout == CK_LAYOUT_F)
            ck_diag_help(fn->c->diags, diag, "view its transpose: `.T.view(%s)`",
                         ck_text_of(fn, elem));
        return false;
    }
    int64_t last = ck_known_extent(array, type->array.ndim - 1).n;
    if (last >= 0 && last * size % wanted) {
        ck_error(fn, WRONG_TYPE, call->syntax->span,
                 ck_arena_printf(fn->c->arena,
                                 "the last axis has %lld bytes (%lld of %s), not a multiple of the "
                                 "%lld of %s",
                                 (long long)(last * size), (long long)last,
                                 ck_text_of(fn, type->array.elem), (long long)wanted,
                                 ck_text_of(fn, elem)));
        return false;
    }
    return true;
}

struct ck_value
ck_rule_array_view(struct ck_call *call)
{
    const struct ck_value *array = ck_receiver(call);
    const struct ck_type *elem = array ? wanted_dtype(call) : NULL;
    if (!elem)
        return ck_value_error(call->syntax->span);
    const struct ck_type *type = array->type;
    enum ck_layout layout = type->array.layout;
    if (type->array.align || type->array.pitch) {
        ck_has_aligned_scalars(call->fn, array, ck_builtin_path(call->id));
        return ck_value_error(call->syntax->span);
    }
    if (ck_type_size(elem) != ck_type_size(type->array.elem)) {
        if (!rescales(call, array, elem))
            return ck_value_error(call->syntax->span);
        layout = type->array.ndim == 1 ? CK_LAYOUT_C : layout;
    }
    if (ck_type_align(elem) > ck_array_align(type) && call->fn->out)
        call->fn->out->effects |= CK_EFFECT_WIDE_VIEW;
    struct ck_texpr *view = ck_texpr_new(
        call->fn, CK_T_REINTERPRET,
        ck_type_array(&call->fn->c->types, elem, type->array.ndim, layout, type->array.space),
        call->syntax->span);
    view->operand = array->expr;
    return ck_value_run(view->type, view);
}

/* --- The table -----------------------------------------------------------------------------------
 */

/* The attribute after the dot; false: unknown. */
bool
ck_array_attribute(struct ck_fn *fn, const struct ck_value *array, const struct ck_expr *expr,
                   struct ck_value *out)
{
    enum { SHAPE, STRIDES, NDIM, SIZE, DTYPE, ITEMSIZE, NBYTES, TRANSPOSED, N };
    static const char *const names[N] = {"shape", "strides",  "ndim",   "size",
                                         "dtype", "itemsize", "nbytes", "T"};
    const char *name = expr->attribute.name;
    const struct ck_span span = expr->span;
    int each = ck_type_size(array->type->array.elem), i = 0;
    while (i < N && strcmp(name, names[i]) != 0)
        i++;
    switch (i) {
    case SHAPE:
        *out = extents(fn, CK_T_SHAPE, array, span);
        return true;
    case STRIDES:
        *out = extents(fn, CK_T_STRIDE, array, span);
        return true;
    case NDIM:
        *out = ck_number_of(fn, array, array->type->array.ndim, span);
        return true;
    case SIZE:
        *out = array_size(fn, array, 1, span);
        return true;
    case DTYPE:
        *out = dtype_of(fn, array, span);
        return true;
    case ITEMSIZE:
        *out = ck_number_of(fn, array, each, span);
        return true;
    case NBYTES:
        *out = array_size(fn, array, each, span);
        return true;
    case TRANSPOSED:
        *out = reversed_axes(fn, array, span);
        return true;
    default:
        break;
    }
    int id = ck_builtin_find(ck_arena_printf(fn->c->arena, "ndarray.%s", name));
    *out = (struct ck_value){.kind = CK_VALUE_BUILTIN, .span = span};
    if (id >= 0)
        out->builtin = (enum ck_builtin_id)id;
    return id >= 0;
}
