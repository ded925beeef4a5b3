/* Python's functions of what can be iterated over: `sum`, `any` and `all` of a tuple, or of an
 * array of one dimension. */
#include "lang/check/builtins/rules.h"

/* --- What can be iterated over -------------------------------------------------------------------
 */

static bool
is_tuple(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && value->type->kind == CK_TYPE_TUPLE;
}

static bool
is_row(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && ck_type_is_array(value->type) &&
           value->type->array.ndim == 1;
}

/* --- Functions -----------------------------------------------------------------------------------
 */

struct ck_value
ck_rule_sum(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_span span = call->syntax->span;
    if (!is_tuple(&call->args[0]) && !is_row(&call->args[0]))
        return ck_wrong_type(call, 0, "a tuple or an array of one dimension");
    struct ck_value total = call->n_args > 1 ? call->args[1] : ck_value_int(fn, 0, span);
    if (is_row(&call->args[0])) {
        struct ck_value sum = ck_whole_array(fn, CK_BUILTIN_ARRAY_SUM, &call->args[0]);
        return sum.kind == CK_VALUE_ERROR ? sum : ck_check_binary(fn, CK_OP_ADD, total, sum, span);
    }
    struct ck_texpr *let;
    const struct ck_value tuple = ck_save_tuple(fn, call->args[0], &let);
    for (int i = 0; i < tuple.type->tuple.n && total.kind != CK_VALUE_ERROR; i++)
        total = ck_check_binary(fn, CK_OP_ADD, total, ck_tuple_item(fn, &tuple, i), span);
    total.expr = ck_let_in(let, total.expr);
    return total;
}

bool
ck_is_any_or_all(struct ck_fn *fn, enum ck_builtin_id id, const struct ck_value *of,
                 struct ck_span span, struct ck_value *out)
{
    const bool is_any = id == CK_BUILTIN_GROUP_ANY;
    if ((!is_any && id != CK_BUILTIN_GROUP_ALL) || (!is_tuple(of) && !is_row(of)))
        return false;
    if (is_row(of)) {
        *out = ck_whole_array(fn, is_any ? CK_BUILTIN_ARRAY_ANY : CK_BUILTIN_ARRAY_ALL, of);
        return true;
    }
    struct ck_texpr *let;
    const struct ck_value tuple = ck_save_tuple(fn, *of, &let);
    struct ck_texpr *result = ck_const_int(fn, ck_type_scalar(CK_TYPE_BOOL), !is_any, span);
    for (int i = 0; i < tuple.type->tuple.n && result; i++) {
        struct ck_value item = ck_tuple_item(fn, &tuple, i);
        item.span = of->span;
        struct ck_texpr *truth = ck_truth(fn, &item);
        result = truth ? ck_logical(fn, is_any, result, truth, span) : NULL;
    }
    *out = result ? ck_value_run(result->type, ck_let_in(let, result)) : ck_value_error(span);
    return true;
}
