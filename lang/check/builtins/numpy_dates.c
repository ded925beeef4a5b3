/* Functions of `np` of dates and times: operators, comparisons, and those that they have. */
#include "lang/check/builtins/numpy.h"
#include "lang/check/date.h"

static struct ck_value
no_dates(const struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_value *date = call->args;
    while (!ck_is_date(date))
        date++;
    struct ck_diag *diag = ck_error(fn, WRONG_TYPE, date->span,
                                    ck_arena_printf(fn->c->arena, "`%s` takes numbers, not %s",
                                                    call->row->path, ck_text_of(fn, date->type)));
    ck_help_date(fn, diag, date, ck_type_scalar(CK_TYPE_INT64));
    return ck_numpy_failed(call);
}

static struct ck_value
date_where(const struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_value *then = &call->args[1], *otherwise = &call->args[2];
    const struct ck_type *type = ck_join_values(&fn->c->types, then, otherwise);
    if (ck_is_date(&call->args[0]) || !type)
        return no_dates(call);
    struct ck_texpr *t = ck_convert(fn, then, type), *o = ck_convert(fn, otherwise, type);
    struct ck_texpr *test = ck_truth(fn, &call->args[0]);
    return t && o && test ? ck_value_run(type, ck_select_expr(fn, test, t, o, call->syntax->span))
                          : ck_numpy_failed(call);
}

static struct ck_value
date_clip(const struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_span span = call->syntax->span;
    struct ck_value limits[] = {call->args[0], call->args[1]}, result;
    if (!ck_date_function(fn, "np.maximum", limits, 2, span, &result))
        return no_dates(call);
    if (result.kind == CK_VALUE_ERROR)
        return result;
    limits[0] = result;
    limits[1] = call->args[2];
    return ck_date_function(fn, "np.minimum", limits, 2, span, &result) ? result : no_dates(call);
}

struct ck_value
ck_numpy_of_dates(const struct ck_numpy_call *call, enum ck_numpy_date_form form)
{
    struct ck_fn *fn = call->fn;
    const struct ck_value *args = call->args;
    const struct ck_span span = call->syntax->span;
    struct ck_value value;
    struct ck_texpr *test;
    switch (form) {
    case CK_NUMPY_DATE_OPERATOR:
        return ck_check_binary(fn, (enum ck_binary_op)call->row->what, args[0], args[1], span);
    case CK_NUMPY_DATE_COMPARISON:
        test = ck_compare_values(fn, (enum ck_compare_op)call->row->what, &args[0], &args[1], span);
        return test ? ck_value_run(test->type, test) : ck_numpy_failed(call);
    case CK_NUMPY_DATE_WHERE:
        return date_where(call);
    case CK_NUMPY_DATE_CLIP:
        return date_clip(call);
    case CK_NUMPY_DATE_SAME:
        return args[0].type->kind == CK_TYPE_TIMEDELTA64 ? args[0] : no_dates(call);
    default:
        return ck_date_function(fn, call->row->path, args, call->n_params, span, &value)
                   ? value
                   : no_dates(call);
    }
}
