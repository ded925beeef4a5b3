/* The kernels that warnings are of: those whose code calls the functions in which a warning was
 * found. Of a warning of the text alone, those whose text names the function around it, and so
 * on. */
#include <string.h>

#include "lang/check/checker.h"

static void
add_kernel(struct ck_checker *c, struct ck_diag *warning, const char *kernel)
{
    for (int i = 0; i < warning->n_kernels; i++) {
        if (strcmp(warning->kernels[i], kernel) == 0)
            return;
    }
    CK_PUSH(c->arena, warning->kernels, warning->n_kernels, warning->kernels_capacity, kernel);
}

/* Whether the program has one of the functions in which the warning was found; before another
 * program is made of them. */
static bool
was_found_in(const struct ck_diag *warning, const struct ck_program *program)
{
    bool found = false;
    for (int i = 0; i < warning->n_functions; i++)
        found = found || warning->functions[i]->program == program;
    return found;
}

static void
add_callers(struct ck_checker *c)
{
    for (int i = 0; i < c->program.n_functions; i++) {
        struct ck_tfunc *kernel = c->program.functions[i];
        if (!kernel->is_kernel)
            continue;
        const struct ck_program *program = ck_checker_program_of(c, &kernel, 1);
        for (struct ck_diag *d = c->diags->first; d; d = d->next) {
            if (was_found_in(d, program))
                add_kernel(c, d, kernel->name);
        }
    }
}

/* The innermost function around a place; NULL: none. */
static const struct ck_global *
function_around(const struct ck_checker *c, struct ck_span place)
{
    const struct ck_global *around = NULL;
    for (int i = 0; i < c->n_globals; i++) {
        const struct ck_global *global = c->globals[i];
        const struct ck_function *function = global->function;
        if (function && !global->in_prelude && place.start >= function->span.start &&
            place.start < function->body.span.end &&
            (!around || function->span.start > around->function->span.start))
            around = global;
    }
    return around;
}

/* Whether the text of a function leads to that of another. What was seen is marked with `from`. */
static bool
leads_to(struct ck_global *global, const struct ck_global *to, const struct ck_global *from)
{
    bool leads = global == to;
    global->seen_from = from;
    for (int i = 0; i < global->n_overloads; i++)
        leads = leads || global->overloads[i] == to;
    for (int i = 0; i < global->references.n && !leads; i++) {
        struct ck_global *named = global->references.items[i];
        leads = named->seen_from != from && leads_to(named, to, from);
    }
    return leads;
}

/* Of a warning that was found in no typed function, or in those of kernels with errors alone. */
static void
add_by_text(struct ck_checker *c, struct ck_diag *warning)
{
    const struct ck_global *around = function_around(c, warning->span);
    if (!around)
        return;
    warning->is_of_function = true;
    for (int i = 0; i < c->n_globals; i++)
        c->globals[i]->seen_from = NULL;
    for (int i = 0; i < c->n_globals; i++) {
        struct ck_global *kernel = c->globals[i];
        if (kernel->is_kernel && leads_to(kernel, around, kernel))
            add_kernel(c, warning, kernel->name);
    }
}

void
ck_find_warned_kernels(struct ck_checker *c)
{
    bool is_any_typed = false;
    for (struct ck_diag *d = c->diags->first; d; d = d->next)
        is_any_typed |= d->n_functions > 0;
    if (is_any_typed)
        add_callers(c);
    for (struct ck_diag *d = c->diags->first; d; d = d->next) {
        d->is_of_function = d->n_kernels > 0;
        if (!d->is_of_function && d->severity == CK_SEVERITY_WARNING &&
            d->id != CK_DIAG_TOO_MANY_WARNINGS)
            add_by_text(c, d);
    }
}

void
ck_give_warnings(struct ck_checker *c, struct ck_tfunc *kernel, struct ck_diag **warnings)
{
    const struct ck_program *program = kernel ? ck_checker_program_of(c, &kernel, 1) : NULL;
    struct ck_diag **at = warnings;
    while (program && *at) {
        struct ck_diag *warning = *at;
        if (!was_found_in(warning, program)) {
            at = &warning->next;
            continue;
        }
        *at = warning->next;
        warning->next = NULL;
        ck_diags_give(c->diags, warning);
    }
}
