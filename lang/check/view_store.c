/* Checking stores to views, which become loops over their elements: of a number, of an array, or of
 * an expression of arrays, `c[:] = a + 2 * b`.
 *
 * Such an expression is checked as one of elements. Its operands are evaluated before the loops,
 * and in the loops names that no program can write stand for them. */
#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"
#include "lang/check/element.h"
#include "lang/check/store_order.h"

/* --- Expressions of arrays -----------------------------------------------------------------------
 */

/* An operand, and the name that stands for it, or for its current element. */
struct operand {
    const char *name;
    struct ck_value value;
    const struct ck_texpr *source; /* the value as the program has it; NULL: an error */
};

/* A store to every element of a view: what it needs once, before the loops. */
struct fill {
    struct ck_fn *fn;
    struct ck_span span;
    struct ck_value view;
    struct operand *operands;
    int n_operands, operands_capacity;
    const struct ck_expr *value;   /* of the names of operands */
    const struct ck_texpr *target; /* the view as the program has it */
    struct ck_store_order order;
    struct ck_tindex indices[CK_MAX_NDIM];
};

/* Whether the callee is a function of numbers, which of arrays is one of their elements. */
static bool
is_elementwise(struct ck_fn *fn, const struct ck_expr *callee)
{
    struct ck_value value = ck_probe(fn, callee);
    if (value.kind == CK_VALUE_BUILTIN)
        return !value.self && ck_builtin_is_elementwise(value.builtin);
    if (value.kind == CK_VALUE_NUMPY)
        return ck_numpy_is_elementwise(value.numpy);
    return value.kind == CK_VALUE_TYPE && ck_type_is_scalar(value.type);
}

/* Whether operators or functions of numbers are applied to arrays in the expression, or it is an
 * array. */
static bool
has_array(struct ck_fn *fn, const struct ck_expr *expr)
{
    switch (expr->kind) {
    case CK_EXPR_INT:
    case CK_EXPR_FLOAT:
    case CK_EXPR_IMAGINARY:
    case CK_EXPR_BOOL:
        return false;
    case CK_EXPR_BINARY:
        return has_array(fn, expr->binary.left) || has_array(fn, expr->binary.right);
    case CK_EXPR_UNARY:
        return expr->unary.op != CK_OP_NOT && has_array(fn, expr->unary.operand);
    case CK_EXPR_COMPARE:
        return expr->compare.n_ops == 1 && (has_array(fn, expr->compare.operands[0]) ||
                                            has_array(fn, expr->compare.operands[1]));
    case CK_EXPR_CALL:
        if (!is_elementwise(fn, expr->call.callee))
            break;
        for (int i = 0; i < expr->call.n_args; i++) {
            if (has_array(fn, expr->call.args[i].value))
                return true;
        }
        return false;
    default:
        break;
    }
    struct ck_value value = ck_speculate(fn, ck_check_expr, expr);
    return value.kind == CK_VALUE_RUN && ck_type_is_array(value.type);
}

/* Whether the target may be a view: then the value may be an expression of arrays. */
static bool
may_be_view(struct ck_fn *fn, const struct ck_expr *target)
{
    if (target->kind != CK_EXPR_SUBSCRIPT)
        return false;
    struct ck_value object = ck_speculate(fn, ck_check_expr, target->subscript.object);
    if (object.kind != CK_VALUE_RUN || !ck_type_is_array(object.type) || !object.type->array.ndim)
        return false;
    bool has_slice = target->subscript.n_indices < object.type->array.ndim;
    for (int i = 0; i < target->subscript.n_indices; i++)
        has_slice = has_slice || target->subscript.indices[i]->kind == CK_EXPR_SLICE;
    return has_slice;
}

bool
ck_is_array_expression(struct ck_fn *fn, const struct ck_expr *target, const struct ck_expr *value)
{
    bool applies = value->kind == CK_EXPR_BINARY || value->kind == CK_EXPR_UNARY ||
                   value->kind == CK_EXPR_COMPARE || value->kind == CK_EXPR_CALL;
    if (value->kind == CK_EXPR_CALL && !is_elementwise(fn, value->call.callee))
        return false;
    return applies && may_be_view(fn, target) && has_array(fn, value);
}

/* --- Operands ------------------------------------------------------------------------------------
 */

static void
bind_operand(struct ck_fn *fn, const char *name, struct ck_value value)
{
    struct ck_binding binding = {.state = CK_SET, .value = value, .set_at = value.span};
    ck_env_set(fn, &fn->env, ck_name_index(fn, name), &binding);
}

/* Evaluates an operand, and returns the name that stands for it. */
static struct ck_expr *
hold_value(struct fill *fill, struct ck_value value, struct ck_span span)
{
    struct ck_arena *arena = fill->fn->c->arena;
    struct operand operand = {.name = ck_arena_printf(arena, ".%d", fill->n_operands)};
    operand.source = value.kind == CK_VALUE_RUN ? value.expr : NULL;
    operand.value = ck_hold(fill->fn, value);
    CK_PUSH(arena, fill->operands, fill->n_operands, fill->operands_capacity, operand);
    bind_operand(fill->fn, operand.name, operand.value);
    return ck_expr_name(arena, operand.name, span);
}

/* The expression with names in place of its operands, which are evaluated in order. */
static struct ck_expr *
hold_operands(struct fill *fill, const struct ck_expr *expr)
{
    struct ck_arena *arena = fill->fn->c->arena;
    struct ck_expr *copy = CK_NEW(arena, struct ck_expr);
    *copy = *expr;
    switch (expr->kind) {
    case CK_EXPR_INT:
    case CK_EXPR_FLOAT:
    case CK_EXPR_IMAGINARY:
    case CK_EXPR_BOOL:
        return copy;
    case CK_EXPR_UNARY:
        copy->unary.operand = hold_operands(fill, expr->unary.operand);
        return copy;
    case CK_EXPR_BINARY:
        copy->binary.left = hold_operands(fill, expr->binary.left);
        copy->binary.right = hold_operands(fill, expr->binary.right);
        return copy;
    case CK_EXPR_COMPARE:
        copy->compare.operands = CK_NEW_ARRAY(arena, struct ck_expr *, expr->compare.n_ops + 1);
        for (int i = 0; i <= expr->compare.n_ops; i++)
            copy->compare.operands[i] = hold_operands(fill, expr->compare.operands[i]);
        return copy;
    case CK_EXPR_CALL:
        if (!has_array(fill->fn, expr) || !is_elementwise(fill->fn, expr->call.callee))
            break;
        copy->call.args = CK_NEW_ARRAY(arena, struct ck_argument, expr->call.n_args);
        for (int i = 0; i < expr->call.n_args; i++) {
            copy->call.args[i] = expr->call.args[i];
            copy->call.args[i].value = hold_operands(fill, expr->call.args[i].value);
        }
        return copy;
    default:
        break;
    }
    return hold_value(fill, ck_check_run(fill->fn, expr), expr->span);
}

/* The names mean nothing after the statement. */
static void
forget_operands(struct fill *fill)
{
    const struct ck_binding unset = {.state = CK_UNSET};
    for (int i = 0; i < fill->n_operands; i++)
        ck_env_set(fill->fn, &fill->fn->env, ck_name_index(fill->fn, fill->operands[i].name),
                   &unset);
}

/* --- Loops ---------------------------------------------------------------------------------------
 */

/* The indices of the view's current element. */
static struct ck_tindex *
view_indices(const struct fill *fill)
{
    const int ndim = fill->view.type->array.ndim;
    struct ck_tindex *indices = CK_NEW_ARRAY(fill->fn->c->arena, struct ck_tindex, ndim);
    for (int i = 0; i < ndim; i++)
        indices[i] = fill->indices[i];
    return indices;
}

/* The axis of the view along which axis `dim` of an operand lies: its axes are the view's last. */
static int
axis_of_view(const struct fill *fill, const struct ck_value *array, int dim)
{
    return fill->view.type->array.ndim - array->type->array.ndim + dim;
}

/* Whether an operand has one element along an axis, which is stored all along the view's. */
static bool
is_repeated(const struct ck_value *array, int dim)
{
    return ck_known_extent(array, dim).n == 1;
}

static struct ck_value
element(const struct fill *fill, const struct ck_value *array)
{
    const int ndim = array->type->array.ndim;
    struct ck_tindex *indices = CK_NEW_ARRAY(fill->fn->c->arena, struct ck_tindex, ndim);
    for (int i = 0; i < ndim; i++) {
        indices[i] = fill->indices[axis_of_view(fill, array, i)];
        if (is_repeated(array, i))
            indices[i].value =
                ck_const_int(fill->fn, ck_type_scalar(CK_TYPE_INT64), 0, array->span);
    }
    return ck_element_at(fill->fn, array->expr, indices, array->span);
}

/* Whether a value is one for all elements of the view: a number, a vector or a record. */
static bool
is_single(const struct fill *fill, const struct ck_value *value)
{
    const bool has_fields = !ck_type_is_scalar_or_date(fill->view.type->array.elem);
    return ck_type_is_scalar_or_date(value->type) ||
           (has_fields && (value->type->kind == CK_TYPE_TUPLE || ck_is_record_place(value)));
}

static bool
is_array(const struct fill *fill, const struct operand *operand)
{
    return operand->value.kind == CK_VALUE_RUN && ck_type_is_array(operand->value.type) &&
           !is_single(fill, &operand->value);
}

/* The extent of the view, or of an operand where that is less. */
static struct ck_texpr *
common_extent(const struct fill *fill, int dim)
{
    struct ck_fn *fn = fill->fn;
    struct ck_texpr *least = ck_extent_expr(fn, CK_T_SHAPE, fill->view.expr, dim, fill->span);
    for (int i = 0; i < fill->n_operands; i++) {
        const struct ck_value *array = &fill->operands[i].value;
        if (!is_array(fill, &fill->operands[i]))
            continue;
        const int theirs_dim = dim - axis_of_view(fill, array, 0);
        if (theirs_dim < 0 || is_repeated(array, theirs_dim))
            continue;
        struct ck_texpr *let = NULL, *held = least;
        if (i > 0 && !ck_is_simple(least))
            held = ck_let_new(fn, least, fill->span, &let);
        struct ck_texpr *theirs =
            ck_extent_expr(fn, CK_T_SHAPE, array->expr, theirs_dim, fill->span);
        struct ck_texpr *less = ck_compare_expr(fn, CK_CMP_LT, theirs, held, fill->span);
        least = ck_let_in(let, ck_select_expr(fn, less, theirs, held, fill->span));
    }
    return least;
}

/* Saves a number for several uses. */
static struct ck_texpr *
hold_number(const struct fill *fill, struct ck_texpr *number)
{
    return ck_hold(fill->fn, ck_value_run(number->type, number)).expr;
}

/* The position for a loop's counter. */
static struct ck_texpr *
position(const struct fill *fill, int dim, struct ck_texpr *counter, struct ck_texpr *stop)
{
    struct ck_fn *fn = fill->fn;
    const enum ck_direction direction = fill->order.by_dim[dim];
    if (direction != CK_FALLS && direction != CK_RISES_UNLESS)
        return counter;
    struct ck_texpr *one = ck_const_int(fn, counter->type, 1, fill->span);
    struct ck_texpr *last = ck_binary_expr(fn, CK_OP_SUB, stop, one, fill->span);
    struct ck_texpr *from_end = ck_binary_expr(fn, CK_OP_SUB, last, counter, fill->span);
    return direction == CK_FALLS
               ? from_end
               : ck_select_expr(fn, fill->order.falls_if[dim], from_end, counter, fill->span);
}

/* Opens one loop for each dimension, the fastest innermost; statements are added to the last. */
static void
open_loops(struct fill *fill)
{
    struct ck_fn *fn = fill->fn;
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    int ndim = fill->view.type->array.ndim;
    bool is_fortran = fill->view.type->array.layout == CK_LAYOUT_F;
    for (int i = 0; i < ndim; i++) {
        int dim = is_fortran ? ndim - 1 - i : i;
        struct ck_texpr *stop = common_extent(fill, dim);
        if (fill->order.by_dim[dim] == CK_FALLS || fill->order.by_dim[dim] == CK_RISES_UNLESS)
            stop = hold_number(fill, stop);
        int counter = ck_local_new(fn, "", i64);
        struct ck_tstmt *loop = ck_emit(fn, CK_S_RANGE, fill->span);
        loop->range.counter = counter;
        loop->range.start = ck_const_int(fn, i64, 0, fill->span);
        loop->range.stop = stop;
        loop->range.step = ck_const_int(fn, i64, 1, fill->span);
        fn->block = &loop->range.body;
        struct ck_texpr *at = position(fill, dim, ck_local_ref(fn, counter, fill->span), stop);
        fill->indices[dim].value = ck_is_simple(at) ? at : hold_number(fill, at);
    }
}

static bool
wrong_dimensions(const struct fill *fill, const struct ck_value *value)
{
    struct ck_fn *fn = fill->fn;
    ck_error(fn, WRONG_TYPE, value->span,
             ck_arena_printf(fn->c->arena, "%s has %d dimension%s, and the view %d",
                             ck_text_of(fn, value->type), value->type->array.ndim,
                             value->type->array.ndim == 1 ? "" : "s", fill->view.type->array.ndim));
    return false;
}

/* False, reported, if an extent is known to be neither the view's nor 1. */
static bool
extents_fit(const struct fill *fill, const struct ck_value *array)
{
    struct ck_fn *fn = fill->fn;
    for (int i = 0; i < array->type->array.ndim; i++) {
        const int64_t theirs = ck_known_extent(array, i).n;
        const int64_t wanted = ck_known_extent(&fill->view, axis_of_view(fill, array, i)).n;
        if (theirs < 0 || wanted < 0 || theirs == wanted || theirs == 1)
            continue;
        ck_error(fn, WRONG_TYPE, array->span,
                 ck_arena_printf(fn->c->arena,
                                 "%lld elements cannot be stored along an axis of %lld",
                                 (long long)theirs, (long long)wanted));
        return false;
    }
    return true;
}

/* Checks that the operands are arrays of the view's dimensions, or fewer, and numbers. */
static bool
fits_view(const struct fill *fill)
{
    struct ck_fn *fn = fill->fn;
    for (int i = 0; i < fill->n_operands; i++) {
        const struct ck_value *value = &fill->operands[i].value;
        if (value->kind == CK_VALUE_ERROR)
            return false;
        bool is_run = value->kind == CK_VALUE_RUN;
        if (is_run && is_single(fill, value))
            continue;
        if (is_run && ck_type_is_array(value->type)) {
            if (value->type->array.ndim > fill->view.type->array.ndim)
                return wrong_dimensions(fill, value);
            if (!extents_fit(fill, value))
                return false;
        } else {
            ck_error(fn, WRONG_TYPE, value->span,
                     ck_arena_printf(fn->c->arena, "%s cannot be stored in a view of %s",
                                     value->type ? ck_text_of(fn, value->type) : "this",
                                     ck_text_of(fn, fill->view.type)));
            return false;
        }
    }
    return true;
}

/* Chooses the order of the elements, and copies the operands for which there is none. False after
 * an error. */
static bool
choose_order(struct fill *fill)
{
    struct ck_fn *fn = fill->fn;
    for (int i = 0; i < fill->n_operands; i++) {
        struct operand *operand = &fill->operands[i];
        if (!is_array(fill, operand) ||
            ck_restrict_order(fn, &fill->order, fill->target, operand->source))
            continue;
        if (!ck_is_copyable(&operand->value)) {
            struct ck_diag *diag = ck_error(
                fn, NOT_SUPPORTED, operand->value.span,
                "a store to a view of an array whose elements the value reads in another order");
            ck_diag_label(fn->c->diags, diag, fill->target->span,
                          "the elements of this are stored");
            ck_diag_help(
                fn->c->diags, diag,
                "say the array's shape, `assert x.shape == (3,)`, or store to another one");
            return false;
        }
        operand->value = ck_hold(fn, ck_local_copy(fn, &operand->value));
        if (operand->value.kind == CK_VALUE_ERROR)
            return false;
    }
    for (int i = 0; i < fill->view.type->array.ndim; i++) {
        if (fill->order.by_dim[i] == CK_RISES_UNLESS)
            fill->order.falls_if[i] = hold_number(fill, fill->order.falls_if[i]);
    }
    return true;
}

/* Stores the value of the operands' current elements; `op` updates the view's, if not NULL. */
static void
store_elements(struct fill *fill, const enum ck_binary_op *op)
{
    struct ck_fn *fn = fill->fn;
    struct ck_tblock *outer = fn->block;
    if (!choose_order(fill))
        return;
    open_loops(fill);
    for (int i = 0; i < fill->n_operands; i++) {
        const struct operand *operand = &fill->operands[i];
        if (is_array(fill, operand))
            bind_operand(fn, operand->name, element(fill, &operand->value));
    }
    struct ck_value value = ck_check_run(fn, fill->value);
    if (op)
        value = ck_check_binary(
            fn, *op, ck_element_at(fn, fill->view.expr, view_indices(fill), fill->view.span), value,
            fill->span);
    if (value.kind != CK_VALUE_ERROR)
        ck_store_element(fn, fill->view.expr, view_indices(fill), &value, fill->view.span,
                         fill->span);
    fn->block = outer;
}

/* --- Stores --------------------------------------------------------------------------------------
 */

/* The view that a place is, with what is known of its extents. */
static struct ck_value
view_at(struct ck_fn *fn, const struct ck_element *place)
{
    struct ck_value view = ck_value_run(place->view->type, place->view);
    view.span = place->view->span;
    if (place->view == place->array.expr)
        view.extents = place->array.extents;
    else if (place->view->kind == CK_T_VIEW)
        view.extents = ck_view_extents(fn, &place->array, place->view);
    return view;
}

void
ck_store_view(struct ck_fn *fn, const struct ck_element *place, struct ck_value value,
              struct ck_span span)
{
    struct fill fill = {.fn = fn, .span = span, .target = place->view};
    fill.view = view_at(fn, place);
    fill.value = hold_value(&fill, value, value.span);
    if (fits_view(&fill)) {
        fill.view = ck_hold(fn, fill.view);
        store_elements(&fill, NULL);
    }
    forget_operands(&fill);
}

void
ck_store_array_expression(struct ck_fn *fn, const struct ck_expr *target,
                          const struct ck_expr *value, struct ck_span span)
{
    struct fill fill = {.fn = fn, .span = span};
    struct ck_element place;
    fill.value = hold_operands(&fill, value);
    if (ck_check_element(fn, target, &place) && ck_check_writable(fn, &place.array, target->span)) {
        fill.target = place.view;
        fill.view = ck_hold(fn, view_at(fn, &place));
        if (fits_view(&fill))
            store_elements(&fill, NULL);
    }
    forget_operands(&fill);
}

void
ck_update_view(struct ck_fn *fn, const struct ck_element *place, enum ck_binary_op op,
               const struct ck_expr *right, struct ck_span span)
{
    struct fill fill = {.fn = fn, .span = span, .target = place->view};
    fill.view = ck_hold(fn, view_at(fn, place));
    fill.value = hold_operands(&fill, right);
    if (fits_view(&fill))
        store_elements(&fill, &op);
    forget_operands(&fill);
}
