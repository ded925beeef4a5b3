/* Typing of the functions of whole arrays, `x.sum()` and `np.sum(x)`: each becomes a call of a
 * function of lang/prelude/whole.ck, the serial work of the calling thread. */
#include <string.h>

#include "lang/check/builtins/const_array.h"

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

struct ck_value
ck_whole_array(struct ck_fn *fn, enum ck_builtin_id id, const struct ck_value *array)
{
    const struct ck_type *elem = array->type->array.elem;
    const bool is_single = array->type->array.ndim == 0;
    struct ck_value row;
    if (is_single) {
        row = ck_as_row(fn, array);
        array = &row;
    }
    if (ck_computes_const_arrays(fn, array, 1))
        return ck_const_whole_array(
            fn, id, array, id == CK_BUILTIN_ARRAY_MEAN ? mean_type(elem) : total_type(elem));
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

/* Axes and the like, which would make an array. */
struct ck_value
ck_whole_array_only(struct ck_fn *fn, const char *name, struct ck_span span)
{
    struct ck_diag *diag =
        ck_error(fn, NOT_SUPPORTED, span, ck_arena_printf(fn->c->arena, "arguments of `%s`", name));
    ck_diag_help(fn->c->diags, diag,
                 "it is a number of the whole array: call it for each row, `x[i, :].%s()`, or for "
                 "each column, `x[:, j].%s()`",
                 name, name);
    return ck_value_error(span);
}

struct ck_value
ck_rule_whole_array(struct ck_call *call)
{
    const struct ck_value *array = ck_receiver(call);
    if (!array)
        return ck_value_error(call->syntax->span);
    if (call->syntax->call.n_args) {
        const struct ck_argument *arg = &call->syntax->call.args[0];
        return ck_whole_array_only(call->fn, strchr(ck_builtin_path(call->id), '.') + 1,
                                   arg->name ? arg->name_span : arg->value->span);
    }
    return ck_whole_array(call->fn, call->id, array);
}
