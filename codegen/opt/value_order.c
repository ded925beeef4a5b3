/* What follows from the order of values: docs/adr/033.
 *
 * LLVM knows ranges of values, and only little of which of two values is greater. This pass
 * concludes that from the form of the values, as of `2 * t - (t & mask)`, and from the conditions
 * of branches on the way to a block. It
 * - marks differences that cannot be negative by `nuw`, from which LLVM concludes the sign, so that
 *   an index needs no test for a negative one,
 * - replaces minima, maxima and saturating differences of which one operand is known to be the
 *   result, as in indices that are limited to the extent of an array,
 * - makes a saturating difference of `x - 1 if x > 0 else 0`.
 * All comparisons here are unsigned. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/conditions.h"
#include "codegen/opt/passes.h"
#include "codegen/opt/run_passes.h"

enum { MAX_DEPTH = 4 }; /* of operations of a value */

static const char simplify_marked[] = "instcombine<no-verify-fixpoint>";

enum intrinsic { OTHER, UMIN, UMAX, USUB_SAT };

static enum intrinsic
intrinsic_of(LLVMValueRef v)
{
    static const char *const names[] = {
        [UMIN] = "llvm.umin", [UMAX] = "llvm.umax", [USUB_SAT] = "llvm.usub.sat"};
    for (unsigned i = UMIN; i <= USUB_SAT; i++) {
        if (ck_ir_calls_intrinsic(v, names[i]))
            return (enum intrinsic)i;
    }
    return OTHER;
}

/* --- By the form of values ---------------------------------------------------------------------
 */

/* Whether a value is at least `v_least`; their types may differ. */
static bool
is_at_least(LLVMValueRef v, LLVMValueRef v_least, int depth)
{
    if (v == v_least)
        return true;
    if (depth == 0)
        return false;
    if (intrinsic_of(v) == UMAX)
        return is_at_least(LLVMGetOperand(v, 0), v_least, depth - 1) ||
               is_at_least(LLVMGetOperand(v, 1), v_least, depth - 1);
    switch ((int)ck_ir_opcode(v)) {
    case LLVMZExt:
        return is_at_least(LLVMGetOperand(v, 0), v_least, depth - 1);
    case LLVMShl:
        return LLVMGetNUW(v) && is_at_least(LLVMGetOperand(v, 0), v_least, depth - 1);
    case LLVMMul: /* by a constant other than 0 */
        return LLVMGetNUW(v) && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
               !LLVMIsNull(LLVMGetOperand(v, 1)) &&
               is_at_least(LLVMGetOperand(v, 0), v_least, depth - 1);
    case LLVMAdd:
        return LLVMGetNUW(v) && (is_at_least(LLVMGetOperand(v, 0), v_least, depth - 1) ||
                                 is_at_least(LLVMGetOperand(v, 1), v_least, depth - 1));
    case LLVMOr:
        return is_at_least(LLVMGetOperand(v, 0), v_least, depth - 1) ||
               is_at_least(LLVMGetOperand(v, 1), v_least, depth - 1);
    default:
        return false;
    }
}

/* Whether a value is at most `v_most`, likewise. */
static bool
is_at_most(LLVMValueRef v, LLVMValueRef v_most, int depth)
{
    if (is_at_least(v_most, v, MAX_DEPTH))
        return true;
    if (depth == 0)
        return false;
    const enum intrinsic intrinsic = intrinsic_of(v);
    if (intrinsic == USUB_SAT)
        return is_at_most(LLVMGetOperand(v, 0), v_most, depth - 1);
    if (intrinsic == UMIN)
        return is_at_most(LLVMGetOperand(v, 0), v_most, depth - 1) ||
               is_at_most(LLVMGetOperand(v, 1), v_most, depth - 1);
    switch ((int)ck_ir_opcode(v)) {
    case LLVMAnd:
        return is_at_most(LLVMGetOperand(v, 0), v_most, depth - 1) ||
               is_at_most(LLVMGetOperand(v, 1), v_most, depth - 1);
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMLShr:
    case LLVMUDiv:
    case LLVMURem:
        return is_at_most(LLVMGetOperand(v, 0), v_most, depth - 1);
    case LLVMSub:
        return LLVMGetNUW(v) && is_at_most(LLVMGetOperand(v, 0), v_most, depth - 1);
    default:
        return false;
    }
}

/* --- By conditions -----------------------------------------------------------------------------
 */

static LLVMValueRef
without_extension(LLVMValueRef v)
{
    return LLVMIsAZExtInst(v) ? LLVMGetOperand(v, 0) : v;
}

/* Whether `v` is `v_bound - 1`, or at least `v_bound`. */
static bool
is_at_least_before(LLVMValueRef v, LLVMValueRef v_bound)
{
    v = without_extension(v);
    if (ck_ir_opcode(v) == LLVMAdd &&
        without_extension(LLVMGetOperand(v, 0)) == without_extension(v_bound) &&
        LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
        LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1)) == -1)
        return true;
    return is_at_least(v, v_bound, MAX_DEPTH);
}

struct order {
    LLVMValueRef v_low, v_high;
};

/* Whether `v_low <= v_high` follows from a comparison that is true, or false. If one value is below
 * another, that one minus 1 does not wrap. */
static bool
follows_from(LLVMValueRef v_test, bool is_true, const void *data)
{
    const struct order *order = data;
    LLVMValueRef v_left = LLVMGetOperand(v_test, 0), v_right = LLVMGetOperand(v_test, 1);
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(v_test);
    const bool is_greater = predicate == LLVMIntUGT || predicate == LLVMIntUGE;
    const bool is_strict = (predicate == LLVMIntULT || predicate == LLVMIntUGT) == is_true;
    if (!is_greater && predicate != LLVMIntULT && predicate != LLVMIntULE)
        return false;
    /* The comparison says that v_less is below v_more, or not above it. */
    LLVMValueRef v_less = is_greater == is_true ? v_right : v_left;
    LLVMValueRef v_more = is_greater == is_true ? v_left : v_right;
    return is_at_most(order->v_low, v_less, MAX_DEPTH) &&
           (is_strict ? is_at_least_before(order->v_high, v_more)
                      : is_at_least(order->v_high, v_more, MAX_DEPTH));
}

static bool
is_ordered(struct ck_gen *gen, struct ck_conditions *conditions, LLVMValueRef v, LLVMValueRef v_low,
           LLVMValueRef v_high)
{
    const struct order order = {v_low, v_high};
    return is_at_most(v_low, v_high, MAX_DEPTH) ||
           (!LLVMIsAConstant(v_low) && !LLVMIsAConstant(v_high) &&
            ck_conditions_hold_in(gen, conditions, LLVMGetInstructionParent(v), follows_from,
                                  &order));
}

/* --- The pass ----------------------------------------------------------------------------------
 */

static bool
mark_difference(struct ck_gen *gen, struct ck_conditions *conditions, LLVMValueRef v)
{
    if (LLVMGetNUW(v) ||
        !is_ordered(gen, conditions, v, LLVMGetOperand(v, 1), LLVMGetOperand(v, 0)))
        return false;
    LLVMSetNUW(v, true);
    return true;
}

/* Replaces a minimum or maximum by the operand that is the result; leaves the call, which has no
 * uses then. */
static bool
select_operand(struct ck_gen *gen, struct ck_conditions *conditions, LLVMValueRef v,
               bool is_minimum)
{
    LLVMValueRef v_left = LLVMGetOperand(v, 0), v_right = LLVMGetOperand(v, 1);
    const bool is_left_less = is_ordered(gen, conditions, v, v_left, v_right);
    if (!is_left_less && !is_ordered(gen, conditions, v, v_right, v_left))
        return false;
    LLVMReplaceAllUsesWith(v, is_left_less == is_minimum ? v_left : v_right);
    return true;
}

static bool
replace_saturating(struct ck_gen *gen, struct ck_conditions *conditions, LLVMValueRef v)
{
    LLVMValueRef v_left = LLVMGetOperand(v, 0), v_right = LLVMGetOperand(v, 1);
    if (!is_ordered(gen, conditions, v, v_right, v_left))
        return false;
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMReplaceAllUsesWith(v, LLVMBuildNUWSub(gen->builder, v_left, v_right, ""));
    return true;
}

/* The x of `x == 0 ? 0 : x - 1`, which may be extended in the difference; NULL: the select is
 * another.
 */
static LLVMValueRef
guarded_predecessor(LLVMValueRef v_select)
{
    LLVMValueRef v_test = LLVMGetOperand(v_select, 0), v_less = LLVMGetOperand(v_select, 2);
    if (!LLVMIsAICmpInst(v_test) || LLVMGetICmpPredicate(v_test) != LLVMIntEQ ||
        !LLVMIsAConstantInt(LLVMGetOperand(v_test, 1)) || !LLVMIsNull(LLVMGetOperand(v_test, 1)) ||
        !LLVMIsNull(LLVMGetOperand(v_select, 1)) || ck_ir_opcode(v_less) != LLVMAdd ||
        !LLVMIsAConstantInt(LLVMGetOperand(v_less, 1)) ||
        LLVMConstIntGetSExtValue(LLVMGetOperand(v_less, 1)) != -1)
        return NULL;
    LLVMValueRef v = LLVMGetOperand(v_test, 0), v_extended = LLVMGetOperand(v_less, 0);
    return v_extended == v || (LLVMIsAZExtInst(v_extended) && LLVMGetOperand(v_extended, 0) == v)
               ? v
               : NULL;
}

/* Makes `x == 0 ? 0 : x - 1` a saturating difference, of which LLVM knows the range. */
static bool
saturate_predecessor(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMValueRef v_x = guarded_predecessor(v);
    if (!v_x)
        return false;
    LLVMTypeRef type = LLVMTypeOf(v_x);
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef args[] = {v_x, LLVMConstInt(type, 1, false)};
    LLVMValueRef v_new = l_intrinsic(gen, "llvm.usub.sat", type, args, 2);
    LLVMReplaceAllUsesWith(
        v, type == LLVMTypeOf(v) ? v_new : LLVMBuildZExt(gen->builder, v_new, LLVMTypeOf(v), ""));
    return true;
}

static bool
visit(struct ck_gen *gen, struct ck_conditions *conditions, LLVMValueRef v)
{
    if (ck_ir_opcode(v) == LLVMSub)
        return mark_difference(gen, conditions, v);
    if (ck_ir_opcode(v) == LLVMSelect)
        return LLVMGetFirstUse(v) && saturate_predecessor(gen, v);
    const enum intrinsic intrinsic = LLVMGetFirstUse(v) ? intrinsic_of(v) : OTHER;
    if (intrinsic == UMIN || intrinsic == UMAX)
        return select_operand(gen, conditions, v, intrinsic == UMIN);
    return intrinsic == USUB_SAT && replace_saturating(gen, conditions, v);
}

void
ck_gen_use_order(struct ck_gen *gen)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        struct ck_arena_mark mark = ck_arena_mark(&gen->arena);
        struct ck_conditions conditions = {.is_built = false};
        bool changed = false;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
                changed |= visit(gen, &conditions, v);
        }
        ck_arena_release(&gen->arena, mark);
        if (changed)
            ck_run_llvm_on(gen, f, simplify_marked);
    }
}
