/* Splits coroutines into plain functions in linear time, for modules with many suspensions.
 *
 * LLVM's coroutine passes take more than linear time in the number of suspensions. This pass makes
 * the same form as LLVM's switched-resume lowering (LLVM, "Coroutines in LLVM"): a start function,
 * and a resume function that begins with a switch to the suspension at which the thread waits. A
 * value that is live across a suspension is spilled: stored to the coroutine frame where it is
 * defined, loaded before each use in another block. Each spilled value has a slot of its own. Local
 * arrays are in the frame. */
#include <llvm-c/Analysis.h>

#include "codegen/core/ir_util.h"
#include "codegen/host/host.h"

/* The frame begins with the resume function, the number of the suspension at which the thread waits
 * (0: it has not started) and the parameters of the start function. */
enum { RESUME = 0, STATE = 8, FIRST_PARAM = 16, PARAM = 8 };

/* The search for a suspension between a definition and a use visits at most so many blocks. If
 * there are more, the value is spilled, which is always correct. */
enum { MAX_BLOCKS_BETWEEN = 16 };

struct use {
    LLVMValueRef v_user;
    unsigned operand;
};

struct split {
    struct ck_gen *gen;
    LLVMBuilderRef builder;
    LLVMValueRef v_start, v_resume;
    LLVMValueRef v_frame; /* the parameter of v_resume */
    uint64_t bytes;       /* of the frame so far */
    uint32_t n_suspensions;
    struct use *uses; /* of the value at hand, in blocks other than its own */
    int n_uses, capacity;
};

/* --- Blocks ------------------------------------------------------------------------------------
 */

static bool
is_suspension(LLVMValueRef v)
{
    return ck_ir_calls(v, "llvm.coro.suspend");
}

/* Splits a block before a suspension: the first part stores the state and returns. The second part
 * begins with the suspension's call, which move_blocks erases. */
static void
return_at(struct split *split, LLVMValueRef v_suspension, LLVMValueRef v_switch)
{
    struct ck_gen *gen = split->gen;
    l_at(gen, ck_ir_split_block_before(gen, v_suspension));
    LLVMValueRef v_state = l_i32(gen, ++split->n_suspensions);
    l_store(gen, v_state, l_offset(gen, split->v_frame, STATE), 4);
    LLVMBuildRetVoid(split->builder);
    LLVMAddCase(v_switch, v_state, LLVMGetInstructionParent(v_suspension));
    LLVMReplaceAllUsesWith(v_suspension, LLVMConstInt(gen->t_i8, 0, false)); /* resumed */
}

static void
split_blocks(struct split *split, LLVMValueRef v_switch)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(split->v_start); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef v_next;
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = v_next) {
            v_next = LLVMGetNextInstruction(v);
            if (is_suspension(v))
                return_at(split, v, v_switch);
            else if (ck_ir_calls(v, "llvm.lifetime.start.p0") ||
                     ck_ir_calls(v, "llvm.lifetime.end.p0"))
                LLVMInstructionEraseFromParent(v);
        }
    }
}

/* --- The frame ---------------------------------------------------------------------------------
 */

/* The block in which the operand is read: for a phi, the incoming block. */
static LLVMBasicBlockRef
block_of_use(const struct use *use)
{
    return LLVMIsAPHINode(use->v_user) ? LLVMGetIncomingBlock(use->v_user, use->operand)
                                       : LLVMGetInstructionParent(use->v_user);
}

static void
find_uses(struct split *split, LLVMValueRef v)
{
    LLVMBasicBlockRef b_home = LLVMGetInstructionParent(v);
    LLVMValueRef v_last = NULL;
    split->n_uses = 0;
    for (LLVMUseRef at = LLVMGetFirstUse(v); at; at = LLVMGetNextUse(at)) {
        LLVMValueRef v_user = LLVMGetUser(at);
        if (v_user == v_last) /* uses by one instruction are adjacent */
            continue;
        v_last = v_user;
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v_user); k++) {
            struct use use = {v_user, k};
            if (LLVMGetOperand(v_user, k) == v && block_of_use(&use) != b_home)
                CK_PUSH(&split->gen->arena, split->uses, split->n_uses, split->capacity, use);
        }
    }
}

static bool
contains(const LLVMBasicBlockRef *blocks, int n, LLVMBasicBlockRef b)
{
    while (--n >= 0 && blocks[n] != b)
        ;
    return n >= 0;
}

/* Whether a path from a definition in one block to a use in another one may have a suspension. */
static bool
may_suspend_between(LLVMBasicBlockRef b_home, LLVMBasicBlockRef b_use)
{
    LLVMBasicBlockRef blocks[MAX_BLOCKS_BETWEEN] = {b_use};
    int n = 1;
    for (int i = 0; i < n; i++) {
        if (is_suspension(LLVMGetFirstInstruction(blocks[i])))
            return true;
        LLVMUseRef edge = LLVMGetFirstUse(LLVMBasicBlockAsValue(blocks[i]));
        for (; edge; edge = LLVMGetNextUse(edge)) {
            LLVMBasicBlockRef b_pred = LLVMGetInstructionParent(LLVMGetUser(edge));
            if (b_pred == b_home || contains(blocks, n, b_pred))
                continue;
            if (n == MAX_BLOCKS_BETWEEN)
                return true;
            blocks[n++] = b_pred;
        }
    }
    return false;
}

static bool
is_live_across_suspension(const struct split *split, LLVMValueRef v)
{
    for (int i = 0; i < split->n_uses; i++) {
        if (may_suspend_between(LLVMGetInstructionParent(v), block_of_use(&split->uses[i])))
            return true;
    }
    return false;
}

static uint64_t
reserve_in_frame(struct split *split, uint64_t bytes, uint64_t align)
{
    uint64_t offset = (split->bytes + align - 1) / align * align;
    split->bytes = offset + bytes;
    return offset;
}

/* The new operand that a phi already has for another edge from the same block: both edges must have
 * the same value. NULL: none. */
static LLVMValueRef
same_incoming_value(const struct split *split, int at)
{
    const struct use *use = &split->uses[at];
    for (int i = at - 1; i >= 0 && split->uses[i].v_user == use->v_user; i--) {
        if (LLVMIsAPHINode(use->v_user) && block_of_use(&split->uses[i]) == block_of_use(use))
            return LLVMGetOperand(use->v_user, split->uses[i].operand);
    }
    return NULL;
}

/* Replaces uses by a load from the frame, or by the address in it if `type` is NULL. */
static void
replace_uses(struct split *split, uint64_t offset, LLVMTypeRef type)
{
    for (int i = 0; i < split->n_uses; i++) {
        const struct use *use = &split->uses[i];
        LLVMValueRef v_new = same_incoming_value(split, i);
        if (!v_new) {
            LLVMPositionBuilderBefore(split->builder,
                                      LLVMIsAPHINode(use->v_user)
                                          ? LLVMGetBasicBlockTerminator(block_of_use(use))
                                          : use->v_user);
            v_new = l_offset(split->gen, split->v_frame, offset);
            if (type)
                v_new = LLVMBuildLoad2(split->builder, type, v_new, "");
        }
        LLVMSetOperand(use->v_user, use->operand, v_new);
    }
}

static void
spill(struct split *split, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    uint64_t offset = reserve_in_frame(split, LLVMABISizeOfType(split->gen->layout, type),
                                       LLVMABIAlignmentOfType(split->gen->layout, type));
    LLVMPositionBuilderBefore(split->builder, ck_ir_after(v));
    LLVMBuildStore(split->builder, v, l_offset(split->gen, split->v_frame, offset));
    replace_uses(split, offset, type);
}

static void
spill_values(struct split *split, LLVMBasicBlockRef b_first)
{
    for (LLVMBasicBlockRef b = b_first; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef v_next;
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = v_next) {
            v_next = LLVMGetNextInstruction(v);
            find_uses(split, v);
            if (is_live_across_suspension(split, v))
                spill(split, v);
        }
    }
}

/* Moves what other blocks use of the entry block, but its local arrays, to before `v_at`. LLVM's
 * passes compute addresses of elements there. */
static void
empty_entry(struct split *split, LLVMValueRef v_at)
{
    LLVMValueRef v_next, v = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(split->v_start));
    LLVMPositionBuilderBefore(split->builder, v_at);
    for (; v; v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        find_uses(split, v);
        if (split->n_uses > 0 && ck_ir_is_pure(v) && !LLVMIsAAllocaInst(v)) {
            LLVMInstructionRemoveFromParent(v);
            LLVMInsertIntoBuilder(split->builder, v);
        }
    }
}

/* Moves local arrays to the frame. They are all that other blocks use of the entry block. */
static void
move_local_arrays(struct split *split)
{
    LLVMValueRef v = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(split->v_start));
    for (; v; v = LLVMGetNextInstruction(v)) {
        if (!LLVMIsAAllocaInst(v))
            continue;
        uint64_t bytes = LLVMABISizeOfType(split->gen->layout, LLVMGetAllocatedType(v));
        find_uses(split, v);
        replace_uses(split, reserve_in_frame(split, bytes, LLVMGetAlignment(v)), NULL);
    }
}

/* --- Functions ---------------------------------------------------------------------------------
 */

static uint64_t
param_offset(unsigned i)
{
    return FIRST_PARAM + PARAM * (uint64_t)i;
}

/* Makes the entry block of the resume function, which loads the start function's parameters and
 * dispatches on the state. Returns its switch, whose default is `b_begin`. */
static LLVMValueRef
make_dispatch(struct split *split, LLVMBasicBlockRef b_begin)
{
    struct ck_gen *gen = split->gen;
    unsigned n = LLVMCountParams(split->v_start);
    l_at(gen, l_block(gen, "enter"));
    LLVMReplaceAllUsesWith(LLVMGetParam(split->v_start, n - 1), split->v_frame);
    for (unsigned i = 0; i + 1 < n; i++) {
        LLVMValueRef v_param = LLVMGetParam(split->v_start, i);
        LLVMValueRef v_from = l_offset(gen, split->v_frame, param_offset(i));
        LLVMReplaceAllUsesWith(v_param,
                               LLVMBuildLoad2(split->builder, LLVMTypeOf(v_param), v_from, ""));
    }
    split->bytes = param_offset(n - 1);
    LLVMValueRef v_state =
        l_load(gen, gen->t_i32, l_offset(gen, split->v_frame, STATE), 4, "state");
    return LLVMBuildSwitch(split->builder, v_state, b_begin, 16);
}

/* Replaces the return of the coroutine's handle: the resume function returns void. */
static void
return_void(struct split *split, LLVMValueRef v_return)
{
    LLVMValueRef v_frame = LLVMGetOperand(v_return, 0);
    LLVMPositionBuilderBefore(split->builder, v_return);
    LLVMBuildRetVoid(split->builder);
    LLVMInstructionEraseFromParent(v_return);
    if (LLVMIsAPHINode(v_frame) && !LLVMGetFirstUse(v_frame))
        LLVMInstructionEraseFromParent(v_frame);
}

/* Moves blocks to the resume function, except the entry and the block that returns the frame's
 * size, and erases the calls of coroutine intrinsics. */
static void
move_blocks(struct split *split, LLVMBasicBlockRef b_size)
{
    LLVMBasicBlockRef b_next, b_entry = LLVMGetEntryBasicBlock(split->v_start);
    for (LLVMBasicBlockRef b = LLVMGetNextBasicBlock(b_entry); b; b = b_next) {
        b_next = LLVMGetNextBasicBlock(b);
        if (b == b_size)
            continue;
        LLVMRemoveBasicBlockFromParent(b);
        LLVMAppendExistingBasicBlock(split->v_resume, b);
        LLVMValueRef v_next;
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = v_next) {
            v_next = LLVMGetNextInstruction(v);
            if (LLVMIsAReturnInst(v) && LLVMGetNumOperands(v) == 1)
                return_void(split, v);
            else if (is_suspension(v) || ck_ir_calls(v, "llvm.coro.end"))
                LLVMInstructionEraseFromParent(v);
        }
    }
}

/* Makes the start function. Called without a frame, it returns the frame's size. */
static LLVMValueRef
make_start_function(struct split *split)
{
    struct ck_gen *gen = split->gen;
    LLVMTypeRef type = LLVMGlobalGetValueType(split->v_start);
    LLVMValueRef v_start = LLVMAddFunction(gen->module, "", type);
    unsigned n = LLVMCountParams(v_start);
    LLVMValueRef v_frame = LLVMGetParam(v_start, n - 1);
    gen->func->v_function = v_start;
    l_at(gen, l_block(gen, "entry"));
    LLVMBasicBlockRef b_size = l_block(gen, "size"), b_begin = l_block(gen, "begin");
    LLVMBuildCondBr(gen->builder, LLVMBuildIsNull(gen->builder, v_frame, ""), b_size, b_begin);
    l_at(gen, b_size);
    LLVMValueRef v_bytes = l_i64(gen, (int64_t)split->bytes);
    LLVMBuildRet(gen->builder, LLVMBuildIntToPtr(gen->builder, v_bytes, gen->t_ptr, ""));
    l_at(gen, b_begin);
    l_store(gen, split->v_resume, l_offset(gen, v_frame, RESUME), 8);
    l_store(gen, l_i32(gen, 0), l_offset(gen, v_frame, STATE), 4);
    for (unsigned i = 0; i + 1 < n; i++)
        LLVMBuildStore(gen->builder, LLVMGetParam(v_start, i),
                       l_offset(gen, v_frame, param_offset(i)));
    l_call(gen, split->v_resume, &v_frame, 1);
    LLVMBuildRet(gen->builder, v_frame);
    return v_start;
}

/* Replaces the coroutine by the start function, under the same name. */
static LLVMValueRef
replace_start(struct split *split)
{
    LLVMValueRef v_start = make_start_function(split);
    LLVMMetadataRef scope = LLVMGetSubprogram(split->v_start);
    size_t length;
    const char *name = LLVMGetValueName2(split->v_start, &length);
    name = ck_arena_strndup(&split->gen->arena, name, length);
    LLVMDeleteFunction(split->v_start);
    LLVMSetValueName2(v_start, name, length);
    if (scope)
        LLVMSetSubprogram(split->v_resume, scope);
    return v_start;
}

static LLVMValueRef
split_coroutine(struct split *split)
{
    LLVMValueRef v_test = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(split->v_start));
    LLVMBasicBlockRef b_size = LLVMGetSuccessor(v_test, 0);
    LLVMBasicBlockRef b_begin = LLVMGetSuccessor(v_test, 1);
    LLVMValueRef v_begin = LLVMGetFirstInstruction(b_begin);
    if (!ck_ir_calls(v_begin, "llvm.coro.begin"))
        ck_gen_fail(split->gen, CK_ERROR_INTERNAL, "coroutine without llvm.coro.begin");
    empty_entry(split, v_begin);
    LLVMReplaceAllUsesWith(v_begin, split->v_frame);
    LLVMInstructionEraseFromParent(v_begin);
    split_blocks(split, make_dispatch(split, b_begin));
    spill_values(split, LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(split->v_start)));
    move_local_arrays(split);
    move_blocks(split, b_size);
    LLVMValueRef v_start = replace_start(split);
    l_attribute(split->gen, split->v_resume, 1, "dereferenceable", split->bytes);
    if (LLVMVerifyFunction(split->v_resume, LLVMReturnStatusAction))
        ck_gen_fail(split->gen, CK_ERROR_INTERNAL, "coroutine splitting produced invalid IR");
    return v_start;
}

bool
ck_host_has_many_suspensions(const struct ck_func_info *info)
{
    enum { MAX_SUSPENSIONS = 64 };
    return ck_host_info(info)->n_suspensions > MAX_SUSPENSIONS;
}

LLVMValueRef
ck_host_split_coroutine(struct ck_gen *gen, LLVMValueRef v_coroutine)
{
    struct ck_gen_function func = {0};
    struct split split = {.gen = gen, .builder = gen->builder, .v_start = v_coroutine};
    split.v_resume = func.v_function = l_function(gen, "resume", gen->t_void, &gen->t_ptr, 1);
    LLVMSetLinkage(split.v_resume, LLVMInternalLinkage);
    split.v_frame = LLVMGetParam(split.v_resume, 0);
    l_attribute(gen, split.v_resume, 1, "noalias", 0);
    gen->func = &func;
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    LLVMValueRef v_start = split_coroutine(&split);
    gen->func = NULL;
    return v_start;
}
