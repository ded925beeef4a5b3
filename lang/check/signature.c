/* Types and signatures as the user writes them: `int32[:, ::1]`, `void(int32[:], float64)`,
 * `(int32[:],)`, a string of any of these, a list of several, or a module name for one. */
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"
#include "lang/check/date.h"

static const struct ck_expr *
string_content(struct ck_checker *c, const struct ck_expr *expr)
{
    uint32_t quote = expr->span.start + 1; /* just inside the opening quote */
    return ck_parse_expression(c->arena, expr->string.bytes, expr->string.length, quote, c->diags);
}

/* --- Array types ---------------------------------------------------------------------------------
 */

static bool
is_literal_one(const struct ck_expr *expr)
{
    return expr && expr->kind == CK_EXPR_INT && expr->integer.value == 1;
}

/* 0 for `:`, 1 for `::1`, -1 for anything else. */
static int
dimension_kind(const struct ck_expr *expr)
{
    if (expr->kind != CK_EXPR_SLICE || expr->slice.is_rest || expr->slice.start || expr->slice.stop)
        return -1;
    if (!expr->slice.step)
        return 0;
    return is_literal_one(expr->slice.step) ? 1 : -1;
}

static bool
layout_of(const struct ck_expr *expr, enum ck_layout *out)
{
    int n = expr->subscript.n_indices, unit = -1;
    for (int i = 0; i < n; i++) {
        int kind = dimension_kind(expr->subscript.indices[i]);
        if (kind < 0 || (kind == 1 && unit >= 0))
            return false;
        if (kind == 1)
            unit = i;
    }
    if (unit >= 0 && unit != 0 && unit != n - 1)
        return false;
    *out = unit < 0 ? CK_LAYOUT_ANY : unit == n - 1 ? CK_LAYOUT_C : CK_LAYOUT_F;
    return true;
}

static bool
is_element_type(const struct ck_type *type)
{
    return ck_type_is_scalar_or_date(type) || ck_type_is_record(type) || ck_type_is_vector(type);
}

static const struct ck_type *
array_type(struct ck_checker *c, const struct ck_expr *expr, bool report)
{
    const struct ck_type *date = ck_date_type_of_subscript(c, expr);
    if (date)
        return date;
    const struct ck_type *elem = ck_type_of_expr(c, expr->subscript.object, report);
    enum ck_layout layout;
    if (!elem)
        return NULL;
    const char *fault = NULL;
    const struct ck_expr *first = expr->subscript.indices[0];
    bool is_empty =
        expr->subscript.n_indices == 1 && first->kind == CK_EXPR_TUPLE && first->sequence.n == 0;
    const bool is_element = is_element_type(elem);
    if (is_empty && is_element)
        return ck_type_array(&c->types, elem, 0, CK_LAYOUT_C, CK_SPACE_GLOBAL);
    if (!is_element)
        fault = "an array's elements are scalars, dates, vectors or records";
    else if (expr->subscript.n_indices > CK_MAX_NDIM)
        fault = "an array has at most 8 dimensions";
    else if (!layout_of(expr, &layout))
        fault = "an array type is written T[:, :], T[:, ::1], T[::1, :] or T[()]";
    if (fault) {
        if (report)
            ck_diag_add(c->diags, CK_DIAG_BAD_TYPE, expr->span, fault);
        return NULL;
    }
    return ck_type_array(&c->types, elem, expr->subscript.n_indices, layout, CK_SPACE_GLOBAL);
}

/* The arguments of Numba's `Array` by name or position; the others do not matter. False: an
 * argument has another name, or is missing. */
static bool
array_arguments(const struct ck_expr *call, const struct ck_expr *out[3])
{
    static const char *const names[] = {"dtype", "ndim", "layout", "readonly", "name", "aligned"};
    for (int i = 0; i < call->call.n_args; i++) {
        const struct ck_argument *arg = &call->call.args[i];
        int at = arg->name ? 0 : i;
        while (at < 6 && arg->name && strcmp(arg->name, names[at]) != 0)
            at++;
        if (at == 6)
            return false;
        if (at < 3)
            out[at] = arg->value;
    }
    return out[0] && out[1] && out[2];
}

/* -1: it is no layout. */
static int
layout_of_string(const struct ck_expr *expr)
{
    static const char letters[] = {[CK_LAYOUT_ANY] = 'A', [CK_LAYOUT_C] = 'C', [CK_LAYOUT_F] = 'F'};
    for (int layout = CK_LAYOUT_ANY; layout <= CK_LAYOUT_F; layout++) {
        if (expr->kind == CK_EXPR_STRING && expr->string.length == 1 &&
            expr->string.bytes[0] == letters[layout])
            return layout;
    }
    return -1;
}

const struct ck_type *
ck_array_type_of_call(struct ck_checker *c, const struct ck_expr *call, bool report)
{
    const struct ck_expr *args[3] = {NULL};
    struct ck_fn scope = ck_module_scope(c);
    int64_t ndim = -1;
    const bool has_all = array_arguments(call, args);
    const struct ck_type *elem = has_all ? ck_type_of_expr(c, args[0], report) : NULL;
    if (has_all && !elem)
        return NULL;
    struct ck_value n =
        has_all ? ck_speculate(&scope, ck_check_expr, args[1]) : ck_value_error(call->span);
    const int layout = has_all ? layout_of_string(args[2]) : -1;
    const bool good = n.kind == CK_VALUE_RUN && ck_value_const_int(&n, &ndim) && ndim >= 0 &&
                      ndim <= CK_MAX_NDIM && layout >= 0 && is_element_type(elem);
    if (good)
        return ck_type_array(&c->types, elem, (int)ndim,
                             ndim ? (enum ck_layout)layout : CK_LAYOUT_C, CK_SPACE_GLOBAL);
    if (report)
        ck_diag_add(c->diags, CK_DIAG_BAD_TYPE, call->span,
                    "an array's type is written Array(dtype, dimensions, layout), 0 to 8 "
                    "dimensions, layout 'C', 'F' or 'A'");
    return NULL;
}

/* --- Types ---------------------------------------------------------------------------------------
 */

static const struct ck_type *
named_type(struct ck_checker *c, const struct ck_expr *expr, bool report)
{
    struct ck_fn scope = ck_module_scope(c);
    struct ck_value value = report ? ck_check_name(&scope, expr) : ck_probe(&scope, expr);
    if (value.kind == CK_VALUE_TYPE && !value.function)
        return value.type;
    if (value.kind == CK_VALUE_TYPE && report) {
        struct ck_diag *diag =
            ck_diag_add(c->diags, CK_DIAG_BAD_TYPE, expr->span,
                        ck_arena_printf(c->arena, "`%s` does not say the types of its fields",
                                        ck_text_of(&scope, value.type)));
        ck_diag_help(c->diags, diag, "give them in order: `%s(%s)`", ck_text_of(&scope, value.type),
                     value.type->tuple.n == 1 ? "float32" : "float32, int64");
    }
    if (!report || value.kind == CK_VALUE_TYPE || value.kind == CK_VALUE_ERROR)
        return NULL;
    struct ck_diag *diag = ck_diag_add(
        c->diags, CK_DIAG_BAD_TYPE, expr->span,
        ck_arena_printf(c->arena, "`%s` is not a type", ck_diag_text(c->diags, expr->span)));
    if (value.kind == CK_VALUE_BUILTIN && ck_makes_type(value.builtin))
        ck_diag_help(c->diags, diag,
                     "say of what: Tuple((int32, float64)), UniTuple(float32, 3), CPointer(int8)");
    return NULL;
}

const struct ck_type *
ck_namedtuple_of_expr(struct ck_checker *c, const struct ck_expr *expr)
{
    if (expr->kind != CK_EXPR_NAME && expr->kind != CK_EXPR_ATTRIBUTE)
        return NULL;
    struct ck_fn scope = ck_module_scope(c);
    struct ck_value value = ck_probe(&scope, expr);
    return value.kind == CK_VALUE_TYPE && value.function ? value.type : NULL;
}

const struct ck_type *
ck_type_of_expr(struct ck_checker *c, const struct ck_expr *expr, bool report)
{
    switch (expr->kind) {
    case CK_EXPR_NAME:
    case CK_EXPR_ATTRIBUTE:
        return named_type(c, expr, report);
    case CK_EXPR_SUBSCRIPT:
        return array_type(c, expr, report);
    case CK_EXPR_NONE:
        return ck_type_scalar(CK_TYPE_VOID);
    case CK_EXPR_STRING: {
        const struct ck_expr *inner = report ? string_content(c, expr) : NULL;
        return inner ? ck_type_of_expr(c, inner, report) : NULL;
    }
    case CK_EXPR_ERROR:
        return NULL;
    case CK_EXPR_TUPLE:
        return ck_made_type_of_expr(c, expr, report);
    case CK_EXPR_CALL: /* of a type that takes arguments */
        if (ck_is_made_type_expr(c, expr))
            return ck_made_type_of_expr(c, expr, report);
        if (!named_type(c, expr->call.callee, report))
            return NULL;
        /* fallthrough */
    default:
        if (report)
            ck_diag_add(c->diags, CK_DIAG_BAD_TYPE, expr->span, "this is not a type");
        return NULL;
    }
}

bool
ck_is_type_expr(struct ck_checker *c, const struct ck_expr *expr)
{
    if (expr->kind == CK_EXPR_TUPLE || expr->kind == CK_EXPR_LIST) {
        for (int i = 0; i < expr->sequence.n; i++) {
            if (!ck_is_type_expr(c, expr->sequence.items[i]))
                return false;
        }
        return expr->sequence.n > 0;
    }
    if (expr->kind == CK_EXPR_CALL && ck_is_made_type_expr(c, expr))
        return ck_type_of_expr(c, expr, false) != NULL;
    if (expr->kind == CK_EXPR_CALL) /* void(int32[:]); int32(5) is a value */
        return ck_is_type_expr(c, expr->call.callee) &&
               (expr->call.n_args == 0 || ck_is_type_expr(c, expr->call.args[0].value));
    if (expr->kind == CK_EXPR_STRING || expr->kind == CK_EXPR_NONE)
        return false;
    return ck_type_of_expr(c, expr, false) != NULL;
}

/* --- Signatures ----------------------------------------------------------------------------------
 */

static bool
add_signature(struct ck_checker *c, struct ck_global *global, const struct ck_signature *signature)
{
    int wanted = global->function->n_params;
    if (signature->n_params != wanted) {
        struct ck_diag *diag =
            ck_diag_add(c->diags, CK_DIAG_SIGNATURE_COUNT, signature->span, signature->n_params,
                        signature->n_params == 1 ? "" : "s", global->name, wanted);
        ck_diag_label(c->diags, diag, global->span, "defined here");
        return false;
    }
    CK_PUSH(c->arena, global->signatures, global->n_signatures, global->signatures_capacity,
            *signature);
    return true;
}

static bool
signature_of_types(struct ck_checker *c, struct ck_global *global, const struct ck_type *returns,
                   const struct ck_expr *const *params, int n, struct ck_span span)
{
    struct ck_signature signature = {.returns = returns, .n_params = n, .span = span};
    signature.params = CK_NEW_ARRAY(c->arena, const struct ck_type *, n);
    for (int i = 0; i < n; i++) {
        const struct ck_type *type = ck_type_of_expr(c, params[i], true);
        if (!type)
            return false;
        if (type->kind == CK_TYPE_VOID) {
            ck_diag_add(c->diags, CK_DIAG_BAD_TYPE, params[i]->span, "a parameter cannot be void");
            return false;
        }
        signature.params[i] = type;
    }
    return add_signature(c, global, &signature);
}

static bool
signature_of_call(struct ck_checker *c, const struct ck_expr *expr, struct ck_global *global)
{
    const struct ck_type *returns = ck_type_of_expr(c, expr->call.callee, true);
    int n = expr->call.n_args;
    const struct ck_expr **params = CK_NEW_ARRAY(c->arena, const struct ck_expr *, n);
    for (int i = 0; i < n; i++)
        params[i] = expr->call.args[i].value;
    return returns && signature_of_types(c, global, returns, params, n, expr->span);
}

/* What a constant of signatures is bound to: types, a string, or a list of strings and types. NULL:
 * it is no such constant. */
static const struct ck_expr *
constant_signatures(struct ck_checker *c, const char *name)
{
    const struct ck_global *global = ck_find_global(c, name);
    if (global && global->kind == CK_GLOBAL_TYPES)
        return global->syntax;
    const struct ck_expr *syntax =
        global && global->kind == CK_GLOBAL_VALUE ? global->syntax : NULL;
    bool good = syntax && (syntax->kind == CK_EXPR_STRING || syntax->kind == CK_EXPR_LIST);
    for (int i = 0; good && syntax->kind == CK_EXPR_LIST && i < syntax->sequence.n; i++) {
        const struct ck_expr *item = syntax->sequence.items[i];
        good = item->kind == CK_EXPR_STRING || ck_is_type_expr(c, item);
    }
    return good ? syntax : NULL;
}

bool
ck_signatures_of_expr(struct ck_checker *c, const struct ck_expr *expr, struct ck_global *global)
{
    switch (expr->kind) {
    case CK_EXPR_ERROR:
        return false;
    case CK_EXPR_STRING: {
        const struct ck_expr *inner = string_content(c, expr);
        return inner && ck_signatures_of_expr(c, inner, global);
    }
    case CK_EXPR_CALL:
        return signature_of_call(c, expr, global);
    case CK_EXPR_TUPLE:
        return signature_of_types(c, global, NULL,
                                  (const struct ck_expr *const *)expr->sequence.items,
                                  expr->sequence.n, expr->span);
    case CK_EXPR_LIST: {
        bool good = true;
        for (int i = 0; i < expr->sequence.n; i++)
            good = ck_signatures_of_expr(c, expr->sequence.items[i], global) && good;
        return good;
    }
    case CK_EXPR_NAME: {
        const struct ck_expr *bound = constant_signatures(c, expr->name);
        if (bound)
            return ck_signatures_of_expr(c, bound, global);
        break;
    }
    default:
        break;
    }
    struct ck_diag *diag = ck_diag_add(c->diags, CK_DIAG_BAD_SIGNATURE, expr->span);
    ck_diag_help(c->diags, diag,
                 "write void(T, ...), (T, ...), a string of either, or a list of them");
    return false;
}
