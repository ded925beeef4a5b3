/* Checking expressions: calls of functions, and the dispatch to the checker of each kind. */
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"
#include "lang/check/const_sequence.h"
#include "lang/check/element.h"
#include "lang/check/inner.h"
#include "lang/check/name_tuple.h"
#include "lang/check/overload.h"
#include "lang/check/untyped.h"
#include "lang/check/vector.h"

const char *
ck_text_of(struct ck_fn *fn, const struct ck_type *type)
{
    return ck_type_text(fn->c->arena, type);
}

/* --- Calls ---------------------------------------------------------------------------------------
 */

static void
add_callee(struct ck_fn *fn, struct ck_tfunc *function)
{
    struct ck_tfunc *out = fn->out;
    uint32_t hash = ck_hash_pointer(function);
    ck_index_cut(&fn->callee_index, out->n_callees); /* a loop's pass may have discarded some */
    for (int i = ck_index_first(&fn->callee_index, hash); i >= 0;
         i = ck_index_next(&fn->callee_index, i)) {
        if (out->callees[i] == function)
            return;
    }
    CK_PUSH(fn->c->arena, out->callees, out->n_callees, out->callees_capacity, function);
    ck_index_add(fn->c->arena, &fn->callee_index, hash);
}

struct run_args {
    struct ck_texpr **items;
    int n, capacity;
};

/* Adds the arguments that are computed when the kernel runs, those of closures too. */
static void
add_run_args(struct ck_fn *fn, struct run_args *out, const struct ck_value *args, int n,
             struct ck_span call)
{
    for (int i = 0; i < n; i++) {
        struct ck_texpr *arg = NULL;
        if (args[i].kind == CK_VALUE_RUN && !ck_is_constant(args[i].expr))
            arg = args[i].expr;
        else if (args[i].kind == CK_VALUE_ERROR)
            arg = ck_untyped_held(fn, &args[i], call);
        else if (args[i].kind == CK_VALUE_FUNCTION && args[i].closure)
            add_run_args(fn, out, args[i].closure, args[i].function->n_free_names, call);
        else if (args[i].kind == CK_VALUE_NAMES)
            add_run_args(fn, out, args[i].names->items, args[i].names->n, call);
        if (arg)
            CK_PUSH(fn->c->arena, out->items, out->n, out->capacity, arg);
    }
}

struct ck_value
ck_call_instance(struct ck_fn *fn, struct ck_global *global, const struct ck_value *args, int n,
                 struct ck_span span)
{
    struct ck_tfunc *function = ck_instantiate(fn->c, global, args, n, span);
    if (!function)
        return ck_value_error(span);
    struct ck_texpr *call = ck_texpr_new(fn, CK_T_CALL, function->returns, span);
    call->call.function = function;
    struct run_args run_args = {0};
    add_run_args(fn, &run_args, args, n, span);
    call->call.args = run_args.items;
    call->call.n_args = run_args.n;
    struct ck_tfunc *out = fn->out;
    add_callee(fn, function);
    if (ck_tfunc_has(function, CK_EFFECT_CLUSTER))
        ck_use_clusters(
            out, function->in_prelude || !function->cluster_use.end ? span : function->cluster_use);
    if (ck_tfunc_has(function, CK_EFFECT_WHOLE_ARRAY))
        ck_use_whole_array(out, function->whole_use.end ? function->whole_use : span);
    out->effects |= function->effects;
    if (ck_has_untyped(args, n)) /* its result has no known type either */
        return ck_untyped_result(fn, call);
    if (function->returns->kind == CK_TYPE_VOID)
        return (struct ck_value){.kind = CK_VALUE_NONE, .expr = call, .span = span};
    return ck_value_run(function->returns, call);
}

/* `kernel[grid, block](...)`: a launch, which only host programs can make. */
static bool
is_launch(struct ck_fn *fn, const struct ck_expr *callee)
{
    if (callee->kind != CK_EXPR_SUBSCRIPT || callee->subscript.object->kind != CK_EXPR_NAME)
        return false;
    struct ck_value object = ck_probe(fn, callee->subscript.object);
    if (object.kind != CK_VALUE_FUNCTION)
        return false;
    const struct ck_global *global = object.function;
    struct ck_diag *diag =
        ck_error(fn, HOST_CODE, callee->span, ck_diag_text(fn->c->diags, callee->span));
    ck_diag_label(fn->c->diags, diag, global->span, "`%s` is defined here", global->name);
    ck_diag_help(fn->c->diags, diag,
                 "kernels are launched by the host program or by ckrun; what two kernels share is "
                 "a device function");
    return true;
}

static struct ck_value
check_call(struct ck_fn *fn, const struct ck_expr *expr)
{
    const struct ck_expr *callee = expr->call.callee, *spread = ck_spread_arguments(fn, expr);
    struct ck_value receiver, value;
    if (!spread)
        return ck_value_error(expr->span);
    expr = spread;
    if (is_launch(fn, callee))
        return ck_value_error(expr->span);
    if (callee->kind == CK_EXPR_ATTRIBUTE) { /* its object is checked once, at any depth */
        receiver = ck_check_name(fn, callee->attribute.object);
        if (receiver.kind == CK_VALUE_RUN && ck_type_is_scalar(receiver.type) &&
            ck_is_number_attribute(callee->attribute.name))
            return ck_number_method(fn, receiver, expr);
        if (ck_call_extension(fn, &receiver, callee, expr, &value))
            return value;
        value = ck_attribute_of(fn, receiver, callee);
        if (value.kind == CK_VALUE_BUILTIN && receiver.kind == CK_VALUE_RUN)
            value.self = &receiver;
    } else {
        value = ck_check_name(fn, callee);
    }
    switch (value.kind) {
    case CK_VALUE_FUNCTION:
        return ck_call_function(fn, &value, expr);
    case CK_VALUE_BUILTIN:
        return ck_check_builtin(fn, &value, expr);
    case CK_VALUE_NUMPY:
        return ck_check_numpy(fn, value.numpy, expr);
    case CK_VALUE_TYPE:
        if (ck_type_is_vector(value.type))
            return ck_make_vector(fn, value.type, expr);
        if (ck_type_is_record(value.type))
            return ck_make_record(fn, value.type, expr);
        return value.function ? ck_make_named_tuple(fn, &value, expr)
                              : ck_cast_value(fn, value.type, expr);
    case CK_VALUE_ERROR:
        for (int i = 0; i < expr->call.n_args;
             i++) { /* reports errors in the arguments themselves */
            if (expr->call.args[i].value->kind != CK_EXPR_LIST)
                ck_check_expr(fn, expr->call.args[i].value);
        }
        return value;
    case CK_VALUE_PATH:
        if (ck_is_python_operator(value.path))
            return ck_check_python_operator(fn, value.path, expr);
        /* fallthrough */
    default:
        ck_error(fn, NOT_CALLABLE, callee->span, ck_diag_text(fn->c->diags, callee->span));
        return ck_value_error(expr->span);
    }
}

/* --- All expressions -----------------------------------------------------------------------------
 */

/* The number of items at all depths in the text of a tuple. */
static int
items_written(const struct ck_expr *expr)
{
    int n = expr->sequence.n;
    for (int i = 0; i < expr->sequence.n; i++) {
        if (expr->sequence.items[i]->kind == CK_EXPR_TUPLE)
            n += items_written(expr->sequence.items[i]);
    }
    return n;
}

struct ck_value
ck_tuple_of_values(struct ck_fn *fn, const struct ck_value *values, int n, int written,
                   struct ck_span span)
{
    const struct ck_type **types = CK_NEW_ARRAY(fn->c->arena, const struct ck_type *, n);
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, NULL, span);
    tuple->tuple.n = n;
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n);
    struct ck_value literals = {.range.low = 0};
    bool good = true, has_function = false;
    for (int i = 0; i < n; i++)
        has_function = has_function || ck_names_function(&values[i]);
    if (has_function)
        return ck_name_tuple_new(fn, values, n, span);
    for (int i = 0; i < n; i++) {
        struct ck_value item = ck_as_run(fn, values[i]);
        good = good && item.kind == CK_VALUE_RUN;
        if (good) {
            types[i] = item.type;
            tuple->tuple.items[i] = item.expr;
            ck_cover_literals(&literals, &item);
        }
    }
    if (!good || !ck_check_tuple_size(fn, types, n, written, span))
        return ck_value_error(span);
    const struct ck_type *type = ck_type_tuple(&fn->c->types, types, n);
    tuple->type = ck_storage_type(&fn->c->types, type);
    struct ck_value value = ck_value_run(type, tuple);
    literals.type = type;
    ck_cover_literals(&value, &literals);
    return value;
}

static struct ck_value
check_tuple(struct ck_fn *fn, const struct ck_expr *expr)
{
    const int n = expr->sequence.n;
    struct ck_value *values = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n);
    for (int i = 0; i < n; i++)
        values[i] = ck_check_expr(fn, expr->sequence.items[i]);
    return ck_tuple_of_values(fn, values, n, items_written(expr), expr->span);
}

static struct ck_value
check_int(struct ck_fn *fn, const struct ck_expr *expr)
{
    if (expr->integer.too_large)
        return ck_value_error(expr->span);
    if (expr->integer.value <= INT64_MAX)
        return ck_value_int(fn, (int64_t)expr->integer.value, expr->span);
    const struct ck_type *u64 = ck_type_scalar(CK_TYPE_UINT64);
    return ck_value_run(u64, ck_const_int(fn, u64, (int64_t)expr->integer.value, expr->span));
}

static struct ck_value
check_imaginary(struct ck_fn *fn, const struct ck_expr *expr)
{
    const struct ck_type *f64 = ck_type_scalar(CK_TYPE_FLOAT64);
    struct ck_texpr *re = ck_const_float(fn, f64, 0.0, expr->span);
    struct ck_texpr *im = ck_const_float(fn, f64, expr->floating, expr->span);
    return ck_value_run(ck_type_scalar(CK_TYPE_WEAK_COMPLEX),
                        ck_complex_new(fn, ck_type_scalar(CK_TYPE_COMPLEX128), re, im, expr->span));
}

static struct ck_value
dispatch(struct ck_fn *fn, const struct ck_expr *expr)
{
    switch (expr->kind) {
    case CK_EXPR_ERROR:
        return ck_value_error(expr->span);
    case CK_EXPR_NAME:
    case CK_EXPR_ATTRIBUTE: {
        struct ck_value value = ck_check_name(fn, expr);
        if (value.kind == CK_VALUE_BUILTIN)
            return ck_builtin_value(fn, value.builtin, expr->span);
        return value;
    }
    case CK_EXPR_INT:
        return check_int(fn, expr);
    case CK_EXPR_FLOAT:
        return ck_value_run(
            ck_type_scalar(CK_TYPE_WEAK_FLOAT),
            ck_const_float(fn, ck_type_scalar(CK_TYPE_FLOAT64), expr->floating, expr->span));
    case CK_EXPR_IMAGINARY:
        return check_imaginary(fn, expr);
    case CK_EXPR_STRING:
        return (struct ck_value){.kind = CK_VALUE_STRING, .span = expr->span, .string = expr};
    case CK_EXPR_FORMAT:
        ck_help_with_print(fn, ck_error(fn, WRONG_TYPE, expr->span,
                                        "an f-string can only be an argument of `print`"));
        return ck_value_error(expr->span);
    case CK_EXPR_BOOL:
        return ck_value_bool(fn, expr->boolean, expr->span);
    case CK_EXPR_NONE:
        return (struct ck_value){.kind = CK_VALUE_NONE, .span = expr->span};
    case CK_EXPR_UNARY:
        return ck_check_unary(fn, expr);
    case CK_EXPR_BINARY: {
        const struct ck_expr *list = fn->constant_only ? ck_const_list(fn, expr) : expr;
        if (list->kind == CK_EXPR_LIST)
            return check_tuple(fn, list);
        struct ck_value left = ck_check_run(fn, expr->binary.left);
        struct ck_value right = ck_check_run(fn, expr->binary.right);
        return ck_check_binary(fn, expr->binary.op, left, right, expr->span);
    }
    case CK_EXPR_COMPARE: {
        struct ck_texpr *test = ck_check_compare(fn, expr);
        return test ? ck_value_run(test->type, test) : ck_value_error(expr->span);
    }
    case CK_EXPR_LOGICAL:
        return ck_check_logical(fn, expr);
    case CK_EXPR_CONDITIONAL:
        return ck_check_conditional(fn, expr);
    case CK_EXPR_CALL:
        return check_call(fn, expr);
    case CK_EXPR_SUBSCRIPT:
        return ck_check_subscript(fn, expr);
    case CK_EXPR_FUNCTION:
        return ck_inner_function(fn, expr, false);
    case CK_EXPR_TUPLE:
        return check_tuple(fn, expr);
    case CK_EXPR_SLICE:
        ck_error(fn, NOT_SUPPORTED, expr->span, "slicing");
        return ck_value_error(expr->span);
    case CK_EXPR_STARRED:
        ck_error(fn, NOT_SUPPORTED, expr->span, "starred expressions here");
        return ck_value_error(expr->span);
    case CK_EXPR_NAMED: /* of a line with an error */
        return ck_value_error(expr->span);
    case CK_EXPR_COMPREHENSION:
        return ck_check_comprehension(fn, expr);
    case CK_EXPR_LIST: {
        if (fn->constant_only)
            return check_tuple(fn, expr);
        struct ck_diag *diag = ck_error(fn, WRONG_TYPE, expr->span, "kernels have no lists");
        ck_diag_help(fn->c->diags, diag, "use a tuple, or shared.array(...) for memory");
        return ck_value_error(expr->span);
    }
    }
    return ck_value_error(expr->span);
}

struct ck_value
ck_check_expr(struct ck_fn *fn, const struct ck_expr *expr)
{
    if (!ck_check_depth(fn->c, expr->span))
        return ck_value_error(expr->span);
    struct ck_value value = dispatch(fn, expr);
    value.span = expr->span;
    value.syntax = expr;
    return value;
}

void
ck_help_with_print(struct ck_fn *fn, struct ck_diag *diag)
{
    ck_diag_help(fn->c->diags, diag, "give `print` the parts as arguments: `print(\"x =\", x)`");
}

bool
ck_has_axes(struct ck_fn *fn, const struct ck_value *value)
{
    return value->kind == CK_VALUE_PATH &&
           ck_builtin_find(ck_arena_printf(fn->c->arena, "%s.x", value->path)) >= 0;
}

struct ck_value
ck_as_run(struct ck_fn *fn, struct ck_value value)
{
    const char *what = NULL;
    switch (value.kind) {
    case CK_VALUE_ERROR:
    case CK_VALUE_RUN:
        return value;
    case CK_VALUE_NONE:
        /* A later iteration of a loop may find that the name has a value. */
        if (!value.expr && value.origin.carried && fn->c->diags->quiet)
            return ck_value_error(value.span);
        if (!value.expr) {
            struct ck_diag *diag = ck_error(fn, NOT_IN_KERNELS, value.span, "None");
            ck_diag_help(fn->c->diags, diag, "use a number, or a bool for whether there is one");
            return ck_value_error(value.span);
        }
        what = "this call returns no value";
        break;
    case CK_VALUE_STRING:
        what = "a string can only be printed or compared";
        break;
    case CK_VALUE_TYPE:
        what = "a type is not a value";
        break;
    case CK_VALUE_BUILTIN:
        what = ck_builtin_is_function(value.builtin)
                   ? "a function is not a value: call it"
                   : "an order or a scope is an argument of atomic operations, not a value";
        break;
    case CK_VALUE_FUNCTION:
    case CK_VALUE_NUMPY:
        what = "a function is not a value: call it";
        break;
    case CK_VALUE_NAMES:
        what = "a tuple of functions or strings is not a value: take one, by a constant index";
        break;
    case CK_VALUE_PATH:
        what = "this names a part of the language, not a value";
        break;
    }
    struct ck_diag *diag = ck_error(fn, WRONG_TYPE, value.span, what);
    if (ck_has_axes(fn, &value))
        ck_diag_help(fn->c->diags, diag, "write `%s.x`", ck_diag_text(fn->c->diags, value.span));
    if (value.kind == CK_VALUE_STRING && !fn->constant_only)
        ck_help_with_print(fn, diag);
    return ck_value_error(value.span);
}

struct ck_value
ck_check_run(struct ck_fn *fn, const struct ck_expr *expr)
{
    return ck_as_run(fn, ck_check_expr(fn, expr));
}
