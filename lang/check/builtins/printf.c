/* Checking `printf`, which has C's conversions: each is checked against its argument. */
#include <string.h>

#include "lang/check/builtins/print.h"
#include "lang/check/date.h"

/* A conversion as written, without sizes of C's types: the arguments' types are known. */
struct conversion {
    const char *start, *flags_end; /* from its `%` to before its letter, or before a size */
    char letter;
    bool has_precision, left;
    int width, precision;
};

struct writer {
    struct ck_line line;
    struct ck_span span; /* of the format */
    const char *at, *end;
};

static bool
wrong(struct writer *writer, const char *why)
{
    return ck_bad_format(writer->line.fn, writer->span, why);
}

/* A number of at most 999. False after an error. */
static bool
read_number(struct writer *writer, int *out)
{
    *out = 0;
    if (*writer->at == '*')
        return wrong(writer, "`*` in a conversion: write the number");
    for (; *writer->at >= '0' && *writer->at <= '9'; writer->at++) {
        *out = *out * 10 + (*writer->at - '0');
        if (*out > CK_MAX_FORMAT_WIDTH)
            return wrong(writer, "a width or a precision is at most 999");
    }
    return true;
}

/* A conversion, at its `%`; the format ends with a zero. False after an error. */
static bool
read_conversion(struct writer *writer, struct conversion *out)
{
    *out = (struct conversion){.start = writer->at++};
    for (; *writer->at && strchr("-+ #0", *writer->at); writer->at++)
        out->left |= *writer->at == '-';
    if (!read_number(writer, &out->width))
        return false;
    out->has_precision = *writer->at == '.';
    writer->at += out->has_precision;
    if (out->has_precision && !read_number(writer, &out->precision))
        return false;
    out->flags_end = writer->at;
    while (*writer->at && strchr("hlqjzt", *writer->at))
        writer->at++;
    out->letter = *writer->at;
    if (!out->letter || !strchr("diuoxXceEfgGs%", out->letter))
        return wrong(writer, "a conversion is one of `%d %i %u %o %x %X %c %e %E %f %g %G %s %%`");
    writer->at++;
    return true;
}

static bool
mismatch(struct writer *writer, const struct conversion *conversion, const struct ck_value *value,
         const char *wanted)
{
    struct ck_fn *fn = writer->line.fn;
    const char *what = value->kind == CK_VALUE_STRING ? "a string"
                       : value->type                  ? ck_text_of(fn, value->type)
                                                      : "this";
    struct ck_diag *diag = ck_error(
        fn, BAD_FORMAT, value->span,
        ck_arena_printf(fn->c->arena, "`%%%c` takes %s, not %s", conversion->letter, wanted, what));
    if (ck_is_date(value))
        ck_diag_help(fn->c->diags, diag, "`print` writes dates and times: `print(%s)`",
                     ck_diag_text(fn->c->diags, value->span));
    return false;
}

static bool
add_string(struct writer *writer, const struct conversion *conversion, const struct ck_value *value)
{
    struct ck_checker *c = writer->line.fn->c;
    if (value->kind != CK_VALUE_STRING)
        return mismatch(writer, conversion, value, "a string");
    const struct ck_format format = {.width = conversion->width,
                                     .precision =
                                         conversion->has_precision ? conversion->precision : -1,
                                     .align = conversion->left ? '<' : '>'};
    uint32_t length = value->string->string.length;
    const char *text = ck_format_text(c, &format, value->string->string.bytes, &length);
    ck_line_text(&writer->line, text, length);
    return true;
}

/* The argument as C passes it: an integer of less than 32 bits as one of 32. */
static struct ck_texpr *
promoted(struct ck_fn *fn, const struct conversion *conversion, const struct ck_value *value)
{
    const struct ck_type *stored = ck_storage_type(&fn->c->types, value->type);
    struct ck_texpr *expr = ck_cast(fn, value->expr, stored);
    if (strchr("eEfgG", conversion->letter))
        return ck_cast(fn, expr, ck_type_scalar(CK_TYPE_FLOAT64));
    if (strchr("dic", conversion->letter))
        return ck_cast(fn, expr, ck_type_scalar(CK_TYPE_INT64));
    const bool is_wide = ck_type_size(stored) == 8;
    if (!is_wide) /* in 32 bits, without a sign */
        expr = ck_cast(fn, ck_cast(fn, expr, ck_type_scalar(CK_TYPE_INT32)),
                       ck_type_scalar(CK_TYPE_UINT32));
    return ck_cast(fn, expr, ck_type_scalar(CK_TYPE_UINT64));
}

/* The lowest byte of an integer; zero is not printed. */
static bool
add_byte(struct writer *writer, const struct conversion *conversion, const struct ck_value *value)
{
    const struct ck_format format = {.width = conversion->width,
                                     .precision = -1,
                                     .align = conversion->left ? '<' : '>',
                                     .type = 'c'};
    return ck_line_written(&writer->line, "format_byte",
                           promoted(writer->line.fn, conversion, value), &format,
                           ck_type_scalar(CK_TYPE_INT64));
}

static bool
add_number(struct writer *writer, const struct conversion *conversion, const struct ck_value *value)
{
    struct ck_fn *fn = writer->line.fn;
    const bool wants_float = strchr("eEfgG", conversion->letter) != NULL;
    const bool is_number = value->kind == CK_VALUE_RUN && ck_type_is_scalar(value->type) &&
                           !ck_type_is_complex(value->type);
    if (!is_number || ck_type_is_float(value->type) != wants_float)
        return mismatch(writer, conversion, value, wants_float ? "a float" : "an integer");
    if (strchr("di", conversion->letter) && value->type->kind == CK_TYPE_UINT64)
        return mismatch(writer, conversion, value, "a signed integer");
    if (conversion->letter == 'c')
        return add_byte(writer, conversion, value);
    const char *text =
        ck_arena_printf(fn->c->arena, "%.*s%c", (int)(conversion->flags_end - conversion->start),
                        conversion->start, conversion->letter);
    ck_line_value(&writer->line, promoted(fn, conversion, value), text);
    return true;
}

static bool
add_argument(struct writer *writer, const struct conversion *conversion, int *used)
{
    struct ck_fn *fn = writer->line.fn;
    const struct ck_expr *call = writer->line.call;
    if (*used >= call->call.n_args)
        return wrong(writer,
                     ck_arena_printf(fn->c->arena, "more conversions than the %d argument%s",
                                     *used - 1, *used == 2 ? "" : "s"));
    const struct ck_expr *argument = call->call.args[(*used)++].value;
    struct ck_value value = ck_check_expr(fn, argument);
    if (value.kind == CK_VALUE_ERROR)
        return false;
    return conversion->letter == 's' ? add_string(writer, conversion, &value)
                                     : add_number(writer, conversion, &value);
}

static bool
add_pieces(struct writer *writer, int *used)
{
    while (writer->at < writer->end) {
        const char *start = writer->at;
        struct conversion conversion;
        while (writer->at < writer->end && *writer->at != '%')
            writer->at++;
        ck_line_text(&writer->line, start, (uint32_t)(writer->at - start));
        if (writer->at == writer->end)
            break;
        if (!read_conversion(writer, &conversion))
            return false;
        if (conversion.letter == '%')
            ck_line_text(&writer->line, "%", 1);
        else if (!add_argument(writer, &conversion, used))
            return false;
    }
    return true;
}

void
ck_check_printf(struct ck_fn *fn, const struct ck_expr *call)
{
    int used = 1;
    if (!ck_has_positional_only(fn, call, "printf"))
        return;
    struct ck_value format = {.kind = CK_VALUE_ERROR};
    if (call->call.n_args > 0)
        format = ck_check_expr(fn, call->call.args[0].value);
    if (call->call.n_args > 0 && format.kind == CK_VALUE_ERROR)
        return;
    if (format.kind != CK_VALUE_STRING) {
        ck_error(fn, WRONG_TYPE, call->span,
                 "the first argument of `printf` is its format, a string");
        return;
    }
    struct writer writer = {.line = {.fn = fn, .call = call},
                            .span = format.span,
                            .at = format.string->string.bytes,
                            .end = format.string->string.bytes + format.string->string.length};
    if (!add_pieces(&writer, &used))
        return;
    if (used < call->call.n_args)
        wrong(&writer, ck_arena_printf(fn->c->arena, "%d argument%s for %d conversion%s",
                                       call->call.n_args - 1, call->call.n_args == 2 ? "" : "s",
                                       used - 1, used == 2 ? "" : "s"));
    else
        ck_line_print(&writer.line, call);
}
