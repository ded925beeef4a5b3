/* The search for changes of an object, through all names that may be its own. */
#include <string.h>

#include "lang/syntax/changes.h"

enum { MIN_DEPTH = -8, N_DEPTHS = 16 };

/* An object whose changes at some depths are the array's: those that are at `floor` or more of the
 * array's depths, where the object's begin at `depth`. */
struct visit {
    int object, depth, floor;
};

/* A search for changes from an array to the objects whose changes are its own. */
struct search {
    struct ck_object_changes *changes;
    ck_ignores_function *ignores;
    void *context;
    int ndim;
    struct visit *visits;
    int n, capacity;
};

static void
push(struct search *s, struct visit visit)
{
    /* Of an array that is indexed in each axis there is only a copy of an element. */
    if (visit.floor >= s->ndim || visit.depth >= s->ndim || visit.depth < MIN_DEPTH)
        return;
    uint8_t *seen = &s->changes->seen[visit.object * N_DEPTHS + visit.depth - MIN_DEPTH];
    if (*seen >> visit.floor & 1)
        return;
    *seen |= (uint8_t)(1 << visit.floor);
    CK_PUSH(s->changes->arena, s->visits, s->n, s->capacity, visit);
}

static bool
is_ignored(const struct search *s, const struct ck_object *object, const char *within)
{
    return !object->function && within && s->ignores(s->context, within);
}

static bool
find(struct search *s, struct ck_span *out)
{
    const struct ck_object_changes *changes = s->changes;
    for (int at = 0; at < s->n; at++) {
        struct visit visit = s->visits[at];
        const struct ck_object *object = &changes->objects[visit.object];
        for (int i = object->first_change; i >= 0; i = changes->changes[i].next) {
            const struct ck_object_change *change = &changes->changes[i];
            int depth = visit.depth + change->depth;
            if (depth >= visit.floor && depth < s->ndim && !is_ignored(s, object, change->within)) {
                *out = change->span;
                return true;
            }
        }
        for (int i = object->first_flow; i >= 0; i = changes->flows[i].next) {
            const struct ck_object_flow *flow = &changes->flows[i];
            int depth = visit.depth + flow->depth, floor = depth + flow->floor;
            struct visit next = {flow->from, depth, floor > visit.floor ? floor : visit.floor};
            if (!is_ignored(s, object, flow->within))
                push(s, next);
        }
    }
    return false;
}

bool
ck_changes_of(struct ck_object_changes *changes, const char *name, int ndim,
              ck_ignores_function *ignores, void *context, struct ck_span *out)
{
    int object = ck_changes_object(changes, NULL, name);
    if (object < 0)
        return false;
    if (!changes->seen)
        changes->seen =
            CK_NEW_ARRAY(changes->arena, uint8_t, (size_t)changes->n_objects * N_DEPTHS);
    struct search search = {
        .changes = changes, .ndim = ndim, .ignores = ignores, .context = context};
    push(&search, (struct visit){object, 0, 0});
    bool found = find(&search, out);
    for (int i = 0; i < search.n; i++)
        memset(&changes->seen[search.visits[i].object * N_DEPTHS], 0, N_DEPTHS);
    return found;
}
