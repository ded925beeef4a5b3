/* The conditions on the paths to a barrier, and the report of a barrier that some threads do not
 * reach. */
#include <string.h>

#include "lang/divergence/divergence_internal.h"

static void
add_param_reason(struct ck_arena *arena, struct ck_reach *reach, const uint64_t *params,
                 const struct ck_reason *reason)
{
    struct ck_param_reason added = {.reason = reason, .next = reach->params};
    bool any = false;
    for (int i = 0; i < CK_N_VARIATIONS; i++) {
        added.params[i] = params[i] & ~reach->vary.params[i];
        reach->vary.params[i] |= params[i];
        any = any || added.params[i];
    }
    if (!any)
        return;
    struct ck_param_reason *kept = CK_NEW(arena, struct ck_param_reason);
    *kept = added;
    reach->params = kept;
}

static void
add_reason(struct ck_reach *reach, int variation, struct ck_span origin,
           const struct ck_reason *reason)
{
    if (reach->vary.is[variation])
        return;
    reach->vary.is[variation] = true;
    reach->vary.origin[variation] = origin;
    reach->why[variation] = reason;
}

void
ck_reach_add(struct ck_arena *arena, struct ck_reach *reach, const struct ck_vary *vary,
             enum ck_condition_kind kind, struct ck_span condition)
{
    struct ck_vary all = reach->vary;
    if (!ck_vary_add(&all, vary))
        return;
    struct ck_reason *reason = CK_NEW(arena, struct ck_reason);
    *reason = (struct ck_reason){.kind = kind, .condition = condition};
    for (int i = 0; i < CK_N_VARIATIONS; i++) {
        if (vary->is[i])
            add_reason(reach, i, vary->origin[i], reason);
    }
    add_param_reason(arena, reach, vary->params, reason);
}

void
ck_reach_join(struct ck_arena *arena, struct ck_reach *to, const struct ck_reach *from)
{
    for (int i = 0; i < CK_N_VARIATIONS; i++) {
        if (from->vary.is[i])
            add_reason(to, i, from->vary.origin[i], from->why[i]);
    }
    struct ck_vary all = to->vary;
    if (!ck_vary_add(&all, &from->vary))
        return;
    for (const struct ck_param_reason *p = from->params; p; p = p->next)
        add_param_reason(arena, to, p->params, p->reason);
}

static const struct ck_reason *
leaving(struct ck_arena *arena, const struct ck_reason *reason, struct ck_span at)
{
    if (!reason || reason->left.end)
        return reason;
    struct ck_reason *left = CK_NEW(arena, struct ck_reason);
    *left = *reason;
    left->left = at;
    return left;
}

struct ck_reach
ck_reach_leaving(struct ck_arena *arena, const struct ck_reach *reach, struct ck_span at)
{
    struct ck_reach out = {0};
    for (int i = 0; i < CK_N_VARIATIONS; i++) {
        if (reach->vary.is[i])
            add_reason(&out, i, reach->vary.origin[i], leaving(arena, reach->why[i], at));
    }
    for (const struct ck_param_reason *p = reach->params; p; p = p->next)
        add_param_reason(arena, &out, p->params, leaving(arena, p->reason, at));
    return out;
}

struct ck_reach
ck_reach_by(struct ck_arena *arena, const struct ck_reach *reach, ck_reason_fn *counts,
            const void *data)
{
    struct ck_reach out = {0};
    for (int i = 0; i < CK_N_VARIATIONS; i++) {
        if (reach->vary.is[i] && counts(reach->why[i], data))
            add_reason(&out, i, reach->vary.origin[i], reach->why[i]);
    }
    for (const struct ck_param_reason *p = reach->params; p; p = p->next) {
        if (counts(p->reason, data))
            add_param_reason(arena, &out, p->params, p->reason);
    }
    return out;
}

struct ck_reach
ck_reach_at_call(struct ck_arena *arena, const struct ck_reach *reach, const struct ck_vary *args)
{
    struct ck_reach out = {0};
    for (int i = 0; i < CK_N_VARIATIONS; i++) {
        if (reach->vary.is[i])
            add_reason(&out, i, reach->vary.origin[i], reach->why[i]);
    }
    for (const struct ck_param_reason *p = reach->params; p; p = p->next) {
        struct ck_vary vary = {0};
        memcpy(vary.params, p->params, sizeof vary.params);
        vary = ck_vary_at_call(&vary, args);
        if (vary.unsure && p->reason->kind == CK_CONDITION_ARRAY)
            continue;
        for (int i = 0; i < CK_N_VARIATIONS; i++) {
            if (vary.is[i])
                add_reason(&out, i, vary.origin[i], p->reason);
        }
        add_param_reason(arena, &out, vary.params, p->reason);
    }
    return out;
}

/* --- Reports -------------------------------------------------------------------------------------
 */

struct ck_diag *
ck_divergence_note(const struct ck_divergence *d, struct ck_diag *diag)
{
    if (d->kernel->specialisation)
        ck_diag_note(d->diags, diag, "%s", d->kernel->specialisation);
    return diag;
}

/* --- Barriers ------------------------------------------------------------------------------------
 */

static bool
is_within(struct ck_span inner, struct ck_span outer)
{
    return inner.start >= outer.start && inner.end <= outer.end;
}

static const char *
fix(const struct ck_divergence *d, const struct ck_reason *reason)
{
    if (reason->left.end && d->combines.end)
        return "let threads without work go on with a value that changes nothing instead of "
               "leaving, as `v = x[i] if i < n else 0`, and put stores under an `if`";
    if (reason->left.end)
        return "let every thread reach the barrier: put the work of the others under an `if` "
               "instead of leaving";
    switch (reason->kind) {
    case CK_CONDITION_IF:
        return "guard the work, not the barrier: end the `if` before it";
    case CK_CONDITION_WHILE:
    case CK_CONDITION_FOR:
        return "make every thread run the same number of iterations: loop to a bound that all "
               "of them share, and guard the work in the loop with an `if`";
    case CK_CONDITION_ARRAY:
        return "give every thread the whole array: they divide it among themselves; one that "
               "copies "
               "for itself uses `this_thread()`";
    default:
        return "call it before, on every path, and use its result here";
    }
}

static void
report(struct ck_divergence *d, struct ck_summary *summary, int waits, int variation,
       const struct ck_reason *reason, struct ck_span origin, struct ck_span barrier,
       struct ck_span call)
{
    static const char *const groups[] = {"block", "cluster", "grid"};
    static const char *const what[] = {"thread", "block", "cluster"};
    const char *text = ck_diag_text(d->diags, barrier);
    const bool warns = reason->kind == CK_CONDITION_ARRAY;
    struct ck_diag *diag = warns ? ck_diag_add(d->diags, CK_DIAG_UNEQUAL_ARRAYS, barrier, text)
                                 : ck_divergence_error(d, DIVERGENT, barrier, groups[waits], text);
    summary->failed = summary->failed || !warns;
    if (reason->left.end)
        ck_diag_label(d->diags, diag, reason->left, "threads leave here");
    const struct ck_span combines = d->combines;
    if (reason->left.end && combines.end && !is_within(combines, barrier))
        ck_diag_label(d->diags, diag, combines,
                      "threads that have returned cannot take part in this");
    const char *how = reason->kind == CK_CONDITION_FOR ? "the trip count" : "this";
    ck_diag_label(d->diags, diag, reason->condition, "%s depends on the %s", how, what[variation]);
    if (origin.end && !is_within(origin, reason->condition))
        ck_diag_label(d->diags, diag, origin, "this differs between %ss", what[variation]);
    if (call.end && !is_within(barrier, call))
        ck_diag_label(d->diags, diag, call, "%s is reached through this call",
                      warns ? "it" : "the barrier");
    ck_diag_help(d->diags, diag, "%s", fix(d, reason));
}

/* Whether a barrier of this kind waits for threads between which the condition differs. */
static bool
concerns(int waits, int variation)
{
    if (variation >= CK_WITH_DATA)
        return false;
    switch (waits) {
    case CK_WAITS_BLOCK:
        return variation == CK_BETWEEN_THREADS;
    case CK_WAITS_CLUSTER:
        return variation != CK_BETWEEN_CLUSTERS;
    default:
        return true;
    }
}

static void
add_need(struct ck_divergence *d, struct ck_summary *summary, int waits,
         const struct ck_reach *reach, struct ck_span barrier)
{
    bool is_new = false;
    for (int i = 0; i < CK_N_VARIATIONS; i++) {
        uint64_t *needed = &summary->needed[waits][i];
        if (!concerns(waits, i))
            continue;
        is_new = is_new || (reach->vary.params[i] & ~*needed);
        *needed |= reach->vary.params[i];
    }
    if (!is_new)
        return;
    struct ck_need *need = CK_NEW(d->arena, struct ck_need);
    *need = (struct ck_need){
        .waits = waits, .barrier = barrier, .reach = *reach, .next = summary->needs};
    summary->needs = need;
}

static int
variation_of(const struct ck_reach *reach, int waits)
{
    for (int i = 0; i < CK_N_VARIATIONS; i++) {
        if (reach->vary.is[i] && concerns(waits, i))
            return i;
    }
    return -1;
}

bool
ck_reach_check(struct ck_divergence *d, struct ck_summary *summary, const struct ck_reach *reach,
               int waits, struct ck_span barrier, struct ck_span call)
{
    int i = variation_of(reach, waits);
    if (i >= 0)
        report(d, summary, waits, i, reach->why[i], reach->vary.origin[i], barrier, call);
    return i < 0;
}

void
ck_reach_barrier(struct ck_divergence *d, struct ck_summary *summary, const struct ck_reach *reach,
                 int waits, struct ck_span barrier, struct ck_span call)
{
    if (!summary->barrier[waits].end)
        summary->barrier[waits] = barrier;
    if (ck_reach_check(d, summary, reach, waits, barrier, call))
        add_need(d, summary, waits, reach, barrier);
}

void
ck_reach_needs(struct ck_divergence *d, struct ck_summary *summary, const struct ck_need *need,
               const struct ck_vary *args, struct ck_span call)
{
    struct ck_reach reach = ck_reach_at_call(d->arena, &need->reach, args);
    if (ck_reach_check(d, summary, &reach, need->waits, need->barrier, call))
        add_need(d, summary, need->waits, &reach, need->barrier);
}
