/* Bounds of integer expressions, by interval arithmetic over the typed expression.
 *
 * They show which 32-bit operations cannot wrap, so that no warning is due, and which results
 * cannot be negative, so that an index needs no wraparound. An unknown value has its type's range.
 * The walk stops at a small depth, so that its cost is linear in the expression's length. */
#include "lang/typed/bounds.h"

enum { DEPTH = 5 };

typedef __int128 wide;

static struct ck_bounds bounds_at(const struct ck_texpr *expr, int depth);

static struct ck_bounds
range_of_type(const struct ck_type *type)
{
    if (type->kind == CK_TYPE_BOOL)
        return (struct ck_bounds){0, 1};
    wide one = 1;
    int bits = ck_type_bits(type);
    return ck_type_is_unsigned(type)
               ? (struct ck_bounds){0, (one << bits) - 1}
               : (struct ck_bounds){-(one << (bits - 1)), (one << (bits - 1)) - 1};
}

static bool
is_within(struct ck_bounds a, struct ck_bounds b)
{
    return a.low >= b.low && a.high <= b.high;
}

static wide
least(wide a, wide b)
{
    return a < b ? a : b;
}

static wide
greatest(wide a, wide b)
{
    return a > b ? a : b;
}

/* The least and the greatest of the four products or shifts of the bounds. */
static struct ck_bounds
span_of(wide a, wide b, wide c, wide d)
{
    return (struct ck_bounds){least(least(a, b), least(c, d)),
                              greatest(greatest(a, b), greatest(c, d))};
}

/* The least 2**n - 1 that is not below `value`. */
static wide
all_bits_of(wide value)
{
    wide bits = 0;
    while (bits < value)
        bits = bits * 2 + 1;
    return bits;
}

static wide
floor_divide(wide a, wide b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* A shift count that is a constant within the width, whenever the shift executes. */
static bool
is_constant_count(struct ck_bounds count, const struct ck_type *type)
{
    return count.low == count.high && count.low >= 0 && count.low < ck_type_bits(type);
}

/* The exact result of an operation whose operands have these bounds; false: unknown. Operands have
 * at most 64 bits, so that nothing here overflows 128. */
static bool
exact(enum ck_binary_op op, struct ck_bounds a, struct ck_bounds b, const struct ck_type *type,
      struct ck_bounds *out)
{
    bool positive = a.low >= 0 && b.low >= 0;
    switch (op) {
    case CK_OP_ADD:
        *out = (struct ck_bounds){a.low + b.low, a.high + b.high};
        return true;
    case CK_OP_SUB:
        *out = (struct ck_bounds){a.low - b.high, a.high - b.low};
        return true;
    case CK_OP_MUL: /* 64 by 64 bits would overflow the type of unsigned bounds */
        if (ck_type_bits(type) > 32)
            return false;
        *out = span_of(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
        return true;
    case CK_OP_SHL:
        if (!is_constant_count(b, type) || ck_type_bits(type) > 32)
            return false;
        *out = (struct ck_bounds){a.low * ((wide)1 << b.low), a.high * ((wide)1 << b.low)};
        return true;
    case CK_OP_SHR:
        *out = is_constant_count(b, type)
                   ? (struct ck_bounds){a.low >> b.low, a.high >> b.low}
                   : (struct ck_bounds){least(a.low, 0), greatest(a.high, -1)};
        if (a.low >= 0 && out->high < 0)
            out->high = 0;
        return true;
    case CK_OP_AND:
        if (a.low < 0 && b.low < 0)
            return false;
        *out = (struct ck_bounds){0, a.low < 0   ? b.high
                                     : b.low < 0 ? a.high
                                                 : least(a.high, b.high)};
        return true;
    case CK_OP_OR:
    case CK_OP_XOR:
        *out = (struct ck_bounds){0, all_bits_of(greatest(a.high, b.high))};
        return positive;
    case CK_OP_FLOORDIV:
        if (b.low <= 0) /* by zero is 0 */
            return false;
        *out = span_of(floor_divide(a.low, b.low), floor_divide(a.low, b.high),
                       floor_divide(a.high, b.low), floor_divide(a.high, b.high));
        return true;
    case CK_OP_MOD:
        *out = (struct ck_bounds){0, b.high - 1};
        return b.low > 0;
    default:
        return false;
    }
}

static struct ck_bounds
binary_bounds(const struct ck_texpr *expr, int depth)
{
    struct ck_bounds range = range_of_type(expr->type), out;
    struct ck_bounds left = bounds_at(expr->binary.left, depth);
    struct ck_bounds right = bounds_at(expr->binary.right, depth);
    bool known = exact(expr->binary.op, left, right, expr->type, &out) && is_within(out, range);
    return known ? out : range;
}

static struct ck_bounds
unary_bounds(const struct ck_texpr *expr, int depth)
{
    struct ck_bounds range = range_of_type(expr->type);
    if (expr->unary.op != CK_OP_NEG)
        return range;
    struct ck_bounds value = bounds_at(expr->unary.operand, depth);
    struct ck_bounds negated = {-value.high, -value.low};
    return is_within(negated, range) ? negated : range;
}

/* An integer converted to another integer type: unchanged where it fits. */
static struct ck_bounds
cast_bounds(const struct ck_texpr *expr, int depth)
{
    struct ck_bounds range = range_of_type(expr->type);
    const struct ck_type *from = expr->unary.operand->type;
    if (!ck_type_is_int(from) && from->kind != CK_TYPE_BOOL)
        return range;
    struct ck_bounds value = bounds_at(expr->unary.operand, depth);
    return is_within(value, range) ? value : range;
}

static struct ck_bounds
constant_bounds(const struct ck_texpr *expr)
{
    bool is_unsigned = ck_type_is_unsigned(expr->type);
    wide value = is_unsigned ? (wide)(uint64_t)expr->constant.i : (wide)expr->constant.i;
    return (struct ck_bounds){value, value};
}

static struct ck_bounds
either(struct ck_bounds a, struct ck_bounds b)
{
    return (struct ck_bounds){least(a.low, b.low), greatest(a.high, b.high)};
}

/* Counts of bits, of lanes and of threads. */
static struct ck_bounds
count_bounds(const struct ck_texpr *call, struct ck_bounds range)
{
    struct ck_bounds bounds = {0, 0};
    switch (call->builtin.id) {
    case CK_BUILTIN_POPC:
    case CK_BUILTIN_CLZ:
    case CK_BUILTIN_FFS:
        bounds.high = ck_type_bits(call->builtin.args[0]->type);
        break;
    case CK_BUILTIN_LANEID:
        bounds.high = 31;
        break;
    case CK_BUILTIN_SYNCTHREADS_COUNT:
        bounds.high = 1024;
        break;
    default:
        return range;
    }
    return is_within(bounds, range) ? bounds : range;
}

static struct ck_bounds
bounds_at(const struct ck_texpr *expr, int depth)
{
    struct ck_bounds range = range_of_type(expr->type);
    if (depth == 0 && expr->kind != CK_T_CONST)
        return range;
    switch (expr->kind) {
    case CK_T_CONST:
        return constant_bounds(expr);
    case CK_T_CAST:
        return cast_bounds(expr, depth - 1);
    case CK_T_UNARY:
        return unary_bounds(expr, depth - 1);
    case CK_T_BINARY:
        return binary_bounds(expr, depth - 1);
    case CK_T_LET:
        return bounds_at(expr->let.body, depth - 1);
    case CK_T_SELECT:
        return either(bounds_at(expr->select.then, depth - 1),
                      bounds_at(expr->select.otherwise, depth - 1));
    case CK_T_BUILTIN:
        return count_bounds(expr, range);
    case CK_T_SHAPE:
        return (struct ck_bounds){0, range.high};
    default:
        return range;
    }
}

struct ck_bounds
ck_bounds_of(const struct ck_texpr *expr)
{
    return bounds_at(expr, DEPTH);
}

bool
ck_cannot_wrap(enum ck_binary_op op, const struct ck_texpr *left, const struct ck_texpr *right)
{
    struct ck_bounds out;
    return exact(op, ck_bounds_of(left), ck_bounds_of(right), left->type, &out) &&
           is_within(out, range_of_type(left->type));
}
