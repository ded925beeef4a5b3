/* Features of Numba's kernels that ck does not support yet, each with an alternative. */
#include <string.h>

#include "lang/check/checker.h"
#include "lang/check/foreign_names.h"

static const struct ck_unsupported rows[] = {
#define CK_UNSUPPORTED(path, what, help) {path, what, help},
#include "lang/check/names/unsupported.def"
#undef CK_UNSUPPORTED
};

const struct ck_unsupported *
ck_unsupported_find(const char *path)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].path, path) == 0)
            return &rows[i];
    }
    return NULL;
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
