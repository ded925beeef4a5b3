/* How values differ: joins, and the results of built-ins and of members of groups. */
#include <assert.h>
#include <string.h>

#include "lang/divergence/divergence_internal.h"

/* Up to a limit, which stops the count. */
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
    for (int i = 0; i < CK_N_VARIATIONS; i++)
        any = any || vary->is[i] || vary->params[i];
    return any;
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

enum result {
    OF_OPERANDS, /* as its operands */
    SAME,        /* the same everywhere, or what memory holds */
    OF_THREAD,   /* the thread's own, the same ones in each block */
    OF_BLOCK,
    OF_BLOCK_IN_CLUSTER, /* the block's own, the same ones in each cluster */
    OF_CLUSTER,
    OF_CLUSTER_PLACE, /* by its first operand, which says what */
    OF_BOTH,
    OF_SECOND,  /* as its second operand: the first is a mask */
    OVER_BLOCK, /* made of all the operands of a block's threads */
};

static const enum result results[CK_N_BUILTINS] = {
    [CK_BUILTIN_GRID] = OF_BOTH,
    [CK_BUILTIN_GRIDSIZE] = SAME,
    [CK_BUILTIN_THREAD_IDX_X] = OF_THREAD,
    [CK_BUILTIN_THREAD_IDX_Y] = OF_THREAD,
    [CK_BUILTIN_THREAD_IDX_Z] = OF_THREAD,
    [CK_BUILTIN_BLOCK_IDX_X] = OF_BLOCK,
    [CK_BUILTIN_BLOCK_IDX_Y] = OF_BLOCK,
    [CK_BUILTIN_BLOCK_IDX_Z] = OF_BLOCK,
    [CK_BUILTIN_GRID_THREAD_RANK] = OF_BOTH,
    [CK_BUILTIN_GRID_BLOCK_RANK] = OF_BLOCK,
    [CK_BUILTIN_CLUSTER_POSITION] = OF_CLUSTER_PLACE,
    [CK_BUILTIN_SHARED_RANK] = OF_BLOCK_IN_CLUSTER,
    [CK_BUILTIN_BLOCK_THREAD_RANK] = OF_THREAD,
    [CK_BUILTIN_LANEID] = OF_THREAD,
    [CK_BUILTIN_LANEMASK_LT] = OF_THREAD,
    [CK_BUILTIN_ACTIVEMASK] = OF_THREAD,
    [CK_BUILTIN_ATOMIC_ADD] = OF_BOTH,
    [CK_BUILTIN_ATOMIC_SUB] = OF_BOTH,
    [CK_BUILTIN_ATOMIC_MAX] = OF_BOTH,
    [CK_BUILTIN_ATOMIC_MIN] = OF_BOTH,
    [CK_BUILTIN_ATOMIC_NANMAX] = OF_BOTH,
    [CK_BUILTIN_ATOMIC_NANMIN] = OF_BOTH,
    [CK_BUILTIN_ATOMIC_AND] = OF_BOTH,
    [CK_BUILTIN_ATOMIC_OR] = OF_BOTH,
    [CK_BUILTIN_ATOMIC_XOR] = OF_BOTH,
    [CK_BUILTIN_ATOMIC_INC] = OF_BOTH,
    [CK_BUILTIN_ATOMIC_DEC] = OF_BOTH,
    [CK_BUILTIN_ATOMIC_EXCH] = OF_BOTH,
    [CK_BUILTIN_ATOMIC_CAS] = OF_BOTH,
    [CK_BUILTIN_ATOMIC_COMPARE_AND_SWAP] = OF_BOTH,
    [CK_BUILTIN_SHFL_SYNC] = OF_SECOND,
    [CK_BUILTIN_SHFL_UP_SYNC] = OF_SECOND,
    [CK_BUILTIN_SHFL_DOWN_SYNC] = OF_SECOND,
    [CK_BUILTIN_SHFL_XOR_SYNC] = OF_SECOND,
    [CK_BUILTIN_SHFL_IN] = OF_SECOND,
    [CK_BUILTIN_SHFL_UP_IN] = OF_SECOND,
    [CK_BUILTIN_SHFL_DOWN_IN] = OF_SECOND,
    [CK_BUILTIN_SHFL_XOR_IN] = OF_SECOND,
    [CK_BUILTIN_ALL_SYNC] = OF_SECOND,
    [CK_BUILTIN_ANY_SYNC] = OF_SECOND,
    [CK_BUILTIN_EQ_SYNC] = OF_SECOND,
    [CK_BUILTIN_BALLOT_SYNC] = OF_SECOND,
    [CK_BUILTIN_MATCH_ANY_SYNC] = OF_SECOND,
    [CK_BUILTIN_MATCH_ALL_SYNC] = OF_SECOND,
    [CK_BUILTIN_SYNCTHREADS_COUNT] = OVER_BLOCK,
    [CK_BUILTIN_SYNCTHREADS_AND] = OVER_BLOCK,
    [CK_BUILTIN_SYNCTHREADS_OR] = OVER_BLOCK,
};

static enum result
of_cluster_place(const struct ck_texpr *place)
{
    assert(place->kind == CK_T_CONST); /* by the rule */
    switch (place->constant.i) {
    case CK_CLUSTER_DIM:
    case CK_CLUSTER_GRID_DIM:
    case CK_CLUSTER_NUM_BLOCKS:
        return SAME;
    case CK_CLUSTER_IDX:
        return OF_CLUSTER;
    default:
        return OF_BLOCK_IN_CLUSTER;
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

static void
clear(struct ck_vary *vary, int variation)
{
    vary->is[variation] = false;
    vary->params[variation] = 0;
}

void
ck_vary_of_builtin(const struct ck_texpr *expr, const struct ck_vary *args, struct ck_vary *out)
{
    enum result result = results[expr->builtin.id];
    struct ck_vary all = {0};
    for (int i = 0; i < expr->builtin.n_args; i++) {
        bool counts = result == OF_SECOND ? i == 1 : result == OF_OPERANDS || result == OVER_BLOCK;
        if (counts)
            ck_vary_add(&all, &args[i]);
    }
    if (result == OF_THREAD || result == OF_BOTH)
        differ(&all, CK_BETWEEN_THREADS, expr->span);
    if (result == OF_CLUSTER_PLACE)
        result = of_cluster_place(expr->builtin.args[0]);
    if (result == OF_BLOCK || result == OF_BOTH || result == OF_BLOCK_IN_CLUSTER)
        differ(&all, CK_BETWEEN_BLOCKS, expr->span);
    if (result == OF_BLOCK || result == OF_BOTH || result == OF_CLUSTER)
        differ(&all, CK_BETWEEN_CLUSTERS, expr->span);
    if (result == OVER_BLOCK)
        clear(&all, CK_BETWEEN_THREADS);
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

/* The member's name if `name` is that of a function for this kind of group, else NULL. */
static const char *
member_of(const char *name, const char *path)
{
    size_t length = strlen(path);
    return strncmp(name, path, length) == 0 && name[length] == '_' ? name + length + 1 : NULL;
}

int
ck_waits_of_member(const struct ck_tfunc *function)
{
    const char *of_cluster = member_of(function->name, "cluster_group");
    if (ck_tfunc_has(function, CK_EFFECT_GRID_BARRIER) && member_of(function->name, "grid_group"))
        return CK_WAITS_GRID;
    if (ck_tfunc_has(function, CK_EFFECT_CLUSTER_BARRIER) && of_cluster &&
        strncmp(of_cluster, "barrier_", 8) != 0)
        return CK_WAITS_CLUSTER;
    if (ck_tfunc_has(function, CK_EFFECT_BLOCK_BARRIER) &&
        member_of(function->name, "thread_block"))
        return CK_WAITS_BLOCK;
    return ck_copies_for_block(function) ? CK_WAITS_BLOCK : -1;
}

bool
ck_copies_for_block(const struct ck_tfunc *function)
{
    const char *member = member_of(function->name, "thread_block");
    return member && strcmp(member, "memcpy_async") == 0;
}

int
ck_split_of_member(const struct ck_tfunc *function, int *waits)
{
    static const char *const paths[] = {
        [CK_WAITS_BLOCK] = "thread_block",
        [CK_WAITS_CLUSTER] = "cluster_group",
        [CK_WAITS_GRID] = "grid_group",
    };
    for (*waits = 0; *waits < CK_N_WAITS; ++*waits) {
        const char *member = member_of(function->name, paths[*waits]);
        if (member && strcmp(member, "barrier_arrive") == 0)
            return CK_SPLIT_ARRIVE;
        if (member && strcmp(member, "barrier_wait") == 0)
            return CK_SPLIT_WAIT;
    }
    *waits = ck_waits_of_member(function);
    return *waits < 0 ? -1 : CK_SPLIT_BETWEEN;
}

/* Members whose result is one value made of those that the threads give. What other members give
 * shows in their text. */
static bool
is_collective(const char *member)
{
    static const char *const members[] = {
        "reduce",
        "any",
        "all",
        "ballot",
        "match_any",
        "match_all",
        "invoke_one_broadcast",
        "shfl",
        "shfl_up",
        "shfl_down",
        "shfl_xor",
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (strcmp(members[i], member) == 0)
            return true;
    }
    return false;
}

bool
ck_vary_of_member(const struct ck_tfunc *function, const struct ck_texpr *call,
                  const struct ck_vary *args, struct ck_vary *out)
{
    static const struct {
        const char *path;
        bool clears[CK_N_VARIATIONS];
    } kinds[] = {
        {"grid_group", {true, true, true}},
        {"thread_block", {true}},
        {"tile", {false}},
        {"wide_tile", {false}},
        {"coalesced_group", {false}},
        {"part", {false}},
        {"cluster_group", {true, true}},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const char *member = member_of(function->name, kinds[k].path);
        if (!member || !is_collective(member))
            continue;
        /* Of the exchanges only the value counts, not from where it comes: unless all threads get
         * that of one. */
        struct ck_vary all[2] = {0};
        for (int i = 0, n = 0; i < call->call.n_args && n < 2; i++) {
            if (!ck_type_is_group(call->call.args[i]->type))
                ck_vary_add(&all[n++], &args[i]);
        }
        bool of_each = strncmp(member, "shfl_", 5) == 0;
        bool of_rank = strcmp(member, "shfl") == 0;
        for (int i = 0; i < CK_N_VARIATIONS; i++) {
            bool of_one = !of_each && !(of_rank && (all[1].is[i] || all[1].params[i]));
            if (kinds[k].clears[i] && of_one)
                clear(&all[0], i);
        }
        for (int i = 0; i < ck_vary_items(call->type); i++)
            out[i] = all[0];
        return true;
    }
    return false;
}
