/* Starred arguments of calls, `f(*t)`: the items of a tuple in their place. The operand is a name,
 * or something else that can be evaluated again (see lang/syntax/parse_named.c), so that each item
 * is a subscript of it. */
#include "lang/check/checker.h"
#include "lang/check/name_tuple.h"

static bool
has_starred(const struct ck_expr *call)
{
    bool has = false;
    for (int i = 0; i < call->call.n_args; i++)
        has = has || call->call.args[i].value->kind == CK_EXPR_STARRED;
    return has;
}

struct arguments {
    struct ck_argument *items;
    int n, capacity;
};

static void
add(struct ck_fn *fn, struct arguments *out, struct ck_argument arg)
{
    CK_PUSH(fn->c->arena, out->items, out->n, out->capacity, arg);
}

/* The number of items of a value; -1, reported, if it is no tuple. */
static int
count_of(struct ck_fn *fn, const struct ck_value *value)
{
    if (value->kind == CK_VALUE_NAMES)
        return ck_name_tuple_length(value);
    if (value->kind == CK_VALUE_RUN && value->type->kind == CK_TYPE_TUPLE)
        return value->type->tuple.n;
    if (value->kind != CK_VALUE_ERROR) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, value->span,
                     ck_arena_printf(fn->c->arena, "`*` takes the items of a tuple, not of %s",
                                     value->type ? ck_text_of(fn, value->type) : "this"));
        if (value->type && ck_type_is_array(value->type))
            ck_diag_help(fn->c->diags, diag, "write the elements out: `x[0], x[1]`");
    }
    return -1;
}

/* Whether each item can evaluate the tuple again; reported if not. The parser names tuples, but not
 * in default values. */
static bool
can_be_repeated(struct ck_fn *fn, const struct ck_expr *tuple, const struct ck_value *value)
{
    if (tuple->kind == CK_EXPR_NAME || value->kind != CK_VALUE_RUN || fn->constant_only ||
        !ck_has_effect(value->expr))
        return true;
    struct ck_diag *diag =
        ck_error(fn, UNSUPPORTED_SYNTAX, tuple->span, "starred calls in default values");
    ck_diag_help(fn->c->diags, diag, "give the tuple a name before, `t = %s`, and write `*t`",
                 ck_diag_text(fn->c->diags, tuple->span));
    return false;
}

/* Adds the items of a tuple. False, reported, if it is none. */
static bool
add_items(struct ck_fn *fn, struct arguments *out, struct ck_expr *tuple)
{
    bool good = true;
    if (tuple->kind == CK_EXPR_TUPLE) {
        for (int i = 0; i < tuple->sequence.n; i++)
            add(fn, out, (struct ck_argument){.value = tuple->sequence.items[i]});
        return true;
    }
    const struct ck_value value = ck_check_expr(fn, tuple);
    const int n = count_of(fn, &value);
    good = n >= 0 && can_be_repeated(fn, tuple, &value);
    for (int i = 0; i < n; i++)
        add(fn, out, (struct ck_argument){.value = ck_expr_item(fn->c->arena, tuple, i)});
    return good;
}

const struct ck_expr *
ck_spread_arguments(struct ck_fn *fn, const struct ck_expr *call)
{
    struct arguments args = {0};
    bool good = true;
    if (!has_starred(call))
        return call;
    for (int i = 0; i < call->call.n_args; i++) {
        const struct ck_argument *arg = &call->call.args[i];
        if (arg->value->kind != CK_EXPR_STARRED)
            add(fn, &args, *arg);
        else
            good = add_items(fn, &args, arg->value->starred) && good;
    }
    if (!good) { /* errors in the other arguments */
        for (int i = 0; i < args.n; i++)
            ck_check_expr(fn, args.items[i].value);
        return NULL;
    }
    struct ck_expr *spread = CK_NEW(fn->c->arena, struct ck_expr);
    *spread = *call;
    spread->call.args = args.items;
    spread->call.n_args = args.n;
    return spread;
}
