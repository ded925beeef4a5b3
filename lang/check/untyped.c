/* Checking generic kernels without types. Their parameters are bound to ERROR values, as those of
 * expressions with errors are, so that all that depends on them is silent; what does not is checked
 * as ever: names, calls, attributes of the language. Branches and loops under conditions that are
 * not known keep their place in the typed function, for the analysis of barriers. For it, names
 * with untyped values have locals too, which hold the parts of a value that have types: `k = t + n`
 * assigns to the local of `k` whether `t` is not zero, which is divergent as `k` is. */
#include "lang/check/untyped.h"
#include "lang/check/builtins/builtins.h"
#include "lang/check/iterate.h"
#include "lang/check/name_tuple.h"

bool
ck_has_untyped(const struct ck_value *args, int n)
{
    for (int i = 0; i < n; i++) {
        if (args[i].kind == CK_VALUE_ERROR)
            return true;
        if (args[i].kind == CK_VALUE_FUNCTION && args[i].closure &&
            ck_has_untyped(args[i].closure, args[i].function->n_free_names))
            return true;
        if (args[i].kind == CK_VALUE_NAMES &&
            ck_has_untyped(args[i].names->items, args[i].names->n))
            return true;
    }
    return false;
}

/* --- What a value depends on ---------------------------------------------------------------------
 */

/* The parts of an expression that have known types. */
struct known_parts {
    struct ck_fn *fn;
    struct ck_span span;  /* of the whole */
    struct ck_texpr *any; /* true if one of them is not zero; NULL: there are none */
    int left;             /* parts still looked at: the rest is taken for uniform */
};

enum { MOST_PARTS = 256, MOST_NESTED = 3 };

static void add_known_part(void *context, const struct ck_expr *expr);

static void
add_part(struct known_parts *parts, struct ck_texpr *part)
{
    struct ck_texpr *any = parts->any;
    if (part && !ck_is_constant(part))
        parts->any = any ? ck_logical(parts->fn, true, any, part, parts->span) : part;
}

/* An operation of arithmetic is divergent where an operand is, and so is a choice. What an index or
 * an attribute depends on needs types. Tuples are left out: their items would count together. */
static bool
is_arithmetic(const struct ck_expr *expr)
{
    return expr->kind == CK_EXPR_UNARY || expr->kind == CK_EXPR_BINARY ||
           expr->kind == CK_EXPR_COMPARE || expr->kind == CK_EXPR_LOGICAL ||
           expr->kind == CK_EXPR_CONDITIONAL;
}

/* What each thread has its own of, as the old value of an atomic operation. */
static void
add_own(struct known_parts *parts, enum ck_uniformity uniformity, struct ck_span span)
{
    const bool is_of_grid = uniformity == CK_UNIFORMITY_GRID_THREAD;
    struct ck_value thread = ck_builtin_value(parts->fn, CK_BUILTIN_THREAD_IDX_X, span);
    struct ck_value block = ck_builtin_value(parts->fn, CK_BUILTIN_BLOCK_IDX_X, span);
    if (is_of_grid || uniformity == CK_UNIFORMITY_THREAD)
        add_part(parts, ck_untyped_dependence_of(parts->fn, &thread));
    if (is_of_grid)
        add_part(parts, ck_untyped_dependence_of(parts->fn, &block));
}

/* A function of numbers is divergent where an argument is. */
static void
add_parts_of_call(struct known_parts *parts, const struct ck_expr *expr)
{
    const struct ck_value callee = ck_probe(parts->fn, expr->call.callee);
    bool is_of_numbers = callee.kind == CK_VALUE_NUMPY ||
                         (callee.kind == CK_VALUE_TYPE && ck_type_is_scalar(callee.type));
    if (callee.kind == CK_VALUE_BUILTIN && callee.builtin != CK_BUILTIN_MAKE_TUPLE)
        is_of_numbers = ck_builtin_uniformity(callee.builtin) == CK_UNIFORMITY_OPERANDS ||
                        ck_builtin_uniformity(callee.builtin) == CK_UNIFORMITY_FOLDED;
    if (callee.kind == CK_VALUE_BUILTIN)
        add_own(parts, ck_builtin_uniformity(callee.builtin), expr->span);
    for (int i = 0; is_of_numbers && i < expr->call.n_args; i++)
        add_known_part(parts, expr->call.args[i].value);
}

static void
add_part_of_name(struct known_parts *parts, const struct ck_expr *expr)
{
    struct ck_fn *fn = parts->fn;
    const struct ck_binding *binding = ck_env_get(&fn->env, ck_name_index(fn, expr->name));
    bool is_set = binding->state == CK_SET || binding->state == CK_MAYBE_UNSET;
    if (is_set && binding->value.kind == CK_VALUE_ERROR && binding->value.expr)
        add_part(parts, ck_local_ref(fn, binding->value.expr->local, expr->span));
}

static void
add_known_part(void *context, const struct ck_expr *expr)
{
    struct known_parts *parts = context;
    struct ck_fn *fn = parts->fn;
    if (!parts->left)
        return;
    parts->left--;
    if (expr->kind == CK_EXPR_STARRED)
        expr = expr->starred;
    struct ck_value value = ck_check_quietly(fn, ck_check_expr, expr);
    if (value.kind == CK_VALUE_RUN)
        add_part(parts, ck_untyped_dependence_of(fn, &value));
    if (value.kind != CK_VALUE_ERROR)
        return;
    if (expr->kind == CK_EXPR_NAME)
        add_part_of_name(parts, expr);
    else if (value.expr) /* a call */
        add_part(parts, value.expr);
    else if (expr->kind == CK_EXPR_CALL)
        add_parts_of_call(parts, expr);
    else if (is_arithmetic(expr))
        ck_expr_each(expr, add_known_part, parts);
}

/* NULL: nothing is known. What checking the parts emits is dropped. Arguments of calls in arguments
 * of calls are checked again for each level. */
static struct ck_texpr *
known_parts_of(struct ck_fn *fn, const struct ck_expr *const *exprs, int n, struct ck_span span)
{
    struct known_parts parts = {.fn = fn, .span = span, .left = MOST_PARTS};
    struct ck_tblock *outer = fn->block;
    if (fn->c->untyped_nested >= MOST_NESTED)
        return NULL;
    fn->c->untyped_nested++;
    fn->block = CK_NEW(fn->c->arena, struct ck_tblock);
    for (int i = 0; i < n; i++)
        add_known_part(&parts, exprs[i]);
    fn->block = outer;
    fn->c->untyped_nested--;
    return parts.any;
}

struct ck_value
ck_with_dependences(struct ck_fn *fn, struct ck_value value, const struct ck_expr *left,
                    const struct ck_expr *right)
{
    const struct ck_expr *const exprs[] = {left, right};
    if (fn->c->untyped && value.kind == CK_VALUE_ERROR && !value.expr)
        value.expr = known_parts_of(fn, exprs, right ? 2 : 1, value.span);
    return value;
}

struct ck_value
ck_with_dependence(struct ck_fn *fn, struct ck_value value, const struct ck_expr *expr)
{
    return ck_with_dependences(fn, value, expr, NULL);
}

struct ck_texpr *
ck_untyped_dependence_of(struct ck_fn *fn, const struct ck_value *value)
{
    if (value->kind == CK_VALUE_ERROR)
        return value->expr;
    if (value->kind != CK_VALUE_RUN || !ck_type_is_scalar(value->type))
        return NULL;
    struct ck_texpr *truth = ck_truth(fn, value);
    return truth && !ck_is_constant(truth) ? truth : NULL;
}

struct ck_texpr *
ck_untyped_held(struct ck_fn *fn, const struct ck_value *value, struct ck_span span)
{
    struct ck_texpr *depends = ck_untyped_dependence_of(fn, value);
    return depends ? depends : ck_const_int(fn, ck_type_scalar(CK_TYPE_BOOL), 0, span);
}

/* Divergent if a known part of the expressions is, and not constant. */
static struct ck_texpr *
stand_in(struct ck_fn *fn, const struct ck_expr *const *exprs, int n, struct ck_span span)
{
    struct ck_texpr *parts = known_parts_of(fn, exprs, n, span);
    if (parts)
        return parts;
    return ck_local_ref(fn, ck_local_new(fn, "", ck_type_scalar(CK_TYPE_BOOL)), span);
}

/* Operands of shuffles, votes and barriers that count. */
bool
ck_untyped_operand(struct ck_fn *fn, enum ck_builtin_id id, struct ck_value *value,
                   const struct ck_expr *expr)
{
    const enum ck_uniformity uniformity = ck_builtin_uniformity(id);
    if (!fn->c->untyped || value->kind != CK_VALUE_ERROR ||
        (uniformity != CK_UNIFORMITY_VALUE && uniformity != CK_UNIFORMITY_BLOCK_VOTE))
        return false;
    const struct ck_type *int32 = ck_type_scalar(CK_TYPE_INT32);
    *value = ck_value_run(int32, ck_cast(fn, stand_in(fn, &expr, 1, expr->span), int32));
    return true;
}

void
ck_keep_untyped(struct ck_fn *fn, const struct ck_value *value, struct ck_span span)
{
    if (fn->c->untyped && value->expr && ck_has_effect(value->expr))
        ck_emit(fn, CK_S_EXPR, span)->expr = value->expr;
}

bool
ck_assign_untyped_items(struct ck_fn *fn, const struct ck_expr *target, const struct ck_expr *expr,
                        struct ck_span span)
{
    const bool unpacks = target->kind == CK_EXPR_TUPLE || target->kind == CK_EXPR_LIST;
    if (!fn->c->untyped || !unpacks || expr->kind != CK_EXPR_TUPLE ||
        expr->sequence.n != target->sequence.n)
        return false;
    const int n = expr->sequence.n;
    struct ck_value *items = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n);
    for (int i = 0; i < n; i++) {
        const struct ck_expr *item = expr->sequence.items[i];
        items[i] = ck_with_dependence(fn, ck_check_quietly(fn, ck_check_expr, item), item);
        if (items[i].kind == CK_VALUE_ERROR && items[i].expr) {
            int local = ck_local_new(fn, "", items[i].expr->type);
            ck_emit_assign(fn, fn->block, local, items[i].expr, span);
            items[i].expr = ck_local_ref(fn, local, span);
        } else if (items[i].kind == CK_VALUE_RUN) {
            items[i] = ck_hold(fn, items[i]);
        }
    }
    for (int i = 0; i < n; i++)
        ck_assign_to(fn, target->sequence.items[i], items[i], span);
    return true;
}

/* --- Functions -----------------------------------------------------------------------------------
 */

void
ck_finish_untyped(struct ck_fn *fn)
{
    for (int i = 0; i < fn->n_returns; i++) {
        struct ck_return *ret = &fn->returns[i];
        if (ret->value.kind == CK_VALUE_NONE)
            continue;
        fn->out->returns = ck_type_scalar(CK_TYPE_BOOL);
        ret->stmt->expr = ck_untyped_held(fn, &ret->value, ret->stmt->span);
    }
}

/* What a call waits for happens where it stands, once; its result may be needed elsewhere. */
struct ck_value
ck_untyped_result(struct ck_fn *fn, struct ck_texpr *call)
{
    struct ck_value value = ck_value_error(call->span), result = ck_value_run(call->type, call);
    const bool is_void = call->type->kind == CK_TYPE_VOID;
    struct ck_texpr *depends = is_void ? NULL : ck_untyped_dependence_of(fn, &result);
    if (!depends || call->kind != CK_T_CALL || !call->call.function->effects) {
        ck_emit(fn, CK_S_EXPR, call->span)->expr = call;
        value.expr = depends;
        return value;
    }
    int local = ck_local_new(fn, "", depends->type);
    ck_emit_assign(fn, fn->block, local, depends, call->span);
    value.expr = ck_local_ref(fn, local, call->span);
    return value;
}

/* --- Conditions and loops ------------------------------------------------------------------------
 */

struct ck_texpr *
ck_untyped_condition(struct ck_fn *fn, const struct ck_expr *expr)
{
    return fn->c->untyped ? stand_in(fn, &expr, 1, expr->span) : NULL;
}

bool
ck_untyped_iteration(struct ck_fn *fn, const struct ck_expr *iterable, struct ck_iteration *out)
{
    enum { MOST_ARGS = 3 }; /* start, stop, step */
    if (!fn->c->untyped)
        return false;
    const struct ck_type *int64 = ck_type_scalar(CK_TYPE_INT64);
    const struct ck_span span = iterable->span;
    if (ck_is_call_of(fn, iterable, "reversed") && iterable->call.n_args == 1)
        iterable = iterable->call.args[0].value;
    const struct ck_expr *exprs[MOST_ARGS] = {iterable}, *counted[2];
    int n = 1, n_counted = 0;
    if (ck_is_call_of(fn, iterable, "range")) {
        for (n = 0; n < iterable->call.n_args && n < MOST_ARGS; n++) {
            exprs[n] = iterable->call.args[n].value;
            if (n != 1 && iterable->call.n_args > 1)
                counted[n_counted++] = exprs[n];
        }
    }
    *out = (struct ck_iteration){
        .start = ck_const_int(fn, int64, 0, span),
        .stop = ck_cast(fn, stand_in(fn, exprs, n, span), int64),
        .step = ck_const_int(fn, int64, 1, span),
    };
    struct ck_texpr *depends = known_parts_of(fn, counted, n_counted, span);
    if (depends) { /* as it is when the loop begins */
        int local = ck_local_new(fn, "", depends->type);
        ck_emit_assign(fn, fn->block, local, depends, span);
        out->depends = ck_local_ref(fn, local, span);
    }
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
