/* What the checks of a launch found: each pair of places once, as many as --check-limit has. */
#include <stdlib.h>
#include <string.h>

#include "../common/messages.h"
#include "base/strbuf.h"
#include "ckrun.h"

/* --- What was printed before -------------------------------------------------------------------
 */

static int
compare_places(const void *a, const void *b)
{
    const ck_diagnostic_label *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return 0;
}

/* A name and its places, to be freed: the same for the same mistake in another order of threads,
 * where elements, threads and the two accesses may be others or swapped. */
static char *
finding_key(const ck_diagnostic *d)
{
    struct ck_strbuf key;
    ck_diagnostic_label *places = tool_alloc((d->n_labels + 1) * sizeof *places);
    for (size_t i = 0; i < d->n_labels; i++)
        places[i] = d->labels[i];
    places[d->n_labels] = (ck_diagnostic_label){.line = d->line, .column = d->column};
    qsort(places, d->n_labels + 1, sizeof *places, compare_places);
    ck_strbuf_init(&key);
    ck_strbuf_printf(&key, "%s", d->name);
    for (size_t i = 0; i <= d->n_labels; i++)
        ck_strbuf_printf(&key, ":%u:%u", places[i].line, places[i].column);
    free(places);
    char *text = ck_strbuf_take(&key);
    return text ? text : tool_strndup("", 0);
}

/* Whether the text is in the list of what was printed; takes it over and adds it if not. */
static bool
was_printed(struct ckrun_session *session, char *text)
{
    for (size_t i = 0; i < session->n_printed; i++) {
        if (strcmp(session->printed[i], text) == 0) {
            free(text);
            return true;
        }
    }
    session->printed =
        tool_grow(session->printed, session->n_printed + 1, sizeof *session->printed);
    session->printed[session->n_printed++] = text;
    return false;
}

/* --- Diagnostics -------------------------------------------------------------------------------
 */

/* Whether it is a warning of other kernels than those of the run. */
static bool
is_of_others(const struct ckrun_session *session, const ck_diagnostic *d)
{
    bool others = d->severity != CK_ERROR && d->kernels && session->n_kernels;
    for (size_t i = 0; i < d->n_kernels && others; i++) {
        for (size_t k = 0; k < session->n_kernels && others; k++)
            others = strcmp(d->kernels[i], session->kernels[k]) != 0;
    }
    return others;
}

void
ckrun_print_diagnostics(struct ckrun_session *session, const struct ckrun_launch *launch)
{
    const struct tool_fact fact = {"launch", launch ? launch->text : NULL};
    for (size_t i = 0; i < ck_context_n_diagnostics(session->ctx); i++) {
        const ck_diagnostic *d = ck_context_diagnostic(session->ctx, i);
        if (is_of_others(session, d) ||
            was_printed(session, tool_strndup(d->rendered, strlen(d->rendered))))
            continue; /* the same place in another specialisation */
        if (d->severity != CK_ERROR) {
            ckrun_hold_warning(session, d, fact.value);
            continue;
        }
        tool_report_diagnostic(d, &fact, 1);
        session->counts.errors++;
    }
}

void
ckrun_print_step(const char *text)
{
    tool_detail("  in ");
    tool_detail_put(text, true);
    tool_detail("\n");
}

void
ckrun_print_launch(const struct ckrun_launch *launch)
{
    ckrun_print_step(launch->text);
}

void
ckrun_print_replay(const char *command)
{
    tool_detail("  replay: ");
    tool_detail_put(command, true);
    tool_detail("\n");
}

/* Of a new finding: prints it, or counts it where the limit is reached. */
static void
print_finding(struct ckrun_session *session, const struct ckrun_launch *launch,
              const ck_diagnostic *d)
{
    session->counts.errors++;
    if (session->check_limit && session->n_findings == session->check_limit) {
        session->n_hidden++;
        return;
    }
    session->n_findings++;
    char *replay = ckrun_replay(session, ckrun_checks_of(d->name, session->checks), NULL);
    const struct tool_fact facts[] = {
        {"launch", launch->text}, {"schedule", session->schedule}, {"replay", replay}};
    tool_report_diagnostic(d, facts, 3);
    free(replay);
}

/* The lines below the findings of a launch, in the form for people. */
static void
print_origin(const struct ckrun_session *session, const struct ckrun_launch *launch,
             unsigned checks)
{
    char *replay = ckrun_replay(session, checks, NULL);
    ckrun_print_launch(launch);
    ckrun_print_replay(replay);
    free(replay);
}

void
ckrun_print_findings(struct ckrun_session *session, const struct ckrun_launch *launch)
{
    const size_t n_printed = session->n_findings;
    unsigned checks = 0;
    session->has_findings = true;
    for (size_t i = 0; i < ck_context_n_diagnostics(session->ctx); i++) {
        const ck_diagnostic *d = ck_context_diagnostic(session->ctx, i);
        if (strcmp(d->name, "too-many-errors") == 0) { /* of the library: there is no more to see */
            session->hides_more = true;
        } else if (!was_printed(session, finding_key(d))) {
            const size_t n = session->n_findings;
            print_finding(session, launch, d);
            checks |= session->n_findings > n ? ckrun_checks_of(d->name, session->checks) : 0;
        }
    }
    if (tool_report_is_text() && session->n_findings > n_printed)
        print_origin(session, launch, checks);
}

void
ckrun_end_findings(const struct ckrun_session *session)
{
    const size_t n = session->n_hidden;
    tool_report_hide(n, session->hides_more);
    if (!tool_report_is_text())
        return;
    fflush(stdout);
    if (n)
        fprintf(stderr, "... %zu more finding%s: --check-limit=0 shows all\n", n,
                n == 1 ? "" : "s");
    if (session->hides_more)
        fputs("... and others: ck keeps 100 findings of a launch\n", stderr);
}
