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
    for (int i = fn->n_names - 1; i >= 0; i--) {
        if (fn->names[i] == name || strcmp(fn->names[i], name) == 0)
            return i;
    }
    CK_PUSH(fn->c->arena, fn->names, fn->n_names, fn->names_capacity, name);
    return fn->n_names - 1;
}

/* How many bindings an environment has once there are n names: in a function of many, room for
 * more, or each new name would copy them all. */
static int
env_size(int n)
{
    enum { FEW = 64 };
    int size = FEW;
    if (n <= FEW)
        return n;
    while (size < n)
        size *= 2;
    return size;
}

/* Makes room for every name known so far; new ones are unset. */
static void
env_grow(struct ck_fn *fn, struct ck_env *env)
{
    int n = env_size(fn->n_names);
    if (env->n >= fn->n_names)
        return;
    env->bindings = ck_arena_grow(fn->c->arena, env->bindings, (size_t)env->n, (size_t)n + 8,
                                  sizeof *env->bindings);
    env->n = n;
}

struct ck_binding *
ck_binding_of(struct ck_fn *fn, const char *name)
{
    int index = ck_name_index(fn, name);
    env_grow(fn, &fn->env);
    return &fn->env.bindings[index];
}

int
ck_local_new(struct ck_fn *fn, const char *name, const struct ck_type *type)
{
    struct ck_tfunc *out = fn->out;
    struct ck_local local = {.name = name, .type = type};
    CK_PUSH(fn->c->arena, out->locals, out->n_locals, out->locals_capacity, local);
    return out->n_locals - 1;
}

int
ck_local_for(struct ck_fn *fn, const char *name, const struct ck_type *type)
{
    for (int i = 0; i < fn->out->n_locals; i++) {
        const struct ck_local *local = &fn->out->locals[i];
        if (local->type == type && (local->name == name || strcmp(local->name, name) == 0))
            return i;
    }
    return ck_local_new(fn, name, type);
}

/* --- Copies and comparison -----------------------------------------------------------------------
 */

struct ck_env
ck_env_copy(struct ck_fn *fn, const struct ck_env *env)
{
    struct ck_env copy = {.reachable = env->reachable, .n = env->n};
    copy.bindings = ck_arena_grow(fn->c->arena, env->bindings, (size_t)env->n, (size_t)env->n + 8,
                                  sizeof *env->bindings);
    return copy;
}

static const struct ck_binding *
binding_at(const struct ck_env *env, int i)
{
    static const struct ck_binding unset = {.state = CK_UNSET};
    return i < env->n ? &env->bindings[i] : &unset;
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
    if (constant != ck_is_constant(b->expr))
        return false;
    return constant ? ck_same_constant(a->expr, b->expr)
                    : a->low == b->low && a->high == b->high && a->nonnegative == b->nonnegative &&
                          a->carried == b->carried;
}

bool
ck_env_equal(const struct ck_env *a, const struct ck_env *b)
{
    int n = a->n > b->n ? a->n : b->n;
    for (int i = 0; i < n; i++) {
        const struct ck_binding *x = binding_at(a, i), *y = binding_at(b, i);
        if (x->state != y->state)
            return false;
        if ((x->state == CK_SET || x->state == CK_MAYBE_UNSET) &&
            !same_held_value(&x->value, &y->value))
            return false;
    }
    return a->reachable == b->reachable;
}

void
ck_env_relocate(struct ck_fn *fn, struct ck_env *env)
{
    for (int i = 0; i < env->n; i++) {
        struct ck_binding *binding = &env->bindings[i];
        struct ck_value *value = &binding->value;
        if ((binding->state != CK_SET && binding->state != CK_MAYBE_UNSET) ||
            value->kind != CK_VALUE_RUN || ck_is_constant(value->expr))
            continue;
        const struct ck_type *type = ck_storage_type(&fn->c->types, value->type);
        value->expr = ck_local_ref(fn, ck_local_for(fn, fn->names[i], type), value->span);
    }
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

static bool
is_run(const struct ck_binding *binding)
{
    return binding->value.kind == CK_VALUE_RUN;
}

/* `into` meets `other`, both set: the common value, or a conflict. */
static void
meet_values(struct ck_fn *fn, const char *name, struct ck_binding *into,
            const struct ck_binding *other)
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
    a->type = type;
    a->expr = ck_local_ref(fn, local, a->span);
    a->low = a->low < b->low ? a->low : b->low;
    a->high = a->high > b->high ? a->high : b->high;
    a->nonnegative = a->nonnegative && b->nonnegative;
    a->carried = true;
}

static struct ck_binding
join_name(struct ck_fn *fn, int name, const struct ck_edges *edges, struct ck_span at,
          const char *how)
{
    struct ck_binding joined = {.state = CK_UNSET};
    bool missing = false;
    for (int i = 0; i < edges->n; i++) {
        const struct ck_binding *binding = binding_at(&edges->edges[i].env, name);
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
            meet_values(fn, fn->names[name], &joined, binding);
            if (maybe && joined.state != CK_CONFLICT)
                joined.state = CK_MAYBE_UNSET;
        }
    }
    if (missing && joined.state == CK_SET) {
        joined.state = CK_MAYBE_UNSET;
        joined.unset_at = at;
        joined.unset_how = how;
    }
    return joined;
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

void
ck_env_convert(struct ck_fn *fn, const struct ck_env *from, const struct ck_env *to,
               struct ck_tblock *block)
{
    struct ck_tstmt *jump = NULL;
    if (block->n && is_jump(block->stmts[block->n - 1]))
        jump = block->stmts[--block->n];
    for (int i = 0; i < to->n; i++)
        convert_name(fn, binding_at(from, i), &to->bindings[i], block);
    if (jump)
        CK_PUSH(fn->c->arena, block->stmts, block->n, block->capacity, jump);
}

struct ck_env
ck_env_join(struct ck_fn *fn, const struct ck_edges *edges, struct ck_span at, const char *how)
{
    struct ck_env joined = {.reachable = edges->n > 0};
    if (!edges->n)
        return joined;
    env_grow(fn, &joined);
    for (int i = 0; i < joined.n; i++)
        joined.bindings[i] = join_name(fn, i, edges, at, how);
    for (int i = 0; i < edges->n; i++)
        ck_env_convert(fn, &edges->edges[i].env, &joined, edges->edges[i].block);
    return joined;
}

/* --- Binding -------------------------------------------------------------------------------------
 */

void
ck_bind(struct ck_fn *fn, const char *name, struct ck_value value, struct ck_span span)
{
    struct ck_binding *binding = ck_binding_of(fn, name);
    const struct ck_type *pin = binding->pin;
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
    *binding = (struct ck_binding){.state = CK_SET, .value = value, .pin = pin, .set_at = span};
}
