/* Environments: what each name is bound to at a point of the program, and how bindings meet where
 * control flow joins.
 *
 * A name has one local for each type it takes. A constant needs no local until paths that disagree
 * meet; then each path assigns to the local of the common type, at its own end. */
#include <string.h>

#include "lang/check_internal.h"

/* --- Names and locals ----------------------------------------------------------------------------
 */

int
ck_name_index(struct ck_fn *fn, const char *name)
{
    uint32_t hash = ck_hash_text(name);
    for (int i = ck_index_first(&fn->name_index, hash); i >= 0;
         i = ck_index_next(&fn->name_index, i)) {
        if (fn->names[i] == name || strcmp(fn->names[i], name) == 0)
            return i;
    }
    CK_PUSH(fn->c->arena, fn->names, fn->n_names, fn->names_capacity, name);
    ck_index_add(fn->c->arena, &fn->name_index, hash);
    return fn->n_names - 1;
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
}

static bool
is_local_of(const struct ck_local *local, const char *name, const struct ck_type *type)
{
    return local->type == type && (local->name == name || strcmp(local->name, name) == 0);
}

int
ck_local_for(struct ck_fn *fn, const char *name, const struct ck_type *type)
{
    for (int i = ck_index_first(&fn->local_index, local_hash(name, type)); i >= 0;
         i = ck_index_next(&fn->local_index, i)) {
        if (is_local_of(&fn->out->locals[i], name, type))
            return i;
    }
    return ck_local_new(fn, name, type);
}

/* --- The tree of bindings ------------------------------------------------------------------------
 * An environment is a tree that is never changed: a new binding makes new nodes on the way to it
 * and shares all others. So a copy is free, and what two environments have in common is skipped
 * where they are compared or joined: a branch costs what it changes. */

enum { BITS = 3, FANOUT = 1 << BITS };

struct ck_env_node {
    const void *children[FANOUT]; /* nodes; at height 0 bindings; NULL: nothing set */
};

/* A node, or a binding below height 0, with its own height: a tree that is lower than another is
 * taken as the first of that one's children. */
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
same_extents(const struct ck_value *a, const struct ck_value *b)
{
    if (!a->extents || !b->extents)
        return a->extents == b->extents;
    return memcmp(a->extents, b->extents, (size_t)a->type->array.ndim * sizeof *a->extents) == 0;
}

static bool
same_held_value(const struct ck_value *a, const struct ck_value *b)
{
    if (a->kind != b->kind || a->type != b->type)
        return false;
    if (a->kind == CK_VALUE_FUNCTION)
        return a->function == b->function;
    if (a->kind == CK_VALUE_BUILTIN)
        return a->builtin == b->builtin;
    if (a->kind == CK_VALUE_PATH)
        return strcmp(a->path, b->path) == 0;
    if (a->kind != CK_VALUE_RUN)
        return true;
    bool constant = ck_is_constant(a->expr);
    if (constant != ck_is_constant(b->expr) || !same_extents(a, b))
        return false;
    return constant ? ck_same_constant(a->expr, b->expr)
                    : a->low == b->low && a->high == b->high && a->nonnegative == b->nonnegative &&
                          a->carried == b->carried;
}

static bool
same_binding(void *context, int name, const struct ck_binding *x, const struct ck_binding *y)
{
    if (x->state != y->state)
        return false;
    bool set = x->state == CK_SET || x->state == CK_MAYBE_UNSET;
    return !set || same_held_value(&x->value, &y->value);
}

bool
ck_env_equal(const struct ck_env *a, const struct ck_env *b)
{
    return a->reachable == b->reachable && ck_env_differences(a, b, same_binding, NULL);
}

struct relocation {
    struct ck_fn *fn;
    struct ck_env *env;
};

static bool
relocate(void *context, int name, const struct ck_binding *binding, const struct ck_binding *entry)
{
    struct relocation *r = context;
    const struct ck_value *value = &binding->value;
    if ((binding->state != CK_SET && binding->state != CK_MAYBE_UNSET) ||
        value->kind != CK_VALUE_RUN || ck_is_constant(value->expr))
        return true;
    const struct ck_type *type = ck_storage_type(&r->fn->c->types, value->type);
    struct ck_binding moved = *binding;
    int local = ck_local_for(r->fn, r->fn->names[name], type);
    moved.value.expr = ck_local_ref(r->fn, local, value->span);
    ck_env_set(r->fn, r->env, name, &moved);
    return true;
}

void
ck_env_relocate(struct ck_fn *fn, struct ck_env *env, const struct ck_env *entry)
{
    struct ck_env old = *env;
    struct relocation r = {fn, env};
    ck_env_differences(&old, entry, relocate, &r);
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

/* Where paths meet, for the message about a name that one of them leaves unset. */
struct meeting {
    struct ck_span span;
    const char *how; /* "": at a loop's head */
};

static bool
is_run(const struct ck_binding *binding)
{
    return binding->value.kind == CK_VALUE_RUN;
}

/* Where the float literal was bound that makes what two bindings meet in a float64: empty if there
 * is none, or if what it meets is a float64 already, of which was told where it came to be. In a
 * loop that float64 may itself come from the literal. */
static struct ck_span
literal_met(const struct ck_binding *a, const struct ck_binding *b, const struct meeting *at)
{
    struct ck_span none = {0, 0};
    bool weak = a->value.type->kind == CK_TYPE_WEAK_FLOAT;
    if (!weak && !a->value.literal_at.end)
        return none;
    bool told = b->value.type->kind == CK_TYPE_FLOAT64 && !b->value.literal_at.end;
    if (told && *at->how)
        return none;
    return weak ? a->set_at : a->value.literal_at;
}

/* `into` meets `other`, both set: the common value, or a conflict. */
static void
meet_values(struct ck_fn *fn, const char *name, struct ck_binding *into,
            const struct ck_binding *other, const struct meeting *at)
{
    struct ck_value *a = &into->value;
    const struct ck_value *b = &other->value;
    if (into->pin != other->pin)
        into->pin = NULL;
    const struct ck_type *type = NULL;
    if (is_run(into) && is_run(other)) {
        if (same_held_value(a, b) && (ck_is_constant(a->expr) || a->expr->local == b->expr->local))
            return;
        type = ck_join_types(&fn->c->types, a->type, b->type);
    } else if (same_held_value(a, b)) {
        return;
    }
    if (!type) {
        into->state = CK_CONFLICT;
        into->other = b->type;
        into->other_at = other->set_at;
        return;
    }
    int local = ck_local_for(fn, name, ck_storage_type(&fn->c->types, type));
    struct ck_span literal = literal_met(into, other, at);
    if (!literal.end)
        literal = literal_met(other, into, at);
    a->literal_at = type->kind == CK_TYPE_FLOAT64 ? literal : (struct ck_span){0, 0};
    a->type = type;
    a->expr = ck_local_ref(fn, local, a->span);
    a->low = a->low < b->low ? a->low : b->low;
    a->high = a->high > b->high ? a->high : b->high;
    a->nonnegative = a->nonnegative && b->nonnegative;
    a->extents = NULL;
    a->carried = true;
}

/* What a name is bound to where `n` edges meet that do not all share its binding. */
static struct ck_binding
join_name(struct ck_fn *fn, int name, const struct part *parts, int n, const struct meeting *at)
{
    struct ck_binding joined = {.state = CK_UNSET};
    bool missing = false;
    for (int i = 0; i < n; i++) {
        const struct ck_binding *binding = parts[i].node;
        if (!binding || binding->state == CK_UNSET) {
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
            meet_values(fn, fn->names[name], &joined, binding, at);
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
all_same(const struct part *parts, int n)
{
    for (int i = 1; i < n; i++) {
        if (parts[i].node != parts[0].node)
            return false;
    }
    return true;
}

static const void *
join_parts(struct ck_fn *fn, const struct part *parts, int n, int height, int first,
           const struct meeting *at)
{
    /* What all share is as it was; the whole of a tree that is too low is not at its place yet. */
    if (all_same(parts, n) && (!parts[0].node || parts[0].height == height))
        return parts[0].node;
    if (height < 0) {
        struct ck_binding *joined = CK_NEW(fn->c->arena, struct ck_binding);
        *joined = join_name(fn, first, parts, n, at);
        return joined;
    }
    struct ck_env_node *node = CK_NEW(fn->c->arena, struct ck_env_node);
    struct part *children = CK_NEW_ARRAY(fn->c->arena, struct part, n);
    for (int i = 0; i < FANOUT; i++) {
        for (int k = 0; k < n; k++)
            children[k] = child_of(parts[k], height, i);
        node->children[i] =
            join_parts(fn, children, n, height - 1, first + (i << (BITS * height)), at);
    }
    return node;
}

/* Adds statements to a block whose last may be the jump that ends it. */
static void
convert_name(struct ck_fn *fn, const struct ck_binding *from, const struct ck_binding *to,
             struct ck_tblock *block)
{
    bool held = (from->state == CK_SET || from->state == CK_MAYBE_UNSET) && is_run(from);
    bool wanted = (to->state == CK_SET || to->state == CK_MAYBE_UNSET) && is_run(to);
    if (!held || !wanted || ck_is_constant(to->value.expr))
        return;
    int local = to->value.expr->local;
    if (from->value.expr->kind == CK_T_LOCAL && from->value.expr->local == local)
        return;
    struct ck_texpr *value = ck_convert(fn, &from->value, to->value.type);
    if (value)
        ck_emit_assign(fn, block, local, value, from->set_at);
}

static bool
is_jump(const struct ck_tstmt *stmt)
{
    return stmt->kind == CK_S_BREAK || stmt->kind == CK_S_CONTINUE;
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
    convert_name(c->fn, from, to, c->block);
    return true;
}

void
ck_env_convert(struct ck_fn *fn, const struct ck_env *from, const struct ck_env *to,
               struct ck_tblock *block)
{
    struct ck_tstmt *jump = NULL;
    if (block->n && is_jump(block->stmts[block->n - 1]))
        jump = block->stmts[--block->n];
    struct conversion conversion = {fn, block};
    ck_env_differences(from, to, convert_difference, &conversion);
    if (jump)
        CK_PUSH(fn->c->arena, block->stmts, block->n, block->capacity, jump);
}

struct ck_env
ck_env_join(struct ck_fn *fn, const struct ck_edges *edges, struct ck_span at, const char *how)
{
    struct ck_env joined = {.reachable = edges->n > 0};
    if (!edges->n)
        return joined;
    struct part *parts = CK_NEW_ARRAY(fn->c->arena, struct part, edges->n);
    for (int i = 0; i < edges->n; i++) {
        parts[i] = whole(&edges->edges[i].env);
        joined.height = joined.height > parts[i].height ? joined.height : parts[i].height;
    }
    struct meeting meeting = {at, how};
    joined.root = join_parts(fn, parts, edges->n, joined.height, 0, &meeting);
    for (int i = 0; i < edges->n; i++)
        ck_env_convert(fn, &edges->edges[i].env, &joined, edges->edges[i].block);
    return joined;
}

/* --- Binding -------------------------------------------------------------------------------------
 */

void
ck_bind(struct ck_fn *fn, const char *name, struct ck_value value, struct ck_span span)
{
    int index = ck_name_index(fn, name);
    const struct ck_type *pin = ck_env_get(&fn->env, index)->pin;
    if (value.kind == CK_VALUE_RUN && pin) {
        struct ck_texpr *expr = ck_convert(fn, &value, pin);
        value = expr ? ck_value_run(pin, expr) : ck_value_error(span);
    }
    if (value.kind == CK_VALUE_RUN && !ck_is_constant(value.expr)) {
        const struct ck_type *type = ck_storage_type(&fn->c->types, value.type);
        int local = ck_local_for(fn, name, type);
        if (value.expr->kind != CK_T_LOCAL || value.expr->local != local)
            ck_emit_assign(fn, fn->block, local, value.expr, span);
        value.expr = ck_local_ref(fn, local, span);
    }
    struct ck_binding binding = {.state = CK_SET, .value = value, .pin = pin, .set_at = span};
    ck_env_set(fn, &fn->env, index, &binding);
}
