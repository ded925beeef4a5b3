/* Messages and diagnostics, in the form that --diagnostics chooses: see messages.h. */
#include "messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "json.h"
#include "tool.h"

enum format { TEXT, JSON, SARIF };

/* The message that is being written: details may follow. */
struct message {
    bool is_open;
    const char *severity;
    char *name; /* of a diagnostic or a result; owned; NULL: the command's own message */
    struct ck_strbuf text, details;
    struct ck_strbuf members; /* further ones, in the form that is written */
};

/* One output of one process, which messages reach from everywhere: as stderr itself, it is global.
 */
static struct report {
    enum format format;
    bool has_colours; /* TEXT */
    bool is_verbose;
    struct message message;
    size_t n_errors, n_warnings, n_hidden;
    bool hides_more;                /* than `n_hidden` */
    size_t n_results;               /* SARIF: written so far */
    struct ck_strbuf notifications; /* SARIF: the command's own messages */
    const char **rules;             /* SARIF: the names of the results */
    size_t n_rules;
} report;

bool
tool_report_is_text(void)
{
    return report.format == TEXT;
}

/* --- Output ------------------------------------------------------------------------------------
 */

static void
print(const struct ck_strbuf *text)
{
    if (text->failed) {
        fputs("error: out of memory\n", stderr);
        exit(TOOL_DEVICE);
    }
    fflush(stdout); /* keeps the order if both streams are one terminal */
    fwrite(ck_strbuf_text(text), 1, text->length, stderr);
}

/* The message's own members after those that all have. */
static void
write_members(struct ck_strbuf *out, const struct message *m)
{
    if (m->members.length)
        ck_strbuf_putc(out, ',');
    ck_strbuf_puts(out, ck_strbuf_text(&m->members));
}

static void
write_json(struct ck_strbuf *out, const struct message *m)
{
    ck_strbuf_putc(out, '{');
    tool_json_member(out, "severity", m->severity);
    tool_json_member(out, "name", m->name);
    tool_json_member(out, "message", ck_strbuf_text(&m->text));
    if (m->details.length)
        tool_json_member(out, "details", ck_strbuf_text(&m->details));
    write_members(out, m);
    ck_strbuf_puts(out, "}\n");
}

/* The text and its details as one, without the last newline. */
static void
write_sarif_text(struct ck_strbuf *out, const struct message *m)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_puts(&text, ck_strbuf_text(&m->text));
    if (m->details.length)
        ck_strbuf_printf(&text, "\n%.*s", (int)m->details.length - 1, ck_strbuf_text(&m->details));
    tool_json_key(out, "message");
    ck_strbuf_putc(out, '{');
    tool_json_member(out, "text", ck_strbuf_text(&text));
    ck_strbuf_putc(out, '}');
    out->failed |= text.failed;
    ck_strbuf_free(&text);
}

static void
add_rule(const char *name)
{
    for (size_t i = 0; i < report.n_rules; i++) {
        if (strcmp(report.rules[i], name) == 0)
            return;
    }
    report.rules = tool_grow(report.rules, report.n_rules + 1, sizeof *report.rules);
    report.rules[report.n_rules++] = tool_strndup(name, strlen(name));
}

/* The beginning of the one run: results follow. */
static void
write_sarif_begin(struct ck_strbuf *out)
{
    ck_strbuf_puts(out, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
                        "\"version\":\"2.1.0\",\"runs\":[{\"columnKind\":\"unicodeCodePoints\","
                        "\"results\":[");
}

/* A result, or a notification of the command itself. */
static void
write_sarif(struct ck_strbuf *out, const struct message *m)
{
    ck_strbuf_putc(out, '{');
    tool_json_member(out, "ruleId", m->name);
    tool_json_member(out, "level", m->severity);
    write_sarif_text(out, m);
    write_members(out, m);
    ck_strbuf_putc(out, '}');
}

/* Writes a message of the forms for programs. */
static void
write_message(struct ck_strbuf *out, const struct message *m)
{
    if (report.format == JSON) {
        write_json(out, m);
    } else if (m->name) {
        ck_strbuf_puts(out, report.n_results++ ? ",\n" : "\n");
        write_sarif(out, m);
        add_rule(m->name);
    } else {
        tool_json_separate(&report.notifications);
        write_sarif(&report.notifications, m);
    }
}

static void
close_message(void)
{
    struct ck_strbuf out;
    struct message *m = &report.message;
    if (!m->is_open)
        return;
    m->is_open = false;
    ck_strbuf_init(&out);
    write_message(&out, m);
    out.failed |= m->text.failed || m->details.failed || m->members.failed;
    print(&out);
    ck_strbuf_free(&out);
    free(m->name);
    m->name = NULL;
}

static struct message *
open_message(const char *severity, const char *name, const char *text)
{
    struct message *m = &report.message;
    close_message();
    m->is_open = true;
    m->severity = severity;
    m->name = name ? tool_strndup(name, strlen(name)) : NULL;
    ck_strbuf_clear(&m->text);
    ck_strbuf_clear(&m->details);
    ck_strbuf_clear(&m->members);
    ck_strbuf_puts(&m->text, text);
    return m;
}

/* --- Messages ----------------------------------------------------------------------------------
 */

static void
count(const char *severity)
{
    report.n_errors += strcmp(severity, "error") == 0;
    report.n_warnings += strcmp(severity, "warning") == 0;
}

void
tool_report_message(const char *severity, const char *text, bool lines)
{
    count(severity);
    if (report.format != TEXT) {
        open_message(severity, NULL, text);
        return;
    }
    struct ck_strbuf heading;
    ck_strbuf_init(&heading);
    ck_strbuf_printf(&heading, "%s: ", tool_program);
    if (report.has_colours)
        colour_put_severity(&heading, severity);
    else
        ck_strbuf_printf(&heading, "%s: ", severity);
    print(&heading);
    ck_strbuf_free(&heading);
    tool_put(stderr, text, lines);
    fputc('\n', stderr);
}

void
tool_detail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (report.format == TEXT)
        vfprintf(stderr, format, args);
    else if (report.message.is_open)
        ck_strbuf_vprintf(&report.message.details, format, args);
    va_end(args);
}

void
tool_detail_put(const char *text, bool lines)
{
    if (report.format == TEXT)
        tool_put(stderr, text, lines);
    else if (report.message.is_open)
        ck_strbuf_put_shown(&report.message.details, text, lines);
}

void
tool_report_hide(size_t n, bool at_least)
{
    report.n_hidden = n;
    report.hides_more = at_least;
}

/* --- Diagnostics -------------------------------------------------------------------------------
 */

static void
put_facts(struct ck_strbuf *out, const struct tool_fact *facts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tool_json_member(out, facts[i].key, facts[i].value);
}

/* The lines and columns of a place, under the keys of the form. */
static void
put_region(struct ck_strbuf *out, const ck_diagnostic_label *at)
{
    static const char *const keys[][4] = {
        [JSON] = {"line", "column", "end_line", "end_column"},
        [SARIF] = {"startLine", "startColumn", "endLine", "endColumn"}};
    const uint32_t values[] = {at->line, at->column, at->end_line, at->end_column};
    for (int i = 0; i < 4; i++)
        tool_json_number(out, keys[report.format][i], values[i]);
}

static void
put_threads(struct ck_strbuf *out, const ck_diagnostic *d)
{
    if (!d->n_threads)
        return;
    tool_json_key(out, "threads");
    ck_strbuf_putc(out, '[');
    for (size_t i = 0; i < d->n_threads; i++) {
        const uint32_t *b = d->threads[i].block, *t = d->threads[i].thread;
        ck_strbuf_printf(out, "%s{\"block\":[%u,%u,%u],\"thread\":[%u,%u,%u]}", i ? "," : "", b[0],
                         b[1], b[2], t[0], t[1], t[2]);
    }
    ck_strbuf_putc(out, ']');
}

static void
put_json_members(struct ck_strbuf *out, const ck_diagnostic *d, const struct tool_fact *facts,
                 size_t n_facts)
{
    const ck_diagnostic_label at = {d->line, d->column, d->end_line, d->end_column, NULL};
    tool_json_member(out, "file", d->file);
    put_region(out, &at);
    tool_json_key(out, "labels");
    ck_strbuf_putc(out, '[');
    for (size_t i = 0; i < d->n_labels; i++) {
        ck_strbuf_puts(out, i ? ",{" : "{");
        put_region(out, &d->labels[i]);
        tool_json_member(out, "text", d->labels[i].text);
        ck_strbuf_putc(out, '}');
    }
    ck_strbuf_putc(out, ']');
    tool_json_member(out, "help", d->help);
    tool_json_member(out, "note", d->note);
    put_threads(out, d);
    put_facts(out, facts, n_facts);
    tool_json_member(out, "rendered", d->rendered);
}

/* `{"physicalLocation":{...}`, without its last brace; `at` NULL: the whole file. */
static void
put_location(struct ck_strbuf *out, const char *file, const ck_diagnostic_label *at)
{
    ck_strbuf_puts(out, "{\"physicalLocation\":{\"artifactLocation\":{");
    tool_json_uri(out, "uri", file);
    ck_strbuf_putc(out, '}');
    if (at) {
        tool_json_key(out, "region");
        ck_strbuf_putc(out, '{');
        put_region(out, at);
        ck_strbuf_putc(out, '}');
    }
    ck_strbuf_putc(out, '}');
}

static void
put_first_location(struct ck_strbuf *out, const char *file, const ck_diagnostic_label *at)
{
    tool_json_key(out, "locations");
    ck_strbuf_putc(out, '[');
    put_location(out, file, at);
    ck_strbuf_puts(out, "}]");
}

static void
put_related_locations(struct ck_strbuf *out, const ck_diagnostic *d)
{
    if (!d->n_labels)
        return;
    tool_json_key(out, "relatedLocations");
    ck_strbuf_putc(out, '[');
    for (size_t i = 0; i < d->n_labels; i++) {
        ck_strbuf_puts(out, i ? "," : "");
        put_location(out, d->file, &d->labels[i]);
        ck_strbuf_puts(out, ",\"message\":{");
        tool_json_member(out, "text", d->labels[i].text);
        ck_strbuf_puts(out, "}}");
    }
    ck_strbuf_putc(out, ']');
}

static void
print_rendered(const char *text)
{
    struct ck_strbuf out;
    ck_strbuf_init(&out);
    if (report.has_colours)
        colour_put_rendered(&out, text);
    else
        ck_strbuf_puts(&out, text);
    print(&out);
    ck_strbuf_free(&out);
}

static void
put_sarif_members(struct ck_strbuf *out, const ck_diagnostic *d, const struct tool_fact *facts,
                  size_t n_facts)
{
    const ck_diagnostic_label at = {d->line, d->column, d->end_line, d->end_column, NULL};
    put_first_location(out, d->file, &at);
    put_related_locations(out, d);
    tool_json_key(out, "properties");
    ck_strbuf_putc(out, '{');
    tool_json_member(out, "help", d->help);
    tool_json_member(out, "note", d->note);
    put_threads(out, d);
    put_facts(out, facts, n_facts);
    ck_strbuf_putc(out, '}');
}

void
tool_report_diagnostic(const ck_diagnostic *d, const struct tool_fact *facts, size_t n_facts)
{
    const char *severity = d->severity == CK_ERROR ? "error" : "warning";
    count(severity);
    if (report.format == TEXT) {
        fflush(stdout);
        print_rendered(d->rendered);
        return;
    }
    struct message *m = open_message(severity, d->name, d->message);
    if (report.format == JSON) {
        put_json_members(&m->members, d, facts, n_facts);
        return;
    }
    put_sarif_members(&m->members, d, facts, n_facts);
    if (d->help)
        ck_strbuf_printf(&m->text, "\nhelp: %s", d->help);
}

void
tool_report_result(const char *name, const char *file, const char *text,
                   const struct tool_fact *facts, size_t n_facts)
{
    if (report.format == TEXT) {
        tool_report_message("error", text, false);
        return;
    }
    count("error");
    struct message *m = open_message("error", name, text);
    if (report.format == JSON) {
        tool_json_member(&m->members, "file", file);
        put_facts(&m->members, facts, n_facts);
        return;
    }
    put_first_location(&m->members, file, NULL);
    tool_json_key(&m->members, "properties");
    ck_strbuf_putc(&m->members, '{');
    put_facts(&m->members, facts, n_facts);
    ck_strbuf_putc(&m->members, '}');
}

/* --- The beginning and the end -----------------------------------------------------------------
 */

/* The value of the option at `*i`, which moves past it; NULL: another argument. */
static const char *
option_value(const char *name, int argc, char **argv, int *i)
{
    const char *word = argv[*i];
    size_t dashes = strspn(word, "-");
    if (dashes < 1 || dashes > 2 || strncmp(word + dashes, name, strlen(name)) != 0)
        return NULL;
    const char *rest = word + dashes + strlen(name);
    if (*rest == '=')
        return rest + 1;
    return !*rest && *i + 1 < argc ? argv[++*i] : NULL;
}

int
tool_report_begin(int argc, char **argv)
{
    ck_strbuf_init(&report.message.text);
    ck_strbuf_init(&report.message.details);
    ck_strbuf_init(&report.message.members);
    ck_strbuf_init(&report.notifications);
    int form = TEXT, when = 0;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *value = option_value("diagnostics", argc, argv, &i);
        const char *color = value ? NULL : option_value("color", argc, argv, &i);
        form = value ? tool_choose("--diagnostics", value, tool_forms) : form;
        when = color ? tool_choose("--color", color, tool_colours) : when;
        if (form < 0 || when < 0)
            return TOOL_USAGE;
    }
    report.format = (enum format)form;
    report.has_colours = colour_is_on(tool_colours[when].name);
    if (report.format == SARIF) {
        struct ck_strbuf out;
        ck_strbuf_init(&out);
        write_sarif_begin(&out);
        print(&out);
        ck_strbuf_free(&out);
    }
    return TOOL_DONE;
}

void
tool_be_verbose(void)
{
    report.is_verbose = true;
}

void
tool_verbose(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = NULL;
    if (report.is_verbose && vasprintf(&text, format, args) >= 0)
        tool_report_message("note", text, false);
    free(text);
    va_end(args);
}

static void
write_json_end(struct ck_strbuf *out, int status)
{
    ck_strbuf_puts(out, "{\"summary\":{");
    tool_json_number(out, "errors", report.n_errors);
    tool_json_number(out, "warnings", report.n_warnings);
    tool_json_number(out, "not_shown", report.n_hidden);
    tool_json_key(out, "not_all_counted");
    ck_strbuf_puts(out, report.hides_more ? "true" : "false");
    tool_json_number(out, "status", (unsigned)status);
    ck_strbuf_puts(out, "}}\n");
}

static void
write_sarif_end(struct ck_strbuf *out, int status)
{
    ck_strbuf_puts(out, "],\n\"tool\":{\"driver\":{");
    tool_json_member(out, "name", tool_program);
    tool_json_member(out, "version", ck_version());
    tool_json_key(out, "rules");
    for (size_t i = 0; i < report.n_rules; i++) {
        ck_strbuf_puts(out, i ? "},{" : "[{");
        tool_json_member(out, "id", report.rules[i]);
    }
    ck_strbuf_puts(out, report.n_rules ? "}]}},\n" : "[]}},\n");
    ck_strbuf_puts(out, "\"invocations\":[{");
    tool_json_key(out, "executionSuccessful");
    ck_strbuf_puts(out, status == TOOL_DONE ? "true" : "false");
    tool_json_number(out, "exitCode", (unsigned)status);
    ck_strbuf_printf(out, ",\"toolExecutionNotifications\":[%s]}],\n",
                     ck_strbuf_text(&report.notifications));
    ck_strbuf_puts(out, "\"properties\":{");
    tool_json_number(out, "notShown", report.n_hidden);
    tool_json_key(out, "notAllCounted");
    ck_strbuf_puts(out, report.hides_more ? "true}}]}\n" : "false}}]}\n");
    out->failed |= report.notifications.failed;
}

static void
write_end(struct ck_strbuf *out, int status)
{
    if (report.format == JSON)
        write_json_end(out, status);
    else if (report.format == SARIF)
        write_sarif_end(out, status);
}

int
tool_report_end(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        tool_error("cannot write standard output");
        status = status == TOOL_DONE ? TOOL_FAILED : status;
    }
    struct ck_strbuf out;
    ck_strbuf_init(&out);
    close_message();
    write_end(&out, status);
    print(&out);
    ck_strbuf_free(&out);
    ck_strbuf_free(&report.message.text);
    ck_strbuf_free(&report.message.details);
    ck_strbuf_free(&report.message.members);
    ck_strbuf_free(&report.notifications);
    for (size_t i = 0; i < report.n_rules; i++)
        free((char *)report.rules[i]);
    free(report.rules);
    report = (struct report){0};
    return status;
}

/* The error as a notification among the others; what was written so far is as it was. */
static void
write_last_message(struct ck_strbuf *out, const char *text, const char *details, int status)
{
    const size_t length = report.notifications.length;
    struct message m = {.severity = "error"};
    ck_strbuf_init(&m.text);
    ck_strbuf_init(&m.details);
    ck_strbuf_init(&m.members);
    ck_strbuf_puts(&m.text, text);
    ck_strbuf_puts(&m.details, details);
    report.n_errors++;
    write_message(out, &m);
    write_end(out, status);
    report.n_errors--;
    report.notifications.length = length;
    if (report.notifications.text)
        report.notifications.text[length] = '\0';
    ck_strbuf_free(&m.text);
    ck_strbuf_free(&m.details);
}

char *
tool_report_last_words(const char *text, const char *details, int status)
{
    struct ck_strbuf out;
    ck_strbuf_init(&out);
    close_message();
    if (report.format == TEXT)
        ck_strbuf_printf(&out, "%s: error: %s\n%s", tool_program, text, details);
    else
        write_last_message(&out, text, details, status);
    char *words = ck_strbuf_take(&out);
    return words ? words : tool_strndup("", 0);
}
