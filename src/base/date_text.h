/* NumPy's datetime64 and timedelta64: their units, texts and conversions. Both are an int64 that
 * counts units, a datetime64 from the beginning of 1970 on (proleptic Gregorian, without leap
 * seconds). Its least value is NaT, "not a time". */
#ifndef CK_DATE_TEXT_H
#define CK_DATE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

#define CK_NAT INT64_MIN

/* From the longest to the shortest. GENERIC: no unit, which takes any other. */
enum ck_date_unit {
    CK_UNIT_YEAR,
    CK_UNIT_MONTH,
    CK_UNIT_WEEK,
    CK_UNIT_DAY,
    CK_UNIT_HOUR,
    CK_UNIT_MINUTE,
    CK_UNIT_SECOND,
    CK_UNIT_MS,
    CK_UNIT_US,
    CK_UNIT_NS,
    CK_UNIT_PS,
    CK_UNIT_FS,
    CK_UNIT_AS,
    CK_UNIT_GENERIC,
    CK_N_UNITS
};

/* NumPy's letters: "Y", "M", "m", "ns"; "" of GENERIC. */
const char *ck_date_unit_name(enum ck_date_unit unit);
/* As NumPy writes a timedelta64 of it, with a space before: " hours", " generic time units". */
const char *ck_date_unit_words(enum ck_date_unit unit);
/* The unit of these letters; CK_N_UNITS: there is none. */
enum ck_date_unit ck_date_unit_find(const char *letters, size_t length);
/* How many units `to` are one unit `from`, which is no shorter. False: their ratio is not constant,
 * as days in a month, or is too large. */
bool ck_date_factor(enum ck_date_unit from, enum ck_date_unit to, int64_t *out);

/* "datetime64[D]", "timedelta64". */
void ck_date_write_type(struct ck_strbuf *out, bool is_delta, enum ck_date_unit unit);
/* A type's name, as above or with NumPy's short forms, "M8[D]" and "m8". */
bool ck_date_find_type(const char *name, bool *is_delta, enum ck_date_unit *unit);

/* A datetime64 as NumPy writes it, "2020-05-06T07:08"; "NaT". */
void ck_date_write(struct ck_strbuf *out, int64_t value, enum ck_date_unit unit);

/* Reads a date and time as NumPy does: "2020", "2020-05-06", "2020-05-06T07:08:09.125", "NaT". The
 * unit is `*unit`, which the text may be more precise than, or with GENERIC the one that the text's
 * precision needs. NULL, or what is wrong. */
const char *ck_date_read(const char *text, enum ck_date_unit *unit, int64_t *out);

#endif
