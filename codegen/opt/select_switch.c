/* Replaces a switch that only selects values by selects, for targets whose threads are scalar.
 *
 * LLVM makes a switch of `if d == 0: ... elif d == 1: ...`, and the back end a jump table. The
 * threads of a warp take its targets one after another, and ptxas makes an indirect branch even of
 * a tree of comparisons. Where each arm has a few cheap instructions and all arms join in one
 * block, executing all arms and selecting is cheaper:
 *
 *     switch d: 0 -> a, 1 -> b, default -> c        v = d == 0 ? v_a : d == 1 ? v_b : v_c
 *     join: v = phi [v_a, a], [v_b, b], [v_c, c]
 */
#include "codegen/core/ir_util.h"
#include "codegen/opt/inner_loop.h"
#include "codegen/opt/passes.h"

enum { MAX_SUCCESSORS = 8, MAX_MOVED = 8 /* instructions */, MAX_SELECTS = 16 };

struct selection {
    LLVMValueRef v_switch;
    LLVMBasicBlockRef b_switch, b_join;
    unsigned n;     /* successors; the first is the default */
    unsigned first; /* 1: the default is unreachable, and the first case takes its place */
};

static bool
is_unreachable(LLVMBasicBlockRef block)
{
    return LLVMIsAUnreachableInst(LLVMGetFirstInstruction(block));
}

/* Whether only the switch branches to the block, and it to one other. */
static bool
has_form_of_arm(LLVMValueRef v_switch, LLVMBasicBlockRef block)
{
    LLVMValueRef v_end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(v_end) || LLVMIsConditional(v_end) || ck_loop_metadata(v_end))
        return false;
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    for (; use; use = LLVMGetNextUse(use)) {
        if (LLVMGetUser(use) != v_switch)
            return false;
    }
    return true;
}

/* Whether executing the instruction where it was not executed before has no effect and costs
 * little. */
static bool
is_cheap(LLVMValueRef v)
{
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFNeg:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
        return LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMDoubleTypeKind;
    default:
        return false;
    }
}

/* The instructions of an arm; more than MAX_MOVED: it has others than cheap ones. */
static int
count_instructions(LLVMBasicBlockRef block)
{
    int n = 0;
    LLVMValueRef v = LLVMGetFirstInstruction(block);
    for (; v != LLVMGetBasicBlockTerminator(block); v = LLVMGetNextInstruction(v))
        n += is_cheap(v) ? 1 : MAX_MOVED + 1;
    return n;
}

static LLVMBasicBlockRef
join_of(const struct selection *selection)
{
    LLVMBasicBlockRef b = LLVMGetSuccessor(selection->v_switch, selection->first);
    return has_form_of_arm(selection->v_switch, b)
               ? LLVMGetSuccessor(LLVMGetBasicBlockTerminator(b), 0)
               : b;
}

static bool
match_arms(const struct selection *selection)
{
    int moved = 0;
    for (unsigned i = selection->first; i < selection->n; i++) {
        LLVMBasicBlockRef b = LLVMGetSuccessor(selection->v_switch, i);
        if (b == selection->b_join)
            continue;
        if (!has_form_of_arm(selection->v_switch, b) ||
            LLVMGetSuccessor(LLVMGetBasicBlockTerminator(b), 0) != selection->b_join)
            return false;
        moved += count_instructions(b);
    }
    return moved <= MAX_MOVED;
}

static bool
match(struct selection *selection)
{
    LLVMValueRef v_switch = selection->v_switch;
    if (!v_switch || !LLVMIsASwitchInst(v_switch))
        return false;
    selection->n = LLVMGetNumSuccessors(v_switch);
    if (selection->n > MAX_SUCCESSORS)
        return false;
    selection->first = is_unreachable(LLVMGetSuccessor(v_switch, 0)) ? 1 : 0;
    if (selection->n < selection->first + 2)
        return false;
    selection->b_join = join_of(selection);
    unsigned n_phis = 0;
    LLVMValueRef v = LLVMGetFirstInstruction(selection->b_join);
    for (; LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v))
        n_phis++;
    return n_phis * (selection->n - 1) <= MAX_SELECTS && match_arms(selection);
}

/* Whether the join's edge from `b_from` is one of the switch's. */
static bool
is_edge_of(const struct selection *selection, LLVMBasicBlockRef b_from)
{
    if (b_from == selection->b_switch)
        return true;
    for (unsigned i = selection->first; i < selection->n; i++) {
        LLVMBasicBlockRef b = LLVMGetSuccessor(selection->v_switch, i);
        if (b == b_from && b != selection->b_join)
            return true;
    }
    return false;
}

/* The phi's value if the switch takes its edge `i`. */
static LLVMValueRef
value_of(const struct selection *selection, LLVMValueRef v_phi, unsigned i)
{
    LLVMBasicBlockRef b = LLVMGetSuccessor(selection->v_switch, i);
    return ck_ir_incoming(v_phi, b == selection->b_join ? selection->b_switch : b);
}

static LLVMValueRef
select_value(struct ck_gen *gen, const struct selection *selection, LLVMValueRef v_phi)
{
    LLVMValueRef v_tested = LLVMGetOperand(selection->v_switch, 0);
    LLVMValueRef v_selected = value_of(selection, v_phi, selection->first);
    for (unsigned i = selection->first + 1; i < selection->n; i++) {
        LLVMValueRef v_value = value_of(selection, v_phi, i);
        LLVMValueRef v_case = LLVMGetSwitchCaseValue(selection->v_switch, i);
        if (v_value != v_selected)
            v_selected =
                l_select(gen, l_compare(gen, LLVMIntEQ, v_tested, v_case), v_value, v_selected);
    }
    return v_selected;
}

static void
move_arms(struct ck_gen *gen, const struct selection *selection)
{
    for (unsigned i = selection->first; i < selection->n; i++) {
        LLVMBasicBlockRef b = LLVMGetSuccessor(selection->v_switch, i);
        LLVMValueRef v = LLVMGetFirstInstruction(b), v_next;
        if (b == selection->b_join)
            continue;
        for (; v != LLVMGetBasicBlockTerminator(b); v = v_next) {
            v_next = LLVMGetNextInstruction(v);
            LLVMInstructionRemoveFromParent(v);
            LLVMInsertIntoBuilderWithName(gen->builder, v, "");
        }
    }
}

/* Replaces a phi of the join by one with a single edge from the switch. */
static void
replace_phi(struct ck_gen *gen, const struct selection *selection, LLVMValueRef v_old)
{
    LLVMBasicBlockRef b_switch = selection->b_switch;
    LLVMPositionBuilderBefore(gen->builder, selection->v_switch);
    LLVMValueRef v_selected = select_value(gen, selection, v_old);
    LLVMPositionBuilderBefore(gen->builder, v_old);
    LLVMValueRef v_new = LLVMBuildPhi(gen->builder, LLVMTypeOf(v_old), "");
    LLVMAddIncoming(v_new, &v_selected, &b_switch, 1);
    for (unsigned i = 0; i < LLVMCountIncoming(v_old); i++) {
        LLVMBasicBlockRef b_from = LLVMGetIncomingBlock(v_old, i);
        LLVMValueRef v_value = LLVMGetIncomingValue(v_old, i);
        if (!is_edge_of(selection, b_from))
            LLVMAddIncoming(v_new, &v_value, &b_from, 1);
    }
    LLVMReplaceAllUsesWith(v_old, v_new);
    LLVMInstructionEraseFromParent(v_old);
}

/* Deletes the arms, which are empty but for their branches. An arm may be that of several cases. */
static void
delete_arms(const struct selection *selection, LLVMBasicBlockRef *arms)
{
    for (unsigned i = selection->first; i < selection->n; i++) {
        bool is_first = arms[i] != selection->b_join;
        for (unsigned k = selection->first; k < i; k++)
            is_first &= arms[k] != arms[i];
        if (is_first)
            LLVMDeleteBasicBlock(arms[i]);
    }
}

static void
replace(struct ck_gen *gen, const struct selection *selection)
{
    LLVMBasicBlockRef arms[MAX_SUCCESSORS];
    for (unsigned i = selection->first; i < selection->n; i++)
        arms[i] = LLVMGetSuccessor(selection->v_switch, i);
    LLVMPositionBuilderBefore(gen->builder, selection->v_switch);
    LLVMSetCurrentDebugLocation2(gen->builder, LLVMInstructionGetDebugLoc(selection->v_switch));
    move_arms(gen, selection);
    LLVMValueRef v_phi = LLVMGetFirstInstruction(selection->b_join), v_next;
    for (; LLVMIsAPHINode(v_phi); v_phi = v_next) {
        v_next = LLVMGetNextInstruction(v_phi);
        replace_phi(gen, selection, v_phi);
    }
    LLVMPositionBuilderBefore(gen->builder, selection->v_switch);
    LLVMBuildBr(gen->builder, selection->b_join);
    LLVMInstructionEraseFromParent(selection->v_switch);
    delete_arms(selection, arms);
}

void
ck_gen_select_switches(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            struct selection selection = {.v_switch = LLVMGetBasicBlockTerminator(b),
                                          .b_switch = b};
            if (match(&selection))
                replace(gen, &selection);
        }
    }
}
