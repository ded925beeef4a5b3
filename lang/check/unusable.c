/* Names of the module that compiled code cannot use, reported where it does: constants without a
 * value, constants that host code changes or binds again, and names of host code. */
#include <string.h>

#include "lang/check/const_sequence.h"
#include "lang/check/import.h"
#include "lang/check/overload.h"
#include "lang/check/unusable.h"
#include "lang/syntax/changes.h"

/* Whether this was reported of the same name, at whatever place. */
static bool
was_reported(const struct ck_diags *diags, enum ck_diag_id id, const char *name)
{
    for (const struct ck_diag *diag = diags->first; diag; diag = diag->next) {
        if (diag->id == id && diag->subject && strcmp(diag->subject, name) == 0)
            return true;
    }
    return false;
}

/* --- Host code -----------------------------------------------------------------------------------
 */

static bool
is_intrinsic(struct ck_checker *c, const struct ck_global *global)
{
    for (int i = 0; global->function && i < global->function->n_decorators; i++) {
        const char *path = ck_extending_decorator(c, global->function->decorators[i]);
        if (path && strcmp(path, "intrinsic") == 0)
            return true;
    }
    return false;
}

void
ck_report_host(struct ck_fn *fn, struct ck_global *global, struct ck_span use)
{
    struct ck_checker *c = fn->c;
    c->n_failures++;
    if (c->diags->quiet || was_reported(c->diags, CK_DIAG_HOST_CODE, global->name))
        return;
    global->used_at = use;
    if (global->import) {
        ck_report_import(c, global);
        return;
    }
    struct ck_diag *diag = ck_error(fn, HOST_CODE, use, global->name);
    diag->subject = global->name;
    ck_diag_label(c->diags, diag, global->span, "`%s` is bound here", global->name);
    if (is_intrinsic(c, global))
        ck_diag_help(c->diags, diag,
                     "an intrinsic writes LLVM IR for Numba: write a device function of built-ins "
                     "(docs/builtins.md)");
    else
        ck_diag_help(c->diags, diag,
                     "kernels use functions and constants of the module; pass other values as "
                     "arguments");
}

/* --- Constants -----------------------------------------------------------------------------------
 */

void
ck_report_again(struct ck_checker *c, const struct ck_global *global)
{
    struct ck_diag *diag = ck_diag_add(c->diags, CK_DIAG_DUPLICATE, global->again_at, global->name);
    ck_diag_label(c->diags, diag, global->span, "first defined here");
    if (global->used_at.end)
        ck_diag_label(c->diags, diag, global->used_at, "used here");
}

/* Kernels and what they call do not change an array of the module: a store to one is an error. */
static bool
is_reached(void *context, const char *name)
{
    const struct ck_global *function = ck_find_global(context, name);
    return function && function->reached;
}

static bool
is_changed(struct ck_checker *c, const struct ck_global *global, struct ck_span *out)
{
    /* Those in the device's memory are there for the host to change. */
    const bool is_array = global->value.kind == CK_VALUE_RUN &&
                          ck_type_is_array(global->value.type) &&
                          global->value.expr->kind != CK_T_MODULE_ARRAY;
    if (!is_array && !ck_is_list(global->syntax))
        return false;
    if (!c->changes)
        c->changes = ck_changes_find(c->arena, c->source, c->diags);
    const int ndim = is_array ? global->value.type->array.ndim : CK_MAX_NDIM;
    return ck_changes_of(c->changes, global->name, ndim, is_reached, c, out);
}

static void
report_changed(struct ck_checker *c, const struct ck_global *global, struct ck_span change,
               struct ck_span use)
{
    struct ck_diag *diag = ck_diag_add(c->diags, CK_DIAG_CHANGED_CONSTANT, change, global->name);
    ck_diag_label(c->diags, diag, global->span, "defined here");
    ck_diag_label(c->diags, diag, use, "used here");
    ck_diag_help(c->diags, diag, "write the elements in the definition, or pass the array");
}

enum { MOST_LABELS = 4 };

/* Adds the causes of a constant's errors. A constant of others that have no value has their causes.
 */
static void
add_causes(struct ck_checker *c, struct ck_diag *diag, const struct ck_diag *cause)
{
    for (; cause; cause = cause->next) {
        if (cause->severity != CK_SEVERITY_ERROR)
            continue;
        bool nested = cause->id == CK_DIAG_NO_VALUE;
        for (int i = 0; nested && i < cause->n_labels && diag->n_labels < MOST_LABELS; i++)
            ck_diag_label(c->diags, diag, cause->labels[i].span, "%s", cause->labels[i].text);
        if (!nested && diag->n_labels < MOST_LABELS)
            ck_diag_label(c->diags, diag, cause->span, "%s", cause->message);
        if (cause->help && !diag->help)
            ck_diag_help(c->diags, diag, "%s", cause->help);
    }
}

/* Whether a label is within the assignment. */
static bool
has_label_in(const struct ck_diag *diag, struct ck_span assignment)
{
    for (int i = 0; i < diag->n_labels; i++) {
        if (diag->labels[i].span.start >= assignment.start &&
            diag->labels[i].span.end <= assignment.end)
            return true;
    }
    return false;
}

static bool
has_error(const struct ck_diag *diag)
{
    while (diag && diag->severity != CK_SEVERITY_ERROR)
        diag = diag->next;
    return diag != NULL;
}

/* A constant without a value. One whose errors were reported elsewhere, as those of tokens and of
 * the stack are, is no further error. */
static void
report_no_value(struct ck_fn *fn, const struct ck_global *global, struct ck_span use)
{
    struct ck_checker *c = fn->c;
    fn->c->n_failures++;
    bool has_cause = has_error(global->held) || has_error(global->problems);
    if (!has_cause && c->diags->n_errors)
        return;
    if (c->diags->quiet || was_reported(c->diags, CK_DIAG_NO_VALUE, global->name))
        return;
    struct ck_diag *diag = ck_error(fn, NO_VALUE, use, global->name);
    if (diag == &c->diags->dummy)
        return;
    diag->subject = global->name;
    add_causes(c, diag, global->held);
    add_causes(c, diag, global->problems);
    if (!has_label_in(diag, global->stmt->span))
        ck_diag_label(c->diags, diag, global->span, "`%s` is defined here", global->name);
    if (!diag->help)
        ck_diag_help(c->diags, diag, "pass it as an argument of the kernel");
}

bool
ck_report_unusable(struct ck_fn *fn, struct ck_global *global, struct ck_span use)
{
    struct ck_checker *c = fn->c;
    struct ck_span change;
    if (!global->reached || global->checking)
        return false;
    if (global->value.kind == CK_VALUE_ERROR || has_error(global->held) ||
        has_error(global->problems)) {
        report_no_value(fn, global, use);
        return true;
    }
    bool again = global->again_at.end, changed = !again && is_changed(c, global, &change);
    if (again || changed)
        c->n_failures++;
    global->used_at = use;
    if (again)
        ck_report_again(c, global);
    else if (changed)
        report_changed(c, global, change, use);
    return again || changed;
}
