/* Divergence: one walk over each function's statements with what is known of each local at that
 * point. Where paths meet, only locals that one of them set are joined; a loop is walked again
 * until what is known at its head no longer changes. */
#include "lang/divergence/divergence.h"

#include <string.h>

#include "lang/divergence/divergence_internal.h"

/* A loop settles after as many turns as the longest chain of names, each set from the next; one
 * that takes more is not judged further. */
enum { MOST_TURNS = 16, MOST_SNAPSHOTS = 1 << 16 };

/* One value of a local. */
struct slot {
    struct ck_vary vary;
    int version; /* of the statement that set it */
    int region;  /* in whose log it is last */
};

/* A slot's value before a region set it. */
struct undo {
    int slot;
    struct slot old;
};

struct change {
    int slot;
    struct ck_vary vary; /* at the region's end */
    int version;
};

struct changes {
    struct change *items;
    int n, capacity;
};

struct loop {
    struct ck_reach broke, continued;
    struct changes at_breaks, at_continues;
    int n_continues;
    bool breaks;
    int log_mark;
    struct ck_span span, turns; /* turns: what says how often */
    int n_conditions;           /* around it, it included */
    struct loop *outer;
};

/* What was known at a loop's head when it was last walked. */
struct head {
    const struct ck_tstmt *stmt;
    struct changes slots;
};

struct walk {
    struct ck_divergence *d;
    struct ck_arena *arena;
    const struct ck_tfunc *function;
    struct ck_summary *summary;
    struct slot *slots; /* those of the locals, then the split barriers */
    int *first_slot;    /* by local */
    int8_t *barrier_of; /* by slot: of a token, the barrier; else -1 */
    int n_slots;        /* of the locals */
    struct ck_splits splits;
    bool too_deep; /* reported */
    bool unsettled;
    int *found;            /* by slot: scratch */
    struct ck_vary *place; /* gets what the place of a view depends on; NULL: of no interest */
    struct undo *log;
    int n_log, log_capacity;
    int region, n_regions, n_versions, n_snapshots;
    struct loop *loop;
    struct ck_reach reach, returned;
    bool dead;        /* no thread comes here */
    int n_conditions; /* branches and loops around this place */
    bool has_left;    /* some way leaves a loop or the function before */
    struct head *heads;
    int n_heads, heads_capacity;
    struct ck_index head_index;
};

static struct ck_summary *summarise(struct ck_divergence *d, const struct ck_tfunc *function);
static void eval(struct walk *w, const struct ck_texpr *expr, struct ck_vary *out);

/* --- Slots ---------------------------------------------------------------------------------------
 */

static void
set_slot(struct walk *w, int slot, const struct ck_vary *vary, int version)
{
    struct slot *at = &w->slots[slot];
    if (at->region != w->region) {
        struct undo undo = {slot, *at};
        CK_PUSH(w->arena, w->log, w->n_log, w->log_capacity, undo);
        at->region = w->region;
    }
    at->vary = *vary;
    at->version = version;
}

struct region {
    int outer, log_mark;
};

static struct region
region_begin(struct walk *w)
{
    struct region region = {w->region, w->n_log};
    w->region = ++w->n_regions;
    return region;
}

/* Takes back what the region set, and tells it. */
static struct changes
region_end(struct walk *w, struct region region)
{
    struct changes out = {.n = w->n_log - region.log_mark};
    out.capacity = out.n;
    out.items = CK_NEW_ARRAY(w->arena, struct change, out.n);
    for (int i = 0; i < out.n; i++) {
        const struct undo *undo = &w->log[region.log_mark + i];
        struct slot *slot = &w->slots[undo->slot];
        out.items[i] = (struct change){undo->slot, slot->vary, slot->version};
        *slot = undo->old;
    }
    w->n_log = region.log_mark;
    w->region = region.outer;
    return out;
}

/* What the locals are where a loop is left or goes on. */
static void
snapshot(struct walk *w, struct changes *out)
{
    for (int i = w->loop->log_mark; i < w->n_log && w->n_snapshots < MOST_SNAPSHOTS; i++) {
        int slot = w->log[i].slot;
        struct change change = {slot, w->slots[slot].vary, w->slots[slot].version};
        CK_PUSH(w->arena, out->items, out->n, out->capacity, change);
        w->n_snapshots++;
    }
}

static void
apply(struct walk *w, const struct changes *changes)
{
    for (int i = 0; i < changes->n; i++)
        set_slot(w, changes->items[i].slot, &changes->items[i].vary, changes->items[i].version);
}

/* Where two paths meet that a value has parted. */
static void
merge(struct walk *w, const struct changes *a, const struct changes *b, const struct ck_vary *by)
{
    int version = ++w->n_versions;
    for (int i = 0; i < a->n; i++)
        w->found[a->items[i].slot] = i + 1;
    for (int i = 0; i < b->n; i++) {
        int slot = b->items[i].slot, other = w->found[slot] - 1;
        struct ck_vary vary = other >= 0 ? a->items[other].vary : w->slots[slot].vary;
        ck_vary_add(&vary, &b->items[i].vary);
        ck_vary_add(&vary, by);
        w->found[slot] = 0;
        set_slot(w, slot, &vary, version);
    }
    for (int i = 0; i < a->n; i++) {
        int slot = a->items[i].slot;
        if (!w->found[slot])
            continue;
        w->found[slot] = 0;
        struct ck_vary vary = w->slots[slot].vary;
        ck_vary_add(&vary, &a->items[i].vary);
        ck_vary_add(&vary, by);
        set_slot(w, slot, &vary, version);
    }
}

/* --- Expressions ---------------------------------------------------------------------------------
 */

/* The whole value as one, tokens in it not told apart. */
static struct ck_vary
eval_one(struct walk *w, const struct ck_texpr *expr)
{
    struct ck_vary items[CK_MAX_VARY_ITEMS], all = {0};
    memset(items, 0, sizeof items);
    eval(w, expr, items);
    for (int i = 0; i < ck_vary_items(expr->type); i++)
        ck_vary_add(&all, &items[i]);
    all.state = 0;
    return all;
}

static void
eval_indices(struct walk *w, const struct ck_texpr *array, const struct ck_tindex *indices)
{
    for (int i = 0; indices && i < array->type->array.ndim; i++)
        eval_one(w, indices[i].value);
}

static void
eval_tuple(struct walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    bool split = ck_vary_is_split(expr->type);
    for (int i = 0, at = 0; i < expr->tuple.n; i++) {
        const struct ck_texpr *item = expr->tuple.items[i];
        if (split) {
            eval(w, item, out + at);
            at += ck_vary_items(item->type);
        } else {
            struct ck_vary one = eval_one(w, item);
            ck_vary_add(&out[0], &one);
        }
    }
}

static void
eval_item(struct walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    const struct ck_type *type = expr->item.tuple->type;
    int n = ck_vary_items(expr->type);
    if (!ck_vary_is_split(type)) {
        struct ck_vary one = eval_one(w, expr->item.tuple);
        one.state = CK_TOKEN_UNKNOWN;
        for (int i = 0; i < n; i++)
            out[i] = one;
        return;
    }
    struct ck_vary items[CK_MAX_VARY_ITEMS];
    memset(items, 0, sizeof items);
    eval(w, expr->item.tuple, items);
    int at = 0;
    for (int i = 0; i < expr->item.index; i++)
        at += ck_vary_items(type->tuple.items[i]);
    memcpy(out, items + at, sizeof *out * (size_t)n);
}

static void
eval_select(struct walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    struct ck_vary test = eval_one(w, expr->select.test);
    struct ck_vary other[CK_MAX_VARY_ITEMS];
    memset(other, 0, sizeof other);
    struct ck_reach before = w->reach;
    ck_reach_add(w->arena, &w->reach, &test, CK_WAY_PART, expr->select.test->span);
    struct region region = region_begin(w);
    eval(w, expr->select.then, out);
    struct changes then = region_end(w, region);
    region = region_begin(w);
    eval(w, expr->select.otherwise, other);
    struct changes otherwise = region_end(w, region);
    merge(w, &then, &otherwise, &test);
    w->reach = before;
    for (int i = 0; i < ck_vary_items(expr->type); i++) {
        ck_vary_add(&out[i], &other[i]);
        ck_vary_add(&out[i], &test);
    }
}

static struct ck_vary
eval_logical(struct walk *w, const struct ck_texpr *expr)
{
    struct ck_vary left = eval_one(w, expr->logical.left);
    struct ck_reach before = w->reach;
    ck_reach_add(w->arena, &w->reach, &left, CK_WAY_PART, expr->logical.left->span);
    struct region region = region_begin(w);
    struct ck_vary right = eval_one(w, expr->logical.right);
    struct changes changes = region_end(w, region), none = {0};
    merge(w, &changes, &none, &left);
    w->reach = before;
    ck_vary_add(&left, &right);
    return left;
}

static void
eval_let(struct walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    struct ck_vary items[CK_MAX_VARY_ITEMS];
    memset(items, 0, sizeof items);
    eval(w, expr->let.init, items);
    int version = ++w->n_versions;
    for (int i = 0; i < ck_vary_items(expr->let.init->type); i++)
        set_slot(w, w->first_slot[expr->let.local] + i, &items[i], version);
    eval(w, expr->let.body, out);
}

static void
eval_place(struct walk *w, const struct ck_texpr *index)
{
    struct ck_vary *place = w->place;
    w->place = NULL;
    struct ck_vary one = eval_one(w, index);
    w->place = place;
    if (place)
        ck_vary_add(place, &one);
}

/* Of an array only its extents are judged, and where a group copies, its place. */
static struct ck_vary
eval_view(struct walk *w, const struct ck_texpr *expr)
{
    const struct ck_texpr *array = expr->view.array;
    struct ck_vary all = eval_one(w, array);
    for (int i = 0; i < array->type->array.ndim; i++) {
        const struct ck_taxis *axis = &expr->view.axes[i];
        const struct ck_texpr *bounds[] = {axis->start.value, axis->stop.value, axis->step};
        if (!axis->is_slice) {
            eval_place(w, axis->index.value);
            continue;
        }
        for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++) {
            struct ck_vary one = {0};
            if (bounds[k])
                one = eval_one(w, bounds[k]);
            ck_vary_add(&all, &one);
        }
    }
    return all;
}

/* --- Split barriers ------------------------------------------------------------------------------
 */

static struct ck_split_site *
split_site(struct walk *w, const void *key, int waits, enum ck_split_what what, struct ck_span span)
{
    struct ck_split_site *site = ck_split_site(w->arena, &w->splits, key, waits);
    site->what = what;
    site->span = span;
    return site;
}

/* Other waits for the whole group; the block's are independent of its split barrier. */
static void
split_between(struct walk *w, const struct ck_texpr *expr, int waits)
{
    static const bool right[2] = {true, false};
    if (waits == CK_WAITS_BLOCK)
        return;
    ck_split_visit(split_site(w, expr, waits, CK_SPLIT_BETWEEN, expr->span),
                   &w->slots[w->n_slots + waits].vary, right);
}

/* A wait is due now, or none; or both may be. Tokens that there are become used up, or may. */
static void
split_goes_on(struct walk *w, int waits, const struct ck_vary *barrier, unsigned tokens)
{
    int version = ++w->n_versions;
    set_slot(w, w->n_slots + waits, barrier, version);
    for (int i = 0; i < w->n_slots; i++) {
        const unsigned old = w->slots[i].vary.state;
        const unsigned now = old & tokens & CK_TOKEN_DUE ? CK_TOKEN_UNKNOWN : CK_TOKEN_USED;
        if (w->barrier_of[i] != waits || !old || old == now)
            continue;
        struct ck_vary token = w->slots[i].vary;
        token.state = now;
        set_slot(w, i, &token, version);
    }
    w->summary->splits[waits] = true;
}

static void
split_reach(const struct walk *w, struct ck_split_site *site)
{
    int around = 0;
    site->reach = w->reach;
    for (const struct loop *loop = w->loop; loop; loop = loop->outer) {
        site->in_loop = true;
        site->loop = loop->span.start;
        site->turns = loop->turns;
        around = loop->n_conditions;
    }
    site->sure = w->n_conditions == around && !w->has_left && (!site->inner.n || site->inner.sure);
}

static void
split_member(struct walk *w, const struct ck_texpr *expr, const struct ck_vary *args,
             struct ck_vary *out)
{
    int waits, what = ck_split_of_member(expr->call.function, &waits);
    if (what < 0)
        return;
    if (what == CK_SPLIT_BETWEEN) {
        split_between(w, expr, waits);
        return;
    }
    bool arrives = what == CK_SPLIT_ARRIVE;
    bool right[2] = {arrives, !arrives && (args[expr->call.n_args - 1].state & CK_TOKEN_DUE)};
    struct ck_vary barrier = w->slots[w->n_slots + waits].vary;
    struct ck_split_site *site = split_site(w, expr, waits, (enum ck_split_what)what, expr->span);
    ck_split_visit(site, &barrier, right);
    split_reach(w, site);
    if (arrives && !w->summary->arrives[waits].end)
        w->summary->arrives[waits] = expr->span;
    w->summary->awaits[waits] = w->summary->awaits[waits] || !arrives;
    if (!arrives && !right[1])
        return; /* reported: the arrival that is waited for in vain is another matter */
    barrier.state = ck_split_after(barrier.state, arrives);
    if (arrives)
        barrier.arrival = expr->span;
    split_goes_on(w, waits, &barrier, CK_TOKEN_USED);
    if (arrives)
        out[0].state = CK_TOKEN_DUE;
}

static void
split_call(struct walk *w, const struct ck_texpr *expr, const struct ck_summary *callee,
           const struct ck_vary *args)
{
    for (int waits = 0; waits < CK_N_WAITS; waits++) {
        const struct ck_split_site *const *wrong = callee->wrong[waits];
        struct ck_vary barrier = w->slots[w->n_slots + waits].vary;
        const struct ck_split_site *first = wrong[0] ? wrong[0] : wrong[1];
        if (first) {
            bool right[2] = {!wrong[0], !wrong[1]};
            struct ck_split_site *site = split_site(w, expr, waits, first->what, first->span);
            site->call = expr->span;
            ck_split_visit(site, &barrier, right);
        }
        const struct ck_arrivals *inner = &callee->arrivals[waits];
        if (inner->n) {
            struct ck_split_site *site = ck_split_site(w->arena, &w->splits, expr, waits);
            site->inner = *inner;
            site->inner.call = expr->span;
            site->inner.reach = ck_reach_at_call(w->arena, &inner->reach, args);
            split_reach(w, site);
        }
        if (!callee->splits[waits])
            continue;
        w->summary->awaits[waits] = w->summary->awaits[waits] || callee->awaits[waits];
        if (callee->arrives[waits].end && !w->summary->arrives[waits].end)
            w->summary->arrives[waits] = expr->span;
        barrier.state = ck_split_after_call(barrier.state, callee->exit[waits]);
        if (ck_split_may_be_due(barrier.state))
            barrier.arrival = expr->span;
        split_goes_on(w, waits, &barrier,
                      ck_split_may_be_due(barrier.state) ? CK_TOKEN_UNKNOWN : CK_TOKEN_USED);
    }
}

/* Threads leave the function. */
static void
split_exit(struct walk *w, const void *key, struct ck_span span)
{
    static const bool right[2] = {true, false};
    for (int waits = 0; waits < CK_N_WAITS; waits++) {
        const struct ck_vary *barrier = &w->slots[w->n_slots + waits].vary;
        w->summary->exit[waits] |= barrier->state;
        if (w->function->is_kernel)
            ck_split_visit(split_site(w, key, waits, CK_SPLIT_END, span), barrier, right);
    }
}

static void
eval_builtin(struct walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    int n = expr->builtin.n_args;
    struct ck_vary few[4], *args = n <= 4 ? few : CK_NEW_ARRAY(w->arena, struct ck_vary, n);
    for (int i = 0; i < n; i++)
        args[i] = eval_one(w, expr->builtin.args[i]);
    if (expr->builtin.indices)
        eval_indices(w, expr->builtin.args[0], expr->builtin.indices);
    int waits = ck_waits_of_builtin(expr->builtin.id);
    if (waits >= 0 && !w->function->in_prelude) {
        ck_reach_barrier(w->d, w->summary, &w->reach, waits, expr->span, (struct ck_span){0});
        split_between(w, expr, waits);
    }
    ck_vary_of_builtin(expr, args, out);
}

/* Of the prelude the user sees calls alone. */
static void
show_at_call(struct ck_vary *vary, struct ck_span call)
{
    for (int i = 0; i < CK_N_VARIATIONS; i++)
        vary->origin[i] = call;
}

/* What a group copies: where its arrays are counts too, and it has to be the same for all. */
static void
eval_copied(struct walk *w, const struct ck_texpr *arg, struct ck_vary *items,
            struct ck_reach *given)
{
    struct ck_vary *outer = w->place, place = {0};
    w->place = &place;
    eval(w, arg, items);
    w->place = outer;
    ck_vary_add(&place, &items[0]);
    if (!place.unsure)
        ck_reach_add(w->arena, given, &place, CK_WAY_ARRAY, arg->span);
}

static void
eval_call(struct walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    const struct ck_tfunc *callee = expr->call.function;
    struct ck_vary args[CK_MAX_VARY_PARAMS], items[CK_MAX_VARY_ITEMS];
    struct ck_vary *wholes = CK_NEW_ARRAY(w->arena, struct ck_vary, expr->call.n_args);
    memset(args, 0, sizeof args);
    bool users = !w->function->in_prelude;
    const bool copies = users && callee->in_prelude && ck_copies_for_block(callee);
    struct ck_reach given = {0};
    for (int i = 0, at = 0; i < expr->call.n_args; i++) {
        const struct ck_texpr *arg = expr->call.args[i];
        memset(items, 0, sizeof items);
        if (copies && !ck_type_is_group(arg->type))
            eval_copied(w, arg, items, &given);
        else
            eval(w, arg, items);
        for (int k = 0; k < ck_vary_items(arg->type); k++) {
            ck_vary_add(&wholes[i], &items[k]);
            if (at < CK_MAX_VARY_PARAMS)
                args[at++] = items[k];
        }
    }
    struct ck_summary *summary = summarise(w->d, callee);
    w->summary->failed = w->summary->failed || summary->failed;
    int waits = callee->in_prelude && users ? ck_waits_of_member(callee) : -1;
    struct ck_span none = {0};
    if (waits >= 0)
        ck_reach_barrier(w->d, w->summary, &w->reach, waits, expr->span, none);
    if (copies)
        ck_reach_barrier(w->d, w->summary, &given, waits, expr->span, none);
    for (int i = 0; users && i < CK_N_WAITS; i++) {
        if (summary->barrier[i].end)
            ck_reach_barrier(w->d, w->summary, &w->reach, i, summary->barrier[i], expr->span);
    }
    for (const struct ck_need *need = users ? summary->needs : NULL; need; need = need->next)
        ck_reach_needs(w->d, w->summary, need, args, expr->span);
    bool known = callee->in_prelude && ck_vary_of_member(callee, expr, wholes, out);
    for (int i = 0; !known && i < ck_vary_items(expr->type); i++) {
        struct ck_vary result = summary->result[i];
        if (callee->in_prelude)
            show_at_call(&result, expr->span);
        out[i] = ck_vary_at_call(&result, args);
    }
    if (users && callee->in_prelude)
        split_member(w, expr, wholes, out);
    else if (users)
        split_call(w, expr, summary, args);
}

/* Whether it is a block's index divided by the extent of its cluster, or a multiple, which is the
 * same for the blocks of a cluster. */
static bool
is_of_cluster(const struct ck_tfunc *function, const struct ck_texpr *expr)
{
    const struct ck_texpr *index = expr->binary.left, *by = expr->binary.right;
    while (index->kind == CK_T_CAST && ck_type_is_int(index->type))
        index = index->unary.operand;
    int dim = index->kind == CK_T_BUILTIN ? (int)index->builtin.id - CK_BUILTIN_BLOCK_IDX_X : -1;
    if (expr->binary.op != CK_OP_FLOORDIV || by->kind != CK_T_CONST || dim < 0 || dim > 2)
        return false;
    int extent = function->cluster[dim];
    return extent && by->constant.i > 0 && by->constant.i % extent == 0;
}

/* The items of `expr` in `out`, which is zero. */
static void
eval(struct walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    struct ck_vary one;
    if (w->too_deep || !ck_depth_check(&w->d->depth, w->d->diags, expr->span)) {
        w->too_deep = w->summary->failed = true;
        return;
    }
    switch (expr->kind) {
    case CK_T_CONST:
    case CK_T_ARRAY:
        break;
    case CK_T_LOCAL:
        for (int i = 0; i < ck_vary_items(expr->type); i++)
            out[i] = w->slots[w->first_slot[expr->local] + i].vary;
        break;
    case CK_T_LET:
        eval_let(w, expr, out);
        break;
    case CK_T_CAST:
    case CK_T_UNARY:
        eval(w, expr->unary.operand, out);
        break;
    case CK_T_RETYPE:
    case CK_T_REINTERPRET:
        eval(w, expr->operand, out);
        break;
    case CK_T_TRANSPOSE:
        eval(w, expr->transpose.array, out);
        break;
    case CK_T_BINARY:
        eval(w, expr->binary.left, out);
        one = eval_one(w, expr->binary.right);
        out->unsure =
            out->unsure || (expr->binary.op == CK_OP_SUB && ck_vary_any(out) && ck_vary_any(&one));
        ck_vary_add(out, &one);
        if (is_of_cluster(w->function, expr))
            out->is[CK_BETWEEN_BLOCKS] = false;
        break;
    case CK_T_COMPARE:
        eval(w, expr->compare.left, out);
        one = eval_one(w, expr->compare.right);
        ck_vary_add(out, &one);
        break;
    case CK_T_LOGICAL:
        out[0] = eval_logical(w, expr);
        break;
    case CK_T_SELECT:
        eval_select(w, expr, out);
        break;
    case CK_T_TUPLE:
        eval_tuple(w, expr, out);
        break;
    case CK_T_ITEM:
        eval_item(w, expr, out);
        break;
    case CK_T_ELEMENT: /* data */
        eval_one(w, expr->element.array);
        eval_indices(w, expr->element.array, expr->element.indices);
        break;
    case CK_T_SHAPE:
    case CK_T_STRIDE:
        out[0] = eval_one(w, expr->extent.array);
        break;
    case CK_T_VIEW:
        out[0] = eval_view(w, expr);
        break;
    case CK_T_CALL:
        eval_call(w, expr, out);
        break;
    case CK_T_BUILTIN:
        eval_builtin(w, expr, out);
        break;
    }
}

/* --- Statements ----------------------------------------------------------------------------------
 */

static void walk_block(struct walk *w, const struct ck_tblock *block);

/* Where paths meet again: the threads that left before are still missing. */
static void
meet(struct walk *w, const struct ck_reach *before)
{
    w->reach = *before;
    ck_reach_join(w->arena, &w->reach, &w->returned);
    if (w->loop) {
        ck_reach_join(w->arena, &w->reach, &w->loop->broke);
        ck_reach_join(w->arena, &w->reach, &w->loop->continued);
    }
}

static void
assign(struct walk *w, int local, const struct ck_texpr *value)
{
    struct ck_vary items[CK_MAX_VARY_ITEMS];
    memset(items, 0, sizeof items);
    eval(w, value, items);
    int version = ++w->n_versions;
    for (int i = 0; i < ck_vary_items(w->function->locals[local].type); i++)
        set_slot(w, w->first_slot[local] + i, &items[i], version);
}

static void
walk_if(struct walk *w, const struct ck_tstmt *stmt)
{
    struct ck_vary test = eval_one(w, stmt->branch.test);
    struct ck_reach before = w->reach, inside = w->reach;
    ck_reach_add(w->arena, &inside, &test, CK_WAY_IF, stmt->branch.test->span);

    struct region region = region_begin(w);
    w->n_conditions++;
    w->reach = inside;
    walk_block(w, &stmt->branch.then);
    bool then_dead = w->dead;
    struct changes then = region_end(w, region);

    region = region_begin(w);
    w->reach = inside;
    w->dead = false;
    walk_block(w, &stmt->branch.otherwise);
    bool else_dead = w->dead;
    struct changes otherwise = region_end(w, region);
    w->n_conditions--;

    w->dead = then_dead && else_dead;
    if (then_dead)
        apply(w, &otherwise);
    else if (else_dead)
        apply(w, &then);
    else
        merge(w, &then, &otherwise, &test);
    meet(w, &before);
}

static void
leave(struct walk *w, const struct ck_tstmt *stmt)
{
    struct ck_reach reach = ck_reach_leaving(w->arena, &w->reach, stmt->span);
    w->has_left = true;
    if (stmt->kind == CK_S_RETURN) {
        ck_reach_join(w->arena, &w->returned, &reach);
        split_exit(w, stmt, stmt->span);
    } else if (stmt->kind == CK_S_BREAK) {
        ck_reach_join(w->arena, &w->loop->broke, &reach);
        snapshot(w, &w->loop->at_breaks);
        w->loop->breaks = true;
    } else {
        ck_reach_join(w->arena, &w->loop->continued, &reach);
        snapshot(w, &w->loop->at_continues);
        w->loop->n_continues++;
    }
    w->dead = true;
}

static void
walk_return(struct walk *w, const struct ck_tstmt *stmt)
{
    struct ck_vary items[CK_MAX_VARY_ITEMS];
    memset(items, 0, sizeof items);
    if (stmt->expr)
        eval(w, stmt->expr, items);
    int n = w->summary->result ? ck_vary_items(w->function->returns) : 0;
    for (int i = 0; stmt->expr && i < n; i++) {
        ck_vary_add(&w->summary->result[i], &items[i]);
        ck_vary_add(&w->summary->result[i], &w->reach.vary);
    }
    leave(w, stmt);
}

/* --- Loops ---------------------------------------------------------------------------------------
 */

static struct head *
head_of(struct walk *w, const struct ck_tstmt *stmt)
{
    uint32_t hash = ck_hash_pointer(stmt);
    for (int i = ck_index_first(&w->head_index, hash); i >= 0;
         i = ck_index_next(&w->head_index, i)) {
        if (w->heads[i].stmt == stmt)
            return &w->heads[i];
    }
    struct head head = {.stmt = stmt};
    CK_PUSH(w->arena, w->heads, w->n_heads, w->heads_capacity, head);
    ck_index_add(w->arena, &w->head_index, hash);
    return &w->heads[w->n_heads - 1];
}

/* Adds to what is known of a slot here; true if that is more than before. */
static bool
add_to_slot(struct walk *w, int slot, const struct ck_vary *vary)
{
    struct ck_vary all = w->slots[slot].vary;
    if (!ck_vary_add(&all, vary))
        return false;
    set_slot(w, slot, &all, ++w->n_versions);
    return true;
}

/* The end of a turn and what went on before it, at the head. */
static bool
go_round(struct walk *w, const struct loop *loop, const struct changes *turn, bool ends)
{
    bool changed = false;
    for (int i = 0; i < turn->n; i++)
        w->found[turn->items[i].slot] = i + 1;
    int *same = CK_NEW_ARRAY(w->arena, int, turn->n);
    for (int i = 0; i < loop->at_continues.n; i++) {
        const struct change *change = &loop->at_continues.items[i];
        int at = w->found[change->slot] - 1;
        struct ck_vary vary = change->vary;
        if (at >= 0)
            same[at] += turn->items[at].version == change->version;
        else /* set on the way to a `continue` only */
            ck_vary_add(&vary, &loop->continued.vary);
        changed = add_to_slot(w, change->slot, &vary) || changed;
    }
    for (int i = 0; i < turn->n; i++) {
        w->found[turn->items[i].slot] = 0;
        if (ends)
            changed = add_to_slot(w, turn->items[i].slot, &turn->items[i].vary) || changed;
        if (loop->n_continues && !(ends && same[i] >= loop->n_continues))
            changed = add_to_slot(w, turn->items[i].slot, &loop->continued.vary) || changed;
    }
    return changed;
}

/* How often a `for` runs its body, and its counter's value. */
static struct ck_vary
count_turns(struct walk *w, const struct ck_tstmt *stmt, struct ck_vary *counter,
            const struct ck_texpr **blame)
{
    const struct ck_texpr *bounds[] = {stmt->range.stop, stmt->range.start, stmt->range.step};
    struct ck_vary all = {0}, each[3];
    for (int i = 0; i < 3; i++) {
        each[i] = eval_one(w, bounds[i]);
        ck_vary_add(&all, &each[i]);
    }
    *blame = bounds[0];
    for (int i = 2; i >= 0; i--) {
        if (ck_vary_any(&each[i]) && each[i].is[CK_BETWEEN_THREADS] == all.is[CK_BETWEEN_THREADS])
            *blame = bounds[i];
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
walk_loop(struct walk *w, const struct ck_tstmt *stmt)
{
    bool counts = stmt->kind == CK_S_RANGE;
    const struct ck_tblock *body = counts ? &stmt->range.body : &stmt->loop.body;
    const struct ck_tblock *otherwise = counts ? &stmt->range.otherwise : &stmt->loop.otherwise;
    bool forever = !counts && is_true(stmt->loop.test);
    struct ck_vary turns = {0}, counter = {0};
    const struct ck_texpr *blame = NULL;
    if (counts)
        turns = count_turns(w, stmt, &counter, &blame);
    else
        blame = stmt->loop.test;
    const struct head *known = head_of(w, stmt);
    for (int i = 0; i < known->slots.n; i++)
        add_to_slot(w, known->slots.items[i].slot, &known->slots.items[i].vary);

    struct ck_reach entry = w->reach, head = w->reach;
    struct loop loop = {.span = stmt->span, .turns = blame->span, .outer = w->loop};
    loop.n_conditions = ++w->n_conditions;
    struct changes turn = {0};
    w->loop = &loop;
    bool changed = true;
    for (int i = 0; i < MOST_TURNS && changed; i++) {
        loop.continued = (struct ck_reach){0};
        loop.at_breaks.n = loop.at_continues.n = loop.n_continues = 0;
        struct region region = region_begin(w);
        loop.log_mark = w->n_log;
        w->reach = head;
        if (counts)
            set_slot(w, w->first_slot[stmt->range.counter], &counter, ++w->n_versions);
        else
            turns = eval_one(w, stmt->loop.test);
        ck_reach_add(w->arena, &w->reach, &turns, counts ? CK_WAY_FOR : CK_WAY_WHILE, blame->span);
        struct ck_vary old = head.vary;
        ck_reach_join(w->arena, &head, &w->reach);
        walk_block(w, body);
        bool ends = !w->dead;
        w->dead = false;
        turn = region_end(w, region);
        changed = go_round(w, &loop, &turn, ends);
        ck_reach_join(w->arena, &head, &loop.broke);
        ck_reach_join(w->arena, &head, &w->returned);
        changed = ck_vary_add(&old, &head.vary) || changed;
    }
    w->loop = loop.outer;
    w->n_conditions--;
    w->unsettled = w->unsettled || changed;

    /* Threads that made unequal numbers of turns see unequal values. */
    struct ck_vary by = turns;
    ck_vary_add(&by, &loop.broke.vary);
    struct changes settled = {0};
    const struct changes *set[] = {&turn, &loop.at_continues};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < set[k]->n; i++) {
            int slot = set[k]->items[i].slot;
            struct change change = {slot, w->slots[slot].vary, 0};
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
walk_stmt(struct walk *w, const struct ck_tstmt *stmt)
{
    switch (stmt->kind) {
    case CK_S_ASSIGN:
        assign(w, stmt->assign.local, stmt->assign.value);
        break;
    case CK_S_STORE:
        eval_one(w, stmt->store.array);
        eval_indices(w, stmt->store.array, stmt->store.indices);
        eval_one(w, stmt->store.value);
        break;
    case CK_S_EXPR:
        eval_one(w, stmt->expr);
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
                eval_one(w, stmt->print.items[i].value);
        }
        break;
    case CK_S_ASSERT:
        eval_one(w, stmt->assertion.test);
        break;
    }
}

static void
walk_block(struct walk *w, const struct ck_tblock *block)
{
    for (int i = 0; i < block->n && !w->dead; i++)
        walk_stmt(w, block->stmts[i]);
}

/* --- Functions -----------------------------------------------------------------------------------
 */

/* The barriers whose tokens the values of a type are, or -1. */
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

/* Of a function whose split barriers are not judged there may be any number of arrivals. */
static void
judge_nothing(struct ck_summary *summary)
{
    for (int i = 0; i < CK_N_WAITS; i++)
        summary->arrivals[i].n = summary->splits[i] ? 2 : 0;
}

static void
walk_function(struct ck_divergence *d, struct ck_summary *summary)
{
    const struct ck_tfunc *function = summary->function;
    struct walk w = {.d = d, .arena = d->arena, .function = function, .summary = summary};
    int n_slots = 0, n_params = 0;
    w.first_slot = CK_NEW_ARRAY(w.arena, int, function->n_locals);
    for (int i = 0; i < function->n_locals; i++) {
        w.first_slot[i] = n_slots;
        n_slots += ck_vary_items(function->locals[i].type);
        if (i < function->n_params)
            n_params = n_slots;
    }
    w.n_slots = n_slots;
    w.slots = CK_NEW_ARRAY(w.arena, struct slot, n_slots + CK_N_WAITS);
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
        split_exit(&w, function, (struct ck_span){0});
    if (!w.unsettled && w.n_snapshots < MOST_SNAPSHOTS && !function->in_prelude)
        ck_split_judge(d, summary, &w.splits);
    else
        judge_nothing(summary);
}

/* Calls are not nested without bound, nor recursive: the checker has seen to it. */
static struct ck_summary *
summarise(struct ck_divergence *d, const struct ck_tfunc *function)
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

bool
ck_divergence_check(struct ck_divergence *d, const struct ck_tfunc *kernel)
{
    if (!ck_tfunc_has(kernel, CK_EFFECT_BLOCK_BARRIER | CK_EFFECT_CLUSTER_BARRIER |
                                  CK_EFFECT_GRID_BARRIER | CK_EFFECT_BARRIER_WORDS))
        return true;
    ck_depth_enter(&d->depth);
    d->kernel = kernel;
    return !summarise(d, kernel)->failed;
}
