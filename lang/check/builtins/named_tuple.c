/* Namedtuples: `Point = namedtuple("Point", "x y")` makes a type whose values are tuples with a
 * name for each item. */
#include <ctype.h>
#include <string.h>

#include "lang/check/builtins/rules.h"

/* --- Definitions ---------------------------------------------------------------------------------
 */

struct definition {
    struct ck_fn *fn;
    const char *name;
    struct ck_param *fields;
    int n, capacity;
};

static bool
wrong(struct ck_fn *fn, struct ck_span span, const char *text)
{
    ck_error(fn, WRONG_TYPE, span, text);
    return false;
}

static bool
is_field_name(const char *name)
{
    if (!isalpha((unsigned char)*name)) /* one with a leading underscore is none, as in Python */
        return false;
    while (isalnum((unsigned char)*name) || *name == '_')
        name++;
    return *name == '\0';
}

static bool
add_field(struct definition *out, const char *name, struct ck_span span)
{
    struct ck_arena *arena = out->fn->c->arena;
    if (!is_field_name(name))
        return wrong(out->fn, span,
                     ck_arena_printf(arena, "`%s` cannot be the name of a field", name));
    for (int i = 0; i < out->n; i++) {
        if (strcmp(out->fields[i].name, name) == 0)
            return wrong(out->fn, span, ck_arena_printf(arena, "two fields are named `%s`", name));
    }
    CK_PUSH(arena, out->fields, out->n, out->capacity, ((struct ck_param){name, span, NULL, NULL}));
    return true;
}

/* "x y", or "x, y". */
static bool
fields_of_text(struct definition *out, const struct ck_expr *expr)
{
    static const char separators[] = " ,\t\n";
    const char *at = expr->string.bytes + strspn(expr->string.bytes, separators);
    while (*at) {
        size_t length = strcspn(at, separators);
        if (!add_field(out, ck_arena_strndup(out->fn->c->arena, at, length), expr->span))
            return false;
        at += length;
        at += strspn(at, separators);
    }
    return true;
}

static bool
fields_of(struct definition *out, const struct ck_expr *expr)
{
    if (expr->kind == CK_EXPR_STRING)
        return fields_of_text(out, expr);
    if (expr->kind != CK_EXPR_LIST && expr->kind != CK_EXPR_TUPLE)
        return wrong(out->fn, expr->span,
                     "the fields of a namedtuple are a string, or a list of strings");
    for (int i = 0; i < expr->sequence.n; i++) {
        const struct ck_expr *item = expr->sequence.items[i];
        if (item->kind != CK_EXPR_STRING)
            return wrong(out->fn, item->span, "the name of a field is a string");
        if (!add_field(out, item->string.bytes, item->span))
            return false;
    }
    return true;
}

/* The values of the last fields. */
static bool
defaults_of(struct definition *out, const struct ck_expr *expr)
{
    if (expr->kind == CK_EXPR_NONE)
        return true;
    if (expr->kind != CK_EXPR_LIST && expr->kind != CK_EXPR_TUPLE)
        return wrong(out->fn, expr->span, "the defaults of a namedtuple are a tuple");
    int n = expr->sequence.n;
    if (n > out->n)
        return wrong(out->fn, expr->span, "there are more defaults than fields");
    for (int i = 0; i < n; i++)
        out->fields[out->n - n + i].otherwise = expr->sequence.items[i];
    return true;
}

static bool
read_arguments(struct definition *out, const struct ck_expr *call)
{
    const struct ck_argument *args = call->call.args, *defaults = NULL;
    for (int i = 0; i < call->call.n_args; i++) {
        bool is_defaults = args[i].name && strcmp(args[i].name, "defaults") == 0;
        if (is_defaults && i >= 2) {
            defaults = &args[i];
        } else if (args[i].name) {
            ck_error(out->fn, KEYWORD, args[i].name_span, args[i].name, "namedtuple");
            return false;
        }
    }
    if (args[0].value->kind != CK_EXPR_STRING)
        return wrong(out->fn, args[0].value->span, "the name of a namedtuple is a string");
    if (call->call.n_args > 2 && !defaults)
        return wrong(out->fn, args[2].value->span,
                     "of namedtuple's further arguments only `defaults` is known");
    out->name = args[0].value->string.bytes;
    if (!fields_of(out, args[1].value))
        return false;
    if (out->n == 0 || out->n > CK_MAX_TUPLE_ITEMS)
        return wrong(out->fn, args[1].value->span, "a namedtuple has 1 to 1024 fields");
    return !defaults || defaults_of(out, defaults->value);
}

/* --- Types ---------------------------------------------------------------------------------------
 */

static const struct ck_type *
type_of(struct ck_checker *c, const struct definition *definition)
{
    struct ck_fields *fields = CK_NEW(c->arena, struct ck_fields);
    const struct ck_type **items = CK_NEW_ARRAY(c->arena, const struct ck_type *, definition->n);
    fields->name = definition->name;
    fields->n = definition->n;
    fields->names = CK_NEW_ARRAY(c->arena, const char *, definition->n);
    for (int i = 0; i < definition->n; i++) {
        fields->names[i] = definition->fields[i].name;
        items[i] = ck_type_scalar(CK_TYPE_VOID);
    }
    return ck_type_named_tuple(&c->types, fields, items, definition->n);
}

/* Its values are made as a function with a parameter for each field would be called. */
static struct ck_global *
constructor_of(struct ck_checker *c, const struct definition *definition, struct ck_span span)
{
    struct ck_function *function = CK_NEW(c->arena, struct ck_function);
    function->name = definition->name;
    function->name_span = function->span = span;
    function->params = definition->fields;
    function->n_params = definition->n;
    struct ck_global *global = CK_NEW(c->arena, struct ck_global);
    global->kind = CK_GLOBAL_FUNCTION;
    global->name = definition->name;
    global->span = span;
    global->function = function;
    ck_evaluate_defaults(c, global);
    return global;
}

static struct ck_value
value_of(const struct ck_named_tuple *named, struct ck_span span)
{
    return (struct ck_value){.kind = CK_VALUE_TYPE,
                             .type = named->type,
                             .function = named->constructor,
                             .span = span,
                             .syntax = named->syntax};
}

/* A definition that is evaluated again is the same type. */
struct ck_value
ck_rule_namedtuple(struct ck_call *call)
{
    struct ck_checker *c = call->fn->c;
    struct ck_span span = call->syntax->span;
    for (int i = 0; i < c->n_named_tuples; i++) {
        if (c->named_tuples[i].syntax == call->syntax)
            return value_of(&c->named_tuples[i], span);
    }
    struct definition definition = {.fn = call->fn};
    if (!read_arguments(&definition, call->syntax))
        return ck_value_error(span);
    struct ck_named_tuple named = {
        .syntax = call->syntax,
        .type = type_of(c, &definition),
        .constructor = constructor_of(c, &definition, span),
    };
    if (named.constructor->failed)
        return ck_value_error(span);
    CK_PUSH(c->arena, c->named_tuples, c->n_named_tuples, c->named_tuples_capacity, named);
    return value_of(&named, span);
}

const struct ck_type *
ck_named_type_of(struct ck_types *types, const struct ck_type *named, const struct ck_type *tuple)
{
    if (tuple->kind != CK_TYPE_TUPLE || tuple->tuple.n != named->tuple.n)
        return NULL;
    if (tuple->tuple.fields && tuple->tuple.fields != named->tuple.fields)
        return NULL;
    return ck_type_named_tuple(types, named->tuple.fields, tuple->tuple.items, tuple->tuple.n);
}

/* --- Fields --------------------------------------------------------------------------------------
 */

int
ck_field_index(const struct ck_type *tuple, const char *name)
{
    for (int i = 0; tuple->tuple.fields && i < tuple->tuple.n; i++) {
        if (strcmp(tuple->tuple.fields->names[i], name) == 0)
            return i;
    }
    return -1;
}

void
ck_help_with_fields(struct ck_fn *fn, struct ck_diag *diag, const struct ck_type *tuple,
                    const char *name)
{
    struct ck_checker *c = fn->c;
    const struct ck_fields *fields = tuple->tuple.fields;
    if (fields) {
        const char *nearest = ck_nearest_name(name, fields->names, fields->n);
        if (nearest)
            ck_diag_suggest(c->diags, diag, ".", nearest);
        return;
    }
    for (int i = 0; i < c->n_named_tuples; i++) {
        const struct ck_type *type = c->named_tuples[i].type;
        if (type->tuple.n == tuple->tuple.n && ck_field_index(type, name) >= 0) {
            ck_diag_help(c->diags, diag,
                         "a tuple that is passed has no fields: annotate the parameter, "
                         "`p: %s`",
                         type->tuple.fields->name);
            return;
        }
    }
}
