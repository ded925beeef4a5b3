/* Lines that are printed: declarations that the files of `print` and `printf` share. */
#ifndef CK_PRINT_H
#define CK_PRINT_H

#include "lang/check/builtins/format.h"
#include "lang/check/builtins/rules.h"

struct ck_line {
    struct ck_fn *fn;
    const struct ck_expr *call;
    struct ck_print_item *items;
    int n, capacity, n_values;
};

/* --- print.c --- */
void ck_line_text(struct ck_line *line, const char *text, uint32_t length);
/* A value of a type that ck_print_item names. */
void ck_line_value(struct ck_line *line, struct ck_texpr *value, const char *conversion);
/* A number as `print` writes it. */
void ck_line_number(struct ck_line *line, const struct ck_value *value);
/* Saves the earlier values in temporaries, so that they are evaluated before what is emitted
 * next. */
void ck_line_hold(struct ck_line *line);
/* `threadIdx` as `(threadIdx.x, threadIdx.y, threadIdx.z)`. */
struct ck_value ck_line_axes(struct ck_fn *fn, const struct ck_expr *arg);
/* A number, or a tuple of such. */
bool ck_is_printed(const struct ck_type *type);
void ck_line_report(struct ck_fn *fn, const struct ck_value *value);
/* Emits the statement that prints the line. */
void ck_line_print(struct ck_line *line, const struct ck_expr *call);
/* Whether a call has few enough arguments, none by keyword. False after an error. */
bool ck_has_positional_only(struct ck_fn *fn, const struct ck_expr *call, const char *name);

/* --- format_value.c --- */
/* A value in a format. False after an error. */
bool ck_line_field(struct ck_line *line, struct ck_value value, const struct ck_format *format,
                   struct ck_span span);
/* What a function of the prelude makes of the value in this format; `type` is the value's before
 * any conversion. False after an error. */
bool ck_line_written(struct ck_line *line, const char *function, struct ck_texpr *value,
                     const struct ck_format *format, const struct ck_type *type);
bool ck_bad_format(struct ck_fn *fn, struct ck_span span, const char *why);

/* --- format_fields.c --- */
/* Whether the argument is text with values in formats: an f-string, `"..." % values`, or
 * `"...".format(values)`. It is then added; *good is false after an error. */
bool ck_line_formatted(struct ck_line *line, const struct ck_expr *arg, bool *good);

#endif
