/* The divergence of values: joins, and the results of built-ins and of members of groups. */
#include <assert.h>

#include "lang/divergence/divergence_internal.h"

/* Counts no further than `most`. */
static int
count_items(const struct ck_type *type, int most)
{
    if (type->kind != CK_TYPE_TUPLE && type->kind != CK_TYPE_GROUP)
        return 1;
    int n = 0;
    for (int i = 0; i < type->tuple.n && n <= most; i++)
        n += count_items(type->tuple.items[i], most - n);
    return n;
}

bool
ck_vary_is_split(const struct ck_type *type)
{
    return (type->kind == CK_TYPE_TUPLE || type->kind == CK_TYPE_GROUP) &&
           count_items(type, CK_MAX_VARY_ITEMS) <= CK_MAX_VARY_ITEMS;
}

int
ck_vary_items(const struct ck_type *type)
{
    return ck_vary_is_split(type) ? count_items(type, CK_MAX_VARY_ITEMS) : 1;
}

bool
ck_vary_add(struct ck_vary *to, const struct ck_vary *from)
{
    bool changed = false;
    for (int i = 0; i < CK_N_VARIATIONS; i++) {
        if (from->is[i] && !to->is[i]) {
            to->is[i] = changed = true;
            to->origin[i] = from->origin[i];
        }
        changed = changed || (from->params[i] & ~to->params[i]);
        to->params[i] |= from->params[i];
    }
    changed = changed || (from->state & ~to->state) || (from->unsure && !to->unsure);
    to->unsure = to->unsure || from->unsure;
    to->state |= from->state;
    if (!to->arrival.end)
        to->arrival = from->arrival;
    return changed;
}

bool
ck_vary_any(const struct ck_vary *vary)
{
    bool any = false;
    for (int i = 0; i < CK_N_BETWEEN; i++)
        any = any || vary->is[i] || vary->params[i];
    return any;
}

struct ck_vary
ck_vary_of_data(const struct ck_type *array, const struct ck_vary *place)
{
    struct ck_vary data = {0};
    const enum ck_space space = array->array.space;
    for (int i = 0; i < CK_N_BETWEEN; i++) {
        const bool is_own =
            space == CK_SPACE_LOCAL || (space == CK_SPACE_SHARED && i != CK_BETWEEN_THREADS);
        data.is[CK_WITH_DATA + i] = is_own || place->is[CK_WITH_DATA + i];
        data.params[CK_WITH_DATA + i] = place->params[CK_WITH_DATA + i];
    }
    return data;
}

struct ck_vary
ck_vary_at_call(const struct ck_vary *vary, const struct ck_vary *args)
{
    struct ck_vary out = {.state = vary->state, .unsure = vary->unsure};
    for (int i = 0; i < CK_N_VARIATIONS; i++) {
        out.is[i] = vary->is[i];
        out.origin[i] = vary->origin[i];
        for (int p = 0; p < CK_MAX_VARY_PARAMS; p++) {
            if (!(vary->params[i] >> p & 1))
                continue;
            struct ck_vary one = {.unsure = args[p].unsure};
            one.is[i] = args[p].is[i];
            one.origin[i] = args[p].origin[i];
            one.params[i] = args[p].params[i];
            ck_vary_add(&out, &one);
        }
    }
    return out;
}

/* --- Built-ins -----------------------------------------------------------------------------------
 */

static enum ck_uniformity
of_cluster_place(const struct ck_texpr *place)
{
    assert(place->kind == CK_T_CONST); /* by the rule */
    switch (place->constant.i) {
    case CK_CLUSTER_DIM:
    case CK_CLUSTER_GRID_DIM:
    case CK_CLUSTER_NUM_BLOCKS:
        return CK_UNIFORMITY_UNIFORM;
    case CK_CLUSTER_IDX:
        return CK_UNIFORMITY_CLUSTER;
    default:
        return CK_UNIFORMITY_CLUSTER_RANK;
    }
}

static void
differ(struct ck_vary *vary, int variation, struct ck_span origin)
{
    struct ck_vary one = {0};
    one.is[variation] = true;
    one.origin[variation] = origin;
    ck_vary_add(vary, &one);
}

/* What a variation is between. */
static int
between(int variation)
{
    return variation % CK_N_BETWEEN;
}

static void
clear(struct ck_vary *vary, int variation)
{
    vary->is[variation] = false;
    vary->params[variation] = 0;
}

/* Where each thread, block or cluster has its own value. */
static bool
is_own(enum ck_uniformity uniformity, int variation)
{
    switch (uniformity) {
    case CK_UNIFORMITY_GRID_THREAD:
        return true;
    case CK_UNIFORMITY_THREAD:
        return variation == CK_BETWEEN_THREADS;
    case CK_UNIFORMITY_BLOCK:
        return variation != CK_BETWEEN_THREADS;
    case CK_UNIFORMITY_CLUSTER_RANK:
        return variation == CK_BETWEEN_BLOCKS;
    case CK_UNIFORMITY_CLUSTER:
        return variation == CK_BETWEEN_CLUSTERS;
    default:
        return false;
    }
}

static bool
operand_counts(enum ck_uniformity uniformity, int operand)
{
    return uniformity == CK_UNIFORMITY_VALUE
               ? operand == 1
               : uniformity == CK_UNIFORMITY_OPERANDS || uniformity == CK_UNIFORMITY_BLOCK_VOTE;
}

void
ck_vary_of_builtin(const struct ck_texpr *expr, const struct ck_vary *args, struct ck_vary *out)
{
    enum ck_uniformity uniformity = ck_builtin_uniformity(expr->builtin.id);
    struct ck_vary all = {0};
    assert(uniformity != CK_UNIFORMITY_FOLDED);
    if (uniformity == CK_UNIFORMITY_CLUSTER_PLACE)
        uniformity = of_cluster_place(expr->builtin.args[0]);
    for (int i = 0; i < expr->builtin.n_args; i++) {
        if (operand_counts(uniformity, i))
            ck_vary_add(&all, &args[i]);
    }
    for (int i = 0; i < CK_N_VARIATIONS; i++) {
        if (is_own(uniformity, between(i)))
            differ(&all, i, expr->span);
        if (uniformity == CK_UNIFORMITY_BLOCK_VOTE && between(i) == CK_BETWEEN_THREADS)
            clear(&all, i);
    }
    for (int i = 0; i < ck_vary_items(expr->type); i++)
        out[i] = all;
}

int
ck_waits_of_builtin(enum ck_builtin_id id)
{
    switch (id) {
    case CK_BUILTIN_SYNCTHREADS:
    case CK_BUILTIN_SYNCTHREADS_COUNT:
    case CK_BUILTIN_SYNCTHREADS_AND:
    case CK_BUILTIN_SYNCTHREADS_OR:
    case CK_BUILTIN_BLOCK_SYNC:
        return CK_WAITS_BLOCK;
    case CK_BUILTIN_GRID_SYNC:
        return CK_WAITS_GRID;
    default:
        return -1;
    }
}

/* --- Members -------------------------------------------------------------------------------------
 */

static bool
is_member_of(const struct ck_tfunc *function, enum ck_group_kind group)
{
    return function->member.is_member && function->member.group == group;
}

static bool
is_split(const struct ck_tfunc *function)
{
    return function->member.id == CK_BUILTIN_GROUP_BARRIER_ARRIVE ||
           function->member.id == CK_BUILTIN_GROUP_BARRIER_WAIT;
}

int
ck_waits_of_member(const struct ck_tfunc *function)
{
    if (ck_tfunc_has(function, CK_EFFECT_GRID_BARRIER) && is_member_of(function, CK_GROUP_GRID))
        return CK_WAITS_GRID;
    if (ck_tfunc_has(function, CK_EFFECT_CLUSTER_BARRIER) &&
        is_member_of(function, CK_GROUP_CLUSTER) && !is_split(function))
        return CK_WAITS_CLUSTER;
    if (ck_tfunc_has(function, CK_EFFECT_BLOCK_BARRIER) && is_member_of(function, CK_GROUP_BLOCK))
        return CK_WAITS_BLOCK;
    return ck_copies_for_block(function) ? CK_WAITS_BLOCK : -1;
}

bool
ck_copies_for_block(const struct ck_tfunc *function)
{
    return is_member_of(function, CK_GROUP_BLOCK) &&
           function->member.id == CK_BUILTIN_GROUP_MEMCPY_ASYNC;
}

int
ck_split_of_member(const struct ck_tfunc *function, int *waits)
{
    static const enum ck_group_kind groups[] = {
        [CK_WAITS_BLOCK] = CK_GROUP_BLOCK,
        [CK_WAITS_CLUSTER] = CK_GROUP_CLUSTER,
        [CK_WAITS_GRID] = CK_GROUP_GRID,
    };
    for (*waits = 0; *waits < CK_N_WAITS; ++*waits) {
        if (is_member_of(function, groups[*waits]) && is_split(function))
            return function->member.id == CK_BUILTIN_GROUP_BARRIER_ARRIVE ? CK_SPLIT_ARRIVE
                                                                          : CK_SPLIT_WAIT;
    }
    *waits = ck_waits_of_member(function);
    return *waits < 0 ? -1 : CK_SPLIT_BETWEEN;
}

/* Whether a result combined from a whole group's values is uniform over this variation. */
static bool
spans(enum ck_group_kind group, int variation)
{
    switch (group) {
    case CK_GROUP_GRID:
        return true;
    case CK_GROUP_CLUSTER:
        return variation != CK_BETWEEN_CLUSTERS;
    case CK_GROUP_BLOCK:
        return variation == CK_BETWEEN_THREADS;
    default:
        return false;
    }
}

bool
ck_vary_of_member(const struct ck_tfunc *function, const struct ck_texpr *call,
                  const struct ck_vary *args, struct ck_vary *out)
{
    enum ck_uniformity uniformity = ck_builtin_uniformity(function->member.id);
    if (!function->member.is_member || uniformity == CK_UNIFORMITY_PRELUDE)
        return false;
    /* Of a shuffle only the value counts, not the source lane, unless all threads read the same
     * lane. */
    struct ck_vary all[2] = {0};
    for (int i = 0, n = 0; i < call->call.n_args && n < 2; i++) {
        if (!ck_type_is_group(call->call.args[i]->type))
            ck_vary_add(&all[n++], &args[i]);
    }
    for (int i = 0; i < CK_N_VARIATIONS; i++) {
        bool one_rank = !all[1].is[i] && !all[1].params[i];
        bool is_one = uniformity == CK_UNIFORMITY_COLLECTIVE ||
                      (uniformity == CK_UNIFORMITY_BROADCAST && one_rank);
        if (is_one && spans(function->member.group, between(i)))
            clear(&all[0], i);
    }
    for (int i = 0; i < ck_vary_items(call->type); i++)
        out[i] = all[0];
    return true;
}
