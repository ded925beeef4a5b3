/* Vectors are made from numbers and smaller vectors, each converted to the type of the elements. */
#include "lang/check/vector.h"

struct items {
    struct ck_texpr *values[CK_MAX_VECTOR];
    int n; /* may exceed the maximum; the others are not kept */
};

static bool
add_number(struct ck_fn *fn, struct items *out, const struct ck_type *elem,
           const struct ck_value *value)
{
    if (!ck_type_is_scalar(value->type) || ck_type_is_complex(value->type)) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, value->span,
                     ck_arena_printf(fn->c->arena, "%s cannot be an element of a vector",
                                     ck_text_of(fn, value->type)));
        ck_diag_help(fn->c->diags, diag, "give numbers and vectors");
        return false;
    }
    struct ck_texpr *number = ck_convert(fn, value, elem);
    if (number && out->n < CK_MAX_VECTOR)
        out->values[out->n] = number;
    out->n++;
    return number != NULL;
}

static bool
add_vector(struct ck_fn *fn, struct items *out, const struct ck_type *elem,
           const struct ck_value *vector)
{
    for (int i = 0; i < vector->type->tuple.n; i++) {
        struct ck_value item = ck_tuple_item(fn, vector, i);
        item.span = vector->span;
        if (!add_number(fn, out, elem, &item))
            return false;
    }
    return true;
}

struct ck_value
ck_make_vector(struct ck_fn *fn, const struct ck_type *type, const struct ck_expr *expr)
{
    const char *name = ck_text_of(fn, type);
    const struct ck_type *elem = type->tuple.items[0];
    struct items items = {.n = 0};
    bool good = true;
    const int n = expr->call.n_args;
    struct ck_texpr **lets = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n + 1);
    for (int i = 0; i < n; i++) {
        const struct ck_argument *arg = &expr->call.args[i];
        struct ck_value value = ck_check_run(fn, arg->value);
        if (arg->name)
            ck_error(fn, KEYWORD, arg->name_span, arg->name, name);
        if (value.kind == CK_VALUE_ERROR || arg->name) {
            good = false;
            continue;
        }
        struct ck_span span = value.span;
        value = ck_name_once(fn, value, &lets[i]);
        value.span = span;
        good = (ck_type_is_vector(value.type) ? add_vector(fn, &items, elem, &value)
                                              : add_number(fn, &items, elem, &value)) &&
               good;
    }
    if (!good)
        return ck_value_error(expr->span);
    if (items.n != type->tuple.n) {
        const char *count = ck_arena_printf(fn->c->arena, "%d element%s", type->tuple.n,
                                            type->tuple.n == 1 ? "" : "s");
        ck_error(fn, WRONG_COUNT, expr->span, name, count, items.n);
        return ck_value_error(expr->span);
    }
    struct ck_texpr *vector = ck_texpr_new(fn, CK_T_TUPLE, type, expr->span);
    vector->tuple.n = items.n;
    vector->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, items.n);
    for (int i = 0; i < items.n; i++)
        vector->tuple.items[i] = items.values[i];
    for (int i = n - 1; i >= 0; i--) /* the arguments are evaluated in order */
        vector = ck_let_in(lets[i], vector);
    return ck_value_run(type, vector);
}
