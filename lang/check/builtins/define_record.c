/* Definitions of records: `record(x=float32, y=float32)`, NumPy's structured dtypes,
 * `np.dtype([("x", np.float32), ("v", np.int32, (2, 3))])`, and Numba's
 * `types.Record.make_c_struct([("x", types.float32)])`. */
#include <string.h>

#include "lang/check/builtins/rules.h"
#include "lang/check/element.h"

enum { MAX_MEMBERS = 256 };

struct definition {
    struct ck_fn *fn;
    const char *names[MAX_MEMBERS];
    struct ck_member_layout members[MAX_MEMBERS];
    int n;
    bool takes_lists, aligned; /* of `np.dtype`: a field's type may be a list of fields, likewise */
};

static bool
wrong(struct ck_fn *fn, struct ck_span span, const char *text, const char *help)
{
    struct ck_diag *diag = ck_error(fn, WRONG_TYPE, span, text);
    if (help)
        ck_diag_help(fn->c->diags, diag, "%s", help);
    return false;
}

/* --- Members -------------------------------------------------------------------------------------
 */

static const struct ck_type *listed_type(const struct definition *outer,
                                         const struct ck_expr *list);

static bool
type_of(struct definition *out, const struct ck_expr *expr, struct ck_member_layout *member)
{
    if (out->takes_lists && expr->kind == CK_EXPR_LIST) {
        member->type = listed_type(out, expr);
        return member->type != NULL;
    }
    struct ck_value value = ck_check_expr(out->fn, expr);
    member->type = ck_element_type_of(out->fn, &value);
    return member->type != NULL;
}

/* An extent of an array in a record, from a constant. */
static bool
add_extent(struct definition *out, const struct ck_expr *expr, struct ck_member_layout *member)
{
    int64_t n;
    struct ck_value value = ck_check_run(out->fn, expr);
    if (value.kind == CK_VALUE_ERROR)
        return false;
    if (!ck_value_const_int(&value, &n) || n < 1 || member->ndim == CK_MAX_NDIM)
        return wrong(out->fn, expr->span,
                     "the shape of a field is a constant of at least 1, or a tuple of up to 8",
                     NULL);
    member->shape[member->ndim++] = n;
    return true;
}

static bool
shape_of(struct definition *out, const struct ck_expr *expr, struct ck_member_layout *member)
{
    if (expr->kind != CK_EXPR_TUPLE)
        return add_extent(out, expr, member);
    for (int i = 0; i < expr->sequence.n; i++) {
        if (!add_extent(out, expr->sequence.items[i], member))
            return false;
    }
    return true;
}

static bool
is_member_name(const char *name)
{
    const char *rest = name;
    while (*rest == '_' || (*rest >= 'a' && *rest <= 'z') || (*rest >= 'A' && *rest <= 'Z') ||
           (rest > name && *rest >= '0' && *rest <= '9'))
        rest++;
    return *name && !*rest;
}

/* `type` and, of an array, `shape`. */
static bool
add_member(struct definition *out, const char *name, struct ck_span span,
           const struct ck_expr *type, const struct ck_expr *shape)
{
    struct ck_arena *arena = out->fn->c->arena;
    struct ck_member_layout *member = &out->members[out->n];
    if (!is_member_name(name))
        return wrong(out->fn, span,
                     ck_arena_printf(arena, "`%s` cannot be the name of a field", name),
                     "a name has letters, digits and `_`");
    for (int i = 0; i < out->n; i++) {
        if (strcmp(out->names[i], name) == 0)
            return wrong(out->fn, span, ck_arena_printf(arena, "two fields are named `%s`", name),
                         NULL);
    }
    if (out->n == MAX_MEMBERS)
        return wrong(out->fn, span, "a record has at most 256 fields", NULL);
    *member = (struct ck_member_layout){0};
    if (!type_of(out, type, member) || (shape && !shape_of(out, shape, member)))
        return false;
    if (ck_type_is_vector(member->type) && member->ndim == CK_MAX_NDIM)
        return wrong(out->fn, shape->span,
                     "an array of vectors in a record has at most 7 dimensions", NULL);
    if (ck_member_size(member) < 0)
        return wrong(out->fn, span, "a record has at most 1 MiB", NULL);
    out->names[out->n++] = name;
    return true;
}

/* --- Types ---------------------------------------------------------------------------------------
 */

/* The name of the module to which the call is bound; NULL: none. */
static const char *
bound_name(struct ck_checker *c, const struct ck_expr *call)
{
    for (int i = 0; i < c->n_globals; i++) {
        if (c->globals[i]->kind == CK_GLOBAL_VALUE && c->globals[i]->syntax == call)
            return c->globals[i]->name;
    }
    return NULL;
}

static struct ck_value
defined(struct definition *definition, const struct ck_expr *call, bool aligned)
{
    struct ck_fn *fn = definition->fn;
    if (!definition->n) {
        wrong(fn, call->span, "a record has at least one field", NULL);
        return ck_value_error(call->span);
    }
    const int size = ck_record_place(definition->members, definition->n, aligned);
    const struct ck_type *type =
        size < 0 ? NULL
                 : ck_type_record(&fn->c->types, bound_name(fn->c, call), definition->names,
                                  definition->members, definition->n, size);
    if (!type) {
        wrong(fn, call->span,
              ck_arena_printf(fn->c->arena,
                              "a record has at most %d numbers, in 1 MiB, and %d "
                              "records and arrays in each other",
                              CK_MAX_TUPLE_ITEMS, CK_MAX_TUPLE_DEPTH),
              "pass large arrays by themselves");
        return ck_value_error(call->span);
    }
    return (struct ck_value){.kind = CK_VALUE_TYPE, .type = type, .span = call->span};
}

/* `record(x=float32, v=(int32, (2, 3)))`: placed as the members of a struct in C. */
struct ck_value
ck_rule_record(struct ck_call *call)
{
    struct definition definition = {.fn = call->fn};
    const struct ck_expr *syntax = call->syntax;
    for (int i = 0; i < syntax->call.n_args; i++) {
        const struct ck_argument *arg = &syntax->call.args[i];
        const bool is_array = arg->value->kind == CK_EXPR_TUPLE && arg->value->sequence.n == 2;
        struct ck_expr *const *items = arg->value->sequence.items;
        if (!arg->name) {
            wrong(call->fn, arg->value->span, "a record's fields have names", "write `x=float32`");
            return ck_value_error(syntax->span);
        }
        if (!add_member(&definition, arg->name, arg->name_span, is_array ? items[0] : arg->value,
                        is_array ? items[1] : NULL))
            return ck_value_error(syntax->span);
    }
    return defined(&definition, syntax, true);
}

/* `("x", float32)`, or with a shape. */
static bool
add_listed(struct definition *out, const struct ck_expr *item)
{
    const bool is_tuple = item->kind == CK_EXPR_TUPLE || item->kind == CK_EXPR_LIST;
    const int n = is_tuple ? item->sequence.n : 0;
    struct ck_expr *const *items = item->sequence.items;
    if (n < 2 || n > 3 || items[0]->kind != CK_EXPR_STRING)
        return wrong(out->fn, item->span, "a field is a tuple of its name, its type and its shape",
                     "write `(\"x\", np.float32)`");
    return add_member(out, items[0]->string.bytes, items[0]->span, items[1],
                      n == 3 ? items[2] : NULL);
}

static struct ck_value
of_list(struct definition *out, const struct ck_expr *list, const struct ck_expr *call)
{
    for (int i = 0; i < list->sequence.n; i++) {
        if (!add_listed(out, list->sequence.items[i]))
            return ck_value_error(call->span);
    }
    return defined(out, call, out->aligned);
}

/* The record of a list in a list. NULL after an error. */
static const struct ck_type *
listed_type(const struct definition *outer, const struct ck_expr *list)
{
    struct definition *inner = CK_NEW(outer->fn->c->arena, struct definition);
    inner->fn = outer->fn;
    inner->takes_lists = true;
    inner->aligned = outer->aligned;
    const struct ck_value value = of_list(inner, list, list);
    return value.kind == CK_VALUE_TYPE ? value.type : NULL;
}

/* Whether fields are aligned as in C: the argument `align`. False after an error. */
static bool
read_align(struct ck_call *call, bool *aligned)
{
    const struct ck_expr *syntax = call->syntax;
    *aligned = false;
    for (int i = 1; i < syntax->call.n_args; i++) {
        const struct ck_argument *arg = &syntax->call.args[i];
        if (arg->name && strcmp(arg->name, "align") != 0) {
            ck_error(call->fn, KEYWORD, arg->name_span, arg->name, "dtype");
            return false;
        }
        struct ck_value value = ck_check_run(call->fn, arg->value);
        if (value.kind == CK_VALUE_ERROR)
            return false;
        if (value.type->kind != CK_TYPE_BOOL || value.expr->kind != CK_T_CONST)
            return wrong(call->fn, arg->value->span, "`align` is True or False", NULL);
        *aligned = value.expr->constant.i;
    }
    return true;
}

/* The element type and the shape of `NestedArray(dtype=float32, shape=(2, 3))`; false: the
 * expression is no such call, or the call has an error, which the rule reports. */
static bool
nested_array(struct definition *out, const struct ck_expr *expr, const struct ck_expr **parts)
{
    static const char *const names[] = {"dtype", "shape"};
    if (expr->kind != CK_EXPR_CALL || expr->call.n_args != 2)
        return false;
    struct ck_value callee = ck_probe(out->fn, expr->call.callee);
    if (callee.kind != CK_VALUE_BUILTIN || callee.builtin != CK_BUILTIN_NESTED_ARRAY)
        return false;
    for (int i = 0; i < 2; i++) {
        const struct ck_argument *arg = &expr->call.args[i];
        const int at = arg->name ? strcmp(arg->name, names[0]) != 0 : i;
        if (arg->name && strcmp(arg->name, names[at]) != 0)
            return false;
        parts[at] = arg->value;
    }
    return parts[0] && parts[1];
}

struct ck_value
ck_rule_nested_array(struct ck_call *call)
{
    wrong(call->fn, call->syntax->span, "`NestedArray(dtype, shape)` is the type of a field",
          "an array by itself has the type `float32[:, ::1]`");
    return ck_value_error(call->syntax->span);
}

/* Numba's: a list of names and types. */
struct ck_value
ck_rule_c_struct(struct ck_call *call)
{
    struct definition definition = {.fn = call->fn};
    const struct ck_expr *syntax = call->syntax, *of = syntax->call.args[0].value;
    if (of->kind != CK_EXPR_LIST || syntax->call.args[0].name) {
        wrong(call->fn, syntax->span, "`make_c_struct` takes a list of fields",
              "write `[(\"x\", types.float32)]`");
        return ck_value_error(syntax->span);
    }
    for (int i = 0; i < of->sequence.n; i++) {
        const struct ck_expr *item = of->sequence.items[i];
        const struct ck_expr *parts[2] = {NULL, NULL};
        const bool is_nested = item->kind == CK_EXPR_TUPLE && item->sequence.n == 2 &&
                               item->sequence.items[0]->kind == CK_EXPR_STRING &&
                               nested_array(&definition, item->sequence.items[1], parts);
        if (!(is_nested ? add_member(&definition, item->sequence.items[0]->string.bytes,
                                     item->sequence.items[0]->span, parts[0], parts[1])
                        : add_listed(&definition, item)))
            return ck_value_error(syntax->span);
    }
    return defined(&definition, syntax, true);
}

/* NumPy's `dtype` of a list of fields, or of another type, which it then is. */
struct ck_value
ck_rule_dtype(struct ck_call *call)
{
    struct definition definition = {.fn = call->fn};
    const struct ck_expr *syntax = call->syntax, *of = syntax->call.args[0].value;
    bool aligned;
    if (syntax->call.args[0].name || !read_align(call, &aligned)) {
        if (syntax->call.args[0].name)
            ck_error(call->fn, KEYWORD, syntax->call.args[0].name_span, syntax->call.args[0].name,
                     "dtype");
        return ck_value_error(syntax->span);
    }
    if (of->kind != CK_EXPR_LIST) {
        struct ck_value value = ck_check_expr(call->fn, of);
        const struct ck_type *type = ck_element_type_of(call->fn, &value);
        return type ? (struct ck_value){.kind = CK_VALUE_TYPE, .type = type, .span = syntax->span}
                    : ck_value_error(syntax->span);
    }
    definition.takes_lists = true;
    definition.aligned = aligned;
    return of_list(&definition, of, syntax);
}
