/* Checking `print`: its arguments become the pieces of a line, in order, separators included. */
#include <string.h>

#include "lang/check/builtins/print.h"
#include "lang/check/date.h"

enum { MAX_ARGS = 32 }; /* numbers among them: Numba's limit, and that of CUDA's printf */

void
ck_line_text(struct ck_line *line, const char *text, uint32_t length)
{
    struct ck_print_item item = {.text = text, .length = length};
    if (length)
        CK_PUSH(line->fn->c->arena, line->items, line->n, line->capacity, item);
}

void
ck_line_value(struct ck_line *line, struct ck_texpr *value, const char *conversion)
{
    struct ck_print_item item = {.value = value, .conversion = conversion};
    CK_PUSH(line->fn->c->arena, line->items, line->n, line->capacity, item);
    line->n_values++;
}

void
ck_line_number(struct ck_line *line, const struct ck_value *value)
{
    enum ck_type_kind kind = value->type->kind == CK_TYPE_BOOL  ? CK_TYPE_BOOL
                             : ck_type_is_complex(value->type)  ? CK_TYPE_COMPLEX128
                             : ck_type_is_unsigned(value->type) ? CK_TYPE_UINT64
                             : ck_type_is_float(value->type)    ? CK_TYPE_FLOAT64
                                                                : CK_TYPE_INT64;
    ck_line_value(line, ck_cast(line->fn, value->expr, ck_type_scalar(kind)), NULL);
}

void
ck_line_hold(struct ck_line *line)
{
    for (int i = 0; i < line->n; i++) {
        struct ck_texpr *value = line->items[i].value;
        if (value && !ck_is_constant(value) && !ck_is_simple(value))
            line->items[i].value = ck_hold(line->fn, ck_value_run(value->type, value)).expr;
    }
}

bool
ck_is_printed(const struct ck_type *type)
{
    for (int i = 0; type->kind == CK_TYPE_TUPLE && i < type->tuple.n; i++) {
        if (!ck_is_printed(type->tuple.items[i]))
            return false;
    }
    return type->kind == CK_TYPE_TUPLE || ck_type_is_scalar_or_date(type);
}

/* A number, a date, or a tuple as Python writes it: `(1, 2.500000)`, `(1,)`. False after an error.
 */
static bool
add_value(struct ck_line *line, struct ck_value value)
{
    static const struct ck_format plain = {.is_empty = true, .precision = -1};
    if (ck_type_is_date(value.type))
        return ck_line_field(line, value, &plain, value.span);
    if (value.type->kind != CK_TYPE_TUPLE) {
        ck_line_number(line, &value);
        return true;
    }
    int n = value.type->tuple.n;
    bool good = true;
    if (value.expr->kind != CK_T_TUPLE) {
        ck_line_hold(line);
        value = ck_hold(line->fn, value);
    }
    ck_line_text(line, "(", 1);
    for (int i = 0; i < n; i++) {
        good = add_value(line, ck_tuple_item(line->fn, &value, i)) && good;
        if (i + 1 < n)
            ck_line_text(line, ", ", 2);
    }
    ck_line_text(line, n == 1 ? ",)" : ")", n == 1 ? 2 : 1);
    return good;
}

/* `threadIdx` as `(threadIdx.x, threadIdx.y, threadIdx.z)`. */
struct ck_value
ck_line_axes(struct ck_fn *fn, const struct ck_expr *arg)
{
    static const char *const names[] = {"x", "y", "z"};
    struct ck_expr *axes = CK_NEW_ARRAY(fn->c->arena, struct ck_expr, 3);
    struct ck_expr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_expr *, 3);
    for (int i = 0; i < 3; i++) {
        axes[i] = *arg;
        axes[i].kind = CK_EXPR_ATTRIBUTE;
        axes[i].attribute.object = (struct ck_expr *)arg;
        axes[i].attribute.name = names[i];
        axes[i].attribute.name_span = arg->span;
        items[i] = &axes[i];
    }
    struct ck_expr *tuple = CK_NEW(fn->c->arena, struct ck_expr);
    *tuple = *arg;
    tuple->kind = CK_EXPR_TUPLE;
    tuple->sequence.items = items;
    tuple->sequence.n = 3;
    return ck_check_run(fn, tuple);
}

void
ck_line_report(struct ck_fn *fn, const struct ck_value *value)
{
    struct ck_diag *diag =
        ck_error(fn, WRONG_TYPE, value->span,
                 ck_arena_printf(fn->c->arena, "%s cannot be printed",
                                 value->type ? ck_text_of(fn, value->type) : "this"));
    if (value->type && ck_type_is_array(value->type))
        ck_diag_help(fn->c->diags, diag, "print its elements: `%s[i]`",
                     ck_diag_text(fn->c->diags, value->span));
}

/* False after an error. */
static bool
add_argument(struct ck_line *line, const struct ck_expr *arg)
{
    bool good;
    if (ck_line_formatted(line, arg, &good))
        return good;
    struct ck_value value = ck_check_expr(line->fn, arg);
    if (value.kind == CK_VALUE_STRING) {
        ck_line_text(line, value.string->string.bytes, value.string->string.length);
        return true;
    }
    if (ck_has_axes(line->fn, &value))
        value = ck_line_axes(line->fn, arg);
    if (value.kind == CK_VALUE_ERROR)
        return false;
    if (value.kind != CK_VALUE_RUN || !ck_is_printed(value.type)) {
        ck_line_report(line->fn, &value);
        return false;
    }
    return add_value(line, value);
}

static bool
fits(struct ck_fn *fn, const struct ck_expr *call, const char *what, int n)
{
    if (n > MAX_ARGS)
        ck_error(fn, WRONG_COUNT, call->span, ck_diag_text(fn->c->diags, call->call.callee->span),
                 ck_arena_printf(fn->c->arena, "at most %d %s", MAX_ARGS, what), n);
    return n <= MAX_ARGS;
}

void
ck_line_print(struct ck_line *line, const struct ck_expr *call)
{
    if (!fits(line->fn, call, "numbers", line->n_values))
        return;
    struct ck_tstmt *stmt = ck_emit(line->fn, CK_S_PRINT, call->span);
    stmt->print.items = line->items;
    stmt->print.n = line->n;
}

bool
ck_has_positional_only(struct ck_fn *fn, const struct ck_expr *call, const char *name)
{
    if (!fits(fn, call, "arguments", call->call.n_args))
        return false;
    for (int i = 0; i < call->call.n_args; i++) {
        const struct ck_argument *arg = &call->call.args[i];
        if (!arg->name)
            continue;
        ck_error(fn, KEYWORD, arg->name_span, arg->name, name);
        return false;
    }
    return true;
}

void
ck_check_print(struct ck_fn *fn, const struct ck_expr *call)
{
    struct ck_line line = {.fn = fn, .call = call};
    bool good = true;
    if (!ck_has_positional_only(fn, call, "print"))
        return;
    for (int i = 0; i < call->call.n_args; i++) {
        if (i > 0)
            ck_line_text(&line, " ", 1);
        good = add_argument(&line, call->call.args[i].value) && good;
    }
    ck_line_text(&line, "\n", 1);
    if (good)
        ck_line_print(&line, call);
}
