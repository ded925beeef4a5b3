/* Warp-level primitives on NVIDIA GPUs: shuffles, votes and matches become the llvm.nvvm intrinsics
 * of PTX's shfl.sync, vote.sync and match.sync. */
#include "codegen/nvptx/nvptx.h"

LLVMValueRef
ck_nvptx_lane(struct ck_gen *gen)
{
    return ck_nvptx_wide_special(gen, "laneid");
}

static const char *const collective_names[] = {
    [CK_COLLECTIVE_SYNC] = "llvm.nvvm.bar.warp.sync",
    [CK_COLLECTIVE_SHFL] = "llvm.nvvm.shfl.sync.idx.i32",
    [CK_COLLECTIVE_SHFL_UP] = "llvm.nvvm.shfl.sync.up.i32",
    [CK_COLLECTIVE_SHFL_DOWN] = "llvm.nvvm.shfl.sync.down.i32",
    [CK_COLLECTIVE_SHFL_XOR] = "llvm.nvvm.shfl.sync.bfly.i32",
    [CK_COLLECTIVE_ALL] = "llvm.nvvm.vote.all.sync",
    [CK_COLLECTIVE_ANY] = "llvm.nvvm.vote.any.sync",
    [CK_COLLECTIVE_EQ] = "llvm.nvvm.vote.uni.sync",
    [CK_COLLECTIVE_BALLOT] = "llvm.nvvm.vote.ballot.sync",
    [CK_COLLECTIVE_MATCH_ANY] = "llvm.nvvm.match.any.sync.i32",
    [CK_COLLECTIVE_MATCH_ALL] = "llvm.nvvm.match.all.sync.i32p",
    [CK_COLLECTIVE_ACTIVE] = "llvm.nvvm.activemask",
    [CK_COLLECTIVE_BLOCK_COUNT] = "llvm.nvvm.barrier.cta.red.popc.aligned.all",
    [CK_COLLECTIVE_BLOCK_AND] = "llvm.nvvm.barrier.cta.red.and.aligned.all",
    [CK_COLLECTIVE_BLOCK_OR] = "llvm.nvvm.barrier.cta.red.or.aligned.all",
};

/* The last operand of shfl.sync. Its low bits are the last valid source lane, for `up` the first.
 * Its high bits are the mask of the bits of a lane's number that identify its tile. */
static LLVMValueRef
shuffle_bounds(struct ck_gen *gen, const struct ck_collective *x)
{
    if (!x->v_threads)
        return l_i32(gen, x->op == CK_COLLECTIVE_SHFL_UP ? 0 : CK_WARP_SIZE - 1);
    const int segment = (CK_WARP_SIZE - x->size) << 8;
    if (x->op == CK_COLLECTIVE_SHFL)
        return l_i32(gen, segment + x->size - 1);
    if (x->op == CK_COLLECTIVE_SHFL_UP)
        return l_i32(gen, segment);
    return LLVMBuildAdd(gen->builder, x->v_threads, l_i32(gen, segment - 1), "");
}

/* A shuffle by rank with constant bounds, and a comparison. If rank and bounds are both in
 * registers, the instruction takes twice as long on an H200. */
static LLVMValueRef
shuffle_by_rank(struct ck_gen *gen, struct ck_collective *x, LLVMValueRef *args)
{
    LLVMValueRef v_got = l_intrinsic(gen, collective_names[x->op], NULL, args, 4);
    LLVMValueRef v_rank = LLVMBuildAnd(gen->builder, x->v_lane, l_i32(gen, x->size - 1), "rank");
    x->v_there = l_compare(gen, LLVMIntULT, v_rank, x->v_threads);
    return l_select(gen, x->v_there, v_got, args[1]);
}

static LLVMValueRef
shuffle_word(struct ck_gen *gen, struct ck_collective *x, LLVMValueRef v_word)
{
    static const char *const names[] = {
        [CK_COLLECTIVE_SHFL_UP] = "llvm.nvvm.shfl.sync.up.i32p",
        [CK_COLLECTIVE_SHFL_DOWN] = "llvm.nvvm.shfl.sync.down.i32p",
        [CK_COLLECTIVE_SHFL_XOR] = "llvm.nvvm.shfl.sync.bfly.i32p",
    };
    LLVMValueRef args[] = {x->v_mask, v_word, x->v_lane, shuffle_bounds(gen, x)};
    if (!x->v_threads)
        return l_intrinsic(gen, collective_names[x->op], NULL, args, 4);
    if (x->op == CK_COLLECTIVE_SHFL)
        return shuffle_by_rank(gen, x, args);
    LLVMValueRef v_both = l_intrinsic(gen, names[x->op], NULL, args, 4);
    x->v_there = LLVMBuildExtractValue(gen->builder, v_both, 1, "");
    return LLVMBuildExtractValue(gen->builder, v_both, 0, "");
}

/* 64-bit values are shuffled as two words. */
static LLVMValueRef
shuffle(struct ck_gen *gen, struct ck_collective *x)
{
    LLVMBuilderRef builder = gen->builder;
    if (x->type == gen->t_i32)
        return shuffle_word(gen, x, x->v_value);
    LLVMValueRef v_high = LLVMBuildLShr(builder, x->v_value, l_i64(gen, 32), "");
    v_high = shuffle_word(gen, x, LLVMBuildTrunc(builder, v_high, gen->t_i32, ""));
    LLVMValueRef v_low = shuffle_word(gen, x, LLVMBuildTrunc(builder, x->v_value, gen->t_i32, ""));
    v_high = LLVMBuildZExt(builder, v_high, gen->t_i64, "");
    v_high = LLVMBuildShl(builder, v_high, l_i64(gen, 32), "");
    return LLVMBuildOr(builder, v_high, LLVMBuildZExt(builder, v_low, gen->t_i64, ""), "");
}

static void
match(struct ck_gen *gen, struct ck_collective *x)
{
    bool is_all = x->op == CK_COLLECTIVE_MATCH_ALL;
    const char *name = collective_names[x->op];
    if (LLVMTypeOf(x->v_value) == gen->t_i64)
        name = is_all ? "llvm.nvvm.match.all.sync.i64p" : "llvm.nvvm.match.any.sync.i64";
    LLVMValueRef args[] = {x->v_mask, x->v_value};
    x->v_result = l_intrinsic(gen, name, NULL, args, 2);
    if (is_all) {
        x->v_all = LLVMBuildExtractValue(gen->builder, x->v_result, 1, "");
        x->v_result = LLVMBuildExtractValue(gen->builder, x->v_result, 0, "");
    }
}

static void
block_vote(struct ck_gen *gen, struct ck_collective *x)
{
    LLVMValueRef args[] = {l_i32(gen, 0), x->v_value};
    x->v_result = l_intrinsic(gen, collective_names[x->op], NULL, args, 2);
    if (x->op != CK_COLLECTIVE_BLOCK_COUNT)
        x->v_result = LLVMBuildZExt(gen->builder, x->v_result, gen->t_i32, "");
}

void
ck_nvptx_collective(struct ck_gen *gen, struct ck_collective *x)
{
    LLVMValueRef args[] = {x->v_mask, x->v_value};
    switch (x->op) {
    case CK_COLLECTIVE_SHFL:
    case CK_COLLECTIVE_SHFL_UP:
    case CK_COLLECTIVE_SHFL_DOWN:
    case CK_COLLECTIVE_SHFL_XOR:
        x->v_result = shuffle(gen, x);
        break;
    case CK_COLLECTIVE_MATCH_ANY:
    case CK_COLLECTIVE_MATCH_ALL:
        match(gen, x);
        break;
    case CK_COLLECTIVE_BLOCK_COUNT:
    case CK_COLLECTIVE_BLOCK_AND:
    case CK_COLLECTIVE_BLOCK_OR:
        block_vote(gen, x);
        break;
    default: /* with a mask, a mask and a condition, or nothing */
        x->v_result = l_intrinsic(gen, collective_names[x->op], NULL, args,
                                  (unsigned)(!!x->v_mask + !!x->v_value));
    }
}
