/* Clusters of blocks on NVIDIA GPUs: see cluster.c. */
#ifndef CK_NVPTX_CLUSTER_H
#define CK_NVPTX_CLUSTER_H

#include "codegen/core/gen.h"

/* Fails if the kernel uses clusters and the arch has none. */
void ck_nvptx_check_clusters(struct ck_gen *gen, const struct ck_tfunc *kernel);
/* The buffers of collectives: at the beginning and at the end of a kernel that has a cluster
 * barrier. */
void ck_nvptx_begin_cluster_buffers(struct ck_gen *gen);
void ck_nvptx_end_cluster_buffers(struct ck_gen *gen);
/* Hooks of struct ck_cluster_ops. */
LLVMValueRef ck_nvptx_cluster_position(struct ck_gen *gen, enum ck_cluster_place what, int dim);
void ck_nvptx_cluster_sync(struct ck_gen *gen, struct ck_span span);
LLVMValueRef ck_nvptx_cluster_arrive(struct ck_gen *gen, struct ck_span span);
void ck_nvptx_cluster_wait(struct ck_gen *gen, LLVMValueRef v_token, struct ck_span span);
LLVMValueRef ck_nvptx_cluster_begin_collective(struct ck_gen *gen);
void ck_nvptx_cluster_end_collective(struct ck_gen *gen, struct ck_span span);
LLVMValueRef ck_nvptx_map_shared(struct ck_gen *gen, LLVMValueRef v_address, LLVMValueRef v_rank);
LLVMValueRef ck_nvptx_shared_rank(struct ck_gen *gen, LLVMValueRef v_address);

#endif
