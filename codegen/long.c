/* Finds functions for which some of LLVM's passes take the square of the length or more.
 *
 * What such a pass costs depends less on instructions than on loops, which each pass over loops
 * analyses anew after it has changed another one, and on the suspensions of coroutines, each of
 * which becomes a way into the function. So each of them counts as many instructions. */
#include "base/index.h"
#include "codegen/flow.h"

enum { LONG = 12000, LOOP = 80, SUSPENSION = 40 };

/* The blocks of a function up to the one that is counted. */
struct blocks {
    struct ck_arena *arena;
    LLVMBasicBlockRef *blocks;
    int n, capacity;
    struct ck_index index;
};

static void
add_block(struct blocks *blocks, LLVMBasicBlockRef b)
{
    CK_PUSH(blocks->arena, blocks->blocks, blocks->n, blocks->capacity, b);
    ck_index_add(blocks->arena, &blocks->index, ck_hash_pointer(b));
}

static bool
has_block(const struct blocks *blocks, LLVMBasicBlockRef b)
{
    int i = ck_index_first(&blocks->index, ck_hash_pointer(b));
    while (i >= 0 && blocks->blocks[i] != b)
        i = ck_index_next(&blocks->index, i);
    return i >= 0;
}

/* A loop's header is written before its body: a branch back to a block is a loop. */
static int
count_loops(const struct blocks *blocks, LLVMBasicBlockRef b)
{
    LLVMValueRef v_end = LLVMGetBasicBlockTerminator(b);
    int n = 0;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(v_end); i++)
        n += has_block(blocks, LLVMGetSuccessor(v_end, i));
    return n;
}

static bool
is_long(struct ck_arena *arena, LLVMValueRef v_function)
{
    struct blocks blocks = {.arena = arena};
    int left = LONG;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function);
    for (; b && left >= 0; b = LLVMGetNextBasicBlock(b)) {
        add_block(&blocks, b);
        left -= LOOP * count_loops(&blocks, b);
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
            left -= ck_flow_calls(v, "llvm.coro.suspend") ? SUSPENSION : 1;
    }
    return left < 0;
}

bool
ck_gen_has_long_function(struct ck_gen *gen)
{
    struct ck_arena_mark mark = ck_arena_mark(&gen->arena);
    bool found = false;
    LLVMValueRef v_function = LLVMGetFirstFunction(gen->module);
    for (; v_function && !found; v_function = LLVMGetNextFunction(v_function)) {
        found = is_long(&gen->arena, v_function);
        ck_arena_release(&gen->arena, mark);
    }
    return found;
}
