/* Divergence analysis, a forward data-flow analysis: one walk over each function's statements with
 * the divergence of each local at that point. Where paths join, only the locals that one of them
 * set are joined. A loop is walked again until the state at its header is a fixed point. */
#include "lang/divergence/divergence.h"

#include <string.h>

#include "lang/divergence/divergence_walk.h"
#include "lang/divergence/predicate.h"

/* --- Statements ----------------------------------------------------------------------------------
 */

static void walk_block(struct ck_walk *w, const struct ck_tblock *block);

/* Where paths reconverge: the threads that left before are still missing. */
static void
reconverge(struct ck_walk *w, const struct ck_reach *before)
{
    w->reach = *before;
    ck_reach_join(w->arena, &w->reach, &w->returned);
    if (w->loop) {
        ck_reach_join(w->arena, &w->reach, &w->loop->broke);
        ck_reach_join(w->arena, &w->reach, &w->loop->continued);
    }
}

static void
assign(struct ck_walk *w, int local, const struct ck_texpr *value)
{
    struct ck_vary items[CK_MAX_VARY_ITEMS];
    memset(items, 0, sizeof items);
    ck_divergence_eval(w, value, items);
    int version = ++w->n_versions;
    for (int i = 0; i < ck_vary_items(w->function->locals[local].type); i++)
        ck_slot_set(w, w->first_slot[local] + i, &items[i], version);
}

static struct ck_mark *
find_mark(const struct ck_marks *marks, const struct ck_tstmt *stmt)
{
    const uint32_t hash = ck_hash_pointer(stmt);
    for (int i = ck_index_first(&marks->index, hash); i >= 0; i = ck_index_next(&marks->index, i)) {
        if (marks->items[i].stmt == stmt)
            return &marks->items[i];
    }
    return NULL;
}

/* Marks a branch or loop of the kernel whose condition is divergent. */
static void
mark(struct ck_walk *w, const struct ck_tstmt *stmt, const struct ck_vary *vary)
{
    struct ck_marks *marks = &w->d->marks;
    unsigned between = 0;
    for (int i = 0; i < CK_N_VARIATIONS; i++)
        between |= (unsigned)vary->is[i] << i;
    if (!w->function->is_kernel || !between)
        return;
    struct ck_mark *known = find_mark(marks, stmt), added = {stmt, between};
    if (known) {
        known->between |= between;
        return;
    }
    CK_PUSH(w->arena, marks->items, marks->n, marks->capacity, added);
    ck_index_add(w->arena, &marks->index, ck_hash_pointer(stmt));
}

static void
walk_if(struct ck_walk *w, const struct ck_tstmt *stmt)
{
    struct ck_vary test = ck_divergence_eval_one(w, stmt->branch.test);
    mark(w, stmt, &test);
    struct ck_reach before = w->reach, inside = w->reach;
    ck_reach_add(w->arena, &inside, &test, CK_CONDITION_IF, stmt->branch.test->span);

    struct ck_region region = ck_region_begin(w);
    w->n_conditions++;
    w->reach = inside;
    walk_block(w, &stmt->branch.then);
    bool then_dead = w->dead;
    struct ck_changes then = ck_region_end(w, region);

    region = ck_region_begin(w);
    w->reach = inside;
    w->dead = false;
    walk_block(w, &stmt->branch.otherwise);
    bool else_dead = w->dead;
    struct ck_changes otherwise = ck_region_end(w, region);
    w->n_conditions--;

    w->dead = then_dead && else_dead;
    if (then_dead)
        ck_region_apply(w, &otherwise);
    else if (else_dead)
        ck_region_apply(w, &then);
    else
        ck_region_merge(w, &then, &otherwise, &test);
    reconverge(w, &before);
}

static void
leave(struct ck_walk *w, const struct ck_tstmt *stmt)
{
    struct ck_reach reach = ck_reach_leaving(w->arena, &w->reach, stmt->span);
    w->has_left = true;
    if (stmt->kind == CK_S_RETURN) {
        ck_reach_join(w->arena, &w->returned, &reach);
        ck_divergence_exit(w, stmt, stmt->span);
    } else if (stmt->kind == CK_S_BREAK) {
        ck_reach_join(w->arena, &w->loop->broke, &reach);
        ck_region_snapshot(w, &w->loop->at_breaks);
        w->loop->breaks = true;
    } else {
        ck_reach_join(w->arena, &w->loop->continued, &reach);
        ck_region_snapshot(w, &w->loop->at_continues);
        w->loop->n_continues++;
    }
    w->dead = true;
}

static void
walk_return(struct ck_walk *w, const struct ck_tstmt *stmt)
{
    struct ck_vary items[CK_MAX_VARY_ITEMS];
    memset(items, 0, sizeof items);
    if (stmt->expr)
        ck_divergence_eval(w, stmt->expr, items);
    int n = w->summary->result ? ck_vary_items(w->function->returns) : 0;
    for (int i = 0; stmt->expr && i < n; i++) {
        ck_vary_add(&w->summary->result[i], &items[i]);
        ck_vary_add(&w->summary->result[i], &w->reach.vary);
    }
    leave(w, stmt);
}

/* --- Loops ---------------------------------------------------------------------------------------
 */

static struct ck_loop_head *
head_of(struct ck_walk *w, const struct ck_tstmt *stmt)
{
    uint32_t hash = ck_hash_pointer(stmt);
    for (int i = ck_index_first(&w->head_index, hash); i >= 0;
         i = ck_index_next(&w->head_index, i)) {
        if (w->heads[i].stmt == stmt)
            return &w->heads[i];
    }
    struct ck_loop_head head = {.stmt = stmt};
    CK_PUSH(w->arena, w->heads, w->n_heads, w->heads_capacity, head);
    ck_index_add(w->arena, &w->head_index, hash);
    return &w->heads[w->n_heads - 1];
}

/* Joins `vary` into the slot's divergence at this point; true if that changes it. */
static bool
add_to_slot(struct ck_walk *w, int slot, const struct ck_vary *vary)
{
    struct ck_vary all = w->slots[slot].vary;
    if (!ck_vary_add(&all, vary))
        return false;
    ck_slot_set(w, slot, &all, ++w->n_versions);
    return true;
}

/* Joins the state at the end of an iteration, and at each `continue`, into the state at the
 * header. */
static bool
propagate_to_head(struct ck_walk *w, const struct ck_divergence_loop *loop,
                  const struct ck_changes *iteration, bool ends)
{
    bool changed = false;
    for (int i = 0; i < iteration->n; i++)
        w->found[iteration->items[i].slot] = i + 1;
    int *same = CK_NEW_ARRAY(w->arena, int, iteration->n);
    for (int i = 0; i < loop->at_continues.n; i++) {
        const struct ck_change *change = &loop->at_continues.items[i];
        int at = w->found[change->slot] - 1;
        struct ck_vary vary = change->vary;
        if (at >= 0)
            same[at] += iteration->items[at].version == change->version;
        else /* set on the paths to a `continue` only */
            ck_vary_add(&vary, &loop->continued.vary);
        changed = add_to_slot(w, change->slot, &vary) || changed;
    }
    for (int i = 0; i < iteration->n; i++) {
        w->found[iteration->items[i].slot] = 0;
        if (ends)
            changed =
                add_to_slot(w, iteration->items[i].slot, &iteration->items[i].vary) || changed;
        if (loop->n_continues && !(ends && same[i] >= loop->n_continues))
            changed = add_to_slot(w, iteration->items[i].slot, &loop->continued.vary) || changed;
    }
    return changed;
}

/* The divergence of a `for` loop's trip count, and of its counter. */
static struct ck_vary
trip_count(struct ck_walk *w, const struct ck_tstmt *stmt, struct ck_vary *counter,
           const struct ck_texpr **cause)
{
    const struct ck_texpr *bounds[] = {stmt->range.stop, stmt->range.start, stmt->range.step};
    struct ck_vary all = {0}, each[3];
    for (int i = 0; i < 3; i++) {
        each[i] = ck_divergence_eval_one(w, bounds[i]);
        ck_vary_add(&all, &each[i]);
    }
    *cause = bounds[0];
    for (int i = 2; i >= 0; i--) {
        if (ck_vary_any(&each[i]) && each[i].is[CK_BETWEEN_THREADS] == all.is[CK_BETWEEN_THREADS])
            *cause = bounds[i];
    }
    *counter = each[1];
    ck_vary_add(counter, &each[2]);
    return all;
}

static bool
is_true(const struct ck_texpr *expr)
{
    return expr->kind == CK_T_CONST && expr->constant.i;
}

static void
walk_loop(struct ck_walk *w, const struct ck_tstmt *stmt)
{
    bool counts = stmt->kind == CK_S_RANGE;
    const struct ck_tblock *body = counts ? &stmt->range.body : &stmt->loop.body;
    const struct ck_tblock *otherwise = counts ? &stmt->range.otherwise : &stmt->loop.otherwise;
    bool forever = !counts && is_true(stmt->loop.test);
    struct ck_vary trips = {0}, counter = {0};
    const struct ck_texpr *cause = NULL;
    if (counts)
        trips = trip_count(w, stmt, &counter, &cause);
    else
        cause = stmt->loop.test;
    const struct ck_loop_head *known = head_of(w, stmt);
    for (int i = 0; i < known->slots.n; i++)
        add_to_slot(w, known->slots.items[i].slot, &known->slots.items[i].vary);

    struct ck_reach entry = w->reach, head = w->reach;
    struct ck_divergence_loop loop = {.span = stmt->span, .trips = cause->span, .outer = w->loop};
    loop.n_conditions = ++w->n_conditions;
    struct ck_changes iteration = {0};
    w->loop = &loop;
    bool changed = true;
    for (int i = 0; i < CK_MOST_ITERATIONS && changed; i++) {
        loop.continued = (struct ck_reach){0};
        loop.at_breaks.n = loop.at_continues.n = loop.n_continues = 0;
        struct ck_region region = ck_region_begin(w);
        loop.log_mark = w->n_log;
        w->reach = head;
        if (counts)
            ck_slot_set(w, w->first_slot[stmt->range.counter], &counter, ++w->n_versions);
        else
            trips = ck_divergence_eval_one(w, stmt->loop.test);
        ck_reach_add(w->arena, &w->reach, &trips, counts ? CK_CONDITION_FOR : CK_CONDITION_WHILE,
                     cause->span);
        struct ck_vary old = head.vary;
        ck_reach_join(w->arena, &head, &w->reach);
        walk_block(w, body);
        bool ends = !w->dead;
        w->dead = false;
        iteration = ck_region_end(w, region);
        changed = propagate_to_head(w, &loop, &iteration, ends);
        ck_reach_join(w->arena, &head, &loop.broke);
        ck_reach_join(w->arena, &head, &w->returned);
        changed = ck_vary_add(&old, &head.vary) || changed;
    }
    w->loop = loop.outer;
    w->n_conditions--;
    w->unsettled = w->unsettled || changed;

    /* Threads that ran different numbers of iterations see different values. */
    struct ck_vary by = trips;
    ck_vary_add(&by, &loop.broke.vary);
    mark(w, stmt, &by);
    struct ck_changes settled = {0};
    const struct ck_changes *set[] = {&iteration, &loop.at_continues};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < set[k]->n; i++) {
            int slot = set[k]->items[i].slot;
            struct ck_change change = {slot, w->slots[slot].vary, 0};
            CK_PUSH(w->arena, settled.items, settled.n, settled.capacity, change);
            add_to_slot(w, slot, &by);
        }
    }
    head_of(w, stmt)->slots = settled;
    w->reach = entry;
    ck_reach_join(w->arena, &w->reach, &w->returned);
    struct ck_reach after = w->reach;
    ck_reach_join(w->arena, &w->reach, &loop.broke);
    w->dead = forever;
    if (!forever)
        walk_block(w, otherwise);
    for (int i = 0; i < loop.at_breaks.n; i++) {
        struct ck_vary vary = loop.at_breaks.items[i].vary;
        ck_vary_add(&vary, &by);
        add_to_slot(w, loop.at_breaks.items[i].slot, &vary);
    }
    w->dead = w->dead && !loop.breaks;
    ck_reach_join(w->arena, &after, &w->returned);
    w->reach = after;
}

static void
walk_stmt(struct ck_walk *w, const struct ck_tstmt *stmt)
{
    switch (stmt->kind) {
    case CK_S_ASSIGN:
        assign(w, stmt->assign.local, stmt->assign.value);
        break;
    case CK_S_STORE:
        ck_divergence_eval_one(w, stmt->store.array);
        ck_divergence_eval_indices(w, stmt->store.array, stmt->store.indices);
        ck_divergence_eval_one(w, stmt->store.value);
        break;
    case CK_S_EXPR:
        ck_divergence_eval_one(w, stmt->expr);
        break;
    case CK_S_IF:
        walk_if(w, stmt);
        break;
    case CK_S_WHILE:
    case CK_S_RANGE:
        walk_loop(w, stmt);
        break;
    case CK_S_BREAK:
    case CK_S_CONTINUE:
        leave(w, stmt);
        break;
    case CK_S_RETURN:
        walk_return(w, stmt);
        break;
    case CK_S_PRINT:
        for (int i = 0; i < stmt->print.n; i++) {
            if (!stmt->print.items[i].text)
                ck_divergence_eval_one(w, stmt->print.items[i].value);
        }
        break;
    case CK_S_ASSERT:
        ck_divergence_eval_one(w, stmt->assertion.test);
        break;
    }
}

static void
walk_block(struct ck_walk *w, const struct ck_tblock *block)
{
    for (int i = 0; i < block->n && !w->dead; i++)
        walk_stmt(w, block->stmts[i]);
}

/* --- Functions -----------------------------------------------------------------------------------
 */

/* For each value of a type: the barrier whose token it is, or -1. */
static void
find_tokens(const struct ck_type *type, int8_t *out)
{
    static const int8_t barriers[CK_N_GROUP_KINDS] = {
        [CK_GROUP_BLOCK] = CK_WAITS_BLOCK,
        [CK_GROUP_CLUSTER] = CK_WAITS_CLUSTER,
        [CK_GROUP_GRID] = CK_WAITS_GRID,
    };
    for (int i = 0; i < ck_vary_items(type); i++)
        out[i] = -1;
    if (type->kind == CK_TYPE_GROUP && type->group.kind == CK_GROUP_TOKEN)
        out[0] = barriers[type->group.parent];
    for (int i = 0; type->kind == CK_TYPE_TUPLE && ck_vary_is_split(type) && i < type->tuple.n;
         i++) {
        find_tokens(type->tuple.items[i], out);
        out += ck_vary_items(type->tuple.items[i]);
    }
}

/* A function whose split barriers are not analysed may have any number of arrivals. */
static void
classify_nothing(struct ck_summary *summary)
{
    for (int i = 0; i < CK_N_WAITS; i++)
        summary->arrivals[i].n = summary->splits[i] ? 2 : 0;
}

static void
walk_function(struct ck_divergence *d, struct ck_summary *summary)
{
    const struct ck_tfunc *function = summary->function;
    struct ck_walk w = {.d = d, .arena = d->arena, .function = function, .summary = summary};
    int n_slots = 0, n_params = 0;
    w.first_slot = CK_NEW_ARRAY(w.arena, int, function->n_locals);
    for (int i = 0; i < function->n_locals; i++) {
        w.first_slot[i] = n_slots;
        n_slots += ck_vary_items(function->locals[i].type);
        if (i < function->n_params)
            n_params = n_slots;
    }
    w.n_slots = n_slots;
    w.slots = CK_NEW_ARRAY(w.arena, struct ck_slot, n_slots + CK_N_WAITS);
    w.found = CK_NEW_ARRAY(w.arena, int, n_slots + CK_N_WAITS);
    w.barrier_of = CK_NEW_ARRAY(w.arena, int8_t, n_slots);
    for (int i = 0; i < function->n_locals; i++)
        find_tokens(function->locals[i].type, w.barrier_of + w.first_slot[i]);
    for (int i = 0; i < CK_N_WAITS; i++)
        w.slots[n_slots + i].vary.state = ck_split_at_entry(function);
    for (int p = 0; p < n_params; p++) {
        w.slots[p].vary.state = CK_TOKEN_UNKNOWN;
        for (int i = 0; !function->is_kernel && p < CK_MAX_VARY_PARAMS && i < CK_N_VARIATIONS; i++)
            w.slots[p].vary.params[i] = (uint64_t)1 << p;
    }
    walk_block(&w, &function->body);
    if (!w.dead)
        ck_divergence_exit(&w, function, (struct ck_span){0});
    if (!w.unsettled && w.n_snapshots < CK_MOST_SNAPSHOTS && !function->in_prelude)
        ck_split_classify(d, summary, &w.splits);
    else
        classify_nothing(summary);
}

struct ck_summary *
ck_divergence_summarise(struct ck_divergence *d, const struct ck_tfunc *function)
{
    uint32_t hash = ck_hash_pointer(function);
    for (int i = ck_index_first(&d->index, hash); i >= 0; i = ck_index_next(&d->index, i)) {
        if (d->summaries[i]->function == function && !d->summaries[i]->failed)
            return d->summaries[i];
    }
    struct ck_summary *summary = CK_NEW(d->arena, struct ck_summary);
    summary->function = function;
    if (function->returns->kind != CK_TYPE_VOID)
        summary->result = CK_NEW_ARRAY(d->arena, struct ck_vary, ck_vary_items(function->returns));
    else
        summary->result = CK_NEW(d->arena, struct ck_vary);
    CK_PUSH(d->arena, d->summaries, d->n_summaries, d->summaries_capacity, summary);
    ck_index_add(d->arena, &d->index, hash);
    walk_function(d, summary);
    return summary;
}

struct ck_divergence *
ck_divergence_new(struct ck_arena *arena, struct ck_diags *diags)
{
    struct ck_divergence *d = CK_NEW(arena, struct ck_divergence);
    d->arena = arena;
    d->diags = diags;
    return d;
}

static unsigned
variations_of(const void *context, const struct ck_tstmt *stmt)
{
    const struct ck_mark *mark = find_mark(context, stmt);
    return mark ? mark->between : 0;
}

static bool
reaches_all(struct ck_divergence *d, const struct ck_tfunc *kernel)
{
    ck_depth_enter(&d->depth);
    d->kernel = kernel;
    return !ck_divergence_summarise(d, kernel)->failed;
}

/* Forgets the summary of a kernel that has been rewritten. */
static void
forget(struct ck_divergence *d, const struct ck_tfunc *kernel)
{
    for (int i = 0; i < d->n_summaries; i++)
        d->summaries[i]->failed = d->summaries[i]->failed || d->summaries[i]->function == kernel;
}

static bool
stays_never(const struct ck_diag *diag)
{
    return diag == NULL;
}

/* Reports again why the kernel is rejected: because of what combines values of threads after some
 * have returned. */
static bool
explain(struct ck_divergence *d, struct ck_tfunc *kernel, struct ck_diags_mark before,
        struct ck_span combines)
{
    ck_diags_take(d->diags, before, stays_never);
    forget(d, kernel);
    d->combines = combines;
    const bool passes = reaches_all(d, kernel);
    d->combines = (struct ck_span){0};
    return passes;
}

/* Whether a condition differs by data alone. */
static bool
differs_by_data(const struct ck_marks *marks)
{
    bool differs = false;
    for (int i = 0; i < marks->n; i++) {
        const unsigned between = marks->items[i].between;
        differs = differs || between >> CK_WITH_DATA & ~between;
    }
    return differs;
}

/* Analyses the kernel as it is written, and its marks. */
static bool
passes_as_written(struct ck_divergence *d, const struct ck_tfunc *kernel)
{
    const struct ck_marks none = {0};
    d->marks = none;
    forget(d, kernel);
    return reaches_all(d, kernel);
}

/* Rewrites the kernel such that its threads reach its barriers, without a message; or leaves it,
 * and the messages that it had. */
static bool
predicate(struct ck_divergence *d, struct ck_tfunc *kernel, struct ck_diags_mark before,
          struct ck_predicate_job *job)
{
    const struct ck_tfunc as_written = *kernel;
    if (!ck_predicate_returns(d->arena, kernel, job))
        return false;
    struct ck_diag *taken = ck_diags_take(d->diags, before, stays_never);
    forget(d, kernel);
    if (reaches_all(d, kernel))
        return true;
    ck_diags_take(d->diags, before, stays_never);
    *kernel = as_written;
    passes_as_written(d, kernel);
    ck_diags_take(d->diags, before, stays_never);
    ck_diags_give(d->diags, taken);
    return false;
}

bool
ck_divergence_check(struct ck_divergence *d, struct ck_tfunc *kernel)
{
    if (!ck_tfunc_has(kernel, CK_EFFECTS_WAIT | CK_EFFECT_BARRIER_WORDS))
        return true;
    const struct ck_diags_mark before = ck_diags_mark(d->diags);
    const bool passes = passes_as_written(d, kernel);
    struct ck_predicate_job job = {
        .differs = variations_of, .context = &d->marks, .rejected = !passes, .with_data = true};
    if (differs_by_data(&d->marks) && predicate(d, kernel, before, &job))
        return true;
    job.with_data = false;
    if (predicate(d, kernel, before, &job))
        return true;
    return passes || (job.combines.end && explain(d, kernel, before, job.combines));
}
