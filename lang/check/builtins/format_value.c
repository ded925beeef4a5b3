/* Values in Python's formats: printed by a conversion of C where that is exact, else from the text
 * that a function of lang/prelude/format.ck writes to a local array. */
#include <string.h>

#include "lang/check/builtins/print.h"
#include "lang/check/date.h"

/* Words of 8 characters that the longest name of a unit takes. */
enum { N_NAME = 3 };

bool
ck_bad_format(struct ck_fn *fn, struct ck_span span, const char *why)
{
    ck_error(fn, BAD_FORMAT, span, why);
    return false;
}

/* The value of an expression, never as a constant: the function is not specialised for it. */
static struct ck_value
run_time(struct ck_line *line, struct ck_texpr *expr)
{
    struct ck_fn *fn = line->fn;
    int local = ck_local_new(fn, "", expr->type);
    ck_emit_assign(fn, fn->block, local, expr, line->call->span);
    return ck_value_run(expr->type, ck_local_ref(fn, local, line->call->span));
}

/* What a function of the prelude makes of a value, with further arguments. */
static bool
add_written(struct ck_line *line, const char *function, struct ck_texpr *value,
            const struct ck_format *format, const struct ck_type *type,
            const struct ck_value *further, int n_further)
{
    struct ck_fn *fn = line->fn;
    const struct ck_call call = {.fn = fn, .syntax = line->call};
    const int64_t bytes = ck_format_bytes(format, type) + 1;
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    ck_line_hold(line);
    struct ck_texpr *text = ck_local_array_expr(&call, ck_type_scalar(CK_TYPE_UINT8), &bytes, 1);
    struct ck_texpr *packed = ck_const_int(fn, i64, ck_format_pack(format, type), line->call->span);
    struct ck_value args[3 + N_NAME] = {run_time(line, text), run_time(line, value),
                                        run_time(line, packed)};
    for (int i = 0; i < n_further; i++)
        args[3 + i] = further[i];
    struct ck_value done = ck_call_instance(fn, ck_prelude_function(fn->c, function), args,
                                            3 + n_further, line->call->span);
    if (done.kind == CK_VALUE_ERROR)
        return false;
    ck_emit(fn, CK_S_EXPR, line->call->span)->expr = done.expr;
    ck_line_value(line, args[0].expr, NULL);
    return true;
}

bool
ck_line_written(struct ck_line *line, const char *function, struct ck_texpr *value,
                const struct ck_format *format, const struct ck_type *type)
{
    return add_written(line, function, value, format, type, NULL, 0);
}

static bool
is_float_format(const struct ck_format *format)
{
    switch (format->type) {
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case '%':
        return true;
    default:
        return false;
    }
}

static bool
add_float(struct ck_line *line, struct ck_texpr *value, const struct ck_format *format,
          const struct ck_type *type, struct ck_span span)
{
    const char *wrong = ck_format_for_float(line->fn->c, format);
    const char *conversion = ck_format_conversion(line->fn->c, format, type);
    struct ck_texpr *wide = ck_cast(line->fn, value, ck_type_scalar(CK_TYPE_FLOAT64));
    if (wrong)
        return ck_bad_format(line->fn, span, wrong);
    if (!conversion)
        return ck_line_written(line, "format_float", wide, format, type);
    ck_line_value(line, wide, conversion);
    return true;
}

static bool
add_int(struct ck_line *line, struct ck_texpr *value, const struct ck_format *format,
        const struct ck_type *type, struct ck_span span)
{
    struct ck_fn *fn = line->fn;
    const char *wrong = ck_format_for_int(fn->c, format);
    const char *conversion = ck_format_conversion(fn->c, format, type);
    const enum ck_type_kind kind =
        ck_type_is_unsigned(type) && format->type != 'c' ? CK_TYPE_UINT64 : CK_TYPE_INT64;
    struct ck_texpr *wide = ck_cast(fn, value, ck_type_scalar(kind));
    if (wrong)
        return ck_bad_format(fn, span, wrong);
    if (!conversion)
        return ck_line_written(line, format->type == 'c' ? "format_character" : "format_integer",
                               wide, format, type);
    ck_line_value(line, wide, conversion);
    return true;
}

/* A unit's name as a number of 8 characters each, the first in the lowest byte. */
static void
name_of_unit(struct ck_line *line, enum ck_date_unit unit, struct ck_value words[N_NAME])
{
    const struct ck_type *u64 = ck_type_scalar(CK_TYPE_UINT64);
    const char *name = ck_date_unit_words(unit);
    const size_t length = strlen(name);
    for (size_t i = 0; i < N_NAME; i++) {
        uint64_t word = 0;
        for (size_t k = 8 * i; k < length && k < 8 * (i + 1); k++)
            word |= (uint64_t)(unsigned char)name[k] << 8 * (k % 8);
        words[i] = ck_value_run(u64, ck_const_int(line->fn, u64, (int64_t)word, line->call->span));
    }
}

/* A date or time as a string in its format. */
static bool
add_date(struct ck_line *line, const struct ck_value *date, const struct ck_format *given,
         struct ck_span span)
{
    const struct ck_type *type = date->type;
    const char *wrong = ck_format_for_text(line->fn->c, given);
    struct ck_format format = *given;
    struct ck_value words[N_NAME];
    if (wrong)
        return ck_bad_format(line->fn, span, wrong);
    if (!format.align || format.align == '0')
        format.align = '<';
    struct ck_texpr *count = ck_date_count(line->fn, date).expr;
    if (type->kind == CK_TYPE_DATETIME64)
        return add_written(line, "format_datetime", count, &format, type, NULL, 0);
    name_of_unit(line, type->date.unit, words);
    return add_written(line, "format_timedelta", count, &format, type, words, N_NAME);
}

static bool
add_tuple(struct ck_line *line, struct ck_value tuple, const struct ck_format *format,
          struct ck_span span)
{
    const int n = tuple.type->tuple.n;
    bool good = true;
    if (tuple.expr->kind != CK_T_TUPLE) {
        ck_line_hold(line);
        tuple = ck_hold(line->fn, tuple);
    }
    ck_line_text(line, "(", 1);
    for (int i = 0; i < n; i++) {
        good = ck_line_field(line, ck_tuple_item(line->fn, &tuple, i), format, span) && good;
        ck_line_text(line, i + 1 < n ? ", " : n == 1 ? "," : "", i + 1 < n ? 2 : n == 1);
    }
    ck_line_text(line, ")", 1);
    return good;
}

static bool
add_text(struct ck_line *line, const struct ck_value *value, const struct ck_format *format,
         struct ck_span span)
{
    struct ck_checker *c = line->fn->c;
    uint32_t length = value->string->string.length;
    const char *wrong = ck_format_for_text(c, format);
    if (wrong)
        return ck_bad_format(line->fn, span, wrong);
    const char *text = ck_format_text(c, format, value->string->string.bytes, &length);
    ck_line_text(line, text, length);
    return true;
}

/* A number; a bool is an integer unless the format is empty. */
static bool
add_scalar(struct ck_line *line, const struct ck_value *value, const struct ck_format *format,
           struct ck_span span)
{
    struct ck_fn *fn = line->fn;
    const struct ck_type *type = ck_storage_type(&fn->c->types, value->type);
    struct ck_value stored = ck_value_run(type, ck_cast(fn, value->expr, type));
    if (type->kind == CK_TYPE_BOOL && format->is_empty) {
        ck_line_number(line, &stored);
        return true;
    }
    if (ck_type_is_float(type) || is_float_format(format))
        return add_float(line, stored.expr, format,
                         ck_type_is_float(type) ? type : ck_type_scalar(CK_TYPE_FLOAT64), span);
    return add_int(line, stored.expr, format, type, span);
}

bool
ck_line_field(struct ck_line *line, struct ck_value value, const struct ck_format *format,
              struct ck_span span)
{
    struct ck_fn *fn = line->fn;
    if (value.kind == CK_VALUE_STRING)
        return add_text(line, &value, format, span);
    if (value.kind == CK_VALUE_ERROR)
        return false;
    if (value.kind != CK_VALUE_RUN || !ck_is_printed(value.type)) {
        ck_line_report(fn, &value);
        return false;
    }
    if (ck_type_is_complex(value.type)) {
        struct ck_diag *diag =
            ck_error(fn, BAD_FORMAT, value.span, "complex numbers have no formats");
        ck_diag_help(fn->c->diags, diag, "format its parts, `.real` and `.imag`");
        return false;
    }
    if (ck_type_is_date(value.type))
        return add_date(line, &value, format, span);
    if (value.type->kind != CK_TYPE_TUPLE)
        return add_scalar(line, &value, format, span);
    if (!format->is_empty || format->width)
        return ck_bad_format(fn, span, "tuples have no formats");
    return add_tuple(line, value, format, span);
}
