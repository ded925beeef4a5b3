/* Checking loops: finds the fixed point of types at the header, then emits the statements. */
#include <stdlib.h>
#include <string.h>

#include "lang/check/iterate.h"
#include "lang/check/name_tuple.h"
#include "lang/check/optional.h"
#include "lang/check/untyped.h"

/* The differences between a `while` and the forms of `for`. */
struct ck_loop_shape {
    const struct ck_stmt *stmt;
    const struct ck_block *body, *otherwise;
    /* Runs at the start of each iteration in the body's block: tests the condition or binds the
     * target. */
    void (*begin)(struct ck_fn *fn, struct ck_loop_shape *shape);
    struct ck_texpr *test; /* WHILE: set by `begin`; NULL: always true */
    const struct ck_expr *test_syntax;
    const struct ck_expr *target;
    struct ck_value item; /* FOR: the target's value in each iteration */
    bool runs;            /* known to run at least one iteration */
    bool forever;         /* WHILE: the test is constant true */
    bool never;           /* WHILE: constant false */
    /* Emits the loop's statement and returns its blocks. */
    struct ck_tstmt *(*emit)(struct ck_fn *fn, struct ck_loop_shape *shape, struct ck_tblock **body,
                             struct ck_tblock **otherwise);
};

/* One iteration of a loop, checked: its breaks, every edge to the next iteration, and the
 * environment at the loop's normal exit. */
struct iteration {
    struct ck_tblock *body;
    struct ck_loop loop;
    struct ck_edges back;
    struct ck_env exit;
};

static void
check_iteration(struct ck_fn *fn, struct ck_loop_shape *shape, const struct ck_env *head,
                struct ck_tblock *body, struct ck_recording *recording, struct iteration *iteration)
{
    struct ck_tblock *outer = fn->block;
    *iteration = (struct iteration){.body = body, .loop = {.outer = fn->loop}};
    fn->loop = &iteration->loop;
    fn->env = *head;
    fn->block = body;
    iteration->exit = *head;
    shape->begin(fn, shape);
    if (shape->forever)
        iteration->exit.reachable = false;
    if (shape->never)
        fn->env.reachable = false;
    if (recording)
        ck_check_recorded(fn, shape->body, recording);
    else
        ck_check_block(fn, shape->body);
    iteration->back = iteration->loop.continues;
    ck_edges_add(fn, &iteration->back, &fn->env, body);
    fn->loop = iteration->loop.outer;
    fn->block = outer;
}

/* --- Memory of earlier passes --------------------------------------------------------------------
 *
 * A nested loop is checked again in each pass of the loops around it. Its effect on the environment
 * depends only on the names in its text. So only these are kept and compared: a loop that is
 * entered with the same bindings reuses its result. Nested and consecutive loops need no more
 * passes for it. */

struct ck_loop_memo {
    const struct ck_stmt *stmt;
    int *names; /* in its text, each once */
    int n_names, names_capacity;
    /* By position in `names`; NULL: not known yet. */
    const struct ck_binding **entry, **head, **after;
    bool comes_out; /* AFTER is reachable */
    bool unsettled; /* HEAD is not a fixed point */
};

struct names {
    struct ck_fn *fn;
    struct ck_loop_memo *memo;
};

static void
add_name(void *context, const struct ck_expr *expr)
{
    const struct names *names = context;
    struct ck_loop_memo *memo = names->memo;
    if (expr->kind == CK_EXPR_NAME) {
        int name = ck_name_index(names->fn, expr->name);
        CK_PUSH(names->fn->c->arena, memo->names, memo->n_names, memo->names_capacity, name);
        name = ck_none_flag_index(names->fn, expr->name);
        if (name >= 0)
            CK_PUSH(names->fn->c->arena, memo->names, memo->n_names, memo->names_capacity, name);
    }
    ck_expr_each(expr, add_name, context);
}

static int
compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static struct ck_loop_memo *
new_memo(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    struct ck_loop_memo *memo = CK_NEW(fn->c->arena, struct ck_loop_memo);
    memo->stmt = stmt;
    struct names names = {fn, memo};
    ck_stmt_each_expr(stmt, add_name, &names);
    if (memo->n_names)
        qsort(memo->names, (size_t)memo->n_names, sizeof *memo->names, compare_ints);
    int kept = 0;
    for (int i = 0; i < memo->n_names; i++) {
        if (!kept || memo->names[kept - 1] != memo->names[i])
            memo->names[kept++] = memo->names[i];
    }
    memo->n_names = kept;
    CK_PUSH(fn->c->arena, fn->memos.items, fn->memos.n, fn->memos.capacity, memo);
    ck_index_add(fn->c->arena, &fn->memos.index, ck_hash_pointer(stmt));
    return memo;
}

static struct ck_loop_memo *
memo_of(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    uint32_t hash = ck_hash_pointer(stmt);
    for (int i = ck_index_first(&fn->memos.index, hash); i >= 0;
         i = ck_index_next(&fn->memos.index, i)) {
        if (fn->memos.items[i]->stmt == stmt)
            return fn->memos.items[i];
    }
    return new_memo(fn, stmt);
}

static const struct ck_binding **
bindings_of(struct ck_fn *fn, const struct ck_loop_memo *memo, const struct ck_env *env)
{
    const struct ck_binding **bindings =
        CK_NEW_ARRAY(fn->c->arena, const struct ck_binding *, memo->n_names);
    for (int i = 0; i < memo->n_names; i++)
        bindings[i] = ck_env_get(env, memo->names[i]);
    return bindings;
}

/* Whether the loop behaves the same for both bindings, messages included. */
static bool
enters_alike(const struct ck_binding *a, const struct ck_binding *b)
{
    return a == b || (ck_same_binding(a, b) && a->pin == b->pin && a->value.self == b->value.self &&
                      a->value.origin.literal_at.start == b->value.origin.literal_at.start &&
                      a->value.origin.literal_at.end == b->value.origin.literal_at.end);
}

static bool
is_entered_as_before(const struct ck_loop_memo *memo, const struct ck_env *entry)
{
    for (int i = 0; memo->entry && i < memo->n_names; i++) {
        if (!enters_alike(memo->entry[i], ck_env_get(entry, memo->names[i])))
            return false;
    }
    return memo->entry != NULL;
}

/* `entry` with the changes that the loop made on the way to `found`. */
static struct ck_env
as_found(struct ck_fn *fn, const struct ck_loop_memo *memo, const struct ck_binding **found,
         const struct ck_env *entry)
{
    struct ck_env env = *entry;
    for (int i = 0; i < memo->n_names; i++) {
        if (found[i] != memo->entry[i])
            ck_env_set_anew(fn, &env, memo->names[i], found[i]);
    }
    return env;
}

/* --- The search for a loop's head ----------------------------------------------------------------
 */

/* The start of the search for the header's types: the entry, joined with the result of an earlier
 * search. */
static struct ck_env
first_head(struct ck_fn *fn, const struct ck_loop_memo *memo, const struct ck_env *entry)
{
    if (!memo->entry)
        return *entry;
    struct ck_tblock dropped = {0};
    struct ck_edges edges = {0};
    struct ck_env start = as_found(fn, memo, memo->head, entry);
    ck_edges_add(fn, &edges, entry, &dropped);
    ck_edges_add(fn, &edges, &start, &dropped);
    return ck_env_join(fn, &edges, memo->stmt->span, "");
}

/* Each SOME_PASSES-th pass is followed by a search of loop_types.c. A loop has at most MOST_PASSES.
 */
enum { SOME_PASSES = 5, MOST_PASSES = 100 };

/* The types of names at the loop's header: those on entry joined with those after each iteration,
 * to a fixed point. *iteration is the last iteration checked, which started from this header. */
static struct ck_env
settle(struct ck_fn *fn, struct ck_loop_shape *shape, const struct ck_env *entry,
       struct iteration *iteration)
{
    struct ck_loop_memo *memo = memo_of(fn, shape->stmt);
    struct ck_env head = first_head(fn, memo, entry);
    struct ck_recording recording = {.lost = false};
    for (int n = 1;; n++) {
        struct ck_tblock dropped = {0};
        struct ck_edges edges = {0};
        bool follows = n % SOME_PASSES == 0 && !recording.lost;
        check_iteration(fn, shape, &head, CK_NEW(fn->c->arena, struct ck_tblock),
                        follows ? &recording : NULL, iteration);
        ck_edges_add(fn, &edges, &head, &dropped);
        for (int i = 0; i < iteration->back.n; i++)
            ck_edges_add(fn, &edges, &iteration->back.edges[i].env, &dropped);
        struct ck_env next = ck_env_join(fn, &edges, shape->stmt->span, "");
        memo->unsettled = !ck_env_equal(&head, &next);
        if (!memo->unsettled || n == MOST_PASSES)
            break;
        head = follows ? ck_follow_changes(fn, &recording, &head, &next) : next;
    }
    memo->entry = bindings_of(fn, memo, entry);
    memo->head = bindings_of(fn, memo, &head);
    memo->after = NULL;
    return head;
}

static void
report_unsettled(struct ck_fn *fn, const struct ck_loop_shape *shape)
{
    struct ck_span first = {shape->stmt->span.start, shape->stmt->span.start + 1};
    struct ck_diag *diag =
        ck_error(fn, TOO_DEEP, first,
                 ck_arena_printf(fn->c->arena,
                                 "the types of names in this loop change in each of %d iterations",
                                 MOST_PASSES));
    ck_diag_help(fn->c->diags, diag,
                 "begin with values of the types that the names will have: a chain of names that "
                 "are set from each other passes on a type by one name an iteration");
}

/* The fixed point that `settle` finds, in quiet passes whose changes are discarded. */
static struct ck_env
find_head(struct ck_fn *fn, struct ck_loop_shape *shape, const struct ck_env *entry)
{
    struct ck_loop_memo *memo = memo_of(fn, shape->stmt);
    if (!is_entered_as_before(memo, entry)) {
        const struct ck_speculation before = ck_speculation_begin(fn);
        struct iteration iteration;
        fn->c->diags->quiet++;
        settle(fn, shape, entry, &iteration);
        fn->c->diags->quiet--;
        ck_speculation_end(fn, before);
    }
    if (memo->unsettled)
        report_unsettled(fn, shape);
    return as_found(fn, memo, memo->head, entry);
}

/* The exit of a loop: its environment, and the paths to it. */
struct loop_end {
    struct ck_fn *fn;
    struct ck_env *exit;
    struct ck_span span;
};

static bool
settle_name(void *context, int name, const struct ck_binding *exit,
            const struct ck_binding *iteration)
{
    struct loop_end *end = context;
    if (exit->state != CK_MAYBE_UNSET || iteration->state != CK_SET)
        return true;
    struct ck_binding settled = *exit;
    settled.state = CK_SET;
    ck_env_set(end->fn, end->exit, name, &settled);
    return true;
}

/* A name that every iteration sets is set after a loop that runs at least once. */
static void
settle_after_iterations(struct ck_fn *fn, struct ck_env *exit, const struct ck_edges *back)
{
    struct ck_edges iterations = {0};
    struct ck_tblock dropped = {0};
    for (int i = 0; i < back->n; i++)
        ck_edges_add(fn, &iterations, &back->edges[i].env, &dropped);
    struct loop_end end = {.fn = fn, .exit = exit};
    struct ck_env old = *exit, turned = ck_env_join(fn, &iterations, end.span, "");
    if (turned.reachable)
        ck_env_differences(&old, &turned, settle_name, &end);
}

static bool
name_unset_path(void *context, int name, const struct ck_binding *exit,
                const struct ck_binding *entry)
{
    struct loop_end *end = context;
    if (exit->state != CK_MAYBE_UNSET || entry->state == CK_SET)
        return true;
    if (entry->state != CK_UNSET && *exit->unset_how) /* a statement before the loop */
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

/* Rebinds the names of the loop to their values: their locals are set within the loop, so that no
 * value can be copied before it for a use after it (see struct ck_home). */
static void
bind_anew(struct ck_fn *fn, const struct ck_stmt *stmt, struct ck_env *env, struct ck_tblock *block)
{
    if (!ck_has_many_paths(fn))
        return;
    struct ck_tblock *outer = fn->block;
    const struct ck_loop_memo *memo = memo_of(fn, stmt);
    fn->block = block;
    for (int i = 0; i < memo->n_names; i++) {
        const struct ck_binding *binding = ck_env_get(env, memo->names[i]);
        if (binding->state == CK_SET || binding->state == CK_MAYBE_UNSET)
            ck_env_set(fn, env, memo->names[i], binding);
    }
    fn->block = outer;
}

/* The loop's statement, with its body checked from `head`. */
static struct ck_tblock *
emit_loop(struct ck_fn *fn, struct ck_loop_shape *shape, const struct ck_env *entry,
          struct ck_env *head, struct iteration *iteration)
{
    ck_env_convert(fn, entry, head, fn->block);
    struct ck_tblock *body, *otherwise;
    struct ck_tstmt *out = shape->emit(fn, shape, &body, &otherwise);
    struct ck_env inside = *head;
    bind_anew(fn, shape->stmt, &inside, body);
    check_iteration(fn, shape, &inside, body, NULL, iteration);
    bind_anew(fn, shape->stmt, &iteration->exit, otherwise);
    if (shape->test)
        out->loop.test = shape->test;
    ck_edges_convert(fn, &iteration->back, head);
    return otherwise;
}

/* The code after the iterations: the `else`, and the join of its end and the breaks. */
static void
finish_loop(struct ck_fn *fn, const struct ck_loop_shape *shape, const struct iteration *iteration,
            struct ck_tblock *otherwise)
{
    struct ck_tblock *outer = fn->block;
    struct ck_edges after = {0};
    fn->block = otherwise;
    fn->env = iteration->exit;
    ck_check_block(fn, shape->otherwise);
    ck_edges_add(fn, &after, &fn->env, otherwise);
    for (int i = 0; i < iteration->loop.breaks.n; i++)
        ck_edges_add(fn, &after, &iteration->loop.breaks.edges[i].env,
                     iteration->loop.breaks.edges[i].block);
    fn->block = outer;
    fn->env = ck_env_join(fn, &after, shape->stmt->span, "if this loop ends another way");
}

/* The number of exits from the enclosing loop's iteration found so far: an `else` may contain
 * some. */
static int
n_jumps(const struct ck_fn *fn)
{
    return fn->loop ? fn->loop->breaks.n + fn->loop->continues.n : 0;
}

static void
check_iterations(struct ck_fn *fn, struct ck_loop_shape *shape)
{
    struct ck_env entry = fn->env;
    struct ck_loop_memo *memo = memo_of(fn, shape->stmt);
    bool quiet = fn->c->diags->quiet; /* within a search for types, only they matter */
    if (quiet && memo->after && is_entered_as_before(memo, &entry)) {
        fn->env = as_found(fn, memo, memo->after, &entry);
        fn->env.reachable = memo->comes_out;
        return;
    }
    struct iteration iteration;
    struct ck_tblock *otherwise;
    if (quiet) {
        settle(fn, shape, &entry, &iteration);
        otherwise = CK_NEW(fn->c->arena, struct ck_tblock);
    } else {
        struct ck_env head = find_head(fn, shape, &entry);
        otherwise = emit_loop(fn, shape, &entry, &head, &iteration);
    }
    struct ck_tblock *outer = fn->block;
    fn->block = otherwise;
    name_unset_paths(fn, &iteration.exit, &entry, shape->stmt->span);
    if (shape->runs)
        settle_after_iterations(fn, &iteration.exit, &iteration.back);
    fn->block = outer;
    int jumps = n_jumps(fn);
    finish_loop(fn, shape, &iteration, otherwise);
    if (quiet && n_jumps(fn) == jumps) {
        memo->after = bindings_of(fn, memo, &fn->env);
        memo->comes_out = fn->env.reachable;
    }
}

static void
check_loop(struct ck_fn *fn, struct ck_loop_shape *shape)
{
    ck_pass_returns_in(fn, shape->body);
    fn->n_differing++;
    check_iterations(fn, shape);
    fn->n_differing--;
    ck_pass_returns_in(fn, shape->body);
}

/* --- while --- */

static void
begin_while(struct ck_fn *fn, struct ck_loop_shape *shape)
{
    fn->in_condition = true;
    struct ck_texpr *test = ck_check_condition(fn, shape->test_syntax);
    fn->in_condition = false;
    if (!test)
        test = ck_untyped_condition(fn, shape->test_syntax);
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
    struct ck_loop_shape shape; /* first: the hooks are passed a pointer to it */
    struct ck_iteration *iteration;
    int counter;
};

static void
bind_targets_to_error(struct ck_fn *fn, const struct ck_expr *target, struct ck_texpr *depends)
{
    struct ck_value value = ck_value_error(target->span);
    value.expr = depends;
    if (target->kind == CK_EXPR_NAME)
        ck_bind(fn, target->name, value, target->span);
    for (int i = 0; target->kind == CK_EXPR_TUPLE && i < target->sequence.n; i++)
        bind_targets_to_error(fn, target->sequence.items[i], depends);
}

static void
begin_range(struct ck_fn *fn, struct ck_loop_shape *shape)
{
    struct range *range = (struct range *)shape;
    if (!range->iteration->iterator)
        bind_targets_to_error(fn, shape->target, range->iteration->depends);
    else
        ck_iteration_bind(fn, range->iteration, range->counter, shape->target);
}

static struct ck_tstmt *
emit_range(struct ck_fn *fn, struct ck_loop_shape *shape, struct ck_tblock **body,
           struct ck_tblock **otherwise)
{
    struct range *range = (struct range *)shape;
    struct ck_tstmt *stmt = ck_emit(fn, CK_S_RANGE, shape->stmt->span);
    stmt->range.counter = range->counter;
    stmt->range.start = range->iteration->start;
    stmt->range.stop = range->iteration->stop;
    stmt->range.step = range->iteration->step;
    *body = &stmt->range.body;
    *otherwise = &stmt->range.otherwise;
    return stmt;
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

/* After an error in a loop's header the body is still checked, to report its own errors. Its
 * statements are discarded: its `break` has no loop. */
static void
check_body_alone(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    struct ck_loop loop = {.outer = fn->loop};
    struct ck_tblock *outer = fn->block;
    fn->loop = &loop;
    fn->block = CK_NEW(fn->c->arena, struct ck_tblock);
    bind_targets_to_error(fn, stmt->each.target, NULL);
    ck_check_block(fn, &stmt->each.body);
    fn->loop = loop.outer;
    fn->block = outer;
    fn->env.reachable = true;
}

void
ck_check_for(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    struct ck_iteration iteration;
    struct range range = {
        .shape = {.stmt = stmt,
                  .body = &stmt->each.body,
                  .otherwise = &stmt->each.otherwise,
                  .begin = begin_range,
                  .emit = emit_range,
                  .target = stmt->each.target},
        .iteration = &iteration,
    };
    struct ck_value names;
    if (ck_iterates_names(fn, stmt->each.iterable, &names)) {
        ck_check_for_names(fn, stmt, &names);
        return;
    }
    if (!ck_iteration_of(fn, stmt->each.iterable, &iteration) &&
        !ck_untyped_iteration(fn, stmt->each.iterable, &iteration)) {
        check_body_alone(fn, stmt);
        return;
    }
    if (iteration.never) { /* an empty tuple */
        ck_check_block(fn, &stmt->each.otherwise);
        return;
    }
    range.shape.runs = iteration.runs;
    range.counter = ck_local_new(fn, "", iteration.start->type);
    check_loop(fn, &range.shape);
}
