/* The check of integer operations and of conversions to integers: what does not fit its type is
 * reported, and the program goes on with the result that the language defines.
 *
 * Operations of unsigned types are not checked: hashes and random generators wrap on purpose. */
#include <ck/run.h>

#include "codegen/lower/lower.h"

static LLVMValueRef
as_i64(struct ck_gen *gen, bool is_signed, LLVMValueRef v_value)
{
    return LLVMBuildIntCast2(gen->builder, v_value, gen->t_i64, is_signed, "");
}

/* Reports if v_wraps; the operands and the result are i64. */
static void
report_if(struct ck_gen *gen, LLVMValueRef v_wraps, uint32_t site, enum ck_overflow_op op,
          const struct ck_type *type, LLVMValueRef v_left, LLVMValueRef v_right,
          LLVMValueRef v_result)
{
    LLVMBasicBlockRef b_wraps = l_block(gen, "wraps"), b_done = l_block(gen, "checked");
    LLVMBuildCondBr(gen->builder, v_wraps, b_wraps, b_done);
    l_at(gen, b_wraps);
    gen->target->check->overflow(gen, site, op, type, v_left, v_right, v_result);
    l_branch(gen, b_done);
    l_at(gen, b_done);
}

static LLVMValueRef
least(LLVMTypeRef type)
{
    return LLVMConstInt(type, (uint64_t)1 << (LLVMGetIntTypeWidth(type) - 1), false);
}

/* Whether LLVM's operation with a flag of overflow sets the flag. */
static LLVMValueRef
overflows(struct ck_gen *gen, const char *name, LLVMValueRef v_left, LLVMValueRef v_right)
{
    LLVMValueRef args[] = {v_left, v_right};
    LLVMValueRef v_pair = l_intrinsic(gen, name, LLVMTypeOf(v_left), args, 2);
    return LLVMBuildExtractValue(gen->builder, v_pair, 1, "overflows");
}

/* A shift that loses bits or changes the sign: shifting back does not restore the operand. */
static LLVMValueRef
shift_overflows(struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_count,
                LLVMValueRef v_result)
{
    LLVMTypeRef type = LLVMTypeOf(v_left);
    LLVMValueRef v_most = LLVMConstInt(type, LLVMGetIntTypeWidth(type) - 1, false);
    LLVMValueRef v_fits = l_compare(gen, LLVMIntULE, v_count, v_most);
    LLVMValueRef v_back =
        LLVMBuildAShr(gen->builder, v_result, l_select(gen, v_fits, v_count, v_most), "");
    return l_compare(gen, LLVMIntNE, v_back, v_left);
}

static LLVMValueRef
wraps(struct ck_gen *gen, enum ck_overflow_op op, LLVMValueRef v_left, LLVMValueRef v_right,
      LLVMValueRef v_result)
{
    LLVMTypeRef type = LLVMTypeOf(v_left);
    switch (op) {
    case CK_OVERFLOW_ADD:
        return overflows(gen, "llvm.sadd.with.overflow", v_left, v_right);
    case CK_OVERFLOW_SUB:
        return overflows(gen, "llvm.ssub.with.overflow", v_left, v_right);
    case CK_OVERFLOW_MUL:
        return overflows(gen, "llvm.smul.with.overflow", v_left, v_right);
    case CK_OVERFLOW_FLOORDIV:
        return LLVMBuildAnd(gen->builder, l_compare(gen, LLVMIntEQ, v_left, least(type)),
                            l_compare(gen, LLVMIntEQ, v_right, LLVMConstAllOnes(type)), "");
    case CK_OVERFLOW_SHL:
        return shift_overflows(gen, v_left, v_right, v_result);
    default: /* POW */
        return LLVMConstInt(gen->t_i1, 1, false);
    }
}

/* CK_OVERFLOW_OPS: the operation's result always fits. */
static enum ck_overflow_op
binary_op(enum ck_binary_op op)
{
    switch (op) {
    case CK_OP_ADD:
        return CK_OVERFLOW_ADD;
    case CK_OP_SUB:
        return CK_OVERFLOW_SUB;
    case CK_OP_MUL:
        return CK_OVERFLOW_MUL;
    case CK_OP_FLOORDIV:
        return CK_OVERFLOW_FLOORDIV;
    case CK_OP_SHL:
        return CK_OVERFLOW_SHL;
    case CK_OP_POW:
        return CK_OVERFLOW_POW;
    default:
        return CK_OVERFLOW_OPS;
    }
}

void
ck_gen_check_binary(struct ck_gen *gen, const struct ck_texpr *expr, LLVMValueRef v_left,
                    LLVMValueRef v_right, LLVMValueRef v_result)
{
    const enum ck_overflow_op op = binary_op(expr->binary.op);
    if (!ck_gen_checks(gen, CK_CHECK_OVERFLOW) || !expr->must_fit ||
        !ck_type_is_signed(expr->type) || op == CK_OVERFLOW_OPS)
        return;
    report_if(gen, wraps(gen, op, v_left, v_right, v_result),
              ck_gen_operation_site(gen, expr->span, expr->binary.left), op, expr->type,
              as_i64(gen, true, v_left), as_i64(gen, true, v_right), as_i64(gen, true, v_result));
}

void
ck_gen_check_negated(struct ck_gen *gen, const struct ck_texpr *expr,
                     const struct ck_texpr *operand, LLVMValueRef v_operand, LLVMValueRef v_result)
{
    const bool is_negation = expr->kind == CK_T_UNARY;
    if (!ck_gen_checks(gen, CK_CHECK_OVERFLOW) || !ck_type_is_signed(expr->type) ||
        (is_negation && !expr->must_fit))
        return;
    report_if(gen, l_compare(gen, LLVMIntEQ, v_operand, least(LLVMTypeOf(v_operand))),
              ck_gen_operation_site(gen, expr->span, operand),
              (is_negation ? CK_OVERFLOW_NEG : CK_OVERFLOW_ABS), expr->type,
              as_i64(gen, true, v_operand), l_i64(gen, 0), as_i64(gen, true, v_result));
}

void
ck_gen_check_atomic_sum(struct ck_gen *gen, const struct ck_texpr *expr, LLVMValueRef v_old,
                        LLVMValueRef v_value)
{
    const bool is_sum = expr->builtin.id == CK_BUILTIN_ATOMIC_ADD;
    const bool is_date = ck_type_is_date(expr->type);
    const struct ck_type *type = is_date ? ck_type_scalar(CK_TYPE_INT64) : expr->type;
    if ((!is_sum && expr->builtin.id != CK_BUILTIN_ATOMIC_SUB) ||
        !ck_gen_checks(gen, CK_CHECK_OVERFLOW) || !ck_type_is_signed(type))
        return;
    const enum ck_overflow_op op = is_sum ? CK_OVERFLOW_ADD : CK_OVERFLOW_SUB;
    LLVMValueRef v_new = is_sum ? LLVMBuildAdd(gen->builder, v_old, v_value, "")
                                : LLVMBuildSub(gen->builder, v_old, v_value, "");
    LLVMValueRef v_wraps = wraps(gen, op, v_old, v_value, v_new);
    LLVMValueRef v_operands[] = {v_old, v_value};
    for (int i = 0; is_date && i < 2; i++) /* a sum of NaT is NaT */
        v_wraps = LLVMBuildAnd(
            gen->builder, v_wraps,
            l_compare(gen, LLVMIntNE, v_operands[i], least(LLVMTypeOf(v_operands[i]))), "");
    report_if(gen, v_wraps, ck_gen_operation_site(gen, expr->span, NULL), op, type,
              as_i64(gen, true, v_old), as_i64(gen, true, v_value), as_i64(gen, true, v_new));
}

/* --- Conversions -------------------------------------------------------------------------------
 */

/* Whether an integer is outside the other type; NULL: it never is. */
static LLVMValueRef
int_is_outside(struct ck_gen *gen, const struct ck_type *from, const struct ck_type *to,
               LLVMValueRef v_value)
{
    const bool from_signed = ck_type_is_signed(from), to_signed = ck_type_is_signed(to);
    const int from_bits = ck_type_bits(from) - from_signed, to_bits = ck_type_bits(to) - to_signed;
    LLVMTypeRef type = LLVMTypeOf(v_value);
    LLVMValueRef v_below = NULL, v_above = NULL;
    if (from_signed && (!to_signed || to_bits < from_bits)) {
        const int64_t low = to_signed ? -(INT64_C(1) << to_bits) : 0;
        v_below = l_compare(gen, LLVMIntSLT, v_value, LLVMConstInt(type, (uint64_t)low, true));
    }
    if (to_bits < from_bits) {
        const uint64_t high = (UINT64_C(1) << to_bits) - 1;
        v_above = l_compare(gen, from_signed ? LLVMIntSGT : LLVMIntUGT, v_value,
                            LLVMConstInt(type, high, false));
    }
    return v_below && v_above ? LLVMBuildOr(gen->builder, v_below, v_above, "")
           : v_below          ? v_below
                              : v_above;
}

/* Whether a float64, without its fraction, is outside the type, or no number. */
static LLVMValueRef
float_is_outside(struct ck_gen *gen, const struct ck_type *to, LLVMValueRef v_value)
{
    const bool to_signed = ck_type_is_signed(to);
    const double end = 2.0 * (double)(UINT64_C(1) << (ck_type_bits(to) - to_signed - 1));
    LLVMValueRef v_whole = l_intrinsic(gen, "llvm.trunc", LLVMTypeOf(v_value), &v_value, 1);
    LLVMTypeRef type = LLVMTypeOf(v_value);
    LLVMValueRef v_below = LLVMBuildFCmp(gen->builder, LLVMRealULT, v_whole,
                                         LLVMConstReal(type, to_signed ? -end : 0.0), "");
    LLVMValueRef v_above =
        LLVMBuildFCmp(gen->builder, LLVMRealUGE, v_whole, LLVMConstReal(type, end), "");
    return LLVMBuildOr(gen->builder, v_below, v_above, "");
}

static void
check_float(struct ck_gen *gen, const struct ck_texpr *expr, const struct ck_texpr *operand,
            LLVMValueRef v_float, LLVMValueRef v_result)
{
    LLVMTypeRef f64 = LLVMDoubleTypeInContext(gen->llvm);
    LLVMValueRef v_wide = LLVMBuildFPCast(gen->builder, v_float, f64, "");
    report_if(gen, float_is_outside(gen, expr->type, v_wide),
              ck_gen_operation_site(gen, operand->span, operand), CK_OVERFLOW_FROM_FLOAT,
              expr->type, LLVMBuildBitCast(gen->builder, v_wide, gen->t_i64, ""), l_i64(gen, 0),
              as_i64(gen, ck_type_is_signed(expr->type), v_result));
}

void
ck_gen_check_cast(struct ck_gen *gen, const struct ck_texpr *expr, const struct ck_texpr *operand,
                  LLVMValueRef v_operand, LLVMValueRef v_result)
{
    const struct ck_type *from = operand->type, *to = expr->type;
    if (!ck_gen_checks(gen, CK_CHECK_OVERFLOW) || !ck_type_is_int(to) || to->kind == CK_TYPE_BOOL)
        return;
    if (ck_type_is_float(from)) {
        check_float(gen, expr, operand, v_operand, v_result);
        return;
    }
    if (!expr->must_fit || from->kind == CK_TYPE_BOOL)
        return;
    LLVMValueRef v_outside = int_is_outside(gen, from, to, v_operand);
    if (!v_outside)
        return;
    const bool from_signed = ck_type_is_signed(from), to_signed = ck_type_is_signed(to);
    report_if(gen, v_outside, ck_gen_operation_site(gen, operand->span, operand),
              (from_signed ? CK_OVERFLOW_FROM_INT : CK_OVERFLOW_FROM_UINT), to,
              as_i64(gen, from_signed, v_operand), l_i64(gen, 0), as_i64(gen, to_signed, v_result));
}
