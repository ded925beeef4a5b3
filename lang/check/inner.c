/* Functions in functions, and lambdas; and functions that one of the module makes, `scale =
 * make_scaler(2.0)`, in which its arguments are constants.
 *
 * A function's free names, those of the enclosing function, are further parameters: a call passes
 * the values that they have then. Where it is passed to another function, it takes along those of
 * that moment, its closure: the enclosing function waits meanwhile, and nothing else can set its
 * names. So no function outlives its names. */
#include <string.h>

#include "lang/check/checker.h"
#include "lang/check/inner.h"
#include "lang/check/name_tuple.h"
#include "lang/check/untyped.h"

/* --- Free names ----------------------------------------------------------------------------------
 */

/* A search for names of the enclosing function in the text of an inner one. */
struct search {
    struct ck_fn *fn;                   /* the enclosing function */
    struct ck_fn scope;                 /* has the names that the inner function assigns */
    const struct ck_function *function; /* NULL: an expression of the enclosing one */
    const struct search *outer;         /* of the function around, if that is an inner one too */
    struct found {
        struct ck_free_name *items;
        int n, capacity;
    } * found;
};

static bool
has_param(const struct ck_function *function, const char *name)
{
    for (int i = 0; function && i < function->n_params; i++) {
        if (strcmp(function->params[i].name, name) == 0)
            return true;
    }
    return false;
}

int
ck_free_name_index(const struct ck_global *global, const char *name)
{
    for (int i = 0; i < global->n_free_names; i++) {
        if (strcmp(global->free_names[i].name, name) == 0)
            return i;
    }
    return -1;
}

static bool
is_own(const struct search *search, const char *name)
{
    for (; search; search = search->outer) {
        if (has_param(search->function, name) || ck_is_assigned(&search->scope, name))
            return true;
    }
    return false;
}

static bool
is_of_enclosing(const struct ck_fn *fn, const char *name)
{
    return has_param(fn->global->function, name) || ck_is_assigned(fn, name) ||
           ck_free_name_index(fn->global, name) >= 0;
}

static void
add_free_name(const struct search *search, const struct ck_expr *expr)
{
    struct found *found = search->found;
    bool is_known = false;
    for (int i = 0; i < found->n; i++)
        is_known = is_known || strcmp(found->items[i].name, expr->name) == 0;
    const struct ck_free_name name = {expr->name, expr};
    if (!is_known)
        CK_PUSH(search->fn->c->arena, found->items, found->n, found->capacity, name);
}

static void search_body(struct search *search);

static void
visit_name(void *context, const struct ck_expr *expr)
{
    struct search *search = context;
    if (expr->kind == CK_EXPR_FUNCTION) {
        struct search inner = {
            .fn = search->fn, .function = expr->function, .outer = search, .found = search->found};
        search_body(&inner);
        for (int i = 0; i < expr->function->n_params; i++) {
            if (expr->function->params[i].otherwise)
                visit_name(search, expr->function->params[i].otherwise);
        }
        return;
    }
    if (expr->kind == CK_EXPR_NAME && !is_own(search, expr->name) &&
        is_of_enclosing(search->fn, expr->name))
        add_free_name(search, expr);
    ck_expr_each(expr, visit_name, search);
}

static void
search_body(struct search *search)
{
    const struct ck_function *function = search->function;
    search->scope = ck_module_scope(search->fn->c);
    ck_collect_assigned(&search->scope, &function->body);
    for (int i = 0; i < function->body.n; i++)
        ck_stmt_each_expr(function->body.stmts[i], visit_name, search);
}

static bool
uses_enclosing(struct ck_fn *fn, const struct ck_expr *expr)
{
    struct found found = {0};
    struct search search = {.fn = fn, .scope = ck_module_scope(fn->c), .found = &found};
    visit_name(&search, expr);
    return found.n > 0;
}

/* --- Functions -----------------------------------------------------------------------------------
 */

static struct ck_global *
find_inner(const struct ck_checker *c, const struct ck_function *function, uint32_t hash)
{
    for (int i = ck_index_first(&c->inner_index, hash); i >= 0;
         i = ck_index_next(&c->inner_index, i)) {
        if (c->inner[i]->function == function)
            return c->inner[i];
    }
    return NULL;
}

/* Whether a default value is known at compile time, without the enclosing function. */
static bool
is_constant(struct ck_fn *fn, const struct ck_expr *otherwise)
{
    struct ck_fn scope = ck_module_scope(fn->c);
    if (uses_enclosing(fn, otherwise))
        return false;
    const struct ck_value value = ck_speculate(&scope, ck_check_expr, otherwise);
    return value.kind != CK_VALUE_ERROR &&
           (value.kind != CK_VALUE_RUN || ck_is_constant(value.expr));
}

/* Default values that are no constants are evaluated where the function is defined, and kept by
 * names that no program can write, which are free names of the function. */
static void
capture_defaults(struct ck_fn *fn, struct ck_global *global, struct found *found)
{
    struct ck_arena *arena = fn->c->arena;
    const struct ck_function *function = global->function;
    for (int i = 0; i < function->n_params; i++) {
        struct ck_expr *otherwise = function->params[i].otherwise;
        if (!otherwise || is_constant(fn, otherwise))
            continue;
        const char *name = ck_arena_printf(arena, "%%%u.%s", (unsigned)otherwise->span.start,
                                           function->params[i].name);
        const struct ck_free_name kept = {name, ck_expr_name(arena, name, otherwise->span)};
        if (!global->kept_defaults)
            global->kept_defaults = CK_NEW_ARRAY(arena, const char *, function->n_params);
        global->kept_defaults[i] = name;
        CK_PUSH(arena, found->items, found->n, found->capacity, kept);
    }
}

static struct ck_global *
new_inner(struct ck_fn *fn, const struct ck_function *function, uint32_t hash)
{
    struct ck_checker *c = fn->c;
    struct ck_global *global = CK_NEW(c->arena, struct ck_global);
    struct found found = {0};
    struct search search = {.fn = fn, .function = function, .found = &found};
    global->kind = CK_GLOBAL_FUNCTION;
    global->name = function->name;
    global->span = function->name_span;
    global->function = function;
    global->reached = true;
    if (!fn->constant_only) {
        search_body(&search);
        capture_defaults(fn, global, &found);
    }
    global->free_names = found.items;
    global->n_free_names = found.n;
    global->enclosing = fn->global ? fn->global->function : NULL;
    CK_PUSH(c->arena, c->inner, c->n_inner, c->inner_capacity, global);
    ck_index_add(c->arena, &c->inner_index, hash);
    int quiet = c->diags->quiet; /* its errors are reported once, in whatever pass comes first */
    c->diags->quiet = 0;
    ck_complete_inner(c, global);
    c->diags->quiet = quiet;
    return global;
}

/* `stands_alone`: nothing else is evaluated in the statement. False after an error. */
static bool
keep_defaults(struct ck_fn *fn, const struct ck_global *global, bool stands_alone)
{
    const struct ck_function *function = global->function;
    for (int i = 0; global->kept_defaults && i < function->n_params; i++) {
        const struct ck_expr *otherwise = function->params[i].otherwise;
        if (!global->kept_defaults[i])
            continue;
        struct ck_value value = ck_check_expr(fn, otherwise);
        if (value.kind == CK_VALUE_NONE)
            value = ck_as_run(fn, value);
        if (value.kind == CK_VALUE_ERROR && !fn->c->untyped)
            return false;
        const bool acts = value.kind == CK_VALUE_RUN && ck_has_effect(value.expr);
        if (fn->in_condition || (acts && !stands_alone)) {
            struct ck_diag *diag = ck_error(
                fn, NOT_SUPPORTED, otherwise->span,
                fn->in_condition
                    ? "default values that use names of the function around them, in the condition "
                      "of a loop"
                    : "default values that call functions, of a function within an expression");
            ck_diag_help(fn->c->diags, diag, "define the function in a statement before");
            return false;
        }
        ck_bind(fn, global->kept_defaults[i], value, otherwise->span);
    }
    return true;
}

struct ck_value
ck_inner_function(struct ck_fn *fn, const struct ck_expr *expr, bool stands_alone)
{
    const struct ck_function *function = expr->function;
    if (function->broken)
        return ck_value_error(expr->span);
    uint32_t hash = ck_hash_pointer(function);
    struct ck_global *global = find_inner(fn->c, function, hash);
    if (!global)
        global = new_inner(fn, function, hash);
    global->is_repeated |= fn->loop != NULL;
    if (!keep_defaults(fn, global, stands_alone))
        return ck_value_error(expr->span);
    return (struct ck_value){.kind = CK_VALUE_FUNCTION, .function = global, .span = expr->span};
}

bool
ck_check_lasting(struct ck_fn *fn, const struct ck_value *value)
{
    bool lasts = true;
    for (int i = 0; value->kind == CK_VALUE_NAMES && i < value->names->n && lasts; i++)
        lasts = ck_check_lasting(fn, &value->names->items[i]);
    if (value->kind != CK_VALUE_FUNCTION || !value->function->kept_defaults ||
        !value->function->is_repeated)
        return lasts;
    struct ck_diag *diag =
        ck_error(fn, NOT_SUPPORTED, value->span,
                 "another name of a function that is defined in a loop, with default values that "
                 "use names of the function around it");
    ck_diag_label(fn->c->diags, diag, value->function->span, "defined here");
    ck_diag_help(fn->c->diags, diag, "call it by the name that it is defined by");
    return false;
}

/* --- Closures ------------------------------------------------------------------------------------
 */

static struct ck_value
free_value(struct ck_fn *fn, const struct ck_expr *use)
{
    struct ck_value value = ck_close(fn, ck_check_name(fn, use));
    value = ck_with_dependence(fn, value, use);
    if (value.kind == CK_VALUE_RUN && !ck_is_constant(value.expr))
        value.type = ck_storage_type(&fn->c->types, value.type);
    return value;
}

bool
ck_free_values(struct ck_fn *fn, const struct ck_value *function, struct ck_value *out)
{
    struct ck_global *global = function->function;
    bool good = true;
    for (int i = 0; i < global->n_free_names; i++) {
        const struct ck_expr *use = global->free_names[i].use;
        if (function->closure) {
            out[i] = function->closure[i];
        } else if (fn->global->function != global->enclosing || global->is_closing) {
            struct ck_diag *diag = ck_error(fn, NOT_SUPPORTED, use->span,
                                            "functions in functions that call themselves");
            ck_diag_help(fn->c->diags, diag, "define `%s` in the module", global->name);
            return false;
        } else {
            global->is_closing = true;
            out[i] = free_value(fn, use);
            global->is_closing = false;
        }
        good = good && (out[i].kind != CK_VALUE_ERROR || fn->c->untyped);
    }
    return good;
}

static struct ck_value
close_tuple(struct ck_fn *fn, struct ck_value tuple)
{
    struct ck_name_tuple *closed = CK_NEW(fn->c->arena, struct ck_name_tuple);
    bool good = true;
    closed->n = tuple.names->n;
    closed->items = CK_NEW_ARRAY(fn->c->arena, struct ck_value, closed->n);
    for (int i = 0; i < closed->n; i++) {
        closed->items[i] = ck_close(fn, tuple.names->items[i]);
        good = good && closed->items[i].kind != CK_VALUE_ERROR;
    }
    tuple.names = closed;
    return good ? tuple : ck_value_error(tuple.span);
}

struct ck_value
ck_close(struct ck_fn *fn, struct ck_value value)
{
    if (value.kind == CK_VALUE_NAMES)
        return close_tuple(fn, value);
    if (value.kind != CK_VALUE_FUNCTION || !value.function->n_free_names || value.closure)
        return value;
    struct ck_value *values =
        CK_NEW_ARRAY(fn->c->arena, struct ck_value, value.function->n_free_names);
    if (!ck_free_values(fn, &value, values))
        return ck_value_error(value.span);
    value.closure = values;
    return value;
}

/* --- Made functions ------------------------------------------------------------------------------
 */

/* The function that a body defines and returns, if it does nothing else; else NULL. */
static const struct ck_function *
defined_and_returned(const struct ck_block *body)
{
    int first = 0;
    while (first < body->n && body->stmts[first]->kind == CK_STMT_EXPR &&
           body->stmts[first]->expr->kind == CK_EXPR_STRING) /* a docstring */
        first++;
    if (body->n - first != 2)
        return NULL;
    const struct ck_stmt *defines = body->stmts[first], *returns = body->stmts[first + 1];
    if (defines->kind != CK_STMT_ASSIGN || defines->assign.n_targets != 1 ||
        defines->assign.value->kind != CK_EXPR_FUNCTION ||
        defines->assign.value->function->broken || defines->assign.targets[0]->kind != CK_EXPR_NAME)
        return NULL;
    bool same = returns->kind == CK_STMT_RETURN && returns->expr &&
                returns->expr->kind == CK_EXPR_NAME &&
                strcmp(returns->expr->name, defines->assign.targets[0]->name) == 0;
    return same ? defines->assign.value->function : NULL;
}

/* Whether argument `i` of a call is for this parameter. */
static bool
is_given_by(const struct ck_argument *arg, int i, const struct ck_function *factory, int param)
{
    const struct ck_param *of = &factory->params[param];
    if (arg->name)
        return strcmp(arg->name, of->name) == 0 && of->kind != CK_PARAM_POSITIONAL;
    return i == param && of->kind != CK_PARAM_KEYWORD;
}

/* A call's argument for a parameter, or the default value; NULL: there is none. */
static const struct ck_expr *
given_for(const struct ck_expr *call, const struct ck_function *factory, int param)
{
    for (int i = 0; i < call->call.n_args; i++) {
        const struct ck_argument *arg = &call->call.args[i];
        if (is_given_by(arg, i, factory, param))
            return arg->value;
    }
    return factory->params[param].otherwise;
}

/* Whether each argument has a parameter; a call that has not fails in Python. */
static bool
fits(const struct ck_expr *call, const struct ck_function *factory)
{
    for (int i = 0; i < call->call.n_args; i++) {
        int place = 0;
        while (place < factory->n_params && !is_given_by(&call->call.args[i], i, factory, place))
            place++;
        if (place >= factory->n_params)
            return false;
    }
    return call->call.n_args <= factory->n_params;
}

const struct ck_function *
ck_made_function(struct ck_checker *c, const struct ck_expr *expr, const char *name)
{
    if (expr->kind != CK_EXPR_CALL || expr->call.callee->kind != CK_EXPR_NAME)
        return NULL;
    const struct ck_global *global = ck_find_global(c, expr->call.callee->name);
    const struct ck_function *factory =
        global && global->kind == CK_GLOBAL_FUNCTION ? global->function : NULL;
    if (!factory || factory->n_decorators || factory->broken || !fits(expr, factory))
        return NULL;
    const struct ck_function *inner = defined_and_returned(&factory->body);
    if (!inner)
        return NULL;
    struct ck_function *made = CK_NEW(c->arena, struct ck_function);
    *made = *inner;
    made->name = name;
    made->n_captures = factory->n_params;
    made->captures = CK_NEW_ARRAY(c->arena, struct ck_capture, factory->n_params);
    for (int i = 0; i < factory->n_params; i++) {
        made->captures[i].name = factory->params[i].name;
        made->captures[i].value = given_for(expr, factory, i);
        if (!made->captures[i].value)
            return NULL;
    }
    return made;
}

bool
ck_captured_name(struct ck_fn *fn, const struct ck_expr *expr, struct ck_value *out)
{
    const struct ck_function *function = fn->global->function;
    for (int i = 0; function && i < function->n_captures; i++) {
        if (strcmp(function->captures[i].name, expr->name) != 0)
            continue;
        struct ck_fn scope = ck_module_scope(fn->c);
        *out = ck_check_expr(&scope, function->captures[i].value);
        if (out->kind == CK_VALUE_RUN && !ck_is_constant(out->expr)) {
            ck_error(fn, NOT_CONSTANT, out->span);
            *out = ck_value_error(expr->span);
        } else if (out->kind == CK_VALUE_RUN) {
            ck_use_module_arrays(fn, out->expr, expr->span);
        }
        out->span = expr->span;
        return true;
    }
    return false;
}
