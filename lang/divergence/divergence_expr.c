/* Divergence of expressions: calls, built-ins, and the split barriers that they arrive at. */
#include <string.h>

#include "lang/divergence/divergence_walk.h"

/* --- Expressions ---------------------------------------------------------------------------------
 */

struct ck_vary
ck_divergence_eval_one(struct ck_walk *w, const struct ck_texpr *expr)
{
    struct ck_vary items[CK_MAX_VARY_ITEMS], all = {0};
    memset(items, 0, sizeof items);
    ck_divergence_eval(w, expr, items);
    for (int i = 0; i < ck_vary_items(expr->type); i++)
        ck_vary_add(&all, &items[i]);
    all.state = 0;
    return all;
}

struct ck_vary
ck_divergence_eval_indices(struct ck_walk *w, const struct ck_texpr *array,
                           const struct ck_tindex *indices)
{
    struct ck_vary all = {0};
    for (int i = 0; indices && i < array->type->array.ndim; i++) {
        struct ck_vary one = ck_divergence_eval_one(w, indices[i].value);
        ck_vary_add(&all, &one);
    }
    return all;
}

static void
eval_element(struct ck_walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    const struct ck_texpr *array = expr->element.array;
    struct ck_vary place = ck_divergence_eval_one(w, array);
    const struct ck_vary index = ck_divergence_eval_indices(w, array, expr->element.indices);
    ck_vary_add(&place, &index);
    const struct ck_vary data = ck_vary_of_data(array->type, &place);
    for (int i = 0; i < ck_vary_items(expr->type); i++)
        out[i] = data;
}

static void
eval_tuple(struct ck_walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    bool split = ck_vary_is_split(expr->type);
    for (int i = 0, at = 0; i < expr->tuple.n; i++) {
        const struct ck_texpr *item = expr->tuple.items[i];
        if (split) {
            ck_divergence_eval(w, item, out + at);
            at += ck_vary_items(item->type);
        } else {
            struct ck_vary one = ck_divergence_eval_one(w, item);
            ck_vary_add(&out[0], &one);
        }
    }
}

static void
eval_item(struct ck_walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    const struct ck_type *type = expr->item.tuple->type;
    int n = ck_vary_items(expr->type);
    if (!ck_vary_is_split(type)) {
        struct ck_vary one = ck_divergence_eval_one(w, expr->item.tuple);
        one.state = CK_TOKEN_UNKNOWN;
        for (int i = 0; i < n; i++)
            out[i] = one;
        return;
    }
    struct ck_vary items[CK_MAX_VARY_ITEMS];
    memset(items, 0, sizeof items);
    ck_divergence_eval(w, expr->item.tuple, items);
    int at = 0;
    for (int i = 0; i < expr->item.index; i++)
        at += ck_vary_items(type->tuple.items[i]);
    memcpy(out, items + at, sizeof *out * (size_t)n);
}

static void
eval_select(struct ck_walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    struct ck_vary test = ck_divergence_eval_one(w, expr->select.test);
    struct ck_vary other[CK_MAX_VARY_ITEMS];
    memset(other, 0, sizeof other);
    struct ck_reach before = w->reach;
    ck_reach_add(w->arena, &w->reach, &test, CK_CONDITION_LAZY, expr->select.test->span);
    struct ck_region region = ck_region_begin(w);
    ck_divergence_eval(w, expr->select.then, out);
    struct ck_changes then = ck_region_end(w, region);
    region = ck_region_begin(w);
    ck_divergence_eval(w, expr->select.otherwise, other);
    struct ck_changes otherwise = ck_region_end(w, region);
    ck_region_merge(w, &then, &otherwise, &test);
    w->reach = before;
    for (int i = 0; i < ck_vary_items(expr->type); i++) {
        ck_vary_add(&out[i], &other[i]);
        ck_vary_add(&out[i], &test);
    }
}

static struct ck_vary
eval_logical(struct ck_walk *w, const struct ck_texpr *expr)
{
    struct ck_vary left = ck_divergence_eval_one(w, expr->logical.left);
    struct ck_reach before = w->reach;
    ck_reach_add(w->arena, &w->reach, &left, CK_CONDITION_LAZY, expr->logical.left->span);
    struct ck_region region = ck_region_begin(w);
    struct ck_vary right = ck_divergence_eval_one(w, expr->logical.right);
    struct ck_changes changes = ck_region_end(w, region), none = {0};
    ck_region_merge(w, &changes, &none, &left);
    w->reach = before;
    ck_vary_add(&left, &right);
    return left;
}

/* Whether threads have returned is not taken for uniform, as data is. */
static void
eval_local(struct ck_walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    for (int i = 0; i < ck_vary_items(expr->type); i++)
        out[i] = w->slots[w->first_slot[expr->local] + i].vary;
    for (int i = 0; w->function->locals[expr->local].is_flag && i < CK_N_BETWEEN; i++) {
        out->origin[i] = out->is[i] ? out->origin[i] : expr->span;
        out->is[i] = out->is[CK_WITH_DATA + i];
    }
}

static void
eval_let(struct ck_walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    struct ck_vary items[CK_MAX_VARY_ITEMS];
    memset(items, 0, sizeof items);
    ck_divergence_eval(w, expr->let.init, items);
    int version = ++w->n_versions;
    for (int i = 0; i < ck_vary_items(expr->let.init->type); i++)
        ck_slot_set(w, w->first_slot[expr->let.local] + i, &items[i], version);
    ck_divergence_eval(w, expr->let.body, out);
}

static struct ck_vary
eval_index(struct ck_walk *w, const struct ck_texpr *index)
{
    struct ck_vary *place = w->place;
    w->place = NULL;
    struct ck_vary one = ck_divergence_eval_one(w, index);
    w->place = place;
    if (place)
        ck_vary_add(place, &one);
    return one;
}

/* The divergence of an array is that of its extents; where a group copies, that of its address
 * too. */
static struct ck_vary
eval_view(struct ck_walk *w, const struct ck_texpr *expr)
{
    const struct ck_texpr *array = expr->view.array;
    struct ck_vary all = ck_divergence_eval_one(w, array);
    for (int i = 0; i < array->type->array.ndim; i++) {
        const struct ck_taxis *axis = &expr->view.axes[i];
        const struct ck_texpr *bounds[] = {axis->start.value, axis->stop.value, axis->step};
        if (!axis->is_slice) {
            const struct ck_vary index = eval_index(w, axis->index.value);
            const struct ck_vary address = ck_vary_of_data(array->type, &index);
            ck_vary_add(&all, &address);
            continue;
        }
        for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++) {
            struct ck_vary one = {0};
            if (bounds[k])
                one = ck_divergence_eval_one(w, bounds[k]);
            ck_vary_add(&all, &one);
        }
    }
    return all;
}

/* --- Split barriers ------------------------------------------------------------------------------
 */

static struct ck_split_site *
split_site(struct ck_walk *w, const void *key, int waits, enum ck_split_what what,
           struct ck_span span)
{
    struct ck_split_site *site = ck_split_site(w->arena, &w->splits, key, waits);
    site->what = what;
    site->span = span;
    return site;
}

/* Another wait for the whole group. The block's other barriers are independent of its split
 * barrier. */
static void
split_between(struct ck_walk *w, const struct ck_texpr *expr, int waits)
{
    static const bool right[2] = {true, false};
    if (waits == CK_WAITS_BLOCK)
        return;
    ck_split_visit(split_site(w, expr, waits, CK_SPLIT_BETWEEN, expr->span),
                   &w->slots[w->n_slots + waits].vary, right);
}

/* Sets the states in which the barrier may be: a wait is due, or none is. Tokens that exist become
 * used, or may. */
static void
split_goes_on(struct ck_walk *w, int waits, const struct ck_vary *barrier, unsigned tokens)
{
    int version = ++w->n_versions;
    ck_slot_set(w, w->n_slots + waits, barrier, version);
    for (int i = 0; i < w->n_slots; i++) {
        const unsigned old = w->slots[i].vary.state;
        const unsigned now = old & tokens & CK_TOKEN_DUE ? CK_TOKEN_UNKNOWN : CK_TOKEN_USED;
        if (w->barrier_of[i] != waits || !old || old == now)
            continue;
        struct ck_vary token = w->slots[i].vary;
        token.state = now;
        ck_slot_set(w, i, &token, version);
    }
    w->summary->splits[waits] = true;
}

static void
split_reach(const struct ck_walk *w, struct ck_split_site *site)
{
    int around = 0;
    site->reach = w->reach;
    for (const struct ck_divergence_loop *loop = w->loop; loop; loop = loop->outer) {
        site->in_loop = true;
        site->loop = loop->span.start;
        site->trips = loop->trips;
        around = loop->n_conditions;
    }
    site->sure = w->n_conditions == around && !w->has_left && (!site->inner.n || site->inner.sure);
}

static void
split_member(struct ck_walk *w, const struct ck_texpr *expr, const struct ck_vary *args,
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
        return; /* reported; the arrival that no wait follows is another error */
    barrier.state = ck_split_after(barrier.state, arrives);
    if (arrives)
        barrier.arrival = expr->span;
    split_goes_on(w, waits, &barrier, CK_TOKEN_USED);
    if (arrives)
        out[0].state = CK_TOKEN_DUE;
}

static void
split_call(struct ck_walk *w, const struct ck_texpr *expr, const struct ck_summary *callee,
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

void
ck_divergence_exit(struct ck_walk *w, const void *key, struct ck_span span)
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
eval_builtin(struct ck_walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    int n = expr->builtin.n_args;
    struct ck_vary few[4], *args = n <= 4 ? few : CK_NEW_ARRAY(w->arena, struct ck_vary, n);
    for (int i = 0; i < n; i++)
        args[i] = ck_divergence_eval_one(w, expr->builtin.args[i]);
    struct ck_vary data = {0};
    if (expr->builtin.indices) {
        const struct ck_texpr *array = expr->builtin.args[0];
        data = ck_divergence_eval_indices(w, array, expr->builtin.indices);
        data = ck_vary_of_data(array->type, &data);
    }
    int waits = ck_waits_of_builtin(expr->builtin.id);
    if (waits >= 0 && !w->function->in_prelude) {
        ck_reach_barrier(w->d, w->summary, &w->reach, waits, expr->span, (struct ck_span){0});
        split_between(w, expr, waits);
    }
    ck_vary_of_builtin(expr, args, out);
    for (int i = 0; i < ck_vary_items(expr->type); i++)
        ck_vary_add(&out[i], &data);
}

/* Inside the prelude the user sees only the call. */
static void
show_at_call(struct ck_vary *vary, struct ck_span call)
{
    for (int i = 0; i < CK_N_VARIATIONS; i++)
        vary->origin[i] = call;
}

/* What a group copies: the address counts too, and has to be the same for all threads. */
static void
eval_copied(struct ck_walk *w, const struct ck_texpr *arg, struct ck_vary *items,
            struct ck_reach *given)
{
    struct ck_vary *outer = w->place, place = {0};
    w->place = &place;
    ck_divergence_eval(w, arg, items);
    w->place = outer;
    ck_vary_add(&place, &items[0]);
    if (!place.unsure)
        ck_reach_add(w->arena, given, &place, CK_CONDITION_ARRAY, arg->span);
}

static void
eval_call(struct ck_walk *w, const struct ck_texpr *expr, struct ck_vary *out)
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
            ck_divergence_eval(w, arg, items);
        for (int k = 0; k < ck_vary_items(arg->type); k++) {
            ck_vary_add(&wholes[i], &items[k]);
            if (at < CK_MAX_VARY_PARAMS)
                args[at++] = items[k];
        }
    }
    struct ck_summary *summary = ck_divergence_summarise(w->d, callee);
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

/* Whether the expression is a block's index divided by the extent of its cluster, or a multiple of
 * that: the same for all blocks of a cluster. */
static bool
is_of_cluster(const struct ck_tfunc *function, const struct ck_texpr *expr)
{
    const struct ck_texpr *index = expr->binary.left, *by = expr->binary.right;
    while (index->kind == CK_T_CAST && ck_type_is_int(index->type))
        index = index->unary.operand;
    int dim = index->kind == CK_T_BUILTIN ? (int)index->builtin.id - CK_BUILTIN_BLOCK_IDX_X : -1;
    if (expr->binary.op != CK_OP_FLOORDIV || by->kind != CK_T_CONST || dim < 0 || dim > 2)
        return false;
    int extent = function->bounds.cluster[dim];
    return extent && by->constant.i > 0 && by->constant.i % extent == 0;
}

void
ck_divergence_eval(struct ck_walk *w, const struct ck_texpr *expr, struct ck_vary *out)
{
    struct ck_vary one;
    if (w->too_deep || !ck_depth_check(&w->d->depth, w->d->diags, expr->span)) {
        w->too_deep = w->summary->failed = true;
        return;
    }
    switch (expr->kind) {
    case CK_T_CONST:
    case CK_T_ARRAY:
    case CK_T_MODULE_ARRAY:
        break;
    case CK_T_LOCAL:
        eval_local(w, expr, out);
        break;
    case CK_T_LET:
        eval_let(w, expr, out);
        break;
    case CK_T_CAST:
    case CK_T_UNARY:
        ck_divergence_eval(w, expr->unary.operand, out);
        break;
    case CK_T_ADDRESS:
    case CK_T_RETYPE:
    case CK_T_REINTERPRET:
        ck_divergence_eval(w, expr->operand, out);
        break;
    case CK_T_TRANSPOSE:
        ck_divergence_eval(w, expr->transpose.array, out);
        break;
    case CK_T_FIELD:
        ck_divergence_eval(w, expr->field.array, out);
        break;
    case CK_T_RESHAPE:
        out[0] = ck_divergence_eval_one(w, expr->reshape.array);
        for (int i = 0; i < expr->type->array.ndim; i++) {
            one = ck_divergence_eval_one(w, expr->reshape.extents[i]);
            ck_vary_add(out, &one);
        }
        break;
    case CK_T_BINARY:
        ck_divergence_eval(w, expr->binary.left, out);
        one = ck_divergence_eval_one(w, expr->binary.right);
        out->unsure =
            out->unsure || (expr->binary.op == CK_OP_SUB && ck_vary_any(out) && ck_vary_any(&one));
        ck_vary_add(out, &one);
        if (is_of_cluster(w->function, expr))
            out->is[CK_BETWEEN_BLOCKS] = out->is[CK_WITH_DATA + CK_BETWEEN_BLOCKS] = false;
        break;
    case CK_T_COMPARE:
        ck_divergence_eval(w, expr->compare.left, out);
        one = ck_divergence_eval_one(w, expr->compare.right);
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
    case CK_T_ELEMENT:
        eval_element(w, expr, out);
        break;
    case CK_T_SHAPE:
    case CK_T_STRIDE:
        out[0] = ck_divergence_eval_one(w, expr->extent.array);
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
