/* Arrays of the module: their names, and the functions that use them; the elements of constant
 * ones. */
#include "lang/check/module_array.h"

void
ck_name_module_arrays(struct ck_checker *c, struct ck_value *value, const char *name)
{
    if (value->kind != CK_VALUE_RUN)
        return;
    struct ck_texpr *expr = value->expr;
    if (expr->kind == CK_T_ARRAY && !*expr->array->name)
        expr->array->name = name;
    if (expr->kind == CK_T_MODULE_ARRAY)
        expr->module_array = ck_keep_module_array(c, expr->module_array, name);
    for (int i = 0; expr->kind == CK_T_TUPLE && i < expr->tuple.n; i++) {
        struct ck_value item = {.kind = CK_VALUE_RUN, .expr = expr->tuple.items[i]};
        const bool is_array = item.expr->kind == CK_T_MODULE_ARRAY;
        ck_name_module_arrays(c, &item,
                              is_array ? ck_arena_printf(c->arena, "%s[%d]", name, i) : name);
    }
}

/* What an array takes of constant memory. Code that is loaded more than once finds an array in
 * global memory by an address that it has there. */
static int64_t
constant_bytes(const struct ck_texpr *expr)
{
    int64_t bytes = (int64_t)sizeof(uint64_t);
    if (expr->kind == CK_T_ARRAY)
        bytes = expr->array->count * ck_type_size(expr->array->elem);
    else if (expr->type->array.space == CK_SPACE_CONST)
        bytes = expr->module_array->count * ck_type_size(expr->type->array.elem);
    return (bytes + CK_ARRAY_ALIGN - 1) / CK_ARRAY_ALIGN * CK_ARRAY_ALIGN;
}

static void
use_array(struct ck_fn *fn, const struct ck_texpr *expr, struct ck_span span)
{
    struct ck_checker *c = fn->c;
    const bool is_constant = expr->kind == CK_T_ARRAY;
    bool *used = is_constant ? &expr->array->used : &expr->module_array->used;
    if (*used || c->diags->quiet)
        return;
    const int64_t before = c->const_bytes, bytes = constant_bytes(expr);
    *used = true;
    c->const_bytes += bytes;
    if (before > CK_MAX_CONST_BYTES || c->const_bytes <= CK_MAX_CONST_BYTES)
        return;
    struct ck_diag *diag = ck_error(
        fn, WRONG_TYPE, span,
        ck_arena_printf(c->arena,
                        "with `%s` the constant arrays that kernels use are more than the 64 KB of "
                        "constant memory",
                        is_constant ? expr->array->name : expr->module_array->name));
    ck_diag_label(c->diags, diag, is_constant ? expr->array->span : expr->module_array->span,
                  "%lld bytes", (long long)bytes);
    ck_diag_help(c->diags, diag, "pass the largest as an argument of the kernel");
}

void
ck_use_module_arrays(struct ck_fn *fn, const struct ck_texpr *expr, struct ck_span span)
{
    for (int i = 0; expr->kind == CK_T_TUPLE && i < expr->tuple.n; i++)
        ck_use_module_arrays(fn, expr->tuple.items[i], span);
    if (expr->kind == CK_T_ARRAY || expr->kind == CK_T_MODULE_ARRAY)
        use_array(fn, expr, span);
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

/* The array that an expression denotes or is a view of. */
static const struct ck_texpr *
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
            return expr;
    }
}

bool
ck_check_writable(struct ck_fn *fn, const struct ck_value *array, struct ck_span span)
{
    if (array->type->array.space != CK_SPACE_CONST)
        return true;
    const struct ck_texpr *behind = array_behind(array->expr);
    const char *name = "";
    struct ck_span made = {0, 0};
    if (behind->kind == CK_T_ARRAY) {
        name = behind->array->name;
        made = behind->array->span;
    } else if (behind->kind == CK_T_MODULE_ARRAY) {
        name = behind->module_array->name;
        made = behind->module_array->span;
    }
    struct ck_diag *diag =
        ck_error(fn, CONST_STORE, span, *name ? name : ck_diag_text(fn->c->diags, array->span));
    if (made.end)
        ck_diag_label(fn->c->diags, diag, made, "made here");
    ck_diag_help(fn->c->diags, diag,
                 behind->kind == CK_T_MODULE_ARRAY
                     ? "make it by `device_array(shape, dtype)`, which kernels may write"
                     : "copy it to a local or shared array, or pass an array");
    return false;
}
