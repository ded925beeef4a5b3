/* Overloads: functions marked `@overload(f)`, which choose an implementation of `f` by the types of
 * a call's arguments. They run at compile time: their tests are known, and what they return is a
 * function, or None where they have none for these types. */
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/inner.h"
#include "lang/check/overload.h"

/* --- Types, and what of Numba's extending API is not there ---------------------------------------
 */

/* The type that an overload asks about: that which a parameter stands for, or a name of one. */
static const struct ck_type *
asked_type(const struct ck_fn *fn, const struct ck_value *value)
{
    bool stands = fn->chooses && value->kind == CK_VALUE_RUN && !ck_is_constant(value->expr);
    return stands || value->kind == CK_VALUE_TYPE ? value->type : NULL;
}

static struct ck_value
known_text(struct ck_fn *fn, const char *text, struct ck_span span)
{
    struct ck_expr *string = ck_expr_new(fn->c->arena, CK_EXPR_STRING, span);
    string->string.bytes = text;
    string->string.length = strlen(text);
    return (struct ck_value){.kind = CK_VALUE_STRING, .string = string, .span = span};
}

bool
ck_attribute_of_type(struct ck_fn *fn, const struct ck_value *object, const struct ck_expr *expr,
                     struct ck_value *out)
{
    const struct ck_type *type = asked_type(fn, object);
    const struct ck_type *int64 = ck_type_scalar(CK_TYPE_INT64);
    const struct ck_type *boolean = ck_type_scalar(CK_TYPE_BOOL);
    const char *name = expr->attribute.name;
    struct ck_texpr *number = NULL;
    if (type && strcmp(name, "bitwidth") == 0 && ck_type_is_scalar(type))
        number = ck_const_int(fn, int64, ck_type_bits(type), expr->span);
    else if (type && strcmp(name, "signed") == 0 && ck_type_is_int(type))
        number = ck_const_int(fn, boolean, !ck_type_is_unsigned(type), expr->span);
    else if (type && strcmp(name, "count") == 0 && type->kind == CK_TYPE_TUPLE)
        number = ck_const_int(fn, int64, type->tuple.n, expr->span);
    if (number)
        *out = ck_value_run(number->type, number);
    bool is_layout = type && strcmp(name, "layout") == 0 && ck_type_is_array(type);
    if (is_layout)
        *out = known_text(fn,
                          type->array.layout == CK_LAYOUT_C   ? "C"
                          : type->array.layout == CK_LAYOUT_F ? "F"
                                                              : "A",
                          expr->span);
    return number || is_layout;
}

bool
ck_is_extension(const struct ck_checker *c, const char *name)
{
    bool is = false;
    for (int i = 0; i < c->n_extensions; i++)
        is = is || strcmp(c->extensions[i].name, name) == 0;
    return is;
}

bool
ck_help_with_extension(struct ck_fn *fn, struct ck_diag *diag, const char *name)
{
    bool is = false;
    for (int i = 0; i < fn->c->n_extensions; i++) {
        const struct ck_extension *extension = &fn->c->extensions[i];
        if (strcmp(extension->name, name) != 0)
            continue;
        ck_diag_label(fn->c->diags, diag, extension->of->span,
                      "this is for other types, or arguments");
        is = true;
    }
    return is;
}

/* --- Choosing ------------------------------------------------------------------------------------
 */

enum outcome { GOES_ON, RETURNED, FAILED };

/* An overload that is executed for one call. */
struct chooser {
    struct ck_fn fn;
    struct ck_value chosen; /* a function; NONE: there is none, once RETURNED */
};

static enum outcome choose_in(struct chooser *chooser, const struct ck_block *block);

/* The value of a test; NULL, reported, if it is not known. */
static const struct ck_texpr *
known_test(struct ck_fn *fn, const struct ck_expr *expr)
{
    const struct ck_texpr *test = ck_check_condition(fn, expr);
    if (!test || test->kind == CK_T_CONST)
        return test;
    struct ck_diag *diag = ck_error(fn, NOT_CONSTANT, expr->span);
    ck_diag_help(fn->c->diags, diag,
                 "an overload chooses by types: `isinstance(x, types.Integer)`, `x.ndim == 2`");
    return NULL;
}

static enum outcome
choose_by_assertion(struct chooser *chooser, const struct ck_stmt *stmt)
{
    const struct ck_texpr *test = known_test(&chooser->fn, stmt->assertion.test);
    if (test && test->constant.i)
        return GOES_ON;
    if (test)
        ck_error(&chooser->fn, WRONG_TYPE, stmt->assertion.test->span,
                 "this assertion of an overload fails for these types");
    return FAILED;
}

static enum outcome
choose_by_test(struct chooser *chooser, const struct ck_stmt *stmt)
{
    const struct ck_texpr *test = known_test(&chooser->fn, stmt->branch.test);
    if (!test)
        return FAILED;
    return choose_in(chooser, test->constant.i ? &stmt->branch.then : &stmt->branch.otherwise);
}

/* False, reported, if the implementation uses a value that the overload has not at compile time. */
static bool
is_known(struct ck_fn *fn, const struct ck_value *function)
{
    const struct ck_free_name *names = function->function->free_names;
    for (int i = 0; i < function->function->n_free_names; i++) {
        const struct ck_value *value = &function->closure[i];
        if (value->kind != CK_VALUE_RUN || ck_is_constant(value->expr))
            continue;
        struct ck_diag *diag = ck_error(fn, NOT_CONSTANT, names[i].use->span);
        ck_diag_help(fn->c->diags, diag,
                     "an overload has the types of the arguments, and not their values: `%s` is to "
                     "be computed in the implementation",
                     names[i].name);
        return false;
    }
    return true;
}

static enum outcome
choose_returned(struct chooser *chooser, const struct ck_stmt *stmt)
{
    struct ck_fn *fn = &chooser->fn;
    struct ck_value value = {.kind = CK_VALUE_NONE};
    if (stmt->expr)
        value = ck_check_expr(fn, stmt->expr);
    value = ck_close(fn, value);
    if (value.kind == CK_VALUE_FUNCTION && !is_known(fn, &value))
        return FAILED;
    if (value.kind == CK_VALUE_FUNCTION)
        chooser->chosen = value;
    else if (value.kind != CK_VALUE_NONE && value.kind != CK_VALUE_ERROR)
        ck_error(fn, WRONG_TYPE, value.span, "an overload returns a function, or None");
    return value.kind == CK_VALUE_FUNCTION || value.kind == CK_VALUE_NONE ? RETURNED : FAILED;
}

static enum outcome
choose_at(struct chooser *chooser, struct ck_stmt *stmt)
{
    struct ck_fn *fn = &chooser->fn;
    const struct ck_block one = {.stmts = &stmt, .n = 1};
    const int failures = fn->c->n_failures;
    switch (stmt->kind) {
    case CK_STMT_PASS:
        return GOES_ON;
    case CK_STMT_IF:
        return choose_by_test(chooser, stmt);
    case CK_STMT_RETURN:
        return choose_returned(chooser, stmt);
    case CK_STMT_RAISE:
        ck_error(fn, WRONG_TYPE, stmt->span, "this overload raises an exception for these types");
        return FAILED;
    case CK_STMT_ASSERT:
        return choose_by_assertion(chooser, stmt);
    case CK_STMT_EXPR:
        if (stmt->expr->kind == CK_EXPR_STRING) /* a docstring */
            return GOES_ON;
        break;
    case CK_STMT_ASSIGN:
        ck_check_block(fn, &one);
        return fn->c->n_failures == failures ? GOES_ON : FAILED;
    default:
        break;
    }
    ck_error(fn, NOT_SUPPORTED, stmt->span, "statements of this kind in an overload");
    return FAILED;
}

static enum outcome
choose_in(struct chooser *chooser, const struct ck_block *block)
{
    enum outcome outcome = GOES_ON;
    for (int i = 0; i < block->n && outcome == GOES_ON; i++)
        outcome = choose_at(chooser, block->stmts[i]);
    return outcome;
}

/* A parameter stands for an argument's type: numbers, arrays and tuples have no values there. */
static void
bind_param(struct ck_fn *fn, const struct ck_param *param, struct ck_value value)
{
    if (value.kind == CK_VALUE_RUN) {
        const struct ck_type *type = ck_storage_type(&fn->c->types, value.type);
        int local = ck_local_new(fn, param->name, type);
        value = ck_value_run(type, ck_local_ref(fn, local, param->span));
    }
    ck_bind(fn, param->name, value, param->span);
}

static struct ck_expr *
new_call(struct ck_fn *fn, const char *function, const struct ck_argument *args, int n,
         struct ck_span span)
{
    struct ck_expr *call = ck_expr_new(fn->c->arena, CK_EXPR_CALL, span);
    call->depth = 2;
    call->call.callee = ck_expr_name(fn->c->arena, function, span);
    call->call.args = CK_NEW_ARRAY(fn->c->arena, struct ck_argument, n);
    call->call.n_args = n;
    for (int i = 0; i < n; i++)
        call->call.args[i] = args[i];
    return call;
}

/* Whether the object, the first parameter, is of the type that a method or an attribute is for. */
static bool
is_for_object(struct ck_fn *fn, const struct ck_extension *extension)
{
    const char *self = extension->function->function->params[0].name;
    const struct ck_span span = extension->of->span;
    const struct ck_argument args[2] = {{.value = ck_expr_name(fn->c->arena, self, span)},
                                        {.value = (struct ck_expr *)extension->of}};
    const struct ck_texpr *test = known_test(fn, new_call(fn, "isinstance", args, 2, span));
    return test && test->constant.i;
}

/* The implementation that one overload, or an extension's function, has for the call's arguments;
 * NONE: it has none, or after
 * an error, which is reported unless messages are quiet. */
static struct ck_value
choose(struct ck_fn *caller, struct ck_global *overload, const struct ck_extension *extension,
       const struct ck_expr *call)
{
    const struct ck_function *function = overload->function;
    struct ck_value *values = CK_NEW_ARRAY(caller->c->arena, struct ck_value, function->n_params);
    struct ck_tfunc *out = CK_NEW(caller->c->arena, struct ck_tfunc);
    struct chooser chooser = {
        .fn = {.c = caller->c, .global = overload, .out = out, .chooses = true},
        .chosen = {.kind = CK_VALUE_NONE}};
    const struct ck_value none = chooser.chosen;
    chooser.fn.block = &out->body;
    chooser.fn.env.reachable = true;
    if (overload->failed || !ck_place_types(caller, overload, call, values))
        return none;
    for (int i = 0; i < function->n_params; i++)
        bind_param(&chooser.fn, &function->params[i], values[i]);
    if (extension && !is_for_object(&chooser.fn, extension))
        return none;
    ck_collect_assigned(&chooser.fn, &function->body);
    return choose_in(&chooser, &function->body) == FAILED ? none : chooser.chosen;
}

/* The types of a call's arguments, as text. NULL, reported, if one has an error. */
static const char *
types_of(struct ck_fn *fn, const struct ck_expr *call)
{
    struct ck_strbuf text;
    bool good = true;
    ck_strbuf_init(&text);
    for (int i = 0; i < call->call.n_args; i++) {
        const struct ck_expr *arg = call->call.args[i].value;
        struct ck_value value = ck_speculate(fn, ck_check_expr, arg);
        if (value.kind == CK_VALUE_ERROR)
            good = ck_check_expr(fn, arg).kind != CK_VALUE_ERROR && good;
        ck_strbuf_printf(&text, "%s%s", i ? ", " : "",
                         value.type ? ck_text_of(fn, value.type)
                                    : ck_diag_text(fn->c->diags, arg->span));
    }
    const char *types = ck_arena_take(fn->c->arena, ck_strbuf_take(&text));
    return good ? types : NULL;
}

/* Reports why no overload takes the arguments: by the overloads' own messages, if there are any. */
static void
report_none(struct ck_fn *fn, const struct ck_global *global, const struct ck_expr *call)
{
    const int failures = fn->c->n_failures;
    const char *types = types_of(fn, call);
    for (int i = 0; types && i < global->n_overloads; i++)
        choose(fn, global->overloads[i], NULL, call);
    if (!types || fn->c->n_failures > failures)
        return;
    struct ck_diag *diag = ck_error(
        fn, WRONG_TYPE, call->span,
        ck_arena_printf(fn->c->arena, "no overload of `%s` takes (%s)", global->name, types));
    for (int i = 0; i < global->n_overloads; i++)
        ck_diag_label(fn->c->diags, diag, global->overloads[i]->span, "an overload");
}

struct ck_value
ck_call_overloaded(struct ck_fn *fn, struct ck_global *global, const struct ck_expr *call)
{
    struct ck_checker *c = fn->c;
    struct ck_value chosen = {.kind = CK_VALUE_NONE};
    const int failures = c->n_failures;
    if (c->untyped)
        return ck_value_error(call->span);
    c->diags->quiet++;
    for (int i = 0; i < global->n_overloads && chosen.kind == CK_VALUE_NONE; i++)
        chosen = choose(fn, global->overloads[i], NULL, call);
    c->diags->quiet--;
    c->n_failures = failures;
    if (chosen.kind == CK_VALUE_NONE) {
        report_none(fn, global, call);
        return ck_value_error(call->span);
    }
    chosen.function->references.is_cycle |= global->references.is_cycle;
    return ck_call_function(fn, &chosen, call);
}

/* The implementation of a method or an attribute for the arguments; NONE: there is none. */
static struct ck_value
choose_extension(struct ck_fn *fn, const char *name, bool is_attribute, const struct ck_expr *call)
{
    struct ck_checker *c = fn->c;
    struct ck_value chosen = {.kind = CK_VALUE_NONE};
    const int failures = c->n_failures;
    c->diags->quiet++;
    for (int i = 0; i < c->n_extensions && chosen.kind == CK_VALUE_NONE; i++) {
        const struct ck_extension *extension = &c->extensions[i];
        if (extension->is_attribute == is_attribute && strcmp(extension->name, name) == 0)
            chosen = choose(fn, extension->function, extension, call);
        if (chosen.kind == CK_VALUE_FUNCTION)
            chosen.function->references.is_cycle |= extension->function->references.is_cycle;
    }
    c->diags->quiet--;
    c->n_failures = failures;
    return chosen;
}

/* The object is an argument under a hidden name, which is read once: nothing is stored. */
bool
ck_call_extension(struct ck_fn *fn, const struct ck_value *object, const struct ck_expr *attribute,
                  const struct ck_expr *call, struct ck_value *out)
{
    const char *name = attribute->attribute.name;
    const struct ck_span span = call ? call->span : attribute->span;
    const int n = call ? call->call.n_args : 0;
    if (fn->constant_only || object->kind != CK_VALUE_RUN || !ck_is_extension(fn->c, name))
        return false;
    const char *self = ck_arena_printf(fn->c->arena, "%%self%u", span.start);
    struct ck_argument *args = CK_NEW_ARRAY(fn->c->arena, struct ck_argument, n + 1);
    args[0].value = ck_expr_name(fn->c->arena, self, attribute->attribute.object->span);
    for (int i = 0; i < n; i++)
        args[i + 1] = call->call.args[i];
    const struct ck_expr *whole = new_call(fn, name, args, n + 1, span);
    const struct ck_binding bound = {.state = CK_SET, .value = *object, .set_at = span};
    static const struct ck_binding unset = {.state = CK_UNSET};
    const int index = ck_name_index(fn, self);
    ck_env_set(fn, &fn->env, index, &bound);
    const struct ck_value chosen = choose_extension(fn, name, !call, whole);
    if (chosen.kind == CK_VALUE_FUNCTION)
        *out = ck_call_function(fn, &chosen, whole);
    ck_env_set(fn, &fn->env, index, &unset);
    return chosen.kind == CK_VALUE_FUNCTION;
}

bool
ck_overload_is_for_kernels(const struct ck_expr *decorator)
{
    for (int i = 1; i < decorator->call.n_args; i++) {
        const struct ck_argument *arg = &decorator->call.args[i];
        if (!arg->name || strcmp(arg->name, "target") != 0 || arg->value->kind != CK_EXPR_STRING)
            continue;
        const char *target = arg->value->string.bytes;
        return !strcmp(target, "cuda") || !strcmp(target, "gpu") || !strcmp(target, "generic");
    }
    return true;
}
