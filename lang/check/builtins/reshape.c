/* reshape and ravel of arrays in kernels, which are views of contiguous memory, and copies into
 * local arrays. Of constants of the module const_elements.c computes them. */
#include <string.h>

#include "lang/check/builtins/const_array.h"
#include "lang/check/element.h"

static struct ck_value
failed(const struct ck_call *call)
{
    return ck_value_error(call->syntax->span);
}

/* The number of elements; -1: not known at compile time. */
static int64_t
known_size(const struct ck_value *array)
{
    int64_t size = 1;
    for (int i = 0; i < array->type->array.ndim; i++) {
        int64_t n = ck_known_extent(array, i).n;
        if (n < 0)
            return -1;
        size *= n;
    }
    return size;
}

/* Whether the elements are known to be contiguous, in C order; reported if not. */
static bool
is_contiguous(const struct ck_call *call, const struct ck_value *array)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *type = array->type;
    const char *name = strchr(ck_builtin_path(call->id), '.');
    if (type->array.layout == CK_LAYOUT_C)
        return true;
    bool is_fortran = type->array.layout == CK_LAYOUT_F;
    struct ck_diag *diag =
        ck_error(fn, WRONG_TYPE, call->syntax->span,
                 ck_arena_printf(fn->c->arena, "`%s` is a view of contiguous memory, and %s is %s",
                                 name, ck_text_of(fn, type),
                                 is_fortran ? "in Fortran order" : "not known to be contiguous"));
    ck_diag_help(fn->c->diags, diag,
                 is_fortran
                     ? "reshape its transpose, `.T`, or copy it to a local array first"
                     : "pass a contiguous array, whose type is written `float32[:, ::1]`, or "
                       "copy it to a local array first");
    return false;
}

/* --- Shapes --------------------------------------------------------------------------------------
 */

/* A new shape: its extents as int64, and what they need to be evaluated once. */
struct shape {
    struct ck_call *call;
    struct ck_texpr *extents[CK_MAX_NDIM];
    int ndim;
    struct ck_lets lets;
    int n_open;         /* extents of constant -1 */
    bool is_known;      /* all are constants */
    int64_t n_elements; /* product of those that are constant, and not open */
};

static bool
bad_shape(const struct ck_call *call, const char *text)
{
    ck_error(call->fn, WRONG_TYPE, call->syntax->span, text);
    return false;
}

static bool
add_extent(struct shape *shape, const struct ck_value *value)
{
    struct ck_call *call = shape->call;
    struct ck_fn *fn = call->fn;
    int64_t n;
    if (!ck_type_is_int(value->type))
        return bad_shape(call, ck_arena_printf(fn->c->arena, "a shape is made of integers, not %s",
                                               ck_text_of(fn, value->type)));
    struct ck_texpr *extent = ck_cast(fn, value->expr, ck_type_scalar(CK_TYPE_INT64));
    bool is_known = ck_value_const_int(value, &n);
    shape->is_known = shape->is_known && is_known;
    shape->extents[shape->ndim++] = is_known ? extent : ck_lets_save(fn, &shape->lets, extent);
    if (!is_known)
        return true;
    if (n < -1)
        return bad_shape(call, "an extent of the new shape is below zero");
    shape->n_open += n == -1;
    if (shape->n_open > 1)
        return bad_shape(call, "only one extent of the new shape can be -1");
    if (n >= 0 && __builtin_mul_overflow(shape->n_elements, n, &shape->n_elements))
        return bad_shape(call, "the shape is too large");
    return true;
}

/* Reads the extents, given as arguments or as a tuple. */
static bool
take_shape(struct shape *shape)
{
    struct ck_call *call = shape->call;
    struct ck_value tuple = {0};
    bool is_tuple = call->n_args == 1 && call->args[0].type->kind == CK_TYPE_TUPLE;
    int n = is_tuple ? call->args[0].type->tuple.n : call->n_args;
    if (n < 1 || n > CK_MAX_NDIM)
        return bad_shape(call, "an array has 1 to 8 dimensions");
    if (is_tuple) {
        struct ck_texpr *let;
        tuple = ck_name_once(call->fn, call->args[0], &let);
        ck_lets_add(&shape->lets, let);
    }
    for (int i = 0; i < n; i++) {
        struct ck_value item = is_tuple ? ck_tuple_item(call->fn, &tuple, i) : call->args[i];
        if (!add_extent(shape, &item))
            return false;
    }
    return true;
}

static bool
is_open(const struct ck_texpr *extent)
{
    return extent->kind == CK_T_CONST && extent->constant.i == -1;
}

/* Decides a shape of constants for an array of known size. */
static bool
fit_known(struct shape *shape, int64_t size)
{
    struct ck_call *call = shape->call;
    int64_t n = shape->n_elements;
    bool fits = shape->n_open ? n > 0 && size % n == 0 : n == size;
    if (!fits)
        return bad_shape(call,
                         ck_arena_printf(call->fn->c->arena, "%lld elements do not have this shape",
                                         (long long)size));
    for (int i = 0; i < shape->ndim; i++) {
        if (is_open(shape->extents[i]))
            shape->extents[i] =
                ck_const_int(call->fn, shape->extents[i]->type, size / n, call->syntax->span);
    }
    return true;
}

/* The number of elements, from what is held. */
static struct ck_value
size_of(struct ck_fn *fn, struct ck_texpr *array, struct ck_span span)
{
    struct ck_texpr *size = ck_const_int(fn, ck_type_scalar(CK_TYPE_INT64), 1, span);
    if (array->type->array.ndim)
        size = ck_extent_expr(fn, CK_T_SHAPE, array, 0, span);
    for (int i = 1; i < array->type->array.ndim; i++)
        size = ck_binary_expr(fn, CK_OP_MUL, size, ck_extent_expr(fn, CK_T_SHAPE, array, i, span),
                              span);
    return ck_value_run(size->type, size);
}

/* Tests the shape when the kernel runs, in a function of the prelude, which returns the extent that
 * -1 stands for. */
static bool
fit_running(struct shape *shape, struct ck_texpr *array)
{
    struct ck_fn *fn = shape->call->fn;
    struct ck_span span = shape->call->syntax->span;
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64), *types[CK_MAX_NDIM];
    struct ck_value args[2] = {{0}, size_of(fn, array, span)};
    if (shape->ndim == 1 && is_open(shape->extents[0])) {
        shape->extents[0] = ck_lets_save(fn, &shape->lets, args[1].expr);
        return true;
    }
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, NULL, span);
    tuple->tuple.n = shape->ndim;
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, shape->ndim);
    for (int i = 0; i < shape->ndim; i++) {
        tuple->tuple.items[i] = shape->extents[i];
        types[i] = i64;
    }
    tuple->type = ck_type_tuple(&fn->c->types, types, shape->ndim);
    args[0] = ck_value_run(tuple->type, tuple);
    struct ck_value open =
        ck_call_instance(fn, ck_prelude_function(fn->c, "array_open_extent"), args, 2, span);
    if (open.kind != CK_VALUE_RUN)
        return false;
    open.expr = ck_lets_save(fn, &shape->lets, open.expr);
    for (int i = 0; i < shape->ndim; i++) {
        struct ck_texpr *extent = shape->extents[i];
        struct ck_texpr *test =
            ck_compare_expr(fn, CK_CMP_EQ, extent, ck_const_int(fn, i64, -1, span), span);
        shape->extents[i] = ck_select_expr(fn, test, open.expr, extent, span);
    }
    return true;
}

/* The array in its new shape. */
static struct ck_value
in_shape(struct shape *shape, struct ck_texpr *array)
{
    struct ck_fn *fn = shape->call->fn;
    int ndim = shape->ndim;
    const struct ck_type *type = array->type;
    type = ck_type_array_like(&fn->c->types, type, ndim, CK_LAYOUT_C, type->array.space);
    struct ck_texpr *view = ck_texpr_new(fn, CK_T_RESHAPE, type, shape->call->syntax->span);
    struct ck_axis_extent *known = CK_NEW_ARRAY(fn->c->arena, struct ck_axis_extent, ndim);
    view->reshape.array = array;
    view->reshape.extents = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, ndim);
    for (int i = 0; i < ndim; i++) {
        struct ck_texpr *extent = shape->extents[i];
        view->reshape.extents[i] = extent;
        known[i].n = extent->kind == CK_T_CONST ? extent->constant.i : -1;
    }
    struct ck_value value = ck_value_run(type, ck_lets_in(&shape->lets, view));
    value.extents = known;
    return value;
}

struct ck_value
ck_as_row(struct ck_fn *fn, const struct ck_value *array)
{
    const struct ck_expr syntax = {.span = array->span};
    struct ck_call call = {.fn = fn, .syntax = &syntax};
    struct shape shape = {.call = &call, .ndim = 1};
    shape.extents[0] = ck_const_int(fn, ck_type_scalar(CK_TYPE_INT64), 1, array->span);
    struct ck_value row = in_shape(&shape, array->expr);
    row.span = array->span;
    return row;
}

/* --- reshape and ravel ---------------------------------------------------------------------------
 */

/* The array of a method's call if a module constant computes with it. */
static bool
is_constant_array(const struct ck_call *call, const struct ck_value *array)
{
    return ck_computes_const_arrays(call->fn, array, 1);
}

struct ck_value
ck_rule_array_reshape(struct ck_call *call)
{
    const struct ck_value *array = ck_receiver(call);
    struct shape shape = {.call = call, .n_elements = 1, .is_known = true};
    if (!array)
        return failed(call);
    if (is_constant_array(call, array))
        return ck_const_reshape(call, array);
    if (!is_contiguous(call, array))
        return failed(call);
    struct ck_texpr *held = ck_lets_save(call->fn, &shape.lets, array->expr);
    int64_t size = known_size(array);
    bool fits = take_shape(&shape) &&
                (shape.is_known && size >= 0 ? fit_known(&shape, size) : fit_running(&shape, held));
    return fits ? in_shape(&shape, held) : failed(call);
}

static struct ck_value
raveled(struct ck_call *call, const struct ck_value *array)
{
    struct shape shape = {.call = call, .ndim = 1};
    if (array->type->array.ndim == 1)
        return *array;
    int64_t size = known_size(array);
    struct ck_texpr *held = ck_lets_save(call->fn, &shape.lets, array->expr);
    shape.extents[0] =
        size < 0 ? size_of(call->fn, held, call->syntax->span).expr
                 : ck_const_int(call->fn, ck_type_scalar(CK_TYPE_INT64), size, call->syntax->span);
    return in_shape(&shape, held);
}

struct ck_value
ck_rule_array_ravel(struct ck_call *call)
{
    const struct ck_value *array = ck_receiver(call);
    if (!array)
        return failed(call);
    if (is_constant_array(call, array))
        return ck_const_ravel(call, array);
    return is_contiguous(call, array) ? raveled(call, array) : failed(call);
}

/* --- Copies --------------------------------------------------------------------------------------
 */

/* Whether all extents are known at compile time and the copy is not too large; reported if not. */
static bool
has_known_size(struct ck_call *call, const struct ck_value *array)
{
    struct ck_fn *fn = call->fn;
    int64_t size = known_size(array);
    int64_t most = CK_MAX_LOCAL_BYTES / ck_type_size(array->type->array.elem);
    if (array->type->array.ndim == 0) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, call->syntax->span, "a copy of an array without dimensions");
        ck_diag_help(fn->c->diags, diag, "take its element: `x[()]`");
        return false;
    }
    if (size >= 1 && size <= most)
        return true;
    const char *name = strchr(ck_builtin_path(call->id), '.');
    struct ck_diag *diag = ck_error(
        fn, WRONG_TYPE, call->syntax->span,
        size > most
            ? ck_arena_printf(fn->c->arena,
                              "%lld elements of %s are more than the %d KiB of local memory that a "
                              "thread can have",
                              (long long)size, ck_text_of(fn, array->type->array.elem),
                              CK_MAX_LOCAL_BYTES >> 10)
        : size == 0
            ? "an extent must be at least 1"
            : ck_arena_printf(fn->c->arena,
                              "`%s` makes a local array, and the extents of %s are not known at "
                              "compile time",
                              name, ck_diag_text(fn->c->diags, array->span)));
    if (size < 0)
        ck_diag_help(fn->c->diags, diag,
                     "say its shape, `assert x.shape == (3,)`, or copy the elements: `y = "
                     "local.array(shape, dtype)`, then `y[:] = x`");
    return false;
}

/* A local array with the array's elements, which a function of the prelude copies. */
static struct ck_value
copied(struct ck_call *call, const struct ck_value *array)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *type = array->type;
    int ndim = type->array.ndim;
    if (!has_known_size(call, array))
        return failed(call);
    struct ck_axis_extent *extents = CK_NEW_ARRAY(fn->c->arena, struct ck_axis_extent, ndim);
    int64_t shape[CK_MAX_NDIM];
    for (int i = 0; i < ndim; i++) {
        extents[i].n = ck_known_extent(array, i).n;
        shape[i] = extents[i].n;
    }
    struct ck_texpr *target = ck_local_array_expr(call, type->array.elem, shape, ndim);
    struct ck_value args[2] = {ck_value_run(target->type, target), *array};
    struct ck_value value =
        ck_call_instance(fn, ck_prelude_function(fn->c, "array_copy"), args, 2, call->syntax->span);
    value.extents = extents;
    return value;
}

bool
ck_is_copyable(const struct ck_value *array)
{
    const int64_t size = known_size(array);
    return size >= 1 && size <= CK_MAX_LOCAL_BYTES / ck_type_size(array->type->array.elem);
}

struct ck_value
ck_local_copy(struct ck_fn *fn, const struct ck_value *array)
{
    const struct ck_expr syntax = {.span = array->span};
    struct ck_call call = {.fn = fn, .id = CK_BUILTIN_ARRAY_COPY, .syntax = &syntax};
    return copied(&call, array);
}

struct ck_value
ck_array_of_items(struct ck_fn *fn, struct ck_value tuple, const struct ck_type *elem)
{
    const struct ck_expr syntax = {.span = tuple.span};
    const struct ck_call call = {.fn = fn, .id = CK_BUILTIN_LOCAL_ARRAY, .syntax = &syntax};
    const int64_t n = tuple.type->tuple.n;
    struct ck_texpr *made = ck_local_array_expr(&call, elem, &n, 1);
    struct ck_value array = ck_hold(fn, ck_value_run(made->type, made));
    if (tuple.expr->kind != CK_T_TUPLE)
        tuple = ck_hold(fn, tuple);
    for (int i = 0; i < n; i++) {
        struct ck_tindex *index = CK_NEW(fn->c->arena, struct ck_tindex);
        index->value = ck_const_int(fn, ck_type_scalar(CK_TYPE_INT64), i, tuple.span);
        struct ck_value item = ck_tuple_item(fn, &tuple, i);
        item.span = tuple.span;
        ck_store_element(fn, array.expr, index, &item, tuple.span, tuple.span);
    }
    struct ck_axis_extent *extents = CK_NEW_ARRAY(fn->c->arena, struct ck_axis_extent, 1);
    extents[0].n = n;
    array.extents = extents;
    array.span = tuple.span;
    return array;
}

struct ck_value
ck_rule_array_copy(struct ck_call *call)
{
    const struct ck_value *array = ck_receiver(call);
    if (!array)
        return failed(call);
    if (ck_is_record_place(array))
        return ck_value_run(array->type->array.elem, ck_record_load(call->fn, array));
    return is_constant_array(call, array) ? ck_const_copy(call, array) : copied(call, array);
}

struct ck_value
ck_rule_array_flatten(struct ck_call *call)
{
    const struct ck_value *array = ck_receiver(call);
    if (!array)
        return failed(call);
    if (is_constant_array(call, array))
        return ck_const_ravel(call, array);
    struct ck_value copy = copied(call, array);
    return copy.kind == CK_VALUE_RUN ? raveled(call, &copy) : copy;
}
