/* Imports: the names that they bind, of modules that ck knows and of others. */
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"
#include "lang/check/foreign_names.h"
#include "lang/check/libdevice.h"

static bool
is_known_module(const char *name)
{
    static const char *const modules[] = {"ck",
                                          "numba",
                                          "numba.cuda",
                                          "numba.cuda.cg",
                                          "numba.types",
                                          "numba.core",
                                          "numba.core.types",
                                          "numba.cuda.types",
                                          "numba.cuda.core",
                                          "numba.cuda.core.types",
                                          "numba.cuda.random",
                                          "numba.cuda.fp8",
                                          "numba.cuda.libdevice",
                                          "numba.extending",
                                          "numba.cuda.extending",
                                          "numba.core.extending",
                                          "math",
                                          "cmath",
                                          "operator",
                                          "collections",
                                          "numpy",
                                          "__future__"};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        if (strcmp(modules[i], name) == 0)
            return true;
    }
    return false;
}

static bool
is_known_name(struct ck_checker *c, const char *name)
{
    static const char *const others[] = {
        "cuda",   "cg",          "types",     CK_LIBDEVICE, "jit",
        "kernel", "annotations", "extending", "overload",   "register_jitable"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(others[i], name) == 0)
            return true;
    }
    if (*name == '_')
        return false;
    return ck_builtin_find(name) >= 0 || ck_group_row(c, name) >= 0 || ck_builtin_is_prefix(name) ||
           ck_type_by_name(name) || ck_is_vector_name(name) || ck_numba_name_find(name) ||
           ck_unsupported_find(name);
}

/* A name of a module that kernels do not have; its uses are errors. */
static struct ck_global *
declare_foreign(struct ck_checker *c, const struct ck_import *import, const char *name,
                struct ck_span span)
{
    struct ck_global *global = ck_declare(c, CK_GLOBAL_HOST, name, span);
    global->import = import;
    return global;
}

static bool
is_root(const char *name)
{
    return strcmp(name, "numba") == 0 || strcmp(name, "cuda") == 0 || *ck_numpy_module(name);
}

static void
declare_foreign_module(struct ck_checker *c, const struct ck_import *import)
{
    for (int i = 0; i < import->n_names; i++)
        declare_foreign(c, import, import->names[i].alias, import->names[i].span);
    if (import->is_from)
        return;
    const char *name = import->alias ? import->alias : import->module;
    const char *first = ck_arena_strndup(c->arena, name, strcspn(name, "."));
    if (import->alias || !is_root(first)) /* `import numpy.linalg` binds numpy */
        declare_foreign(c, import, first, import->module_span);
}

static void
bad_import(struct ck_checker *c, const struct ck_global *global)
{
    const struct ck_import *import = global->import;
    struct ck_diag *diag =
        ck_diag_add(c->diags, CK_DIAG_BAD_IMPORT, import->module_span, import->module);
    ck_diag_label(c->diags, diag, global->used_at, "used here");
    const bool is_random =
        strcmp(import->module, "random") == 0 || strcmp(import->module, "numpy.random") == 0;
    ck_diag_help(c->diags, diag, "%s",
                 is_random
                     ? CK_RANDOM_HELP
                     : "kernels use numba, numba.cuda, math, cmath, operator and numpy only; leave "
                       "the rest to the host program");
}

static void
bad_import_name(struct ck_checker *c, const struct ck_global *global)
{
    const struct ck_import *import = global->import;
    const struct ck_import_name *name = global->import_name;
    struct ck_diag *diag =
        ck_diag_add(c->diags, CK_DIAG_BAD_IMPORT_NAME, name->span, name->name, import->module);
    ck_diag_label(c->diags, diag, global->used_at, "used here");
    struct ck_fn scope = ck_module_scope(c);
    struct ck_names names = {.arena = c->arena};
    ck_add_numpy_names(&names, ck_numpy_module(import->module));
    ck_add_language_names(&scope, &names);
    const char *nearest = ck_nearest_name(name->name, names.items, names.n);
    if (nearest && !strchr(nearest, '.')) /* a component of a dotted name cannot be imported */
        ck_diag_help(c->diags, diag, "did you mean `%s`?", nearest);
    else
        ck_diag_help(c->diags, diag, "see the language's list of built-ins");
}

void
ck_report_import(struct ck_checker *c, const struct ck_global *global)
{
    if (global->import_name)
        bad_import_name(c, global);
    else
        bad_import(c, global);
}

static bool
is_libdevice(const char *module)
{
    return strcmp(module, "numba.cuda.libdevice") == 0;
}

/* The path of a name of a module whose built-ins have its name before them: `fp8.NAME`. NULL: the
 * module, or the name, is none of these. */
static const char *
member_path(struct ck_checker *c, const char *module, const char *name)
{
    const char *dot = strrchr(module, '.');
    if (!dot || !ck_builtin_is_prefix(dot + 1))
        return NULL;
    const char *path = ck_arena_printf(c->arena, "%s.%s", dot + 1, name);
    return ck_builtin_find(path) >= 0 || ck_builtin_is_prefix(path) ? path : NULL;
}

void
ck_declare_import(struct ck_checker *c, const struct ck_item *item)
{
    const struct ck_import *import = &item->import;
    if (!is_known_module(import->module)) {
        declare_foreign_module(c, import);
        return;
    }
    if (!import->is_from) {
        const char *dot = strrchr(import->module, '.');
        bool is_prefix = dot && ck_builtin_is_prefix(dot + 1); /* random */
        /* Modules whose names are the bare ones. */
        bool is_bare =
            strcmp(import->module, "collections") == 0 || strcmp(import->module, "ck") == 0;
        if (strcmp(import->module, "operator") == 0)
            ck_declare(c, CK_GLOBAL_IMPORT, import->alias ? import->alias : import->module,
                       import->module_span)
                ->path = import->module;
        else if (is_bare)
            ck_declare(c, CK_GLOBAL_IMPORT, import->alias ? import->alias : import->module,
                       import->module_span)
                ->path = "";
        else if (import->alias)
            ck_declare(c, CK_GLOBAL_IMPORT, import->alias, import->module_span)->path =
                is_prefix || is_libdevice(import->module) ? dot + 1
                                                          : ck_numpy_module(import->module);
        return;
    }
    for (int i = 0; i < import->n_names; i++) {
        const struct ck_import_name *name = &import->names[i];
        bool is_operator = strcmp(import->module, "operator") == 0;
        const char *module = is_operator ? import->module : ck_numpy_module(import->module);
        if (is_libdevice(import->module))
            module = CK_LIBDEVICE;
        const char *path = ck_arena_printf(c->arena, "%s.%s", module, name->name);
        const char *member = member_path(c, import->module, name->name);
        if (member) {
            ck_declare(c, CK_GLOBAL_IMPORT, name->alias, name->span)->path = member;
            continue;
        }
        if (ck_numpy_find(path) || ck_is_python_operator(path) || ck_libdevice_function(c, path)) {
            ck_declare(c, CK_GLOBAL_IMPORT, name->alias, name->span)->path = path;
            continue;
        }
        bool is_collections = strcmp(import->module, "collections") == 0;
        bool is_known = is_collections ? strcmp(name->name, "namedtuple") == 0
                                       : !is_operator && is_known_name(c, name->name);
        if (!is_known) {
            declare_foreign(c, import, name->alias, name->span)->import_name = name;
            continue;
        }
        /* Numba's own jit is njit; the jit of its CUDA target is a different function. */
        bool njit = strcmp(import->module, "numba") == 0 && strcmp(name->name, "jit") == 0;
        ck_declare(c, CK_GLOBAL_IMPORT, name->alias, name->span)->path = njit ? "njit" : name->name;
    }
}
