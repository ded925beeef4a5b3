/* Colours of messages on a terminal. See colour.h. Only the form of a rendered diagnostic decides,
 * line by line, so that nothing in its text is taken for more than text. */
#include "colour.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLAIN   "\033[0m"
#define BOLD    "\033[1m"
#define RED     "\033[1;31m"
#define GREEN   "\033[1;32m"
#define BLUE    "\033[1;34m"
#define MAGENTA "\033[1;35m"
#define CYAN    "\033[1;36m"

bool
colour_is_on(const char *value)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (value && strcmp(value, "auto") != 0)
        return strcmp(value, "always") == 0;
    return !(no_color && *no_color) && isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

static const char *
colour_of(const char *severity)
{
    return strcmp(severity, "error") == 0 ? RED : strcmp(severity, "warning") == 0 ? MAGENTA : CYAN;
}

static void
put(struct ck_strbuf *out, const char *colour, const char *text, size_t length)
{
    ck_strbuf_puts(out, colour);
    ck_strbuf_add(out, text, length);
    ck_strbuf_puts(out, PLAIN);
}

void
colour_put_severity(struct ck_strbuf *out, const char *severity)
{
    put(out, colour_of(severity), severity, strlen(severity));
    ck_strbuf_puts(out, ": ");
}

/* FILE:LINE:COLUMN: SEVERITY: TEXT. False if the line has another form. */
static bool
put_heading(struct ck_strbuf *out, const char *line, size_t length)
{
    static const char *const severities[] = {"error", "warning", "note"};
    const char *best = NULL, *severity = NULL;
    for (int i = 0; i < 3; i++) {
        char mark[16] = ": ";
        strcat(strcat(mark, severities[i]), ": ");
        const char *found = memmem(line, length, mark, strlen(mark));
        if (found && (!best || found < best)) {
            best = found;
            severity = severities[i];
        }
    }
    if (!best)
        return false;
    const char *text = best + 2 + strlen(severity) + 2;
    put(out, BOLD, line, (size_t)(best + 1 - line));
    ck_strbuf_putc(out, ' ');
    colour_put_severity(out, severity);
    put(out, BOLD, text, length - (size_t)(text - line));
    return true;
}

/* A line below the source: `^` marks the place, `-` others, each with its text. */
static void
put_marks(struct ck_strbuf *out, const char *marks, size_t length)
{
    size_t i = 0;
    while (i < length) {
        size_t begin = i;
        char c = marks[i];
        while (i < length && marks[i] == c)
            i++;
        if (c == '^' || c == '-') { /* with the text that follows, up to the next mark */
            while (i < length && marks[i] != '^' && !(marks[i] == '-' && marks[i - 1] == ' '))
                i++;
            put(out, c == '^' ? GREEN : BLUE, marks + begin, i - begin);
        } else {
            ck_strbuf_add(out, marks + begin, i - begin);
        }
    }
}

/* `12 | source` or `   | marks`. False if the line has another form. */
static bool
put_gutter(struct ck_strbuf *out, const char *line, size_t length)
{
    size_t bar = 0;
    bool numbered = false;
    for (; bar < length && (line[bar] == ' ' || isdigit((unsigned char)line[bar])); bar++)
        numbered = numbered || line[bar] != ' ';
    if (bar == 0 || bar == length || line[bar] != '|' || line[bar - 1] != ' ')
        return false;
    put(out, BLUE, line, bar + 1);
    if (numbered)
        ck_strbuf_add(out, line + bar + 1, length - bar - 1);
    else
        put_marks(out, line + bar + 1, length - bar - 1);
    return true;
}

/* `  = help: TEXT`. False if the line has another form. */
static bool
put_help(struct ck_strbuf *out, const char *line, size_t length)
{
    size_t equals = 0;
    while (equals < length && line[equals] == ' ')
        equals++;
    const char *colon = memchr(line, ':', length);
    if (equals + 2 > length || line[equals] != '=' || line[equals + 1] != ' ' || !colon)
        return false;
    put(out, BLUE, line, equals + 2);
    put(out, CYAN, line + equals + 2, (size_t)(colon + 1 - line) - equals - 2);
    ck_strbuf_add(out, colon + 1, length - (size_t)(colon + 1 - line));
    return true;
}

void
colour_put_rendered(struct ck_strbuf *out, const char *text)
{
    bool is_first = true;
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool done = is_first ? put_heading(out, text, length)
                             : put_gutter(out, text, length) || put_help(out, text, length);
        if (!done)
            ck_strbuf_add(out, text, length);
        is_first = false;
        text += length;
        if (*text)
            ck_strbuf_putc(out, *text++);
    }
}
