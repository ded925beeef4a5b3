/* Types as Python and NumPy write them: annotations that say nothing of a width, which are ignored
 * as Numba ignores them, and dtypes in strings. */
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"

/* --- Annotations ---------------------------------------------------------------------------------
 */

bool
ck_is_numpy_name(struct ck_fn *scope, const struct ck_expr *expr, const char *name)
{
    if (expr->kind == CK_EXPR_NAME) {
        const struct ck_global *global = ck_find_global(scope->c, expr->name);
        return global && global->kind == CK_GLOBAL_IMPORT && strcmp(global->path, name) == 0;
    }
    if (expr->kind != CK_EXPR_ATTRIBUTE || strcmp(expr->attribute.name, name) != 0)
        return false;
    struct ck_value module = ck_probe(scope, expr->attribute.object);
    return module.kind == CK_VALUE_PATH && strcmp(module.path, "np") == 0;
}

/* A name, or a part of one, that is imported from a module that kernels do not have: `Any`. */
static bool
is_of_other_module(struct ck_checker *c, const struct ck_expr *expr)
{
    while (expr->kind == CK_EXPR_ATTRIBUTE || expr->kind == CK_EXPR_SUBSCRIPT)
        expr = expr->kind == CK_EXPR_ATTRIBUTE ? expr->attribute.object : expr->subscript.object;
    if (expr->kind != CK_EXPR_NAME)
        return false;
    const struct ck_global *global = ck_find_global(c, expr->name);
    return global && global->kind == CK_GLOBAL_HOST && global->import && !global->import_name;
}

bool
ck_is_python_type(struct ck_checker *c, const struct ck_expr *expr)
{
    if (expr->kind == CK_EXPR_STRING) {
        c->diags->quiet++;
        expr = ck_parse_expression(c->arena, expr->string.bytes, expr->string.length,
                                   expr->span.start + 1, c->diags);
        c->diags->quiet--;
        if (!expr)
            return false;
    }
    if (is_of_other_module(c, expr))
        return true;
    if (expr->kind != CK_EXPR_NAME && expr->kind != CK_EXPR_ATTRIBUTE)
        return false;
    struct ck_fn scope = ck_module_scope(c);
    if (ck_is_numpy_name(&scope, expr, "ndarray"))
        return true;
    struct ck_value value = ck_probe(&scope, expr);
    return value.kind == CK_VALUE_BUILTIN &&
           (value.builtin == CK_BUILTIN_INT || value.builtin == CK_BUILTIN_FLOAT ||
            value.builtin == CK_BUILTIN_COMPLEX);
}

/* --- Dtypes --------------------------------------------------------------------------------------
 */

/* A dtype's name in a string. Names that are not here are those of the language. */
static const struct ck_type *
dtype_by_name(const char *name)
{
    static const struct {
        const char *name;
        enum ck_type_kind kind;
    } rows[] = {
        {"int", CK_TYPE_INT64},
        {"float", CK_TYPE_FLOAT64},
        {"complex", CK_TYPE_COMPLEX128},
        {"half", CK_TYPE_FLOAT16},
        {"single", CK_TYPE_FLOAT32},
        {"float_", CK_TYPE_FLOAT64},
        {"csingle", CK_TYPE_COMPLEX64},
        {"long", CK_TYPE_INT64},
        {"byte", CK_TYPE_INT8},
        {"ubyte", CK_TYPE_UINT8},
        {"?", CK_TYPE_BOOL},
        {"b", CK_TYPE_INT8},
        {"B", CK_TYPE_UINT8},
        {"h", CK_TYPE_INT16},
        {"H", CK_TYPE_UINT16},
        {"i", CK_TYPE_INT32},
        {"I", CK_TYPE_UINT32},
        {"l", CK_TYPE_INT64},
        {"L", CK_TYPE_UINT64},
        {"q", CK_TYPE_INT64},
        {"Q", CK_TYPE_UINT64},
        {"e", CK_TYPE_FLOAT16},
        {"f", CK_TYPE_FLOAT32},
        {"d", CK_TYPE_FLOAT64},
        {"F", CK_TYPE_COMPLEX64},
        {"D", CK_TYPE_COMPLEX128},
    };
    if (*name == '<' || *name == '=' || *name == '|') /* the byte order of every device */
        name++;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return ck_type_scalar(rows[i].kind);
    }
    const struct ck_type *type = ck_type_by_name(name);
    return type && type->kind != CK_TYPE_VOID ? type : NULL;
}

static const struct ck_type *
dtype_of(const struct ck_value *value)
{
    if (value->kind == CK_VALUE_TYPE)
        return ck_type_is_scalar(value->type) ? value->type : NULL;
    if (value->kind == CK_VALUE_STRING)
        return dtype_by_name(value->string->string.bytes);
    if (value->kind != CK_VALUE_BUILTIN)
        return NULL;
    return value->builtin == CK_BUILTIN_INT       ? ck_type_scalar(CK_TYPE_INT64)
           : value->builtin == CK_BUILTIN_FLOAT   ? ck_type_scalar(CK_TYPE_FLOAT64)
           : value->builtin == CK_BUILTIN_COMPLEX ? ck_type_scalar(CK_TYPE_COMPLEX128)
                                                  : NULL;
}

const struct ck_type *
ck_dtype_of(struct ck_fn *fn, const struct ck_value *value)
{
    if (value->kind == CK_VALUE_ERROR)
        return NULL;
    const struct ck_type *type = dtype_of(value);
    if (type)
        return type;
    struct ck_diag *diag =
        ck_error(fn, WRONG_TYPE, value->span, "the dtype of an array is a scalar type");
    bool is_vector = value->kind == CK_VALUE_TYPE && ck_type_is_vector(value->type);
    ck_diag_help(fn->c->diags, diag,
                 is_vector ? "use an array of numbers with one more dimension"
                           : "write its name: `float32`, `int64`");
    return NULL;
}
