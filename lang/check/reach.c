/* What kernels reach: the functions, constants and imports that their text names, and so on. The
 * rest of a file is host code, whose errors are not reported. Those of constants and of names of
 * host code are reported where compiled code uses them (unusable.c). */
#include <string.h>

#include "lang/check/overload.h"
#include "lang/check/unusable.h"

struct reach {
    struct ck_checker *c;
    const struct ck_function *within; /* whose text is walked; NULL: a constant's */
    struct ck_fn scope;               /* has the names that it assigns */
    struct ck_global *from;           /* what is walked */
    struct ck_global **queue;
    int n, capacity;
};

static void
add(struct reach *reach, struct ck_global *global, struct ck_span used_at)
{
    if (global->reached)
        return;
    global->reached = true;
    global->used_at = used_at;
    CK_PUSH(reach->c->arena, reach->queue, reach->n, reach->capacity, global);
}

static bool
is_local(const struct reach *reach, const char *name)
{
    if (!reach->within)
        return false;
    for (int i = 0; i < reach->within->n_params; i++) {
        if (strcmp(reach->within->params[i].name, name) == 0)
            return true;
    }
    return ck_is_assigned(&reach->scope, name);
}

static void walk_function(struct reach *reach, const struct ck_function *function);

static void
visit(void *context, const struct ck_expr *expr)
{
    struct reach *reach = context;
    if (expr->kind == CK_EXPR_FUNCTION) {
        const struct ck_function *within = reach->within;
        struct ck_fn scope = reach->scope;
        walk_function(reach, expr->function);
        reach->within = within;
        reach->scope = scope;
    }
    for (int i = 0; expr->kind == CK_EXPR_ATTRIBUTE && i < reach->c->n_extensions; i++) {
        const struct ck_extension *extension = &reach->c->extensions[i];
        if (strcmp(extension->name, expr->attribute.name) != 0)
            continue;
        CK_PUSH(reach->c->arena, reach->from->references.items, reach->from->references.n,
                reach->from->references.capacity, extension->function);
        add(reach, extension->function, expr->span);
    }
    if (expr->kind == CK_EXPR_NAME) {
        struct ck_global *global = ck_find_global(reach->c, expr->name);
        if (global && !is_local(reach, expr->name)) {
            global->is_used |= !reach->within || global->function != reach->within;
            CK_PUSH(reach->c->arena, reach->from->references.items, reach->from->references.n,
                    reach->from->references.capacity, global);
            add(reach, global, expr->span);
        }
    }
    ck_expr_each(expr, visit, context);
}

static void
visit_annotation(struct reach *reach, const struct ck_expr *expr)
{
    if (expr && !ck_is_python_type(reach->c, expr))
        visit(reach, expr);
}

static void
walk_body(struct reach *reach, const struct ck_function *function)
{
    reach->within = function;
    reach->scope = ck_module_scope(reach->c);
    ck_collect_assigned(&reach->scope, &function->body);
    for (int i = 0; i < function->body.n; i++)
        ck_stmt_each_expr(function->body.stmts[i], visit, reach);
    reach->within = NULL;
}

static void
walk_function(struct reach *reach, const struct ck_function *function)
{
    for (int i = 0; i < function->n_decorators; i++)
        visit(reach, function->decorators[i]);
    for (int i = 0; i < function->n_params; i++)
        visit_annotation(reach, function->params[i].annotation);
    for (int i = 0; i < function->n_params; i++) {
        if (function->params[i].otherwise)
            visit(reach, function->params[i].otherwise);
    }
    visit_annotation(reach, function->returns);
    for (int i = 0; i < function->n_captures; i++)
        visit(reach, function->captures[i].value);
    walk_body(reach, function);
}

static void
walk(struct reach *reach, const struct ck_global *global)
{
    for (int i = 0; i < global->n_overloads; i++)
        walk_body(reach, global->overloads[i]->function);
    for (int i = 0; global->extends && i < reach->c->n_extensions; i++) {
        if (reach->c->extensions[i].function == global)
            visit(reach, reach->c->extensions[i].of);
    }
    if (global->extends)
        walk_body(reach, global->function);
    if (global->kind == CK_GLOBAL_FUNCTION && !global->n_overloads)
        walk_function(reach, global->function);
    else if (global->kind == CK_GLOBAL_VALUE || global->kind == CK_GLOBAL_TYPES)
        visit(reach, global->syntax);
}

static void
complete(struct ck_checker *c, struct ck_global *global)
{
    bool is_kernel =
        global->kind == CK_GLOBAL_FUNCTION && ck_decorated_as(c, global) == CK_DECORATED_KERNEL;
    bool is_lazy = global->kind == CK_GLOBAL_VALUE || global->kind == CK_GLOBAL_HOST;
    if (global->again_at.end && !is_kernel && !is_lazy)
        ck_report_again(c, global);
    if (global->kind == CK_GLOBAL_VALUE)
        ck_global_value(c, global);
    else if (global->kind == CK_GLOBAL_FUNCTION && !global->n_overloads)
        ck_complete_function(c, global);
    for (int i = 0; i < global->n_overloads; i++)
        ck_complete_overload(c, global->overloads[i]);
    if (global->extends)
        ck_complete_overload(c, global);
}

/* Adds a function marked `@overload(f)` to the overloads of `f`, whose own text is host code. */
static void
add_overload(struct ck_checker *c, struct ck_global *overload)
{
    const struct ck_function *function = overload->function;
    for (int i = 0; i < function->n_decorators; i++) {
        const struct ck_expr *overloaded = ck_overloaded(c, function->decorators[i]);
        struct ck_global *global = overloaded ? ck_find_global(c, overloaded->name) : NULL;
        if (global && global->kind == CK_GLOBAL_FUNCTION &&
            ck_overload_is_for_kernels(function->decorators[i]))
            CK_PUSH(c->arena, global->overloads, global->n_overloads, global->overloads_capacity,
                    overload);
    }
}

/* Adds the methods and attributes that a function adds to types. */
static void
add_extension(struct ck_checker *c, struct ck_global *global)
{
    const struct ck_function *function = global->function;
    for (int i = 0; i < function->n_decorators; i++) {
        const struct ck_expr *decorator = function->decorators[i];
        const char *path = ck_extending_decorator(c, decorator);
        if (!path || !function->n_params || decorator->kind != CK_EXPR_CALL ||
            decorator->call.n_args < 2 || strncmp(path, "overload_", 9) != 0 ||
            decorator->call.args[1].value->kind != CK_EXPR_STRING ||
            !ck_overload_is_for_kernels(decorator))
            continue;
        const struct ck_extension extension = {.function = global,
                                               .name = decorator->call.args[1].value->string.bytes,
                                               .of = decorator->call.args[0].value,
                                               .is_attribute = !strcmp(path, "overload_attribute")};
        CK_PUSH(c->arena, c->extensions, c->n_extensions, c->extensions_capacity, extension);
        global->extends = true;
    }
}

/* In a file without kernels every function may be one that kernels will call. */
void
ck_reach(struct ck_checker *c)
{
    struct reach reach = {.c = c};
    struct ck_span nowhere = {0, 0};
    bool has_kernel = false;
    for (int i = 0; i < c->n_globals; i++) {
        struct ck_global *global = c->globals[i];
        if (global->kind != CK_GLOBAL_FUNCTION)
            continue;
        add_overload(c, global);
        add_extension(c, global);
        enum ck_decorated as = ck_decorated_as(c, global);
        if (as == CK_DECORATED_HOST)
            global->kind = CK_GLOBAL_HOST;
        has_kernel |= as == CK_DECORATED_KERNEL;
        if (as == CK_DECORATED_KERNEL || as == CK_DECORATED_WRONG)
            add(&reach, global, nowhere);
    }
    for (int i = 0; i < c->n_globals && !has_kernel; i++) {
        if (c->globals[i]->kind == CK_GLOBAL_FUNCTION)
            add(&reach, c->globals[i], nowhere);
    }
    for (int i = 0; i < reach.n; i++) {
        reach.from = reach.queue[i];
        walk(&reach, reach.from);
    }
    ck_find_recursive(c);
    for (int i = 0; i < c->n_globals; i++) {
        if (c->globals[i]->reached)
            complete(c, c->globals[i]);
    }
}
