/* Adapts the functions of CUDA's libdevice so that LLVM compiles them to code like nvcc's. They are
 * written for nvcc's optimiser, which contracts a product that has a single use, does not convert
 * conditional arithmetic to selects, and moves little code. LLVM's optimiser differs in all three.
 */
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

/* Permits contraction. Steps of libdevice that rely on each rounding are calls, which become
 * operators without the flag, or use a product twice. */
static void
contract(LLVMValueRef v)
{
    if (LLVMIsABinaryOperator(v) && LLVMCanValueUseFastMathFlags(v) &&
        (LLVMGetInstructionOpcode(v) != LLVMFMul || has_one_use(v)))
        LLVMSetFastMathFlags(v, LLVMGetFastMathFlags(v) | LLVMFastMathAllowContract);
}

/* --- Blocks ------------------------------------------------------------------------------------
 */

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

/* The last arithmetic instruction on floats of a kind, in a block and in its single successors that
 * have no other predecessor; NULL: none. */
static LLVMValueRef
last_arithmetic(LLVMBasicBlockRef block, LLVMTypeKind kind)
{
    LLVMValueRef v_last = NULL;
    for (LLVMBasicBlockRef b = block; b;) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
            v_last = is_arithmetic(v, kind) ? v : v_last;
        LLVMValueRef v_end = LLVMGetBasicBlockTerminator(b);
        b = LLVMGetNumSuccessors(v_end) == 1 ? LLVMGetSuccessor(v_end, 0) : NULL;
        if (b && (b == block || !ck_ir_only_predecessor(b)))
            b = NULL;
    }
    return v_last;
}

/* --- Cold blocks -------------------------------------------------------------------------------
 */

/* The successor taken if floats are equal or one is NaN: a special case; NULL: another test. */
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

/* The successor taken if the bits are those of an infinity, a NaN or a negative float; NULL:
 * another test. */
static LLVMBasicBlockRef
extreme_successor(LLVMValueRef v_branch, LLVMValueRef v_test)
{
    enum { MIN_BITS = 0x7f700000 }; /* of float32, and of the upper half of float64 */
    LLVMValueRef v_bound = LLVMGetOperand(v_test, 1);
    if (!LLVMIsAConstantInt(v_bound) || LLVMConstIntGetZExtValue(v_bound) < MIN_BITS)
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

/* Whether a function has such a test of bits. The special cases tested after it are rare too. */
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

/* Sets branch weights, so that LLVM does not convert the branch to a select. */
static void
mark_rare(struct ck_gen *gen, LLVMValueRef v_branch, LLVMBasicBlockRef b_rare)
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

/* Moves rare arithmetic to the end of the function. Where a branch skips a short block, ptxas
 * predicates the block's instructions, which then take time in every execution. */
static void
move_cold_blocks(struct ck_gen *gen, LLVMValueRef v_function)
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
            mark_rare(gen, v_branch, b_rare);
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
 * A mark is a use that the optimiser cannot move or remove: inline assembly without text. */

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

/* Keeps conditional float64 arithmetic conditional: a select of float64 takes two instructions. */
static void
mark_conditional(struct ck_gen *gen, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef b_before = ck_ir_only_predecessor(block);
    if (!b_before || LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(b_before)) < 2)
        return;
    LLVMValueRef v_last = last_arithmetic(block, LLVMDoubleTypeKind);
    if (v_last)
        mark(gen, v_last);
}

/* Keeps LLVM from copying the users of a phi into predecessors where its value is a constant. */
static void
mark_merged(struct ck_gen *gen, LLVMBasicBlockRef block)
{
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v && LLVMIsAPHINode(v);
         v = LLVMGetNextInstruction(v)) {
        bool has_constant = false;
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
            has_constant = has_constant || LLVMIsAConstantInt(LLVMGetIncomingValue(v, i));
        if (has_constant && LLVMTypeOf(v) == gen->t_i32 && LLVMGetFirstUse(v))
            mark(gen, v);
    }
}

/* --- Entry points--------------------------------------------------------------------------------
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
    move_cold_blocks(gen, v_function);
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
