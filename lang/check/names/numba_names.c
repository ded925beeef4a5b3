/* Names of Python, NumPy and Numba that are not built-ins: their names here, or what to use
 * instead. */
#include <string.h>

#include "lang/check/checker.h"
#include "lang/check/foreign_names.h"

static const struct ck_numba_name rows[] = {
#define CK_NUMBA_NAME(path, kind, text) {path, CK_NUMBA_##kind, text},
#include "lang/check/names/numba_names.def"
#undef CK_NUMBA_NAME
};

const struct ck_numba_name *
ck_numba_name_find(const char *path)
{
    const struct ck_numba_name *of_module = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t length = strlen(rows[i].path);
        if (strcmp(rows[i].path, path) == 0)
            return &rows[i];
        if (rows[i].path[length - 1] == '.' && strncmp(rows[i].path, path, length) == 0)
            of_module = &rows[i];
    }
    return of_module;
}

/* Outside a function, a name of NumPy or Numba is host code too. */
static struct ck_value
report_host(struct ck_fn *fn, const struct ck_expr *expr, const char *help)
{
    struct ck_diag *diag =
        ck_error(fn, HOST_CODE, expr->span, ck_diag_text(fn->c->diags, expr->span));
    ck_diag_help(fn->c->diags, diag, "%s",
                 help ? help
                      : "keep host code in the host program; ckrun makes the arrays of a launch: "
                        "'x=zeros(1000, float32)'");
    return ck_value_error(expr->span);
}

struct ck_value
ck_numba_name_report(struct ck_fn *fn, const struct ck_numba_name *row, const struct ck_expr *expr)
{
    if (fn->constant_only)
        return report_host(fn, expr, NULL);
    if (row->kind == CK_NUMBA_HOST)
        return report_host(fn, expr, row->text);
    bool member = *row->path == '.';
    struct ck_diag *diag =
        ck_error(fn, NOT_IN_KERNELS, member ? expr->attribute.name_span : expr->span,
                 member ? row->path : ck_diag_text(fn->c->diags, expr->span));
    ck_diag_help(fn->c->diags, diag, "%s", row->text);
    return ck_value_error(expr->span);
}
