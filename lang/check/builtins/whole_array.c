/* Typing of the functions of whole arrays, `x.sum()` and `np.sum(x)`: each becomes a call of a
 * function of lang/prelude/whole.ck, the serial work of the calling thread. */
#include <string.h>

#include "lang/check/builtins/const_array.h"
#include "lang/check/element.h"

/* --- Types ---------------------------------------------------------------------------------------
 */

/* NumPy's type of a sum or a product. */
static const struct ck_type *
total_type(const struct ck_type *elem)
{
    if (ck_type_is_float(elem) || ck_type_is_complex(elem))
        return elem;
    return ck_type_scalar(ck_type_is_unsigned(elem) ? CK_TYPE_UINT64 : CK_TYPE_INT64);
}

static const struct ck_type *
mean_type(const struct ck_type *elem)
{
    bool is_whole = ck_type_is_int(elem) || elem->kind == CK_TYPE_BOOL;
    return is_whole ? ck_type_scalar(CK_TYPE_FLOAT64) : elem;
}

/* The type in which a total of this type is computed: NumPy adds floats of 16 bits as float32. */
static const struct ck_type *
accumulator_type(const struct ck_type *total)
{
    bool is_half = total->kind == CK_TYPE_FLOAT16 || total->kind == CK_TYPE_BFLOAT16;
    return is_half ? ck_type_scalar(CK_TYPE_FLOAT32) : total;
}

/* --- Calls ---------------------------------------------------------------------------------------
 */

static struct ck_value
call_prelude(struct ck_fn *fn, enum ck_builtin_id id, const struct ck_value *args, int n)
{
    const char *name = strchr(ck_builtin_path(id), '.') + 1;
    struct ck_global *function =
        ck_prelude_function(fn->c, ck_arena_printf(fn->c->arena, "array_%s", name));
    return ck_call_instance(fn, function, args, n, args[0].span);
}

/* A sum or the like: computed from `first` on in the accumulator's type, and returned in `type`. */
static struct ck_value
accumulated(struct ck_fn *fn, enum ck_builtin_id id, const struct ck_value *array, int first,
            const struct ck_type *type)
{
    const struct ck_type *accumulator = accumulator_type(type);
    struct ck_value initial = ck_value_int(fn, first, array->span);
    struct ck_texpr *start = ck_convert(fn, &initial, accumulator);
    struct ck_value args[2] = {*array, ck_value_run(accumulator, start)};
    struct ck_value result = call_prelude(fn, id, args, 2);
    if (result.kind != CK_VALUE_RUN || result.type == type)
        return result;
    return ck_value_run(type, ck_cast(fn, result.expr, type));
}

/* Positions are never negative. */
static struct ck_value
position(struct ck_fn *fn, enum ck_builtin_id id, const struct ck_value *array)
{
    struct ck_value result = call_prelude(fn, id, array, 1);
    result.nonnegative = true;
    return result;
}

/* Whether the function is one of dates and times: it only compares elements. */
static bool
has_order(enum ck_builtin_id id, const struct ck_type *elem)
{
    return ck_type_is_date(elem) &&
           (id == CK_BUILTIN_ARRAY_MIN || id == CK_BUILTIN_ARRAY_MAX ||
            id == CK_BUILTIN_ARRAY_ARGMIN || id == CK_BUILTIN_ARRAY_ARGMAX);
}

static struct ck_value
of_constant(struct ck_fn *fn, enum ck_builtin_id id, const struct ck_value *array,
            const struct ck_const_axes *axes)
{
    const struct ck_type *elem = array->type->array.elem;
    if (!has_order(id, elem) && !ck_has_scalars(fn, array, ck_builtin_path(id)))
        return ck_value_error(array->span);
    const struct ck_type *type = id == CK_BUILTIN_ARRAY_MEAN ? mean_type(elem) : total_type(elem);
    return ck_const_whole_array(fn, id, array, type, axes);
}

struct ck_value
ck_whole_array(struct ck_fn *fn, enum ck_builtin_id id, const struct ck_value *array)
{
    const struct ck_type *elem = array->type->array.elem;
    if (!has_order(id, elem) && !ck_has_scalars(fn, array, ck_builtin_path(id)))
        return ck_value_error(array->span);
    const bool is_single = array->type->array.ndim == 0;
    struct ck_value row;
    if (is_single) {
        row = ck_as_row(fn, array);
        array = &row;
    }
    if (ck_computes_const_arrays(fn, array, 1)) {
        struct ck_const_axes all;
        memset(&all, 0, sizeof all);
        for (int i = 0; i < array->type->array.ndim; i++)
            all.reduced[i] = true;
        return of_constant(fn, id, array, &all);
    }
    if (array->type->array.space != CK_SPACE_LOCAL && fn->out && !is_single)
        ck_use_whole_array(fn->out, array->span);
    switch (id) {
    case CK_BUILTIN_ARRAY_SUM:
        return accumulated(fn, id, array, 0, total_type(elem));
    case CK_BUILTIN_ARRAY_PROD:
        return accumulated(fn, id, array, 1, total_type(elem));
    case CK_BUILTIN_ARRAY_MEAN:
        return accumulated(fn, id, array, 0, mean_type(elem));
    case CK_BUILTIN_ARRAY_ARGMIN:
    case CK_BUILTIN_ARRAY_ARGMAX:
        return position(fn, id, array);
    default: /* the extremes, `any` and `all` */
        return call_prelude(fn, id, array, 1);
    }
}

struct ck_value
ck_whole_dot(struct ck_fn *fn, const struct ck_value *left, const struct ck_value *right,
             struct ck_span span)
{
    struct ck_value elements[2], args[3] = {*left, *right};
    for (int i = 0; i < 2; i++) {
        const struct ck_type *type = args[i].type;
        if (!ck_has_scalars(fn, &args[i], "dot"))
            return ck_value_error(span);
        elements[i] = (struct ck_value){.kind = CK_VALUE_RUN, .type = type->array.elem};
        if (type->array.ndim != 1) {
            struct ck_diag *diag = ck_error(fn, NOT_SUPPORTED, args[i].span,
                                            "`np.dot` of arrays of more than one dimension");
            ck_diag_help(fn->c->diags, diag, "multiply rows in a loop: `y[i] = np.dot(a[i], x)`");
            return ck_value_error(span);
        }
        if (type->array.space != CK_SPACE_LOCAL && fn->out)
            ck_use_whole_array(fn->out, args[i].span);
    }
    const struct ck_type *type = ck_numpy_common_type(fn, elements, 2);
    const struct ck_type *accumulator = accumulator_type(type);
    struct ck_value zero = ck_value_int(fn, 0, span);
    args[2] = ck_value_run(accumulator, ck_convert(fn, &zero, accumulator));
    struct ck_global *function = ck_prelude_function(fn->c, "array_dot");
    struct ck_value value = ck_call_instance(fn, function, args, 3, span);
    return value.kind == CK_VALUE_RUN ? ck_value_run(type, ck_cast(fn, value.expr, type)) : value;
}

/* --- Arguments -----------------------------------------------------------------------------------
 */

/* NumPy's arguments besides the array. */
enum { AXIS, DTYPE, OUT, KEEPDIMS, N_ARGUMENTS };

/* Only sums, products and means have a dtype. */
static bool
has_dtype(enum ck_builtin_id id)
{
    return id == CK_BUILTIN_ARRAY_SUM || id == CK_BUILTIN_ARRAY_PROD || id == CK_BUILTIN_ARRAY_MEAN;
}

/* Which argument the one at `position` after the array is. */
static int
argument_at(enum ck_builtin_id id, int position)
{
    return position > AXIS && !has_dtype(id) ? position + 1 : position;
}

/* What would make an array, which kernels cannot; of constants a dtype and the like. */
static struct ck_value
refuse_argument(struct ck_fn *fn, enum ck_builtin_id id, struct ck_span span)
{
    const char *name = strchr(ck_builtin_path(id), '.') + 1;
    struct ck_diag *diag =
        ck_error(fn, NOT_SUPPORTED, span, ck_arena_printf(fn->c->arena, "arguments of `%s`", name));
    if (fn->constant_only)
        ck_diag_help(fn->c->diags, diag,
                     "only `axis` and `keepdims`: convert the array before, `A.astype(T).%s()`",
                     name);
    else
        ck_diag_help(fn->c->diags, diag,
                     "it is a number of the whole array: call it for each row, `x[i, :].%s()`, or "
                     "for each column, `x[:, j].%s()`",
                     name, name);
    return ck_value_error(span);
}

/* Adds an axis, counted from the end if it is below zero. False after an error. */
static bool
add_axis(struct ck_fn *fn, const struct ck_value *value, int ndim, struct ck_span span,
         struct ck_const_axes *axes)
{
    int64_t axis;
    if (!ck_value_const_int(value, &axis)) {
        ck_error(fn, WRONG_TYPE, span, "`axis` is an integer, a tuple of integers or None");
        return false;
    }
    int64_t place = axis < 0 ? axis + ndim : axis;
    if (place < 0 || place >= ndim)
        ck_error(fn, WRONG_TYPE, span,
                 ck_arena_printf(fn->c->arena, "axis %lld of an array of %d dimension%s",
                                 (long long)axis, ndim, ndim == 1 ? "" : "s"));
    else if (axes->reduced[place])
        ck_error(fn, WRONG_TYPE, span,
                 ck_arena_printf(fn->c->arena, "axis %lld is given twice", (long long)axis));
    else
        return axes->reduced[place] = true;
    return false;
}

/* The axes that an argument names. False after an error. */
static bool
take_axes(struct ck_fn *fn, enum ck_builtin_id id, int ndim, const struct ck_value *axis,
          struct ck_const_axes *axes)
{
    bool of_one = id == CK_BUILTIN_ARRAY_ARGMIN || id == CK_BUILTIN_ARRAY_ARGMAX;
    if (axis->kind == CK_VALUE_NONE) {
        for (int i = 0; i < ndim; i++)
            axes->reduced[i] = true;
        return true;
    }
    if (axis->kind != CK_VALUE_RUN || axis->type->kind != CK_TYPE_TUPLE)
        return add_axis(fn, axis, ndim, axis->span, axes);
    bool good = !of_one;
    if (of_one)
        ck_error(fn, WRONG_TYPE, axis->span,
                 ck_arena_printf(fn->c->arena, "`%s` takes one axis",
                                 strchr(ck_builtin_path(id), '.') + 1));
    for (int i = 0; good && i < axis->type->tuple.n; i++) {
        struct ck_value item = ck_tuple_item(fn, axis, i);
        good = add_axis(fn, &item, ndim, axis->span, axes);
    }
    return good;
}

static bool
is_true_or_false(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && value->expr->kind == CK_T_CONST &&
           value->type->kind == CK_TYPE_BOOL;
}

struct ck_value
ck_whole_array_with(struct ck_fn *fn, enum ck_builtin_id id, const struct ck_value *array,
                    const struct ck_value *args, int n)
{
    struct ck_value given[N_ARGUMENTS];
    struct ck_const_axes axes;
    memset(&axes, 0, sizeof axes);
    for (int i = 0; i < N_ARGUMENTS; i++)
        given[i] = (struct ck_value){.kind = CK_VALUE_NONE};
    for (int i = 0; i < n; i++) {
        if (args[i].kind == CK_VALUE_ERROR)
            return args[i];
        given[argument_at(id, i)] = args[i];
    }
    const struct ck_value *keeps = &given[KEEPDIMS];
    axes.keeps = is_true_or_false(keeps) && keeps->expr->constant.i;
    if (given[AXIS].kind == CK_VALUE_NONE && !axes.keeps)
        given[AXIS].span = array->span;
    else if (!ck_computes_const_arrays(fn, array, 1))
        return refuse_argument(fn, id,
                               given[AXIS].kind == CK_VALUE_NONE ? keeps->span : given[AXIS].span);
    for (int i = DTYPE; i <= OUT; i++) {
        if (given[i].kind != CK_VALUE_NONE)
            return refuse_argument(fn, id, given[i].span);
    }
    if (keeps->kind != CK_VALUE_NONE && !is_true_or_false(keeps)) {
        ck_error(fn, WRONG_TYPE, keeps->span, "`keepdims` is True or False");
        return ck_value_error(keeps->span);
    }
    if (!ck_computes_const_arrays(fn, array, 1))
        return ck_whole_array(fn, id, array);
    if (!take_axes(fn, id, array->type->array.ndim, &given[AXIS], &axes))
        return ck_value_error(array->span);
    return of_constant(fn, id, array, &axes);
}

struct ck_value
ck_rule_whole_array(struct ck_call *call)
{
    static const char *const names[] = {"axis", "dtype", "out", "keepdims"};
    struct ck_value args[N_ARGUMENTS];
    const struct ck_value *array = ck_receiver(call);
    if (!array)
        return ck_value_error(call->syntax->span);
    int n = has_dtype(call->id) ? N_ARGUMENTS : N_ARGUMENTS - 1;
    for (int i = 0; i < n; i++)
        args[i] = (struct ck_value){.kind = CK_VALUE_NONE};
    for (int k = 0; k < call->syntax->call.n_args; k++) {
        const struct ck_argument *arg = &call->syntax->call.args[k];
        int i = arg->name ? 0 : k;
        while (arg->name && i < n && strcmp(arg->name, names[argument_at(call->id, i)]) != 0)
            i++;
        if (i >= n)
            return refuse_argument(call->fn, call->id,
                                   arg->name ? arg->name_span : arg->value->span);
        args[i] = ck_check_expr(call->fn, arg->value);
        args[i].span = arg->name ? arg->name_span : arg->value->span;
    }
    return ck_whole_array_with(call->fn, call->id, array, args, n);
}
