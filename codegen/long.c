/* Finds functions for which some of LLVM's passes take the square of the length or more.
 *
 * What such a pass costs depends less on instructions than on loops, which each pass over loops
 * analyses anew after it has changed another one, and on the suspensions of coroutines, each of
 * which becomes a way into the function. So a function of many of them is long too, as if each were
 * so many instructions. */
#include "base/index.h"
#include "codegen/flow.h"

enum { LONG = 12000, LOOP = 80, SUSPENSION = 40 };

struct block {
    LLVMBasicBlockRef b_self;
    LLVMValueRef v_end;
    unsigned next; /* the successor that is walked to next */
    bool open;     /* the walk is behind this block */
};

/* A walk through a function, depth first. */
struct walk {
    struct ck_arena *arena;
    struct block *blocks; /* those seen */
    int n_blocks, capacity;
    struct ck_index index;
    int *way; /* from the entry to where the walk is */
    int n_way, way_capacity;
};

static int
find_block(const struct walk *walk, LLVMBasicBlockRef b)
{
    int i = ck_index_first(&walk->index, ck_hash_pointer(b));
    while (i >= 0 && walk->blocks[i].b_self != b)
        i = ck_index_next(&walk->index, i);
    return i;
}

static void
enter_block(struct walk *walk, LLVMBasicBlockRef b)
{
    struct block block = {.b_self = b, .v_end = LLVMGetBasicBlockTerminator(b), .open = true};
    CK_PUSH(walk->arena, walk->way, walk->n_way, walk->way_capacity, walk->n_blocks);
    CK_PUSH(walk->arena, walk->blocks, walk->n_blocks, walk->capacity, block);
    ck_index_add(walk->arena, &walk->index, ck_hash_pointer(b));
}

/* The branches back to a block that the walk came through: each is a loop's. */
static int
count_loops(struct ck_arena *arena, LLVMValueRef v_function)
{
    struct walk walk = {.arena = arena};
    int n = 0;
    enter_block(&walk, LLVMGetEntryBasicBlock(v_function));
    while (walk.n_way > 0) {
        struct block *block = &walk.blocks[walk.way[walk.n_way - 1]];
        if (block->next == LLVMGetNumSuccessors(block->v_end)) {
            block->open = false;
            walk.n_way--;
            continue;
        }
        LLVMBasicBlockRef b_next = LLVMGetSuccessor(block->v_end, block->next++);
        int known = find_block(&walk, b_next);
        if (known < 0)
            enter_block(&walk, b_next);
        else
            n += walk.blocks[known].open;
    }
    return n;
}

static bool
is_long(struct ck_arena *arena, LLVMValueRef v_function)
{
    int n = 0, n_suspensions = 0;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function);
    for (; b && n <= LONG; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
            n++;
            n_suspensions += ck_flow_calls(v, "llvm.coro.suspend");
        }
    }
    if (n == 0 || n > LONG)
        return n > LONG;
    return SUSPENSION * n_suspensions + LOOP * count_loops(arena, v_function) > LONG;
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
