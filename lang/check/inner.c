/* Functions in functions, and lambdas: device functions that capture nothing; and functions that
 * one of the module makes, `scale = make_scaler(2.0)`, in which its arguments are constants. */
#include <string.h>

#include "lang/check/checker.h"
#include "lang/check/inner.h"

/* --- Captures ------------------------------------------------------------------------------------
 */

/* A search for a name of the enclosing function in the text of an inner one. */
struct search {
    struct ck_fn *fn;    /* the enclosing function */
    struct ck_fn *scope; /* has the names that the inner function assigns */
    const struct ck_function *function;
    const struct search *outer;    /* of the function around, if that is an inner one too */
    const struct ck_expr *capture; /* what was found */
};

static bool
has_param(const struct ck_function *function, const char *name)
{
    for (int i = 0; i < function->n_params; i++) {
        if (strcmp(function->params[i].name, name) == 0)
            return true;
    }
    return false;
}

static bool
is_own(const struct search *search, const char *name)
{
    for (; search; search = search->outer) {
        if (has_param(search->function, name) || ck_is_assigned(search->scope, name))
            return true;
    }
    return false;
}

static void search_function(struct search *search, ck_expr_visit visit);

static void
visit_name(void *context, const struct ck_expr *expr)
{
    struct search *search = context;
    if (expr->kind == CK_EXPR_FUNCTION) {
        struct search inner = {.fn = search->fn, .function = expr->function, .outer = search};
        search_function(&inner, visit_name);
        search->capture = search->capture ? search->capture : inner.capture;
        return;
    }
    const struct ck_fn *fn = search->fn;
    if (expr->kind == CK_EXPR_NAME && !search->capture && !is_own(search, expr->name) &&
        (has_param(fn->global->function, expr->name) || ck_is_assigned(fn, expr->name)))
        search->capture = expr;
    ck_expr_each(expr, visit_name, search);
}

/* Default values are evaluated outside the function, where its own names mean nothing. */
static void
search_function(struct search *search, ck_expr_visit visit)
{
    const struct ck_function *function = search->function;
    struct ck_fn scope = ck_module_scope(search->fn->c);
    search->scope = &scope;
    ck_collect_assigned(&scope, &function->body);
    for (int i = 0; i < function->body.n; i++)
        ck_stmt_each_expr(function->body.stmts[i], visit, search);
    static const struct ck_function nothing;
    scope = ck_module_scope(search->fn->c);
    search->function = &nothing;
    for (int i = 0; i < function->n_params; i++) {
        if (function->params[i].otherwise)
            visit(search, function->params[i].otherwise);
    }
    search->scope = NULL;
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

static struct ck_global *
new_inner(struct ck_checker *c, const struct ck_function *function, uint32_t hash)
{
    struct ck_global *global = CK_NEW(c->arena, struct ck_global);
    global->kind = CK_GLOBAL_FUNCTION;
    global->name = function->name;
    global->span = function->name_span;
    global->function = function;
    global->reached = true;
    CK_PUSH(c->arena, c->inner, c->n_inner, c->inner_capacity, global);
    ck_index_add(c->arena, &c->inner_index, hash);
    int quiet = c->diags->quiet; /* its errors are reported once, in whatever pass comes first */
    c->diags->quiet = 0;
    ck_complete_inner(c, global);
    c->diags->quiet = quiet;
    return global;
}

struct ck_value
ck_inner_function(struct ck_fn *fn, const struct ck_expr *expr)
{
    const struct ck_function *function = expr->function;
    struct search search = {.fn = fn, .function = function};
    if (!fn->constant_only)
        search_function(&search, visit_name);
    if (search.capture) {
        struct ck_diag *diag = ck_error(fn, NOT_SUPPORTED, search.capture->span,
                                        "functions that use names of the function around them");
        ck_diag_help(fn->c->diags, diag, "pass `%s` as an argument", search.capture->name);
        return ck_value_error(expr->span);
    }
    uint32_t hash = ck_hash_pointer(function);
    struct ck_global *global = find_inner(fn->c, function, hash);
    if (!global)
        global = new_inner(fn->c, function, hash);
    return (struct ck_value){.kind = CK_VALUE_FUNCTION, .function = global, .span = expr->span};
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
        defines->assign.targets[0]->kind != CK_EXPR_NAME)
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
            ck_use_const_arrays(fn, out->expr, expr->span);
        }
        out->span = expr->span;
        return true;
    }
    return false;
}
