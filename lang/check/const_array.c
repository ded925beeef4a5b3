/* Constant arrays of the module: their names, their elements, and the functions that read them. */
#include "lang/check/checker.h"

void
ck_name_const_arrays(struct ck_value *value, const char *name)
{
    if (value->kind != CK_VALUE_RUN)
        return;
    struct ck_texpr *expr = value->expr;
    if (expr->kind == CK_T_ARRAY && !*expr->array->name)
        expr->array->name = name;
    for (int i = 0; expr->kind == CK_T_TUPLE && i < expr->tuple.n; i++) {
        struct ck_value item = {.kind = CK_VALUE_RUN, .expr = expr->tuple.items[i]};
        ck_name_const_arrays(&item, name);
    }
}

void
ck_use_const_arrays(struct ck_fn *fn, const struct ck_texpr *expr, struct ck_span span)
{
    struct ck_checker *c = fn->c;
    for (int i = 0; expr->kind == CK_T_TUPLE && i < expr->tuple.n; i++)
        ck_use_const_arrays(fn, expr->tuple.items[i], span);
    if (expr->kind != CK_T_ARRAY || expr->array->used || c->diags->quiet)
        return;
    struct ck_const_array *array = expr->array;
    int64_t before = c->const_bytes;
    array->used = true;
    c->const_bytes += (array->count * ck_type_size(array->elem) + CK_ARRAY_ALIGN - 1) /
                      CK_ARRAY_ALIGN * CK_ARRAY_ALIGN;
    if (before > CK_MAX_CONST_BYTES || c->const_bytes <= CK_MAX_CONST_BYTES)
        return;
    struct ck_diag *diag =
        ck_error(fn, WRONG_TYPE, span,
                 ck_arena_printf(c->arena,
                                 "with `%s` the constant arrays that kernels use are more than the "
                                 "64 KB of constant memory",
                                 array->name));
    ck_diag_label(c->diags, diag, array->span, "%lld bytes",
                  (long long)(array->count * ck_type_size(array->elem)));
    ck_diag_help(c->diags, diag, "pass the largest as an argument of the kernel");
}

bool
ck_const_element(const struct ck_texpr *array, const struct ck_tindex *indices,
                 struct ck_texpr **out)
{
    if (array->kind != CK_T_ARRAY)
        return false;
    const struct ck_const_array *values = array->array;
    int64_t at = 0;
    for (int i = 0; i < values->ndim; i++) {
        const struct ck_texpr *index = indices[i].value;
        int64_t n = values->shape[i];
        if (index->kind != CK_T_CONST)
            return false;
        int64_t position = index->constant.i;
        at = at * n + (position < 0 ? position + n : position);
    }
    *out = values->items[at];
    return true;
}

/* The constant array that an expression denotes or is a view of. */
static const struct ck_const_array *
array_behind(const struct ck_texpr *expr)
{
    for (;;) {
        if (expr->kind == CK_T_VIEW)
            expr = expr->view.array;
        else if (expr->kind == CK_T_TRANSPOSE)
            expr = expr->transpose.array;
        else if (expr->kind == CK_T_FIELD)
            expr = expr->field.array;
        else if (expr->kind == CK_T_RESHAPE)
            expr = expr->reshape.array;
        else if (expr->kind == CK_T_RETYPE || expr->kind == CK_T_REINTERPRET)
            expr = expr->operand;
        else
            return expr->kind == CK_T_ARRAY ? expr->array : NULL;
    }
}

bool
ck_check_writable(struct ck_fn *fn, const struct ck_value *array, struct ck_span span)
{
    if (array->type->array.space != CK_SPACE_CONST)
        return true;
    const struct ck_const_array *constant = array_behind(array->expr);
    const char *name =
        constant && *constant->name ? constant->name : ck_diag_text(fn->c->diags, array->span);
    struct ck_diag *diag = ck_error(fn, CONST_STORE, span, name);
    if (constant)
        ck_diag_label(fn->c->diags, diag, constant->span, "made here");
    ck_diag_help(fn->c->diags, diag, "copy it to a local or shared array, or pass an array");
    return false;
}
