/* Checking stores to views, which become loops over their elements: of a number, of an array, or of
 * an expression of arrays, `c[:] = a + 2 * b`.
 *
 * Such an expression is checked as one of elements. Its operands are evaluated before the loops,
 * and in the loops names that no program can write stand for them. */
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"
#include "lang/check/element.h"
#include "lang/check/store_order.h"
#include "lang/check/view.h"

/* --- Expressions of arrays -----------------------------------------------------------------------
 */

/* An operand, and the name that stands for it, or for its current element. */
struct operand {
    const char *name;
    struct ck_value value;
    const struct ck_texpr *source; /* the value as the program has it; NULL: an error */
    /* By dimension: 0 where the operand has one element along it, else 1. NULL: it has not. */
    struct ck_texpr *steps[CK_MAX_NDIM];
    enum ck_overlap overlap; /* with the view */
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
    if (fn->c->untyped && object.kind == CK_VALUE_ERROR)
        return true;
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
        if (expr->compare.n_ops > 1) /* of numbers: the first that is false ends it */
            break;
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

/* An operand's index along an axis, for the view's: 0 where the operand has one element, which may
 * be known when the kernel runs only. */
static struct ck_texpr *
index_along(const struct fill *fill, const struct operand *operand, int dim)
{
    struct ck_fn *fn = fill->fn;
    struct ck_texpr *index = fill->indices[axis_of_view(fill, &operand->value, dim)].value;
    if (is_repeated(&operand->value, dim))
        return ck_const_int(fn, ck_type_scalar(CK_TYPE_INT64), 0, fill->span);
    struct ck_texpr *step = operand->steps[dim];
    return step ? ck_binary_expr(fn, CK_OP_MUL, index, step, fill->span) : index;
}

static struct ck_value
element(const struct fill *fill, const struct operand *operand)
{
    const struct ck_value *array = &operand->value;
    const int ndim = array->type->array.ndim;
    struct ck_tindex *indices = CK_NEW_ARRAY(fill->fn->c->arena, struct ck_tindex, ndim);
    for (int i = 0; i < ndim; i++) {
        indices[i] = fill->indices[axis_of_view(fill, array, i)];
        indices[i].value = index_along(fill, operand, i);
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

/* Saves a number for several uses. */
static struct ck_texpr *
hold_number(const struct fill *fill, struct ck_texpr *number)
{
    return ck_hold(fill->fn, ck_value_run(number->type, number)).expr;
}

static struct ck_texpr *
shape_of(const struct fill *fill, const struct ck_value *array, int dim)
{
    return ck_extent_expr(fill->fn, CK_T_SHAPE, array->expr, dim, fill->span);
}

/* A statement that fails if an operand has neither the view's extent along an axis nor, if that
 * `may_repeat`, one element. */
static void
assert_extent(const struct fill *fill, const struct ck_value *array, int dim, bool may_repeat)
{
    struct ck_fn *fn = fill->fn;
    const int axis = axis_of_view(fill, array, dim);
    struct ck_texpr *theirs = shape_of(fill, array, dim);
    struct ck_texpr *wanted = shape_of(fill, &fill->view, axis);
    struct ck_texpr *fits = ck_compare_expr(fn, CK_CMP_EQ, theirs, wanted, fill->span);
    struct ck_texpr *one = ck_const_int(fn, theirs->type, 1, fill->span);
    if (may_repeat)
        fits = ck_logical(fn, true, fits, ck_compare_expr(fn, CK_CMP_EQ, theirs, one, fill->span),
                          fill->span);
    const struct ck_print_item items[] = {
        {.text = "its extent", .length = 10},
        {.value = theirs},
        {.text = "the view's", .length = 10},
        {.value = wanted},
    };
    struct ck_tstmt *out = ck_emit(fn, CK_S_ASSERT, fill->span);
    out->assertion.test = fits;
    out->assertion.span = array->span;
    out->assertion.message = ck_arena_printf(
        fn->c->arena, "this does not fit axis %d of the view it is stored in", axis);
    out->assertion.n_items = (int)(sizeof items / sizeof *items);
    out->assertion.items = CK_NEW_ARRAY(fn->c->arena, struct ck_print_item, 4);
    memcpy(out->assertion.items, items, sizeof items);
}

/* Whether elements of an operand can be read several times: no store changes them. */
static bool
is_apart(const struct operand *operand)
{
    return operand->overlap == CK_OVERLAP_NONE || operand->overlap == CK_OVERLAP_UNKNOWN;
}

/* Sees to it that the operands have the view's extents, or one element along an axis, as far as
 * that is not known at compile time: fits_view has seen to the rest. */
static void
require_extents(struct fill *fill)
{
    struct ck_fn *fn = fill->fn;
    for (int i = 0; i < fill->n_operands; i++) {
        struct operand *operand = &fill->operands[i];
        const struct ck_value *array = &operand->value;
        const int ndim = is_array(fill, operand) ? array->type->array.ndim : 0;
        for (int dim = 0; dim < ndim && !fn->global->in_prelude; dim++) {
            const int64_t theirs = ck_known_extent(array, dim).n;
            const int64_t wanted = ck_known_extent(&fill->view, axis_of_view(fill, array, dim)).n;
            if (theirs == 1 || (theirs >= 0 && wanted >= 0))
                continue;
            const bool may_repeat = theirs < 0 && wanted != 1 && is_apart(operand);
            assert_extent(fill, array, dim, may_repeat);
            if (!may_repeat)
                continue;
            struct ck_texpr *extent = shape_of(fill, array, dim);
            struct ck_texpr *zero = ck_const_int(fn, extent->type, 0, fill->span);
            struct ck_texpr *one = ck_const_int(fn, extent->type, 1, fill->span);
            struct ck_texpr *is_one = ck_compare_expr(fn, CK_CMP_EQ, extent, one, fill->span);
            operand->steps[dim] =
                hold_number(fill, ck_select_expr(fn, is_one, zero, one, fill->span));
        }
    }
}

/* The extent of the view; as a constant where that, or an operand's, is known. */
static struct ck_texpr *
extent_along(const struct fill *fill, int axis)
{
    int64_t n = ck_known_extent(&fill->view, axis).n;
    for (int i = 0; i < fill->n_operands && n < 0; i++) {
        const struct ck_value *array = &fill->operands[i].value;
        if (!is_array(fill, &fill->operands[i]))
            continue;
        const int dim = axis - axis_of_view(fill, array, 0);
        if (dim >= 0 && !is_repeated(array, dim))
            n = ck_known_extent(array, dim).n;
    }
    return n < 0 ? shape_of(fill, &fill->view, axis)
                 : ck_const_int(fill->fn, ck_type_scalar(CK_TYPE_INT64), n, fill->span);
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
        struct ck_texpr *stop = extent_along(fill, dim);
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

/* --- Operands that overlap with the view ---------------------------------------------------------
 */

static bool
report_no_order(const struct fill *fill, const struct operand *operand)
{
    struct ck_fn *fn = fill->fn;
    struct ck_diag *diag =
        ck_error(fn, NOT_SUPPORTED, operand->value.span,
                 "a store to a view of an array whose elements the value reads in another order");
    ck_diag_label(fn->c->diags, diag, fill->target->span, "the elements of this are stored");
    ck_diag_help(fn->c->diags, diag,
                 "say the array's shape, `assert x.shape == (3,)`, or store to another one");
    return false;
}

/* Whether elements of an operand are read more than once, where that is known. */
static bool
repeats(const struct fill *fill, const struct operand *operand)
{
    const struct ck_value *array = &operand->value;
    bool any = array->type->array.ndim < fill->view.type->array.ndim;
    for (int i = 0; i < array->type->array.ndim; i++) {
        const int64_t wanted = ck_known_extent(&fill->view, axis_of_view(fill, array, i)).n;
        any = any || (is_repeated(array, i) && wanted != 1);
    }
    return any;
}

static struct ck_texpr *
address_of(struct ck_fn *fn, struct ck_texpr *array)
{
    struct ck_texpr *address =
        ck_texpr_new(fn, CK_T_BUILTIN, ck_type_scalar(CK_TYPE_UINT64), array->span);
    address->builtin.id = CK_BUILTIN_ARRAY_DATA_PTR;
    address->builtin.args = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, 1);
    address->builtin.args[address->builtin.n_args++] = array;
    return ck_cast(fn, address, ck_type_scalar(CK_TYPE_INT64));
}

/* The array with an address that compares with any other. */
static struct ck_value
in_generic_memory(struct ck_fn *fn, const struct ck_value *array)
{
    const struct ck_type *type = array->type;
    const struct ck_type *generic =
        ck_type_array_like(&fn->c->types, type, type->array.ndim, CK_LAYOUT_ANY, CK_SPACE_GENERIC);
    struct ck_texpr *expr = ck_convert(fn, array, generic);
    return ck_hold(fn, ck_value_run(generic, expr));
}

/* +1 and -1 if the store goes through all axes from their starts, or from their ends; 0: neither.
 */
static int
common_direction(const struct fill *fill)
{
    bool rises = true, falls = true;
    for (int i = 0; i < fill->view.type->array.ndim; i++) {
        const enum ck_direction direction = fill->order.by_dim[i];
        rises = rises && (direction == CK_ANY_WAY || direction == CK_RISES);
        falls = falls && direction == CK_FALLS;
    }
    return rises ? 1 : falls ? -1 : 0;
}

/* Of a view and an operand of one dimension: goes from the end if the operand is before the view,
 * so that an operand with the view's stride is read in time. */
static void
choose_direction(struct fill *fill, struct ck_texpr *to, struct ck_texpr *from)
{
    struct ck_fn *fn = fill->fn;
    struct ck_texpr *stride = ck_extent_expr(fn, CK_T_STRIDE, fill->view.expr, 0, fill->span);
    struct ck_texpr *zero = ck_const_int(fn, stride->type, 0, fill->span);
    struct ck_texpr *before = ck_compare_expr(fn, CK_CMP_LT, from, to, fill->span);
    struct ck_texpr *after = ck_compare_expr(fn, CK_CMP_LT, to, from, fill->span);
    struct ck_texpr *is_negative = ck_compare_expr(fn, CK_CMP_LT, stride, zero, fill->span);
    fill->order.by_dim[0] = CK_RISES_UNLESS;
    fill->order.falls_if[0] =
        hold_number(fill, ck_select_expr(fn, is_negative, after, before, fill->span));
}

/* A statement that fails if an operand's elements are read after the store changed them.
 * `is_check`: only where the program is checked, and where that is certain. */
static void
assert_in_time(struct fill *fill, const struct operand *operand, bool is_check)
{
    struct ck_fn *fn = fill->fn;
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    struct ck_value view = fill->view, array = operand->value;
    if (view.type->array.space != array.type->array.space) {
        view = in_generic_memory(fn, &view);
        array = in_generic_memory(fn, &array);
    }
    struct ck_texpr *to = hold_number(fill, address_of(fn, view.expr));
    struct ck_texpr *from = hold_number(fill, address_of(fn, array.expr));
    if (!is_check && view.type->array.ndim == 1 && array.type->array.ndim == 1 &&
        fill->n_operands == 1 && fill->order.by_dim[0] == CK_ANY_WAY)
        choose_direction(fill, to, from);
    const bool is_free = fill->order.by_dim[0] == CK_RISES_UNLESS && fill->n_operands == 1;
    struct ck_value args[] = {
        view,
        array,
        ck_value_run(i64, to),
        ck_value_run(i64, from),
        ck_value_int(fn, is_free ? 2 : common_direction(fill), fill->span),
        ck_value_bool(fn, !is_check, fill->span),
    };
    struct ck_value test = ck_call_instance(fn, ck_prelude_function(fn->c, "store_is_in_time"),
                                            args, sizeof args / sizeof *args, fill->span);
    if (test.kind != CK_VALUE_RUN)
        return;
    struct ck_tstmt *out = ck_emit(fn, CK_S_ASSERT, fill->span);
    out->assertion.test = test.expr;
    out->assertion.span = operand->value.span;
    out->assertion.message = "the store changes elements of this before they are read";
    out->assertion.is_check = is_check;
}

/* Copies an operand. False after an error. */
static bool
copy_operand(struct fill *fill, struct operand *operand)
{
    operand->value = ck_hold(fill->fn, ck_local_copy(fill->fn, &operand->value));
    return operand->value.kind != CK_VALUE_ERROR;
}

/* Chooses the order of the elements, and copies the operands for which there is none. False after
 * an error. */
static bool
choose_order(struct fill *fill)
{
    struct ck_fn *fn = fill->fn;
    for (int i = 0; i < fill->n_operands; i++) {
        struct operand *operand = &fill->operands[i];
        if (!is_array(fill, operand))
            continue;
        operand->overlap = ck_restrict_order(fn, &fill->order, fill->target, operand->source,
                                             repeats(fill, operand));
        const bool is_late =
            operand->overlap == CK_OVERLAP_UNORDERED || operand->overlap == CK_OVERLAP_UNSURE;
        if (is_late && ck_is_copyable(&operand->value)) {
            operand->overlap = CK_OVERLAP_NONE;
            if (!copy_operand(fill, operand))
                return false;
        } else if (operand->overlap == CK_OVERLAP_UNORDERED) {
            return report_no_order(fill, operand);
        }
    }
    return true;
}

/* Where the order is not known to be right: tests. The conditions of the order are computed. */
static void
assert_order(struct fill *fill)
{
    for (int i = 0; i < fill->n_operands && !fill->fn->global->in_prelude; i++) {
        const enum ck_overlap overlap = fill->operands[i].overlap;
        if (overlap == CK_OVERLAP_UNSURE || overlap == CK_OVERLAP_UNKNOWN)
            assert_in_time(fill, &fill->operands[i], overlap == CK_OVERLAP_UNKNOWN);
    }
    for (int i = 0; i < fill->view.type->array.ndim; i++) {
        if (fill->order.by_dim[i] == CK_RISES_UNLESS)
            fill->order.falls_if[i] = hold_number(fill, fill->order.falls_if[i]);
    }
}

/* Stores the value of the operands' current elements; `op` updates the view's, if not NULL. */
static void
store_elements(struct fill *fill, const enum ck_binary_op *op)
{
    struct ck_fn *fn = fill->fn;
    struct ck_tblock *outer = fn->block;
    if (!choose_order(fill))
        return;
    require_extents(fill);
    assert_order(fill);
    open_loops(fill);
    for (int i = 0; i < fill->n_operands; i++) {
        const struct operand *operand = &fill->operands[i];
        if (is_array(fill, operand))
            bind_operand(fn, operand->name, element(fill, operand));
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

/* Whether a value is a tuple of numbers, which is stored as an array of them is. */
static bool
has_items(const struct fill *fill, const struct ck_value *value)
{
    if (!ck_type_is_scalar(fill->view.type->array.elem) || value->kind != CK_VALUE_RUN ||
        value->type->kind != CK_TYPE_TUPLE || !value->type->tuple.n)
        return false;
    for (int i = 0; i < value->type->tuple.n; i++) {
        if (!ck_type_is_scalar(value->type->tuple.items[i]))
            return false;
    }
    return true;
}

void
ck_store_view(struct ck_fn *fn, const struct ck_element *place, struct ck_value value,
              struct ck_span span)
{
    struct fill fill = {.fn = fn, .span = span, .target = place->view};
    fill.view = view_at(fn, place);
    if (has_items(&fill, &value))
        value = ck_array_of_items(fn, value, fill.view.type->array.elem);
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
        ck_lets_emit(fn, &place.lets);
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

bool
ck_update_named_array(struct ck_fn *fn, const struct ck_value *array, const struct ck_stmt *stmt)
{
    if (array->kind != CK_VALUE_RUN || !ck_type_is_array(array->type) || !array->type->array.ndim ||
        ck_is_record_place(array))
        return false;
    const struct ck_element place = {.array = *array, .view = array->expr};
    if (ck_check_writable(fn, array, stmt->augassign.target->span))
        ck_update_view(fn, &place, stmt->augassign.op, stmt->augassign.value, stmt->span);
    return true;
}
