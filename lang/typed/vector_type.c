/* Vector types: Numba's and CUDA's names of them. A vector is a tuple with fields. */
#include <string.h>

#include "lang/typed/types.h"

static const struct {
    const char *numba; /* before `x4` */
    const char *cuda[2];
    enum ck_type_kind elem;
} rows[CK_N_VECTOR_ELEMS] = {
    {"int8", {"char"}, CK_TYPE_INT8},
    {"int16", {"short"}, CK_TYPE_INT16},
    {"int32", {"int"}, CK_TYPE_INT32},
    {"int64", {"long", "longlong"}, CK_TYPE_INT64},
    {"uint8", {"uchar"}, CK_TYPE_UINT8},
    {"uint16", {"ushort"}, CK_TYPE_UINT16},
    {"uint32", {"uint"}, CK_TYPE_UINT32},
    {"uint64", {"ulong", "ulonglong"}, CK_TYPE_UINT64},
    {"float32", {"float"}, CK_TYPE_FLOAT32},
    {"float64", {"double"}, CK_TYPE_FLOAT64},
    {"float16", {"half", "__half"}, CK_TYPE_FLOAT16},
    {"bfloat16", {"nv_bfloat16", "__nv_bfloat16"}, CK_TYPE_BFLOAT16},
};

static bool
is_base(const char *base, const char *name, size_t length)
{
    return base && strlen(base) == length && strncmp(base, name, length) == 0;
}

/* The row of the name's element type, or -1; and how many elements the name has. */
static int
find_row(const char *name, int *count)
{
    size_t length = strlen(name);
    if (length < 2 || name[length - 1] < '1' || name[length - 1] > '0' + CK_MAX_VECTOR)
        return -1;
    *count = name[--length] - '0';
    bool by_numba = name[length - 1] == 'x';
    for (int i = 0; i < CK_N_VECTOR_ELEMS; i++) {
        if (by_numba
                ? is_base(rows[i].numba, name, length - 1)
                : is_base(rows[i].cuda[0], name, length) || is_base(rows[i].cuda[1], name, length))
            return i;
    }
    return -1;
}

static const struct ck_type *
new_vector(struct ck_types *types, int row, int count)
{
    static const char *const axes[] = {"x", "y", "z", "w"};
    const struct ck_type *items[CK_MAX_VECTOR];
    struct ck_fields *fields = CK_NEW(types->arena, struct ck_fields);
    fields->name = ck_arena_printf(types->arena, "%sx%d", rows[row].numba, count);
    fields->names = CK_NEW_ARRAY(types->arena, const char *, count);
    fields->n = count;
    fields->is_vector = true;
    for (int i = 0; i < count; i++) {
        fields->names[i] = axes[i];
        items[i] = ck_type_scalar(rows[row].elem);
    }
    return ck_type_named_tuple(types, fields, items, count);
}

static const struct ck_type *
vector_of_row(struct ck_types *types, int row, int count)
{
    const struct ck_type **known = &types->vectors[row][count - 1];
    if (!*known)
        *known = new_vector(types, row, count);
    return *known;
}

const struct ck_type *
ck_type_vector(struct ck_types *types, const char *name)
{
    int count, row = find_row(name, &count);
    return row < 0 ? NULL : vector_of_row(types, row, count);
}

const struct ck_type *
ck_type_vector_of(struct ck_types *types, const struct ck_type *elem, int n)
{
    for (int row = 0; n >= 1 && n <= CK_MAX_VECTOR && row < CK_N_VECTOR_ELEMS; row++) {
        if (rows[row].elem == elem->kind)
            return vector_of_row(types, row, n);
    }
    return NULL;
}

bool
ck_is_vector_name(const char *name)
{
    int count;
    return find_row(name, &count) >= 0;
}
