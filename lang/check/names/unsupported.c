/* Features of Numba's kernels that ck does not support yet, each with an alternative. */
#include <string.h>

#include "lang/check/checker.h"

static const struct ck_unsupported rows[] = {
#define CK_UNSUPPORTED(path, what, help) {path, what, help},
#include "lang/check/names/unsupported.def"
#undef CK_UNSUPPORTED
};

static const struct ck_unsupported vector = {NULL, "vector types",
                                             "use a tuple, or an array with one more dimension"};

/* Numba's and CUDA's names of vectors, and of what makes them: `float32x3`, `make_float3`. */
static bool
is_vector_type(const char *name)
{
    if (strncmp(name, "make_", 5) == 0)
        name += 5;
    static const char *const bases[] = {
        "int8x",    "int16x",   "int32x", "int64x", "uint8x",   "uint16x",  "uint32x", "uint64x",
        "float32x", "float64x", "char",   "uchar",  "short",    "ushort",   "int",     "uint",
        "long",     "ulong",    "float",  "double", "longlong", "ulonglong"};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        size_t length = strlen(bases[i]);
        if (strncmp(name, bases[i], length) == 0 && strchr("1234", name[length]) && name[length] &&
            !name[length + 1])
            return true;
    }
    return false;
}

const struct ck_unsupported *
ck_unsupported_find(const char *path)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].path, path) == 0)
            return &rows[i];
    }
    return is_vector_type(path) ? &vector : NULL;
}

struct ck_value
ck_unsupported_report(struct ck_fn *fn, const struct ck_unsupported *row, const char *name,
                      struct ck_span span)
{
    const char *text = ck_arena_printf(fn->c->arena, "%s (`%s`)", row->what, name);
    struct ck_diag *diag = ck_error(fn, NOT_SUPPORTED, span, text);
    if (row->help)
        ck_diag_help(fn->c->diags, diag, "%s", row->help);
    return ck_value_error(span);
}

struct ck_value
ck_records_report(struct ck_fn *fn, const char *field, struct ck_span span)
{
    return ck_unsupported_report(fn, ck_unsupported_find("Record"), field, span);
}
