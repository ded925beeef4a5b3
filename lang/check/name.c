/* Checking names and attributes: resolves an identifier or a dotted path. */
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"
#include "lang/check/element.h"
#include "lang/check/foreign_names.h"
#include "lang/check/inner.h"
#include "lang/check/libdevice.h"
#include "lang/check/optional.h"
#include "lang/check/overload.h"
#include "lang/check/unusable.h"

/* --- Names ---------------------------------------------------------------------------------------
 */

/* Prefixes that name the language itself; always bound, with or without an import. */
static const char *const roots[] = {"cuda", "math", "cmath", "np", "numpy", "numba"};
/* Components of Numba's paths that add nothing: `numba.cuda.grid`, `cuda.cg.this_grid`. */
static const char *const transparent[] = {"cuda", "cg", "types"};

#define PYTHON_OPERATORS "operator"

static bool
is_one_of(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i], name) == 0)
            return true;
    }
    return false;
}
#define IS_ONE_OF(name, list) is_one_of((name), (list), sizeof(list) / sizeof *(list))

static void
add_name(struct ck_names *names, const char *name)
{
    CK_PUSH(names->arena, names->items, names->n, names->capacity, name);
}

bool
ck_is_assigned(const struct ck_fn *fn, const char *name)
{
    return ck_name_set_find(&fn->assigned, name) >= 0;
}

/* Whether the module's name has a value here: kernels are not called, imports may have failed, and
 * outside functions only constants have values. */
static bool
is_usable(const struct ck_fn *fn, const struct ck_global *global)
{
    if (global->failed || ck_is_assigned(fn, global->name))
        return false;
    if (global->kind == CK_GLOBAL_FUNCTION)
        return !global->is_kernel && !fn->constant_only;
    if (global->kind == CK_GLOBAL_VALUE)
        return global->reached && global->value.kind != CK_VALUE_ERROR;
    return global->kind != CK_GLOBAL_HOST;
}

/* The names that the program defines: locals that are set here, and names of the module. */
static void
add_own_names(struct ck_fn *fn, struct ck_names *names)
{
    for (int i = 0; i < fn->names.n && !fn->constant_only; i++) {
        if (ck_env_get(&fn->env, i)->state == CK_SET)
            add_name(names, fn->names.items[i]);
    }
    for (int i = 0; i < fn->c->n_globals; i++) {
        if (is_usable(fn, fn->c->globals[i]))
            add_name(names, fn->c->globals[i]->name);
    }
}

void
ck_add_language_names(struct ck_fn *fn, struct ck_names *names)
{
    struct ck_arena *arena = fn->c->arena;
    for (int i = 0; i < CK_N_BUILTINS; i++) {
        const char *path = ck_builtin_path((enum ck_builtin_id)i);
        const char *dot = strchr(path, '.');
        /* A path's first part is a name too: `threadIdx`. */
        const char *first = dot ? ck_arena_strndup(arena, path, (size_t)(dot - path)) : path;
        /* names that begin with _ are for the prelude only */
        if (*first == '_' || !(ck_builtin_find(first) >= 0 || ck_builtin_is_prefix(first)) ||
            ck_is_assigned(fn, first))
            continue;
        add_name(names, first);
        if (dot)
            add_name(names, path);
    }
    for (int kind = CK_TYPE_BOOL; kind <= CK_TYPE_COMPLEX128; kind++) {
        const char *type = ck_text_of(fn, ck_type_scalar((enum ck_type_kind)kind));
        if (!ck_is_assigned(fn, type))
            add_name(names, type);
    }
}

/* The prefix that the program writes before a name, `cuda.` of `cuda.X`; "" if it has an alias for
 * it. */
static const char *
written_prefix(struct ck_fn *fn, const struct ck_expr *expr, const char *name)
{
    const char *text = ck_diag_text(fn->c->diags, expr->span);
    size_t length = strlen(text), n = strlen(name);
    if (length <= n || strcmp(text + length - n, name) != 0)
        return "";
    return ck_arena_strndup(fn->c->arena, text, length - n);
}

/* An unknown function of Python's `operator`. */
static struct ck_value
unknown_operator(struct ck_fn *fn, const struct ck_expr *expr, const char *name)
{
    struct ck_names names = {.arena = fn->c->arena};
    struct ck_diag *diag = ck_error(fn, UNKNOWN_NAME, expr->span, name);
    ck_add_python_operators(&names);
    const char *nearest = ck_nearest_name(name + sizeof PYTHON_OPERATORS, names.items, names.n);
    if (nearest)
        ck_diag_help(fn->c->diags, diag, "did you mean `%s.%s`?", PYTHON_OPERATORS, nearest);
    return ck_value_error(expr->span);
}

/* What stands after `in` in a `for` statement only. */
static const char *const iterables[] = {"range", "enumerate", "zip", "reversed"};

/* `module`: "np", "math" or "cmath", the module in which the name was looked up; or "". */
static struct ck_value
unknown_name(struct ck_fn *fn, const struct ck_expr *expr, const char *module, const char *name)
{
    struct ck_checker *c = fn->c;
    const char *prefix = written_prefix(fn, expr, name);
    struct ck_diag *diag =
        ck_error(fn, UNKNOWN_NAME, expr->span, ck_arena_printf(c->arena, "%s%s", prefix, name));
    if (diag == &c->diags->dummy)
        return ck_value_error(expr->span);
    /* NumPy's functions of numbers have no name but `np.X`. */
    const char *elsewhere = *module ? NULL : ck_numpy_path(fn, name);
    if (elsewhere) {
        ck_diag_suggest(c->diags, diag, "", elsewhere);
        return ck_value_error(expr->span);
    }
    /* After a prefix, as in `cuda.X`, only names of the language are valid. */
    struct ck_names names = {.arena = c->arena};
    if (expr->kind == CK_EXPR_NAME) {
        add_own_names(fn, &names);
        for (size_t i = 0; i < sizeof iterables / sizeof *iterables; i++)
            add_name(&names, iterables[i]);
    }
    ck_add_numpy_names(&names, module);
    if (strncmp(name, CK_LIBDEVICE ".", sizeof CK_LIBDEVICE) == 0)
        ck_add_libdevice_names(c, &names);
    else
        ck_add_language_names(fn, &names);
    const char *nearest = ck_nearest_name(name, names.items, names.n);
    if (nearest)
        ck_diag_suggest(c->diags, diag, "", ck_arena_printf(c->arena, "%s%s", prefix, nearest));
    return ck_value_error(expr->span);
}

/* Resolves a path of the language, without its prefixes: a built-in, a type, or the beginning of
 * one. `np`, `math` and `cmath` stay, and their own names take precedence over the bare ones. */
static struct ck_value
resolve_path(struct ck_fn *fn, const char *path, const struct ck_expr *expr)
{
    struct ck_value value = {.span = expr->span};
    const char *rest = ck_numpy_rest(path), *whole = path;
    value.numpy = rest ? ck_numpy_find(path) : NULL;
    if (value.numpy) {
        value.kind = CK_VALUE_NUMPY;
        return value;
    }
    path = rest ? rest : path;
    int id = ck_builtin_find(path);
    if (id < 0) /* a group's member as a free function */
        id = ck_group_row(fn->c, path);
    if (id < 0 && rest)
        id = ck_builtin_of_array(fn->c, path);
    if (*path == '_' && !fn->global->in_prelude)
        id = -1;
    if (id >= 0) {
        value.kind = CK_VALUE_BUILTIN;
        value.builtin = (enum ck_builtin_id)id;
        return value;
    }
    value.function = ck_libdevice_function(fn->c, path);
    if (value.function) {
        value.kind = CK_VALUE_FUNCTION;
        return value;
    }
    value.type = ck_type_by_name(path);
    if (strcmp(path, "voidptr") == 0)
        value.type = ck_type_pointer(&fn->c->types, ck_type_scalar(CK_TYPE_VOID));
    if (!value.type) /* CUDA C++ makes one with `make_float4` */
        value.type = ck_type_vector(&fn->c->types, strncmp(path, "make_", 5) ? path : path + 5);
    if (value.type) {
        value.kind = CK_VALUE_TYPE;
        return value;
    }
    bool is_imported = expr->kind != CK_EXPR_NAME || ck_find_global(fn->c, expr->name);
    bool is_operator =
        is_imported && (strcmp(path, PYTHON_OPERATORS) == 0 || ck_is_python_operator(path));
    if (is_operator || *path == '\0' || *ck_numpy_module(path) || ck_builtin_is_prefix(path) ||
        strcmp(path, CK_LIBDEVICE) == 0 || IS_ONE_OF(path, transparent)) {
        value.kind = CK_VALUE_PATH;
        value.path = path;
        return value;
    }
    const struct ck_unsupported *unsupported = ck_unsupported_find(path);
    if (unsupported)
        return ck_unsupported_report(fn, unsupported, path, expr->span);
    const struct ck_numba_name *numba_name = ck_numba_name_find(path);
    if (numba_name && numba_name->kind == CK_NUMBA_ALIAS)
        return resolve_path(fn, numba_name->text, expr);
    /* A bare word that was not imported is not a name of Numba's host side: it is undefined. */
    if (numba_name && !(!is_imported && numba_name->kind == CK_NUMBA_HOST))
        return ck_numba_name_report(fn, numba_name, expr);
    if (strncmp(path, PYTHON_OPERATORS ".", sizeof PYTHON_OPERATORS) == 0)
        return unknown_operator(fn, expr, path);
    if (ck_report_cuda_name(fn, path, expr->span))
        return ck_value_error(expr->span);
    const char *module = rest ? ck_arena_strndup(fn->c->arena, whole, strcspn(whole, ".")) : "";
    return unknown_name(fn, expr, module, path);
}

static void
report_unset(struct ck_fn *fn, const struct ck_expr *expr)
{
    if (fn->c->diags->quiet) /* a later iteration of a loop may find it set */
        return;
    struct ck_diag *diag = ck_error(fn, UNSET_NAME, expr->span, expr->name);
    ck_diag_help(fn->c->diags, diag, "set `%s` before", expr->name);
}

static void
warn_maybe_unset(struct ck_fn *fn, const struct ck_expr *expr, const struct ck_binding *binding)
{
    const bool runs = binding->value.kind == CK_VALUE_RUN;
    struct ck_diag *diag =
        ck_note_warning(fn, ck_diag_add(fn->c->diags, CK_DIAG_MAYBE_UNSET, expr->span, expr->name));
    const char *how = *binding->unset_how ? binding->unset_how : "before it in some iteration";
    ck_diag_label(fn->c->diags, diag, binding->unset_at, "not set %s", how);
    ck_diag_help(fn->c->diags, diag, "set `%s` before, on every path%s", expr->name,
                 runs ? ": it is zero where none did" : "");
}

/* A read of a name that some path leaves unset. */
static void
read_maybe_unset(struct ck_fn *fn, const struct ck_expr *expr, int name)
{
    const struct ck_binding *binding = ck_env_get(&fn->env, name);
    if (fn->c->untyped || fn->c->diags->quiet) /* types may decide that the path is never taken */
        return;
    if (binding->value.kind == CK_VALUE_RUN && ck_name_set_find(&fn->zeroed, expr->name) < 0)
        ck_name_set_add(fn->c->arena, &fn->zeroed, expr->name);
    if (ck_is_guarded(fn, binding))
        return;
    warn_maybe_unset(fn, expr, binding);
    struct ck_binding set = *binding; /* one warning is enough */
    set.state = CK_SET;
    ck_env_set(fn, &fn->env, name, &set);
}

static void
report_conflict(struct ck_fn *fn, const struct ck_expr *expr, const struct ck_binding *binding)
{
    const bool runs = binding->value.type && binding->other;
    const char *one = binding->value.type                      ? ck_text_of(fn, binding->value.type)
                      : binding->value.kind == CK_VALUE_STRING ? "a string"
                                                               : "a function";
    const char *other = binding->other ? ck_text_of(fn, binding->other) : "a function or a string";
    const char *name =
        ck_is_hidden_name(expr->name) ? ck_diag_text(fn->c->diags, expr->span) : expr->name;
    struct ck_diag *diag = ck_error(fn, TYPE_CONFLICT, expr->span, name, one, other);
    ck_diag_label(fn->c->diags, diag, binding->set_at, "%s here", one);
    ck_diag_label(fn->c->diags, diag, binding->other_at, "%s here", other);
    ck_diag_help(fn->c->diags, diag, "%s",
                 runs ? "use two names, or cast so that the types agree"
                      : "what is known at compile time is the same on every path: use a number, or "
                        "decide by a constant");
}

static struct ck_texpr *
copy_at(struct ck_fn *fn, const struct ck_texpr *expr, struct ck_span span)
{
    struct ck_texpr *copy = CK_NEW(fn->c->arena, struct ck_texpr);
    *copy = *expr;
    copy->span = span;
    return copy;
}

/* A name bound in the function, or by a comprehension. False if it is not bound there. */
static bool
local_name(struct ck_fn *fn, const struct ck_expr *expr, struct ck_value *out)
{
    if (fn->constant_only && !ck_is_hidden_name(expr->name))
        return false;
    if (ck_read_optional(fn, expr, out))
        return true;
    int name = ck_name_index(fn, expr->name);
    const struct ck_binding *binding = ck_env_get(&fn->env, name);
    switch (binding->state) {
    case CK_UNSET:
        return false;
    case CK_MAYBE_UNSET:
        read_maybe_unset(fn, expr, name);
        break;
    case CK_CONFLICT:
        report_conflict(fn, expr, binding);
        *out = ck_value_error(expr->span);
        return true;
    case CK_SET:
        break;
    }
    *out = binding->value;
    out->span = expr->span;
    if (out->kind == CK_VALUE_RUN) {
        struct ck_texpr *copy = copy_at(fn, out->expr, expr->span);
        copy->known_extents = ck_known_extents(fn, out);
        out->expr = copy;
    } else if (out->kind == CK_VALUE_ERROR) {
        out->expr = NULL; /* what it depends on is asked for by name: untyped.c */
    }
    return true;
}

static struct ck_value
global_name(struct ck_fn *fn, const struct ck_expr *expr, struct ck_global *global)
{
    struct ck_value value = {.span = expr->span};
    switch (global->kind) {
    case CK_GLOBAL_FUNCTION:
        value.kind = CK_VALUE_FUNCTION;
        value.function = global;
        return value;
    case CK_GLOBAL_VALUE:
        value = *ck_global_value(fn->c, global);
        if (ck_report_unusable(fn, global, expr->span))
            return ck_value_error(expr->span);
        value.span = expr->span;
        if (value.kind == CK_VALUE_RUN && value.expr->kind == CK_T_MODULE_ARRAY)
            value.expr = copy_at(fn, value.expr, expr->span);
        if (value.kind == CK_VALUE_RUN && !fn->constant_only)
            ck_use_module_arrays(fn, value.expr, expr->span);
        return value;
    case CK_GLOBAL_TYPES:
        value.type = ck_type_of_expr(fn->c, global->syntax, false);
        value.kind = value.type ? CK_VALUE_TYPE : CK_VALUE_ERROR;
        if (!value.type)
            ck_error(fn, WRONG_TYPE, expr->span, "a signature is not a value");
        return value;
    case CK_GLOBAL_IMPORT:
        return resolve_path(fn, global->path, expr);
    case CK_GLOBAL_HOST:
        ck_report_host(fn, global, expr->span);
        return ck_value_error(expr->span);
    }
    return ck_value_error(expr->span);
}

static struct ck_value
plain_name(struct ck_fn *fn, const struct ck_expr *expr)
{
    struct ck_value value;
    if (local_name(fn, expr, &value))
        return value;
    if (ck_is_assigned(fn, expr->name)) {
        report_unset(fn, expr);
        return ck_value_error(expr->span);
    }
    if (ck_captured_name(fn, expr, &value))
        return value;
    struct ck_global *global = fn->global->in_prelude ? ck_prelude_function(fn->c, expr->name)
                                                      : ck_find_global(fn->c, expr->name);
    if (global)
        return global_name(fn, expr, global);
    if (IS_ONE_OF(expr->name, roots))
        return resolve_path(fn, ck_numpy_module(expr->name), expr);
    return resolve_path(fn, expr->name, expr);
}

/* --- Attributes ----------------------------------------------------------------------------------
 */

static bool
is_axis(const char *name)
{
    return *name >= 'x' && *name <= 'z' && name[1] == '\0';
}

static const char *const array_attributes[] = {"shape",    "strides", "ndim", "size", "dtype",
                                               "itemsize", "nbytes",  "T",    "view", "transpose"};
static const char *const unsupported_attributes[] = {"flat", "real", "imag"};
static const char array_methods[] = "ndarray.", group_members[] = "group.";

/* Adds the names of the built-ins that are attributes of arrays or members of groups. */
static void
add_members(struct ck_names *names, const char *prefix)
{
    const size_t length = strlen(prefix);
    for (int i = 0; i < CK_N_BUILTINS; i++) {
        const char *path = ck_builtin_path((enum ck_builtin_id)i);
        if (strncmp(path, prefix, length) == 0)
            add_name(names, path + length);
    }
}

static void
add_array_attributes(struct ck_names *names)
{
    for (size_t i = 0; i < sizeof array_attributes / sizeof *array_attributes; i++)
        add_name(names, array_attributes[i]);
    add_members(names, array_methods);
}

static bool
is_name_of(const struct ck_names *names, const char *name)
{
    return is_one_of(name, (const char *const *)names->items, (size_t)names->n);
}

/* Whether the module may define namedtuples. */
static bool
may_have_fields(struct ck_checker *c)
{
    static const char *const names[] = {"namedtuple", "NamedTuple", "collections", "typing"};
    bool may = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        may |= ck_find_global(c, names[i]) != NULL;
    return may;
}

/* Reports an attribute that nothing has of a parameter whose type is not known. */
static void
check_untyped_attribute(struct ck_fn *fn, const struct ck_expr *expr)
{
    const struct ck_expr *object = expr->attribute.object;
    const char *name = expr->attribute.name;
    struct ck_names names = {.arena = fn->c->arena};
    const struct ck_function *function = fn->global->function; /* NULL: of the module's scope */
    bool is_param = false;
    for (int i = 0; function && object->kind == CK_EXPR_NAME && i < function->n_params; i++)
        is_param |= strcmp(function->params[i].name, object->name) == 0;
    if (!is_param || !fn->global->is_kernel || ck_is_assigned(fn, object->name) ||
        may_have_fields(fn->c) || is_axis(name) || strcmp(name, "w") == 0 ||
        ck_is_number_attribute(name) || IS_ONE_OF(name, unsupported_attributes) ||
        ck_numba_name_find(ck_arena_printf(fn->c->arena, ".%s", name)) ||
        ck_is_extension(fn->c, name))
        return;
    add_members(&names, group_members);
    const bool is_member = is_name_of(&names, name);
    names.n = 0;
    add_array_attributes(&names);
    if (is_member || is_name_of(&names, name))
        return;
    if (!ck_is_no_field(function, expr))
        return;
    const char *nearest = ck_nearest_name(name, names.items, names.n);
    struct ck_diag *diag =
        ck_error(fn, NO_ATTRIBUTE, expr->attribute.name_span,
                 ck_arena_printf(fn->c->arena, "`%s`, whatever its type,", object->name), name);
    if (nearest)
        ck_diag_suggest(fn->c->diags, diag, ".", nearest);
}

static struct ck_value
array_attribute(struct ck_fn *fn, const struct ck_value *array, const struct ck_expr *expr)
{
    struct ck_names names = {.arena = fn->c->arena};
    const char *name = expr->attribute.name;
    struct ck_value value;
    /* As NumPy's: the fields of a record hide its attributes, those of an array do not. */
    if (!array->type->array.ndim && ck_field_value(fn, array, name, expr->span, &value))
        return value;
    if (ck_array_attribute(fn, array, expr, &value) ||
        ck_field_value(fn, array, name, expr->span, &value))
        return value;
    if (!ck_type_is_scalar_or_date(array->type->array.elem)) {
        ck_report_field(fn, array, name, expr->attribute.name_span);
        return ck_value_error(expr->span);
    }
    if (IS_ONE_OF(name, unsupported_attributes)) {
        ck_error(fn, NOT_SUPPORTED, expr->span, ck_arena_printf(fn->c->arena, "`.%s`", name));
        return ck_value_error(expr->span);
    }
    const struct ck_numba_name *numba_name =
        ck_numba_name_find(ck_arena_printf(fn->c->arena, ".%s", name));
    if (numba_name)
        return ck_numba_name_report(fn, numba_name, expr);
    struct ck_diag *diag =
        ck_error(fn, NO_ATTRIBUTE, expr->attribute.name_span, ck_text_of(fn, array->type), name);
    add_array_attributes(&names);
    const char *nearest = ck_nearest_name(name, names.items, names.n);
    if (!ck_help_with_extension(fn, diag, name) && nearest)
        ck_diag_suggest(fn->c->diags, diag, ".", nearest);
    return ck_value_error(expr->span);
}

/* `Color.RED.value`, of an enumeration, whose members are the numbers themselves. */
static bool
is_member_value(const struct ck_fn *fn, const struct ck_value *object, const struct ck_expr *expr)
{
    const struct ck_expr *member = expr->attribute.object;
    if (strcmp(expr->attribute.name, "value") != 0 || !ck_is_constant(object->expr) ||
        member->kind != CK_EXPR_ATTRIBUTE || member->attribute.object->kind != CK_EXPR_NAME)
        return false;
    const struct ck_global *global = ck_find_global(fn->c, member->attribute.object->name);
    return global && global->kind == CK_GLOBAL_VALUE && global->syntax->kind == CK_EXPR_CALL &&
           global->syntax->call.callee->kind == CK_EXPR_CALL;
}

static struct ck_value
path_attribute(struct ck_fn *fn, const char *prefix, const struct ck_expr *expr)
{
    const char *name = expr->attribute.name;
    if (IS_ONE_OF(prefix, transparent))
        prefix = "";
    if (*prefix)
        name = ck_arena_printf(fn->c->arena, "%s.%s", prefix, name);
    return resolve_path(fn, name, expr);
}

static struct ck_value
group_attribute(struct ck_fn *fn, const struct ck_value *group, const struct ck_expr *expr)
{
    struct ck_value member = ck_group_member(fn, group, expr->attribute.name, expr->span);
    if (member.kind == CK_VALUE_ERROR)
        ck_no_member(fn, group, expr->attribute.name, expr->attribute.name_span);
    return member;
}

/* Three integers, as the dimensions of a launch are. */
static bool
is_dims(const struct ck_type *type)
{
    if (type->kind != CK_TYPE_TUPLE || type->tuple.n != 3 || type->tuple.fields)
        return false;
    for (int i = 0; i < 3; i++) {
        if (!ck_type_is_int(type->tuple.items[i]))
            return false;
    }
    return true;
}

/* `g.thread_index.x` as `g.thread_index().x`. */
static struct ck_value
called_member(struct ck_fn *fn, const struct ck_value *member, const struct ck_expr *expr)
{
    struct ck_expr *call = ck_expr_new(fn->c->arena, CK_EXPR_CALL, expr->attribute.object->span);
    call->call.callee = expr->attribute.object;
    return ck_check_builtin(fn, member, call);
}

static struct ck_value
attribute_of(struct ck_fn *fn, struct ck_value object, const struct ck_expr *expr)
{
    if (object.kind == CK_VALUE_BUILTIN && object.self && is_axis(expr->attribute.name))
        object = called_member(fn, &object, expr);
    bool is_info = object.kind == CK_VALUE_BUILTIN && object.type &&
                   (object.builtin == CK_BUILTIN_FINFO || object.builtin == CK_BUILTIN_IINFO);
    if (is_info)
        return ck_type_info_attribute(fn, &object, expr);
    struct ck_value of_type;
    if (ck_call_extension(fn, &object, expr, NULL, &of_type))
        return of_type;
    if (ck_attribute_of_type(fn, &object, expr, &of_type))
        return of_type;
    switch (object.kind) {
    case CK_VALUE_ERROR:
        if (fn->c->untyped)
            check_untyped_attribute(fn, expr);
        return object;
    case CK_VALUE_PATH:
        return path_attribute(fn, object.path, expr);
    case CK_VALUE_RUN:
        if (is_dims(object.type) && is_axis(expr->attribute.name))
            return ck_tuple_item(fn, &object, expr->attribute.name[0] - 'x');
        if (object.type->kind == CK_TYPE_TUPLE) {
            struct ck_value in_memory;
            if (ck_field_value(fn, &object, expr->attribute.name, expr->span, &in_memory))
                return in_memory;
            int field = ck_field_index(object.type, expr->attribute.name);
            if (field >= 0)
                return ck_only_item(fn, &object, field, expr->span);
        }
        if (ck_type_is_group(object.type))
            return group_attribute(fn, &object, expr);
        if (ck_type_is_array(object.type))
            return array_attribute(fn, &object, expr);
        if (is_member_value(fn, &object, expr))
            return object;
        if (ck_type_is_scalar(object.type) && ck_is_number_attribute(expr->attribute.name))
            return ck_number_attribute(fn, &object, expr);
        break;
    default:
        break;
    }
    if (object.kind == CK_VALUE_STRING) {
        ck_help_with_print(
            fn, ck_error(fn, WRONG_TYPE, object.span, "a string can only be printed or compared"));
        return ck_value_error(expr->span);
    }
    bool is_cast = strcmp(expr->attribute.name, "astype") == 0;
    bool is_view = strcmp(expr->attribute.name, "view") == 0;
    bool is_tuple = object.kind == CK_VALUE_RUN && object.type->kind == CK_TYPE_TUPLE;
    const char *what = object.kind == CK_VALUE_RUN        ? ck_text_of(fn, object.type)
                       : object.kind == CK_VALUE_FUNCTION ? "a function"
                       : object.kind == CK_VALUE_BUILTIN  ? "a built-in"
                       : object.kind == CK_VALUE_NUMPY    ? "a built-in"
                                                          : "this";
    struct ck_diag *diag =
        ck_error(fn, NO_ATTRIBUTE, expr->attribute.name_span, what, expr->attribute.name);
    if (ck_help_with_extension(fn, diag, expr->attribute.name))
        return ck_value_error(expr->span);
    if (is_tuple)
        ck_help_with_fields(fn, diag, object.type, expr->attribute.name);
    else if (object.kind == CK_VALUE_RUN && is_cast)
        ck_diag_help(fn->c->diags, diag, "cast with the type's name: `float32(%s)`",
                     ck_diag_text(fn->c->diags, object.span));
    if (object.kind == CK_VALUE_RUN && is_view)
        ck_diag_help(fn->c->diags, diag, "view the array that holds it: `x.view(dtype)[i]`");
    return ck_value_error(expr->span);
}

struct ck_value
ck_attribute_of(struct ck_fn *fn, struct ck_value object, const struct ck_expr *expr)
{
    struct ck_value value = attribute_of(fn, object, expr);
    ck_add_fact(fn, expr->attribute.name_span.start, &value);
    if (value.kind == CK_VALUE_ERROR)
        ck_add_object_fact(fn, expr->attribute.name_span.start, &object);
    return value;
}

/* `x.ctypes.data` of an array. */
static bool
is_ctypes_data(struct ck_fn *fn, const struct ck_expr *expr, struct ck_value *array)
{
    const struct ck_expr *object = expr->attribute.object;
    if (strcmp(expr->attribute.name, "data") != 0 || object->kind != CK_EXPR_ATTRIBUTE ||
        strcmp(object->attribute.name, "ctypes") != 0)
        return false;
    *array = ck_probe(fn, object->attribute.object);
    if (array->kind != CK_VALUE_RUN || !ck_type_is_array(array->type))
        return false;
    *array = ck_check_name(fn, object->attribute.object);
    return true;
}

struct ck_value
ck_check_name(struct ck_fn *fn, const struct ck_expr *expr)
{
    if (expr->kind == CK_EXPR_NAME) {
        struct ck_value value = plain_name(fn, expr);
        if (!ck_is_hidden_name(expr->name))
            ck_add_fact(fn, expr->span.start, &value);
        return value;
    }
    struct ck_value array;
    if (expr->kind == CK_EXPR_ATTRIBUTE && is_ctypes_data(fn, expr, &array))
        return ck_ctypes_data(fn, &array, expr);
    if (expr->kind == CK_EXPR_ATTRIBUTE)
        return ck_attribute_of(fn, ck_check_name(fn, expr->attribute.object), expr);
    return ck_check_expr(fn, expr);
}
