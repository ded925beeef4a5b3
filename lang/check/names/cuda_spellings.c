/* Names of CUDA C++: what ck calls them. */
#include "lang/syntax/cuda_names.h"

#include <string.h>

#include "lang/check/checker.h"
#include "lang/check/foreign_names.h"

static void
help_with_cuda_name(struct ck_fn *fn, struct ck_diag *diag, const struct ck_cuda_name *row)
{
    if (row->use && row->text)
        ck_diag_help(fn->c->diags, diag, "write `%s`; %s", row->use, row->text);
    else if (row->use)
        ck_diag_help(fn->c->diags, diag, "write `%s`", row->use);
    else
        ck_diag_help(fn->c->diags, diag, "%s", row->text);
}

bool
ck_report_cuda_name(struct ck_fn *fn, const char *name, struct ck_span span)
{
    const struct ck_cuda_name *row = ck_cuda_name_find(name);
    if (!row)
        return false;
    const char *text = ck_diag_text(fn->c->diags, span);
    struct ck_diag *diag = row->use ? ck_error(fn, UNKNOWN_NAME, span, text)
                                    : ck_error(fn, NOT_IN_KERNELS, span, text);
    help_with_cuda_name(fn, diag, row);
    return true;
}

/* --- Template arguments --------------------------------------------------------------------------
 * `tiled_partition<32>(g)` is a comparison in ck: `(tiled_partition < 32) and (32 > (g))`. */

static bool
is_template_call(const struct ck_expr *expr)
{
    const struct ck_expr *first = expr->compare.operands[0];
    const struct ck_expr *last = expr->compare.operands[2];
    return (first->kind == CK_EXPR_NAME || first->kind == CK_EXPR_ATTRIBUTE) &&
           (last->parenthesized || last->kind == CK_EXPR_TUPLE);
}

/* The call without template arguments; a partition's size becomes its second argument. */
static const char *
call_text(struct ck_fn *fn, const struct ck_expr *expr, const char *callee)
{
    const char *size = ck_diag_text(fn->c->diags, expr->compare.operands[1]->span);
    const char *args = ck_diag_text(fn->c->diags, expr->compare.operands[2]->span);
    size_t length = strlen(args);
    bool is_size = expr->compare.operands[1]->kind == CK_EXPR_INT && length > 2;
    if (!is_size)
        return ck_arena_printf(fn->c->arena, "%s%s", callee, args);
    return ck_arena_printf(fn->c->arena, "%s%.*s, %s)", callee, (int)length - 1, args, size);
}

bool
ck_report_template_call(struct ck_fn *fn, const struct ck_expr *expr)
{
    if (expr->compare.n_ops != 2 || expr->compare.ops[0] != CK_CMP_LT ||
        expr->compare.ops[1] != CK_CMP_GT || !is_template_call(expr))
        return false;
    const struct ck_expr *callee = expr->compare.operands[0];
    struct ck_value value = ck_probe(fn, callee);
    bool is_name = callee->kind == CK_EXPR_NAME;
    const struct ck_cuda_name *row =
        is_name && value.kind == CK_VALUE_ERROR ? ck_cuda_name_find(callee->name) : NULL;
    if (value.kind != CK_VALUE_BUILTIN && value.kind != CK_VALUE_FUNCTION &&
        value.kind != CK_VALUE_NUMPY && !row)
        return false;
    const char *name = ck_diag_text(fn->c->diags, callee->span);
    struct ck_diag *diag = ck_error(fn, WRONG_TYPE, expr->span,
                                    ck_arena_printf(fn->c->arena, "`%s<...>(...)` is C++", name));
    if (row)
        help_with_cuda_name(fn, diag, row);
    else
        ck_diag_help(fn->c->diags, diag, "write `%s`: there are no template arguments",
                     call_text(fn, expr, name));
    return true;
}
