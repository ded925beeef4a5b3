/* The text of an expression: its errors, its tokens and its numbers. */
#include "expr.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../../common/messages.h"
#include "base/utf8.h"

void
ckrun_parse_begin(struct ckrun_parser *p, struct ckrun_env *env, const char *text)
{
    *p = (struct ckrun_parser){.env = env, .text = text, .at = text};
}

void
ckrun_parse_fail_text(struct ckrun_parser *p, const char *at, char *message)
{
    if (p->error) {
        free(message);
        return;
    }
    p->error = message;
    p->error_at = at;
}

void
ckrun_parse_fail(struct ckrun_parser *p, const char *at, const char *format, ...)
{
    char *message = NULL;
    va_list args;
    if (p->error)
        return;
    va_start(args, format);
    if (vasprintf(&message, format, args) < 0)
        message = tool_strndup("out of memory", 13);
    va_end(args);
    ckrun_parse_fail_text(p, at, message);
}

/* One line, control characters shown as spaces, so that the caret is below its place. */
static void
print_with_caret(const char *text, const char *at)
{
    tool_detail("  ");
    for (const char *c = text, *end = text + strlen(text); c < end;) {
        int length = ck_utf8_printable(c, end);
        tool_detail("%.*s", length, c);
        if (!length && ((unsigned char)*c & 0xC0) != 0x80)
            tool_detail(" ");
        c += length ? length : 1;
    }
    tool_detail("\n  ");
    for (const char *c = text; c < at; c++) {
        if (((unsigned char)*c & 0xC0) != 0x80) /* one column a character */
            tool_detail(" ");
    }
    tool_detail("^\n");
}

bool
ckrun_parse_end(struct ckrun_parser *p)
{
    if (!p->error)
        return true;
    if (!p->failed_read) {
        tool_error("%s", p->error);
        print_with_caret(p->text, p->error_at);
    }
    free(p->error);
    p->error = NULL;
    return false;
}

void
ckrun_skip_space(struct ckrun_parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

bool
ckrun_parse_accept(struct ckrun_parser *p, char c)
{
    ckrun_skip_space(p);
    if (p->error || *p->at != c || !c)
        return false;
    p->at++;
    ckrun_skip_space(p);
    return true;
}

bool
ckrun_accept_operator(struct ckrun_parser *p, const char *op)
{
    size_t length = strlen(op);
    ckrun_skip_space(p);
    if (p->error || strncmp(p->at, op, length) != 0)
        return false;
    p->at += length;
    ckrun_skip_space(p);
    return true;
}

void
ckrun_fail_unexpected(struct ckrun_parser *p, const char *wanted)
{
    ckrun_skip_space(p);
    if (*p->at == '\0')
        ckrun_parse_fail(p, p->at, "expected %s at the end", wanted);
    else
        ckrun_parse_fail(p, p->at, "expected %s", wanted);
}

void
ckrun_parse_expect(struct ckrun_parser *p, char c)
{
    char wanted[] = {'`', c, '`', '\0'};
    if (!ckrun_parse_accept(p, c))
        ckrun_fail_unexpected(p, wanted);
}

void
ckrun_expect_end(struct ckrun_parser *p)
{
    ckrun_skip_space(p);
    if (*p->at)
        ckrun_parse_fail(p, p->at, "unexpected text after the expression");
}

bool
ckrun_is_name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

size_t
ckrun_parse_name(const struct ckrun_parser *p)
{
    size_t length = 0;
    if (isdigit((unsigned char)*p->at))
        return 0;
    while (ckrun_is_name_byte(p->at[length]))
        length++;
    return length;
}

/* --- Numbers -----------------------------------------------------------------------------------
 */

static int
digit_value(char c)
{
    if (isdigit((unsigned char)c))
        return c - '0';
    return isalpha((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

/* Digits of `base` with single underscores between them. */
static struct ckrun_value
parse_integer(struct ckrun_parser *p, const char *start, int base)
{
    ckrun_int i = 0;
    bool overflow = false, digit_before = false;
    for (; digit_value(*p->at) < base || (*p->at == '_' && digit_before); p->at++) {
        digit_before = *p->at != '_';
        if (digit_before)
            overflow |= __builtin_mul_overflow(i, base, &i) ||
                        __builtin_add_overflow(i, digit_value(*p->at), &i);
    }
    if (!digit_before || ckrun_is_name_byte(*p->at))
        ckrun_parse_fail(p, start, "not a number");
    else if (overflow)
        ckrun_parse_fail(p, start, "the integer is too large");
    return ckrun_int_value(i);
}

static int
number_base(const char *text)
{
    if (text[0] != '0')
        return 10;
    switch (text[1]) {
    case 'x':
    case 'X':
        return 16;
    case 'o':
    case 'O':
        return 8;
    case 'b':
    case 'B':
        return 2;
    default:
        return 10;
    }
}

/* The length of a decimal float's text, or 0 if it is none (an integer). */
static size_t
float_length(const char *text)
{
    size_t n = 0;
    bool is_float = false;
    while (isdigit((unsigned char)text[n]) || text[n] == '_')
        n++;
    if (text[n] == '.') {
        is_float = true;
        for (n++; isdigit((unsigned char)text[n]) || text[n] == '_'; n++)
            ;
    }
    if (text[n] == 'e' || text[n] == 'E') {
        size_t sign = text[n + 1] == '+' || text[n + 1] == '-';
        if (isdigit((unsigned char)text[n + 1 + sign])) {
            is_float = true;
            for (n += 1 + sign; isdigit((unsigned char)text[n]) || text[n] == '_'; n++)
                ;
        }
    }
    return is_float ? n : 0;
}

static bool
is_imaginary(const char *suffix)
{
    return (*suffix == 'j' || *suffix == 'J') && !ckrun_is_name_byte(suffix[1]);
}

static struct ckrun_value
parse_float(struct ckrun_parser *p, size_t length)
{
    const char *start = p->at;
    char *digits = tool_alloc(length + 1), *end;
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (start[i] != '_')
            digits[n++] = start[i];
    }
    double f = strtod(digits, &end);
    bool whole = *end == '\0';
    free(digits);
    p->at += length;
    bool imaginary = is_imaginary(p->at);
    p->at += imaginary;
    if (!whole || ckrun_is_name_byte(*p->at))
        ckrun_parse_fail(p, start, "not a number");
    else if (isinf(f))
        ckrun_parse_fail(p, start, "the number is too large for float64");
    return imaginary ? ckrun_complex_value(0, f) : ckrun_float_value(f);
}

/* The length of the digits of `2j`, or 0. */
static size_t
imaginary_length(const char *text)
{
    size_t n = 0;
    while (isdigit((unsigned char)text[n]) || text[n] == '_')
        n++;
    return is_imaginary(text + n) ? n : 0;
}

struct ckrun_value
ckrun_scan_number(struct ckrun_parser *p)
{
    const char *start = p->at;
    int base = number_base(start);
    size_t length = base == 10 ? float_length(start) : 0;
    if (base == 10 && !length)
        length = imaginary_length(start);
    if (length)
        return parse_float(p, length);
    if (base != 10)
        p->at += 2;
    return parse_integer(p, start, base);
}
