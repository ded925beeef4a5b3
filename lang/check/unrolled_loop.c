/* Loops over tuples that are unrolled: the body is checked once for each item, in its type.
 *
 * A `break` leaves a range of one iteration around all items, whose `else` is the loop's, and a
 * `continue` ends one around the item. In a loop with both, a `break` leaves the item's range and
 * sets a flag, by which the outer range is left. */
#include "lang/check/builtins/builtins.h"
#include "lang/check/iterate.h"
#include "lang/check/name_tuple.h"

/* --- The iterable --------------------------------------------------------------------------------
 */

/* A tuple whose items have no common type, as arrays of several, as one whose items are known at
 * compile time. */
static bool
as_names(struct ck_fn *fn, const struct ck_expr *iterable, struct ck_value *value)
{
    const bool is_tuple = value->kind == CK_VALUE_RUN && value->type->kind == CK_TYPE_TUPLE;
    if (!is_tuple || ck_have_common_type(fn, value))
        return false;
    const struct ck_value tuple = ck_hold(fn, ck_check_run(fn, iterable));
    struct ck_name_tuple *items = CK_NEW(fn->c->arena, struct ck_name_tuple);
    items->n = tuple.type->tuple.n;
    items->items = CK_NEW_ARRAY(fn->c->arena, struct ck_value, items->n);
    for (int i = 0; i < items->n; i++)
        items->items[i] = ck_tuple_item(fn, &tuple, i);
    *value = (struct ck_value){.kind = CK_VALUE_NAMES, .span = iterable->span, .names = items};
    return true;
}

bool
ck_iterates_names(struct ck_fn *fn, const struct ck_expr *iterable, struct ck_value *out)
{
    bool may = iterable->kind == CK_EXPR_NAME || iterable->kind == CK_EXPR_TUPLE;
    if (iterable->kind == CK_EXPR_CALL) {
        struct ck_value callee = ck_probe(fn, iterable->call.callee);
        may = callee.kind == CK_VALUE_BUILTIN && callee.builtin == CK_BUILTIN_LITERAL_UNROLL;
    }
    if (!may)
        return false;
    *out = ck_speculate(fn, ck_check_expr, iterable);
    if (out->kind != CK_VALUE_NAMES)
        return as_names(fn, iterable, out);
    *out = ck_check_expr(fn, iterable);
    return true;
}

/* --- The loop ------------------------------------------------------------------------------------
 */

/* Whether a body has a `break`, or a `continue`, of its loop. */
static bool
has_jump(const struct ck_block *body, enum ck_stmt_kind kind)
{
    bool has = false;
    for (int i = 0; i < body->n && !has; i++) {
        const struct ck_stmt *stmt = body->stmts[i];
        if (stmt->kind == CK_STMT_IF)
            has = has_jump(&stmt->branch.then, kind) || has_jump(&stmt->branch.otherwise, kind);
        else if (stmt->kind == CK_STMT_WHILE)
            has = has_jump(&stmt->loop.otherwise, kind);
        else if (stmt->kind == CK_STMT_FOR)
            has = has_jump(&stmt->each.otherwise, kind);
        else
            has = stmt->kind == kind;
    }
    return has;
}

/* A range of one iteration, in which the next statements are. */
static struct ck_tstmt *
begin_once(struct ck_fn *fn, struct ck_span span)
{
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    const int counter = ck_local_new(fn, "", i64);
    struct ck_tstmt *once = ck_emit(fn, CK_S_RANGE, span);
    once->range.counter = counter;
    once->range.start = ck_const_int(fn, i64, 0, span);
    once->range.stop = once->range.step = ck_const_int(fn, i64, 1, span);
    fn->block = &once->range.body;
    return once;
}

struct unrolled {
    const struct ck_stmt *stmt;
    struct ck_loop loop; /* what its jumps leave */
    bool continues;      /* some of them end an item */
    int left_flag;       /* what a `break` sets, beside a `continue` */
};

static void
check_item(struct ck_fn *fn, struct unrolled *unrolled, struct ck_value item)
{
    const struct ck_stmt *stmt = unrolled->stmt;
    const struct ck_span span = stmt->each.target->span;
    struct ck_tblock *outer = fn->block;
    const int n_breaks = unrolled->loop.breaks.n;
    item.span = span;
    if (unrolled->continues)
        begin_once(fn, stmt->span);
    ck_assign_to(fn, stmt->each.target, item, span);
    ck_check_block(fn, &stmt->each.body);
    if (!unrolled->continues)
        return;
    ck_edges_add(fn, &unrolled->loop.continues, &fn->env, fn->block);
    fn->env =
        ck_env_join(fn, &unrolled->loop.continues, stmt->span, "if a `continue` ends an item");
    unrolled->loop.continues = (struct ck_edges){0};
    fn->block = outer;
    if (unrolled->loop.breaks.n == n_breaks)
        return;
    struct ck_tstmt *leave = ck_emit(fn, CK_S_IF, stmt->span);
    leave->branch.test = ck_local_ref(fn, unrolled->left_flag, stmt->span);
    fn->block = &leave->branch.then;
    ck_emit(fn, CK_S_BREAK, stmt->span);
    fn->block = outer;
}

void
ck_check_for_names(struct ck_fn *fn, const struct ck_stmt *stmt, const struct ck_value *tuple)
{
    const bool breaks = has_jump(&stmt->each.body, CK_STMT_BREAK);
    struct unrolled unrolled = {.stmt = stmt,
                                .loop = {.outer = fn->loop},
                                .continues = has_jump(&stmt->each.body, CK_STMT_CONTINUE)};
    struct ck_loop *loop = &unrolled.loop;
    struct ck_tblock *outer = fn->block;
    struct ck_tstmt *once = NULL;
    fn->n_differing += breaks;
    if (breaks && unrolled.continues) {
        const struct ck_type *boolean = ck_type_scalar(CK_TYPE_BOOL);
        unrolled.left_flag = ck_local_new(fn, "", boolean);
        loop->left_flag = &unrolled.left_flag;
        ck_emit_assign(fn, fn->block, unrolled.left_flag, ck_const_int(fn, boolean, 0, stmt->span),
                       stmt->span);
    }
    if (breaks)
        once = begin_once(fn, stmt->span);
    fn->loop = loop;
    for (int i = 0; i < tuple->names->n && fn->env.reachable; i++)
        check_item(fn, &unrolled, tuple->names->items[i]);
    fn->loop = loop->outer;
    if (breaks)
        fn->block = &once->range.otherwise;
    ck_check_block(fn, &stmt->each.otherwise);
    if (breaks) {
        ck_edges_add(fn, &loop->breaks, &fn->env, fn->block);
        fn->block = outer;
        fn->env = ck_env_join(fn, &loop->breaks, stmt->span, "if this loop ends another way");
    }
    fn->n_differing -= breaks;
}
