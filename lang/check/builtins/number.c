/* Typing rules of divmod, round, len and tuple, bit_count, and ord. */
#include "lang/check/builtins/rules.h"

struct ck_value
ck_rule_divmod(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    struct ck_texpr *lets[2];
    for (int i = 0; i < 2; i++) {
        if (!ck_is_number(&call->args[i]))
            return ck_wrong_type(call, i, "numbers");
    }
    struct ck_value left = ck_name_once(fn, call->args[0], &lets[0]);
    struct ck_value right = ck_name_once(fn, call->args[1], &lets[1]);
    struct ck_value parts[2] = {ck_check_binary(fn, CK_OP_FLOORDIV, left, right, span)};
    if (parts[0].kind == CK_VALUE_ERROR) /* the error of `%` is the same */
        return parts[0];
    parts[1] = ck_check_binary(fn, CK_OP_MOD, left, right, span);
    if (parts[1].kind == CK_VALUE_ERROR)
        return parts[1];
    const struct ck_type *types[2] = {parts[0].type, parts[1].type};
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, NULL, span);
    tuple->tuple.n = 2;
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, 2);
    for (int i = 0; i < 2; i++)
        tuple->tuple.items[i] = parts[i].expr;
    const struct ck_type *type = ck_type_tuple(&fn->c->types, types, 2);
    tuple->type = ck_storage_type(&fn->c->types, type);
    struct ck_value value = ck_value_run(type, ck_let_in(lets[0], ck_let_in(lets[1], tuple)));
    value.nonnegative = parts[0].nonnegative && parts[1].nonnegative;
    return value;
}

/* The digits as int64. A number of digits that only a uint64 holds changes nothing, as any large
 * one. */
static struct ck_texpr *
digits_of(struct ck_fn *fn, const struct ck_value *digits)
{
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    struct ck_texpr *number = digits->expr, *let = NULL;
    if (number->type->kind != CK_TYPE_UINT64)
        return ck_cast(fn, number, i64);
    if (!ck_is_simple(number))
        number = ck_let_new(fn, number, digits->span, &let);
    struct ck_texpr *most = ck_const_int(fn, number->type, INT64_MAX, digits->span);
    struct ck_texpr *fits = ck_compare_expr(fn, CK_CMP_LE, number, most, digits->span);
    return ck_let_in(let, ck_cast(fn, ck_select_expr(fn, fits, number, most, digits->span), i64));
}

/* Rounds to so many digits: a float of the argument's type. */
static struct ck_value
round_to_digits(struct ck_call *call)
{
    const struct ck_value *digits = &call->args[1];
    if (!ck_type_is_float(call->args[0].type))
        return ck_wrong_type(call, 0, "a float where a number of digits is given");
    if (digits->kind != CK_VALUE_RUN || !ck_type_is_int(digits->type))
        return ck_wrong_type(call, 1, "an integer as the number of digits");
    const struct ck_type *type = ck_storage_type(&call->fn->c->types, call->args[0].type);
    struct ck_texpr *expr = ck_lowered(call, type);
    ck_lowered_arg(call, expr, call->args[0].expr);
    ck_lowered_arg(call, expr, digits_of(call->fn, digits));
    return ck_value_run(type, expr);
}

struct ck_value
ck_rule_round(struct ck_call *call)
{
    if (!ck_is_number(&call->args[0]))
        return ck_wrong_type(call, 0, "a number");
    if (call->n_args == 2)
        return round_to_digits(call);
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    struct ck_texpr *arg = call->args[0].expr;
    if (!ck_type_is_float(arg->type))
        return ck_value_run(i64, ck_cast(call->fn, arg, i64));
    struct ck_texpr *expr = ck_lowered(call, i64);
    ck_lowered_arg(call, expr, arg);
    return ck_value_run(i64, expr);
}

struct ck_value
ck_rule_make_tuple(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    if (call->n_args == 0) {
        struct ck_texpr *none = ck_texpr_new(fn, CK_T_TUPLE, NULL, span);
        none->type = ck_type_tuple(&fn->c->types, NULL, 0);
        return ck_value_run(none->type, none);
    }
    bool has_names = call->args[0].kind == CK_VALUE_NAMES;
    if (!has_names && call->args[0].type->kind != CK_TYPE_TUPLE)
        return ck_wrong_type(call, 0, "a tuple");
    struct ck_value value = call->args[0];
    value.span = span;
    return value;
}

struct ck_value
ck_rule_len(struct ck_call *call)
{
    const struct ck_value *value = &call->args[0];
    if (value->kind == CK_VALUE_NAMES)
        return ck_value_int(call->fn, ck_name_tuple_length(value), call->syntax->span);
    if (value->kind == CK_VALUE_RUN && value->type->kind == CK_TYPE_TUPLE)
        return ck_number_of(call->fn, value, value->type->tuple.n, call->syntax->span);
    if (value->kind != CK_VALUE_RUN || !ck_type_is_array(value->type) || !value->type->array.ndim)
        return ck_wrong_type(call, 0, "an array or a tuple");
    struct ck_texpr *expr =
        ck_extent_expr(call->fn, CK_T_SHAPE, value->expr, 0, call->syntax->span);
    struct ck_value length = ck_value_run(expr->type, expr);
    length.nonnegative = true;
    return length;
}

bool
ck_makes_type(enum ck_builtin_id id)
{
    return id == CK_BUILTIN_TUPLE || id == CK_BUILTIN_UNITUPLE || id == CK_BUILTIN_CPOINTER ||
           id == CK_BUILTIN_ARRAY_TYPE || id == CK_BUILTIN_NPDATETIME ||
           id == CK_BUILTIN_NPTIMEDELTA;
}

struct ck_value
ck_rule_made_type(struct ck_call *call)
{
    struct ck_checker *c = call->fn->c;
    const struct ck_type *type = ck_made_type_of_call(c, call->syntax, call->id, true);
    if (!type) {
        c->n_failures++;
        return ck_value_error(call->syntax->span);
    }
    return (struct ck_value){
        .kind = CK_VALUE_TYPE, .type = type, .span = call->syntax->span, .syntax = call->syntax};
}

struct ck_value
ck_bit_count(struct ck_fn *fn, const struct ck_value *value, const struct ck_expr *call)
{
    struct ck_value arg = *value;
    struct ck_call part = {
        .fn = fn, .id = CK_BUILTIN_ABS, .syntax = call, .args = &arg, .n_args = 1};
    arg = ck_call_rule(&part);
    part.id = CK_BUILTIN_POPC;
    return arg.kind == CK_VALUE_ERROR ? arg : ck_call_rule(&part);
}

/* The code point of a text that is one character in UTF-8; -1: it is none or several. */
static int64_t
code_point(const char *bytes, uint32_t length)
{
    unsigned char first = length ? (unsigned char)bytes[0] : 0;
    uint32_t n = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (length != n)
        return -1;
    int64_t point = n == 1 ? first : first & (0x7F >> n);
    for (uint32_t i = 1; i < n; i++)
        point = point << 6 | ((unsigned char)bytes[i] & 0x3F);
    return point;
}

/* Strings are known at compile time, and so is the result. */
struct ck_value
ck_rule_ord(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_argument *arg = &call->syntax->call.args[0];
    if (arg->name) {
        ck_error(fn, KEYWORD, arg->name_span, arg->name, "ord");
        return ck_value_error(call->syntax->span);
    }
    const struct ck_value value = ck_check_expr(fn, arg->value);
    if (value.kind == CK_VALUE_ERROR)
        return value;
    bool literal = value.kind == CK_VALUE_STRING;
    int64_t point =
        literal ? code_point(value.string->string.bytes, value.string->string.length) : -1;
    if (point >= 0)
        return ck_value_int(fn, point, call->syntax->span);
    struct ck_diag *diag =
        ck_error(fn, WRONG_TYPE, arg->value->span, "`ord` takes a string of one character");
    if (!literal)
        ck_diag_help(fn->c->diags, diag,
                     "characters that vary are numbers: pass an array of uint8");
    return ck_value_error(call->syntax->span);
}
