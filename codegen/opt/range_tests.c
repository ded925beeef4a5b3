/* Tests whether a value is in a range from 0: `0 <= x and x < n`, where n is not negative, is one
 * comparison of unsigned values. LLVM knows that too, but not of a condition of which the second
 * part is evaluated only if the first one is true: its operands might be undefined otherwise. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/passes.h"
#include "codegen/opt/value_range.h"

/* A condition of two parts: both are to be true, or at least one. */
struct pair {
    LLVMValueRef v_first, v_second;
    bool is_and;
};

/* `select a, b, false` and `select a, true, b` evaluate b only if a does not determine the result.
 */
static bool
match_pair(LLVMValueRef v, struct pair *pair)
{
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(v)) != 1)
        return false;
    pair->v_first = LLVMIsAInstruction(v) ? LLVMGetOperand(v, 0) : NULL;
    pair->is_and = ck_ir_opcode(v) == LLVMAnd;
    if (pair->is_and || ck_ir_opcode(v) == LLVMOr) {
        pair->v_second = LLVMGetOperand(v, 1);
        return true;
    }
    if (!LLVMIsASelectInst(v))
        return false;
    LLVMValueRef v_then = LLVMGetOperand(v, 1), v_else = LLVMGetOperand(v, 2);
    pair->is_and = LLVMIsAConstantInt(v_else) && LLVMIsNull(v_else);
    pair->v_second = pair->is_and ? v_then : v_else;
    return pair->is_and || (LLVMIsAConstantInt(v_then) && !LLVMIsNull(v_then));
}

/* The value that a comparison tests for being at least 0, or, if `is_and` is false, below. */
static LLVMValueRef
value_from_zero(LLVMValueRef v_test, bool is_and)
{
    if (!LLVMIsAICmpInst(v_test) || !LLVMIsAConstantInt(LLVMGetOperand(v_test, 1)))
        return NULL;
    const int64_t bound = LLVMConstIntGetSExtValue(LLVMGetOperand(v_test, 1));
    const LLVMIntPredicate predicate = LLVMGetICmpPredicate(v_test);
    const bool matches =
        is_and ? predicate == LLVMIntSGT && bound == -1 : predicate == LLVMIntSLT && bound == 0;
    return matches ? LLVMGetOperand(v_test, 0) : NULL;
}

/* The bound below which a comparison tests a value to be, or, if `is_and` is false, not to be. */
static LLVMValueRef
bound_of(LLVMValueRef v_test, LLVMValueRef v, bool is_and)
{
    if (!LLVMIsAICmpInst(v_test))
        return NULL;
    const LLVMIntPredicate predicate = LLVMGetICmpPredicate(v_test);
    const LLVMIntPredicate left = is_and ? LLVMIntSLT : LLVMIntSGE;
    const LLVMIntPredicate right = is_and ? LLVMIntSGT : LLVMIntSLE;
    if (predicate == left && LLVMGetOperand(v_test, 0) == v)
        return LLVMGetOperand(v_test, 1);
    return predicate == right && LLVMGetOperand(v_test, 1) == v ? LLVMGetOperand(v_test, 0) : NULL;
}

/* The comparison that tests both parts, before `v`; NULL: they test no range. */
static LLVMValueRef
merged(struct ck_gen *gen, LLVMValueRef v, LLVMValueRef v_first, LLVMValueRef v_second, bool is_and)
{
    LLVMValueRef v_value = value_from_zero(v_first, is_and), v_test = v_second;
    if (!v_value) {
        v_value = value_from_zero(v_second, is_and);
        v_test = v_first;
    }
    LLVMValueRef v_bound = v_value ? bound_of(v_test, v_value, is_and) : NULL;
    if (!v_bound || ck_value_range_of(gen, v_bound).least < 0)
        return NULL;
    LLVMPositionBuilderBefore(gen->builder, v);
    return LLVMBuildICmp(gen->builder, is_and ? LLVMIntULT : LLVMIntUGE, v_value, v_bound, "");
}

static void
erase_unused(LLVMValueRef v)
{
    if (LLVMIsAInstruction(v) && !LLVMGetFirstUse(v))
        LLVMInstructionEraseFromParent(v);
}

static void
visit(struct ck_gen *gen, LLVMValueRef v)
{
    struct pair pair, first;
    if (!match_pair(v, &pair))
        return;
    LLVMValueRef v_merged = merged(gen, v, pair.v_first, pair.v_second, pair.is_and);
    if (v_merged) {
        LLVMReplaceAllUsesWith(v, v_merged);
        LLVMInstructionEraseFromParent(v);
        erase_unused(pair.v_first);
        erase_unused(pair.v_second);
    } else if (match_pair(pair.v_first, &first) && first.is_and == pair.is_and &&
               (v_merged = merged(gen, v, first.v_second, pair.v_second, pair.is_and))) {
        LLVMSetOperand(v, 0, first.v_first);
        LLVMSetOperand(v, LLVMIsASelectInst(v) && !pair.is_and ? 2 : 1, v_merged);
        erase_unused(pair.v_second);
        erase_unused(pair.v_first);
        erase_unused(first.v_second);
    }
}

void
ck_gen_merge_range_tests(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, visit);
}
