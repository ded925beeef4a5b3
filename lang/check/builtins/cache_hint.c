/* Typing of loads and stores of an element with a cache hint, and of prefetches. */
#include "lang/check/builtins/rules.h"
#include "lang/check/date.h"
#include "lang/check/element.h"

static bool
is_array(struct ck_call *call)
{
    const bool is = call->args[0].kind == CK_VALUE_RUN && ck_type_is_array(call->args[0].type);
    if (!is)
        ck_wrong_type(call, 0, "an array");
    return is;
}

/* Whether it is an array of numbers, bools, dates or times. Otherwise false, reported. */
static bool
check_array(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_value *array = &call->args[0];
    if (!is_array(call))
        return false;
    if (ck_type_is_date(array->type->array.elem))
        return ck_is_aligned(fn, array, ck_builtin_path(call->id));
    if (!ck_has_aligned_scalars(fn, array, ck_builtin_path(call->id)))
        return false;
    if (!ck_type_is_complex(array->type->array.elem))
        return true;
    struct ck_diag *diag = ck_error(fn, WRONG_TYPE, array->span,
                                    ck_arena_printf(fn->c->arena, "`%s` does not work on %s",
                                                    ck_builtin_path(call->id),
                                                    ck_text_of(fn, array->type->array.elem)));
    ck_diag_help(fn->c->diags, diag, "view the parts as elements: `z.view(float32)`");
    return false;
}

/* The operation on the element at the index, which is the second argument; `lets` are to enclose
 * it. NULL after an error. */
static struct ck_texpr *
on_element(struct ck_call *call, const struct ck_type *type, struct ck_lets *lets)
{
    struct ck_tindex *indices;
    ck_save_index(call->fn, &call->args[0], &call->args[1], lets);
    if (!ck_indices_from_value(call->fn, &call->args[0], &call->args[1], &indices))
        return NULL;
    struct ck_texpr *expr = ck_lowered(call, type);
    ck_lowered_arg(call, expr, call->args[0].expr);
    expr->builtin.indices = indices;
    return expr;
}

struct ck_value
ck_rule_hinted_load(struct ck_call *call)
{
    struct ck_lets lets = {0};
    struct ck_texpr *expr =
        check_array(call) ? on_element(call, call->args[0].type->array.elem, &lets) : NULL;
    return expr ? ck_value_run(expr->type, ck_lets_in(&lets, expr))
                : ck_value_error(call->syntax->span);
}

struct ck_value
ck_rule_hinted_store(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    if (!check_array(call) || !ck_check_writable(fn, &call->args[0], call->args[0].span))
        return ck_value_error(call->syntax->span);
    const struct ck_type *elem = call->args[0].type->array.elem;
    const bool is_date = ck_type_is_date(elem);
    if (!is_date && !ck_is_number(&call->args[2]))
        return ck_wrong_type(call, 2, "a number");
    struct ck_texpr *value = is_date ? ck_convert(fn, &call->args[2], elem)
                                     : ck_implicit_cast(fn, call->args[2].expr, elem);
    struct ck_lets lets = {0};
    struct ck_texpr *expr = value ? on_element(call, ck_type_scalar(CK_TYPE_VOID), &lets) : NULL;
    if (!expr)
        return ck_value_error(call->syntax->span);
    if (!is_date)
        ck_warn_narrowed(fn, &call->args[2], elem);
    ck_lowered_arg(call, expr, value);
    return ck_lowered_none(call, ck_lets_in(&lets, expr));
}

/* Of elements of any type: only the address counts. */
struct ck_value
ck_rule_prefetch(struct ck_call *call)
{
    struct ck_lets lets = {0};
    struct ck_texpr *expr =
        is_array(call) ? on_element(call, ck_type_scalar(CK_TYPE_VOID), &lets) : NULL;
    return expr ? ck_lowered_none(call, ck_lets_in(&lets, expr))
                : ck_value_error(call->syntax->span);
}
