/* Where the lanes of a warp come together, on NVIDIA GPUs.
 *
 * An operation of a warp whose mask is not constant begins with a comparison of all lanes' masks,
 * and LLVM repeats a loop around it only where its turns divide evenly. Where all lanes of a warp
 * come to it together neither is needed: the mask may be that of all lanes, and turns left over may
 * be told by a condition, as it is the same for all.
 *
 * Lanes part at a branch whose condition differs between them, until they meet where every way from
 * it leads. But a loop that ends by what a lane has read may wait for another lane, whose tile does
 * afterwards what ends it, such as leaving a lock. So nobody waits for more than its own tile in
 * what comes after such a loop, or a call that may have one. What differs otherwise comes from
 * places: a thread's index, its lane. */
#include "codegen/nvptx/nvptx.h"

#include <string.h>

#include "base/index.h"
#include "codegen/core/ir_util.h"
#include "codegen/opt/cfg.h"

enum { MOST_BLOCKS = 512 };

/* How a value differs between lanes. */
enum level { SAME, BY_PLACE, BY_MEMORY };

struct node {
    LLVMBasicBlockRef block;
    struct ck_ways ways;
    bool parted;         /* not all lanes of a warp come here together */
    bool seen;           /* on the way being walked */
    int n_ways;          /* how many from the branch lead here */
    enum level branches; /* how the condition at its end differs */
};

struct flow {
    struct ck_gen *gen;
    struct node *nodes;
    int n, capacity;
    struct ck_index index; /* by block */
    int *stack, *reached;  /* scratch */
    int n_reached;
    struct varying {
        LLVMValueRef v;
        enum level level;
        bool waits; /* to be passed on to its users */
    } * values;
    int n_values, values_capacity;
    struct ck_index value_index;
    int *waiting; /* numbers of such values */
    int n_waiting, waiting_capacity;
};

/* --- Blocks ------------------------------------------------------------------------------------
 */

static int
node_of(const struct flow *flow, LLVMBasicBlockRef block)
{
    int i = ck_index_first(&flow->index, ck_hash_pointer(block));
    while (i >= 0 && flow->nodes[i].block != block)
        i = ck_index_next(&flow->index, i);
    return i;
}

/* Finds the blocks and what comes after each; false: too many, or one from which there is no end.
 */
static bool
find_blocks(struct flow *flow, LLVMValueRef v_kernel)
{
    struct ck_arena *arena = &flow->gen->arena;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_kernel); b; b = LLVMGetNextBasicBlock(b)) {
        if (flow->n == MOST_BLOCKS)
            return false;
        CK_PUSH(arena, flow->nodes, flow->n, flow->capacity, (struct node){.block = b});
        ck_index_add(arena, &flow->index, ck_hash_pointer(b));
    }
    struct ck_ways **ways = CK_NEW_ARRAY(arena, struct ck_ways *, flow->n);
    flow->stack = CK_NEW_ARRAY(arena, int, flow->n);
    flow->reached = CK_NEW_ARRAY(arena, int, flow->n);
    for (int i = 0; i < flow->n; i++) {
        LLVMValueRef v_end = LLVMGetBasicBlockTerminator(flow->nodes[i].block);
        ways[i] = &flow->nodes[i].ways;
        ways[i]->n_to = (int)LLVMGetNumSuccessors(v_end);
        ways[i]->to = CK_NEW_ARRAY(arena, int, ways[i]->n_to + 1);
        for (int k = 0; k < ways[i]->n_to; k++)
            ways[i]->to[k] = node_of(flow, LLVMGetSuccessor(v_end, (unsigned)k));
    }
    return ck_flow_find_after(arena, ways, flow->n, NULL);
}

/* --- Values ------------------------------------------------------------------------------------
 */

static bool
begins_with(const char *text, size_t length, const char *start)
{
    size_t n = strlen(start);
    return length >= n && memcmp(text, start, n) == 0;
}

/* The name of the function that is called without `start`, or NULL. */
static const char *
called(LLVMValueRef v_call, const char *start)
{
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(v_call), &length);
    return begins_with(name, length, start) ? name + strlen(start) : NULL;
}

static enum level
level_of_call(LLVMValueRef v_call)
{
    static const char *const of_arguments[] = {"llvm.umin.", "llvm.umax.", "llvm.smin.",
                                               "llvm.smax.", "llvm.abs."};
    static const char *const same[] = {"ntid.", "nctaid.", "ctaid."};
    const char *place = called(v_call, "llvm.nvvm.read.ptx.sreg.");
    for (size_t i = 0; place && i < sizeof same / sizeof *same; i++) {
        if (begins_with(place, strlen(place), same[i]))
            return SAME;
    }
    if (place)
        return strcmp(place, "laneid") == 0 || begins_with(place, strlen(place), "tid.")
                   ? BY_PLACE
                   : BY_MEMORY;
    for (size_t i = 0; i < sizeof of_arguments / sizeof *of_arguments; i++) {
        if (called(v_call, of_arguments[i]))
            return SAME;
    }
    return BY_MEMORY;
}

/* How it differs where its operands do not. */
static enum level
level_of(LLVMValueRef v)
{
    switch ((int)LLVMGetInstructionOpcode(v)) {
    case LLVMPHI:
    case LLVMBr:
    case LLVMSwitch:
        return SAME;
    case LLVMCall:
        return level_of_call(v);
    default:
        return ck_ir_is_pure(v) ? SAME : BY_MEMORY;
    }
}

static void
vary(struct flow *flow, LLVMValueRef v, enum level level)
{
    struct ck_arena *arena = &flow->gen->arena;
    if (level == SAME)
        return;
    int i = ck_index_first(&flow->value_index, ck_hash_pointer(v));
    while (i >= 0 && flow->values[i].v != v)
        i = ck_index_next(&flow->value_index, i);
    if (i < 0) {
        i = flow->n_values;
        CK_PUSH(arena, flow->values, flow->n_values, flow->values_capacity,
                (struct varying){.v = v});
        ck_index_add(arena, &flow->value_index, ck_hash_pointer(v));
    }
    struct varying *value = &flow->values[i];
    if (level <= value->level)
        return;
    value->level = level;
    if (!value->waits)
        CK_PUSH(arena, flow->waiting, flow->n_waiting, flow->waiting_capacity, i);
    value->waits = true;
}

/* --- Flow --------------------------------------------------------------------------------------
 */

/* What begins at block `start`, until a block of `until` or, if that is NULL, to the end: whether
 * block `from` is reached. */
static bool
walk_way(struct flow *flow, int from, int start, const uint64_t *until)
{
    int n = 0;
    bool comes_back = false;
    flow->stack[n++] = start;
    flow->nodes[start].seen = true;
    for (int at = 0; at < n; at++) {
        int i = flow->stack[at];
        comes_back |= i == from;
        if (until && ck_flow_has(until, i))
            continue;
        const struct ck_ways *ways = &flow->nodes[i].ways;
        for (int k = 0; k < ways->n_to; k++) {
            int next = ways->to[k];
            if (!flow->nodes[next].seen)
                flow->stack[n++] = next;
            flow->nodes[next].seen = true;
        }
    }
    for (int at = 0; at < n; at++) {
        struct node *node = &flow->nodes[flow->stack[at]];
        node->seen = false;
        if (node->n_ways++ == 0)
            flow->reached[flow->n_reached++] = flow->stack[at];
    }
    return comes_back;
}

static bool
walk(struct flow *flow, int from, const uint64_t *until)
{
    bool comes_back = false;
    const struct ck_ways *ways = &flow->nodes[from].ways;
    for (int k = 0; k < ways->n_to; k++)
        comes_back |= walk_way(flow, from, ways->to[k], until);
    return comes_back;
}

/* Values of a block, or those of the ways that meet there. */
static void
vary_in(struct flow *flow, LLVMBasicBlockRef block, bool all, enum level level)
{
    LLVMValueRef v = LLVMGetFirstInstruction(block);
    for (; v && (all || LLVMIsAPHINode(v)); v = LLVMGetNextInstruction(v))
        vary(flow, v, level);
}

/* Lanes part at the end of block `from`. If it is a loop's, they have taken different turns when
 * they meet. */
static void
part(struct flow *flow, int from, enum level level)
{
    if (level <= flow->nodes[from].branches)
        return;
    flow->nodes[from].branches = level;
    const uint64_t *after = flow->nodes[from].ways.after;
    bool is_loop = walk(flow, from, after);
    bool waits = is_loop && level == BY_MEMORY;
    if (waits)
        walk(flow, from, NULL);
    for (int at = 0; at < flow->n_reached; at++) {
        int i = flow->reached[at];
        struct node *node = &flow->nodes[i];
        bool inside = waits || i == from || !ck_flow_has(after, i);
        node->parted |= inside;
        if (node->n_ways > 1 || is_loop)
            vary_in(flow, node->block, is_loop && inside, level);
        node->n_ways = 0;
    }
    flow->n_reached = 0;
}

static void
pass_on(struct flow *flow, LLVMValueRef v, enum level level)
{
    if (LLVMIsATerminatorInst(v))
        part(flow, node_of(flow, LLVMGetInstructionParent(v)), level);
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        vary(flow, LLVMGetUser(use), level);
}

/* A call of a function that was not inlined, which may have such a loop. From the block's barriers
 * all lanes go on together. */
static bool
may_wait(LLVMValueRef v)
{
    LLVMValueRef v_callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    if (!v_callee || !LLVMIsAFunction(v_callee) || LLVMIsDeclaration(v_callee))
        return false;
    if (called(v, CK_NVPTX_SET_UP) || called(v, CK_NVPTX_ARRIVE) || called(v, CK_NVPTX_WAIT))
        return false;
    return !ck_ir_accesses_no_memory(v_callee);
}

/* Lanes may come to what is after block `from`, and to its own end, one tile after the other. */
static void
part_after(struct flow *flow, int from)
{
    flow->nodes[from].parted = true;
    walk(flow, from, NULL);
    for (int at = 0; at < flow->n_reached; at++) {
        flow->nodes[flow->reached[at]].parted = true;
        flow->nodes[flow->reached[at]].n_ways = 0;
    }
    flow->n_reached = 0;
}

/* Finds where the lanes of a warp are parted; false: it is not known. */
static bool
find_flow(struct flow *flow, LLVMValueRef v_kernel)
{
    if (!find_blocks(flow, v_kernel))
        return false;
    for (int i = 0; i < flow->n; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(flow->nodes[i].block);
        bool waits = false;
        for (; v; v = LLVMGetNextInstruction(v)) {
            vary(flow, v, level_of(v));
            waits |= may_wait(v);
        }
        if (waits)
            part_after(flow, i);
    }
    while (flow->n_waiting > 0) {
        struct varying *value = &flow->values[flow->waiting[--flow->n_waiting]];
        value->waits = false;
        pass_on(flow, value->v, value->level);
    }
    return true;
}

bool
ck_nvptx_where_together(struct ck_gen *gen, LLVMValueRef v_kernel,
                        bool (*visit)(struct ck_gen *, LLVMBasicBlockRef))
{
    struct ck_arena_mark mark = ck_arena_mark(&gen->arena);
    struct flow flow = {.gen = gen};
    bool known = find_flow(&flow, v_kernel), found = false;
    for (int i = 0; i < flow.n && known; i++) {
        if (!flow.nodes[i].parted)
            found |= visit(gen, flow.nodes[i].block);
    }
    ck_arena_release(&gen->arena, mark);
    return found;
}

/* --- Operations of whole warps -----------------------------------------------------------------
 */

/* The operation that waits for other lanes: its name after "llvm.nvvm.", or NULL. */
static const char *
operation(LLVMValueRef v)
{
    static const char *const names[] = {"shfl.sync.", "bar.warp.sync", "vote.", "match.",
                                        "redux.sync."};
    const char *name = LLVMIsACallInst(v) ? called(v, "llvm.nvvm.") : NULL;
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++) {
        if (begins_with(name, strlen(name), names[i]))
            return name;
    }
    return NULL;
}

/* Of the result, for all lanes, those of the mask. */
static void
cut_to(struct ck_gen *gen, LLVMValueRef v_call, LLVMValueRef v_mask)
{
    LLVMPositionBuilderBefore(gen->builder, LLVMGetNextInstruction(v_call));
    LLVMValueRef v_cut = LLVMBuildAnd(gen->builder, v_call, v_mask, "");
    LLVMReplaceAllUsesWith(v_call, v_cut);
    LLVMSetOperand(v_cut, 0, v_call);
}

/* Whether the condition holds in any lane of the mask, or in all of them. */
static void
vote(struct ck_gen *gen, LLVMValueRef v_call, LLVMValueRef v_mask, bool all)
{
    LLVMPositionBuilderBefore(gen->builder, v_call);
    LLVMValueRef v_condition = LLVMGetOperand(v_call, 1);
    if (all)
        v_condition = LLVMBuildNot(gen->builder, v_condition, "");
    LLVMValueRef args[] = {l_i32(gen, -1), v_condition};
    LLVMValueRef v_lanes = l_intrinsic(gen, "llvm.nvvm.vote.ballot.sync", NULL, args, 2);
    v_lanes = LLVMBuildAnd(gen->builder, v_lanes, v_mask, "");
    LLVMReplaceAllUsesWith(v_call,
                           l_compare(gen, all ? LLVMIntEQ : LLVMIntNE, v_lanes, l_i32(gen, 0)));
    LLVMInstructionEraseFromParent(v_call);
}

/* Gives an operation that all lanes come to the mask of all. */
static void
widen(struct ck_gen *gen, LLVMValueRef v_call, const char *name)
{
    LLVMValueRef v_mask = LLVMGetOperand(v_call, 0);
    const size_t length = strlen(name);
    if (LLVMIsAConstant(v_mask))
        return;
    if (strcmp(name, "vote.any.sync") == 0 || strcmp(name, "vote.all.sync") == 0) {
        vote(gen, v_call, v_mask, strcmp(name, "vote.all.sync") == 0);
        return;
    }
    bool gives_lanes =
        strcmp(name, "vote.ballot.sync") == 0 || begins_with(name, length, "match.any.");
    if (gives_lanes)
        cut_to(gen, v_call, v_mask);
    if (gives_lanes || begins_with(name, length, "shfl.") || strcmp(name, "bar.warp.sync") == 0)
        LLVMSetOperand(v_call, 0, l_i32(gen, -1));
}

static bool
has_operations(LLVMValueRef v_kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_kernel); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
            if (operation(v))
                return true;
        }
    }
    return false;
}

/* --- Plain calls -------------------------------------------------------------------------------
 */

static const char plain[] = "plain.";

/* A function like an operation, but that passes may make to depend on more conditions. */
static LLVMValueRef
plain_function(struct ck_gen *gen, LLVMValueRef v_operation)
{
    size_t length;
    const char *name =
        ck_arena_printf(&gen->arena, "%s%s", plain, LLVMGetValueName2(v_operation, &length));
    LLVMValueRef v_plain = LLVMGetNamedFunction(gen->module, name);
    if (v_plain)
        return v_plain;
    v_plain = LLVMAddFunction(gen->module, name, LLVMGlobalGetValueType(v_operation));
    unsigned n = LLVMGetAttributeCountAtIndex(v_operation, LLVMAttributeFunctionIndex);
    LLVMAttributeRef *attributes = CK_NEW_ARRAY(&gen->arena, LLVMAttributeRef, n);
    LLVMGetAttributesAtIndex(v_operation, LLVMAttributeFunctionIndex, attributes);
    for (unsigned i = 0; i < n; i++)
        LLVMAddAttributeAtIndex(v_plain, LLVMAttributeFunctionIndex, attributes[i]);
    LLVMRemoveEnumAttributeAtIndex(v_plain, LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName("convergent", 10));
    return v_plain;
}

static bool
free_block(struct ck_gen *gen, LLVMBasicBlockRef block)
{
    bool found = false;
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        const char *name = operation(v);
        if (name)
            widen(gen, v, name);
    }
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v)) {
        if (!operation(v))
            continue;
        LLVMSetOperand(v, (unsigned)LLVMGetNumOperands(v) - 1,
                       plain_function(gen, LLVMGetCalledValue(v)));
        found = true;
    }
    return found;
}

bool
ck_nvptx_free_exchanges(struct ck_gen *gen)
{
    bool found = false;
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        if (LLVMGetFunctionCallConv(v) == CALL_PTX_KERNEL && has_operations(v))
            found |= ck_nvptx_where_together(gen, v, free_block);
    }
    return found;
}

void
ck_nvptx_bind_exchanges(struct ck_gen *gen)
{
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = v_next) {
        size_t length;
        const char *name = LLVMGetValueName2(v, &length);
        v_next = LLVMGetNextFunction(v);
        if (!begins_with(name, length, plain))
            continue;
        LLVMReplaceAllUsesWith(v, LLVMGetNamedFunction(gen->module, name + strlen(plain)));
        LLVMDeleteFunction(v);
    }
}

/* --- Results that nobody uses ------------------------------------------------------------------
 *
 * ptxas (CUDA 13.0) leaves of such an operation under a mask that differs between lanes the
 * instruction that parts them, and takes away the one that joins them again: at a later barrier
 * part of the warp waits for ever, or the kernel ends at an illegal instruction. LLVM does not take
 * the operation for one that can go. */

/* Says of a call whether it accesses memory, which is all that keeps it. */
static void
let_drop(struct ck_gen *gen, LLVMValueRef v_call, bool may)
{
    static const char memory[] = "memory";
    if (!may) {
        LLVMRemoveCallSiteEnumAttribute(v_call, LLVMAttributeFunctionIndex,
                                        LLVMGetEnumAttributeKindForName(memory, sizeof memory - 1));
        return;
    }
    l_call_attribute(gen, v_call, LLVMAttributeFunctionIndex, "willreturn", 0);
    l_call_attribute(gen, v_call, LLVMAttributeFunctionIndex, "nounwind", 0);
    l_call_attribute(gen, v_call, LLVMAttributeFunctionIndex, memory, 0);
}

bool
ck_nvptx_let_drop_exchanges(struct ck_gen *gen, bool may)
{
    bool found = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
                const char *name = operation(v);
                if (!name || strcmp(name, "bar.warp.sync") == 0)
                    continue;
                let_drop(gen, v, may);
                found = true;
            }
        }
    }
    return found;
}

/* --- Shuffles of constants -----------------------------------------------------------------------
 *
 * ptxas (CUDA 13.0, sm_90) replaces a shuffle of a constant c by c only in a late pass, and then
 * compiles the minimum and the maximum of `c - x` and y as those of `x - c` and y. LLVM folds no
 * shuffles, so this does before ptxas sees them. */

/* Replaces all uses of the word that a shuffle gives, alone or in a pair with whether the lane is
 * there, and returns whether there were any. */
static bool
replace_word(LLVMValueRef v_shuffle, LLVMValueRef v_word)
{
    bool is_used = false;
    if (LLVMTypeOf(v_shuffle) == LLVMTypeOf(v_word)) {
        is_used = LLVMGetFirstUse(v_shuffle);
        LLVMReplaceAllUsesWith(v_shuffle, v_word);
        return is_used;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(v_shuffle); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v = LLVMGetUser(use);
        if (!LLVMIsAExtractValueInst(v) || *LLVMGetIndices(v) != 0 || !LLVMGetFirstUse(v))
            continue;
        LLVMReplaceAllUsesWith(v, v_word);
        is_used = true;
    }
    return is_used;
}

bool
ck_nvptx_fold_exchanges(struct ck_gen *gen)
{
    bool found = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
                const char *name = operation(v);
                if (!name || !begins_with(name, strlen(name), "shfl."))
                    continue;
                LLVMValueRef v_word = LLVMGetOperand(v, 1);
                if (LLVMIsConstant(v_word))
                    found |= replace_word(v, v_word);
            }
        }
    }
    return found;
}
