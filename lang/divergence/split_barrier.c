/* Split barriers that a thread misuses on every path to a place: it arrives again before it waits,
 * waits with a used token, waits for the whole group in between, or ends without having waited.
 * What is wrong on only some paths, or in only some iterations of a loop, is left to the CPU device
 * to detect at run time.
 *
 * The state at a place, for the split barriers of the block, the cluster and the grid each, is a
 * set of pairs: whether a wait was due at the function's entry, and whether one is due here. A
 * token may be that of the wait that is due, or used. */
#include "lang/divergence/divergence_internal.h"

enum { ENTERED_FREE, ENTERED_DUE };

static unsigned
pair(int entered, int due)
{
    return 1u << (entered * 2 + due);
}

unsigned
ck_split_at_entry(const struct ck_tfunc *function)
{
    return function->is_kernel ? pair(ENTERED_FREE, 0)
                               : pair(ENTERED_FREE, 0) | pair(ENTERED_DUE, 1);
}

bool
ck_split_may_be_due(unsigned state)
{
    return state & (pair(ENTERED_FREE, 1) | pair(ENTERED_DUE, 1));
}

unsigned
ck_split_after(unsigned state, bool due)
{
    unsigned out = 0;
    for (int entered = 0; entered < 2; entered++) {
        if (state & (pair(entered, 0) | pair(entered, 1)))
            out |= pair(entered, due);
    }
    return out;
}

unsigned
ck_split_after_call(unsigned state, unsigned callee)
{
    unsigned out = 0;
    for (int entered = 0; entered < 2; entered++) {
        for (int before = 0; before < 2; before++) {
            if (state & pair(entered, before))
                out |= (callee >> (before * 2) & 3) << (entered * 2);
        }
    }
    return out ? out : state; /* the loop never ends */
}

/* --- Places --------------------------------------------------------------------------------------
 */

struct ck_split_site *
ck_split_site(struct ck_arena *arena, struct ck_splits *splits, const void *key, int waits)
{
    uint32_t hash = ck_hash_mix(ck_hash_pointer(key), (uint32_t)waits);
    for (int i = ck_index_first(&splits->index, hash); i >= 0;
         i = ck_index_next(&splits->index, i)) {
        if (splits->sites[i]->key == key && splits->sites[i]->waits == waits)
            return splits->sites[i];
    }
    struct ck_split_site *site = CK_NEW(arena, struct ck_split_site);
    site->key = key;
    site->waits = waits;
    CK_PUSH(arena, splits->sites, splits->n, splits->capacity, site);
    ck_index_add(arena, &splits->index, hash);
    return site;
}

/* Correct where a wait is due, or where none is; `right` is indexed by that. */
void
ck_split_visit(struct ck_split_site *site, const struct ck_vary *barrier, const bool *right)
{
    for (int entered = 0; entered < 2; entered++) {
        for (int due = 0; due < 2; due++) {
            if (!(barrier->state & pair(entered, due)))
                continue;
            site->seen[entered] = true;
            site->right[entered] = site->right[entered] || right[due];
        }
    }
    if (!site->arrival.end)
        site->arrival = barrier->arrival;
}

/* --- Reports -------------------------------------------------------------------------------------
 */

static const char *
text_of(const struct ck_divergence *d, const struct ck_split_site *site)
{
    static const char *const groups[] = {"block", "cluster", "grid"};
    const char *group = groups[site->waits], *text = ck_diag_text(d->diags, site->span);
    switch (site->what) {
    case CK_SPLIT_ARRIVE:
        return ck_arena_printf(d->arena, "`%s` arrives again before the %s was waited for", text,
                               group);
    case CK_SPLIT_WAIT:
        return ck_arena_printf(d->arena, "`%s` waits with a token that was already waited on",
                               text);
    case CK_SPLIT_BETWEEN:
        return ck_arena_printf(d->arena, "`%s` waits for the %s between an arrival and its wait",
                               text, group);
    default:
        return ck_arena_printf(d->arena, "the kernel ends without waiting for `%s`",
                               ck_diag_text(d->diags, site->arrival));
    }
}

static void
report(struct ck_divergence *d, const struct ck_split_site *site)
{
    static const char *const helps[] = {
        [CK_SPLIT_ARRIVE] = "pass the token to `barrier_wait` before the next arrival",
        [CK_SPLIT_WAIT] = "each arrival is waited for once, with the token that it returned",
        [CK_SPLIT_BETWEEN] = "call it before the arrival or after the wait",
        [CK_SPLIT_END] = "pass the token to `barrier_wait` on every path to the end",
    };
    bool ends = site->what == CK_SPLIT_END;
    struct ck_span at = ends ? site->arrival : site->span;
    struct ck_diag *diag = ck_divergence_error(d, SPLIT_BARRIER, at, text_of(d, site));
    bool has_arrival = site->arrival.end && site->arrival.start != at.start;
    if (has_arrival && site->what != CK_SPLIT_WAIT)
        ck_diag_label(d->diags, diag, site->arrival, "the arrival");
    if (ends && site->span.end)
        ck_diag_label(d->diags, diag, site->span, "threads end here");
    if (site->call.end)
        ck_diag_label(d->diags, diag, site->call, "reached through this call");
    ck_diag_help(d->diags, diag, "%s", helps[site->what]);
}

/* Whether the condition keeps threads from an arrival for good. A condition inside a loop does not:
 * each thread may reach the arrival in another iteration. Nor does a trip count, if some iterations
 * have no arrival. */
static bool
counts_for_good(const struct ck_reason *reason, const void *data)
{
    const struct ck_split_site *site = data;
    bool by_trip_count = site->sure && reason->condition.start == site->trips.start &&
                         reason->condition.end == site->trips.end && !reason->left.end;
    return !site->in_loop || by_trip_count || reason->condition.start < site->loop;
}

/* Threads that do not reach a function's only arrival may arrive elsewhere. */
static struct ck_arrivals
arrivals_of(struct ck_arena *arena, const struct ck_splits *splits, int waits)
{
    struct ck_arrivals all = {0};
    for (int i = 0; i < splits->n; i++) {
        const struct ck_split_site *site = splits->sites[i];
        if (site->waits != waits || (!site->inner.n && site->what != CK_SPLIT_ARRIVE))
            continue;
        int n = all.n + (site->inner.n ? site->inner.n : 1);
        all = site->inner;
        all.n = n < 2 ? n : 2;
        all.sure = site->sure && !site->in_loop;
        if (!site->inner.n)
            all.span = site->span;
        struct ck_reach own = ck_reach_by(arena, &site->reach, counts_for_good, site);
        ck_reach_join(arena, &all.reach, &own);
    }
    return all;
}

void
ck_split_classify(struct ck_divergence *d, struct ck_summary *summary,
                  const struct ck_splits *splits)
{
    for (int i = 0; i < splits->n; i++) {
        const struct ck_split_site *site = splits->sites[i];
        bool wrong[2], any = false, all = true;
        for (int entered = 0; entered < 2; entered++) {
            wrong[entered] = site->seen[entered] && !site->right[entered];
            any = any || wrong[entered];
            all = all && (wrong[entered] || !site->seen[entered]);
        }
        if (!any)
            continue;
        if (all) {
            report(d, site);
            summary->failed = true;
        }
        for (int entered = 0; entered < 2 && !all; entered++) {
            if (wrong[entered] && !summary->wrong[site->waits][entered])
                summary->wrong[site->waits][entered] = site;
        }
    }
    for (int waits = 0; waits < CK_N_WAITS; waits++)
        summary->arrivals[waits] = arrivals_of(d->arena, splits, waits);
    if (!summary->function->is_kernel)
        return;
    for (int waits = 0; waits < CK_N_WAITS && !summary->failed; waits++) {
        if (!summary->arrives[waits].end || summary->awaits[waits])
            continue;
        report(d, &(struct ck_split_site){
                      .what = CK_SPLIT_END, .waits = waits, .arrival = summary->arrives[waits]});
        summary->failed = true;
    }
    for (int waits = CK_WAITS_BLOCK; waits <= CK_WAITS_CLUSTER; waits++) {
        const struct ck_arrivals *only = &summary->arrivals[waits];
        if (only->n == 1)
            ck_reach_check(d, summary, &only->reach, waits, only->span, only->call);
    }
}
