/* Vectors are made from numbers and smaller vectors, each converted to the type of the elements.
 * Operators apply to their elements. */
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

struct ck_texpr *
ck_stored_vector(struct ck_fn *fn, const struct ck_type *elem, const struct ck_value *value)
{
    const bool fits = ck_type_is_vector(value->type) && value->type->tuple.n == elem->tuple.n;
    if (!fits) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, value->span,
                     ck_arena_printf(fn->c->arena, "%s is no %s", ck_text_of(fn, value->type),
                                     ck_text_of(fn, elem)));
        ck_diag_help(fn->c->diags, diag, "an element holds a vector: make one, `%s(...)`",
                     ck_text_of(fn, elem));
        return NULL;
    }
    if (value->type == elem)
        return value->expr;
    struct ck_texpr *let, *stored = ck_texpr_new(fn, CK_T_TUPLE, elem, value->span);
    struct ck_value once = ck_name_once(fn, *value, &let);
    stored->tuple.n = elem->tuple.n;
    stored->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, elem->tuple.n);
    for (int i = 0; i < elem->tuple.n; i++)
        stored->tuple.items[i] =
            ck_implicit_cast(fn, ck_tuple_item(fn, &once, i).expr, elem->tuple.items[i]);
    return ck_let_in(let, stored);
}

/* --- Operators -----------------------------------------------------------------------------------
 */

static bool
is_number(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && ck_type_is_scalar(value->type) &&
           !ck_type_is_complex(value->type);
}

/* The vector of these elements, whose types are one. False: no vector has such. */
static bool
vector_of(struct ck_fn *fn, const struct ck_value *elements, int n, struct ck_span span,
          struct ck_value *out)
{
    const struct ck_type *type = ck_type_vector_of(&fn->c->types, elements[0].type, n);
    if (!type)
        return false;
    struct ck_texpr *vector = ck_texpr_new(fn, CK_T_TUPLE, type, span);
    vector->tuple.n = n;
    vector->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n);
    for (int i = 0; i < n; i++)
        vector->tuple.items[i] = elements[i].expr;
    *out = ck_value_run(type, vector);
    return true;
}

/* An operand's element; a number counts for all. */
static struct ck_value
element_of(struct ck_fn *fn, const struct ck_value *operand, int i)
{
    struct ck_value element =
        ck_type_is_vector(operand->type) ? ck_tuple_item(fn, operand, i) : *operand;
    element.span = operand->span;
    return element;
}

bool
ck_vector_binary(struct ck_fn *fn, enum ck_binary_op op, const struct ck_value *left,
                 const struct ck_value *right, struct ck_span span, struct ck_value *out)
{
    const struct ck_value *sides[] = {left, right};
    struct ck_value operands[2], elements[CK_MAX_VECTOR];
    struct ck_texpr *lets[2];
    int n = 0;
    for (int i = 0; i < 2; i++) {
        const struct ck_type *type = sides[i]->type;
        const bool is_vector = ck_type_is_vector(type);
        if ((!is_vector && !is_number(sides[i])) || (is_vector && n && n != type->tuple.n))
            return false;
        n = is_vector ? type->tuple.n : n;
    }
    for (int i = 0; i < 2; i++) {
        operands[i] = ck_name_once(fn, *sides[i], &lets[i]);
        operands[i].span = sides[i]->span;
    }
    for (int i = 0; i < n; i++) {
        elements[i] = ck_check_binary(fn, op, element_of(fn, &operands[0], i),
                                      element_of(fn, &operands[1], i), span);
        if (elements[i].kind == CK_VALUE_ERROR) {
            *out = elements[i];
            return true;
        }
    }
    if (!vector_of(fn, elements, n, span, out))
        return false;
    out->expr = ck_let_in(lets[0], ck_let_in(lets[1], out->expr));
    return true;
}

struct ck_value
ck_vector_unary(struct ck_fn *fn, enum ck_unary_op op, struct ck_value operand, struct ck_span span)
{
    struct ck_texpr *let;
    struct ck_value elements[CK_MAX_VECTOR], result = ck_value_error(span);
    const int n = operand.type->tuple.n;
    operand = ck_name_once(fn, operand, &let);
    operand.span = span;
    for (int i = 0; i < n; i++)
        elements[i] = ck_unary_number(fn, op, element_of(fn, &operand, i), span);
    if (vector_of(fn, elements, n, span, &result))
        result.expr = ck_let_in(let, result.expr);
    return result;
}

void
ck_help_with_vectors(struct ck_fn *fn, struct ck_diag *diag, const struct ck_value *left,
                     const struct ck_value *right)
{
    const bool both = ck_type_is_vector(left->type) && ck_type_is_vector(right->type);
    if (both && left->type->tuple.n != right->type->tuple.n)
        ck_diag_help(fn->c->diags, diag, "the vectors have %d and %d elements", left->type->tuple.n,
                     right->type->tuple.n);
    else if (!both)
        ck_diag_help(
            fn->c->diags, diag,
            "operators apply to vectors of as many elements, and to a vector and a number");
}
