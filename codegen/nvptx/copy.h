/* Asynchronous copies on NVIDIA GPUs: see copy.c. */
#ifndef CK_NVPTX_COPY_H
#define CK_NVPTX_COPY_H

#include "codegen/core/gen.h"

/* Hooks of struct ck_copy_ops. */
bool ck_nvptx_copy_async(struct ck_gen *gen, LLVMValueRef v_to, LLVMValueRef v_from,
                         unsigned bytes);
void ck_nvptx_copy_commit(struct ck_gen *gen);
void ck_nvptx_copy_wait(struct ck_gen *gen, unsigned n);
LLVMValueRef ck_nvptx_copy_bulk(struct ck_gen *gen, const struct ck_bulk_copy *copy);
void ck_nvptx_select_bulk_copies(struct ck_gen *gen);

/* Before a kernel is lowered: records whether its copies may be bulk copies. */
void ck_nvptx_track_copies(struct ck_gen *gen, const struct ck_tfunc *kernel);
/* After that: a placeholder (i1) for whether a block runs the version with bulk copies, until
 * ck_nvptx_select_bulk_copies; NULL: the kernel needs no such version. */
LLVMValueRef ck_nvptx_bulk_copy_condition(struct ck_gen *gen);
/* The begin and the end of that version's code. */
void ck_nvptx_begin_bulk_copies(struct ck_gen *gen);
void ck_nvptx_end_bulk_copies(struct ck_gen *gen);

#endif
