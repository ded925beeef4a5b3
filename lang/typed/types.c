/* The types of the language: interning, names and text. */
#include "lang/typed/types.h"

#include <string.h>

struct scalar_row {
    const char *name;
    int bits;
};

static const struct scalar_row scalar_rows[CK_TYPE_WEAK_COMPLEX + 1] = {
    [CK_TYPE_VOID] = {"void", 0},
    [CK_TYPE_BOOL] = {"bool", 8},
    [CK_TYPE_INT8] = {"int8", 8},
    [CK_TYPE_INT16] = {"int16", 16},
    [CK_TYPE_INT32] = {"int32", 32},
    [CK_TYPE_INT64] = {"int64", 64},
    [CK_TYPE_UINT8] = {"uint8", 8},
    [CK_TYPE_UINT16] = {"uint16", 16},
    [CK_TYPE_UINT32] = {"uint32", 32},
    [CK_TYPE_UINT64] = {"uint64", 64},
    [CK_TYPE_FLOAT16] = {"float16", 16},
    [CK_TYPE_BFLOAT16] = {"bfloat16", 16},
    [CK_TYPE_FLOAT32] = {"float32", 32},
    [CK_TYPE_FLOAT64] = {"float64", 64},
    [CK_TYPE_COMPLEX64] = {"complex64", 64},
    [CK_TYPE_COMPLEX128] = {"complex128", 128},
    [CK_TYPE_WEAK_INT] = {"int literal", 64},
    [CK_TYPE_WEAK_FLOAT] = {"float literal", 64},
    [CK_TYPE_WEAK_COMPLEX] = {"complex literal", 128},
};

/* Numba's aliases of the scalar types. */
static const struct {
    const char *name;
    enum ck_type_kind kind;
} aliases[] = {
    {"i1", CK_TYPE_INT8},          {"i2", CK_TYPE_INT16},       {"i4", CK_TYPE_INT32},
    {"i8", CK_TYPE_INT64},         {"u1", CK_TYPE_UINT8},       {"u2", CK_TYPE_UINT16},
    {"u4", CK_TYPE_UINT32},        {"u8", CK_TYPE_UINT64},      {"f2", CK_TYPE_FLOAT16},
    {"f4", CK_TYPE_FLOAT32},       {"f8", CK_TYPE_FLOAT64},     {"c8", CK_TYPE_COMPLEX64},
    {"c16", CK_TYPE_COMPLEX128},   {"b1", CK_TYPE_BOOL},        {"boolean", CK_TYPE_BOOL},
    {"bool_", CK_TYPE_BOOL},       {"intp", CK_TYPE_INT64},     {"uintp", CK_TYPE_UINT64},
    {"intc", CK_TYPE_INT32},       {"uintc", CK_TYPE_UINT32},   {"byte", CK_TYPE_UINT8},
    {"char", CK_TYPE_INT8},        {"uchar", CK_TYPE_UINT8},    {"short", CK_TYPE_INT16},
    {"ushort", CK_TYPE_UINT16},    {"int_", CK_TYPE_INT64},     {"uint", CK_TYPE_UINT64},
    {"long_", CK_TYPE_INT64},      {"ulong", CK_TYPE_UINT64},   {"longlong", CK_TYPE_INT64},
    {"ulonglong", CK_TYPE_UINT64}, {"double", CK_TYPE_FLOAT64}, {"float_", CK_TYPE_FLOAT32},
    {"none", CK_TYPE_VOID},
};

static const struct ck_type scalars[CK_TYPE_WEAK_COMPLEX + 1] = {
#define SCALAR(kind_) [kind_] = {.kind = kind_}
    SCALAR(CK_TYPE_VOID),         SCALAR(CK_TYPE_BOOL),     SCALAR(CK_TYPE_INT8),
    SCALAR(CK_TYPE_INT16),        SCALAR(CK_TYPE_INT32),    SCALAR(CK_TYPE_INT64),
    SCALAR(CK_TYPE_UINT8),        SCALAR(CK_TYPE_UINT16),   SCALAR(CK_TYPE_UINT32),
    SCALAR(CK_TYPE_UINT64),       SCALAR(CK_TYPE_FLOAT16),  SCALAR(CK_TYPE_BFLOAT16),
    SCALAR(CK_TYPE_FLOAT32),      SCALAR(CK_TYPE_FLOAT64),  SCALAR(CK_TYPE_COMPLEX64),
    SCALAR(CK_TYPE_COMPLEX128),   SCALAR(CK_TYPE_WEAK_INT), SCALAR(CK_TYPE_WEAK_FLOAT),
    SCALAR(CK_TYPE_WEAK_COMPLEX),
#undef SCALAR
};

void
ck_types_init(struct ck_types *types, struct ck_arena *arena)
{
    *types = (struct ck_types){.arena = arena};
}

const struct ck_type *
ck_type_scalar(enum ck_type_kind kind)
{
    return &scalars[kind];
}

static bool
same_type(const struct ck_type *a, const struct ck_type *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == CK_TYPE_ARRAY)
        return a->array.elem == b->array.elem && a->array.ndim == b->array.ndim &&
               a->array.layout == b->array.layout && a->array.space == b->array.space &&
               a->array.pitch == b->array.pitch && a->array.align == b->array.align;
    if (a->kind == CK_TYPE_POINTER)
        return a->pointer.elem == b->pointer.elem;
    if (a->kind == CK_TYPE_GROUP)
        return a->group.kind == b->group.kind && a->group.size == b->group.size &&
               a->group.parent == b->group.parent;
    if (a->tuple.n != b->tuple.n || a->tuple.fields != b->tuple.fields)
        return false;
    for (int i = 0; i < a->tuple.n; i++) {
        if (a->tuple.items[i] != b->tuple.items[i])
            return false;
    }
    return true;
}

static uint32_t
type_hash(const struct ck_type *type)
{
    uint32_t hash = (uint32_t)type->kind;
    if (type->kind == CK_TYPE_ARRAY) {
        const int parts[] = {type->array.ndim, (int)type->array.layout, (int)type->array.space,
                             type->array.pitch, type->array.align};
        return ck_hash_mix(ck_hash_pointer(type->array.elem), ck_hash_bytes(parts, sizeof parts));
    }
    if (type->kind == CK_TYPE_POINTER)
        return ck_hash_mix(hash, ck_hash_pointer(type->pointer.elem));
    if (type->kind == CK_TYPE_GROUP) {
        const int parts[] = {(int)type->group.kind, type->group.size, type->group.parent};
        return ck_hash_bytes(parts, sizeof parts);
    }
    hash = ck_hash_mix(hash, ck_hash_pointer(type->tuple.fields));
    for (int i = 0; i < type->tuple.n; i++)
        hash = ck_hash_mix(hash, ck_hash_pointer(type->tuple.items[i]));
    return hash;
}

static const struct ck_type *
intern(struct ck_types *types, const struct ck_type *wanted)
{
    uint32_t hash = type_hash(wanted);
    for (int i = ck_index_first(&types->index, hash); i >= 0; i = ck_index_next(&types->index, i)) {
        if (same_type(types->all[i], wanted))
            return types->all[i];
    }
    struct ck_type *made = CK_NEW(types->arena, struct ck_type);
    *made = *wanted;
    if (wanted->kind == CK_TYPE_TUPLE || wanted->kind == CK_TYPE_GROUP) {
        made->tuple.items =
            ck_arena_grow(types->arena, wanted->tuple.items, (size_t)wanted->tuple.n,
                          (size_t)wanted->tuple.n, sizeof *made->tuple.items);
    }
    CK_PUSH(types->arena, types->all, types->n, types->capacity, made);
    ck_index_add(types->arena, &types->index, hash);
    return made;
}

const struct ck_type *
ck_type_tuple(struct ck_types *types, const struct ck_type *const *items, int n)
{
    return ck_type_named_tuple(types, NULL, items, n);
}

const struct ck_type *
ck_type_pointer(struct ck_types *types, const struct ck_type *elem)
{
    return intern(types, &(struct ck_type){.kind = CK_TYPE_POINTER, .pointer = {elem}});
}

bool
ck_type_is_alike(const struct ck_type *a, const struct ck_type *b)
{
    if (ck_type_is_pointer(a))
        a = &scalars[CK_TYPE_UINT64];
    if (ck_type_is_pointer(b))
        b = &scalars[CK_TYPE_UINT64];
    if (a == b || a->kind != CK_TYPE_TUPLE || b->kind != CK_TYPE_TUPLE || a->tuple.n != b->tuple.n)
        return a == b;
    for (int i = 0; i < a->tuple.n; i++) {
        if (!ck_type_is_alike(a->tuple.items[i], b->tuple.items[i]))
            return false;
    }
    return true;
}

bool
ck_type_is_untyped_tuple(const struct ck_type *t)
{
    return t->kind == CK_TYPE_TUPLE && t->tuple.fields && t->tuple.n > 0 &&
           t->tuple.items[0]->kind == CK_TYPE_VOID;
}

const struct ck_type *
ck_type_named_tuple(struct ck_types *types, const struct ck_fields *fields,
                    const struct ck_type *const *items, int n)
{
    struct ck_type wanted = {
        .kind = CK_TYPE_TUPLE,
        .total = n,
        .depth = 1,
        .tuple = {.items = (const struct ck_type **)items, .n = n, .fields = fields}};
    for (int i = 0; i < n; i++) {
        wanted.total += items[i]->total;
        if (items[i]->depth >= wanted.depth)
            wanted.depth = items[i]->depth + 1;
    }
    return intern(types, &wanted);
}

const struct ck_type *
ck_type_group(struct ck_types *types, enum ck_group_kind kind, int size, int parent)
{
    static const enum ck_type_kind coalesced[] = {CK_TYPE_UINT32, CK_TYPE_INT64, CK_TYPE_INT64};
    static const enum ck_type_kind part[] = {CK_TYPE_INT64, CK_TYPE_INT64, CK_TYPE_UINT64,
                                             CK_TYPE_INT64, CK_TYPE_INT64};
    static const enum ck_type_kind token[] = {CK_TYPE_UINT64};
    const enum ck_type_kind *kinds = kind == CK_GROUP_PART    ? part
                                     : kind == CK_GROUP_TOKEN ? token
                                                              : coalesced;
    const struct ck_type *items[5];
    int n = kind == CK_GROUP_COALESCED ? 3 : kind == CK_GROUP_PART ? 5 : kind == CK_GROUP_TOKEN;
    for (int i = 0; i < n; i++)
        items[i] = ck_type_scalar(kinds[i]);
    struct ck_type wanted = {
        .kind = CK_TYPE_GROUP,
        .group = {.items = items, .n = n, .kind = kind, .size = size, .parent = parent}};
    return intern(types, &wanted);
}

const struct ck_type *
ck_type_array(struct ck_types *types, const struct ck_type *elem, int ndim, enum ck_layout layout,
              enum ck_space space)
{
    struct ck_type wanted = {
        .kind = CK_TYPE_ARRAY,
        .array = {.elem = elem, .ndim = ndim, .layout = layout, .space = space}};
    return intern(types, &wanted);
}

const struct ck_type *
ck_type_array_like(struct ck_types *types, const struct ck_type *array, int ndim,
                   enum ck_layout layout, enum ck_space space)
{
    struct ck_type wanted = *array;
    wanted.array.ndim = ndim;
    wanted.array.layout = layout;
    wanted.array.space = space;
    return intern(types, &wanted);
}

static int
common_divisor(int a, int b)
{
    while (b) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

const struct ck_type *
ck_type_field_array(struct ck_types *types, const struct ck_type *array,
                    const struct ck_type *field, int offset, int n_axes)
{
    const int size = ck_type_size(field), ndim = array->array.ndim;
    const int align = common_divisor(ck_array_align(array), offset);
    const int pitch = ndim ? common_divisor(ck_array_pitch(array), size) : size;
    struct ck_type wanted = {.kind = CK_TYPE_ARRAY,
                             .array = {.elem = field,
                                       .ndim = ndim + n_axes,
                                       .layout = ndim ? CK_LAYOUT_ANY : CK_LAYOUT_C,
                                       .space = array->array.space,
                                       .pitch = pitch == size ? 0 : pitch,
                                       .align = align >= ck_type_align(field) ? 0 : align}};
    return intern(types, &wanted);
}

const struct ck_type *
ck_type_part(const struct ck_type *type)
{
    return &scalars[type->kind == CK_TYPE_COMPLEX64      ? CK_TYPE_FLOAT32
                    : type->kind == CK_TYPE_WEAK_COMPLEX ? CK_TYPE_WEAK_FLOAT
                                                         : CK_TYPE_FLOAT64];
}

int
ck_type_bits(const struct ck_type *t)
{
    if (ck_type_is_pointer(t) || ck_type_is_date(t))
        return 64;
    return ck_type_is_scalar(t) ? scalar_rows[t->kind].bits : 0;
}

int
ck_type_size(const struct ck_type *t)
{
    if (ck_type_is_vector(t))
        return t->tuple.n * ck_type_size(t->tuple.items[0]);
    if (ck_type_is_record(t))
        return t->tuple.fields->size;
    return ck_type_bits(t) / 8;
}

/* As in CUDA C++, a vector of 3 elements is aligned as one element is, others to at most 16. */
int
ck_type_align(const struct ck_type *t)
{
    if (ck_type_is_vector(t) && t->tuple.n == 3)
        return ck_type_size(t->tuple.items[0]);
    if (ck_type_is_record(t))
        return t->tuple.fields->align;
    const int size = ck_type_size(t);
    return size < CK_ARRAY_ALIGN ? size : CK_ARRAY_ALIGN;
}

int
ck_array_align(const struct ck_type *array)
{
    return array->array.align ? array->array.align : ck_type_align(array->array.elem);
}

int
ck_array_pitch(const struct ck_type *array)
{
    return array->array.pitch ? array->array.pitch : ck_type_size(array->array.elem);
}

int
ck_array_n_strides(const struct ck_type *array)
{
    return array->array.layout == CK_LAYOUT_ANY ? array->array.ndim : 0;
}

static void
write_array(struct ck_strbuf *out, const struct ck_type *t)
{
    if (t->array.space == CK_SPACE_CONST)
        ck_strbuf_puts(out, "constant ");
    ck_type_write(out, t->array.elem);
    ck_strbuf_puts(out, t->array.ndim ? "[" : "[()");
    int unit = t->array.layout == CK_LAYOUT_C   ? t->array.ndim - 1
               : t->array.layout == CK_LAYOUT_F ? 0
                                                : -1;
    for (int i = 0; i < t->array.ndim; i++) {
        if (i)
            ck_strbuf_puts(out, ", ");
        ck_strbuf_puts(out, i == unit ? "::1" : ":");
    }
    ck_strbuf_putc(out, ']');
    if (t->array.pitch || t->array.align)
        ck_strbuf_puts(out, " in packed records");
}

static void
write_group(struct ck_strbuf *out, const struct ck_type *t)
{
    static const char *const names[] = {
        [CK_GROUP_GRID] = "grid group",
        [CK_GROUP_CLUSTER] = "cluster group",
        [CK_GROUP_BLOCK] = "thread block",
        [CK_GROUP_TILE] = "tile",
        [CK_GROUP_WIDE_TILE] = "tile",
        [CK_GROUP_COALESCED] = "coalesced group",
        [CK_GROUP_PART] = "part of a thread block",
        [CK_GROUP_TOKEN] = "arrival token",
    };
    ck_strbuf_puts(out, names[t->group.kind]);
    if (t->group.kind == CK_GROUP_TOKEN)
        ck_strbuf_printf(out, " of a %s", names[t->group.parent]);
    if (t->group.size)
        ck_strbuf_printf(out, " of %d thread%s", t->group.size, t->group.size == 1 ? "" : "s");
}

void
ck_type_write(struct ck_strbuf *out, const struct ck_type *t)
{
    switch (t->kind) {
    case CK_TYPE_ARRAY:
        write_array(out, t);
        break;
    case CK_TYPE_TUPLE:
        if (t->tuple.fields)
            ck_strbuf_puts(out, t->tuple.fields->name);
        if (ck_type_is_vector(t) || ck_type_is_record(t))
            break;
        if (ck_type_is_untyped_tuple(t))
            break;
        ck_strbuf_putc(out, '(');
        for (int i = 0; i < t->tuple.n; i++) {
            if (i)
                ck_strbuf_puts(out, ", ");
            ck_type_write(out, t->tuple.items[i]);
        }
        ck_strbuf_puts(out, t->tuple.n == 1 && !t->tuple.fields ? ",)" : ")");
        break;
    case CK_TYPE_GROUP:
        write_group(out, t);
        break;
    case CK_TYPE_POINTER:
        ck_strbuf_puts(out, t->pointer.elem->kind == CK_TYPE_VOID ? "voidptr" : "CPointer(");
        if (t->pointer.elem->kind == CK_TYPE_VOID)
            break;
        ck_type_write(out, t->pointer.elem);
        ck_strbuf_putc(out, ')');
        break;
    case CK_TYPE_DATETIME64:
    case CK_TYPE_TIMEDELTA64:
        ck_date_write_type(out, t->kind == CK_TYPE_TIMEDELTA64, t->date.unit);
        break;
    default:
        ck_strbuf_puts(out, scalar_rows[t->kind].name);
    }
}

const char *
ck_type_text(struct ck_arena *arena, const struct ck_type *t)
{
    struct ck_strbuf buf;
    ck_strbuf_init(&buf);
    ck_type_write(&buf, t);
    return ck_arena_take(arena, ck_strbuf_take(&buf));
}

const struct ck_type *
ck_type_by_name(const char *name)
{
    for (int kind = CK_TYPE_VOID; kind <= CK_TYPE_COMPLEX128; kind++) {
        if (strcmp(scalar_rows[kind].name, name) == 0)
            return &scalars[kind];
    }
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (strcmp(aliases[i].name, name) == 0)
            return &scalars[aliases[i].kind];
    }
    return strstr(name, "64") ? ck_date_type_by_name(name) : NULL; /* no short form */
}
