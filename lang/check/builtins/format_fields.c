/* Text with fields, as `print` takes it: f-strings, `"..." % values` and `"...".format(values)`. */
#include <string.h>

#include "lang/check/builtins/print.h"

/* --- f-strings -----------------------------------------------------------------------------------
 */

/* The text of a constant in a format: a string or an integer. */
static bool
add_constant(struct ck_fn *fn, struct ck_strbuf *out, const struct ck_expr *expr)
{
    struct ck_value value = ck_check_expr(fn, expr);
    int64_t number;
    if (value.kind == CK_VALUE_ERROR)
        return false;
    if (value.kind == CK_VALUE_STRING)
        ck_strbuf_add(out, value.string->string.bytes, value.string->string.length);
    else if (ck_value_const_int(&value, &number))
        ck_strbuf_printf(out, "%lld", (long long)number);
    else
        return ck_bad_format(fn, expr->span, "a field in a format is a constant integer or string");
    return true;
}

/* A format whose fields are constants. False after an error. */
static bool
spec_text(struct ck_fn *fn, const struct ck_expr *spec, const char **text, uint32_t *length)
{
    *text = "";
    *length = 0;
    if (!spec || spec->kind == CK_EXPR_ERROR)
        return !spec;
    if (spec->kind == CK_EXPR_STRING) {
        *text = spec->string.bytes;
        *length = spec->string.length;
        return true;
    }
    struct ck_strbuf out;
    bool good = true;
    ck_strbuf_init(&out);
    for (int i = 0; i < spec->format.n && good; i++) {
        const struct ck_format_part *part = &spec->format.parts[i];
        if (part->text)
            ck_strbuf_add(&out, part->text, part->length);
        else
            good = add_constant(fn, &out, part->value);
    }
    *length = (uint32_t)out.length;
    *text = ck_arena_take(fn->c->arena, ck_strbuf_take(&out));
    return good;
}

/* The value of a field's expression: `threadIdx` is a tuple. */
static struct ck_value
field_value(struct ck_fn *fn, const struct ck_expr *expr)
{
    struct ck_value value = ck_check_expr(fn, expr);
    return ck_has_axes(fn, &value) ? ck_line_axes(fn, expr) : value;
}

static bool
add_field(struct ck_line *line, const struct ck_expr *value, const char *spec, uint32_t length,
          struct ck_span span)
{
    struct ck_format format;
    const char *wrong = ck_format_read(&format, spec, length);
    if (wrong)
        return ck_bad_format(line->fn, span, wrong);
    return ck_line_field(line, field_value(line->fn, value), &format, span);
}

static bool
add_fstring(struct ck_line *line, const struct ck_expr *string)
{
    bool good = true;
    for (int i = 0; i < string->format.n; i++) {
        const struct ck_format_part *part = &string->format.parts[i];
        const char *spec;
        uint32_t length;
        if (part->text)
            ck_line_text(line, part->text, part->length);
        else
            good = spec_text(line->fn, part->spec, &spec, &length) &&
                   add_field(line, part->value, spec, length,
                             part->spec ? part->spec->span : part->span) &&
                   good;
    }
    return good;
}

/* --- Texts ---------------------------------------------------------------------------------------
 */

/* A string with fields, its arguments, and how many of them were used. */
struct text {
    struct ck_line *line;
    const char *at, *end;
    struct ck_span span;
    const struct ck_argument *args;
    int n_args, used;
    bool numbered; /* `.format`: a field has a number */
};

static bool
wrong_text(struct text *text, const char *why)
{
    return ck_bad_format(text->line->fn, text->span, why);
}

/* Adds what comes before the next of `stops`. */
static void
add_until(struct text *text, const char *stops)
{
    const char *start = text->at;
    while (text->at < text->end && (!*text->at || !strchr(stops, *text->at)))
        text->at++;
    ck_line_text(text->line, start, (uint32_t)(text->at - start));
}

static bool
check_used(struct text *text)
{
    if (text->used >= text->n_args)
        return true;
    return wrong_text(text, ck_arena_printf(text->line->fn->c->arena,
                                            "%d values for a text with fields for %d", text->n_args,
                                            text->used));
}

static const struct ck_expr *
next_argument(struct text *text)
{
    if (text->used < text->n_args)
        return text->args[text->used++].value;
    wrong_text(text, ck_arena_printf(text->line->fn->c->arena, "more fields than the %d value%s",
                                     text->n_args, text->n_args == 1 ? "" : "s"));
    return NULL;
}

/* --- "...".format(values) ------------------------------------------------------------------------
 */

/* The argument that a field names: the next, by its number, or by keyword. NULL after an error. */
static const struct ck_expr *
named_argument(struct text *text, const char *name, size_t length)
{
    if (length == 0)
        return next_argument(text);
    const bool is_number = strspn(name, "0123456789") >= length;
    int number = 0;
    for (size_t i = 0; is_number && i < length && number < 1000; i++)
        number = number * 10 + (name[i] - '0');
    for (int i = 0; i < text->n_args; i++) {
        const char *keyword = text->args[i].name;
        if (is_number ? !keyword && i == number
                      : keyword && strlen(keyword) == length && !memcmp(keyword, name, length)) {
            text->numbered = true;
            return text->args[i].value;
        }
    }
    wrong_text(text, ck_arena_printf(text->line->fn->c->arena, "no value for the field `%.*s`",
                                     (int)length, name));
    return NULL;
}

/* A field, at its `{`. */
static bool
add_replacement(struct text *text)
{
    const char *name = ++text->at;
    const size_t length = strcspn(name, ":!{}");
    const char *spec = name + length + (name[length] == ':');
    const char *close = spec + strcspn(spec, "{}");
    if (close >= text->end || *close != '}' || (close > name + length && name[length] != ':'))
        return wrong_text(text, "a field is `{}`, `{0}` or `{name}`, with a format: `{:8.3f}`");
    text->at = close + 1;
    const struct ck_expr *value = named_argument(text, name, length);
    return value && add_field(text->line, value, spec, (uint32_t)(close - spec), text->span);
}

static bool
add_replaced(struct text *text)
{
    while (text->at < text->end) {
        add_until(text, "{}");
        if (text->at == text->end)
            break;
        if (text->at + 1 < text->end && text->at[1] == *text->at) {
            ck_line_text(text->line, text->at, 1);
            text->at += 2;
        } else if (*text->at == '}') {
            return wrong_text(text, "a single `}`: write `}}`");
        } else if (!add_replacement(text)) {
            return false;
        }
    }
    return text->numbered || check_used(text);
}

/* --- "..." % values ------------------------------------------------------------------------------
 */

static int
read_digits(struct text *text)
{
    int n = 0;
    for (; text->at < text->end && *text->at >= '0' && *text->at <= '9'; text->at++) {
        if (n <= CK_MAX_FORMAT_WIDTH)
            n = n * 10 + (*text->at - '0');
    }
    return n;
}

/* Flags, width and precision of a conversion. False after an error. */
static bool
read_conversion(struct text *text, struct ck_format *out)
{
    bool left = false, zero = false;
    *out = (struct ck_format){.align = '>', .precision = -1};
    for (; text->at < text->end && *text->at && strchr("-+ #0", *text->at); text->at++) {
        left |= *text->at == '-';
        zero |= *text->at == '0';
        out->alternate |= *text->at == '#';
        if (*text->at == '+' || (*text->at == ' ' && !out->sign))
            out->sign = *text->at;
    }
    out->width = read_digits(text);
    if (text->at < text->end && *text->at == '.') {
        text->at++;
        out->precision = read_digits(text);
    }
    if (out->width > CK_MAX_FORMAT_WIDTH || out->precision > CK_MAX_FORMAT_PRECISION)
        return wrong_text(text, "a width or a precision is at most 999");
    if (left)
        out->align = '<';
    else if (zero)
        out->align = '=';
    out->fill = zero && !left ? '0' : 0;
    return true;
}

/* `%s` of a number is its text, aligned as one. */
static bool
add_as_text(struct text *text, struct ck_format *format, struct ck_value value)
{
    if (format->align == '=')
        format->align = '>';
    format->fill = 0;
    format->sign = 0;
    format->alternate = false;
    if (value.kind == CK_VALUE_RUN && format->precision >= 0)
        return wrong_text(text, "`%s` of a number has no precision");
    const bool is_bool = value.kind == CK_VALUE_RUN && value.type->kind == CK_TYPE_BOOL;
    if (is_bool && format->width)
        return wrong_text(text, "`%s` of a bool has no width");
    format->is_str = true;
    format->is_empty = format->width == 0 || value.kind == CK_VALUE_RUN;
    return ck_line_field(text->line, value, format, text->span);
}

static bool
add_converted(struct text *text, struct ck_format *format, char letter)
{
    const struct ck_expr *argument = next_argument(text);
    if (!argument)
        return false;
    struct ck_value value = field_value(text->line->fn, argument);
    if (value.kind == CK_VALUE_ERROR)
        return false;
    if (letter == 's')
        return add_as_text(text, format, value);
    const bool is_int_format = strchr("diuoxXc", letter) != NULL;
    if (value.kind != CK_VALUE_RUN || !ck_type_is_scalar(value.type) ||
        ck_type_is_complex(value.type) || (is_int_format && ck_type_is_float(value.type)))
        return wrong_text(text, ck_arena_printf(text->line->fn->c->arena, "`%%%c` takes %s", letter,
                                                is_int_format ? "an integer" : "a number"));
    if (is_int_format && format->precision >= 0)
        return wrong_text(text, "integers have no precision");
    if (letter == 'c') {
        format->sign = 0;
        format->alternate = false;
        format->fill = 0;
        format->align = format->align == '=' ? '>' : format->align;
    }
    format->type = strchr("iu", letter) ? 'd' : letter;
    return ck_line_field(text->line, value, format, text->span);
}

static bool
add_conversion(struct text *text)
{
    struct ck_format format;
    text->at++;
    if (!read_conversion(text, &format))
        return false;
    const char letter = text->at < text->end ? *text->at++ : 0;
    if (letter == '%') {
        ck_line_text(text->line, "%", 1);
        return true;
    }
    if (!letter || !strchr("diuoxXceEfFgGs", letter))
        return wrong_text(text, letter == '*' ? "`*` in a conversion: write the number"
                                              : "a conversion is one of `%d %i %u %o %x %X %c %e "
                                                "%E %f %F %g %G %s %%`");
    return add_converted(text, &format, letter);
}

static bool
add_conversions(struct text *text)
{
    while (text->at < text->end) {
        add_until(text, "%");
        if (text->at < text->end && !add_conversion(text))
            return false;
    }
    return check_used(text);
}

/* --- Which an argument is ------------------------------------------------------------------------
 */

/* The string that an expression is: a literal, or a name of one. NULL: none. */
static const struct ck_expr *
string_of(struct ck_fn *fn, const struct ck_expr *expr)
{
    if (expr->kind == CK_EXPR_STRING)
        return expr;
    if (expr->kind != CK_EXPR_NAME)
        return NULL;
    struct ck_value value = ck_probe(fn, expr);
    return value.kind == CK_VALUE_STRING ? value.string : NULL;
}

static struct text
text_of(struct ck_line *line, const struct ck_expr *string, struct ck_span span)
{
    return (struct text){.line = line,
                         .at = string->string.bytes,
                         .end = string->string.bytes + string->string.length,
                         .span = span};
}

/* The values on the right of `%`: the items of a tuple display, or one value. */
static void
set_values(struct text *text, const struct ck_expr *right)
{
    struct ck_arena *arena = text->line->fn->c->arena;
    const bool is_tuple = right->kind == CK_EXPR_TUPLE;
    const int n = is_tuple ? right->sequence.n : 1;
    struct ck_argument *args = CK_NEW_ARRAY(arena, struct ck_argument, n + 1);
    for (int i = 0; i < n; i++)
        args[i].value = is_tuple ? right->sequence.items[i] : (struct ck_expr *)right;
    text->args = args;
    text->n_args = n;
}

bool
ck_line_formatted(struct ck_line *line, const struct ck_expr *arg, bool *good)
{
    const struct ck_expr *string = NULL;
    if (arg->kind == CK_EXPR_FORMAT) {
        *good = add_fstring(line, arg);
        return true;
    }
    if (arg->kind == CK_EXPR_BINARY && arg->binary.op == CK_OP_MOD)
        string = string_of(line->fn, arg->binary.left);
    if (string) {
        struct text text = text_of(line, string, arg->binary.left->span);
        set_values(&text, arg->binary.right);
        *good = add_conversions(&text);
        return true;
    }
    const struct ck_expr *callee = arg->kind == CK_EXPR_CALL ? arg->call.callee : NULL;
    if (callee && callee->kind == CK_EXPR_ATTRIBUTE && !strcmp(callee->attribute.name, "format"))
        string = string_of(line->fn, callee->attribute.object);
    if (!string)
        return false;
    struct text text = text_of(line, string, callee->attribute.object->span);
    text.args = arg->call.args;
    text.n_args = arg->call.n_args;
    *good = add_replaced(&text);
    return true;
}
