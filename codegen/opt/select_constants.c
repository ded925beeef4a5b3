/* Selects between two elements of a constant array, where its index has two values: `C[x > 3]`.
 *
 * The index is computed from a condition, or from one bit of an integer. Each element is a
 * constant, and a select needs no memory. ptxas 12.2 to 12.6, and with it the drivers R535 to R560,
 * crashes at some loads from constant memory by such an index. Runs after all passes that may find
 * that an index is one. */
#include "codegen/core/ir_util.h"
#include "codegen/opt/passes.h"
#include "codegen/opt/run_passes.h"

enum { MAX_DEPTH = 8 /* of operations */ };

/* The constants that a value is: if the value of two is 0, and if it is the other one. */
struct pair {
    LLVMValueRef v[2];
};

struct choice {
    struct ck_gen *gen;
    LLVMValueRef v_of_two; /* a value that is one of two constants; NULL: none was found so far */
};

static bool evaluate(struct choice *choice, LLVMValueRef v, struct pair *pair, int depth);

/* The other value than 0 of an integer of which only one bit may be set; NULL: it is none. */
static LLVMValueRef
only_bit(struct choice *choice, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (type == choice->gen->t_i1)
        return LLVMConstInt(type, 1, false);
    const LLVMOpcode opcode = ck_ir_opcode(v);
    if ((opcode != LLVMAnd && opcode != LLVMLShr) || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)) ||
        LLVMGetIntTypeWidth(type) > 64)
        return NULL;
    const uint64_t bits = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    if (opcode == LLVMAnd)
        return (bits & (bits - 1)) == 0 ? LLVMGetOperand(v, 1) : NULL;
    return bits == LLVMGetIntTypeWidth(type) - 1 ? LLVMConstInt(type, 1, false) : NULL;
}

/* Takes a value for the one that the index depends on, unless that is another one. */
static bool
take(struct choice *choice, LLVMValueRef v, struct pair *pair)
{
    LLVMValueRef v_other = only_bit(choice, v);
    if (!v_other || (choice->v_of_two && choice->v_of_two != v))
        return false;
    choice->v_of_two = v;
    pair->v[0] = LLVMConstNull(LLVMTypeOf(v));
    pair->v[1] = v_other;
    return true;
}

/* An operation on constants, which LLVM's builder folds; NULL: it is no such operation, or has no
 * result. */
static LLVMValueRef
folded(struct choice *choice, LLVMValueRef v, const LLVMValueRef *operands)
{
    LLVMBuilderRef builder = choice->gen->builder;
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
    LLVMValueRef v_folded = NULL;
    if (LLVMIsABinaryOperator(v))
        v_folded = LLVMBuildBinOp(builder, opcode, operands[0], operands[1], "");
    else if (LLVMIsATruncInst(v) || LLVMIsAZExtInst(v) || LLVMIsASExtInst(v))
        v_folded = LLVMBuildCast(builder, opcode, operands[0], LLVMTypeOf(v), "");
    else if (LLVMIsAICmpInst(v))
        v_folded = l_compare(choice->gen, LLVMGetICmpPredicate(v), operands[0], operands[1]);
    else if (LLVMIsASelectInst(v))
        v_folded = LLVMBuildSelect(builder, operands[0], operands[1], operands[2], "");
    if (v_folded && LLVMIsAInstruction(v_folded)) /* a division by zero */
        LLVMInstructionEraseFromParent(v_folded);
    return v_folded && LLVMIsAConstantInt(v_folded) ? v_folded : NULL;
}

static bool
evaluate_operation(struct choice *choice, LLVMValueRef v, struct pair *pair, int depth)
{
    enum { MAX_OPERANDS = 3 };
    const int n = LLVMGetNumOperands(v);
    LLVMValueRef operands[2][MAX_OPERANDS];
    if (depth == 0 || n > MAX_OPERANDS || !ck_ir_is_pure(v))
        return false;
    for (int i = 0; i < n; i++) {
        struct pair operand;
        if (!evaluate(choice, LLVMGetOperand(v, (unsigned)i), &operand, depth - 1))
            return false;
        operands[0][i] = operand.v[0];
        operands[1][i] = operand.v[1];
    }
    for (int k = 0; k < 2; k++)
        pair->v[k] = folded(choice, v, operands[k]);
    return pair->v[0] && pair->v[1];
}

/* Whether an integer depends on constants and one value of two only, which is found. */
static bool
evaluate(struct choice *choice, LLVMValueRef v, struct pair *pair, int depth)
{
    if (LLVMIsAConstantInt(v)) {
        pair->v[0] = pair->v[1] = v;
        return true;
    }
    LLVMValueRef v_before = choice->v_of_two;
    if (LLVMIsAInstruction(v) && evaluate_operation(choice, v, pair, depth))
        return true;
    choice->v_of_two = v_before;
    return take(choice, v, pair);
}

/* Adds the two offsets in bytes of an address from its array; returns the array.
 * NULL: it is no constant array, or the offsets are not known. */
static LLVMValueRef
offsets_of(struct choice *choice, LLVMValueRef v_address, int64_t offsets[2])
{
    while (LLVMIsAGetElementPtrInst(v_address)) {
        struct pair index;
        if (LLVMGetNumOperands(v_address) != 2 ||
            !evaluate(choice, LLVMGetOperand(v_address, 1), &index, MAX_DEPTH))
            return NULL;
        const int64_t bytes =
            (int64_t)LLVMABISizeOfType(choice->gen->layout, LLVMGetGEPSourceElementType(v_address));
        for (int k = 0; k < 2; k++)
            offsets[k] += bytes * LLVMConstIntGetSExtValue(index.v[k]);
        v_address = LLVMGetOperand(v_address, 0);
    }
    return LLVMIsAGlobalVariable(v_address) && LLVMIsGlobalConstant(v_address) &&
                   LLVMGetInitializer(v_address)
               ? v_address
               : NULL;
}

/* Whether a load of these bytes is within the array. */
static bool
is_within(struct ck_gen *gen, LLVMValueRef v_array, int64_t offset, uint64_t bytes)
{
    const uint64_t size = LLVMABISizeOfType(gen->layout, LLVMGlobalGetValueType(v_array));
    return offset >= 0 && bytes <= size && (uint64_t)offset <= size - bytes;
}

static LLVMValueRef
element_at(struct ck_gen *gen, LLVMValueRef v_load, LLVMValueRef v_array, int64_t offset)
{
    LLVMValueRef v_offset = LLVMConstInt(gen->t_i64, (uint64_t)offset, true);
    LLVMValueRef v_address = LLVMBuildGEP2(gen->builder, gen->t_i8, v_array, &v_offset, 1, "");
    LLVMValueRef v = LLVMBuildLoad2(gen->builder, LLVMTypeOf(v_load), v_address, "");
    LLVMSetAlignment(v, 1);
    return v;
}

/* Replaces a load by a select of two others, which instsimplify folds. Returns whether it did. */
static bool
visit_load(struct ck_gen *gen, LLVMValueRef v_load)
{
    struct choice choice = {.gen = gen};
    int64_t offsets[2] = {0, 0};
    LLVMPositionBuilderBefore(gen->builder, v_load);
    if (!ck_ir_is_plain_access(v_load))
        return false;
    LLVMValueRef v_array = offsets_of(&choice, LLVMGetOperand(v_load, 0), offsets);
    const uint64_t bytes = LLVMStoreSizeOfType(gen->layout, LLVMTypeOf(v_load));
    if (!v_array || !choice.v_of_two || !is_within(gen, v_array, offsets[0], bytes) ||
        !is_within(gen, v_array, offsets[1], bytes))
        return false;
    LLVMValueRef v_if_other = element_at(gen, v_load, v_array, offsets[1]);
    LLVMValueRef v_if_zero = element_at(gen, v_load, v_array, offsets[0]);
    LLVMValueRef v_zero = LLVMConstNull(LLVMTypeOf(choice.v_of_two));
    LLVMValueRef v_test = l_compare(gen, LLVMIntNE, choice.v_of_two, v_zero);
    LLVMReplaceAllUsesWith(v_load,
                           LLVMBuildSelect(gen->builder, v_test, v_if_other, v_if_zero, ""));
    LLVMInstructionEraseFromParent(v_load);
    return true;
}

void
ck_gen_select_constants(struct ck_gen *gen)
{
    bool selects = false;
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef v_next, v = LLVMGetFirstInstruction(b);
            for (; v; v = v_next) {
                v_next = LLVMGetNextInstruction(v);
                selects |= LLVMIsALoadInst(v) && visit_load(gen, v);
            }
        }
    }
    if (selects)
        ck_run_llvm(gen, "function(instsimplify,adce),globaldce");
}
