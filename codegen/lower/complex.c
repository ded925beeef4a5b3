/* Complex numbers: two floats, their real and their imaginary part. */
#include <math.h>

#include "codegen/lower/lower.h"

/* --- Parts -------------------------------------------------------------------------------------
 */

static struct ck_gen_value
pair(struct ck_gen *gen, LLVMValueRef v_real, LLVMValueRef v_imaginary)
{
    struct ck_gen_value value = ck_gen_value_new(gen, 2);
    value.parts[0] = v_real;
    value.parts[1] = v_imaginary;
    return value;
}

LLVMValueRef
ck_gen_complex_pack(struct ck_gen *gen, struct ck_gen_value value)
{
    LLVMValueRef v_vector = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(value.parts[0]), 2));
    for (unsigned i = 0; i < 2; i++)
        v_vector =
            LLVMBuildInsertElement(gen->builder, v_vector, value.parts[i], l_i32(gen, i), "");
    return v_vector;
}

struct ck_gen_value
ck_gen_complex_unpack(struct ck_gen *gen, LLVMValueRef v_vector)
{
    return pair(gen, LLVMBuildExtractElement(gen->builder, v_vector, l_i32(gen, 0), ""),
                LLVMBuildExtractElement(gen->builder, v_vector, l_i32(gen, 1), ""));
}

static LLVMValueRef
add(struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_right)
{
    return l_fast(gen, LLVMBuildFAdd(gen->builder, v_left, v_right, ""));
}

static LLVMValueRef
subtract(struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_right)
{
    return l_fast(gen, LLVMBuildFSub(gen->builder, v_left, v_right, ""));
}

static LLVMValueRef
multiply(struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_right)
{
    return l_fast(gen, LLVMBuildFMul(gen->builder, v_left, v_right, ""));
}

static LLVMValueRef
divide(struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_right)
{
    return l_fast(gen, LLVMBuildFDiv(gen->builder, v_left, v_right, ""));
}

static LLVMValueRef
magnitude(struct ck_gen *gen, LLVMValueRef v_value)
{
    return l_intrinsic(gen, "llvm.fabs", LLVMTypeOf(v_value), &v_value, 1);
}

/* A math function by its float32 form; float64's follows it in math.def. */
static LLVMValueRef
math(struct ck_gen *gen, enum ck_math f32, LLVMValueRef v_first, LLVMValueRef v_second)
{
    enum ck_math function = LLVMTypeOf(v_first) == gen->t_float ? f32 : (enum ck_math)(f32 + 1);
    LLVMValueRef args[] = {v_first, v_second};
    return gen->target->math->call(gen, function, args, v_second ? 2 : 1);
}

/* --- Products and quotients ----------------------------------------------------------------------
 */

static struct ck_gen_value
product(struct ck_gen *gen, struct ck_gen_value a, struct ck_gen_value b)
{
    LLVMValueRef v_real =
        subtract(gen, multiply(gen, a.parts[0], b.parts[0]), multiply(gen, a.parts[1], b.parts[1]));
    LLVMValueRef v_imaginary =
        add(gen, multiply(gen, a.parts[0], b.parts[1]), multiply(gen, a.parts[1], b.parts[0]));
    return pair(gen, v_real, v_imaginary);
}

/* The format of a float type. */
struct format {
    LLVMTypeRef bits;  /* an integer type as wide */
    unsigned fraction; /* bits below the exponent */
    unsigned bias;
};

static struct format
format_of(struct ck_gen *gen, LLVMTypeRef type)
{
    if (type == gen->t_float)
        return (struct format){gen->t_i32, 23, 127};
    return (struct format){gen->t_i64, 52, 1023};
}

/* 2 to the power of (field - bias); the exponent field is in 1 .. 2 * bias - 1. */
static LLVMValueRef
power_of_two(struct ck_gen *gen, LLVMTypeRef type, LLVMValueRef v_field)
{
    struct format format = format_of(gen, type);
    LLVMValueRef v_fraction = LLVMConstInt(format.bits, format.fraction, false);
    LLVMValueRef v_bits = LLVMBuildShl(gen->builder, v_field, v_fraction, "");
    return LLVMBuildBitCast(gen->builder, v_bits, type, "");
}

/* The exponent field of the larger part, clamped so that 2 to that power and its inverse are normal
 * numbers. */
static LLVMValueRef
exponent_field(struct ck_gen *gen, struct ck_gen_value value)
{
    LLVMTypeRef type = LLVMTypeOf(value.parts[0]);
    struct format format = format_of(gen, type);
    LLVMValueRef v_field = LLVMConstInt(format.bits, 1, false);
    for (int i = 0; i < 2; i++) {
        LLVMValueRef v_part = magnitude(gen, value.parts[i]);
        LLVMValueRef v_bits = LLVMBuildBitCast(gen->builder, v_part, format.bits, "");
        LLVMValueRef v_mine = LLVMBuildLShr(gen->builder, v_bits,
                                            LLVMConstInt(format.bits, format.fraction, false), "");
        v_field = l_intrinsic(gen, "llvm.umax", format.bits, (LLVMValueRef[]){v_field, v_mine}, 2);
    }
    LLVMValueRef v_most = LLVMConstInt(format.bits, 2 * format.bias - 1, false);
    return l_intrinsic(gen, "llvm.umin", format.bits, (LLVMValueRef[]){v_field, v_most}, 2);
}

/* The number divided by that power of two. */
static struct ck_gen_value
unscale(struct ck_gen *gen, struct ck_gen_value value, LLVMValueRef v_field)
{
    LLVMTypeRef type = LLVMTypeOf(value.parts[0]);
    struct format format = format_of(gen, type);
    LLVMValueRef v_twice = LLVMConstInt(format.bits, 2 * format.bias, false);
    LLVMValueRef v_inverse = LLVMBuildSub(gen->builder, v_twice, v_field, "");
    LLVMValueRef v_scale = power_of_two(gen, type, v_inverse);
    return pair(gen, multiply(gen, value.parts[0], v_scale),
                multiply(gen, value.parts[1], v_scale));
}

/* Multiplies by 2 to the power of the difference of two fields. The two factors are both at least 1
 * or both at most 1, so that the first product overflows only if the result does. */
static LLVMValueRef
rescale(struct ck_gen *gen, LLVMValueRef v_value, LLVMValueRef v_difference)
{
    LLVMTypeRef type = LLVMTypeOf(v_value);
    struct format format = format_of(gen, type);
    LLVMValueRef v_bias = LLVMConstInt(format.bits, format.bias, false);
    LLVMValueRef v_half =
        LLVMBuildAShr(gen->builder, v_difference, LLVMConstInt(format.bits, 1, false), "");
    LLVMValueRef v_rest = LLVMBuildSub(gen->builder, v_difference, v_half, "");
    LLVMValueRef steps[] = {v_half, v_rest};
    for (int i = 0; i < 2; i++) {
        LLVMValueRef v_field = LLVMBuildAdd(gen->builder, steps[i], v_bias, "");
        v_value = multiply(gen, v_value, power_of_two(gen, type, v_field));
    }
    return v_value;
}

/* R. L. Smith's division (Algorithm 116, Communications of the ACM, 1962): it divides by the ratio
 * of the divisor's smaller part to the larger one, so that no square overflows. A divisor of zero
 * divides each part by zero. */
static struct ck_gen_value
smith(struct ck_gen *gen, struct ck_gen_value a, struct ck_gen_value b)
{
    LLVMTypeRef type = LLVMTypeOf(a.parts[0]);
    LLVMValueRef v_real = magnitude(gen, b.parts[0]), v_imaginary = magnitude(gen, b.parts[1]);
    LLVMValueRef v_by_real =
        LLVMBuildFCmp(gen->builder, LLVMRealOGE, v_real, v_imaginary, "complex.by_real");
    LLVMValueRef v_large = l_select(gen, v_by_real, b.parts[0], b.parts[1]);
    LLVMValueRef v_small = l_select(gen, v_by_real, b.parts[1], b.parts[0]);
    LLVMValueRef v_with = l_select(gen, v_by_real, a.parts[0], a.parts[1]);
    LLVMValueRef v_cross = l_select(gen, v_by_real, a.parts[1], a.parts[0]);
    LLVMValueRef v_zero =
        LLVMBuildFCmp(gen->builder, LLVMRealOEQ, v_large, LLVMConstNull(type), "complex.by_zero");
    v_large = l_select(gen, v_zero, LLVMConstNull(type), v_large);
    LLVMValueRef v_ratio =
        l_select(gen, v_zero, LLVMConstNull(type), divide(gen, v_small, v_large));
    LLVMValueRef v_divisor = add(gen, v_large, multiply(gen, v_small, v_ratio));
    LLVMValueRef v_sum = add(gen, v_with, multiply(gen, v_cross, v_ratio));
    LLVMValueRef v_difference = subtract(gen, v_cross, multiply(gen, v_with, v_ratio));
    v_difference =
        l_select(gen, v_by_real, v_difference, LLVMBuildFNeg(gen->builder, v_difference, ""));
    return pair(gen, divide(gen, v_sum, v_divisor), divide(gen, v_difference, v_divisor));
}

/* Scales both numbers near 1 by powers of two first, so that an intermediate value overflows or
 * underflows only if the result does. */
static struct ck_gen_value
quotient(struct ck_gen *gen, struct ck_gen_value a, struct ck_gen_value b)
{
    LLVMValueRef v_above = exponent_field(gen, a), v_below = exponent_field(gen, b);
    struct ck_gen_value result = smith(gen, unscale(gen, a, v_above), unscale(gen, b, v_below));
    LLVMValueRef v_difference = LLVMBuildSub(gen->builder, v_above, v_below, "");
    return pair(gen, rescale(gen, result.parts[0], v_difference),
                rescale(gen, result.parts[1], v_difference));
}

/* --- Powers ------------------------------------------------------------------------------------
 */

static bool
is_zero(LLVMValueRef v_value)
{
    return LLVMIsConstant(v_value) && LLVMIsNull(v_value);
}

/* In polar form: the magnitude |a|^b and the angle arg(a) b. An imaginary part of the exponent adds
 * its product with log |a| to the angle, and divides the magnitude by exp of its product with
 * arg(a). */
static struct ck_gen_value
power(struct ck_gen *gen, struct ck_gen_value a, struct ck_gen_value b)
{
    LLVMTypeRef type = LLVMTypeOf(a.parts[0]);
    LLVMValueRef v_length = math(gen, CK_MATH_HYPOT_F32, a.parts[0], a.parts[1]);
    LLVMValueRef v_angle = math(gen, CK_MATH_ATAN2_F32, a.parts[1], a.parts[0]);
    LLVMValueRef v_size = math(gen, CK_MATH_POW_F32, v_length, b.parts[0]);
    LLVMValueRef v_argument = multiply(gen, v_angle, b.parts[0]);
    if (!is_zero(b.parts[1])) {
        LLVMValueRef v_shrink =
            math(gen, CK_MATH_EXP_F32, multiply(gen, v_angle, b.parts[1]), NULL);
        LLVMValueRef v_log = math(gen, CK_MATH_LOG_F32, v_length, NULL);
        LLVMValueRef v_none =
            LLVMBuildFCmp(gen->builder, LLVMRealOEQ, v_length, LLVMConstNull(type), "");
        v_log = l_select(gen, v_none, LLVMConstNull(type), v_log);
        v_size = divide(gen, v_size, v_shrink);
        v_argument = add(gen, v_argument, multiply(gen, v_log, b.parts[1]));
    }
    LLVMValueRef v_cos = math(gen, CK_MATH_COS_F32, v_argument, NULL);
    LLVMValueRef v_sin = math(gen, CK_MATH_SIN_F32, v_argument, NULL);
    return pair(gen, multiply(gen, v_size, v_cos), multiply(gen, v_size, v_sin));
}

/* --- Expressions -------------------------------------------------------------------------------
 */

/* Whether the operand is a real number that was converted to complex: products, and quotients by
 * it, then ignore its imaginary part. */
static bool
was_real(const struct ck_texpr *expr)
{
    if (expr->kind != CK_T_TUPLE || expr->tuple.items[1]->kind != CK_T_CONST)
        return false;
    double imaginary = expr->tuple.items[1]->constant.f;
    return imaginary == 0.0 && !signbit(imaginary);
}

static struct ck_gen_value
scaled(struct ck_gen *gen, struct ck_gen_value value, LLVMValueRef v_factor)
{
    return pair(gen, multiply(gen, value.parts[0], v_factor),
                multiply(gen, value.parts[1], v_factor));
}

static struct ck_gen_value
binary(struct ck_gen *gen, const struct ck_texpr *expr)
{
    struct ck_gen_value a = ck_gen_expr(gen, expr->binary.left);
    struct ck_gen_value b = ck_gen_expr(gen, expr->binary.right);
    switch (expr->binary.op) {
    case CK_OP_ADD:
        return pair(gen, add(gen, a.parts[0], b.parts[0]), add(gen, a.parts[1], b.parts[1]));
    case CK_OP_SUB:
        return pair(gen, subtract(gen, a.parts[0], b.parts[0]),
                    subtract(gen, a.parts[1], b.parts[1]));
    case CK_OP_MUL:
        if (was_real(expr->binary.left))
            return scaled(gen, b, a.parts[0]);
        if (was_real(expr->binary.right))
            return scaled(gen, a, b.parts[0]);
        return product(gen, a, b);
    case CK_OP_DIV:
        if (was_real(expr->binary.right))
            return pair(gen, divide(gen, a.parts[0], b.parts[0]),
                        divide(gen, a.parts[1], b.parts[0]));
        return quotient(gen, a, b);
    case CK_OP_POW:
        return power(gen, a, b);
    default:
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "operator %s on complex numbers",
                    ck_binary_op_text(expr->binary.op));
    }
}

struct ck_gen_value
ck_gen_complex(struct ck_gen *gen, const struct ck_texpr *expr)
{
    if (expr->kind == CK_T_BINARY)
        return binary(gen, expr);
    const struct ck_texpr *operand = expr->unary.operand; /* of UNARY and CAST */
    const struct ck_type *from = ck_type_part(operand->type), *to = ck_type_part(expr->type);
    struct ck_gen_value old = ck_gen_expr(gen, operand), value = ck_gen_value_new(gen, 2);
    for (int i = 0; i < 2; i++)
        value.parts[i] = expr->kind == CK_T_CAST
                             ? ck_gen_cast(gen, from, to, old.parts[i])
                             : ck_gen_unary(gen, expr->unary.op, to, old.parts[i]);
    return value;
}

LLVMValueRef
ck_gen_complex_compare(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *part = ck_type_part(expr->compare.left->type);
    struct ck_gen_value a = ck_gen_expr(gen, expr->compare.left);
    struct ck_gen_value b = ck_gen_expr(gen, expr->compare.right);
    enum ck_compare_op op = expr->compare.op;
    LLVMValueRef v_real = ck_gen_compare(gen, op, part, a.parts[0], b.parts[0]);
    LLVMValueRef v_imaginary = ck_gen_compare(gen, op, part, a.parts[1], b.parts[1]);
    return op == CK_CMP_EQ ? LLVMBuildAnd(gen->builder, v_real, v_imaginary, "")
                           : LLVMBuildOr(gen->builder, v_real, v_imaginary, "");
}

LLVMValueRef
ck_gen_complex_truth(struct ck_gen *gen, struct ck_gen_value value)
{
    LLVMValueRef v_zero = LLVMConstNull(LLVMTypeOf(value.parts[0]));
    return LLVMBuildOr(gen->builder,
                       LLVMBuildFCmp(gen->builder, LLVMRealUNE, value.parts[0], v_zero, ""),
                       LLVMBuildFCmp(gen->builder, LLVMRealUNE, value.parts[1], v_zero, ""), "");
}

LLVMValueRef
ck_gen_complex_abs(struct ck_gen *gen, const struct ck_texpr *operand)
{
    struct ck_gen_value value = ck_gen_expr(gen, operand);
    return math(gen, CK_MATH_HYPOT_F32, value.parts[0], value.parts[1]);
}
