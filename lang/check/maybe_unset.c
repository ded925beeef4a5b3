/* Conditions under which a name is set: `if c: v = x` and, later, `if c: use(v)`.
 *
 * A name that one path of an `if` sets keeps the condition, which guards it. A read is known to
 * find it set if a condition that holds there is the same text, and the names in it are bound as
 * they were. Only the warning about the name depends on this: its value on other paths is zero. */
#include <string.h>

#include "lang/check/checker.h"

/* --- Equal conditions ----------------------------------------------------------------------------
 */

/* Two conditions, each with the environment in which it was tested. */
struct pair {
    const struct ck_env *a, *b;
};

static bool is_same(struct ck_fn *fn, const struct pair *at, const struct ck_expr *a,
                    const struct ck_expr *b);

static bool
are_same(struct ck_fn *fn, const struct pair *at, struct ck_expr **a, int n_a, struct ck_expr **b,
         int n_b)
{
    bool same = n_a == n_b;
    for (int i = 0; same && i < n_a; i++)
        same = is_same(fn, at, a[i], b[i]);
    return same;
}

static bool
is_same_name(struct ck_fn *fn, const struct pair *at, const char *a, const char *b)
{
    if (strcmp(a, b) != 0)
        return false;
    const int name = ck_name_index(fn, a);
    return ck_env_get(at->a, name) == ck_env_get(at->b, name);
}

/* Positions and sizes, whose calls give the same again. */
static bool
is_fixed_call(const struct ck_expr *call)
{
    const struct ck_expr *callee = call->call.callee;
    const char *name = callee->kind == CK_EXPR_NAME        ? callee->name
                       : callee->kind == CK_EXPR_ATTRIBUTE ? callee->attribute.name
                                                           : "";
    return strcmp(name, "grid") == 0 || strcmp(name, "gridsize") == 0 || strcmp(name, "len") == 0;
}

static bool
is_same_call(struct ck_fn *fn, const struct pair *at, const struct ck_expr *a,
             const struct ck_expr *b)
{
    bool same = is_fixed_call(a) && a->call.n_args == b->call.n_args &&
                is_same(fn, at, a->call.callee, b->call.callee);
    for (int i = 0; same && i < a->call.n_args; i++)
        same = is_same(fn, at, a->call.args[i].value, b->call.args[i].value);
    return same;
}

/* An element of `shape`; memory may change between two reads. */
static bool
is_same_subscript(struct ck_fn *fn, const struct pair *at, const struct ck_expr *a,
                  const struct ck_expr *b)
{
    const struct ck_expr *object = a->subscript.object;
    return object->kind == CK_EXPR_ATTRIBUTE && strcmp(object->attribute.name, "shape") == 0 &&
           is_same(fn, at, object, b->subscript.object) &&
           are_same(fn, at, a->subscript.indices, a->subscript.n_indices, b->subscript.indices,
                    b->subscript.n_indices);
}

static bool
is_same_comparison(struct ck_fn *fn, const struct pair *at, const struct ck_expr *a,
                   const struct ck_expr *b)
{
    return are_same(fn, at, a->compare.operands, a->compare.n_ops + 1, b->compare.operands,
                    b->compare.n_ops + 1) &&
           memcmp(a->compare.ops, b->compare.ops,
                  sizeof *a->compare.ops * (size_t)a->compare.n_ops) == 0;
}

static bool
is_same(struct ck_fn *fn, const struct pair *at, const struct ck_expr *a, const struct ck_expr *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case CK_EXPR_NAME:
        return is_same_name(fn, at, a->name, b->name);
    case CK_EXPR_INT:
        return a->integer.value == b->integer.value;
    case CK_EXPR_FLOAT:
        return a->floating == b->floating;
    case CK_EXPR_BOOL:
        return a->boolean == b->boolean;
    case CK_EXPR_UNARY:
        return a->unary.op == b->unary.op && is_same(fn, at, a->unary.operand, b->unary.operand);
    case CK_EXPR_BINARY:
        return a->binary.op == b->binary.op && is_same(fn, at, a->binary.left, b->binary.left) &&
               is_same(fn, at, a->binary.right, b->binary.right);
    case CK_EXPR_COMPARE:
        return is_same_comparison(fn, at, a, b);
    case CK_EXPR_LOGICAL:
        return a->logical.is_or == b->logical.is_or &&
               are_same(fn, at, a->logical.operands, a->logical.n, b->logical.operands,
                        b->logical.n);
    case CK_EXPR_ATTRIBUTE:
        return strcmp(a->attribute.name, b->attribute.name) == 0 &&
               is_same(fn, at, a->attribute.object, b->attribute.object);
    case CK_EXPR_CALL:
        return is_same_call(fn, at, a, b);
    case CK_EXPR_SUBSCRIPT:
        return is_same_subscript(fn, at, a, b);
    default:
        return false;
    }
}

static bool
is_negated(enum ck_compare_op a, enum ck_compare_op b)
{
    static const enum ck_compare_op negated[][2] = {
        {CK_CMP_EQ, CK_CMP_NE}, {CK_CMP_LT, CK_CMP_GE}, {CK_CMP_GT, CK_CMP_LE}};
    for (size_t i = 0; i < sizeof negated / sizeof *negated; i++) {
        if ((a == negated[i][0] && b == negated[i][1]) ||
            (a == negated[i][1] && b == negated[i][0]))
            return true;
    }
    return false;
}

/* Whether one comparison is the other's negation, as `i < n` and `i >= n`. */
static bool
is_opposite(struct ck_fn *fn, const struct pair *at, const struct ck_expr *a,
            const struct ck_expr *b)
{
    return a->kind == CK_EXPR_COMPARE && b->kind == CK_EXPR_COMPARE && a->compare.n_ops == 1 &&
           b->compare.n_ops == 1 && is_negated(a->compare.ops[0], b->compare.ops[0]) &&
           are_same(fn, at, a->compare.operands, 2, b->compare.operands, 2);
}

/* --- Implication ---------------------------------------------------------------------------------
 */

/* An expression that is true, or false. */
struct fact {
    const struct ck_expr *expr;
    bool holds;
};

static struct fact
without_not(struct fact fact)
{
    while (fact.expr->kind == CK_EXPR_UNARY && fact.expr->unary.op == CK_OP_NOT)
        fact = (struct fact){fact.expr->unary.operand, !fact.holds};
    return fact;
}

/* Whether all operands of `and` are true, or all of `or` false. */
static bool
is_conjunction(struct fact fact)
{
    return fact.expr->kind == CK_EXPR_LOGICAL && fact.expr->logical.is_or != fact.holds;
}

static bool
fact_implies(struct ck_fn *fn, const struct pair *at, struct fact known, struct fact asked)
{
    known = without_not(known);
    if (known.holds == asked.holds ? is_same(fn, at, known.expr, asked.expr)
                                   : is_opposite(fn, at, known.expr, asked.expr))
        return true;
    for (int i = 0; is_conjunction(known) && i < known.expr->logical.n; i++) {
        if (fact_implies(fn, at, (struct fact){known.expr->logical.operands[i], known.holds},
                         asked))
            return true;
    }
    return false;
}

/* Whether the conditions that hold here imply a fact of an earlier condition's environment. */
static bool
is_implied(struct ck_fn *fn, struct fact asked, const struct ck_env *env)
{
    asked = without_not(asked);
    for (const struct ck_condition *c = fn->conditions; c; c = c->outer) {
        const struct pair at = {&c->env, env};
        if (fact_implies(fn, &at, (struct fact){c->test, c->holds}, asked))
            return true;
    }
    bool all = is_conjunction(asked);
    for (int i = 0; all && i < asked.expr->logical.n; i++)
        all = is_implied(fn, (struct fact){asked.expr->logical.operands[i], asked.holds}, env);
    return all;
}

bool
ck_is_guarded(struct ck_fn *fn, const struct ck_binding *binding)
{
    const struct ck_guard *guard = binding->guard;
    bool all = guard != NULL;
    for (; all && guard; guard = guard->next) {
        const struct ck_condition *c = guard->condition;
        all = is_implied(fn, (struct fact){c->test, c->holds}, &c->env);
    }
    return all;
}

/* --- Conditions and guards -----------------------------------------------------------------------
 */

const struct ck_condition *
ck_condition_begin(struct ck_fn *fn, const struct ck_expr *test, const struct ck_env *env,
                   bool holds)
{
    struct ck_condition *condition = CK_NEW(fn->c->arena, struct ck_condition);
    *condition = (struct ck_condition){test, holds, *env, fn->conditions};
    fn->conditions = condition;
    return condition;
}

/* The two paths of an `if`. */
struct paths {
    struct ck_fn *fn;
    struct ck_env *joined;
    const struct ck_env *then, *otherwise;
    const struct ck_condition *is_true, *is_false;
};

static const struct ck_guard *
guard_of_path(struct ck_fn *fn, const struct ck_condition *condition,
              const struct ck_binding *binding)
{
    bool is_set = binding->state == CK_SET;
    if (!is_set && !binding->guard)
        return NULL;
    struct ck_guard *guard = CK_NEW(fn->c->arena, struct ck_guard);
    *guard = (struct ck_guard){condition, is_set ? NULL : binding->guard};
    return guard;
}

static bool
guard_name(void *context, int name, const struct ck_binding *joined,
           const struct ck_binding *unused)
{
    struct paths *paths = context;
    if (joined->state != CK_MAYBE_UNSET)
        return true;
    struct ck_binding guarded = *joined;
    guarded.guard = guard_of_path(paths->fn, paths->is_true, ck_env_get(paths->then, name));
    if (!guarded.guard)
        guarded.guard =
            guard_of_path(paths->fn, paths->is_false, ck_env_get(paths->otherwise, name));
    ck_env_set(paths->fn, paths->joined, name, &guarded);
    return true;
}

void
ck_guard_names(struct ck_fn *fn, struct ck_env *joined, const struct ck_edges *edges,
               const struct ck_condition *is_true, const struct ck_condition *is_false)
{
    struct paths paths = {fn,      joined,  &edges->edges[0].env, &edges->edges[1].env,
                          is_true, is_false};
    const struct ck_env old = *joined;
    ck_env_differences(&old, paths.then, guard_name, &paths);
}
