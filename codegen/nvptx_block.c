/* Barriers of groups wider than a warp on NVIDIA GPUs.
 *
 * Barrier 0 of the hardware's 16 is the block's, and that of a tile of 1024, which is the whole
 * block. The tiles of 512, 256 and 128 threads that a block can have are 2 + 4 + 8, and have one of
 * the others each: a kernel that chooses among them takes all 16, of which a multiprocessor has 64,
 * so that only four of its blocks run there at once. The 16 tiles of 64 threads, and the block's
 * split barrier, are words in shared memory, at which each thread arrives and waits: an mbarrier
 * since sm_80; before, a count that ends in a change of its top bit. One arrival for a whole warp
 * would need barriers of the warp around it, takes longer, and tools that look for races do not
 * follow it. A kernel that can reach one of them sets the words up at its beginning. */
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

/* --- Threads -----------------------------------------------------------------------------------
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
block_threads(struct ck_gen *gen)
{
    LLVMValueRef v_threads = ck_nvptx_place(gen, CK_BLOCK_DIM, 0);
    for (int dim = 1; dim < 3; dim++)
        v_threads =
            LLVMBuildMul(gen->builder, v_threads, ck_nvptx_place(gen, CK_BLOCK_DIM, dim), "");
    return v_threads;
}

/* --- Words -------------------------------------------------------------------------------------
 */

/* Gives what the wait needs. All threads of the group together add 2^31 to a count. */
static LLVMValueRef
arrive(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_is_first, LLVMValueRef v_threads)
{
    if (has_mbarrier(gen))
        return ck_nvptx_asm(gen, true, "mbarrier.arrive.shared.b64 $0, [$1];", "=l,l,~{memory}",
                            gen->t_i64, &v_word, 1);
    LLVMValueRef v_rest = LLVMBuildSub(gen->builder, l_i32(gen, 0x80000001u), v_threads, "");
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

/* The lanes of a warp go on together, as the barriers of the hardware ask. */
static void
wait_for(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_token)
{
    LLVMBasicBlockRef b_spin = l_block(gen, "spin");
    LLVMBasicBlockRef b_passed = l_block(gen, "passed");
    l_branch(gen, b_spin);
    l_at(gen, b_spin);
    LLVMBuildCondBr(gen->builder, is_passed(gen, v_word, v_token), b_passed, b_spin);
    l_at(gen, b_passed);
    LLVMValueRef v_all = l_i32(gen, UINT32_MAX);
    l_intrinsic(gen, "llvm.nvvm.bar.warp.sync", NULL, &v_all, 1);
}

/* --- The groups --------------------------------------------------------------------------------
 */

static void
named_barrier(struct ck_gen *gen, int size, LLVMValueRef v_index, LLVMValueRef v_threads)
{
    LLVMValueRef v_number =
        size == 1024 ? l_i32(gen, 0)
                     : LLVMBuildAdd(gen->builder, v_index, l_i32(gen, (uint32_t)(1024 / size)), "");
    LLVMValueRef v_whole = LLVMBuildAdd(gen->builder, v_threads, l_i32(gen, 31), "");
    v_whole = LLVMBuildAnd(gen->builder, v_whole, l_i32(gen, ~31u), "whole.warps");
    LLVMValueRef args[] = {v_number, v_whole};
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
    LLVMValueRef v_rank = LLVMBuildAnd(gen->builder, thread_rank(gen), l_i32(gen, 63), "");
    LLVMValueRef v_is_first = l_compare(gen, LLVMIntEQ, v_rank, l_i32(gen, 0));
    wait_for(gen, v_word, arrive(gen, v_word, v_is_first, v_threads));
}

LLVMValueRef
ck_nvptx_block_arrive(struct ck_gen *gen, struct ck_span span)
{
    (void)span;
    LLVMValueRef v_is_first = l_compare(gen, LLVMIntEQ, thread_rank(gen), l_i32(gen, 0));
    return arrive(gen, word_at(gen, l_i32(gen, WORD_BLOCK)), v_is_first, block_threads(gen));
}

void
ck_nvptx_block_wait(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span)
{
    (void)span;
    wait_for(gen, word_at(gen, l_i32(gen, WORD_BLOCK)), v_token);
}

/* --- The beginning of a kernel -----------------------------------------------------------------
 */

static void
set_up(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_threads)
{
    LLVMValueRef args[] = {v_word, v_threads};
    if (has_mbarrier(gen))
        ck_nvptx_asm(gen, true, "mbarrier.init.shared.b64 [$0], $1;", "l,r,~{memory}", gen->t_void,
                     args, 2);
    else
        l_store(gen, l_i32(gen, 0), v_word, WORD_BYTES);
}

/* A tile's first thread sets up its word; of a last tile any number of threads may be there. */
void
ck_nvptx_set_up_barriers(struct ck_gen *gen)
{
    LLVMBuilderRef b = gen->builder;
    LLVMBasicBlockRef b_tile = l_block(gen, "barriers.tile");
    LLVMBasicBlockRef b_block = l_block(gen, "barriers.block");
    LLVMBasicBlockRef b_ready = l_block(gen, "barriers.ready");
    LLVMValueRef v_rank = thread_rank(gen), v_threads = block_threads(gen);
    LLVMValueRef v_within = LLVMBuildAnd(b, v_rank, l_i32(gen, 63), "");
    LLVMBuildCondBr(b, l_compare(gen, LLVMIntEQ, v_within, l_i32(gen, 0)), b_tile, b_ready);
    l_at(gen, b_tile);
    LLVMValueRef v_tile = LLVMBuildLShr(b, v_rank, l_i32(gen, 6), "tile");
    LLVMValueRef v_left = LLVMBuildSub(b, v_threads, v_rank, "");
    LLVMValueRef v_few = l_compare(gen, LLVMIntULT, v_left, l_i32(gen, 64));
    set_up(gen, word_at(gen, LLVMBuildAdd(b, v_tile, l_i32(gen, WORD_TILES), "")),
           l_select(gen, v_few, v_left, l_i32(gen, 64)));
    LLVMBuildCondBr(b, l_compare(gen, LLVMIntEQ, v_rank, l_i32(gen, 0)), b_block, b_ready);
    l_at(gen, b_block);
    set_up(gen, word_at(gen, l_i32(gen, WORD_BLOCK)), v_threads);
    l_branch(gen, b_ready);
    l_at(gen, b_ready);
    gen->target->block_barrier(gen, (struct ck_span){0});
}
