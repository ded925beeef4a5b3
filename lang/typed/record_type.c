/* Record types: tuples whose members have places in memory, as NumPy's structured dtypes. */
#include <string.h>

#include "base/member_align.h"
#include "lang/typed/types.h"

enum { MAX_BYTES = 1 << 20 };

/* --- Places --------------------------------------------------------------------------------------
 */

int
ck_member_size(const struct ck_member_layout *member)
{
    int64_t size = ck_type_size(member->type);
    for (int i = 0; i < member->ndim; i++) {
        if (member->shape[i] > MAX_BYTES || (size *= member->shape[i]) > MAX_BYTES)
            return -1;
    }
    return (int)size;
}

/* As NumPy's, which are the C compiler's: of a complex number that of its parts. A vector is
 * aligned as CUDA's. */
static int
c_align(const struct ck_type *type)
{
    if (ck_type_is_vector(type))
        return ck_type_align(type);
    if (!ck_type_is_record(type))
        return ck_type_size(ck_type_is_complex(type) ? ck_type_part(type) : type);
    int align = 1;
    for (int i = 0; i < type->tuple.n; i++) {
        const int mine = c_align(type->tuple.fields->members[i].type);
        align = mine > align ? mine : align;
    }
    return align;
}

static int
rounded_up(int size, int unit)
{
    return (size + unit - 1) / unit * unit;
}

int
ck_record_place(struct ck_member_layout *members, int n, bool aligned)
{
    int at = 0, unit = 1;
    for (int i = 0; i < n; i++) {
        const int align = aligned ? c_align(members[i].type) : 1;
        const int size = ck_member_size(&members[i]);
        at = rounded_up(at, align);
        members[i].offset = at;
        at += size;
        if (size < 0 || at > MAX_BYTES)
            return -1;
        unit = align > unit ? align : unit;
    }
    return rounded_up(at, unit);
}

/* --- Types ---------------------------------------------------------------------------------------
 */

static bool
same_member(const struct ck_member_layout *a, const struct ck_member_layout *b)
{
    return a->type == b->type && a->offset == b->offset && a->ndim == b->ndim &&
           memcmp(a->shape, b->shape, sizeof *a->shape * (size_t)a->ndim) == 0;
}

static const struct ck_type *
find_record(const struct ck_types *types, const char *const *names,
            const struct ck_member_layout *members, int n, int size)
{
    for (int i = 0; i < types->n_records; i++) {
        const struct ck_fields *fields = types->records[i]->tuple.fields;
        bool same = fields->n == n && fields->size == size;
        for (int k = 0; same && k < n; k++)
            same = strcmp(fields->names[k], names[k]) == 0 &&
                   same_member(&fields->members[k], &members[k]);
        if (same)
            return types->records[i];
    }
    return NULL;
}

/* The tuple of a member's rows, from dimension `dim` on. NULL: too many. */
static const struct ck_type *
item_type(struct ck_types *types, const struct ck_member_layout *member, int dim)
{
    if (dim == member->ndim)
        return member->type;
    const struct ck_type *row = item_type(types, member, dim + 1);
    const int64_t n = member->shape[dim];
    if (!row || n > CK_MAX_TUPLE_ITEMS || n * (1 + row->total) > CK_MAX_TUPLE_ITEMS)
        return NULL;
    const struct ck_type **items = CK_NEW_ARRAY(types->arena, const struct ck_type *, n + 1);
    for (int64_t i = 0; i < n; i++)
        items[i] = row;
    return ck_type_tuple(types, items, (int)n);
}

/* "record(x=float32, v=(int32, (2, 3)))" */
static const char *
written_name(struct ck_types *types, const struct ck_fields *fields)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_puts(&text, "record(");
    for (int i = 0; i < fields->n; i++) {
        const struct ck_member_layout *member = &fields->members[i];
        ck_strbuf_printf(&text, "%s%s=%s", i ? ", " : "", fields->names[i],
                         member->ndim ? "(" : "");
        ck_type_write(&text, member->type);
        for (int dim = 0; dim < member->ndim; dim++)
            ck_strbuf_printf(&text, "%s%lld", dim ? ", " : ", (", (long long)member->shape[dim]);
        ck_strbuf_puts(&text, member->ndim == 0 ? "" : member->ndim == 1 ? ",))" : "))");
    }
    ck_strbuf_putc(&text, ')');
    return ck_arena_take(types->arena, ck_strbuf_take(&text));
}

/* The largest power of two that divides the size, up to what members at their offsets can use. */
static int
align_of(const struct ck_member_layout *members, int n, int size)
{
    int most = 1;
    for (int i = 0; i < n; i++) {
        const int align = ck_member_align(ck_type_align(members[i].type), members[i].offset, size);
        most = align > most ? align : most;
    }
    return most;
}

static const struct ck_fields *
fields_of(struct ck_types *types, const char *name, const char *const *names,
          const struct ck_member_layout *members, int n, int size)
{
    struct ck_arena *arena = types->arena;
    struct ck_fields *fields = CK_NEW(arena, struct ck_fields);
    struct ck_member_layout *copy = CK_NEW_ARRAY(arena, struct ck_member_layout, n);
    fields->n = n;
    fields->names = CK_NEW_ARRAY(arena, const char *, n);
    for (int i = 0; i < n; i++) {
        fields->names[i] = ck_arena_strdup(arena, names[i]);
        copy[i] = members[i];
    }
    fields->members = copy;
    fields->size = size;
    fields->align = align_of(members, n, size);
    fields->name = name ? name : written_name(types, fields);
    return fields;
}

const struct ck_type *
ck_type_record(struct ck_types *types, const char *name, const char *const *names,
               const struct ck_member_layout *members, int n, int size)
{
    const struct ck_type *known = find_record(types, names, members, n, size);
    if (known)
        return known;
    const struct ck_type **items = CK_NEW_ARRAY(types->arena, const struct ck_type *, n);
    for (int i = 0; i < n; i++) {
        items[i] = item_type(types, &members[i], 0);
        if (!items[i])
            return NULL;
    }
    const struct ck_fields *fields = fields_of(types, name, names, members, n, size);
    const struct ck_type *type = ck_type_named_tuple(types, fields, items, n);
    if (type->total > CK_MAX_TUPLE_ITEMS || type->depth > CK_MAX_TUPLE_DEPTH)
        return NULL;
    CK_PUSH(types->arena, types->records, types->n_records, types->records_capacity, type);
    return type;
}
