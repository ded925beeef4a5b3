/* Warnings wait until every launch has been compiled and checked: errors come before them. */
#include <stdlib.h>
#include <string.h>

#include "../common/messages.h"
#include "ckrun.h"

/* A copy of a warning, whose context may have others by the time it is printed. */
struct ckrun_warning {
    ck_diagnostic diagnostic;
    const char *launch; /* that it is of; NULL: of the whole file */
};

static const char *
copy_text(const char *text)
{
    return text ? tool_strndup(text, strlen(text)) : NULL;
}

void
ckrun_hold_warning(struct ckrun_session *session, const ck_diagnostic *d, const char *launch)
{
    ck_diagnostic_label *labels = tool_alloc((d->n_labels + 1) * sizeof *labels);
    for (size_t i = 0; i < d->n_labels; i++) {
        labels[i] = d->labels[i];
        labels[i].text = copy_text(d->labels[i].text);
    }
    ck_diagnostic copy = *d;
    copy.name = copy_text(d->name);
    copy.message = copy_text(d->message);
    copy.file = copy_text(d->file);
    copy.rendered = copy_text(d->rendered);
    copy.labels = labels;
    copy.help = copy_text(d->help);
    copy.note = copy_text(d->note);
    copy.threads = NULL; /* a finding's */
    copy.n_threads = 0;
    session->warnings =
        tool_grow(session->warnings, session->n_warnings + 1, sizeof *session->warnings);
    session->warnings[session->n_warnings++] = (struct ckrun_warning){copy, launch};
}

static void
release(struct ckrun_warning *warning)
{
    const ck_diagnostic *d = &warning->diagnostic;
    const char *const texts[] = {d->name, d->message, d->file, d->rendered, d->help, d->note};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free((void *)texts[i]);
    for (size_t i = 0; i < d->n_labels; i++)
        free((void *)d->labels[i].text);
    free((void *)d->labels);
}

/* By their places in the file. */
static void
sort(struct ckrun_warning *warnings, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const struct ckrun_warning warning = warnings[i];
        const ck_diagnostic *d = &warning.diagnostic, *before;
        size_t k = i;
        for (; k > 0; k--) {
            before = &warnings[k - 1].diagnostic;
            if (before->line < d->line || (before->line == d->line && before->column <= d->column))
                break;
            warnings[k] = warnings[k - 1];
        }
        warnings[k] = warning;
    }
}

void
ckrun_print_warnings(struct ckrun_session *session)
{
    sort(session->warnings, session->n_warnings);
    for (size_t i = 0; i < session->n_warnings; i++) {
        struct ckrun_warning *warning = &session->warnings[i];
        const struct tool_fact fact = {"launch", warning->launch};
        tool_report_diagnostic(&warning->diagnostic, &fact, 1);
        session->counts.warnings++;
    }
    ckrun_drop_warnings(session);
}

void
ckrun_drop_warnings(struct ckrun_session *session)
{
    for (size_t i = 0; i < session->n_warnings; i++)
        release(&session->warnings[i]);
    free(session->warnings);
    session->warnings = NULL;
    session->n_warnings = 0;
}
