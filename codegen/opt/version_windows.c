/* Versions of loops over windows that are clamped at the edges of an array, for targets whose
 * threads are scalar: docs/adr/052. Inside an array all such loops have the same trip count:
 *
 *     for k in range(max(i - 4, 0),            if stop - start == 9: 9 iterations, unrolled
 *                    min(i + 5, n)): x[k]      else: the loop as it was
 *
 * The unrolled version has all its loads in flight. What is found here is a guess of the trip count
 * that is most frequent: the version is entered where it is right.
 *
 * Loops must be in LCSSA form, with preheaders: LLVM's loop-simplify and lcssa. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/counted_loop.h"
#include "codegen/opt/loop_version.h"
#include "codegen/opt/passes.h"
#include "codegen/opt/trip_bounds.h"

enum {
    MAX_TRIPS = 16,
    MAX_SIZE = 256 /* instructions of the unrolled version */
};

/* A value that differs from another one by a constant. */
struct offset {
    LLVMValueRef v_base;
    long long by;
};

static LLVMValueRef
without_casts(LLVMValueRef v)
{
    while (LLVMIsACastInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}

static struct offset
offset_of(LLVMValueRef v)
{
    struct offset offset = {without_casts(v), 0};
    while (ck_ir_opcode(offset.v_base) == LLVMAdd &&
           LLVMIsAConstantInt(LLVMGetOperand(offset.v_base, 1))) {
        offset.by += LLVMConstIntGetSExtValue(LLVMGetOperand(offset.v_base, 1));
        offset.v_base = without_casts(LLVMGetOperand(offset.v_base, 0));
    }
    return offset;
}

/* The operand of a clamped bound as an offset of the window's middle: of the i-th operand of a
 * minimum or maximum, or of the first of a saturating difference with a constant. */
static bool
find_middle(struct offset *middle, LLVMValueRef v_bound, unsigned i)
{
    const struct offset outer = offset_of(v_bound);
    if (!ck_ir_is_limit(outer.v_base))
        return false;
    *middle = offset_of(LLVMGetOperand(outer.v_base, i));
    middle->by += outer.by;
    LLVMValueRef v_other = LLVMGetOperand(outer.v_base, 1 - i);
    if (ck_ir_calls_intrinsic(outer.v_base, "llvm.usub.sat")) {
        if (i > 0 || !LLVMIsAConstantInt(v_other))
            return false;
        middle->by -= LLVMConstIntGetSExtValue(v_other);
    }
    return !LLVMIsAConstant(middle->v_base);
}

/* The trip count of a window that no edge clamps; 0: the loop has no window. */
static long long
window_trips(const struct ck_counted_loop *counted)
{
    for (unsigned i = 0; i < 4; i++) {
        struct offset first, bound;
        if (find_middle(&first, counted->v_first, i / 2) &&
            find_middle(&bound, counted->v_bound, i % 2) && first.v_base == bound.v_base &&
            (bound.by - first.by) % counted->step == 0)
            return (bound.by - first.by) / counted->step;
    }
    return 0;
}

/* Whether an iteration follows while the counter, or its next value, is less than the bound. */
static bool
goes_on_below(const struct ck_loop_version *version, const struct ck_counted_loop *counted,
              struct ck_value_order *order)
{
    const bool is_true = LLVMGetSuccessor(version->v_branch, 0) == version->loop.b_header;
    return ck_value_order_of(LLVMGetCondition(version->v_branch), is_true, order) &&
           order->is_strict && order->v_more == counted->v_bound && counted->step > 0;
}

static bool
match(struct ck_loop_version *version, struct ck_counted_loop *counted,
      struct ck_value_order *order, LLVMBasicBlockRef b_latch)
{
    if (!ck_loop_match_counted(counted, b_latch) || !ck_loop_find_version(version, b_latch) ||
        !goes_on_below(version, counted, order))
        return false;
    const long long trips = window_trips(counted);
    return trips > 1 && trips <= MAX_TRIPS && trips * counted->loop.size <= MAX_SIZE;
}

/* The version ends where the counter equals its first value and a constant, so that LLVM knows its
 * trip count. It is entered if that is the bound, and greater than the first value. The condition
 * compares the length: LLVM would replace one end by the other that it is compared with. */
static void
make_version(struct ck_gen *gen, struct ck_loop_version *version,
             const struct ck_counted_loop *counted, const struct ck_value_order *order)
{
    LLVMValueRef v_first = counted->v_first, v_bound = counted->v_bound;
    const long long length = window_trips(counted) * counted->step;
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(version->b_preheader));
    LLVMValueRef v_length = LLVMConstInt(LLVMTypeOf(v_first), (unsigned long long)length, true);
    LLVMValueRef v_end = LLVMBuildAdd(gen->builder, v_first, v_length, "");
    LLVMValueRef v_is_more =
        l_compare(gen, order->is_signed ? LLVMIntSLT : LLVMIntULT, v_first, v_bound);
    LLVMValueRef v_is_whole = LLVMBuildAnd(
        gen->builder,
        l_compare(gen, LLVMIntEQ, LLVMBuildSub(gen->builder, v_bound, v_first, ""), v_length),
        v_is_more, "");
    ck_loop_make_version(gen, version);

    LLVMValueRef v_test = ck_loop_copied(&version->copy, LLVMGetCondition(version->v_branch));
    LLVMValueRef v_counted = ck_loop_copied(&version->copy, order->v_less);
    LLVMPositionBuilderBefore(gen->builder, v_test);
    const bool goes_on = LLVMGetSuccessor(version->v_branch, 0) == version->loop.b_header;
    LLVMReplaceAllUsesWith(v_test,
                           l_compare(gen, goes_on ? LLVMIntNE : LLVMIntEQ, v_counted, v_end));
    LLVMInstructionEraseFromParent(v_test);
    ck_loop_mark(gen, ck_loop_copied(&version->copy, version->v_branch), CK_LOOP_FULL, NULL);
    ck_loop_enter_version(gen, version, v_is_whole);
    ck_loop_mark_final(gen, version->v_branch);
}

bool
ck_gen_has_windows(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            struct ck_counted_loop counted;
            if (ck_loop_match_counted(&counted, b) && window_trips(&counted) > 1)
                return true;
        }
    }
    return false;
}

void
ck_gen_version_windows(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            struct ck_loop_version version = {0};
            struct ck_counted_loop counted;
            struct ck_value_order order;
            if (match(&version, &counted, &order, b))
                make_version(gen, &version, &counted, &order);
        }
    }
}
