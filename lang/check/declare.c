/* The checker's entry points: declares what a module defines, and requests its specialisations. */
#include "lang/check/check.h"

#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"
#include "lang/check/import.h"
#include "lang/check/inner.h"
#include "lang/check/overload.h"
#include "lang/check/unusable.h"

struct ck_fn
ck_module_scope(struct ck_checker *c)
{
    struct ck_tfunc *out = CK_NEW(c->arena, struct ck_tfunc);
    return (struct ck_fn){.c = c,
                          .constant_only = true,
                          .global = CK_NEW(c->arena, struct ck_global),
                          .out = out,
                          .block = &out->body};
}

struct ck_global *
ck_find_global(struct ck_checker *c, const char *name)
{
    for (int i = ck_index_first(&c->global_index, ck_hash_text(name)); i >= 0;
         i = ck_index_next(&c->global_index, i)) {
        if (strcmp(c->globals[i]->name, name) == 0)
            return c->globals[i];
    }
    return NULL;
}

/* --- Declaring names -----------------------------------------------------------------------------
 */

/* The last component of a decorator's path shows that it is of a kernel or a device function. */
static bool
is_marked(const struct ck_function *function)
{
    for (int i = 0; i < function->n_decorators; i++) {
        const struct ck_expr *expr = function->decorators[i];
        expr = expr->kind == CK_EXPR_CALL ? expr->call.callee : expr;
        const char *name = expr->kind == CK_EXPR_ATTRIBUTE ? expr->attribute.name
                           : expr->kind == CK_EXPR_NAME    ? expr->name
                                                           : "";
        if (strcmp(name, "jit") == 0 || strcmp(name, "kernel") == 0)
            return true;
    }
    return false;
}

struct ck_global *
ck_declare(struct ck_checker *c, enum ck_global_kind kind, const char *name, struct ck_span span)
{
    struct ck_global *earlier = ck_find_global(c, name);
    if (earlier && earlier->kind == CK_GLOBAL_IMPORT && kind == CK_GLOBAL_IMPORT)
        return earlier;
    if (earlier && !earlier->again_at.end)
        earlier->again_at = span;
    struct ck_global *global = CK_NEW(c->arena, struct ck_global);
    global->kind = kind;
    global->name = name;
    global->span = span;
    if (!earlier) {
        CK_PUSH(c->arena, c->globals, c->n_globals, c->globals_capacity, global);
        ck_index_add(c->arena, &c->global_index, ck_hash_text(name));
    }
    return global;
}

/* --- Constants -----------------------------------------------------------------------------------
 */

/* A constant that is not of the run time but another name: of a function, a type or None; or a
 * string. */
static bool
is_named(const struct ck_value *value)
{
    switch (value->kind) {
    case CK_VALUE_FUNCTION:
    case CK_VALUE_NUMPY:
    case CK_VALUE_NAMES:
    case CK_VALUE_TYPE:
    case CK_VALUE_STRING:
        return true;
    case CK_VALUE_BUILTIN:
        return ck_builtin_is_function(value->builtin);
    case CK_VALUE_PATH: /* `threads = cuda.threadIdx` */
        return *value->path != '\0';
    case CK_VALUE_NONE:
        return !value->expr;
    default:
        return false;
    }
}

/* Evaluates a constant whose diagnostics are recorded in c->diags. */
static struct ck_value
evaluate(struct ck_checker *c, struct ck_global *global)
{
    struct ck_fn scope = ck_module_scope(c);
    struct ck_value value = ck_check_expr(&scope, global->syntax);
    if (!is_named(&value))
        value = ck_as_run(&scope, value);
    if (value.kind == CK_VALUE_RUN && !ck_is_constant(value.expr)) {
        ck_diag_add(c->diags, CK_DIAG_NOT_CONSTANT, global->syntax->span);
        value = ck_value_error(global->syntax->span);
    }
    if (value.kind == CK_VALUE_RUN && global->stmt->kind == CK_STMT_ANNOTATED &&
        !ck_is_python_type(c, global->stmt->annotated.annotation)) {
        const struct ck_type *type = ck_type_of_expr(c, global->stmt->annotated.annotation, true);
        struct ck_texpr *expr = type ? ck_convert(&scope, &value, type) : NULL;
        value = expr ? ck_value_run(type, expr) : ck_value_error(global->syntax->span);
    }
    return value;
}

/* The diagnostics of a constant are kept with it: they are reported where it is used. */
const struct ck_value *
ck_global_value(struct ck_checker *c, struct ck_global *global)
{
    if (global->checked)
        return &global->value;
    if (global->checking) {
        ck_diag_add(c->diags, CK_DIAG_NOT_CONSTANT, global->span);
        return &global->value;
    }
    if (c->n_constants_open == CK_MAX_NESTING) {
        ck_diag_add(c->diags, CK_DIAG_TOO_DEEP, global->span,
                    ck_arena_printf(c->arena,
                                    "a chain of more than %d constants, each made of the "
                                    "next",
                                    CK_MAX_NESTING));
        return &global->value;
    }
    struct ck_diags *outer = c->diags, own;
    int failures = c->n_failures;
    ck_diags_init(&own, c->arena, c->source);
    c->diags = &own;
    global->checking = true;
    c->n_constants_open++;
    global->value = evaluate(c, global);
    c->n_constants_open--;
    global->checking = false;
    c->diags = outer;
    c->n_failures = failures;
    global->problems = own.first;
    ck_name_module_arrays(c, &global->value, global->name);
    global->checked = global->reached;
    return &global->value;
}

/* A target whose value is not constant: `a, b = f()` binds names. */
static void
declare_host_target(struct ck_checker *c, const struct ck_expr *target)
{
    if (target->kind == CK_EXPR_TUPLE) {
        for (int i = 0; i < target->sequence.n; i++)
            declare_host_target(c, target->sequence.items[i]);
        return;
    }
    if (target->kind == CK_EXPR_NAME)
        ck_declare(c, CK_GLOBAL_HOST, target->name, target->span);
}

static struct ck_expr *
binary_expr(struct ck_checker *c, enum ck_binary_op op, struct ck_expr *left, struct ck_expr *right)
{
    struct ck_expr *expr = ck_expr_new(c->arena, CK_EXPR_BINARY, left->span);
    expr->binary.op = op;
    expr->binary.left = left;
    expr->binary.right = right;
    expr->binary.op_span = left->span;
    expr->depth = (uint16_t)((left->depth > right->depth ? left->depth : right->depth) + 1);
    return expr;
}

/* Item i of `range(...)`; NULL: the expression is another. */
static const struct ck_expr *
item_of_range(struct ck_checker *c, const struct ck_expr *range, int i)
{
    const bool is_range = range->kind == CK_EXPR_CALL && range->call.callee->kind == CK_EXPR_NAME &&
                          strcmp(range->call.callee->name, "range") == 0;
    const struct ck_argument *args = range->call.args;
    if (!is_range || range->call.n_args < 1 || range->call.n_args > 3)
        return NULL;
    struct ck_expr *index = ck_expr_int(c->arena, i, range->span);
    if (range->call.n_args == 1)
        return index;
    if (range->call.n_args == 3)
        index = binary_expr(c, CK_OP_MUL, index, args[2].value);
    return binary_expr(c, CK_OP_ADD, args[0].value, index);
}

/* Item i of a constant that is unpacked into n names; NULL: it has not as many, or cannot be one.
 */
static const struct ck_expr *
unpacked_item(struct ck_checker *c, struct ck_expr *value, int n, int i)
{
    if (value->kind == CK_EXPR_TUPLE || value->kind == CK_EXPR_LIST)
        return value->sequence.n == n ? value->sequence.items[i] : NULL;
    if (value->kind != CK_EXPR_NAME && value->kind != CK_EXPR_ATTRIBUTE &&
        value->kind != CK_EXPR_SUBSCRIPT && value->kind != CK_EXPR_CALL &&
        value->kind != CK_EXPR_BINARY && value->kind != CK_EXPR_CONDITIONAL)
        return NULL;
    const struct ck_expr *of_range = item_of_range(c, value, i);
    return of_range ? of_range : ck_expr_item(c->arena, value, i);
}

static void
declare_constant(struct ck_checker *c, const struct ck_item *item, const struct ck_expr *target,
                 const struct ck_expr *value)
{
    if (target->kind == CK_EXPR_ERROR)
        return;
    const int n = target->kind == CK_EXPR_TUPLE ? target->sequence.n : 0;
    if (n && unpacked_item(c, (struct ck_expr *)value, n, 0)) {
        for (int i = 0; i < n; i++)
            declare_constant(c, item, target->sequence.items[i],
                             unpacked_item(c, (struct ck_expr *)value, n, i));
        return;
    }
    if (target->kind != CK_EXPR_NAME) {
        declare_host_target(c, target);
        return;
    }
    const struct ck_function *made = ck_made_function(c, value, target->name);
    if (made) {
        struct ck_global *global = ck_declare(c, CK_GLOBAL_FUNCTION, target->name, target->span);
        global->function = made;
        global->maker = ck_find_global(c, value->call.callee->name);
        return;
    }
    struct ck_global *global = ck_declare(c, CK_GLOBAL_VALUE, target->name, target->span);
    value = ck_decorated_lambda(c, value);
    global->syntax = value;
    global->stmt = item->assign;
    global->held = item->held;
    global->value = ck_value_error(value->span);
    if (ck_is_type_expr(c, value))
        global->kind = CK_GLOBAL_TYPES;
}

static void
declare_assignment(struct ck_checker *c, const struct ck_item *item)
{
    const struct ck_stmt *stmt = item->assign;
    if (stmt->kind == CK_STMT_ANNOTATED) {
        if (stmt->annotated.value)
            declare_constant(c, item, stmt->annotated.target, stmt->annotated.value);
        else
            declare_host_target(c, stmt->annotated.target);
        return;
    }
    for (int i = 0; i < stmt->assign.n_targets; i++)
        declare_constant(c, item, stmt->assign.targets[i], stmt->assign.value);
}

/* --- Functions -----------------------------------------------------------------------------------
 */

/* A kernel's annotations are its signature; a device function's fix the types of single
 * parameters. */
static void
apply_annotations(struct ck_checker *c, struct ck_global *global)
{
    const struct ck_function *function = global->function;
    int annotated = 0, bools = 0;
    const struct ck_param *ignored = NULL;
    const struct ck_type **types =
        CK_NEW_ARRAY(c->arena, const struct ck_type *, function->n_params);
    for (int i = 0; i < function->n_params; i++) {
        const struct ck_param *param = &function->params[i];
        if (param->annotation && ck_is_python_type(c, param->annotation))
            ignored = param;
        if (!param->annotation || ignored == param)
            continue;
        const struct ck_type *named = ck_namedtuple_of_expr(c, param->annotation);
        if (named && !global->named)
            global->named = CK_NEW_ARRAY(c->arena, const struct ck_type *, function->n_params);
        if (named) {
            global->named[i] = named;
            continue;
        }
        annotated++;
        types[i] = ck_type_of_expr(c, param->annotation, true);
        bools += types[i] && types[i]->kind == CK_TYPE_BOOL;
        if (!types[i] || types[i]->kind == CK_TYPE_VOID)
            global->failed = true;
    }
    /* `bool` alone among the parameters of a kernel is Python's, as `int` is. */
    bool of_python = global->is_kernel && annotated == bools &&
                     (annotated < function->n_params || global->n_signatures);
    if (!annotated || of_python)
        return;
    if (!global->is_kernel) {
        global->annotations = types;
        return;
    }
    if (annotated < function->n_params || global->n_signatures) {
        struct ck_diag *diag =
            ck_diag_add(c->diags, CK_DIAG_PARTLY_TYPED, function->name_span, function->name,
                        global->n_signatures ? "has both annotations and a signature"
                                             : "has a type for some of its parameters only");
        if (ignored && !global->n_signatures)
            ck_diag_label(c->diags, diag, ignored->annotation->span,
                          "a type of Python, which is ignored: it has no width");
        global->failed = true;
        return;
    }
    struct ck_signature signature = {
        .params = types, .n_params = function->n_params, .span = function->span};
    CK_PUSH(c->arena, global->signatures, global->n_signatures, global->signatures_capacity,
            signature);
}

static void
check_params(struct ck_checker *c, struct ck_global *global)
{
    const struct ck_function *function = global->function;
    for (int i = 0; i < function->n_params; i++) {
        if (global->is_kernel && function->params[i].kind == CK_PARAM_KEYWORD) {
            ck_diag_add(c->diags, CK_DIAG_NOT_SUPPORTED, function->params[i].span,
                        "a parameter of a kernel that is given by keyword alone");
            global->failed = true;
        }
        for (int k = 0; k < i; k++) {
            if (strcmp(function->params[i].name, function->params[k].name) == 0)
                ck_diag_add(c->diags, CK_DIAG_DUPLICATE, function->params[i].span,
                            function->params[i].name);
        }
    }
}

static void
check_signature_use(struct ck_checker *c, struct ck_global *global)
{
    for (int i = 0; i < global->n_signatures; i++) {
        const struct ck_signature *signature = &global->signatures[i];
        bool valued = signature->returns && signature->returns->kind != CK_TYPE_VOID;
        if (global->is_kernel && valued) {
            struct ck_diag *diag =
                ck_diag_add(c->diags, CK_DIAG_KERNEL_RETURN, signature->span, global->name);
            ck_diag_help(c->diags, diag, "write void(...), or add device=True");
            global->failed = true;
        }
    }
    if (!global->is_kernel && global->n_signatures) {
        if (global->n_signatures > 1)
            ck_diag_add(c->diags, CK_DIAG_NOT_SUPPORTED, global->signatures[1].span,
                        "a device function with several signatures");
        global->annotations = global->signatures[0].params;
    }
}

/* A search of a kernel's text for indices of one parameter that are `()`, or `...`. */
struct empty_search {
    const char *param;
    bool found;
};

static bool
is_empty_index(const struct ck_expr *expr)
{
    return (expr->kind == CK_EXPR_TUPLE && expr->sequence.n == 0) ||
           (expr->kind == CK_EXPR_SLICE && expr->slice.is_rest);
}

static bool
is_name(const struct ck_expr *expr, const char *name)
{
    return expr->kind == CK_EXPR_NAME && strcmp(expr->name, name) == 0;
}

/* `r[()]`, and `cuda.atomic.add(r, (), 1)`. */
static void
find_empty_index(void *context, const struct ck_expr *expr)
{
    struct empty_search *search = context;
    if (expr->kind == CK_EXPR_SUBSCRIPT && expr->subscript.n_indices == 1)
        search->found |= is_name(expr->subscript.object, search->param) &&
                         is_empty_index(expr->subscript.indices[0]);
    if (expr->kind == CK_EXPR_CALL && expr->call.n_args > 1)
        search->found |= is_name(expr->call.args[0].value, search->param) &&
                         is_empty_index(expr->call.args[1].value);
    ck_expr_each(expr, find_empty_index, search);
}

static const bool *
indexed_by_nothing(struct ck_checker *c, const struct ck_function *function)
{
    bool *found = CK_NEW_ARRAY(c->arena, bool, function->n_params);
    for (int i = 0; i < function->n_params; i++) {
        struct empty_search search = {.param = function->params[i].name};
        for (int k = 0; k < function->body.n; k++)
            ck_stmt_each_expr(function->body.stmts[k], find_empty_index, &search);
        found[i] = search.found;
    }
    return found;
}

static void
fill_info(struct ck_checker *c, struct ck_global *global)
{
    const struct ck_function *function = global->function;
    const char **names = CK_NEW_ARRAY(c->arena, const char *, function->n_params);
    const struct ck_type *const **signatures =
        CK_NEW_ARRAY(c->arena, const struct ck_type *const *, global->n_signatures);
    for (int i = 0; i < function->n_params; i++)
        names[i] = function->params[i].name;
    for (int i = 0; i < global->n_signatures; i++)
        signatures[i] = global->signatures[i].params;
    global->info = (struct ck_kernel_info){
        .name = global->name,
        .span = function->name_span,
        .n_params = function->n_params,
        .n_required = ck_n_required(function),
        .param_names = names,
        .indexed_by_nothing = indexed_by_nothing(c, function),
        .is_generic = global->n_signatures == 0,
        .n_signatures = global->n_signatures,
        .signatures = signatures,
    };
    /* A kernel without parameters has just one specialisation. */
    if (global->info.is_generic && function->n_params == 0) {
        struct ck_signature none = {.span = function->span};
        CK_PUSH(c->arena, global->signatures, global->n_signatures, global->signatures_capacity,
                none);
        static const struct ck_type *const no_types[1];
        const struct ck_type *const **one = CK_NEW(c->arena, const struct ck_type *const *);
        *one = no_types;
        global->info.signatures = one;
        global->info.is_generic = false;
        global->info.n_signatures = 1;
    }
}

static void
declare_function(struct ck_checker *c, const struct ck_function *function)
{
    struct ck_global *earlier = ck_find_global(c, function->name);
    struct ck_global *global =
        ck_declare(c, CK_GLOBAL_FUNCTION, function->name, function->name_span);
    global->function = function;
    bool is_function = earlier && earlier->kind == CK_GLOBAL_FUNCTION;
    if (is_function && (is_marked(function) || is_marked(earlier->function)))
        ck_report_again(c, earlier);
}

static bool
returns_value(const struct ck_block *block)
{
    for (int i = 0; i < block->n; i++) {
        const struct ck_stmt *stmt = block->stmts[i];
        bool returns = false;
        if (stmt->kind == CK_STMT_RETURN)
            returns = stmt->expr && stmt->expr->kind != CK_EXPR_NONE;
        else if (stmt->kind == CK_STMT_IF)
            returns = returns_value(&stmt->branch.then) || returns_value(&stmt->branch.otherwise);
        else if (stmt->kind == CK_STMT_WHILE)
            returns = returns_value(&stmt->loop.body) || returns_value(&stmt->loop.otherwise);
        else if (stmt->kind == CK_STMT_FOR)
            returns = returns_value(&stmt->each.body) || returns_value(&stmt->each.otherwise);
        if (returns)
            return true;
    }
    return false;
}

void
ck_complete_inner(struct ck_checker *c, struct ck_global *global)
{
    ck_apply_decorators(c, global);
    global->is_kernel = false;
    check_params(c, global);
    apply_annotations(c, global);
    check_signature_use(c, global);
    ck_evaluate_defaults(c, global);
}

static void
report_syntax(struct ck_checker *c, struct ck_global *global)
{
    struct ck_global *holder = global->maker ? global->maker : global;
    if (!holder->syntax_reported)
        ck_diags_give(c->diags, holder->function->held);
    holder->syntax_reported = true;
}

void
ck_complete_overload(struct ck_checker *c, struct ck_global *overload)
{
    report_syntax(c, overload);
    if (overload->again_at.end)
        ck_report_again(c, overload);
    check_params(c, overload);
    ck_evaluate_defaults(c, overload);
}

void
ck_complete_function(struct ck_checker *c, struct ck_global *global)
{
    report_syntax(c, global);
    ck_apply_decorators(c, global);
    /* `@cuda.jit` that others call and that returns a value can only be a device function. */
    if (global->is_used && !global->n_signatures && returns_value(&global->function->body))
        global->is_kernel = false;
    check_params(c, global);
    apply_annotations(c, global);
    check_signature_use(c, global);
    ck_evaluate_defaults(c, global);
    fill_info(c, global);
    if (global->is_kernel)
        CK_PUSH(c->arena, c->kernels, c->n_kernels, c->kernels_capacity, global);
}

/* --- The module ----------------------------------------------------------------------------------
 */

struct ck_checker *
ck_checker_new(struct ck_arena *arena, const struct ck_source *source, const struct ck_ast *ast,
               struct ck_diags *diags, const char *const *reserved_symbols, struct ck_facts *facts)
{
    struct ck_checker *c = CK_NEW(arena, struct ck_checker);
    c->arena = arena;
    c->source = source;
    c->ast = ast;
    c->diags = diags;
    c->reserved_symbols = reserved_symbols;
    c->facts = facts;
    ck_depth_enter(&c->stack);
    ck_types_init(&c->types, arena);
    c->program = (struct ck_program){.arena = arena, .source = source, .types = &c->types};
    for (int i = 0; i < ast->n_items; i++) {
        const struct ck_item *item = ast->items[i];
        if (item->kind == CK_ITEM_IMPORT)
            ck_declare_import(c, item);
        else if (item->kind == CK_ITEM_ASSIGN)
            declare_assignment(c, item);
        else if (item->kind == CK_ITEM_FUNCTION)
            declare_function(c, item->function);
        else
            ck_declare(c, CK_GLOBAL_HOST, item->host_name, item->span);
    }
    ck_reach(c);
    return c;
}

void
ck_checker_set_fastmath(struct ck_checker *c, bool fastmath)
{
    c->fastmath = fastmath;
}

int
ck_checker_n_kernels(const struct ck_checker *checker)
{
    return checker->n_kernels;
}

const struct ck_kernel_info *
ck_checker_kernel(const struct ck_checker *checker, int i)
{
    return &checker->kernels[i]->info;
}

struct ck_types *
ck_checker_types(struct ck_checker *checker)
{
    return &checker->types;
}

/* --- Specialisations -----------------------------------------------------------------------------
 */

/* Stands for a parameter's run-time value among an instance's arguments, or for None. */
static struct ck_value
param_value(struct ck_checker *c, const struct ck_type *type)
{
    if (type->kind == CK_TYPE_VOID)
        return (struct ck_value){.kind = CK_VALUE_NONE, .type = type};
    struct ck_texpr *expr = CK_NEW(c->arena, struct ck_texpr);
    expr->kind = CK_T_LOCAL;
    expr->type = type;
    return (struct ck_value){.kind = CK_VALUE_RUN, .type = type, .expr = expr};
}

/* The declared signature that begins with these types; NULL: there is none. */
static const struct ck_signature *
signature_of(const struct ck_global *global, const struct ck_type *const *types, int n)
{
    for (int i = 0; i < global->n_signatures; i++) {
        const struct ck_signature *signature = &global->signatures[i];
        int same = 0;
        while (same < n && types[same] && ck_type_is_alike(signature->params[same], types[same]))
            same++;
        if (same == n)
            return signature;
    }
    return NULL;
}

/* Converts a default value to the type of its parameter. False after an error. */
static bool
convert_default(struct ck_checker *c, struct ck_value *value, const struct ck_type *type)
{
    struct ck_fn scope = ck_module_scope(c);
    struct ck_value run = ck_as_run(&scope, *value);
    struct ck_texpr *expr = run.kind == CK_VALUE_RUN ? ck_convert_to_fit(&scope, &run, type) : NULL;
    if (!expr)
        return false;
    *value = ck_value_run(type, expr);
    return true;
}

/* The type of an argument, as a namedtuple if that annotates the parameter. NULL after an error. */
static const struct ck_type *
named_type(struct ck_checker *c, const struct ck_global *global, const struct ck_type *const *types,
           int i)
{
    const bool is_none = types[i]->kind == CK_TYPE_VOID;
    const struct ck_type *named = global->named && !is_none ? global->named[i] : NULL;
    const struct ck_type *type = named ? ck_named_type_of(&c->types, named, types[i]) : types[i];
    if (type)
        return type;
    struct ck_fn scope = ck_module_scope(c);
    const struct ck_param *param = &global->function->params[i];
    struct ck_diag *diag =
        ck_diag_add(c->diags, CK_DIAG_WRONG_TYPE, param->span,
                    ck_arena_printf(c->arena, "%s cannot be used as %s",
                                    ck_text_of(&scope, types[i]), ck_text_of(&scope, named)));
    ck_diag_help(c->diags, diag, "pass a tuple of %d", named->tuple.n);
    return NULL;
}

struct ck_tfunc *
ck_check_kernel(struct ck_checker *c, const struct ck_kernel_info *kernel,
                const struct ck_type *const *types, int n_types)
{
    ck_depth_enter(&c->stack);
    struct ck_global *global = ck_find_global(c, kernel->name);
    if (n_types < kernel->n_required || n_types > kernel->n_params) {
        ck_diag_add(c->diags, CK_DIAG_SIGNATURE_COUNT, kernel->span, n_types,
                    n_types == 1 ? "" : "s", kernel->name, kernel->n_params);
        return NULL;
    }
    struct ck_value *args = CK_NEW_ARRAY(c->arena, struct ck_value, kernel->n_params);
    const struct ck_signature *signature = signature_of(global, types, n_types);
    for (int i = 0; i < kernel->n_params; i++) {
        if (i < n_types && types[i]) {
            const struct ck_type *type =
                signature ? signature->params[i] : named_type(c, global, types, i);
            if (!type)
                return NULL;
            args[i] = param_value(c, type);
            continue;
        }
        args[i] = global->failed ? ck_value_error(kernel->span) : global->defaults[i];
        if (signature && !convert_default(c, &args[i], signature->params[i]))
            return NULL;
    }
    return ck_instantiate(c, global, args, kernel->n_params, kernel->span);
}

void
ck_check_signatures(struct ck_checker *c)
{
    ck_depth_enter(&c->stack);
    for (int i = 0; i < c->n_kernels; i++) {
        const struct ck_kernel_info *info = &c->kernels[i]->info;
        for (int k = 0; k < info->n_signatures && !c->kernels[i]->failed; k++) {
            for (int n = info->n_params; n >= info->n_required; n--)
                ck_check_kernel(c, info, info->signatures[k], n);
        }
    }
}

static const struct ck_global *
kernel_of_sig(struct ck_checker *c, const struct ck_expr *expr)
{
    bool is_sig = expr->kind == CK_EXPR_CALL && expr->call.callee->kind == CK_EXPR_NAME;
    if (!is_sig) {
        ck_diag_add(c->diags, CK_DIAG_BAD_SIG, expr->span, "a signature is written kernel(T, ...)");
        return NULL;
    }
    const struct ck_expr *callee = expr->call.callee;
    const struct ck_global *global = ck_find_global(c, callee->name);
    if (global && global->kind == CK_GLOBAL_FUNCTION && global->is_kernel)
        return global;
    struct ck_diag *diag =
        ck_diag_add(c->diags, CK_DIAG_BAD_SIG, callee->span,
                    ck_arena_printf(c->arena, "there is no kernel `%s`", callee->name));
    const char **names = CK_NEW_ARRAY(c->arena, const char *, c->n_kernels);
    for (int i = 0; i < c->n_kernels; i++)
        names[i] = c->kernels[i]->name;
    const char *nearest = ck_nearest_name(callee->name, names, c->n_kernels);
    if (nearest)
        ck_diag_suggest(c->diags, diag, "", nearest);
    return NULL;
}

/* The types in a signature's text, parsed as a source of its own. False after an error. */
static bool
read_sig(struct ck_checker *c, const struct ck_global **kernel, const struct ck_type ***types,
         int *n)
{
    const struct ck_source *source = c->source;
    struct ck_expr *expr = ck_parse_expression(c->arena, source->text, source->length, 0, c->diags);
    *kernel = expr ? kernel_of_sig(c, expr) : NULL;
    if (!*kernel)
        return false;
    *n = expr->call.n_args;
    *types = CK_NEW_ARRAY(c->arena, const struct ck_type *, *n);
    bool good = true;
    for (int i = 0; i < *n; i++) {
        const struct ck_argument *arg = &expr->call.args[i];
        if (arg->name)
            ck_diag_add(c->diags, CK_DIAG_BAD_SIG, arg->name_span,
                        "a signature has types only, in the order of the parameters");
        const struct ck_type *type = ck_type_of_expr(c, arg->value, true);
        const bool is_void = type && type->kind == CK_TYPE_VOID && arg->value->kind != CK_EXPR_NONE;
        if (is_void)
            ck_diag_add(c->diags, CK_DIAG_BAD_SIG, arg->value->span, "no parameter is void");
        (*types)[i] = type;
        good = good && type && !is_void && !arg->name;
    }
    return good;
}

bool
ck_check_sig(struct ck_checker *c, const char *text, struct ck_tfunc **out)
{
    ck_depth_enter(&c->stack);
    const struct ck_source *file = c->source;
    struct ck_source *source = CK_NEW(c->arena, struct ck_source);
    ck_source_init(source, c->arena, "--sig", text, strlen(text));
    const struct ck_global *kernel;
    const struct ck_type **types;
    int n;
    c->source = c->diags->source = source;
    bool good = read_sig(c, &kernel, &types, &n);
    c->source = c->diags->source = file;
    *out = good ? ck_check_kernel(c, &kernel->info, types, n) : NULL;
    return *out != NULL;
}

/* --- Programs ------------------------------------------------------------------------------------
 */

const struct ck_program *
ck_checker_program(const struct ck_checker *c)
{
    return &c->program;
}

void
ck_checker_reject(struct ck_checker *c, const struct ck_tfunc *kernel)
{
    struct ck_program *program = &c->program;
    int n = 0;
    for (int i = 0; i < program->n_functions; i++) {
        if (program->functions[i] != kernel)
            program->functions[n++] = program->functions[i];
    }
    program->n_functions = n;
    for (int i = 0; i < c->n_instances; i++) {
        if (c->instances[i]->function == kernel)
            c->instances[i]->function = NULL;
    }
}

static void
add_reachable(struct ck_program *program, struct ck_tfunc *function)
{
    if (function->program == program)
        return;
    function->program = program;
    for (int i = 0; i < function->n_callees; i++)
        add_reachable(program, function->callees[i]);
    CK_PUSH(program->arena, program->functions, program->n_functions, program->functions_capacity,
            function);
}

struct ck_program *
ck_checker_program_of(struct ck_checker *c, struct ck_tfunc *const *kernels, int n_kernels)
{
    struct ck_program *program = CK_NEW(c->arena, struct ck_program);
    *program = (struct ck_program){.arena = c->arena, .source = c->source, .types = &c->types};
    for (int i = 0; i < n_kernels; i++)
        add_reachable(program, kernels[i]);
    return program;
}
