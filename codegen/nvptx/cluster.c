/* Clusters of blocks on NVIDIA GPUs, compute capability 9.0 and later. Another block's shared
 * memory is reached by a generic pointer. */
#include "codegen/nvptx/cluster.h"

#include "codegen/nvptx/nvptx.h"

enum { LEAST_ARCH = 90 };

void
ck_nvptx_check_clusters(struct ck_gen *gen, const struct ck_tfunc *kernel)
{
    if (!ck_tfunc_has(kernel, CK_EFFECT_CLUSTER) || ck_nvptx_arch(gen) >= LEAST_ARCH)
        return;
    const struct ck_source *source = gen->program->source;
    struct ck_span span = kernel->cluster_use;
    struct ck_position at = ck_source_position(source, span.start);
    ck_gen_fail(gen, CK_ERROR_PROGRAM,
                "%s:%u:%u: `%.*s` needs clusters of blocks, which GPUs have from compute "
                "capability 9.0 on, and %s is older: compile with `--arch sm_90` or later",
                source->name, at.line, at.column, (int)(span.end - span.start),
                source->text + span.start, gen->options->arch);
}

LLVMValueRef
ck_nvptx_cluster_position(struct ck_gen *gen, enum ck_cluster_place what, int dim)
{
    static const char *const names[][3] = {
        [CK_CLUSTER_BLOCK_IDX] = {"cluster.ctaid.x", "cluster.ctaid.y", "cluster.ctaid.z"},
        [CK_CLUSTER_DIM] = {"cluster.nctaid.x", "cluster.nctaid.y", "cluster.nctaid.z"},
        [CK_CLUSTER_IDX] = {"clusterid.x", "clusterid.y", "clusterid.z"},
        [CK_CLUSTER_GRID_DIM] = {"nclusterid.x", "nclusterid.y", "nclusterid.z"},
        [CK_CLUSTER_BLOCK_RANK] = {"cluster.ctarank"},
        [CK_CLUSTER_NUM_BLOCKS] = {"cluster.nctarank"},
    };
    const int *size = ck_gen_kernel(gen)->cluster; /* of 0, in a function or a launch's */
    if (what == CK_CLUSTER_DIM && size[dim] > 0)
        return l_i64(gen, size[dim]);
    if (what == CK_CLUSTER_NUM_BLOCKS && size[0] > 0)
        return l_i64(gen, size[0] * size[1] * size[2]);
    return ck_nvptx_wide_special(gen, names[what][dim]);
}

/* Arriving releases and waiting acquires, for the cluster. Not the aligned forms: the lanes of a
 * warp need not come together. The hardware knows no tokens. */
LLVMValueRef
ck_nvptx_cluster_arrive(struct ck_gen *gen, struct ck_span span)
{
    (void)span;
    l_intrinsic(gen, "llvm.nvvm.barrier.cluster.arrive", NULL, NULL, 0);
    return l_i64(gen, 0);
}

void
ck_nvptx_cluster_wait(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span)
{
    (void)v_token, (void)span;
    l_intrinsic(gen, "llvm.nvvm.barrier.cluster.wait", NULL, NULL, 0);
}

void
ck_nvptx_cluster_sync(struct ck_gen *gen, struct ck_span span)
{
    ck_nvptx_cluster_wait(gen, ck_nvptx_cluster_arrive(gen, span), span);
}

/* --- Operations of clusters --------------------------------------------------------------------
 * An operation writes to a buffer, waits for the cluster, and reads the buffers of other blocks. In
 * a kernel the next operation has another buffer. When its barrier is passed all have read the one
 * before, so two take turns, and none waits a second time; at the end all wait once, as a block's
 * shared memory ends with it. A function does not know whose turn it is, and has the third buffer,
 * which is read before it goes on. */

enum { N_TURNS = 2 };

void
ck_nvptx_begin_cluster_buffers(struct ck_gen *gen)
{
    ck_nvptx_function(gen)->v_turn = l_slot(gen, gen->t_i64, "turn");
    l_store(gen, l_i64(gen, 0), ck_nvptx_function(gen)->v_turn, 8);
}

void
ck_nvptx_end_cluster_buffers(struct ck_gen *gen)
{
    if (ck_nvptx_function(gen)->has_turns)
        ck_nvptx_cluster_sync(gen, (struct ck_span){0});
}

LLVMValueRef
ck_nvptx_cluster_begin_collective(struct ck_gen *gen)
{
    LLVMValueRef v_slot = ck_nvptx_function(gen)->v_turn;
    if (!v_slot)
        return l_i64(gen, N_TURNS);
    ck_nvptx_function(gen)->has_turns = true;
    LLVMValueRef v_turn = l_load(gen, gen->t_i64, v_slot, 8, "turn");
    l_store(gen, LLVMBuildXor(gen->builder, v_turn, l_i64(gen, 1), ""), v_slot, 8);
    return v_turn;
}

void
ck_nvptx_cluster_end_collective(struct ck_gen *gen, struct ck_span span)
{
    if (!ck_nvptx_function(gen)->v_turn)
        ck_nvptx_cluster_sync(gen, span);
}

/* Inline PTX: LLVM's intrinsic promises that the address does not escape by it, though what it
 * gives leads back to this block's memory where the rank is its own. */
LLVMValueRef
ck_nvptx_map_shared(struct ck_gen *gen, LLVMValueRef v_address, LLVMValueRef v_rank)
{
    LLVMValueRef args[] = {
        LLVMBuildAddrSpaceCast(gen->builder, v_address, gen->t_ptr, ""),
        LLVMBuildTrunc(gen->builder, v_rank, gen->t_i32, ""),
    };
    return ck_nvptx_asm(gen, false, "mapa.u64 $0, $1, $2;", "=l,l,r", gen->t_ptr, args, 2);
}

LLVMValueRef
ck_nvptx_shared_rank(struct ck_gen *gen, LLVMValueRef v_address)
{
    LLVMValueRef v_rank =
        ck_nvptx_asm(gen, false, "getctarank.u64 $0, $1;", "=r,l", gen->t_i32, &v_address, 1);
    return LLVMBuildZExt(gen->builder, v_rank, gen->t_i64, "");
}
