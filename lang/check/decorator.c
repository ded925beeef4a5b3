/* Decorators: what a function is, its options and its signatures. */
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"
#include "lang/check/foreign_names.h"
#include "lang/check/inner.h"
#include "lang/check/overload.h"

static bool
is_prefix(const char *name)
{
    static const char *const prefixes[] = {"cuda", "numba", "extending"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strcmp(prefixes[i], name) == 0)
            return true;
    }
    return false;
}

/* The dotted path of a decorator without the language's prefixes; NULL: not a path. */
static const char *
decorator_path(struct ck_checker *c, const struct ck_expr *expr)
{
    if (expr->kind == CK_EXPR_NAME) {
        const struct ck_global *global = ck_find_global(c, expr->name);
        const char *name = global && global->kind == CK_GLOBAL_IMPORT ? global->path : expr->name;
        return is_prefix(name) ? "" : name;
    }
    if (expr->kind != CK_EXPR_ATTRIBUTE)
        return NULL;
    const char *object = decorator_path(c, expr->attribute.object);
    if (!object || *object)
        return NULL;
    const struct ck_expr *base = expr->attribute.object;
    if (base->kind == CK_EXPR_NAME && strcmp(base->name, "numba") == 0 &&
        strcmp(expr->attribute.name, "jit") == 0)
        return "njit";
    return is_prefix(expr->attribute.name) ? "" : expr->attribute.name;
}

/* Numba's decorators of functions that kernels call. */
static bool
marks_device(const char *path)
{
    return path && (strcmp(path, "njit") == 0 || strcmp(path, "register_jitable") == 0);
}

enum option_kind { OPTION_COUNT, OPTION_BOUNDS, OPTION_FLAG, OPTION_CLUSTER, OPTION_ACCEPTED };

/* ck's options, and options of Numba's decorator that have no effect on a compiled file. */
static const struct {
    const char *name;
    enum option_kind kind;
} option_rows[] = {
    {"launch_bounds", OPTION_BOUNDS}, {"max_registers", OPTION_COUNT},
    {"fastmath", OPTION_FLAG},        {"wraparound", OPTION_FLAG},
    {"cluster", OPTION_CLUSTER},      {"device", OPTION_FLAG},
    {"inline", OPTION_ACCEPTED},      {"forceinline", OPTION_ACCEPTED},
    {"cache", OPTION_ACCEPTED},       {"lineinfo", OPTION_ACCEPTED},
    {"opt", OPTION_ACCEPTED},         {"debug", OPTION_ACCEPTED},
    {"lto", OPTION_ACCEPTED},         {"shared_memory_carveout", OPTION_ACCEPTED},
    {"extensions", OPTION_ACCEPTED},  {"nopython", OPTION_ACCEPTED},
    {"boundscheck", OPTION_ACCEPTED}, {"error_model", OPTION_ACCEPTED},
    {"nogil", OPTION_ACCEPTED},
};
enum { N_OPTIONS = sizeof option_rows / sizeof *option_rows };

static void
bad_option(struct ck_checker *c, const struct ck_argument *arg, const char *wanted)
{
    ck_diag_add(c->diags, CK_DIAG_OPTION_VALUE, arg->value->span, arg->name, wanted);
}

static bool
constant_arg(struct ck_checker *c, const struct ck_argument *arg, struct ck_value *out)
{
    struct ck_fn scope = ck_module_scope(c);
    *out = ck_check_run(&scope, arg->value);
    return out->kind == CK_VALUE_RUN;
}

static bool
count_of(struct ck_checker *c, const struct ck_argument *arg, int64_t most, int *out)
{
    struct ck_value value;
    int64_t n;
    if (!constant_arg(c, arg, &value))
        return false;
    if (!ck_value_const_int(&value, &n) || n < 1 || n > most) {
        bad_option(c, arg, ck_arena_printf(c->arena, "an integer from 1 to %lld", (long long)most));
        return false;
    }
    *out = (int)n;
    return true;
}

static bool
flag_of(struct ck_checker *c, const struct ck_argument *arg, bool *out)
{
    struct ck_value value;
    if (!constant_arg(c, arg, &value))
        return false;
    if (value.expr->kind != CK_T_CONST || value.type->kind != CK_TYPE_BOOL) {
        bad_option(c, arg, "True or False");
        return false;
    }
    *out = value.expr->constant.i != 0;
    return true;
}

/* `N` or `(N, M, ...)`, at most `n` integers. */
static bool
counts_of(struct ck_checker *c, const struct ck_argument *arg, int64_t most, int *out, int n)
{
    if (arg->value->kind != CK_EXPR_TUPLE)
        return count_of(c, arg, most, out);
    if (arg->value->sequence.n < 1 || arg->value->sequence.n > n) {
        bad_option(c, arg, ck_arena_printf(c->arena, "1 to %d integers", n));
        return false;
    }
    for (int i = 0; i < arg->value->sequence.n; i++) {
        struct ck_argument item = *arg;
        item.value = arg->value->sequence.items[i];
        if (!count_of(c, &item, most, &out[i]))
            return false;
    }
    return true;
}

/* The size of a cluster in blocks, in one to three dimensions. */
static void
cluster_of(struct ck_checker *c, const struct ck_argument *arg, struct ck_options *options)
{
    int dims[3] = {1, 1, 1};
    if (!counts_of(c, arg, CK_MAX_CLUSTER, dims, 3))
        return;
    if (dims[0] * dims[1] * dims[2] > CK_MAX_CLUSTER) {
        bad_option(c, arg, ck_arena_printf(c->arena, "at most %d blocks in all", CK_MAX_CLUSTER));
        return;
    }
    memcpy(options->bounds.cluster, dims, sizeof dims);
    options->cluster_span = arg->name_span;
}

/* The option of ckc that replaces an option of Numba's decorators. */
static const char *
option_of_ckc(const char *name)
{
    static const struct {
        const char *name, *help;
    } rows[] = {
        {"chip", "the target is an option of ckc: `-arch=sm_90`"},
        {"cc", "the target is an option of ckc: `-arch=sm_90`"},
        {"dump_ptx", "`ckc -o - FILE.ck` writes the PTX"},
        {"opt_level", "the level is an option of ckc: `-O2`"},
        {"argtypes", "write the types as the first argument: `@cuda.jit(void(float32[:]))`"},
        {"parallel", "leave it out: a GPU's threads are what runs in parallel"},
        {"target", "leave it out: `@cuda.jit` is for GPUs and the CPU"},
        {"ptxas_options", "for registers there is `max_registers=`, for threads `launch_bounds=`"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].help;
    }
    return NULL;
}

static void
unknown_option(struct ck_checker *c, const struct ck_argument *arg)
{
    const char *names[N_OPTIONS];
    for (int i = 0; i < N_OPTIONS; i++)
        names[i] = option_rows[i].name;
    if (strcmp(arg->name, "link") == 0) {
        struct ck_diag *unsupported =
            ck_diag_add(c->diags, CK_DIAG_NOT_SUPPORTED, arg->name_span, "linking external code");
        ck_diag_help(c->diags, unsupported, "%s", ck_unsupported_find("declare_device")->help);
        return;
    }
    struct ck_diag *diag = ck_diag_add(c->diags, CK_DIAG_BAD_OPTION, arg->name_span, arg->name);
    const char *nearest = ck_nearest_name(arg->name, names, N_OPTIONS);
    const char *help = option_of_ckc(arg->name);
    if (help)
        ck_diag_help(c->diags, diag, "%s", help);
    else if (nearest)
        ck_diag_suggest(c->diags, diag, "", nearest);
}

static void
apply_option(struct ck_checker *c, struct ck_global *global, const struct ck_argument *arg,
             bool *device)
{
    int i = 0;
    while (i < N_OPTIONS && strcmp(option_rows[i].name, arg->name) != 0)
        i++;
    if (i == N_OPTIONS) {
        unknown_option(c, arg);
        return;
    }
    struct ck_options *options = &global->options;
    int bounds[3] = {0};
    bool flag = false;
    switch (option_rows[i].kind) {
    case OPTION_ACCEPTED:
        break;
    case OPTION_COUNT:
        count_of(c, arg, CK_MAX_THREAD_REGISTERS, &options->bounds.max_registers);
        break;
    case OPTION_BOUNDS:
        if (counts_of(c, arg, CK_MAX_BLOCK_THREADS, bounds, 3)) {
            options->bounds.max_threads = bounds[0];
            options->bounds.min_blocks = bounds[1];
        }
        break;
    case OPTION_CLUSTER:
        cluster_of(c, arg, options);
        break;
    case OPTION_FLAG:
        if (!flag_of(c, arg, &flag))
            break;
        if (strcmp(arg->name, "device") == 0)
            *device = flag;
        else if (strcmp(arg->name, "fastmath") == 0)
            options->fastmath = flag, options->says_fastmath = true;
        else
            options->no_wraparound = !flag;
        break;
    }
}

static void
reject_decorator(struct ck_checker *c, struct ck_global *global, const struct ck_expr *expr)
{
    const struct ck_expr *callee = expr->kind == CK_EXPR_CALL ? expr->call.callee : expr;
    struct ck_diag *diag = ck_diag_add(
        c->diags, CK_DIAG_BAD_DECORATOR, expr->span, ck_diag_text(c->diags, callee->span),
        ck_arena_printf(c->arena, "the only decorator of `%s`", global->name));
    ck_diag_help(c->diags, diag, "one says all: `@cuda.jit(device=True, inline=True)`");
    global->failed = true;
}

static void
apply_decorator(struct ck_checker *c, struct ck_global *global, const struct ck_expr *expr)
{
    const struct ck_expr *callee = expr->kind == CK_EXPR_CALL ? expr->call.callee : expr;
    if (callee->kind == CK_EXPR_ERROR) {
        global->failed = true;
        return;
    }
    const char *path = decorator_path(c, callee);
    bool device = marks_device(path);
    if (!path || (!device && strcmp(path, "jit") != 0 && strcmp(path, "kernel") != 0)) {
        struct ck_diag *diag =
            ck_diag_add(c->diags, CK_DIAG_BAD_DECORATOR, callee->span,
                        ck_diag_text(c->diags, callee->span), "a decorator of kernels");
        ck_diag_help(c->diags, diag,
                     "a kernel has `@kernel` or `@cuda.jit`, a device function none "
                     "or `@cuda.jit(device=True)`");
        global->failed = true;
        return;
    }
    for (int i = 0; expr->kind == CK_EXPR_CALL && i < expr->call.n_args; i++) {
        const struct ck_argument *arg = &expr->call.args[i];
        if (arg->name) {
            apply_option(c, global, arg, &device);
        } else if (i > 0) {
            struct ck_diag *diag = ck_diag_add(c->diags, CK_DIAG_BAD_SIGNATURE, arg->value->span);
            ck_diag_help(c->diags, diag, "several are a list: `[void(int32), void(float32)]`");
            global->failed = true;
        } else if (!ck_signatures_of_expr(c, arg->value, global)) {
            global->failed = true;
        }
    }
    global->is_kernel = !device;
}

static bool
says_device(const struct ck_expr *decorator)
{
    for (int i = 0; decorator->kind == CK_EXPR_CALL && i < decorator->call.n_args; i++) {
        const struct ck_argument *arg = &decorator->call.args[i];
        if (arg->name && strcmp(arg->name, "device") == 0)
            return !(arg->value->kind == CK_EXPR_BOOL && !arg->value->boolean);
    }
    return false;
}

/* Decorators of host code whose names ck knows for something else, or not at all: `@cuda.reduce`
 * makes a host function; ck's `reduce` is of groups. */
static bool
is_host_name(const char *path)
{
    static const char *const names[] = {"reduce",          "staticmethod",       "overload",
                                        "overload_method", "overload_attribute", "intrinsic"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], path) == 0)
            return true;
    }
    return false;
}

/* Whether a decorator is one of another module's, of the file's, or of Numba's host side. */
static bool
is_host_decorator(struct ck_checker *c, const struct ck_expr *expr, const char *path)
{
    const struct ck_numba_name *row = path ? ck_numba_name_find(path) : NULL;
    if ((row && row->kind == CK_NUMBA_HOST) || (path && is_host_name(path)))
        return true;
    const struct ck_expr *root = expr;
    while (root->kind == CK_EXPR_ATTRIBUTE || root->kind == CK_EXPR_SUBSCRIPT ||
           root->kind == CK_EXPR_CALL)
        root = root->kind == CK_EXPR_ATTRIBUTE   ? root->attribute.object
               : root->kind == CK_EXPR_SUBSCRIPT ? root->subscript.object
                                                 : root->call.callee;
    if (root->kind != CK_EXPR_NAME)
        return true;
    const struct ck_global *global = ck_find_global(c, root->name);
    return global && global->kind != CK_GLOBAL_IMPORT;
}

const char *
ck_extending_decorator(struct ck_checker *c, const struct ck_expr *decorator)
{
    const bool is_call = decorator->kind == CK_EXPR_CALL;
    const char *path = decorator_path(c, is_call ? decorator->call.callee : decorator);
    bool is_extending = path && (strncmp(path, "overload", 8) == 0 || !strcmp(path, "intrinsic"));
    return is_extending ? path : NULL;
}

const struct ck_expr *
ck_overloaded(struct ck_checker *c, const struct ck_expr *decorator)
{
    if (decorator->kind != CK_EXPR_CALL || !decorator->call.n_args ||
        decorator->call.args[0].value->kind != CK_EXPR_NAME)
        return NULL;
    const char *path = decorator_path(c, decorator->call.callee);
    return path && strcmp(path, "overload") == 0 ? decorator->call.args[0].value : NULL;
}

/* Whether a call is of `cuda.jit` or another decorator of functions that kernels call. */
static bool
calls_decorator(struct ck_checker *c, const struct ck_expr *expr)
{
    const char *path = expr->kind == CK_EXPR_CALL ? decorator_path(c, expr->call.callee) : NULL;
    return path && (strcmp(path, "jit") == 0 || marks_device(path));
}

static bool
is_lambda(const struct ck_argument *arg)
{
    return !arg->name && arg->value->kind == CK_EXPR_FUNCTION;
}

const struct ck_expr *
ck_decorated_lambda(struct ck_checker *c, const struct ck_expr *expr)
{
    if (expr->kind != CK_EXPR_CALL || expr->call.n_args < 1 || !is_lambda(&expr->call.args[0]))
        return expr;
    struct ck_expr *decorator = expr->call.callee;
    if (calls_decorator(c, expr)) {
        decorator = CK_NEW(c->arena, struct ck_expr);
        *decorator = *expr;
        decorator->call.args++;
        decorator->call.n_args--;
    } else if (expr->call.n_args > 1 || !calls_decorator(c, decorator)) {
        return expr;
    }
    struct ck_expr *lambda = CK_NEW(c->arena, struct ck_expr);
    struct ck_function *function = CK_NEW(c->arena, struct ck_function);
    *lambda = *expr->call.args[0].value;
    *function = *lambda->function;
    function->decorators = CK_NEW(c->arena, struct ck_expr *);
    function->decorators[0] = decorator;
    function->n_decorators = 1;
    lambda->function = function;
    return lambda;
}

void
ck_apply_decorators(struct ck_checker *c, struct ck_global *global)
{
    const struct ck_function *function = global->function;
    for (int i = 0; i < function->n_decorators; i++)
        apply_decorator(c, global, function->decorators[i]);
    if (function->n_decorators > 1 && !global->failed)
        reject_decorator(c, global, function->decorators[1]);
}

enum ck_decorated
ck_decorated_as(struct ck_checker *c, const struct ck_global *global)
{
    enum ck_decorated as = CK_DECORATED_NOT;
    for (int i = 0; i < global->function->n_decorators; i++) {
        const struct ck_expr *expr = global->function->decorators[i];
        const struct ck_expr *callee = expr->kind == CK_EXPR_CALL ? expr->call.callee : expr;
        const char *path = decorator_path(c, callee);
        bool jit = path && (strcmp(path, "jit") == 0 || strcmp(path, "kernel") == 0);
        if (jit)
            return says_device(expr) ? CK_DECORATED_DEVICE : CK_DECORATED_KERNEL;
        if (marks_device(path))
            as = CK_DECORATED_DEVICE;
        else if (as != CK_DECORATED_DEVICE)
            as = is_host_decorator(c, callee, path) ? CK_DECORATED_HOST : CK_DECORATED_WRONG;
    }
    return as;
}
