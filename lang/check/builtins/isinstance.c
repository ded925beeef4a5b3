/* isinstance: whether a value's type, which is known at compile time, is one of some types. */
#include <string.h>

#include "lang/check/builtins/rules.h"

/* Python's types, each of which stands for the types of its kind. A bool is no int, as NumPy's. */
static bool
is_of_python_type(const struct ck_type *type, enum ck_builtin_id id)
{
    switch (id) {
    case CK_BUILTIN_INT:
        return ck_type_is_int(type);
    case CK_BUILTIN_FLOAT:
        return ck_type_is_float(type);
    case CK_BUILTIN_COMPLEX:
        return ck_type_is_complex(type);
    default:
        return type->kind == CK_TYPE_TUPLE;
    }
}

static bool
is_signed(const struct ck_type *type)
{
    return ck_type_is_int(type) && !ck_type_is_unsigned(type);
}

static bool
is_unsigned(const struct ck_type *type)
{
    return ck_type_is_int(type) && ck_type_is_unsigned(type);
}

static bool
is_inexact(const struct ck_type *type)
{
    return ck_type_is_float(type) || ck_type_is_complex(type);
}

static bool
is_any_number(const struct ck_type *type)
{
    return ck_type_is_int(type) || is_inexact(type);
}

static bool
is_bool(const struct ck_type *type)
{
    return type->kind == CK_TYPE_BOOL;
}

static bool
is_any_tuple(const struct ck_type *type)
{
    return type->kind == CK_TYPE_TUPLE;
}

static bool
has_equal_items(const struct ck_type *type)
{
    bool equal = type->kind == CK_TYPE_TUPLE && type->tuple.n > 0;
    for (int i = 1; equal && i < type->tuple.n; i++)
        equal = type->tuple.items[i] == type->tuple.items[0];
    return equal;
}

static bool
is_uniform(const struct ck_type *type)
{
    return has_equal_items(type) && !type->tuple.fields;
}

static bool
is_mixed(const struct ck_type *type)
{
    return type->kind == CK_TYPE_TUPLE && !type->tuple.fields && !has_equal_items(type);
}

static bool
is_named(const struct ck_type *type)
{
    return type->kind == CK_TYPE_TUPLE && type->tuple.fields;
}

static bool
is_record(const struct ck_type *type)
{
    return ck_type_is_record(type) ||
           (ck_type_is_array(type) && !type->array.ndim && ck_type_is_record(type->array.elem));
}

bool
ck_is_name_of_types(struct ck_fn *fn, const struct ck_expr *expr, const char *name)
{
    if (expr->kind != CK_EXPR_ATTRIBUTE || strcmp(expr->attribute.name, name) != 0)
        return false;
    struct ck_value module = ck_probe(fn, expr->attribute.object);
    return module.kind == CK_VALUE_PATH && strcmp(module.path, "types") == 0;
}

/* Numba's classes of the types of values that kernels compute, `types.Integer`. */
static const struct {
    const char *name;
    bool (*has)(const struct ck_type *type);
} classes[] = {
    {"Integer", ck_type_is_int},  {"Float", ck_type_is_float}, {"Complex", ck_type_is_complex},
    {"Number", is_any_number},    {"Boolean", is_bool},        {"Array", ck_type_is_array},
    {"Buffer", ck_type_is_array}, {"BaseTuple", is_any_tuple}, {"UniTuple", is_uniform},
    {"Tuple", is_mixed},          {"NamedTuple", is_named},    {"Record", is_record},
};

/* The same of what is known at compile time alone. */
static const struct {
    const char *name;
    enum ck_value_kind kinds[3]; /* ERROR: no further one */
} known_classes[] = {
    {"NoneType", {CK_VALUE_NONE}},
    {"StringLiteral", {CK_VALUE_STRING}},
    {"UnicodeType", {CK_VALUE_STRING}},
    {"DType", {CK_VALUE_TYPE}},
    {"NumberClass", {CK_VALUE_TYPE}},
    {"Function", {CK_VALUE_FUNCTION, CK_VALUE_BUILTIN, CK_VALUE_NUMPY}},
    {"Dispatcher", {CK_VALUE_FUNCTION}},
    {"Callable", {CK_VALUE_FUNCTION, CK_VALUE_BUILTIN, CK_VALUE_NUMPY}},
};

/* Python's `str`, if the program binds no other. */
static bool
is_str(struct ck_fn *fn, const struct ck_expr *expr)
{
    return expr->kind == CK_EXPR_NAME && strcmp(expr->name, "str") == 0 &&
           !ck_is_assigned(fn, "str") && !ck_find_global(fn->c, "str");
}

/* Returns whether `expr` is one of the classes. */
static bool
matches_class(struct ck_fn *fn, const struct ck_value *value, const struct ck_type *type,
              const struct ck_expr *expr, bool *out)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (ck_is_name_of_types(fn, expr, classes[i].name)) {
            const bool of_names =
                value->kind == CK_VALUE_NAMES && strcmp(classes[i].name, "BaseTuple") == 0;
            *out = of_names || (type && classes[i].has(type));
            return true;
        }
    }
    for (size_t i = 0; i < sizeof known_classes / sizeof *known_classes; i++) {
        if (!ck_is_name_of_types(fn, expr, known_classes[i].name))
            continue;
        for (int k = 0; k < 3 && known_classes[i].kinds[k] != CK_VALUE_ERROR; k++)
            *out = *out || value->kind == known_classes[i].kinds[k];
        return true;
    }
    return false;
}

/* NumPy's abstract types. Returns whether `expr` is one. */
static bool
matches_kind(struct ck_fn *fn, const struct ck_type *type, const struct ck_expr *expr, bool *out)
{
    static const struct {
        const char *name;
        bool (*has)(const struct ck_type *type);
    } kinds[] = {
        {"integer", ck_type_is_int},
        {"signedinteger", is_signed},
        {"unsignedinteger", is_unsigned},
        {"floating", ck_type_is_float},
        {"complexfloating", ck_type_is_complex},
        {"inexact", is_inexact},
        {"number", is_any_number},
        {"generic", ck_type_is_scalar},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (ck_is_numpy_name(fn, expr, kinds[i].name)) {
            *out = type && kinds[i].has(type);
            return true;
        }
    }
    return false;
}

/* Whether `type`, NULL for None and functions, is the type that `expr` denotes. False if that is
 * none, reported. */
static bool
matches(struct ck_fn *fn, const struct ck_value *value, const struct ck_type *type,
        const struct ck_expr *expr, bool *out)
{
    if (expr->kind == CK_EXPR_TUPLE) {
        for (int i = 0; i < expr->sequence.n; i++) {
            bool one = false;
            if (!matches(fn, value, type, expr->sequence.items[i], &one))
                return false;
            *out |= one;
        }
        return true;
    }
    if (ck_is_numpy_name(fn, expr, "ndarray")) {
        *out = type && ck_type_is_array(type);
        return true;
    }
    if (is_str(fn, expr)) {
        *out = value->kind == CK_VALUE_STRING;
        return true;
    }
    if (matches_kind(fn, type, expr, out) || matches_class(fn, value, type, expr, out))
        return true;
    struct ck_value wanted = ck_check_expr(fn, expr);
    bool is_python =
        wanted.kind == CK_VALUE_BUILTIN &&
        (wanted.builtin == CK_BUILTIN_INT || wanted.builtin == CK_BUILTIN_FLOAT ||
         wanted.builtin == CK_BUILTIN_COMPLEX || wanted.builtin == CK_BUILTIN_MAKE_TUPLE);
    bool is_named = wanted.kind == CK_VALUE_TYPE && wanted.function;
    if (wanted.kind == CK_VALUE_TYPE && ck_type_is_date(wanted.type)) {
        const bool of_any_unit = wanted.type->date.unit == CK_UNIT_GENERIC;
        *out = type && (of_any_unit ? type->kind == wanted.type->kind : type == wanted.type);
    } else if (wanted.kind == CK_VALUE_TYPE && ck_type_is_scalar(wanted.type)) {
        *out = type == wanted.type;
    } else if (is_named) {
        *out =
            type && type->kind == CK_TYPE_TUPLE && type->tuple.fields == wanted.type->tuple.fields;
    } else if (is_python) {
        const bool of_names =
            value->kind == CK_VALUE_NAMES && wanted.builtin == CK_BUILTIN_MAKE_TUPLE;
        *out = of_names || (type && is_of_python_type(type, wanted.builtin));
    } else if (wanted.kind != CK_VALUE_ERROR) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, expr->span, "`isinstance` cannot test for this");
        ck_diag_help(
            fn->c->diags, diag,
            "it takes the types of scalars, `int`, `float`, `complex`, `bool`, `str`, `tuple`, "
            "`np.ndarray` and `types.Integer`, or a tuple of them");
        return false;
    }
    return wanted.kind != CK_VALUE_ERROR;
}

struct ck_value
ck_rule_isinstance(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_argument *args = call->syntax->call.args;
    for (int i = 0; i < 2; i++) {
        if (args[i].name) {
            ck_error(fn, KEYWORD, args[i].name_span, args[i].name, "isinstance");
            return ck_value_error(call->syntax->span);
        }
    }
    struct ck_value value = ck_check_expr(fn, args[0].value);
    if (value.kind == CK_VALUE_NONE && value.expr)
        value = ck_as_run(fn, value);
    const struct ck_type *type =
        value.kind == CK_VALUE_RUN ? ck_storage_type(&fn->c->types, value.type) : NULL;
    if (value.kind == CK_VALUE_TYPE && fn->chooses) /* an overload asks types about types */
        type = value.type;
    bool found = false;
    if (!matches(fn, &value, type, args[1].value, &found) || value.kind == CK_VALUE_ERROR)
        return ck_value_error(call->syntax->span);
    struct ck_texpr *result = ck_known_bool(fn, &value, found, call->syntax->span);
    return ck_value_run(result->type, result);
}
