/* Barriers of groups wider than a warp on NVIDIA GPUs.
 *
 * The hardware has 16 barriers for each block. Barrier 0 is the block's, and that of a tile of 1024
 * threads, which is the whole block. Barriers 1 to 4 are those of the tiles of 256 threads, 5 and 6
 * those of the tiles of 512. The number is a constant in each case of a switch over the tile's
 * index: with a number in a register, the kernel would reserve all 16. A multiprocessor has 64; 7
 * for each block are no limit for blocks of 256 threads.
 *
 * The barriers of tiles of 64 and of 128 threads, and the block's split barrier, are words in
 * shared memory, at which each thread arrives and waits: an mbarrier from sm_80 on, before that a
 * count whose top bit changes with the last arrival. Each thread arrives for itself. One arrival
 * for a whole warp would need warp barriers around it and takes longer, and race detectors do not
 * recognise it. A kernel that may reach one of these barriers initialises the words at its
 * beginning. */
#include "codegen/nvptx/nvptx.h"

/* Indices of words: the block's, then those of the tiles of 64 threads, then of 128. */
enum {
    WORD_BLOCK = 0,
    WORD_64 = 1,
    WORD_128 = WORD_64 + CK_MAX_BLOCK_THREADS / 64,
    N_WORDS = WORD_128 + CK_MAX_BLOCK_THREADS / 128
};
enum { WORD_BYTES = 8, WORDS_BYTES = (N_WORDS * WORD_BYTES + 15) / 16 * 16, MAX_WORD_TILE = 128 };

static bool
has_mbarrier(const struct ck_gen *gen)
{
    return ck_nvptx_arch(gen) >= 80;
}

static bool
has_try_wait(const struct ck_gen *gen)
{
    return ck_nvptx_arch(gen) >= 90;
}

uint64_t
ck_nvptx_barrier_bytes(const struct ck_tfunc *kernel)
{
    return (ck_tfunc_has(kernel, CK_EFFECT_BARRIER_WORDS) ? WORDS_BYTES : 0) +
           (ck_tfunc_has(kernel, CK_EFFECT_GRID_BARRIER) ? CK_NVPTX_GRID_BYTES : 0);
}

static LLVMValueRef
word_at(struct ck_gen *gen, LLVMValueRef v_index)
{
    LLVMTypeRef type = LLVMArrayType2(gen->t_i64, WORDS_BYTES / WORD_BYTES);
    LLVMValueRef v_words = ck_nvptx_memory(gen, CK_NVPTX_WORDS, type, 16, SPACE_SHARED);
    LLVMValueRef indices[] = {l_i32(gen, 0), v_index};
    return LLVMBuildInBoundsGEP2(gen->builder, type, v_words, indices, 2, "word");
}

/* --- Threads -----------------------------------------------------------------------------------
 */

LLVMValueRef
ck_nvptx_thread_rank(struct ck_gen *gen)
{
    LLVMValueRef v_rank = ck_nvptx_place(gen, CK_THREAD_IDX, 2);
    for (int dim = 1; dim >= 0; dim--) {
        v_rank = LLVMBuildMul(gen->builder, v_rank, ck_nvptx_place(gen, CK_BLOCK_DIM, dim), "");
        v_rank = LLVMBuildAdd(gen->builder, v_rank, ck_nvptx_place(gen, CK_THREAD_IDX, dim), "");
    }
    return v_rank;
}

LLVMValueRef
ck_nvptx_block_threads(struct ck_gen *gen)
{
    LLVMValueRef v_threads = ck_nvptx_place(gen, CK_BLOCK_DIM, 0);
    for (int dim = 1; dim < 3; dim++)
        v_threads =
            LLVMBuildMul(gen->builder, v_threads, ck_nvptx_place(gen, CK_BLOCK_DIM, dim), "");
    return v_threads;
}

/* --- Words -------------------------------------------------------------------------------------
 */

/* Returns the token for the wait. Without mbarriers, all threads of the group together add 2^31 to
 * the count. */
static LLVMValueRef
arrive(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_is_first, LLVMValueRef v_threads)
{
    if (has_mbarrier(gen))
        return ck_nvptx_asm(gen, true, "mbarrier.arrive.shared.b64 $0, [$1];", "=l,r,~{memory}",
                            gen->t_i64, &v_word, 1);
    LLVMValueRef v_rest = LLVMBuildSub(gen->builder, l_i32(gen, 0x80000001u), v_threads, "");
    LLVMValueRef args[] = {v_word, l_select(gen, v_is_first, v_rest, l_i32(gen, 1))};
    LLVMValueRef v_before = ck_nvptx_asm(gen, true, "atom.add.release.cta.shared.u32 $0, [$1], $2;",
                                         "=r,r,r,~{memory}", gen->t_i32, args, 2);
    return LLVMBuildZExt(gen->builder, v_before, gen->t_i64, "");
}

/* Whether all threads of the group have arrived at the barrier that the token is of. */
static LLVMValueRef
is_complete(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_token)
{
    static const char test[] = "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [$1], $2; "
                               "selp.u32 $0, 1, 0, p; }";
    static const char try[] = "{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [$1], $2; "
                              "selp.u32 $0, 1, 0, p; }";
    if (has_mbarrier(gen)) {
        LLVMValueRef args[] = {v_word, v_token};
        LLVMValueRef v_passed = ck_nvptx_asm(gen, true, has_try_wait(gen) ? try : test,
                                             "=r,r,l,~{memory}", gen->t_i32, args, 2);
        return l_compare(gen, LLVMIntNE, v_passed, l_i32(gen, 0));
    }
    LLVMValueRef v_now = ck_nvptx_asm(gen, true, "ld.acquire.cta.shared.u32 $0, [$1];",
                                      "=r,r,~{memory}", gen->t_i32, &v_word, 1);
    LLVMValueRef v_before = LLVMBuildTrunc(gen->builder, v_token, gen->t_i32, "");
    LLVMValueRef v_changed = LLVMBuildXor(gen->builder, v_now, v_before, "");
    return l_compare(gen, LLVMIntSLT, v_changed, l_i32(gen, 0));
}

/* The lanes of a warp reconverge afterwards, because the aligned barriers of the hardware require
 * converged warps. */
static void
wait_for(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_token)
{
    LLVMBasicBlockRef b_spin = l_block(gen, "spin");
    LLVMBasicBlockRef b_passed = l_block(gen, "passed");
    l_branch(gen, b_spin);
    l_at(gen, b_spin);
    LLVMBuildCondBr(gen->builder, is_complete(gen, v_word, v_token), b_passed, b_spin);
    l_at(gen, b_passed);
    LLVMValueRef v_all = l_i32(gen, UINT32_MAX);
    l_intrinsic(gen, "llvm.nvvm.bar.warp.sync", NULL, &v_all, 1);
}

/* --- The groups --------------------------------------------------------------------------------
 */

static void
numbered_barrier(struct ck_gen *gen, unsigned number, LLVMValueRef v_threads)
{
    LLVMValueRef args[] = {l_i32(gen, number), v_threads};
    l_intrinsic(gen, "llvm.nvvm.barrier.cta.sync.aligned.count", NULL, args, 2);
}

/* The barrier of the tile of index `v_index`. */
static void
tile_barrier(struct ck_gen *gen, int size, LLVMValueRef v_index, LLVMValueRef v_threads)
{
    LLVMValueRef v_whole = LLVMBuildAdd(gen->builder, v_threads, l_i32(gen, CK_WARP_SIZE - 1), "");
    v_whole = LLVMBuildAnd(gen->builder, v_whole, l_i32(gen, ~(CK_WARP_SIZE - 1u)), "whole.warps");
    const unsigned n = CK_MAX_BLOCK_THREADS / (unsigned)size;
    const unsigned first = size == CK_MAX_BLOCK_THREADS ? 0 : size == 512 ? 5 : 1;
    if (n == 1) {
        numbered_barrier(gen, first, v_whole);
        return;
    }
    LLVMBasicBlockRef b_waited = l_block(gen, "tile.waited"), b_last = l_block(gen, "tile.last");
    LLVMValueRef v_switch = LLVMBuildSwitch(gen->builder, v_index, b_last, n - 1);
    for (unsigned i = 0; i < n; i++) {
        LLVMBasicBlockRef b_tile = i + 1 < n ? l_block(gen, "tile.wait") : b_last;
        if (i + 1 < n)
            LLVMAddCase(v_switch, l_i32(gen, i), b_tile);
        l_at(gen, b_tile);
        numbered_barrier(gen, first + i, v_whole);
        l_branch(gen, b_waited);
    }
    l_at(gen, b_waited);
}

void
ck_nvptx_sync_tile(struct ck_gen *gen, int size, LLVMValueRef v_index, LLVMValueRef v_threads,
                   struct ck_span span)
{
    (void)span;
    if (size > MAX_WORD_TILE) {
        tile_barrier(gen, size, v_index, v_threads);
        return;
    }
    const uint32_t first = size == 64 ? WORD_64 : WORD_128;
    LLVMValueRef v_word = word_at(gen, LLVMBuildAdd(gen->builder, v_index, l_i32(gen, first), ""));
    LLVMValueRef v_rank =
        LLVMBuildAnd(gen->builder, ck_nvptx_thread_rank(gen), l_i32(gen, (uint32_t)size - 1), "");
    LLVMValueRef v_is_first = l_compare(gen, LLVMIntEQ, v_rank, l_i32(gen, 0));
    wait_for(gen, v_word, arrive(gen, v_word, v_is_first, v_threads));
}

/* Keeps arrive and wait as calls until split_barrier.c merges or inlines them. */
static void
mark_noinline(struct ck_gen *gen, LLVMValueRef v_function)
{
    l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "noinline", 0);
}

static void
make_arrive(struct ck_gen *gen, LLVMValueRef v_function)
{
    mark_noinline(gen, v_function);
    LLVMValueRef v_is_first = l_compare(gen, LLVMIntEQ, ck_nvptx_thread_rank(gen), l_i32(gen, 0));
    LLVMValueRef v_word = word_at(gen, l_i32(gen, WORD_BLOCK));
    LLVMBuildRet(gen->builder, arrive(gen, v_word, v_is_first, ck_nvptx_block_threads(gen)));
}

static void
make_wait(struct ck_gen *gen, LLVMValueRef v_function)
{
    mark_noinline(gen, v_function);
    wait_for(gen, word_at(gen, l_i32(gen, WORD_BLOCK)), LLVMGetParam(v_function, 0));
    LLVMBuildRetVoid(gen->builder);
}

LLVMValueRef
ck_nvptx_block_arrive(struct ck_gen *gen, struct ck_span span)
{
    (void)span;
    return ck_nvptx_call(gen, CK_NVPTX_ARRIVE, make_arrive, gen->t_i64, NULL, 0);
}

void
ck_nvptx_block_wait(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span)
{
    (void)span;
    ck_nvptx_call(gen, CK_NVPTX_WAIT, make_wait, gen->t_void, &v_token, 1);
}

/* --- The beginning of a kernel -----------------------------------------------------------------
 */

static void
init_word(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_threads)
{
    LLVMValueRef args[] = {v_word, v_threads};
    if (has_mbarrier(gen))
        ck_nvptx_asm(gen, true, "mbarrier.init.shared.b64 [$0], $1;", "r,r,~{memory}", gen->t_void,
                     args, 2);
    else
        l_store(gen, l_i32(gen, 0), v_word, WORD_BYTES);
}

/* Initialises the word of a tile, in the tile's first thread, and continues there; other threads
 * branch to `b_none`. The block's last tile may have fewer threads. */
static void
init_tile_word(struct ck_gen *gen, uint32_t first, uint32_t size, LLVMBasicBlockRef b_none)
{
    LLVMBuilderRef b = gen->builder;
    LLVMBasicBlockRef b_tile = l_block(gen, "barriers.tile");
    LLVMValueRef v_rank = ck_nvptx_thread_rank(gen), v_threads = ck_nvptx_block_threads(gen);
    LLVMValueRef v_within = LLVMBuildAnd(b, v_rank, l_i32(gen, size - 1), "");
    LLVMBuildCondBr(b, l_compare(gen, LLVMIntEQ, v_within, l_i32(gen, 0)), b_tile, b_none);
    l_at(gen, b_tile);
    LLVMValueRef v_tile = LLVMBuildUDiv(b, v_rank, l_i32(gen, size), "tile");
    LLVMValueRef v_left = LLVMBuildSub(b, v_threads, v_rank, "");
    LLVMValueRef v_few = l_compare(gen, LLVMIntULT, v_left, l_i32(gen, size));
    init_word(gen, word_at(gen, LLVMBuildAdd(b, v_tile, l_i32(gen, first), "")),
              l_select(gen, v_few, v_left, l_i32(gen, size)));
}

/* The first thread of each group initialises the group's word. A thread that is not the first of a
 * tile is not the first of a wider one either. */
static void
make_set_up(struct ck_gen *gen, LLVMValueRef v_function)
{
    mark_noinline(gen, v_function);
    LLVMBasicBlockRef b_block = l_block(gen, "barriers.block");
    LLVMBasicBlockRef b_ready = l_block(gen, "barriers.ready");
    init_tile_word(gen, WORD_64, 64, b_ready);
    init_tile_word(gen, WORD_128, 128, b_ready);
    LLVMValueRef v_is_first = l_compare(gen, LLVMIntEQ, ck_nvptx_thread_rank(gen), l_i32(gen, 0));
    LLVMBuildCondBr(gen->builder, v_is_first, b_block, b_ready);
    l_at(gen, b_block);
    init_word(gen, word_at(gen, l_i32(gen, WORD_BLOCK)), ck_nvptx_block_threads(gen));
    l_branch(gen, b_ready);
    l_at(gen, b_ready);
    gen->target->block->sync(gen, (struct ck_span){0});
    LLVMBuildRetVoid(gen->builder);
}

void
ck_nvptx_set_up_barriers(struct ck_gen *gen)
{
    ck_nvptx_call(gen, CK_NVPTX_SET_UP, make_set_up, gen->t_void, NULL, 0);
}
