/* Values in block loops: makes what one region computes available in others, and hoists scalar
 * values out of loops. See block_loops.c.
 *
 * A value of a thread that another region uses is rematerialised there if that is cheap: computed
 * again from the thread's index and from scalar values, so that the vectoriser sees consecutive
 * addresses. Otherwise the value is stored to an array with an element for each thread. A header's
 * phis that are not scalar always go through such an array. */
#include "codegen/host/block_loops.h"

/* A value is rematerialised by at most so many instructions. */
enum { MAX_REMATERIALISED = 16 };

/* --- Thread arrays -----------------------------------------------------------------------------
 */

/* The array of a value, or of the phi that the value replaced (`phi_header`); NULL: none yet. */
static struct ck_thread_array *
find_array(struct ck_block_loops *bl, LLVMValueRef v, int phi_header)
{
    int i = ck_index_first(&bl->array_index, ck_hash_pointer(v));
    while (i >= 0 && (bl->arrays[i].v_of != v || bl->arrays[i].phi_header != phi_header))
        i = ck_index_next(&bl->array_index, i);
    return i < 0 ? NULL : &bl->arrays[i];
}

struct ck_thread_array
ck_block_loops_new_array(struct ck_block_loops *bl, LLVMValueRef v, int phi_header,
                         LLVMTypeRef type, uint64_t align)
{
    struct ck_gen *gen = bl->gen;
    struct ck_thread_array array = {
        .v_of = v, .phi_header = phi_header, .type = type == gen->t_i1 ? gen->t_i8 : type};
    uint64_t size = LLVMABISizeOfType(gen->layout, array.type);
    array.stride = (size + align - 1) / align * align;
    ck_block_loops_before_end(bl, bl->b_entry);
    LLVMValueRef v_offset =
        LLVMBuildNUWMul(bl->builder, bl->v_threads, l_i64(gen, (int64_t)bl->frame_bytes), "");
    LLVMSetNSW(v_offset, true);
    array.v_base = LLVMBuildInBoundsGEP2(bl->builder, gen->t_i8, bl->v_frame, &v_offset, 1, "kept");
    bl->frame_bytes += array.stride;
    CK_PUSH(bl->regions.arena, bl->arrays, bl->n_arrays, bl->arrays_capacity, array);
    ck_index_add(bl->regions.arena, &bl->array_index, ck_hash_pointer(v));
    return array;
}

/* The address of the thread's element, computed where an iteration of a region begins. */
static LLVMValueRef
element_address(struct ck_block_loops *bl, const struct ck_thread_array *array,
                const struct ck_region_loop *region)
{
    ck_block_loops_before_end(bl, region->b_begin);
    LLVMValueRef v_offset =
        LLVMBuildNUWMul(bl->builder, region->v_rank, l_i64(bl->gen, (int64_t)array->stride), "");
    LLVMSetNSW(v_offset, true);
    return LLVMBuildInBoundsGEP2(bl->builder, bl->gen->t_i8, array->v_base, &v_offset, 1, "");
}

static LLVMValueRef
load_element(struct ck_block_loops *bl, const struct ck_thread_array *array,
             const struct ck_region_loop *region, LLVMTypeRef type)
{
    LLVMValueRef v_address = element_address(bl, array, region);
    LLVMValueRef v = LLVMBuildLoad2(bl->builder, array->type, v_address, "");
    return type == array->type ? v : LLVMBuildTrunc(bl->builder, v, type, "");
}

/* Stores a value at the builder's position. */
static void
store_element(struct ck_block_loops *bl, LLVMValueRef v_address, LLVMValueRef v)
{
    if (LLVMTypeOf(v) == bl->gen->t_i1)
        v = LLVMBuildZExt(bl->builder, v, bl->gen->t_i8, "");
    LLVMBuildStore(bl->builder, v, v_address);
}

static uint64_t
align_of(struct ck_block_loops *bl, LLVMTypeRef type)
{
    return LLVMABIAlignmentOfType(bl->gen->layout, type);
}

/* The value's array. A new one is stored to where the value is computed. */
static struct ck_thread_array
array_of(struct ck_block_loops *bl, LLVMValueRef v)
{
    const struct ck_thread_array *known = find_array(bl, v, -1);
    if (known)
        return *known;
    LLVMTypeRef type = LLVMTypeOf(v);
    struct ck_thread_array array = ck_block_loops_new_array(bl, v, -1, type, align_of(bl, type));
    LLVMValueRef v_address = element_address(
        bl, &array, ck_block_loops_loop_of(bl, ck_block_loops_value(&bl->regions, v)->block));
    LLVMValueRef v_next = ck_ir_after(v);
    if (LLVMGetInstructionParent(v) == LLVMGetInstructionParent(v_address))
        ck_block_loops_before_end(bl, LLVMGetInstructionParent(v)); /* after the address too */
    else
        LLVMPositionBuilderBefore(bl->builder, v_next);
    store_element(bl, v_address, v);
    return array;
}

/* --- Values of other regions -------------------------------------------------------------------
 */

/* The number of instructions that rematerialise a value, added to `so_far`. More than
 * MAX_REMATERIALISED: it cannot be done. */
static int
cost_to_rematerialise(struct ck_block_loops *bl, LLVMValueRef v, int so_far)
{
    const struct ck_region_value *value = ck_block_loops_value(&bl->regions, v);
    if (!value || value->is_scalar || so_far > MAX_REMATERIALISED)
        return so_far;
    if (ck_block_loops_is_index(v))
        return so_far + 1;
    if (!ck_block_loops_is_speculatable(v))
        return MAX_REMATERIALISED + 1;
    so_far++;
    for (int k = 0; k < LLVMGetNumOperands(v); k++)
        so_far = cost_to_rematerialise(bl, LLVMGetOperand(v, (unsigned)k), so_far);
    return so_far;
}

/* Whether a path from a predecessor of a header leads to a region without passing the header. On
 * such a path the array of the header's phi already has the phi's next value. */
static bool
bypasses_header(const struct ck_regions *regions, int header, int to)
{
    const struct ck_cfg *cfg = &regions->cfg;
    struct ck_block_set stop = {0}, reached = {0};
    ck_block_set_add(&stop, header);
    for (int k = 0; k < cfg->blocks[header].n_preds; k++) {
        const struct ck_cfg_block *pred = &cfg->blocks[cfg->blocks[header].preds[k]];
        for (int j = 0; j < pred->n_succs; j++)
            ck_cfg_reach(cfg, pred->succs[j], &stop, &reached);
    }
    for (int i = 0; i < regions->n_blocks; i++) {
        if (regions->blocks[i].region == to && ck_block_set_has(&reached, i))
            return true;
    }
    return false;
}

static LLVMValueRef in_region(struct ck_block_loops *bl, LLVMValueRef v, int header);

static LLVMValueRef
rematerialise(struct ck_block_loops *bl, LLVMValueRef v, int header)
{
    LLVMValueRef v_copy = LLVMInstructionClone(v);
    for (int k = 0; !ck_block_loops_is_index(v) && k < LLVMGetNumOperands(v); k++) {
        LLVMValueRef v_operand = LLVMGetOperand(v, (unsigned)k);
        const struct ck_region_value *operand = ck_block_loops_value(&bl->regions, v_operand);
        if (operand && !operand->is_scalar)
            LLVMSetOperand(v_copy, (unsigned)k, in_region(bl, v_operand, header));
    }
    ck_block_loops_before_end(bl, bl->loops[header].b_begin);
    LLVMInsertIntoBuilder(bl->builder, v_copy);
    return v_copy;
}

static LLVMValueRef
local_array_in_region(struct ck_block_loops *bl, LLVMValueRef v, int header)
{
    const struct ck_thread_array *known = find_array(bl, v, -1);
    struct ck_thread_array array =
        known ? *known
              : ck_block_loops_new_array(bl, v, -1, LLVMGetAllocatedType(v), LLVMGetAlignment(v));
    return element_address(bl, &array, &bl->loops[header]);
}

static LLVMValueRef
make_in_region(struct ck_block_loops *bl, LLVMValueRef v, int header)
{
    if (LLVMIsAAllocaInst(v))
        return local_array_in_region(bl, v, header);
    if (cost_to_rematerialise(bl, v, 0) <= MAX_REMATERIALISED)
        return rematerialise(bl, v, header);
    int home = ck_block_loops_value(&bl->regions, v)->block;
    const struct ck_thread_array *stored = find_array(bl, v, home);
    if (stored && !bypasses_header(&bl->regions, home, header)) {
        struct ck_thread_array array = *stored;
        return load_element(bl, &array, &bl->loops[header], LLVMTypeOf(v));
    }
    struct ck_thread_array array = array_of(bl, v);
    return load_element(bl, &array, &bl->loops[header], LLVMTypeOf(v));
}

/* A thread's value in the region of a header. */
static LLVMValueRef
in_region(struct ck_block_loops *bl, LLVMValueRef v, int header)
{
    if (bl->regions.blocks[ck_block_loops_value(&bl->regions, v)->block].region == header &&
        !LLVMIsAAllocaInst(v) && !ck_block_loops_is_index(v))
        return v;
    int i = ck_index_first(&bl->copy_index, ck_hash_pointer(v));
    while (i >= 0 && (bl->copies[i].v_of != v || bl->copies[i].region != header))
        i = ck_index_next(&bl->copy_index, i);
    if (i >= 0)
        return bl->copies[i].v_copy;
    struct ck_region_copy copy = {v, make_in_region(bl, v, header), header};
    CK_PUSH(bl->regions.arena, bl->copies, bl->n_copies, bl->copies_capacity, copy);
    ck_index_add(bl->regions.arena, &bl->copy_index, ck_hash_pointer(v));
    return copy.v_copy;
}

/* --- Rewriting ---------------------------------------------------------------------------------
 */

/* Replaces a header's phi that is not scalar by stores at the predecessors' ends, and a load. */
static void
store_phi(struct ck_block_loops *bl, LLVMValueRef v_phi, int header)
{
    struct ck_regions *regions = &bl->regions;
    LLVMTypeRef type = LLVMTypeOf(v_phi);
    struct ck_thread_array array =
        ck_block_loops_new_array(bl, v_phi, header, type, align_of(bl, type));
    for (unsigned i = 0; i < LLVMCountIncoming(v_phi); i++) {
        LLVMBasicBlockRef b_from = LLVMGetIncomingBlock(v_phi, i);
        LLVMValueRef v_address = element_address(
            bl, &array, ck_block_loops_loop_of(bl, ck_cfg_find(&regions->cfg, b_from)));
        ck_block_loops_before_end(bl, b_from);
        store_element(bl, v_address, LLVMGetIncomingValue(v_phi, i));
    }
    LLVMValueRef v_load = load_element(bl, &array, &bl->loops[header], type);
    LLVMReplaceAllUsesWith(v_phi, v_load);
    LLVMInstructionEraseFromParent(v_phi);
    bl->arrays[bl->n_arrays - 1].v_of = v_load;
    ck_index_cut(&bl->array_index, bl->n_arrays - 1);
    ck_index_add(regions->arena, &bl->array_index, ck_hash_pointer(v_load));
    ck_block_loops_add_value(regions, v_load, header);
    if (LLVMIsATruncInst(v_load)) /* of a loaded bool; other regions cannot repeat that load */
        ck_block_loops_add_value(regions, LLVMGetOperand(v_load, 0), header);
}

static void
store_phis(struct ck_block_loops *bl)
{
    for (int i = 0; i < bl->regions.n_blocks; i++) {
        LLVMValueRef v_next;
        for (LLVMValueRef v = LLVMGetFirstInstruction(bl->regions.cfg.blocks[i].b_self);
             LLVMIsAPHINode(v); v = v_next) {
            v_next = LLVMGetNextInstruction(v);
            if (bl->regions.blocks[i].is_header &&
                !ck_block_loops_value(&bl->regions, v)->is_scalar)
                store_phi(bl, v, i);
        }
    }
}

/* The region of a use; those of a phi are at the ends of its predecessors. */
static int
region_of_use(struct ck_block_loops *bl, LLVMValueRef v, unsigned operand, int block)
{
    if (LLVMIsAPHINode(v))
        block = ck_cfg_find(&bl->regions.cfg, LLVMGetIncomingBlock(v, operand));
    return bl->regions.blocks[block].region;
}

static void
find_uses(struct ck_block_loops *bl, LLVMValueRef v, int block)
{
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++) {
        const struct ck_region_value *operand =
            ck_block_loops_value(&bl->regions, LLVMGetOperand(v, k));
        if (!operand || operand->is_scalar)
            continue;
        struct ck_region_use use = {v, k,
                                    in_region(bl, operand->v, region_of_use(bl, v, k, block))};
        CK_PUSH(bl->regions.arena, bl->uses, bl->n_uses, bl->uses_capacity, use);
    }
}

/* Replaces all operands at the end, since rematerialisation clones the original instructions. */
static void
rewrite_all_uses(struct ck_block_loops *bl)
{
    for (int i = 0; i < bl->regions.n_blocks; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(bl->regions.cfg.blocks[i].b_self);
        for (; v; v = LLVMGetNextInstruction(v)) {
            const struct ck_region_value *value = ck_block_loops_value(&bl->regions, v);
            if (!value || !value->is_scalar)
                find_uses(bl, v, i);
        }
    }
    for (int i = 0; i < bl->n_uses; i++)
        LLVMSetOperand(bl->uses[i].v, bl->uses[i].operand, bl->uses[i].v_new);
}

/* Moves a scalar phi before the loop of its region. */
static void
hoist_phi(struct ck_block_loops *bl, LLVMValueRef v_phi, int header)
{
    struct ck_regions *regions = &bl->regions;
    LLVMBasicBlockRef b_preheader = bl->loops[header].b_preheader;
    LLVMPositionBuilderBefore(bl->builder, LLVMGetFirstInstruction(b_preheader));
    LLVMValueRef v_new = LLVMBuildPhi(bl->builder, LLVMTypeOf(v_phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(v_phi); i++) {
        int from = ck_cfg_find(&regions->cfg, LLVMGetIncomingBlock(v_phi, i));
        bool is_known = false; /* a branch with several edges to the header needs as many */
        for (unsigned k = 0; k < i && !regions->blocks[from].is_uniform_branch; k++) {
            int other = ck_cfg_find(&regions->cfg, LLVMGetIncomingBlock(v_phi, k));
            is_known |= regions->blocks[other].region == regions->blocks[from].region;
        }
        LLVMValueRef v_value = LLVMGetIncomingValue(v_phi, i);
        if (!is_known)
            LLVMAddIncoming(v_new, &v_value, &ck_block_loops_loop_of(bl, from)->b_exit, 1);
    }
    LLVMReplaceAllUsesWith(v_phi, v_new);
    LLVMInstructionEraseFromParent(v_phi);
}

/* Moves scalar values before the loops of their regions. */
static void
hoist_scalars(struct ck_block_loops *bl)
{
    for (int at = 0; at < bl->regions.n_blocks; at++) {
        int i = bl->regions.cfg.rpo[at];
        LLVMValueRef v_next;
        for (LLVMValueRef v = LLVMGetFirstInstruction(bl->regions.cfg.blocks[i].b_self); v;
             v = v_next) {
            v_next = LLVMGetNextInstruction(v);
            const struct ck_region_value *value = ck_block_loops_value(&bl->regions, v);
            if (!value || !value->is_scalar)
                continue;
            if (LLVMIsAPHINode(v)) {
                hoist_phi(bl, v, i);
            } else {
                ck_block_loops_before_end(bl, ck_block_loops_loop_of(bl, i)->b_preheader);
                ck_block_loops_move(bl, v);
            }
        }
    }
}

void
ck_block_loops_rewrite_values(struct ck_block_loops *bl)
{
    store_phis(bl);
    rewrite_all_uses(bl);
    hoist_scalars(bl);
}
