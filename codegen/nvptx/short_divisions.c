/* 64-bit divisions of operands that fit in 32 bits: docs/adr/032.
 *
 * PTX's 64-bit division takes some hundred instructions, a 32-bit one some twenty. LLVM tests
 * before each 64-bit division whether both operands are short. But the language's division rounds
 * down and results in 0 if the divisor is 0, and the tests and corrections for that are 64-bit
 * operations around it. This pass tests once, before all of that, that the dividend is not
 * negative, the divisor is positive, and both are below 2^32. Then the quotient is an unsigned
 * 32-bit one without corrections. What is computed from quotient, remainder and operands alone is
 * done in both branches, so that LLVM folds the corrections and narrows the rest.
 *
 * The long division is inline PTX, before which LLVM tests nothing. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"

enum {
    MAX_MEMBERS = 32,
    MAX_DEPTH = 3 /* of what is computed from the operands alone */
};

/* A division, and what is computed from it in its basic block. */
struct division {
    LLVMValueRef v_dividend;
    LLVMValueRef v_safe;    /* the divisor as LLVM sees it, which is not 0; */
    LLVMValueRef v_divisor; /* and as the program has it: see divisor_of */
    LLVMValueRef members[MAX_MEMBERS], short_members[MAX_MEMBERS], phis[MAX_MEMBERS];
    int n_members;
    LLVMValueRef v_short_dividend, v_short_divisor; /* extended to i64 */
    LLVMValueRef v_quotients[2];                    /* of 64 bits: unsigned, signed */
};

static bool
is_remainder(LLVMValueRef v)
{
    return ck_ir_opcode(v) == LLVMURem || ck_ir_opcode(v) == LLVMSRem;
}

/* A conversion from 32 bits or less. */
static bool
is_short(LLVMValueRef v)
{
    return LLVMIsAConstant(v) || LLVMIsAZExtInst(v);
}

static bool
is_long_division(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    return ck_ir_is_division(v) && LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(type) == 64 && !LLVMIsAConstant(LLVMGetOperand(v, 1)) &&
           !(is_short(LLVMGetOperand(v, 0)) && is_short(LLVMGetOperand(v, 1)));
}

/* --- What belongs to a division ---------------------------------------------------------------
 */

static bool
is_one(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == 1;
}

static bool
is_minmax(LLVMValueRef v)
{
    return ck_ir_calls_intrinsic(v, "llvm.umax") || ck_ir_calls_intrinsic(v, "llvm.umin") ||
           ck_ir_calls_intrinsic(v, "llvm.smax") || ck_ir_calls_intrinsic(v, "llvm.smin");
}

/* Whether a test is false for positive values of `v`: it compares with 0 or -1, in all terms of an
 * `or` and in one of an `and`. */
static bool
is_false_if_positive(LLVMValueRef v_test, LLVMValueRef v)
{
    if (LLVMIsAICmpInst(v_test))
        return LLVMGetICmpPredicate(v_test) == LLVMIntEQ && LLVMGetOperand(v_test, 0) == v &&
               LLVMIsAConstantInt(LLVMGetOperand(v_test, 1)) &&
               LLVMConstIntGetSExtValue(LLVMGetOperand(v_test, 1)) <= 0;
    if (ck_ir_opcode(v_test) == LLVMOr)
        return is_false_if_positive(LLVMGetOperand(v_test, 0), v) &&
               is_false_if_positive(LLVMGetOperand(v_test, 1), v);
    if (ck_ir_opcode(v_test) == LLVMAnd)
        return is_false_if_positive(LLVMGetOperand(v_test, 0), v) ||
               is_false_if_positive(LLVMGetOperand(v_test, 1), v);
    return false;
}

/* The divisor of the program, from which LLVM's is `select(unsafe, 1, divisor)` or
 * `umax(divisor, 1)`. Both are the same if it is positive. */
static LLVMValueRef
divisor_of(LLVMValueRef v_safe)
{
    if (LLVMIsASelectInst(v_safe) &&
        is_false_if_positive(LLVMGetOperand(v_safe, 0), LLVMGetOperand(v_safe, 2)))
        return LLVMGetOperand(v_safe, 2);
    if (ck_ir_calls_intrinsic(v_safe, "llvm.umax") && is_one(LLVMGetOperand(v_safe, 1)))
        return LLVMGetOperand(v_safe, 0);
    return v_safe;
}

static bool
is_operand(const struct division *division, LLVMValueRef v)
{
    return LLVMIsAConstant(v) || v == division->v_dividend || v == division->v_safe ||
           v == division->v_divisor;
}

static int
member_index(const struct division *division, LLVMValueRef v)
{
    int i = 0;
    while (i < division->n_members && division->members[i] != v)
        i++;
    return i < division->n_members ? i : -1;
}

/* Whether an instruction may be executed in both branches: pure and on numbers. */
static bool
is_movable(LLVMValueRef v)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    if (kind != LLVMIntegerTypeKind && kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind)
        return false;
    return is_minmax(v) ||
           (!ck_ir_is_division(v) && (LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) ||
                                      LLVMIsAICmpInst(v) || LLVMIsASelectInst(v)));
}

/* The operands of an instruction; those of a call are its arguments. */
static int
count_operands(LLVMValueRef v)
{
    return LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v) : LLVMGetNumOperands(v);
}

/* Whether an instruction is computed from the operands of the division alone. */
static bool
is_of_operands(const struct division *division, LLVMValueRef v, int depth)
{
    if (is_operand(division, v))
        return true;
    if (depth == 0 || !LLVMIsAInstruction(v) || !is_movable(v))
        return false;
    int i = 0;
    while (i < count_operands(v) &&
           is_of_operands(division, LLVMGetOperand(v, (unsigned)i), depth - 1))
        i++;
    return i == count_operands(v);
}

/* Whether an instruction is the same division or its remainder, or is computed from members and
 * from the division's operands. */
static bool
is_member(const struct division *division, LLVMValueRef v)
{
    if (is_long_division(v))
        return LLVMGetOperand(v, 0) == division->v_dividend &&
               LLVMGetOperand(v, 1) == division->v_safe;
    if (!is_movable(v))
        return false;
    bool has_member = false;
    for (int i = 0; i < count_operands(v); i++) {
        LLVMValueRef v_operand = LLVMGetOperand(v, (unsigned)i);
        const bool is_of_member = member_index(division, v_operand) >= 0;
        if (!is_of_member && !is_of_operands(division, v_operand, MAX_DEPTH))
            return false;
        has_member |= is_of_member;
    }
    return has_member;
}

static void
find_members(struct division *division, LLVMValueRef v_first)
{
    for (LLVMValueRef v = v_first; v && division->n_members < MAX_MEMBERS;
         v = LLVMGetNextInstruction(v)) {
        if (is_member(division, v))
            division->members[division->n_members++] = v;
    }
}

/* Moves what members need of the division's operands in front of the division. */
static void
hoist(struct ck_gen *gen, const struct division *division, LLVMValueRef v, LLVMValueRef v_before)
{
    if (is_operand(division, v) || member_index(division, v) >= 0 ||
        LLVMGetInstructionParent(v) != LLVMGetInstructionParent(v_before))
        return;
    LLVMValueRef v_at = v;
    while (v_at && v_at != v_before)
        v_at = LLVMGetPreviousInstruction(v_at);
    if (!v_at) /* it is already in front */
        return;
    for (int i = 0; i < count_operands(v); i++)
        hoist(gen, division, LLVMGetOperand(v, (unsigned)i), v_before);
    LLVMInstructionRemoveFromParent(v);
    LLVMPositionBuilderBefore(gen->builder, v_before);
    LLVMInsertIntoBuilder(gen->builder, v);
}

/* --- The two branches -------------------------------------------------------------------------
 */

static LLVMValueRef short_value(struct ck_gen *gen, struct division *division, LLVMValueRef v);

/* Whether the instruction tests whether the divisor is 0. */
static bool
is_test_for_zero(const struct division *division, LLVMValueRef v)
{
    return LLVMIsAICmpInst(v) && LLVMGetOperand(v, 0) == division->v_divisor &&
           LLVMIsNull(LLVMGetOperand(v, 1)) &&
           (LLVMGetICmpPredicate(v) == LLVMIntEQ || LLVMGetICmpPredicate(v) == LLVMIntNE);
}

/* A copy of an instruction with the short operands. */
static LLVMValueRef
copy_short(struct ck_gen *gen, struct division *division, LLVMValueRef v)
{
    if (is_test_for_zero(division, v))
        return LLVMConstInt(LLVMTypeOf(v), LLVMGetICmpPredicate(v) == LLVMIntNE, false);
    LLVMValueRef v_copy = LLVMInstructionClone(v);
    for (int i = 0; i < count_operands(v); i++) {
        LLVMValueRef v_operand = LLVMGetOperand(v, (unsigned)i);
        LLVMSetOperand(v_copy, (unsigned)i, short_value(gen, division, v_operand));
    }
    LLVMInsertIntoBuilder(gen->builder, v_copy);
    return v_copy;
}

static LLVMValueRef
short_value(struct ck_gen *gen, struct division *division, LLVMValueRef v)
{
    if (LLVMIsAConstant(v))
        return v;
    if (v == division->v_dividend)
        return division->v_short_dividend;
    if (v == division->v_safe || v == division->v_divisor)
        return division->v_short_divisor;
    const int i = member_index(division, v);
    return i >= 0 ? division->short_members[i] : copy_short(gen, division, v);
}

static void
build_short(struct ck_gen *gen, struct division *division)
{
    LLVMTypeRef wide = LLVMTypeOf(division->v_dividend);
    LLVMValueRef v_left = LLVMBuildTrunc(gen->builder, division->v_dividend, gen->t_i32, "");
    LLVMValueRef v_right = LLVMBuildTrunc(gen->builder, division->v_divisor, gen->t_i32, "");
    division->v_short_dividend = LLVMBuildZExt(gen->builder, v_left, wide, "");
    division->v_short_divisor = LLVMBuildZExt(gen->builder, v_right, wide, "");
    for (int i = 0; i < division->n_members; i++) {
        LLVMValueRef v = division->members[i], v_short;
        if (!ck_ir_is_division(v)) {
            division->short_members[i] = copy_short(gen, division, v);
            continue;
        }
        v_short = is_remainder(v) ? LLVMBuildURem(gen->builder, v_left, v_right, "")
                                  : LLVMBuildUDiv(gen->builder, v_left, v_right, "");
        division->short_members[i] = LLVMBuildZExt(gen->builder, v_short, wide, "");
    }
}

static bool
is_signed(LLVMValueRef v)
{
    return ck_ir_opcode(v) == LLVMSDiv || ck_ir_opcode(v) == LLVMSRem;
}

/* Whether the members have a quotient of the same signedness as `v`, which the remainder is
 * computed from. */
static bool
has_quotient(const struct division *division, LLVMValueRef v)
{
    const LLVMOpcode opcode = is_signed(v) ? LLVMSDiv : LLVMUDiv;
    int i = 0;
    while (i < division->n_members && ck_ir_opcode(division->members[i]) != opcode)
        i++;
    return i < division->n_members;
}

/* The operation in inline PTX. */
static LLVMValueRef
long_operation(struct ck_gen *gen, const struct division *division, bool has_sign, bool is_quotient)
{
    const char *text = is_quotient ? (has_sign ? "div.s64 $0, $1, $2;" : "div.u64 $0, $1, $2;")
                                   : (has_sign ? "rem.s64 $0, $1, $2;" : "rem.u64 $0, $1, $2;");
    LLVMValueRef operands[] = {division->v_dividend, division->v_safe};
    return ck_nvptx_asm(gen, false, text, "=l,l,l", LLVMTypeOf(division->v_dividend), operands, 2);
}

/* The value of a division among the members. A remainder is computed from the quotient, which is
 * made once, if that is a member too. */
static LLVMValueRef
long_division(struct ck_gen *gen, struct division *division, LLVMValueRef v, bool is_by_quotient)
{
    const bool has_sign = is_signed(v);
    if (is_remainder(v) && !is_by_quotient)
        return long_operation(gen, division, has_sign, false);
    LLVMValueRef *v_quotient = &division->v_quotients[has_sign];
    if (!*v_quotient)
        *v_quotient = long_operation(gen, division, has_sign, true);
    if (!is_remainder(v))
        return *v_quotient;
    LLVMValueRef v_product = LLVMBuildMul(gen->builder, *v_quotient, division->v_safe, "");
    return LLVMBuildSub(gen->builder, division->v_dividend, v_product, "");
}

/* Moves the members to the long branch, where the builder is. */
static void
move_long(struct ck_gen *gen, struct division *division)
{
    bool is_by_quotient[MAX_MEMBERS];
    for (int i = 0; i < division->n_members; i++)
        is_by_quotient[i] =
            ck_ir_is_division(division->members[i]) && has_quotient(division, division->members[i]);
    for (int i = 0; i < division->n_members; i++) {
        LLVMValueRef v = division->members[i];
        if (ck_ir_is_division(v)) {
            division->members[i] = long_division(gen, division, v, is_by_quotient[i]);
            LLVMReplaceAllUsesWith(v, division->members[i]);
            LLVMInstructionEraseFromParent(v);
        } else {
            LLVMInstructionRemoveFromParent(v);
            LLVMInsertIntoBuilder(gen->builder, v);
        }
    }
}

/* --- The pass ---------------------------------------------------------------------------------
 */

/* Whether both operands are below 2^32, the dividend is not negative and the divisor is positive.
 * 2^32 - 1 itself is left to the long division, so that a divisor of 2^32 is not taken. */
static LLVMValueRef
build_test(struct ck_gen *gen, const struct division *division)
{
    LLVMValueRef v_less = LLVMBuildAdd(gen->builder, division->v_divisor, l_i64(gen, -1), "");
    LLVMValueRef v_all = LLVMBuildOr(gen->builder, division->v_dividend, v_less, "");
    return l_compare(gen, LLVMIntULT, v_all, l_i64(gen, 0xffffffff));
}

static bool
is_used_outside(const struct division *division, LLVMValueRef v)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        if (member_index(division, LLVMGetUser(use)) < 0)
            return true;
    }
    return false;
}

/* Makes phis of members that are used after the branches, in front of the builder, and lets these
 * uses refer to them. */
static void
add_phis(struct ck_gen *gen, struct division *division)
{
    for (int i = 0; i < division->n_members; i++) {
        LLVMValueRef v = division->members[i];
        division->phis[i] = NULL;
        if (!is_used_outside(division, v))
            continue;
        LLVMValueRef v_phi = LLVMBuildPhi(gen->builder, LLVMTypeOf(v), "");
        LLVMReplaceAllUsesWith(v, v_phi);
        division->phis[i] = v_phi;
    }
    for (int i = 0; i < division->n_members; i++) {
        LLVMValueRef v = division->members[i];
        for (int k = 0; k < LLVMGetNumOperands(v); k++) {
            for (int j = 0; j < i; j++) {
                if (division->phis[j] && LLVMGetOperand(v, (unsigned)k) == division->phis[j])
                    LLVMSetOperand(v, (unsigned)k, division->members[j]);
            }
        }
    }
}

static void
shorten(struct ck_gen *gen, LLVMValueRef v_first)
{
    struct division division = {.v_dividend = LLVMGetOperand(v_first, 0),
                                .v_safe = LLVMGetOperand(v_first, 1)};
    division.v_divisor = divisor_of(division.v_safe);
    find_members(&division, v_first);
    for (int i = 0; i < division.n_members; i++) {
        for (int k = 0; k < count_operands(division.members[i]); k++)
            hoist(gen, &division, LLVMGetOperand(division.members[i], (unsigned)k), v_first);
    }
    LLVMBasicBlockRef b_rest = LLVMGetInstructionParent(v_first);
    LLVMBasicBlockRef b_test = ck_ir_split_block_before(gen, v_first);
    LLVMBasicBlockRef b_short = LLVMInsertBasicBlockInContext(gen->llvm, b_rest, "division.short");
    LLVMBasicBlockRef b_long = LLVMInsertBasicBlockInContext(gen->llvm, b_rest, "division.long");
    l_at(gen, b_test);
    LLVMBuildCondBr(gen->builder, build_test(gen, &division), b_short, b_long);
    l_at(gen, b_short);
    build_short(gen, &division);
    l_branch(gen, b_rest);
    LLVMPositionBuilderBefore(gen->builder, v_first);
    add_phis(gen, &division);
    l_at(gen, b_long);
    move_long(gen, &division);
    l_branch(gen, b_rest);
    for (int i = 0; i < division.n_members; i++) {
        LLVMValueRef values[] = {division.short_members[i], division.members[i]};
        if (division.phis[i])
            LLVMAddIncoming(division.phis[i], values, (LLVMBasicBlockRef[]){b_short, b_long}, 2);
    }
}

/* The first long division in the block, NULL: none. */
static LLVMValueRef
find_division(LLVMBasicBlockRef b)
{
    LLVMValueRef v = LLVMGetFirstInstruction(b);
    while (v && !is_long_division(v))
        v = LLVMGetNextInstruction(v);
    return v;
}

void
ck_nvptx_shorten_divisions(struct ck_gen *gen)
{
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef v; (v = find_division(b));)
                shorten(gen, v);
        }
    }
}
