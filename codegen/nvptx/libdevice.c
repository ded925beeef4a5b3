/* The functions of CUDA's libdevice as nvcc has them. They are written for its optimiser, which
 * contracts operators whose product nothing else uses, turns no arithmetic of a condition into a
 * choice between results, and moves little; LLVM's does otherwise. */
#include <string.h>

#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"

/* --- Contraction -------------------------------------------------------------------------------
 */

static bool
has_one_use(LLVMValueRef v_value)
{
    LLVMUseRef use = LLVMGetFirstUse(v_value);
    return use && !LLVMGetNextUse(use);
}

/* Steps that rely on each rounding are calls, of which operators without the flag become, or use a
 * product twice. */
static void
contract(LLVMValueRef v)
{
    if (LLVMIsABinaryOperator(v) && LLVMCanValueUseFastMathFlags(v) &&
        (LLVMGetInstructionOpcode(v) != LLVMFMul || has_one_use(v)))
        LLVMSetFastMathFlags(v, LLVMGetFastMathFlags(v) | LLVMFastMathAllowContract);
}

/* --- Blocks ------------------------------------------------------------------------------------
 */

/* NULL: several, or none. */
static LLVMBasicBlockRef
only_predecessor(LLVMBasicBlockRef block)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    if (!use || LLVMGetNextUse(use) || !LLVMIsATerminatorInst(LLVMGetUser(use)))
        return NULL;
    return LLVMGetInstructionParent(LLVMGetUser(use));
}

static bool
is_arithmetic(LLVMValueRef v, LLVMTypeKind kind)
{
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != kind || !LLVMGetFirstUse(v))
        return false;
    size_t length;
    return LLVMIsABinaryOperator(v) ||
           (LLVMIsACallInst(v) &&
            !strstr(LLVMGetValueName2(LLVMGetCalledValue(v), &length), "fabs"));
}

/* The last of floats of a kind in a block and those that only it leads to, or NULL. */
static LLVMValueRef
last_arithmetic(LLVMBasicBlockRef block, LLVMTypeKind kind)
{
    LLVMValueRef v_last = NULL;
    for (LLVMBasicBlockRef b = block; b;) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
            v_last = is_arithmetic(v, kind) ? v : v_last;
        LLVMValueRef v_end = LLVMGetBasicBlockTerminator(b);
        b = LLVMGetNumSuccessors(v_end) == 1 ? LLVMGetSuccessor(v_end, 0) : NULL;
        if (b && (b == block || !only_predecessor(b)))
            b = NULL;
    }
    return v_last;
}

/* --- What is rare ---------------------------------------------------------------------------
 */

/* The successor where floats are equal, or one is NaN; NULL: neither. */
static LLVMBasicBlockRef
exceptional_successor(LLVMValueRef v_branch, LLVMValueRef v_test)
{
    switch (LLVMGetFCmpPredicate(v_test)) {
    case LLVMRealOEQ:
    case LLVMRealUEQ:
    case LLVMRealUNO:
        return LLVMGetSuccessor(v_branch, 0);
    case LLVMRealONE:
    case LLVMRealUNE:
    case LLVMRealORD:
        return LLVMGetSuccessor(v_branch, 1);
    default:
        return NULL;
    }
}

/* That where bits are those of infinities, NaN or negative floats. */
static LLVMBasicBlockRef
extreme_successor(LLVMValueRef v_branch, LLVMValueRef v_test)
{
    enum { LEAST = 0x7f700000 }; /* of float32, and of the upper half of float64 */
    LLVMValueRef v_bound = LLVMGetOperand(v_test, 1);
    if (!LLVMIsAConstantInt(v_bound) || LLVMConstIntGetZExtValue(v_bound) < LEAST)
        return NULL;
    switch (LLVMGetICmpPredicate(v_test)) {
    case LLVMIntUGT:
    case LLVMIntUGE:
        return LLVMGetSuccessor(v_branch, 0);
    case LLVMIntULT:
    case LLVMIntULE:
        return LLVMGetSuccessor(v_branch, 1);
    default:
        return NULL;
    }
}

/* What is tried after such a test is rare too. */
static bool
tests_bits(LLVMValueRef v_function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(b);
        if (LLVMIsABranchInst(v_branch) && LLVMIsConditional(v_branch) &&
            LLVMIsAICmpInst(LLVMGetCondition(v_branch)) &&
            extreme_successor(v_branch, LLVMGetCondition(v_branch)))
            return true;
    }
    return false;
}

/* So that it is not made a choice between results. */
static void
make_rare(struct ck_gen *gen, LLVMValueRef v_branch, LLVMBasicBlockRef b_rare)
{
    static const char name[] = "branch_weights";
    bool is_then = LLVMGetSuccessor(v_branch, 0) == b_rare;
    LLVMMetadataRef words[] = {LLVMMDStringInContext2(gen->llvm, name, sizeof name - 1),
                               LLVMValueAsMetadata(l_i32(gen, is_then ? 1 : 2000)),
                               LLVMValueAsMetadata(l_i32(gen, is_then ? 2000 : 1))};
    LLVMMetadataRef weights = LLVMMDNodeInContext2(gen->llvm, words, 3);
    unsigned kind = LLVMGetMDKindIDInContext(gen->llvm, "prof", 4);
    LLVMSetMetadata(v_branch, kind, LLVMMetadataAsValue(gen->llvm, weights));
}

/* Puts arithmetic that is rare behind all else, to be branched to: ptxas makes instructions under a
 * predicate, which take their time whether they are done or not, of a short block that is branched
 * around. */
static void
order(struct ck_gen *gen, LLVMValueRef v_function)
{
    bool keeps_branches = tests_bits(v_function);
    LLVMBasicBlockRef b_entry = LLVMGetEntryBasicBlock(v_function);
    LLVMBasicBlockRef b_end = LLVMGetLastBasicBlock(v_function), b_next;
    for (LLVMBasicBlockRef b = b_entry; b && b != b_end; b = b_next) {
        b_next = LLVMGetNextBasicBlock(b);
        LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(b);
        if (!LLVMIsABranchInst(v_branch) || !LLVMIsConditional(v_branch))
            continue;
        LLVMValueRef v_test = LLVMGetCondition(v_branch);
        LLVMBasicBlockRef b_rare = LLVMIsAFCmpInst(v_test) ? exceptional_successor(v_branch, v_test)
                                   : LLVMIsAICmpInst(v_test) ? extreme_successor(v_branch, v_test)
                                                             : NULL;
        if (b_rare && keeps_branches)
            make_rare(gen, v_branch, b_rare);
        if (!b_rare || b_rare == b_entry || b_rare == b_end ||
            (!last_arithmetic(b_rare, LLVMFloatTypeKind) &&
             !last_arithmetic(b_rare, LLVMDoubleTypeKind)))
            continue;
        if (b_rare == b_next)
            b_next = LLVMGetNextBasicBlock(b_next);
        LLVMMoveBasicBlockAfter(b_rare, LLVMGetLastBasicBlock(v_function));
    }
}

/* --- Marks -------------------------------------------------------------------------------------
 * A mark is a use that the optimiser cannot move or drop: assembly without any text. */

static void
mark(struct ck_gen *gen, LLVMValueRef v_value)
{
    enum { INACCESSIBLE_MEMORY = 3 << 2 };
    LLVMTypeRef type = LLVMTypeOf(v_value);
    LLVMTypeRef takes_it = LLVMFunctionType(LLVMVoidTypeInContext(gen->llvm), &type, 1, false);
    const char *constraint = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? "r" : "d";
    LLVMValueRef v_nothing = LLVMGetInlineAsm(takes_it, "", 0, constraint, 1, true, false,
                                              LLVMInlineAsmDialectATT, false);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(v_value);
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(block));
    LLVMValueRef v_call = LLVMBuildCall2(gen->builder, takes_it, v_nothing, &v_value, 1, "");
    l_call_attribute(gen, v_call, LLVMAttributeFunctionIndex, "nounwind", 0);
    l_call_attribute(gen, v_call, LLVMAttributeFunctionIndex, "willreturn", 0);
    l_call_attribute(gen, v_call, LLVMAttributeFunctionIndex, "memory", INACCESSIBLE_MEMORY);
}

static bool
is_mark(LLVMValueRef v)
{
    if (!LLVMIsACallInst(v) || !LLVMIsAInlineAsm(LLVMGetCalledValue(v)))
        return false;
    size_t length;
    LLVMGetInlineAsmAsmString(LLVMGetCalledValue(v), &length);
    return length == 0 && LLVMGetNumArgOperands(v) == 1;
}

/* Conditional arithmetic of float64 stays conditional: a choice takes two instructions. */
static void
mark_conditional(struct ck_gen *gen, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef b_before = only_predecessor(block);
    if (!b_before || LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(b_before)) < 2)
        return;
    LLVMValueRef v_last = last_arithmetic(block, LLVMDoubleTypeKind);
    if (v_last)
        mark(gen, v_last);
}

/* What is done with a number that is known on one of the ways here is not done on each way. */
static void
mark_merged(struct ck_gen *gen, LLVMBasicBlockRef block)
{
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v && LLVMIsAPHINode(v);
         v = LLVMGetNextInstruction(v)) {
        bool is_known = false;
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
            is_known = is_known || LLVMIsAConstantInt(LLVMGetIncomingValue(v, i));
        if (is_known && LLVMTypeOf(v) == gen->t_i32 && LLVMGetFirstUse(v))
            mark(gen, v);
    }
}

/* --- All ---------------------------------------------------------------------------------------
 */

void
ck_libdevice_adapt(struct ck_gen *gen, LLVMValueRef v_function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v && gen->options->fmad;
             v = LLVMGetNextInstruction(v))
            contract(v);
    }
    if (gen->options->opt_level < 1)
        return;
    order(gen, v_function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function); b;
         b = LLVMGetNextBasicBlock(b)) {
        mark_conditional(gen, b);
        mark_merged(gen, b);
    }
}

static void
erase_mark(struct ck_gen *gen, LLVMValueRef v)
{
    (void)gen;
    if (is_mark(v))
        LLVMInstructionEraseFromParent(v);
}

void
ck_libdevice_erase_marks(struct ck_gen *gen)
{
    ck_ir_visit_instructions(gen, erase_mark);
}
