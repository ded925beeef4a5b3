/* The grid on NVIDIA GPUs: the hooks of struct ck_grid_ops, and the slots in global memory through
 * which the blocks of a collective pass values (docs/adr/010). grid_barrier.c has the barrier. */
#include "codegen/nvptx/nvptx.h"

/* The module's memory is a hash table of N_BUCKETS buckets, indexed by a hash of the workspace's
 * address. A bucket has two entries, one for each top bit of the barrier's word. An entry is a
 * header, then a slot for each block. The header has the key of the launch that owns the entry, or
 * 0, and the number of blocks that have left. A cooperative grid is resident as a whole, and no
 * device holds MAX_BLOCKS blocks. */
enum { N_BUCKETS = 16, HEADER_BYTES = 128, MAX_BLOCKS = 8192, SLOT_BYTES = 8, COUNT_OFFSET = 8 };
enum { ENTRY_BYTES = HEADER_BYTES + MAX_BLOCKS * SLOT_BYTES, BACK_OFF_NS = 64 };

/* --- Instructions ------------------------------------------------------------------------------
 */

static LLVMValueRef
global_pointer(struct ck_gen *gen, LLVMValueRef v_address)
{
    LLVMTypeRef pointer = LLVMPointerTypeInContext(gen->llvm, SPACE_GLOBAL);
    return LLVMBuildIntToPtr(gen->builder, v_address, pointer, "");
}

static LLVMValueRef
offset(struct ck_gen *gen, LLVMValueRef v_address, int64_t bytes)
{
    return LLVMBuildAdd(gen->builder, v_address, l_i64(gen, bytes), "");
}

static LLVMValueRef
load_word(struct ck_gen *gen, LLVMValueRef v_address, LLVMAtomicOrdering ordering)
{
    LLVMValueRef v_word = l_load(gen, gen->t_i32, global_pointer(gen, v_address), 4, "word");
    LLVMSetOrdering(v_word, ordering);
    LLVMSetAtomicSyncScopeID(v_word, LLVMGetSyncScopeID(gen->llvm, "device", 6));
    return v_word;
}

/* --- The first thread ----------------------------------------------------------------------------
 */

LLVMValueRef
ck_nvptx_is_first(struct ck_gen *gen, enum ck_place what)
{
    LLVMValueRef v_any = ck_nvptx_place(gen, what, 0);
    for (int dim = 1; dim < 3; dim++)
        v_any = LLVMBuildOr(gen->builder, v_any, ck_nvptx_place(gen, what, dim), "");
    return l_compare(gen, LLVMIntEQ, v_any, l_i32(gen, 0));
}

/* Code that the leader, the block's first thread, executes alone: between leader_begin and
 * leader_end. */
struct leader {
    LLVMBasicBlockRef b_before, b_done;
};

static struct leader
leader_begin(struct ck_gen *gen)
{
    struct leader leader = {LLVMGetInsertBlock(gen->builder), l_block(gen, "done")};
    LLVMBasicBlockRef b_leader = l_block(gen, "leader");
    LLVMBuildCondBr(gen->builder, ck_nvptx_is_first(gen, CK_THREAD_IDX), b_leader, leader.b_done);
    l_at(gen, b_leader);
    return leader;
}

/* All threads continue. Returns `v_value` in the leader and 0 in the others; NULL if that is NULL.
 */
static LLVMValueRef
leader_end(struct ck_gen *gen, const struct leader *leader, LLVMValueRef v_value)
{
    LLVMBasicBlockRef b_here = LLVMGetInsertBlock(gen->builder);
    l_branch(gen, leader->b_done);
    l_at(gen, leader->b_done);
    if (!v_value)
        return NULL;
    LLVMTypeRef type = LLVMTypeOf(v_value);
    LLVMValueRef v_all = LLVMBuildPhi(gen->builder, type, "");
    LLVMValueRef values[] = {v_value, LLVMConstNull(type)};
    LLVMBasicBlockRef blocks[] = {b_here, leader->b_before};
    LLVMAddIncoming(v_all, values, blocks, 2);
    return v_all;
}

static void
trap_if(struct ck_gen *gen, LLVMValueRef v_test)
{
    LLVMBasicBlockRef b_trap = l_block(gen, "trap"), b_good = l_block(gen, "good");
    LLVMBuildCondBr(gen->builder, v_test, b_trap, b_good);
    l_at(gen, b_trap);
    l_intrinsic(gen, "llvm.trap", NULL, NULL, 0);
    LLVMBuildUnreachable(gen->builder);
    l_at(gen, b_good);
}

/* --- The launch --------------------------------------------------------------------------------
 */

LLVMValueRef
ck_nvptx_workspace(struct ck_gen *gen)
{
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef v_high = LLVMBuildZExt(builder, ck_nvptx_special(gen, "envreg1"), gen->t_i64, "");
    LLVMValueRef v_low = LLVMBuildZExt(builder, ck_nvptx_special(gen, "envreg2"), gen->t_i64, "");
    v_high = LLVMBuildShl(builder, v_high, l_i64(gen, 32), "");
    return LLVMBuildOr(builder, v_high, v_low, "workspace");
}

static LLVMValueRef
checked_workspace(struct ck_gen *gen)
{
    LLVMValueRef v_workspace = ck_nvptx_workspace(gen);
    trap_if(gen, l_compare(gen, LLVMIntEQ, v_workspace, l_i64(gen, 0)));
    return v_workspace;
}

static LLVMValueRef
barrier_word(struct ck_gen *gen, LLVMValueRef v_workspace)
{
    return offset(gen, v_workspace, 4);
}

LLVMValueRef
ck_nvptx_count_blocks(struct ck_gen *gen)
{
    LLVMValueRef v_blocks = ck_nvptx_place(gen, CK_GRID_DIM, 0);
    for (int dim = 1; dim < 3; dim++)
        v_blocks = LLVMBuildMul(gen->builder, v_blocks, ck_nvptx_place(gen, CK_GRID_DIM, dim), "");
    return v_blocks;
}

/* --- Slots -------------------------------------------------------------------------------------
 */

static LLVMValueRef
pool(struct ck_gen *gen)
{
    LLVMTypeRef type = LLVMArrayType2(gen->t_i8, (uint64_t)N_BUCKETS * 2 * ENTRY_BYTES);
    LLVMValueRef v_pool = ck_nvptx_memory(gen, "ck.grid_slots", type, HEADER_BYTES, SPACE_GLOBAL);
    return LLVMBuildPtrToInt(gen->builder, v_pool, gen->t_i64, "");
}

/* The address of the slots of a launch's entry for a top bit of its barrier's word, i64. Workspaces
 * are at least 64 bytes apart. */
static LLVMValueRef
slots_of(struct ck_gen *gen, LLVMValueRef v_workspace, LLVMValueRef v_sign)
{
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef v_near = LLVMBuildLShr(builder, v_workspace, l_i64(gen, 6), "");
    LLVMValueRef v_far = LLVMBuildLShr(builder, v_workspace, l_i64(gen, 10), "");
    LLVMValueRef v_place = LLVMBuildXor(builder, v_near, v_far, "");
    v_place = LLVMBuildAnd(builder, v_place, l_i64(gen, N_BUCKETS - 1), "");
    v_place = LLVMBuildShl(builder, v_place, l_i64(gen, 1), "");
    v_place = LLVMBuildOr(builder, v_place, v_sign, "");
    v_place = LLVMBuildMul(builder, v_place, l_i64(gen, ENTRY_BYTES), "");
    return offset(gen, LLVMBuildAdd(builder, pool(gen), v_place, ""), HEADER_BYTES);
}

/* Waits until this launch owns the entry: this block, or another of the grid, has claimed it. */
static void
claim(struct ck_gen *gen, LLVMValueRef v_header, LLVMValueRef v_key)
{
    LLVMBasicBlockRef b_claim = l_block(gen, "claim"), b_again = l_block(gen, "again");
    LLVMBasicBlockRef b_claimed = l_block(gen, "claimed");
    l_branch(gen, b_claim);
    l_at(gen, b_claim);
    LLVMValueRef args[] = {v_header, l_i64(gen, 0), v_key};
    LLVMValueRef v_was =
        ck_nvptx_asm(gen, true, "atom.acquire.gpu.global.cas.b64 $0, [$1], $2, $3;",
                     "=l,l,l,l,~{memory}", gen->t_i64, args, 3);
    LLVMValueRef v_free = l_compare(gen, LLVMIntEQ, v_was, l_i64(gen, 0));
    LLVMValueRef v_own = l_compare(gen, LLVMIntEQ, v_was, v_key);
    LLVMBuildCondBr(gen->builder, LLVMBuildOr(gen->builder, v_free, v_own, ""), b_claimed, b_again);
    l_at(gen, b_again);
    LLVMValueRef v_pause = l_i32(gen, BACK_OFF_NS);
    l_intrinsic(gen, "llvm.nvvm.nanosleep", NULL, &v_pause, 1);
    l_branch(gen, b_claim);
    l_at(gen, b_claimed);
}

/* The word's top bit does not change until this block has arrived. It distinguishes this use of the
 * slots from the previous and the next one. */
static void
make_open(struct ck_gen *gen, LLVMValueRef v_function)
{
    (void)v_function;
    struct leader leader = leader_begin(gen);
    LLVMValueRef v_workspace = checked_workspace(gen);
    LLVMValueRef v_most = l_i32(gen, MAX_BLOCKS);
    trap_if(gen, l_compare(gen, LLVMIntUGT, ck_nvptx_count_blocks(gen), v_most));
    LLVMValueRef v_word =
        load_word(gen, barrier_word(gen, v_workspace), LLVMAtomicOrderingMonotonic);
    LLVMValueRef v_sign = LLVMBuildLShr(gen->builder, v_word, l_i32(gen, 31), "");
    v_sign = LLVMBuildZExt(gen->builder, v_sign, gen->t_i64, "");
    LLVMValueRef v_slots = slots_of(gen, v_workspace, v_sign);
    claim(gen, offset(gen, v_slots, -HEADER_BYTES),
          LLVMBuildOr(gen->builder, v_workspace, v_sign, "key"));
    LLVMBuildRet(gen->builder, leader_end(gen, &leader, v_slots));
}

/* The second block barrier broadcasts the top bit that the first warp has read. */
static void
make_sync_slots(struct ck_gen *gen, LLVMValueRef v_function)
{
    (void)v_function;
    LLVMValueRef v_before = ck_nvptx_grid_arrive_and_wait(gen);
    LLVMValueRef args[] = {l_i32(gen, 0), l_compare(gen, LLVMIntSLT, v_before, l_i32(gen, 0))};
    LLVMValueRef v_sign =
        l_intrinsic(gen, "llvm.nvvm.barrier.cta.red.or.aligned.all", NULL, args, 2);
    v_sign = LLVMBuildZExt(gen->builder, v_sign, gen->t_i64, "");
    LLVMBuildRet(gen->builder, slots_of(gen, ck_nvptx_workspace(gen), v_sign));
}

/* The last block to leave releases the entry; its count is 0 again then. */
static void
make_close(struct ck_gen *gen, LLVMValueRef v_function)
{
    LLVMBasicBlockRef b_last = l_block(gen, "last");
    struct leader leader = leader_begin(gen);
    LLVMValueRef v_header = offset(gen, LLVMGetParam(v_function, 0), -HEADER_BYTES);
    LLVMValueRef v_most = LLVMBuildSub(gen->builder, ck_nvptx_count_blocks(gen), l_i32(gen, 1), "");
    LLVMValueRef args[] = {offset(gen, v_header, COUNT_OFFSET), v_most};
    LLVMValueRef v_left = ck_nvptx_asm(gen, true, "atom.acq_rel.gpu.global.inc.u32 $0, [$1], $2;",
                                       "=r,l,r,~{memory}", gen->t_i32, args, 2);
    LLVMValueRef v_last = l_compare(gen, LLVMIntEQ, v_left, v_most);
    LLVMBuildCondBr(gen->builder, v_last, b_last, leader.b_done);
    l_at(gen, b_last);
    ck_nvptx_asm(gen, true, "st.release.gpu.global.u64 [$0], $1;", "l,l,~{memory}", gen->t_void,
                 (LLVMValueRef[]){v_header, l_i64(gen, 0)}, 2);
    leader_end(gen, &leader, NULL);
    LLVMBuildRetVoid(gen->builder);
}

/* --- Calls -------------------------------------------------------------------------------------
 */

/* A launch that is not cooperative may find the workspace of an earlier launch, so only kernels
 * with a grid barrier look for one. Callers are inlined in the kernel. */
static LLVMValueRef
grid_is_valid(struct ck_gen *gen)
{
    if (!ck_tfunc_has(ck_gen_kernel(gen), CK_EFFECT_GRID_BARRIER))
        return LLVMConstInt(gen->t_i1, 0, false);
    return l_compare(gen, LLVMIntNE, ck_nvptx_workspace(gen), l_i64(gen, 0));
}

static void
grid_sync(struct ck_gen *gen, struct ck_span span)
{
    (void)span;
    ck_nvptx_grid_sync(gen);
}

static LLVMValueRef
grid_arrive(struct ck_gen *gen, struct ck_span span)
{
    (void)span;
    return LLVMBuildZExt(gen->builder, ck_nvptx_grid_arrive(gen), gen->t_i64, "");
}

static void
grid_wait(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span)
{
    (void)span;
    ck_nvptx_grid_wait(gen, LLVMBuildTrunc(gen->builder, v_token, gen->t_i32, ""));
}

static LLVMValueRef
open_slots(struct ck_gen *gen)
{
    return ck_nvptx_call(gen, "ck.grid_open", make_open, gen->t_i64, NULL, 0);
}

static LLVMValueRef
sync_slots(struct ck_gen *gen, LLVMValueRef v_slots, struct ck_span span)
{
    (void)v_slots, (void)span;
    return ck_nvptx_call(gen, "ck.grid_sync_slots", make_sync_slots, gen->t_i64, NULL, 0);
}

static void
close_slots(struct ck_gen *gen, LLVMValueRef v_slots)
{
    ck_nvptx_call(gen, "ck.grid_close", make_close, gen->t_void, &v_slots, 1);
}

const struct ck_grid_ops ck_nvptx_grid = {
    .is_valid = grid_is_valid,
    .sync = grid_sync,
    .arrive = grid_arrive,
    .wait = grid_wait,
    .open_slots = open_slots,
    .sync_slots = sync_slots,
    .close_slots = close_slots,
};
