/* Trip guards. In most kernels `if i < n` guards the body of the loop over threads, and only the
 * first iterations pass the guard. The pass reduces the trip count to these and deletes the guard,
 * so that vectorised code needs no masked stores, which are very slow on some processors.
 *
 * The loop is in the form that simplification leaves: it counts from 0 by 1, its test is in the
 * latch, the guard is in the header, and an iteration that the guard stops has no effect. */
#include "codegen/host/host.h"

/* A loop in that form. Block names are those of LLVM's LoopInfo. */
struct guarded_loop {
    LLVMBasicBlockRef b_preheader, b_header, b_latch, b_exit;
    LLVMValueRef v_index;      /* the phi */
    LLVMValueRef v_latch_test; /* next < extent */
    LLVMValueRef v_guard;      /* the branch of the header */
    unsigned body;             /* number of its successor that is not the latch */
    bool is_signed;            /* the guard's comparison */
    LLVMValueRef v_offset;     /* index + offset < bound passes the guard; NULL: 0 */
    LLVMValueRef v_bound;
};

static bool
is_constant(LLVMValueRef v_value, uint64_t number)
{
    return LLVMIsAConstantInt(v_value) && LLVMConstIntGetZExtValue(v_value) == number;
}

static bool
is_op(LLVMValueRef v_value, LLVMOpcode opcode)
{
    return LLVMIsAInstruction(v_value) && LLVMGetInstructionOpcode(v_value) == opcode;
}

/* Whether a value that the header uses is loop-invariant: the header is the loop's first block, so
 * whatever else it uses is computed in it. */
static bool
is_invariant(const struct guarded_loop *loop, LLVMValueRef v_value)
{
    return !LLVMIsAInstruction(v_value) || LLVMGetInstructionParent(v_value) != loop->b_header;
}

/* Whether a block has only pure instructions besides its branch and the phi of the index. */
static bool
has_no_effect(LLVMBasicBlockRef block, LLVMValueRef v_index)
{
    LLVMValueRef v = LLVMGetFirstInstruction(block);
    for (; v && !LLVMIsATerminatorInst(v); v = LLVMGetNextInstruction(v)) {
        switch (LLVMGetInstructionOpcode(v)) {
        case LLVMAdd:
        case LLVMSub:
        case LLVMMul:
        case LLVMShl:
        case LLVMAnd:
        case LLVMOr:
        case LLVMXor:
        case LLVMZExt:
        case LLVMSExt:
        case LLVMTrunc:
        case LLVMICmp:
        case LLVMGetElementPtr:
            break;
        case LLVMPHI:
            if (v != v_index)
                return false;
            break;
        default:
            return false;
        }
    }
    return v != NULL;
}

/* The index: the only phi of the header. It is 0 from the preheader, index + 1 from the latch. */
static bool
match_index(struct guarded_loop *loop)
{
    LLVMValueRef v_phi = LLVMGetFirstInstruction(loop->b_header);
    if (!v_phi || !LLVMIsAPHINode(v_phi) || LLVMCountIncoming(v_phi) != 2 ||
        LLVMGetTypeKind(LLVMTypeOf(v_phi)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(v_phi)) != 64)
        return false;
    unsigned begin = is_constant(LLVMGetIncomingValue(v_phi, 0), 0) ? 0 : 1;
    LLVMValueRef v_next = LLVMGetIncomingValue(v_phi, 1 - begin);
    loop->v_index = v_phi;
    loop->b_preheader = LLVMGetIncomingBlock(v_phi, begin);
    loop->b_latch = LLVMGetIncomingBlock(v_phi, 1 - begin);
    return is_constant(LLVMGetIncomingValue(v_phi, begin), 0) && is_op(v_next, LLVMAdd) &&
           LLVMGetOperand(v_next, 0) == v_phi && is_constant(LLVMGetOperand(v_next, 1), 1) &&
           loop->b_latch != loop->b_header;
}

/* The latch branches on next < extent and has no other effect. */
static bool
match_latch(struct guarded_loop *loop)
{
    LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(loop->b_latch);
    if (!LLVMIsABranchInst(v_branch) || !LLVMIsConditional(v_branch) ||
        !has_no_effect(loop->b_latch, NULL))
        return false;
    loop->v_latch_test = LLVMGetCondition(v_branch);
    loop->b_exit = LLVMGetSuccessor(v_branch, 1);
    LLVMValueRef v_first = LLVMGetFirstInstruction(loop->b_exit);
    return LLVMIsAICmpInst(loop->v_latch_test) &&
           LLVMGetICmpPredicate(loop->v_latch_test) == LLVMIntULT &&
           LLVMGetFirstUse(loop->v_latch_test) &&
           !LLVMGetNextUse(LLVMGetFirstUse(loop->v_latch_test)) &&
           LLVMGetOperand(loop->v_latch_test, 0) ==
               LLVMGetIncomingValue(loop->v_index,
                                    LLVMGetIncomingBlock(loop->v_index, 0) == loop->b_preheader) &&
           LLVMGetSuccessor(v_branch, 0) == loop->b_header && loop->b_exit != loop->b_header &&
           v_first && !LLVMIsAPHINode(v_first);
}

/* Whether a value of the preheader can use this one: no analysis of dominators is needed if it is
 * defined there or in the function's entry. */
static bool
is_available_in_preheader(const struct guarded_loop *loop, LLVMValueRef v_value)
{
    return !LLVMIsAInstruction(v_value) ||
           (LLVMGetInstructionParent(v_value) == loop->b_preheader) ||
           LLVMGetInstructionParent(v_value) ==
               LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(loop->b_header));
}

static LLVMIntPredicate
negated(LLVMIntPredicate predicate)
{
    switch (predicate) {
    case LLVMIntSGE:
        return LLVMIntSLT;
    case LLVMIntUGE:
        return LLVMIntULT;
    case LLVMIntSLE:
        return LLVMIntSGT;
    case LLVMIntULE:
        return LLVMIntUGT;
    default:
        return LLVMIntEQ; /* no comparison of a guard */
    }
}

/* The position is the index, or index + offset that does not overflow. */
static bool
match_position(struct guarded_loop *loop, LLVMValueRef v_position)
{
    loop->v_offset = NULL;
    if (v_position == loop->v_index)
        return true;
    if (!is_op(v_position, LLVMAdd) || !LLVMGetNSW(v_position) || !LLVMGetNUW(v_position))
        return false;
    unsigned other = LLVMGetOperand(v_position, 0) == loop->v_index ? 1 : 0;
    loop->v_offset = LLVMGetOperand(v_position, other);
    return LLVMGetOperand(v_position, 1 - other) == loop->v_index &&
           is_invariant(loop, loop->v_offset);
}

static bool
match_guard(struct guarded_loop *loop)
{
    loop->v_guard = LLVMGetBasicBlockTerminator(loop->b_header);
    if (!LLVMIsABranchInst(loop->v_guard) || !LLVMIsConditional(loop->v_guard) ||
        !has_no_effect(loop->b_header, loop->v_index))
        return false;
    LLVMValueRef v_test = LLVMGetCondition(loop->v_guard);
    loop->body = LLVMGetSuccessor(loop->v_guard, 0) == loop->b_latch ? 1 : 0;
    if (LLVMGetSuccessor(loop->v_guard, 1 - loop->body) != loop->b_latch ||
        LLVMGetSuccessor(loop->v_guard, loop->body) == loop->b_latch || !LLVMIsAICmpInst(v_test))
        return false;
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(v_test);
    if (loop->body == 1)
        predicate = negated(predicate);
    bool is_less = predicate == LLVMIntSLT || predicate == LLVMIntULT;
    if (!is_less && predicate != LLVMIntSGT && predicate != LLVMIntUGT)
        return false;
    loop->is_signed = predicate == LLVMIntSLT || predicate == LLVMIntSGT;
    loop->v_bound = LLVMGetOperand(v_test, is_less ? 1 : 0);
    return is_invariant(loop, loop->v_bound) &&
           match_position(loop, LLVMGetOperand(v_test, is_less ? 0 : 1));
}

static bool
match_loop(struct guarded_loop *loop)
{
    if (!match_index(loop) || !match_latch(loop) || !match_guard(loop))
        return false;
    LLVMValueRef v_enter = LLVMGetBasicBlockTerminator(loop->b_preheader);
    return LLVMIsABranchInst(v_enter) && !LLVMIsConditional(v_enter) &&
           is_available_in_preheader(loop, LLVMGetOperand(loop->v_latch_test, 1));
}

static LLVMValueRef
call_binary(struct ck_gen *gen, const char *name, LLVMValueRef v_left, LLVMValueRef v_right)
{
    LLVMValueRef args[] = {v_left, v_right};
    return l_intrinsic(gen, name, gen->t_i64, args, 2);
}

/* Reduces the trip count to the iterations that pass the guard; there may be none. */
static void
reduce_trip_count(struct ck_gen *gen, const struct guarded_loop *loop)
{
    LLVMValueRef v_enter = LLVMGetBasicBlockTerminator(loop->b_preheader);
    LLVMPositionBuilderBefore(gen->builder, v_enter);
    LLVMValueRef v_count = loop->v_bound;
    if (loop->v_offset)
        v_count = call_binary(gen, loop->is_signed ? "llvm.ssub.sat" : "llvm.usub.sat", v_count,
                              loop->v_offset);
    if (loop->is_signed)
        v_count = call_binary(gen, "llvm.smax", v_count, l_i64(gen, 0));
    LLVMValueRef v_extent =
        call_binary(gen, "llvm.umax", LLVMGetOperand(loop->v_latch_test, 1), l_i64(gen, 1));
    v_count = call_binary(gen, "llvm.umin", v_count, v_extent);
    LLVMValueRef v_none = l_compare(gen, LLVMIntEQ, v_count, l_i64(gen, 0));
    LLVMBuildCondBr(gen->builder, v_none, loop->b_exit, loop->b_header);
    LLVMInstructionEraseFromParent(v_enter);
    LLVMSetOperand(loop->v_latch_test, 1, v_count);
    LLVMSetCondition(loop->v_guard, LLVMConstInt(gen->t_i1, loop->body == 0, false));
}

void
ck_host_apply_trip_guards(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            struct guarded_loop loop = {.b_header = b};
            if (match_loop(&loop))
                reduce_trip_count(gen, &loop);
        }
    }
}
