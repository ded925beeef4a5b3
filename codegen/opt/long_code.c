/* Code that is too long for LLVM: functions, basic blocks and numbers of sums for which some of its
 * passes take the square of the length or more.
 *
 * What such a pass costs depends less on instructions than on loops, which each pass over loops
 * analyses anew after it has changed another one. So a function of many loops is long too, as if
 * each were so many instructions. What LLVM will inline counts as a part of each caller. */
#include "base/index.h"
#include "codegen/core/ir_util.h"
#include "codegen/opt/passes.h"

enum { LONG = 12000, LONG_WITH_CALLEES = 2 * LONG, LOOP = 80 };

/* LLVM's passes for coroutines hold each block against all suspensions. Loops between barriers are
 * worth more time, and take 20 to 40 ms each. */

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

/* Instructions and loops; with those of callees that are inlined, or more than LONG_WITH_CALLEES.
 */
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

/* LLVM inlines what is called once, and what is short. A function has no calls of itself. */
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
    struct length length = measure(lengths, v_function);
    CK_PUSH(&lengths->gen->arena, lengths->items, lengths->n, lengths->capacity, length);
    ck_index_add(&lengths->gen->arena, &lengths->index, hash);
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

/* Instruction selection holds the instructions of a block against each other. */
enum { MOST_IN_BLOCK = 256 };

static void
cut_block(struct ck_gen *gen, LLVMBasicBlockRef b)
{
    int n = 0;
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        if (++n <= MOST_IN_BLOCK || LLVMIsAPHINode(v) || LLVMIsAAllocaInst(v))
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
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            cut_block(gen, b);
    }
}

/* --- Many sums ---------------------------------------------------------------------------------
 */

/* Of sums that share a term LLVM's straight-line strength reduction, which is part of the back end,
 * compares each with all others, and looks at the code around each pair: a cube. */
enum { MOST_SUMS = 48 };

static bool
is_in_many_sums(LLVMValueRef v)
{
    int n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use && n <= MOST_SUMS; use = LLVMGetNextUse(use)) {
        LLVMValueRef v_user = LLVMGetUser(use);
        n += LLVMIsABinaryOperator(v_user) && LLVMGetInstructionOpcode(v_user) == LLVMAdd;
    }
    return n > MOST_SUMS;
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
