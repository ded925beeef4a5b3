/* Marks differences that cannot be negative: `a - b` with b <= a by the form of the two.
 *
 * An index such as `2 * t - (t & mask)` needs no test for a negative one, but LLVM knows ranges of
 * values, not their order. The pass sets `nuw`, from which LLVM concludes the sign: docs/adr/031.
 */
#include "codegen/opt/passes.h"
#include "codegen/opt/run_passes.h"

enum { MAX_DEPTH = 4 };

static const char simplify_marked[] = "instcombine<no-verify-fixpoint>";

static LLVMOpcode
opcode_of(LLVMValueRef v)
{
    return LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : (LLVMOpcode)0;
}

/* Whether a value is at least `v_least`, both unsigned; their types may differ. */
static bool
is_at_least(LLVMValueRef v, LLVMValueRef v_least, int depth)
{
    if (v == v_least)
        return true;
    if (depth == 0)
        return false;
    switch ((int)opcode_of(v)) {
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
    switch ((int)opcode_of(v)) {
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

static bool
mark(LLVMValueRef v)
{
    if (opcode_of(v) != LLVMSub || LLVMGetNUW(v) ||
        !is_at_most(LLVMGetOperand(v, 1), LLVMGetOperand(v, 0), MAX_DEPTH))
        return false;
    LLVMSetNUW(v, true);
    return true;
}

void
ck_gen_mark_differences(struct ck_gen *gen)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        bool marked = false;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
                marked |= mark(v);
        }
        if (marked)
            ck_run_llvm_on(gen, f, simplify_marked);
    }
}
