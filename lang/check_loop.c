/* Checking loops: types to a fixed point at the head, then the statements. */
#include <string.h>

#include "lang/check_internal.h"

/* What differs between a `while` and the forms of `for`. */
struct ck_loop_shape {
    const struct ck_stmt *stmt;
    const struct ck_block *body, *otherwise;
    /* Run at the start of each turn in the body's block: tests or binds the target. */
    void (*begin)(struct ck_fn *fn, struct ck_loop_shape *shape);
    struct ck_texpr *test; /* WHILE: set by `begin`; NULL: always true */
    const struct ck_expr *test_syntax;
    const struct ck_expr *target;
    struct ck_value item; /* FOR: the target's value in each turn */
    bool runs;            /* known to run at least one turn */
    bool forever;         /* WHILE: the test is constant true */
    bool never;           /* WHILE: constant false */
    /* Emits the loop's statement and tells its blocks. */
    struct ck_tstmt *(*emit)(struct ck_fn *fn, struct ck_loop_shape *shape, struct ck_tblock **body,
                             struct ck_tblock **otherwise);
};

/* State that a pass which will be repeated must not leave behind. */
struct pass_mark {
    int n_locals, n_shared, n_callees, n_returns;
    bool block_barrier, grid_barrier, exchanges;
};

static struct pass_mark
pass_begin(const struct ck_fn *fn)
{
    const struct ck_tfunc *f = fn->out;
    return (struct pass_mark){f->n_locals,   f->n_shared,          f->n_callees,
                              fn->n_returns, f->has_block_barrier, f->has_grid_barrier,
                              f->exchanges};
}

static void
pass_undo(struct ck_fn *fn, struct pass_mark mark)
{
    struct ck_tfunc *f = fn->out;
    ck_locals_cut(fn, mark.n_locals);
    f->n_shared = mark.n_shared;
    f->n_callees = mark.n_callees;
    fn->n_returns = mark.n_returns;
    f->has_block_barrier = mark.block_barrier;
    f->has_grid_barrier = mark.grid_barrier;
    f->exchanges = mark.exchanges;
}

/* One turn of a loop, checked: its breaks, every way to the next turn, and the environment where
 * the loop ends by itself. */
struct turn {
    struct ck_tblock *body;
    struct ck_loop loop;
    struct ck_edges back;
    struct ck_env exit;
};

static void
check_turn(struct ck_fn *fn, struct ck_loop_shape *shape, const struct ck_env *head,
           struct ck_tblock *body, struct turn *turn)
{
    struct ck_tblock *outer = fn->block;
    *turn = (struct turn){.body = body, .loop = {.outer = fn->loop}};
    fn->loop = &turn->loop;
    fn->env = *head;
    fn->block = body;
    turn->exit = *head;
    shape->begin(fn, shape);
    if (shape->forever)
        turn->exit.reachable = false;
    if (shape->never)
        fn->env.reachable = false;
    ck_check_block(fn, shape->body);
    turn->back = turn->loop.continues;
    ck_edges_add(fn, &turn->back, &fn->env, body);
    fn->loop = turn->loop.outer;
    fn->block = outer;
}

static struct ck_env *
remembered_head(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    uint32_t hash = ck_hash_pointer(stmt);
    for (int i = ck_index_first(&fn->head_index, hash); i >= 0;
         i = ck_index_next(&fn->head_index, i)) {
        if (fn->heads[i].stmt == stmt)
            return &fn->heads[i].env;
    }
    struct ck_loop_head head = {.stmt = stmt};
    CK_PUSH(fn->c->arena, fn->heads, fn->n_heads, fn->heads_capacity, head);
    ck_index_add(fn->c->arena, &fn->head_index, hash);
    return &fn->heads[fn->n_heads - 1].env;
}

/* Where the search for the head starts: the entry, joined with what an earlier search found. */
static struct ck_env
first_head(struct ck_fn *fn, const struct ck_stmt *stmt, const struct ck_env *entry)
{
    const struct ck_env *earlier = remembered_head(fn, stmt);
    if (!earlier->reachable)
        return *entry;
    struct ck_tblock dropped = {0};
    struct ck_edges edges = {0};
    struct ck_env start = *earlier;
    ck_env_relocate(fn, &start, entry);
    ck_edges_add(fn, &edges, entry, &dropped);
    ck_edges_add(fn, &edges, &start, &dropped);
    return ck_env_join(fn, &edges, stmt->span, "");
}

/* The types of names at the loop's head: those on entry joined with those after each turn, until
 * nothing changes. *turn is the last turn checked, which started from this head. */
static struct ck_env
settle(struct ck_fn *fn, struct ck_loop_shape *shape, const struct ck_env *entry, struct turn *turn)
{
    struct ck_env head = first_head(fn, shape->stmt, entry);
    for (;;) {
        struct ck_tblock dropped = {0};
        struct ck_edges edges = {0};
        check_turn(fn, shape, &head, CK_NEW(fn->c->arena, struct ck_tblock), turn);
        ck_edges_add(fn, &edges, &head, &dropped);
        for (int i = 0; i < turn->back.n; i++)
            ck_edges_add(fn, &edges, &turn->back.edges[i].env, &dropped);
        struct ck_env next = ck_env_join(fn, &edges, shape->stmt->span, "");
        if (ck_env_equal(&head, &next))
            break;
        head = next;
    }
    *remembered_head(fn, shape->stmt) = head;
    return head;
}

/* The head as `settle` finds it, in quiet passes that leave nothing behind. */
static struct ck_env
find_head(struct ck_fn *fn, struct ck_loop_shape *shape, const struct ck_env *entry)
{
    struct pass_mark mark = pass_begin(fn);
    struct turn turn;
    fn->searching++;
    fn->c->diags->quiet++;
    struct ck_env head = settle(fn, shape, entry, &turn);
    fn->c->diags->quiet--;
    fn->searching--;
    pass_undo(fn, mark);
    ck_env_relocate(fn, &head, entry);
    return head;
}

/* The end of a loop: its environment there, and what led to it. */
struct loop_end {
    struct ck_fn *fn;
    struct ck_env *exit;
    const struct ck_edges *back;
    struct ck_span span;
};

static bool
settle_name(void *context, int name, const struct ck_binding *exit, const struct ck_binding *turn)
{
    struct loop_end *end = context;
    bool set = exit->state == CK_MAYBE_UNSET && turn->state == CK_SET;
    for (int k = 1; set && k < end->back->n; k++)
        set = ck_env_get(&end->back->edges[k].env, name)->state == CK_SET;
    if (!set)
        return true;
    struct ck_binding settled = *exit;
    settled.state = CK_SET;
    ck_env_set(end->fn, end->exit, name, &settled);
    return true;
}

/* A name that no turn leaves unset is set after a loop that runs at least once. */
static void
settle_after_turns(struct ck_fn *fn, struct ck_env *exit, const struct ck_edges *back)
{
    struct loop_end end = {.fn = fn, .exit = exit, .back = back};
    struct ck_env old = *exit;
    if (back->n)
        ck_env_differences(&old, &back->edges[0].env, settle_name, &end);
}

static bool
name_unset_path(void *context, int name, const struct ck_binding *exit,
                const struct ck_binding *entry)
{
    struct loop_end *end = context;
    if (exit->state != CK_MAYBE_UNSET || entry->state != CK_UNSET)
        return true;
    struct ck_binding named = *exit;
    named.unset_at = end->span;
    named.unset_how = "if this loop runs zero times";
    ck_env_set(end->fn, end->exit, name, &named);
    return true;
}

static void
name_unset_paths(struct ck_fn *fn, struct ck_env *exit, const struct ck_env *entry,
                 struct ck_span at)
{
    struct loop_end end = {.fn = fn, .exit = exit, .span = at};
    struct ck_env old = *exit;
    ck_env_differences(&old, entry, name_unset_path, &end);
}

/* The loop's statement with its body checked from `head`. */
static struct ck_tblock *
emit_loop(struct ck_fn *fn, struct ck_loop_shape *shape, const struct ck_env *entry,
          struct ck_env *head, struct turn *turn)
{
    ck_env_convert(fn, entry, head, fn->block);
    struct ck_tblock *body, *otherwise;
    struct ck_tstmt *out = shape->emit(fn, shape, &body, &otherwise);
    check_turn(fn, shape, head, body, turn);
    if (shape->test)
        out->loop.test = shape->test;
    for (int i = 0; i < turn->back.n; i++)
        ck_env_convert(fn, &turn->back.edges[i].env, head, turn->back.edges[i].block);
    return otherwise;
}

static void
check_loop(struct ck_fn *fn, struct ck_loop_shape *shape)
{
    struct ck_env entry = fn->env;
    struct turn turn;
    struct ck_env head;
    struct ck_tblock *otherwise;
    if (fn->searching) { /* inside an outer loop's search: only the types matter */
        head = settle(fn, shape, &entry, &turn);
        otherwise = CK_NEW(fn->c->arena, struct ck_tblock);
    } else {
        head = find_head(fn, shape, &entry);
        otherwise = emit_loop(fn, shape, &entry, &head, &turn);
    }
    name_unset_paths(fn, &turn.exit, &entry, shape->stmt->span);
    if (shape->runs)
        settle_after_turns(fn, &turn.exit, &turn.back);

    struct ck_tblock *outer = fn->block;
    struct ck_edges after = {0};
    fn->block = otherwise;
    fn->env = turn.exit;
    ck_check_block(fn, shape->otherwise);
    ck_edges_add(fn, &after, &fn->env, otherwise);
    for (int i = 0; i < turn.loop.breaks.n; i++)
        ck_edges_add(fn, &after, &turn.loop.breaks.edges[i].env, turn.loop.breaks.edges[i].block);
    fn->block = outer;
    fn->env = ck_env_join(fn, &after, shape->stmt->span, "if this loop ends another way");
}

/* --- while --- */

static void
begin_while(struct ck_fn *fn, struct ck_loop_shape *shape)
{
    struct ck_texpr *test = ck_check_condition(fn, shape->test_syntax);
    if (!test)
        test = ck_const_int(fn, ck_type_scalar(CK_TYPE_BOOL), 0, shape->stmt->span);
    shape->test = test;
    bool constant = test->kind == CK_T_CONST;
    shape->forever = constant && test->constant.i;
    shape->never = constant && !test->constant.i;
}

static struct ck_tstmt *
emit_while(struct ck_fn *fn, struct ck_loop_shape *shape, struct ck_tblock **body,
           struct ck_tblock **otherwise)
{
    struct ck_tstmt *stmt = ck_emit(fn, CK_S_WHILE, shape->stmt->span);
    *body = &stmt->loop.body;
    *otherwise = &stmt->loop.otherwise;
    return stmt;
}

void
ck_check_while(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    struct ck_loop_shape shape = {
        .stmt = stmt,
        .body = &stmt->loop.body,
        .otherwise = &stmt->loop.otherwise,
        .begin = begin_while,
        .emit = emit_while,
        .test_syntax = stmt->loop.test,
    };
    check_loop(fn, &shape);
}

/* --- for --- */

struct range {
    struct ck_loop_shape shape; /* first: the hooks get a pointer to it */
    struct ck_texpr *start, *stop, *step;
    int counter;
    const struct ck_type *type;
    bool nonnegative;
    struct ck_value iterated; /* a tuple or an array; kind NONE for range(...) */
};

/* The element of an array, or the item of a tuple, that turn number `counter` sees. */
static struct ck_value
item_at(struct ck_fn *fn, const struct ck_value *iterated, int counter, struct ck_span span)
{
    struct ck_texpr *index = ck_local_ref(fn, counter, span);
    if (ck_type_is_array(iterated->type)) {
        if (iterated->type->array.ndim > 1) {
            struct ck_taxis axis = {.index.value = index};
            struct ck_texpr *row = ck_view_of(fn, iterated->expr, &axis, 1, span);
            return ck_value_run(row->type, row);
        }
        const struct ck_type *elem = iterated->type->array.elem;
        struct ck_texpr *load = ck_texpr_new(fn, CK_T_ELEMENT, elem, span);
        load->element.array = iterated->expr;
        load->element.indices = CK_NEW(fn->c->arena, struct ck_tindex);
        load->element.indices[0].value = index;
        return ck_value_run(elem, load);
    }
    int n = iterated->type->tuple.n;
    struct ck_value last = ck_tuple_item(fn, iterated, n - 1);
    const struct ck_type *type = last.type;
    struct ck_texpr *chosen = last.expr;
    for (int i = n - 2; i >= 0; i--) {
        struct ck_value item = ck_tuple_item(fn, iterated, i);
        struct ck_texpr *select = ck_texpr_new(fn, CK_T_SELECT, chosen->type, span);
        struct ck_texpr *is_turn =
            ck_texpr_new(fn, CK_T_COMPARE, ck_type_scalar(CK_TYPE_BOOL), span);
        is_turn->compare.op = CK_CMP_EQ;
        is_turn->compare.left = index;
        is_turn->compare.right = ck_const_int(fn, ck_type_scalar(CK_TYPE_INT64), i, span);
        select->select.test = is_turn;
        select->select.then = item.expr;
        select->select.otherwise = chosen;
        chosen = select;
    }
    struct ck_value value = ck_value_run(type, chosen);
    for (int i = 0; i < n; i++) {
        struct ck_value item = ck_tuple_item(fn, iterated, i);
        value.low = i && value.low < item.low ? value.low : item.low;
        value.high = i && value.high > item.high ? value.high : item.high;
    }
    return value;
}

static void
begin_range(struct ck_fn *fn, struct ck_loop_shape *shape)
{
    struct range *range = (struct range *)shape;
    struct ck_span span = shape->target->span;
    struct ck_value item;
    if (range->iterated.kind == CK_VALUE_NONE) {
        item = ck_value_run(range->type, ck_local_ref(fn, range->counter, span));
        item.nonnegative = range->nonnegative;
    } else {
        item = item_at(fn, &range->iterated, range->counter, span);
    }
    ck_assign_to(fn, shape->target, item, span);
}

static struct ck_tstmt *
emit_range(struct ck_fn *fn, struct ck_loop_shape *shape, struct ck_tblock **body,
           struct ck_tblock **otherwise)
{
    struct range *range = (struct range *)shape;
    struct ck_tstmt *stmt = ck_emit(fn, CK_S_RANGE, shape->stmt->span);
    stmt->range.counter = range->counter;
    stmt->range.start = range->start;
    stmt->range.stop = range->stop;
    stmt->range.step = range->step;
    *body = &stmt->range.body;
    *otherwise = &stmt->range.otherwise;
    return stmt;
}

/* The integer type a range counts in: its arguments' common type. */
static const struct ck_type *
range_type(struct ck_fn *fn, const struct ck_value *args, int n)
{
    const struct ck_type *type = ck_type_scalar(CK_TYPE_WEAK_INT);
    for (int i = 0; i < n; i++) {
        bool integer = args[i].kind == CK_VALUE_RUN &&
                       (ck_type_is_int(args[i].type) || args[i].type->kind == CK_TYPE_BOOL);
        if (!integer) {
            if (args[i].kind != CK_VALUE_ERROR)
                ck_error(fn, WRONG_TYPE, args[i].span,
                         ck_arena_printf(fn->c->arena, "`range` counts in integers, not in %s",
                                         args[i].type ? ck_text_of(fn, args[i].type) : "this"));
            return NULL;
        }
        const struct ck_type *joined = ck_promote(type, args[i].type);
        if (!joined) {
            ck_mixed_sign_among(fn, args, i);
            return NULL;
        }
        type = joined;
    }
    return ck_storage_type(&fn->c->types, type);
}

static bool
range_bounds(struct ck_fn *fn, struct range *range, const struct ck_expr *call)
{
    int n = call->call.n_args;
    if (n < 1 || n > 3) {
        ck_error(fn, WRONG_COUNT, call->span, "range", "1 to 3 arguments", n);
        return false;
    }
    struct ck_value args[3];
    for (int i = 0; i < n; i++) {
        if (call->call.args[i].name) {
            ck_error(fn, KEYWORD, call->call.args[i].name_span, call->call.args[i].name, "range");
            return false;
        }
        args[i] = ck_check_run(fn, call->call.args[i].value);
    }
    range->type = range_type(fn, args, n);
    if (!range->type)
        return false;
    struct ck_value zero = ck_value_int(fn, 0, call->span), one = ck_value_int(fn, 1, call->span);
    const struct ck_value *start = n > 1 ? &args[0] : &zero, *stop = &args[n > 1],
                          *step = n > 2 ? &args[2] : &one;
    int64_t first, last, by;
    bool constant_step = ck_value_const_int(step, &by);
    if (constant_step && by == 0) {
        ck_error(fn, WRONG_TYPE, step->span, "the step of `range` is zero");
        return false;
    }
    range->nonnegative = start->nonnegative && constant_step && by > 0;
    range->shape.runs = constant_step && ck_value_const_int(start, &first) &&
                        ck_value_const_int(stop, &last) && (by > 0 ? first < last : first > last);
    if (constant_step)
        ck_warn_zero_trips(fn, start, stop, by, call->span);
    range->start = ck_convert(fn, start, range->type);
    range->stop = ck_convert(fn, stop, range->type);
    range->step = ck_convert(fn, step, range->type);
    return range->start && range->stop && range->step;
}

/* Items of different types take their common type. */
static bool
unify_items(struct ck_fn *fn, struct ck_value *tuple)
{
    const struct ck_type *type = tuple->type->tuple.items[0];
    for (int i = 1; i < tuple->type->tuple.n && type; i++)
        type = ck_join_types(&fn->c->types, type, tuple->type->tuple.items[i]);
    if (!type) {
        ck_error(fn, WRONG_TYPE, tuple->span,
                 ck_arena_printf(fn->c->arena, "the items of %s have no common type",
                                 ck_text_of(fn, tuple->type)));
        return false;
    }
    const struct ck_type **items =
        CK_NEW_ARRAY(fn->c->arena, const struct ck_type *, tuple->type->tuple.n);
    for (int i = 0; i < tuple->type->tuple.n; i++)
        items[i] = type;
    const struct ck_type *unified = ck_type_tuple(&fn->c->types, items, tuple->type->tuple.n);
    struct ck_texpr *expr = ck_convert(fn, tuple, unified);
    if (!expr)
        return false;
    tuple->type = unified;
    tuple->expr = expr;
    return true;
}

static bool
iterate_value(struct ck_fn *fn, struct range *range, const struct ck_expr *iterable)
{
    struct ck_value value = ck_check_run(fn, iterable);
    if (value.kind == CK_VALUE_ERROR)
        return false;
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    struct ck_span span = iterable->span;
    range->type = i64;
    range->start = ck_const_int(fn, i64, 0, span);
    range->step = ck_const_int(fn, i64, 1, span);
    if (value.type->kind == CK_TYPE_TUPLE) {
        range->stop = ck_const_int(fn, i64, value.type->tuple.n, span);
        range->shape.runs = value.type->tuple.n > 0;
        if (value.type->tuple.n && !unify_items(fn, &value))
            return false;
        range->shape.never = value.type->tuple.n == 0;
    } else if (ck_type_is_array(value.type)) {
        value = ck_hold(fn, value);
        range->stop = ck_texpr_new(fn, CK_T_SHAPE, i64, span);
        range->stop->extent.array = value.expr;
    } else {
        ck_error(fn, WRONG_TYPE, span,
                 ck_arena_printf(fn->c->arena, "%s cannot be iterated over",
                                 ck_text_of(fn, value.type)));
        return false;
    }
    if (value.expr->kind != CK_T_TUPLE || !ck_is_constant(value.expr))
        value = ck_hold(fn, value);
    range->iterated = value;
    return true;
}

bool
ck_is_call_of(struct ck_fn *fn, const struct ck_expr *expr, const char *path)
{
    if (expr->kind != CK_EXPR_CALL || expr->call.callee->kind != CK_EXPR_NAME ||
        strcmp(expr->call.callee->name, path) != 0)
        return false;
    int index = ck_name_index(fn, path);
    bool shadowed = ck_env_get(&fn->env, index)->state != CK_UNSET;
    return !shadowed && !ck_find_global(fn->c, path);
}

/* After an error in a loop's header the body is still checked, for its own errors. */
static void
bind_targets_to_error(struct ck_fn *fn, const struct ck_expr *target)
{
    if (target->kind == CK_EXPR_NAME)
        ck_bind(fn, target->name, ck_value_error(target->span), target->span);
    for (int i = 0; target->kind == CK_EXPR_TUPLE && i < target->sequence.n; i++)
        bind_targets_to_error(fn, target->sequence.items[i]);
}

void
ck_check_for(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    struct range range = {
        .shape = {.stmt = stmt,
                  .body = &stmt->each.body,
                  .otherwise = &stmt->each.otherwise,
                  .begin = begin_range,
                  .emit = emit_range,
                  .target = stmt->each.target},
        .iterated = {.kind = CK_VALUE_NONE},
    };
    bool good = ck_is_call_of(fn, stmt->each.iterable, "range")
                    ? range_bounds(fn, &range, stmt->each.iterable)
                    : iterate_value(fn, &range, stmt->each.iterable);
    if (!good) {
        struct ck_loop loop = {.outer = fn->loop};
        fn->loop = &loop;
        bind_targets_to_error(fn, stmt->each.target);
        ck_check_block(fn, &stmt->each.body);
        fn->loop = loop.outer;
        fn->env.reachable = true;
        return;
    }
    if (range.shape.never) { /* an empty tuple */
        ck_check_block(fn, &stmt->each.otherwise);
        return;
    }
    range.counter = ck_local_new(fn, "", range.type);
    check_loop(fn, &range.shape);
}
