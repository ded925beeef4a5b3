/* Whether threads of a kernel may have returned before a place in it or in its callees.
 *
 * Operations of groups within a warp need more code where some threads of the group may have
 * returned. Threads may have returned after a `return` in the kernel's text, on the path of an `if`
 * whose other path has one, and in a loop that has one anywhere; unless the conditions are uniform
 * over the block: they depend on arguments, sizes and `blockIdx` only. A coalesced group has only
 * threads that were active when it was made: none of them has returned unless a `return` follows
 * the kernel's first such group, or is in the loop that makes it. A function whose result depends
 * on this state is specialised for each state in which it is called. */
#include <string.h>

#include "lang/check/checker.h"

/* The value of an argument of the kernel. */
static bool
is_argument(const struct ck_fn *fn, const struct ck_texpr *expr)
{
    const struct ck_function *syntax = fn->global->function;
    bool is = false;
    for (int i = 0; expr->kind == CK_T_LOCAL && !is && i < syntax->n_params; i++)
        is = strcmp(fn->out->locals[expr->local].name, syntax->params[i].name) == 0;
    return is && !ck_is_assigned(fn, fn->out->locals[expr->local].name);
}

static bool
is_uniform_in_block(enum ck_builtin_id id)
{
    enum ck_uniformity uniformity = ck_builtin_uniformity(id);
    return uniformity == CK_UNIFORMITY_UNIFORM || uniformity == CK_UNIFORMITY_BLOCK;
}

/* Locals of LETs around an expression whose values are uniform. */
struct alike {
    int local;
    const struct alike *outer;
};

static bool
may_differ(const struct ck_fn *fn, const struct ck_texpr *expr, const struct alike *alike)
{
    switch (expr->kind) {
    case CK_T_CONST:
        return false;
    case CK_T_LOCAL:
        for (const struct alike *a = alike; a; a = a->outer) {
            if (a->local == expr->local)
                return false;
        }
        return !is_argument(fn, expr);
    case CK_T_LET: {
        const struct alike inner = {expr->let.local, alike};
        return may_differ(fn, expr->let.init, alike) || may_differ(fn, expr->let.body, &inner);
    }
    case CK_T_SHAPE:
        return !is_argument(fn, expr->extent.array);
    case CK_T_CAST:
    case CK_T_UNARY:
        return may_differ(fn, expr->unary.operand, alike);
    case CK_T_BINARY:
        return may_differ(fn, expr->binary.left, alike) ||
               may_differ(fn, expr->binary.right, alike);
    case CK_T_COMPARE:
        return may_differ(fn, expr->compare.left, alike) ||
               may_differ(fn, expr->compare.right, alike);
    case CK_T_LOGICAL:
        return may_differ(fn, expr->logical.left, alike) ||
               may_differ(fn, expr->logical.right, alike);
    case CK_T_BUILTIN:
        return !is_uniform_in_block(expr->builtin.id);
    default:
        return true;
    }
}

bool
ck_may_differ(const struct ck_fn *fn, const struct ck_texpr *condition)
{
    return fn->out->is_kernel && may_differ(fn, condition, NULL);
}

static bool
has_return(const struct ck_block *block)
{
    bool has = false;
    for (int i = 0; i < block->n && !has; i++) {
        const struct ck_stmt *stmt = block->stmts[i];
        switch (stmt->kind) {
        case CK_STMT_RETURN:
            has = true;
            break;
        case CK_STMT_IF:
            has = has_return(&stmt->branch.then) || has_return(&stmt->branch.otherwise);
            break;
        case CK_STMT_WHILE:
            has = has_return(&stmt->loop.body) || has_return(&stmt->loop.otherwise);
            break;
        case CK_STMT_FOR:
            has = has_return(&stmt->each.body) || has_return(&stmt->each.otherwise);
            break;
        default:
            break;
        }
    }
    return has;
}

/* Threads that return here belong to groups made before, but to none made later. */
static void
some_return(struct ck_fn *fn)
{
    struct ck_instance *kernel = fn->c->current;
    if (ck_tfunc_has(fn->out, CK_EFFECT_MAKES_GROUP))
        kernel->returned = CK_RETURNED_ANY;
    else if (kernel->returned == CK_RETURNED_NONE)
        kernel->returned = CK_RETURNED_BEFORE_GROUPS;
}

void
ck_pass_return(struct ck_fn *fn)
{
    if (fn->out->is_kernel && fn->n_differing)
        some_return(fn);
}

void
ck_pass_returns_in(struct ck_fn *fn, const struct ck_block *block)
{
    if (fn->out->is_kernel && fn->c->current->returned != CK_RETURNED_ANY && has_return(block))
        some_return(fn);
}

bool
ck_may_have_returned(struct ck_fn *fn)
{
    fn->out->effects |= CK_EFFECT_READS_RETURNED;
    return fn->c->current->returned != CK_RETURNED_NONE;
}

bool
ck_may_have_left(struct ck_fn *fn)
{
    fn->out->effects |= CK_EFFECT_READS_RETURNED;
    return fn->c->current->returned == CK_RETURNED_ANY;
}
