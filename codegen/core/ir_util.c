/* Queries and small edits of LLVM IR that LLVM's C API lacks: what an instruction computes from,
 * which function a call names, attributes of functions, splitting a basic block. */
#include "codegen/core/ir_util.h"

#include <string.h>

void
ck_ir_replace_operand(LLVMValueRef v_user, LLVMValueRef v_old, LLVMValueRef v_new)
{
    for (int i = LLVMGetNumOperands(v_user) - 1; i >= 0; i--) {
        if (LLVMGetOperand(v_user, (unsigned)i) == v_old)
            LLVMSetOperand(v_user, (unsigned)i, v_new);
    }
}

void
ck_ir_visit_instructions(struct ck_gen *gen, void (*visit)(struct ck_gen *gen, LLVMValueRef v))
{
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef v = LLVMGetFirstInstruction(b), v_next; v; v = v_next) {
                v_next = LLVMGetNextInstruction(v);
                visit(gen, v);
            }
        }
    }
}

void
ck_ir_visit_blocks(struct ck_gen *gen, void (*visit)(struct ck_gen *gen, LLVMBasicBlockRef b))
{
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            visit(gen, b);
    }
}

/* Redirects the edges to a block to another one. Does not touch the phis of the two. */
static void
redirect_edges(LLVMBasicBlockRef b_from, LLVMBasicBlockRef b_to)
{
    LLVMValueRef v_from = LLVMBasicBlockAsValue(b_from);
    for (LLVMUseRef use; (use = LLVMGetFirstUse(v_from));) {
        LLVMValueRef v_end = LLVMGetUser(use);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(v_end); k++) {
            if (LLVMGetSuccessor(v_end, k) == b_from)
                LLVMSetSuccessor(v_end, k, b_to);
        }
    }
}

LLVMBasicBlockRef
ck_ir_split_block_before(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMBasicBlockRef b_rest = LLVMGetInstructionParent(v);
    LLVMBasicBlockRef b_before = LLVMInsertBasicBlockInContext(gen->llvm, b_rest, "before");
    redirect_edges(b_rest, b_before);
    l_at(gen, b_before);
    for (LLVMValueRef v_first; (v_first = LLVMGetFirstInstruction(b_rest)) != v;) {
        LLVMInstructionRemoveFromParent(v_first);
        LLVMInsertIntoBuilder(gen->builder, v_first);
    }
    return b_before;
}

LLVMValueRef
ck_ir_incoming(LLVMValueRef v_phi, LLVMBasicBlockRef b_from)
{
    unsigned i = 0;
    while (i + 1 < LLVMCountIncoming(v_phi) && LLVMGetIncomingBlock(v_phi, i) != b_from)
        i++;
    return LLVMGetIncomingValue(v_phi, i);
}

LLVMBasicBlockRef
ck_ir_only_predecessor(LLVMBasicBlockRef block)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    const bool is_only = use && !LLVMGetNextUse(use) && LLVMIsATerminatorInst(LLVMGetUser(use));
    return is_only ? LLVMGetInstructionParent(LLVMGetUser(use)) : NULL;
}

bool
ck_ir_is_plain_access(LLVMValueRef v)
{
    return !LLVMGetVolatile(v) && LLVMGetOrdering(v) == LLVMAtomicOrderingNotAtomic;
}

LLVMValueRef
ck_ir_after(LLVMValueRef v)
{
    do
        v = LLVMGetNextInstruction(v);
    while (LLVMIsAPHINode(v));
    return v;
}

bool
ck_ir_is_of_low_words(LLVMValueRef v)
{
    switch ((int)ck_ir_opcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return true;
    case LLVMShl:
        return LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
               LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) < 32;
    default:
        return false;
    }
}

LLVMValueRef
ck_ir_low_half(struct ck_gen *gen, LLVMValueRef v)
{
    if (LLVMIsAConstantInt(v))
        return l_i32(gen, (uint32_t)LLVMConstIntGetSExtValue(v));
    if (LLVMIsAZExtInst(v) && LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 0))) < 32)
        return LLVMBuildZExt(gen->builder, LLVMGetOperand(v, 0), gen->t_i32, "");
    if (LLVMIsAZExtInst(v) && LLVMTypeOf(LLVMGetOperand(v, 0)) == gen->t_i32)
        return LLVMGetOperand(v, 0);
    return LLVMBuildTrunc(gen->builder, v, gen->t_i32, "");
}

void
ck_ir_replace_by_extended(struct ck_gen *gen, LLVMValueRef v, LLVMValueRef v_low, bool is_natural)
{
    LLVMValueRef v_wide = is_natural ? LLVMBuildZExt(gen->builder, v_low, gen->t_i64, "")
                                     : LLVMBuildSExt(gen->builder, v_low, gen->t_i64, "");
    if (is_natural && LLVMIsAInstruction(v_wide))
        LLVMSetNNeg(v_wide, true);
    LLVMReplaceAllUsesWith(v, v_wide);
    LLVMInstructionEraseFromParent(v);
}

bool
ck_ir_is_pure(LLVMValueRef v)
{
    switch ((int)LLVMGetInstructionOpcode(v)) {
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMGetElementPtr:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMFNeg:
    case LLVMFreeze:
        return true;
    default:
        return LLVMIsABinaryOperator(v) || LLVMIsACastInst(v);
    }
}

LLVMOpcode
ck_ir_opcode(LLVMValueRef v)
{
    return LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : (LLVMOpcode)0;
}

bool
ck_ir_is_division(LLVMValueRef v)
{
    switch ((int)ck_ir_opcode(v)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return true;
    default:
        return false;
    }
}

bool
ck_ir_is_limit(LLVMValueRef v)
{
    static const char *const names[] = {"llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax.",
                                        "llvm.usub.sat."};
    size_t length;
    const char *name = LLVMIsACallInst(v) ? LLVMGetValueName2(LLVMGetCalledValue(v), &length) : "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    }
    return false;
}

bool
ck_ir_is_counter(LLVMValueRef v_phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(v_phi); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(v_phi, i);
        if (ck_ir_opcode(v) == LLVMAdd &&
            (LLVMGetOperand(v, 0) == v_phi || LLVMGetOperand(v, 1) == v_phi))
            return true;
    }
    return false;
}

bool
ck_ir_calls(LLVMValueRef v, const char *name)
{
    size_t length;
    if (!LLVMIsACallInst(v) || !LLVMIsAFunction(LLVMGetCalledValue(v)))
        return false;
    const char *callee = LLVMGetValueName2(LLVMGetCalledValue(v), &length);
    return strlen(name) == length && memcmp(callee, name, length) == 0;
}

static LLVMAttributeRef
attribute_of(LLVMValueRef v_function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(v_function, LLVMAttributeFunctionIndex, kind);
}

bool
ck_ir_calls_intrinsic(LLVMValueRef v, const char *name)
{
    if (!LLVMIsACallInst(v) || !LLVMIsAFunction(LLVMGetCalledValue(v)))
        return false;
    const unsigned id = LLVMGetIntrinsicID(LLVMGetCalledValue(v));
    return id && id == LLVMLookupIntrinsicID(name, strlen(name));
}

LLVMIntPredicate
ck_ir_signed_predicate(LLVMValueRef v_test)
{
    const LLVMIntPredicate predicate = LLVMGetICmpPredicate(v_test);
    if (!LLVMGetICmpSameSign(v_test))
        return predicate;
    return predicate == LLVMIntULT   ? LLVMIntSLT
           : predicate == LLVMIntULE ? LLVMIntSLE
           : predicate == LLVMIntUGT ? LLVMIntSGT
           : predicate == LLVMIntUGE ? LLVMIntSGE
                                     : predicate;
}

bool
ck_ir_has_attribute(LLVMValueRef v_function, const char *name)
{
    return attribute_of(v_function, name);
}

bool
ck_ir_accesses_no_memory(LLVMValueRef v_function)
{
    LLVMAttributeRef memory = attribute_of(v_function, "memory");
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

bool
ck_ir_is_longer(LLVMBasicBlockRef b_from, int n)
{
    for (LLVMBasicBlockRef b = b_from; b && n >= 0; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
            n--;
    }
    return n < 0;
}
