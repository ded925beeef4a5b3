/* Barriers of groups wider than a warp on NVIDIA GPUs.
 *
 * A tile of 128 threads or more has one of the hardware's 16 barriers of its own: the tiles of
 * 1024, 512, 256 and 128 threads that a block can have are 1 + 2 + 4 + 8, and barrier 0 is the
 * block's. The 16 tiles of 64 threads, and the block's split barrier, are words in shared memory,
 * at which the first lane of each warp arrives and waits for the warp: an mbarrier since sm_80;
 * before, a count that ends in a change of its top bit. A kernel that can reach one of them sets
 * the words up at its beginning. */
#include "codegen/nvptx.h"

enum { WORD_BLOCK = 0, WORD_TILES = 1, N_TILES = 16, N_WORDS = WORD_TILES + N_TILES };
enum { WORD_BYTES = 8 };

static bool
has_mbarrier(const struct ck_gen *gen)
{
    return ck_nvptx_arch(gen) >= 80;
}

static bool
can_sleep(const struct ck_gen *gen)
{
    return ck_nvptx_arch(gen) >= 90;
}

uint64_t
ck_nvptx_barrier_bytes(void)
{
    return (N_WORDS * WORD_BYTES + 15) / 16 * 16;
}

static LLVMValueRef
word_at(struct ck_gen *gen, LLVMValueRef v_index)
{
    static const char name[] = "shared$barriers";
    LLVMValueRef v_words = LLVMGetNamedGlobal(gen->module, name);
    LLVMTypeRef type = LLVMArrayType2(gen->t_i64, ck_nvptx_barrier_bytes() / WORD_BYTES);
    if (!v_words) {
        v_words = LLVMAddGlobalInAddressSpace(gen->module, type, name, SPACE_SHARED);
        LLVMSetLinkage(v_words, LLVMInternalLinkage);
        LLVMSetInitializer(v_words, LLVMGetUndef(type));
        LLVMSetAlignment(v_words, 16);
    }
    LLVMValueRef indices[] = {l_i32(gen, 0), v_index};
    return LLVMBuildInBoundsGEP2(gen->builder, type, v_words, indices, 2, "word");
}

/* --- Threads and warps -------------------------------------------------------------------------
 */

static LLVMValueRef
thread_rank(struct ck_gen *gen)
{
    LLVMValueRef v_rank = ck_nvptx_place(gen, CK_THREAD_IDX, 2);
    for (int dim = 1; dim >= 0; dim--) {
        v_rank = LLVMBuildMul(gen->builder, v_rank, ck_nvptx_place(gen, CK_BLOCK_DIM, dim), "");
        v_rank = LLVMBuildAdd(gen->builder, v_rank, ck_nvptx_place(gen, CK_THREAD_IDX, dim), "");
    }
    return v_rank;
}

static LLVMValueRef
warps_of(struct ck_gen *gen, LLVMValueRef v_threads)
{
    LLVMValueRef v_sum = LLVMBuildAdd(gen->builder, v_threads, l_i32(gen, 31), "");
    return LLVMBuildLShr(gen->builder, v_sum, l_i32(gen, 5), "warps");
}

static LLVMValueRef
block_warps(struct ck_gen *gen)
{
    LLVMValueRef v_threads = ck_nvptx_place(gen, CK_BLOCK_DIM, 0);
    for (int dim = 1; dim < 3; dim++)
        v_threads =
            LLVMBuildMul(gen->builder, v_threads, ck_nvptx_place(gen, CK_BLOCK_DIM, dim), "");
    return warps_of(gen, v_threads);
}

static void
sync_warp(struct ck_gen *gen)
{
    LLVMValueRef v_all = l_i32(gen, UINT32_MAX);
    l_intrinsic(gen, "llvm.nvvm.bar.warp.sync", NULL, &v_all, 1);
}

/* Only the first lane goes on to the block that becomes current; gives that of the others. */
static LLVMBasicBlockRef
first_lane_only(struct ck_gen *gen)
{
    LLVMBasicBlockRef b_leader = l_block(gen, "leader");
    LLVMBasicBlockRef b_others = l_block(gen, "others");
    LLVMValueRef v_lane = l_intrinsic(gen, "llvm.nvvm.read.ptx.sreg.laneid", NULL, NULL, 0);
    LLVMBuildCondBr(gen->builder, l_compare(gen, LLVMIntEQ, v_lane, l_i32(gen, 0)), b_leader,
                    b_others);
    l_at(gen, b_leader);
    return b_others;
}

/* --- Words -------------------------------------------------------------------------------------
 */

/* A warp arrives: gives what its wait needs. All warps of the group together add 2^31. */
static LLVMValueRef
arrive(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_is_first, LLVMValueRef v_warps)
{
    if (has_mbarrier(gen))
        return ck_nvptx_asm(gen, true, "mbarrier.arrive.shared.b64 $0, [$1];", "=l,l,~{memory}",
                            gen->t_i64, &v_word, 1);
    LLVMValueRef v_rest = LLVMBuildSub(gen->builder, l_i32(gen, 0x80000001u), v_warps, "");
    LLVMValueRef args[] = {v_word, l_select(gen, v_is_first, v_rest, l_i32(gen, 1))};
    LLVMValueRef v_before = ck_nvptx_asm(gen, true, "atom.add.release.cta.shared.u32 $0, [$1], $2;",
                                         "=r,l,r,~{memory}", gen->t_i32, args, 2);
    return LLVMBuildZExt(gen->builder, v_before, gen->t_i64, "");
}

/* Whether all have arrived since that arrival. */
static LLVMValueRef
is_passed(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_token)
{
    static const char test[] = "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [$1], $2; "
                               "selp.u32 $0, 1, 0, p; }";
    static const char try[] = "{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [$1], $2; "
                              "selp.u32 $0, 1, 0, p; }";
    if (has_mbarrier(gen)) {
        LLVMValueRef args[] = {v_word, v_token};
        LLVMValueRef v_passed = ck_nvptx_asm(gen, true, can_sleep(gen) ? try : test,
                                             "=r,l,l,~{memory}", gen->t_i32, args, 2);
        return l_compare(gen, LLVMIntNE, v_passed, l_i32(gen, 0));
    }
    LLVMValueRef v_now = ck_nvptx_asm(gen, true, "ld.acquire.cta.shared.u32 $0, [$1];",
                                      "=r,l,~{memory}", gen->t_i32, &v_word, 1);
    LLVMValueRef v_before = LLVMBuildTrunc(gen->builder, v_token, gen->t_i32, "");
    LLVMValueRef v_changed = LLVMBuildXor(gen->builder, v_now, v_before, "");
    return l_compare(gen, LLVMIntSLT, v_changed, l_i32(gen, 0));
}

/* The whole warp arrives; the first lane gets the token, the others 0. */
static LLVMValueRef
warp_arrive(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_is_first, LLVMValueRef v_warps)
{
    sync_warp(gen);
    LLVMBasicBlockRef b_before = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef b_others = first_lane_only(gen);
    LLVMValueRef v_token = arrive(gen, v_word, v_is_first, v_warps);
    LLVMBasicBlockRef b_leader = LLVMGetInsertBlock(gen->builder);
    l_branch(gen, b_others);
    l_at(gen, b_others);
    LLVMValueRef v_phi = LLVMBuildPhi(gen->builder, gen->t_i64, "token");
    LLVMValueRef values[] = {l_i64(gen, 0), v_token};
    LLVMBasicBlockRef blocks[] = {b_before, b_leader};
    LLVMAddIncoming(v_phi, values, blocks, 2);
    return v_phi;
}

static void
warp_wait(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_token)
{
    LLVMBasicBlockRef b_others = first_lane_only(gen);
    LLVMBasicBlockRef b_spin = l_block(gen, "spin");
    l_branch(gen, b_spin);
    l_at(gen, b_spin);
    LLVMBuildCondBr(gen->builder, is_passed(gen, v_word, v_token), b_others, b_spin);
    l_at(gen, b_others);
    sync_warp(gen);
}

/* --- The groups --------------------------------------------------------------------------------
 */

static void
named_barrier(struct ck_gen *gen, int size, LLVMValueRef v_index, LLVMValueRef v_threads)
{
    LLVMValueRef v_first = l_i32(gen, (uint32_t)(1024 / size));
    LLVMValueRef v_whole = LLVMBuildShl(gen->builder, warps_of(gen, v_threads), l_i32(gen, 5), "");
    LLVMValueRef args[] = {LLVMBuildAdd(gen->builder, v_index, v_first, "barrier"), v_whole};
    l_intrinsic(gen, "llvm.nvvm.barrier.cta.sync.aligned.count", NULL, args, 2);
}

void
ck_nvptx_wide_barrier(struct ck_gen *gen, int size, LLVMValueRef v_index, LLVMValueRef v_threads,
                      struct ck_span span)
{
    (void)span;
    if (size > 64) {
        named_barrier(gen, size, v_index, v_threads);
        return;
    }
    LLVMValueRef v_word =
        word_at(gen, LLVMBuildAdd(gen->builder, v_index, l_i32(gen, WORD_TILES), ""));
    LLVMValueRef v_half = LLVMBuildAnd(gen->builder, thread_rank(gen), l_i32(gen, 32), "");
    LLVMValueRef v_is_first = l_compare(gen, LLVMIntEQ, v_half, l_i32(gen, 0));
    warp_wait(gen, v_word, warp_arrive(gen, v_word, v_is_first, warps_of(gen, v_threads)));
}

LLVMValueRef
ck_nvptx_block_arrive(struct ck_gen *gen, struct ck_span span)
{
    (void)span;
    LLVMValueRef v_is_first = l_compare(gen, LLVMIntULT, thread_rank(gen), l_i32(gen, 32));
    return warp_arrive(gen, word_at(gen, l_i32(gen, WORD_BLOCK)), v_is_first, block_warps(gen));
}

void
ck_nvptx_block_wait(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span)
{
    (void)span;
    warp_wait(gen, word_at(gen, l_i32(gen, WORD_BLOCK)), v_token);
}

/* --- The beginning of a kernel -----------------------------------------------------------------
 */

static void
set_up(struct ck_gen *gen, int word, LLVMValueRef v_warps)
{
    LLVMValueRef args[] = {word_at(gen, l_i32(gen, (uint32_t)word)), v_warps};
    LLVMTypeRef none = gen->t_void;
    if (has_mbarrier(gen))
        ck_nvptx_asm(gen, true, "mbarrier.init.shared.b64 [$0], $1;", "l,r,~{memory}", none, args,
                     2);
    else
        l_store(gen, l_i32(gen, 0), args[0], WORD_BYTES);
}

void
ck_nvptx_set_up_barriers(struct ck_gen *gen)
{
    LLVMBasicBlockRef b_first = l_block(gen, "barriers");
    LLVMBasicBlockRef b_ready = l_block(gen, "barriers.ready");
    LLVMValueRef v_rank = thread_rank(gen), v_warps = block_warps(gen);
    LLVMBuildCondBr(gen->builder, l_compare(gen, LLVMIntEQ, v_rank, l_i32(gen, 0)), b_first,
                    b_ready);
    l_at(gen, b_first);
    set_up(gen, WORD_BLOCK, v_warps);
    for (int i = 0; i < N_TILES; i++) {
        /* Of a last tile only one warp may be there; a tile that is not there may have any count.
         */
        LLVMValueRef v_both = l_compare(gen, LLVMIntUGT, v_warps, l_i32(gen, 2 * (uint32_t)i + 1));
        set_up(gen, WORD_TILES + i, l_select(gen, v_both, l_i32(gen, 2), l_i32(gen, 1)));
    }
    l_branch(gen, b_ready);
    l_at(gen, b_ready);
    gen->target->block_barrier(gen, (struct ck_span){0});
}
