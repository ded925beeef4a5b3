/* Imports: see import.h. */
#include "lang/check/import.h"

#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"
#include "lang/check/foreign_names.h"
#include "lang/check/libdevice.h"

/* What editors offer of a module, beside the names that its own path begins. */
enum { TYPES = 1, BUILTINS = 2, FUNCTIONS = 4 /* those that only compute */ };

/* The modules from which kernels import. `path` begins the names of each: "" is that of the
 * built-ins, which a program can import from all modules of Numba. `more` are names that editors
 * offer. */
static const struct module {
    const char *name, *path;
    int offers;
    const char *more;
} modules[] = {
    {"ck", "", TYPES, "cuda"},
    {"numba", "", TYPES, "cuda extending jit njit types"},
    {"numba.cuda", "", BUILTINS, "cg fp8 jit libdevice random types"},
    {"numba.cuda.cg", "", 0, "coalesced_threads this_block this_cluster this_grid this_thread"},
    {"numba.types", "", TYPES, ""},
    {"numba.core", "", 0, "extending types"},
    {"numba.core.types", "", TYPES, ""},
    {"numba.cuda.types", "", TYPES, ""},
    {"numba.cuda.core", "", 0, "types"},
    {"numba.cuda.core.types", "", TYPES, ""},
    {"numba.np.numpy_support", "", 0, "from_dtype"},
    {"numba.cuda.np.numpy_support", "", 0, "from_dtype"},
    {"numba.cuda.random", "random", 0, ""},
    {"numba.cuda.fp8", "fp8", 0, ""},
    {"numba.cuda.libdevice", CK_LIBDEVICE, 0, ""},
    {"numba.extending", "", 0, "overload register_jitable"},
    {"numba.cuda.extending", "", 0, "overload register_jitable"},
    {"numba.core.extending", "", 0, "overload register_jitable"},
    {"math", "math", FUNCTIONS, "e inf nan pi tau"},
    {"cmath", "cmath", FUNCTIONS, "e inf infj nan nanj pi tau"},
    {"operator", "operator", 0, ""},
    {"collections", "", 0, "namedtuple"},
    {"numpy", "np", TYPES | FUNCTIONS, "datetime64 dtype e inf nan pi timedelta64"},
    {"__future__", "", 0, "annotations"},
};

/* NULL: another module. */
static const struct module *
find_module(const char *name)
{
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        if (strcmp(modules[i].name, name) == 0)
            return &modules[i];
    }
    return NULL;
}

static bool
is_operator(const struct module *module)
{
    return strcmp(module->path, "operator") == 0;
}

static bool
is_collections(const struct module *module)
{
    return strcmp(module->name, "collections") == 0;
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
           ck_type_by_name(name) || strcmp(name, "voidptr") == 0 || ck_is_vector_name(name) ||
           ck_numba_name_find(name) || ck_unsupported_find(name);
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

/* `import M` binds M only where that is no name of the language already. */
static void
declare_module(struct ck_checker *c, const struct ck_import *import, const struct module *module)
{
    const bool is_unbound =
        is_operator(module) || is_collections(module) || strcmp(module->name, "ck") == 0;
    const char *name = import->alias ? import->alias : is_unbound ? import->module : NULL;
    if (name)
        ck_declare(c, CK_GLOBAL_IMPORT, name, import->module_span)->path = module->path;
}

/* The path of what a module calls NAME; NULL: it has no such name. */
static const char *
path_of(struct ck_checker *c, const struct module *module, const char *name)
{
    const char *path = ck_arena_printf(c->arena, "%s.%s", module->path, name);
    if (*module->path &&
        (ck_numpy_find(path) || ck_is_python_operator(path) || ck_libdevice_function(c, path) ||
         ck_builtin_find(path) >= 0 || ck_builtin_is_prefix(path)))
        return path;
    if (is_collections(module))
        return strcmp(name, "namedtuple") == 0 ? name : NULL;
    if (is_operator(module) || !is_known_name(c, name))
        return NULL;
    /* Numba's own jit is njit; the jit of its CUDA target is a different function. */
    return strcmp(module->name, "numba") == 0 && strcmp(name, "jit") == 0 ? "njit" : name;
}

void
ck_declare_import(struct ck_checker *c, const struct ck_item *item)
{
    const struct ck_import *import = &item->import;
    const struct module *module = find_module(import->module);
    if (!module) {
        declare_foreign_module(c, import);
        return;
    }
    if (!import->is_from) {
        declare_module(c, import, module);
        return;
    }
    for (int i = 0; i < import->n_names; i++) {
        const struct ck_import_name *name = &import->names[i];
        const char *path = path_of(c, module, name->name);
        if (path)
            ck_declare(c, CK_GLOBAL_IMPORT, name->alias, name->span)->path = path;
        else
            declare_foreign(c, import, name->alias, name->span)->import_name = name;
    }
}

/* --- For editors ---------------------------------------------------------------------------------
 */

const char *
ck_import_module(size_t i)
{
    return i < sizeof modules / sizeof *modules ? modules[i].name : NULL;
}

/* Adds a name, or the first part of a path, if the module has it. */
static void
offer(struct ck_checker *c, struct ck_names *names, const struct module *module, const char *path)
{
    const char *name = ck_arena_strndup(c->arena, path, strcspn(path, "."));
    if (path_of(c, module, name))
        CK_PUSH(names->arena, names->items, names->n, names->capacity, name);
}

/* The names that the module's own path begins. */
static void
offer_own(struct ck_checker *c, struct ck_names *names, const struct module *module)
{
    const size_t n = strlen(module->path);
    struct ck_names all = {.arena = c->arena};
    if (!n)
        return;
    ck_add_numpy_names(names, module->path);
    if (is_operator(module))
        ck_add_python_operators(names);
    ck_add_libdevice_names(c, &all);
    for (int id = 0; id < CK_N_BUILTINS; id++)
        CK_PUSH(all.arena, all.items, all.n, all.capacity, ck_builtin_path((enum ck_builtin_id)id));
    for (int i = 0; i < all.n; i++) {
        if (strncmp(all.items[i], module->path, n) == 0 && all.items[i][n] == '.')
            offer(c, names, module, all.items[i] + n + 1);
    }
}

void
ck_add_import_names(struct ck_checker *c, const char *name, struct ck_names *names)
{
    const struct module *module = find_module(name);
    if (!module)
        return;
    offer_own(c, names, module);
    for (const char *word = module->more; *word; word += strspn(word, " ")) {
        const size_t n = strcspn(word, " ");
        offer(c, names, module, ck_arena_strndup(c->arena, word, n));
        word += n;
    }
    for (int kind = CK_TYPE_BOOL; (module->offers & TYPES) && kind <= CK_TYPE_COMPLEX128; kind++)
        offer(c, names, module, ck_type_text(c->arena, ck_type_scalar((enum ck_type_kind)kind)));
    for (int i = 0; i < CK_N_BUILTINS; i++) {
        const enum ck_builtin_id id = (enum ck_builtin_id)i;
        if ((module->offers & BUILTINS) ||
            ((module->offers & FUNCTIONS) && ck_builtin_is_elementwise(id)))
            offer(c, names, module, ck_builtin_path(id));
    }
}
