/* The built-ins that make arrays of the module in the device's memory. */
#include <string.h>

#include "lang/check/builtins/const_array.h"
#include "lang/check/element.h"

/* In a function these are Numba's, for host programs. */
static bool
is_in_function(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    if (fn->constant_only)
        return false;
    const struct ck_span at = call->syntax->call.callee->span;
    struct ck_diag *diag = ck_error(fn, HOST_CODE, at, ck_diag_text(fn->c->diags, at));
    ck_diag_help(fn->c->diags, diag,
                 "bind the array to a name at module level, or pass it as an argument");
    return true;
}

static struct ck_value
array_value(struct ck_call *call, const struct ck_type *elem, const int64_t *shape, int ndim,
            const struct ck_const_array *initial)
{
    struct ck_fn *fn = call->fn;
    const enum ck_space space =
        call->id == CK_BUILTIN_CONST_SPACE_ARRAY ? CK_SPACE_CONST : CK_SPACE_GLOBAL;
    struct ck_module_array *array = CK_NEW(fn->c->arena, struct ck_module_array);
    array->name = "";
    array->type = ck_type_array(&fn->c->types, elem, ndim, CK_LAYOUT_C, space);
    array->count = 1;
    for (int i = 0; i < ndim; i++) {
        array->shape[i] = shape[i];
        array->count *= shape[i];
    }
    array->initial = initial;
    array->span = call->syntax->span;
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_MODULE_ARRAY, array->type, call->syntax->span);
    expr->module_array = array;
    return ck_value_run(array->type, expr);
}

/* False after an error. */
static bool
fits(struct ck_call *call, const struct ck_type *elem, const int64_t *shape, int ndim)
{
    struct ck_fn *fn = call->fn;
    const bool is_const = call->id == CK_BUILTIN_CONST_SPACE_ARRAY;
    if (ck_type_is_vector(elem) && ndim == CK_MAX_NDIM) {
        ck_error(fn, WRONG_TYPE, call->syntax->span,
                 "an array of vectors of the module has 1 to 7 dimensions");
        return false;
    }
    const int64_t most = is_const ? CK_MAX_CONST_BYTES : CK_MAX_MODULE_ARRAY;
    int64_t bytes = ck_type_size(elem);
    for (int i = 0; i < ndim && bytes <= most; i++) {
        if (__builtin_mul_overflow(bytes, shape[i], &bytes))
            bytes = INT64_MAX;
    }
    if (bytes <= most)
        return true;
    ck_error(fn, WRONG_TYPE, call->syntax->span,
             is_const ? "the array is larger than the 64 KB of constant memory"
                      : "an array of the module has at most 1 GiB");
    return false;
}

static const struct ck_type *
element_type(struct ck_call *call)
{
    const struct ck_expr *dtype = ck_const_argument(call, 1, "dtype");
    if (!dtype)
        return ck_type_scalar(CK_TYPE_FLOAT64);
    struct ck_value type = ck_check_expr(call->fn, dtype);
    return ck_element_type_of(call->fn, &type);
}

/* Other orders than C's are refused. */
static bool
is_c_order(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *order = ck_const_argument(call, 2, "order");
    struct ck_value value = {0};
    if (!order)
        return true;
    value = ck_check_expr(fn, order);
    if (value.kind == CK_VALUE_STRING && strcmp(value.string->string.bytes, "C") == 0)
        return true;
    if (value.kind != CK_VALUE_ERROR)
        ck_error(fn, NOT_SUPPORTED, order->span,
                 "an array of the module in another order than 'C'");
    return false;
}

struct ck_value
ck_rule_module_array(struct ck_call *call)
{
    const struct ck_value error = ck_value_error(call->syntax->span);
    int64_t shape[CK_MAX_NDIM];
    int ndim;
    if (is_in_function(call) || !ck_const_shape(call, shape, &ndim) || !is_c_order(call))
        return error;
    const struct ck_type *elem = element_type(call);
    if (!elem || !fits(call, elem, shape, ndim))
        return error;
    return array_value(call, elem, shape, ndim, NULL);
}

struct ck_value
ck_rule_module_array_like(struct ck_call *call)
{
    const struct ck_value error = ck_value_error(call->syntax->span);
    const bool is_copy = call->id == CK_BUILTIN_TO_DEVICE;
    const struct ck_expr *like = ck_const_argument(call, 0, is_copy ? "obj" : "ary");
    struct ck_fn *fn = call->fn;
    if (is_in_function(call))
        return error;
    if (!is_copy) {
        struct ck_value other = ck_check_run(fn, like);
        if (other.kind == CK_VALUE_RUN && other.expr->kind == CK_T_MODULE_ARRAY) {
            const struct ck_module_array *array = other.expr->module_array;
            return array_value(call, array->type->array.elem, array->shape, array->type->array.ndim,
                               NULL);
        }
        if (other.kind == CK_VALUE_ERROR)
            return error;
    }
    struct ck_value made = ck_const_object(call, like, NULL, CK_CONST_NUMBERS_REFUSED);
    if (made.kind != CK_VALUE_RUN)
        return error;
    const struct ck_const_array *array = made.expr->array;
    return array_value(call, array->elem, array->shape, array->ndim, is_copy ? array : NULL);
}
