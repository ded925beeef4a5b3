/* Vector types. A vector is a tuple with fields. */
#include <string.h>

#include "base/vector_name.h"
#include "lang/typed/types.h"

static const struct ck_type *
new_vector(struct ck_types *types, const struct ck_type *elem, int count)
{
    static const char *const axes[] = {"x", "y", "z", "w"};
    const struct ck_type *items[CK_MAX_VECTOR];
    struct ck_fields *fields = CK_NEW(types->arena, struct ck_fields);
    fields->name = ck_arena_printf(types->arena, "%sx%d", ck_type_text(types->arena, elem), count);
    fields->names = CK_NEW_ARRAY(types->arena, const char *, count);
    fields->n = count;
    fields->is_vector = true;
    for (int i = 0; i < count; i++) {
        fields->names[i] = axes[i];
        items[i] = elem;
    }
    return ck_type_named_tuple(types, fields, items, count);
}

const struct ck_type *
ck_type_vector_of(struct ck_types *types, const struct ck_type *elem, int n)
{
    if (n < 1 || n > CK_MAX_VECTOR || elem->kind < CK_TYPE_INT8 || elem->kind > CK_TYPE_FLOAT64)
        return NULL;
    const struct ck_type **known = &types->vectors[elem->kind - CK_TYPE_INT8][n - 1];
    if (!*known)
        *known = new_vector(types, elem, n);
    return *known;
}

const struct ck_type *
ck_type_vector(struct ck_types *types, const char *name)
{
    const char *elem;
    const int n = ck_vector_name(name, strlen(name), &elem);
    return n ? ck_type_vector_of(types, ck_type_by_name(elem), n) : NULL;
}

bool
ck_is_vector_name(const char *name)
{
    const char *elem;
    return ck_vector_name(name, strlen(name), &elem) > 0;
}
