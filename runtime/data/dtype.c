/* Element types: their names, Numba's and NumPy's aliases included, and sizes. */
#include <stdbool.h>
#include <string.h>

#include <ck/base.h>

#include "base/date_text.h"

static const struct {
    const char *name;
    size_t size;
} dtypes[] = {
    [CK_BOOL] = {"bool", 1},
    [CK_INT8] = {"int8", 1},
    [CK_INT16] = {"int16", 2},
    [CK_INT32] = {"int32", 4},
    [CK_INT64] = {"int64", 8},
    [CK_UINT8] = {"uint8", 1},
    [CK_UINT16] = {"uint16", 2},
    [CK_UINT32] = {"uint32", 4},
    [CK_UINT64] = {"uint64", 8},
    [CK_FLOAT16] = {"float16", 2},
    [CK_BFLOAT16] = {"bfloat16", 2},
    [CK_FLOAT32] = {"float32", 4},
    [CK_FLOAT64] = {"float64", 8},
    [CK_COMPLEX64] = {"complex64", 8},
    [CK_COMPLEX128] = {"complex128", 16},
    [CK_TUPLE] = {"tuple", 0},
    [CK_NONE] = {"None", 0},
    [CK_DEFAULT] = {"default", 0},
    [CK_RECORD] = {"record", 0},
    [CK_DATETIME64_Y] = {"datetime64[Y]", 8},
    [CK_DATETIME64_M] = {"datetime64[M]", 8},
    [CK_DATETIME64_W] = {"datetime64[W]", 8},
    [CK_DATETIME64_D] = {"datetime64[D]", 8},
    [CK_DATETIME64_h] = {"datetime64[h]", 8},
    [CK_DATETIME64_m] = {"datetime64[m]", 8},
    [CK_DATETIME64_s] = {"datetime64[s]", 8},
    [CK_DATETIME64_ms] = {"datetime64[ms]", 8},
    [CK_DATETIME64_us] = {"datetime64[us]", 8},
    [CK_DATETIME64_ns] = {"datetime64[ns]", 8},
    [CK_DATETIME64_ps] = {"datetime64[ps]", 8},
    [CK_DATETIME64_fs] = {"datetime64[fs]", 8},
    [CK_DATETIME64_as] = {"datetime64[as]", 8},
    [CK_DATETIME64] = {"datetime64", 8},
    [CK_TIMEDELTA64_Y] = {"timedelta64[Y]", 8},
    [CK_TIMEDELTA64_M] = {"timedelta64[M]", 8},
    [CK_TIMEDELTA64_W] = {"timedelta64[W]", 8},
    [CK_TIMEDELTA64_D] = {"timedelta64[D]", 8},
    [CK_TIMEDELTA64_h] = {"timedelta64[h]", 8},
    [CK_TIMEDELTA64_m] = {"timedelta64[m]", 8},
    [CK_TIMEDELTA64_s] = {"timedelta64[s]", 8},
    [CK_TIMEDELTA64_ms] = {"timedelta64[ms]", 8},
    [CK_TIMEDELTA64_us] = {"timedelta64[us]", 8},
    [CK_TIMEDELTA64_ns] = {"timedelta64[ns]", 8},
    [CK_TIMEDELTA64_ps] = {"timedelta64[ps]", 8},
    [CK_TIMEDELTA64_fs] = {"timedelta64[fs]", 8},
    [CK_TIMEDELTA64_as] = {"timedelta64[as]", 8},
    [CK_TIMEDELTA64] = {"timedelta64", 8},
};

static const struct {
    const char *name;
    ck_dtype dtype;
} aliases[] = {
    {"b1", CK_BOOL},        {"boolean", CK_BOOL},     {"bool_", CK_BOOL},
    {"i1", CK_INT8},        {"i2", CK_INT16},         {"i4", CK_INT32},
    {"i8", CK_INT64},       {"u1", CK_UINT8},         {"u2", CK_UINT16},
    {"u4", CK_UINT32},      {"u8", CK_UINT64},        {"f2", CK_FLOAT16},
    {"f4", CK_FLOAT32},     {"f8", CK_FLOAT64},       {"c8", CK_COMPLEX64},
    {"c16", CK_COMPLEX128}, {"char", CK_INT8},        {"uchar", CK_UINT8},
    {"byte", CK_UINT8},     {"short", CK_INT16},      {"ushort", CK_UINT16},
    {"intc", CK_INT32},     {"uintc", CK_UINT32},     {"int_", CK_INT64},
    {"uint", CK_UINT64},    {"intp", CK_INT64},       {"uintp", CK_UINT64},
    {"long_", CK_INT64},    {"ulong", CK_UINT64},     {"longlong", CK_INT64},
    {"half", CK_FLOAT16},   {"ulonglong", CK_UINT64}, {"single", CK_FLOAT32},
    {"double", CK_FLOAT64}, {"float_", CK_FLOAT32},
};

enum {
    N_DTYPES = sizeof dtypes / sizeof dtypes[0],
    N_ALIASES = sizeof aliases / sizeof aliases[0]
};

static int
is_known(ck_dtype dtype)
{
    return (int)dtype > CK_DTYPE_NONE && (int)dtype < N_DTYPES;
}

size_t
ck_dtype_size(ck_dtype dtype)
{
    return is_known(dtype) ? dtypes[dtype].size : 0;
}

const char *
ck_dtype_name(ck_dtype dtype)
{
    return is_known(dtype) ? dtypes[dtype].name : "?";
}

ck_dtype
ck_dtype_by_name(const char *name)
{
    for (int i = CK_DTYPE_NONE + 1; i < N_DTYPES; i++) {
        if (dtypes[i].size && !strcmp(name, dtypes[i].name))
            return (ck_dtype)i;
    }
    for (int i = 0; i < N_ALIASES; i++) {
        if (!strcmp(name, aliases[i].name))
            return aliases[i].dtype;
    }
    bool is_delta;
    enum ck_date_unit unit;
    if (ck_date_find_type(name, &is_delta, &unit)) /* "M8[D]" */
        return (ck_dtype)((is_delta ? CK_TIMEDELTA64_Y : CK_DATETIME64_Y) + (int)unit);
    return CK_DTYPE_NONE;
}
