/* Changes of objects: which names a file's text may give to one object, and where it may change
 * it. Found in the tokens, because host code is any Python; conservative, but for names that hold
 * different objects at different times, which are taken for one. */
#ifndef CK_CHANGES_H
#define CK_CHANGES_H

#include "base/index.h"
#include "base/source.h"
#include "lang/diag/diag.h"

/* A name of the module, or of a function: one that it binds. */
struct ck_object {
    const char *name;
    const char *function;         /* NULL: of the module */
    int first_change, first_flow; /* of those that end here; -1: none */
};

/* The object may be changed, after `depth` of its axes were indexed. A depth below zero is that of
 * a list in which the object is. */
struct ck_object_change {
    int depth;
    const char *within; /* the function whose text does so; NULL: the module's */
    struct ck_span span;
    int next; /* of the same object; -1: none */
};

/* A change of the object `from` at a depth of `floor` or more is one of the object in whose list
 * this is, `depth` axes deeper. */
struct ck_object_flow {
    int from, depth, floor;
    const char *within;
    int next;
};

struct ck_object_changes {
    struct ck_arena *arena;
    struct ck_object *objects;
    int n_objects, objects_capacity;
    struct ck_index index; /* of objects by name */
    struct ck_object_change *changes;
    int n_changes, changes_capacity;
    struct ck_object_flow *flows;
    int n_flows, flows_capacity;
    uint8_t *seen; /* for searches */
};

struct ck_object_changes *ck_changes_find(struct ck_arena *arena, const struct ck_source *source,
                                          struct ck_diags *diags);
/* The object of a name; -1: the text does nothing with it. */
int ck_changes_object(const struct ck_object_changes *changes, const char *function,
                      const char *name);
/* Whether the array of `ndim` axes that a name of the module has may be changed, and where. What a
 * function's text does with names of the module is ignored if `ignores`. */
typedef bool ck_ignores_function(void *context, const char *name);
bool ck_changes_of(struct ck_object_changes *changes, const char *name, int ndim,
                   ck_ignores_function *ignores, void *context, struct ck_span *out);

#endif
