/* Which parts of a kernel with barriers all threads of a block go through together.
 *
 * Threads part at a branch whose condition differs between them, until they meet where every way
 * from it leads. What differs comes from a thread's index and from memory. The blocks between two
 * barriers are a region, which begins at one block, its head; so do the ways from a branch that all
 * threads take alike and that has a barrier on one of them, and where such ways meet. */
#include "codegen/host/block_loops.h"

#include <string.h>

enum { MOST_BLOCKS = 512 };

/* --- Blocks and values -------------------------------------------------------------------------
 */

int
ck_step_of_block(const struct ck_lockstep *ls, LLVMBasicBlockRef b_block)
{
    int i = ck_index_first(&ls->block_index, ck_hash_pointer(b_block));
    while (i >= 0 && ls->blocks[i].b_self != b_block)
        i = ck_index_next(&ls->block_index, i);
    return i;
}

struct ck_step_value *
ck_step_of(const struct ck_lockstep *ls, LLVMValueRef v)
{
    int i = ck_index_first(&ls->value_index, ck_hash_pointer(v));
    while (i >= 0 && ls->values[i].v != v)
        i = ck_index_next(&ls->value_index, i);
    return i < 0 ? NULL : &ls->values[i];
}

struct ck_step_value *
ck_step_add(struct ck_lockstep *ls, LLVMValueRef v, int block)
{
    struct ck_step_value value = {.v = v, .block = block};
    CK_PUSH(ls->arena, ls->values, ls->n_values, ls->values_capacity, value);
    ck_index_add(ls->arena, &ls->value_index, ck_hash_pointer(v));
    return &ls->values[ls->n_values - 1];
}

static bool
find_blocks(struct ck_lockstep *ls)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(ls->v_function); b;
         b = LLVMGetNextBasicBlock(b)) {
        struct ck_step block = {.b_self = b, .v_end = LLVMGetBasicBlockTerminator(b)};
        int known = ck_step_of_block(ls, b);
        if (ls->n_blocks == MOST_BLOCKS)
            return false;
        if (known >= 0) /* that follows a barrier */
            ls->blocks[known].v_end = block.v_end;
        else {
            CK_PUSH(ls->arena, ls->blocks, ls->n_blocks, ls->blocks_capacity, block);
            ck_index_add(ls->arena, &ls->block_index, ck_hash_pointer(b));
        }
    }
    for (int i = 0; i < ls->n_blocks; i++) {
        struct ck_step *block = &ls->blocks[i];
        block->ways.n_to = (int)LLVMGetNumSuccessors(block->v_end);
        block->ways.to = CK_NEW_ARRAY(ls->arena, int, block->ways.n_to + 1);
        for (int k = 0; k < block->ways.n_to; k++) {
            block->ways.to[k] = ck_step_of_block(ls, LLVMGetSuccessor(block->v_end, (unsigned)k));
            struct ck_step *to = &ls->blocks[block->ways.to[k]];
            CK_PUSH(ls->arena, to->from, to->n_from, to->from_capacity, i);
        }
        LLVMValueRef v = LLVMGetFirstInstruction(block->b_self);
        for (; v; v = LLVMGetNextInstruction(v))
            ck_step_add(ls, v, i);
    }
    ls->reached = CK_NEW_ARRAY(ls->arena, int, ls->n_blocks);
    return true;
}

/* In reverse of the order in which a walk leaves them; false: some are not reachable. */
static bool
order_blocks(struct ck_lockstep *ls)
{
    struct way {
        int block, next;
    } *ways = CK_NEW_ARRAY(ls->arena, struct way, ls->n_blocks + 1);
    int n = 1, last = ls->n_blocks;
    int entry = ck_step_of_block(ls, LLVMGetEntryBasicBlock(ls->v_function));
    ls->order = CK_NEW_ARRAY(ls->arena, int, ls->n_blocks);
    ways[0] = (struct way){entry, 0};
    ls->blocks[entry].seen = true;
    while (n) {
        struct way *way = &ways[n - 1];
        const struct ck_step *block = &ls->blocks[way->block];
        if (way->next == block->ways.n_to) {
            ls->order[--last] = way->block;
            n--;
            continue;
        }
        int to = block->ways.to[way->next++];
        if (!ls->blocks[to].seen)
            ways[n++] = (struct way){to, 0};
        ls->blocks[to].seen = true;
    }
    for (int i = 0; i < ls->n_blocks; i++) {
        ls->blocks[i].seen = false;
        ls->blocks[ls->order[i]].place = i;
    }
    return last == 0;
}

/* --- What comes after --------------------------------------------------------------------------
 */

/* False: from some block there is no way to the end. */
static bool
find_after(struct ck_lockstep *ls)
{
    struct ck_ways **ways = CK_NEW_ARRAY(ls->arena, struct ck_ways *, ls->n_blocks);
    for (int i = 0; i < ls->n_blocks; i++)
        ways[i] = &ls->blocks[i].ways;
    return ck_flow_find_after(ls->arena, ways, ls->n_blocks, ls->order);
}

/* Lists in `reached` the blocks on the ways from the end of block `from` to where they meet, which
 * is listed too. Whether the block itself is among them. */
static bool
walk(struct ck_lockstep *ls, int from)
{
    const uint64_t *after = ls->blocks[from].ways.after;
    bool comes_back = false;
    ls->n_reached = 0;
    for (int at = -1; at < ls->n_reached; at++) {
        int i = at < 0 ? from : ls->reached[at];
        comes_back |= at >= 0 && i == from;
        if (at >= 0 && ck_flow_has(after, i))
            continue;
        for (int k = 0; k < ls->blocks[i].ways.n_to; k++) {
            int next = ls->blocks[i].ways.to[k];
            if (!ls->blocks[next].seen)
                ls->reached[ls->n_reached++] = next;
            ls->blocks[next].seen = true;
        }
    }
    for (int at = 0; at < ls->n_reached; at++)
        ls->blocks[ls->reached[at]].seen = false;
    return comes_back;
}

/* --- What differs ------------------------------------------------------------------------------
 */

/* Of an argument, or of what is known of the block, none of which change. */
static bool
is_invariant_load(LLVMValueRef v)
{
    unsigned kind =
        LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(v)), "invariant.load", 14);
    if (!LLVMIsALoadInst(v))
        return false;
    LLVMValueRef v_from = LLVMGetOperand(v, 0);
    while (LLVMIsAGetElementPtrInst(v_from))
        v_from = LLVMGetOperand(v_from, 0);
    return LLVMIsAArgument(v_from) || LLVMGetMetadata(v, kind);
}

/* Of an intrinsic of LLVM's that only computes. */
static bool
is_pure_call(LLVMValueRef v)
{
    LLVMValueRef v_callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    if (!v_callee || !LLVMIsAFunction(v_callee) || !LLVMGetIntrinsicID(v_callee))
        return false;
    return ck_ir_accesses_no_memory(v_callee) && ck_ir_has_attribute(v_callee, "speculatable");
}

static bool
divides(LLVMValueRef v)
{
    switch ((int)LLVMGetInstructionOpcode(v)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return true;
    default:
        return false;
    }
}

/* As ck_step_is_pure, but division by zero. */
static bool
only_computes(LLVMValueRef v)
{
    return ck_ir_is_pure(v) || is_pure_call(v);
}

bool
ck_step_is_pure(LLVMValueRef v)
{
    return only_computes(v) && !divides(v);
}

/* Whether it is the same for all threads where its operands are. */
static bool
follows_operands(LLVMValueRef v)
{
    return only_computes(v) || LLVMIsAPHINode(v) || LLVMIsATerminatorInst(v) ||
           is_invariant_load(v) || ck_ir_calls(v, CK_LOCKSTEP_COUNTED);
}

static bool
has_varying_operand(const struct ck_lockstep *ls, LLVMValueRef v)
{
    for (int k = 0; k < LLVMGetNumOperands(v); k++) {
        const struct ck_step_value *operand = ck_step_of(ls, LLVMGetOperand(v, (unsigned)k));
        if (operand && operand->varies)
            return true;
    }
    return false;
}

static void
vary_in(struct ck_lockstep *ls, int block, bool all)
{
    LLVMValueRef v = LLVMGetFirstInstruction(ls->blocks[block].b_self);
    for (; v && (all || LLVMIsAPHINode(v)); v = LLVMGetNextInstruction(v)) {
        if (!LLVMIsATerminatorInst(v)) /* threads part by what they compute */
            ck_step_of(ls, v)->varies = true;
    }
}

/* Threads part at the end of a block. If that is a loop's, they have taken different turns when
 * they meet. */
static void
part(struct ck_lockstep *ls, int from)
{
    bool is_loop = walk(ls, from);
    for (int at = 0; at < ls->n_reached; at++) {
        int i = ls->reached[at];
        bool inside = i == from || !ck_flow_has(ls->blocks[from].ways.after, i);
        ls->blocks[i].parted |= inside;
        vary_in(ls, i, is_loop && inside);
    }
}

static void
find_varying(struct ck_lockstep *ls)
{
    for (int i = 0; i < ls->n_values; i++)
        ls->values[i].varies = !follows_operands(ls->values[i].v);
    for (bool changes = true; changes;) {
        changes = false;
        for (int i = 0; i < ls->n_values; i++) {
            struct ck_step_value *value = &ls->values[i];
            if (value->varies || !has_varying_operand(ls, value->v))
                continue;
            value->varies = changes = true;
            if (LLVMIsATerminatorInst(value->v) && ls->blocks[value->block].ways.n_to > 1)
                part(ls, value->block);
        }
    }
}

/* --- Regions -----------------------------------------------------------------------------------
 */

/* Branches with a head on their ways are decided for all threads at once; false: one that threads
 * take differently. */
static bool
decide(struct ck_lockstep *ls, bool *changes)
{
    for (int i = 0; i < ls->n_blocks; i++) {
        struct ck_step *block = &ls->blocks[i];
        if (block->ways.n_to < 2 || block->decides)
            continue;
        bool has_head = false;
        walk(ls, i);
        for (int at = 0; at < ls->n_reached; at++) {
            int j = ls->reached[at];
            has_head |= ls->blocks[j].heads && (j == i || !ck_flow_has(block->ways.after, j));
        }
        if (!has_head)
            continue;
        if (ck_step_of(ls, block->v_end)->varies)
            return false;
        block->decides = *changes = true;
        for (int k = 0; k < block->ways.n_to; k++)
            ls->blocks[block->ways.to[k]].heads = true;
    }
    return true;
}

/* Blocks belong to the region that all before them belong to; where several meet another begins. */
static void
spread(struct ck_lockstep *ls, bool *changes)
{
    for (int i = 0; i < ls->n_blocks; i++)
        ls->blocks[i].region = -1;
    for (int at = 0; at < ls->n_blocks; at++) {
        struct ck_step *block = &ls->blocks[ls->order[at]];
        for (int k = 0; k < block->n_from && !block->heads; k++) {
            int region = ls->blocks[block->from[k]].region;
            if (block->region < 0)
                block->region = region;
        }
        if (block->heads)
            block->region = ls->order[at];
    }
    for (int i = 0; i < ls->n_blocks; i++) {
        struct ck_step *block = &ls->blocks[i];
        for (int k = 0; k < block->n_from && !block->heads; k++) {
            if (ls->blocks[block->from[k]].region != block->region)
                block->heads = *changes = true;
        }
    }
}

/* False: threads come to the beginning of a region apart. */
static bool
find_regions(struct ck_lockstep *ls)
{
    for (int i = 0; i < ls->n_blocks; i++)
        ls->blocks[i].heads = ls->blocks[i].follows;
    ls->blocks[ls->order[0]].heads = true;
    for (bool changes = true; changes;) {
        changes = false;
        if (!decide(ls, &changes))
            return false;
        spread(ls, &changes);
    }
    for (int i = 0; i < ls->n_blocks; i++) {
        if (ls->blocks[i].heads && ls->blocks[i].parted)
            return false;
    }
    return true;
}

/* --- What is computed once ---------------------------------------------------------------------
 */

/* Before a head: each region that leads there gives one value. */
static bool
is_scalar_phi(const struct ck_lockstep *ls, const struct ck_step_value *phi)
{
    unsigned n = LLVMCountIncoming(phi->v);
    if (!ls->blocks[phi->block].heads)
        return false;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < i; k++) {
            int a = ck_step_of_block(ls, LLVMGetIncomingBlock(phi->v, i));
            int b = ck_step_of_block(ls, LLVMGetIncomingBlock(phi->v, k));
            if (ls->blocks[a].region == ls->blocks[b].region &&
                LLVMGetIncomingValue(phi->v, i) != LLVMGetIncomingValue(phi->v, k))
                return false;
        }
    }
    return true;
}

static bool
may_be_scalar(const struct ck_lockstep *ls, const struct ck_step_value *value)
{
    if (value->varies || LLVMIsATerminatorInst(value->v))
        return false;
    if (LLVMIsAPHINode(value->v))
        return is_scalar_phi(ls, value);
    const struct ck_step *block = &ls->blocks[value->block];
    return ck_step_is_pure(value->v) ||
           ck_flow_has(ls->blocks[block->region].ways.after, value->block);
}

static void
find_scalars(struct ck_lockstep *ls)
{
    for (int i = 0; i < ls->n_values; i++)
        ls->values[i].scalar = may_be_scalar(ls, &ls->values[i]);
    for (bool changes = true; changes;) {
        changes = false;
        for (int i = 0; i < ls->n_values; i++) {
            struct ck_step_value *value = &ls->values[i];
            for (int k = 0; value->scalar && k < LLVMGetNumOperands(value->v); k++) {
                const struct ck_step_value *operand =
                    ck_step_of(ls, LLVMGetOperand(value->v, (unsigned)k));
                if (operand && !operand->scalar) {
                    value->scalar = false;
                    changes = true;
                }
            }
        }
    }
}

/* Whether a thread comes from a block to the end of another one without a barrier. */
static bool
comes_to(struct ck_lockstep *ls, int from, int to)
{
    bool found = false;
    ls->n_reached = 0;
    ls->reached[ls->n_reached++] = from;
    for (int at = 0; at < ls->n_reached; at++) {
        const struct ck_step *block = &ls->blocks[ls->reached[at]];
        found |= ls->reached[at] == to;
        for (int k = 0; k < block->ways.n_to; k++) {
            struct ck_step *next = &ls->blocks[block->ways.to[k]];
            if (!next->follows && !next->seen)
                ls->reached[ls->n_reached++] = block->ways.to[k];
            next->seen |= !next->follows;
        }
    }
    for (int at = 0; at < ls->n_reached; at++)
        ls->blocks[ls->reached[at]].seen = false;
    return found;
}

/* In a loop that has no other barrier, a thread gives the next value to those who have not looked
 * at this one yet: there they wait for each other after the look, too. */
static void
guard_values(struct ck_lockstep *ls)
{
    for (int i = 0; i < ls->n_blocks; i++) {
        struct ck_step *block = &ls->blocks[i];
        for (int k = 0; block->has_taken && !block->follows && k < block->n_from; k++) {
            const struct ck_step *look = &ls->blocks[block->from[k]];
            for (int j = 0; j < look->n_from && !block->follows; j++)
                block->follows = comes_to(ls, i, look->from[j]);
        }
    }
}

bool
ck_lockstep_analyse(struct ck_lockstep *ls)
{
    if (!find_blocks(ls) || !order_blocks(ls) || !find_after(ls))
        return false;
    guard_values(ls);
    find_varying(ls);
    if (!find_regions(ls))
        return false;
    find_scalars(ls);
    return true;
}
