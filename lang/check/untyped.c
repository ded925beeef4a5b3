/* Checking generic kernels without types. Their parameters are bound to ERROR values, as those of
 * expressions with errors are, so that all that depends on them is silent; what does not is checked
 * as ever: names, calls, attributes of the language. Branches and loops under conditions that are
 * not known keep their place in the typed function, for the analysis of barriers. */
#include "lang/check/checker.h"

bool
ck_has_untyped(const struct ck_value *args, int n)
{
    for (int i = 0; i < n; i++) {
        if (args[i].kind == CK_VALUE_ERROR)
            return true;
    }
    return false;
}

/* --- Conditions ----------------------------------------------------------------------------------
 */

/* The parts of a condition that have known types. */
struct known_parts {
    struct ck_fn *fn;
    struct ck_texpr *any; /* true if one of them is not zero; NULL: there are none */
};

/* An operation of arithmetic is divergent where an operand is. What an index, a call or an
 * attribute depends on needs types. */
static bool
is_arithmetic(const struct ck_expr *expr)
{
    return expr->kind == CK_EXPR_UNARY || expr->kind == CK_EXPR_BINARY ||
           expr->kind == CK_EXPR_COMPARE || expr->kind == CK_EXPR_LOGICAL;
}

static void
add_known_part(void *context, const struct ck_expr *expr)
{
    struct known_parts *parts = context;
    struct ck_fn *fn = parts->fn;
    struct ck_value value = ck_speculate(fn, ck_check_expr, expr);
    if (value.kind == CK_VALUE_RUN && ck_type_is_scalar(value.type)) {
        struct ck_texpr *truth = ck_truth(fn, &value);
        bool constant = !truth || ck_is_constant(truth);
        if (!constant)
            parts->any = parts->any ? ck_logical(fn, true, parts->any, truth, expr->span) : truth;
    } else if (value.kind == CK_VALUE_ERROR && is_arithmetic(expr)) {
        ck_expr_each(expr, add_known_part, parts);
    }
}

/* Divergent if a known part of an expression is, and not constant. */
static struct ck_texpr *
stand_in(struct ck_fn *fn, const struct ck_expr *expr, bool is_call)
{
    const struct ck_type *boolean = ck_type_scalar(CK_TYPE_BOOL);
    struct known_parts parts = {.fn = fn};
    struct ck_tblock *outer = fn->block;
    fn->block = CK_NEW(fn->c->arena, struct ck_tblock); /* what checking a part emits is dropped */
    for (int i = 0; is_call && i < expr->call.n_args; i++)
        add_known_part(&parts, expr->call.args[i].value);
    if (!is_call)
        add_known_part(&parts, expr);
    fn->block = outer;
    if (parts.any)
        return parts.any;
    return ck_local_ref(fn, ck_local_new(fn, "", boolean), expr->span);
}

struct ck_texpr *
ck_untyped_condition(struct ck_fn *fn, const struct ck_expr *expr)
{
    return fn->c->untyped ? stand_in(fn, expr, false) : NULL;
}

bool
ck_untyped_iteration(struct ck_fn *fn, const struct ck_expr *iterable, struct ck_iteration *out)
{
    if (!fn->c->untyped)
        return false;
    const struct ck_type *int64 = ck_type_scalar(CK_TYPE_INT64);
    if (ck_is_call_of(fn, iterable, "reversed") && iterable->call.n_args == 1)
        iterable = iterable->call.args[0].value;
    bool is_range = ck_is_call_of(fn, iterable, "range");
    *out = (struct ck_iteration){
        .start = ck_const_int(fn, int64, 0, iterable->span),
        .stop = ck_cast(fn, stand_in(fn, iterable, is_range), int64),
        .step = ck_const_int(fn, int64, 1, iterable->span),
    };
    return true;
}

/* --- Kernels -------------------------------------------------------------------------------------
 */

static bool
is_error(const struct ck_diag *diag)
{
    return diag->severity == CK_SEVERITY_ERROR;
}

struct ck_tfunc *
ck_check_untyped(struct ck_checker *c, const struct ck_kernel_info *kernel)
{
    ck_depth_enter(&c->stack);
    struct ck_global *global = ck_find_global(c, kernel->name);
    struct ck_value *args = CK_NEW_ARRAY(c->arena, struct ck_value, kernel->n_params);
    for (int i = 0; i < kernel->n_params; i++)
        args[i] = ck_value_error(global->function->params[i].span);
    struct ck_diags_mark mark = ck_diags_mark(c->diags);
    c->untyped = true;
    struct ck_tfunc *function = ck_instantiate(c, global, args, kernel->n_params, kernel->span);
    c->untyped = false;
    if (function)
        function->is_untyped = true;
    ck_diags_take(c->diags, mark, is_error);
    return function;
}
