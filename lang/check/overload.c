/* Overloads: functions marked `@overload(f)`, which choose an implementation of `f` by the types of
 * a call's arguments. They run at compile time: their tests are known, and what they return is a
 * function, or None where they have none for these types. */
#include <string.h>

#include "lang/check/builtins/builtins.h"

enum outcome { GOES_ON, RETURNED, FAILED };

/* An overload that is executed for one call. */
struct chooser {
    struct ck_fn fn;
    struct ck_global *chosen; /* NULL: none, once RETURNED */
};

static enum outcome choose_in(struct chooser *chooser, const struct ck_block *block);

static enum outcome
choose_by_test(struct chooser *chooser, const struct ck_stmt *stmt)
{
    struct ck_fn *fn = &chooser->fn;
    struct ck_texpr *test = ck_check_condition(fn, stmt->branch.test);
    if (!test)
        return FAILED;
    if (test->kind == CK_T_CONST)
        return choose_in(chooser, test->constant.i ? &stmt->branch.then : &stmt->branch.otherwise);
    struct ck_diag *diag = ck_error(fn, NOT_CONSTANT, stmt->branch.test->span);
    ck_diag_help(fn->c->diags, diag,
                 "an overload chooses by types: `isinstance(x, types.Integer)`, `x.ndim == 2`");
    return FAILED;
}

static enum outcome
choose_returned(struct chooser *chooser, const struct ck_stmt *stmt)
{
    struct ck_fn *fn = &chooser->fn;
    struct ck_value value = {.kind = CK_VALUE_NONE};
    if (stmt->expr)
        value = ck_check_expr(fn, stmt->expr);
    if (value.kind == CK_VALUE_FUNCTION)
        chooser->chosen = value.function;
    else if (value.kind != CK_VALUE_NONE && value.kind != CK_VALUE_ERROR)
        ck_error(fn, WRONG_TYPE, value.span, "an overload returns a function, or None");
    return value.kind == CK_VALUE_FUNCTION || value.kind == CK_VALUE_NONE ? RETURNED : FAILED;
}

static enum outcome
choose_at(struct chooser *chooser, struct ck_stmt *stmt)
{
    struct ck_fn *fn = &chooser->fn;
    const struct ck_block one = {.stmts = &stmt, .n = 1};
    const int failures = fn->c->n_failures;
    switch (stmt->kind) {
    case CK_STMT_PASS:
        return GOES_ON;
    case CK_STMT_IF:
        return choose_by_test(chooser, stmt);
    case CK_STMT_RETURN:
        return choose_returned(chooser, stmt);
    case CK_STMT_RAISE:
        ck_error(fn, WRONG_TYPE, stmt->span, "this overload raises an exception for these types");
        return FAILED;
    case CK_STMT_EXPR:
        if (stmt->expr->kind == CK_EXPR_STRING) /* a docstring */
            return GOES_ON;
        break;
    case CK_STMT_ASSIGN:
        ck_check_block(fn, &one);
        return fn->c->n_failures == failures ? GOES_ON : FAILED;
    default:
        break;
    }
    ck_error(fn, NOT_SUPPORTED, stmt->span, "statements of this kind in an overload");
    return FAILED;
}

static enum outcome
choose_in(struct chooser *chooser, const struct ck_block *block)
{
    enum outcome outcome = GOES_ON;
    for (int i = 0; i < block->n && outcome == GOES_ON; i++)
        outcome = choose_at(chooser, block->stmts[i]);
    return outcome;
}

/* A parameter stands for an argument's type: numbers, arrays and tuples have no values there. */
static void
bind_param(struct ck_fn *fn, const struct ck_param *param, struct ck_value value)
{
    if (value.kind == CK_VALUE_RUN) {
        const struct ck_type *type = ck_storage_type(&fn->c->types, value.type);
        int local = ck_local_new(fn, param->name, type);
        value = ck_value_run(type, ck_local_ref(fn, local, param->span));
    }
    ck_bind(fn, param->name, value, param->span);
}

/* The implementation that one overload has for the call's arguments; NULL: it has none, or after
 * an error, which is reported unless messages are quiet. */
static struct ck_global *
choose(struct ck_fn *caller, struct ck_global *overload, const struct ck_expr *call)
{
    const struct ck_function *function = overload->function;
    struct ck_value *values = CK_NEW_ARRAY(caller->c->arena, struct ck_value, function->n_params);
    struct ck_tfunc *out = CK_NEW(caller->c->arena, struct ck_tfunc);
    struct chooser chooser = {
        .fn = {.c = caller->c, .global = overload, .out = out, .chooses = true}};
    chooser.fn.block = &out->body;
    chooser.fn.env.reachable = true;
    if (overload->failed || !ck_place_types(caller, overload, call, values))
        return NULL;
    for (int i = 0; i < function->n_params; i++)
        bind_param(&chooser.fn, &function->params[i], values[i]);
    ck_collect_assigned(&chooser.fn, &function->body);
    return choose_in(&chooser, &function->body) == FAILED ? NULL : chooser.chosen;
}

/* The types of a call's arguments, as text. NULL, reported, if one has an error. */
static const char *
types_of(struct ck_fn *fn, const struct ck_expr *call)
{
    struct ck_strbuf text;
    bool good = true;
    ck_strbuf_init(&text);
    for (int i = 0; i < call->call.n_args; i++) {
        const struct ck_expr *arg = call->call.args[i].value;
        struct ck_value value = ck_speculate(fn, ck_check_expr, arg);
        if (value.kind == CK_VALUE_ERROR)
            good = ck_check_expr(fn, arg).kind != CK_VALUE_ERROR && good;
        ck_strbuf_printf(&text, "%s%s", i ? ", " : "",
                         value.type ? ck_text_of(fn, value.type)
                                    : ck_diag_text(fn->c->diags, arg->span));
    }
    const char *types = ck_arena_take(fn->c->arena, ck_strbuf_take(&text));
    return good ? types : NULL;
}

/* Reports why no overload takes the arguments: by the overloads' own messages, if there are any. */
static void
report_none(struct ck_fn *fn, const struct ck_global *global, const struct ck_expr *call)
{
    const int failures = fn->c->n_failures;
    const char *types = types_of(fn, call);
    for (int i = 0; types && i < global->n_overloads; i++)
        choose(fn, global->overloads[i], call);
    if (!types || fn->c->n_failures > failures)
        return;
    struct ck_diag *diag = ck_error(
        fn, WRONG_TYPE, call->span,
        ck_arena_printf(fn->c->arena, "no overload of `%s` takes (%s)", global->name, types));
    for (int i = 0; i < global->n_overloads; i++)
        ck_diag_label(fn->c->diags, diag, global->overloads[i]->span, "an overload");
}

struct ck_value
ck_call_overloaded(struct ck_fn *fn, struct ck_global *global, const struct ck_expr *call)
{
    struct ck_checker *c = fn->c;
    struct ck_global *chosen = NULL;
    const int failures = c->n_failures;
    if (c->untyped)
        return ck_value_error(call->span);
    c->diags->quiet++;
    for (int i = 0; i < global->n_overloads && !chosen; i++)
        chosen = choose(fn, global->overloads[i], call);
    c->diags->quiet--;
    c->n_failures = failures;
    if (!chosen) {
        report_none(fn, global, call);
        return ck_value_error(call->span);
    }
    chosen->references.is_cycle |= global->references.is_cycle;
    return ck_call_function(fn, chosen, call);
}

bool
ck_overload_is_for_kernels(const struct ck_expr *decorator)
{
    for (int i = 1; i < decorator->call.n_args; i++) {
        const struct ck_argument *arg = &decorator->call.args[i];
        if (!arg->name || strcmp(arg->name, "target") != 0 || arg->value->kind != CK_EXPR_STRING)
            continue;
        const char *target = arg->value->string.bytes;
        return !strcmp(target, "cuda") || !strcmp(target, "gpu") || !strcmp(target, "generic");
    }
    return true;
}
