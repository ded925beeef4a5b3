/* SSA construction for the memory slots of long functions.
 *
 * LLVM's mem2reg visits, for each slot, all blocks after its stores. That takes quadratic time if
 * the numbers of slots and blocks grow together. This pass constructs SSA form on demand: a load
 * looks up the value at the end of its predecessors, recursively, and places phis where paths join.
 * The cost of a load is the distance to the last store. LLVM promotes the slots of shorter
 * functions.
 *
 * Braun, Buchwald, Hack, Leissa, Mallon and Zwinkau, "Simple and Efficient Construction of Static
 * Single Assignment Form", 2013. */
#include "codegen/opt/passes.h"

/* Shorter functions are left to LLVM. */
enum { MIN_SLOTS = 256, MIN_BLOCKS = 1024 };

/* A load or store of a slot. */
struct access {
    LLVMValueRef v_inst;
    int block;
    int next; /* of the same slot; 0: none */
};

struct slot {
    LLVMValueRef v_self;
    int first, last; /* accesses, in an order in which none is after one that it dominates */
};

struct block {
    LLVMBasicBlockRef b_self;
    int *preds; /* one for each edge */
    int n_preds, preds_capacity;
    bool is_reachable;
    /* The value of the current slot at the end of the block, or, while the block's accesses are
     * being replaced, after the last replaced one. Valid if `slot` is the current slot. */
    int slot;
    LLVMValueRef v_value;
    int phi; /* the index of the current slot's phi in the block, if it has one */
};

struct phi {
    LLVMValueRef v_self; /* NULL: replaced */
    int block;
};

struct mem2reg {
    struct ck_gen *gen;
    struct ck_arena *arena;
    struct block *blocks;
    int n_blocks;
    struct ck_index block_index;
    struct slot *slots;
    int n_slots, slots_capacity;
    struct ck_index slot_index;
    struct access *accesses; /* the first is none */
    int n_accesses, accesses_capacity;
    struct phi *phis; /* of the current slot */
    int n_phis, phis_capacity;
    int *order; /* the reachable blocks in reverse post-order */
    int n_order;
    int *work; /* a worklist of phis */
    int n_work, work_capacity;
};

/* --- Slots ---------------------------------------------------------------------------------------
 */

/* Whether all uses of a slot are plain loads and stores of the whole slot. */
static bool
is_plain(LLVMValueRef v_slot)
{
    LLVMTypeRef type = LLVMGetAllocatedType(v_slot);
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind || LLVMGetTypeKind(type) == LLVMStructTypeKind)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(v_slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v_user = LLVMGetUser(use);
        bool load = LLVMIsALoadInst(v_user) && LLVMTypeOf(v_user) == type;
        bool store = LLVMIsAStoreInst(v_user) && LLVMGetOperand(v_user, 1) == v_slot &&
                     LLVMGetOperand(v_user, 0) != v_slot &&
                     LLVMTypeOf(LLVMGetOperand(v_user, 0)) == type;
        if ((!load && !store) || LLVMGetVolatile(v_user) ||
            LLVMGetOrdering(v_user) != LLVMAtomicOrderingNotAtomic)
            return false;
    }
    return true;
}

static void
find_slots(struct mem2reg *p, LLVMBasicBlockRef b_entry)
{
    for (LLVMValueRef v_inst = LLVMGetFirstInstruction(b_entry); v_inst;
         v_inst = LLVMGetNextInstruction(v_inst)) {
        if (!LLVMIsAAllocaInst(v_inst) || !is_plain(v_inst))
            continue;
        struct slot slot = {.v_self = v_inst};
        CK_PUSH(p->arena, p->slots, p->n_slots, p->slots_capacity, slot);
        ck_index_add(p->arena, &p->slot_index, ck_hash_pointer(v_inst));
    }
}

/* -1: the pointer is not a slot. */
static int
slot_of(const struct mem2reg *p, LLVMValueRef v_pointer)
{
    int i = ck_index_first(&p->slot_index, ck_hash_pointer(v_pointer));
    while (i >= 0 && p->slots[i].v_self != v_pointer)
        i = ck_index_next(&p->slot_index, i);
    return i;
}

/* --- Blocks --------------------------------------------------------------------------------------
 */

static int
block_of(const struct mem2reg *p, LLVMBasicBlockRef b_block)
{
    int i = ck_index_first(&p->block_index, ck_hash_pointer(b_block));
    while (p->blocks[i].b_self != b_block)
        i = ck_index_next(&p->block_index, i);
    return i;
}

static unsigned
n_successors(const struct mem2reg *p, int block)
{
    return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(p->blocks[block].b_self));
}

static int
successor(const struct mem2reg *p, int block, unsigned i)
{
    LLVMValueRef v_end = LLVMGetBasicBlockTerminator(p->blocks[block].b_self);
    return block_of(p, LLVMGetSuccessor(v_end, i));
}

/* Computes the order and the predecessors, by a depth-first search. */
static void
order_blocks(struct mem2reg *p)
{
    struct step {
        int block;
        unsigned next;
    } *steps = CK_NEW_ARRAY(p->arena, struct step, p->n_blocks + 1);
    int n = 1, last = p->n_blocks;
    p->order = CK_NEW_ARRAY(p->arena, int, p->n_blocks + 1);
    steps[0] = (struct step){0, 0};
    p->blocks[0].is_reachable = true;
    while (n) {
        struct step *step = &steps[n - 1];
        if (step->next == n_successors(p, step->block)) {
            p->order[--last] = step->block;
            n--;
            continue;
        }
        int to = successor(p, step->block, step->next++);
        struct block *block = &p->blocks[to];
        CK_PUSH(p->arena, block->preds, block->n_preds, block->preds_capacity, step->block);
        if (!block->is_reachable)
            steps[n++] = (struct step){to, 0};
        block->is_reachable = true;
    }
    p->order += last;
    p->n_order = p->n_blocks - last;
}

/* Adds the edges from unreachable blocks: phis need a value for them too. */
static void
add_unreachable(struct mem2reg *p)
{
    for (int from = 0; from < p->n_blocks; from++) {
        for (unsigned i = 0; !p->blocks[from].is_reachable && i < n_successors(p, from); i++) {
            struct block *block = &p->blocks[successor(p, from, i)];
            if (block->is_reachable)
                CK_PUSH(p->arena, block->preds, block->n_preds, block->preds_capacity, from);
        }
    }
}

static void
find_blocks(struct mem2reg *p, LLVMValueRef v_function)
{
    p->n_blocks = (int)LLVMCountBasicBlocks(v_function);
    p->blocks = CK_NEW_ARRAY(p->arena, struct block, p->n_blocks);
    int n = 0;
    for (LLVMBasicBlockRef b_block = LLVMGetFirstBasicBlock(v_function); b_block;
         b_block = LLVMGetNextBasicBlock(b_block)) {
        p->blocks[n].slot = -1;
        p->blocks[n++].b_self = b_block;
        ck_index_add(p->arena, &p->block_index, ck_hash_pointer(b_block));
    }
    order_blocks(p);
    add_unreachable(p);
}

/* Lists the loads and stores of each slot. */
static void
find_accesses(struct mem2reg *p)
{
    CK_PUSH(p->arena, p->accesses, p->n_accesses, p->accesses_capacity, (struct access){0});
    for (int i = 0; i < p->n_order; i++) {
        LLVMValueRef v_inst = LLVMGetFirstInstruction(p->blocks[p->order[i]].b_self);
        for (; v_inst; v_inst = LLVMGetNextInstruction(v_inst)) {
            bool load = LLVMIsALoadInst(v_inst), store = LLVMIsAStoreInst(v_inst);
            int index = load || store ? slot_of(p, LLVMGetOperand(v_inst, store)) : -1;
            if (index < 0)
                continue;
            struct slot *slot = &p->slots[index];
            *(slot->first ? &p->accesses[slot->last].next : &slot->first) = p->n_accesses;
            slot->last = p->n_accesses;
            struct access access = {.v_inst = v_inst, .block = p->order[i]};
            CK_PUSH(p->arena, p->accesses, p->n_accesses, p->accesses_capacity, access);
        }
    }
}

/* --- Values --------------------------------------------------------------------------------------
 */

static void
write_value(struct mem2reg *p, int block, int slot, LLVMValueRef v_value)
{
    p->blocks[block].slot = slot;
    p->blocks[block].v_value = v_value;
}

static LLVMValueRef
new_phi(struct mem2reg *p, int block, int slot)
{
    LLVMBuilderRef builder = p->gen->builder;
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(p->blocks[block].b_self));
    LLVMTypeRef type = LLVMGetAllocatedType(p->slots[slot].v_self);
    struct phi phi = {LLVMBuildPhi(builder, type, ""), block};
    p->blocks[block].phi = p->n_phis;
    CK_PUSH(p->arena, p->phis, p->n_phis, p->phis_capacity, phi);
    return phi.v_self;
}

/* The value of a slot at the end of a block (Braun et al.: readVariable). */
static LLVMValueRef
read_value(struct mem2reg *p, int block, int slot)
{
    int at = block; /* the nearest block that has the value or several predecessors */
    while (p->blocks[at].slot != slot && p->blocks[at].n_preds == 1)
        at = p->blocks[at].preds[0];
    const struct block *found = &p->blocks[at];
    LLVMValueRef v_value = found->slot == slot ? found->v_value
                           : found->n_preds
                               ? new_phi(p, at, slot)
                               : LLVMGetUndef(LLVMGetAllocatedType(p->slots[slot].v_self));
    for (int on = block;; on = p->blocks[on].preds[0]) { /* a later lookup stops at `block` */
        write_value(p, on, slot, v_value);
        if (on == at)
            return v_value;
    }
}

static void
add_phi_operands(struct mem2reg *p, int slot)
{
    for (int i = 0; i < p->n_phis; i++) { /* n_phis grows in this loop */
        const struct phi phi = p->phis[i];
        const struct block *block = &p->blocks[phi.block];
        for (int k = 0; k < block->n_preds; k++) {
            LLVMValueRef v_value = read_value(p, block->preds[k], slot);
            LLVMAddIncoming(phi.v_self, &v_value, &p->blocks[block->preds[k]].b_self, 1);
        }
    }
}

/* The only operand of a phi besides itself; NULL: it has several. */
static LLVMValueRef
only_value(LLVMValueRef v_phi)
{
    LLVMValueRef v_only = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(v_phi); i++) {
        LLVMValueRef v_value = LLVMGetIncomingValue(v_phi, i);
        if (v_value == v_phi || v_value == v_only)
            continue;
        if (v_only)
            return NULL;
        v_only = v_value;
    }
    return v_only;
}

/* The index of a phi of the current slot; -1: the value is none. */
static int
phi_of(const struct mem2reg *p, LLVMValueRef v_value, int slot)
{
    if (!LLVMIsAPHINode(v_value))
        return -1;
    const struct block *block = &p->blocks[block_of(p, LLVMGetInstructionParent(v_value))];
    return block->slot == slot && block->phi < p->n_phis && p->phis[block->phi].v_self == v_value
               ? block->phi
               : -1;
}

/* Replaces each phi of one value by the value. That may make its users trivial (Braun et al.:
 * tryRemoveTrivialPhi). */
static void
remove_trivial_phis(struct mem2reg *p, int slot)
{
    p->n_work = 0;
    for (int i = p->n_phis - 1; i >= 0; i--)
        CK_PUSH(p->arena, p->work, p->n_work, p->work_capacity, i);
    while (p->n_work) {
        int i = p->work[--p->n_work];
        LLVMValueRef v_phi = p->phis[i].v_self, v_only = v_phi ? only_value(v_phi) : NULL;
        if (!v_only)
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(v_phi); use; use = LLVMGetNextUse(use)) {
            int user = phi_of(p, LLVMGetUser(use), slot);
            if (user >= 0 && user != i)
                CK_PUSH(p->arena, p->work, p->n_work, p->work_capacity, user);
        }
        LLVMReplaceAllUsesWith(v_phi, v_only);
        LLVMInstructionEraseFromParent(v_phi);
        p->phis[i].v_self = NULL;
    }
}

/* --- A function ----------------------------------------------------------------------------------
 */

static void
promote_slot(struct mem2reg *p, int index)
{
    const struct slot *slot = &p->slots[index];
    p->n_phis = 0;
    for (int i = slot->first; i; i = p->accesses[i].next) {
        const struct access *access = &p->accesses[i];
        if (LLVMIsALoadInst(access->v_inst))
            LLVMReplaceAllUsesWith(access->v_inst, read_value(p, access->block, index));
        else
            write_value(p, access->block, index, LLVMGetOperand(access->v_inst, 0));
        LLVMInstructionEraseFromParent(access->v_inst);
    }
    add_phi_operands(p, index);
    remove_trivial_phis(p, index);
    for (LLVMUseRef use; (use = LLVMGetFirstUse(slot->v_self));) { /* in unreachable blocks */
        LLVMValueRef v_user = LLVMGetUser(use);
        if (LLVMIsALoadInst(v_user))
            LLVMReplaceAllUsesWith(v_user, LLVMGetUndef(LLVMTypeOf(v_user)));
        LLVMInstructionEraseFromParent(v_user);
    }
    LLVMInstructionEraseFromParent(slot->v_self);
}

static void
promote_slots(struct ck_gen *gen, LLVMValueRef v_function)
{
    struct mem2reg p = {.gen = gen, .arena = &gen->arena};
    find_slots(&p, LLVMGetEntryBasicBlock(v_function));
    if (p.n_slots < MIN_SLOTS)
        return;
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    find_blocks(&p, v_function);
    find_accesses(&p);
    for (int i = 0; i < p.n_slots; i++)
        promote_slot(&p, i);
}

void
ck_gen_mem2reg(struct ck_gen *gen)
{
    for (LLVMValueRef v_function = LLVMGetFirstFunction(gen->module); v_function;
         v_function = LLVMGetNextFunction(v_function)) {
        if (LLVMCountBasicBlocks(v_function) >= MIN_BLOCKS)
            promote_slots(gen, v_function);
    }
}
