/* Numba's and CUDA's names of vector types. */
#include "base/vector_name.h"

#include <stdbool.h>
#include <string.h>

#include "base/limits.h"

static const struct {
    const char *numba; /* the type of the elements; of a vector, before `x4` */
    const char *cuda[2];
} rows[] = {
    {"int8", {"char"}},
    {"int16", {"short"}},
    {"int32", {"int"}},
    {"int64", {"long", "longlong"}},
    {"uint8", {"uchar"}},
    {"uint16", {"ushort"}},
    {"uint32", {"uint"}},
    {"uint64", {"ulong", "ulonglong"}},
    {"float32", {"float"}},
    {"float64", {"double"}},
    {"float16", {"half", "__half"}},
    {"bfloat16", {"nv_bfloat16", "__nv_bfloat16"}},
};

static bool
is_base(const char *base, const char *name, size_t length)
{
    return base && strlen(base) == length && strncmp(base, name, length) == 0;
}

int
ck_vector_name(const char *name, size_t length, const char **elem)
{
    if (length < 2 || name[length - 1] < '1' || name[length - 1] > '0' + CK_MAX_VECTOR)
        return 0;
    const int count = name[--length] - '0';
    const bool by_numba = name[length - 1] == 'x';
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *elem = rows[i].numba;
        if (by_numba
                ? is_base(rows[i].numba, name, length - 1)
                : is_base(rows[i].cuda[0], name, length) || is_base(rows[i].cuda[1], name, length))
            return count;
    }
    return 0;
}
