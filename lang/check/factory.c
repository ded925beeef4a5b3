/* Functions that a function of the module makes: `scale = make_scaler(2.0)`, where `make_scaler`
 * does nothing but define one and return it. The arguments are constants of what it makes. */
#include <string.h>

#include "lang/check/checker.h"

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

/* What a call gives for a parameter; NULL: nothing. */
static const struct ck_expr *
given_for(const struct ck_expr *call, const struct ck_function *factory, int param)
{
    for (int i = 0; i < call->call.n_args; i++) {
        const struct ck_argument *arg = &call->call.args[i];
        if (arg->name ? strcmp(arg->name, factory->params[param].name) == 0 : i == param)
            return arg->value;
    }
    return factory->params[param].otherwise;
}

/* Whether each argument has a parameter; a call that has not fails in Python. */
static bool
fits(const struct ck_expr *call, const struct ck_function *factory)
{
    for (int i = 0; i < call->call.n_args; i++) {
        const struct ck_argument *arg = &call->call.args[i];
        int place = arg->name ? 0 : i;
        while (arg->name && place < factory->n_params &&
               strcmp(factory->params[place].name, arg->name) != 0)
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
