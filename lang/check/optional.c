/* Names that are bound to None on some paths and to a value on others: `best = None`, and in a loop
 * `if best is None or x[i] > best: best = x[i]`. Where such a name is None it has no value, and a
 * hidden bool beside it is true. That may be known at compile time, path by path, as any constant
 * is; a read of the name where it is not fails when the kernel runs if the name is None. */
#include "lang/check/optional.h"

#include <string.h>

static const char *
flag_name(struct ck_fn *fn, const char *name)
{
    return ck_arena_printf(fn->c->arena, "%%none.%s", name);
}

bool
ck_is_optional(const struct ck_fn *fn, const char *name)
{
    return fn->optional.n && ck_name_set_find(&fn->optional, name) >= 0;
}

void
ck_collect_optional(struct ck_fn *fn, const struct ck_expr *target, const struct ck_expr *value)
{
    const bool unpacks = target->kind == CK_EXPR_TUPLE || target->kind == CK_EXPR_LIST;
    if (target->kind == CK_EXPR_NAME && value->kind == CK_EXPR_NONE &&
        !ck_is_optional(fn, target->name))
        ck_name_set_add(fn->c->arena, &fn->optional, target->name);
    if (!unpacks || value->kind != CK_EXPR_TUPLE || value->sequence.n != target->sequence.n)
        return;
    for (int i = 0; i < value->sequence.n; i++)
        ck_collect_optional(fn, target->sequence.items[i], value->sequence.items[i]);
}

int
ck_none_flag_index(struct ck_fn *fn, const char *name)
{
    return ck_is_optional(fn, name) ? ck_name_index(fn, flag_name(fn, name)) : -1;
}

void
ck_set_none(struct ck_fn *fn, const char *name, bool is_none, struct ck_span span)
{
    const int flag = ck_none_flag_index(fn, name);
    const struct ck_binding known = {
        .state = CK_SET, .value = ck_value_bool(fn, is_none, span), .set_at = span};
    ck_env_set(fn, &fn->env, flag, &known);
    if (!is_none)
        return;
    const int index = ck_name_index(fn, name);
    const struct ck_binding unset = {.state = CK_UNSET, .pin = ck_env_get(&fn->env, index)->pin};
    ck_env_set(fn, &fn->env, index, &unset);
}

/* Makes the locals of a name zero at the function's start. */
static void
zero_locals(struct ck_fn *fn, const char *name)
{
    if (!fn->c->diags->quiet && !fn->c->untyped && ck_name_set_find(&fn->zeroed, name) < 0)
        ck_name_set_add(fn->c->arena, &fn->zeroed, name);
}

struct ck_texpr *
ck_none_flag(struct ck_fn *fn, const struct ck_expr *expr)
{
    if (expr->kind != CK_EXPR_NAME || !ck_is_optional(fn, expr->name))
        return NULL;
    const char *name = flag_name(fn, expr->name);
    const struct ck_binding *binding = ck_env_get(&fn->env, ck_name_index(fn, name));
    if (binding->state == CK_MAYBE_UNSET)
        zero_locals(fn, name);
    const bool is_set = binding->state == CK_SET || binding->state == CK_MAYBE_UNSET;
    return is_set && binding->value.kind == CK_VALUE_RUN ? binding->value.expr : NULL;
}

/* The name's value where it is not None; false: it has none of a known type on any path. */
static bool
value_of(struct ck_fn *fn, const struct ck_expr *expr, struct ck_value *out)
{
    const struct ck_binding *binding = ck_env_get(&fn->env, ck_name_index(fn, expr->name));
    const bool is_set = binding->state == CK_SET || binding->state == CK_MAYBE_UNSET;
    if (!is_set || binding->value.kind != CK_VALUE_RUN)
        return false;
    zero_locals(fn, expr->name);
    *out = binding->value;
    out->span = expr->span;
    return true;
}

bool
ck_read_optional(struct ck_fn *fn, const struct ck_expr *expr, struct ck_value *out)
{
    struct ck_texpr *is_none = ck_none_flag(fn, expr);
    if (!is_none || (is_none->kind == CK_T_CONST && !is_none->constant.i))
        return false;
    struct ck_value args[2];
    if (!value_of(fn, expr, &args[0])) {
        *out = (struct ck_value){.kind = CK_VALUE_NONE, .span = expr->span, .origin.carried = true};
        return is_none->kind == CK_T_CONST;
    }
    args[1] = ck_value_run(is_none->type, is_none);
    *out = ck_call_instance(fn, ck_prelude_function(fn->c, "some_value"), args, 2, expr->span);
    out->span = expr->span;
    out->nonnegative = args[0].nonnegative;
    return true;
}

bool
ck_truth_of_optional(struct ck_fn *fn, const struct ck_expr *expr, struct ck_texpr **out)
{
    const struct ck_type *type = ck_type_scalar(CK_TYPE_BOOL);
    struct ck_texpr *is_none = ck_none_flag(fn, expr), *truth;
    struct ck_value value;
    if (!is_none || (is_none->kind == CK_T_CONST && !is_none->constant.i))
        return false;
    struct ck_texpr *no = ck_const_int(fn, type, 0, expr->span);
    if (!value_of(fn, expr, &value)) {
        *out = no;
        return is_none->kind == CK_T_CONST;
    }
    truth = ck_truth(fn, &value);
    struct ck_texpr *is_some = ck_compare_expr(fn, CK_CMP_EQ, is_none, no, expr->span);
    *out = truth ? ck_logical(fn, false, is_some, truth, expr->span) : NULL;
    return true;
}
