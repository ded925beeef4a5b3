/* The part of the language that is written in the language: lang/prelude/, read when a program
 * first needs it. */
#include "lang/prelude.h"

#include <string.h>

#include "lang/check_internal.h"

struct ck_prelude {
    struct ck_global **globals;
    int n, capacity;
    struct ck_index index; /* by name */
};

static struct ck_prelude *
read_prelude(struct ck_checker *c)
{
    struct ck_prelude *prelude = CK_NEW(c->arena, struct ck_prelude);
    struct ck_source *source = CK_NEW(c->arena, struct ck_source);
    struct ck_diags *diags = CK_NEW(c->arena, struct ck_diags);
    ck_source_init(source, c->arena, "prelude", ck_prelude_text, (uint32_t)ck_prelude_length);
    ck_diags_init(diags, c->arena, source);
    const struct ck_ast *ast = ck_parse(c->arena, source, diags);
    for (int i = 0; i < ast->n_items; i++) {
        struct ck_global *global = CK_NEW(c->arena, struct ck_global);
        global->kind = CK_GLOBAL_FUNCTION;
        global->function = ast->items[i]->function;
        global->name = global->function->name;
        global->in_prelude = true;
        global->options.no_wraparound = true;
        CK_PUSH(c->arena, prelude->globals, prelude->n, prelude->capacity, global);
        ck_index_add(c->arena, &prelude->index, ck_hash_text(global->name));
    }
    return prelude;
}

struct ck_global *
ck_prelude_function(struct ck_checker *c, const char *name)
{
    if (!c->prelude)
        c->prelude = read_prelude(c);
    const struct ck_prelude *prelude = c->prelude;
    uint32_t hash = ck_hash_text(name);
    for (int i = ck_index_first(&prelude->index, hash); i >= 0;
         i = ck_index_next(&prelude->index, i)) {
        if (strcmp(prelude->globals[i]->name, name) == 0)
            return prelude->globals[i];
    }
    return NULL;
}
