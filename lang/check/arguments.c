/* Arguments of calls of device functions: by position, by keyword or by default. */
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"
#include "lang/check/inner.h"
#include "lang/check/overload.h"
#include "lang/check/untyped.h"

/* --- Default values ------------------------------------------------------------------------------
 */

/* A default value is evaluated once, where the function is defined, as a constant of the module. */
static struct ck_value
default_value(struct ck_checker *c, const struct ck_expr *expr)
{
    struct ck_fn scope = ck_module_scope(c);
    struct ck_value value = ck_check_expr(&scope, expr);
    bool runs = value.kind == CK_VALUE_RUN && !ck_type_is_array(value.type);
    if (!runs || ck_is_constant(value.expr))
        return value;
    ck_error(&scope, NOT_CONSTANT, expr->span);
    return ck_value_error(expr->span);
}

void
ck_evaluate_defaults(struct ck_checker *c, struct ck_global *global)
{
    const struct ck_function *function = global->function;
    global->defaults = CK_NEW_ARRAY(c->arena, struct ck_value, function->n_params);
    for (int i = 0; i < function->n_params; i++) {
        if (!function->params[i].otherwise || (global->kept_defaults && global->kept_defaults[i]))
            continue;
        global->defaults[i] = default_value(c, function->params[i].otherwise);
        global->failed |= global->defaults[i].kind == CK_VALUE_ERROR;
    }
}

/* --- Placing -------------------------------------------------------------------------------------
 */

/* The arguments of one call. */
struct arguments {
    struct ck_fn *fn;
    const struct ck_global *global;
    const struct ck_expr *call;
    struct ck_value *values; /* by parameter */
    bool *given;             /* by parameter */
    int *places;             /* the parameter of each argument in the text */
    bool moved;              /* the parameters' order is not that of the text */
};

static int
param_of_keyword(const struct ck_function *function, const char *name)
{
    for (int i = 0; i < function->n_params; i++) {
        if (strcmp(function->params[i].name, name) == 0 &&
            function->params[i].kind != CK_PARAM_POSITIONAL)
            return i;
    }
    return -1;
}

/* The prelude's functions are not in the program's text. */
static void
label_definition(const struct arguments *args, struct ck_diag *diag)
{
    if (!args->global->in_prelude)
        ck_diag_label(args->fn->c->diags, diag, args->global->span, "defined here");
}

static void
report_keyword(const struct arguments *args, const struct ck_argument *arg)
{
    struct ck_fn *fn = args->fn;
    const struct ck_function *function = args->global->function;
    struct ck_diag *diag = ck_error(fn, KEYWORD, arg->name_span, arg->name, args->global->name);
    label_definition(args, diag);
    const char **names = CK_NEW_ARRAY(fn->c->arena, const char *, function->n_params);
    int n = 0;
    for (int i = 0; i < function->n_params; i++) {
        if (function->params[i].kind != CK_PARAM_POSITIONAL)
            names[n++] = function->params[i].name;
    }
    const char *nearest = ck_nearest_name(arg->name, names, n);
    if (nearest)
        ck_diag_suggest(fn->c->diags, diag, "", nearest);
}

int
ck_n_required(const struct ck_function *function)
{
    int n = 0;
    while (n < function->n_params && !function->params[n].otherwise)
        n++;
    return n;
}

/* The parameters that are not given by keyword alone. */
static int
n_by_position(const struct ck_function *function)
{
    int n = function->n_params;
    while (n > 0 && function->params[n - 1].kind == CK_PARAM_KEYWORD)
        n--;
    return n;
}

static void
report_count(const struct arguments *args)
{
    struct ck_fn *fn = args->fn;
    const struct ck_function *function = args->global->function;
    const int least = ck_n_required(function), most = n_by_position(function);
    const bool has_others = most < function->n_params;
    const char *how = has_others ? " by position" : "";
    const char *wanted =
        least < most
            ? ck_arena_printf(fn->c->arena, "%d to %d arguments%s", least, most, how)
            : ck_arena_printf(fn->c->arena, "%d argument%s%s", most, most == 1 ? "" : "s", how);
    int given = args->call->call.n_args;
    while (has_others && given && args->call->call.args[given - 1].name)
        given--;
    struct ck_diag *diag =
        ck_error(fn, WRONG_COUNT, args->call->span, args->global->name, wanted, given);
    label_definition(args, diag);
}

/* False, reported, if an argument has no parameter or a parameter two arguments. */
static bool
place_arguments(struct arguments *args)
{
    const struct ck_function *function = args->global->function;
    bool good = true;
    for (int i = 0; i < args->call->call.n_args; i++) {
        const struct ck_argument *arg = &args->call->call.args[i];
        int place = arg->name ? param_of_keyword(function, arg->name) : i;
        args->places[i] = place;
        args->moved |= place != i;
        if (place < 0) {
            report_keyword(args, arg);
            good = false;
        } else if (place >= (arg->name ? function->n_params : n_by_position(function))) {
            report_count(args);
            return false;
        } else if (args->given[place]) {
            struct ck_diag *diag = ck_error(args->fn, DUPLICATE_ARGUMENT, arg->name_span, arg->name,
                                            args->global->name);
            ck_diag_label(args->fn->c->diags, diag, args->call->call.args[place].value->span,
                          "given here by position");
            good = false;
        } else {
            args->given[place] = true;
        }
    }
    return good;
}

/* A default value that the function keeps is that of one of its free names, which follow the
 * parameters. */
static struct ck_value
default_of(const struct arguments *args, int param)
{
    const struct ck_global *global = args->global;
    const char *kept = global->kept_defaults ? global->kept_defaults[param] : NULL;
    if (kept)
        return args->values[global->function->n_params + ck_free_name_index(global, kept)];
    return global->defaults[param];
}

/* Sets parameters without an argument to their default values. False, reported, if there is none.
 */
static bool
fill_defaults(struct arguments *args)
{
    struct ck_fn *fn = args->fn;
    const struct ck_expr *call = args->call;
    const struct ck_function *function = args->global->function;
    for (int i = 0; i < function->n_params; i++) {
        if (args->given[i])
            continue;
        if (!function->params[i].otherwise) {
            bool by_keyword = function->params[i].kind == CK_PARAM_KEYWORD ||
                              (call->call.n_args && call->call.args[call->call.n_args - 1].name);
            if (!by_keyword) {
                report_count(args);
                return false;
            }
            struct ck_diag *diag = ck_error(fn, MISSING_ARGUMENT, call->span,
                                            function->params[i].name, args->global->name);
            label_definition(args, diag);
            return false;
        }
        args->values[i] = default_of(args, i);
        args->values[i].span = call->span;
        if (args->values[i].kind == CK_VALUE_RUN)
            ck_use_module_arrays(fn, args->values[i].expr, call->span);
    }
    return true;
}

/* --- Evaluating ----------------------------------------------------------------------------------
 */

/* False, reported, if an argument is not a value that can be passed. */
static bool
check_values(struct ck_fn *fn, const struct ck_expr *call, struct ck_value *values)
{
    bool good = true;
    for (int i = 0; i < call->call.n_args; i++) {
        struct ck_value *value = &values[i];
        *value = ck_check_expr(fn, call->call.args[i].value);
        *value = ck_with_dependence(fn, ck_close(fn, *value), call->call.args[i].value);
        if (value->kind == CK_VALUE_NONE && value->expr) {
            ck_error(fn, WRONG_TYPE, value->span, "this cannot be an argument of a function");
            good = false;
        }
        good = good && (value->kind != CK_VALUE_ERROR || fn->c->untyped);
        if (value->kind == CK_VALUE_RUN && !ck_is_constant(value->expr))
            value->type = ck_storage_type(&fn->c->types, value->type);
    }
    return good;
}

/* Arguments whose order in the call is not that of the parameters are evaluated in the call's
 * order: they are saved first, in nested LETs of which *inner is the innermost. */
static struct ck_texpr *
save_in_order(struct ck_fn *fn, struct ck_value *values, int n, struct ck_texpr **inner)
{
    struct ck_texpr *outer = NULL;
    *inner = NULL;
    for (int i = 0; i < n; i++) {
        struct ck_value *value = &values[i];
        if (value->kind != CK_VALUE_RUN || ck_is_simple(value->expr) || ck_is_constant(value->expr))
            continue;
        struct ck_texpr *let;
        value->expr = ck_let_new(fn, value->expr, value->span, &let);
        if (*inner)
            (*inner)->let.body = let;
        else
            outer = let;
        *inner = let;
    }
    return outer;
}

static struct ck_texpr *
enclose(struct ck_texpr *outer, struct ck_texpr *inner, struct ck_texpr *call)
{
    struct ck_texpr *let = outer;
    inner->let.body = call;
    for (; let != inner; let = let->let.body)
        let->type = call->type;
    inner->type = call->type;
    return outer;
}

/* Converts arguments to the types that annotations declare. False after an error. */
static bool
convert_annotated(struct ck_fn *fn, const struct ck_global *global, struct ck_value *values)
{
    for (int i = 0; i < global->function->n_params; i++) {
        const struct ck_type *want = global->annotations ? global->annotations[i] : NULL;
        const struct ck_type *named = global->named ? global->named[i] : NULL;
        if (values[i].kind != CK_VALUE_RUN || !(want || named))
            continue;
        if (named) {
            want = ck_named_type_of(&fn->c->types, named, values[i].type);
            if (!want) {
                ck_error(fn, WRONG_TYPE, values[i].span,
                         ck_arena_printf(fn->c->arena, "%s cannot be used as %s",
                                         ck_text_of(fn, values[i].type), ck_text_of(fn, named)));
                return false;
            }
        }
        /* An array argument may be in any memory space: a device function is specialised for it. */
        if (ck_type_is_array(want) && ck_type_is_array(values[i].type))
            want = ck_type_array_like(&fn->c->types, want, want->array.ndim, want->array.layout,
                                      values[i].type->array.space);
        struct ck_texpr *converted = ck_convert_to_fit(fn, &values[i], want);
        if (!converted)
            return false;
        values[i] = ck_value_run(want, converted);
    }
    return true;
}

/* A kernel as a device function, which other kernels may call; of one with several signatures there
 * is none. */
static struct ck_global *
as_device_function(struct ck_checker *c, struct ck_global *kernel)
{
    if (kernel->callable || kernel->n_signatures > 1)
        return kernel->callable;
    struct ck_global *device = CK_NEW(c->arena, struct ck_global);
    *device = *kernel;
    device->is_kernel = false;
    device->options.bounds = (struct ck_launch_bounds){0};
    device->annotations = kernel->n_signatures ? kernel->signatures[0].params : NULL;
    kernel->callable = device;
    return device;
}

static struct ck_value
report_kernel(struct ck_fn *fn, const struct ck_global *global, const struct ck_expr *expr)
{
    struct ck_diag *diag = ck_error(fn, KERNEL_CALL, expr->span, global->name);
    ck_diag_label(fn->c->diags, diag, global->span, "defined as a kernel here");
    ck_diag_help(fn->c->diags, diag,
                 "it has several signatures: call a device function that is made for all types");
    return ck_value_error(expr->span);
}

/* A recursive function takes constants as values: a specialisation for each would not end. They are
 * saved in LETs inside the others. */
static void
hold_constants(struct ck_fn *fn, struct ck_value *values, int n, struct ck_texpr **outer,
               struct ck_texpr **inner)
{
    for (int i = 0; i < n; i++) {
        struct ck_value *value = &values[i];
        struct ck_texpr *let;
        if (value->kind != CK_VALUE_RUN || !ck_is_constant(value->expr) ||
            ck_type_is_array(value->type))
            continue;
        const struct ck_type *type = ck_storage_type(&fn->c->types, value->type);
        struct ck_texpr *expr = ck_convert(fn, value, type);
        if (!expr)
            continue;
        *value = ck_value_run(type, ck_let_new(fn, expr, value->span, &let));
        if (*inner)
            (*inner)->let.body = let;
        else
            *outer = let;
        *inner = let;
    }
}

bool
ck_place_types(struct ck_fn *fn, const struct ck_global *global, const struct ck_expr *expr,
               struct ck_value *values)
{
    struct ck_arena *arena = fn->c->arena;
    const int n = expr->call.n_args;
    struct ck_value *in_text = CK_NEW_ARRAY(arena, struct ck_value, n);
    struct arguments args = {.fn = fn,
                             .global = global,
                             .call = expr,
                             .values = values,
                             .given = CK_NEW_ARRAY(arena, bool, global->function->n_params),
                             .places = CK_NEW_ARRAY(arena, int, n)};
    /* The arguments are evaluated in the call of what is chosen. */
    const struct ck_speculation before = ck_speculation_begin(fn);
    bool good = check_values(fn, expr, in_text);
    ck_speculation_end(fn, before);
    if (!place_arguments(&args) || !fill_defaults(&args) || !good)
        return false;
    for (int i = 0; i < n; i++)
        values[args.places[i]] = in_text[i];
    return true;
}

struct ck_value
ck_call_function(struct ck_fn *fn, const struct ck_value *callee, const struct ck_expr *expr)
{
    struct ck_global *global = callee->function;
    const int n_free = global->n_free_names;
    if (global->n_overloads)
        return ck_call_overloaded(fn, global, expr);
    struct ck_arena *arena = fn->c->arena;
    const int n = expr->call.n_args, n_params = global->function->n_params;
    struct ck_value *in_text = CK_NEW_ARRAY(arena, struct ck_value, n);
    struct arguments args = {.fn = fn,
                             .global = global,
                             .call = expr,
                             .values = CK_NEW_ARRAY(arena, struct ck_value, n_params + n_free),
                             .given = CK_NEW_ARRAY(arena, bool, n_params),
                             .places = CK_NEW_ARRAY(arena, int, n)};
    bool good = check_values(fn, expr, in_text);
    if (global->is_kernel && !as_device_function(fn->c, global))
        return report_kernel(fn, global, expr);
    global = global->is_kernel ? global->callable : global;
    if (global->function->broken || global->failed) {
        fn->c->n_failures++; /* reported already */
        return ck_value_error(expr->span);
    }
    if (n_free && !ck_free_values(fn, callee, args.values + n_params))
        return ck_value_error(expr->span);
    if (!place_arguments(&args) || !fill_defaults(&args) || !good)
        return ck_value_error(expr->span);
    if (fn->constant_only) {
        ck_error(fn, NOT_CONSTANT, expr->span);
        return ck_value_error(expr->span);
    }
    struct ck_texpr *inner = NULL;
    struct ck_texpr *outer = args.moved ? save_in_order(fn, in_text, n, &inner) : NULL;
    for (int i = 0; i < n; i++)
        args.values[args.places[i]] = in_text[i];
    if (!convert_annotated(fn, global, args.values))
        return ck_value_error(expr->span);
    if (global->references.is_cycle)
        hold_constants(fn, args.values, n_params, &outer, &inner);
    struct ck_value result =
        ck_call_instance(fn, global, args.values, n_params + n_free, expr->span);
    if (outer && result.expr)
        result.expr = enclose(outer, inner, result.expr);
    return result;
}

struct ck_value
ck_make_named_tuple(struct ck_fn *fn, const struct ck_value *named, const struct ck_expr *expr)
{
    struct ck_arena *arena = fn->c->arena;
    const int n = expr->call.n_args, n_fields = named->type->tuple.n;
    struct ck_value *in_text = CK_NEW_ARRAY(arena, struct ck_value, n);
    struct arguments args = {.fn = fn,
                             .global = named->function,
                             .call = expr,
                             .values = CK_NEW_ARRAY(arena, struct ck_value, n_fields),
                             .given = CK_NEW_ARRAY(arena, bool, n_fields),
                             .places = CK_NEW_ARRAY(arena, int, n)};
    bool good = check_values(fn, expr, in_text);
    if (!place_arguments(&args) || !fill_defaults(&args) || !good)
        return ck_value_error(expr->span);
    struct ck_texpr *inner = NULL;
    struct ck_texpr *outer = args.moved ? save_in_order(fn, in_text, n, &inner) : NULL;
    for (int i = 0; i < n; i++)
        args.values[args.places[i]] = in_text[i];
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, NULL, expr->span);
    const struct ck_type **types = CK_NEW_ARRAY(arena, const struct ck_type *, n_fields);
    tuple->tuple.n = n_fields;
    tuple->tuple.items = CK_NEW_ARRAY(arena, struct ck_texpr *, n_fields);
    for (int i = 0; i < n_fields; i++) {
        struct ck_value item = ck_as_run(fn, args.values[i]);
        if (item.kind != CK_VALUE_RUN)
            return ck_value_error(expr->span);
        types[i] = item.type;
        tuple->tuple.items[i] = item.expr;
    }
    if (!ck_check_tuple_size(fn, types, n_fields, n_fields, expr->span))
        return ck_value_error(expr->span);
    const struct ck_type *type =
        ck_type_named_tuple(&fn->c->types, named->type->tuple.fields, types, n_fields);
    tuple->type = ck_storage_type(&fn->c->types, type);
    struct ck_value value = ck_value_run(type, tuple);
    if (outer)
        value.expr = enclose(outer, inner, tuple);
    return value;
}
