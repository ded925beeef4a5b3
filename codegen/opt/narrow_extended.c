/* Narrows operations on extended values from 64 to 32 bits: bitwise operations, shifts to the right
 * and comparisons. LLVM does only if the extension has no other use, and a thread's position has.
 *
 * A value is narrow if it is `sext i32`, `zext nneg i32`, or a constant of 32 bits. Bitwise
 * operations of narrow values are narrow, and so are their shifts to the right, and selects. A
 * comparison, a minimum, a maximum or a conversion to a float may also have sums, differences and
 * shifts to the left of narrow values, if their ranges (value_range.h) permit it; a comparison may
 * have sums of values that are not negative, of which one may be a loop's counter below 2^31. The
 * sum of an index and of the extent that is added if it is negative is narrow. Each result is the
 * same for all values.
 *
 * Runs on simplified code. Small launches have such values: docs/adr/028, 036. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/passes.h"
#include "codegen/opt/trip_bounds.h"
#include "codegen/opt/value_range.h"

enum { MAX_DEPTH = 3 }; /* of operations whose low words are computed */

/* The pass on one function. */
struct narrowing {
    struct ck_gen *gen;
    struct ck_conditions conditions;
};

static bool
is_small_constant(LLVMValueRef v, int64_t least, int64_t most)
{
    if (!LLVMIsAConstantInt(v))
        return false;
    const int64_t value = LLVMConstIntGetSExtValue(v);
    return value >= least && value <= most;
}

static bool
is_from_i32(struct ck_gen *gen, LLVMValueRef v)
{
    return LLVMTypeOf(LLVMGetOperand(v, 0)) == gen->t_i32;
}

/* From 0 below 2^31. */
static bool
is_narrow_natural(struct ck_gen *gen, LLVMValueRef v)
{
    return is_small_constant(v, 0, INT32_MAX) ||
           (LLVMIsAZExtInst(v) && is_from_i32(gen, v) && LLVMGetNNeg(v));
}

static bool
is_narrow(struct ck_gen *gen, LLVMValueRef v)
{
    return is_small_constant(v, INT32_MIN, INT32_MAX) || is_narrow_natural(gen, v) ||
           (LLVMIsASExtInst(v) && is_from_i32(gen, v));
}

/* Of a narrow value. */
static LLVMValueRef
narrowed(struct ck_gen *gen, LLVMValueRef v)
{
    if (LLVMIsAConstantInt(v))
        return LLVMConstInt(gen->t_i32, (uint64_t)LLVMConstIntGetSExtValue(v), true);
    return LLVMGetOperand(v, 0);
}

static void
replace(LLVMValueRef v, LLVMValueRef v_by)
{
    LLVMReplaceAllUsesWith(v, v_by);
    LLVMInstructionEraseFromParent(v);
}

/* A bitwise operation, or a shift by a constant: two narrow operands in either case. */
static void
narrow_bits(struct ck_gen *gen, LLVMValueRef v)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
    LLVMValueRef v_left = LLVMGetOperand(v, 0), v_right = LLVMGetOperand(v, 1);
    const bool shifts = opcode == LLVMLShr || opcode == LLVMAShr;
    const bool left_natural = is_narrow_natural(gen, v_left);
    const bool right_natural = is_narrow_natural(gen, v_right);
    if (!is_narrow(gen, v_left) || !is_narrow(gen, v_right) ||
        (shifts && !is_small_constant(v_right, 0, 31)) || (opcode == LLVMLShr && !left_natural))
        return;
    const bool is_natural = opcode == LLVMAnd ? left_natural || right_natural
                            : shifts          ? left_natural
                                              : left_natural && right_natural;
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_bits =
        LLVMBuildBinOp(gen->builder, opcode, narrowed(gen, v_left), narrowed(gen, v_right), "");
    ck_ir_replace_by_extended(gen, v, v_bits, is_natural);
}

static void
narrow_select(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMValueRef v_then = LLVMGetOperand(v, 1), v_else = LLVMGetOperand(v, 2);
    if (!is_narrow(gen, v_then) || !is_narrow(gen, v_else))
        return;
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_low =
        l_select(gen, LLVMGetOperand(v, 0), narrowed(gen, v_then), narrowed(gen, v_else));
    ck_ir_replace_by_extended(gen, v, v_low,
                              is_narrow_natural(gen, v_then) && is_narrow_natural(gen, v_else));
}

/* Whether the low half of a value is computed from those of narrow values. */
static bool
is_reducible(struct ck_gen *gen, LLVMValueRef v, int depth)
{
    if (is_narrow(gen, v) || (LLVMIsAZExtInst(v) && is_from_i32(gen, v)))
        return true;
    return depth > 0 && ck_ir_is_of_low_words(v) &&
           is_reducible(gen, LLVMGetOperand(v, 0), depth - 1) &&
           is_reducible(gen, LLVMGetOperand(v, 1), depth - 1);
}

/* The low half of a reducible value, where the builder is. */
static LLVMValueRef
reduced(struct ck_gen *gen, LLVMValueRef v)
{
    if (!LLVMIsABinaryOperator(v))
        return narrowed(gen, v);
    LLVMValueRef v_left = reduced(gen, LLVMGetOperand(v, 0));
    LLVMValueRef v_right = reduced(gen, LLVMGetOperand(v, 1));
    return LLVMBuildBinOp(gen->builder, LLVMGetInstructionOpcode(v), v_left, v_right, "");
}

/* How 64-bit values are compared by their low words. */
enum order { ORDER_NONE, ORDER_SIGNED, ORDER_UNSIGNED };

/* The comparison of the low words of two values that has the result of the 64-bit one. Values of
 * which the negative ones are greater, as unsigned ones, than the others, keep that order. */
static enum order
order_of_low_words(struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_right, bool is_signed)
{
    const struct ck_value_range left = ck_value_range_of(gen, v_left);
    const struct ck_value_range right = ck_value_range_of(gen, v_right);
    const int64_t least = left.least < right.least ? left.least : right.least;
    const int64_t most = left.most > right.most ? left.most : right.most;
    if (is_signed && least >= INT32_MIN && most <= INT32_MAX)
        return ORDER_SIGNED;
    const int64_t natural = left.least >= 0 ? left.most : right.most;
    const bool has_natural = left.least >= 0 || right.least >= 0;
    if (!is_signed && has_natural && most <= UINT32_MAX && least >= natural - UINT32_MAX)
        return ORDER_UNSIGNED;
    if (least >= (is_signed ? 0 : INT32_MIN) && most <= UINT32_MAX + (least < 0 ? least : 0))
        return ORDER_UNSIGNED;
    return ORDER_NONE;
}

/* --- Comparisons -------------------------------------------------------------------------------
 */

/* What a value is at most, if it is a natural number, or the counter of a loop that does not begin
 * below 0; negative: not known. */
static int64_t
most_natural(struct narrowing *narrowing, LLVMValueRef v)
{
    struct ck_gen *gen = narrowing->gen;
    if (is_narrow_natural(gen, v))
        return LLVMIsAConstantInt(v) ? LLVMConstIntGetSExtValue(v) : INT32_MAX;
    return LLVMIsAPHINode(v) ? ck_most_of_counter(gen, &narrowing->conditions, v) : -1;
}

/* The low half of such a value, or of a sum of two, where the builder is. */
static LLVMValueRef
low_half(struct ck_gen *gen, LLVMValueRef v)
{
    if (is_narrow_natural(gen, v))
        return narrowed(gen, v);
    if (LLVMIsAPHINode(v))
        return LLVMBuildTrunc(gen->builder, v, gen->t_i32, "");
    LLVMValueRef v_left = low_half(gen, LLVMGetOperand(v, 0));
    LLVMValueRef v_right = low_half(gen, LLVMGetOperand(v, 1));
    return LLVMBuildNUWAdd(gen->builder, v_left, v_right, "");
}

/* Whether a value is a sum from 0 below 2^32 of which no term is a constant. A comparison of a
 * counter with a bound is left as it is: the assembler looks for it. */
static bool
is_sum_of_naturals(struct narrowing *narrowing, LLVMValueRef v)
{
    if (ck_ir_opcode(v) != LLVMAdd || LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return false;
    const int64_t left = most_natural(narrowing, LLVMGetOperand(v, 0));
    const int64_t right = most_natural(narrowing, LLVMGetOperand(v, 1));
    return left >= 0 && right >= 0 && left <= UINT32_MAX - right;
}

/* Whether a value, or a sum of two of which one may be a counter, is from 0 below 2^32. */
static bool
is_natural(struct narrowing *narrowing, LLVMValueRef v)
{
    return is_narrow_natural(narrowing->gen, v) || is_sum_of_naturals(narrowing, v);
}

/* Whether a comparison is the condition of a branch to the block of a phi. */
static bool
leads_to_phi(LLVMValueRef v, LLVMValueRef v_phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(v_phi); i++) {
        LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(v_phi, i));
        if (LLVMIsABranchInst(v_branch) && LLVMIsConditional(v_branch) &&
            LLVMGetCondition(v_branch) == v)
            return true;
    }
    return false;
}

/* Whether a comparison asks whether a loop's counter is a natural number, and does not end the
 * loop: `i != j` of two elements that a loop combines. */
static bool
is_equality_of_counter(struct narrowing *narrowing, LLVMValueRef v)
{
    LLVMValueRef v_phi = LLVMGetOperand(v, 0);
    if (LLVMGetICmpPredicate(v) > LLVMIntNE || !LLVMIsAPHINode(v_phi) || leads_to_phi(v, v_phi) ||
        !is_narrow_natural(narrowing->gen, LLVMGetOperand(v, 1)))
        return false;
    const int64_t most = most_natural(narrowing, v_phi);
    return most >= 0 && most <= UINT32_MAX;
}

/* Replaces a comparison of values from 0 below 2^32. */
static void
compare_naturals(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(v);
    if (predicate >= LLVMIntSGT)
        predicate = (LLVMIntPredicate)(predicate - LLVMIntSGT + LLVMIntUGT);
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_left = low_half(gen, LLVMGetOperand(v, 0));
    LLVMValueRef v_right = low_half(gen, LLVMGetOperand(v, 1));
    replace(v, LLVMBuildICmp(gen->builder, predicate, v_left, v_right, ""));
}

static void
narrow_comparison(struct narrowing *narrowing, LLVMValueRef v)
{
    struct ck_gen *gen = narrowing->gen;
    LLVMValueRef v_left = LLVMGetOperand(v, 0), v_right = LLVMGetOperand(v, 1);
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(v);
    const bool is_signed = predicate >= LLVMIntSGT;
    if (LLVMTypeOf(v_left) != gen->t_i64)
        return;
    const enum order order =
        is_reducible(gen, v_left, MAX_DEPTH) && is_reducible(gen, v_right, MAX_DEPTH)
            ? order_of_low_words(gen, v_left, v_right, is_signed)
            : ORDER_NONE;
    if (order == ORDER_NONE) {
        if ((is_natural(narrowing, v_left) && is_natural(narrowing, v_right)) ||
            is_equality_of_counter(narrowing, v))
            compare_naturals(gen, v);
        return;
    }
    if (is_signed && order == ORDER_UNSIGNED)
        predicate = (LLVMIntPredicate)(predicate - LLVMIntSGT + LLVMIntUGT);
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_low = reduced(gen, v_left);
    replace(v, LLVMBuildICmp(gen->builder, predicate, v_low, reduced(gen, v_right), ""));
}

/* --- Minima, maxima and conversions ------------------------------------------------------------
 */

/* Minima and maxima, by the name of LLVM's intrinsic. */
static const struct limit {
    const char *name, *unsigned_name; /* of operands that are not negative */
} limits[] = {{"llvm.smin", "llvm.umin"},
              {"llvm.smax", "llvm.umax"},
              {"llvm.umin", "llvm.umin"},
              {"llvm.umax", "llvm.umax"},
              {"llvm.usub.sat", "llvm.usub.sat"}};

static const struct limit *
limit_of(LLVMValueRef v)
{
    for (size_t i = 0; ck_ir_is_limit(v) && i < sizeof limits / sizeof *limits; i++) {
        if (ck_ir_calls_intrinsic(v, limits[i].name))
            return &limits[i];
    }
    return NULL;
}

/* Replaces a value of a known range by the extended low half, where the builder is. */
static void
replace_by_half(struct ck_gen *gen, LLVMValueRef v, struct ck_value_range range, LLVMValueRef v_low)
{
    if (range.least < 0 || range.most <= INT32_MAX)
        ck_ir_replace_by_extended(gen, v, v_low, range.least >= 0);
    else
        replace(v, LLVMBuildZExt(gen->builder, v_low, gen->t_i64, ""));
}

static void
narrow_limit(struct ck_gen *gen, LLVMValueRef v)
{
    const struct limit *limit = limit_of(v);
    if (!limit || LLVMTypeOf(v) != gen->t_i64)
        return;
    LLVMValueRef v_left = LLVMGetOperand(v, 0), v_right = LLVMGetOperand(v, 1);
    const struct ck_value_range range = ck_value_range_of(gen, v);
    const bool fits = ck_value_range_is_within(range, 0, UINT32_MAX) ||
                      ck_value_range_is_within(range, INT32_MIN, INT32_MAX);
    if (!fits || !is_reducible(gen, v_left, MAX_DEPTH) || !is_reducible(gen, v_right, MAX_DEPTH))
        return;
    const enum order order =
        order_of_low_words(gen, v_left, v_right, limit->name != limit->unsigned_name);
    if (order == ORDER_NONE)
        return;
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_low = reduced(gen, v_left);
    LLVMValueRef operands[] = {v_low, reduced(gen, v_right)};
    const char *name = order == ORDER_UNSIGNED ? limit->unsigned_name : limit->name;
    replace_by_half(gen, v, range, l_intrinsic(gen, name, gen->t_i32, operands, 2));
}

/* A conversion to a float. */
static void
narrow_conversion(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMValueRef v_from = LLVMGetOperand(v, 0);
    if (LLVMTypeOf(v_from) != gen->t_i64 || LLVMIsAConstant(v_from) ||
        !is_reducible(gen, v_from, MAX_DEPTH))
        return;
    const struct ck_value_range range = ck_value_range_of(gen, v_from);
    const bool is_natural = ck_value_range_is_within(range, 0, UINT32_MAX);
    const bool has_sign = ck_value_range_is_within(range, INT32_MIN, INT32_MAX);
    if (!has_sign && !is_natural)
        return;
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_low = reduced(gen, v_from);
    replace(v, LLVMBuildCast(gen->builder, has_sign ? LLVMSIToFP : LLVMUIToFP, v_low, LLVMTypeOf(v),
                             ""));
}

/* --- Wraps -------------------------------------------------------------------------------------
 */

/* Whether a value is `i < 0 ? n : 0`, extended and not negative: what is added to the index i. */
static bool
is_wrap_of(struct ck_gen *gen, LLVMValueRef v, LLVMValueRef v_index)
{
    if (!is_narrow_natural(gen, v) || !LLVMIsAZExtInst(v))
        return false;
    LLVMValueRef v_select = LLVMGetOperand(v, 0);
    if (!LLVMIsASelectInst(v_select) || !LLVMIsAConstantInt(LLVMGetOperand(v_select, 2)) ||
        !LLVMIsNull(LLVMGetOperand(v_select, 2)))
        return false;
    LLVMValueRef v_test = LLVMGetOperand(v_select, 0);
    return LLVMIsAICmpInst(v_test) && LLVMGetICmpPredicate(v_test) == LLVMIntSLT &&
           LLVMGetOperand(v_test, 0) == v_index && LLVMIsAConstantInt(LLVMGetOperand(v_test, 1)) &&
           LLVMIsNull(LLVMGetOperand(v_test, 1));
}

/* A sum of an index and its wrap fits in 32 bits: a negative index and an extent have different
 * signs. */
static void
narrow_wrapped(struct ck_gen *gen, LLVMValueRef v)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v_index = LLVMGetOperand(v, i), v_wrap = LLVMGetOperand(v, 1 - i);
        if (!LLVMIsASExtInst(v_index) || !is_from_i32(gen, v_index) ||
            !is_wrap_of(gen, v_wrap, LLVMGetOperand(v_index, 0)))
            continue;
        LLVMPositionBuilderBefore(gen->builder, v);
        LLVMValueRef v_sum = LLVMBuildNSWAdd(gen->builder, LLVMGetOperand(v_index, 0),
                                             LLVMGetOperand(v_wrap, 0), "");
        replace(v, LLVMBuildSExt(gen->builder, v_sum, gen->t_i64, ""));
        return;
    }
}

static void
visit(struct narrowing *narrowing, LLVMValueRef v)
{
    struct ck_gen *gen = narrowing->gen;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
        if (LLVMTypeOf(v) == gen->t_i64)
            narrow_wrapped(gen, v);
        break;
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMLShr:
    case LLVMAShr:
        if (LLVMTypeOf(v) == gen->t_i64)
            narrow_bits(gen, v);
        break;
    case LLVMSelect:
        if (LLVMTypeOf(v) == gen->t_i64)
            narrow_select(gen, v);
        break;
    case LLVMCall:
        narrow_limit(gen, v);
        break;
    case LLVMICmp:
        narrow_comparison(narrowing, v);
        break;
    case LLVMSIToFP:
    case LLVMUIToFP:
        narrow_conversion(gen, v);
        break;
    default:
        break;
    }
}

void
ck_gen_narrow_extended(struct ck_gen *gen)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        struct narrowing narrowing = {.gen = gen};
        if (!ck_gen_is_small_function(gen, f))
            continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef v = LLVMGetFirstInstruction(b), v_next; v; v = v_next) {
                v_next = LLVMGetNextInstruction(v);
                visit(&narrowing, v);
            }
        }
    }
}
