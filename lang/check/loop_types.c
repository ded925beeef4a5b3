/* Fast fixed points of types: a worklist over the names of a loop.
 *
 * Each pass over a loop's body propagates a change of a type in the order of the text. A chain in
 * reverse order (`a = b; b = c; c = d`) needs a pass for each of its names. After a few whole
 * passes, only the statements that use a changed name are checked again, and those that use the
 * names they change, until nothing changes. The result is only the starting point of the next whole
 * pass, which verifies it. */
#include <stdlib.h>
#include <string.h>

#include "lang/check/checker.h"

/* The most names that change at a time, and the most text that is checked again, in whole passes.
 * Beyond these limits whole passes are as fast. */
enum { MOST_CHANGED = 32, MOST_AGAIN = 8 };

void
ck_check_recorded(struct ck_fn *fn, const struct ck_block *block, struct ck_recording *recording)
{
    recording->block = block;
    recording->begin = fn->env;
    recording->before = CK_NEW_ARRAY(fn->c->arena, struct ck_env, block->n + 1);
    recording->after = CK_NEW_ARRAY(fn->c->arena, struct ck_env, block->n + 1);
    for (int i = 0; i < block->n; i++) {
        recording->before[i] = fn->env;
        ck_check_block(fn, &(struct ck_block){.stmts = &block->stmts[i], .n = 1});
        recording->after[i] = fn->env;
    }
}

/* --- Uses of names ---------------------------------------------------------------------------- */

struct place {
    int name, at; /* a statement of the body */
};

struct changed {
    int name;
    const struct ck_binding *binding;
};

struct follow {
    struct ck_fn *fn;
    const struct ck_env *head; /* with which the recorded pass began */
    struct ck_recording *recording;
    struct place *places, *by_name; /* by statement, then name; by name, then statement */
    int n_places, capacity;
    int at; /* while collecting */
    struct changed changed[MOST_CHANGED];
    int n_changed;
    int left;  /* of `places`: to be checked again */
    bool lost; /* too many changes, or the body is left */
};

static void
add_place(void *context, const struct ck_expr *expr)
{
    struct follow *follow = context;
    if (expr->kind == CK_EXPR_NAME) {
        struct place place = {ck_name_index(follow->fn, expr->name), follow->at};
        CK_PUSH(follow->fn->c->arena, follow->places, follow->n_places, follow->capacity, place);
    }
    ck_expr_each(expr, add_place, context);
}

static int
compare_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    return a->name != b->name ? a->name - b->name : a->at - b->at;
}

static void
collect_places(struct follow *follow)
{
    const struct ck_block *block = follow->recording->block;
    for (follow->at = 0; follow->at < block->n; follow->at++)
        ck_stmt_each_expr(block->stmts[follow->at], add_place, follow);
    size_t size = sizeof(struct place) * (size_t)follow->n_places;
    follow->by_name = CK_NEW_ARRAY(follow->fn->c->arena, struct place, follow->n_places + 1);
    if (!size)
        return;
    memcpy(follow->by_name, follow->places, size);
    qsort(follow->by_name, (size_t)follow->n_places, sizeof(struct place), compare_places);
}

/* The first statement from `from` on that uses the name; the body's length: none. */
static int
next_place(const struct follow *follow, int name, int from)
{
    int low = 0, high = follow->n_places;
    const struct place wanted = {name, from};
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (compare_places(&follow->by_name[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < follow->n_places && follow->by_name[low].name == name;
    return found ? follow->by_name[low].at : follow->recording->block->n;
}

/* The first of the places of a statement. */
static int
first_place(const struct follow *follow, int at)
{
    int low = 0, high = follow->n_places;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (follow->places[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* --- What changes --------------------------------------------------------------------------------
 */

static void
set_changed(struct follow *follow, int name, const struct ck_binding *binding, bool changed)
{
    int i = 0;
    while (i < follow->n_changed && follow->changed[i].name != name)
        i++;
    if (!changed) {
        if (i < follow->n_changed)
            follow->changed[i] = follow->changed[--follow->n_changed];
    } else if (i < MOST_CHANGED) {
        follow->changed[i] = (struct changed){name, binding};
        follow->n_changed += i == follow->n_changed;
    } else {
        follow->lost = true;
    }
}

/* Whether the iteration sets the name itself: then its binding at the header is irrelevant. */
static bool
is_target(const struct follow *follow, int name)
{
    return ck_env_get(follow->head, name) != ck_env_get(&follow->recording->begin, name);
}

static bool
add_difference(void *context, int name, const struct ck_binding *old, const struct ck_binding *new)
{
    struct follow *follow = context;
    if (!ck_same_binding(old, new) && !is_target(follow, name))
        set_changed(follow, name, new, true);
    return !follow->lost;
}

/* Checks one statement with the changed names' current bindings, and records which names it
 * changes. */
static void
check_again(struct follow *follow, int at)
{
    struct ck_fn *fn = follow->fn;
    struct ck_recording *recording = follow->recording;
    fn->env = recording->before[at];
    for (int i = 0; i < follow->n_changed; i++)
        ck_env_set(fn, &fn->env, follow->changed[i].name, follow->changed[i].binding);
    recording->before[at] = fn->env;
    fn->block = CK_NEW(fn->c->arena, struct ck_tblock);
    ck_check_block(fn, &(struct ck_block){.stmts = &recording->block->stmts[at], .n = 1});
    follow->lost = follow->lost || !fn->env.reachable;
    for (int i = first_place(follow, at); i < follow->n_places && follow->places[i].at == at; i++) {
        int name = follow->places[i].name;
        const struct ck_binding *old = ck_env_get(&recording->after[at], name);
        const struct ck_binding *new = ck_env_get(&fn->env, name);
        set_changed(follow, name, new, !ck_same_binding(old, new));
        follow->lost = follow->lost || --follow->left < 0;
    }
    recording->after[at] = fn->env;
}

/* One iteration of the loop. */
static void
follow_iteration(struct follow *follow)
{
    int n = follow->recording->block->n;
    for (int at = 0;; at++) {
        int next = n;
        for (int i = 0; i < follow->n_changed; i++) {
            int place = next_place(follow, follow->changed[i].name, at);
            next = place < next ? place : next;
        }
        if (next == n || follow->lost)
            return;
        at = next;
        check_again(follow, at);
    }
}

/* Joins the changes into the environment at the header. */
static void
reach_head(struct follow *follow, struct ck_env *head)
{
    struct changed changed[MOST_CHANGED];
    int n = follow->n_changed;
    memcpy(changed, follow->changed, sizeof changed);
    follow->n_changed = 0;
    for (int i = 0; i < n; i++) {
        int name = changed[i].name;
        const struct ck_binding *old = ck_env_get(head, name);
        struct ck_binding joined = ck_join_bindings(follow->fn, name, old, changed[i].binding);
        if (ck_same_binding(old, &joined))
            continue;
        ck_env_set(follow->fn, head, name, &joined);
        if (!is_target(follow, name))
            set_changed(follow, name, ck_env_get(head, name), true);
    }
}

struct ck_env
ck_follow_changes(struct ck_fn *fn, struct ck_recording *recording, const struct ck_env *head,
                  const struct ck_env *next)
{
    struct follow follow = {.fn = fn, .head = head, .recording = recording};
    struct ck_env found = *next, env = fn->env;
    struct ck_tblock *block = fn->block;
    struct ck_loop loop = {.outer = fn->loop};
    ck_env_differences(head, next, add_difference, &follow);
    if (follow.lost || !next->reachable)
        return *next;
    collect_places(&follow);
    follow.left = MOST_AGAIN * follow.n_places;
    fn->loop = &loop;
    while (follow.n_changed && !follow.lost) {
        follow_iteration(&follow);
        if (!follow.lost)
            reach_head(&follow, &found);
    }
    fn->loop = loop.outer;
    fn->block = block;
    fn->env = env;
    recording->lost = follow.lost;
    return found;
}
