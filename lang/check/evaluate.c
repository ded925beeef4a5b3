/* Calls of the prelude's functions with constants, where a module constant is computed. The typed
 * function is evaluated, so that what it computes is written once, in the prelude. */
#include "lang/check/evaluate.h"

#include "lang/check/builtins/builtins.h"

/* A call: the constants that its locals hold. */
struct frame {
    struct ck_fn *fn;
    struct ck_texpr **locals;
    struct ck_span span;
};

/* NULL: of an operation that is not computed at compile time. */
static struct ck_texpr *evaluate(struct frame *frame, struct ck_texpr *expr);
static struct ck_texpr *call_function(struct ck_fn *fn, const struct ck_tfunc *function,
                                      struct ck_texpr *const *args, int n, struct ck_span span);

/* --- Expressions ---------------------------------------------------------------------------------
 */

/* False: of an operand that has no value. */
static bool
evaluate_all(struct frame *frame, struct ck_texpr *const *exprs, int n, struct ck_texpr **out)
{
    for (int i = 0; i < n; i++) {
        out[i] = evaluate(frame, exprs[i]);
        if (!out[i])
            return false;
    }
    return true;
}

static struct ck_texpr *
evaluate_two(struct frame *frame, const struct ck_texpr *expr)
{
    struct ck_texpr *const exprs[] = {expr->binary.left, expr->binary.right};
    struct ck_texpr *of[2];
    if (!evaluate_all(frame, exprs, 2, of))
        return NULL;
    return ck_binary_expr(frame->fn, expr->binary.op, of[0], of[1], frame->span);
}

static struct ck_texpr *
evaluate_comparison(struct frame *frame, const struct ck_texpr *expr)
{
    struct ck_texpr *const exprs[] = {expr->compare.left, expr->compare.right};
    struct ck_texpr *of[2];
    if (!evaluate_all(frame, exprs, 2, of))
        return NULL;
    return ck_compare_expr(frame->fn, expr->compare.op, of[0], of[1], frame->span);
}

static struct ck_texpr *
evaluate_logical(struct frame *frame, const struct ck_texpr *expr)
{
    struct ck_texpr *left = evaluate(frame, expr->logical.left);
    if (!left || (left->constant.i != 0) == expr->logical.is_or)
        return left;
    return evaluate(frame, expr->logical.right);
}

static struct ck_texpr *
evaluate_select(struct frame *frame, const struct ck_texpr *expr)
{
    struct ck_texpr *test = evaluate(frame, expr->select.test);
    if (!test)
        return NULL;
    return evaluate(frame, test->constant.i ? expr->select.then : expr->select.otherwise);
}

static struct ck_texpr *
evaluate_let(struct frame *frame, const struct ck_texpr *expr)
{
    struct ck_texpr *init = evaluate(frame, expr->let.init);
    frame->locals[expr->let.local] = init;
    return init ? evaluate(frame, expr->let.body) : NULL;
}

static struct ck_texpr *
evaluate_cast(struct frame *frame, const struct ck_texpr *expr)
{
    struct ck_texpr *operand = evaluate(frame, expr->unary.operand);
    return operand ? ck_cast(frame->fn, operand, expr->type) : NULL;
}

static struct ck_texpr *
evaluate_unary(struct frame *frame, const struct ck_texpr *expr)
{
    struct ck_texpr *operand = evaluate(frame, expr->unary.operand);
    if (!operand)
        return NULL;
    const struct ck_value value = ck_value_run(operand->type, operand);
    return ck_unary_value(frame->fn, expr->unary.op, &value, frame->span).expr;
}

static struct ck_texpr *
evaluate_builtin(struct frame *frame, const struct ck_texpr *expr)
{
    struct ck_texpr *call = CK_NEW(frame->fn->c->arena, struct ck_texpr);
    const int n = expr->builtin.n_args;
    *call = *expr;
    call->builtin.args = CK_NEW_ARRAY(frame->fn->c->arena, struct ck_texpr *, n);
    if (!evaluate_all(frame, expr->builtin.args, n, call->builtin.args))
        return NULL;
    return ck_fold_call(frame->fn, call);
}

static struct ck_texpr *
evaluate_call(struct frame *frame, const struct ck_texpr *expr)
{
    const int n = expr->call.n_args;
    struct ck_texpr **args = CK_NEW_ARRAY(frame->fn->c->arena, struct ck_texpr *, n);
    if (!evaluate_all(frame, expr->call.args, n, args))
        return NULL;
    return call_function(frame->fn, expr->call.function, args, n, frame->span);
}

static struct ck_texpr *
evaluate_kind(struct frame *frame, struct ck_texpr *expr)
{
    switch (expr->kind) {
    case CK_T_CONST:
        return expr;
    case CK_T_LOCAL:
        return frame->locals[expr->local];
    case CK_T_LET:
        return evaluate_let(frame, expr);
    case CK_T_CAST:
        return evaluate_cast(frame, expr);
    case CK_T_UNARY:
        return evaluate_unary(frame, expr);
    case CK_T_BINARY:
        return evaluate_two(frame, expr);
    case CK_T_COMPARE:
        return evaluate_comparison(frame, expr);
    case CK_T_LOGICAL:
        return evaluate_logical(frame, expr);
    case CK_T_SELECT:
        return evaluate_select(frame, expr);
    case CK_T_CALL:
        return evaluate_call(frame, expr);
    case CK_T_BUILTIN:
        return evaluate_builtin(frame, expr);
    default:
        return NULL;
    }
}

static struct ck_texpr *
evaluate(struct frame *frame, struct ck_texpr *expr)
{
    struct ck_texpr *value = evaluate_kind(frame, expr);
    return value && ck_is_constant(value) ? value : NULL;
}

/* --- Statements ----------------------------------------------------------------------------------
 */

/* Executes a block. True at a `return`, with its value, NULL of what is not computed; false at the
 * block's end. */
static bool
execute(struct frame *frame, const struct ck_tblock *block, struct ck_texpr **result)
{
    *result = NULL;
    for (int i = 0; i < block->n; i++) {
        const struct ck_tstmt *stmt = block->stmts[i];
        struct ck_texpr *value = NULL;
        switch (stmt->kind) {
        case CK_S_ASSIGN:
            value = evaluate(frame, stmt->assign.value);
            frame->locals[stmt->assign.local] = value;
            break;
        case CK_S_IF:
            value = evaluate(frame, stmt->branch.test);
            if (value &&
                execute(frame, value->constant.i ? &stmt->branch.then : &stmt->branch.otherwise,
                        result))
                return true;
            break;
        case CK_S_RETURN:
            *result = evaluate(frame, stmt->expr);
            return true;
        default:
            break;
        }
        if (!value)
            return true;
    }
    return false;
}

static struct ck_texpr *
call_function(struct ck_fn *fn, const struct ck_tfunc *function, struct ck_texpr *const *args,
              int n, struct ck_span span)
{
    struct frame frame = {.fn = fn, .span = span};
    struct ck_texpr *result;
    frame.locals = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, function->n_locals);
    for (int i = 0; i < n; i++)
        frame.locals[i] = args[i];
    execute(&frame, &function->body, &result);
    return result;
}

struct ck_value
ck_evaluate_call(struct ck_fn *fn, struct ck_global *global, const struct ck_value *args, int n,
                 struct ck_span span)
{
    struct ck_checker *c = fn->c;
    struct ck_value *params = CK_NEW_ARRAY(c->arena, struct ck_value, n);
    struct ck_texpr **values = CK_NEW_ARRAY(c->arena, struct ck_texpr *, n);
    for (int i = 0; i < n; i++) {
        values[i] = args[i].expr;
        /* Not the constant: the function would be specialised for each. */
        params[i] = ck_value_run(args[i].type, ck_texpr_new(fn, CK_T_LOCAL, args[i].type, span));
    }
    const struct ck_tfunc *function = ck_instantiate(c, global, params, n, span);
    struct ck_texpr *result = function ? call_function(fn, function, values, n, span) : NULL;
    if (result)
        return ck_value_run(result->type, result);
    ck_error(fn, NOT_CONSTANT, span);
    return ck_value_error(span);
}
