/* The prelude's loader: lang/prelude/ is the part of the language that is written in the language.
 * Each of its functions is parsed when a program first needs it. */
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"
#include "lang/check/libdevice.h"
#include "lang/prelude/prelude.h"

struct function {
    const char *name, *text; /* from its `def` to the next */
    size_t name_length, length;
    bool is_outlined, is_checked;
    struct ck_global *global; /* NULL: not parsed yet */
};

struct ck_prelude {
    struct function *functions;
    int n, capacity;
    struct ck_index index; /* by name */
};

static const char start[] = "\ndef ";
static const char libdevice[] = CK_LIBDEVICE "_"; /* how names of its functions begin */
static const char outlined[] = "\n@outlined", checked[] = "\n@checked"; /* before it */

static const char *
next_function(const char *text)
{
    return strstr(text, start);
}

static bool
is_marked(const char *at, const char *mark)
{
    const size_t length = strlen(mark);
    return (size_t)(at - ck_prelude_text) >= length && memcmp(at - length, mark, length) == 0;
}

/* Indexes the functions by name. */
static struct ck_prelude *
index_functions(struct ck_checker *c)
{
    struct ck_prelude *prelude = CK_NEW(c->arena, struct ck_prelude);
    const char *end = ck_prelude_text + ck_prelude_length;
    for (const char *at = next_function(ck_prelude_text), *next; at; at = next) {
        const char *name = at + strlen(start);
        next = next_function(name);
        struct function function = {.name = name, .text = at + 1};
        function.name_length = strcspn(name, "(");
        function.length = (size_t)((next ? next + 1 : end) - function.text);
        function.is_outlined = is_marked(at, outlined);
        function.is_checked = is_marked(at, checked);
        function.length -= next && is_marked(next, outlined)  ? strlen(outlined)
                           : next && is_marked(next, checked) ? strlen(checked)
                                                              : 0;
        CK_PUSH(c->arena, prelude->functions, prelude->n, prelude->capacity, function);
        ck_index_add(c->arena, &prelude->index, ck_hash_bytes(name, function.name_length));
    }
    return prelude;
}

/* The types of the parameters, which functions of libdevice have. */
static const struct ck_type **
annotations_of(struct ck_checker *c, const struct ck_function *function)
{
    const struct ck_type **types =
        CK_NEW_ARRAY(c->arena, const struct ck_type *, function->n_params);
    for (int i = 0; i < function->n_params; i++)
        types[i] = ck_type_by_name(function->params[i].annotation->name);
    return types;
}

static struct ck_global *
read_function(struct ck_checker *c, const struct function *function)
{
    struct ck_source *source = CK_NEW(c->arena, struct ck_source);
    struct ck_diags *diags = CK_NEW(c->arena, struct ck_diags);
    ck_source_init(source, c->arena, "prelude", function->text, (uint32_t)function->length);
    ck_diags_init(diags, c->arena, source);
    const struct ck_ast *ast = ck_parse(c->arena, source, diags);
    struct ck_global *global = CK_NEW(c->arena, struct ck_global);
    global->kind = CK_GLOBAL_FUNCTION;
    global->function = ast->items[0]->function;
    global->name = global->function->name;
    global->member = ck_member_of_name(c, global->name);
    if (strncmp(global->name, libdevice, sizeof libdevice - 1) == 0) {
        global->annotations = annotations_of(c, global->function);
        global->name =
            ck_arena_printf(c->arena, CK_LIBDEVICE ".%s", global->name + sizeof libdevice - 1);
    }
    global->in_prelude = true;
    global->is_outlined = function->is_outlined;
    global->is_checked = function->is_checked;
    global->options.no_wraparound = true;
    return global;
}

struct ck_global *
ck_prelude_function(struct ck_checker *c, const char *name)
{
    if (!c->prelude)
        c->prelude = index_functions(c);
    const struct ck_prelude *prelude = c->prelude;
    const size_t length = strlen(name);
    uint32_t hash = ck_hash_bytes(name, length);
    for (int i = ck_index_first(&prelude->index, hash); i >= 0;
         i = ck_index_next(&prelude->index, i)) {
        struct function *function = &prelude->functions[i];
        if (function->name_length != length || memcmp(function->name, name, length) != 0)
            continue;
        if (!function->global)
            function->global = read_function(c, function);
        return function->global;
    }
    return NULL;
}

/* --- libdevice -----------------------------------------------------------------------------------
 */

struct ck_global *
ck_libdevice_function(struct ck_checker *c, const char *path)
{
    if (strncmp(path, CK_LIBDEVICE ".", sizeof CK_LIBDEVICE) != 0)
        return NULL;
    return ck_prelude_function(
        c, ck_arena_printf(c->arena, "%s%s", libdevice, path + sizeof CK_LIBDEVICE));
}

void
ck_add_libdevice_names(struct ck_checker *c, struct ck_names *names)
{
    ck_prelude_function(c, ""); /* indexes */
    for (int i = 0; i < c->prelude->n; i++) {
        const struct function *function = &c->prelude->functions[i];
        const size_t n = sizeof libdevice - 1;
        if (function->name_length <= n || memcmp(function->name, libdevice, n) != 0)
            continue;
        const char *name = ck_arena_printf(c->arena, CK_LIBDEVICE ".%.*s",
                                           (int)(function->name_length - n), function->name + n);
        CK_PUSH(names->arena, names->items, names->n, names->capacity, name);
    }
}
