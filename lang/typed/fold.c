/* Constant folding with the language's semantics: integers wrap, `//` and `%` follow Python's
 * signs, an integer divided by zero is 0, conversions saturate. Operations in float16 and bfloat16
 * are left to run time. */
#include "lang/typed/fold.h"

#include <math.h>

/* `value` wrapped to an integer type, sign- or zero-extended into 64 bits. */
static int64_t
wrap(const struct ck_type *type, int64_t value)
{
    int bits = type->kind == CK_TYPE_BOOL ? 1 : ck_type_bits(type);
    if (bits == 64)
        return value;
    uint64_t low = (uint64_t)value & ((UINT64_C(1) << bits) - 1);
    if (ck_type_is_signed(type) && low >> (bits - 1))
        low |= ~UINT64_C(0) << bits;
    return (int64_t)low;
}

static int64_t
saturate(const struct ck_type *type, double value)
{
    int bits = ck_type_bits(type);
    if (isnan(value))
        return 0;
    double upper = ldexp(
        1.0, ck_type_is_signed(type) ? bits - 1 : bits); /* the least value that is too large */
    double lower = ck_type_is_signed(type) ? -upper : 0.0;
    if (value >= upper) {
        uint64_t most = bits == 64 && !ck_type_is_signed(type)
                            ? UINT64_MAX
                            : (UINT64_C(1) << (ck_type_is_signed(type) ? bits - 1 : bits)) - 1;
        return (int64_t)most;
    }
    if (value <= lower)
        return ck_type_is_signed(type) ? wrap(type, (int64_t)(UINT64_C(1) << (bits - 1))) : 0;
    return ck_type_is_signed(type) ? (int64_t)value : (int64_t)(uint64_t)value;
}

static bool
is_folded_float(const struct ck_type *type)
{
    return type->kind == CK_TYPE_FLOAT32 || type->kind == CK_TYPE_FLOAT64;
}

static double
round_to(const struct ck_type *type, double value)
{
    return type->kind == CK_TYPE_FLOAT32 ? (double)(float)value : value;
}

bool
ck_fold_cast(struct ck_texpr *out, const struct ck_texpr *operand, const struct ck_type *type)
{
    const struct ck_type *from = operand->type;
    bool from_int = ck_type_is_int(from) || from->kind == CK_TYPE_BOOL;
    if (!from_int && !is_folded_float(from))
        return false;
    if (type->kind == CK_TYPE_BOOL) {
        out->constant.i = from_int ? operand->constant.i != 0 : operand->constant.f != 0.0;
    } else if (ck_type_is_int(type)) {
        out->constant.i =
            from_int ? wrap(type, operand->constant.i) : saturate(type, operand->constant.f);
    } else if (is_folded_float(type)) {
        if (!from_int)
            out->constant.f = round_to(type, operand->constant.f);
        else if (type->kind == CK_TYPE_FLOAT32) /* rounded once, directly from the integer */
            out->constant.f = from->kind == CK_TYPE_UINT64
                                  ? (double)(float)(uint64_t)operand->constant.i
                                  : (double)(float)operand->constant.i;
        else
            out->constant.f = from->kind == CK_TYPE_UINT64 ? (double)(uint64_t)operand->constant.i
                                                           : (double)operand->constant.i;
    } else {
        return false;
    }
    return true;
}

bool
ck_fold_unary(struct ck_texpr *out, enum ck_unary_op op, const struct ck_texpr *operand)
{
    const struct ck_type *type = operand->type;
    if (op == CK_OP_NOT) {
        out->constant.i = !operand->constant.i;
        return type->kind == CK_TYPE_BOOL;
    }
    if (ck_type_is_int(type) || type->kind == CK_TYPE_BOOL) {
        uint64_t bits = (uint64_t)operand->constant.i;
        out->constant.i = wrap(type, (int64_t)(op == CK_OP_NEG      ? 0 - bits
                                               : op == CK_OP_INVERT ? ~bits
                                                                    : bits));
        return true;
    }
    if (is_folded_float(type) && op != CK_OP_INVERT) {
        out->constant.f = op == CK_OP_NEG ? -operand->constant.f : operand->constant.f;
        return true;
    }
    return false;
}

static int64_t
floor_divide(const struct ck_type *type, int64_t a, int64_t b, bool want_remainder)
{
    if (b == 0)
        return 0;
    if (!ck_type_is_signed(type)) {
        uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
        return (int64_t)(want_remainder ? ua % ub : ua / ub);
    }
    if (b == -1)
        return want_remainder ? 0 : (int64_t)(0 - (uint64_t)a);
    int64_t quotient = a / b, remainder = a % b;
    if (remainder != 0 && (remainder < 0) != (b < 0)) {
        quotient--;
        remainder += b;
    }
    return want_remainder ? remainder : quotient;
}

static int64_t
shift(const struct ck_type *type, enum ck_binary_op op, int64_t a, int64_t count)
{
    bool beyond = (uint64_t)count >= (uint64_t)ck_type_bits(type);
    if (op == CK_OP_SHL)
        return beyond ? 0 : (int64_t)((uint64_t)a << count);
    if (ck_type_is_signed(type))
        return beyond ? (a < 0 ? -1 : 0) : a >> count;
    return beyond ? 0 : (int64_t)((uint64_t)a >> count);
}

/* Integer power by squaring; a negative exponent truncates. */
static int64_t
power(const struct ck_type *type, int64_t base, int64_t exponent)
{
    if (ck_type_is_signed(type) && exponent < 0) {
        if (base == 1)
            return 1;
        if (base == -1)
            return exponent & 1 ? -1 : 1;
        return 0;
    }
    uint64_t result = 1, factor = (uint64_t)base;
    for (uint64_t n = (uint64_t)exponent; n; n >>= 1) {
        if (n & 1)
            result *= factor;
        factor *= factor;
    }
    return (int64_t)result;
}

static bool
fold_ints(struct ck_texpr *out, enum ck_binary_op op, const struct ck_type *type, int64_t a,
          int64_t b)
{
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    int64_t result;
    switch (op) {
    case CK_OP_ADD:
        result = (int64_t)(ua + ub);
        break;
    case CK_OP_SUB:
        result = (int64_t)(ua - ub);
        break;
    case CK_OP_MUL:
        result = (int64_t)(ua * ub);
        break;
    case CK_OP_FLOORDIV:
    case CK_OP_MOD:
        result = floor_divide(type, a, b, op == CK_OP_MOD);
        break;
    case CK_OP_POW:
        result = power(type, a, b);
        break;
    case CK_OP_SHL:
    case CK_OP_SHR:
        result = shift(type, op, a, b);
        break;
    case CK_OP_AND:
        result = a & b;
        break;
    case CK_OP_OR:
        result = a | b;
        break;
    case CK_OP_XOR:
        result = a ^ b;
        break;
    default:
        return false;
    }
    out->constant.i = wrap(type, result);
    return true;
}

/* CPython's float floor division and remainder (Objects/floatobject.c), which NumPy follows. */
static double
float_divmod(double a, double b, bool want_remainder)
{
    if (b == 0.0)
        return want_remainder ? NAN : a / b;
    double remainder = fmod(a, b);
    double quotient = (a - remainder) / b;
    if (remainder != 0.0) {
        if ((b < 0) != (remainder < 0)) {
            remainder += b;
            quotient -= 1.0;
        }
    } else {
        remainder = copysign(0.0, b);
    }
    if (want_remainder)
        return remainder;
    if (quotient == 0.0)
        return copysign(0.0, a / b);
    double down = floor(quotient);
    return quotient - down > 0.5 ? down + 1.0 : down;
}

static bool
fold_floats(struct ck_texpr *out, enum ck_binary_op op, const struct ck_type *type, double a,
            double b)
{
    double result;
    switch (op) {
    case CK_OP_ADD:
        result = a + b;
        break;
    case CK_OP_SUB:
        result = a - b;
        break;
    case CK_OP_MUL:
        result = a * b;
        break;
    case CK_OP_DIV:
        result = a / b;
        break;
    case CK_OP_FLOORDIV:
    case CK_OP_MOD:
        result = float_divmod(a, b, op == CK_OP_MOD);
        break;
    case CK_OP_POW:
        result = pow(a, b);
        break;
    default:
        return false;
    }
    out->constant.f = round_to(type, result);
    return true;
}

bool
ck_fold_binary(struct ck_texpr *out, enum ck_binary_op op, const struct ck_texpr *left,
               const struct ck_texpr *right)
{
    const struct ck_type *type = left->type;
    if (ck_type_is_int(type) || type->kind == CK_TYPE_BOOL)
        return fold_ints(out, op, type, left->constant.i, right->constant.i);
    if (is_folded_float(type))
        return fold_floats(out, op, type, left->constant.f, right->constant.f);
    return false;
}

static bool
decide(enum ck_compare_op op, bool less, bool equal, bool greater)
{
    switch (op) {
    case CK_CMP_LT:
        return less;
    case CK_CMP_LE:
        return less || equal;
    case CK_CMP_GT:
        return greater;
    case CK_CMP_GE:
        return greater || equal;
    case CK_CMP_EQ:
        return equal;
    default:
        return !equal;
    }
}

bool
ck_fold_compare(bool *out, enum ck_compare_op op, const struct ck_texpr *left,
                const struct ck_texpr *right)
{
    const struct ck_type *type = left->type;
    if (is_folded_float(type)) {
        double a = left->constant.f, b = right->constant.f;
        *out = decide(op, a<b, a == b, a> b);
        return true;
    }
    if (!ck_type_is_int(type) && type->kind != CK_TYPE_BOOL)
        return false;
    int64_t a = left->constant.i, b = right->constant.i;
    bool less = ck_type_is_unsigned(type) ? (uint64_t)a < (uint64_t)b : a < b;
    *out = decide(op, less, a == b, !less && a != b);
    return true;
}
