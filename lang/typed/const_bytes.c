/* The elements of a constant array as a device has them in memory. */
#include <string.h>

#include "base/float16.h"
#include "lang/typed/typed.h"

static void
put_number(char *out, const struct ck_type *type, const struct ck_texpr *number)
{
    const double f = number->constant.f;
    const float single = (float)f;
    const uint16_t bits = type->kind == CK_TYPE_FLOAT16    ? ck_half_from_double(f)
                          : type->kind == CK_TYPE_BFLOAT16 ? ck_bfloat_from_double(f)
                                                           : 0;
    const void *from = !ck_type_is_float(type)         ? (const void *)&number->constant.i
                       : type->kind == CK_TYPE_FLOAT64 ? (const void *)&f
                       : type->kind == CK_TYPE_FLOAT32 ? (const void *)&single
                                                       : (const void *)&bits;
    memcpy(out, from, (size_t)ck_type_size(type)); /* of an integer, the low bytes */
}

const char *
ck_const_array_bytes(struct ck_arena *arena, const struct ck_const_array *array, size_t *length)
{
    const bool is_complex = ck_type_is_complex(array->elem);
    const struct ck_type *part = is_complex ? ck_type_part(array->elem) : array->elem;
    const size_t size = (size_t)ck_type_size(part);
    *length = (size_t)array->count * (size_t)ck_type_size(array->elem);
    char *bytes = ck_arena_alloc(arena, *length), *at = bytes;
    for (int64_t i = 0; i < array->count; i++) {
        const struct ck_texpr *item = array->items[i];
        for (int k = 0; k < 1 + is_complex; k++, at += size)
            put_number(at, part, is_complex ? item->tuple.items[k] : item);
    }
    return bytes;
}
