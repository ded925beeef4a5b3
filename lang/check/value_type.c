/* Common types of values: the promotion table of typed/type_promotion.c, and facts about values
 * beyond their types, such as the range of a literal. */
#include "lang/check/checker.h"

static bool
holds(const struct ck_type *type, const struct ck_value *literal)
{
    int64_t low, high;
    ck_int_range(type, &low, &high);
    return literal->range.low >= low && literal->range.high <= high;
}

/* `type`, or the wider integer type that the literal needs. No integer type holds both a uint64 and
 * a negative literal: that error is reported for the literal. */
static const struct ck_type *
widened_for(const struct ck_type *type, const struct ck_value *literal)
{
    const struct ck_type *i32 = ck_type_scalar(CK_TYPE_INT32);
    if (type->kind == CK_TYPE_UINT64 || holds(type, literal))
        return type;
    return ck_type_bits(type) < 32 && holds(i32, literal) ? i32 : ck_type_scalar(CK_TYPE_INT64);
}

static bool
is_positive(const struct ck_value *value)
{
    return ck_type_is_unsigned(value->type) || value->type->kind == CK_TYPE_BOOL ||
           value->nonnegative;
}

/* A uint64 holds every signed value that is known to be non-negative. */
static const struct ck_type *
common_unsigned(const struct ck_value *a, const struct ck_value *b)
{
    return is_positive(a) && is_positive(b) ? ck_type_scalar(CK_TYPE_UINT64) : NULL;
}

const struct ck_type *
ck_common_type(const struct ck_value *a, const struct ck_value *b)
{
    const struct ck_type *type = ck_promote(a->type, b->type);
    if (!type)
        return common_unsigned(a, b);
    if (!ck_type_is_int(type) || ck_type_is_weak(type))
        return type;
    if (a->type->kind == CK_TYPE_WEAK_INT)
        return widened_for(type, a);
    return b->type->kind == CK_TYPE_WEAK_INT ? widened_for(type, b) : type;
}

const struct ck_type *
ck_arithmetic_type(const struct ck_value *a, const struct ck_value *b)
{
    const struct ck_type *type = ck_common_type(a, b);
    return type ? ck_operand_type(type) : NULL;
}

bool
ck_common_add(struct ck_types *types, struct ck_value *common, const struct ck_value *value)
{
    if (!common->type) {
        *common = *value;
        return true;
    }
    const struct ck_type *type = ck_join_values(types, common, value);
    if (!type)
        return false;
    common->type = type;
    common->nonnegative = common->nonnegative && value->nonnegative;
    common->range.low = common->range.low < value->range.low ? common->range.low : value->range.low;
    common->range.high =
        common->range.high > value->range.high ? common->range.high : value->range.high;
    return true;
}

const struct ck_type *
ck_join_values(struct ck_types *types, const struct ck_value *a, const struct ck_value *b)
{
    if (a->type != b->type && ck_type_is_scalar(a->type) && ck_type_is_scalar(b->type))
        return ck_common_type(a, b);
    return ck_join_types(types, a->type, b->type);
}
