/* Clusters of blocks on NVIDIA GPUs, from compute capability 9.0 on. Generic pointers address
 * another block's shared memory. */
#include "codegen/nvptx/cluster.h"

#include "codegen/nvptx/nvptx.h"

enum { FIRST_ARCH = 90 };

void
ck_nvptx_check_clusters(struct ck_gen *gen, const struct ck_tfunc *kernel)
{
    if (!ck_tfunc_has(kernel, CK_EFFECT_CLUSTER) || ck_nvptx_arch(gen) >= FIRST_ARCH)
        return;
    const struct ck_source *source = gen->program->source;
    struct ck_span span = kernel->cluster_use;
    struct ck_origin at = ck_source_origin(source, span.start);
    ck_gen_fail(gen, CK_ERROR_PROGRAM,
                "%s:%u:%u: `%.*s` needs clusters of blocks, which GPUs have from compute "
                "capability 9.0 on, and %s is older: compile with `-arch=sm_90` or later",
                at.file, at.line, at.column, (int)(span.end - span.start),
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
    const int *size =
        ck_gen_kernel(gen)->bounds.cluster; /* 0: a device function, or the launch sets it */
    if (what == CK_CLUSTER_DIM && size[dim] > 0)
        return l_i64(gen, size[dim]);
    if (what == CK_CLUSTER_NUM_BLOCKS && size[0] > 0)
        return l_i64(gen, size[0] * size[1] * size[2]);
    return ck_nvptx_wide_special(gen, names[what][dim]);
}

/* Arrive has release and wait acquire semantics, at the scope of the cluster. These are not the
 * aligned forms: the lanes of a warp need not be converged. The hardware has no tokens. */
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

/* --- Collectives of clusters -------------------------------------------------------------------
 * A block writes to a buffer in its shared memory, waits at the cluster barrier, and reads the
 * buffers of other blocks.
 *
 * The collectives of a kernel alternate between two buffers. All blocks have read the first buffer
 * when they pass the barrier of the next collective, so no second barrier is needed. At its end the
 * kernel waits once, because a block's shared memory ends with the block. A device function does
 * not know which buffer is next: it uses a third one, and waits again after reading. */

enum { N_ALTERNATING = 2 };

void
ck_nvptx_begin_cluster_buffers(struct ck_gen *gen)
{
    ck_nvptx_function(gen)->v_buffer = l_slot(gen, gen->t_i64, "buffer");
    l_store(gen, l_i64(gen, 0), ck_nvptx_function(gen)->v_buffer, 8);
}

void
ck_nvptx_end_cluster_buffers(struct ck_gen *gen)
{
    if (ck_nvptx_function(gen)->uses_buffers)
        ck_nvptx_cluster_sync(gen, (struct ck_span){0});
}

LLVMValueRef
ck_nvptx_cluster_begin_collective(struct ck_gen *gen)
{
    LLVMValueRef v_slot = ck_nvptx_function(gen)->v_buffer;
    if (!v_slot)
        return l_i64(gen, N_ALTERNATING);
    ck_nvptx_function(gen)->uses_buffers = true;
    LLVMValueRef v_buffer = l_load(gen, gen->t_i64, v_slot, 8, "buffer");
    l_store(gen, LLVMBuildXor(gen->builder, v_buffer, l_i64(gen, 1), ""), v_slot, 8);
    return v_buffer;
}

void
ck_nvptx_cluster_end_collective(struct ck_gen *gen, struct ck_span span)
{
    if (!ck_nvptx_function(gen)->v_buffer)
        ck_nvptx_cluster_sync(gen, span);
}

/* Inline PTX. LLVM's intrinsic promises that it does not capture the address, but its result is an
 * address in this block's memory if the rank is its own. */
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
