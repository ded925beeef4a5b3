/* Splits coroutines into plain functions in linear time, for modules with many suspensions.
 *
 * LLVM's coroutine passes take more than linear time in the number of suspensions. Here a coroutine
 * becomes one function that resumes a thread: a switch on entry goes to the suspension where the
 * thread waits. A value that is live across a suspension is stored in the frame where it is
 * computed and loaded before each use in another block; local arrays are in the frame. */
#include <llvm-c/Analysis.h>

#include "codegen/core/ir_util.h"
#include "codegen/host/host.h"

/* The frame begins with the function that resumes the thread, the suspension where it waits (0: it
 * has not started) and the parameters of the coroutine's start. */
enum { RESUME = 0, STATE = 8, FIRST_PARAM = 16, PARAM = 8 };

/* How many blocks between a definition and a use are looked at for a suspension. With more, the
 * value is kept in the frame: that is always right. */
enum { MOST_BETWEEN = 16 };

struct use {
    LLVMValueRef v_user;
    unsigned operand;
};

struct split {
    struct ck_gen *gen;
    LLVMBuilderRef builder;
    LLVMValueRef v_start, v_resume;
    LLVMValueRef v_frame; /* in v_resume */
    uint64_t bytes;       /* of the frame so far */
    uint32_t n_suspensions;
    struct use *uses; /* of one value, in other blocks than its own */
    int n_uses, capacity;
};

/* --- Blocks ------------------------------------------------------------------------------------
 */

static bool
suspends(LLVMValueRef v)
{
    return ck_ir_calls(v, "llvm.coro.suspend");
}

/* A suspension ends a block. The next one begins with the call for now. */
static void
end_block(struct split *split, LLVMValueRef v_suspension, LLVMValueRef v_switch)
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
            if (suspends(v))
                end_block(split, v, v_switch);
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
        if (v_user == v_last) /* several operands of one, which follow each other */
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
is_among(const LLVMBasicBlockRef *blocks, int n, LLVMBasicBlockRef b)
{
    while (--n >= 0 && blocks[n] != b)
        ;
    return n >= 0;
}

/* Whether a thread may be resumed between a definition in one block and a use in another. */
static bool
may_suspend_between(LLVMBasicBlockRef b_home, LLVMBasicBlockRef b_use)
{
    LLVMBasicBlockRef blocks[MOST_BETWEEN] = {b_use};
    int n = 1;
    for (int i = 0; i < n; i++) {
        if (suspends(LLVMGetFirstInstruction(blocks[i])))
            return true;
        LLVMUseRef edge = LLVMGetFirstUse(LLVMBasicBlockAsValue(blocks[i]));
        for (; edge; edge = LLVMGetNextUse(edge)) {
            LLVMBasicBlockRef b_from = LLVMGetInstructionParent(LLVMGetUser(edge));
            if (b_from == b_home || is_among(blocks, n, b_from))
                continue;
            if (n == MOST_BETWEEN)
                return true;
            blocks[n++] = b_from;
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
reserve(struct split *split, uint64_t bytes, uint64_t align)
{
    uint64_t offset = (split->bytes + align - 1) / align * align;
    split->bytes = offset + bytes;
    return offset;
}

/* A phi has one value for all edges from a block. */
static LLVMValueRef
replaced_before(const struct split *split, int at)
{
    const struct use *use = &split->uses[at];
    for (int i = at - 1; i >= 0 && split->uses[i].v_user == use->v_user; i--) {
        if (LLVMIsAPHINode(use->v_user) && block_of_use(&split->uses[i]) == block_of_use(use))
            return LLVMGetOperand(use->v_user, split->uses[i].operand);
    }
    return NULL;
}

/* Uses read the frame at an offset, or take that address if `type` is NULL. */
static void
replace_uses(struct split *split, uint64_t offset, LLVMTypeRef type)
{
    for (int i = 0; i < split->n_uses; i++) {
        const struct use *use = &split->uses[i];
        LLVMValueRef v_new = replaced_before(split, i);
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
keep(struct split *split, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    uint64_t offset = reserve(split, LLVMABISizeOfType(split->gen->layout, type),
                              LLVMABIAlignmentOfType(split->gen->layout, type));
    LLVMValueRef v_next = LLVMGetNextInstruction(v);
    while (LLVMIsAPHINode(v_next))
        v_next = LLVMGetNextInstruction(v_next);
    LLVMPositionBuilderBefore(split->builder, v_next);
    LLVMBuildStore(split->builder, v, l_offset(split->gen, split->v_frame, offset));
    replace_uses(split, offset, type);
}

static void
keep_values(struct split *split, LLVMBasicBlockRef b_first)
{
    for (LLVMBasicBlockRef b = b_first; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef v_next;
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = v_next) {
            v_next = LLVMGetNextInstruction(v);
            find_uses(split, v);
            if (is_live_across_suspension(split, v))
                keep(split, v);
        }
    }
}

/* Moves all of them: nothing else in the entry block is used. */
static void
keep_local_arrays(struct split *split)
{
    LLVMValueRef v = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(split->v_start));
    for (; v; v = LLVMGetNextInstruction(v)) {
        if (!LLVMIsAAllocaInst(v))
            continue;
        uint64_t bytes = LLVMABISizeOfType(split->gen->layout, LLVMGetAllocatedType(v));
        find_uses(split, v);
        replace_uses(split, reserve(split, bytes, LLVMGetAlignment(v)), NULL);
    }
}

/* --- Functions ---------------------------------------------------------------------------------
 */

static uint64_t
param_offset(unsigned i)
{
    return FIRST_PARAM + PARAM * (uint64_t)i;
}

/* The entry of the resume function. Returns its switch, whose default is `b_begin`. */
static LLVMValueRef
enter(struct split *split, LLVMBasicBlockRef b_begin)
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

/* A thread that has ended returns nothing, where a coroutine returns its frame. */
static void
return_nothing(struct split *split, LLVMValueRef v_return)
{
    LLVMValueRef v_frame = LLVMGetOperand(v_return, 0);
    LLVMPositionBuilderBefore(split->builder, v_return);
    LLVMBuildRetVoid(split->builder);
    LLVMInstructionEraseFromParent(v_return);
    if (LLVMIsAPHINode(v_frame) && !LLVMGetFirstUse(v_frame))
        LLVMInstructionEraseFromParent(v_frame);
}

/* Moves all but two blocks, the entry and the one that returns the frame's size, and drops what
 * only coroutines have. */
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
                return_nothing(split, v);
            else if (suspends(v) || ck_ir_calls(v, "llvm.coro.end"))
                LLVMInstructionEraseFromParent(v);
        }
    }
}

/* Called without a frame, it returns the frame's size. */
static LLVMValueRef
make_start(struct split *split)
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

/* Replaces the coroutine by the new functions. */
static LLVMValueRef
replace_start(struct split *split)
{
    LLVMValueRef v_start = make_start(split);
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
run(struct split *split)
{
    LLVMValueRef v_test = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(split->v_start));
    LLVMBasicBlockRef b_size = LLVMGetSuccessor(v_test, 0);
    LLVMBasicBlockRef b_begin = LLVMGetSuccessor(v_test, 1);
    LLVMValueRef v_begin = LLVMGetFirstInstruction(b_begin);
    if (!ck_ir_calls(v_begin, "llvm.coro.begin"))
        ck_gen_fail(split->gen, CK_ERROR_INTERNAL, "a coroutine without a beginning");
    LLVMReplaceAllUsesWith(v_begin, split->v_frame);
    LLVMInstructionEraseFromParent(v_begin);
    split_blocks(split, enter(split, b_begin));
    keep_values(split, LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(split->v_start)));
    keep_local_arrays(split);
    move_blocks(split, b_size);
    LLVMValueRef v_start = replace_start(split);
    l_attribute(split->gen, split->v_resume, 1, "dereferenceable", split->bytes);
    if (LLVMVerifyFunction(split->v_resume, LLVMReturnStatusAction))
        ck_gen_fail(split->gen, CK_ERROR_INTERNAL, "a coroutine is split wrong");
    return v_start;
}

bool
ck_host_suspends_often(const struct ck_func_info *info)
{
    enum { MOST_SUSPENSIONS = 64 };
    return ck_host_info(info)->n_suspensions > MOST_SUSPENSIONS;
}

LLVMValueRef
ck_host_split(struct ck_gen *gen, LLVMValueRef v_coroutine)
{
    struct ck_gen_function func = {0};
    struct split split = {.gen = gen, .builder = gen->builder, .v_start = v_coroutine};
    split.v_resume = func.v_function = l_function(gen, "resume", gen->t_void, &gen->t_ptr, 1);
    LLVMSetLinkage(split.v_resume, LLVMInternalLinkage);
    split.v_frame = LLVMGetParam(split.v_resume, 0);
    l_attribute(gen, split.v_resume, 1, "noalias", 0);
    gen->func = &func;
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    LLVMValueRef v_start = run(&split);
    gen->func = NULL;
    return v_start;
}
