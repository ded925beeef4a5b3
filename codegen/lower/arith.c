/* Arithmetic on scalars, with the language's semantics: everything is defined, nothing traps. */
#include "codegen/lower/lower.h"

/* --- Integers ----------------------------------------------------------------------------------
 */

/* A divisor for which LLVM's division is defined: 1 instead of zero, and instead of -1 if the
 * dividend is the smallest integer (whose quotient wraps to itself, with remainder 0). */
static LLVMValueRef
safe_divisor(struct ck_gen *gen, bool is_signed, LLVMValueRef v_left, LLVMValueRef v_right)
{
    LLVMTypeRef type = LLVMTypeOf(v_left);
    LLVMValueRef v_one = LLVMConstInt(type, 1, false);
    LLVMValueRef v_unsafe = l_compare(gen, LLVMIntEQ, v_right, LLVMConstNull(type));
    if (is_signed) {
        uint64_t sign = (uint64_t)1 << (LLVMGetIntTypeWidth(type) - 1);
        LLVMValueRef v_least = l_compare(gen, LLVMIntEQ, v_left, LLVMConstInt(type, sign, false));
        LLVMValueRef v_minus = l_compare(gen, LLVMIntEQ, v_right, LLVMConstAllOnes(type));
        LLVMValueRef v_wraps = LLVMBuildAnd(gen->builder, v_least, v_minus, "");
        v_unsafe = LLVMBuildOr(gen->builder, v_unsafe, v_wraps, "");
    }
    return l_select(gen, v_unsafe, v_one, v_right);
}

static LLVMValueRef
divide_unsigned(struct ck_gen *gen, bool is_mod, LLVMValueRef v_left, LLVMValueRef v_safe)
{
    return is_mod ? LLVMBuildURem(gen->builder, v_left, v_safe, "")
                  : LLVMBuildUDiv(gen->builder, v_left, v_safe, "");
}

/* Floor division: one less than the truncated quotient if remainder and divisor differ in sign. */
static LLVMValueRef
divide_signed(struct ck_gen *gen, bool is_mod, LLVMValueRef v_left, LLVMValueRef v_safe)
{
    LLVMTypeRef type = LLVMTypeOf(v_left);
    LLVMValueRef v_zero = LLVMConstNull(type);
    LLVMValueRef v_rem = LLVMBuildSRem(gen->builder, v_left, v_safe, "");
    LLVMValueRef v_signs = LLVMBuildXor(gen->builder, v_rem, v_safe, "");
    LLVMValueRef v_adjust = LLVMBuildAnd(gen->builder, l_compare(gen, LLVMIntNE, v_rem, v_zero),
                                         l_compare(gen, LLVMIntSLT, v_signs, v_zero), "");
    if (is_mod)
        return l_select(gen, v_adjust, LLVMBuildAdd(gen->builder, v_rem, v_safe, ""), v_rem);
    LLVMValueRef v_quotient = LLVMBuildSDiv(gen->builder, v_left, v_safe, "");
    return LLVMBuildAdd(gen->builder, v_quotient, LLVMBuildSExt(gen->builder, v_adjust, type, ""),
                        "");
}

static LLVMValueRef
magnitude(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMValueRef args[] = {v, LLVMConstNull(gen->t_i1)};
    return l_intrinsic(gen, "llvm.abs", LLVMTypeOf(v), args, 2);
}

/* Floor division by magnitudes. If the signs of dividend and divisor differ, the quotient is
 * -ceil(|left| / |right|), which is ~((|left| - 1) / |right|). Half the instructions of a truncated
 * division and its correction, where LLVM knows neither operand. */
static LLVMValueRef
divide_magnitudes(struct ck_gen *gen, bool is_mod, LLVMValueRef v_left, LLVMValueRef v_right)
{
    LLVMTypeRef type = LLVMTypeOf(v_left);
    LLVMValueRef v_zero = LLVMConstNull(type);
    LLVMValueRef v_signs = LLVMBuildXor(gen->builder, v_left, v_right, "");
    LLVMValueRef v_differ = LLVMBuildAnd(gen->builder, l_compare(gen, LLVMIntNE, v_left, v_zero),
                                         l_compare(gen, LLVMIntSLT, v_signs, v_zero), "");
    LLVMValueRef v_mask = LLVMBuildSExt(gen->builder, v_differ, type, "");
    LLVMValueRef v_dividend = LLVMBuildAdd(gen->builder, magnitude(gen, v_left), v_mask, "");
    LLVMValueRef divisors[] = {magnitude(gen, v_right), LLVMConstInt(type, 1, false)};
    LLVMValueRef v_divisor = l_intrinsic(gen, "llvm.umax", type, divisors, 2);
    LLVMValueRef v_quotient = LLVMBuildXor(
        gen->builder, LLVMBuildUDiv(gen->builder, v_dividend, v_divisor, ""), v_mask, "");
    if (!is_mod)
        return v_quotient;
    return LLVMBuildSub(gen->builder, v_left, LLVMBuildMul(gen->builder, v_quotient, v_right, ""),
                        "");
}

static LLVMValueRef
int_divide(struct ck_gen *gen, bool is_mod, bool is_signed, LLVMValueRef v_left,
           LLVMValueRef v_right)
{
    LLVMValueRef v_zero = LLVMConstNull(LLVMTypeOf(v_left));
    if (is_signed && !LLVMIsAConstant(v_right) && LLVMGetIntTypeWidth(LLVMTypeOf(v_left)) <= 32)
        return l_select(gen, l_compare(gen, LLVMIntEQ, v_right, v_zero), v_zero,
                        divide_magnitudes(gen, is_mod, v_left, v_right));
    LLVMValueRef v_safe = safe_divisor(gen, is_signed, v_left, v_right);
    LLVMValueRef v_result = is_signed ? divide_signed(gen, is_mod, v_left, v_safe)
                                      : divide_unsigned(gen, is_mod, v_left, v_safe);
    return l_select(gen, l_compare(gen, LLVMIntEQ, v_right, v_zero), v_zero, v_result);
}

/* A count of at least the width, or a negative one, shifts all bits out. */
static LLVMValueRef
int_shift(struct ck_gen *gen, enum ck_binary_op op, bool is_signed, LLVMValueRef v_left,
          LLVMValueRef v_count)
{
    LLVMTypeRef type = LLVMTypeOf(v_left);
    unsigned width = LLVMGetIntTypeWidth(type);
    LLVMValueRef v_fits = l_compare(gen, LLVMIntULT, v_count, LLVMConstInt(type, width, false));
    if (op == CK_OP_SHR && is_signed) {
        LLVMValueRef v_most = LLVMConstInt(type, width - 1, false);
        return LLVMBuildAShr(gen->builder, v_left, l_select(gen, v_fits, v_count, v_most), "");
    }
    /* LLVM 22's NVPTX takes `count < 64 ? x << count : 0` for PTX's clamping shift, which looks at
     * 32 bits of the count: a count such as 2^32 would shift by 0. A masked count is not taken so.
     */
    if (width == 64)
        v_count = LLVMBuildAnd(gen->builder, v_count, LLVMConstInt(type, width - 1, false), "");
    LLVMValueRef v_shifted = op == CK_OP_SHL ? LLVMBuildShl(gen->builder, v_left, v_count, "")
                                             : LLVMBuildLShr(gen->builder, v_left, v_count, "");
    return l_select(gen, v_fits, v_shifted, LLVMConstNull(type));
}

/* base ** -n: exact for 1 and -1, otherwise 0. */
static LLVMValueRef
negative_power(struct ck_gen *gen, LLVMValueRef v_base, LLVMValueRef v_exponent)
{
    LLVMTypeRef type = LLVMTypeOf(v_base);
    LLVMValueRef v_one = LLVMConstInt(type, 1, false);
    LLVMValueRef v_minus = LLVMConstAllOnes(type);
    LLVMValueRef v_odd = LLVMBuildTrunc(gen->builder, v_exponent, gen->t_i1, "");
    LLVMValueRef v_sign = l_select(gen, v_odd, v_minus, v_one);
    LLVMValueRef v_is_minus = l_compare(gen, LLVMIntEQ, v_base, v_minus);
    LLVMValueRef v_result = l_select(gen, v_is_minus, v_sign, LLVMConstNull(type));
    return l_select(gen, l_compare(gen, LLVMIntEQ, v_base, v_one), v_one, v_result);
}

/* base ** exponent, the exponent as unsigned, by squaring. */
static LLVMValueRef
power_loop(struct ck_gen *gen, LLVMValueRef v_base, LLVMValueRef v_exponent)
{
    LLVMTypeRef type = LLVMTypeOf(v_base);
    LLVMValueRef v_one = LLVMConstInt(type, 1, false);
    LLVMBasicBlockRef b_before = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef b_head = l_block(gen, "power.head");
    LLVMBasicBlockRef b_loop = l_block(gen, "power.loop");
    LLVMBasicBlockRef b_done = l_block(gen, "power.done");
    l_branch(gen, b_head);

    l_at(gen, b_head);
    LLVMValueRef v_result = LLVMBuildPhi(gen->builder, type, "power.result");
    LLVMValueRef v_square = LLVMBuildPhi(gen->builder, type, "power.square");
    LLVMValueRef v_rest = LLVMBuildPhi(gen->builder, type, "power.rest");
    LLVMValueRef v_more = l_compare(gen, LLVMIntNE, v_rest, LLVMConstNull(type));
    LLVMBuildCondBr(gen->builder, v_more, b_loop, b_done);

    l_at(gen, b_loop);
    LLVMValueRef v_odd = LLVMBuildTrunc(gen->builder, v_rest, gen->t_i1, "");
    LLVMValueRef v_factor = l_select(gen, v_odd, v_square, v_one);
    LLVMValueRef v_next[] = {LLVMBuildMul(gen->builder, v_result, v_factor, ""),
                             LLVMBuildMul(gen->builder, v_square, v_square, ""),
                             LLVMBuildLShr(gen->builder, v_rest, v_one, "")};
    l_branch(gen, b_head);
    LLVMBasicBlockRef blocks[] = {b_before, b_loop};
    LLVMAddIncoming(v_result, (LLVMValueRef[]){v_one, v_next[0]}, blocks, 2);
    LLVMAddIncoming(v_square, (LLVMValueRef[]){v_base, v_next[1]}, blocks, 2);
    LLVMAddIncoming(v_rest, (LLVMValueRef[]){v_exponent, v_next[2]}, blocks, 2);
    l_at(gen, b_done);
    return v_result;
}

static LLVMValueRef
int_power(struct ck_gen *gen, bool is_signed, LLVMValueRef v_base, LLVMValueRef v_exponent)
{
    if (!is_signed)
        return power_loop(gen, v_base, v_exponent);
    LLVMValueRef v_zero = LLVMConstNull(LLVMTypeOf(v_base));
    LLVMValueRef v_negative = l_compare(gen, LLVMIntSLT, v_exponent, v_zero);
    LLVMValueRef v_inverse = negative_power(gen, v_base, v_exponent);
    LLVMValueRef v_count = l_select(gen, v_negative, v_zero, v_exponent);
    LLVMValueRef v_power = power_loop(gen, v_base, v_count);
    return l_select(gen, v_negative, v_inverse, v_power);
}

static LLVMValueRef
int_binary(struct ck_gen *gen, enum ck_binary_op op, const struct ck_type *type,
           LLVMValueRef v_left, LLVMValueRef v_right)
{
    bool is_signed = ck_type_is_signed(type);
    switch (op) {
    case CK_OP_ADD:
        return LLVMBuildAdd(gen->builder, v_left, v_right, "");
    case CK_OP_SUB:
        return LLVMBuildSub(gen->builder, v_left, v_right, "");
    case CK_OP_MUL:
        return LLVMBuildMul(gen->builder, v_left, v_right, "");
    case CK_OP_AND:
        return LLVMBuildAnd(gen->builder, v_left, v_right, "");
    case CK_OP_OR:
        return LLVMBuildOr(gen->builder, v_left, v_right, "");
    case CK_OP_XOR:
        return LLVMBuildXor(gen->builder, v_left, v_right, "");
    case CK_OP_SHL:
    case CK_OP_SHR:
        return int_shift(gen, op, is_signed, v_left, v_right);
    case CK_OP_FLOORDIV:
    case CK_OP_MOD:
        return int_divide(gen, op == CK_OP_MOD, is_signed, v_left, v_right);
    case CK_OP_POW:
        return int_power(gen, is_signed, v_left, v_right);
    case CK_OP_DIV:
        break;
    }
    ck_gen_fail(gen, CK_ERROR_INTERNAL, "operator %s on integers", ck_binary_op_text(op));
}

/* --- Floats ------------------------------------------------------------------------------------
 */

/* The form of a math function for the type; math.def has float64's after float32's. */
static LLVMValueRef
float_math(struct ck_gen *gen, enum ck_math f32, LLVMValueRef v_left, LLVMValueRef v_right)
{
    enum ck_math function = LLVMTypeOf(v_left) == gen->t_float ? f32 : (enum ck_math)(f32 + 1);
    return gen->target->math->call(gen, function, (LLVMValueRef[]){v_left, v_right}, 2);
}

static LLVMValueRef
copysign_zero(struct ck_gen *gen, LLVMValueRef v_sign)
{
    LLVMTypeRef type = LLVMTypeOf(v_sign);
    return l_intrinsic(gen, "llvm.copysign", type, (LLVMValueRef[]){LLVMConstNull(type), v_sign},
                       2);
}

static LLVMValueRef
is_negative(struct ck_gen *gen, LLVMValueRef v_value)
{
    return LLVMBuildFCmp(gen->builder, LLVMRealOLT, v_value, LLVMConstNull(LLVMTypeOf(v_value)),
                         "");
}

static LLVMValueRef
is_not_zero(struct ck_gen *gen, LLVMValueRef v_value)
{
    return LLVMBuildFCmp(gen->builder, LLVMRealUNE, v_value, LLVMConstNull(LLVMTypeOf(v_value)),
                         "");
}

/* The exact quotient rounded down. (left - mod) / right is an integer within one rounding error, so
 * it is rounded to the nearest integer. A zero result has the quotient's sign. */
static LLVMValueRef
floor_quotient(struct ck_gen *gen, LLVMValueRef v_quotient, LLVMValueRef v_plain)
{
    LLVMTypeRef type = LLVMTypeOf(v_quotient);
    LLVMValueRef v_one = LLVMConstReal(type, 1.0);
    LLVMValueRef v_floor = l_intrinsic(gen, "llvm.floor", type, &v_quotient, 1);
    LLVMValueRef v_part = LLVMBuildFSub(gen->builder, v_quotient, v_floor, "");
    LLVMValueRef v_up =
        LLVMBuildFCmp(gen->builder, LLVMRealOGT, v_part, LLVMConstReal(type, 0.5), "");
    v_floor = l_select(gen, v_up, LLVMBuildFAdd(gen->builder, v_floor, v_one, ""), v_floor);
    return l_select(gen, is_not_zero(gen, v_quotient), v_floor, copysign_zero(gen, v_plain));
}

/* Python's divmod on floats, as NumPy's floor_divide and remainder. Division by zero results in
 * left / right and NaN. No operation here may be contracted. */
static LLVMValueRef
float_divmod(struct ck_gen *gen, bool is_mod, LLVMValueRef v_left, LLVMValueRef v_right)
{
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef v_mod = float_math(gen, CK_MATH_FMOD_F32, v_left, v_right);
    LLVMValueRef v_inexact = is_not_zero(gen, v_mod);
    LLVMValueRef v_differ =
        LLVMBuildXor(builder, is_negative(gen, v_right), is_negative(gen, v_mod), "");
    LLVMValueRef v_adjust = LLVMBuildAnd(builder, v_inexact, v_differ, "");
    LLVMValueRef v_by = is_not_zero(gen, v_right);
    if (is_mod) {
        LLVMValueRef v_moved = LLVMBuildFAdd(builder, v_mod, v_right, "");
        LLVMValueRef v_result = l_select(gen, v_adjust, v_moved, v_mod);
        v_result = l_select(gen, v_inexact, v_result, copysign_zero(gen, v_right));
        return l_select(gen, v_by, v_result, v_mod);
    }
    LLVMValueRef v_whole = LLVMBuildFSub(builder, v_left, v_mod, "");
    LLVMValueRef v_quotient = LLVMBuildFDiv(builder, v_whole, v_right, "");
    LLVMValueRef v_one = LLVMConstReal(LLVMTypeOf(v_left), 1.0);
    LLVMValueRef v_less = LLVMBuildFSub(builder, v_quotient, v_one, "");
    LLVMValueRef v_plain = LLVMBuildFDiv(builder, v_left, v_right, "");
    v_quotient = l_select(gen, v_adjust, v_less, v_quotient);
    return l_select(gen, v_by, floor_quotient(gen, v_quotient, v_plain), v_plain);
}

static LLVMValueRef
float_binary(struct ck_gen *gen, enum ck_binary_op op, LLVMValueRef v_left, LLVMValueRef v_right)
{
    switch (op) {
    case CK_OP_ADD:
        return LLVMBuildFAdd(gen->builder, v_left, v_right, "");
    case CK_OP_SUB:
        return LLVMBuildFSub(gen->builder, v_left, v_right, "");
    case CK_OP_MUL:
        return LLVMBuildFMul(gen->builder, v_left, v_right, "");
    case CK_OP_DIV:
        return LLVMBuildFDiv(gen->builder, v_left, v_right, "");
    case CK_OP_FLOORDIV:
    case CK_OP_MOD:
        return float_divmod(gen, op == CK_OP_MOD, v_left, v_right);
    case CK_OP_POW:
        return float_math(gen, CK_MATH_POW_F32, v_left, v_right);
    default:
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "operator %s on floats", ck_binary_op_text(op));
    }
}

/* Only float32 and float64 are contracted: 16-bit floats are rounded after each operation. */
static LLVMValueRef
rounded_binary(struct ck_gen *gen, enum ck_binary_op op, const struct ck_type *type,
               LLVMValueRef v_left, LLVMValueRef v_right)
{
    LLVMValueRef v_result =
        float_binary(gen, op, ck_gen_widen(gen, type, v_left), ck_gen_widen(gen, type, v_right));
    if (ck_gen_wide_type(type) != type)
        return ck_gen_narrow(gen, type, v_result);
    return op <= CK_OP_DIV ? l_fast(gen, v_result) : v_result;
}

/* --- Any type ----------------------------------------------------------------------------------
 */

LLVMValueRef
ck_gen_binary(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_left = ck_gen_scalar(gen, expr->binary.left);
    LLVMValueRef v_right = ck_gen_scalar(gen, expr->binary.right);
    if (ck_type_is_float(expr->type))
        return rounded_binary(gen, expr->binary.op, expr->type, v_left, v_right);
    LLVMValueRef v_result = int_binary(gen, expr->binary.op, expr->type, v_left, v_right);
    ck_gen_check_binary(gen, expr, v_left, v_right, v_result);
    return v_result;
}

LLVMValueRef
ck_gen_unary(struct ck_gen *gen, enum ck_unary_op op, const struct ck_type *type,
             LLVMValueRef v_operand)
{
    if (op == CK_OP_POS)
        return v_operand;
    if (op == CK_OP_NOT || op == CK_OP_INVERT)
        return LLVMBuildNot(gen->builder, v_operand, "");
    if (!ck_type_is_float(type))
        return LLVMBuildNeg(gen->builder, v_operand, "");
    LLVMValueRef v_wide = ck_gen_widen(gen, type, v_operand);
    return ck_gen_narrow(gen, type, LLVMBuildFNeg(gen->builder, v_wide, ""));
}

static const struct {
    LLVMIntPredicate as_signed, as_unsigned;
    LLVMRealPredicate as_float;
} predicates[] = {
    [CK_CMP_LT] = {LLVMIntSLT, LLVMIntULT, LLVMRealOLT},
    [CK_CMP_LE] = {LLVMIntSLE, LLVMIntULE, LLVMRealOLE},
    [CK_CMP_GT] = {LLVMIntSGT, LLVMIntUGT, LLVMRealOGT},
    [CK_CMP_GE] = {LLVMIntSGE, LLVMIntUGE, LLVMRealOGE},
    [CK_CMP_EQ] = {LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},
    [CK_CMP_NE] = {LLVMIntNE, LLVMIntNE, LLVMRealUNE},
};

LLVMValueRef
ck_gen_compare(struct ck_gen *gen, enum ck_compare_op op, const struct ck_type *type,
               LLVMValueRef v_left, LLVMValueRef v_right)
{
    if (ck_type_is_float(type))
        return LLVMBuildFCmp(gen->builder, predicates[op].as_float, ck_gen_widen(gen, type, v_left),
                             ck_gen_widen(gen, type, v_right), "");
    return l_compare(
        gen, ck_type_is_signed(type) ? predicates[op].as_signed : predicates[op].as_unsigned,
        v_left, v_right);
}
