/* Diagnostics: errors and warnings in the user's program, with their place and a fix.
 *
 * Every kind of diagnostic is one row of errors.def; the row's name is the `[name]` at the end of
 * the first line, and the NAME of -Wno-NAME. Nothing here prints: `ck_diag_render` writes text. */
#ifndef CK_DIAG_H
#define CK_DIAG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/source.h"
#include "base/strbuf.h"

enum ck_diag_id {
#define CK_DIAG(id, severity, name, text) CK_DIAG_##id,
#include "errors.def"
#undef CK_DIAG
    CK_N_DIAGS
};

enum ck_severity { CK_SEVERITY_ERROR, CK_SEVERITY_WARNING, CK_SEVERITY_NOTE };

struct ck_tfunc; /* of lang/typed/, not known here */

/* A second place that explains the first: underlined with dashes. */
struct ck_label {
    struct ck_span span;
    const char *text;
};

struct ck_diag {
    enum ck_diag_id id;
    enum ck_severity severity;
    const struct ck_source *source; /* of the span and the labels */
    struct ck_span span;
    const char *message;
    struct ck_label *labels;
    int n_labels;
    int labels_capacity;
    const char *help;        /* NULL: none */
    const char *replacement; /* a text for that of the span, which the help suggests; NULL: none */
    const char *subject;     /* the name that it is about, if it is reported once for a name */
    const char *note;        /* e.g. "in `axpy` for (float64, float32[::1])"; NULL: none */
    uint32_t threads[2][6];  /* of a launch's finding: indices of block and thread */
    int n_threads;
    const struct ck_tfunc **functions; /* of a warning: the typed functions in which it was found */
    int n_functions, functions_capacity;
    bool is_of_function; /* a warning's, once its kernels are known: it is not of the file */
    const char **kernels;
    int n_kernels, kernels_capacity;
    struct ck_diag *next;
};

/* The list of one compilation. At most CK_MAX_ERRORS errors, and as many warnings, are kept; one
 * more reports that others were dropped. */
struct ck_diags {
    struct ck_arena *arena;
    const struct ck_source *source; /* of the diagnostics recorded next */
    struct ck_diag *first;
    struct ck_diag *last;
    int n_errors;
    int n_warnings;
    int quiet; /* > 0: nothing is recorded (a quiet pass, which will be repeated) */
    /* If not NULL: errors are reported here, without labels, and warnings are dropped: spans are
     * those of the prelude. */
    const struct ck_span *at;
    const struct ck_tfunc *function; /* in which warnings are found now; NULL: in the text alone */
    bool may_repeat;                 /* a row may be reported more than once at one span */
    bool warning_off[CK_N_DIAGS];
    struct ck_diag dummy; /* a dummy for what is not recorded; never decorated */
};

enum { CK_MAX_ERRORS = 100 };

void ck_diags_init(struct ck_diags *diags, struct ck_arena *arena, const struct ck_source *source);

/* Records a diagnostic whose message is the row's text with its printf arguments. Never NULL: in a
 * quiet pass, for a repetition of a row at the same span, or past the limit, a dummy is returned
 * that may be decorated but is not in the list. */
struct ck_diag *ck_diag_add(struct ck_diags *diags, enum ck_diag_id id, struct ck_span span, ...);
/* What is recorded from a mark on can be taken from the list, and given back later. */
struct ck_diags_mark {
    struct ck_diag *last;
    int n_errors, n_warnings;
};
struct ck_diags_mark ck_diags_mark(const struct ck_diags *diags);
/* Takes what was recorded since the mark, except what `stays` returns true for. Returns the list of
 * what was taken. */
struct ck_diag *ck_diags_take(struct ck_diags *diags, struct ck_diags_mark mark,
                              bool (*stays)(const struct ck_diag *diag));
void ck_diags_give(struct ck_diags *diags, struct ck_diag *taken);
void ck_diag_label(struct ck_diags *diags, struct ck_diag *diag, struct ck_span span,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));
void ck_diag_help(struct ck_diags *diags, struct ck_diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The help "did you mean `.NAME`?", where NAME can replace the diagnostic's span. `before`: what is
 * shown before it, "." or "". */
void ck_diag_suggest(struct ck_diags *diags, struct ck_diag *diag, const char *before,
                     const char *name);
void ck_diag_note(struct ck_diags *diags, struct ck_diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sorts the diagnostics by place: by source in the order of their first reports, then by position;
 * those of one place keep the order of recording. The note that others are not shown comes last. */
void ck_diags_sort(struct ck_diags *diags);

/* The source text of a span, shortened for a message. */
const char *ck_diag_text(const struct ck_diags *diags, struct ck_span span);
const char *ck_diag_name(enum ck_diag_id id);
/* The row called `name`, or -1. */
int ck_diag_find(const char *name);

/* The clang-style first line, the source with carets, labels, and help. */
void ck_diag_render(struct ck_strbuf *out, const struct ck_source *source,
                    const struct ck_diag *diag);

#endif
