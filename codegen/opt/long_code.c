/* Detects and splits code that is too long for LLVM: functions, basic blocks and groups of sums for
 * which some passes take quadratic time or more.
 *
 * The time of such passes depends more on loops than on instructions: each loop pass computes its
 * analyses again after it has changed a loop. A loop therefore counts as LOOP instructions. The
 * length of a callee that LLVM will inline is added to each caller. */
#include "base/index.h"
#include "codegen/core/ir_util.h"
#include "codegen/opt/passes.h"

enum { LONG = 12000, LONG_WITH_CALLEES = 2 * LONG, LOOP = 80 };

struct block {
    LLVMBasicBlockRef b_self;
    LLVMValueRef v_end;
    unsigned next;   /* the successor to visit next */
    bool is_on_path; /* from the entry to the current block */
};

/* A depth-first search of a function. */
struct search {
    struct ck_arena *arena;
    struct block *blocks; /* the visited ones */
    int n_blocks, capacity;
    struct ck_index index;
    int *path; /* from the entry to the current block */
    int n_path, path_capacity;
};

static int
find_block(const struct search *search, LLVMBasicBlockRef b)
{
    int i = ck_index_first(&search->index, ck_hash_pointer(b));
    while (i >= 0 && search->blocks[i].b_self != b)
        i = ck_index_next(&search->index, i);
    return i;
}

static void
enter_block(struct search *search, LLVMBasicBlockRef b)
{
    struct block block = {.b_self = b, .v_end = LLVMGetBasicBlockTerminator(b), .is_on_path = true};
    CK_PUSH(search->arena, search->path, search->n_path, search->path_capacity, search->n_blocks);
    CK_PUSH(search->arena, search->blocks, search->n_blocks, search->capacity, block);
    ck_index_add(search->arena, &search->index, ck_hash_pointer(b));
}

/* The number of back edges: edges to a block on the path of the search. */
static int
count_loops(struct ck_arena *arena, LLVMValueRef v_function)
{
    struct search search = {.arena = arena};
    int n = 0;
    enter_block(&search, LLVMGetEntryBasicBlock(v_function));
    while (search.n_path > 0) {
        struct block *block = &search.blocks[search.path[search.n_path - 1]];
        if (block->next == LLVMGetNumSuccessors(block->v_end)) {
            block->is_on_path = false;
            search.n_path--;
            continue;
        }
        LLVMBasicBlockRef b_next = LLVMGetSuccessor(block->v_end, block->next++);
        int known = find_block(&search, b_next);
        if (known < 0)
            enter_block(&search, b_next);
        else
            n += search.blocks[known].is_on_path;
    }
    return n;
}

/* The instructions and loops of a function and of its inlined callees. Numbers above
 * LONG_WITH_CALLEES are not exact. */
struct length {
    LLVMValueRef v_function;
    int n, n_loops;
};

struct lengths {
    struct ck_gen *gen;
    struct length *items;
    int n, capacity;
    struct ck_index index;
};

static int
cap(int n)
{
    return n > LONG_WITH_CALLEES ? LONG_WITH_CALLEES + 1 : n;
}

static struct length length_of(struct lengths *lengths, LLVMValueRef v_function);

/* LLVM inlines functions that are called once, and short ones. A recursive call counts nothing. */
static void
add_callee(struct lengths *lengths, struct length *caller, LLVMValueRef v_call)
{
    LLVMValueRef v_callee = LLVMIsACallInst(v_call) ? LLVMGetCalledValue(v_call) : NULL;
    if (!v_callee || !LLVMIsAFunction(v_callee) || LLVMIsDeclaration(v_callee) ||
        ck_ir_has_attribute(v_callee, "noinline"))
        return;
    struct length callee = length_of(lengths, v_callee);
    bool is_called_once = !LLVMGetNextUse(LLVMGetFirstUse(v_callee));
    if (!is_called_once && callee.n > lengths->gen->target->traits.most_inlined)
        return;
    caller->n = cap(caller->n + callee.n);
    caller->n_loops = cap(caller->n_loops + callee.n_loops);
}

static struct length
measure(struct lengths *lengths, LLVMValueRef v_function)
{
    struct length length = {.v_function = v_function};
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
            length.n++;
    }
    if (length.n > LONG) {
        length.n = LONG_WITH_CALLEES + 1;
        return length;
    }
    struct ck_arena_mark mark = ck_arena_mark(&lengths->gen->arena);
    length.n_loops = count_loops(&lengths->gen->arena, v_function);
    ck_arena_release(&lengths->gen->arena, mark);
    for (b = LLVMGetFirstBasicBlock(v_function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
            add_callee(lengths, &length, v);
    }
    return length;
}

static struct length
length_of(struct lengths *lengths, LLVMValueRef v_function)
{
    const uint32_t hash = ck_hash_pointer(v_function);
    int i = ck_index_first(&lengths->index, hash);
    while (i >= 0 && lengths->items[i].v_function != v_function)
        i = ck_index_next(&lengths->index, i);
    if (i >= 0)
        return lengths->items[i];
    struct length length = {.v_function = v_function};
    const int at = lengths->n;
    CK_PUSH(&lengths->gen->arena, lengths->items, lengths->n, lengths->capacity, length);
    ck_index_add(&lengths->gen->arena, &lengths->index, hash);
    length = measure(lengths, v_function);
    lengths->items[at] = length;
    return length;
}

bool
ck_gen_has_long_function(struct ck_gen *gen)
{
    struct lengths lengths = {.gen = gen};
    LLVMValueRef v_function = LLVMGetFirstFunction(gen->module);
    for (; v_function; v_function = LLVMGetNextFunction(v_function)) {
        if (LLVMIsDeclaration(v_function))
            continue;
        struct length length = length_of(&lengths, v_function);
        if (length.n > LONG_WITH_CALLEES || length.n_loops * LOOP > LONG)
            return true;
    }
    return false;
}

/* --- Long blocks -------------------------------------------------------------------------------
 */

/* Instruction selection takes quadratic time in the length of a block. */
enum { MAX_BLOCK_INSTRUCTIONS = 256 };

static void
cut_block(struct ck_gen *gen, LLVMBasicBlockRef b)
{
    int n = 0;
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        if (++n <= MAX_BLOCK_INSTRUCTIONS || LLVMIsAPHINode(v) || LLVMIsAAllocaInst(v))
            continue;
        l_at(gen, ck_ir_split_block_before(gen, v));
        l_branch(gen, b);
        n = 0;
    }
}

void
ck_gen_cut_long_blocks(struct ck_gen *gen)
{
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    ck_ir_visit_blocks(gen, cut_block);
}

/* --- Many sums ---------------------------------------------------------------------------------
 */

static bool
is_in_many_sums(LLVMValueRef v)
{
    int n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use && n <= CK_MAX_SUMS; use = LLVMGetNextUse(use)) {
        LLVMValueRef v_user = LLVMGetUser(use);
        n += LLVMIsABinaryOperator(v_user) && LLVMGetInstructionOpcode(v_user) == LLVMAdd;
    }
    return n > CK_MAX_SUMS;
}

static bool
shares_many_sums(LLVMValueRef v_function)
{
    for (LLVMValueRef v = LLVMGetFirstParam(v_function); v; v = LLVMGetNextParam(v)) {
        if (is_in_many_sums(v))
            return true;
    }
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
            if (is_in_many_sums(v))
                return true;
        }
    }
    return false;
}

bool
ck_gen_has_many_sums(struct ck_gen *gen)
{
    LLVMValueRef v_function = LLVMGetFirstFunction(gen->module);
    while (v_function && !shares_many_sums(v_function))
        v_function = LLVMGetNextFunction(v_function);
    return v_function;
}
