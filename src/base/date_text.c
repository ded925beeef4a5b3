/* Dates and times of NumPy: see date_text.h. */
#include "base/date_text.h"

#include <ctype.h>
#include <string.h>

static const char *const unit_names[CK_N_UNITS] = {"Y",  "M",  "W",  "D",  "h",  "m",  "s",
                                                   "ms", "us", "ns", "ps", "fs", "as", ""};

/* How many of the next shorter unit are one unit; 0: their ratio is not constant. */
static const int ratios[CK_UNIT_AS] = {12, 0, 7, 24, 60, 60, 1000, 1000, 1000, 1000, 1000, 1000};

const char *
ck_date_unit_name(enum ck_date_unit unit)
{
    return unit_names[unit];
}

const char *
ck_date_unit_words(enum ck_date_unit unit)
{
    static const char *const words[CK_N_UNITS] = {
        " years",        " months",
        " weeks",        " days",
        " hours",        " minutes",
        " seconds",      " milliseconds",
        " microseconds", " nanoseconds",
        " picoseconds",  " femtoseconds",
        " attoseconds",  " generic time units",
    };
    return words[unit];
}

enum ck_date_unit
ck_date_unit_find(const char *letters, size_t length)
{
    for (int unit = 0; unit < CK_UNIT_GENERIC; unit++) {
        if (strlen(unit_names[unit]) == length && memcmp(unit_names[unit], letters, length) == 0)
            return (enum ck_date_unit)unit;
    }
    return length ? CK_N_UNITS : CK_UNIT_GENERIC;
}

bool
ck_date_factor(enum ck_date_unit from, enum ck_date_unit to, int64_t *out)
{
    int64_t factor = 1;
    if (from != CK_UNIT_GENERIC && (to == CK_UNIT_GENERIC || from > to))
        return false;
    for (int unit = from; unit < (int)to && from != CK_UNIT_GENERIC; unit++) {
        if (!ratios[unit] || __builtin_mul_overflow(factor, (int64_t)ratios[unit], &factor))
            return false;
    }
    *out = factor;
    return true;
}

/* --- Types ---------------------------------------------------------------------------------------
 */

void
ck_date_write_type(struct ck_strbuf *out, bool is_delta, enum ck_date_unit unit)
{
    ck_strbuf_puts(out, is_delta ? "timedelta64" : "datetime64");
    if (unit != CK_UNIT_GENERIC)
        ck_strbuf_printf(out, "[%s]", unit_names[unit]);
}

bool
ck_date_find_type(const char *name, bool *is_delta, enum ck_date_unit *unit)
{
    static const struct {
        const char *name;
        bool is_delta;
    } rows[] = {{"datetime64", false}, {"timedelta64", true}, {"M8", false}, {"m8", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t length = strlen(rows[i].name), rest = strlen(name) - length;
        if (strncmp(name, rows[i].name, length) != 0)
            continue;
        *is_delta = rows[i].is_delta;
        *unit = CK_UNIT_GENERIC;
        if (!rest)
            return true;
        if (rest < 3 || name[length] != '[' || name[length + rest - 1] != ']')
            return false;
        *unit = ck_date_unit_find(name + length + 1, rest - 2);
        return *unit != CK_N_UNITS;
    }
    return false;
}

/* --- The calendar --------------------------------------------------------------------------------
 * Days from the civil calendar and back, as in Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms": years begin in March, and 400 of them have 146097 days. In 128 bits no datetime64
 * overflows. */

typedef __int128 wide;

enum { DAYS_OF_400_YEARS = 146097, DAYS_BEFORE_1970 = 719468 /* since March 1st of year 0 */ };

static wide
floor_divide(wide a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* `month` from 1. */
static wide
days_of(wide year, int month, int day)
{
    year -= month <= 2;
    const wide era = floor_divide(year, 400);
    const int of_era = (int)(year - era * 400);
    const int of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    return era * DAYS_OF_400_YEARS + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
           DAYS_BEFORE_1970;
}

struct date {
    wide year;
    int month, day;
};

static struct date
date_of(wide days)
{
    days += DAYS_BEFORE_1970;
    const wide era = floor_divide(days, DAYS_OF_400_YEARS);
    const int day = (int)(days - era * DAYS_OF_400_YEARS);
    const int year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    const int of_year = day - (365 * year + year / 4 - year / 100);
    const int month = (5 * of_year + 2) / 153; /* from March */
    return (struct date){era * 400 + year + (month >= 10), month < 10 ? month + 3 : month - 9,
                         of_year - (153 * month + 2) / 5 + 1};
}

/* --- Writing -------------------------------------------------------------------------------------
 */

static int
n_fraction_digits(enum ck_date_unit unit)
{
    return unit > CK_UNIT_SECOND ? 3 * (int)(unit - CK_UNIT_SECOND) : 0;
}

/* The time of a day in units of an hour or less. */
static void
write_time(struct ck_strbuf *out, wide time, enum ck_date_unit unit)
{
    int64_t fraction = 0, per_second = 1;
    ck_date_factor(CK_UNIT_SECOND, unit < CK_UNIT_SECOND ? CK_UNIT_SECOND : unit, &per_second);
    if (unit >= CK_UNIT_SECOND) {
        fraction = (int64_t)(time % per_second);
        time /= per_second;
    } else {
        time *= unit == CK_UNIT_HOUR ? 3600 : 60;
    }
    const int seconds = (int)time;
    ck_strbuf_printf(out, "T%02d", seconds / 3600);
    if (unit >= CK_UNIT_MINUTE)
        ck_strbuf_printf(out, ":%02d", seconds / 60 % 60);
    if (unit >= CK_UNIT_SECOND)
        ck_strbuf_printf(out, ":%02d", seconds % 60);
    if (unit > CK_UNIT_SECOND)
        ck_strbuf_printf(out, ".%0*lld", n_fraction_digits(unit), (long long)fraction);
}

/* How many units, of at most a day, a day has. */
static wide
units_of_day(enum ck_date_unit unit)
{
    wide n = 1;
    for (int i = CK_UNIT_DAY; i < (int)unit; i++)
        n *= ratios[i];
    return n;
}

void
ck_date_write(struct ck_strbuf *out, int64_t value, enum ck_date_unit unit)
{
    if (value == CK_NAT) {
        ck_strbuf_puts(out, "NaT");
        return;
    }
    if (unit == CK_UNIT_GENERIC) {
        ck_strbuf_printf(out, "%lld", (long long)value);
        return;
    }
    struct date date = {.month = 1, .day = 1};
    wide time = 0;
    if (unit == CK_UNIT_YEAR) {
        date.year = (wide)value + 1970;
    } else if (unit == CK_UNIT_MONTH) {
        const wide years = floor_divide(value, 12);
        date.year = years + 1970;
        date.month = (int)(value - years * 12) + 1;
    } else if (unit == CK_UNIT_WEEK) {
        date = date_of((wide)value * 7);
    } else {
        const wide days = unit == CK_UNIT_DAY ? (wide)value
                                              : (wide)value / units_of_day(unit) -
                                                    ((wide)value % units_of_day(unit) < 0);
        time = value - days * units_of_day(unit);
        date = date_of(days);
    }
    ck_strbuf_printf(out, "%04lld", (long long)date.year);
    if (unit >= CK_UNIT_MONTH)
        ck_strbuf_printf(out, "-%02d", date.month);
    if (unit >= CK_UNIT_WEEK)
        ck_strbuf_printf(out, "-%02d", date.day);
    if (unit >= CK_UNIT_HOUR)
        write_time(out, time, unit);
}

/* --- Reading -------------------------------------------------------------------------------------
 */

struct reader {
    const char *at;
    struct date date;
    int64_t seconds;      /* of the day */
    int64_t attoseconds;  /* of the second */
    enum ck_date_unit to; /* the last part of the text */
};

static bool
accept(struct reader *reader, char c)
{
    if (*reader->at != c)
        return false;
    reader->at++;
    return true;
}

/* A number of two digits, within a range. */
static bool
read_part(struct reader *reader, int least, int most, enum ck_date_unit unit, int *out)
{
    const unsigned char *at = (const unsigned char *)reader->at;
    if (!isdigit(at[0]) || !isdigit(at[1]))
        return false;
    *out = (at[0] - '0') * 10 + at[1] - '0';
    reader->at += 2;
    reader->to = unit;
    return *out >= least && *out <= most;
}

static bool
read_year(struct reader *reader)
{
    const bool is_negative = *reader->at == '-';
    int64_t year = 0;
    if (is_negative || *reader->at == '+')
        reader->at++;
    const char *begin = reader->at;
    for (; isdigit((unsigned char)*reader->at); reader->at++) {
        if (__builtin_mul_overflow(year, 10, &year) ||
            __builtin_add_overflow(year, (int64_t)(*reader->at - '0'), &year))
            return false;
    }
    reader->date = (struct date){is_negative ? -(wide)year : year, 1, 1};
    reader->to = CK_UNIT_YEAR;
    return reader->at > begin;
}

static bool
read_day(struct reader *reader)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const wide year = reader->date.year;
    const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    const int month = reader->date.month;
    return read_part(reader, 1, lengths[month - 1] + (month == 2 && is_leap), CK_UNIT_DAY,
                     &reader->date.day);
}

static bool
read_fraction(struct reader *reader)
{
    int n = 0;
    for (; isdigit((unsigned char)*reader->at) && n < 18; n++)
        reader->attoseconds = reader->attoseconds * 10 + (*reader->at++ - '0');
    reader->to = (enum ck_date_unit)(CK_UNIT_SECOND + (n + 2) / 3);
    for (int i = n; i < 18; i++)
        reader->attoseconds *= 10;
    return n > 0;
}

static bool
read_time(struct reader *reader)
{
    int hour = 0, minute = 0, second = 0;
    bool good = read_part(reader, 0, 23, CK_UNIT_HOUR, &hour);
    if (good && accept(reader, ':'))
        good = read_part(reader, 0, 59, CK_UNIT_MINUTE, &minute);
    if (good && reader->to == CK_UNIT_MINUTE && accept(reader, ':'))
        good = read_part(reader, 0, 59, CK_UNIT_SECOND, &second);
    reader->seconds = hour * 3600 + minute * 60 + second;
    if (good && reader->to == CK_UNIT_SECOND && accept(reader, '.'))
        good = read_fraction(reader);
    return good;
}

static bool
read_all(struct reader *reader)
{
    bool good = read_year(reader);
    if (good && accept(reader, '-'))
        good = read_part(reader, 1, 12, CK_UNIT_MONTH, &reader->date.month);
    if (good && reader->to == CK_UNIT_MONTH && accept(reader, '-'))
        good = read_day(reader);
    if (good && reader->to == CK_UNIT_DAY && (accept(reader, 'T') || accept(reader, ' ')))
        good = read_time(reader);
    return good && !*reader->at;
}

/* The date in a unit, rounded down. */
static wide
in_unit(const struct reader *reader, enum ck_date_unit unit)
{
    const wide days = days_of(reader->date.year, reader->date.month, reader->date.day);
    if (unit == CK_UNIT_YEAR)
        return reader->date.year - 1970;
    if (unit == CK_UNIT_MONTH)
        return (reader->date.year - 1970) * 12 + reader->date.month - 1;
    if (unit == CK_UNIT_WEEK)
        return floor_divide(days, 7);
    const wide second = units_of_day(CK_UNIT_SECOND);
    if (unit <= CK_UNIT_SECOND)
        return days * units_of_day(unit) + reader->seconds / (second / units_of_day(unit));
    const wide per_second = units_of_day(unit) / second;
    const wide per_unit = units_of_day(CK_UNIT_AS) / units_of_day(unit);
    /* Checked first: a year of 19 digits in attoseconds takes more than 128 bits. */
    const wide seconds = days * second + reader->seconds, most = (wide)INT64_MAX / per_second + 1;
    if (seconds > most || seconds < -most - 1)
        return (wide)CK_NAT;
    return seconds * per_second + reader->attoseconds / per_unit;
}

const char *
ck_date_read(const char *text, enum ck_date_unit *unit, int64_t *out)
{
    struct reader reader = {.at = text};
    *out = CK_NAT;
    if (!*text ||
        (tolower((unsigned char)text[0]) == 'n' && tolower((unsigned char)text[1]) == 'a' &&
         tolower((unsigned char)text[2]) == 't' && !text[3]))
        return NULL;
    if (!read_all(&reader))
        return "a date is written 2020-05-06, 2020-05-06T07:08:09.125 or NaT";
    if (*unit == CK_UNIT_GENERIC)
        *unit = reader.to;
    const wide value = in_unit(&reader, *unit);
    if (value > INT64_MAX || value <= CK_NAT)
        return "the date is out of the range of its unit";
    *out = (int64_t)value;
    return NULL;
}
