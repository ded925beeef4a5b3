/* Format specifications: read, checked against types, and applied to strings. */
#include <string.h>

#include "base/utf8.h"
#include "lang/check/builtins/format.h"

/* --- Reading -------------------------------------------------------------------------------------
 */

struct reader {
    const char *at, *end;
};

static bool
accept(struct reader *reader, char c)
{
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

static char
accept_any(struct reader *reader, const char *chars)
{
    if (reader->at == reader->end || !*reader->at || !strchr(chars, *reader->at))
        return 0;
    return *reader->at++;
}

/* A number; -1: none, or one above MOST. */
static int
read_number(struct reader *reader, int most)
{
    int n = -1;
    for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; reader->at++) {
        n = (n < 0 ? 0 : n * 10) + (*reader->at - '0');
        if (n > most)
            return -1;
    }
    return n;
}

static const char *
read_alignment(struct reader *reader, struct ck_format *out)
{
    uint32_t fill;
    const int length =
        reader->at < reader->end ? ck_utf8_decode(reader->at, reader->end, &fill) : 0;
    const char *next = reader->at + length;
    if (length > 0 && next < reader->end && strchr("<>^=", *next) && *next) {
        if (length > 1 || !*reader->at)
            return "a format is filled with an ASCII character";
        out->fill = *reader->at;
        reader->at = next;
    }
    out->align = accept_any(reader, "<>^=");
    return NULL;
}

/* A 0 before the width fills after the sign, unless the alignment says otherwise. */
static void
read_zero(struct reader *reader, struct ck_format *out)
{
    if (out->fill || !accept(reader, '0'))
        return;
    out->fill = '0';
    if (!out->align)
        out->align = '0';
}

static const char *
read_width(struct reader *reader, struct ck_format *out)
{
    const bool given = reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9';
    out->width = given ? read_number(reader, CK_MAX_FORMAT_WIDTH) : 0;
    if (out->width < 0)
        return "a format's width is at most 999";
    out->grouping = accept_any(reader, ",_");
    out->precision = -1;
    if (!accept(reader, '.'))
        return NULL;
    const char *start = reader->at;
    out->precision = read_number(reader, CK_MAX_FORMAT_PRECISION);
    if (reader->at == start)
        return "a `.` without a precision after it";
    return out->precision < 0 ? "a format's precision is at most 999" : NULL;
}

const char *
ck_format_read(struct ck_format *out, const char *text, uint32_t length)
{
    struct reader reader = {text, text + length};
    *out = (struct ck_format){.is_empty = length == 0};
    const char *wrong = read_alignment(&reader, out);
    if (wrong)
        return wrong;
    out->sign = accept_any(&reader, "+- ");
    if (out->sign == '-')
        out->sign = 0;
    out->positive_zero = accept(&reader, 'z');
    out->alternate = accept(&reader, '#');
    read_zero(&reader, out);
    wrong = read_width(&reader, out);
    if (wrong)
        return wrong;
    out->type = accept_any(&reader, "bcdeEfFgGnosxX%");
    return reader.at < reader.end ? "this is no format" : NULL;
}

/* --- Which values a format is for ----------------------------------------------------------------
 */

static const char *
not_for(struct ck_checker *c, char option, const char *what)
{
    return ck_arena_printf(c->arena, "`%c` is no format of %s", option, what);
}

const char *
ck_format_for_int(struct ck_checker *c, const struct ck_format *format)
{
    const char type = format->type ? format->type : 'd';
    if (type == 's')
        return not_for(c, type, "integers");
    if (format->precision >= 0)
        return "integers have no precision";
    if (format->positive_zero)
        return not_for(c, 'z', "integers");
    if (format->grouping && (strchr("cn", type) || (format->grouping == ',' && type != 'd')))
        return ck_arena_printf(c->arena, "`%c` cannot be used with `%c`", format->grouping, type);
    if (type == 'c' && format->sign)
        return "a character has no sign";
    return type == 'c' && format->alternate ? not_for(c, '#', "characters") : NULL;
}

const char *
ck_format_for_float(struct ck_checker *c, const struct ck_format *format)
{
    if (format->type && strchr("bcdosxX", format->type))
        return not_for(c, format->type, "floats");
    if (format->grouping && format->type == 'n')
        return ck_arena_printf(c->arena, "`%c` cannot be used with `n`", format->grouping);
    return NULL;
}

const char *
ck_format_for_text(struct ck_checker *c, const struct ck_format *format)
{
    if (format->type && format->type != 's')
        return not_for(c, format->type, "strings");
    if (format->sign || format->positive_zero || format->alternate || format->grouping)
        return "strings have a width, a precision and an alignment only";
    return format->align == '=' ? not_for(c, '=', "strings") : NULL;
}

/* --- Strings -------------------------------------------------------------------------------------
 */

/* The bytes of the first MOST characters, and how many there are. */
static uint32_t
measure(const char *text, uint32_t length, int most, int *n)
{
    uint32_t bytes = 0, code;
    for (*n = 0; bytes < length && (most < 0 || *n < most); ++*n) {
        const int size = ck_utf8_decode(text + bytes, text + length, &code);
        bytes += size > 0 ? (uint32_t)size : 1;
    }
    return bytes;
}

const char *
ck_format_text(struct ck_checker *c, const struct ck_format *format, const char *text,
               uint32_t *length)
{
    int n;
    const uint32_t bytes = measure(text, *length, format->precision, &n);
    const int pad = format->width > n ? format->width - n : 0;
    const int before = format->align == '>' ? pad : format->align == '^' ? pad / 2 : 0;
    char *out = ck_arena_alloc(c->arena, bytes + (size_t)pad + 1);
    memset(out, format->fill ? format->fill : ' ', bytes + (size_t)pad);
    memcpy(out + before, text, bytes);
    out[bytes + (uint32_t)pad] = 0;
    *length = bytes + (uint32_t)pad;
    return out;
}

/* --- C's conversions -----------------------------------------------------------------------------
 */

/* Integers in decimal, with C's flags for what else the format says. */
static bool
is_of_c_int(const struct ck_format *format, const struct ck_type *type)
{
    const bool is_unsigned = ck_type_is_unsigned(type);
    const bool is_plain = !format->type || format->type == 'd' || format->type == 'n' ||
                          (is_unsigned && strchr("xXo", format->type) && !format->alternate);
    return is_plain && !format->grouping && !(is_unsigned && format->sign);
}

/* Floats without what C fills or signs differently where they are infinite or NaN. */
static bool
is_of_c_float(const struct ck_format *format)
{
    enum { MOST_PRECISION = 20 };
    return format->type && strchr("feEgG", format->type) && !format->grouping && !format->sign &&
           !format->alternate && !format->positive_zero && format->precision <= MOST_PRECISION;
}

static bool
is_aligned_as_in_c(const struct ck_format *format, bool is_int)
{
    const bool spaces = !format->fill || format->fill == ' ';
    if (format->align == '0' || format->align == '=')
        return is_int && format->fill == '0';
    return spaces && format->align != '^';
}

const char *
ck_format_conversion(struct ck_checker *c, const struct ck_format *format,
                     const struct ck_type *type)
{
    const bool is_int = !ck_type_is_float(type);
    if (is_int ? !is_of_c_int(format, type) : !is_of_c_float(format))
        return NULL;
    if (!is_aligned_as_in_c(format, is_int))
        return NULL;
    const char letter = !is_int                                       ? format->type
                        : format->type && strchr("xXo", format->type) ? format->type
                        : ck_type_is_unsigned(type)                   ? 'u'
                                                                      : 'd';
    struct ck_strbuf out;
    ck_strbuf_init(&out);
    ck_strbuf_puts(&out, "%");
    if (format->sign)
        ck_strbuf_putc(&out, format->sign);
    if (format->width && format->align == '<')
        ck_strbuf_putc(&out, '-');
    if (format->width && format->fill == '0')
        ck_strbuf_putc(&out, '0');
    if (format->width)
        ck_strbuf_printf(&out, "%d", format->width);
    if (format->precision >= 0)
        ck_strbuf_printf(&out, ".%d", format->precision);
    ck_strbuf_putc(&out, letter);
    return ck_arena_take(c->arena, ck_strbuf_take(&out));
}

/* --- For the prelude -----------------------------------------------------------------------------
 */

static int64_t
index_in(const char *chars, char c, int64_t otherwise)
{
    const char *at = c ? strchr(chars, c) : NULL;
    return at ? at - chars : otherwise;
}

/* The type of float whose shortest text is to be found. */
static int64_t
float_kind(const struct ck_format *format, const struct ck_type *type)
{
    if (!format->is_str)
        return 0;
    return type->kind == CK_TYPE_FLOAT32    ? 1
           : type->kind == CK_TYPE_FLOAT16  ? 2
           : type->kind == CK_TYPE_BFLOAT16 ? 3
                                            : 0;
}

int64_t
ck_format_pack(const struct ck_format *format, const struct ck_type *type)
{
    const char fill = format->fill ? format->fill : ' ';
    const char align = format->align == '0' ? '=' : format->align;
    return (int64_t)format->width | (int64_t)(format->precision + 1) << 10 |
           (int64_t)format->type << 20 | (int64_t)fill << 27 | index_in("<>^=", align, 1) << 34 |
           (int64_t)format->sign << 36 | (int64_t)format->grouping << 43 |
           (int64_t)format->alternate << 50 | (int64_t)format->positive_zero << 51 |
           float_kind(format, type) << 52 |
           (int64_t)(ck_type_is_date(type) ? type->date.unit : 0) << 54;
}

int64_t
ck_format_bytes(const struct ck_format *format, const struct ck_type *type)
{
    enum { INT = 64 + 2 + 1, FLOAT_EXPONENT = 32, FLOAT_DIGITS = 310 + 3 };
    const bool exponent = !format->type || strchr("eEgGn", format->type);
    int64_t precision = format->precision >= 0 ? format->precision : 17;
    int64_t n = !ck_type_is_float(type) ? INT
                : exponent              ? FLOAT_EXPONENT + precision
                                        : FLOAT_DIGITS + precision;
    if (format->grouping)
        n += n / 3;
    return n > format->width + 4 ? n : format->width + 4;
}
