/* The parser, part eight: assignment expressions, `(n := f(x))`.
 *
 * They become assignments before the statement in which they are, so that nothing after the parser
 * knows of them. What the statement evaluates before one is saved in a hidden name, which begins
 * with `%`, unless it is the same afterwards; what it evaluates only under a condition, as the
 * second operand of `and`, becomes an `if`. The test of a `while` moves into the loop's body. */
#include <string.h>

#include "lang/syntax/parser.h"

/* One statement's assignment expressions. */
struct hoist {
    struct ck_parser *p;
    struct ck_stmt_list *out; /* to which statements are added */
    const char **bound;       /* the names that they bind */
    int n_bound, bound_capacity;
};

static struct ck_expr *hoist(struct hoist *h, struct ck_expr *expr, bool as_truth);

/* --- Searching -----------------------------------------------------------------------------------
 */

static void
find_named(void *context, const struct ck_expr *expr)
{
    bool *found = context;
    *found = *found || expr->kind == CK_EXPR_NAMED;
    if (!*found)
        ck_expr_each(expr, find_named, context);
}

static bool
has_named(const struct ck_expr *expr)
{
    bool found = false;
    if (expr)
        find_named(&found, expr);
    return found;
}

static void
collect_bound(void *context, const struct ck_expr *expr)
{
    struct hoist *h = context;
    if (expr->kind == CK_EXPR_NAMED)
        CK_PUSH(h->p->arena, h->bound, h->n_bound, h->bound_capacity, expr->named.target->name);
    ck_expr_each(expr, collect_bound, context);
}

/* `x.shape`, `x.size`: an array never changes them. */
static bool
is_extent(const struct ck_expr *expr)
{
    return expr->kind == CK_EXPR_ATTRIBUTE && expr->attribute.object->kind == CK_EXPR_NAME &&
           (strcmp(expr->attribute.name, "shape") == 0 ||
            strcmp(expr->attribute.name, "size") == 0);
}

struct search {
    const struct hoist *h;
    bool may_change;
};

static void
find_change(void *context, const struct ck_expr *expr)
{
    struct search *search = context;
    const bool is_element = expr->kind == CK_EXPR_SUBSCRIPT && !is_extent(expr->subscript.object);
    const bool is_attribute = expr->kind == CK_EXPR_ATTRIBUTE && !is_extent(expr);
    search->may_change |= expr->kind == CK_EXPR_CALL || is_element || is_attribute;
    for (int i = 0; expr->kind == CK_EXPR_NAME && i < search->h->n_bound; i++)
        search->may_change |= strcmp(search->h->bound[i], expr->name) == 0;
    ck_expr_each(expr, find_change, context);
}

/* Whether an expression may have an effect, or another value after the assignments: it has a call,
 * reads memory, or reads a name that they bind. */
static bool
may_change(const struct hoist *h, const struct ck_expr *expr)
{
    struct search search = {.h = h};
    find_change(&search, expr);
    return search.may_change;
}

/* --- Making nodes --------------------------------------------------------------------------------
 */

static struct ck_expr *
new_expr(struct hoist *h, enum ck_expr_kind kind, struct ck_span span, int depth)
{
    struct ck_expr *expr = ck_parser_new_expr(h->p, kind, span);
    expr->depth = (uint16_t)(depth < UINT16_MAX ? depth : UINT16_MAX);
    return expr;
}

static struct ck_expr *
new_name(struct hoist *h, const char *name, struct ck_span span)
{
    return ck_expr_name(h->p->arena, name, span);
}

static struct ck_expr *
new_named(struct hoist *h, const char *name, struct ck_expr *value)
{
    struct ck_expr *expr = new_expr(h, CK_EXPR_NAMED, value->span, value->depth + 1);
    expr->named.target = new_name(h, name, value->span);
    expr->named.value = value;
    return expr;
}

static struct ck_expr *
new_not(struct hoist *h, struct ck_expr *operand)
{
    struct ck_expr *expr = new_expr(h, CK_EXPR_UNARY, operand->span, operand->depth + 1);
    expr->unary.op = CK_OP_NOT;
    expr->unary.operand = operand;
    return expr;
}

static struct ck_expr *
new_logical(struct hoist *h, bool is_or, struct ck_expr *const *operands, int n,
            struct ck_span span)
{
    if (n == 1)
        return operands[0];
    struct ck_expr *expr = new_expr(h, CK_EXPR_LOGICAL, span, 1);
    expr->logical.is_or = is_or;
    expr->logical.n = n;
    expr->logical.operands = CK_NEW_ARRAY(h->p->arena, struct ck_expr *, n);
    for (int i = 0; i < n; i++) {
        expr->logical.operands[i] = operands[i];
        if (operands[i]->depth >= expr->depth)
            expr->depth = operands[i]->depth;
    }
    expr->depth = (uint16_t)(expr->depth + n < UINT16_MAX ? expr->depth + n : UINT16_MAX);
    return expr;
}

static struct ck_stmt *
new_stmt(struct hoist *h, enum ck_stmt_kind kind, struct ck_span span)
{
    struct ck_stmt *stmt = CK_NEW(h->p->arena, struct ck_stmt);
    stmt->kind = kind;
    stmt->span = span;
    return stmt;
}

static void
add_stmt(struct hoist *h, struct ck_stmt *stmt)
{
    CK_PUSH(h->p->arena, h->out->items, h->out->n, h->out->capacity, stmt);
}

static void
make_assignment(struct hoist *h, struct ck_stmt *stmt, struct ck_expr *target,
                struct ck_expr *value)
{
    stmt->kind = CK_STMT_ASSIGN;
    stmt->assign.targets = CK_NEW(h->p->arena, struct ck_expr *);
    stmt->assign.targets[0] = target;
    stmt->assign.n_targets = 1;
    stmt->assign.value = value;
}

static void
add_assignment(struct hoist *h, struct ck_expr *target, struct ck_expr *value)
{
    struct ck_stmt *stmt = new_stmt(h, CK_STMT_ASSIGN, value->span);
    make_assignment(h, stmt, target, value);
    add_stmt(h, stmt);
}

/* A name that no program can have. */
static const char *
hidden_name(struct ck_parser *p)
{
    return ck_arena_printf(p->arena, "%%%d", p->n_hidden++);
}

/* The value saved in a hidden name, or `name` unless that is NULL; a read of it. */
static struct ck_expr *
save(struct hoist *h, const char *name, struct ck_expr *value)
{
    name = name ? name : hidden_name(h->p);
    add_assignment(h, new_name(h, name, value->span), value);
    return new_name(h, name, value->span);
}

static struct ck_expr *
truth_of(struct hoist *h, struct ck_expr *expr)
{
    return new_not(h, new_not(h, expr));
}

static struct ck_block
block_of(struct hoist *h, struct ck_stmt_list stmts, struct ck_span span)
{
    if (!stmts.n)
        CK_PUSH(h->p->arena, stmts.items, stmts.n, stmts.capacity, new_stmt(h, CK_STMT_PASS, span));
    return (struct ck_block){stmts.items, stmts.n, span};
}

/* --- What is evaluated under a condition ---------------------------------------------------------
 */

/* Assigns the expression, or its truth, to a hidden name in a block of its own. */
static struct ck_block
assigning_block(struct hoist *h, const char *name, struct ck_expr *expr, bool as_truth)
{
    struct ck_stmt_list stmts = {0}, *outer = h->out;
    h->out = &stmts;
    struct ck_expr *value = hoist(h, expr, as_truth);
    save(h, name, as_truth ? truth_of(h, value) : value);
    h->out = outer;
    return block_of(h, stmts, expr->span);
}

static struct ck_stmt *
add_if(struct hoist *h, struct ck_expr *test, struct ck_block then)
{
    struct ck_stmt *stmt = new_stmt(h, CK_STMT_IF, test->span);
    stmt->branch.test = test;
    stmt->branch.then = then;
    add_stmt(h, stmt);
    return stmt;
}

static struct ck_expr *
hoist_conditional(struct hoist *h, struct ck_expr *expr, bool as_truth)
{
    struct ck_expr *then = expr->conditional.then, *otherwise = expr->conditional.otherwise;
    expr->conditional.test = hoist(h, expr->conditional.test, true);
    if (!has_named(then) && !has_named(otherwise))
        return expr;
    const char *name = hidden_name(h->p);
    const struct ck_block block = assigning_block(h, name, then, as_truth);
    struct ck_stmt *stmt = add_if(h, expr->conditional.test, block);
    stmt->branch.otherwise = assigning_block(h, name, otherwise, as_truth);
    return new_name(h, name, expr->span);
}

/* `a and b` as the value of one of the operands: `t = a; if t: t = b`. */
static struct ck_expr *
hoist_choice(struct hoist *h, const struct ck_expr *expr, int last)
{
    struct ck_expr **operands = expr->logical.operands;
    const bool is_or = expr->logical.is_or;
    const char *name = hidden_name(h->p);
    save(h, name, hoist(h, operands[0], false));
    for (int i = 1; i <= last; i++) {
        struct ck_expr *test = new_name(h, name, operands[i - 1]->span);
        add_if(h, is_or ? new_not(h, test) : test, assigning_block(h, name, operands[i], false));
    }
    operands[last] = new_name(h, name, ck_span_join(operands[0]->span, operands[last]->span));
    return new_logical(h, is_or, operands + last, expr->logical.n - last, expr->span);
}

/* `a and b` as a condition: `s = a; t = False; if s: t = b`, and the condition `s and t`. What the
 * assignments do not change is no hidden name, but stays as it is: names that were set under the
 * same condition are known to be set. */
static struct ck_expr *
hoist_condition(struct hoist *h, const struct ck_expr *expr, int last)
{
    struct ck_expr **operands = expr->logical.operands;
    const bool is_or = expr->logical.is_or;
    for (int i = 0; i <= last; i++) {
        if (!has_named(operands[i]) && !may_change(h, operands[i]))
            continue;
        if (i == 0) {
            operands[0] = save(h, NULL, truth_of(h, hoist(h, operands[0], true)));
            continue;
        }
        const char *name = hidden_name(h->p);
        struct ck_expr *never = new_expr(h, CK_EXPR_BOOL, operands[i]->span, 1);
        const struct ck_span before = ck_span_join(operands[0]->span, operands[i - 1]->span);
        save(h, name, never);
        struct ck_expr *test = new_logical(h, is_or, operands, i, before);
        add_if(h, is_or ? new_not(h, test) : test, assigning_block(h, name, operands[i], true));
        operands[i] = new_name(h, name, operands[i]->span);
    }
    return new_logical(h, is_or, operands, expr->logical.n, expr->span);
}

static struct ck_expr *
hoist_logical(struct hoist *h, struct ck_expr *expr, bool as_truth)
{
    enum { MOST_OPERANDS = 64 }; /* each is a condition of those that follow */
    int last = expr->logical.n - 1;
    while (!has_named(expr->logical.operands[last]))
        last--;
    if (last > MOST_OPERANDS) {
        ck_diag_add(
            h->p->diags, CK_DIAG_TOO_DEEP, expr->span,
            ck_arena_printf(h->p->arena, "more than %d operands before a `:=`", MOST_OPERANDS));
        h->p->failed = true;
        return ck_parser_error_expr(h->p, expr->span);
    }
    if (last == 0) {
        expr->logical.operands[0] = hoist(h, expr->logical.operands[0], as_truth);
        return expr;
    }
    return as_truth ? hoist_condition(h, expr, last) : hoist_choice(h, expr, last);
}

/* --- Operands in order ---------------------------------------------------------------------------
 */

/* The places of an expression's operands, in the order in which they are evaluated. */
struct places {
    struct ck_expr ***items;
    int n, capacity;
};

static void
add_place(struct hoist *h, struct places *places, struct ck_expr **place)
{
    struct ck_expr *expr = *place;
    if (!expr)
        return;
    if (expr->kind == CK_EXPR_SLICE) {
        add_place(h, places, &expr->slice.start);
        add_place(h, places, &expr->slice.stop);
        add_place(h, places, &expr->slice.step);
    } else if (expr->kind == CK_EXPR_STARRED) {
        add_place(h, places, &expr->starred);
    } else {
        CK_PUSH(h->p->arena, places->items, places->n, places->capacity, place);
    }
}

/* A path, as `cuda.atomic.add` or the callee `f`, is no value: the object of a method is. */
static void
add_callee(struct hoist *h, struct places *places, struct ck_expr **place)
{
    while ((*place)->kind == CK_EXPR_ATTRIBUTE)
        place = &(*place)->attribute.object;
    if ((*place)->kind != CK_EXPR_NAME)
        add_place(h, places, place);
}

static void
add_places(struct hoist *h, struct places *places, struct ck_expr *expr)
{
    switch (expr->kind) {
    case CK_EXPR_UNARY:
        add_place(h, places, &expr->unary.operand);
        break;
    case CK_EXPR_BINARY:
        add_place(h, places, &expr->binary.left);
        add_place(h, places, &expr->binary.right);
        break;
    case CK_EXPR_COMPARE:
        for (int i = 0; i <= expr->compare.n_ops; i++)
            add_place(h, places, &expr->compare.operands[i]);
        break;
    case CK_EXPR_CALL:
        add_callee(h, places, &expr->call.callee);
        for (int i = 0; i < expr->call.n_args; i++)
            add_place(h, places, &expr->call.args[i].value);
        break;
    case CK_EXPR_ATTRIBUTE:
        add_place(h, places, &expr->attribute.object);
        break;
    case CK_EXPR_SUBSCRIPT:
        add_place(h, places, &expr->subscript.object);
        for (int i = 0; i < expr->subscript.n_indices; i++)
            add_place(h, places, &expr->subscript.indices[i]);
        break;
    case CK_EXPR_TUPLE:
    case CK_EXPR_LIST:
        for (int i = 0; i < expr->sequence.n; i++)
            add_place(h, places, &expr->sequence.items[i]);
        break;
    default:
        break;
    }
}

/* Hoists the operands at the first `n` places; what is evaluated before the last assignment is
 * saved if that may change it. */
static void
hoist_places(struct hoist *h, const struct places *places)
{
    int last = places->n - 1;
    while (last >= 0 && !has_named(*places->items[last]))
        last--;
    for (int i = 0; i <= last; i++) {
        struct ck_expr **place = places->items[i];
        *place = hoist(h, *place, false);
        if (i < last && may_change(h, *place))
            *place = save(h, NULL, *place);
    }
}

/* `a < b < c`, whose third operand is evaluated only if the first comparison holds, as `a < (t :=
 * b) and t < c`. */
static struct ck_expr *
hoist_chain(struct hoist *h, const struct ck_expr *expr)
{
    const int n = expr->compare.n_ops;
    struct ck_expr **links = CK_NEW_ARRAY(h->p->arena, struct ck_expr *, n);
    struct ck_expr *left = expr->compare.operands[0];
    for (int i = 0; i < n; i++) {
        struct ck_expr *right = expr->compare.operands[i + 1], *next = right;
        if (i + 1 < n) {
            const char *name = hidden_name(h->p);
            right = new_named(h, name, right);
            CK_PUSH(h->p->arena, h->bound, h->n_bound, h->bound_capacity, name);
            next = new_name(h, name, right->span);
        }
        struct ck_expr *link =
            new_expr(h, CK_EXPR_COMPARE, ck_span_join(left->span, right->span), right->depth + 2);
        link->compare.operands = CK_NEW_ARRAY(h->p->arena, struct ck_expr *, 2);
        link->compare.operands[0] = left;
        link->compare.operands[1] = right;
        link->compare.ops = &expr->compare.ops[i];
        link->compare.n_ops = 1;
        links[i] = link;
        left = next;
    }
    return hoist(h, new_logical(h, false, links, n, expr->span), true);
}

static bool
is_named_in_chain(const struct ck_expr *expr)
{
    bool is = false;
    for (int i = 2; i <= expr->compare.n_ops; i++)
        is = is || has_named(expr->compare.operands[i]);
    return is;
}

/* Adds the assignments in an expression; returns what is left of it. `as_truth`: only its truth
 * matters. */
static struct ck_expr *
hoist(struct hoist *h, struct ck_expr *expr, bool as_truth)
{
    struct places places = {0};
    if (!has_named(expr))
        return expr;
    switch (expr->kind) {
    case CK_EXPR_NAMED: {
        struct ck_expr *target = expr->named.target;
        add_assignment(h, target, hoist(h, expr->named.value, false));
        return new_name(h, target->name, target->span);
    }
    case CK_EXPR_CONDITIONAL:
        return hoist_conditional(h, expr, as_truth);
    case CK_EXPR_LOGICAL:
        return hoist_logical(h, expr, as_truth);
    case CK_EXPR_UNARY:
        expr->unary.operand = hoist(h, expr->unary.operand, expr->unary.op == CK_OP_NOT);
        return expr;
    case CK_EXPR_COMPARE:
        if (is_named_in_chain(expr))
            return hoist_chain(h, expr);
        break;
    default:
        break;
    }
    add_places(h, &places, expr);
    hoist_places(h, &places);
    return expr;
}

/* --- Statements ----------------------------------------------------------------------------------
 */

/* Reports an assignment without the parentheses that Python wants where `=` was probably meant. */
static bool
lacks_parentheses(struct hoist *h, struct ck_expr **expr)
{
    if (!*expr || (*expr)->kind != CK_EXPR_NAMED || (*expr)->parenthesized)
        return false;
    struct ck_diag *diag = ck_diag_add(h->p->diags, CK_DIAG_SYNTAX, (*expr)->span,
                                       "an assignment expression needs parentheses here");
    ck_diag_help(h->p->diags, diag, "write `=`");
    h->p->failed = true;
    *expr = ck_parser_error_expr(h->p, (*expr)->span);
    return true;
}

static void
add_target_places(struct hoist *h, struct places *places, struct ck_expr *target)
{
    if (target->kind == CK_EXPR_TUPLE) {
        for (int i = 0; i < target->sequence.n; i++)
            add_target_places(h, places, target->sequence.items[i]);
    } else if (target->kind != CK_EXPR_NAME) {
        add_places(h, places, target);
    }
}

static void
hoist_assign(struct hoist *h, struct ck_stmt *stmt)
{
    struct places places = {0};
    if (lacks_parentheses(h, &stmt->assign.value))
        return;
    add_place(h, &places, &stmt->assign.value);
    for (int i = 0; i < stmt->assign.n_targets; i++)
        add_target_places(h, &places, stmt->assign.targets[i]);
    hoist_places(h, &places);
}

/* The old value is read before the right side is evaluated: `x += (n := f())` becomes
 * `t = x; n = f(); x = t + n`. */
static void
hoist_augassign(struct hoist *h, struct ck_stmt *stmt)
{
    const enum ck_binary_op op = stmt->augassign.op;
    struct places places = {0};
    if (lacks_parentheses(h, &stmt->augassign.value))
        return;
    struct ck_expr *target = stmt->augassign.target, *value = stmt->augassign.value;
    add_target_places(h, &places, target);
    if (!has_named(value)) {
        hoist_places(h, &places);
        return;
    }
    for (int i = 0; i < places.n; i++) {
        *places.items[i] = hoist(h, *places.items[i], false);
        if (may_change(h, *places.items[i]))
            *places.items[i] = save(h, NULL, *places.items[i]);
    }
    if (target->kind == CK_EXPR_NAME && !may_change(h, target)) {
        stmt->augassign.value = hoist(h, value, false);
        return;
    }
    struct ck_expr *old = save(h, NULL, target);
    struct ck_expr *result = new_expr(h, CK_EXPR_BINARY, stmt->span, value->depth + 1);
    result->binary.op = op;
    result->binary.op_span = stmt->span;
    result->binary.left = old;
    result->binary.right = hoist(h, value, false);
    make_assignment(h, stmt, target, result);
}

/* Whether a block jumps out of, or on in, a loop around it. */
static bool
has_jump(const struct ck_block *block)
{
    bool has = false;
    for (int i = 0; i < block->n && !has; i++) {
        const struct ck_stmt *stmt = block->stmts[i];
        has = stmt->kind == CK_STMT_BREAK || stmt->kind == CK_STMT_CONTINUE;
        if (stmt->kind == CK_STMT_IF)
            has = has_jump(&stmt->branch.then) || has_jump(&stmt->branch.otherwise);
        else if (stmt->kind == CK_STMT_WHILE)
            has = has_jump(&stmt->loop.otherwise);
        else if (stmt->kind == CK_STMT_FOR)
            has = has_jump(&stmt->each.otherwise);
    }
    return has;
}

/* `while t: B else: E` becomes `while True: assignments; if not t: E; break`, and then B. */
static void
hoist_while(struct hoist *h, struct ck_stmt *stmt)
{
    struct ck_arena *arena = h->p->arena;
    struct ck_stmt_list body = {0}, leaving = {0};
    const struct ck_span span = stmt->loop.test->span;
    if (has_jump(&stmt->loop.otherwise)) {
        ck_diag_add(h->p->diags, CK_DIAG_UNSUPPORTED_SYNTAX, span,
                    "`break` and `continue` in the `else` of a `while` with `:=` in its test");
        h->p->failed = true;
        return;
    }
    h->out = &body;
    struct ck_expr *test = hoist(h, stmt->loop.test, true);
    for (int i = 0; i < stmt->loop.otherwise.n; i++)
        CK_PUSH(arena, leaving.items, leaving.n, leaving.capacity, stmt->loop.otherwise.stmts[i]);
    CK_PUSH(arena, leaving.items, leaving.n, leaving.capacity, new_stmt(h, CK_STMT_BREAK, span));
    add_if(h, new_not(h, test), block_of(h, leaving, span));
    for (int i = 0; i < stmt->loop.body.n; i++)
        add_stmt(h, stmt->loop.body.stmts[i]);
    stmt->loop.test = new_expr(h, CK_EXPR_BOOL, span, 1);
    stmt->loop.test->boolean = true;
    stmt->loop.body.stmts = body.items;
    stmt->loop.body.n = body.n;
    stmt->loop.otherwise = (struct ck_block){0};
}

static void
hoist_value(struct hoist *h, struct ck_expr **expr)
{
    if (!lacks_parentheses(h, expr))
        *expr = hoist(h, *expr, false);
}

/* The expressions of the statement itself, not those of the blocks in it. */
static void
collect_bound_in(struct hoist *h, const struct ck_stmt *stmt)
{
    switch (stmt->kind) {
    case CK_STMT_IF:
        collect_bound(h, stmt->branch.test);
        break;
    case CK_STMT_WHILE:
        collect_bound(h, stmt->loop.test);
        break;
    case CK_STMT_FOR:
        collect_bound(h, stmt->each.iterable);
        break;
    default:
        ck_stmt_each_expr(stmt, collect_bound, h);
        break;
    }
}

static void
hoist_stmt(struct hoist *h, struct ck_stmt *stmt)
{
    switch (stmt->kind) {
    case CK_STMT_EXPR:
        if (stmt->expr->kind == CK_EXPR_NAMED && stmt->expr->parenthesized) {
            hoist(h, stmt->expr, false);
            stmt->kind = CK_STMT_PASS;
            break;
        }
        hoist_value(h, &stmt->expr);
        break;
    case CK_STMT_RETURN:
        hoist_value(h, &stmt->expr);
        break;
    case CK_STMT_ASSIGN:
        hoist_assign(h, stmt);
        break;
    case CK_STMT_AUGASSIGN:
        hoist_augassign(h, stmt);
        break;
    case CK_STMT_ANNOTATED:
        hoist_value(h, &stmt->annotated.value);
        break;
    case CK_STMT_IF:
        stmt->branch.test = hoist(h, stmt->branch.test, true);
        break;
    case CK_STMT_WHILE:
        hoist_while(h, stmt);
        break;
    case CK_STMT_FOR:
        hoist_value(h, &stmt->each.iterable);
        break;
    case CK_STMT_ASSERT:
        stmt->assertion.test = hoist(h, stmt->assertion.test, true);
        break;
    default:
        break;
    }
}

struct ck_expr *
ck_parser_name_once(struct ck_parser *p, struct ck_expr *expr)
{
    const bool is_module = !p->takes_named; /* where all is constant */
    if (is_module || expr->kind == CK_EXPR_NAME || expr->kind == CK_EXPR_TUPLE || is_extent(expr))
        return expr;
    struct hoist h = {.p = p};
    return new_named(&h, hidden_name(p), expr);
}

void
ck_parser_hoist_named(struct ck_parser *p, struct ck_stmt *stmt, struct ck_stmt_list *out)
{
    struct hoist h = {.p = p, .out = out};
    collect_bound_in(&h, stmt);
    if (h.n_bound)
        hoist_stmt(&h, stmt);
}
