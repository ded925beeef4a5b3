/* Kernels with barriers as loops over a block's threads, one for each part between barriers, which
 * LLVM vectorises as it does the one loop of a kernel without.
 *
 * It is made of the code of one thread, in registers, where calls mark barriers and ask for the
 * thread's index. A *region* is what all threads do from one barrier, or another place that they
 * come to together, to the next; lockstep_flow.c finds them. Each becomes a loop. What is the same
 * for all threads is computed once, before it, and decides what follows; what a thread needs of an
 * earlier region is computed again from its index, or kept in memory, an array for each value with
 * an element for each thread.
 *
 * Kernels where it is not known that all threads come to each barrier are left to coroutines. */
#include "codegen/host/block_loops.h"

#include <string.h>

#include "codegen/opt/inner_loop.h"

/* What computing a value again may cost, in instructions. */
enum { MOST_AGAIN = 16 };

/* Memory of a value of each thread. */
struct slot {
    LLVMValueRef v_of;
    int head; /* of the phi that it is for; -1: for the value itself */
    LLVMTypeRef type;
    uint64_t stride;
    LLVMValueRef v_base;
};

/* The loop of a region, by the block that heads it. */
struct region {
    LLVMBasicBlockRef b_before, b_done; /* what is done once, before and after */
    LLVMBasicBlockRef b_begin, b_end;   /* the innermost loop's beginning and end of a turn */
    LLVMValueRef v_rank;                /* in b_begin */
    LLVMValueRef v_thread[CK_LOCKSTEP_RANK + 1]; /* in the loop: the index, and the rank */
    LLVMValueRef v_loop;                         /* the loop's own metadata */
    int decides;                                 /* the block that decides what follows; -1: none */
    bool is_known;                               /* and its condition is computed once */
    int next;                                    /* the head that follows; -1: none */
    bool returns;
};

struct lockstep {
    struct ck_lockstep flow;
    struct ck_gen *gen;
    LLVMBuilderRef builder;
    struct region *regions;
    LLVMValueRef v_frame, v_extents[3];
    LLVMValueRef v_all;     /* threads of the block */
    LLVMValueRef v_threads; /* the next multiple of CK_CPU_TOGETHER */
    LLVMBasicBlockRef b_entry;
    uint64_t frame_bytes; /* a thread */
    struct slot *slots;
    int n_slots, slots_capacity;
    struct ck_index slot_index; /* by v_of */
    LLVMValueRef *v_given;      /* memory of values that threads give each other; NULL: none yet */
    struct copy {
        LLVMValueRef v_of, v_copy;
        int region;
    } * copies;
    int n_copies, copies_capacity;
    struct ck_index copy_index; /* by v_of */
    struct use {
        LLVMValueRef v;
        unsigned operand;
        LLVMValueRef v_new;
    } * uses;
    int n_uses, uses_capacity;
};

/* --- Blocks ------------------------------------------------------------------------------------
 */

/* Of the phis of a block, that a way in comes from another block. */
static void
rename_way(struct lockstep *ls, LLVMBasicBlockRef block, LLVMBasicBlockRef from,
           LLVMBasicBlockRef to)
{
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v && LLVMIsAPHINode(v); v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        LLVMPositionBuilderBefore(ls->builder, v);
        LLVMValueRef v_new = LLVMBuildPhi(ls->builder, LLVMTypeOf(v), "");
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
            LLVMValueRef v_value = LLVMGetIncomingValue(v, i);
            LLVMBasicBlockRef b_way = LLVMGetIncomingBlock(v, i);
            LLVMAddIncoming(v_new, &v_value, b_way == from ? &to : &b_way, 1);
        }
        LLVMReplaceAllUsesWith(v, v_new);
        LLVMInstructionEraseFromParent(v);
    }
}

static void
move(struct lockstep *ls, LLVMValueRef v)
{
    LLVMInstructionRemoveFromParent(v);
    LLVMInsertIntoBuilder(ls->builder, v);
}

/* What comes after a call, as a block of its own. */
static void
split_after(struct lockstep *ls, LLVMBasicBlockRef block, LLVMValueRef v_call)
{
    struct ck_lockstep *flow = &ls->flow;
    LLVMBasicBlockRef b_after = l_block(ls->gen, "after");
    LLVMValueRef v_end = LLVMGetBasicBlockTerminator(block);
    bool is_barrier = ck_ir_calls(v_call, CK_LOCKSTEP_BARRIER);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(v_end); i++)
        rename_way(ls, LLVMGetSuccessor(v_end, i), block, b_after);
    l_at(ls->gen, b_after);
    for (LLVMValueRef v; (v = LLVMGetNextInstruction(v_call));)
        move(ls, v);
    LLVMInstructionEraseFromParent(v_call);
    l_at(ls->gen, block);
    l_branch(ls->gen, b_after);
    struct ck_step step = {.b_self = b_after, .follows = is_barrier, .has_taken = !is_barrier};
    CK_PUSH(flow->arena, flow->blocks, flow->n_blocks, flow->blocks_capacity, step);
    ck_index_add(flow->arena, &flow->block_index, ck_hash_pointer(b_after));
}

/* Also drops what inlining says of how long local arrays live, which is longer now. False: there is
 * what no loops can be made of. */
static bool
split(struct lockstep *ls)
{
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(ls->flow.v_function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef v_next, v_call = NULL;
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v && !v_call; v = v_next) {
            v_next = LLVMGetNextInstruction(v);
            if (ck_ir_calls(v, CK_LOCKSTEP_NEVER))
                return false;
            if (ck_ir_calls(v, CK_LOCKSTEP_BARRIER) || ck_ir_calls(v, CK_LOCKSTEP_TAKEN))
                v_call = v;
            else if (ck_ir_calls(v, "llvm.lifetime.start.p0") ||
                     ck_ir_calls(v, "llvm.lifetime.end.p0"))
                LLVMInstructionEraseFromParent(v);
        }
        if (v_call)
            split_after(ls, b, v_call); /* what follows is looked at in its turn */
    }
    return true;
}

static struct region *
region_of(struct lockstep *ls, int block)
{
    return &ls->regions[ls->flow.blocks[block].region];
}

/* How each region ends; false: not in one way. */
static bool
find_ends(struct lockstep *ls)
{
    for (int i = 0; i < ls->flow.n_blocks; i++)
        ls->regions[i].decides = ls->regions[i].next = -1;
    for (int i = 0; i < ls->flow.n_blocks; i++) {
        const struct ck_step *block = &ls->flow.blocks[i];
        struct region *region = region_of(ls, i);
        if (block->decides && region->decides >= 0)
            return false;
        if (block->decides) {
            const struct ck_step_value *test =
                ck_step_of(&ls->flow, LLVMGetOperand(block->v_end, 0));
            region->decides = i;
            region->is_known = !test || test->scalar;
        }
        for (int k = 0; k < block->ways.n_to && !block->decides; k++) {
            if (!ls->flow.blocks[block->ways.to[k]].heads)
                continue;
            if (region->next >= 0 && region->next != block->ways.to[k])
                return false;
            region->next = block->ways.to[k];
        }
        if (block->ways.n_to == 0 && !LLVMIsAReturnInst(block->v_end))
            return false;
        region->returns |= block->ways.n_to == 0;
    }
    for (int i = 0; i < ls->flow.n_blocks; i++) {
        const struct region *region = &ls->regions[i];
        if (ls->flow.blocks[i].heads &&
            (region->decides >= 0) + (region->next >= 0) + region->returns != 1)
            return false;
    }
    return true;
}

/* --- Around regions ----------------------------------------------------------------------------
 */

static void
make_entry(struct lockstep *ls)
{
    struct ck_gen *gen = ls->gen;
    LLVMBasicBlockRef b_first = LLVMGetEntryBasicBlock(ls->flow.v_function);
    ls->b_entry = LLVMInsertBasicBlockInContext(gen->llvm, b_first, "start");
    l_at(gen, ls->b_entry);
    for (int dim = 0; dim < 3; dim++)
        ls->v_extents[dim] = gen->target->position(gen, CK_BLOCK_DIM, dim);
    ls->v_all = LLVMBuildNUWMul(ls->builder, ls->v_extents[0], ls->v_extents[1], "");
    ls->v_all = LLVMBuildNUWMul(ls->builder, ls->v_all, ls->v_extents[2], "");
    LLVMValueRef v_threads =
        LLVMBuildAdd(ls->builder, ls->v_all, l_i64(gen, CK_CPU_TOGETHER - 1), "");
    ls->v_threads =
        LLVMBuildAnd(ls->builder, v_threads, l_i64(gen, -(int64_t)CK_CPU_TOGETHER), "threads");
}

/* What is around the blocks of a region, which are not connected with it yet, nor is the loop. */
static void
open_region(struct lockstep *ls, int head)
{
    struct ck_gen *gen = ls->gen;
    struct region *region = &ls->regions[head];
    region->b_before = l_block(gen, "before");
    region->b_begin = l_block(gen, "begin");
    region->b_end = l_block(gen, "end");
    region->b_done = l_block(gen, "done");
    l_at(gen, region->b_before);
    l_branch(gen, region->b_begin);
    l_at(gen, region->b_begin);
    region->v_rank = ck_host_together_index(gen, CK_LOCKSTEP_RANK);
    l_branch(gen, ls->flow.blocks[head].b_self);
}

/* --- Values kept for later regions -------------------------------------------------------------
 */

static void
before_end_of(struct lockstep *ls, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderBefore(ls->builder, LLVMGetBasicBlockTerminator(block));
}

/* Of a value as a region's phi brings it, or as it is otherwise (`head` -1); NULL: none yet. */
static struct slot *
slot_find(struct lockstep *ls, LLVMValueRef v, int head)
{
    int i = ck_index_first(&ls->slot_index, ck_hash_pointer(v));
    while (i >= 0 && (ls->slots[i].v_of != v || ls->slots[i].head != head))
        i = ck_index_next(&ls->slot_index, i);
    return i < 0 ? NULL : &ls->slots[i];
}

static struct slot
slot_new(struct lockstep *ls, LLVMValueRef v, int head, LLVMTypeRef type, uint64_t align)
{
    struct ck_gen *gen = ls->gen;
    struct slot slot = {.v_of = v, .head = head, .type = type == gen->t_i1 ? gen->t_i8 : type};
    uint64_t size = LLVMABISizeOfType(gen->layout, slot.type);
    slot.stride = (size + align - 1) / align * align;
    before_end_of(ls, ls->b_entry);
    LLVMValueRef v_offset =
        LLVMBuildNUWMul(ls->builder, ls->v_threads, l_i64(gen, (int64_t)ls->frame_bytes), "");
    LLVMSetNSW(v_offset, true);
    slot.v_base = LLVMBuildInBoundsGEP2(ls->builder, gen->t_i8, ls->v_frame, &v_offset, 1, "kept");
    ls->frame_bytes += slot.stride;
    CK_PUSH(ls->flow.arena, ls->slots, ls->n_slots, ls->slots_capacity, slot);
    ck_index_add(ls->flow.arena, &ls->slot_index, ck_hash_pointer(v));
    return slot;
}

/* The thread's element, computed where a turn of a region begins. */
static LLVMValueRef
slot_address(struct lockstep *ls, const struct slot *slot, const struct region *region)
{
    before_end_of(ls, region->b_begin);
    LLVMValueRef v_offset =
        LLVMBuildNUWMul(ls->builder, region->v_rank, l_i64(ls->gen, (int64_t)slot->stride), "");
    LLVMSetNSW(v_offset, true);
    return LLVMBuildInBoundsGEP2(ls->builder, ls->gen->t_i8, slot->v_base, &v_offset, 1, "");
}

static LLVMValueRef
slot_load(struct lockstep *ls, const struct slot *slot, const struct region *region,
          LLVMTypeRef type)
{
    LLVMValueRef v_address = slot_address(ls, slot, region);
    LLVMValueRef v = LLVMBuildLoad2(ls->builder, slot->type, v_address, "");
    return type == slot->type ? v : LLVMBuildTrunc(ls->builder, v, type, "");
}

/* Where the builder is. */
static void
slot_store(struct lockstep *ls, LLVMValueRef v_address, LLVMValueRef v)
{
    if (LLVMTypeOf(v) == ls->gen->t_i1)
        v = LLVMBuildZExt(ls->builder, v, ls->gen->t_i8, "");
    LLVMBuildStore(ls->builder, v, v_address);
}

static uint64_t
align_of(struct lockstep *ls, LLVMTypeRef type)
{
    return LLVMABIAlignmentOfType(ls->gen->layout, type);
}

/* The value's slot, which is written where the value is computed. */
static struct slot
slot_of(struct lockstep *ls, LLVMValueRef v)
{
    const struct slot *known = slot_find(ls, v, -1);
    if (known)
        return *known;
    LLVMTypeRef type = LLVMTypeOf(v);
    struct slot slot = slot_new(ls, v, -1, type, align_of(ls, type));
    LLVMValueRef v_address =
        slot_address(ls, &slot, region_of(ls, ck_step_of(&ls->flow, v)->block));
    LLVMValueRef v_next = LLVMGetNextInstruction(v);
    while (LLVMIsAPHINode(v_next))
        v_next = LLVMGetNextInstruction(v_next);
    if (LLVMGetInstructionParent(v) == LLVMGetInstructionParent(v_address))
        before_end_of(ls, LLVMGetInstructionParent(v)); /* after that address too */
    else
        LLVMPositionBuilderBefore(ls->builder, v_next);
    slot_store(ls, v_address, v);
    return slot;
}

/* --- Values of other regions -------------------------------------------------------------------
 */

static bool
is_index(LLVMValueRef v)
{
    return ck_ir_calls(v, CK_LOCKSTEP_INDEX);
}

/* What it costs to compute a value again: more than MOST_AGAIN where that cannot be done. */
static int
cost_again(struct lockstep *ls, LLVMValueRef v, int so_far)
{
    const struct ck_step_value *value = ck_step_of(&ls->flow, v);
    if (!value || value->scalar || so_far > MOST_AGAIN)
        return so_far;
    if (is_index(v))
        return so_far + 1;
    if (!ck_step_is_pure(v))
        return MOST_AGAIN + 1;
    so_far++;
    for (int k = 0; k < LLVMGetNumOperands(v); k++)
        so_far = cost_again(ls, LLVMGetOperand(v, (unsigned)k), so_far);
    return so_far;
}

/* Whether a thread comes from the end of a block before a head to a region without passing the
 * head: then the phi's slot may have its next value there already. */
static bool
passes_by(struct lockstep *ls, int head, int to)
{
    struct ck_lockstep *flow = &ls->flow;
    bool found = false;
    flow->n_reached = 0;
    for (int i = -1; i < flow->n_reached; i++) {
        const struct ck_step *at = &flow->blocks[i < 0 ? head : flow->reached[i]];
        int n = i < 0 ? at->n_from : at->ways.n_to;
        for (int k = 0; k < n; k++) {
            if (i < 0) { /* the ways from where the head's own begin */
                const struct ck_step *from = &flow->blocks[at->from[k]];
                for (int j = 0; j < from->ways.n_to; j++) {
                    if (from->ways.to[j] != head && !flow->blocks[from->ways.to[j]].seen)
                        flow->reached[flow->n_reached++] = from->ways.to[j];
                    flow->blocks[from->ways.to[j]].seen |= from->ways.to[j] != head;
                }
            } else if (at->ways.to[k] != head && !flow->blocks[at->ways.to[k]].seen) {
                flow->reached[flow->n_reached++] = at->ways.to[k];
                flow->blocks[at->ways.to[k]].seen = true;
            }
        }
    }
    for (int i = 0; i < flow->n_reached; i++) {
        found |= flow->blocks[flow->reached[i]].region == to;
        flow->blocks[flow->reached[i]].seen = false;
    }
    return found;
}

static LLVMValueRef in_region(struct lockstep *ls, LLVMValueRef v, int head);

static LLVMValueRef
compute_again(struct lockstep *ls, LLVMValueRef v, int head)
{
    LLVMValueRef v_copy = LLVMInstructionClone(v);
    for (int k = 0; !is_index(v) && k < LLVMGetNumOperands(v); k++) {
        LLVMValueRef v_operand = LLVMGetOperand(v, (unsigned)k);
        const struct ck_step_value *operand = ck_step_of(&ls->flow, v_operand);
        if (operand && !operand->scalar)
            LLVMSetOperand(v_copy, (unsigned)k, in_region(ls, v_operand, head));
    }
    before_end_of(ls, ls->regions[head].b_begin);
    LLVMInsertIntoBuilder(ls->builder, v_copy);
    return v_copy;
}

static LLVMValueRef
local_memory(struct lockstep *ls, LLVMValueRef v, int head)
{
    const struct slot *known = slot_find(ls, v, -1);
    struct slot slot =
        known ? *known : slot_new(ls, v, -1, LLVMGetAllocatedType(v), LLVMGetAlignment(v));
    return slot_address(ls, &slot, &ls->regions[head]);
}

static LLVMValueRef
make_in_region(struct lockstep *ls, LLVMValueRef v, int head)
{
    if (LLVMIsAAllocaInst(v))
        return local_memory(ls, v, head);
    if (cost_again(ls, v, 0) <= MOST_AGAIN)
        return compute_again(ls, v, head);
    int home = ck_step_of(&ls->flow, v)->block;
    const struct slot *brought = slot_find(ls, v, home);
    if (brought && !passes_by(ls, home, head)) {
        struct slot slot = *brought;
        return slot_load(ls, &slot, &ls->regions[head], LLVMTypeOf(v));
    }
    struct slot slot = slot_of(ls, v);
    return slot_load(ls, &slot, &ls->regions[head], LLVMTypeOf(v));
}

/* What a value of each thread is in a region that it is not computed in. */
static LLVMValueRef
in_region(struct lockstep *ls, LLVMValueRef v, int head)
{
    if (ls->flow.blocks[ck_step_of(&ls->flow, v)->block].region == head && !LLVMIsAAllocaInst(v) &&
        !is_index(v))
        return v;
    int i = ck_index_first(&ls->copy_index, ck_hash_pointer(v));
    while (i >= 0 && (ls->copies[i].v_of != v || ls->copies[i].region != head))
        i = ck_index_next(&ls->copy_index, i);
    if (i >= 0)
        return ls->copies[i].v_copy;
    struct copy copy = {v, make_in_region(ls, v, head), head};
    CK_PUSH(ls->flow.arena, ls->copies, ls->n_copies, ls->copies_capacity, copy);
    ck_index_add(ls->flow.arena, &ls->copy_index, ck_hash_pointer(v));
    return copy.v_copy;
}

/* --- Rewriting ---------------------------------------------------------------------------------
 */

/* The phis of a head that differ between threads go through memory. */
static void
bring_phi(struct lockstep *ls, LLVMValueRef v_phi, int head)
{
    struct ck_lockstep *flow = &ls->flow;
    LLVMTypeRef type = LLVMTypeOf(v_phi);
    struct slot slot = slot_new(ls, v_phi, head, type, align_of(ls, type));
    for (unsigned i = 0; i < LLVMCountIncoming(v_phi); i++) {
        LLVMBasicBlockRef b_from = LLVMGetIncomingBlock(v_phi, i);
        LLVMValueRef v_address =
            slot_address(ls, &slot, region_of(ls, ck_step_of_block(flow, b_from)));
        before_end_of(ls, b_from);
        slot_store(ls, v_address, LLVMGetIncomingValue(v_phi, i));
    }
    LLVMValueRef v_load = slot_load(ls, &slot, &ls->regions[head], type);
    LLVMReplaceAllUsesWith(v_phi, v_load);
    LLVMInstructionEraseFromParent(v_phi);
    ls->slots[ls->n_slots - 1].v_of = v_load;
    ck_index_cut(&ls->slot_index, ls->n_slots - 1);
    ck_index_add(flow->arena, &ls->slot_index, ck_hash_pointer(v_load));
    ck_step_add(flow, v_load, head)->varies = true;
    if (LLVMIsATruncInst(v_load)) /* a bool is one of a load, which other regions cannot do again */
        ck_step_add(flow, LLVMGetOperand(v_load, 0), head)->varies = true;
}

static void
bring_phis(struct lockstep *ls)
{
    for (int i = 0; i < ls->flow.n_blocks; i++) {
        const struct ck_step *block = &ls->flow.blocks[i];
        LLVMValueRef v_next;
        for (LLVMValueRef v = LLVMGetFirstInstruction(block->b_self); LLVMIsAPHINode(v);
             v = v_next) {
            v_next = LLVMGetNextInstruction(v);
            if (block->heads && !ck_step_of(&ls->flow, v)->scalar)
                bring_phi(ls, v, i);
        }
    }
}

/* Where a use is: a phi's are at the ends of the blocks before it. */
static int
home_of_use(struct lockstep *ls, LLVMValueRef v, unsigned operand, int block)
{
    if (LLVMIsAPHINode(v))
        block = ck_step_of_block(&ls->flow, LLVMGetIncomingBlock(v, operand));
    return ls->flow.blocks[block].region;
}

static void
rewrite_uses(struct lockstep *ls, LLVMValueRef v, int block)
{
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++) {
        const struct ck_step_value *operand = ck_step_of(&ls->flow, LLVMGetOperand(v, k));
        if (!operand || operand->scalar)
            continue;
        struct use use = {v, k, in_region(ls, operand->v, home_of_use(ls, v, k, block))};
        CK_PUSH(ls->flow.arena, ls->uses, ls->n_uses, ls->uses_capacity, use);
    }
}

/* All at once in the end: what is computed again is read from the code as it was. */
static void
rewrite_all_uses(struct lockstep *ls)
{
    for (int i = 0; i < ls->flow.n_blocks; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(ls->flow.blocks[i].b_self);
        for (; v; v = LLVMGetNextInstruction(v)) {
            const struct ck_step_value *value = ck_step_of(&ls->flow, v);
            if (!value || !value->scalar)
                rewrite_uses(ls, v, i);
        }
    }
    for (int i = 0; i < ls->n_uses; i++)
        LLVMSetOperand(ls->uses[i].v, ls->uses[i].operand, ls->uses[i].v_new);
}

/* A phi that is the same for all threads, before the loop of its region. */
static void
lift_phi(struct lockstep *ls, LLVMValueRef v_phi, int head)
{
    struct ck_lockstep *flow = &ls->flow;
    LLVMBasicBlockRef b_before = ls->regions[head].b_before;
    LLVMPositionBuilderBefore(ls->builder, LLVMGetFirstInstruction(b_before));
    LLVMValueRef v_new = LLVMBuildPhi(ls->builder, LLVMTypeOf(v_phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(v_phi); i++) {
        int from = ck_step_of_block(flow, LLVMGetIncomingBlock(v_phi, i));
        bool is_known = false; /* but a branch of several ways here needs as many */
        for (unsigned k = 0; k < i && !flow->blocks[from].decides; k++) {
            int other = ck_step_of_block(flow, LLVMGetIncomingBlock(v_phi, k));
            is_known |= flow->blocks[other].region == flow->blocks[from].region;
        }
        LLVMValueRef v_value = LLVMGetIncomingValue(v_phi, i);
        if (!is_known)
            LLVMAddIncoming(v_new, &v_value, &region_of(ls, from)->b_done, 1);
    }
    LLVMReplaceAllUsesWith(v_phi, v_new);
    LLVMInstructionEraseFromParent(v_phi);
}

/* What is computed once, before the loop of its region. */
static void
lift(struct lockstep *ls)
{
    for (int at = 0; at < ls->flow.n_blocks; at++) {
        int i = ls->flow.order[at];
        LLVMValueRef v_next;
        for (LLVMValueRef v = LLVMGetFirstInstruction(ls->flow.blocks[i].b_self); v; v = v_next) {
            v_next = LLVMGetNextInstruction(v);
            const struct ck_step_value *value = ck_step_of(&ls->flow, v);
            if (!value || !value->scalar)
                continue;
            if (LLVMIsAPHINode(v)) {
                lift_phi(ls, v, i);
            } else {
                before_end_of(ls, region_of(ls, i)->b_before);
                move(ls, v);
            }
        }
    }
}

/* Loops around regions are long enough: several turns at once are only more code. */
static void
close_outer(struct lockstep *ls, LLVMValueRef v_branch, const struct ck_step *from, int to)
{
    if (ls->flow.blocks[to].place <= from->place)
        ck_loop_mark(ls->gen, v_branch, "llvm.loop.unroll.disable", NULL);
}

/* The end of a region for all threads: any thread's condition is that of all. */
static void
close_deciding(struct lockstep *ls, const struct region *region)
{
    const struct ck_step *block = &ls->flow.blocks[region->decides];
    LLVMValueRef v_condition = LLVMGetOperand(block->v_end, 0);
    LLVMValueRef v_kept = NULL;
    LLVMTypeRef type = LLVMTypeOf(v_condition);
    if (!region->is_known) {
        LLVMPositionBuilderBefore(ls->builder, LLVMGetFirstInstruction(ls->b_entry));
        v_kept = LLVMBuildAlloca(ls->builder, type, "decided");
        before_end_of(ls, block->b_self);
        LLVMBuildStore(ls->builder, v_condition, v_kept);
    }
    l_at(ls->gen, region->b_done);
    if (v_kept)
        LLVMSetOperand(block->v_end, 0, LLVMBuildLoad2(ls->builder, type, v_kept, ""));
    move(ls, block->v_end);
    for (int k = 0; k < block->ways.n_to; k++) {
        LLVMSetSuccessor(block->v_end, (unsigned)k, ls->regions[block->ways.to[k]].b_before);
        close_outer(ls, block->v_end, block, block->ways.to[k]);
    }
    l_at(ls->gen, block->b_self);
    l_branch(ls->gen, region->b_end);
}

static void
connect(struct lockstep *ls)
{
    struct ck_gen *gen = ls->gen;
    for (int i = 0; i < ls->flow.n_blocks; i++) {
        const struct ck_step *block = &ls->flow.blocks[i];
        LLVMBasicBlockRef b_end = region_of(ls, i)->b_end;
        for (int k = 0; k < block->ways.n_to && !block->decides; k++) {
            if (ls->flow.blocks[block->ways.to[k]].heads)
                LLVMSetSuccessor(block->v_end, (unsigned)k, b_end);
        }
        if (block->ways.n_to == 0) {
            LLVMInstructionEraseFromParent(block->v_end);
            l_at(gen, block->b_self);
            l_branch(gen, b_end);
        }
    }
    for (int i = 0; i < ls->flow.n_blocks; i++) {
        const struct region *region = &ls->regions[i];
        if (!ls->flow.blocks[i].heads)
            continue;
        l_at(gen, region->b_done);
        if (region->returns)
            LLVMBuildRetVoid(ls->builder);
        else if (region->next >= 0)
            close_outer(ls, LLVMBuildBr(gen->builder, ls->regions[region->next].b_before),
                        &ls->flow.blocks[i], region->next);
        else
            close_deciding(ls, region);
    }
    l_at(gen, ls->b_entry);
}

/* Says of what a region does in memory that its threads do it each for itself: between barriers
 * they may not depend on each other. */
static void
mark_memory(struct lockstep *ls, LLVMBasicBlockRef block, const struct region *region)
{
    unsigned kind = LLVMGetMDKindIDInContext(ls->gen->llvm, "llvm.mem.parallel_loop_access", 29);
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v)) {
        if (LLVMIsALoadInst(v) || LLVMIsAStoreInst(v))
            LLVMSetMetadata(v, kind, region->v_loop);
    }
}

/* Memory of values that threads give each other, by number. */
static LLVMValueRef
given_slot(struct lockstep *ls, LLVMValueRef v)
{
    struct ck_gen *gen = ls->gen;
    uint64_t id = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0));
    uint64_t bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    if (!ls->v_given[id])
        ls->v_given[id] =
            slot_new(ls, v, -1, LLVMIntTypeInContext(gen->llvm, (unsigned)bytes * 8), bytes).v_base;
    LLVMPositionBuilderBefore(ls->builder, v);
    LLVMValueRef v_offset =
        LLVMBuildNUWMul(ls->builder, LLVMGetOperand(v, 2), l_i64(gen, (int64_t)bytes), "");
    LLVMSetNSW(v_offset, true);
    return LLVMBuildInBoundsGEP2(ls->builder, gen->t_i8, ls->v_given[id], &v_offset, 1, "");
}

/* A number that all threads add to: 0 before the region where they do. */
static LLVMValueRef
count_of(struct lockstep *ls, LLVMValueRef v)
{
    uint64_t id = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0));
    if (ls->v_given[id])
        return ls->v_given[id];
    LLVMPositionBuilderBefore(ls->builder, LLVMGetFirstInstruction(ls->b_entry));
    return ls->v_given[id] = LLVMBuildAlloca(ls->builder, ls->gen->t_i32, "count");
}

static void
add_to_count(struct lockstep *ls, LLVMValueRef v, const struct region *region)
{
    LLVMValueRef v_count = count_of(ls, v);
    before_end_of(ls, region->b_before);
    l_store(ls->gen, l_i32(ls->gen, 0), v_count, 4);
    LLVMPositionBuilderBefore(ls->builder, v);
    LLVMValueRef v_sum = l_load(ls->gen, ls->gen->t_i32, v_count, 4, "");
    v_sum = LLVMBuildAdd(ls->builder, v_sum, LLVMGetOperand(v, 1), "");
    l_store(ls->gen, v_sum, v_count, 4);
}

/* The calls that stand for exchanges, in a block that is done once, or in one of a region. */
static void
replace_calls(struct lockstep *ls, LLVMBasicBlockRef block, const struct region *region)
{
    LLVMValueRef v_next, v_new;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        if (ck_ir_calls(v, CK_LOCKSTEP_SLOT)) {
            LLVMReplaceAllUsesWith(v, given_slot(ls, v));
        } else if (ck_ir_calls(v, CK_LOCKSTEP_COUNTED)) {
            v_new = count_of(ls, v);
            LLVMPositionBuilderBefore(ls->builder, v);
            LLVMReplaceAllUsesWith(v, l_load(ls->gen, ls->gen->t_i32, v_new, 4, ""));
        } else if (ck_ir_calls(v, CK_LOCKSTEP_COUNT)) {
            add_to_count(ls, v, region);
        } else {
            continue;
        }
        LLVMInstructionEraseFromParent(v);
    }
}

/* --- Loops -------------------------------------------------------------------------------------
 */

static LLVMValueRef
next_rank(struct lockstep *ls, LLVMValueRef v_rank, int dim, LLVMValueRef v_index)
{
    LLVMValueRef v = LLVMBuildNUWMul(ls->builder, v_rank, ls->v_extents[dim], "");
    LLVMSetNSW(v, true);
    v = LLVMBuildNUWAdd(ls->builder, v, v_index, "rank");
    LLVMSetNSW(v, true);
    return v;
}

/* Blocks are small: several vectors a turn would leave most threads to the loop for what is left.
 */
static void
close_loop(struct lockstep *ls, struct region *region, struct ck_thread_loop *loop,
           LLVMValueRef v_extent)
{
    struct ck_gen *gen = ls->gen;
    LLVMValueRef v_branch = ck_host_loop_close(gen, loop, v_extent);
    ck_loop_mark(gen, v_branch, "llvm.loop.unroll.disable", NULL);
    ck_loop_mark(gen, v_branch, "llvm.loop.interleave.count", l_i32(gen, 1));
    if (!region->v_loop)
        region->v_loop = ck_loop_metadata(v_branch);
}

/* Every thread by rank, of which only that is asked. */
static void
loop_by_rank(struct lockstep *ls, struct region *region)
{
    struct ck_thread_loop loop = ck_host_loop_open(ls->gen, 0);
    region->v_thread[CK_LOCKSTEP_RANK] = loop.v_index;
    l_branch(ls->gen, region->b_begin);
    l_at(ls->gen, region->b_end);
    close_loop(ls, region, &loop, ls->v_all);
}

static void
loop_by_index(struct lockstep *ls, struct region *region)
{
    struct ck_thread_loop loops[3];
    LLVMValueRef v_rank = NULL;
    for (int dim = 2; dim >= 0; dim--) {
        loops[dim] = ck_host_loop_open(ls->gen, dim);
        region->v_thread[dim] = loops[dim].v_index;
        v_rank = dim == 2 ? loops[dim].v_index : next_rank(ls, v_rank, dim, loops[dim].v_index);
    }
    region->v_thread[CK_LOCKSTEP_RANK] = v_rank;
    l_branch(ls->gen, region->b_begin);
    l_at(ls->gen, region->b_end);
    for (int dim = 0; dim < 3; dim++)
        close_loop(ls, region, &loops[dim], ls->v_extents[dim]);
}

static bool
asks_for_index(LLVMBasicBlockRef block)
{
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v)) {
        if (is_index(v) && LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0)) != CK_LOCKSTEP_RANK)
            return true;
    }
    return false;
}

/* All that a region asks for is in its beginning. */
static void
make_loop(struct lockstep *ls, struct region *region)
{
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(region->b_before));
    l_at(ls->gen, region->b_before);
    if (asks_for_index(region->b_begin))
        loop_by_index(ls, region);
    else
        loop_by_rank(ls, region);
    l_branch(ls->gen, region->b_done);
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(region->b_begin); v; v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        if (!is_index(v))
            continue;
        uint64_t dim = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0));
        LLVMReplaceAllUsesWith(v, region->v_thread[dim]);
        LLVMInstructionEraseFromParent(v);
    }
}

/* The loops, and the memory that regions use. */
static void
finish(struct lockstep *ls)
{
    for (int i = 0; i < ls->flow.n_blocks; i++) {
        if (!ls->flow.blocks[i].heads)
            continue;
        make_loop(ls, &ls->regions[i]);
        replace_calls(ls, ls->regions[i].b_before, NULL);
        mark_memory(ls, ls->regions[i].b_begin, &ls->regions[i]);
    }
    for (int i = 0; i < ls->flow.n_blocks; i++) {
        replace_calls(ls, ls->flow.blocks[i].b_self, region_of(ls, i));
        mark_memory(ls, ls->flow.blocks[i].b_self, region_of(ls, i));
    }
}

static bool
is_same(LLVMValueRef v)
{
    return ck_ir_calls(v, CK_LOCKSTEP_SAME);
}

/* Whether all threads come with one number wherever they must, which nobody needs to look at then.
 */
static bool
agree(const struct lockstep *ls)
{
    for (int i = 0; i < ls->flow.n_blocks; i++) {
        const struct ck_step *block = &ls->flow.blocks[i];
        LLVMValueRef v = LLVMGetFirstInstruction(block->b_self);
        for (; v; v = LLVMGetNextInstruction(v)) {
            if (!is_same(v))
                continue;
            const struct ck_step_value *number = ck_step_of(&ls->flow, LLVMGetOperand(v, 0));
            if (block->parted || (number && number->varies))
                return false;
            LLVMSetOperand(v, 0, l_i64(ls->gen, 0));
        }
    }
    return true;
}

/* What asked for an index, and local arrays, have no uses left. */
static void
erase_dead(struct lockstep *ls)
{
    for (int i = 0; i < ls->flow.n_blocks; i++) {
        LLVMValueRef v_next;
        for (LLVMValueRef v = LLVMGetFirstInstruction(ls->flow.blocks[i].b_self); v; v = v_next) {
            v_next = LLVMGetNextInstruction(v);
            if (is_index(v) || is_same(v) || LLVMIsAAllocaInst(v))
                LLVMInstructionEraseFromParent(v);
        }
    }
}

static bool
transform(struct lockstep *ls)
{
    if (!split(ls) || !ck_lockstep_analyse(&ls->flow) || !agree(ls))
        return false;
    ls->regions = CK_NEW_ARRAY(ls->flow.arena, struct region, ls->flow.n_blocks);
    if (!find_ends(ls))
        return false;
    make_entry(ls);
    for (int i = 0; i < ls->flow.n_blocks; i++) {
        if (ls->flow.blocks[i].heads)
            open_region(ls, i);
    }
    l_at(ls->gen, ls->b_entry);
    l_branch(ls->gen, ls->regions[ls->flow.order[0]].b_before);
    bring_phis(ls);
    rewrite_all_uses(ls);
    lift(ls);
    connect(ls);
    erase_dead(ls);
    finish(ls);
    return true;
}

bool
ck_lockstep_make(struct ck_gen *gen, LLVMValueRef v_function, uint32_t n_given,
                 uint64_t *frame_bytes)
{
    struct ck_arena_mark mark = ck_arena_mark(&gen->arena);
    struct ck_gen_function func = {.v_function = v_function};
    struct lockstep ls = {
        .flow = {.gen = gen, .arena = &gen->arena, .v_function = v_function},
        .gen = gen,
        .builder = gen->builder,
        .v_frame = LLVMGetParam(v_function, 2),
        .v_given = CK_NEW_ARRAY(&gen->arena, LLVMValueRef, n_given),
    };
    func.v_hidden[HIDDEN_BLOCK] = LLVMGetParam(v_function, 1);
    gen->func = &func;
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    bool made = transform(&ls);
    *frame_bytes = ls.frame_bytes;
    gen->func = NULL;
    ck_arena_release(&gen->arena, mark);
    return made;
}
