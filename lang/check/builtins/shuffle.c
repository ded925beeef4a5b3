/* Typing rules of shuffles: of warps, with a width too, and of groups. A complex number, a tuple, a
 * vector or a record is shuffled number by number. */
#include <string.h>

#include "lang/check/builtins/rules.h"
#include "lang/check/date.h"
#include "lang/check/element.h"

/* What a shuffle does with each number; its other operands may be used several times. */
struct shuffle {
    struct ck_call *call;
    struct ck_value operands[4];
    int n_operands;
    struct ck_value (*number)(const struct shuffle *shuffle, struct ck_value value);
};

static bool
is_shuffled(const struct ck_type *type)
{
    for (int i = 0; type->kind == CK_TYPE_TUPLE && i < type->tuple.n; i++) {
        if (!is_shuffled(type->tuple.items[i]))
            return false;
    }
    return type->kind == CK_TYPE_TUPLE ? type->tuple.n > 0 : ck_type_is_scalar_or_date(type);
}

static struct ck_value shuffle_value(const struct shuffle *shuffle, struct ck_value value);

static struct ck_value
shuffle_complex(const struct shuffle *shuffle, const struct ck_value *value)
{
    struct ck_fn *fn = shuffle->call->fn;
    const struct ck_type *type = value->expr->type, *part = ck_type_part(type);
    struct ck_texpr *parts[2];
    for (int i = 0; i < 2; i++)
        parts[i] =
            shuffle->number(shuffle, ck_value_run(part, ck_complex_part(fn, value->expr, i))).expr;
    return ck_value_run(type, ck_complex_new(fn, type, parts[0], parts[1], value->span));
}

static struct ck_value
shuffle_tuple(const struct shuffle *shuffle, const struct ck_value *value)
{
    struct ck_fn *fn = shuffle->call->fn;
    const int n = value->type->tuple.n;
    const struct ck_type *type = ck_storage_type(&fn->c->types, value->type);
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, type, shuffle->call->syntax->span);
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n);
    tuple->tuple.n = n;
    for (int i = 0; i < n; i++)
        tuple->tuple.items[i] = shuffle_value(shuffle, ck_tuple_item(fn, value, i)).expr;
    return ck_value_run(type, tuple);
}

static struct ck_value
shuffle_value(const struct shuffle *shuffle, struct ck_value value)
{
    if (value.type->kind == CK_TYPE_TUPLE)
        return shuffle_tuple(shuffle, &value);
    if (ck_type_is_complex(value.type))
        return shuffle_complex(shuffle, &value);
    if (ck_is_date(&value)) {
        const struct ck_value count =
            shuffle->number(shuffle, ck_date_count(shuffle->call->fn, &value));
        return ck_date_of_count(shuffle->call->fn, &count, value.type);
    }
    return shuffle->number(shuffle, ck_value_run(value.expr->type, value.expr));
}

/* The shuffle of argument `arg`. */
static struct ck_value
shuffle_argument(struct shuffle *shuffle, int arg)
{
    struct ck_fn *fn = shuffle->call->fn;
    struct ck_value value = shuffle->call->args[arg];
    struct ck_texpr *lets[5] = {NULL};
    if (ck_is_record_place(&value))
        value = ck_value_run(value.type->array.elem, ck_record_load(fn, &value));
    if (value.kind != CK_VALUE_RUN || !is_shuffled(value.type))
        return ck_wrong_type(shuffle->call, arg, "a number, or a tuple or record of numbers, here");
    const bool is_one = value.type->kind != CK_TYPE_TUPLE && !ck_type_is_complex(value.type);
    if (!is_one) {
        value = ck_name_once(fn, value, &lets[0]);
        for (int i = 0; i < shuffle->n_operands; i++) {
            if (!ck_is_simple(shuffle->operands[i].expr))
                shuffle->operands[i].expr = ck_let_new(fn, shuffle->operands[i].expr,
                                                       shuffle->call->syntax->span, &lets[i + 1]);
        }
    }
    struct ck_value result = shuffle_value(shuffle, value);
    for (int i = shuffle->n_operands; i >= 0; i--)
        result.expr = ck_let_in(lets[i], result.expr);
    result.span = shuffle->call->syntax->span;
    return result;
}

/* --- Warps ---------------------------------------------------------------------------------------
 */

/* Adds argument `arg`, an integer, as uint32. False after an error. */
static bool
add_uint32(struct shuffle *shuffle, int arg)
{
    struct ck_call *call = shuffle->call;
    const struct ck_type *u32 = ck_type_scalar(CK_TYPE_UINT32);
    const struct ck_value *value = &call->args[arg];
    if (value->kind != CK_VALUE_RUN || !ck_type_is_int(value->type)) {
        ck_wrong_type(call, arg, "an integer here");
        return false;
    }
    shuffle->operands[shuffle->n_operands++] =
        ck_value_run(u32, ck_cast(call->fn, value->expr, u32));
    return true;
}

/* mask, value, lane */
static struct ck_value
shuffle_lanes(const struct shuffle *shuffle, struct ck_value value)
{
    struct ck_call *call = shuffle->call;
    call->fn->out->effects |= CK_EFFECT_WARP_PRIMITIVE;
    struct ck_texpr *expr = ck_lowered(call, value.type);
    ck_lowered_arg(call, expr, shuffle->operands[0].expr);
    ck_lowered_arg(call, expr, value.expr);
    ck_lowered_arg(call, expr, shuffle->operands[1].expr);
    return ck_value_run(value.type, expr);
}

/* The same within parts of `width` lanes. */
static struct ck_value
shuffle_part(const struct shuffle *shuffle, struct ck_value value)
{
    struct ck_call *call = shuffle->call;
    struct ck_fn *fn = call->fn;
    const char *name = ck_arena_printf(fn->c->arena, "warp_%s_width", ck_builtin_path(call->id));
    struct ck_value args[] = {shuffle->operands[0], value, shuffle->operands[1],
                              shuffle->operands[2]};
    return ck_call_instance(fn, ck_prelude_function(fn->c, name), args, 4, call->syntax->span);
}

/* Adds argument `arg`, a constant power of two up to 32. False after an error. */
static bool
add_width(struct shuffle *shuffle, int arg)
{
    struct ck_call *call = shuffle->call;
    int64_t width;
    if (call->args[arg].kind != CK_VALUE_RUN || !ck_value_const_int(&call->args[arg], &width) ||
        width < 1 || width > CK_WARP_SIZE || (width & (width - 1))) {
        ck_wrong_type(call, arg, "a constant power of two up to 32 here");
        return false;
    }
    shuffle->operands[shuffle->n_operands++] = ck_value_int(call->fn, width, call->syntax->span);
    return true;
}

/* mask, value, lane, distance or bits[, width] */
struct ck_value
ck_rule_shuffle(struct ck_call *call)
{
    struct shuffle shuffle = {.call = call, .number = shuffle_lanes};
    if (!add_uint32(&shuffle, 0) || !add_uint32(&shuffle, 2))
        return ck_value_error(call->syntax->span);
    if (call->n_args > 3) {
        if (!add_width(&shuffle, 3))
            return ck_value_error(call->syntax->span);
        shuffle.number = shuffle_part;
    }
    return shuffle_argument(&shuffle, 1);
}

/* --- Groups --------------------------------------------------------------------------------------
 */

static struct ck_value
shuffle_group(const struct shuffle *shuffle, struct ck_value value)
{
    struct ck_call call = *shuffle->call;
    struct ck_value args[] = {value, shuffle->operands[0]};
    call.self = &shuffle->operands[1];
    return ck_call_member(&call, args, 2);
}

/* value, rank, distance or bits */
struct ck_value
ck_rule_group_shuffle(struct ck_call *call)
{
    struct shuffle shuffle = {.call = call, .number = shuffle_group, .n_operands = 2};
    if (!ck_integer_arg(call, 1, &shuffle.operands[0]))
        return ck_value_error(call->syntax->span);
    shuffle.operands[1] = *call->self;
    return shuffle_argument(&shuffle, 0);
}
