/* Environments: what each name is bound to at a point of the program, and how bindings join where
 * control flow joins.
 *
 * A name has one local for each type that it takes. A constant needs no local until paths with
 * different values join; then each path assigns to the local of the common type, at its own end. So
 * the typed program is built in one pass without phis, much as Braun et al., Simple and Efficient
 * Construction of Static Single Assignment Form (2013), build SSA form from the syntax tree. */
#include <stdlib.h>
#include <string.h>

#include "lang/check/name_tuple.h"
#include "lang/check/optional.h"
#include "lang/check/untyped.h"
#include "lang/check/window.h"

/* --- Names and locals ----------------------------------------------------------------------------
 */

int
ck_name_set_find(const struct ck_name_set *set, const char *name)
{
    for (int i = ck_index_first(&set->index, ck_hash_text(name)); i >= 0;
         i = ck_index_next(&set->index, i)) {
        if (set->items[i] == name || strcmp(set->items[i], name) == 0)
            return i;
    }
    return -1;
}

int
ck_name_set_add(struct ck_arena *arena, struct ck_name_set *set, const char *name)
{
    CK_PUSH(arena, set->items, set->n, set->capacity, name);
    ck_index_add(arena, &set->index, ck_hash_text(name));
    return set->n - 1;
}

int
ck_name_index(struct ck_fn *fn, const char *name)
{
    const int i = ck_name_set_find(&fn->names, name);
    return i >= 0 ? i : ck_name_set_add(fn->c->arena, &fn->names, name);
}

static uint32_t
local_hash(const char *name, const struct ck_type *type)
{
    return ck_hash_mix(ck_hash_text(name), ck_hash_pointer(type));
}

int
ck_local_new(struct ck_fn *fn, const char *name, const struct ck_type *type)
{
    struct ck_tfunc *out = fn->out;
    struct ck_local local = {.name = name, .type = type};
    CK_PUSH(fn->c->arena, out->locals, out->n_locals, out->locals_capacity, local);
    ck_index_add(fn->c->arena, &fn->local_index, local_hash(name, type));
    return out->n_locals - 1;
}

void
ck_locals_cut(struct ck_fn *fn, int n)
{
    fn->out->n_locals = n;
    ck_index_cut(&fn->local_index, n);
    while (fn->held_arrays.n && fn->held_arrays.items[fn->held_arrays.n - 1].local >= n)
        fn->held_arrays.n--;
}

static bool
is_local_of(const struct ck_local *local, const char *name, const struct ck_type *type)
{
    return local->type == type && (local->name == name || strcmp(local->name, name) == 0);
}

/* The local of this name and type, created on first use. */
static int
local_for(struct ck_fn *fn, const char *name, const struct ck_type *type)
{
    for (int i = ck_index_first(&fn->local_index, local_hash(name, type)); i >= 0;
         i = ck_index_next(&fn->local_index, i)) {
        if (is_local_of(&fn->out->locals[i], name, type))
            return i;
    }
    return ck_local_new(fn, name, type);
}

/* --- The tree of bindings ------------------------------------------------------------------------
 *
 * A persistent tree (Driscoll et al., Making Data Structures Persistent, 1989): a new binding
 * copies the nodes on its path and shares all others. So a copy is free, and comparing or joining
 * two environments skips the subtrees that they share: a branch costs what it changes. */

enum { BITS = 3, FANOUT = 1 << BITS };

struct ck_env_node {
    const void *children[FANOUT]; /* nodes; at height 0 bindings; NULL: nothing bound */
};

/* A node, or a binding below height 0, with its height. A tree that is lower than another counts as
 * the first child of that one. */
struct part {
    const void *node;
    int height;
};

static struct part
child_of(struct part part, int height, int i)
{
    if (part.height < height)
        return i == 0 ? part : (struct part){NULL, part.height};
    const struct ck_env_node *node = part.node;
    return (struct part){node ? node->children[i] : NULL, height - 1};
}

static struct part
whole(const struct ck_env *env)
{
    return (struct part){env->root, env->height};
}

const struct ck_binding *
ck_env_get(const struct ck_env *env, int name)
{
    static const struct ck_binding unset = {.state = CK_UNSET};
    if (name >> (BITS * (env->height + 1)))
        return &unset;
    const void *at = env->root;
    for (int height = env->height; at && height >= 0; height--)
        at = ((const struct ck_env_node *)at)->children[name >> (BITS * height) & (FANOUT - 1)];
    return at ? at : &unset;
}

static const struct ck_env_node *
with_binding(struct ck_fn *fn, const struct ck_env_node *old, int height, int name,
             const struct ck_binding *binding)
{
    struct ck_env_node *node = CK_NEW(fn->c->arena, struct ck_env_node);
    if (old)
        *node = *old;
    const void **child = &node->children[name >> (BITS * height) & (FANOUT - 1)];
    *child = height ? with_binding(fn, *child, height - 1, name, binding) : (const void *)binding;
    return node;
}

/* The place where a name was bound. From there until the name is bound again, its value can be
 * copied to another of its locals. A value that many paths would copy at their ends is copied here
 * once. */
struct ck_home {
    struct ck_tblock *block;
    int at;    /* statements of the block before it */
    int moves; /* so far, at the ends of paths */
    int local; /* the local it was copied to, or -1 */
};

static struct ck_home *
new_home(struct ck_fn *fn)
{
    if (!ck_has_many_paths(fn) || fn->c->diags->quiet)
        return NULL;
    struct ck_home *home = CK_NEW(fn->c->arena, struct ck_home);
    *home = (struct ck_home){.block = fn->block, .at = fn->block->n, .local = -1};
    return home;
}

void
ck_env_set(struct ck_fn *fn, struct ck_env *env, int name, const struct ck_binding *binding)
{
    for (; name >> (BITS * (env->height + 1)); env->height++) {
        if (!env->root)
            continue;
        struct ck_env_node *root = CK_NEW(fn->c->arena, struct ck_env_node);
        root->children[0] = env->root;
        env->root = root;
    }
    struct ck_binding *kept = CK_NEW(fn->c->arena, struct ck_binding);
    *kept = *binding;
    kept->home = new_home(fn);
    env->root = with_binding(fn, env->root, env->height, name, kept);
}

/* --- Comparison ----------------------------------------------------------------------------------
 */

static bool
differ(struct part a, struct part b, int height, int first, ck_env_visit visit, void *context)
{
    static const struct ck_binding unset = {.state = CK_UNSET};
    if (a.node == b.node)
        return true;
    if (height < 0)
        return visit(context, first, a.node ? a.node : &unset, b.node ? b.node : &unset);
    for (int i = 0; i < FANOUT; i++) {
        if (!differ(child_of(a, height, i), child_of(b, height, i), height - 1,
                    first + (i << (BITS * height)), visit, context))
            return false;
    }
    return true;
}

bool
ck_env_differences(const struct ck_env *a, const struct ck_env *b, ck_env_visit visit,
                   void *context)
{
    int height = a->height > b->height ? a->height : b->height;
    return differ(whole(a), whole(b), height, 0, visit, context);
}

static bool
same_held_value(const struct ck_value *a, const struct ck_value *b)
{
    if (a->kind == CK_VALUE_ERROR && b->kind == CK_VALUE_ERROR && !a->expr != !b->expr)
        return false;
    if (a->kind != CK_VALUE_RUN || b->kind != CK_VALUE_RUN)
        return ck_same_value(a, b);
    if (a->type != b->type)
        return false;
    bool constant = ck_is_constant(a->expr);
    if (constant != ck_is_constant(b->expr) || !ck_same_extents(a, b) ||
        !ck_same_window(a->window, b->window))
        return false;
    return constant
               ? ck_same_constant(a->expr, b->expr)
               : a->range.low == b->range.low && a->range.high == b->range.high &&
                     a->range.farthest == b->range.farthest && a->nonnegative == b->nonnegative &&
                     a->origin.carried == b->origin.carried;
}

bool
ck_same_binding(const struct ck_binding *a, const struct ck_binding *b)
{
    if (a == b)
        return true;
    if (a->state != b->state)
        return false;
    bool set = a->state == CK_SET || a->state == CK_MAYBE_UNSET;
    return !set || same_held_value(&a->value, &b->value);
}

static bool
same_name(void *context, int name, const struct ck_binding *a, const struct ck_binding *b)
{
    return ck_same_binding(a, b);
}

bool
ck_env_equal(const struct ck_env *a, const struct ck_env *b)
{
    return a->reachable == b->reachable && ck_env_differences(a, b, same_name, NULL);
}

/* Of a name whose value has no known type: the local that holds what the value depends on. */
static struct ck_texpr *
dependence_of(struct ck_fn *fn, const char *name, struct ck_span span)
{
    return ck_local_ref(fn, local_for(fn, name, ck_type_scalar(CK_TYPE_BOOL)), span);
}

void
ck_env_set_anew(struct ck_fn *fn, struct ck_env *env, int name, const struct ck_binding *binding)
{
    const struct ck_value *value = &binding->value;
    struct ck_binding anew = *binding;
    bool set = binding->state == CK_SET || binding->state == CK_MAYBE_UNSET;
    if (set && value->kind == CK_VALUE_RUN && !ck_is_constant(value->expr)) {
        const struct ck_type *type = ck_storage_type(&fn->c->types, value->type);
        int local = local_for(fn, fn->names.items[name], type);
        anew.value.expr = ck_local_ref(fn, local, value->span);
    } else if (set && value->kind == CK_VALUE_ERROR && value->expr) {
        anew.value.expr = dependence_of(fn, fn->names.items[name], value->span);
    }
    ck_env_set(fn, env, name, &anew);
}

/* --- Joining -------------------------------------------------------------------------------------
 */

void
ck_edges_add(struct ck_fn *fn, struct ck_edges *edges, const struct ck_env *env,
             struct ck_tblock *block)
{
    if (!env->reachable)
        return;
    struct ck_edge edge = {.env = *env, .block = block};
    CK_PUSH(fn->c->arena, edges->edges, edges->n, edges->capacity, edge);
}

/* Where paths join, for the message about a name that one of them leaves unset. */
struct join_site {
    struct ck_span span;
    const char *how; /* "": at a loop's header */
};

static bool
is_run(const struct ck_binding *binding)
{
    return binding->value.kind == CK_VALUE_RUN;
}

/* Where the float literal was bound that makes two joined bindings a float64. Empty if there is
 * none, or if the other binding is a float64 already, which was reported at its definition. In a
 * loop that float64 may itself come from the literal. */
static struct ck_span
widened_literal(const struct ck_binding *a, const struct ck_binding *b, const struct join_site *at)
{
    struct ck_span none = {0, 0};
    bool weak = a->value.type->kind == CK_TYPE_WEAK_FLOAT;
    if (!weak && !a->value.origin.literal_at.end)
        return none;
    bool reported = b->value.type->kind == CK_TYPE_FLOAT64 && !b->value.origin.literal_at.end;
    if (reported && *at->how)
        return none;
    return weak ? a->set_at : a->value.origin.literal_at;
}

/* Joins two values of which one has no known type, or which have no common one. */
static void
join_untyped(struct ck_fn *fn, const char *name, struct ck_value *a, const struct ck_value *b)
{
    const bool depends = ck_untyped_dependence_of(fn, a) || ck_untyped_dependence_of(fn, b);
    *a = ck_value_error(a->span);
    a->expr = depends ? dependence_of(fn, name, a->span) : NULL;
}

/* Joins `other` into `into`, both set: the common value, or a conflict. */
static void
join_values(struct ck_fn *fn, const char *name, struct ck_binding *into,
            const struct ck_binding *other, const struct join_site *at)
{
    struct ck_value *a = &into->value;
    const struct ck_value *b = &other->value;
    if (into->pin != other->pin)
        into->pin = NULL;
    if (fn->c->untyped && (a->kind == CK_VALUE_ERROR || b->kind == CK_VALUE_ERROR)) {
        join_untyped(fn, name, a, b);
        return;
    }
    if (b->kind == CK_VALUE_ERROR) /* was or will be reported; the other binding is kept */
        return;
    if (a->kind == CK_VALUE_ERROR) {
        *a = *b;
        return;
    }
    const struct ck_type *type = NULL;
    if (is_run(into) && is_run(other)) {
        if (same_held_value(a, b) && (ck_is_constant(a->expr) || a->expr->local == b->expr->local))
            return;
        type = ck_join_names(&fn->c->types, a->type, b->type);
    } else if (same_held_value(a, b)) {
        return;
    }
    if (!type && fn->c->untyped) { /* types may decide that only one of the paths is taken */
        join_untyped(fn, name, a, b);
        return;
    }
    if (!type) {
        into->state = CK_CONFLICT;
        into->other = b->type;
        into->other_at = other->set_at;
        return;
    }
    int local = local_for(fn, name, ck_storage_type(&fn->c->types, type));
    struct ck_span literal = widened_literal(into, other, at);
    if (!literal.end)
        literal = widened_literal(other, into, at);
    a->origin.literal_at = type->kind == CK_TYPE_FLOAT64 ? literal : (struct ck_span){0, 0};
    a->type = type;
    a->expr = ck_local_ref(fn, local, a->span);
    a->range.low = a->range.low < b->range.low ? a->range.low : b->range.low;
    a->range.high = a->range.high > b->range.high ? a->range.high : b->range.high;
    a->range.farthest = ck_farther(a->range.farthest, b->range.farthest);
    a->nonnegative = a->nonnegative && b->nonnegative;
    a->extents = ck_common_extents(fn, a, b);
    a->window = ck_common_window(fn, a->window, b->window);
    a->origin.carried = true;
    if (!a->origin.may_wrap.end) {
        a->origin.may_wrap = b->origin.may_wrap;
        a->origin.wrapping_op = b->origin.wrapping_op;
    }
}

/* What one name is bound to along the edges of a join. Edges are in the order of the text, so that
 * neighbours share most names. A join costs the changes between consecutive edges and the names in
 * this list, not edges times names. */
struct change {
    int name, edge; /* from this edge on */
    const struct ck_binding *binding;
};

struct changes {
    struct ck_fn *fn;
    struct change *items; /* by name, then by edge; the first of each name is edge 0 */
    int n, capacity;
    int edge; /* while collecting */
};

static bool
add_change(void *context, int name, const struct ck_binding *before,
           const struct ck_binding *binding)
{
    struct changes *changes = context;
    struct change change = {name, changes->edge, binding};
    CK_PUSH(changes->fn->c->arena, changes->items, changes->n, changes->capacity, change);
    return true;
}

static int
compare_changes(const void *left, const void *right)
{
    const struct change *a = left, *b = right;
    return a->name != b->name ? a->name - b->name : a->edge - b->edge;
}

/* Every name whose binding changes between edges, or differs from its binding in `target` unless
 * that is NULL. */
static struct changes
collect_changes(struct ck_fn *fn, const struct ck_edges *edges, const struct ck_env *target)
{
    struct changes found = {.fn = fn};
    for (found.edge = 1; found.edge < edges->n; found.edge++)
        ck_env_differences(&edges->edges[found.edge - 1].env, &edges->edges[found.edge].env,
                           add_change, &found);
    int n = found.n;
    found.edge = 0;
    if (target)
        ck_env_differences(target, &edges->edges[0].env, add_change, &found);
    for (int i = 0; i < n; i++) {
        int name = found.items[i].name;
        add_change(&found, name, NULL, ck_env_get(&edges->edges[0].env, name));
    }
    if (found.n)
        qsort(found.items, (size_t)found.n, sizeof *found.items, compare_changes);
    int kept = 0;
    for (int i = 0; i < found.n; i++) {
        if (!kept || compare_changes(&found.items[kept - 1], &found.items[i]))
            found.items[kept++] = found.items[i];
    }
    found.n = kept;
    return found;
}

/* The number of changes of the name whose changes start at `first`. */
static int
changes_of_name(const struct changes *changes, int first)
{
    int n = 1;
    while (first + n < changes->n && changes->items[first + n].name == changes->items[first].name)
        n++;
    return n;
}

/* What a name is bound to at a join of edges that do not all share its binding. */
static struct ck_binding
join_name(struct ck_fn *fn, const struct change *changes, int n, const struct join_site *at)
{
    struct ck_binding joined = {.state = CK_UNSET};
    bool missing = false;
    for (int i = 0; i < n; i++) {
        const struct ck_binding *binding = changes[i].binding;
        if (binding->state == CK_UNSET) {
            missing = true;
        } else if (joined.state == CK_UNSET) {
            joined = *binding;
        } else if (binding->state == CK_CONFLICT) {
            joined = *binding;
        } else if (joined.state != CK_CONFLICT) {
            bool maybe = joined.state == CK_MAYBE_UNSET || binding->state == CK_MAYBE_UNSET;
            if (binding->state == CK_MAYBE_UNSET) {
                joined.unset_at = binding->unset_at;
                joined.unset_how = binding->unset_how;
            }
            join_values(fn, fn->names.items[changes->name], &joined, binding, at);
            if (maybe && joined.state != CK_CONFLICT)
                joined.state = CK_MAYBE_UNSET;
        }
    }
    if (missing && joined.state == CK_SET) {
        joined.state = CK_MAYBE_UNSET;
        joined.unset_at = at->span;
        joined.unset_how = at->how;
    }
    return joined;
}

static bool
is_jump(const struct ck_tstmt *stmt)
{
    return stmt->kind == CK_S_BREAK || stmt->kind == CK_S_CONTINUE;
}

static bool
may_be_set(const struct ck_binding *binding)
{
    return binding->state == CK_SET || binding->state == CK_MAYBE_UNSET;
}

/* Whether the name has a local for what its value, of no known type, depends on. */
static bool
has_dependence(const struct ck_binding *binding)
{
    return may_be_set(binding) && binding->value.kind == CK_VALUE_ERROR && binding->value.expr;
}

/* Whether a value must be copied to get from one binding to the other. */
static bool
must_move(const struct ck_binding *from, const struct ck_binding *to)
{
    bool held = may_be_set(from) && (is_run(from) || has_dependence(to));
    bool wanted = may_be_set(to) && (is_run(to) || has_dependence(to));
    if (!held || !wanted || ck_is_constant(to->value.expr))
        return false;
    const struct ck_texpr *at = from->value.expr;
    return !at || at->kind != CK_T_LOCAL || at->local != to->value.expr->local;
}

enum { MOST_MOVES = 8 }; /* of one value, at the ends of paths */

struct ck_early {
    struct ck_tblock *block;
    int at, order;
    struct ck_tstmt *stmt;
};

/* Copies a value at the place where its name was bound. */
static void
move_early(struct ck_fn *fn, const struct ck_binding *from, const struct ck_binding *to)
{
    struct ck_home *home = from->home;
    struct ck_texpr *value = ck_convert(fn, &from->value, to->value.type);
    if (!value)
        return;
    struct ck_tblock one = {0};
    home->local = to->value.expr->local;
    ck_emit_assign(fn, &one, home->local, value, from->set_at);
    struct ck_early early = {home->block, home->at, fn->early.n, one.stmts[0]};
    CK_PUSH(fn->c->arena, fn->early.items, fn->early.n, fn->early.capacity, early);
}

static bool
moved_early(const struct ck_binding *from, const struct ck_binding *to)
{
    return from->home && !has_dependence(to) && from->home->local == to->value.expr->local;
}

/* Whether a value is copied early, or was. */
static bool
moves_early(struct ck_fn *fn, const struct ck_binding *from, const struct ck_binding *to)
{
    struct ck_home *home = fn->c->diags->quiet || has_dependence(to) ? NULL : from->home;
    if (!home)
        return false;
    if (!moved_early(from, to) && ++home->moves > MOST_MOVES)
        move_early(fn, from, to);
    return moved_early(from, to);
}

static int
compare_early(const void *left, const void *right)
{
    const struct ck_early *a = left, *b = right;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return a->at != b->at ? a->at - b->at : a->order - b->order;
}

static void
add_early(struct ck_fn *fn, const struct ck_early *early, int n)
{
    struct ck_tblock *block = early->block, old = *block;
    *block = (struct ck_tblock){0};
    for (int i = 0, k = 0; i <= old.n; i++) {
        for (; k < n && early[k].at == i; k++)
            CK_PUSH(fn->c->arena, block->stmts, block->n, block->capacity, early[k].stmt);
        if (i < old.n)
            CK_PUSH(fn->c->arena, block->stmts, block->n, block->capacity, old.stmts[i]);
    }
}

void
ck_env_finish(struct ck_fn *fn)
{
    if (fn->early.n)
        qsort(fn->early.items, (size_t)fn->early.n, sizeof *fn->early.items, compare_early);
    for (int i = 0, n; i < fn->early.n; i += n) {
        for (n = 1; i + n < fn->early.n && fn->early.items[i + n].block == fn->early.items[i].block;
             n++)
            ;
        add_early(fn, &fn->early.items[i], n);
    }
}

/* Adds the copy to a block whose last statement may be the jump that ends it. */
static void
move_value(struct ck_fn *fn, const struct ck_binding *from, const struct ck_binding *to,
           struct ck_tblock *block)
{
    if (moves_early(fn, from, to))
        return;
    struct ck_texpr *value = has_dependence(to) ? ck_untyped_held(fn, &from->value, from->set_at)
                                                : ck_convert(fn, &from->value, to->value.type);
    if (!value)
        return;
    struct ck_tstmt *jump = NULL;
    if (block->n && is_jump(block->stmts[block->n - 1]))
        jump = block->stmts[--block->n];
    ck_emit_assign(fn, block, to->value.expr->local, value, from->set_at);
    if (jump)
        CK_PUSH(fn->c->arena, block->stmts, block->n, block->capacity, jump);
}

struct conversion {
    struct ck_fn *fn;
    struct ck_tblock *block;
};

static bool
convert_difference(void *context, int name, const struct ck_binding *from,
                   const struct ck_binding *to)
{
    struct conversion *c = context;
    if (must_move(from, to))
        move_value(c->fn, from, to, c->block);
    return true;
}

void
ck_env_convert(struct ck_fn *fn, const struct ck_env *from, const struct ck_env *to,
               struct ck_tblock *block)
{
    struct conversion conversion = {fn, block};
    ck_env_differences(from, to, convert_difference, &conversion);
}

static void
convert_changes(struct ck_fn *fn, const struct changes *changes, const struct ck_edges *edges,
                const struct ck_env *to)
{
    if (fn->c->diags->quiet) /* the statements of this pass are discarded */
        return;
    for (int i = 0; i < changes->n; i++) {
        const struct change *change = &changes->items[i], *next = change + 1;
        bool last = i + 1 == changes->n || next->name != change->name;
        int end = last ? edges->n : next->edge;
        const struct ck_binding *binding = ck_env_get(to, change->name);
        if (!must_move(change->binding, binding))
            continue;
        for (int k = change->edge; k < end && !moved_early(change->binding, binding); k++)
            move_value(fn, change->binding, binding, edges->edges[k].block);
    }
}

void
ck_edges_convert(struct ck_fn *fn, const struct ck_edges *edges, const struct ck_env *to)
{
    if (!edges->n)
        return;
    struct changes changes = collect_changes(fn, edges, to);
    convert_changes(fn, &changes, edges, to);
}

struct ck_binding
ck_join_bindings(struct ck_fn *fn, int name, const struct ck_binding *a, const struct ck_binding *b)
{
    const struct change changes[] = {{name, 0, a}, {name, 1, b}};
    return join_name(fn, changes, 2, &(struct join_site){.how = ""});
}

struct ck_env
ck_env_join(struct ck_fn *fn, const struct ck_edges *edges, struct ck_span at, const char *how)
{
    struct ck_env joined = {.reachable = edges->n > 0};
    if (!edges->n)
        return joined;
    joined = edges->edges[0].env;
    struct changes changes = collect_changes(fn, edges, NULL);
    struct join_site site = {at, how};
    for (int i = 0, n; i < changes.n; i += n) {
        n = changes_of_name(&changes, i);
        struct ck_binding binding = join_name(fn, &changes.items[i], n, &site);
        ck_env_set(fn, &joined, changes.items[i].name, &binding);
    }
    convert_changes(fn, &changes, edges, &joined);
    return joined;
}

/* --- Binding -------------------------------------------------------------------------------------
 */

/* Makes the facts about a value true of its type's zero as well. */
static void
admit_zero(struct ck_value *value)
{
    value->extents = NULL;
    if (value->range.low > 0)
        value->range.low = 0;
    if (value->range.high < 0)
        value->range.high = 0;
}

void
ck_bind(struct ck_fn *fn, const char *name, struct ck_value value, struct ck_span span)
{
    int index = ck_name_index(fn, name);
    const struct ck_type *pin = ck_env_get(&fn->env, index)->pin;
    if (value.kind == CK_VALUE_RUN && pin) {
        ck_warn_late_widening(fn, &value, pin, span);
        struct ck_texpr *expr = ck_convert_to_fit(fn, &value, pin);
        value = expr ? ck_value_run(pin, expr) : ck_value_error(span);
    }
    if (fn->c->untyped && value.kind == CK_VALUE_ERROR) {
        struct ck_texpr *held = ck_untyped_held(fn, &value, span);
        value.expr = dependence_of(fn, name, span);
        ck_emit_assign(fn, fn->block, value.expr->local, held, span);
    }
    bool is_zeroed = ck_name_set_find(&fn->zeroed, name) >= 0;
    if (is_zeroed)
        admit_zero(&value);
    if (value.kind == CK_VALUE_RUN && ck_type_is_array(value.type))
        value.window = ck_window_to_keep(fn, value.expr);
    if (value.kind == CK_VALUE_RUN && (is_zeroed || !ck_is_constant(value.expr))) {
        const struct ck_type *type = ck_storage_type(&fn->c->types, value.type);
        int local = local_for(fn, name, type);
        if (value.expr->kind != CK_T_LOCAL || value.expr->local != local)
            ck_emit_assign(fn, fn->block, local, value.expr, span);
        value.expr = ck_local_ref(fn, local, span);
    }
    struct ck_binding binding = {.state = CK_SET, .value = value, .pin = pin, .set_at = span};
    ck_env_set(fn, &fn->env, index, &binding);
    if (ck_is_optional(fn, name))
        ck_set_none(fn, name, false, span);
    if (!ck_is_hidden_name(name))
        ck_add_fact(fn, span.start, &value);
}
