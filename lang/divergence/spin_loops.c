/* Finds spin loops: loops that wait for other threads to write memory.
 *
 * A `while` loop spins if its exits depend on memory and there is a path through an iteration
 * without progress. Progress is one of three things: a name on which an exit depends is computed
 * from itself (`i += 1`); an atomic operation on which an exit depends changes the element whatever
 * its value (`atomic.add` of anything but 0); or the threads of a block, a cluster or the grid wait
 * for each other. The loads on which the exits of such a loop depend are polled: each iteration
 * reads memory.
 *
 * Any other loop, counted ones included, polls where an exit depends on memory and on nothing else
 * that changes in the loop: `if x[0] != 0: break`. Without other threads a second read would be
 * pointless. Such a loop ends by itself, so it does not spin, and the CPU device does not suspend
 * it. A loop with a barrier of the block, the cluster or the grid is left unchanged: after the
 * barrier, memory is read again. */
#include "lang/divergence/spin_loops.h"

#include <string.h>

/* Facts about a local within one loop. */
enum { ASSIGNED = 1, WANTED = 2, CYCLIC = 4, READ = 8, MOVES = 16 };

/* A condition within the loop that guards a statement. */
struct guard {
    const struct ck_texpr *test;
    struct guard *outer;
    bool negated; /* it guards the path on which the condition is false */
    bool seen;
};

/* A statement that may end the loop, or choose the rest of an iteration. */
struct loop_exit {
    struct guard *guard; /* NULL: taken unconditionally */
    bool leaves;         /* a break or a return */
};

/* An assignment in the loop. */
struct change {
    int local;
    struct ck_texpr *values[3];
    int n;
    struct guard *guard;
    bool seen;
};

struct search {
    struct ck_arena *arena;
    struct ck_diags *diags;
    struct ck_tfunc *function;
    uint8_t *marks; /* [local] */
};

struct loop {
    struct search *search;
    struct change *changes;
    int n_changes, changes_capacity;
    struct loop_exit *exits;
    int n_exits, exits_capacity;
    struct ck_texpr **loads; /* of memory that other threads may write, on which exits depend */
    int n_loads, loads_capacity;
    struct ck_tfunc **calls; /* of functions, likewise */
    int n_calls, calls_capacity;
    bool reads;   /* exits depend on memory that other threads may write */
    bool opaque;  /* ... or on an unknown value */
    bool changed; /* this round of the fixed point found something new */
};

/* --- Expressions ---------------------------------------------------------------------------------
 */

/* Whether other threads may write the loaded memory. */
static bool
is_shared_memory(const struct ck_type *array)
{
    return array->array.space != CK_SPACE_LOCAL && array->array.space != CK_SPACE_CONST;
}

static bool
is_zero(const struct ck_texpr *expr)
{
    return expr->kind == CK_T_CONST &&
           (ck_type_is_float(expr->type) ? expr->constant.f == 0 : expr->constant.i == 0);
}

static bool
is_atomic(const struct ck_texpr *expr)
{
    return expr->kind == CK_T_BUILTIN && expr->builtin.indices;
}

/* An atomic operation that changes the element, whatever its value. */
static bool
advances(const struct ck_texpr *expr)
{
    if (!is_atomic(expr))
        return false;
    switch ((int)expr->builtin.id) {
    case CK_BUILTIN_ATOMIC_ADD:
    case CK_BUILTIN_ATOMIC_SUB:
        return !is_zero(expr->builtin.args[1]);
    case CK_BUILTIN_ATOMIC_INC:
    case CK_BUILTIN_ATOMIC_DEC:
        return true;
    default:
        return false;
    }
}

/* Whether it waits for the block, the cluster or the grid. */
static bool
waits(const struct ck_texpr *expr)
{
    if (expr->kind == CK_T_CALL) {
        const struct ck_tfunc *callee = expr->call.function;
        return ck_tfunc_has(callee, CK_EFFECT_BLOCK_BARRIER | CK_EFFECT_CLUSTER_BARRIER |
                                        CK_EFFECT_GRID_BARRIER);
    }
    if (expr->kind != CK_T_BUILTIN)
        return false;
    switch ((int)expr->builtin.id) {
    case CK_BUILTIN_SYNCTHREADS:
    case CK_BUILTIN_SYNCTHREADS_COUNT:
    case CK_BUILTIN_SYNCTHREADS_AND:
    case CK_BUILTIN_SYNCTHREADS_OR:
        return true;
    default:
        return false;
    }
}

/* --- What a loop has -----------------------------------------------------------------------------
 */

static void
add_change(struct loop *loop, struct change change)
{
    loop->search->marks[change.local] |= ASSIGNED;
    CK_PUSH(loop->search->arena, loop->changes, loop->n_changes, loop->changes_capacity, change);
}

struct at {
    struct loop *loop;
    struct guard *guard;
};

static void
collect_lets(void *context, struct ck_texpr *expr)
{
    const struct at *at = context;
    if (expr->kind == CK_T_LET)
        add_change(at->loop,
                   (struct change){expr->let.local, {expr->let.init}, 1, at->guard, false});
    ck_texpr_each(expr, collect_lets, context);
}

static void
collect_expr(struct loop *loop, struct ck_texpr *expr, struct guard *guard)
{
    struct at at = {loop, guard};
    if (expr)
        collect_lets(&at, expr);
}

static struct guard *
new_guard(struct loop *loop, const struct ck_texpr *test, struct guard *outer, bool negated)
{
    struct guard *guard = CK_NEW(loop->search->arena, struct guard);
    *guard = (struct guard){test, outer, negated, false};
    return guard;
}

static void
add_exit(struct loop *loop, struct guard *guard, bool leaves)
{
    struct loop_exit kind = {guard, leaves};
    CK_PUSH(loop->search->arena, loop->exits, loop->n_exits, loop->exits_capacity, kind);
}

/* `inner`: in a loop within this one. */
static void collect(struct loop *loop, const struct ck_tblock *block, struct guard *guard,
                    bool inner);

static void
collect_range(struct loop *loop, const struct ck_tstmt *stmt, struct guard *guard, bool inner)
{
    struct change change = {stmt->range.counter,
                            {stmt->range.start, stmt->range.stop, stmt->range.step},
                            3,
                            guard,
                            false};
    for (int i = 0; i < change.n; i++)
        collect_expr(loop, change.values[i], guard);
    add_change(loop, change);
    collect(loop, &stmt->range.body, guard, true);
    collect(loop, &stmt->range.otherwise, guard, inner);
}

static void
collect_test(struct loop *loop, const struct ck_tstmt *stmt, struct ck_texpr *test,
             struct guard *guard, bool inner)
{
    struct guard *within = new_guard(loop, test, guard, false);
    collect_expr(loop, test, guard);
    if (stmt->kind == CK_S_IF) {
        collect(loop, &stmt->branch.then, within, inner);
        collect(loop, &stmt->branch.otherwise, new_guard(loop, test, guard, true), inner);
    } else {
        collect(loop, &stmt->loop.body, within, true);
        collect(loop, &stmt->loop.otherwise, guard, inner);
    }
}

static void
collect_stmt(struct loop *loop, const struct ck_tstmt *stmt, struct guard *guard, bool inner)
{
    switch (stmt->kind) {
    case CK_S_ASSIGN:
        collect_expr(loop, stmt->assign.value, guard);
        add_change(loop,
                   (struct change){stmt->assign.local, {stmt->assign.value}, 1, guard, false});
        break;
    case CK_S_IF:
        collect_test(loop, stmt, stmt->branch.test, guard, inner);
        break;
    case CK_S_WHILE:
        collect_test(loop, stmt, stmt->loop.test, guard, inner);
        break;
    case CK_S_RANGE:
        collect_range(loop, stmt, guard, inner);
        break;
    case CK_S_BREAK:
    case CK_S_CONTINUE: /* chooses the rest of the iteration */
        if (!inner && (stmt->kind == CK_S_BREAK || guard))
            add_exit(loop, guard, stmt->kind == CK_S_BREAK);
        break;
    case CK_S_RETURN:
        add_exit(loop, guard, true);
        break;
    case CK_S_ASSERT:
        collect_expr(loop, stmt->assertion.test, guard);
        add_exit(loop, new_guard(loop, stmt->assertion.test, guard, true), false);
        break;
    case CK_S_STORE:
    case CK_S_EXPR:
    case CK_S_PRINT:
        break;
    }
}

static void
collect(struct loop *loop, const struct ck_tblock *block, struct guard *guard, bool inner)
{
    for (int i = 0; i < block->n; i++)
        collect_stmt(loop, block->stmts[i], guard, inner);
}

/* --- What its exits depend on --------------------------------------------------------------------
 */

static void
want(void *context, struct ck_texpr *expr)
{
    struct loop *loop = context;
    struct ck_arena *arena = loop->search->arena;
    uint8_t *mark = expr->kind == CK_T_LOCAL ? &loop->search->marks[expr->local] : NULL;
    if (mark && (*mark & ASSIGNED) && !(*mark & WANTED)) {
        *mark |= WANTED;
        loop->changed = true;
    } else if (expr->kind == CK_T_ELEMENT) {
        loop->opaque = true;
        if (is_shared_memory(expr->element.array->type)) {
            loop->reads = true;
            CK_PUSH(arena, loop->loads, loop->n_loads, loop->loads_capacity, expr);
        }
    } else if (expr->kind == CK_T_CALL) {
        loop->opaque = true;
        CK_PUSH(arena, loop->calls, loop->n_calls, loop->calls_capacity, expr->call.function);
    } else if (expr->kind == CK_T_BUILTIN) {
        loop->opaque |= !ck_builtin_is_position(expr->builtin.id);
        loop->reads |= is_atomic(expr) && !advances(expr);
    }
    ck_texpr_each(expr, want, context);
}

static void
want_guards(struct loop *loop, struct guard *guard)
{
    for (; guard && !guard->seen; guard = guard->outer) {
        guard->seen = true;
        want(loop, (struct ck_texpr *)guard->test);
    }
}

static void
want_values(struct loop *loop)
{
    for (bool again = true; again; again = loop->changed) {
        loop->changed = false;
        for (int i = loop->n_changes - 1; i >= 0; i--) {
            struct change *change = &loop->changes[i];
            if (change->seen || !(loop->search->marks[change->local] & WANTED))
                continue;
            change->seen = true;
            ck_texprs_each(change->values, change->n, want, loop);
            want_guards(loop, change->guard);
        }
    }
}

static void
find_wanted(struct loop *loop, struct ck_texpr *test)
{
    want(loop, test);
    for (int i = 0; i < loop->n_exits; i++)
        want_guards(loop, loop->exits[i].guard);
    want_values(loop);
}

/* --- Functions on which exits depend -------------------------------------------------------------
 */

struct callee {
    bool reads;
    bool mark; /* the loads as polled */
};

static void
look_at_load(void *context, struct ck_texpr *expr)
{
    struct callee *callee = context;
    if (expr->kind == CK_T_ELEMENT && is_shared_memory(expr->element.array->type)) {
        callee->reads = true;
        expr->element.polled |= callee->mark;
    }
    callee->reads |= is_atomic(expr) && !advances(expr);
    ck_texpr_each(expr, look_at_load, context);
}

/* A function and what it calls, each once. */
struct callees {
    struct ck_arena *arena;
    struct ck_tfunc **items;
    int n, capacity;
};

static void
add_callee(struct callees *callees, struct ck_tfunc *function)
{
    if (function->on_stack)
        return;
    function->on_stack = true;
    CK_PUSH(callees->arena, callees->items, callees->n, callees->capacity, function);
}

/* Whether the function's result may change while its arguments do not. */
static bool
reads_memory(struct ck_arena *arena, struct ck_tfunc *function, bool mark)
{
    struct callee callee = {.mark = mark};
    struct callees callees = {.arena = arena};
    add_callee(&callees, function);
    for (int i = 0; i < callees.n; i++) {
        ck_tblock_each_expr(&callees.items[i]->body, look_at_load, &callee);
        for (int k = 0; k < callees.items[i]->n_callees; k++)
            add_callee(&callees, callees.items[i]->callees[k]);
    }
    for (int i = 0; i < callees.n; i++)
        callees.items[i]->on_stack = false;
    return callee.reads;
}

/* --- Progress ------------------------------------------------------------------------------------
 */

static void
mark_read(void *context, struct ck_texpr *expr)
{
    uint8_t *marks = context;
    if (expr->kind == CK_T_LOCAL)
        marks[expr->local] |= READ;
    ck_texpr_each(expr, mark_read, context);
}

struct reads {
    const uint8_t *marks;
    bool cyclic;
};

static void
find_cyclic_read(void *context, struct ck_texpr *expr)
{
    struct reads *reads = context;
    reads->cyclic |= expr->kind == CK_T_LOCAL && (reads->marks[expr->local] & CYCLIC);
    ck_texpr_each(expr, find_cyclic_read, context);
}

/* Removes CYCLIC from locals that are not computed from a CYCLIC local, or from which none is
 * computed. */
static bool
trim_cyclic(struct loop *loop)
{
    uint8_t *marks = loop->search->marks;
    bool trimmed = false;
    for (int i = 0; i < loop->n_changes; i++)
        marks[loop->changes[i].local] &= (uint8_t)~READ;
    for (int i = 0; i < loop->n_changes; i++) {
        const struct change *change = &loop->changes[i];
        if (marks[change->local] & CYCLIC)
            ck_texprs_each(change->values, change->n, mark_read, marks);
    }
    for (int i = 0; i < loop->n_changes; i++) {
        uint8_t *mark = &marks[loop->changes[i].local];
        trimmed |= (*mark & CYCLIC) && !(*mark & READ);
        if (!(*mark & READ))
            *mark &= (uint8_t)~CYCLIC;
        *mark &= (uint8_t)~READ;
    }
    /* READ now means: computed from a CYCLIC local. */
    for (int i = 0; i < loop->n_changes; i++) {
        const struct change *change = &loop->changes[i];
        struct reads reads = {marks, false};
        ck_texprs_each(change->values, change->n, find_cyclic_read, &reads);
        if (reads.cyclic)
            marks[change->local] |= READ;
    }
    for (int i = 0; i < loop->n_changes; i++) {
        uint8_t *mark = &marks[loop->changes[i].local];
        trimmed |= (*mark & CYCLIC) && !(*mark & READ);
        if (!(*mark & READ))
            *mark &= (uint8_t)~CYCLIC;
    }
    return trimmed;
}

static void
find_cyclic(struct loop *loop)
{
    uint8_t *marks = loop->search->marks;
    for (int i = 0; i < loop->n_changes; i++) {
        uint8_t *mark = &marks[loop->changes[i].local];
        if ((*mark & WANTED) && loop->changes[i].n == 1)
            *mark |= CYCLIC;
    }
    while (trim_cyclic(loop))
        ;
}

/* How control may leave a block, on paths without progress. */
enum { FALLS = 1, CONTINUES = 2, BREAKS = 4 };

struct evaluation {
    bool advances, waits;
};

static void
look_at_part(void *context, struct ck_texpr *expr)
{
    struct evaluation *evaluation = context;
    evaluation->advances |= advances(expr);
    evaluation->waits |= waits(expr);
    ck_texpr_each(expr, look_at_part, context);
}

static struct evaluation
evaluate(struct ck_texpr *expr)
{
    struct evaluation evaluation = {0};
    if (expr)
        look_at_part(&evaluation, expr);
    return evaluation;
}

static unsigned idle_paths(const struct search *search, const struct ck_tblock *block);

static unsigned
idle_paths_of_test(const struct search *search, const struct ck_tstmt *stmt)
{
    const bool is_if = stmt->kind == CK_S_IF;
    struct evaluation test = evaluate(is_if ? stmt->branch.test : stmt->loop.test);
    if (test.advances || test.waits)
        return 0;
    if (is_if)
        return idle_paths(search, &stmt->branch.then) | idle_paths(search, &stmt->branch.otherwise);
    return idle_paths(search, &stmt->loop.body) ? FALLS : 0;
}

static unsigned
idle_paths_of(const struct search *search, const struct ck_tstmt *stmt)
{
    struct evaluation now = {0};
    uint8_t mark;
    switch (stmt->kind) {
    case CK_S_ASSIGN:
        mark = search->marks[stmt->assign.local];
        now = evaluate(stmt->assign.value);
        return (mark & CYCLIC) || ((mark & WANTED) && now.advances) || now.waits ? 0 : FALLS;
    case CK_S_EXPR:
        return evaluate(stmt->expr).waits ? 0 : FALLS;
    case CK_S_STORE:
        return evaluate(stmt->store.value).waits ? 0 : FALLS;
    case CK_S_IF:
    case CK_S_WHILE:
        return idle_paths_of_test(search, stmt);
    case CK_S_RANGE:
        return idle_paths(search, &stmt->range.body) ? FALLS : 0;
    case CK_S_BREAK:
        return BREAKS;
    case CK_S_CONTINUE:
        return CONTINUES;
    case CK_S_RETURN:
        return 0;
    case CK_S_PRINT:
    case CK_S_ASSERT:
        break;
    }
    return FALLS;
}

static unsigned
idle_paths(const struct search *search, const struct ck_tblock *block)
{
    unsigned paths = FALLS;
    for (int i = 0; i < block->n && (paths & FALLS); i++)
        paths = (paths & ~(unsigned)FALLS) | idle_paths_of(search, block->stmts[i]);
    return paths;
}

/* --- Polls of loops that end by themselves -------------------------------------------------------
 */

static void
find_moving(void *context, struct ck_texpr *expr)
{
    struct reads *reads = context;
    reads->cyclic |= expr->kind == CK_T_LOCAL && (reads->marks[expr->local] & MOVES);
    ck_texpr_each(expr, find_moving, context);
}

static bool
moves(const struct loop *loop, struct ck_texpr *const *exprs, int n)
{
    struct reads reads = {loop->search->marks, false};
    ck_texprs_each(exprs, n, find_moving, &reads);
    return reads.cyclic;
}

static bool
any_guard_moves(const struct loop *loop, const struct guard *guard)
{
    for (; guard; guard = guard->outer) {
        if (moves(loop, (struct ck_texpr *[]){(struct ck_texpr *)guard->test}, 1))
            return true;
    }
    return false;
}

/* Marks what changes from one iteration to the next without other threads: counters, what is
 * computed from itself, and what depends on these. */
static void
mark_moving(struct loop *loop)
{
    uint8_t *marks = loop->search->marks;
    for (int i = 0; i < loop->n_changes; i++)
        marks[loop->changes[i].local] |= WANTED;
    find_cyclic(loop);
    for (int i = 0; i < loop->n_changes; i++) {
        uint8_t *mark = &marks[loop->changes[i].local];
        *mark |= (*mark & CYCLIC) || loop->changes[i].n != 1 ? MOVES : 0;
    }
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < loop->n_changes; i++) {
            const struct change *change = &loop->changes[i];
            if (!(marks[change->local] & MOVES) &&
                (moves(loop, change->values, change->n) || any_guard_moves(loop, change->guard))) {
                marks[change->local] |= MOVES;
                again = true;
            }
        }
    }
}

/* Marks the loads of one condition that ends the loop. `negated`: the loop ends where it is
 * false. */
static void
look_at_exit(struct loop *loop, struct ck_texpr *test, bool negated)
{
    if (test->kind == CK_T_LOGICAL && test->logical.is_or == !negated) {
        look_at_exit(loop, test->logical.left, negated);
        look_at_exit(loop, test->logical.right, negated);
        return;
    }
    if (test->kind == CK_T_UNARY && test->unary.op == CK_OP_NOT)
        look_at_exit(loop, test->unary.operand, !negated);
    else if (!moves(loop, &test, 1))
        want(loop, test);
}

static void
mark_polled(struct loop *loop)
{
    for (int i = 0; i < loop->n_loads; i++)
        loop->loads[i]->element.polled = true;
    for (int i = 0; i < loop->n_calls; i++)
        reads_memory(loop->search->arena, loop->calls[i], true);
}

static bool
has_barrier(const struct ck_tblock *block)
{
    struct evaluation all = {0};
    ck_tblock_each_expr(block, look_at_part, &all);
    return all.waits;
}

static void
forget(struct loop *loop)
{
    for (int i = 0; i < loop->n_changes; i++)
        loop->search->marks[loop->changes[i].local] = 0;
}

static void
look_at_bounded_loop(struct search *search, struct ck_tstmt *stmt)
{
    const bool is_range = stmt->kind == CK_S_RANGE;
    const struct ck_tblock *body = is_range ? &stmt->range.body : &stmt->loop.body;
    struct loop loop = {.search = search};
    if (is_range) {
        const struct change counter = {stmt->range.counter, {stmt->range.start}, 2, NULL, false};
        add_change(&loop, counter);
        loop.changes[0].values[1] = stmt->range.start;
    } else {
        collect_expr(&loop, stmt->loop.test, NULL);
    }
    collect(&loop, body, NULL, false);
    if (!has_barrier(body) && (loop.n_exits > 0 || !is_range)) {
        mark_moving(&loop);
        for (int i = 0; i < loop.n_changes; i++)
            search->marks[loop.changes[i].local] &= (uint8_t)~WANTED;
        if (!is_range)
            look_at_exit(&loop, stmt->loop.test, true);
        for (int i = 0; i < loop.n_exits; i++) {
            const struct guard *guard = loop.exits[i].guard;
            if (guard && loop.exits[i].leaves && !any_guard_moves(&loop, guard->outer))
                look_at_exit(&loop, (struct ck_texpr *)guard->test, guard->negated);
        }
        want_values(&loop);
        mark_polled(&loop);
        for (int i = 0; i < loop.n_calls; i++)
            loop.reads |= reads_memory(loop.search->arena, loop.calls[i], false);
        if (loop.reads)
            search->function->effects |= CK_EFFECT_POLL;
    }
    forget(&loop);
}

/* --- Loops ---------------------------------------------------------------------------------------
 */

static void
warn_endless(const struct loop *loop, const struct ck_tstmt *stmt)
{
    const uint8_t *marks = loop->search->marks;
    bool may_end = loop->opaque || loop->search->function->in_prelude;
    const bool forever = stmt->loop.test->kind == CK_T_CONST;
    for (int i = 0; i < loop->n_exits; i++)
        may_end |= !loop->exits[i].guard;
    for (int i = 0; i < loop->n_changes; i++)
        may_end |= (marks[loop->changes[i].local] & WANTED) != 0;
    if (may_end || (forever && !stmt->loop.test->constant.i))
        return;
    struct ck_diags *diags = loop->search->diags;
    struct ck_diag *diag = ck_diag_add(diags, CK_DIAG_ENDLESS_LOOP, stmt->loop.test->span);
    if (forever && !loop->n_exits)
        ck_diag_help(diags, diag, "it has no `break` and no `return`");
    else
        ck_diag_help(diags, diag, "nothing that its end depends on changes in the loop");
}

static void
look_at_loop(struct search *search, struct ck_tstmt *stmt)
{
    struct loop loop = {.search = search};
    collect_expr(&loop, stmt->loop.test, NULL);
    collect(&loop, &stmt->loop.body, NULL, false);
    find_wanted(&loop, stmt->loop.test);
    for (int i = 0; i < loop.n_calls; i++)
        loop.reads |= reads_memory(loop.search->arena, loop.calls[i], false);
    warn_endless(&loop, stmt);
    struct evaluation test = evaluate(stmt->loop.test);
    if (loop.reads && !test.advances && !test.waits) {
        find_cyclic(&loop);
        stmt->loop.spins = idle_paths(search, &stmt->loop.body) & (FALLS | CONTINUES);
    }
    if (stmt->loop.spins) {
        search->function->effects |= CK_EFFECT_SPIN;
        mark_polled(&loop);
    }
    forget(&loop);
    if (!stmt->loop.spins)
        look_at_bounded_loop(search, stmt);
}

static void
look_at_block(struct search *search, const struct ck_tblock *block)
{
    for (int i = 0; i < block->n; i++) {
        struct ck_tstmt *stmt = block->stmts[i];
        if (stmt->kind == CK_S_IF) {
            look_at_block(search, &stmt->branch.then);
            look_at_block(search, &stmt->branch.otherwise);
        } else if (stmt->kind == CK_S_RANGE) {
            look_at_block(search, &stmt->range.body);
            look_at_block(search, &stmt->range.otherwise);
            look_at_bounded_loop(search, stmt);
        } else if (stmt->kind == CK_S_WHILE) {
            look_at_block(search, &stmt->loop.body);
            look_at_block(search, &stmt->loop.otherwise);
            look_at_loop(search, stmt);
        }
    }
}

/* An atomic load, or an atomic operation that acquires. */
static bool
reads_of_others(const struct ck_texpr *expr)
{
    return is_atomic(expr) &&
           (expr->builtin.id == CK_BUILTIN_ATOMIC_LOAD || expr->builtin.order == CK_ORDER_ACQUIRE ||
            expr->builtin.order == CK_ORDER_ACQ_REL || expr->builtin.order == CK_ORDER_SEQ_CST);
}

static void
look_at_builtin(void *context, struct ck_texpr *expr)
{
    struct ck_tfunc *function = context;
    if (expr->kind == CK_T_BUILTIN && expr->builtin.id == CK_BUILTIN_NANOSLEEP)
        function->effects |= CK_EFFECT_SPIN;
    if (reads_of_others(expr))
        function->effects |= CK_EFFECT_POLL;
    ck_texpr_each(expr, look_at_builtin, context);
}

void
ck_spin_loops_find(struct ck_arena *arena, struct ck_diags *diags, struct ck_tfunc *function)
{
    struct search search = {.arena = arena, .diags = diags, .function = function};
    for (int i = 0; i < function->n_callees; i++) {
        function->effects |= function->callees[i]->effects & (CK_EFFECT_SPIN | CK_EFFECT_POLL);
    }
    if (function->in_prelude)
        return;
    search.marks = CK_NEW_ARRAY(arena, uint8_t, function->n_locals);
    ck_tblock_each_expr(&function->body, look_at_builtin, function);
    look_at_block(&search, &function->body);
    if (function->is_recursive && ck_tfunc_has(function, CK_EFFECT_SPIN)) {
        struct ck_diag *diag = ck_diag_add(diags, CK_DIAG_RECURSION, function->span, function->name,
                                           "reaches a loop that waits for memory, or `nanosleep`");
        ck_diag_help(diags, diag, "write it as a loop, or move that out of the recursion");
    }
}
