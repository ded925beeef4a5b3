/* Lowerings of math functions. */
#include <math.h>
#include <string.h>

#include "codegen/lower/builtin.h"

/* --- Functions of floats -----------------------------------------------------------------------
 */

/* Argument `i` as float32 or float64. */
static LLVMValueRef
wide_arg(struct ck_gen *gen, const struct ck_texpr *expr, int i)
{
    const struct ck_texpr *arg = expr->builtin.args[i];
    return ck_gen_widen(gen, arg->type, ck_gen_scalar(gen, arg));
}

static struct ck_gen_value
narrow(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_wide)
{
    return ck_gen_value_scalar(gen, ck_gen_narrow(gen, type, v_wide));
}

/* The float32 forms; float64's follow them in math.def. */
static const enum ck_math functions[CK_N_BUILTINS] = {
    [CK_BUILTIN_ACOS] = CK_MATH_ACOS_F32,
    [CK_BUILTIN_ACOSH] = CK_MATH_ACOSH_F32,
    [CK_BUILTIN_ASIN] = CK_MATH_ASIN_F32,
    [CK_BUILTIN_ASINH] = CK_MATH_ASINH_F32,
    [CK_BUILTIN_ATAN] = CK_MATH_ATAN_F32,
    [CK_BUILTIN_ATAN2] = CK_MATH_ATAN2_F32,
    [CK_BUILTIN_ATANH] = CK_MATH_ATANH_F32,
    [CK_BUILTIN_CBRT] = CK_MATH_CBRT_F32,
    [CK_BUILTIN_COS] = CK_MATH_COS_F32,
    [CK_BUILTIN_COSH] = CK_MATH_COSH_F32,
    [CK_BUILTIN_ERF] = CK_MATH_ERF_F32,
    [CK_BUILTIN_ERFC] = CK_MATH_ERFC_F32,
    [CK_BUILTIN_EXP] = CK_MATH_EXP_F32,
    [CK_BUILTIN_EXP2] = CK_MATH_EXP2_F32,
    [CK_BUILTIN_EXPM1] = CK_MATH_EXPM1_F32,
    [CK_BUILTIN_FMOD] = CK_MATH_FMOD_F32,
    [CK_BUILTIN_GAMMA] = CK_MATH_GAMMA_F32,
    [CK_BUILTIN_HYPOT] = CK_MATH_HYPOT_F32,
    [CK_BUILTIN_J0] = CK_MATH_J0_F32,
    [CK_BUILTIN_J1] = CK_MATH_J1_F32,
    [CK_BUILTIN_LGAMMA] = CK_MATH_LGAMMA_F32,
    [CK_BUILTIN_LOG] = CK_MATH_LOG_F32,
    [CK_BUILTIN_LOG10] = CK_MATH_LOG10_F32,
    [CK_BUILTIN_LOG1P] = CK_MATH_LOG1P_F32,
    [CK_BUILTIN_LOG2] = CK_MATH_LOG2_F32,
    [CK_BUILTIN_NEXTAFTER] = CK_MATH_NEXTAFTER_F32,
    [CK_BUILTIN_REMAINDER] = CK_MATH_REMAINDER_F32,
    [CK_BUILTIN_RSQRT] = CK_MATH_RSQRT_F32,
    [CK_BUILTIN_SIN] = CK_MATH_SIN_F32,
    [CK_BUILTIN_SINH] = CK_MATH_SINH_F32,
    [CK_BUILTIN_TAN] = CK_MATH_TAN_F32,
    [CK_BUILTIN_TANH] = CK_MATH_TANH_F32,
    [CK_BUILTIN_Y0] = CK_MATH_Y0_F32,
    [CK_BUILTIN_Y1] = CK_MATH_Y1_F32,
};

/* nextafter of float16 or bfloat16: one more or one less than the bits, which increase with the
 * magnitude. float32's function would find float32's neighbour. */
static struct ck_gen_value
half_nextafter(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMBuilderRef b = gen->builder;
    LLVMTypeRef t_i16 = LLVMInt16TypeInContext(gen->llvm);
    LLVMValueRef v_half_x = ck_gen_scalar(gen, expr->builtin.args[0]);
    LLVMValueRef v_half_y = ck_gen_scalar(gen, expr->builtin.args[1]);
    LLVMValueRef v_x = ck_gen_widen(gen, expr->type, v_half_x);
    LLVMValueRef v_y = ck_gen_widen(gen, expr->type, v_half_y);
    LLVMValueRef v_bits_x = LLVMBuildBitCast(b, v_half_x, t_i16, "");
    LLVMValueRef v_bits_y = LLVMBuildBitCast(b, v_half_y, t_i16, "");
    LLVMValueRef v_zero = LLVMConstNull(LLVMTypeOf(v_x)), v_one = LLVMConstInt(t_i16, 1, false);
    LLVMValueRef v_outward = l_compare(gen, LLVMIntEQ, LLVMBuildFCmp(b, LLVMRealOLT, v_x, v_y, ""),
                                       LLVMBuildFCmp(b, LLVMRealOGT, v_x, v_zero, ""));
    LLVMValueRef v_step = l_select(gen, v_outward, v_one, LLVMConstAllOnes(t_i16));
    LLVMValueRef v_next = LLVMBuildAdd(b, v_bits_x, v_step, "");
    LLVMValueRef v_sign = LLVMBuildAnd(b, v_bits_y, LLVMConstInt(t_i16, 0x8000, false), "");
    LLVMValueRef v_least = LLVMBuildOr(b, v_sign, v_one, "");
    v_next = l_select(gen, LLVMBuildFCmp(b, LLVMRealOEQ, v_x, v_zero, ""), v_least, v_next);
    v_next = l_select(gen, LLVMBuildFCmp(b, LLVMRealOEQ, v_x, v_y, ""), v_bits_y, v_next);
    LLVMValueRef v_nan = ck_gen_narrow(gen, expr->type, LLVMBuildFAdd(b, v_x, v_y, ""));
    LLVMValueRef v_result = LLVMBuildBitCast(b, v_next, LLVMTypeOf(v_half_x), "");
    LLVMValueRef v_unordered = LLVMBuildFCmp(b, LLVMRealUNO, v_x, v_y, "");
    return ck_gen_value_scalar(gen, l_select(gen, v_unordered, v_nan, v_result));
}

struct ck_gen_value
ck_lower_math(struct ck_gen *gen, const struct ck_texpr *expr)
{
    if (expr->builtin.id == CK_BUILTIN_NEXTAFTER && expr->type != ck_gen_wide_type(expr->type))
        return half_nextafter(gen, expr);
    LLVMValueRef args[2];
    int n = expr->builtin.n_args;
    for (int i = 0; i < n; i++)
        args[i] = wide_arg(gen, expr, i);
    enum ck_math function = functions[expr->builtin.id];
    if (LLVMTypeOf(args[0]) != gen->t_float)
        function = (enum ck_math)(function + 1);
    return narrow(gen, expr->type, gen->target->math->call(gen, function, args, (unsigned)n));
}

static const char *
float_intrinsic(enum ck_builtin_id id)
{
    switch ((int)id) {
    case CK_BUILTIN_CEIL:
        return "llvm.ceil";
    case CK_BUILTIN_COPYSIGN:
        return "llvm.copysign";
    case CK_BUILTIN_FABS:
        return "llvm.fabs";
    case CK_BUILTIN_FLOOR:
        return "llvm.floor";
    case CK_BUILTIN_FMA:
        return "llvm.fma";
    case CK_BUILTIN_RINT:
        return "llvm.roundeven";
    default: /* TRUNC */
        return "llvm.trunc";
    }
}

/* The sum of two, rounded to odd: of its two float64 neighbours the one with an odd last bit,
 * unless the sum is a float64. Rounding the result again to 16 bits then rounds the sum correctly.
 */
static LLVMValueRef
sum_to_odd(struct ck_gen *gen, LLVMValueRef v_a, LLVMValueRef v_b)
{
    LLVMBuilderRef b = gen->builder;
    LLVMValueRef v_sum = LLVMBuildFAdd(b, v_a, v_b, "");
    LLVMValueRef v_of_b = LLVMBuildFSub(b, v_sum, v_a, "");
    LLVMValueRef v_of_a = LLVMBuildFSub(b, v_sum, v_of_b, "");
    LLVMValueRef v_lost = LLVMBuildFAdd(b, LLVMBuildFSub(b, v_a, v_of_a, ""),
                                        LLVMBuildFSub(b, v_b, v_of_b, ""), "lost");
    LLVMValueRef v_zero = LLVMConstNull(LLVMTypeOf(v_sum));
    LLVMValueRef v_bits = LLVMBuildBitCast(b, v_sum, gen->t_i64, "");
    LLVMValueRef v_even =
        l_compare(gen, LLVMIntEQ, LLVMBuildAnd(b, v_bits, l_i64(gen, 1), ""), l_i64(gen, 0));
    LLVMValueRef v_inexact = LLVMBuildFCmp(b, LLVMRealONE, v_lost, v_zero, "");
    LLVMValueRef v_outward =
        l_compare(gen, LLVMIntEQ, LLVMBuildFCmp(b, LLVMRealOGT, v_lost, v_zero, ""),
                  LLVMBuildFCmp(b, LLVMRealOGT, v_sum, v_zero, ""));
    LLVMValueRef v_step = l_select(gen, v_outward, l_i64(gen, 1), l_i64(gen, -1));
    v_step = l_select(gen, LLVMBuildAnd(b, v_even, v_inexact, ""), v_step, l_i64(gen, 0));
    return LLVMBuildBitCast(b, LLVMBuildAdd(b, v_bits, v_step, ""), LLVMTypeOf(v_sum), "");
}

/* fma of float16 or bfloat16: their products are exact in float64. */
static struct ck_gen_value
half_fma(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *f64 = ck_type_scalar(CK_TYPE_FLOAT64);
    LLVMValueRef args[3];
    bool fuses =
        gen->target->math->fuses_float16 && gen->target->math->fuses_float16(gen, expr->type);
    for (int i = 0; i < 3; i++) {
        args[i] = ck_gen_scalar(gen, expr->builtin.args[i]);
        if (!fuses)
            args[i] = ck_gen_cast(gen, expr->type, f64, args[i]);
    }
    if (fuses)
        return ck_gen_value_scalar(gen, l_intrinsic(gen, "llvm.fma", LLVMTypeOf(args[0]), args, 3));
    LLVMValueRef v_product = LLVMBuildFMul(gen->builder, args[0], args[1], "");
    LLVMValueRef v_sum = sum_to_odd(gen, v_product, args[2]);
    return ck_gen_value_scalar(gen, ck_gen_cast(gen, f64, expr->type, v_sum));
}

struct ck_gen_value
ck_lower_float_op(struct ck_gen *gen, const struct ck_texpr *expr)
{
    if (expr->builtin.id == CK_BUILTIN_FMA && expr->type != ck_gen_wide_type(expr->type))
        return half_fma(gen, expr);
    LLVMValueRef args[3];
    int n = expr->builtin.n_args;
    for (int i = 0; i < n; i++)
        args[i] = wide_arg(gen, expr, i);
    const char *name = float_intrinsic(expr->builtin.id);
    return narrow(gen, expr->type, l_intrinsic(gen, name, LLVMTypeOf(args[0]), args, (unsigned)n));
}

struct ck_gen_value
ck_lower_angle(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_value = wide_arg(gen, expr, 0);
    double factor = expr->builtin.id == CK_BUILTIN_DEGREES ? 180 / M_PI : M_PI / 180;
    LLVMValueRef v_factor = LLVMConstReal(LLVMTypeOf(v_value), factor);
    return narrow(gen, expr->type, LLVMBuildFMul(gen->builder, v_value, v_factor, ""));
}

static LLVMValueRef
magnitude(struct ck_gen *gen, LLVMValueRef v_value)
{
    return l_intrinsic(gen, "llvm.fabs", LLVMTypeOf(v_value), &v_value, 1);
}

static LLVMValueRef
compare_infinity(struct ck_gen *gen, LLVMRealPredicate predicate, LLVMValueRef v_value)
{
    LLVMValueRef v_infinity = LLVMConstReal(LLVMTypeOf(v_value), (double)INFINITY);
    return LLVMBuildFCmp(gen->builder, predicate, magnitude(gen, v_value), v_infinity, "");
}

struct ck_gen_value
ck_lower_float_class(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_value = wide_arg(gen, expr, 0);
    switch ((int)expr->builtin.id) {
    case CK_BUILTIN_ISNAN:
        return ck_gen_value_scalar(gen,
                                   LLVMBuildFCmp(gen->builder, LLVMRealUNO, v_value, v_value, ""));
    case CK_BUILTIN_ISINF:
        return ck_gen_value_scalar(gen, compare_infinity(gen, LLVMRealOEQ, v_value));
    default: /* ISFINITE */
        return ck_gen_value_scalar(gen, compare_infinity(gen, LLVMRealOLT, v_value));
    }
}

/* --- Parts of floats ---------------------------------------------------------------------------
 */

/* An intrinsic overloaded on a float type and on int32. */
static LLVMValueRef
exponent_intrinsic(struct ck_gen *gen, const char *name, LLVMTypeRef type, LLVMValueRef *args,
                   unsigned n)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMTypeRef types[] = {type, gen->t_i32};
    LLVMValueRef v_function = LLVMGetIntrinsicDeclaration(gen->module, id, types, 2);
    return LLVMBuildCall2(gen->builder, LLVMGlobalGetValueType(v_function), v_function, args, n,
                          "");
}

struct ck_gen_value
ck_lower_frexp(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_value = wide_arg(gen, expr, 0);
    LLVMTypeRef type = LLVMTypeOf(v_value);
    LLVMValueRef v_pair = exponent_intrinsic(gen, "llvm.frexp", type, &v_value, 1);
    LLVMValueRef v_exponent = LLVMBuildExtractValue(gen->builder, v_pair, 1, "");
    /* The C library leaves the exponent of infinities and NaN unspecified. */
    v_exponent =
        l_select(gen, compare_infinity(gen, LLVMRealOLT, v_value), v_exponent, l_i32(gen, 0));
    struct ck_gen_value result = ck_gen_value_new(gen, 2);
    result.parts[0] = ck_gen_narrow(gen, expr->type->tuple.items[0],
                                    LLVMBuildExtractValue(gen->builder, v_pair, 0, ""));
    result.parts[1] = v_exponent;
    return result;
}

struct ck_gen_value
ck_lower_modf(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *type = expr->type->tuple.items[0];
    LLVMValueRef v_value = wide_arg(gen, expr, 0);
    LLVMTypeRef wide = LLVMTypeOf(v_value);
    LLVMValueRef v_whole = l_intrinsic(gen, "llvm.trunc", wide, &v_value, 1);
    LLVMValueRef v_part = LLVMBuildFSub(gen->builder, v_value, v_whole, "");
    LLVMValueRef v_infinite = compare_infinity(gen, LLVMRealOEQ, v_value);
    v_part = l_select(gen, v_infinite, LLVMConstNull(wide), v_part);
    v_part = l_intrinsic(gen, "llvm.copysign", wide, (LLVMValueRef[]){v_part, v_value}, 2);
    struct ck_gen_value result = ck_gen_value_new(gen, 2);
    result.parts[0] = ck_gen_narrow(gen, type, v_part);
    result.parts[1] = ck_gen_narrow(gen, type, v_whole);
    return result;
}

/* An exponent as int32, clamped to a range beyond which every float overflows or becomes 0. */
static LLVMValueRef
int32_exponent(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_exponent)
{
    enum { FAR = 10000 };
    LLVMTypeRef llvm = LLVMTypeOf(v_exponent);
    bool is_signed = ck_type_is_signed(type);
    if (ck_type_bits(type) >= 16) {
        LLVMValueRef high[] = {v_exponent, LLVMConstInt(llvm, FAR, false)};
        v_exponent = l_intrinsic(gen, is_signed ? "llvm.smin" : "llvm.umin", llvm, high, 2);
        LLVMValueRef low[] = {v_exponent, LLVMConstInt(llvm, (unsigned long long)-FAR, true)};
        if (is_signed)
            v_exponent = l_intrinsic(gen, "llvm.smax", llvm, low, 2);
    }
    return LLVMBuildIntCast2(gen->builder, v_exponent, gen->t_i32, is_signed, "");
}

struct ck_gen_value
ck_lower_ldexp(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_texpr *exponent = expr->builtin.args[1];
    LLVMValueRef v_value = wide_arg(gen, expr, 0);
    LLVMValueRef v_exponent = int32_exponent(gen, exponent->type, ck_gen_scalar(gen, exponent));
    LLVMValueRef args[] = {v_value, v_exponent};
    return narrow(gen, expr->type,
                  exponent_intrinsic(gen, "llvm.ldexp", LLVMTypeOf(v_value), args, 2));
}

/* --- Bits --------------------------------------------------------------------------------------
 */

struct ck_gen_value
ck_lower_bits(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_value = ck_gen_scalar(gen, expr->builtin.args[0]);
    LLVMTypeRef type = LLVMTypeOf(v_value);
    LLVMValueRef args[] = {v_value, LLVMConstInt(gen->t_i1, 0, false)};
    switch ((int)expr->builtin.id) {
    case CK_BUILTIN_POPC:
        return ck_gen_value_scalar(gen, l_intrinsic(gen, "llvm.ctpop", type, args, 1));
    case CK_BUILTIN_CLZ:
        return ck_gen_value_scalar(gen, l_intrinsic(gen, "llvm.ctlz", type, args, 2));
    default: /* BREV */
        return ck_gen_value_scalar(gen, l_intrinsic(gen, "llvm.bitreverse", type, args, 1));
    }
}

struct ck_gen_value
ck_lower_bitcast(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_value = ck_gen_scalar(gen, expr->builtin.args[0]);
    LLVMTypeRef type = ck_gen_scalar_type(gen, expr->type);
    return ck_gen_value_scalar(gen, LLVMBuildBitCast(gen->builder, v_value, type, ""));
}

struct ck_gen_value
ck_lower_ffs(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_value = ck_gen_scalar(gen, expr->builtin.args[0]);
    LLVMTypeRef type = LLVMTypeOf(v_value);
    LLVMValueRef args[] = {v_value, LLVMConstInt(gen->t_i1, 0, false)};
    LLVMValueRef v_zeros = l_intrinsic(gen, "llvm.cttz", type, args, 2);
    v_zeros = LLVMBuildIntCast2(gen->builder, v_zeros, gen->t_i32, false, "");
    LLVMValueRef v_place = LLVMBuildAdd(gen->builder, v_zeros, l_i32(gen, 1), "");
    LLVMValueRef v_none = l_compare(gen, LLVMIntEQ, v_value, LLVMConstNull(type));
    return ck_gen_value_scalar(gen, l_select(gen, v_none, l_i32(gen, 0), v_place));
}

struct ck_gen_value
ck_lower_selp(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef args[3];
    for (int i = 0; i < 3; i++)
        args[i] = ck_gen_scalar(gen, expr->builtin.args[i]);
    return ck_gen_value_scalar(gen, l_select(gen, args[0], args[1], args[2]));
}
