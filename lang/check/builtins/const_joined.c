/* Constant arrays of the module made of others: in their shapes, joined, repeated, and products of
 * all pairs. */
#include <string.h>

#include "lang/check/builtins/const_array.h"
#include "lang/check/const_sequence.h"
#include "lang/check/date.h"

static struct ck_value
failed(const struct ck_call *call)
{
    return ck_value_error(call->syntax->span);
}

static const struct ck_const_array *
array_of(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN ? value->expr->array : NULL;
}

/* A mandatory argument; NULL after an error. */
static const struct ck_expr *
need(struct ck_call *call, int position, const char *name, const char *what)
{
    const struct ck_expr *syntax = ck_const_argument(call, position, name);
    if (!syntax)
        ck_error(call->fn, WRONG_COUNT, call->syntax->span, ck_builtin_path(call->id), what,
                 call->syntax->call.n_args);
    return syntax;
}

/* An array from its items, or an error if it is too large or empty. */
static struct ck_value
made(struct ck_call *call, const struct ck_type *elem, const int64_t *shape, int ndim,
     struct ck_texpr **items)
{
    return ck_const_array_value(call->fn, elem, shape, ndim, items, call->syntax->span);
}

/* The number of elements of the shape; -1 after an error. */
static int64_t
count_of(struct ck_call *call, const struct ck_type *elem, const int64_t *shape, int ndim)
{
    struct ck_fn *fn = call->fn;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] < 1) {
            ck_error(fn, WRONG_TYPE, call->syntax->span, "an extent must be at least 1");
            return -1;
        }
    }
    return ck_const_count(fn, shape, ndim, elem, call->syntax->span);
}

/* --- In the shape of another ---------------------------------------------------------------------
 */

/* zeros_like, ones_like, empty_like and full_like. */
struct ck_value
ck_rule_like(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    bool is_full = call->id == CK_BUILTIN_FULL_LIKE;
    const char *name = call->id == CK_BUILTIN_EMPTY_LIKE ? "prototype" : "a";
    const struct ck_expr *syntax = need(call, 0, name, "an array");
    const struct ck_expr *fill =
        is_full ? need(call, 1, "fill_value", "an array and a value") : NULL;
    const struct ck_type *elem;
    if (!syntax || (is_full && !fill) || !ck_const_dtype(call, is_full ? 2 : 1, &elem))
        return failed(call);
    struct ck_value model = ck_const_object(call, syntax, NULL, CK_CONST_NUMBERS_REFUSED);
    struct ck_value with =
        fill ? ck_const_item(fn, fill,
                             elem                         ? elem
                             : model.kind == CK_VALUE_RUN ? model.type->array.elem
                                                          : NULL)
             : ck_value_int(fn, call->id == CK_BUILTIN_ONES_LIKE, call->syntax->span);
    if (!array_of(&model) || !ck_const_is_element(fn, &with))
        return failed(call);
    const struct ck_const_array *array = array_of(&model);
    elem = elem ? elem : array->elem;
    struct ck_texpr *item = ck_const_element_of(fn, &with, elem);
    if (!item || count_of(call, elem, array->shape, array->ndim) < 0)
        return failed(call);
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, array->count);
    for (int64_t i = 0; i < array->count; i++)
        items[i] = item;
    return made(call, elem, array->shape, array->ndim, items);
}

/* asarray, asfortranarray and ascontiguousarray. */
struct ck_value
ck_rule_as_array(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *syntax = need(call, 0, "a", "an array");
    const struct ck_type *elem;
    if (!syntax || !ck_const_dtype(call, 1, &elem))
        return failed(call);
    syntax = ck_const_list(fn, syntax);
    bool is_list = syntax->kind == CK_EXPR_LIST || syntax->kind == CK_EXPR_TUPLE;
    struct ck_value given = is_list ? (struct ck_value){0} : ck_check_run(fn, syntax);
    bool is_array = given.kind == CK_VALUE_RUN && given.expr->kind == CK_T_ARRAY;
    bool keeps = is_array && call->id == CK_BUILTIN_ASARRAY;
    if (keeps && (!elem || elem == given.type->array.elem))
        return given;
    if (!is_list && given.kind != CK_VALUE_RUN)
        return given;
    struct ck_value value = is_list ? ck_const_object(call, syntax, elem, CK_CONST_NUMBERS_REFUSED)
                                    : ck_const_array_of_value(fn, given, elem);
    bool is_fortran =
        call->id == CK_BUILTIN_ASFORTRANARRAY || (keeps && given.type->array.layout == CK_LAYOUT_F);
    if (array_of(&value) && is_fortran)
        ck_const_array_to_fortran(fn, &value);
    return value;
}

/* --- Joined --------------------------------------------------------------------------------------
 */

struct parts {
    struct ck_value *values; /* constant arrays */
    int n, capacity;
};

/* The arrays in a list or a tuple, in NumPy's common type unless `elem` says another. */
static bool
take_parts(struct ck_call *call, const struct ck_expr *syntax, const struct ck_type *elem,
           struct parts *out)
{
    struct ck_fn *fn = call->fn;
    syntax = ck_const_list(fn, syntax);
    bool is_list = syntax->kind == CK_EXPR_LIST || syntax->kind == CK_EXPR_TUPLE;
    struct ck_value tuple = is_list ? (struct ck_value){0} : ck_check_run(fn, syntax);
    bool is_tuple = tuple.kind == CK_VALUE_RUN && tuple.type->kind == CK_TYPE_TUPLE;
    if (!is_list && tuple.kind == CK_VALUE_ERROR)
        return false;
    int n = is_list ? syntax->sequence.n : is_tuple ? tuple.type->tuple.n : 0;
    if (n == 0) {
        ck_error(fn, WRONG_TYPE, syntax->span,
                 ck_arena_printf(fn->c->arena, "`%s` takes a list of arrays",
                                 ck_builtin_path(call->id)));
        return false;
    }
    struct ck_value *elements = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n);
    for (int i = 0; i < n; i++) {
        struct ck_value item = is_tuple ? ck_tuple_item(fn, &tuple, i) : tuple;
        item.span = syntax->span;
        struct ck_value part = is_tuple ? ck_const_array_of_value(fn, item, NULL)
                                        : ck_const_object(call, syntax->sequence.items[i], NULL,
                                                          CK_CONST_NUMBERS_REFUSED);
        if (!array_of(&part))
            return false;
        elements[i] = (struct ck_value){
            .kind = CK_VALUE_RUN, .type = part.type->array.elem, .span = syntax->span};
        CK_PUSH(fn->c->arena, out->values, out->n, out->capacity, part);
    }
    if (!elem)
        elem = ck_has_date(elements, n) ? ck_const_dates_type(fn, elements, n)
                                        : ck_numpy_common_type(fn, elements, n);
    if (!elem)
        return false;
    for (int i = 0; i < n; i++) {
        if (out->values[i].type->array.elem != elem)
            out->values[i] = ck_const_array_cast(fn, &out->values[i], elem, syntax->span);
        if (!array_of(&out->values[i]))
            return false;
    }
    return true;
}

/* The axis that an argument names of an array with so many; -1: None. False after an error. */
static bool
take_axis(struct ck_call *call, int position, int ndim, int *out)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *syntax = ck_const_argument(call, position, "axis");
    int64_t axis;
    if (!syntax)
        return true;
    *out = -1;
    if (syntax->kind == CK_EXPR_NONE)
        return true;
    struct ck_value value = ck_check_run(fn, syntax);
    if (value.kind != CK_VALUE_RUN)
        return false;
    if (!ck_value_const_int(&value, &axis) || axis < -ndim || axis >= ndim) {
        ck_error(fn, WRONG_TYPE, syntax->span,
                 ck_arena_printf(fn->c->arena, "the axis is not one of the %d of the array%s", ndim,
                                 call->id == CK_BUILTIN_REPEAT ? "" : "s"));
        return false;
    }
    *out = (int)(axis < 0 ? axis + ndim : axis);
    return true;
}

/* The same elements in another shape. */
static struct ck_value
in_shape(struct ck_call *call, const struct ck_const_array *array, const int64_t *shape, int ndim)
{
    return made(call, array->elem, shape, ndim, array->items);
}

/* Whether the arrays have the same extents, except along one axis. */
static bool
fit(struct ck_call *call, const struct parts *parts, int except)
{
    const struct ck_const_array *first = array_of(&parts->values[0]);
    for (int i = 1; i < parts->n; i++) {
        const struct ck_const_array *array = array_of(&parts->values[i]);
        bool same = array->ndim == first->ndim;
        for (int dim = 0; same && dim < array->ndim; dim++)
            same = dim == except || array->shape[dim] == first->shape[dim];
        if (!same) {
            ck_error(call->fn, WRONG_TYPE, call->syntax->span,
                     "arrays that are joined have the same extents along the other axes");
            return false;
        }
    }
    return true;
}

/* The number of elements in one index of an axis, and the number of places before it. */
static void
split_at(const struct ck_const_array *array, int axis, int64_t *outer, int64_t *inner)
{
    *outer = *inner = 1;
    for (int i = 0; i < array->ndim; i++)
        *(i < axis ? outer : inner) *= i == axis ? 1 : array->shape[i];
}

static struct ck_value
join(struct ck_call *call, const struct parts *parts, int axis)
{
    const struct ck_const_array *first = array_of(&parts->values[0]);
    if (!fit(call, parts, axis))
        return failed(call);
    int64_t shape[CK_MAX_NDIM], outer, inner, at = 0;
    memcpy(shape, first->shape, sizeof shape);
    for (int i = 1; i < parts->n; i++)
        shape[axis] += array_of(&parts->values[i])->shape[axis];
    int64_t count = count_of(call, first->elem, shape, first->ndim);
    if (count < 0)
        return failed(call);
    split_at(first, axis, &outer, &inner);
    struct ck_texpr **items = CK_NEW_ARRAY(call->fn->c->arena, struct ck_texpr *, count);
    for (int64_t o = 0; o < outer; o++) {
        for (int i = 0; i < parts->n; i++) {
            const struct ck_const_array *array = array_of(&parts->values[i]);
            int64_t n = array->shape[axis] * inner;
            memcpy(items + at, array->items + o * n, (size_t)n * sizeof *items);
            at += n;
        }
    }
    return made(call, first->elem, shape, first->ndim, items);
}

static const struct ck_expr *
take_joined(struct ck_call *call, int dtype_position, const char *name, struct parts *out)
{
    const struct ck_expr *syntax = need(call, 0, name, "a list of arrays");
    const struct ck_type *elem;
    bool good = syntax && ck_const_dtype(call, dtype_position, &elem) &&
                take_parts(call, syntax, elem, out);
    return good ? syntax : NULL;
}

struct ck_value
ck_rule_concatenate(struct ck_call *call)
{
    struct parts parts = {0};
    int axis = 0;
    if (!take_joined(call, -1, "arrays", &parts) ||
        !take_axis(call, 1, array_of(&parts.values[0])->ndim, &axis))
        return failed(call);
    for (int i = 0; axis < 0 && i < parts.n; i++) {
        const struct ck_const_array *array = array_of(&parts.values[i]);
        parts.values[i] = in_shape(call, array, &array->count, 1);
    }
    return join(call, &parts, axis < 0 ? 0 : axis);
}

/* Adds an axis to each array. False after an error. */
static bool
add_axis(struct ck_call *call, struct parts *parts, int axis)
{
    for (int i = 0; i < parts->n; i++) {
        const struct ck_const_array *array = array_of(&parts->values[i]);
        int64_t shape[CK_MAX_NDIM + 1];
        if (array->ndim == CK_MAX_NDIM) {
            ck_error(call->fn, WRONG_TYPE, call->syntax->span, "an array has 1 to 8 dimensions");
            return false;
        }
        for (int dim = 0; dim <= array->ndim; dim++)
            shape[dim] = dim == axis ? 1 : array->shape[dim - (dim > axis)];
        parts->values[i] = in_shape(call, array, shape, array->ndim + 1);
    }
    return true;
}

struct ck_value
ck_rule_stack(struct ck_call *call)
{
    struct parts parts = {0};
    int axis = 0;
    if (!take_joined(call, -1, "arrays", &parts) ||
        !take_axis(call, 1, array_of(&parts.values[0])->ndim + 1, &axis))
        return failed(call);
    if (!fit(call, &parts, -1) || !add_axis(call, &parts, axis < 0 ? 0 : axis))
        return failed(call);
    return join(call, &parts, axis < 0 ? 0 : axis);
}

/* hstack and vstack: rows are joined, or become the rows of an array. */
struct ck_value
ck_rule_stack_rows(struct ck_call *call)
{
    struct parts parts = {0};
    bool is_vertical = call->id == CK_BUILTIN_VSTACK;
    if (!take_joined(call, -1, "tup", &parts))
        return failed(call);
    bool are_rows = array_of(&parts.values[0])->ndim == 1;
    for (int i = 0; is_vertical && i < parts.n; i++) {
        struct parts one = {.values = &parts.values[i], .n = 1};
        if (array_of(&parts.values[i])->ndim == 1 && !add_axis(call, &one, 0))
            return failed(call);
    }
    return join(call, &parts, is_vertical || are_rows ? 0 : 1);
}

/* --- Repeated ------------------------------------------------------------------------------------
 */

/* Integers: one, or a list or an array of them. False after an error. */
static bool
take_numbers(struct ck_call *call, const struct ck_expr *syntax, const int64_t **out, int64_t *n)
{
    struct ck_fn *fn = call->fn;
    struct ck_value value = ck_const_object(call, syntax, NULL, CK_CONST_NUMBERS_TAKEN);
    const struct ck_const_array *array = array_of(&value);
    if (!array)
        return false;
    bool fits = array->ndim == 1 && ck_type_is_int(array->elem);
    int64_t *numbers = CK_NEW_ARRAY(fn->c->arena, int64_t, array->count);
    for (int64_t i = 0; fits && i < array->count; i++) {
        numbers[i] = ck_clamped_int(array->items[i]);
        fits = numbers[i] >= 0;
    }
    if (!fits)
        ck_error(fn, WRONG_TYPE, syntax->span,
                 ck_arena_printf(fn->c->arena, "`%s` takes integers of at least 0",
                                 ck_builtin_path(call->id)));
    *out = numbers;
    *n = array->count;
    return fits;
}

struct ck_value
ck_rule_tile(struct ck_call *call)
{
    const struct ck_expr *syntax = need(call, 0, "A", "an array and repetitions");
    const struct ck_expr *reps = syntax ? need(call, 1, "reps", "an array and repetitions") : NULL;
    struct ck_value value =
        reps ? ck_const_object(call, syntax, NULL, CK_CONST_NUMBERS_TAKEN) : failed(call);
    const struct ck_const_array *array = array_of(&value);
    const int64_t *times;
    int64_t n_times;
    if (!array || !take_numbers(call, reps, &times, &n_times))
        return failed(call);
    int ndim = n_times > array->ndim ? (int)n_times : array->ndim;
    if (n_times > CK_MAX_NDIM) {
        ck_error(call->fn, WRONG_TYPE, reps->span, "an array has 1 to 8 dimensions");
        return failed(call);
    }
    int64_t inner[CK_MAX_NDIM], shape[CK_MAX_NDIM];
    for (int i = 0; i < ndim; i++) {
        int dim = i - (ndim - array->ndim), rep = i - (ndim - (int)n_times);
        inner[i] = dim < 0 ? 1 : array->shape[dim];
        bool fits = !__builtin_mul_overflow(inner[i], rep < 0 ? 1 : times[rep], &shape[i]);
        shape[i] = fits ? shape[i] : INT64_MAX;
    }
    int64_t count = count_of(call, array->elem, shape, ndim);
    if (count < 0)
        return failed(call);
    struct ck_texpr **items = CK_NEW_ARRAY(call->fn->c->arena, struct ck_texpr *, count);
    for (int64_t at = 0; at < count; at++) {
        int64_t rest = at, position = 0, scale = 1;
        for (int i = ndim - 1; i >= 0; i--) {
            position += rest % shape[i] % inner[i] * scale;
            rest /= shape[i];
            scale *= inner[i];
        }
        items[at] = array->items[position];
    }
    return made(call, array->elem, shape, ndim, items);
}

struct ck_value
ck_rule_repeat(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *syntax = need(call, 0, "a", "an array and repetitions");
    const struct ck_expr *repeats =
        syntax ? need(call, 1, "repeats", "an array and repetitions") : NULL;
    struct ck_value value =
        repeats ? ck_const_object(call, syntax, NULL, CK_CONST_NUMBERS_TAKEN) : failed(call);
    const int64_t *times;
    int64_t n_times;
    int axis = -1;
    if (!array_of(&value) || !take_axis(call, 2, array_of(&value)->ndim, &axis) ||
        !take_numbers(call, repeats, &times, &n_times))
        return failed(call);
    if (axis < 0)
        value = in_shape(call, array_of(&value), &array_of(&value)->count, 1);
    const struct ck_const_array *array = array_of(&value);
    int along = axis < 0 ? 0 : axis;
    if (n_times != 1 && n_times != array->shape[along]) {
        ck_error(fn, WRONG_TYPE, repeats->span,
                 ck_arena_printf(fn->c->arena, "%lld numbers of repetitions for an axis of %lld",
                                 (long long)n_times, (long long)array->shape[along]));
        return failed(call);
    }
    int64_t shape[CK_MAX_NDIM], outer, inner, at = 0;
    memcpy(shape, array->shape, sizeof shape);
    shape[along] = 0;
    for (int64_t i = 0; i < array->shape[along]; i++) {
        if (__builtin_add_overflow(shape[along], times[n_times == 1 ? 0 : i], &shape[along]))
            shape[along] = INT64_MAX;
    }
    int64_t count = count_of(call, array->elem, shape, array->ndim);
    if (count < 0)
        return failed(call);
    split_at(array, along, &outer, &inner);
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, count);
    for (int64_t from = 0; from < outer * array->shape[along]; from++) {
        int64_t n = times[n_times == 1 ? 0 : from % array->shape[along]];
        for (int64_t k = 0; k < n; k++, at += inner)
            memcpy(items + at, array->items + from * inner, (size_t)inner * sizeof *items);
    }
    return made(call, array->elem, shape, array->ndim, items);
}

/* --- Products ------------------------------------------------------------------------------------
 */

struct ck_value
ck_rule_outer(struct ck_call *call)
{
    static const char *const names[] = {"a", "b"};
    struct ck_value sides[2], product;
    for (int i = 0; i < 2; i++) {
        const struct ck_expr *syntax = need(call, i, names[i], "two arrays");
        sides[i] =
            syntax ? ck_const_object(call, syntax, NULL, CK_CONST_NUMBERS_TAKEN) : failed(call);
        const struct ck_const_array *array = array_of(&sides[i]);
        if (!array)
            return failed(call);
        const int64_t column[] = {array->count, 1}, row[] = {1, array->count};
        sides[i] = in_shape(call, array, i == 0 ? column : row, 2);
    }
    if (!ck_const_array_binary(call->fn, CK_OP_MUL, &sides[0], &sides[1], call->syntax->span,
                               &product))
        return failed(call);
    return product;
}
