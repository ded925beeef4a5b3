/* Format specifications, as Python's `format` has them, and C's. */
#ifndef CK_FORMAT_H
#define CK_FORMAT_H

#include "lang/check/checker.h"

enum {
    CK_MAX_FORMAT_WIDTH = 999,
    CK_MAX_FORMAT_PRECISION = 999,
};

/* [[fill]align][sign][z][#][0][width][grouping][.precision][type] */
struct ck_format {
    char fill;          /* 0: a space */
    char align;         /* one of "<>^="; '0': as by a 0 before the width; 0: by the value's type */
    char sign;          /* '+' or ' '; 0: only a minus */
    bool positive_zero; /* `z` */
    bool alternate;     /* `#` */
    bool is_empty;      /* nothing is given */
    bool is_str;        /* `%s`: the text of the number itself; other formats make floats float64 */
    int width, precision; /* precision -1: not given */
    char grouping;        /* ',' or '_'; 0: none */
    char type;            /* 0: not given */
};

/* Reads a whole specification. NULL, or what is wrong with it. */
const char *ck_format_read(struct ck_format *out, const char *text, uint32_t length);
/* NULL, or why the format is none for such a value: "`d` is no format of floats". */
const char *ck_format_for_int(struct ck_checker *c, const struct ck_format *format);
const char *ck_format_for_float(struct ck_checker *c, const struct ck_format *format);
const char *ck_format_for_text(struct ck_checker *c, const struct ck_format *format);
/* A string in its format, in the arena. */
const char *ck_format_text(struct ck_checker *c, const struct ck_format *format, const char *text,
                           uint32_t *length);
/* C's conversion that prints an integer, or a float, exactly as Python does. NULL: none does. */
const char *ck_format_conversion(struct ck_checker *c, const struct ck_format *format,
                                 const struct ck_type *type);
/* The format for the functions of lang/prelude/format.ck, and the bytes that its text can need,
 * without the zero at its end. `type` is the value's, before any conversion. */
int64_t ck_format_pack(const struct ck_format *format, const struct ck_type *type);
int64_t ck_format_bytes(const struct ck_format *format, const struct ck_type *type);

#endif
