/* Cooperative groups: handles, members and the operations on them.
 *
 * A member is a row of builtins.def: for one kind of group ("thread_block.sync"), or for groups in
 * general ("group.reduce"). Rows for groups in general are functions of lang/prelude/, one for each
 * kind of group that has the member: `thread_block_reduce`, `tile_reduce`. A rule checks the
 * arguments, so that no error can arise inside the prelude. */
#include <string.h>

#include "lang/check/builtins/rules.h"

static const char *const group_paths[] = {
    [CK_GROUP_GRID] = "grid_group",     [CK_GROUP_CLUSTER] = "cluster_group",
    [CK_GROUP_BLOCK] = "thread_block",  [CK_GROUP_TILE] = "tile",
    [CK_GROUP_WIDE_TILE] = "wide_tile", [CK_GROUP_COALESCED] = "coalesced_group",
    [CK_GROUP_PART] = "part",
};

/* The prefix of the paths of a group's own rows in builtins.def. */
static const char *
group_path(const struct ck_type *group)
{
    return group_paths[group->group.kind];
}

bool
ck_is_group_path(const char *path)
{
    for (int i = 0; i < CK_N_GROUP_KINDS; i++) {
        if (strcmp(group_paths[i], path) == 0)
            return true;
    }
    return strcmp(path, "group") == 0;
}

/* --- Members -------------------------------------------------------------------------------------
 */

/* Aliases of members. */
static const char *
plain_name(const char *name)
{
    static const char *const aliases[][2] = {
        {"size", "num_threads"},
        {"group_size", "num_threads"},
        {"group_dim", "dim_threads"},
        {"rank", "thread_rank"},
    };
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (strcmp(aliases[i][0], name) == 0)
            return aliases[i][1];
    }
    return name;
}

int
ck_group_row(struct ck_checker *c, const char *name)
{
    return ck_builtin_find(ck_arena_printf(c->arena, "group.%s", plain_name(name)));
}

struct ck_member
ck_member_of_name(struct ck_checker *c, const char *name)
{
    for (int kind = 0; kind < CK_N_GROUP_KINDS; kind++) {
        const size_t length = strlen(group_paths[kind]);
        if (strncmp(name, group_paths[kind], length) != 0 || name[length] != '_')
            continue;
        int id = ck_group_row(c, name + length + 1);
        if (id >= 0)
            return (struct ck_member){true, (enum ck_group_kind)kind, (enum ck_builtin_id)id};
    }
    return (struct ck_member){0};
}

/* Whether the prelude implements the member for exactly the kinds of groups that have it. */
static bool
is_in_prelude(enum ck_builtin_id id)
{
    static const char *const lowerings[] = {
#define CK_BUILTIN(id, path, rule, min_args, max_args, lower, uniformity, doc)                     \
    [CK_BUILTIN_##id] = #lower,
#include "lang/typed/builtins.def"
#undef CK_BUILTIN
    };
    return strcmp(lowerings[id], "prelude") == 0;
}

static struct ck_global *
prelude_member(struct ck_checker *c, const struct ck_type *group, const char *name)
{
    return ck_prelude_function(c, ck_arena_printf(c->arena, "%s_%s", group_path(group), name));
}

/* The row of a group's member; -1: groups of the type have none of this name. */
static int
member_row(struct ck_checker *c, const struct ck_type *group, const char *name)
{
    if (group->group.kind == CK_GROUP_TOKEN)
        return -1;
    bool in_blocks = group->group.kind == CK_GROUP_GRID && strcmp(name, "group_dim") == 0;
    name = in_blocks ? "dim_blocks" : plain_name(name);
    int id = ck_builtin_find(ck_arena_printf(c->arena, "%s.%s", group_path(group), name));
    if (id >= 0)
        return id;
    id = ck_group_row(c, name);
    bool is_there =
        id >= 0 && (!is_in_prelude((enum ck_builtin_id)id) || prelude_member(c, group, name));
    return is_there ? id : -1;
}

bool
ck_group_has_member(struct ck_checker *c, const struct ck_type *group, enum ck_builtin_id id)
{
    return ck_builtin_name(id) != ck_builtin_path(id) &&
           member_row(c, group, ck_builtin_name(id)) == (int)id;
}

struct ck_value
ck_group_member(struct ck_fn *fn, const struct ck_value *group, const char *name,
                struct ck_span span)
{
    int id = member_row(fn->c, group->type, name);
    if (id < 0)
        return ck_value_error(span);
    struct ck_value *self = CK_NEW(fn->c->arena, struct ck_value);
    *self = *group;
    return (struct ck_value){
        .kind = CK_VALUE_BUILTIN, .builtin = (enum ck_builtin_id)id, .self = self, .span = span};
}

static bool
returns_ranks(const char *name)
{
    return strcmp(name, "ballot") == 0 || strcmp(name, "match_any") == 0 ||
           strcmp(name, "match_all") == 0;
}

void
ck_no_member(struct ck_fn *fn, const struct ck_value *group, const char *name, struct ck_span span)
{
    struct ck_arena *arena = fn->c->arena;
    const char *text = ck_text_of(fn, group->type);
    if (group->type->group.kind == CK_GROUP_TOKEN) {
        ck_error(fn, NO_ATTRIBUTE, span, text, name);
        return;
    }
    struct ck_diag *diag = ck_error(fn, NO_ATTRIBUTE, span, text, name);
    const char **members = NULL;
    int n = 0, capacity = 0;
    for (int i = 0; i < CK_N_BUILTINS; i++) {
        if (ck_group_has_member(fn->c, group->type, (enum ck_builtin_id)i))
            CK_PUSH(arena, members, n, capacity, ck_builtin_name((enum ck_builtin_id)i));
    }
    const char *nearest = ck_nearest_name(name, members, n);
    const enum ck_group_kind kind = group->type->group.kind;
    if (returns_ranks(name) && kind != CK_GROUP_COALESCED && kind != CK_GROUP_PART)
        ck_diag_help(
            fn->c->diags, diag,
            "`%s` returns ranks as the 32 bits of a uint32: divide the group into tiles of 32",
            name);
    else if (nearest)
        ck_diag_suggest(fn->c->diags, diag, ".", nearest);
}

struct ck_value
ck_call_member(struct ck_call *call, const struct ck_value *args, int n)
{
    struct ck_fn *fn = call->fn;
    const char *name = ck_builtin_path(call->id) + strlen("group.");
    struct ck_value *all = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n + 1);
    all[0] = *call->self;
    for (int i = 0; i < n; i++)
        all[i + 1] = args[i];
    struct ck_global *global = prelude_member(fn->c, call->self->type, name);
    return ck_call_instance(fn, global, all, n + 1, call->syntax->span);
}

/* A member without arguments: sync, or a rank or a size, which are never negative. */
struct ck_value
ck_rule_group(struct ck_call *call)
{
    struct ck_value value = ck_call_member(call, NULL, 0);
    if (value.kind == CK_VALUE_RUN)
        value.nonnegative = true;
    return value;
}

bool
ck_number_arg(struct ck_call *call, int arg, struct ck_value *out)
{
    if (!ck_is_number(&call->args[arg])) {
        ck_wrong_type(call, arg, "a number here");
        return false;
    }
    *out = ck_value_run(call->args[arg].expr->type, call->args[arg].expr);
    return true;
}

bool
ck_integer_arg(struct ck_call *call, int arg, struct ck_value *out)
{
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    if (call->args[arg].kind != CK_VALUE_RUN || !ck_type_is_int(call->args[arg].type)) {
        ck_wrong_type(call, arg, "an integer here");
        return false;
    }
    *out = ck_value_run(i64, ck_cast(call->fn, call->args[arg].expr, i64));
    return true;
}

static bool
condition_arg(struct ck_call *call, int arg, struct ck_value *out)
{
    if (!ck_is_number(&call->args[arg])) {
        ck_wrong_type(call, arg, "a condition here");
        return false;
    }
    struct ck_texpr *truth = ck_truth(call->fn, &call->args[arg]);
    if (truth)
        *out = ck_value_run(truth->type, truth);
    return truth != NULL;
}

/* value, rank or distance */
struct ck_value
ck_rule_group_condition(struct ck_call *call)
{
    struct ck_value arg;
    if (!condition_arg(call, 0, &arg))
        return ck_value_error(call->syntax->span);
    return ck_call_member(call, &arg, 1);
}

struct ck_value
ck_rule_group_value(struct ck_call *call)
{
    struct ck_value arg;
    if (!ck_number_arg(call, 0, &arg))
        return ck_value_error(call->syntax->span);
    return ck_call_member(call, &arg, 1);
}

/* --- Making groups -------------------------------------------------------------------------------
 */

struct ck_value
ck_group_without_parts(struct ck_call *call, enum ck_group_kind kind, int size, int parent)
{
    const struct ck_type *type = ck_type_group(&call->fn->c->types, kind, size, parent);
    struct ck_texpr *tuple = ck_texpr_new(call->fn, CK_T_TUPLE, type, call->syntax->span);
    return ck_value_run(type, tuple);
}

struct ck_value
ck_rule_this_grid(struct ck_call *call)
{
    return ck_group_without_parts(call, CK_GROUP_GRID, 0, 0);
}

struct ck_value
ck_rule_this_block(struct ck_call *call)
{
    return ck_group_without_parts(call, CK_GROUP_BLOCK, 0, 0);
}

struct ck_value
ck_rule_this_thread(struct ck_call *call)
{
    return ck_group_without_parts(call, CK_GROUP_TILE, 1, 1);
}

struct ck_value
ck_rule_coalesced_threads(struct ck_call *call)
{
    struct ck_global *global = ck_prelude_function(call->fn->c, "coalesced_threads");
    return ck_call_instance(call->fn, global, NULL, 0, call->syntax->span);
}

/* The group's constant size; false after an error. */
static bool
size_arg(struct ck_call *call, int64_t most, int64_t *out)
{
    const struct ck_value *arg = &call->args[0];
    if (ck_value_const_int(arg, out) && *out >= 1 && *out <= most && (*out & (*out - 1)) == 0)
        return true;
    struct ck_diag *diag =
        ck_error(call->fn, WRONG_TYPE, arg->span,
                 ck_arena_printf(call->fn->c->arena,
                                 "the size of a tile is a constant power of two up to %lld",
                                 (long long)most));
    if (arg->kind == CK_VALUE_RUN && !ck_is_constant(arg->expr))
        ck_diag_help(call->fn->c->diags, diag, "use a literal or a module constant");
    return false;
}

struct ck_value
ck_rule_tiled_partition(struct ck_call *call)
{
    const struct ck_type *parent = call->self->type;
    if (parent->group.kind < CK_GROUP_BLOCK || parent->group.kind > CK_GROUP_COALESCED) {
        struct ck_diag *diag =
            ck_error(call->fn, WRONG_TYPE, call->self->span,
                     ck_arena_printf(call->fn->c->arena, "a %s cannot be divided into tiles",
                                     ck_text_of(call->fn, parent)));
        ck_diag_help(call->fn->c->diags, diag, "divide the thread block: this_thread_block()");
        return ck_value_error(call->syntax->span);
    }
    int64_t most = parent->group.kind == CK_GROUP_COALESCED ? CK_WARP_SIZE : CK_MAX_BLOCK_THREADS,
            size;
    if (parent->group.size)
        most = parent->group.size;
    if (!size_arg(call, most, &size))
        return ck_value_error(call->syntax->span);
    if (parent->group.kind == CK_GROUP_COALESCED)
        return ck_call_member(call, call->args, 1);
    enum ck_group_kind kind = size > CK_WARP_SIZE ? CK_GROUP_WIDE_TILE : CK_GROUP_TILE;
    return ck_group_without_parts(call, kind, (int)size, parent->group.size);
}

/* --- What the prelude is made of -----------------------------------------------------------------
 */

/* The partitions of a coalesced group or of a partition of a block, as a group. */
static struct ck_value
group_of_parts(struct ck_call *call, enum ck_group_kind kind)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *type = ck_type_group(&fn->c->types, kind, 0, 0);
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, type, call->syntax->span);
    tuple->tuple.n = type->group.n;
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, type->group.n);
    for (int i = 0; i < type->group.n; i++)
        tuple->tuple.items[i] = ck_cast(fn, call->args[i].expr, type->group.items[i]);
    return ck_value_run(type, tuple);
}

struct ck_value
ck_rule_make_coalesced(struct ck_call *call)
{
    call->fn->out->effects |= CK_EFFECT_MAKES_GROUP;
    return group_of_parts(call, CK_GROUP_COALESCED);
}

struct ck_value
ck_rule_make_part(struct ck_call *call)
{
    call->fn->out->effects |= CK_EFFECT_MAKES_GROUP;
    return group_of_parts(call, CK_GROUP_PART);
}

/* group, index */
struct ck_value
ck_rule_group_item(struct ck_call *call)
{
    int64_t index = 0;
    ck_value_const_int(&call->args[1], &index);
    return ck_tuple_item(call->fn, &call->args[0], (int)index);
}

/* A tile's own size, or that of the tile it divides (0: none). */
struct ck_value
ck_rule_tile_size(struct ck_call *call)
{
    return ck_value_int(call->fn, call->args[0].type->group.size, call->syntax->span);
}

struct ck_value
ck_rule_tile_parent(struct ck_call *call)
{
    return ck_value_int(call->fn, call->args[0].type->group.parent, call->syntax->span);
}

/* `g.num_threads()` of a tile: a constant, also where one is needed. */
struct ck_value
ck_rule_tile_num_threads(struct ck_call *call)
{
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    return ck_value_run(
        i64, ck_const_int(call->fn, i64, call->self->type->group.size, call->syntax->span));
}

struct ck_value
ck_rule_type_of(struct ck_call *call)
{
    return (struct ck_value){
        .kind = CK_VALUE_TYPE, .type = call->args[0].expr->type, .span = call->syntax->span};
}

static struct ck_value
bool_constant(const struct ck_call *call, bool may)
{
    const struct ck_type *boolean = ck_type_scalar(CK_TYPE_BOOL);
    return ck_value_run(boolean, ck_const_int(call->fn, boolean, may, call->syntax->span));
}

struct ck_value
ck_rule_may_have_returned(struct ck_call *call)
{
    return bool_constant(call, ck_may_have_returned(call->fn));
}

struct ck_value
ck_rule_may_have_left(struct ck_call *call)
{
    return bool_constant(call, ck_may_have_left(call->fn));
}
