/* Lowering of round, to integers and to decimal digits. */
#include "codegen/lower/builtin.h"

static LLVMValueRef
number(struct ck_gen *gen, double value)
{
    return LLVMConstReal(ck_gen_scalar_type(gen, ck_type_scalar(CK_TYPE_FLOAT64)), value);
}

static LLVMValueRef
unary(struct ck_gen *gen, const char *name, LLVMValueRef v_value)
{
    return l_intrinsic(gen, name, LLVMTypeOf(v_value), &v_value, 1);
}

static LLVMValueRef
less(struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_right)
{
    return LLVMBuildFCmp(gen->builder, LLVMRealOLT, v_left, v_right, "");
}

/* 10 ** n for 0 <= n < 512; exact, with all intermediate products, up to 10 ** 22. */
static LLVMValueRef
power_of_ten(struct ck_gen *gen, LLVMValueRef v_n)
{
    static const double powers[] = {1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256};
    LLVMValueRef v_power = number(gen, 1.0);
    for (int i = 0; i < (int)(sizeof powers / sizeof *powers); i++) {
        LLVMValueRef v_bit = LLVMBuildAnd(gen->builder, v_n, l_i64(gen, (int64_t)1 << i), "");
        LLVMValueRef v_set = l_compare(gen, LLVMIntNE, v_bit, l_i64(gen, 0));
        LLVMValueRef v_more = LLVMBuildFMul(gen->builder, v_power, number(gen, powers[i]), "");
        v_power = l_select(gen, v_set, v_more, v_power);
    }
    return v_power;
}

/* The integer nearest to `y + error`, ties to even, where y is the float64 nearest to that sum. The
 * error matters only if y is halfway between two integers. */
static LLVMValueRef
nearest(struct ck_gen *gen, LLVMValueRef v_y, LLVMValueRef v_error)
{
    LLVMBuilderRef b = gen->builder;
    LLVMValueRef v_zero = number(gen, 0.0), v_half = number(gen, 0.5);
    LLVMValueRef v_even = unary(gen, "llvm.roundeven", v_y);
    LLVMValueRef v_off = unary(gen, "llvm.fabs", LLVMBuildFSub(b, v_y, v_even, ""));
    LLVMValueRef v_is_half = LLVMBuildFCmp(b, LLVMRealOEQ, v_off, v_half, "");
    LLVMValueRef v_up =
        l_select(gen, less(gen, v_zero, v_error), LLVMBuildFAdd(b, v_y, v_half, ""), v_even);
    LLVMValueRef v_moved =
        l_select(gen, less(gen, v_error, v_zero), LLVMBuildFSub(b, v_y, v_half, ""), v_up);
    return l_select(gen, v_is_half, v_moved, v_even);
}

static LLVMValueRef
fused(struct ck_gen *gen, LLVMValueRef v_a, LLVMValueRef v_b, LLVMValueRef v_c)
{
    LLVMValueRef args[] = {v_a, v_b, v_c};
    return l_intrinsic(gen, "llvm.fma", LLVMTypeOf(v_a), args, 3);
}

/* Scales, rounds and scales back. With up to 22 digits the power is exact, the scaled value is
 * known with its error, and the rounded one is an integer below 2**53. Each step is then correctly
 * rounded, and the result is the float nearest to the decimal, as in Python. A value whose scaled
 * magnitude is larger has no digits there and is returned as it is. */
static LLVMValueRef
round_digits(struct ck_gen *gen, LLVMValueRef v_x, LLVMValueRef v_digits)
{
    enum { MOST = 400 }; /* beyond every float64 */
    LLVMBuilderRef b = gen->builder;
    LLVMValueRef low[] = {v_digits, l_i64(gen, -MOST)};
    LLVMValueRef high[] = {l_intrinsic(gen, "llvm.smax", gen->t_i64, low, 2), l_i64(gen, MOST)};
    LLVMValueRef v_n = l_intrinsic(gen, "llvm.smin", gen->t_i64, high, 2);
    LLVMValueRef v_left = l_compare(gen, LLVMIntSLT, v_n, l_i64(gen, 0));
    v_n = l_select(gen, v_left, LLVMBuildNeg(b, v_n, ""), v_n);
    LLVMValueRef v_power = power_of_ten(gen, v_n);

    LLVMValueRef v_product = LLVMBuildFMul(b, v_x, v_power, "");
    LLVMValueRef v_quotient = LLVMBuildFDiv(b, v_x, v_power, "");
    LLVMValueRef v_over = fused(gen, v_x, v_power, LLVMBuildFNeg(b, v_product, ""));
    LLVMValueRef v_rest = fused(gen, LLVMBuildFNeg(b, v_quotient, ""), v_power, v_x);
    LLVMValueRef v_y = l_select(gen, v_left, v_quotient, v_product);
    LLVMValueRef v_whole = nearest(gen, v_y, l_select(gen, v_left, v_rest, v_over));
    LLVMValueRef v_result = l_select(gen, v_left, LLVMBuildFMul(b, v_whole, v_power, ""),
                                     LLVMBuildFDiv(b, v_whole, v_power, ""));

    LLVMValueRef v_none = LLVMBuildFCmp(b, LLVMRealOEQ, v_whole, number(gen, 0.0), "");
    v_result = l_select(gen, v_none, number(gen, 0.0), v_result); /* not 0 * inf */
    LLVMValueRef v_has = less(gen, unary(gen, "llvm.fabs", v_y), number(gen, 0x1p53));
    LLVMValueRef args[] = {l_select(gen, v_has, v_result, v_x), v_x};
    return l_intrinsic(gen, "llvm.copysign", LLVMTypeOf(v_x), args, 2);
}

struct ck_gen_value
ck_lower_round(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *type = expr->builtin.args[0]->type,
                         *f64 = ck_type_scalar(CK_TYPE_FLOAT64);
    LLVMValueRef v_value = ck_gen_scalar(gen, expr->builtin.args[0]);
    if (expr->builtin.n_args == 2) {
        LLVMValueRef v_digits = ck_gen_scalar(gen, expr->builtin.args[1]);
        v_value = round_digits(gen, ck_gen_cast(gen, type, f64, v_value), v_digits);
        return ck_gen_value_scalar(gen, ck_gen_cast(gen, f64, type, v_value));
    }
    v_value = ck_gen_widen(gen, type, v_value);
    v_value = l_intrinsic(gen, "llvm.roundeven", LLVMTypeOf(v_value), &v_value, 1);
    LLVMValueRef v_whole = ck_gen_cast(gen, ck_gen_wide_type(type), expr->type, v_value);
    ck_gen_check_cast(gen, expr, expr->builtin.args[0], v_value, v_whole);
    return ck_gen_value_scalar(gen, v_whole);
}
