/* Specialisation: one typed function for each choice of argument types and constants. */
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/module_array.h"
#include "lang/check/name_tuple.h"
#include "lang/check/untyped.h"
#include "lang/check/window.h"

/* --- Names ---------------------------------------------------------------------------------------
 */

void
ck_mangle_name(struct ck_strbuf *out, const char *name)
{
    for (const unsigned char *p = (const unsigned char *)name; *p; p++) {
        if (*p < 0x80)
            ck_strbuf_putc(out, (char)*p);
        else
            ck_strbuf_printf(out, "_x%02X", *p);
    }
}

/* A type that is neither an array nor a pointer. Texts of records and dates have characters that
 * no symbol has. */
static void
mangle_element(struct ck_strbuf *out, const struct ck_type *type)
{
    if (ck_type_is_record(type))
        ck_strbuf_puts(out, "record");
    else if (ck_type_is_date(type))
        ck_strbuf_puts(out, "date");
    else
        ck_type_write(out, type);
}

static void
mangle_type(struct ck_strbuf *out, const struct ck_type *type)
{
    static const char layouts[] = {[CK_LAYOUT_ANY] = 'a', [CK_LAYOUT_C] = 'c', [CK_LAYOUT_F] = 'f'};
    ck_strbuf_putc(out, '_');
    if (ck_type_is_array(type)) {
        mangle_element(out, type->array.elem);
        ck_strbuf_printf(out, "%c%d", layouts[type->array.layout], type->array.ndim);
    } else if (ck_type_is_pointer(type)) {
        ck_strbuf_puts(out, "pointer");
    } else {
        mangle_element(out, type);
    }
}

bool
ck_is_reserved_symbol(const struct ck_checker *c, const char *symbol)
{
    for (const char *const *reserved = c->reserved_symbols; *reserved; reserved++) {
        if (strcmp(*reserved, symbol) == 0)
            return true;
    }
    return false;
}

static bool
symbol_taken(const struct ck_checker *c, const char *symbol)
{
    uint32_t hash = ck_hash_text(symbol);
    for (int i = ck_index_first(&c->symbol_index, hash); i >= 0;
         i = ck_index_next(&c->symbol_index, i)) {
        const struct ck_tfunc *function = c->named[i]->function;
        if (function && function->symbol && strcmp(function->symbol, symbol) == 0)
            return true;
    }
    return ck_is_reserved_symbol(c, symbol) || ck_is_array_symbol(c, symbol);
}

/* A kernel's first specialisation has its plain name. The names of others, and of device functions,
 * include the argument types. */
static const char *
symbol_of(struct ck_checker *c, struct ck_instance *instance)
{
    struct ck_strbuf buf;
    ck_strbuf_init(&buf);
    ck_mangle_name(&buf, instance->global->name);
    bool plain = instance->global->is_kernel && !symbol_taken(c, ck_strbuf_text(&buf));
    if (!plain) {
        ck_strbuf_putc(&buf, '_');
        for (int i = 0; i < instance->n_args; i++) {
            if (instance->args[i].kind == CK_VALUE_RUN && !ck_is_constant(instance->args[i].expr) &&
                instance->args[i].type->kind != CK_TYPE_TUPLE)
                mangle_type(&buf, instance->args[i].type);
        }
        if (!instance->global->is_kernel || symbol_taken(c, ck_strbuf_text(&buf)))
            ck_strbuf_printf(&buf, "_%d", ++c->n_symbols);
    }
    const char *symbol = ck_arena_take(c->arena, ck_strbuf_take(&buf));
    CK_PUSH(c->arena, c->named, c->n_named, c->named_capacity, instance);
    ck_index_add(c->arena, &c->symbol_index, ck_hash_text(symbol));
    return symbol;
}

/* --- Finding -------------------------------------------------------------------------------------
 */

bool
ck_same_argument(const struct ck_value *a, const struct ck_value *b)
{
    if (a->kind != CK_VALUE_RUN || b->kind != CK_VALUE_RUN)
        return ck_same_value(a, b);
    const bool constant = ck_is_constant(a->expr);
    return a->type == b->type && constant == ck_is_constant(b->expr) &&
           (!constant || ck_same_constant(a->expr, b->expr));
}

/* A function without the option inherits it from its caller. */
static bool
is_fastmath(const struct ck_checker *c, const struct ck_global *global)
{
    const struct ck_options *options = &global->options;
    if (options->says_fastmath)
        return options->fastmath;
    return c->current ? c->current->fastmath : c->fastmath;
}

static uint32_t
instance_hash(const struct ck_global *global, const struct ck_value *args, int n_args,
              bool fastmath)
{
    uint32_t hash = ck_hash_mix(ck_hash_pointer(global), fastmath);
    for (int i = 0; i < n_args; i++) {
        const struct ck_value *arg = &args[i];
        hash = ck_hash_mix(hash, ck_hash_pointer(arg->type));
        if (arg->kind == CK_VALUE_RUN && arg->expr->kind == CK_T_CONST)
            hash =
                ck_hash_mix(hash, ck_hash_bytes(&arg->expr->constant, sizeof arg->expr->constant));
        else if (arg->kind == CK_VALUE_FUNCTION)
            hash = ck_hash_mix(hash, ck_hash_pointer(arg->function));
    }
    return hash;
}

/* The threads that may have returned from the kernel before a call that is being checked. */
static enum ck_returned
returned_before_call(const struct ck_checker *c)
{
    return c->current ? c->current->returned : CK_RETURNED_NONE;
}

/* The specialisation for these arguments and this state of returned threads; the state is ignored
 * if the function does not depend on it. */
static struct ck_instance *
find_instance(struct ck_checker *c, const struct ck_global *global, const struct ck_value *args,
              int n_args)
{
    bool fastmath = is_fastmath(c, global);
    uint32_t hash = instance_hash(global, args, n_args, fastmath);
    struct ck_instance *for_all = NULL;
    for (int i = ck_index_first(&c->instance_index, hash); i >= 0;
         i = ck_index_next(&c->instance_index, i)) {
        struct ck_instance *instance = c->instances[i];
        bool same = instance->global == global && instance->n_args == n_args &&
                    instance->fastmath == fastmath;
        for (int k = 0; same && k < n_args; k++)
            same = ck_same_argument(&instance->args[k], &args[k]);
        if (same && instance->returned_before_call == returned_before_call(c))
            return instance;
        if (same &&
            !(instance->function && ck_tfunc_has(instance->function, CK_EFFECT_READS_RETURNED)))
            for_all = instance;
    }
    return for_all;
}

/* --- Notes ---------------------------------------------------------------------------------------
 */

static const char *
args_text(struct ck_checker *c, const struct ck_instance *instance)
{
    struct ck_strbuf buf;
    ck_strbuf_init(&buf);
    const int n_params = instance->global->function->n_params;
    for (int i = 0; i < instance->n_args && i < n_params; i++) {
        const struct ck_value *arg = &instance->args[i];
        ck_strbuf_puts(&buf, i ? ", " : "");
        if (arg->kind == CK_VALUE_FUNCTION)
            ck_strbuf_puts(&buf, arg->function->name);
        else if (arg->type && arg->type->kind != CK_TYPE_VOID)
            ck_type_write(&buf, arg->type);
        else
            ck_strbuf_puts(&buf, arg->kind == CK_VALUE_NONE ? "None"
                                 : arg->kind == CK_VALUE_STRING
                                     ? ck_diag_text(c->diags, arg->string->span)
                                 : arg->kind == CK_VALUE_NAMES ? "tuple of functions"
                                                               : "built-in");
    }
    return ck_arena_take(c->arena, ck_strbuf_take(&buf));
}

/* Whether only one specialisation is possible. */
static bool
is_obvious(const struct ck_instance *instance)
{
    return instance->global->is_kernel && instance->global->n_signatures == 1;
}

static bool
is_worth_a_note(const struct ck_instance *instance)
{
    return !is_obvious(instance) && instance->n_args &&
           !ck_has_untyped(instance->args, instance->n_args);
}

/* The next caller outside the prelude, which no message shows; *INSTANCE is set to its callee. */
static const struct ck_instance *
caller_in_text(const struct ck_instance **instance)
{
    while ((*instance)->caller && (*instance)->caller->global->in_prelude)
        *instance = (*instance)->caller;
    return (*instance)->caller;
}

/* The specialisation and the calls that led to it, shortened. */
static const char *
chain_text(struct ck_checker *c, const struct ck_instance *instance)
{
    enum { MOST_CALLERS = 3 };
    struct ck_strbuf buf;
    ck_strbuf_init(&buf);
    ck_strbuf_printf(&buf, "in `%s` for (%s)", instance->global->name, args_text(c, instance));
    const struct ck_instance *caller = caller_in_text(&instance);
    for (int i = 0; caller && i < MOST_CALLERS; i++, caller = caller_in_text(&instance)) {
        uint32_t line = ck_source_origin(c->source, instance->call.start).line;
        ck_strbuf_printf(&buf, ", called in line %u of `%s`", line, caller->global->name);
        if (is_worth_a_note(caller))
            ck_strbuf_printf(&buf, " for (%s)", args_text(c, caller));
        instance = caller;
    }
    return ck_arena_take(c->arena, ck_strbuf_take(&buf));
}

struct ck_diag *
ck_note_warning(struct ck_fn *fn, struct ck_diag *diag)
{
    const struct ck_instance *instance = fn->c->current;
    if (fn->constant_only || !instance || diag == &fn->c->diags->dummy)
        return diag;
    if (is_worth_a_note(instance))
        ck_diag_note(fn->c->diags, diag, "%s", chain_text(fn->c, instance));
    return diag;
}

struct ck_diag *
ck_note_instance(struct ck_fn *fn, struct ck_diag *diag)
{
    fn->c->n_failures++;
    return ck_note_warning(fn, diag);
}

bool
ck_check_depth(struct ck_checker *c, struct ck_span span)
{
    bool good = ck_depth_check(&c->stack, c->diags, span);
    c->n_failures += !good;
    return good;
}

/* --- Checking one instance -----------------------------------------------------------------------
 */

/* An argument in the function: what is known at compile time as it is, the rest as one of the first
 * locals. */
static struct ck_value
passed(struct ck_fn *fn, const char *name, struct ck_value value, struct ck_span span)
{
    const struct ck_type *type = NULL;
    if (value.kind == CK_VALUE_RUN && !ck_is_constant(value.expr))
        type = value.type;
    else if (value.kind == CK_VALUE_ERROR) /* what it depends on: untyped.c */
        type = ck_type_scalar(CK_TYPE_BOOL);
    if (type) {
        struct ck_texpr *local = ck_local_ref(fn, ck_local_new(fn, name, type), span);
        fn->out->n_params++;
        if (value.kind == CK_VALUE_RUN)
            return ck_value_run(type, local);
        value.expr = local;
    } else if (value.kind == CK_VALUE_FUNCTION && value.closure) {
        const int n = value.function->n_free_names;
        struct ck_value *values = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n);
        for (int i = 0; i < n; i++)
            values[i] = passed(fn, value.function->free_names[i].name, value.closure[i], span);
        value.closure = values;
    } else if (value.kind == CK_VALUE_NAMES) {
        struct ck_name_tuple *names = CK_NEW(fn->c->arena, struct ck_name_tuple);
        names->n = value.names->n;
        names->items = CK_NEW_ARRAY(fn->c->arena, struct ck_value, names->n);
        for (int i = 0; i < names->n; i++)
            names->items[i] = passed(fn, name, value.names->items[i], span);
        value.names = names;
    }
    return value;
}

/* Binds the parameters: those known at compile time as constants, the rest as the function's first
 * locals. */
static void
bind_params(struct ck_fn *fn, const struct ck_instance *instance)
{
    const struct ck_function *syntax = fn->global->function;
    if (fn->out->is_kernel) {
        ck_bind_kernel_params(fn, instance->args, instance->n_args);
        return;
    }
    const struct ck_free_name *free_names = fn->global->free_names;
    for (int i = 0; i < instance->n_args; i++) {
        const bool is_param = i < syntax->n_params;
        const int k = i - syntax->n_params;
        const char *name = is_param ? syntax->params[i].name : free_names[k].name;
        const struct ck_span span = is_param ? syntax->params[i].span : free_names[k].use->span;
        struct ck_value value = passed(fn, name, instance->args[i], span);
        if (is_param && value.kind == CK_VALUE_RUN && ck_type_is_array(value.type))
            value.window = ck_window_of_param(fn, i, value.type);
        const struct ck_binding binding = {.state = CK_SET, .value = value, .set_at = span};
        ck_env_set(fn, &fn->env, ck_name_index(fn, name), &binding);
        if (is_param)
            ck_add_fact(fn, span.start, &value);
    }
}

static const struct ck_type *
declared_return(struct ck_fn *fn)
{
    const struct ck_global *global = fn->global;
    if (global->n_signatures && global->signatures[0].returns)
        return global->signatures[0].returns;
    const struct ck_expr *returns = global->function->returns;
    if (returns && !global->is_kernel && !ck_is_python_type(fn->c, returns))
        return ck_type_of_expr(fn->c, global->function->returns, true);
    return NULL;
}

/* The common type of all returned values; NULL after an error, VOID if there are none. */
static const struct ck_type *
returned_type(struct ck_fn *fn)
{
    struct ck_value common = {.kind = CK_VALUE_ERROR};
    const struct ck_return *valued = NULL, *bare = NULL;
    for (int i = 0; i < fn->n_returns; i++) {
        const struct ck_return *ret = &fn->returns[i];
        if (ret->value.kind == CK_VALUE_ERROR)
            return NULL;
        if (ret->value.kind == CK_VALUE_NONE) {
            bare = ret;
            continue;
        }
        if (!ck_common_add(&fn->c->types, &common, &ret->value)) {
            const char *type = ck_text_of(fn, common.type);
            struct ck_diag *diag = ck_error(fn, RETURN_TYPES, ret->stmt->span, fn->out->name,
                                            ck_text_of(fn, ret->type), type);
            ck_diag_label(fn->c->diags, diag, valued->stmt->span, "%s here", type);
            return NULL;
        }
        valued = ret;
    }
    if (!common.type)
        return ck_type_scalar(CK_TYPE_VOID);
    if (bare || fn->env.reachable) {
        struct ck_span at = bare ? bare->stmt->span : fn->global->function->name_span;
        struct ck_diag *diag = ck_error(fn, MISSING_RETURN, at, fn->out->name);
        ck_diag_label(fn->c->diags, diag, valued->stmt->span, "a value is returned here");
        return NULL;
    }
    return ck_storage_type(&fn->c->types, common.type);
}

/* An array that may be in the local memory of this very call. */
static bool
may_be_own(const struct ck_type *type)
{
    if (ck_type_is_array(type))
        return type->array.space == CK_SPACE_LOCAL || type->array.space == CK_SPACE_GENERIC;
    for (int i = 0; type->kind == CK_TYPE_TUPLE && i < type->tuple.n; i++) {
        if (may_be_own(type->tuple.items[i]))
            return true;
    }
    return false;
}

/* While results are inferred: the common type of the returned values that are known. NULL: of none.
 */
static const struct ck_type *
known_returns(struct ck_fn *fn)
{
    struct ck_value common = {.kind = CK_VALUE_ERROR};
    bool unknown = false;
    for (int i = 0; i < fn->n_returns; i++) {
        const struct ck_value *value = &fn->returns[i].value;
        unknown = unknown || value->kind == CK_VALUE_ERROR;
        if (value->kind == CK_VALUE_RUN && !ck_common_add(&fn->c->types, &common, value))
            break;
    }
    if (!common.type)
        return unknown ? NULL : ck_type_scalar(CK_TYPE_VOID);
    return common.type;
}

static void
finish_returns(struct ck_fn *fn)
{
    struct ck_instance *instance = fn->c->current;
    if (fn->c->inference.pass) {
        const struct ck_type *declared = declared_return(fn);
        ck_infer_update(fn->c, instance, declared ? declared : known_returns(fn));
        fn->out->returns = instance->recursion.assumed;
        return;
    }
    fn->out->returns = ck_type_scalar(CK_TYPE_VOID);
    if (fn->c->untyped && ck_has_untyped(fn->c->current->args, fn->c->current->n_args)) {
        ck_finish_untyped(fn);
        return;
    }
    const struct ck_type *type = returned_type(fn), *declared = declared_return(fn);
    if (!type)
        return;
    if (fn->has_local_array && may_be_own(type)) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, fn->returns[0].stmt->span,
                     "a local array ends with the call that made it, and cannot be returned");
        ck_diag_help(fn->c->diags, diag, "make it in the caller and pass it");
        return;
    }
    if (declared && declared != type) {
        bool both = type->kind != CK_TYPE_VOID && declared->kind != CK_TYPE_VOID;
        if (!both) {
            ck_error(fn, MISSING_RETURN, fn->global->function->name_span, fn->out->name);
            return;
        }
        type = declared;
    }
    if (instance->recursion.is_settled && instance->recursion.assumed &&
        instance->recursion.assumed != type)
        type = instance->recursion.assumed;
    fn->out->returns = type;
    for (int i = 0; i < fn->n_returns && type->kind != CK_TYPE_VOID; i++) {
        struct ck_return *ret = &fn->returns[i];
        ret->stmt->expr = ck_convert(fn, &ret->value, type);
    }
}

/* The part of a member's specialisation that its parameters do not show: groups may have no
 * run-time values, and operators have none. */
static const char *
made_for(struct ck_checker *c, const struct ck_instance *instance)
{
    struct ck_strbuf buf;
    ck_strbuf_init(&buf);
    for (int i = 0; i < instance->n_args; i++) {
        const struct ck_value *arg = &instance->args[i];
        if (arg->kind == CK_VALUE_BUILTIN)
            ck_strbuf_printf(&buf, ", %s", ck_builtin_name(arg->builtin));
        else if (arg->kind == CK_VALUE_FUNCTION)
            ck_strbuf_printf(&buf, ", %s", arg->function->name);
        else if (arg->kind == CK_VALUE_RUN && ck_type_is_group(arg->type))
            ck_strbuf_printf(&buf, ", %s", ck_type_text(c->arena, arg->type));
    }
    return ck_arena_take(c->arena, ck_strbuf_take(&buf));
}

static struct ck_tfunc *
new_function(struct ck_checker *c, const struct ck_instance *instance)
{
    const struct ck_options *options = &instance->global->options;
    struct ck_tfunc *out = CK_NEW(c->arena, struct ck_tfunc);
    out->name = instance->global->name;
    out->span = instance->global->function->span;
    out->is_kernel = instance->global->is_kernel;
    if (out->is_kernel && is_worth_a_note(instance))
        out->specialisation = chain_text(c, instance);
    out->in_prelude = instance->global->in_prelude;
    if (out->in_prelude && out->name[0] != '_')
        out->made_for = made_for(c, instance);
    out->bounds = options->bounds;
    out->fastmath = instance->fastmath;
    out->is_outlined = instance->global->is_outlined;
    out->is_checked = instance->global->is_checked;
    out->member = instance->global->member;
    if (out->is_kernel && out->bounds.cluster[0])
        ck_use_clusters(out, options->cluster_span);
    return out;
}

static void
check_body(struct ck_fn *fn, struct ck_instance *instance)
{
    const struct ck_block *body = &fn->global->function->body;
    instance->function = fn->out;
    instance->returned = instance->returned_before_call;
    fn->env.reachable = true;
    fn->block = &fn->out->body;
    bind_params(fn, instance);
    ck_collect_assigned(fn, body);
    ck_check_block(fn, body);
    ck_env_finish(fn);
    finish_returns(fn);
    ck_add_result_fact(fn);
    if (fn->global->is_kernel)
        ck_warn_whole_array(fn);
}

static void
mark_zeroed(struct ck_fn *fn)
{
    for (int i = fn->out->n_params; fn->zeroed.n && i < fn->out->n_locals; i++) {
        struct ck_local *local = &fn->out->locals[i];
        local->is_zeroed |= ck_name_set_find(&fn->zeroed, local->name) >= 0;
    }
}

/* True if the function has no errors. The typed function stays the same object, which recursive
 * calls name. */
static bool
check_instance(struct ck_checker *c, struct ck_instance *instance)
{
    const int failures = c->n_failures;
    const char *symbol = symbol_of(c, instance);
    struct ck_tfunc *out = CK_NEW(c->arena, struct ck_tfunc);
    const struct ck_tfunc *caller = c->diags->function;
    struct ck_fn fn = {.c = c};
    int n_zeroed;
    c->diags->function = out;
    do { /* again for names that were found to be read where some path leaves them unset */
        n_zeroed = fn.zeroed.n;
        fn = (struct ck_fn){.c = c, .global = instance->global, .zeroed = fn.zeroed, .out = out};
        *out = *new_function(c, instance);
        out->symbol = symbol;
        out->returns = instance->recursion.assumed;
        check_body(&fn, instance);
    } while (fn.zeroed.n > n_zeroed && c->n_failures == failures);
    mark_zeroed(&fn);
    c->diags->function = caller;
    return c->n_failures == failures;
}

static struct ck_instance *
new_instance(struct ck_checker *c, struct ck_global *global, const struct ck_value *args,
             int n_args, struct ck_span call)
{
    struct ck_instance *instance = CK_NEW(c->arena, struct ck_instance);
    instance->global = global;
    instance->args = CK_NEW_ARRAY(c->arena, struct ck_value, n_args);
    if (n_args)
        memcpy(instance->args, args, sizeof *args * (size_t)n_args);
    instance->n_args = n_args;
    instance->fastmath = is_fastmath(c, global);
    instance->returned_before_call = returned_before_call(c);
    instance->call = call;
    instance->caller = c->current;
    CK_PUSH(c->arena, c->instances, c->n_instances, c->instances_capacity, instance);
    ck_index_add(c->arena, &c->instance_index,
                 instance_hash(global, args, n_args, instance->fastmath));
    return instance;
}

/* A program of many functions may have more, so that only exponential growth reaches the limit. */
static int
most_instances(const struct ck_checker *c)
{
    return c->n_globals * 4 > CK_MAX_INSTANCES ? c->n_globals * 4 : CK_MAX_INSTANCES;
}

static void
report_too_many(struct ck_checker *c, const struct ck_global *global, struct ck_span call)
{
    if (c->depth >= CK_MAX_CALL_DEPTH) {
        ck_diag_add(c->diags, CK_DIAG_TOO_MANY, call, global->name,
                    "calls are nested more than 128 deep");
    } else {
        struct ck_diag *diag = ck_diag_add(
            c->diags, CK_DIAG_TOO_MANY, call, global->name,
            ck_arena_printf(c->arena, "there are more than %d specialisations", most_instances(c)));
        ck_diag_help(c->diags, diag,
                     "a constant argument that changes from call to call makes a new "
                     "specialisation each time");
    }
    c->n_failures++;
}

/* A failed instance has no function; of one whose result is not known yet there is none to call. */
static struct ck_tfunc *
use_instance(struct ck_checker *c, struct ck_instance *instance)
{
    c->inference.n_tentative += instance->recursion.is_tentative && !instance->recursion.is_settled;
    struct ck_tfunc *function = instance->function;
    if (function && !function->returns)
        function = NULL;
    if (!c->inference.pass)
        c->n_failures += !function;
    return function;
}

bool
ck_check_instance(struct ck_checker *c, struct ck_instance *instance, struct ck_span call)
{
    struct ck_instance *outer = c->current;
    const struct ck_span *outer_at = c->diags->at;
    const int n_tentative = c->inference.n_tentative;
    instance->caller = outer;
    instance->call = call;
    instance->provisional = c->diags->quiet > 0;
    instance->recursion.pass = c->inference.pass;
    instance->recursion.is_active = true;
    c->diags->at = !instance->global->in_prelude ? NULL : outer_at ? outer_at : &call;
    c->current = instance;
    c->depth++;
    bool good = check_instance(c, instance);
    c->depth--;
    c->current = outer;
    c->diags->at = outer_at;
    instance->recursion.is_active = false;
    instance->recursion.is_tentative = c->inference.n_tentative != n_tentative;
    instance->recursion.has_errors = !good;
    return good;
}

/* Checks an instance for a call outside of inferences. */
static bool
check_once(struct ck_checker *c, struct ck_instance *instance, struct ck_span call)
{
    struct ck_tfunc *function;
    if (!ck_check_instance(c, instance, call))
        return false;
    function = instance->function;
    if (!c->current && ck_tfunc_has(function, CK_EFFECT_RECURSION) && !c->diags->quiet)
        return ck_check_cycles(c, function);
    return true;
}

static bool
is_in_cycle(const struct ck_value *value)
{
    bool is = value->kind == CK_VALUE_FUNCTION && value->function->references.is_cycle;
    for (int i = 0; value->kind == CK_VALUE_NAMES && !is && i < value->names->n; i++)
        is = is_in_cycle(&value->names->items[i]);
    return is;
}

/* Also through a function that is an argument. */
static bool
may_recurse(const struct ck_instance *instance)
{
    bool may = instance->global->references.is_cycle;
    for (int i = 0; i < instance->n_args && !may; i++)
        may = is_in_cycle(&instance->args[i]);
    return may;
}

struct ck_tfunc *
ck_instantiate(struct ck_checker *c, struct ck_global *global, const struct ck_value *args,
               int n_args, struct ck_span call)
{
    if (global->failed) {
        c->n_failures++;
        return NULL;
    }
    struct ck_instance *instance = find_instance(c, global, args, n_args);
    if (instance && instance->recursion.is_active)
        return ck_recursive_call(c, instance, call);
    if (instance && ck_is_current(c, instance))
        return use_instance(c, instance);
    if ((!instance && c->n_instances >= most_instances(c)) || c->depth >= CK_MAX_CALL_DEPTH) {
        report_too_many(c, global, call);
        return NULL;
    }
    if (!instance)
        instance = new_instance(c, global, args, n_args, call);
    if (c->inference.pass) {
        ck_check_instance(c, instance, call);
        return use_instance(c, instance);
    }
    if (may_recurse(instance) && !instance->recursion.is_settled && !ck_has_untyped(args, n_args))
        ck_infer_results(c, instance, call);
    if (!check_once(c, instance, call)) {
        instance->function = NULL;
        return NULL;
    }
    if (!instance->provisional)
        CK_PUSH(c->arena, c->program.functions, c->program.n_functions,
                c->program.functions_capacity, instance->function);
    return instance->function;
}
