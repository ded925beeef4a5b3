/* Diagnostics: recording them, rendering them with their source, and suggesting names. */
#include "lang/diag/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static const struct row {
    enum ck_severity severity;
    const char *name, *text;
} rows[] = {
#define CK_DIAG(id, severity, name, text) {CK_SEVERITY_##severity, name, text},
#include "errors.def"
#undef CK_DIAG
};

/* --- Recording -----------------------------------------------------------------------------------
 */

void
ck_diags_init(struct ck_diags *diags, struct ck_arena *arena, const struct ck_source *source)
{
    memset(diags, 0, sizeof *diags);
    diags->arena = arena;
    diags->source = source;
}

/* The diagnostic of a row at a span; NULL: none was reported. */
static struct ck_diag *
find_reported(const struct ck_diags *diags, enum ck_diag_id id, struct ck_span span)
{
    for (struct ck_diag *d = diags->first; d; d = d->next)
        if (d->id == id && d->source == diags->source && d->span.start == span.start &&
            d->span.end == span.end)
            return d;
    return NULL;
}

/* Adds the function in which the diagnostic was found, now or again. */
static void
add_function(struct ck_diags *diags, struct ck_diag *diag)
{
    const struct ck_tfunc *function = diags->function;
    const bool is_known = diag->n_functions && diag->functions[diag->n_functions - 1] == function;
    if (function && diag->severity == CK_SEVERITY_WARNING && !is_known)
        CK_PUSH(diags->arena, diag->functions, diag->n_functions, diag->functions_capacity,
                function);
}

static char *
format_text(struct ck_arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    length = length < 0 ? 0 : length;
    char *text = ck_arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

static void
link_last(struct ck_diags *diags, struct ck_diag *diag)
{
    diag->next = NULL;
    if (diags->last)
        diags->last->next = diag;
    else
        diags->first = diag;
    diags->last = diag;
}

static struct ck_diag *
append(struct ck_diags *diags, enum ck_diag_id id, struct ck_span span, const char *message)
{
    struct ck_diag *diag = CK_NEW(diags->arena, struct ck_diag);
    diag->id = id;
    diag->severity = rows[id].severity;
    diag->source = diags->source;
    diag->span = span;
    diag->message = message;
    link_last(diags, diag);
    return diag;
}

/* Notes count as warnings. */
static int *
count_of(struct ck_diags *diags, enum ck_severity severity)
{
    return severity == CK_SEVERITY_ERROR ? &diags->n_errors : &diags->n_warnings;
}

/* Whether the limit of this severity is reached; reports that the first time. */
static bool
is_full(struct ck_diags *diags, enum ck_severity severity, struct ck_span span)
{
    int *n = count_of(diags, severity);
    enum ck_diag_id last_word =
        severity == CK_SEVERITY_ERROR ? CK_DIAG_TOO_MANY_ERRORS : CK_DIAG_TOO_MANY_WARNINGS;
    if (*n < CK_MAX_ERRORS)
        return false;
    if (*n == CK_MAX_ERRORS && !diags->warning_off[last_word]) {
        ++*n;
        append(diags, last_word, span,
               ck_arena_printf(diags->arena, rows[last_word].text, CK_MAX_ERRORS));
    }
    return true;
}

struct ck_diag *
ck_diag_add(struct ck_diags *diags, enum ck_diag_id id, struct ck_span span, ...)
{
    enum ck_severity severity = rows[id].severity;
    struct ck_span at = diags->at ? *diags->at : span;
    bool off = severity == CK_SEVERITY_WARNING && (diags->warning_off[id] || diags->at);
    if (diags->quiet > 0 || off)
        return &diags->dummy;
    struct ck_diag *known = !diags->may_repeat && *count_of(diags, severity) <= CK_MAX_ERRORS
                                ? find_reported(diags, id, at)
                                : NULL;
    if (known)
        add_function(diags, known);
    if (known || is_full(diags, severity, at))
        return &diags->dummy;
    ++*count_of(diags, severity);
    va_list args;
    va_start(args, span);
    char *message = format_text(diags->arena, rows[id].text, args);
    va_end(args);
    struct ck_diag *diag = append(diags, id, at, message);
    add_function(diags, diag);
    return diag;
}

struct ck_diags_mark
ck_diags_mark(const struct ck_diags *diags)
{
    return (struct ck_diags_mark){diags->last, diags->n_errors, diags->n_warnings};
}

struct ck_diag *
ck_diags_take(struct ck_diags *diags, struct ck_diags_mark mark,
              bool (*stays)(const struct ck_diag *diag))
{
    struct ck_diag *next = mark.last ? mark.last->next : diags->first;
    struct ck_diags taken = {0};
    if (mark.last)
        mark.last->next = NULL;
    else
        diags->first = NULL;
    diags->last = mark.last;
    diags->n_errors = mark.n_errors;
    diags->n_warnings = mark.n_warnings;
    for (struct ck_diag *diag = next; diag; diag = next) {
        next = diag->next;
        bool keep = stays(diag);
        if (keep)
            ++*count_of(diags, diag->severity);
        link_last(keep ? diags : &taken, diag);
    }
    return taken.first;
}

void
ck_diags_give(struct ck_diags *diags, struct ck_diag *taken)
{
    for (struct ck_diag *diag = taken, *next; diag; diag = next) {
        next = diag->next;
        bool off = diag->severity == CK_SEVERITY_WARNING && diags->warning_off[diag->id];
        if (off || is_full(diags, diag->severity, diag->span))
            continue;
        ++*count_of(diags, diag->severity);
        link_last(diags, diag);
    }
}

void
ck_diag_label(struct ck_diags *diags, struct ck_diag *diag, struct ck_span span, const char *format,
              ...)
{
    if (diag == &diags->dummy || diags->at)
        return;
    va_list args;
    va_start(args, format);
    struct ck_label label = {span, format_text(diags->arena, format, args)};
    va_end(args);
    CK_PUSH(diags->arena, diag->labels, diag->n_labels, diag->labels_capacity, label);
}

void
ck_diag_help(struct ck_diags *diags, struct ck_diag *diag, const char *format, ...)
{
    if (diag == &diags->dummy)
        return;
    va_list args;
    va_start(args, format);
    diag->help = format_text(diags->arena, format, args);
    va_end(args);
}

void
ck_diag_suggest(struct ck_diags *diags, struct ck_diag *diag, const char *before, const char *name)
{
    ck_diag_help(diags, diag, "did you mean `%s%s`?", before, name);
    if (diag != &diags->dummy)
        diag->replacement = ck_arena_strdup(diags->arena, name);
}

void
ck_diag_note(struct ck_diags *diags, struct ck_diag *diag, const char *format, ...)
{
    if (diag == &diags->dummy)
        return;
    va_list args;
    va_start(args, format);
    diag->note = format_text(diags->arena, format, args);
    va_end(args);
}

const char *
ck_diag_text(const struct ck_diags *diags, struct ck_span span)
{
    enum { MOST = 60 };
    const char *text = diags->source->text + span.start;
    uint32_t length = span.end - span.start;
    if (length <= MOST)
        return ck_arena_strndup(diags->arena, text, length);
    return ck_arena_printf(diags->arena, "%.*s...", MOST, text);
}

/* --- Order ---------------------------------------------------------------------------------------
 */

struct place {
    struct ck_diag *diag;
    bool last;  /* the note that more were found */
    int source; /* the rank of its first diagnostic */
    int rank;   /* among all, as recorded */
};

static int
compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->last != y->last)
        return x->last - y->last;
    bool x_warns = x->diag->severity == CK_SEVERITY_WARNING;
    bool y_warns = y->diag->severity == CK_SEVERITY_WARNING;
    if (x_warns != y_warns)
        return x_warns - y_warns;
    if (x->source != y->source)
        return x->source - y->source;
    if (x->diag->span.start != y->diag->span.start)
        return x->diag->span.start < y->diag->span.start ? -1 : 1;
    return x->rank - y->rank;
}

static int
rank_of_source(const struct ck_diags *diags, const struct ck_source *source)
{
    int rank = 0;
    for (const struct ck_diag *d = diags->first; d->source != source; d = d->next)
        rank++;
    return rank;
}

void
ck_diags_sort(struct ck_diags *diags)
{
    struct place places[2 * (CK_MAX_ERRORS + 1)];
    int n = 0;
    for (struct ck_diag *d = diags->first; d; d = d->next, n++) {
        bool last = d->id == CK_DIAG_TOO_MANY_ERRORS || d->id == CK_DIAG_TOO_MANY_WARNINGS;
        places[n] = (struct place){d, last, rank_of_source(diags, d->source), n};
    }
    qsort(places, (size_t)n, sizeof places[0], compare_places);
    diags->first = diags->last = NULL;
    for (int i = n - 1; i >= 0; i--) {
        places[i].diag->next = diags->first;
        diags->first = places[i].diag;
        if (!diags->last)
            diags->last = places[i].diag;
    }
}

const char *
ck_diag_name(enum ck_diag_id id)
{
    return rows[id].name;
}

int
ck_diag_find(const char *name)
{
    for (int i = 0; i < CK_N_DIAGS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return i;
    return -1;
}

/* --- Showing -------------------------------------------------------------------------------------
 */

enum {
    TAB_WIDTH = 4,
    WINDOW = 100,  /* columns of a line that are shown */
    CONTEXT = 30,  /* of which before the mark, where a line is truncated */
    NEAR = 4 * 512 /* bytes around a mark that are scanned, so that a long line costs no more */
};

/* One underlined place, truncated to its first line. */
struct mark {
    struct ck_span span;
    uint32_t line;
    char sign;
    const char *text; /* may be NULL */
    int order;
};

/* A window on one line, and the columns it shows. */
struct view {
    const struct ck_source *source;
    uint32_t start, end; /* bytes of the line that are scanned */
    int first;           /* columns shown: [first, last) */
    int last;
    bool cut_left, cut_right;
};

static bool
is_wide(uint32_t code)
{
    return (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
           (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
           (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
           (code >= 0xFFE0 && code <= 0xFFE6) || (code >= 0x1F300 && code <= 0x1F64F) ||
           (code >= 0x1F900 && code <= 0x1F9FF) || (code >= 0x20000 && code <= 0x3FFFD);
}

static bool
is_invisible(uint32_t code)
{
    return code < ' ' || (code >= 0x7F && code < 0xA0) || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
           code == 0xFEFF;
}

/* Renders the character at `*at`: moves `*at` past it, returns its number of columns, and writes
 * its text to `shown` (4 bytes and a zero). Tabs become spaces; characters that are invalid or
 * could disturb a terminal become U+FFFD. */
static int
show_character(const struct view *view, uint32_t *at, int column, char *shown)
{
    const char *text = view->source->text;
    uint32_t code = 0;
    int length = ck_utf8_decode(text + *at, text + view->end, &code);
    if (code == '\t') {
        *at += 1;
        int width = TAB_WIDTH - column % TAB_WIDTH;
        memcpy(shown, "    ", 5);
        shown[width] = 0;
        return width;
    }
    if (length == 0 || is_invisible(code)) {
        *at += length ? (uint32_t)length : 1;
        memcpy(shown, "\xEF\xBF\xBD", 4);
        return 1;
    }
    memcpy(shown, text + *at, (size_t)length);
    shown[length] = 0;
    *at += (uint32_t)length;
    return code >= 0x300 && code <= 0x36F ? 0 : is_wide(code) ? 2 : 1;
}

/* The column (from 0, tabs expanded) of a byte in the window. */
static int
column_of(const struct view *view, uint32_t offset)
{
    char shown[5];
    int column = 0;
    for (uint32_t at = view->start; at < offset && at < view->end;)
        column += show_character(view, &at, column, shown);
    return column;
}

static uint32_t
character_start(const struct ck_source *source, uint32_t at, uint32_t least)
{
    while (at > least && ((unsigned char)source->text[at] & 0xC0) == 0x80)
        at--;
    return at;
}

/* Chooses the window on a line that shows `mark`. */
static struct view
view_of(const struct ck_source *source, uint32_t line, struct ck_span mark)
{
    struct ck_span whole = ck_source_line(source, line);
    struct view view = {.source = source, .start = whole.start, .end = whole.end};
    if (line == 1 && whole.end - whole.start >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0)
        view.start += 3; /* a byte order mark takes no column */
    if (mark.start > view.start + NEAR)
        view.start = character_start(source, mark.start - NEAR / 2, view.start);
    if (view.end > mark.start + NEAR)
        view.end = character_start(source, mark.start + NEAR, mark.start);
    int width = column_of(&view, view.end);
    int begin = column_of(&view, mark.start), end = column_of(&view, mark.end);
    view.last = width;
    if (width > WINDOW) {
        if (end > WINDOW - 10)
            view.first = begin > CONTEXT ? begin - CONTEXT : 0;
        view.last = width < view.first + WINDOW ? width : view.first + WINDOW;
    }
    view.cut_left = view.first > 0 || view.start > whole.start + 3;
    view.cut_right = view.last < width || view.end < whole.end;
    return view;
}

static void
trim_spaces(struct ck_strbuf *out)
{
    size_t n = out->length;
    while (n > 0 && out->text[n - 1] == ' ')
        n--;
    if (!out->failed && n < out->length) {
        out->length = n;
        out->text[n] = 0;
    }
}

static void
put_gutter(struct ck_strbuf *out, int width, uint32_t line)
{
    if (line)
        ck_strbuf_printf(out, "%*u |", width, line);
    else
        ck_strbuf_printf(out, "%*s |", width, "");
}

static void
put_line(struct ck_strbuf *out, const struct view *view)
{
    char shown[5];
    int column = 0;
    ck_strbuf_puts(out, view->cut_left ? " ..." : " ");
    for (uint32_t at = view->start; at < view->end && column < view->last;) {
        int width = show_character(view, &at, column, shown);
        if (column >= view->first && column + width <= view->last)
            ck_strbuf_puts(out, shown);
        else if (column + width > view->first)
            ck_strbuf_fill(out, ' ', (size_t)(column + width - view->first));
        column += width;
    }
    if (view->cut_right)
        ck_strbuf_puts(out, "...");
    trim_spaces(out);
    ck_strbuf_putc(out, '\n');
}

/* Underlines `mark` in a row that is filled up to column `*filled` of the window. */
static void
put_mark(struct ck_strbuf *out, const struct view *view, const struct mark *mark, int *filled)
{
    int begin = column_of(view, mark->span.start), end = column_of(view, mark->span.end);
    begin = begin < view->first ? view->first : begin > view->last ? view->last : begin;
    end = end > view->last ? view->last : end;
    if (end <= begin)
        end = begin + 1;
    int shift = (view->cut_left ? 3 : 0) - view->first;
    ck_strbuf_fill(out, ' ', (size_t)(begin + shift - *filled));
    ck_strbuf_fill(out, mark->sign, (size_t)(end - begin));
    if (mark->text)
        ck_strbuf_printf(out, " %s", mark->text);
    *filled = end + shift;
}

/* The rows of underlines of one line: marks share a row if they do not overlap and only the last
 * has a text. */
static void
put_marks(struct ck_strbuf *out, const struct view *view, const struct mark *marks, int n,
          int gutter)
{
    for (int i = 0; i < n;) {
        int filled = 0;
        put_gutter(out, gutter, 0);
        ck_strbuf_putc(out, ' ');
        do {
            put_mark(out, view, &marks[i], &filled);
            i++;
        } while (i < n && !marks[i - 1].text && marks[i].span.start > marks[i - 1].span.end);
        ck_strbuf_putc(out, '\n');
    }
}

static int
compare_marks(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->span.start != y->span.start)
        return x->span.start < y->span.start ? -1 : 1;
    return x->order - y->order;
}

static struct mark
mark_of(const struct ck_source *source, struct ck_span span, char sign, const char *text, int order)
{
    span.start = span.start > source->length ? source->length : span.start;
    span.end = span.end < span.start ? span.start : span.end;
    uint32_t line = ck_source_position(source, span.start).line;
    struct ck_span whole = ck_source_line(source, line);
    span.end = span.end > whole.end ? whole.end : span.end;
    return (struct mark){span, line, sign, text && *text ? text : NULL, order};
}

/* The mark that the line's window must show: the primary one, if it is on the line. */
static struct ck_span
focus(const struct mark *marks, int n)
{
    for (int i = 0; i < n; i++)
        if (marks[i].sign == '^')
            return marks[i].span;
    return marks[0].span;
}

/* Says that the lines that follow are of another file than those before. */
static void
put_file(struct ck_strbuf *out, const char *file, int gutter)
{
    ck_strbuf_printf(out, "%*s ::: ", gutter, "");
    ck_strbuf_put_shown(out, file, false);
    ck_strbuf_putc(out, '\n');
}

/* Lines between two that are shown: a single one is shown as well, more are left out. */
static void
put_gap(struct ck_strbuf *out, const struct ck_source *source, uint32_t from, uint32_t to,
        int gutter)
{
    struct ck_origin before = ck_source_line_origin(source, from);
    struct ck_origin after = ck_source_line_origin(source, to);
    if (strcmp(before.file, after.file) != 0) {
        put_file(out, after.file, gutter);
    } else if (after.line - before.line != to - from) {
        ck_strbuf_puts(out, "...\n");
    } else if (to == from + 2) {
        struct ck_span line = ck_source_line(source, from + 1);
        struct view view = view_of(source, from + 1, (struct ck_span){line.start, line.start});
        put_gutter(out, gutter, before.line + 1);
        put_line(out, &view);
    } else if (to > from + 2) {
        ck_strbuf_puts(out, "...\n");
    }
}

static void
put_source(struct ck_strbuf *out, const struct ck_source *source, const char *file,
           const struct mark *marks, int n, int gutter)
{
    const char *first = ck_source_line_origin(source, marks[0].line).file;
    put_gutter(out, gutter, 0);
    ck_strbuf_putc(out, '\n');
    if (strcmp(first, file) != 0)
        put_file(out, first, gutter);
    for (int i = 0, next; i < n; i = next) {
        for (next = i; next < n && marks[next].line == marks[i].line;)
            next++;
        if (i > 0)
            put_gap(out, source, marks[i - 1].line, marks[i].line, gutter);
        struct view view = view_of(source, marks[i].line, focus(marks + i, next - i));
        put_gutter(out, gutter, ck_source_line_origin(source, marks[i].line).line);
        put_line(out, &view);
        put_marks(out, &view, marks + i, next - i, gutter);
    }
}

static int
digits_of(uint32_t n)
{
    int digits = 1;
    for (; n >= 10; n /= 10)
        digits++;
    return digits;
}

/* Whether the first label is of the diagnostic's own span: its text is beside the carets. */
static bool
has_own_label(const struct ck_diag *diag)
{
    return diag->n_labels && diag->labels[0].span.start == diag->span.start &&
           diag->labels[0].span.end == diag->span.end;
}

void
ck_diag_render(struct ck_strbuf *out, const struct ck_source *source, const struct ck_diag *diag)
{
    static const char *const severities[] = {"error", "warning", "note"};
    enum { MOST_LABELS = 15 };
    struct mark marks[MOST_LABELS + 1];
    int n = 0;
    const int first = has_own_label(diag);
    marks[n++] = mark_of(source, diag->span, '^', first ? diag->labels[0].text : NULL, 0);
    for (int i = first; i < diag->n_labels && n <= MOST_LABELS; i++, n++)
        marks[n] = mark_of(source, diag->labels[i].span, '-', diag->labels[i].text, n);
    qsort(marks, (size_t)n, sizeof marks[0], compare_marks);

    struct ck_origin at = ck_source_origin(source, diag->span.start);
    ck_strbuf_put_shown(out, at.file, false);
    ck_strbuf_printf(out, ":%u:%u: %s: ", at.line, at.column, severities[diag->severity]);
    ck_strbuf_put_shown(out, diag->message, true);
    ck_strbuf_printf(out, " [%s]\n", ck_diag_name(diag->id));
    int gutter = 1;
    for (int i = 0; i < n; i++) {
        int digits = digits_of(ck_source_line_origin(source, marks[i].line).line);
        gutter = digits > gutter ? digits : gutter;
    }
    put_source(out, source, at.file, marks, n, gutter);
    if (diag->help)
        ck_strbuf_printf(out, "%*s = help: %s\n", gutter, "", diag->help);
    if (diag->note)
        ck_strbuf_printf(out, "%*s = note: %s\n", gutter, "", diag->note);
}
